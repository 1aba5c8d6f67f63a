"""Answers of Discord's that are lost, and something newer to send before the bot has tried again."""

from __future__ import annotations

import asyncio
import random
import re
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from itertools import cycle
from typing import Any

import pytest
import pytest_asyncio

from bot.local.faults import InjectedFault
from bot.local.members import Member
from bot.local.model import Message
from tests.bot.database_file import open_database_file
from tests.bot.e2e.live_game import LiveGame
from tests.bot.e2e.observe import ply_of, read_response, wait_until
from tests.bot.e2e.platform_faults import MESSAGE_ROUTE, MESSAGES_ROUTE, THREADS_ROUTE
from tests.bot.e2e.rig import Rig
from tests.trials import IS_SOAK, cases, trial_count

pytestmark = pytest.mark.asyncio(loop_scope="module")

WAYS_TO_LOSE: tuple[dict[str, Any], ...] = (
    {"mode": "cut_after"},
    {"mode": "cut_body"},
    {"mode": "after", "status": 503},
    {"mode": "cut"},
)
"""The ways in which an answer is lost; in the last one the request is lost as well."""
DELAYS = (0.0, 0.4, 1.2, *((5.0,) if IS_SOAK else ()))
"""Seconds until something newer is to be sent."""
TRIAL_COUNT = trial_count(1, soak=len(WAYS_TO_LOSE) * len(DELAYS))
_DEFECT_TRIAL_COUNT = 8
"""How often a defect is looked for."""
_QUIET_SECONDS = 1.2
"""Seconds without a request, after which nothing is to be tried again."""
_QUIET_RESPONSE_TIMES = 10
"""At least so many times as long as a picture takes to be shown: a busy machine draws late."""


@dataclass
class LossTrial:
    """A table at which one answer is lost."""

    rig: Rig
    fault: InjectedFault

    def lose_next_answer(self) -> None:
        """Lose the answer to the next request that the fault meets."""
        self.rig.discord.faults.add(self.fault)

    async def wait_until_lost(self) -> None:
        """Wait until the answer was lost."""
        await wait_until(lambda: self.fault.hit_count or None, awaited="a lost answer")

    async def play_until_lost(self, game: LiveGame) -> None:
        """Play until the answer was lost; what is not urgent is sent after each move, before the next."""
        while not self.fault.hit_count:
            await game.make_move()
            while not (await self.rig.has_sent_all() or self.fault.hit_count):  # noqa: ASYNC110 - nothing tells of it
                await asyncio.sleep(0.05)


async def _make_choice(game: LiveGame) -> None:
    """Make one choice for the player whom the newest board asks, without waiting for the next board."""
    await game.make_move_on(await game.current_board())


async def lobby_script(trial: LossTrial) -> AsyncIterator[LiveGame]:
    """Post a lobby; then somebody joins."""
    trial.lose_next_answer()
    game = await trial.rig.open_lobby("Ava")
    yield game
    ben = trial.rig.member("Ben", game.channel)
    assert "You are in" in await read_response(await ben.press(await game.lobby_message(), "Join"))
    game.people.append(ben)
    yield game


async def lobby_edit_script(trial: LossTrial) -> AsyncIterator[LiveGame]:
    """Edit a lobby; then somebody else joins."""
    game = await trial.rig.open_lobby("Ava")
    lobby_message = await game.lobby_message()
    trial.lose_next_answer()
    for name in ("Ben", "Chloé"):
        game.people.append(trial.rig.member(name, game.channel))
        await read_response(await game.people[-1].press(lobby_message, "Join"))
        yield game


async def thread_script(trial: LossTrial) -> AsyncIterator[LiveGame]:
    """Open a thread; then a move is made."""
    game = await trial.rig.open_lobby("Ava", "Ben")
    trial.lose_next_answer()
    await game.start()
    yield game
    await _make_choice(game)
    yield game


async def board_script(trial: LossTrial) -> AsyncIterator[LiveGame]:
    """Post a board; then the next player moves."""
    game = await trial.rig.start_game("Ava", "Ben")
    await game.wait_for_hands()
    trial.lose_next_answer()
    await trial.play_until_lost(game)
    yield game
    await _make_choice(game)
    yield game


