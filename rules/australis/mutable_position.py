"""A position that can be changed in place, used within one transition."""

from bisect import insort
from collections.abc import Sequence
from typing import Any, Final

from msgspec.structs import replace

from rules.australis.components import FACE_FACTS, Card, Die, FaceFacts
from rules.australis.events import AnyEvent, EffectSource
from rules.australis.model import Competition, Phase, Position, Tally
from rules.model import CHANCE, Seat

CARD_INDEX: Final = {card: index for index, card in enumerate(Card)}
DIE_INDEX: Final = {die: index for index, die in enumerate(Die)}


class MutablePosition:
    """A mutable copy of a ``Position``, field by field, with an empty trail."""

    __slots__ = (
        "active_die",
        "boards",
        "boxed_cube_count",
        "cards_to_activate",
        "competition",
        "coral_source",
        "dice",
        "discard_pile",
        "display",
        "draw_pile",
        "grey_cube_supply",
        "options",
        "phase",
        "picks_left",
        "reveals_left",
        "round",
        "starter",
        "to_act",
        "token_holder",
        "trail",
        "turn",
        "turns_left",
        "turtle_track_grey_cube_count",
    )  # fmt: skip

    def __init__(self, position: Position) -> None:
        """Copy a position."""
        self.options = position.options
        self.phase = position.phase
        self.to_act = position.to_act
        self.boards = list(position.boards)
        self.round = position.round
        self.starter = position.starter
        self.turn = position.turn
        self.turns_left = position.turns_left
        self.token_holder = position.token_holder
        self.dice = list(position.dice)
        self.display = list(position.display)
        self.draw_pile = list(position.draw_pile)
        self.discard_pile = list(position.discard_pile)
        self.active_die: Die | None = position.active_die
        self.cards_to_activate = list(position.cards_to_activate)
        self.coral_source: EffectSource | None = position.coral_source
        self.picks_left = position.picks_left
        self.reveals_left = position.reveals_left
        self.turtle_track_grey_cube_count = position.turtle_track_grey_cube_count
        self.grey_cube_supply = position.grey_cube_supply
        self.boxed_cube_count = position.boxed_cube_count
        self.competition: Competition | None = position.competition
        self.trail: list[AnyEvent] = []

    def freeze(self) -> Position:
        """Return the changed position."""
        return Position(
            options=self.options,
            phase=self.phase,
            to_act=self.to_act,
            boards=tuple(self.boards),
            round=self.round,
            starter=self.starter,
            turn=self.turn,
            turns_left=self.turns_left,
            token_holder=self.token_holder,
            dice=tuple(self.dice),
            display=tuple(self.display),
            draw_pile=tuple(self.draw_pile),
            discard_pile=tuple(self.discard_pile),
            active_die=self.active_die,
            cards_to_activate=tuple(self.cards_to_activate),
            coral_source=self.coral_source,
            picks_left=self.picks_left,
            reveals_left=self.reveals_left,
            turtle_track_grey_cube_count=self.turtle_track_grey_cube_count,
            grey_cube_supply=self.grey_cube_supply,
            boxed_cube_count=self.boxed_cube_count,
            competition=self.competition,
            trail=tuple(self.trail),
        )

    @property
    def seat_to_act(self) -> Seat:
        """The seat to act."""
        assert self.to_act is not None
        assert self.to_act != CHANCE
        return self.to_act

    @property
    def active_face(self) -> FaceFacts:
        """What the die of the running turn shows."""
        assert self.active_die is not None
        return FACE_FACTS[self.active_die]

    def set_phase(self, phase: Phase, to_act: Seat | None) -> None:
        """Set what the game waits for, and who acts: a seat, chance, or None when the game is over."""
        self.phase = phase
        self.to_act = to_act

    def change_board(self, seat: Seat, **changes: Any) -> None:
        """Change fields of a seat's board."""
        self.boards[seat] = replace(self.boards[seat], **changes)

    def add_points(self, seat: Seat, **points: int) -> None:
        """Add points to parts of a seat's tally."""
        board = self.boards[seat]
        tally: Tally = board.tally
        sums = {part: getattr(tally, part) + gained for part, gained in points.items()}
        self.boards[seat] = replace(board, tally=replace(tally, **sums))

    def turn_order(self, first: Seat) -> list[Seat]:
        """Return the seats that still play, clockwise from ``first``."""
        boards = self.boards
        order = (*range(first, len(boards)), *range(first))
        return [Seat(seat) for seat in order if not boards[seat].resigned]

    def discard(self, cards: Sequence[Card]) -> None:
        """Add cards to the discard pile."""
        for card in cards:
            insort(self.discard_pile, card, key=CARD_INDEX.__getitem__)

    def return_dice(self, dice: Sequence[Die]) -> None:
        """Return dice to the board."""
        for die in dice:
            insort(self.dice, die, key=DIE_INDEX.__getitem__)


def add_card(cards: tuple[Card, ...], card: Card) -> tuple[Card, ...]:
    """Return kept cards with one more, in the order of ``Card``."""
    return tuple(sorted((*cards, card), key=CARD_INDEX.__getitem__))
