"""Whatever people send gets a clear private refusal and changes nothing; hostile names do no harm."""

from __future__ import annotations

import asyncio
import re
import unicodedata
from collections.abc import AsyncIterator
from typing import Final

import pytest
import pytest_asyncio

from bot.chat.handlers import HANDLERS
from bot.local.client_input import ClientRefusal
from bot.local.interactions import CallbackType
from bot.local.members import InteractionResult, Member
from bot.local.message_contents import message_text
from bot.local.model import Message
from tests.bot.e2e.hostile_texts import HOSTILE_TEXTS
from tests.bot.e2e.live_game import LiveGame, press_component
from tests.bot.e2e.observe import custom_ids_by_verb, open_form, read_response, shown_message
from tests.bot.e2e.rig import Rig
from tests.trials import IS_SOAK, cases

SOME_TEXTS = HOSTILE_TEXTS[::15]
"""Those of ``make test``: ``tests/bot/trust/test_hostile.py`` tries 300 texts in one process."""
pytestmark = pytest.mark.asyncio(loop_scope="module")

_FAULT_WORDS = ("went wrong", "Traceback", "object at")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def game(module_rig: Rig) -> AsyncIterator[LiveGame]:
    """Yield a game of two that has begun, which nobody changes here."""
    game = await module_rig.start_game("Ava", "Ben")
    for _ in range(2):
        await game.make_move()
    yield game


@pytest_asyncio.fixture(loop_scope="module")
async def game_stays_unchanged(rig: Rig, game: LiveGame) -> AsyncIterator[None]:
    """Check after the test that the game is unchanged and nobody was pinged, but by games begun before."""
    text_before, first_index = await game.table_text(), len(rig.observed)
    yield
    assert await game.table_text() == text_before
    public = [observed for observed in rig.observed[first_index:] if not observed.is_private]
    assert not [
        observed.text
        for observed in public
        if (observed.mentions or observed.message.mention_everyone)
        and not re.search(rf"No\. (?!{game.number}\b)\d+", observed.text)
    ]


async def refusal_text(outcome: InteractionResult) -> str:
    """Return the text of a private answer that says something and is no fault of the bot's."""
    message = await shown_message(outcome)
    assert message.ephemeral
    assert not message.mentions
    assert not message.mention_everyone
    text = message_text(message)
    assert len(text) > 10
    assert not [word for word in _FAULT_WORDS if word in text], text
    assert "eference" not in text, "nothing is wrong with the bot"
    return text


def bring_players_to(game: LiveGame, board: Message) -> tuple[Member, Member]:
    """Let both players look at a board's channel; return the one who must act, and the other."""
    actor = game.require_member_to_act(board)
    other = next(member for member in game.people if member.user is not actor.user)
    other.channel = board.channel
    return actor, other


@pytest.mark.usefixtures("game_stays_unchanged")
@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("sail north", "I don't understand “sail”. You can choose "),
        ("current", "The compass is still being set: "),
        ("ace first N X Y Z", "I don't understand “first”. You can choose `A"),
        ("current 99Z N2", "The compass is still being set: "),
        ("king ?? sideways", "The compass is still being set: "),
        ("; ; ;", "You did not type a move"),
        ("resign resign", "“resign” is not possible now"),
        ("undo 0", "I don't understand “undo”"),
        ("deal A 2C", "Players cannot do that"),
        ("begin A", "Players cannot do that"),
    ],
)
async def test_a_malformed_or_illegal_move_is_refused(game: LiveGame, line: str, reason: str) -> None:
    """Moves that do not read, do not exist, are chance's or are not legal are refused with the reason."""
    actor, _ = bring_players_to(game, await game.current_board())
    assert reason in await refusal_text(await actor.command("play", move=line))


@pytest.mark.usefixtures("game_stays_unchanged")
async def test_the_first_of_several_moves_is_not_played_alone(game: LiveGame) -> None:
    """A line of two moves whose second is illegal plays neither."""
    actor, _ = bring_players_to(game, await game.current_board())
    first = (await actor.autocomplete("play", "move"))[0]["value"]
    await refusal_text(await actor.command("play", move=f"{first}; sail north"))


