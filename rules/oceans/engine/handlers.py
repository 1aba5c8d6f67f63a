"""The handlers of one phase of a turn: functions for its actions, questions and steps."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import msgspec

from rules.model import Action, Seat
from rules.oceans.engine.mutable_position import MutablePosition
from rules.oceans.model import OceansView
from rules.oceans.steps import AnyStep, ChoiceKind, ChoiceOption, Choosing

ActionHandler = Callable[[MutablePosition, Any], None]
StepHandler = Callable[[MutablePosition, Any], None]
SkipHandler = Callable[[MutablePosition], bool]
AnswerHandler = Callable[[MutablePosition, Choosing, ChoiceOption], None]
OfferHandler = Callable[[OceansView, Seat, Any], Iterator[Action]]


class Handlers(msgspec.Struct, frozen=True, kw_only=True):
    """The handlers of one phase: by type of action, by type of step, and answers by ``ChoiceKind``."""

    apply: Mapping[type[Action], ActionHandler] = {}
    """Apply an action to the step that asked for it."""
    offer: Mapping[type[AnyStep], OfferHandler] = {}
    """Yield a seat's legal actions at a step that waits for it."""
    answer: Mapping[ChoiceKind, AnswerHandler] = {}
    """Apply the option picked at a ``Choosing`` step."""
    skip_if_needless: Mapping[type[AnyStep], SkipHandler] = {}
    """Remove a step that turns out to need no answer; return whether it did."""
    run: Mapping[type[AnyStep], StepHandler] = {}
    """Run a step that needs no answer."""
