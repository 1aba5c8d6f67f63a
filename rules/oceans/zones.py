"""The water: the Reef and the three Ocean zones."""

import enum
from typing import Final


class Zone(enum.Enum):
    """A water zone.  The Reef is no Ocean zone."""

    REEF = "reef"
    ONE = "z1"
    TWO = "z2"
    THREE = "z3"


ZONES: Final = tuple(Zone)
OCEAN: Final = (Zone.ONE, Zone.TWO, Zone.THREE)
INDEX: Final = {zone: index for index, zone in enumerate(ZONES)}
"""A zone's place in ``Position.water``."""
