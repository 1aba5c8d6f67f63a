"""The proof of a match file: its seed fits the fairness code and gives, with the cuts, each outcome."""

import re
from collections import Counter
from collections.abc import Iterator

import msgspec

from rules.deal_key import DealKey
from rules.draws import WrittenOutcome, replay_draws
from rules.errors import BrokenMatch, WrongFairnessCode
from rules.matchfile import MatchFile, replay_match
from rules.model import CHANCE, Seat
from rules.notation import ABSENT_MARK, seat_letter, verb_of, write_action
from rules.random_stream import SHORT_CODE_LENGTH, fits_fairness_code
from rules.record import Cut, Record, Reseal, Undo
from rules.text import listed


class ProvedOutcome(msgspec.Struct, frozen=True, gc=False):
    """One outcome of chance that the key of the deals gives."""

    ply: int
    """The number of its record."""
    kind: str
    seat: Seat | None
    number: int
    """How many outcomes of its kind for its seat counted before it."""
    text: str


class ProvedCode(msgspec.Struct, frozen=True, gc=False):
    """A fairness code that the file proves, and the cuts that followed it."""

    ply: int
    """The number of the reseal's record; 0: the first code, published before the game."""
    code: str
    cuts: tuple[Record, ...]


class Proof(msgspec.Struct, frozen=True, gc=False):
    """What ``prove`` has shown: the seed fits the codes, and the seed and the cuts give these outcomes."""

    match_id: str
    codes: tuple[ProvedCode, ...]
    """The first code, then one of each reseal."""
    outcomes: tuple[ProvedOutcome, ...]
    record_count: int
    ended_early: bool
    seen_code: ProvedCode | None
    """The code that the player saw; None: none was given to compare."""

    @property
    def text(self) -> str:
        """The proof as text: one line for each outcome, and what it proves."""
        lines = []
        for each in self.outcomes:
            seat_text = ABSENT_MARK if each.seat is None else seat_letter(each.seat)
            lines.append(f"Record {each.ply}, stream {each.kind} {seat_text} {each.number}: {each.text}")
        count = len(self.outcomes)
        lines.append(
            f"Proved: the seed of match {self.match_id} fits the fairness code {self.codes[0].code}. "
            f"{'The one outcome' if count == 1 else f'All {count} outcomes'} of chance in this file follow"
            f"{'s' if count == 1 else ''} from it."
        )
        lines.append(self._cut_line())
        lines += [_reseal_line(each) for each in self.codes[1:]]
        if self.ended_early:
            lines.append(f"The game ended early, after record {self.record_count}, so it has no result.")
        lines.append(self._code_line())
        return "\n".join(lines)

    def _cut_line(self) -> str:
        cuts = self.codes[0].cuts
        if cuts:
            return (
                f"The deals were drawn from the seed and the words of {_cutters_text(cuts)}. The operator "
                "cannot have planned them, unless in league with the last of these players to cut."
            )
        return (
            "Nobody cut the deck, so the deals were drawn from the seed alone. Nobody changed them after the "
            "code was posted, but the operator could have chosen the seed."
        )

    def _code_line(self) -> str:
        if self.seen_code is None:
            return (
                "This file vouches only for itself: compare its code with the one that you saw before the "
                "game, or run this command with --code and that code."
            )
        if self.seen_code.ply:
            return f"The code that you saw is the one of the reseal, record {self.seen_code.ply}."
        return "The code that you saw is the first one of this match."


def _reseal_line(proved: ProvedCode) -> str:
    words = [f"the words of {_cutters_text(proved.cuts)}"] if proved.cuts else []
    return (
        f"Record {proved.ply}: a backup was restored and later moves were lost. The game went on under a new "
        f"code, {proved.code}. Its deals follow from "
        f"{listed(['the earlier key', 'the number of records', *words])}. "
        "Restoring to this place again gives the same key, so it is no second draw."
    )


def _cutters_text(cuts: tuple[Record, ...]) -> str:
    return listed(
        [
            f"{seat_letter(cut.actor)} ({cut.action.first} {cut.action.second})"
            for cut in cuts
            if isinstance(cut.action, Cut)
        ]
    )


