"""Samples of the pictures on the bot's pages: the summary of a game, a player's statistics, what happened."""

import asyncio
import random
from typing import Final

from msgspec.structs import replace

from bot.chat.animations import draw_recent_animation
from bot.chat.board_frames import recent_frames
from bot.chat.statistics_pages import statistics_page
from bot.host.table import Table
from bot.host.tables import Tables
from bot.store.results import NewResult, Participation, ResultPlayer
from bot.store.rows import Status
from bot.store.sqlite import open_store
from bot.summary import prepare_summary, render_summary
from render.catalogue import PICTURES
from rules.catalogue import GAMES
from rules.match import Match
from rules.matchfile import parse_match_file, replay_match
from rules.model import Seat
from rules.turns import last_turn_end
from tests.bot.chat.sample_tables import make_table
from tests.bot.store.sample_rows import LOBBY_ROW, make_change, next_version, opening_change
from tests.conformance.setups import GameSetup
from tests.golden.record import GOLDEN_FOLDER
from tests.render.decision_points import CAPTION

AUSTRALIS_RECORDING: Final = "australis/4-1-casual"
CURRENTS_RECORDING: Final = "currents/4-8-casual"
_CURRENTS_LENGTH: Final = 60
"""Records after which that game is shown."""
_GAME_COUNT: Final = 26
_START_TIME: Final = 1_788_000_000
_DAYS_APART: Final = 3


def recorded_match(name: str) -> Match:
    """Return a recorded game."""
    text = (GOLDEN_FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    return replay_match(parse_match_file(text, GAMES))


def page_samples() -> dict[str, bytes]:
    """Return the files: file name -> data."""
    match = recorded_match(AUSTRALIS_RECORDING)
    return {
        "summary.png": render_summary(prepare_summary(match, CAPTION, PICTURES[match.game.key])),
        "statistics.png": asyncio.run(_draw_statistics()),
        "what-happened.gif": asyncio.run(_draw_what_happened()),
    }


async def _draw_what_happened() -> bytes:
    """Draw what has happened since the last turn of the player whose turn it is, for that player."""
    match = recorded_match(CURRENTS_RECORDING).at_length(_CURRENTS_LENGTH)
    assert match.to_act is not None
    seat = Seat(match.to_act)
    sample_table = make_table(GameSetup(match.game, match.seat_count, match.options), match)
    table = Table(
        replace(sample_table.row, number=CAPTION.table_number), sample_table.game, sample_table.options, match
    )
    frames = recent_frames(match.history, last_turn_end(match.history, seat, match.to_act))
    lines = table.narrate(match, seat, frames[0].end, isolated=True)
    return (await draw_recent_animation(table, seat, frames, "After your turn", lines)).data


async def _draw_statistics() -> bytes:
    """Draw the statistics of the best of four players after random games, in which skill counts."""
    rng = random.Random(7)
    store = await open_store(":memory:")
    try:
        for number in range(1, _GAME_COUNT + 1):
            strengths = {seat: rng.gauss(-seat) for seat in range(4)}
            seats_by_strength = sorted(strengths, key=strengths.__getitem__, reverse=True)
            players = tuple(
                ResultPlayer(
                    seat,
                    Participation.PLAYED,
                    CAPTION.names[seat],
                    seats_by_strength.index(seat) + 1,
                    user=100 + seat,
                )
                for seat in range(4)
            )
            await store.commit(opening_change(number, game_key="australis"))
            finished_row = next_version(
                replace(LOBBY_ROW, number=number, game_key="australis"), status=Status.OVER
            )
            at = _START_TIME + number * _DAYS_APART * 86_400
            await store.commit(make_change(finished_row, result=NewResult(players), at=at))
        tables = Tables(store, GAMES)
        page = await statistics_page(tables, GAMES["australis"], LOBBY_ROW.guild, 100, CAPTION.names[0])
        _, (picture,) = await page.contents(as_text=False)
        return picture.data
    finally:
        await store.close()
