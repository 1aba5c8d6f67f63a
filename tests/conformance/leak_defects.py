"""Seeded leaks: variants of the guide's game that each show somebody a secret.

The checks must catch them all.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

import msgspec

from rules.game import AnyGame
from rules.model import Action, Seat
from rules.narration import Narration, SentenceKind, narration
from rules.random_stream import RandomStream
from tests.conformance.defect_tools import (
    SOUND_GAME,
    DefectiveGameFactory,
    SideChannel,
    is_type_named,
    other_hand,
    state_with_trail,
    with_action_methods,
    with_side_channel,
    with_words,
)


def view_shows_another_hand() -> AnyGame:
    """Another's hand stands in the view in place of an empty own one."""

    def view(state: Any, viewer: Seat | None) -> Any:
        seen = SOUND_GAME.view(state, viewer)
        return seen if seen.hand else msgspec.structs.replace(seen, hand=other_hand(state, viewer))

    return replace(SOUND_GAME, view=view)


def secret_in_the_position() -> AnyGame:
    """The trail names the highest pearl in any hand among those that a wave took."""

    def apply_action(state: Any, action: Action) -> Any:
        after = SOUND_GAME.apply_action(state, action)
        best = sorted((pearl for hand in after.hands for pearl in hand), key=int)[-1:]
        trail = tuple(
            msgspec.structs.replace(event, lost=(*event.lost, *best)) if hasattr(event, "lost") else event
            for event in after.position.trail
        )
        return state_with_trail(after, trail)

    return replace(SOUND_GAME, apply_action=apply_action)


def _show_whole(action: Action, viewer: Seat | None, actor: Seat) -> Action:
    return action


def seen_by_shows_the_deal() -> AnyGame:
    """Everybody sees which pearls are dealt."""
    return with_action_methods("outcome_types", 0, seen_by=_show_whole)


def seen_by_shows_the_buried() -> AnyGame:
    """Everybody sees which pearl is buried."""
    return with_action_methods("action_types", 1, seen_by=_show_whole)


def narration_names_another_hand() -> AnyGame:
    """Every narration names the whole hand of another seat, out of a side channel."""

    def make(side_channel: SideChannel) -> AnyGame:
        def narrate(
            before: Any, actor: Seat, action: Action, after: Any, names: tuple[str, ...]
        ) -> Narration:
            sound = SOUND_GAME.words.narrate(before, actor, action, after, names)
            return narration(*sound.lines, side_channel.other_hand(after)) if sound.lines else sound

        return with_words(narrate=narrate)

    return with_side_channel(make)


def sentence_kinds_depend_on_another_hand() -> AnyGame:
    """The sentences of a narration are details, which stories leave out, only if another holds pearl 15."""

    def make(side_channel: SideChannel) -> AnyGame:
        def narrate(*arguments: Any) -> Narration:
            sound = SOUND_GAME.words.narrate(*arguments)
            after = arguments[3]
            kind = SentenceKind.DETAIL if "15" in side_channel.other_hand(after) else SentenceKind.PLAIN
            return narration(
                *([msgspec.structs.replace(each, kind=kind) for each in line] for line in sound.lines)
            )

        return with_words(narrate=narrate)

    return with_side_channel(make)


def _leak_into_text(words_function: str) -> DefectiveGameFactory:
    """Return what makes a game one of whose texts shows another seat's first pearl."""

    def make_game() -> AnyGame:
        def make(side_channel: SideChannel) -> AnyGame:
            honest = getattr(SOUND_GAME.words, words_function)

            def leaking(view: Any, *rest: Any) -> str:
                hand = side_channel.other_hand(view)
                return f"{honest(view, *rest)[:60]}{hand[0] if hand else ''}."

            return with_words(**{words_function: leaking})

        return with_side_channel(make)

    return make_game


def legal_list_from_hidden_state() -> AnyGame:
    """Burying is offered only if another holds pearl 15."""

    def make(side_channel: SideChannel) -> AnyGame:
        def legal_actions(view: Any) -> tuple[Action, ...]:
            legal = SOUND_GAME.legal_actions(view)
            return (
                legal
                if "15" in side_channel.other_hand(view)
                else tuple(a for a in legal if not is_type_named(a, "Bury"))
            )

        return replace(SOUND_GAME, legal_actions=legal_actions)

    return with_side_channel(make)


