"""The contract between a game and everything that hosts, draws or tests it.

Names follow OpenSpiel, python-chess and boardgame.io.  A game is a record of pure functions over
frozen values (``Game``) and the words that go with them (``Words``).  Its laws, tested for every
registered game (``tests/conformance``):

* ``view(sample_state(v, stream), v.viewer) == v``                                      (first law)
* what a viewer sees after an action follows from the view before and the action as seen   (step law)
* ``legal_actions`` is a function of the view, so nothing offered or refused can tell a secret
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Generic, NamedTuple, NewType, Protocol, TypeAlias, TypeVar

import msgspec

from rules.stream import Stream

Seat = NewType("Seat", int)
"""A place at the table, counted from 0 in the order of play."""

CHANCE: Final = Seat(-1)
"""The decider of everything that no seat decides.  Its outcomes are recorded like any action."""

MODERATOR: Final = Seat(-2)
"""The actor of a roll-back: a moderator of the table, who need have no seat."""

SEAT_LETTERS: Final = "ABCDEF"
"""How a seat is written."""

HIDDEN: Final = "?"
"""What a viewer may not know of a recorded action, in text and as a value of a short string."""

Names: TypeAlias = tuple[str, ...]
"""The players' names by seat, already made safe for where they will be shown."""


class Action(msgspec.Struct, frozen=True, gc=False, tag_field="act"):
    """What a seat, or chance, does.  The tag is its verb.

    Field types come from a closed set: int, bool, enum, str (short), Seat, and tuples or optionals
    of those.  A player's action is written with at most 80 characters (see ``rules.notation``).
    """

    def seen_by(self, viewer: Seat | None, actor: Seat) -> "Action":
        """Return this action as ``viewer`` may know it (``None``: a bystander)."""
        return self

    def reveals(self, viewer: Seat | None) -> bool:
        """Return whether this outcome of chance tells ``viewer`` anything that was not certain before.

        Undo never crosses an outcome that the asker or a bystander saw.
        """
        return True

    def spellings(self) -> "tuple[Action, ...]":
        """This action, then every other way to write the same choice, such as its cards in another order.

        Legal actions have the first form; a player may write any.
        """
        return (self,)

    @property
    def recipient(self) -> Seat | None:
        """The seat that this outcome of chance is for; None: it is for the whole table.

        Known before the outcome is drawn (see ``Game.next_chance``), so never a result of the draw.
        """
        return None


class ChanceKey(NamedTuple):
    """Which outcome of chance comes next.  Each key has draws of its own (see ``rules.stream``)."""

    kind: type[Action]
    seat: Seat | None = None
    """The outcome's ``recipient``."""


class Resign(Action, frozen=True, gc=False, tag="resign"):
    """The actor gives up.  Open to every seat at any time where ``Game.resign`` allows it."""


class Event(msgspec.Struct, frozen=True, gc=False, tag_field="event"):
    """One public thing that the last action brought about.  A trail is a tuple of these."""


class Options(msgspec.Struct, frozen=True, gc=False):
    """A game's own choices, with defaults.  Fields: bool, enum, or an int with bounds (``Meta``)."""


class Position(Protocol):
    """The public part of a state.  ``trail``: the public events of the last action, in order."""

    @property
    def trail(self) -> tuple[Event, ...]: ...  # noqa: D102 - said above


class View(Protocol):
    """What one viewer knows: the position and the viewer's own secrets, built up from nothing."""

    @property
    def position(self) -> Position: ...  # noqa: D102 - said above

    @property
    def viewer(self) -> Seat | None: ...  # noqa: D102 - said above


class ScoreLine(msgspec.Struct, frozen=True, gc=False):
    """One line of a final score: what for, how much."""

    label: str
    points: int


class Standing(msgspec.Struct, frozen=True, gc=False):
    """How one seat ended.  ``rank`` 1 is best; seats that tie share a rank."""

    seat: Seat
    rank: int
    score: int
    lines: tuple[ScoreLine, ...] = ()
    tie_break: ScoreLine | None = None
    """What is compared with seats of the same score; it adds nothing to the score."""


class Result(msgspec.Struct, frozen=True, gc=False):
    """The end of a game: every seat once, best first, and in one sentence how it ended."""

    standings: tuple[Standing, ...]

    @property
    def winners(self) -> tuple[Seat, ...]:
        """The seats of rank 1; all of them if nobody won."""
        return tuple(standing.seat for standing in self.standings if standing.rank == 1)


class Verb(msgspec.Struct, frozen=True, gc=False):
    """How an action type is offered: a button's label, a command's hint, a hint per field."""

    label: str
    hint: str
    fields: Mapping[str, str] = msgspec.field(default_factory=dict)
    questions: Mapping[str, str] = msgspec.field(default_factory=dict)
    """What the panel asks for a field; ``{card}`` stands for the label of the earlier field ``card``."""


class Topic(msgspec.Struct, frozen=True, gc=False):
    """One page of help in our own words (``/rules``).  The text: at most 1,800 characters.

    No two pages of a game share a key or a title.  Keys: at most 32 characters, since buttons carry them.
    """

    key: str
    title: str
    text: str


def _no_short_preview(view: Any, action: Action, names: Names) -> str:
    return ""


