"""The words of Oceans: verbs, and the table that the host reads everything else from."""

from collections.abc import Mapping
from typing import Final

from rules.game import Action, Verb, Words
from rules.oceans.actions import (
    Attack,
    Cast,
    Choose,
    Create,
    Discard,
    Done,
    Draw,
    DropTrait,
    Evolve,
    Exchange,
    Forage,
    Keep,
    LookDeep,
    Migrate,
    Mutate,
    SetFastAging,
    SetSurplus,
    Skip,
    Spill,
    Swap,
    TakeDeep,
)
from rules.oceans.model import OceansView
from rules.oceans.words.description import alt, describe, hand, status
from rules.oceans.words.glossary import GLOSSARY
from rules.oceans.words.help import OPTION_HINTS, TOPICS
from rules.oceans.words.labels import label, part
from rules.oceans.words.narration import narrate
from rules.oceans.words.preview import glance, preview
from rules.oceans.words.refusals import refusal

_CARD: Final = "A card of your hand, such as SP7"
_OWN: Final = "A species of yours, such as A2"
_TRAIT: Final = "A trait on it, such as IN7"
_ZONE: Final = "reef, z1, z2 or z3"
_PAY: Final = "The zone that gets a Deep card's cost: reef, z1, z2 or z3"
_PILE: Final = "Gene Pool pile 1 or 2"

VERBS: Final[Mapping[type[Action], Verb]] = {
    Create: Verb(
        "New species",
        "Start a species with a card of your hand",
        {"card": _CARD, "place": "How many of your species stand to its left", "pay": _PAY},
    ),
    Evolve: Verb(
        "Evolve",
        "Put a card of your hand on a species as a trait",
        {"card": _CARD, "species": "The species, such as A2", "pay": _PAY},
    ),
    Migrate: Verb(
        "Migrate",
        "Discard a card to move population between zones",
        {"card": _CARD, "source": f"From which zone: {_ZONE}", "target": f"To which zone: {_ZONE}"},
    ),
    Cast: Verb("Discard for nothing", "Discard a card while every zone is empty", {"card": _CARD}),
    DropTrait: Verb(
        "Remove a trait", "Take a trait off a species of yours", {"species": _OWN, "card": _TRAIT}
    ),
    Mutate: Verb(
        "Rapid Mutation",
        "Exchange a Deep trait with the Gene Pool",
        {"species": _OWN, "card": "A Deep trait on it, such as HYD", "pile": _PILE},
    ),
    Forage: Verb(
        "Forage",
        "Let a species feed from the Reef, or where it may",
        {
            "species": _OWN,
            "source": "reef; z1, z2, z3 or a neighbour if a card allows it",
            "most": "Take only so much, if a card allows it",
        },
    ),
    Attack: Verb(
        "Attack",
        "Let a species feed on another one",
        {
            "species": _OWN,
            "target": "The species attacked, such as B1",
            "ignoring": "Defensive traits to ignore, if a card allows it, such as IN7",
        },
    ),
    Skip: Verb("Feed no more", "End your feeding phase"),
    Exchange: Verb(
        "Exchange a trait",
        "Atavism: take a trait to your hand, put a Surface card in its place",
        {"species": _OWN, "card": _TRAIT, "replacement": "A Surface card of your hand, such as SP7"},
    ),
    Swap: Verb(
        "Swap traits",
        "Swap a trait with one of a species beside it",
        {
            "species": _OWN,
            "card": _TRAIT,
            "other": "The species beside it, such as A3",
            "other_card": "The trait it gets for it, such as SP8",
        },
    ),
    Choose: Verb("Choose", "Answer what is asked", {"option": "A species, player, zone or number"}),
    Spill: Verb("Surplus", "Choose where surplus population goes", {"zone": _ZONE}),
    TakeDeep: Verb("Take a Deep card", "Take the top card of a Gene Pool pile", {"pile": _PILE}),
    LookDeep: Verb("Look at Deep cards", "Look at three cards of the Deep deck and keep one"),
    Keep: Verb(
        "Keep",
        "Keep one of the Deep cards you look at",
        {
            "card": "The card you keep, such as HYD",
            "first": "The card for Gene Pool pile 1",
            "second": "The card for Gene Pool pile 2",
        },
    ),
    Discard: Verb(
        "Discard", "Discard a Surface card before drawing", {"card": "A Surface card of your hand"}
    ),
    Draw: Verb("Draw", "Draw up to six cards and end your turn"),
    Done: Verb("Go on", "Play, exchange or pick no more"),
    SetSurplus: Verb(
        "Surplus in others' turns", "Standing answer: where your surplus goes then", {"zone": _ZONE}
    ),
    SetFastAging: Verb(
        "Fast Metabolism", "Standing answer: age in others' turns or not", {"ages": "yes or no"}
    ),
}

WORDS: Final[Words[OceansView]] = Words(
    verbs=VERBS,
    label=label,
    part=part,
    preview=preview,
    glance=glance,
    refusal=refusal,
    narrate=narrate,
    status=status,
    describe=describe,
    hand=hand,
    alt=alt,
    option_hints=OPTION_HINTS,
    topics=TOPICS,
    glossary=GLOSSARY,
)