async def pause_script(trial: LossTrial) -> AsyncIterator[LiveGame]:
    """Pause the game, which edits its board and posts a notice; then resume it, which does so again."""
    game = await trial.rig.start_game("Ava", "Ben")
    await game.wait_for_hands()
    trial.lose_next_answer()
    ava = game.person("Ava")
    await read_response(await ava.command("table pause", table=game.number))
    yield game
    await read_response(await ava.command("table resume", table=game.number))
    yield game


async def turn_script(trial: LossTrial) -> AsyncIterator[LiveGame]:
    """Post a computer player's turn; then the next one follows."""
    game = await trial.rig.start_game("Ava", computer_count=1)
    await game.wait_for_hands()
    trial.lose_next_answer()
    await trial.play_until_lost(game)
    yield game
    await game.make_move()
    yield game


async def hand_script(trial: LossTrial) -> AsyncIterator[LiveGame]:
    """Post a hand; then a move makes it stale."""
    trial.lose_next_answer()
    game = await trial.rig.start_game("Ava", "Ben")
    yield game
    await _make_choice(game)
    yield game


async def hand_edit_script(trial: LossTrial) -> AsyncIterator[LiveGame]:
    """Edit a hand; then the next move makes it stale."""
    game = await trial.rig.start_game("Ava", "Ben")
    await game.wait_for_hands()
    trial.lose_next_answer()
    await game.make_move()
    yield game
    await _make_choice(game)
    yield game


async def _ask_for_undo(trial: LossTrial) -> tuple[LiveGame, Member]:
    """Ask for an undo that the other player must allow; return the player who asks."""
    game = await trial.rig.start_game("Ava", "Ben")
    await game.wait_for_hands()
    asker = game.member_to_act(await game.current_board())
    assert asker is not None
    for _ in range(2):
        await game.make_move()
    trial.lose_next_answer()
    asker.channel = game.game_channel
    assert "I have asked" in await game.ask_to_undo(asker)
    await trial.wait_until_lost()
    return game, asker


async def question_script(trial: LossTrial) -> AsyncIterator[LiveGame]:
    """Post a question; then it is answered."""
    game, asker = await _ask_for_undo(trial)
    yield game
    question = (await wait_until(lambda: live_messages(game, "agree") or None, awaited="the question"))[-1]
    other = next(member for member in game.people if member.user is not asker.user)
    other.channel = question.channel
    assert "taken back" in await read_response(await other.press(question, "Allow undo"))
    yield game


async def repeated_question_script(trial: LossTrial) -> AsyncIterator[LiveGame]:
    """Post a question; then a move makes it void, and it is asked again."""
    game, asker = await _ask_for_undo(trial)
    yield game
    other = next(member for member in game.people if member.user is not asker.user)
    while True:
        mover = game.member_to_act(await game.current_board())
        await _make_choice(game)
        if mover is other:
            break
    assert "I have asked" in await game.ask_to_undo(asker)
    yield game


async def result_script(trial: LossTrial) -> AsyncIterator[LiveGame]:
    """Post a result; then a rematch is wanted."""
    game = await trial.rig.start_game("Ava", "Ben")
    await game.wait_for_hands()
    trial.lose_next_answer()
    await game.resign(game.person("Ava"))
    yield game
    result = await wait_until(game.result, awaited="the result")
    ben = game.person("Ben")
    ben.channel = result.channel
    await read_response(await ben.press(result, "Rematch"))
    yield game


