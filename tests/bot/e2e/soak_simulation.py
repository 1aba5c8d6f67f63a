"""Simulated people at many tables of every game, faults of the platform, and kills, by one seed."""

from __future__ import annotations

import asyncio
import random
import re
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final

import psutil

from bot.local.client_input import ClientRefusal
from bot.local.faults import InjectedFault
from bot.local.members import InteractionFailed, Member
from bot.local.message_contents import controls, message_text
from bot.local.model import Channel, Message, WorldEvent
from rules.catalogue import GAMES
from tests.bot.e2e.observe import (
    CUSTOM_ID_PATTERN,
    RESPONSE_SECONDS,
    custom_ids_by_verb,
    response_limit,
    shown_message,
    wait_until,
    without_missed_answers,
)
from tests.bot.e2e.platform_faults import CALLBACK_ROUTE, MESSAGE_ROUTE, MESSAGES_ROUTE
from tests.bot.e2e.process_memory import used_memory
from tests.bot.e2e.rig import Rig
from tests.bot.e2e.soak_model import ReceivedLog
from tests.trials import WAIT_TIMEOUT

SEAT_COUNT: Final = 4
_MAX_PRESSES: Final = 14
"""The most presses that one choice takes."""
_MAX_IDLE_ROUNDS: Final = 60
"""Attempts at a table without a move, after which its game is given up for a new one."""
_MAX_LOBBY_ATTEMPTS: Final = 100
"""Attempts to press a button of a lobby, which may not be there yet."""
_STORED_CHOICE_PROBABILITY: Final = 0.5
"""How often a choice that is stored at once is pressed although others lead to further choices."""
_CHOICES_PER_TABLE: Final = 2
"""At least so many, so that enough of them are confirmed whatever is killed."""
_PATIENCE: Final = 4
"""People wait so many times as long as for the slowest answer while the tables were opened."""
_NO_RESPONSE_ERRORS: Final = (InteractionFailed, ClientRefusal, TimeoutError, LookupError)
"""What a press raises whose response was lost; the person presses again later."""


@dataclass(frozen=True, slots=True)
class SoakPlan:
    """How long the simulation runs, with how many tables and kills."""

    seconds: float
    table_count: int = 40
    mean_pause: float = 3.0
    """Mean seconds between two turns at a table."""
    kill_count: int = 3
    calm_share: float = 0.8
    """Which part of the time, at its end, passes without a kill: memory is measured then."""
    seed: int = 15


@dataclass
class SoakTable:
    """One table and its people, who stay for the next game."""

    people: list[Member]
    channel: Channel
    game_key: str
    number: int = 0
    game_count: int = 0
    messages: dict[int, Message] = field(default_factory=dict)
    """The public ones that carry this table's buttons."""
    is_over: bool = False

    def board(self) -> Message | None:
        """Return the newest message with an enabled Play button."""
        newest = sorted(self.messages.values(), key=lambda message: message.id, reverse=True)
        return next((message for message in newest if "play" in custom_ids_by_verb(message)), None)

    def member_to_act(self, board: Message) -> Member | None:
        """Return the person whom the board asks to act; None if it asks nobody."""
        return next((member for member in self.people if f"<@{member.user.id}>" in board.content), None)


