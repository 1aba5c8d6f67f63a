"""T14: each of the platform's faults, while people play.

After it every stored move has a board of that or a later move, nothing is posted twice, nothing older after
something newer, and nobody is left without an answer where one was possible.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from pathlib import Path

import pytest

from bot.local.faults import InjectedFault
from bot.local.model import Message
from tests.bot.e2e.observe import read_response, response_limit, wait_until
from tests.bot.e2e.platform_faults import (
    CALLBACK_ROUTE,
    FAULT_CASES,
    PLAYER_PAIRS,
    PlayedTables,
    count_moves_once_connected,
    delay_interactions,
    move_once_connected,
    require_move,
    type_move,
)
from tests.bot.e2e.rig import Rig
from tests.bot.e2e.seeded_defects import DEFECTS
from tests.trials import WAIT_TIMEOUT, cases, trial_count

pytestmark = pytest.mark.asyncio(loop_scope="module")

TRIAL_COUNT = trial_count(short=2, soak=100)
SHORT_RUN_CASES = (
    "post 500",
    "post 503 after",
    "post cut after",
    "post cut body",
    "post 429",
    "post 50013",
    "edit 10008",
    "edit 30046",
    "edit 401",
    "answer 503 after",
    "answer cut",
    "answer 40060 after",
    "answer 40060",
    "answer 10062",
)
"""Each kind of fault once, at the request that it concerns most."""


@pytest.fixture(scope="module")
def played_tables_cache() -> list[PlayedTables]:
    """Return a list for the module's tables: the first test that needs them adds them."""
    return []


@pytest.fixture
def played_tables(rig: Rig, played_tables_cache: list[PlayedTables]) -> PlayedTables:
    """Return the module's tables."""
    if not played_tables_cache:
        played_tables_cache.append(PlayedTables(rig))
    return played_tables_cache[0]


@pytest.mark.trust_test("T14")
@pytest.mark.parametrize("case_name", cases(FAULT_CASES, *SHORT_RUN_CASES))
async def test_a_move_is_made_once_under_each_fault(
    played_tables: PlayedTables, case_name: str, add_trials: Callable[[int], None]
) -> None:
    """T14: with any fault of a request the move is made once, answered where possible, and drawn."""
    remaining = TRIAL_COUNT
    while remaining > 0:
        hit_count = await played_tables.play_under_fault(
            FAULT_CASES[case_name], min(remaining, FAULT_CASES[case_name].max_hit_count)
        )
        remaining -= hit_count
        add_trials(hit_count)


# The gateway -------------------------------------------------------------------------------------------

GATEWAY_BREAKS = (
    "cut",
    "reconnect",
    "invalid session",
    "resumable session",
    "replayed events",
    "lost events",
)


async def break_gateway(rig: Rig, break_name: str) -> None:
    """Break the connection to the gateway in one of these ways."""
    gateway = rig.discord.gateway
    match break_name:
        case "cut":
            gateway.cut_connections()
        case "reconnect":
            gateway.request_reconnect()
        case "invalid session":
            gateway.invalidate_sessions()
        case "resumable session":
            gateway.invalidate_sessions(resumable=True)
        case "lost events":
            gateway.sessions.clear()  # whatever is sent from now on reaches nobody, and cannot be resumed
            gateway.cut_connections()
        case "replayed events":
            assert gateway.replay_events(len(PLAYER_PAIRS), "INTERACTION_CREATE")


