"""Seeded defects without a leak: variants of the guide's game that each break one law of the contract.

The checks must catch them all.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

import msgspec

from rules.game import AnyGame
from rules.model import CHANCE, Action, Seat
from rules.random_stream import RandomStream
from tests.conformance.defect_tools import (
    SOUND_GAME,
    DefectiveGameFactory,
    is_type_named,
    with_action_methods,
    with_words,
)

_StateWithoutBuried: Any = msgspec.defstruct(
    "StateWithoutBuried",
    [
        ("position", SOUND_GAME.state_type.__annotations__["position"]),
        ("hands", tuple[tuple[str, ...], ...]),
        ("sea", tuple[str, ...]),
    ],
    frozen=True,
    dict=True,
)
"""The state with the buried pearls kept beside its fields, where no encoder looks."""


def _hide_buried(state: Any) -> Any:
    without_buried = _StateWithoutBuried(state.position, state.hands, state.sea)
    without_buried.__dict__["buried"] = state.buried
    return without_buried


def _show_buried(without_buried: Any) -> Any:
    buried = without_buried.__dict__.get("buried", tuple(() for _ in without_buried.hands))
    return SOUND_GAME.state_type(without_buried.position, without_buried.hands, buried, without_buried.sea)


def field_not_saved() -> AnyGame:
    """What is buried is left out of the snapshot."""
    return replace(
        SOUND_GAME,
        state_type=_StateWithoutBuried,
        initial_state=lambda seats, options: _hide_buried(SOUND_GAME.initial_state(seats, options)),
        to_act=lambda state: SOUND_GAME.to_act(_show_buried(state)),
        view=lambda state, viewer: SOUND_GAME.view(_show_buried(state), viewer),
        apply_action=lambda state, action: _hide_buried(SOUND_GAME.apply_action(_show_buried(state), action)),
        sample_chance=lambda state, stream: SOUND_GAME.sample_chance(_show_buried(state), stream),
        is_possible=lambda state, action: SOUND_GAME.is_possible(_show_buried(state), action),
        returns=lambda state: SOUND_GAME.returns(_show_buried(state)),
        sample_state=lambda view, stream: _hide_buried(SOUND_GAME.sample_state(view, stream)),
    )


def mistyped_state() -> AnyGame:
    """A list stands where the type says tuple."""

    def apply_action(state: Any, action: Action) -> Any:
        after = SOUND_GAME.apply_action(state, action)
        return msgspec.structs.replace(after, sea=list(after.sea))

    return replace(SOUND_GAME, apply_action=apply_action)


def piece_lost() -> AnyGame:
    """A wave takes pearls out of the game instead of to the washed ones."""

    def apply_action(state: Any, action: Action) -> Any:
        after = SOUND_GAME.apply_action(state, action)
        return msgspec.structs.replace(after, position=msgspec.structs.replace(after.position, washed=()))

    return replace(SOUND_GAME, apply_action=apply_action)


def accepts_any_deal() -> AnyGame:
    """A forged deal passes."""

    def is_possible(state: Any, action: Action) -> bool:
        return SOUND_GAME.to_act(state) == CHANCE and isinstance(action, SOUND_GAME.outcome_types)

    return replace(SOUND_GAME, is_possible=is_possible)


def repeats_an_action() -> AnyGame:
    """One choice is offered twice."""
    return replace(
        SOUND_GAME, legal_actions=lambda view: (legal := SOUND_GAME.legal_actions(view)) + legal[:1]
    )


def spells_another_type() -> AnyGame:
    """To bury a pearl is written as a wave of its height, too."""
    wave = next(each for each in SOUND_GAME.outcome_types if each.__name__ == "Wave")
    return with_action_methods("action_types", 1, spellings=lambda self: (self, wave(int(self.pearl))))


def offers_actions_to_all() -> AnyGame:
    """Everyone may always rest."""
    rest = SOUND_GAME.action_types[2]
    return replace(SOUND_GAME, legal_actions=lambda view: SOUND_GAME.legal_actions(view) or (rest(),))


def forces_a_free_choice() -> AnyGame:
    """Rests for a seat that may also lay nothing at all."""
    lay, _, rest = SOUND_GAME.action_types

    def legal_actions(view: Any) -> tuple[Action, ...]:
        legal = SOUND_GAME.legal_actions(view)
        return (*legal, lay(())) if legal == (rest(),) else legal

    return replace(SOUND_GAME, legal_actions=legal_actions)


def draws_from_outside() -> AnyGame:
    """Chance counts its own calls instead of using the stream: redo draws differently."""
    calls = iter(range(10**9))

    def sample_chance(state: Any, stream: RandomStream) -> Action:
        return SOUND_GAME.sample_chance(state, RandomStream(bytes(32), next(calls)))

    return replace(SOUND_GAME, sample_chance=sample_chance)


def hides_a_draw() -> AnyGame:
    """The wave is the sum of two draws, and neither stands in the record."""

    def sample_chance(state: Any, stream: RandomStream) -> Action:
        outcome = SOUND_GAME.sample_chance(state, stream)
        if not is_type_named(outcome, "Wave"):
            return outcome
        return type(outcome)(1 + stream.randbelow(5) + stream.randbelow(5))

    return replace(SOUND_GAME, sample_chance=sample_chance)


def understates_its_length() -> AnyGame:
    """The bound on the length is too low."""
    return replace(SOUND_GAME, max_game_length=8)


def two_actions_one_label() -> AnyGame:
    """Every choice is called the same."""
    return with_words(label=lambda *_: "Go on")


def refuses_without_reason() -> AnyGame:
    """The refusal is empty."""
    return with_words(refusal=lambda *_: "")


def refusal_raises() -> AnyGame:
    """The refusal knows only pearls that exist."""
    return with_words(refusal=lambda _, action, __: f"Not worth {int(getattr(action, 'pearl', '1'))}.")


def picture_text_too_long() -> AnyGame:
    """The description of a further picture is too long."""
    return with_words(picture_texts={"waves": lambda *_: "wave " * 300})


def alt_text_too_long() -> AnyGame:
    """The picture's text is longer than Discord takes."""
    return with_words(alt_text=lambda *_: "wave " * 300)


