"""Tables that are played while the platform is at fault, and what must hold of them all the same."""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from bot.chat.response import MAX_ATTEMPTS
from bot.host.outbox import FIRST_RETRY_WAIT
from bot.local.api_errors import JsonObject
from bot.local.faults import InjectedFault
from bot.local.members import InteractionFailed, Member
from bot.local.model import ChannelType
from tests.bot.e2e.live_game import LiveGame
from tests.bot.e2e.observe import (
    RESPONSE_SECONDS,
    ObservedMessage,
    custom_ids_by_verb,
    ply_of,
    read_response,
    response_limit,
    wait_until,
)
from tests.bot.e2e.rig import Rig
from tests.trials import WAIT_TIMEOUT, trial_count

MESSAGES_ROUTE = "/channels/{channel_id}/messages"
"""The route on which a message is posted."""
MESSAGE_ROUTE = "/channels/{channel_id}/messages/{message_id}"
"""The route on which it is edited or deleted."""
THREADS_ROUTE = "/channels/{channel_id}/messages/{message_id}/threads"
"""The route on which a thread is opened at it."""
CALLBACK_ROUTE = "/interactions/{interaction_id}/{interaction_token}/callback"
"""The route of the first response to an interaction."""
PLAYER_PAIRS = (("Ava", "Ben"), ("Chloé", "Dimitri"), ("Elif", "Farid"))[: trial_count(2, soak=3)]
"""Who plays at the tables, all of which meet each fault."""
RATE_LIMIT_ARGUMENTS: dict[str, Any] = {
    "status": 429,
    "retry_after": 0.2,
    "message": "You are being rate limited.",
}
"""What makes an injected fault a rate limit."""
LATE_SECONDS = 1.7
"""Seconds after which an interaction reaches the bot: so late that it must be deferred first."""


@dataclass(frozen=True)
class FaultCase:
    """A fault, and whether the person whose request meets it can get an answer."""

    fault: InjectedFault
    is_answerable: bool = True
    max_hit_count: int = len(PLAYER_PAIRS)
    """How many requests of one round of moves may meet the fault."""
    seconds_after_first_hit: float = 0.0
    """Seconds for which the fault lasts after the first request has met it."""


def _faults_of_route(method: str, route: str, **status_by_code: int) -> dict[str, InjectedFault]:
    """Return the faults of the connection that any request may meet, and refusals with these codes."""
    faults = {
        "500": InjectedFault(method, route, status=500),
        "503 after": InjectedFault(method, route, status=503, mode="after"),
        "cut": InjectedFault(method, route, mode="cut"),
        "cut after": InjectedFault(method, route, mode="cut_after"),
        "cut body": InjectedFault(method, route, mode="cut_body"),
        "429": InjectedFault(method, route, **RATE_LIMIT_ARGUMENTS),
    }
    return faults | {
        code: InjectedFault(method, route, status=status, code=int(code))
        for code, status in status_by_code.items()
    }


def _make_fault_cases() -> dict[str, FaultCase]:
    faults_by_action = {
        "post": _faults_of_route("POST", MESSAGES_ROUTE, **{"50013": 403}),
        "edit": _faults_of_route("PATCH", MESSAGE_ROUTE, **{"10008": 404, "50013": 403}),
        "answer": _faults_of_route("POST", CALLBACK_ROUTE),
    }
    fault_cases = {
        f"{action} {kind}": FaultCase(
            fault, seconds_after_first_hit=0.2 if kind in {"50013", "10008"} else 0.0
        )
        for action, fault_by_kind in faults_by_action.items()
        for kind, fault in fault_by_kind.items()
    }
    for action, method, route in (("post", "POST", MESSAGES_ROUTE), ("edit", "PATCH", MESSAGE_ROUTE)):
        fault_cases[f"{action} 401"] = FaultCase(
            InjectedFault(method, route, status=401, message="401: Unauthorized")
        )
        fault_cases[f"{action} 404 without a code"] = FaultCase(
            InjectedFault(method, route, status=404, message="Not Found")
        )
        fault_cases[f"{action} 400 without a code"] = FaultCase(
            InjectedFault(method, route, status=400, message="Bad Request")
        )
    fault_cases["answer cut"] = FaultCase(
        InjectedFault("POST", CALLBACK_ROUTE, mode="cut"), max_hit_count=MAX_ATTEMPTS - 1
    )
    fault_cases["edit 30046"] = FaultCase(
        InjectedFault("PATCH", MESSAGE_ROUTE, **RATE_LIMIT_ARGUMENTS | {"code": 30046})
    )
    fault_cases["answer 40060 after"] = FaultCase(
        InjectedFault("POST", CALLBACK_ROUTE, status=400, code=40060, mode="after")
    )
    fault_cases["answer 40060"] = FaultCase(
        InjectedFault("POST", CALLBACK_ROUTE, status=400, code=40060), is_answerable=False
    )
    fault_cases["answer 10062"] = FaultCase(
        InjectedFault("POST", CALLBACK_ROUTE, status=404, code=10062), is_answerable=False
    )
    return fault_cases