@pytest.mark.usefixtures("game_stays_unchanged")
async def test_somebody_who_must_not_act_is_refused(rig: Rig, game: LiveGame) -> None:
    """Not your turn, no seat here: by panel, by command and in notation."""
    board = await game.current_board()
    actor, other = bring_players_to(game, board)
    legal_move = (await actor.autocomplete("play", "move"))[0]["value"]
    assert "not your turn" in await refusal_text(await other.press(board, "Play"))
    assert await other.autocomplete("play", "move") == []
    assert await refusal_text(await other.command("play", move=legal_move))
    stranger = rig.member("Farid", board.channel)
    for label in ("Play", "My hand", "Undo"):
        assert "no seat" in await refusal_text(await stranger.press(board, label))
    assert "no seat" in await refusal_text(await stranger.command("play", move=legal_move))
    assert "no seat" in await refusal_text(await stranger.command("resign"))


@pytest.mark.usefixtures("game_stays_unchanged")
async def test_a_number_without_a_table_is_refused(rig: Rig, game: LiveGame) -> None:
    """A number that no table has, and a channel without one, are said."""
    ava = rig.member("Ava", rig.world.add_text_channel("empty"))
    for number in (9_999, 0, -1, 2**53):
        assert "no table" in await refusal_text(await ava.command("board", table=number))
    reading_commands = ("board", "hand", "log", "history", "replay", "export", "table show")
    for command in (*reading_commands, "undo", "table pause"):
        assert "no table" in await refusal_text(await ava.command(command))
    farid = rig.member("Farid")
    assert "no game" in await refusal_text(await farid.command("board", channel=farid.dm))


async def test_old_buttons_say_why_they_no_longer_work(rig: Rig) -> None:
    """A panel from an earlier turn, an old board's buttons and a finished game's say why not."""
    game = await rig.start_game("Chloé", "Dimitri")
    board = await game.current_board()
    actor, other = bring_players_to(game, board)
    panel = await shown_message(await actor.press(board, "Play"))
    await game.play_through_panel(actor, board)
    stale_id = next(
        custom_id for verb, custom_id in custom_ids_by_verb(panel).items() if verb in ("step", "do")
    )
    move_count = await game.count_moves()
    text = await read_response(await actor.press(panel, custom_id=stale_id))
    assert "moved on" in text or "not your turn" in text
    assert await game.count_moves() == move_count
    await game.next_board()
    await game.resign(game.person("Dimitri"))
    assert await game.next_board() is None
    move_count = await game.count_moves()
    for verb in ("play", "undo", "resign", "resyes", "hand", "do"):
        outcome = await press_component(actor, board, f"c1:{game.number}:3:{verb}:")
        if verb != "hand":
            assert "over" in (await refusal_text(outcome)) or verb in ("do", "resign")
    assert "over" in await refusal_text(await other.command("play", move="current 5C N2", table=game.number))
    assert "over" in await refusal_text(
        await other.command("currents compass", card="5C", place="N", table=game.number)
    )
    assert await game.count_moves() == move_count


@pytest.mark.usefixtures("game_stays_unchanged")
async def test_forged_ids_grant_nothing(rig: Rig, game: LiveGame) -> None:
    """Any custom id, from a stranger, is answered privately and changes nothing."""
    board = await game.current_board()
    stranger = rig.member("Farid", board.channel)
    arguments = (
        "",
        "0",
        "A",
        "DROP TABLE matches",
        "current 5C N2",
        "-",
        "?" * 70,
        "jokers",
        "999999999",
        "﷽" * 20,
    )
    forged_ids = [
        f"c1:{game.number}:{ply}:{verb}:{argument}"
        for i, verb in enumerate(HANDLERS)
        for j, argument in enumerate(arguments)
        for k, ply in enumerate((0, 3))
        if IS_SOAK or (i + j + 2 * k) % 12 == 0
    ]
    forged_ids += [
        "",
        "c1",
        "c1:",
        "c2:1:1:play:",
        "c1:0:0:play:",
        "c1:9999999:99999:play:",
        "c1:\u0661:\u0661:play:",
        "x" * 100,
    ]
    forged_ids += [
        "c1:1:1:zzzzzz:",
        "c1:-1:0:play:",
        "c1:1:1:PLAY:",
        "c1:1:1:play",
        "c1:1:1:play:\n",
        "\x00",
        "c1:1:1::",
    ]
    concurrency_limit = asyncio.Semaphore(8)

    async def press(custom_id: str) -> None:
        async with concurrency_limit:
            outcome = await press_component(stranger, board, custom_id)
        if outcome.response.callback_type is not CallbackType.MODAL:
            message = await shown_message(outcome)
            assert message.ephemeral, custom_id
            assert "went wrong" not in message_text(message), (custom_id, message_text(message))

    await asyncio.gather(*(press(custom_id) for custom_id in forged_ids))


