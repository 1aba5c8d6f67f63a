"""Match files changed by a careful forger, who numbers the records and the draws anew."""

import math
import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final

import msgspec

from rules.cut_words import CUT_WORDS
from rules.deal_key import replay_control_actions
from rules.draws import WrittenDraw, WrittenOutcome
from rules.matchfile import MatchFile
from rules.model import CHANCE, Seat
from rules.notation import Notation, write_action
from rules.random_stream import SEED_BYTES, RandomStream, make_fairness_code
from rules.record import Cut, Record, Reseal, Undo

Forgery = Callable[[MatchFile, random.Random], MatchFile | None]
"""Changes something; None: there is nothing of that kind in the file."""
_MIN_IMPROBABILITY_BITS: Final = 40
"""Another key gives the same outcomes by chance with a probability of one in two to this power."""
Rows = list[tuple[Record, WrittenOutcome | None]]
"""The records, each with its draws if it is an outcome of chance."""


def _rows(file: MatchFile) -> Rows:
    outcomes = iter(file.outcomes)
    return [(record, next(outcomes) if record.actor == CHANCE else None) for record in file.records]


def _with_rows(file: MatchFile, rows: Rows) -> MatchFile:
    outcomes = tuple(outcome for _, outcome in rows if outcome is not None)
    return replace(file, records=tuple(record for record, _ in rows), outcomes=outcomes)


def _history_indexes(rows: Rows) -> list[int]:
    """Return the indexes of the records that the history has at the end."""
    history: list[int] = []
    for index, (record, _) in enumerate(rows):
        if isinstance(record.action, Undo):
            del history[record.action.kept_length :]
        elif not isinstance(record.action, Cut | Reseal):
            history.append(index)
    return history


def _without_record(rows: Rows, dropped_index: int) -> Rows:
    """Drop a record of the history; later undos that kept it keep one record less."""
    history_index = len(_history_indexes(rows[: dropped_index + 1])) - 1
    remaining = list(rows)
    for index in range(dropped_index + 1, len(rows)):
        record, _ = rows[index]
        if isinstance(record.action, Undo) and record.action.kept_length > history_index:
            remaining[index] = (
                msgspec.structs.replace(record, action=Undo(record.action.kept_length - 1)),
                None,
            )
    del remaining[dropped_index]
    return remaining


def _variable_draws(rows: Rows) -> Iterator[tuple[int, WrittenOutcome, int]]:
    """Yield each draw that could have been another: record index, outcome, index of the draw in it."""
    for index, (_, outcome) in enumerate(rows):
        for draw_index, draw in enumerate(outcome.draws if outcome else ()):
            if outcome is not None and draw.drawn and set(draw.remaining) - set(draw.drawn):
                yield index, outcome, draw_index


def _redraw_record(
    file: MatchFile, record: Record, outcome: WrittenOutcome, draw_index: int, new_draw: WrittenDraw
) -> Record:
    """Return the record with something else drawn by one of its draws."""
    tokens = re.split("([ ,])", write_action(record.action))
    items, old_items = tokens[::2], list(outcome.draws[draw_index].drawn)
    first = 1 + sum(len(draw.drawn) for draw in outcome.draws[:draw_index])
    index = next(
        index for index in range(first, len(items)) if items[index : index + len(old_items)] == old_items
    )
    items[index : index + len(old_items)] = new_draw.drawn
    assert len(new_draw.drawn) == len(old_items)
    tokens[::2] = items
    return msgspec.structs.replace(record, action=Notation(file.game).parse("".join(tokens)))


def _with_draw(
    file: MatchFile, rows: Rows, index: int, draw_index: int, draw: WrittenDraw, *, updates_draws: bool
) -> MatchFile:
    """Draw something else; ``updates_draws``: the line of draws says so as well, not the record alone."""
    record, outcome = rows[index]
    assert outcome is not None
    draws = (*outcome.draws[:draw_index], draw, *outcome.draws[draw_index + 1 :])
    record = _redraw_record(file, record, outcome, draw_index, draw)
    rows[index] = (record, msgspec.structs.replace(outcome, draws=draws) if updates_draws else outcome)
    return _with_rows(file, rows)


