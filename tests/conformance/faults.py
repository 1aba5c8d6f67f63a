"""Seeded defects: variants of the guide's game that each break one law.  The checks must catch them all.

A function of a game may not reach what it is not given; ``_Stash`` is how a careless one would.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final, TypeAlias

import msgspec

from rules.game import CHANCE, Action, AnyGame, ChanceKey, Seat
from rules.stream import Stream
from tests.docs.guide import toy_game

GAME: Final = toy_game()
Fault: TypeAlias = Callable[[], AnyGame]


def _is_type(value: object, name: str) -> bool:
    return type(value).__name__ == name


def _other_hand(state: Any, viewer: Seat | None) -> tuple[str, ...]:
    other = 1 if viewer == 0 else 0
    return tuple(state.hands[other])


class _Stash:
    """The last state that was viewed: a side channel."""

    def __init__(self) -> None:
        self.state: Any = None

    def view(self, state: Any, viewer: Seat | None) -> Any:
        self.state = state
        return GAME.view(state, viewer)

    def other(self, view: Any) -> tuple[str, ...]:
        return _other_hand(self.state, view.viewer)


def _words(**changed: Any) -> AnyGame:
    return replace(GAME, words=replace(GAME.words, **changed))


def _with_stash(make: Callable[[_Stash], AnyGame]) -> AnyGame:
    stash = _Stash()
    return replace(make(stash), view=stash.view)


def view_shows_another_hand() -> AnyGame:
    """Another's hand stands in the view in place of an empty own one."""

    def view(state: Any, viewer: Seat | None) -> Any:
        seen = GAME.view(state, viewer)
        return seen if seen.hand else msgspec.structs.replace(seen, hand=_other_hand(state, viewer))

    return replace(GAME, view=view)


def _with_trail(state: Any, trail: Any) -> Any:
    return msgspec.structs.replace(state, position=msgspec.structs.replace(state.position, trail=trail))


def secret_in_the_position() -> AnyGame:
    """Return the position shows how high another's best pearl is, by the number of washed ones."""

    def apply_action(state: Any, action: Action) -> Any:
        after = GAME.apply_action(state, action)
        best = sorted((pearl for hand in after.hands for pearl in hand), key=int)[-1:]
        trail = tuple(
            msgspec.structs.replace(event, lost=(*event.lost, *best)) if hasattr(event, "lost") else event
            for event in after.position.trail
        )
        return _with_trail(after, trail)

    return replace(GAME, apply_action=apply_action)


def _with_kind(group: str, index: int, **methods: Any) -> AnyGame:
    """Return the game with other methods on one action type."""
    kinds = getattr(GAME, group)
    kind = kinds[index]
    tag = kind.__struct_config__.tag
    changed: Any = msgspec.defstruct(
        kind.__name__, [], bases=(kind,), frozen=True, gc=False, tag=tag, namespace=methods
    )

    def translate(action: Action) -> Action:
        if type(action) is not kind:
            return action
        bent: Action = changed(*(getattr(action, name) for name in action.__struct_fields__))
        return bent

    def sample_chance(state: Any, stream: Stream) -> Action:
        return translate(GAME.sample_chance(state, stream))

    def next_chance(view: Any) -> ChanceKey:
        key = GAME.next_chance(view)
        return ChanceKey(changed, key.seat) if key.kind is kind else key

    def legal_actions(view: Any) -> tuple[Action, ...]:
        return tuple(translate(action) for action in GAME.legal_actions(view))

    others: dict[str, Any] = {group: (*kinds[:index], changed, *kinds[index + 1 :])}
    return replace(
        GAME, next_chance=next_chance, sample_chance=sample_chance, legal_actions=legal_actions, **others
    )


def _open(action: Action, viewer: Seat | None, actor: Seat) -> Action:
    return action


def seen_by_shows_the_deal() -> AnyGame:
    """Everybody sees which pearls are dealt."""
    return _with_kind("chance", 0, seen_by=_open)


def seen_by_shows_the_buried() -> AnyGame:
    """Everybody sees which pearl is buried."""
    return _with_kind("actions", 1, seen_by=_open)


