"""A checker of match files that knows no rules: only the page that describes the format, and BLAKE2b.

It imports nothing of the project, so that it shows what a stranger can check.
"""

import hashlib
import re
from collections import Counter
from collections.abc import Iterator
from itertools import count


class NotProvedError(Exception):
    """The file does not show that its seed gives this outcome."""


def check_file(text: str) -> int:
    """Check every draw of a file with a seed, undone ones too; return how many outcomes there are."""
    header, _, body = text.partition("\n\n")
    values = dict(line.split(": ", 1) for line in header.splitlines() if not line.startswith("#"))
    seed = bytes.fromhex(values["Seed"])
    committed = hashlib.sha256(b"captains-table/seed/1\n" + values["Match"].encode() + b"\n" + seed)
    _require(committed.hexdigest() == values["Commitment"], "the seed was not committed to")
    lines = [line for line in body.splitlines() if line and not line.startswith("#")]
    history: list[tuple[str, str] | None] = []
    left: dict[str, list[str]] = {}
    outcomes = 0
    for at, line in enumerate(lines):
        if line.startswith("<"):
            continue
        ply, actor, *words = line.split(" ")
        if words[0] == "undo":
            del history[int(words[1]) :]
            continue
        if actor != "*":
            history.append(None)
            continue
        _require(at + 1 < len(lines) and lines[at + 1].startswith("< "), f"record {ply} has no draw")
        key = _check_outcome(seed, int(ply.rstrip(".")), words, lines[at + 1], Counter(history), left)
        history.append(key)
        outcomes += 1
    return outcomes


def _check_outcome(
    seed: bytes,
    ply: int,
    words: list[str],
    line: str,
    before: "Counter[tuple[str, str] | None]",
    left: dict[str, list[str]],
) -> tuple[str, str]:
    head, _, tail = line.partition(": ")
    _, kind, seat, n = head.split(" ")
    _require(kind == words[0], f"record {ply} is of another kind")
    _require(int(n) == before[kind, seat], f"record {ply} has the wrong number")
    numbers = _draw_numbers(seed, kind, seat, int(n))
    shown = iter(re.split("[ ,]", " ".join(words)))
    for number, draw in enumerate(tail.split("; ") if tail else (), 1):
        order, drawn_text, source, items_text = draw.split(" ")
        items = left[items_text] if source == "from" else _split_items(items_text)
        drawn = _split_items(drawn_text)
        places = list(range(len(items)))
        for i in range(len(drawn)):
            size = len(items) - i
            word = next(word for word in numbers if word < 2**64 - 2**64 % size)
            j = i + word % size
            places[i], places[j] = places[j], places[i]
        found = places[: len(drawn)]
        found = found if order == "order" else sorted(found)
        _require([items[i] for i in found] == drawn, f"the seed gives another outcome for record {ply}")
        _require(all(item in shown for item in drawn), f"record {ply} does not hold what was drawn")
        rest = list(items)
        for item in drawn:
            rest.remove(item)
        left[f"{ply}/{number}"] = rest
    return kind, seat


def _draw_numbers(seed: bytes, kind: str, seat: str, n: int) -> Iterator[int]:
    place = 255 if seat == "-" else "ABCDEF".index(seat)
    prefix = bytes([len(kind)]) + kind.encode() + bytes([place]) + n.to_bytes(8, "big")
    for block in count():
        message = prefix + block.to_bytes(8, "big")
        digest = hashlib.blake2b(message, key=seed, person=b"captains-table/2", digest_size=64).digest()
        yield from (int.from_bytes(digest[i : i + 8], "big") for i in range(0, 64, 8))


def _split_items(text: str) -> list[str]:
    return [] if text == "()" else text.split(",")


def _require(holds: object, otherwise: str) -> None:
    if not holds:
        raise NotProvedError(otherwise)
