"""What buttons and questions say about migrations, and about payments to a zone."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

from msgspec.structs import replace

from rules.oceans.actions import Migrate
from rules.oceans.cards.decks import NUMBER_BY_CARD
from rules.oceans.model import OceansView, Position
from rules.oceans.places import OCEAN_ZONES, ZONE_INDEX, Zone
from rules.oceans.words.lookahead import position_after
from rules.oceans.words.phrases import MAX_LABEL_LENGTH, ZONE_NAMES, ZONE_WORDS, scenario_text
from rules.oceans.words.short_preview import CAMBRIAN_NAME, table_events
from rules.text import capitalized, first_fitting, listed, shortened

MAX_HALF_ROW_LABEL_LENGTH: Final = 38
"""The longest label that leaves room for a second button in its row."""
_MAX_PAYMENT_LABEL_LENGTH: Final = MAX_HALF_ROW_LABEL_LENGTH - 2
"""The same for a label behind which " …" stands."""
_NAME_LENGTHS: Final = (MAX_LABEL_LENGTH, 22, 16, 10)
"""The longest names of Scenario cards in a label, in the order in which they are tried."""


def zone_label(zone: Zone) -> str:
    """Return a zone's name as a button: "Reef", "Zone 1"."""
    return capitalized(ZONE_NAMES[zone])


def migration_label(view: OceansView, action: Migrate) -> str:
    """Return how much a migration moves, and what it sets off: "Zone 1 → Reef: 6, Cambrian Explosion"."""
    zone_populations = view.position.zone_populations
    held = zone_populations[ZONE_INDEX[action.source]]
    count = min(held, NUMBER_BY_CARD[action.card])
    target_label = zone_label(action.target)
    if Zone.REEF not in {action.source, action.target}:
        # "Zone 1 → 2", so that a phone shows two buttons side by side.
        target_label = str(ZONE_INDEX[action.target])
    label = f"{zone_label(action.source)} → {target_label}: {count}"
    fills_zone = not zone_populations[ZONE_INDEX[action.target]]
    if count < held and not fills_zone and action.target is not Zone.REEF:
        return label  # no zone is emptied or filled, and no Zooplankton gains from another one
    # Cards that move as much set off the same: the first of them is looked at for all.
    card = next(each for each in view.hand if min(held, NUMBER_BY_CARD[each]) == count)
    events = list(table_events(position_after(view, replace(action, card=card)).trail))
    if not events:
        return label
    full_label = ", ".join((label, *(f"{name} {verb}".rstrip() for name, verb in events)))
    if len(full_label) <= MAX_HALF_ROW_LABEL_LENGTH:
        return full_label
    for max_name_length in _NAME_LENGTHS:
        grouped_label = ", ".join((label, *_grouped_parts(events, max_name_length)))
        if len(grouped_label) <= MAX_LABEL_LENGTH:
            break
    return shortened(grouped_label, MAX_LABEL_LENGTH)


def _grouped_parts(events: Sequence[tuple[str, str]], max_name_length: int) -> Iterator[str]:
    """Yield the texts of ``table_events``; those of one verb share it: "Cambrian and Fertile begin"."""
    with_verbs = [("Cambrian", "begins") if name == CAMBRIAN_NAME else (name, verb) for name, verb in events]
    for verb, group in groupby(with_verbs, key=lambda event: event[1]):
        names = [shortened(name, max_name_length) if verb else name for name, _ in group]
        yield f"{listed(names)} {verb if len(names) == 1 else verb.removesuffix('s')}".rstrip()


def payment_label(position: Position, zone: Zone) -> str:
    """Return where a cost is paid to, and which Scenario that ends: "Pay to zone 1 (Fertile ends)"."""
    label = f"Pay to {ZONE_WORDS[zone]}"
    code = dict(zip(OCEAN_ZONES, position.scenarios, strict=False)).get(zone)
    if code is None or code not in position.active_scenarios:
        return label
    return first_fitting(
        _MAX_PAYMENT_LABEL_LENGTH, f"{label} ({scenario_text(code)} ends)", f"{label} (its Scenario ends)"
    )