FAULT_CASES = _make_fault_cases()


@dataclass
class PlayedTables:
    """Tables that are played at the same time; a game that is over is followed by another."""

    rig: Rig
    games: list[LiveGame] = field(default_factory=list)
    timeout_seconds: float = WAIT_TIMEOUT
    player_pairs: tuple[tuple[str, str], ...] = PLAYER_PAIRS

    async def open_games(self) -> list[LiveGame]:
        """Open the games, and others in place of those that are over; return them."""
        for i, pair in enumerate(self.player_pairs):
            if i >= len(self.games):
                self.games.append(await self.rig.start_game(*pair))
            elif self.games[i].result() is not None:
                self.games[i] = await self.rig.start_game(*pair)
        return self.games

    async def play_under_fault(self, case: FaultCase, max_hit_count: int = len(PLAYER_PAIRS)) -> int:
        """Move at each table until the fault was met; return how often.  All must be as promised."""
        games = await self.open_games()
        move_counts = [await game.count_moves() for game in games]
        fault = replace(case.fault, max_hit_count=max_hit_count, hit_count=0)
        round_count = 0
        while not fault.hit_count and all(game.result() is None for game in games):
            round_count += 1
            moves = [await require_move(game) for game in games]
            self.rig.discord.faults.add(fault)
            with response_limit(self.timeout_seconds if case.is_answerable else RESPONSE_SECONDS):
                answers = await asyncio.gather(*(type_move(*move) for move in moves))
            await wait_until(
                lambda: fault.hit_count or self.are_newest_boards_shown(games) or None,
                self.timeout_seconds,
                awaited="a board",
            )
            await asyncio.sleep(case.seconds_after_first_hit)
            self.rig.discord.faults.clear()
            if case.is_answerable:
                assert None not in answers, "no answer where one was possible"
        self.restore_permissions(games)
        for game, count in zip(games, move_counts, strict=True):
            await self.check_board_comes(game)
            assert game.result() is not None or await game.count_moves() == count + round_count, "not once"
        if case.fault.route == MESSAGES_ROUTE and case.fault.mode in {"after", "cut_after", "cut_body"}:
            await asyncio.sleep(FIRST_RETRY_WAIT + 0.2)  # by then a second attempt would have doubled it
            for game in games:
                check_order(self.rig, game)
        return fault.hit_count

    async def settle_and_check_order(self, games: list[LiveGame]) -> None:
        """Wait until nothing new comes; check the order of what came; note the ply of the newest boards."""
        count = -1
        while len(self.rig.observed) > count:
            count = len(self.rig.observed)
            await asyncio.sleep(0.25)
        for game in games:
            game.last_seen_ply = (
                max(game.last_seen_ply, self.newest_ply(game))
                if game.result() is None
                else game.last_seen_ply
            )
            check_order(self.rig, game)

    def are_newest_boards_shown(self, games: list[LiveGame]) -> bool:
        """Return whether each table shows a board that is newer than the last one played from."""
        return all(game.result() is not None or self.newest_ply(game) > game.last_seen_ply for game in games)

    def newest_ply(self, game: LiveGame) -> int:
        """Return the ply of the newest board."""
        return max(
            (
                ply_of(message)
                for message in game.public_messages()
                if game.owns(message) and "more" in custom_ids_by_verb(message)
            ),
            default=0,
        )

    def restore_permissions(self, games: list[LiveGame]) -> None:
        """Give back a missing permission, of which the platform notifies the bot."""
        for game in games:
            self.rig.member("Ava").set_denied_permissions(game.channel)

    async def check_board_comes(self, game: LiveGame) -> None:
        """Check that the board of the move comes, and that everything came in order."""
        async with asyncio.timeout(self.timeout_seconds):
            await game.next_board()
        check_order(self.rig, game)


