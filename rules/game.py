"""The contract between a game and everything that hosts, draws or tests it.

Names follow OpenSpiel, python-chess and boardgame.io.  A game is a set of pure functions over
frozen values (``Game``) and the texts that go with them (``Words``).  Its laws, tested for every
registered game (``tests/conformance``):

* ``view(sample_state(v, stream), v.viewer) == v``                                   (sampling law)
* what a viewer sees after an action follows from the view before and the action as seen   (step law)
* ``legal_actions`` is a function of the view, so nothing offered or refused can reveal a secret
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Generic, NamedTuple, NewType, Protocol, TypeAlias, TypeVar

import msgspec

from rules.random_stream import RandomStream

Seat = NewType("Seat", int)
"""A place at the table, counted from 0 in the order of play."""

CHANCE: Final = Seat(-1)
"""The actor of everything that nobody decides.  Its outcomes are recorded like any action."""

MODERATOR: Final = Seat(-2)
"""The actor of roll-backs and reseals: a moderator of the table, who may have no seat, or the operator."""

SEAT_LETTERS: Final = "ABCDEF"
"""The letters of the seats in text."""

HIDDEN: Final = "?"
"""Stands in text, and as the value of a short string, for what a viewer may not know of an action."""

Names: TypeAlias = tuple[str, ...]
"""The players' names by seat, already made safe for where they will be shown."""


class Action(msgspec.Struct, frozen=True, gc=False, tag_field="act"):
    """An action of a seat, or an outcome of chance.  The tag is its verb.

    Field types come from a closed set: int, bool, enum, str (short), Seat, and tuples or optionals
    of those.  A player's action is written with at most 72 characters (see ``rules.notation``).
    """

    def seen_by(self, viewer: Seat | None, actor: Seat) -> "Action":
        """Return this action as ``viewer`` may know it (``None``: a bystander)."""
        return self

    def reveals(self, viewer: Seat | None) -> bool:
        """Whether this outcome of chance shows ``viewer`` anything that was not certain before.

        A free undo never crosses an outcome that the actor or a bystander saw.
        """
        return True

    def spellings(self) -> "tuple[Action, ...]":
        """Return this action, then every other way to write the same choice, as with cards in another order.

        Legal actions have the first form; a player may write any.
        """
        return (self,)

    @property
    def drawn_for(self) -> Seat | None:
        """The seat for which this outcome of chance is drawn; None: for the whole table.

        Known before the outcome is drawn (see ``Game.next_outcome_kind``), so never a result of the draw.
        """
        return None


class OutcomeKind(NamedTuple):
    """The type of an outcome of chance, and the seat that it is drawn for.

    Each has its own draws (``rules.random_stream``).  A stream and a match file name the two apart:
    ``kind``, the verb of the type, and ``seat``.  It is public; the secret from which all is drawn is the
    deal key (``rules.deal_key``).
    """

    outcome_type: type[Action]
    drawn_for: Seat | None = None
    """As ``Action.drawn_for``; None: the whole table."""


class Resign(Action, frozen=True, gc=False, tag="resign"):
    """The actor resigns: possible at any time for every seat whose resignation ``Game.resign`` allows."""


class Event(msgspec.Struct, frozen=True, gc=False, tag_field="event"):
    """One public effect of the last action.  A trail is a tuple of events."""


class RecordEvents(NamedTuple):
    """One record of a history: who acted, and its public events."""

    actor: Seat
    events: tuple[Event, ...]


class Options(msgspec.Struct, frozen=True, gc=False):
    """A game's options, with defaults.  Fields: bool, enum, or an int with bounds (``Meta``)."""


class Position(Protocol):
    """The public part of a state.  ``trail``: the public events of the last action, in order."""

    @property
    def trail(self) -> tuple[Event, ...]: ...  # noqa: D102 - said above


class View(Protocol):
    """What one viewer knows: the position and the viewer's own secrets."""

    @property
    def position(self) -> Position: ...  # noqa: D102 - said above

    @property
    def viewer(self) -> Seat | None: ...  # noqa: D102 - said above