def keeps_its_own_status() -> AnyGame:
    """The description says the game's own status where another one is given."""
    words = SOUND_GAME.words
    return with_words(describe=lambda view, names, status="": words.describe(view, names))


def affects_nobody() -> AnyGame:
    """No record affects anybody, not even the last one."""
    return with_words(affected_seats=lambda *_: frozenset())


def affects_a_missing_seat() -> AnyGame:
    """Each record affects a seat that does not exist."""
    return with_words(affected_seats=lambda *_: frozenset({Seat(9)}))


def scores_in_disorder() -> AnyGame:
    """The result does not begin with the best."""

    def returns(state: Any) -> Any:
        result = SOUND_GAME.returns(state)
        return msgspec.structs.replace(result, standings=result.standings[::-1])

    return replace(SOUND_GAME, returns=returns)


def policy_chooses_what_is_not_legal() -> AnyGame:
    """The policy rests whenever it is asked."""
    rest = SOUND_GAME.action_types[2]
    return replace(SOUND_GAME, policy=lambda *_: rest())


def policy_ignores_what_is_given() -> AnyGame:
    """The policy chooses from its own list of actions."""
    return replace(SOUND_GAME, policy=lambda view, actions, stream: SOUND_GAME.legal_actions(view)[0])


def policy_remembers() -> AnyGame:
    """The policy takes the next action of the list each time that it is asked."""
    calls = iter(range(10**9))
    return replace(SOUND_GAME, policy=lambda view, actions, stream: actions[next(calls) % len(actions)])


def counts_wrongly() -> AnyGame:
    """The points so far are not those of the final score."""
    return replace(SOUND_GAME, points=lambda view, seat: 99)


def names_a_wrong_seat() -> AnyGame:
    """The first seat is always said to be next."""
    return replace(SOUND_GAME, seat_after_turn=lambda view: Seat(0))


CONTRACT_DEFECTS: Final[Mapping[str, tuple[DefectiveGameFactory, str]]] = {
    "field not saved": (field_not_saved, "resume"),
    "mistyped state": (mistyped_state, "state_types"),
    "piece lost": (piece_lost, "pieces"),
    "accepts any deal": (accepts_any_deal, "is_possible"),
    "repeats an action": (repeats_an_action, "legal_actions"),
    "spells another type": (spells_another_type, "legal_actions"),
    "offers actions to all": (offers_actions_to_all, "actors"),
    "forces a free choice": (forces_a_free_choice, "forced_action"),
    "draws from outside": (draws_from_outside, "undo"),
    "hides a draw": (hides_a_draw, "match_file"),
    "counts wrongly": (counts_wrongly, "points"),
    "understates its length": (understates_its_length, "length"),
    "two actions, one label": (two_actions_one_label, "labels"),
    "refuses without reason": (refuses_without_reason, "refusals"),
    "refusal raises": (refusal_raises, "refusals"),
    "alt text too long": (alt_text_too_long, "text_lengths"),
    "picture text too long": (picture_text_too_long, "text_lengths"),
    "keeps its own status": (keeps_its_own_status, "given_status"),
    "affects nobody": (affects_nobody, "affected_seats"),
    "affects a missing seat": (affects_a_missing_seat, "affected_seats"),
    "scores in disorder": (scores_in_disorder, "end"),
    "names a wrong seat": (names_a_wrong_seat, "seat_after_turn"),
    "policy chooses what is not legal": (policy_chooses_what_is_not_legal, "policy"),
    "policy ignores what is given": (policy_ignores_what_is_given, "policy"),
    "policy remembers": (policy_remembers, "policy"),
}
"""Defect -> how to make the defective game, and the check that must fail on it."""
