"""What buttons and questions say about migrations, and about payments to a zone."""

from typing import Final

from msgspec.structs import replace

from rules.oceans.actions import Migrate
from rules.oceans.cards.decks import NUMBER_BY_CARD, Card
from rules.oceans.model import OceansView, Position
from rules.oceans.places import OCEAN_ZONES, ZONE_INDEX, Zone
from rules.oceans.words.lookahead import position_after
from rules.oceans.words.phrases import MAX_LABEL_LENGTH, ZONE_WORDS, scenario_text
from rules.oceans.words.short_preview import table_event_parts
from rules.text import capitalized, first_fitting, shortened

MAX_HALF_ROW_LABEL_LENGTH: Final = 38
"""The longest label that leaves room for a second button in its row."""
_MAX_PAYMENT_LABEL_LENGTH: Final = MAX_HALF_ROW_LABEL_LENGTH - 2
"""The same for a label behind which " …" stands."""


def zone_label(zone: Zone) -> str:
    """Return a zone's name as a button: "Reef", "Zone 1"."""
    return capitalized(ZONE_WORDS[zone].removeprefix("the "))


def migration_label(view: OceansView, action: Migrate) -> str:
    """Return how much a migration moves, and what it sets off: "Zone 1 → Reef: 6, Cambrian Explosion"."""
    zone_populations = view.position.zone_populations
    held = zone_populations[ZONE_INDEX[action.source]]
    count = min(held, NUMBER_BY_CARD[action.card])
    label = f"{zone_label(action.source)} → {zone_label(action.target)}: {count}"
    fills_zone = not zone_populations[ZONE_INDEX[action.target]]
    if count < held and not fills_zone and action.target is not Zone.REEF:
        return label  # no zone is emptied or filled, and no Zooplankton gains from another one
    # Cards that move as much set off the same: the first of them is looked at for all.
    card = next(each for each in view.hand if min(held, NUMBER_BY_CARD[each]) == count)
    parts = list(table_event_parts(position_after(view, replace(action, card=card)).trail))
    without_verbs = [part.removesuffix(" begins").removesuffix(" Explosion") for part in parts]
    full_label = ", ".join((label, *parts))
    if len(full_label) <= MAX_HALF_ROW_LABEL_LENGTH:
        return full_label
    return shortened(", ".join((label, *without_verbs)), MAX_LABEL_LENGTH)


def payment_label(position: Position, zone: Zone) -> str:
    """Return where a cost is paid to, and which Scenario that ends: "Pay to zone 1 (Fertile ends)"."""
    label = f"Pay to {ZONE_WORDS[zone]}"
    code = dict(zip(OCEAN_ZONES, position.scenarios, strict=False)).get(zone)
    if code is None or code not in position.active_scenarios:
        return label
    return first_fitting(
        _MAX_PAYMENT_LABEL_LENGTH, f"{label} ({scenario_text(code)} ends)", f"{label} (its Scenario ends)"
    )


def migrated_count_text(position: Position, card: Card) -> str:
    """Return how much a card moves: "9", or "up to 9" if a zone holds less."""
    number = NUMBER_BY_CARD[card]
    return f"up to {number}" if any(0 < held < number for held in position.zone_populations) else str(number)