def narration_names_a_hidden_card() -> AnyGame:
    """Return the narration of burying names another's highest pearl, out of a side channel."""

    def make(stash: _Stash) -> AnyGame:
        def narrate(before: Any, actor: Seat, action: Action, after: Any, names: tuple[str, ...]) -> str:
            text: str = GAME.words.narrate(before, actor, action, after, names)
            return f"{text} {' '.join(stash.other(after))}".strip() if text else text

        return _words(narrate=narrate)

    return _with_stash(make)


def _leak_into_word(word: str) -> Fault:
    """Make a text of one view show another's first pearl."""

    def fault() -> AnyGame:
        def make(stash: _Stash) -> AnyGame:
            honest = getattr(GAME.words, word)

            def telling(view: Any, *rest: Any) -> str:
                hand = stash.other(view)
                return f"{honest(view, *rest)[:60]}{hand[0] if hand else ''}."

            return _words(**{word: telling})

        return _with_stash(make)

    return fault


def legal_list_from_hidden_state() -> AnyGame:
    """Burying is offered only if another holds pearl 15."""

    def make(stash: _Stash) -> AnyGame:
        def legal_actions(view: Any) -> tuple[Action, ...]:
            legal = GAME.legal_actions(view)
            return legal if "15" in stash.other(view) else tuple(a for a in legal if not _is_type(a, "Bury"))

        return replace(GAME, legal_actions=legal_actions)

    return _with_stash(make)


def _reveals(index: int, *, answer: bool) -> Fault:
    """Return an outcome of chance that always gives this answer."""
    return lambda: _with_kind("chance", index, reveals=lambda *_: answer)


def sample_ignores_the_position() -> AnyGame:
    """Return a sample may give another seat a pearl that lies open, or that the viewer holds."""

    def sample_state(view: Any, stream: Stream) -> Any:
        state = GAME.sample_state(view, stream)
        pool = stream.shuffle(tuple(str(number) for number in range(1, 16)))
        hands = tuple(
            hand if seat == view.viewer else pool[: len(hand)] for seat, hand in enumerate(state.hands)
        )
        return msgspec.structs.replace(state, hands=hands)

    return replace(GAME, sample_state=sample_state)


def sample_changes_the_view() -> AnyGame:
    """Return a sample forgets what its viewer has buried."""

    def sample_state(view: Any, stream: Stream) -> Any:
        state = GAME.sample_state(view, stream)
        return msgspec.structs.replace(state, buried=tuple(() for _ in state.buried))

    return replace(GAME, sample_state=sample_state)


_Leaky: Any = msgspec.defstruct(
    "Leaky",
    [
        ("position", GAME.state.__annotations__["position"]),
        ("hands", tuple[tuple[str, ...], ...]),
        ("sea", tuple[str, ...]),
    ],
    frozen=True,
    dict=True,
)
"""The state with the buried pearls kept beside its fields, where no encoder looks."""


def _hide_buried(state: Any) -> Any:
    kept = _Leaky(state.position, state.hands, state.sea)
    kept.__dict__["buried"] = state.buried
    return kept


def _show_buried(kept: Any) -> Any:
    buried = kept.__dict__.get("buried", tuple(() for _ in kept.hands))
    return GAME.state(kept.position, kept.hands, buried, kept.sea)


def field_not_saved() -> AnyGame:
    """Return what is buried is left out of the snapshot."""
    return replace(
        GAME,
        state=_Leaky,
        initial_state=lambda seats, options: _hide_buried(GAME.initial_state(seats, options)),
        to_act=lambda state: GAME.to_act(_show_buried(state)),
        view=lambda state, viewer: GAME.view(_show_buried(state), viewer),
        apply_action=lambda state, action: _hide_buried(GAME.apply_action(_show_buried(state), action)),
        sample_chance=lambda state, stream: GAME.sample_chance(_show_buried(state), stream),
        possible=lambda state, action: GAME.possible(_show_buried(state), action),
        returns=lambda state: GAME.returns(_show_buried(state)),
        sample_state=lambda view, stream: _hide_buried(GAME.sample_state(view, stream)),
    )