def _forge_card(file: MatchFile, rng: random.Random, *, updates_draws: bool) -> MatchFile | None:
    rows = _rows(file)
    draws = list(_variable_draws(rows))
    if not draws:
        return None
    index, outcome, draw_index = rng.choice(draws)
    draw = outcome.draws[draw_index]
    drawn = list(draw.drawn)
    drawn[rng.randrange(len(drawn))] = rng.choice(sorted(set(draw.remaining) - set(draw.drawn)))
    if not draw.is_ordered:
        drawn.sort(key=draw.items.index)
    forged = msgspec.structs.replace(draw, drawn=tuple(drawn))
    return _with_draw(file, rows, index, draw_index, forged, updates_draws=updates_draws)


def draw_another_card(file: MatchFile, rng: random.Random) -> MatchFile | None:
    """Deal another card of the same pile, in the record and in its draws."""
    return _forge_card(file, rng, updates_draws=True)


def show_another_card(file: MatchFile, rng: random.Random) -> MatchFile | None:
    """Deal another card than the draws say."""
    return _forge_card(file, rng, updates_draws=False)


def _stack_draw(file: MatchFile, index: int, rng: random.Random) -> MatchFile | None:
    """Put a second copy of an item in the place of another one, and draw from that."""
    outcome = dict(_outcomes_with_one_draw(file))[index]
    draw, items = outcome.draws[0], list(outcome.draws[0].items)
    replaced, doubled = rng.sample(range(len(items)), 2)
    items[replaced] = items[doubled]
    if tuple(items) == draw.items:
        return None
    return _redraw_outcome(file, index, outcome, msgspec.structs.replace(draw, items=tuple(items)))


def stack_the_deck(file: MatchFile, rng: random.Random) -> MatchFile | None:
    """Exchange a card of the largest pile that is drawn from."""
    sizes = {index: len(outcome.draws[0].items) for index, outcome in _outcomes_with_one_draw(file)}
    return _stack_draw(file, max(sizes, key=sizes.__getitem__), rng) if sizes else None


def stack_the_first_draw(file: MatchFile, rng: random.Random) -> MatchFile | None:
    """Exchange an item of what is drawn from first: in many games the seats, for the first player."""
    outcomes = _outcomes_with_one_draw(file)
    return _stack_draw(file, outcomes[0][0], rng) if outcomes else None


def _redraw_outcome(
    file: MatchFile, index: int, source: WrittenOutcome, draw_inputs: WrittenDraw
) -> MatchFile:
    """Return the file up to a record, whose only draw, of ``draw_inputs``, is by ``source``'s stream."""
    rows = _rows(file)[: index + 1]
    key = replay_control_actions(file.seed, file.records[:index])[1].key
    record, outcome = rows[index]
    assert key is not None
    assert outcome is not None
    stream = RandomStream(key, source.number, kind=source.kind, seat=source.seat)
    sample = stream.sample_ordered if draw_inputs.is_ordered else stream.sample_unordered
    drawn = sample(draw_inputs.items, len(draw_inputs.drawn))
    draw = msgspec.structs.replace(draw_inputs, drawn=drawn)
    record = _redraw_record(file, record, outcome, 0, draw)
    rows[index] = (record, msgspec.structs.replace(source, draws=(draw,)))
    return _with_rows(file, rows)


def _outcomes_with_one_draw(file: MatchFile) -> list[tuple[int, WrittenOutcome]]:
    """Return the outcomes that had one draw, which could have been another."""
    return [
        (index, outcome)
        for index, (_, outcome) in enumerate(_rows(file))
        if outcome is not None and len(outcome.draws) == 1 and outcome.draws[0].remaining
    ]


def draw_from_a_later_stream(file: MatchFile, rng: random.Random) -> MatchFile | None:
    """Skip some numbers of a stream, as a forger does who looks for a better draw."""
    if not (outcomes := _outcomes_with_one_draw(file)):
        return None
    index, outcome = rng.choice(outcomes)
    later = msgspec.structs.replace(outcome, number=outcome.number + rng.randrange(1, 5))
    return _redraw_outcome(file, index, later, outcome.draws[0])