async def wait_for_move(game: LiveGame) -> tuple[Member, str] | None:
    """Wait until somebody must act; return who, and a move that is suggested to them; None after the game."""
    async with asyncio.timeout(WAIT_TIMEOUT):
        while (board := await game.next_board(after_ply=game.last_seen_ply - 1)) is not None:
            member = game.require_member_to_act(board)
            if moves := await member.autocomplete("play", "move"):
                return member, moves[0]["value"]
            await asyncio.sleep(0.05)  # the board is behind the game: somebody else must act by now
    return None


async def require_move(game: LiveGame) -> tuple[Member, str]:
    """Wait for a move of a game that goes on.  Raises AssertionError once it is over."""
    move = await wait_for_move(game)
    assert move is not None, "the game is over"
    return move


async def type_move(member: Member, move: str) -> str | None:
    """Type a move; return the answer, or None if Discord would show that there is none."""
    try:
        return await read_response(await member.command("play", at_once="true", move=move))
    except (InteractionFailed, TimeoutError):
        return None


def _newest_ply_in(observed: ObservedMessage, game: LiveGame) -> int | None:
    """Return the ply of a message with this table's buttons."""
    split_ids = [custom_id.split(":") for custom_id in observed.ids_and_values]
    return max(
        (int(id_parts[2]) for id_parts in split_ids if id_parts[:2] == ["c1", str(game.number)]), default=None
    )


def check_order(rig: Rig, game: LiveGame) -> None:
    """Check that no board or hand comes twice or after a newer one, edits included."""
    last_plies: dict[tuple[str, int], int] = {}
    posted: Counter[tuple[int, int]] = Counter()
    for observed in rig.observed:
        ply = _newest_ply_in(observed, game)
        is_direct = observed.channel.type is ChannelType.DM
        if ply is None or observed.message.ephemeral or not {"board.png", "hand.png"} & set(observed.files):
            continue
        slot = ("hand", observed.channel.id) if is_direct else ("board", 0)
        assert ply >= last_plies.get(slot, 0), f"an older {slot[0]} after a newer one"
        last_plies[slot] = ply
        if observed.event_name == "MESSAGE_CREATE":
            posted[observed.channel.id if is_direct else 0, ply] += 1
    assert max(posted.values(), default=0) <= 1, "posted twice"


async def count_moves_once_connected(game: LiveGame) -> int:
    """Ask how many moves a game has until the bot is connected; return the answer."""
    seconds = RESPONSE_SECONDS
    async with asyncio.timeout(WAIT_TIMEOUT):
        while True:
            with response_limit(seconds), contextlib.suppress(InteractionFailed):
                return await game.count_moves()
            seconds *= 2


async def move_once_connected(game: LiveGame) -> str:
    """Type a move again until the bot is connected; return the answer, empty if the game is over."""
    seconds = RESPONSE_SECONDS
    async with asyncio.timeout(WAIT_TIMEOUT):
        while True:
            with response_limit(seconds), contextlib.suppress(InteractionFailed):
                move = await wait_for_move(game)
                return (
                    ""
                    if move is None
                    else await read_response(await move[0].command("play", at_once="true", move=move[1]))
                )
            seconds *= 2


@contextlib.contextmanager
def delay_interactions(rig: Rig, seconds: float = LATE_SECONDS) -> Iterator[None]:
    """Delay each interaction by so many seconds on its way to the bot."""
    interactions, loop = rig.discord.interactions, asyncio.get_running_loop()
    dispatch = interactions._dispatch

    def dispatch_later(payload: JsonObject) -> None:
        loop.call_later(seconds, dispatch, payload)

    interactions._dispatch = dispatch_later
    try:
        yield
    finally:
        interactions._dispatch = dispatch