class ScoreLine(msgspec.Struct, frozen=True, gc=False):
    """One line of a final score, or what decides a tie: its label and its points.

    The label of a line begins with a capital; that of a tie-break stands in a sentence and does not.
    """

    label: str
    points: int


class Standing(msgspec.Struct, frozen=True, gc=False):
    """How one seat ended.  ``rank`` 1 is best; seats that tie share a rank."""

    seat: Seat
    rank: int
    score: int
    lines: tuple[ScoreLine, ...] = ()
    tie_break: ScoreLine | None = None
    """What decides between seats of the same score; not part of the score."""


class Result(msgspec.Struct, frozen=True, gc=False):
    """The result of a game: every seat once, best first."""

    standings: tuple[Standing, ...]

    @property
    def winners(self) -> tuple[Seat, ...]:
        """The seats of rank 1; all seats if nobody won."""
        return tuple(standing.seat for standing in self.standings if standing.rank == 1)


class VerbTexts(msgspec.Struct, frozen=True, gc=False):
    """The texts that offer a verb, the type of an action: a button's label, a command's hint, field hints."""

    label: str
    hint: str
    field_hints: Mapping[str, str] = msgspec.field(default_factory=dict)
    questions: Mapping[str, str] = msgspec.field(default_factory=dict)
    """What the panel asks for a field; ``{card}`` stands for the label of the earlier field ``card``.

    Only the default path to an action reads them (``rules.paths``).
    """
    confirm: bool = True
    """Whether the panel shows a preview to confirm if the action passes the turn or reveals something.

    False: one press plays the action, since the label says all ("End turn").  If no undo of it is free, the
    panel says so above the buttons.
    """


class PathStep(msgspec.Struct, frozen=True, gc=False):
    """One step of the path to an action in the panel.  Equal steps lead to equal choices.

    The laws (``tests/conformance/paths.py``): the paths of the legal actions and of their other spellings
    lead to one action each, and none is a prefix of another; siblings have different labels and one question;
    if two paths begin with equal tokens, these steps are equal in every field; only the last step has a
    shortcut, and shortcuts differ; the tokens of a path, joined by spaces, have at most 60 characters.
    """

    token: str
    """Its text in button ids, without spaces."""
    label: str
    """Its text on a button, short: it also stands behind the label of the step before, as in "Evolve A1"."""
    question: str
    """The question that it answers, asked above its buttons."""
    row: str = ""
    """Steps of one row stand in one row of buttons, or in several that follow each other."""
    hint: str = ""
    """What it brings, in a few words, for short lists."""
    collapsed: bool = False
    """Whether it is rarely wanted: its button is secondary, and its screen is never merged into this one."""
    order: int = 0
    """Siblings stand in this order; those of equal ``order`` in the order of the legal actions."""
    shortcut: str = ""
    """Of the last step: the label of a button for the action on an earlier screen, if all fit there."""


class Topic(msgspec.Struct, frozen=True, gc=False):
    """One page of help in our own words (``/rules``), of at most 1,800 characters.

    Keys and titles are unique in a game.  Keys have at most 32 characters, since buttons carry them.
    """

    key: str
    title: str
    text: str


# Defaults of functions that a game may leave out


def _return_empty_text(*_arguments: Any) -> str:
    return ""


def _return_false(*_arguments: Any) -> bool:
    return False


def _return_none(*_arguments: Any) -> None:
    return None


def _return_no_lines(*_arguments: Any) -> tuple[str, ...]:
    return ()


def _fail_without_chance(*_arguments: Any) -> Any:
    raise AssertionError("chance acts in a game without chance")