SCRIPTS: dict[str, tuple[Callable[[LossTrial], AsyncIterator[LiveGame]], InjectedFault]] = {
    "lobby": (lobby_script, InjectedFault("POST", MESSAGES_ROUTE, request_text=":join:")),
    "lobby edit": (lobby_edit_script, InjectedFault("PATCH", MESSAGE_ROUTE, request_text=":join:")),
    "thread": (thread_script, InjectedFault("POST", THREADS_ROUTE)),
    "board": (board_script, InjectedFault("POST", MESSAGES_ROUTE, request_text="board.png")),
    "board edit": (pause_script, InjectedFault("PATCH", MESSAGE_ROUTE, request_text=":resume:")),
    "old board": (board_script, InjectedFault("PATCH", MESSAGE_ROUTE, request_text='"components": []')),
    "turn": (turn_script, InjectedFault("POST", MESSAGES_ROUTE, request_text="1's turn")),
    "hand": (hand_script, InjectedFault("POST", MESSAGES_ROUTE, request_text="hand.png")),
    "hand edit": (hand_edit_script, InjectedFault("PATCH", MESSAGE_ROUTE, request_text="hand.png")),
    "notice": (pause_script, InjectedFault("POST", MESSAGES_ROUTE, request_text="paused the game")),
    "question": (question_script, InjectedFault("POST", MESSAGES_ROUTE, request_text=":agree:")),
    "question again": (
        repeated_question_script,
        InjectedFault("POST", MESSAGES_ROUTE, request_text=":agree:"),
    ),
    "result": (result_script, InjectedFault("POST", MESSAGES_ROUTE, request_text="is over**")),
}
"""By kind: what happens at the table, in two steps, and the request of the first whose answer is lost."""
SHORT_RUN_KINDS = ("lobby", "thread", "board", "old board", "hand", "question")


def live_messages(game: LiveGame, verb: str) -> list[Message]:
    """Return the public messages with a button of this table and verb, enabled or not."""
    pattern = re.compile(rf"(?:c1|r\d+):{game.number}:\d+:{verb}:")
    return [message for message in game.public_messages() if pattern.search(str(message.components))]


def check_slots(game: LiveGame, kind: str) -> None:
    """Check that each slot has one live message, the newest, and that nothing stands twice."""
    assert len(live_messages(game, "join")) <= 1, "two live lobbies"
    assert len(live_messages(game, "more")) <= 1, "two live boards"
    assert len(live_messages(game, "agree")) <= 1, "a question twice"
    if kind == "question again":
        asked_plies = {ply_of(message) for message in live_messages(game, "agree")}
        assert asked_plies == {ply_of(message) for message in live_messages(game, "more")}, (
            "the open question"
        )
    questions = Counter(
        message.content for message in game.public_messages() if "allow this undo?" in message.content
    )
    assert max(questions.values(), default=0) <= 1, "the same question twice"
    notices = Counter(
        message.content
        for message in game.public_messages()
        if not message.components and not message.attachments
    )
    assert max(notices.values(), default=0) <= 1, f"a notice twice: {notices}"
    assert len(
        [message for message in game.public_messages() if f"No. {game.number} is over**" in message.content]
    ) == (kind == "result")
    asked_members = {game.member_to_act(message) for message in live_messages(game, "more")}
    for member in game.people:
        hands = game.hand_messages(member)
        assert len(hands) <= 1, "two live hands"
        stale_hands = [
            message
            for message in member.messages(member.dm)
            if f"No. {game.number}**" in message.content
            and "It is your turn" in message.content
            and member not in asked_members
        ]
        assert not stale_hands or not asked_members, "a stale hand that says it is your turn"
    lobbies = [message for message in game.public_messages() if game.is_lobby(message)]
    assert len(lobbies) == 1, "a second lobby"
    if kind in {"lobby", "lobby edit"}:
        assert all(member.user.name in lobbies[0].content for member in game.people)


async def wait_until_quiet(rig: Rig, game: LiveGame) -> None:
    """Wait until the bot has sent all, and no request for a while, which is longer on a busy machine."""
    await rig.wait_until_sent()
    bystander = rig.member("Wanda", game.channel)
    answer = await bystander.command("board", table=game.number)
    await read_response(answer)
    quiet_needed = max(_QUIET_SECONDS, _QUIET_RESPONSE_TIMES * answer.response_seconds)
    count, quiet_seconds = -1, 0.0
    while quiet_seconds < quiet_needed:
        quiet_seconds = 0.0 if len(rig.requests) != count else quiet_seconds + 0.05
        count = len(rig.requests)
        await asyncio.sleep(0.05)