@pytest.mark.usefixtures("game_stays_unchanged")
async def test_a_players_forged_ids_play_nothing_illegal(game: LiveGame) -> None:
    """The one who must act cannot smuggle an illegal choice through the panel's ids and values."""
    board = await game.current_board()
    actor, _ = bring_players_to(game, board)
    for argument in ("current 99Z N2", "deal A 2C", "undo 0", "begin A", "?", "current", "-", "() ()"):
        for verb in ("do", "step", "page"):
            outcome = await press_component(
                actor, board, f"c1:{game.number}:{game.last_seen_ply}:{verb}:{argument}", argument
            )
            assert "went wrong" not in await read_response(outcome)


@pytest.mark.trust_test("T13")
@pytest.mark.usefixtures("game_stays_unchanged")
@pytest.mark.parametrize("text", cases(HOSTILE_TEXTS, *SOME_TEXTS))
async def test_hostile_texts_are_inert(rig: Rig, game: LiveGame, text: str) -> None:
    """Any text in any option or form is refused privately, and autocompletion of it answers."""
    board = await game.current_board()
    actor, _ = bring_players_to(game, board)
    await refusal_text(await actor.command("play", move=text))
    await refusal_text(await actor.command("currents compass", card=text, place=text))
    await refusal_text(await actor.command("table replace", seat=text, table=game.number))
    for command, option in (("play", "move"), ("currents current", "card")):
        assert len(await actor.autocomplete(command, option, text)) <= 25
    await actor.autocomplete("newgame", "options", text, game="currents")
    await actor.autocomplete("rules", "topic", text)
    await actor.autocomplete("board", "table", text)
    panel = await shown_message(await actor.press(board, "Play"))
    form = await open_form(actor, panel, "Type a move")
    try:
        submitted = await actor.submit(form, {"": text[:200]})
    except ClientRefusal:
        assert not text[:200]
    else:
        await refusal_text(submitted)
    if text.split():
        answer = await actor.command("newgame", game="currents", options=text)
        assert "is open" not in await refusal_text(answer)


NEW_HOST_SUFFIX: Final = " (host) · new here"
"""What stands in the lobby after the name of a host who has never played."""


@pytest.mark.trust_test("T13")
@pytest.mark.parametrize("name", cases([*filter(None, HOSTILE_TEXTS)], *filter(None, SOME_TEXTS)))
async def test_hostile_names_are_inert(rig: Rig, name: str) -> None:
    """A name pings nobody anywhere; in the lobby it stays on its line, formats and reverses nothing."""
    user = rig.discord.user("Elif")
    first_index = len(rig.observed)
    user.name = name
    try:
        game = await rig.open_lobby(name, "Farid")
        message = await game.lobby_message()
        (line,) = [line for line in message.content.splitlines() if line.startswith("A · ")]
        assert line.endswith(NEW_HOST_SUFFIX)
        shown_name = line.removeprefix("A · ").removesuffix(NEW_HOST_SUFFIX)
        if shown_name.startswith("\u2068"):  # read from right to left: isolated as a whole
            shown_name = shown_name.removeprefix("\u2068").removesuffix("\u2069")
        assert 0 < len(shown_name) <= 64
        assert re.search(r"(?<!\\)[*_`~|<>\[\]]", shown_name) is None
        assert not [c for c in shown_name if unicodedata.category(c) in ("Cf", "Cc", "Co", "Cs", "Zl", "Zp")]
        await read_response(await game.people[0].press(message, "Leave"))
        await read_response(await game.people[1].press(message, "Leave"))
    finally:
        user.name = "Elif"
    for observed in rig.observed[first_index:]:
        assert not observed.mentions
        assert not observed.message.mention_everyone
