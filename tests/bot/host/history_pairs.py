"""Pairs of tables whose whole games differ: at the other one, cards that a viewer never saw are exchanged."""

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

import msgspec

from bot.host.loading import parse_records
from bot.store.rows import RecordRow
from rules.errors import RulesError
from rules.game import AnyGame
from rules.match import Match
from rules.model import Action, Seat
from rules.notation import write_action
from rules.players import RANDOM_PLAYER
from rules.record import Record
from tests.bot.chat.sample_tables import make_table
from tests.bot.host.table_pairs import TablePair
from tests.conformance.setups import GameSetup, covering_setups

_CARD_PATTERN: Final = re.compile(r"[A-Z0-9]{2,}")
"""A card's code in the text of a record; a seat's letter is none."""
_MAX_EXCHANGES: Final = 8
"""How many exchanges of two cards are tried at a position."""
_MAX_POSITIONS: Final = 4
"""Positions that are looked at in one game."""


def history_pairs(game: AnyGame, count: int, rng: random.Random) -> Iterator[TablePair]:
    """Yield pairs from random games; their histories look the same to the viewer, but are not the same."""
    setups, pair_count = covering_setups(game), 0
    while True:
        setup = rng.choice(setups)
        match = _play_game(setup, rng)
        choice_indexes = [index for index, record in enumerate(match.history) if index and record.is_choice]
        for length in rng.sample(choice_indexes, min(_MAX_POSITIONS, len(choice_indexes))):
            viewer = rng.choice([None, *(Seat(seat) for seat in range(setup.seat_count))])
            pair = _make_pair(setup, match, length, viewer, rng)
            if pair is not None:
                yield pair
                pair_count += 1
            if pair_count == count:
                return


def _play_game(setup: GameSetup, rng: random.Random) -> Match:
    match = Match.begin(setup.game, setup.seat_count, setup.options, rng.randbytes(32))
    while (seat := match.to_act) is not None:
        match = match.play(seat, RANDOM_PLAYER.choose(setup.game, match.view(seat), rng))
    return match


def _make_pair(
    setup: GameSetup, match: Match, length: int, viewer: Seat | None, rng: random.Random
) -> TablePair | None:
    """Return the table after so many records beside one at which two unseen cards are exchanged.

    None if no exchange was found that the rules allow.
    """
    past = replace(match.at_length(length), deal_key=match.deal_key)
    seen_cards = {
        card for record in past.history for card in _cards_of(record.action.seen_by(viewer, record.actor))
    }
    unseen_cards = sorted(
        {card for record in past.history for card in _cards_of(record.action)}.difference(seen_cards)
    )
    undealt_cards = sorted(
        {card for record in match.history[length:] for card in _cards_of(record.action)}.difference(
            seen_cards, unseen_cards
        )
    )
    for _ in range(_MAX_EXCHANGES if unseen_cards else 0):
        first, second = rng.choice(unseen_cards), rng.choice(unseen_cards + undealt_cards)
        other = _with_exchange(setup, past, first, second)
        if other is None or other.digest() == past.digest() or other.view(viewer) != past.view(viewer):
            continue
        one_table, other_table = make_table(setup, past), make_table(setup, other)
        row = msgspec.structs.replace(one_table.row, snapshot=other_table.row.snapshot)
        typed_moves = [write_action(each.action) for each in match.history if each.actor >= 0][:5]
        return TablePair(
            one_table.with_log(), replace(other_table, row=row).with_log(), viewer, tuple(typed_moves)
        )
    return None


def _cards_of(action: Action) -> Sequence[str]:
    return _CARD_PATTERN.findall(write_action(action))


def _with_exchange(setup: GameSetup, match: Match, first: str, second: str) -> Match | None:
    """Return the match that its records give once two cards are exchanged; None if the rules forbid it."""
    other_by_card = {first: second, second: first}
    for must_sort in (False, True):
        rows = tuple(
            RecordRow(
                ply, record.actor, _exchange(record, other_by_card, must_sort=must_sort), record.auto, None, 0
            )
            for ply, record in enumerate(match.history, 1)
        )
        try:
            records = parse_records(setup.game, rows)
            other = Match.replay(setup.game, setup.seat_count, setup.options, None, records)
        except RulesError:
            continue
        return replace(other, deal_key=match.deal_key)
    return None


def _exchange(record: Record, other_by_card: dict[str, str], *, must_sort: bool) -> str:
    """Return the text of a record with cards exchanged; ``must_sort``: the game sorts the cards of a deal."""
    text = _CARD_PATTERN.sub(lambda found: other_by_card.get(found[0], found[0]), write_action(record.action))
    start, _, cards = text.rpartition(" ")
    if record.is_choice or not must_sort or "," not in cards:
        return text
    return f"{start} {','.join(sorted(cards.split(','), key=_natural_key))}"


def _natural_key(card: str) -> tuple[str, int]:
    letters = card.rstrip("0123456789")
    return letters, int(card[len(letters) :] or 0)
