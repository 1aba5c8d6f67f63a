"""What the newest turn of Australis changed, collected from its events."""

from collections import Counter
from collections.abc import Iterable, Sequence
from enum import Enum, auto

import msgspec

from rules.australis.components import FACE_FACTS, Card, Die
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
    TurtleMoved,
    TurtleScored,
)
from rules.model import Event, Seat


class PanelNumber(Enum):
    """A number in a seat's panel, by what it counts."""

    SCORE = auto()
    FISH = auto()
    CUBES = auto()
    CORALS = auto()
    CARDS = auto()
    TILES = auto()


class Changes(msgspec.Struct):
    """Everything that is marked as changed."""

    changed_numbers: set[tuple[Seat, PanelNumber]] = msgspec.field(default_factory=set)
    """Numbers that changed."""
    turtle_moves: dict[Seat, tuple[int, int]] = msgspec.field(default_factory=dict)
    """The spaces where each turtle was before and is now."""
    changed_coral_counts: set[tuple[Seat, int]] = msgspec.field(default_factory=set)
    """Seat and reef where the number of the seat's corals changed."""
    taken_dice: dict[Seat, list[Die]] = msgspec.field(default_factory=dict)
    """The dice that each seat has just taken and still has."""
    kept_cards: set[tuple[Seat, Card]] = msgspec.field(default_factory=set)
    """Cards that went to a sea board."""
    revealed_cards: Counter[Card] = msgspec.field(default_factory=Counter)
    """Cards that were put on the display one by one, not when all were replaced."""

    @property
    def has_marks(self) -> bool:
        """Whether there is anything to mark."""
        return bool(
            self.changed_numbers
            or self.turtle_moves
            or self.changed_coral_counts
            or any(self.taken_dice.values())
            or self.revealed_cards
        )


def flag_new_dice(dice: Sequence[Die], taken: Sequence[Die]) -> tuple[tuple[Die, bool], ...]:
    """Return each of a seat's dice, and whether it was just taken; of equal dice, the last ones were."""
    remaining = list(taken)
    flagged: list[tuple[Die, bool]] = []
    for die in reversed(dice):
        flagged.append((die, die in remaining))
        if die in remaining:
            remaining.remove(die)
    return tuple(reversed(flagged))


def collect_changes(recent_events: Iterable[Event]) -> Changes:
    """Collect what these events changed, without changes that later ones of these events reversed."""
    changes = Changes()
    is_refilling = False  # while the whole display is replaced, its cards are not marked as new
    for event in recent_events:
        match event:
            case PointsGained(seat=seat) | TurtleScored(seat=seat):
                changes.changed_numbers.add((seat, PanelNumber.SCORE))
            case SchoolScored(seat=seat, points=points) if points:
                changes.changed_numbers.add((seat, PanelNumber.SCORE))
            case ReefScored(first=first, second=second):
                changes.changed_numbers |= {
                    (seat, PanelNumber.SCORE) for seat in (first, second) if seat is not None
                }
            case FishCaught(seat=seat):
                changes.changed_numbers.add((seat, PanelNumber.FISH))
            case CubeTaken(seat=seat, boxed=False):
                changes.changed_numbers.add((seat, PanelNumber.CUBES))
            case CardKept(seat=seat, card=card):
                changes.changed_numbers.add((seat, PanelNumber.CARDS))
                changes.kept_cards.add((seat, card))
            case TileTaken(seat=seat) if seat is not None:
                changes.changed_numbers.add((seat, PanelNumber.TILES))
            case TurtleMoved(seat=seat, start=start, end=end) if start != end:
                changes.turtle_moves[seat] = changes.turtle_moves.get(seat, (start, end))[0], end
            case CoralPlaced(seat=seat, reef=reef):
                changes.changed_numbers.add((seat, PanelNumber.CORALS))
                changes.changed_coral_counts.add((seat, reef))
            case CoralMoved(seat=seat, start=start, end=end):
                changes.changed_coral_counts |= {(seat, start), (seat, end)}
            case DieTaken(seat=seat, die=die):
                changes.taken_dice.setdefault(seat, []).append(die)
                is_refilling = False
            case DiceReturned(colours=colours):
                for seat, dice in changes.taken_dice.items():
                    changes.taken_dice[seat] = [die for die in dice if FACE_FACTS[die].colour not in colours]
            case CardsRevealed(cards=cards) if not is_refilling:
                changes.revealed_cards.update(cards)
            case RoundBegan() | DisplayCleared():
                is_refilling = True
                changes.taken_dice.clear()
                changes.revealed_cards.clear()
    return changes