def draw_from_another_seats_stream(file: MatchFile, rng: random.Random) -> MatchFile | None:
    """Draw for one seat, or for the whole table, from the stream of another seat that has none yet."""
    if not (outcomes := _outcomes_with_one_draw(file)):
        return None
    index, outcome = rng.choice(outcomes)
    seats = {each.seat for earlier, each in outcomes if each.kind == outcome.kind and earlier <= index}
    other = next((Seat(seat) for seat in range(file.seat_count) if seat not in seats), None)
    if other is None:
        return None
    return _redraw_outcome(
        file, index, msgspec.structs.replace(outcome, seat=other, number=0), outcome.draws[0]
    )


def draw_in_another_way(file: MatchFile, rng: random.Random) -> MatchFile | None:
    """Draw in order what is drawn without one, or the other way round."""
    outcomes = [
        (index, outcome)
        for index, outcome in _outcomes_with_one_draw(file)
        if len(outcome.draws[0].drawn) > 1
    ]
    if not outcomes:
        return None
    index, outcome = rng.choice(outcomes)
    draw = outcome.draws[0]
    forged = _redraw_outcome(
        file, index, outcome, msgspec.structs.replace(draw, is_ordered=not draw.is_ordered)
    )
    return None if forged.outcomes[-1].draws[0].drawn == draw.drawn else forged


def drop_an_outcome(file: MatchFile, rng: random.Random) -> MatchFile | None:
    """Leave out an outcome of chance that others of its kind and seat follow."""
    rows = _rows(file)
    outcomes = [(index, rows[index][1]) for index in _history_indexes(rows)]
    indexed_kinds = [
        (index, (outcome.kind, outcome.seat)) for index, outcome in outcomes if outcome is not None
    ]
    candidates = [
        index
        for index, kind in indexed_kinds
        if any(kind == other_kind and later_index > index for later_index, other_kind in indexed_kinds)
    ]
    return _with_rows(file, _without_record(rows, rng.choice(candidates))) if candidates else None


def swap_outcomes(file: MatchFile, rng: random.Random) -> MatchFile | None:
    """Exchange two neighbouring outcomes of one kind."""
    rows = _rows(file)
    outcome_indexes = [
        index for index in _history_indexes(rows) if (outcome := rows[index][1]) is not None and outcome.draws
    ]
    pairs = [
        (first, second)
        for first, second in pairwise(outcome_indexes)
        if write_action(rows[first][0].action).split()[0] == write_action(rows[second][0].action).split()[0]
    ]
    if not pairs:
        return None
    first, second = rng.choice(pairs)
    rows[first], rows[second] = rows[second], rows[first]
    return _with_rows(file, rows)


def take_from_chance(file: MatchFile, rng: random.Random) -> MatchFile | None:
    """Write an outcome of chance as a choice of a seat."""
    rows = _rows(file)
    outcome_indexes = [index for index, (_, outcome) in enumerate(rows) if outcome is not None]
    if not outcome_indexes:
        return None
    index = rng.choice(outcome_indexes)
    rows[index] = (Record(Seat(0), rows[index][0].action), None)
    return _with_rows(file, rows)


def _improbability_bits(rows: Rows) -> float:
    """Return how improbable it is, in bits, that another key gives the same outcomes."""
    draws = [draw for _, outcome in rows for draw in (outcome.draws if outcome else ())]
    return sum(
        math.log2((math.perm if draw.is_ordered else math.comb)(len(draw.items), len(draw.drawn)))
        for draw in draws
    )


def _decisive_indexes(rows: Rows, kind: type[Cut | Reseal]) -> list[int]:
    """Return the indexes of the cuts or reseals on which later outcomes depend."""
    return [
        index
        for index, (record, _) in enumerate(rows)
        if isinstance(record.action, kind) and _improbability_bits(rows[index:]) > _MIN_IMPROBABILITY_BITS
    ]


def _forge_cut(
    file: MatchFile, rng: random.Random, change: Callable[[Record, Cut], Record | None]
) -> MatchFile | None:
    rows = _rows(file)
    cut_indexes = _decisive_indexes(rows, Cut)
    if not cut_indexes:
        return None
    index = rng.choice(cut_indexes)
    record = rows[index][0]
    assert isinstance(record.action, Cut)
    changed = change(record, record.action)
    rows[index : index + 1] = [] if changed is None else [(changed, None)]
    return _with_rows(file, rows)


