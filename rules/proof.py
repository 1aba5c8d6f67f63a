"""The proof of a match file: its seed fits the commitment and gives every outcome of chance."""

import re
from collections import Counter
from collections.abc import Iterator

import msgspec

from rules.draws import WrittenOutcome, trace_outcomes
from rules.errors import BrokenMatch
from rules.game import CHANCE, Seat
from rules.matchfile import MatchFile, replay_match
from rules.notation import ABSENT, seat_letter, verb_of, write
from rules.record import Record, Undo
from rules.stream import fits_commitment


class ProvedOutcome(msgspec.Struct, frozen=True, gc=False):
    """One outcome of chance that the seed gives."""

    ply: int
    """The number of its record."""
    kind: str
    seat: Seat | None
    number: int
    """How many outcomes of its kind for its seat counted before it."""
    text: str


class Proof(msgspec.Struct, frozen=True, gc=False):
    """What ``prove`` has shown: the commitment fits the seed, and the seed gives these outcomes."""

    match_id: str
    commitment: str
    outcomes: tuple[ProvedOutcome, ...]

    @property
    def text(self) -> str:
        """The proof as text: one line for each outcome, and a summary."""
        lines = []
        for each in self.outcomes:
            seat = ABSENT if each.seat is None else seat_letter(each.seat)
            lines.append(f"Record {each.ply}, stream {each.kind} {seat} {each.number}: {each.text}")
        count = len(self.outcomes)
        lines.append(
            f"Proved: the seed of match {self.match_id} is the one that was committed to "
            f"({self.commitment[:16]}…), and it gives {'this one' if count == 1 else f'all {count}'} "
            f"outcome{'' if count == 1 else 's'} of chance."
        )
        return "\n".join(lines)


def prove(file: MatchFile) -> Proof:
    """Derive every outcome of chance, undone ones too, from the seed.  Raises BrokenMatch.

    First without the rules, from the file's lines about each draw; then by a replay, which shows that the
    draws were made from the items that the rules say.
    """
    if file.seed is None or file.commitment is None:
        raise BrokenMatch(0, "a proof needs the seed and the commitment in the file")
    if not fits_commitment(file.match_id, file.seed, file.commitment):
        raise BrokenMatch(0, "the seed is not the one that was committed to")
    if len(file.outcomes) != sum(record.actor == CHANCE for record in file.records):
        raise BrokenMatch(0, "a proof needs the draws in the file")
    outcomes = tuple(_prove_draws(file, file.seed))
    replay_match(file)
    traced = trace_outcomes(file.game, file.seats, file.options, file.seed, file.records)
    for proved, written, drawn in zip(outcomes, file.outcomes, traced, strict=True):
        if written != drawn:
            raise BrokenMatch(proved.ply, "the rules draw this from something else")
    return Proof(file.match_id, file.commitment, outcomes)


def _prove_draws(file: MatchFile, seed: bytes) -> Iterator[ProvedOutcome]:
    """Check each outcome against the seed, without the rules."""
    outcomes = iter(file.outcomes)
    history: list[WrittenOutcome | None] = []
    counts: Counter[tuple[str, Seat | None]] = Counter()
    for ply, record in enumerate(file.records, 1):
        if isinstance(record.action, Undo):
            counts.subtract((each.kind, each.seat) for each in history[record.action.keep :] if each)
            del history[record.action.keep :]
            continue
        written = next(outcomes) if record.actor == CHANCE else None
        if written is not None:
            _check_draw(ply, record, written, counts[written.kind, written.seat], seed)
            counts[written.kind, written.seat] += 1
            yield ProvedOutcome(ply, written.kind, written.seat, written.number, write(record.action))
        history.append(written)


def _check_draw(ply: int, record: Record, written: WrittenOutcome, number: int, seed: bytes) -> None:
    if (written.kind, written.number) != (verb_of(type(record.action)), number):
        raise BrokenMatch(ply, "it was drawn from another stream")
    if not written.fits(seed):
        raise BrokenMatch(ply, "the seed gives another outcome")
    items = iter(re.split("[ ,]", write(record.action)))
    if not all(item in items for item in written.drawn):
        raise BrokenMatch(ply, "it does not hold what was drawn")
