"""Match files of whole and ended games, with cuts, undos, reseals and resignations."""

import random
from typing import Final

import msgspec

from rules.cut_words import CUT_WORDS
from rules.game import AnyGame
from rules.match import Match
from rules.matchfile import MatchFile, make_match_file
from rules.model import MODERATOR, Resign, Seat
from rules.players import CASUAL_PLAYER, RANDOM_PLAYER
from rules.random_stream import SEED_BYTES, make_fairness_code
from rules.record import Cut, Record
from tests.conformance.setups import short_covering_setups

MATCH_ID: Final = "dealt/7/1700000000"
_CASUAL_SHARES: Final = (0.0, 0.0, 0.0, 0.2)
"""The shares of a game's choices that Casual makes, each equally likely; Random, faster, makes the rest."""
_ENDED_EARLY_SHARE: Final = 0.4
"""The share of games of which only a part is played, as when their host ends them."""


def make_random_match_file(game: AnyGame, number: int) -> MatchFile:
    """Return the file of game ``number``: another table, and other things that change its deals."""
    rng = random.Random(f"{game.key}/{number}")
    setups = short_covering_setups(game)
    setup = setups[number % len(setups)]
    seed = rng.randbytes(SEED_BYTES)
    seats = [Seat(seat) for seat in range(setup.seat_count)]
    cutters = [seat for seat in seats if rng.random() < number % 3 / 2]
    cuts = [(seat, Cut(*rng.choices(CUT_WORDS, k=2))) for seat in cutters]
    match = Match.begin(game, setup.seat_count, setup.options, seed, cuts)
    records = list(match.new_records)
    casual_share = rng.choice(_CASUAL_SHARES)
    choices_left = rng.randrange(5, 60) if rng.random() < _ENDED_EARLY_SHARE else 100_000
    while (seat := match.to_act) is not None and choices_left:
        choices_left -= 1
        match = _play_step(match, seat, casual_share, rng)
        records += match.new_records
        if match.to_act is not None and not rng.randrange(80):
            match = _reseal(match, records, rng)
    # as the store gives them back: what follows from those before is known of a history only
    records = [msgspec.structs.replace(each, in_running_turn=False, ends_turn=False) for each in records]
    code = make_fairness_code(MATCH_ID, seed)
    return make_match_file(match, records, MATCH_ID, fairness_code=code, seed=seed, ended_early=True)


def _play_step(match: Match, seat: Seat, casual_share: float, rng: random.Random) -> Match:
    """Play a choice of a seat, or seldom undo something or resign the seat."""
    roll = rng.randrange(40)
    choices = [index for index, record in enumerate(match.history) if record.is_choice]
    if roll == 0 and choices:
        return match.undo(MODERATOR, rng.choice(choices[-6:]))
    if roll == 1 and (undo := match.possible_undo(seat)) is not None:
        return match.undo(seat, undo.kept_length)
    if roll == 2 and rng.randrange(9) == 0 and match.can_resign(seat):
        return match.play(seat, Resign())
    player = CASUAL_PLAYER if rng.random() < casual_share else RANDOM_PLAYER
    return match.play(seat, player.choose(match.game, match.view(seat), rng))


def _reseal(match: Match, records: list[Record], rng: random.Random) -> Match:
    """Reseal, as after a restored backup; perhaps some seats cut again, the last one first."""
    match = match.reseal(MATCH_ID)
    records += match.new_records
    for seat in reversed(range(match.seat_count)):
        if rng.random() < 0.3:
            match = match.cut(Seat(seat), *rng.choices(CUT_WORDS, k=2))
            records += match.new_records
    return match
