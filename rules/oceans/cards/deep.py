"""The Deep deck: 89 traits, one card of each."""

from typing import Final

from rules.oceans.cards.deep_a_to_c import DEEP_A_TO_C
from rules.oceans.cards.deep_d_to_g import DEEP_D_TO_G
from rules.oceans.cards.deep_h_to_p import DEEP_H_TO_P
from rules.oceans.cards.deep_r_to_z import DEEP_R_TO_Z
from rules.oceans.cards.traits import Trait

DEEP_TRAITS: Final[tuple[Trait, ...]] = (*DEEP_A_TO_C, *DEEP_D_TO_G, *DEEP_H_TO_P, *DEEP_R_TO_Z)
"""In alphabetical order, which is the order of the deck."""
