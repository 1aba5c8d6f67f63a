"""What a ready check posts: who is mentioned, which buttons stand where, and what is edited."""

from functools import partial

import msgspec
import pytest

from bot.host.deciders import lobby, ready_check
from bot.host.deciders.ready_check import TIME_TO_ANSWER
from bot.host.erasing import erase_person
from bot.host.request import Refusal
from bot.host.tables import Tables
from bot.store.clock_rows import HOUR
from bot.store.rows import Status
from tests.bot.host.chat_table import ChatTable
from tests.bot.host.erased_person import check_progress
from tests.bot.host.fake_chat import labels, stub_board_pictures
from tests.bot.host.playing import CHANNEL, FIRST_USER, GAMES_AND_TOYS, ManualClock, begin, default_setup
from tests.bot.host.scripted_courier import run_outbox
from tests.bot.host.timed_tables import notice_texts
from tests.bot.host.waiting_lobbies import CURRENTS, WaitingLobby, open_waiting_lobby


@pytest.fixture(autouse=True)
def _leave_ready_checks_to_courier(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave the messages of ready checks to the courier of each test."""
    monkeypatch.setattr(WaitingLobby, "posts_ready_checks", False)


async def test_the_host_is_asked_when_too_few_are_left(tables: Tables, clock: ManualClock) -> None:
    """Where the missing person's leaving leaves too few, a new message asks the host at once."""
    waiting_lobby = await open_waiting_lobby(tables, clock)
    chat_table = ChatTable(tables, clock, waiting_lobby.number)
    clock.now += 2 * HOUR
    await waiting_lobby.start()
    await waiting_lobby.confirm(1)
    await chat_table.send_all()
    prompt = chat_table.newest_message()
    await waiting_lobby.change_as(2, lobby.leave, is_channel_busy=False)
    await chat_table.send_all()
    newest_message = chat_table.newest_message()
    assert newest_message is not prompt
    assert newest_message.raw_mentions == [FIRST_USER]
    assert "Everybody is here, but the game cannot start yet." in newest_message.content
    assert labels(newest_message) == ["Start", "Fill with computers"]
    assert not labels(prompt)
    assert prompt.content.endswith("\nEverybody is here.")
    with pytest.raises(Refusal, match="one more player"):
        await waiting_lobby.start()
    await waiting_lobby.change_as(3, lobby.join)
    await chat_table.send_all()
    assert "Everybody is here.\n" in newest_message.content
    assert "Here: Ava, Ben and Dimitri." in newest_message.content
    await waiting_lobby.change_as(3, lobby.leave, is_channel_busy=False)
    await waiting_lobby.change_as(
        0, ready_check.fill_with_computers, computer="casual", is_channel_busy=False
    )
    assert (await waiting_lobby.table()).plain_names == ("Ava", "Ben", "Casual 1")


async def test_the_host_reads_whether_the_game_can_start_now(tables: Tables, clock: ManualClock) -> None:
    """A computer player that joins or leaves, and other options, change what the posted message says."""
    waiting_lobby = await open_waiting_lobby(tables, clock)
    chat_table = ChatTable(tables, clock, waiting_lobby.number)
    clock.now += 2 * HOUR
    await waiting_lobby.start()
    await waiting_lobby.confirm(1)
    await waiting_lobby.change_as(2, lobby.leave, is_channel_busy=False)
    await chat_table.send_all()
    newest_message = chat_table.newest_message()
    assert "cannot start yet" in newest_message.content
    await waiting_lobby.change_as(0, lobby.add_computer, computer="casual")
    await chat_table.send_all()
    assert "Here: Ava, Ben and Casual 1." in newest_message.content
    assert "cannot start yet" not in newest_message.content
    await waiting_lobby.change_as(0, lobby.remove_computer)
    await chat_table.send_all()
    assert "cannot start yet" in newest_message.content
    await waiting_lobby.change_as(0, lobby.set_options, values={"board": "square"})
    await chat_table.send_all()
    assert "cannot start yet" not in newest_message.content


async def test_a_prompt_to_the_host_whose_post_got_no_answer_is_posted_once(
    tables: Tables, clock: ManualClock
) -> None:
    """It is found although it has no button **Here**, also once Discord has forgotten its nonce."""
    waiting_lobby = await open_waiting_lobby(tables, clock)
    chat_table = ChatTable(tables, clock, waiting_lobby.number)
    clock.now += 2 * HOUR
    await waiting_lobby.start()
    await waiting_lobby.confirm(1)
    await chat_table.send_all()
    await waiting_lobby.change_as(2, lobby.leave, is_channel_busy=False)
    chat_table.chat.fault_of_call = lambda action, message: (
        OSError("cut") if action == "after_post" and "Everybody is here, but" in message.content else None
    )
    await run_outbox(chat_table.outbox, chat_table.number)
    await chat_table.send_all_without_nonces()
    texts = [message.content for message in chat_table.chat.public_messages()]
    assert sum("Everybody is here, but" in text for text in texts) == 1


@pytest.mark.parametrize("is_somebody_missing", [True, False])
async def test_a_new_host_is_asked(tables: Tables, clock: ManualClock, *, is_somebody_missing: bool) -> None:
    """The choice is theirs from then on: a new message mentions somebody who is here, with a whole time."""
    waiting_lobby = await open_waiting_lobby(
        tables, clock, 3 + is_somebody_missing, "" if is_somebody_missing else "board=triangle"
    )
    chat_table = ChatTable(tables, clock, waiting_lobby.number)
    clock.now += 2 * HOUR
    await waiting_lobby.start()
    await waiting_lobby.confirm(2)
    if is_somebody_missing:
        await chat_table.send_all()
        await waiting_lobby.pass_time(TIME_TO_ANSWER)
    else:
        await waiting_lobby.change_as(1, lobby.leave, is_channel_busy=False)
    await chat_table.send_all()
    prompt = chat_table.newest_message()
    assert prompt.raw_mentions == [FIRST_USER]
    clock.now += HOUR
    await waiting_lobby.change_as(0, lobby.leave, is_channel_busy=False)
    await chat_table.send_all()
    newest_message = chat_table.newest_message()
    assert newest_message is not prompt
    assert newest_message.raw_mentions == [FIRST_USER + 2]
    assert f"<t:{int(clock.now) + TIME_TO_ANSWER}:R>" in newest_message.content
    assert not labels(prompt)
    assert prompt.content.endswith("\nThe host left. Chloé is the host now.")
    assert sum("is the host now" in each.content for each in chat_table.chat.public_messages()) == 1
    assert (await waiting_lobby.table()).row.host == FIRST_USER + 2


@pytest.mark.parametrize("is_check_running", [False, True])
@pytest.mark.parametrize("is_erased", [False, True])
async def test_a_lobby_names_its_new_host(
    tables: Tables,
    clock: ManualClock,
    monkeypatch: pytest.MonkeyPatch,
    *,
    is_erased: bool,
    is_check_running: bool,
) -> None:
    """When the host leaves or is erased, a notice and the lobby's message say who it is now."""
    stub_board_pictures(monkeypatch)
    waiting_lobby = await open_waiting_lobby(tables, clock)
    chat_table = ChatTable(tables, clock, waiting_lobby.number)
    if is_check_running:
        clock.now += 2 * HOUR
        await waiting_lobby.start()
    await chat_table.send_all()
    (lobby_message,) = [each for each in chat_table.chat.public_messages() if "Ava (host)" in each.content]
    if is_erased:
        assert await erase_person(tables, waiting_lobby.request(0), check_progress) == 0
    else:
        await waiting_lobby.change_as(0, lobby.leave, is_channel_busy=False)
    await chat_table.send_all()
    assert "Ben (host)" in lobby_message.content
    (notice,) = [each for each in chat_table.chat.public_messages() if "is the host now" in each.content]
    assert notice.content.endswith("The host left. Ben is the host now.")


@pytest.mark.parametrize("is_channel_busy", [False, True])
async def test_a_new_host_is_named_when_the_check_ends(
    tables: Tables, clock: ManualClock, *, is_channel_busy: bool
) -> None:
    """The host, the last who is missing, leaves: a notice names the next, whether the game starts or not."""
    game = GAMES_AND_TOYS["oceans"]  # it can be played by one person fewer
    waiting_lobby = await open_waiting_lobby(tables, clock, options="", game=game)
    clock.now += 2 * HOUR
    admin = msgspec.structs.replace(waiting_lobby.request(5), is_admin=True)
    await tables.change(
        waiting_lobby.number, admin, partial(lobby.start, request=admin, is_channel_busy=False)
    )
    for seat in (1, 2):
        await waiting_lobby.confirm(seat)
    await waiting_lobby.change_as(0, lobby.leave, is_channel_busy=is_channel_busy)
    table = await waiting_lobby.table()
    assert table.status is (Status.LOBBY if is_channel_busy else Status.PLAYING)
    assert "The host left. Ben is the host now." in await notice_texts(tables, waiting_lobby.number)


@pytest.mark.parametrize("is_somebody_missing", [True, False])
async def test_the_host_reads_of_a_busy_channel(
    tables: Tables, clock: ManualClock, monkeypatch: pytest.MonkeyPatch, *, is_somebody_missing: bool
) -> None:
    """The bot may open no thread there: a new message says why the game did not start, with the choice."""
    stub_board_pictures(monkeypatch)
    await begin(tables, default_setup(CURRENTS, 2))
    waiting_lobby = await open_waiting_lobby(
        tables, clock, 3 + is_somebody_missing, "" if is_somebody_missing else "board=triangle"
    )
    chat_table = ChatTable(tables, clock, waiting_lobby.number)
    clock.now += 2 * HOUR
    await waiting_lobby.start()
    await waiting_lobby.confirm(1)
    if is_somebody_missing:
        await chat_table.send_all()
        await waiting_lobby.pass_time(TIME_TO_ANSWER)
        await chat_table.send_all()
        assert (
            f"It can only start if no other game is going on in <#{CHANNEL}>."
            in chat_table.newest_message().content
        )
        await waiting_lobby.pass_time(TIME_TO_ANSWER)
    else:
        await waiting_lobby.change_as(2, ready_check.confirm, is_channel_busy=True)
    await chat_table.send_all()
    newest_message = chat_table.newest_message()
    assert newest_message.raw_mentions == [FIRST_USER]
    assert f"The game could not start: another one was going on in <#{CHANNEL}>." in newest_message.content
    button_labels = ["Here", "Wait 12 more hours", "Fill with computers", "Start without them"]
    assert labels(newest_message) == (button_labels if is_somebody_missing else ["Start"])


@pytest.mark.parametrize("people_count", [2, 4])
async def test_a_full_lobby_offers_no_seats(tables: Tables, clock: ManualClock, people_count: int) -> None:
    """Where everybody is here, others can join and computers fill up only while a seat is free."""
    waiting_lobby = await open_waiting_lobby(tables, clock, people_count=people_count, options="")
    chat_table = ChatTable(tables, clock, waiting_lobby.number)
    clock.now += 2 * HOUR
    await waiting_lobby.start()
    for seat in range(1, people_count):
        await waiting_lobby.change_as(seat, ready_check.confirm, is_channel_busy=True)
    await chat_table.send_all()
    newest_message = chat_table.newest_message()
    has_free_seat = people_count < 4
    assert ("Others can still join." in newest_message.content) is has_free_seat
    assert labels(newest_message) == ["Start", *(["Fill with computers"] if has_free_seat else [])]


async def test_somebody_who_leaves_is_not_asked_any_more(tables: Tables, clock: ManualClock) -> None:
    """The ready check's message is edited while others are missing."""
    waiting_lobby = await open_waiting_lobby(tables, clock, people_count=3)
    chat_table = ChatTable(tables, clock, waiting_lobby.number)
    clock.now += 2 * HOUR
    await waiting_lobby.start()
    await chat_table.send_all()
    prompt = chat_table.newest_message()
    await waiting_lobby.change_as(2, lobby.leave, is_channel_busy=False)
    await chat_table.send_all()
    assert chat_table.newest_message() is prompt
    assert f"<@{FIRST_USER + 2}>" not in prompt.content
    assert f"<@{FIRST_USER + 1}>" in prompt.content


async def test_the_missing_are_asked_first_and_then_the_host(
    tables: Tables, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One message mentions those who are missing, once; then the host alone; at the end it has no buttons."""
    stub_board_pictures(monkeypatch)
    waiting_lobby = await open_waiting_lobby(tables, clock)
    chat_table = ChatTable(tables, clock, waiting_lobby.number)
    clock.now += 2 * HOUR
    await waiting_lobby.start()
    await chat_table.send_all()

    prompt = chat_table.newest_message()
    assert prompt.raw_mentions == [FIRST_USER + 1, FIRST_USER + 2]
    assert labels(prompt) == ["Here", "Wait 12 more hours", "Fill with computers", "Start without them"]
    assert "Here: Ava." in prompt.content
    await waiting_lobby.confirm(1)
    await chat_table.send_all()
    assert chat_table.newest_message() is prompt, "edited, so that nobody is mentioned again"
    assert "Here: Ava and Ben." in prompt.content
    assert f"<@{FIRST_USER + 1}>" not in prompt.content
    await waiting_lobby.pass_time(TIME_TO_ANSWER)
    await chat_table.send_all()
    prompt_to_host = chat_table.newest_message()
    assert prompt_to_host.raw_mentions == [FIRST_USER]
    assert f" · Chloé did not press **Here**.\n<@{FIRST_USER}>, do you want to wait" in prompt_to_host.content
    assert not labels(prompt)
    assert prompt.content.endswith(" · Ready check.\nThe time is over.")
    await waiting_lobby.confirm(2)
    await chat_table.send_all()
    assert not labels(prompt_to_host)
    assert prompt_to_host.content.endswith(" · Chloé did not press **Here**.\nThe game has started.")
    assert "<@" not in prompt.content + prompt_to_host.content, "nobody need answer any more"
    assert (await waiting_lobby.table()).status is Status.PLAYING


STARTS, REOPENS = "the game starts without them", "the lobby is open to others again"


@pytest.mark.parametrize(
    ("people_count", "options", "text"), [(4, "", STARTS), (3, "board=triangle", REOPENS)]
)
async def test_the_host_reads_what_follows(
    tables: Tables,
    clock: ManualClock,
    monkeypatch: pytest.MonkeyPatch,
    people_count: int,
    options: str,
    text: str,
) -> None:
    """Two are here: enough on a square board, on which two or four play; a triangular one needs three."""
    stub_board_pictures(monkeypatch)
    waiting_lobby = await open_waiting_lobby(tables, clock, people_count, options)
    clock.now += 2 * HOUR
    await waiting_lobby.start()
    await waiting_lobby.confirm(1)
    chat_table = ChatTable(tables, clock, waiting_lobby.number)
    await chat_table.send_all()
    await waiting_lobby.pass_time(TIME_TO_ANSWER)
    await chat_table.send_all()
    assert f"If you choose nothing, {text} <t:" in chat_table.newest_message().content
    await waiting_lobby.pass_time(TIME_TO_ANSWER)
    assert ((await waiting_lobby.table()).status is Status.PLAYING) == (text == STARTS)