V = TypeVar("V", bound=View)
S = TypeVar("S")
O = TypeVar("O", bound=Options)  # noqa: E741 - as S and V


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Words(Generic[V]):
    """A game's words.  Every function is given what its reader may know and nothing else."""

    verbs: Mapping[type[Action], Verb]
    """Every player's action type, in the order in which a player would look for them."""
    label: Callable[[V, Action, Names], str]
    """A legal action as a choice: at most 80 characters (a button's label)."""
    value_label: Callable[[V, type[Action], str, object], str]
    """The value of one field as a choice (view, action type, field name, value): at most 80."""
    preview: Callable[[V, Action, Names], str | None]
    """What a legal action would bring about, as far as its actor can know; None: nothing to show."""
    refusal: Callable[[V, Action, Names], str]
    """Why a well-formed action is not legal now, and what to do instead."""
    narrate: Callable[[V, Seat, Action, V, Names], str]
    """(view before, actor, action as seen, view after, names) -> one or more sentences; may be empty."""
    status: Callable[[V, Names], str]
    """What is asked of whom, or how the game ended: one line."""
    describe: Callable[[V, Names], str]
    """The whole view as text: the public board, and for a seat its secrets after it."""
    hand: Callable[[V, Names], str]
    """Only what the viewer holds in secret, as text; empty if nothing."""
    alt_text: Callable[[V, Names], str]
    """The board picture in words: at most 1,024 characters."""
    option_hints: Mapping[str, str]
    """One line per field of the options."""
    topics: tuple[Topic, ...]
    """Help to be read: the first topic is the short introduction.  At most 25, what one select holds."""
    glossary: tuple[Topic, ...] = ()
    """One page per card or piece, found by name.  As many as the game has, in any order."""
    short_preview: Callable[[V, Action, Names], str] = field(default=_no_short_preview)
    """A preview in a few words, for lists of choices: at most 100 characters; may be empty."""


def _never_forced(view: Any) -> Action | None:
    return None


def _never_resigned(state: Any, seat: Seat) -> None:
    return None


def _always_fits(seats: int, options: Any) -> str | None:
    return None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Game(Generic[S, V, O]):
    """A game: its facts as data, and the functions that are its rules."""

    key: str
    """Lower-case name for commands, files and the database."""
    title: str
    summary: str
    """What kind of game it is: one sentence for the lobby."""
    seats: tuple[int, ...]
    """The numbers of players that some options allow."""
    hidden: str
    """What players keep secret, in a few words; empty if nothing."""
    max_records: int
    """No match of random players has more records than this (with the default options)."""
    rules_version: int
    """Raised whenever a stored match would replay differently."""
    options: type[O]
    state: type[S]
    event: Any
    """The union of the game's event types, as its table's ``trail`` declares it."""
    actions: tuple[type[Action], ...]
    """What players do."""
    chance: tuple[type[Action], ...]
    """What chance does."""
    initial_state: Callable[[int, O], S]
    """(number of seats, options) -> the table before the first shuffle."""
    to_act: Callable[[S], Seat | None]
    """The seat that owes a choice, CHANCE, or None when the game is over.  Public knowledge."""
    view: Callable[[S, Seat | None], V]
    """What a viewer may know; None is a bystander."""
    legal_actions: Callable[[V], tuple[Action, ...]]
    """All that the viewer may do now, without repeats; empty for those who owe nothing."""
    apply_action: Callable[[S, Action], S]
    """The next state.  May assume that the action is legal, or possible where chance acts."""
    next_chance: Callable[[V], ChanceKey]
    """Of a bystander's view while chance is to act: the kind and the recipient of its next outcome."""
    sample_chance: Callable[[S, Stream], Action]
    """Chance's next outcome, of the kind and for the seat that ``next_chance`` says.

    Whatever it draws stands in the action, in the order of the draws.
    """
    possible: Callable[[S, Action], bool]
    """Whether chance may do this now."""
    returns: Callable[[S], Result]
    """The final result; only asked when the game is over."""
    sample_state: Callable[[V, Stream], S]
    """A full state that is consistent with the view."""
    words: Words[V]
    forced: Callable[[V], Action | None] = field(default=_never_forced)
    """Of a bystander's view: the single choice that everyone can see is forced, else None."""
    resign: Callable[[S, Seat], S | None] = field(default=_never_resigned)
    """The state after a seat gives up; None: the seat must be filled (by a computer player)."""
    setup_error: Callable[[int, O], str | None] = field(default=_always_fits)
    """Why these options do not fit this number of seats, as a sentence; None: they fit."""

    def player_counts(self, options: O) -> tuple[int, ...]:
        """Return the numbers of players that these options allow; all of the game's where they allow none."""
        return tuple(seats for seats in self.seats if self.setup_error(seats, options) is None) or self.seats


AnyGame: TypeAlias = Game[Any, Any, Any]
"""A game whose types are its own business: what the host and the tests of all games hold."""


def find_rules(games: Mapping[str, AnyGame], key: str, version: int) -> AnyGame | None:
    """Return the rules that a match was begun with; None if this release has none of that version.

    ``games``: this release's own by key, and earlier ones as ``key@version``.
    """
    game = games.get(key)
    if game is not None and game.rules_version == version:
        return game
    return games.get(f"{key}@{version}")
