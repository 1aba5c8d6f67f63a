"""The Deep deck: 89 traits, one card of each, in alphabetical order."""

from typing import Final

from rules.oceans.deep_a_to_d import DEEP_A_TO_D
from rules.oceans.deep_e_to_m import DEEP_E_TO_M
from rules.oceans.deep_n_to_z import DEEP_N_TO_Z
from rules.oceans.traits import Trait

DEEP_TRAITS: Final[tuple[Trait, ...]] = (*DEEP_A_TO_D, *DEEP_E_TO_M, *DEEP_N_TO_Z)
"""In the order of the deck's list."""