V = TypeVar("V", bound=View)
S = TypeVar("S")
O = TypeVar("O", bound=Options)  # noqa: E741 - as S and V


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Words(Generic[V]):
    """A game's texts.  Every function gets only what its reader may know."""

    verb_texts: Mapping[type[Action], VerbTexts]
    """Those of every action type of players, in the order in which they are offered."""
    label: Callable[[V, Action, Names], str]
    """The label of a legal action, for a button: at most 80 characters."""
    value_label: Callable[[V, type[Action], str, object], str]
    """The label of a field's value (view, action type, field name, value): at most 80 characters."""
    preview: Callable[[V, Action, Names], str | None]
    """What a legal action would do, as far as its actor can know; None: nothing to show."""
    refusal: Callable[[V, Action, Names], str]
    """Why a well-formed action is not legal for the seat to act, and what to do instead."""
    narrate: Callable[[V, Seat, Action, V, Names], str]
    """(view before, actor, action as seen, view after, names) -> one or more sentences; may be empty.

    Lines after the first are announcements, such as the scores of a round.  Shortened stories keep them.
    """
    affected_seats: Callable[[V, V], frozenset[Seat]]
    """(bystander's view before, after) -> the seats that a record affected; its actor may be among them.

    It reads the trail of the view after.  A seat is affected if what it owns changed, if it was aimed at, or
    if its prospects changed.  The end of the game affects all seats.
    """
    has_pieces_named_by_seat: bool = False
    """Whether texts call a seat's pieces by its letter and a number, such as "A2"."""
    status: Callable[[V, Names], str]
    """One line: who is to do what, or how the game ended."""
    describe: Callable[[V, Names], str]
    """The whole view as text: the public board, and for a seat its secrets after it."""
    alt_text: Callable[[V, Names], str]
    """The description of the board picture, with the public status in it: at most 1,024 characters."""
    how_to_win: str
    """One sentence for the start: at most 200 characters."""
    missing_kind_reason: Callable[[V, type[Action], Names], str] = field(default=_return_empty_text)
    """Why no action of a type is legal now, such as what is asked instead, when words typed name the type.

    Empty: that it is not possible.
    """
    typed_signs: Mapping[str, str] = field(default_factory=dict)
    """Signs that texts show and people may type in a move, with what each stands for there: ♣ for C."""
    typed_phrases: Mapping[str, str] = field(default_factory=dict)
    """What people may say in a move, with what it stands for there: "jack of clubs" for JC."""
    other_verbs: Mapping[type[Action], tuple[str, ...]] = field(default_factory=dict)
    """Verbs of other types that people type for a type's own; each counts while none of its type is legal."""
    outcome_clauses: Mapping[type[Action], str] = field(default_factory=dict)
    """What outcomes that a player's choice may lead to reveal, by their type: "the dice are rolled"."""
    passing_types: tuple[type[Action], ...] = ()
    """Types of actions with which a player does nothing, or no more: what "pass" may mean."""
    answer_types: tuple[type[Action], ...] = ()
    """Types of actions with which a player answers in another player's turn, such as stopping the pawn."""
    typed_names: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Names that texts show and people may type in a move: by field, then by how a value is written.

    Within a field names differ, also from the written values.  What stands behind one in parentheses may be
    left out where the rest tells it from others.
    """
    option_hints: Mapping[str, str]
    """One line per field of the options."""
    value_hints: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """One line per value of an option that is chosen by name: by the option's name, then by the value."""
    topics: tuple[Topic, ...]
    """The pages of help, the short introduction first; at most 25, the limit of a select menu."""
    glossary: tuple[Topic, ...] = ()
    """One page for each card or piece, found by name, in any order."""
    hand_text: Callable[[V, Names], str] = field(default=_return_empty_text)
    """What the viewer holds in secret, as text and for its picture; empty if nothing."""
    hand_summary: Callable[[V, Names], str] | None = None
    """The same in a few words above the picture, which says the rest; None: as ``hand_text``."""
    own_board_text: Callable[[V, Seat, Names], str] = field(default=_return_empty_text)
    """What the viewer may know of a seat's own board, as text and for its picture: at most 1,024 characters.

    Empty: that picture has the description of the whole board.
    """
    picture_texts: Mapping[str, Callable[[V, Names], str]] = field(default_factory=dict)
    """The descriptions of further pictures of the game, by name: at most 1,024 characters.

    A picture without one has the description of the board.
    """
    short_preview: Callable[[V, Action, Names], str] = field(default=_return_empty_text)
    """A preview in a few words, for lists of choices: at most 100 characters; may be empty."""
    short_warning: Callable[[V, Action, Names], str] = field(default=_return_empty_text)
    """The part of ``short_preview`` that nobody may miss, also where a list is too long for the rest."""
    needs_confirmation: Callable[[V, Action], bool] = field(default=_return_false)
    """Whether a legal action is previewed and confirmed even where its player goes on.

    Such an action may have a cost that its label does not name.
    """
    needs_no_preview: Callable[[V, Action], bool] = field(default=_return_false)
    """Whether one press plays a legal action even where it passes the turn or reveals something.

    Its label then says all, as those of verbs with ``VerbTexts.confirm`` False do.
    """
    is_routine: Callable[[Action, V], bool] = field(default=_return_false)
    """(action as seen, view after) -> whether its record tells only what every turn has, such as a draw.

    A shortened story leaves these lines out first.  It reads the trail of the view.
    """
    ceremony_words: tuple[str, ...] = ()
    """Words of sentences of ``narrate`` that only say how a turn goes on: "ends the turn".

    Stories leave these sentences out, unless they would be empty.  The log has them.
    """
    detail_words: tuple[str, ...] = ()
    """Words of sentences of ``narrate`` that say what a picture shows: "Open on the deck".

    A shortened story leaves these sentences out first.
    """
    joinable_verbs: tuple[str, ...] = ()
    """Verbs of sentences of ``narrate`` that differ only in what follows them: "discards".

    A story tells such sentences that follow each other as one: "Ava discards Speed 7 and Inking 9."
    """
    gain_or_loss_words: tuple[str, ...] = ()
    """Words of sentences of ``narrate`` that say what is gained or lost, or soon may be: "dies out".

    A shortened story keeps these sentences of a line, and lines with them longer than others.
    """
    rule_change_words: tuple[str, ...] = ()
    """Words of lines of ``narrate`` that say how the rules change for the rest of the game.

    A shortened story keeps these lines longest.
    """
    highlights: Callable[[Sequence[RecordEvents], Names], tuple[str, ...]] = field(default=_return_no_lines)
    """What was remarkable in a game that is over, from its records: sentences of at most 60 characters.

    Long names may make them longer.
    """
    path: Callable[[V, Action, Names], tuple[PathStep, ...]] | None = None
    """The path to a legal action in the panel; None: its verb, then its fields (``rules.paths``)."""