async def lose_one_answer(
    rig: Rig, kind: str, loss: dict[str, Any], meanwhile: Callable[[], Awaitable[None]]
) -> None:
    """Lose an answer of a kind, have something newer sent after ``meanwhile``, and look at the end."""
    script, fault = SCRIPTS[kind]
    loss_fault = InjectedFault(fault.method, fault.route, request_text=fault.request_text, **loss)
    trial = LossTrial(rig, loss_fault)
    steps = script(trial)
    await anext(steps)
    await trial.wait_until_lost()
    await meanwhile()
    game = await anext(steps)
    await wait_until_quiet(rig, game)
    check_slots(game, kind)


@pytest.mark.trust_test("T14")
@pytest.mark.parametrize("kind", cases(SCRIPTS, *SHORT_RUN_KINDS))
async def test_a_lost_answer_leaves_one_live_message(
    rig: Rig, kind: str, add_trials: Callable[[int], None]
) -> None:
    """For every lost answer, however soon something newer follows, one live message of each slot is left."""
    losses_and_delays = [(loss, delay) for loss in WAYS_TO_LOSE for delay in DELAYS]
    random.Random(kind).shuffle(losses_and_delays)
    for _, (loss, delay) in zip(range(TRIAL_COUNT), cycle(losses_and_delays), strict=False):
        await lose_one_answer(rig, kind, loss, partial(asyncio.sleep, delay))
        add_trials(1)


@pytest.mark.trust_test("T14")
async def test_a_void_question_is_not_asked_late(rig: Rig) -> None:
    """A question that never arrived and is void by now is not posted with the words of the newer one."""
    await lose_one_answer(rig, "question again", WAYS_TO_LOSE[3], partial(asyncio.sleep, 0))


PLAYABLE_KINDS = ("lobby", "board", "hand")
"""The messages from which a table is played."""


@pytest.mark.trust_test("T14")
@pytest.mark.parametrize("kind", cases(PLAYABLE_KINDS, "hand"))
async def test_a_crash_after_a_lost_answer_leaves_one_live_message(rig: Rig, kind: str) -> None:
    """One live message of each slot is left also where the process dies before it has tried again."""

    async def crash() -> None:
        await rig.kill()
        await rig.start()

    await lose_one_answer(rig, kind, WAYS_TO_LOSE[0], crash)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def separate_rig(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Rig]:
    """Run a bot of which nobody has received anything yet."""
    async with Rig(tmp_path_factory.mktemp("separate_rig")).running() as rig:
        yield rig


@pytest.mark.trust_test("T14")
@pytest.mark.parametrize("kind", cases((*PLAYABLE_KINDS, "question", "result"), "board"))
async def test_a_post_without_its_nonce_is_found_in_its_channel(separate_rig: Rig, kind: str) -> None:
    """A post that Discord no longer knows by its nonce is found in its channel.

    The hour that is only pretended holds few messages: the bot reads the first hundred since the lost post.
    """

    async def restart_an_hour_later() -> None:
        await separate_rig.kill()
        separate_rig.discord.forget_nonces()
        with open_database_file(separate_rig.database) as connection:
            connection.execute("update outbox set pending_since = pending_since - 3600")
        await separate_rig.start()

    await lose_one_answer(separate_rig, kind, WAYS_TO_LOSE[0], restart_an_hour_later)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def defective_rig(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Rig]:
    """Run a bot with a seeded defect: something newer replaces a post of unknown outcome."""
    rig = Rig(tmp_path_factory.mktemp("defective_rig"))
    rig.program = ("-m", "tests.bot.e2e.seeded_defects", "supersede_lost_posts")
    async with rig.running():
        yield rig


@pytest.mark.trust_test("T14", sensitivity=True)
@pytest.mark.parametrize("kind", cases(PLAYABLE_KINDS, "lobby"))
async def test_a_superseded_post_of_unknown_outcome_is_caught(defective_rig: Rig, kind: str) -> None:
    """The check above fails where a post of unknown outcome is superseded."""
    with pytest.raises(AssertionError, match=f"two live {'lobbies' if kind == 'lobby' else kind + 's'}"):
        await _lose_answers_at_once(defective_rig, kind)


async def _lose_answers_at_once(rig: Rig, kind: str) -> None:
    """Lose some answers, with something newer to send at once, unless a busy bot has tried again before."""
    for _ in range(_DEFECT_TRIAL_COUNT):
        await lose_one_answer(rig, kind, WAYS_TO_LOSE[0], partial(asyncio.sleep, 0))
