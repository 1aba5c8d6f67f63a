"""What the last turn changed, collected from its events."""

from collections import Counter
from collections.abc import Iterable, Sequence
from enum import Enum, auto

import msgspec

from rules.australis.components import FACES, Card, Die
from rules.australis.events import (
    CardKept,
    CardsRevealed,
    CoralMoved,
    CoralPlaced,
    CubeTaken,
    DiceReturned,
    DieTaken,
    DisplayCleared,
    FishCaught,
    PointsGained,
    ReefScored,
    RoundBegan,
    SchoolScored,
    TileTaken,
    TokenTaken,
    TurtleMoved,
    TurtleScored,
)
from rules.game import Event, Seat


class Fact(Enum):
    """The numbers of a seat's panel."""

    SCORE = auto()
    FISH = auto()
    CUBES = auto()
    CORALS = auto()
    CARDS = auto()
    TILES = auto()


class Changes(msgspec.Struct):
    """What is marked."""

    facts: set[tuple[Seat, Fact]] = msgspec.field(default_factory=set)
    moves: dict[Seat, tuple[int, int]] = msgspec.field(default_factory=dict)
    """Where each turtle was and is."""
    corals: set[tuple[Seat, int]] = msgspec.field(default_factory=set)
    """The owner of corals on a reef that grew or shrank."""
    dice: dict[Seat, list[Die]] = msgspec.field(default_factory=dict)
    """The dice that each seat has just taken and still has."""
    kept: set[tuple[Seat, Card]] = msgspec.field(default_factory=set)
    """Cards that went to a sea board."""
    revealed: Counter[Card] = msgspec.field(default_factory=Counter)
    """Cards that came to the display one by one."""
    token_taken: bool = False

    @property
    def has_any(self) -> bool:
        """Whether there is anything to mark."""
        return bool(self.facts or self.moves or self.corals or self.dice or self.revealed or self.token_taken)


def mark_new(dice: Sequence[Die], taken: Sequence[Die]) -> tuple[tuple[Die, bool], ...]:
    """Return each of a seat's dice with whether it was just taken; those are its last ones."""
    left = list(taken)
    marked: list[tuple[Die, bool]] = []
    for die in reversed(dice):
        marked.append((die, die in left))
        if die in left:
            left.remove(die)
    return tuple(reversed(marked))


def collect_changes(recent_events: Iterable[Event]) -> Changes:
    """Collect what these events changed, and still is so."""
    changes = Changes()
    filling = False  # the whole display is new: to mark all of it says nothing
    for event in recent_events:
        match event:
            case PointsGained(seat=seat) | TurtleScored(seat=seat):
                changes.facts.add((seat, Fact.SCORE))
            case SchoolScored(seat=seat, points=points) if points:
                changes.facts.add((seat, Fact.SCORE))
            case ReefScored(first=first, second=second):
                changes.facts |= {(seat, Fact.SCORE) for seat in (first, second) if seat is not None}
            case FishCaught(seat=seat):
                changes.facts.add((seat, Fact.FISH))
            case CubeTaken(seat=seat, boxed=False):
                changes.facts.add((seat, Fact.CUBES))
            case CardKept(seat=seat, card=card):
                changes.facts.add((seat, Fact.CARDS))
                changes.kept.add((seat, card))
            case TileTaken(seat=seat) if seat is not None:
                changes.facts.add((seat, Fact.TILES))
            case TurtleMoved(seat=seat, start=start, end=end) if start != end:
                changes.moves[seat] = changes.moves.get(seat, (start, end))[0], end
            case CoralPlaced(seat=seat, reef=reef):
                changes.facts.add((seat, Fact.CORALS))
                changes.corals.add((seat, reef))
            case CoralMoved(seat=seat, start=start, end=end):
                changes.corals |= {(seat, start), (seat, end)}
            case DieTaken(seat=seat, die=die):
                changes.dice.setdefault(seat, []).append(die)
                filling = False
            case DiceReturned(colours=colours):
                for seat, dice in changes.dice.items():
                    changes.dice[seat] = [die for die in dice if FACES[die].colour not in colours]
            case TokenTaken():
                changes.token_taken = True
            case CardsRevealed(cards=cards) if not filling:
                changes.revealed.update(cards)
            case RoundBegan() | DisplayCleared():
                filling = True
                changes.dice.clear()
                changes.revealed.clear()
                changes.token_taken = False
    return changes