def _reveals_always(outcome_index: int, *, answer: bool) -> DefectiveGameFactory:
    """Return what makes a game in which ``reveals`` of an outcome always gives this answer."""
    return lambda: with_action_methods("outcome_types", outcome_index, reveals=lambda *_: answer)


def sample_ignores_the_position() -> AnyGame:
    """A sample may give another seat a pearl that lies open, or that the viewer holds."""

    def sample_state(view: Any, stream: RandomStream) -> Any:
        state = SOUND_GAME.sample_state(view, stream)
        pool = stream.shuffle(tuple(str(number) for number in range(1, 16)))
        hands = tuple(
            hand if seat == view.viewer else pool[: len(hand)] for seat, hand in enumerate(state.hands)
        )
        return msgspec.structs.replace(state, hands=hands)

    return replace(SOUND_GAME, sample_state=sample_state)


def sample_changes_the_view() -> AnyGame:
    """A sample forgets what its viewer has buried."""

    def sample_state(view: Any, stream: RandomStream) -> Any:
        state = SOUND_GAME.sample_state(view, stream)
        return msgspec.structs.replace(state, buried=tuple(() for _ in state.buried))

    return replace(SOUND_GAME, sample_state=sample_state)


def own_action_shows_a_secret() -> AnyGame:
    """Laying shows a pearl of the sea, in the trail that all see."""

    def apply_action(state: Any, action: Action) -> Any:
        after = SOUND_GAME.apply_action(state, action)
        trail = tuple(
            msgspec.structs.replace(event, pearls=(*event.pearls, after.sea[0]))
            if is_type_named(event, "Laid")
            else event
            for event in after.position.trail
        )
        return state_with_trail(after, trail)

    return replace(SOUND_GAME, apply_action=apply_action)


def policy_knows_another_hand() -> AnyGame:
    """The policy chooses by the first pearl that another seat holds."""

    def make(side_channel: SideChannel) -> AnyGame:
        def policy(view: Any, actions: tuple[Action, ...], stream: RandomStream) -> Action:
            hand = side_channel.other_hand(view)
            return actions[int(hand[0]) % len(actions) if hand else 0]

        return replace(SOUND_GAME, policy=policy)

    return with_side_channel(make)


LEAK_DEFECTS: Final[Mapping[str, tuple[DefectiveGameFactory, str]]] = {
    "view shows another's hand": (view_shows_another_hand, "sampling_law"),
    "secret in the position": (secret_in_the_position, "step_law"),
    "seen_by shows the deal": (seen_by_shows_the_deal, "seen_by"),
    "seen_by shows what is buried": (seen_by_shows_the_buried, "seen_by"),
    "narration names another hand": (narration_names_another_hand, "step_law"),
    "kinds of sentences depend on a secret": (sentence_kinds_depend_on_another_hand, "step_law"),
    "label depends on a secret": (_leak_into_text("label"), "sampling_law"),
    "preview depends on a secret": (_leak_into_text("preview"), "sampling_law"),
    "refusal depends on a secret": (_leak_into_text("refusal"), "sampling_law"),
    "status depends on a secret": (_leak_into_text("status"), "sampling_law"),
    "description depends on a secret": (_leak_into_text("describe"), "sampling_law"),
    "hand text depends on a secret": (_leak_into_text("hand_text"), "sampling_law"),
    "alt text depends on a secret": (_leak_into_text("alt_text"), "sampling_law"),
    "legal list from hidden state": (legal_list_from_hidden_state, "sampling_law"),
    "reveals denies a wave": (_reveals_always(1, answer=False), "reveals"),
    "reveals denies an own deal": (_reveals_always(0, answer=False), "reveals"),
    "reveals claims a secret deal": (_reveals_always(0, answer=True), "reveals"),
    "sample ignores the position": (sample_ignores_the_position, "sampling_law"),
    "sample changes the view": (sample_changes_the_view, "sampling_law"),
    "own action shows a secret": (own_action_shows_a_secret, "own_action"),
    "policy knows another hand": (policy_knows_another_hand, "policy_secrets"),
}
"""Defect -> how to make the defective game, and the check that must fail on it."""
