"""Texts to break things with: hostile ones that people could type, and valid ones made malformed."""

import random
from collections.abc import Sequence
from typing import Final

from tests.bot.e2e.hostile_texts import HOSTILE_TEXTS

_SEPARATORS: Final = ("", " ", "\n", "\u202e", "`", "||", "\\", "@", "<@", "\u200b", ":", ";", "\u0000")
_CHARACTERS: Final = tuple("cA1:-() ;?*\\\n\x00\u0661\u202e\u0301\ud7ff\U0001f3f4@<#`'\"%{}")


def combined_hostile_texts(count: int) -> tuple[str, ...]:
    """Return ``count`` different hostile texts, the same each time: known ones and their combinations."""
    rng = random.Random("hostile")
    texts = dict.fromkeys(HOSTILE_TEXTS)
    while len(texts) < count:
        first, second = rng.choice(HOSTILE_TEXTS)[:300], rng.choice(HOSTILE_TEXTS)[:300]
        texts[f"{first}{rng.choice(_SEPARATORS)}{second}"] = None
    return tuple(texts)[:count]


def make_malformed(rng: random.Random, valid_texts: Sequence[str]) -> str:
    """Return a valid text with some of it changed, a hostile one, or noise."""
    kind = rng.randrange(6)
    if kind == 0:
        return rng.choice(HOSTILE_TEXTS)
    if kind == 1:
        return "".join(rng.choices(_CHARACTERS, k=rng.randrange(100)))
    text = rng.choice(valid_texts)
    for _ in range(rng.randint(1, 3)):
        position = rng.randrange(len(text) + 1)
        match rng.randrange(4):
            case 0:
                text = text[:position] + rng.choice(_CHARACTERS) + text[position:]
            case 1:
                text = text[:position] + text[position + 1 :]
            case 2:
                text = text[:position] + rng.choice(valid_texts)[position:]
            case _:
                text = (
                    text[:position]
                    + rng.choice((" 99", "-1", ":9999999:", "\u0661", "x" * 90))
                    + text[position:]
                )
    return text


def random_json(rng: random.Random, depth: int = 3) -> object:
    """Return any JSON."""
    leaves: tuple[object, ...] = (None, True, 0, -1.5, "value", "components", rng.choice(HOSTILE_TEXTS))
    if depth == 0 or rng.random() < 0.3:
        return rng.choice(leaves)
    if rng.random() < 0.5:
        return [random_json(rng, depth - 1) for _ in range(rng.randrange(4))]
    names = ("value", "components", "component", "custom_id", "type")
    return {rng.choice(names): random_json(rng, depth - 1) for _ in range(rng.randrange(4))}
