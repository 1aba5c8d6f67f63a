"""Why population moves: a rule of the game, a trait or a Scenario card."""

import enum
from typing import TypeAlias

import msgspec

from rules.oceans.cards.decks import Card


class RuleCause(enum.Enum):
    """A rule of the game that moves population, without a card."""

    MIGRATION = "migrate"
    COST = "cost"
    """What a player pays from the score pile, into a zone, to evolve with a Deep card."""
    FORAGE = "forage"
    ATTACK = "attack"
    OVERFLOW = "overflow"
    AGING = "aging"
    EXTINCTION = "extinct"
    END_TRIGGERED = "end"
    RESIGNATION = "resign"


class TraitCause(msgspec.Struct, frozen=True, gc=False, tag_field="cause", tag="trait"):
    """The effect of a trait card."""

    card: Card


class ScenarioCause(msgspec.Struct, frozen=True, gc=False, tag_field="cause", tag="scenario"):
    """The effect of a Scenario card."""

    code: str


Cause: TypeAlias = RuleCause | TraitCause | ScenarioCause
