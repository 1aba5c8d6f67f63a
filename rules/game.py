"""The contract between a game and everything that hosts, draws or tests it.

A game is a set of pure functions over frozen values (``Game``, ``rules.model``) and the texts that go with
them (``rules.words``).  Its laws, tested for every registered game (``tests/conformance``):

* ``view(sample_state(v, stream), v.viewer) == v``                                   (sampling law)
* what a viewer sees after an action follows from the view before and the action as seen   (step law)
* ``legal_actions`` is a function of the view, so nothing offered or refused can reveal a secret
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeAlias, TypeVar

from rules.model import Action, Options, OutcomeKind, Result, Seat, View
from rules.random_stream import RandomStream
from rules.words import Words

V = TypeVar("V", bound=View)
S = TypeVar("S")
O = TypeVar("O", bound=Options)  # noqa: E741 - as S and V


# Defaults of functions that a game may leave out


def _return_false(*_arguments: Any) -> bool:
    return False


def _return_none(*_arguments: Any) -> None:
    return None


def _return_same(value: Any) -> Any:
    return value


def _fail_without_chance(*_arguments: Any) -> Any:
    raise AssertionError("chance acts in a game without chance")


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
    without_turn: Callable[[V], V] = field(default=_return_same)
    """A view in which it is nobody's turn any more: of a game that has ended early.

    Pictures of it mark nobody, nor do texts; these are given a status in place of the game's own.
    """
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
    A turn is over with the record that raises it, also if the same seat chooses next.
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