def group_by_type(actions: Sequence[Action]) -> tuple[tuple[Action, ...], ...]:
    """Return actions in groups of one type each, in the order of their first appearance."""
    groups: dict[type[Action], list[Action]] = {}
    for action in actions:
        groups.setdefault(type(action), []).append(action)
    return tuple(tuple(group) for group in groups.values())


def choose_at_random(view: Any, actions: tuple[Action, ...], stream: RandomStream) -> Action:
    """Choose a type uniformly, then an action of that type: the policy of a game that has none of its own.

    The type comes first since some types have many more actions: among seventy migrations one attack would be
    rare.
    """
    return stream.choose(stream.choose(group_by_type(actions)))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Game(Generic[S, V, O]):
    """A game: its facts as data, and the functions that are its rules."""

    key: str
    """Lower-case name for commands, files and the database."""
    title: str
    summary: str
    """One sentence about the game, for the lobby."""
    player_counts: tuple[int, ...]
    """The numbers of players that at least one choice of options allows."""
    hidden_information: str
    """What is secret in this game, in a few words; empty if nothing."""
    max_game_length: int
    """An upper bound of the records of a match of computer players, with the default options."""
    rules_version: int
    """Raised whenever a stored match would replay differently."""
    options_type: type[O]
    state_type: type[S]
    event_type: Any
    """The union of the game's event types, as the position's ``trail`` declares it."""
    action_types: tuple[type[Action], ...]
    """The action types of players."""
    initial_state: Callable[[int, O], S]
    """(number of seats, options) -> the state before the first outcome of chance."""
    to_act: Callable[[S], Seat | None]
    """The seat to act, CHANCE, or None when the game is over.  It is public."""
    view: Callable[[S, Seat | None], V]
    """What a viewer may know; None: a bystander."""
    legal_actions: Callable[[V], tuple[Action, ...]]
    """The viewer's legal actions, without repeats; empty for seats that are not to act."""
    apply_action: Callable[[S, Action], S]
    """The next state.  The action is legal, or possible if chance is to act."""
    returns: Callable[[S], Result]
    """The final result; called only when the game is over."""
    sample_state: Callable[[V, RandomStream], S]
    """A random state that is consistent with the view."""
    words: Words[V]
    outcome_types: tuple[type[Action], ...] = ()
    """The types of chance's outcomes.  A game without chance leaves this and the next three out."""
    next_outcome_kind: Callable[[V], OutcomeKind] = field(default=_fail_without_chance)
    """The kind of chance's next outcome, from a bystander's view while chance is to act."""
    sample_chance: Callable[[S, RandomStream], Action] = field(default=_fail_without_chance)
    """Chance's next outcome, of the kind that ``next_outcome_kind`` announces.

    The action holds everything that was drawn, in the order of the draws.
    """
    is_possible: Callable[[S, Action], bool] = field(default=_return_false)
    """Whether an outcome of chance is possible now."""
    forced_action: Callable[[V], Action | None] = field(default=_return_none)
    """The only choice, if a bystander's view shows that it is forced; else None."""
    resign: Callable[[S, Seat], S | None] = field(default=_return_none)
    """The state after a seat resigns; None: the seat must be filled by a computer player."""
    setup_error: Callable[[int, O], str | None] = field(default=_return_none)
    """A sentence that says why the options do not fit the number of seats; None: they fit."""
    points: Callable[[V, Seat], int | None] = field(default=_return_none)
    """(view, seat) -> the seat's points so far; None: the view does not show them, or the game has none.

    At the end a seat's own view shows its final score.
    """
    points_from_own_turns: Callable[[V, Seat], int | None] | None = None
    """As ``points``, without those of scorings in which all seats take part; None: as ``points``.

    The gain of a turn is counted in them (``rules.summary``).
    """
    turn_number: Callable[[V], int | None] = field(default=_return_none)
    """The number, from 1, of the turn to which the next choice belongs; 0: to none.

    None: the game does not number its turns; each run of one seat's choices is one (``rules.turns``).
    """
    seat_after_turn: Callable[[V], Seat | None] | None = None
    """From a bystander's view while a seat is to act: the other seat that chooses next, unless the game ends.

    None: it may be another one.  None in place of the function: the seats take their
    turns in one order, which the history shows.
    """
    is_setting_up: Callable[[V], bool] = field(default=_return_false)
    """Whether the choices belong to the set-up, so that a run of them is no turn."""
    policy: Callable[[V, tuple[Action, ...], RandomStream], Action] = field(default=choose_at_random)
    """(view of the seat to act, its legal actions, stream) -> one of these actions.

    It chooses sensibly, in about a millisecond.  The computer player Casual and the tests play by it.
    """

    @property
    def has_policy(self) -> bool:
        """Whether the game has a policy of its own, so that Casual plays sensibly."""
        return self.policy is not choose_at_random

    def option_conflict(self, options: O) -> str | None:
        """Return why these options fit no number of players, in sentences; None if they fit one."""
        errors = [self.setup_error(count, options) for count in self.player_counts]
        return None if None in errors else " ".join(dict.fromkeys(filter(None, errors)))

    def player_counts_with(self, options: O) -> tuple[int, ...]:
        """Return the numbers of players that these options allow; all of the game's if they allow none."""
        return (
            tuple(count for count in self.player_counts if self.setup_error(count, options) is None)
            or self.player_counts
        )


AnyGame: TypeAlias = Game[Any, Any, Any]
"""A game of any types, for the host and the tests of all games."""