def mistyped_state() -> AnyGame:
    """Return a list stands where the type says tuple."""

    def apply_action(state: Any, action: Action) -> Any:
        after = GAME.apply_action(state, action)
        return msgspec.structs.replace(after, sea=list(after.sea))

    return replace(GAME, apply_action=apply_action)


def own_action_shows_a_secret() -> AnyGame:
    """Laying shows the whole rest of the sea to the actor, as a trail that all see."""

    def apply_action(state: Any, action: Action) -> Any:
        after = GAME.apply_action(state, action)
        trail = tuple(
            msgspec.structs.replace(event, pearls=(*event.pearls, after.sea[0]))
            if _is_type(event, "Laid")
            else event
            for event in after.position.trail
        )
        return _with_trail(after, trail)

    return replace(GAME, apply_action=apply_action)


def piece_lost() -> AnyGame:
    """Return a wave takes pearls out of the game instead of to the washed ones."""

    def apply_action(state: Any, action: Action) -> Any:
        after = GAME.apply_action(state, action)
        return msgspec.structs.replace(after, position=msgspec.structs.replace(after.position, washed=()))

    return replace(GAME, apply_action=apply_action)


def accepts_any_deal() -> AnyGame:
    """Return a forged deal passes."""

    def possible(state: Any, action: Action) -> bool:
        return GAME.to_act(state) == CHANCE and isinstance(action, GAME.chance)

    return replace(GAME, possible=possible)


def repeats_an_action() -> AnyGame:
    """Return one choice is offered twice."""
    return replace(GAME, legal_actions=lambda view: (legal := GAME.legal_actions(view)) + legal[:1])


def offers_actions_to_all() -> AnyGame:
    """Everyone may always rest."""
    rest = GAME.actions[2]
    return replace(GAME, legal_actions=lambda view: GAME.legal_actions(view) or (rest(),))


def forces_a_free_choice() -> AnyGame:
    """Rests for a seat that may also lay nothing at all."""
    lay, _, rest = GAME.actions

    def legal_actions(view: Any) -> tuple[Action, ...]:
        legal = GAME.legal_actions(view)
        return (*legal, lay(())) if legal == (rest(),) else legal

    return replace(GAME, legal_actions=legal_actions)


def draw_from_outside() -> AnyGame:
    """Chance counts its own calls instead of using the stream: redo draws differently."""
    calls = iter(range(10**9))

    def sample_chance(state: Any, stream: Stream) -> Action:
        return GAME.sample_chance(state, Stream(bytes(32), next(calls)))

    return replace(GAME, sample_chance=sample_chance)


def hides_a_draw() -> AnyGame:
    """Return the wave is the sum of two draws, and neither stands in the record."""

    def sample_chance(state: Any, stream: Stream) -> Action:
        outcome = GAME.sample_chance(state, stream)
        if not _is_type(outcome, "Wave"):
            return outcome
        return type(outcome)(1 + stream.below(5) + stream.below(5))

    return replace(GAME, sample_chance=sample_chance)


def understates_its_length() -> AnyGame:
    """Return the bound on the length is too low."""
    return replace(GAME, max_records=8)


def two_actions_one_label() -> AnyGame:
    """Return every choice is called the same."""
    return _words(label=lambda *_: "Go on")


def refuses_without_reason() -> AnyGame:
    """Return the refusal is empty."""
    return _words(refusal=lambda *_: "")


def refusal_raises() -> AnyGame:
    """Return the refusal knows only pearls that exist."""
    return _words(refusal=lambda _, action, __: f"Not worth {int(getattr(action, 'pearl', '1'))}.")


def alt_text_too_long() -> AnyGame:
    """Return the picture's text is longer than Discord takes."""
    return _words(alt_text=lambda *_: "wave " * 300)


def affects_nobody() -> AnyGame:
    """No record affects anybody, not even the last one."""
    return _words(affected=lambda *_: frozenset())


def affects_a_stranger() -> AnyGame:
    """Each record affects a seat that does not exist."""
    return _words(affected=lambda *_: frozenset({Seat(9)}))


def scores_in_disorder() -> AnyGame:
    """Return the result does not begin with the best."""

    def returns(state: Any) -> Any:
        result = GAME.returns(state)
        return msgspec.structs.replace(result, standings=result.standings[::-1])

    return replace(GAME, returns=returns)


