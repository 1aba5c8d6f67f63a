"""Tools that make defective variants of the guide's game: other functions, words or action methods.

A function of a game may not reach what it is not given; ``SideChannel`` is how a careless one would.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final, TypeAlias

import msgspec

from rules.game import AnyGame
from rules.model import Action, OutcomeKind, Seat
from rules.random_stream import RandomStream
from tests.docs.game_guide import pearls_game

SOUND_GAME: Final = pearls_game()
"""The guide's game without a defect."""
DefectiveGameFactory: TypeAlias = Callable[[], AnyGame]
"""Makes the guide's game with a defect."""


def is_type_named(value: object, name: str) -> bool:
    """Whether a value is of the type of this name."""
    return type(value).__name__ == name


def other_hand(state: Any, viewer: Seat | None) -> tuple[str, ...]:
    """Return the hand of a seat that is not the viewer's."""
    other = 1 if viewer == 0 else 0
    return tuple(state.hands[other])


class SideChannel:
    """Holds the last state that was viewed, for functions that are given a view only."""

    def __init__(self) -> None:
        self.state: Any = None

    def view(self, state: Any, viewer: Seat | None) -> Any:
        """Return the honest view, and keep the state."""
        self.state = state
        return SOUND_GAME.view(state, viewer)

    def other_hand(self, view: Any) -> tuple[str, ...]:
        """Return another seat's hand, which the view does not show."""
        return other_hand(self.state, view.viewer)


def with_words(**changed: Any) -> AnyGame:
    """Return the game with other words."""
    return replace(SOUND_GAME, words=replace(SOUND_GAME.words, **changed))


def with_side_channel(make: Callable[[SideChannel], AnyGame]) -> AnyGame:
    """Return a game made with a side channel that sees every state."""
    side_channel = SideChannel()
    return replace(make(side_channel), view=side_channel.view)


def state_with_trail(state: Any, trail: Any) -> Any:
    """Return a state with another trail."""
    return msgspec.structs.replace(state, position=msgspec.structs.replace(state.position, trail=trail))


def with_action_methods(group: str, index: int, **methods: Any) -> AnyGame:
    """Return the game with other methods on one action type.

    ``group``: the field of the game, ``action_types`` or ``outcome_types``.
    """
    types = getattr(SOUND_GAME, group)
    original_type = types[index]
    tag = original_type.__struct_config__.tag
    changed_type: Any = msgspec.defstruct(
        original_type.__name__, [], bases=(original_type,), frozen=True, gc=False, tag=tag, namespace=methods
    )

    def with_changed_type(action: Action) -> Action:
        if type(action) is not original_type:
            return action
        changed: Action = changed_type(*(getattr(action, name) for name in action.__struct_fields__))
        return changed

    def sample_chance(state: Any, stream: RandomStream) -> Action:
        return with_changed_type(SOUND_GAME.sample_chance(state, stream))

    def next_outcome_kind(view: Any) -> OutcomeKind:
        kind = SOUND_GAME.next_outcome_kind(view)
        return OutcomeKind(changed_type, kind.drawn_for) if kind.outcome_type is original_type else kind

    def legal_actions(view: Any) -> tuple[Action, ...]:
        return tuple(with_changed_type(action) for action in SOUND_GAME.legal_actions(view))

    changed_types: dict[str, Any] = {group: (*types[:index], changed_type, *types[index + 1 :])}
    return replace(
        SOUND_GAME,
        next_outcome_kind=next_outcome_kind,
        sample_chance=sample_chance,
        legal_actions=legal_actions,
        **changed_types,
    )