def write_other_words(file: MatchFile, rng: random.Random) -> MatchFile | None:
    """Replace a word of a cut."""
    other = rng.choice(CUT_WORDS)
    return _forge_cut(
        file,
        rng,
        lambda record, cut: Record(record.actor, Cut(cut.first, other if other != cut.second else "zoo")),
    )


def swap_words(file: MatchFile, rng: random.Random) -> MatchFile | None:
    """Exchange the two words of a cut."""
    return _forge_cut(file, rng, lambda record, cut: Record(record.actor, Cut(cut.second, cut.first)))


def cut_for_another_seat(file: MatchFile, rng: random.Random) -> MatchFile | None:
    """Write a cut as another seat's."""
    return _forge_cut(file, rng, lambda record, cut: Record(Seat((record.actor + 1) % file.seat_count), cut))


def drop_a_cut(file: MatchFile, rng: random.Random) -> MatchFile | None:
    """Leave out a cut."""
    return _forge_cut(file, rng, lambda record, cut: None)


def swap_cuts(file: MatchFile, rng: random.Random) -> MatchFile | None:
    """Exchange two cuts that follow each other."""
    rows = _rows(file)
    cut_indexes = _decisive_indexes(rows, Cut)
    pairs = [index for index in cut_indexes if index + 1 in cut_indexes]
    if not pairs:
        return None
    index = rng.choice(pairs)
    rows[index], rows[index + 1] = rows[index + 1], rows[index]
    return _with_rows(file, rows)


def drop_a_reseal(file: MatchFile, rng: random.Random) -> MatchFile | None:
    """Leave out a reseal."""
    rows = _rows(file)
    reseal_indexes = _decisive_indexes(rows, Reseal)
    if not reseal_indexes:
        return None
    del rows[rng.choice(reseal_indexes)]
    return _with_rows(file, rows)


def change_a_reseal_code(file: MatchFile, rng: random.Random) -> MatchFile | None:
    """Write another code of a reseal."""
    rows = _rows(file)
    reseal_indexes = [index for index, (record, _) in enumerate(rows) if isinstance(record.action, Reseal)]
    if not reseal_indexes:
        return None
    index = rng.choice(reseal_indexes)
    rows[index] = (msgspec.structs.replace(rows[index][0], action=Reseal(rng.randbytes(32).hex())), None)
    return _with_rows(file, rows)


def change_the_fairness_code(file: MatchFile, rng: random.Random) -> MatchFile:
    """Write another code in the header."""
    return replace(file, fairness_code=rng.randbytes(32).hex())


def change_the_match_id(file: MatchFile, rng: random.Random) -> MatchFile:
    """Write another match's id."""
    return replace(file, match_id=f"{file.match_id}0")


def change_the_seed(file: MatchFile, rng: random.Random) -> MatchFile | None:
    """Write another seed, with its own code."""
    if _improbability_bits(_rows(file)) < _MIN_IMPROBABILITY_BITS:
        return None
    seed = rng.randbytes(SEED_BYTES)
    return replace(file, seed=seed, fairness_code=make_fairness_code(file.match_id, seed))


FORGERIES: Final[Mapping[str, Forgery]] = {
    each.__name__: each
    for each in (
        draw_another_card,
        show_another_card,
        stack_the_deck,
        stack_the_first_draw,
        draw_from_a_later_stream,
        draw_from_another_seats_stream,
        draw_in_another_way,
        drop_an_outcome,
        swap_outcomes,
        take_from_chance,
        write_other_words,
        swap_words,
        cut_for_another_seat,
        drop_a_cut,
        swap_cuts,
        drop_a_reseal,
        change_a_reseal_code,
        change_the_fairness_code,
        change_the_match_id,
        change_the_seed,
    )
}


def drop_a_line(text: str, rng: random.Random) -> str:
    """Leave out a record or a line of draws, but none of the last ones, and keep the other numbers."""
    lines = text.splitlines()
    record_line_indexes: Sequence[int] = [
        index for index, line in enumerate(lines) if line[:1].isdigit() or line.startswith("<")
    ]
    del lines[rng.choice(record_line_indexes[:-2])]
    return "\n".join(lines)