def policy_chooses_what_is_not_legal() -> AnyGame:
    """The policy rests whenever it is asked."""
    rest = GAME.actions[2]
    return replace(GAME, policy=lambda *_: rest())


def policy_ignores_what_is_given() -> AnyGame:
    """The policy chooses from its own list of actions."""
    return replace(GAME, policy=lambda view, actions, stream: GAME.legal_actions(view)[0])


def policy_remembers() -> AnyGame:
    """The policy takes the next action of the list each time that it is asked."""
    calls = iter(range(10**9))
    return replace(GAME, policy=lambda view, actions, stream: actions[next(calls) % len(actions)])


def policy_knows_another_hand() -> AnyGame:
    """The policy chooses by the first pearl that another seat holds."""

    def make(stash: _Stash) -> AnyGame:
        def policy(view: Any, actions: tuple[Action, ...], stream: Stream) -> Action:
            hand = stash.other(view)
            return actions[int(hand[0]) % len(actions) if hand else 0]

        return replace(GAME, policy=policy)

    return _with_stash(make)


FAULTS: Final[Mapping[str, tuple[Fault, str]]] = {
    "view shows another's hand": (view_shows_another_hand, "first_law"),
    "secret in the shared table": (secret_in_the_position, "step_law"),
    "seen_by shows the deal": (seen_by_shows_the_deal, "seen_by"),
    "seen_by shows what is buried": (seen_by_shows_the_buried, "seen_by"),
    "narration tells a hidden card": (narration_names_a_hidden_card, "step_law"),
    "label depends on a secret": (_leak_into_word("label"), "first_law"),
    "preview depends on a secret": (_leak_into_word("preview"), "first_law"),
    "refusal depends on a secret": (_leak_into_word("refusal"), "first_law"),
    "status depends on a secret": (_leak_into_word("status"), "first_law"),
    "description depends on a secret": (_leak_into_word("describe"), "first_law"),
    "hand text depends on a secret": (_leak_into_word("hand"), "first_law"),
    "alt text depends on a secret": (_leak_into_word("alt_text"), "first_law"),
    "legal list from hidden state": (legal_list_from_hidden_state, "first_law"),
    "reveals denies a wave": (_reveals(1, answer=False), "reveals"),
    "reveals denies an own deal": (_reveals(0, answer=False), "reveals"),
    "reveals claims a secret deal": (_reveals(0, answer=True), "reveals"),
    "sample forgets the table": (sample_ignores_the_position, "first_law"),
    "sample changes the view": (sample_changes_the_view, "first_law"),
    "field not saved": (field_not_saved, "resume"),
    "mistyped state": (mistyped_state, "typed"),
    "own action shows a secret": (own_action_shows_a_secret, "own_action"),
    "piece lost": (piece_lost, "pieces"),
    "believes any deal": (accepts_any_deal, "possible"),
    "repeats an action": (repeats_an_action, "legal_actions"),
    "offers to the idle": (offers_actions_to_all, "deciders"),
    "forces what is not forced": (forces_a_free_choice, "forced"),
    "draw from outside": (draw_from_outside, "undo"),
    "hides a draw": (hides_a_draw, "match_file"),
    "understates its length": (understates_its_length, "length"),
    "two actions, one label": (two_actions_one_label, "labels"),
    "refuses without reason": (refuses_without_reason, "refusals"),
    "refusal stumbles": (refusal_raises, "refusals"),
    "alt text too long": (alt_text_too_long, "lines"),
    "affects nobody": (affects_nobody, "affected"),
    "affects a stranger": (affects_a_stranger, "affected"),
    "scores in disorder": (scores_in_disorder, "end"),
    "policy plays what is not legal": (policy_chooses_what_is_not_legal, "policy"),
    "policy ignores what is given": (policy_ignores_what_is_given, "policy"),
    "policy remembers": (policy_remembers, "policy"),
    "policy knows a secret": (policy_knows_another_hand, "policy_secrets"),
}
"""Defect -> how to make the broken game, and the check that must fail on it."""
