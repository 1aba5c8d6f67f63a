"""The words of one kind of action: its name, label, refusal, preview and narration.

The tables are in ``playing``, ``standing_answers``, ``feeding`` and ``drawing``;
the words of ``Choose`` are in ``choosing``.
"""

import enum
from collections.abc import Callable, Iterator
from typing import Any, Final

import msgspec

from rules.model import Event, Names, Seat
from rules.narration import Sentence
from rules.oceans.causes import RuleCause
from rules.oceans.events import AnyEvent, PopulationMoved
from rules.oceans.model import OceansView
from rules.oceans.steps import AnyStep
from rules.words import VerbTexts

ALLOWED_TEXT: Final = "That is allowed."
"""What the refusal of a legal action says: nothing is wrong with it."""

# Hints of fields, as commands show them.
CARD_HINT: Final = "A card of your hand, such as SP7"
OWN_SPECIES_HINT: Final = "A species of yours, such as A2"
TRAIT_HINT: Final = "A trait on it, such as IN7"
ZONE_HINT: Final = "reef, z1, z2 or z3"
PILE_HINT: Final = "Gene Pool pile 1 or 2"


class NarrationContext:
    """An action to narrate: the positions before and after it, and the events that no sentence covers yet."""

    def __init__(
        self,
        view_before: OceansView,
        actor: Seat,
        view_after: OceansView,
        events: list[AnyEvent],
        names: Names,
    ) -> None:
        """Begin with all events to narrate in ``remaining_events``."""
        self.before = view_before.position
        self.after = view_after.position
        self.actor = actor
        self.remaining_events = events
        self.names = names

    @property
    def actor_name(self) -> str:
        """The actor's name."""
        return self.names[self.actor]

    def consume(self, *event_types: type[Event]) -> AnyEvent | None:
        """Remove and return the first event of these types, since the opening sentence covers it.

        Returns None if there is none.
        """
        for index, event in enumerate(self.remaining_events):
            if isinstance(event, event_types):
                return self.remaining_events.pop(index)
        return None

    def consume_movement(self, cause: RuleCause) -> PopulationMoved | None:
        """Remove and return the first movement with this cause; return None if there is none."""
        for index, event in enumerate(self.remaining_events):
            if isinstance(event, PopulationMoved) and event.cause is cause:
                del self.remaining_events[index]
                return event
        return None


class PreviewedChange(enum.Enum):
    """What a computed preview compares before and after."""

    VALUES = "values"
    """The values of ``ActionWords.changed_species_keys``."""
    ZONES = "zones"
    POPULATIONS = "populations"
    """How full the boards are whose population changed."""


def _no_narration(context: NarrationContext, action: Any) -> Iterator[str | Sentence]:
    yield from ()


class ActionWords(msgspec.Struct, frozen=True, kw_only=True):
    """The words of one action type.  The functions get actions of that type only."""

    verb_texts: VerbTexts
    step_types: tuple[type[AnyStep], ...]
    """The types of step at which it can be taken."""
    label: Callable[[OceansView, Any, Names], str]
    """Name the choice: at most 80 characters."""
    refusal: Callable[[OceansView, Seat, Any, Any, Names], str]
    """Say why it is not legal at this step, and what to do instead."""
    narrate: Callable[[NarrationContext, Any], Iterator[str | Sentence]] = _no_narration
    """Describe it in sentences; the events that these cover are taken out of the context."""
    preview: Callable[[OceansView, Any], str] | None = None
    """What it would do; None: the engine computes it."""
    short_preview: Callable[[OceansView, Any], str] | None = None
    """The same in at most 100 characters, where ``preview`` is given."""
    preview_omits_first_of: tuple[type[AnyEvent], ...] = ()
    """The first event of each type is left out of a computed preview: the label names it."""
    preview_omits_cause: RuleCause | None = None
    """The first movement with this cause is left out of a computed preview: the label names it."""
    previewed_change: PreviewedChange | None = None
    changed_species_keys: Callable[[Any], tuple[str, ...]] = lambda action: ()
    """The keys of the species whose values it changes."""
    preview_opening: Callable[[OceansView, Any], str] = lambda view, action: ""
    """The first line of its preview."""
