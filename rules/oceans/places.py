"""Where population can be: a water zone, a species' board, a score pile, the reserve, the supply."""

import enum
import re
from typing import Final, TypeAlias

import msgspec

from rules.model import SEAT_LETTERS, Seat


class Zone(enum.Enum):
    """A water zone.  The Reef is no Ocean zone."""

    REEF = "reef"
    ONE = "z1"
    TWO = "z2"
    THREE = "z3"


ZONES: Final = tuple(Zone)
OCEAN_ZONES: Final = (Zone.ONE, Zone.TWO, Zone.THREE)
ZONE_INDEX: Final = {zone: index for index, zone in enumerate(ZONES)}
"""A zone's place in ``Position.zone_populations``, and the number of an Ocean zone."""


class SpeciesBoard(msgspec.Struct, frozen=True, gc=False, tag_field="place", tag="board"):
    """The board of a species, by its key ("A2")."""

    species: str


class ScorePile(msgspec.Struct, frozen=True, gc=False, tag_field="place", tag="score-pile"):
    """The population behind a seat's shield."""

    seat: Seat


class Reserve(msgspec.Struct, frozen=True, gc=False, tag_field="place", tag="reserve"):
    """Population set aside; it enters zone 3 when the end of the game is triggered."""


class Supply(msgspec.Struct, frozen=True, gc=False, tag_field="place", tag="supply"):
    """The unlimited population that comes in when the reserve is used up."""


Place: TypeAlias = Zone | SpeciesBoard | ScorePile | Reserve | Supply
_SPECIES_KEY_PATTERN: Final = re.compile(rf"[{SEAT_LETTERS}][1-9][0-9]*")


def place_code(place: Place) -> str:
    """Return the text of a place, as actions write it: "reef", "z1", "A2", a seat's letter."""
    match place:
        case Zone():
            return place.value
        case SpeciesBoard(species=key):
            return key
        case ScorePile(seat=seat):
            return SEAT_LETTERS[seat]
        case Reserve():
            return "reserve"
        case Supply():
            return "supply"


def parse_place(code: str) -> Place:
    """Return the place that a text of ``place_code`` names.  Raises ValueError if it names none."""
    if code in SEAT_LETTERS and len(code) == 1:
        return ScorePile(Seat(SEAT_LETTERS.index(code)))
    if _SPECIES_KEY_PATTERN.fullmatch(code):
        return SpeciesBoard(code)
    if code == "reserve":
        return Reserve()
    return Supply() if code == "supply" else Zone(code)