def prove(file: MatchFile, code: str | None = None) -> Proof:
    """Derive every outcome of chance, undone ones too, from the seed and the cuts, and return the proof.

    This is done first without the rules, from the file's lines of draws; then by a replay, which shows that
    the draws were made from the items that the rules demand.  ``code``: a fairness code that a player saw (64
    hex digits), or its beginning.  Raises BrokenMatch; WrongFairnessCode if ``code`` is too short, malformed
    or not one of the file's.
    """
    if not file.is_full:
        raise BrokenMatch(0, "it holds what one viewer may know; the whole file comes when the game is over")
    if file.seed is None or file.fairness_code is None:
        raise BrokenMatch(0, "a proof needs the seed and the fairness code in the file")
    if not fits_fairness_code(file.match_id, file.seed, file.fairness_code):
        raise BrokenMatch(0, "the seed is not the one that was committed to")
    codes = tuple(_read_codes(file, file.fairness_code.lower()))
    seen_code = None if code is None else _find_code(codes, code)
    if len(file.outcomes) != sum(record.actor == CHANCE for record in file.records):
        raise BrokenMatch(0, "a proof needs the draws in the file")
    outcomes = tuple(_prove_outcomes(file, file.seed))
    match = replay_match(file)
    replayed_outcomes = replay_draws(file.game, file.seat_count, file.options, file.seed, file.records)
    for proved, written, replayed in zip(outcomes, file.outcomes, replayed_outcomes, strict=True):
        if written != replayed:
            raise BrokenMatch(proved.ply, "the rules draw this from something else")
    return Proof(file.match_id, codes, outcomes, len(file.records), not match.is_over, seen_code)


def _read_codes(file: MatchFile, first_code: str) -> Iterator[ProvedCode]:
    """Yield the codes of the file with the cuts after each; ``replay_match`` checks the codes."""
    proved, cuts = ProvedCode(0, first_code, ()), list[Record]()
    for ply, record in enumerate(file.records, 1):
        if isinstance(record.action, Cut):
            cuts.append(record)
        elif isinstance(record.action, Reseal):
            yield msgspec.structs.replace(proved, cuts=tuple(cuts))
            proved, cuts = ProvedCode(ply, record.action.code, ()), []
    yield msgspec.structs.replace(proved, cuts=tuple(cuts))


def _find_code(codes: tuple[ProvedCode, ...], code: str) -> ProvedCode:
    searched_code = code.strip(" …\n").lower()
    if not re.fullmatch("[0-9a-f]+", searched_code) or len(searched_code) < SHORT_CODE_LENGTH:
        raise WrongFairnessCode(
            f"a fairness code has 64 hex digits: give the first {SHORT_CODE_LENGTH} or all"
        )
    for each in codes:
        if each.code.startswith(searched_code):
            return each
    raise WrongFairnessCode(
        "this file does not have the fairness code that you saw: it is of another game, or the seed or the "
        "file was exchanged"
    )


def _prove_outcomes(file: MatchFile, seed: bytes) -> Iterator[ProvedOutcome]:
    """Check each outcome against the key that it was drawn with, without the rules."""
    outcomes = iter(file.outcomes)
    deal_key = DealKey(key=seed)
    history: list[WrittenOutcome | None] = []
    counts: Counter[tuple[str, Seat | None]] = Counter()
    for ply, record in enumerate(file.records, 1):
        deal_key = deal_key.after_record(record, ply - 1, len(history))
        if isinstance(record.action, Undo):
            counts.subtract((each.kind, each.seat) for each in history[record.action.kept_length :] if each)
            del history[record.action.kept_length :]
            continue
        if isinstance(record.action, Cut | Reseal):
            continue
        written = next(outcomes) if record.actor == CHANCE else None
        if written is not None:
            assert deal_key.key is not None
            _check_outcome(ply, record, written, counts[written.kind, written.seat], deal_key.key)
            counts[written.kind, written.seat] += 1
            yield ProvedOutcome(ply, written.kind, written.seat, written.number, write_action(record.action))
        history.append(written)


def _check_outcome(ply: int, record: Record, written: WrittenOutcome, earlier_count: int, key: bytes) -> None:
    if (written.kind, written.number) != (verb_of(type(record.action)), earlier_count):
        raise BrokenMatch(ply, "it was drawn from another stream")
    if not written.is_drawn_with(key):
        raise BrokenMatch(ply, "the seed gives another outcome")
    items = iter(re.split("[ ,]", write_action(record.action)))
    if not all(item in items for item in written.drawn):
        raise BrokenMatch(ply, "it does not hold what was drawn")
