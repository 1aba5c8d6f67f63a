"""What a phase of the turn adds to the engine: the handlers of its actions and steps."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import msgspec

from rules.game import Action, Seat
from rules.oceans.engine.draft import Draft
from rules.oceans.model import OceansView
from rules.oceans.steps import AnyStep, Choosing, Option, Reason

ActionHandler = Callable[[Draft, Any], None]
StepHandler = Callable[[Draft, Any], None]
Resolver = Callable[[Draft], bool]
Answer = Callable[[Draft, Choosing, Option], None]
Offer = Callable[[OceansView, Seat, Any], Iterator[Action]]


class Phase(msgspec.Struct, frozen=True, kw_only=True):
    """The handlers of one phase, by the type that they handle."""

    apply: Mapping[type[Action], ActionHandler] = {}
    """What each action does to the step that asked for it."""
    offer: Mapping[type[AnyStep], Offer] = {}
    """What a seat may do at a step that asks it."""
    answer: Mapping[Reason, Answer] = {}
    """What follows from the option picked at a ``Choosing`` step."""
    resolve: Mapping[type[AnyStep], Resolver] = {}
    """Steps that may turn out to need no answer: True if they were done with."""
    run: Mapping[type[AnyStep], StepHandler] = {}
    """Steps that are done at once."""