@pytest.mark.trust_test("T14")
@pytest.mark.parametrize(
    "break_name", cases(GATEWAY_BREAKS, "reconnect", "invalid session", "replayed events", "lost events")
)
async def test_play_goes_on_after_each_break_of_the_gateway(
    played_tables: PlayedTables, break_name: str, add_trials: Callable[[int], None]
) -> None:
    """T14: with any fault of the gateway a confirmed choice is made once, and play goes on."""
    rig = played_tables.rig
    for _ in range(-(-TRIAL_COUNT // len(PLAYER_PAIRS))):
        games = await played_tables.open_games()
        move_counts = [await game.count_moves() for game in games]
        moves = [await require_move(game) for game in games]
        with response_limit():
            requests = [asyncio.ensure_future(type_move(*move)) for move in moves]
            await asyncio.sleep(0.01)
            await break_gateway(rig, break_name)
            answers = await asyncio.gather(*requests)
        await wait_until(lambda: rig.discord.gateway.is_connected or None, awaited="the bot's return")
        await played_tables.settle_and_check_order(games)
        for game, count, text in zip(games, move_counts, answers, strict=True):
            counted = await count_moves_once_connected(game)
            assert counted in ({count + 1} if text else {count, count + 1}), "not once"
        for game in games:
            if game.result() is None:
                await move_once_connected(game)
                await played_tables.check_board_comes(game)
        add_trials(len(games))


# Too late to be answered -------------------------------------------------------------------------------


async def _wait_for_hits(fault: InjectedFault, count: int) -> None:
    await wait_until(lambda: fault.hit_count == count or None, awaited="requests that meet the fault")


async def type_late_moves(played_tables: PlayedTables) -> None:
    """Type moves that reach the bot late.  They must be made exactly where they can be answered."""
    for is_answerable in (True, False):
        games = await played_tables.open_games()
        move_counts = [await game.count_moves() for game in games]
        moves = [await require_move(game) for game in games]
        with delay_interactions(played_tables.rig):
            fault = InjectedFault("POST", CALLBACK_ROUTE, status=404, code=10062, max_hit_count=len(games))
            if not is_answerable:
                played_tables.rig.discord.faults.add(fault)
            with contextlib.nullcontext() if is_answerable else response_limit():
                answers = await asyncio.gather(*(type_move(*move) for move in moves))
        if not is_answerable:
            await _wait_for_hits(fault, len(games))
        played_tables.rig.discord.faults.clear()
        await asyncio.sleep(0.2)
        for game, count, text in zip(games, move_counts, answers, strict=True):
            assert (text is not None) == is_answerable, "no answer where one was possible"
            assert await count_moves_once_connected(game) == count + is_answerable, (
                "made, though it could not be answered"
            )
        for game in games:
            if is_answerable:
                await played_tables.check_board_comes(game)


@pytest.mark.trust_test("T14")
async def test_a_move_that_comes_too_late_changes_nothing(
    played_tables: PlayedTables, add_trials: Callable[[int], None]
) -> None:
    """T14, P4: what comes too late to be answered (10062) changes nothing; what comes late is answered."""
    for _ in range(-(-TRIAL_COUNT // len(PLAYER_PAIRS))):
        await type_late_moves(played_tables)
        add_trials(2 * len(PLAYER_PAIRS))


async def play_with_closed_messages(
    rig: Rig, names: tuple[str, str], timeout_seconds: float = WAIT_TIMEOUT
) -> None:
    """Play while a player's messages are closed (50007): everyone reads so once; later My hand works."""
    tables = PlayedTables(rig, timeout_seconds=timeout_seconds, player_pairs=(names,))
    member = rig.member(names[0])
    member.set_dms_closed(closed=True)
    try:
        (game,) = await tables.open_games()
        member = game.person(names[0])

        def find_notices() -> list[Message]:
            return [
                each for each in game.public_messages() if "cannot send you direct messages" in each.content
            ]

        await wait_until(
            lambda: find_notices() or None, timeout_seconds, awaited="a word about closed messages"
        )
        await move_once_connected(game)
        await tables.check_board_comes(game)
        assert len(find_notices()) == 1, "said more than once"
        message_count = len(member.messages(member.dm))
    finally:
        member.set_dms_closed(closed=False)
    await read_response(await member.press(await game.current_board(), "My hand"))
    await wait_until(
        lambda: len(member.messages(member.dm)) > message_count or None,
        timeout_seconds,
        awaited="the hand, once it can be sent",
    )
    await move_once_connected(game)
    await tables.check_board_comes(game)


@pytest.mark.trust_test("T14")
async def test_a_game_goes_on_with_closed_direct_messages(
    rig: Rig, add_trials: Callable[[int], None]
) -> None:
    """T14: a player's direct messages are closed (50007) and opened again: the game goes on, drawn."""
    for _ in range(TRIAL_COUNT):
        await play_with_closed_messages(rig, ("Gita", "Hugo"))
        add_trials(1)


# The defects that it must catch ------------------------------------------------------------------------

CASE_BY_DEFECT = {
    "renew_nonces": "post cut after",
    "drop_failed_deliveries": "post cut",
    "drop_failed_responses": "answer cut",
    "post_no_board_anew": "edit 10008",
    "defer_no_response": "late",
    "hide_closed_messages": "closed",
}


async def is_defect_caught(folder: Path, defect: str) -> bool:
    """Run a bot with this defect; return whether it fails the case that is meant for it in a few rounds."""
    rig, case_name = Rig(folder), CASE_BY_DEFECT[defect]
    rig.program = ("-m", "tests.bot.e2e.seeded_defects", defect)
    async with rig.running():
        try:
            if case_name == "closed":
                await play_with_closed_messages(rig, PLAYER_PAIRS[0], timeout_seconds=4.0)
                return False
            tables = PlayedTables(rig, timeout_seconds=4.0, player_pairs=PLAYER_PAIRS[:1])
            await tables.open_games()
            for _ in range(8):
                await (
                    type_late_moves(tables)
                    if case_name == "late"
                    else tables.play_under_fault(FAULT_CASES[case_name], FAULT_CASES[case_name].max_hit_count)
                )
        except (AssertionError, TimeoutError):
            return True
    return False


@pytest.mark.trust_test("T14", sensitivity=True)
@pytest.mark.parametrize("defect", cases(CASE_BY_DEFECT, "renew_nonces", "drop_failed_responses"))
async def test_each_defect_is_caught(tmp_path: Path, defect: str) -> None:
    """A bot with this defect fails the case that is meant for it."""
    assert await is_defect_caught(tmp_path, defect)


async def test_every_defect_has_a_case() -> None:
    """There is a case for each defect; test_lost_answers.py catches the one that is missing here."""
    assert set(CASE_BY_DEFECT) == set(DEFECTS) - {"supersede_lost_posts"}