@dataclass(repr=False)
class Soak:
    """The whole simulation, and what was measured."""

    rig: Rig
    plan: SoakPlan
    received_log: ReceivedLog = field(default_factory=ReceivedLog)
    tables: list[SoakTable] = field(default_factory=list)
    memory_samples: list[tuple[int, float, int]] = field(default_factory=list)
    """(Process id, seconds, resident bytes)."""
    latencies: list[float] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        """Listen to the events of the server."""
        self.rng = random.Random(self.plan.seed)
        self.bot_is_up = asyncio.Event()
        self.bot_is_up.set()
        self._tables_by_number: dict[int, SoakTable] = {}
        self.rig.world.listen(self._record_event)

    def _record_event(self, event: WorldEvent) -> None:
        message = event.message
        if message is None or message.author is not self.rig.world.bot:
            return
        if event.name in ("MESSAGE_CREATE", "MESSAGE_UPDATE"):
            self.received_log.record_message(message)
        if message.ephemeral or message.channel.recipient is not None:
            return
        for control in controls(message):
            parts = CUSTOM_ID_PATTERN.fullmatch(control.get("custom_id", ""))
            table = self._tables_by_number.get(int(parts[1])) if parts is not None else None
            if table is not None:
                table.messages[message.id] = message
                table.is_over = table.is_over or f"No. {table.number} is over**" in message.content
                return

    # The whole

    async def run(self) -> None:
        """Open the tables, play until the time is over, wait until all is sent; then stop the bot."""
        names = [f"P{number:03d}" for number in range(self.plan.table_count * SEAT_COUNT)]
        games = list(GAMES)
        for number in range(self.plan.table_count):
            channel = self.rig.world.add_text_channel(f"soak-{number}")
            people = [self.rig.member(name, channel) for name in names[number * SEAT_COUNT :][:SEAT_COUNT]]
            self.tables.append(SoakTable(people, channel, games[number % len(games)]))
        tasks = [asyncio.create_task(self._measure_memory())]
        opening_semaphore = asyncio.Semaphore(4)
        await asyncio.gather(*(self._open_table(each, opening_semaphore) for each in self.tables))
        await wait_until(self._every_table_has_board, awaited="a board at every table")
        self.counts["seconds to open"] = round(time.monotonic() - self.received_log.started_at)
        self.memory_samples.clear()
        with response_limit(max(RESPONSE_SECONDS, _PATIENCE * max(self.latencies))):
            outcomes = await self._play(tasks, opening_semaphore)
        for outcome in outcomes:
            if isinstance(outcome, Exception):
                raise outcome  # else the rest of the time would have passed without faults
        self.rig.discord.faults.clear()
        if self.rig.process is None:
            await self.rig.start()
        await self._wait_until_quiet()
        self.counts["exit code"] = await self.rig.terminate()

    async def _play(
        self, tasks: list[asyncio.Task[None]], opening_semaphore: asyncio.Semaphore
    ) -> list[BaseException | None]:
        """Play with faults and kills until the time is over; return how ``tasks`` and all players ended."""
        deadline = time.monotonic() + self.plan.seconds
        tasks = [
            *tasks,
            asyncio.create_task(self._inject_faults()),
            asyncio.create_task(self._kill_at_times(deadline)),
        ]
        player_tasks = [
            asyncio.create_task(self._run_table(table, opening_semaphore, deadline)) for table in self.tables
        ]
        try:
            await asyncio.gather(*player_tasks)
        finally:
            for task in tasks:
                task.cancel()
            outcomes = await asyncio.gather(*tasks, *player_tasks, return_exceptions=True)
        return outcomes

    def _is_over(self, deadline: float) -> bool:
        """Whether the time is over and enough has happened, which takes longer on a busy machine."""
        has_enough = (
            self.counts["kills"] >= self.plan.kill_count // 2
            and self.counts["choices"] >= _CHOICES_PER_TABLE * self.plan.table_count
        )
        now = time.monotonic()
        return now >= deadline and (has_enough or now >= deadline + WAIT_TIMEOUT)

    def _every_table_has_board(self) -> bool | None:
        return all(each.board() is not None for each in self.tables) or None

    async def _wait_until_quiet(self) -> None:
        """Wait until nothing was received for a second: what can be sent is sent."""
        for _ in range(60):
            received_count = len(self.received_log.received)
            await asyncio.sleep(1)
            if len(self.received_log.received) == received_count:
                return

    async def _measure_memory(self) -> None:
        while True:
            process = self.rig.process
            if process is not None and self.bot_is_up.is_set():
                try:
                    resident = used_memory(psutil.Process(process.pid))
                except psutil.NoSuchProcess:
                    resident = 0
                if resident:
                    self.memory_samples.append((process.pid, time.monotonic(), resident))
            await asyncio.sleep(0.5)

    # Kills and faults

    async def _kill_at_times(self, deadline: float) -> None:
        seconds_with_kills = self.plan.seconds * (1 - self.plan.calm_share)
        for _ in range(self.plan.kill_count):
            await asyncio.sleep(seconds_with_kills / self.plan.kill_count * self.rng.uniform(0.5, 1.0))
            if self._is_over(deadline - 3):
                return
            self.bot_is_up.clear()
            await self.rig.kill()
            await self.rig.start()
            self.bot_is_up.set()
            self.counts["kills"] += 1

    async def _inject_faults(self) -> None:
        gateway = self.rig.discord.gateway
        gateway_faults: dict[str, Callable[[], object]] = {
            "connections cut": gateway.cut_connections,
            "reconnects requested": gateway.request_reconnect,
            "sessions invalidated": gateway.invalidate_sessions,
            "interactions replayed": partial(gateway.replay_events, 3, "INTERACTION_CREATE"),
        }
        while True:
            await asyncio.sleep(self.rng.expovariate(1.0))
            await self.bot_is_up.wait()
            draw = self.rng.random()
            if draw < 0.85:
                fault = self._random_fault()
                self.rig.discord.faults.add(fault)
                self.counts[f"fault {fault.mode} {fault.code or fault.status}"] += 1
            elif draw < 0.95:
                name = self.rng.choice(sorted(gateway_faults))
                gateway_faults[name]()
                self.counts[name] += 1
            else:
                member = self.rng.choice(self.rng.choice(self.tables).people)
                member.set_dms_closed(closed=not member.user.dms_closed)
                self.counts["direct messages closed or opened"] += 1

    def _random_fault(self) -> InjectedFault:
        rng = self.rng
        route = rng.choice((MESSAGES_ROUTE, MESSAGE_ROUTE, CALLBACK_ROUTE))
        method = {MESSAGES_ROUTE: "POST", MESSAGE_ROUTE: "PATCH", CALLBACK_ROUTE: "POST"}[route]
        refusals = {MESSAGES_ROUTE: (500, 0), MESSAGE_ROUTE: (404, 10008), CALLBACK_ROUTE: (404, 10062)}
        kinds: tuple[dict[str, Any], ...] = (
            {"status": rng.choice((500, 502, 503))},
            {"status": 500, "mode": "after"},
            {"mode": "cut"},
            {"mode": "cut_after"},
            {"status": 429, "retry_after": 0.3, "message": "You are being rate limited."},
            {"status": 0, "delay": rng.uniform(0.2, 1.5)},
            dict(zip(("status", "code"), refusals[route], strict=True)),
            {"status": 400, "code": 30046} if route == MESSAGE_ROUTE else {"mode": "cut"},
            {"status": 400, "code": 40060, "mode": "after"} if route == CALLBACK_ROUTE else {"status": 503},
        )
        return InjectedFault(method, route, **rng.choice(kinds))

    # People

    async def _open_table(self, table: SoakTable, opening_semaphore: asyncio.Semaphore) -> None:
        """Open a table with the command, join with the buttons, start."""
        async with opening_semaphore:
            await self.bot_is_up.wait()
            host = table.people[0]
            table.messages.clear()
            table.is_over = False
            table.number = 0
            try:
                opened = await shown_message(
                    await host.command("newgame", game=table.game_key, channel=table.channel)
                )
            except _NO_RESPONSE_ERRORS:
                return
            number_match = re.search(r"No\. (\d+)", without_missed_answers(message_text(opened)))
            if number_match is None:
                self.counts[f"not opened: {message_text(opened)[:40]}"] += 1
                return
            table.number = int(number_match[1])
            self._tables_by_number[table.number] = table
            for message in table.channel.messages.values():  # it may have come before its number was known
                if f"c1:{table.number}:" in str(message.components):
                    table.messages[message.id] = message
            for member, label in [(guest, "Join") for guest in table.people[1:]] + [(host, "Start")]:
                await self._press_in_lobby(table, member, label)
            table.game_count += 1

    async def _press_in_lobby(self, table: SoakTable, member: Member, label: str) -> None:
        verb = {"Join": "join", "Start": "start"}[label]
        for _ in range(_MAX_LOBBY_ATTEMPTS):
            lobby = next(
                (message for message in table.messages.values() if verb in custom_ids_by_verb(message)), None
            )
            if lobby is not None:
                answer = await self._press(member, lobby, verb)
                if answer is not None:
                    return
            await asyncio.sleep(0.3)

    async def _run_table(
        self, table: SoakTable, opening_semaphore: asyncio.Semaphore, deadline: float
    ) -> None:
        """Play at one table until the time is over."""
        idle_round_count = 0
        while not self._is_over(deadline):
            pause, seconds_left = self.rng.expovariate(1 / self.plan.mean_pause), deadline - time.monotonic()
            await asyncio.sleep(min(pause, seconds_left) if seconds_left > 0 else pause)
            await self.bot_is_up.wait()
            if table.is_over or not table.number or idle_round_count > _MAX_IDLE_ROUNDS:
                self.counts["games over"] += table.is_over
                self.counts["given up"] += not table.is_over
                idle_round_count = 0
                await self._open_table(table, opening_semaphore)
                continue
            board = table.board()
            if board is None:
                idle_round_count += 1
                continue
            await self._maybe_press_other_button(table, board)
            has_moved = await self._make_choice(table, board)
            self.counts["choices"] += has_moved
            idle_round_count = 0 if has_moved else idle_round_count + 1

    async def _maybe_press_other_button(self, table: SoakTable, board: Message) -> None:
        """Sometimes press something else: a page at their table or at another one, or undo."""
        draw = self.rng.random()
        player = self.rng.choice(table.people)
        stranger = self.rng.choice(self.rng.choice(self.tables).people)
        if draw < 0.15:
            await self._press(player, board, "hand")
        elif draw < 0.2:
            await self._press(stranger, board, self.rng.choice(("hand", "play", "undo")))
        elif draw < 0.3:
            more_page = await self._press(self.rng.choice((player, stranger)), board, "more")
            if more_page is not None and "text" in custom_ids_by_verb(more_page):
                viewer = player if more_page.only_for is player.user else stranger
                await self._press(viewer, more_page, self.rng.choice(("text", "log")))
        elif draw < 0.33:
            page = await self._press(player, board, "undo")
            if page is not None and "undo" in custom_ids_by_verb(page):
                await self._press(player, page, "undo")

    async def _make_choice(self, table: SoakTable, board: Message) -> bool:
        """Make one choice for the seat to act, press by press; return whether its board may be awaited."""
        member = table.member_to_act(board) or self.rng.choice(table.people)
        message = await self._press(member, board, "play")
        for _ in range(_MAX_PRESSES):
            if message is None:
                return False
            offered = [control for control in controls(message) if not control.get("disabled")]
            verbs = [
                parts[3] if (parts := CUSTOM_ID_PATTERN.fullmatch(control["custom_id"])) else ""
                for control in offered
            ]
            final_ids = [control["custom_id"] for control in offered if control["label"] == "Play it"]
            stored_choice_ids = [
                control["custom_id"] for control, verb in zip(offered, verbs, strict=True) if verb == "do"
            ]
            if final_ids or (stored_choice_ids and self.rng.random() < _STORED_CHOICE_PROBABILITY):
                pressed_id = final_ids[0] if final_ids else self.rng.choice(stored_choice_ids)
                return await self._press(member, message, "do", custom_id=pressed_id) is not None
            step_ids = [
                control["custom_id"]
                for control, verb in zip(offered, verbs, strict=True)
                if verb == "step" and control["label"] != "Back"
            ]
            if not step_ids and stored_choice_ids:
                return await self._press(member, message, "do", custom_id=stored_choice_ids[0]) is not None
            if not step_ids:
                return any(verb in {"play", "undo"} for verb in verbs)
            message = await self._press(member, message, "step", custom_id=self.rng.choice(step_ids))
        return False

    async def _press(
        self, member: Member, message: Message, verb: str, *, custom_id: str = ""
    ) -> Message | None:
        """Press a button; return the answer, or None if it was lost."""
        pressed_id = custom_id or custom_ids_by_verb(message).get(verb, "")
        if not pressed_id:
            return None
        member.channel = message.channel
        self.counts["presses"] += 1
        kill_count = self.counts["kills"]
        try:
            outcome = await member.press(message, custom_id=pressed_id)
            self.latencies.append(outcome.response_seconds)
            answer = await shown_message(outcome)
        except _NO_RESPONSE_ERRORS:
            self.counts["presses lost"] += 1
            self.counts["presses lost to kills"] += (
                self.counts["kills"] != kill_count or not self.bot_is_up.is_set()
            )
            return None
        self.received_log.record_press(member.user.id, outcome.interaction.id, pressed_id, answer)
        return answer


def memory_growth(samples: Sequence[tuple[int, float, int]], warm_up_share: float) -> float:
    """Return the growth of the last process's memory in MB a minute, without its first ``warm_up_share``."""
    samples_left = [(moment, resident) for process, moment, resident in samples if process == samples[-1][0]]
    samples_left = samples_left[int(len(samples_left) * warm_up_share) :]
    if len(samples_left) < 3:
        return 0.0
    mean_time = sum(moment for moment, _ in samples_left) / len(samples_left)
    mean_resident = sum(resident for _, resident in samples_left) / len(samples_left)
    covariance = sum((moment - mean_time) * (resident - mean_resident) for moment, resident in samples_left)
    variance = sum((moment - mean_time) ** 2 for moment, _ in samples_left)
    return covariance / variance * 60 / 1e6


def percentile(values: Sequence[float], share: float) -> float:
    """Return the value below which this share of all values lies."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))] if ordered else 0.0


def make_unchecked_rig(folder: Path) -> Rig:
    """Return a rig that does not check requests against the API's description: other tests do."""
    rig = Rig(folder)
    rig.openapi = None
    return rig
