"""T15: many tables of every game at once, the platform's faults and kills, through the unmodified bot."""

from __future__ import annotations

import io
import json
import random
import re
import shutil
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
import pytest_asyncio
from PIL import Image, ImageDraw

from bot.local.messages import Upload, create_message, edit_message
from bot.local.world import World
from bot.store.rows import StoredTable
from rules.catalogue import GAMES
from tests.bot.database_file import open_database_file
from tests.bot.e2e.soak_leaks import Leak, LeakChecker
from tests.bot.e2e.soak_model import (
    Content,
    DatabaseDiffers,
    ReceivedLog,
    ReceivedMessage,
    compare_with_database,
)
from tests.bot.e2e.soak_pictures import save_difference
from tests.bot.e2e.soak_simulation import Soak, SoakPlan, make_unchecked_rig, memory_growth, percentile
from tests.soak import RESULTS_FOLDER
from tests.trials import IS_SOAK, SCALE

pytestmark = pytest.mark.asyncio(loop_scope="module")

PLAN = (
    SoakPlan(seconds=max(120.0, 3600 * SCALE), kill_count=max(3, round(20 * SCALE)))
    if IS_SOAK
    else SoakPlan(seconds=12, table_count=10, mean_pause=4.0, kill_count=2, calm_share=0.2)
)
"""At each commit people think for long, so that the tests beside this one keep their deadlines."""
REDRAWN_MESSAGE_COUNT = 600 if IS_SOAK else 20
"""Messages whose pictures are drawn again."""
MAX_LOST_SHARE = 0.2 if IS_SOAK else 0.4
"""Presses that may get no answer; a short run may meet several cut connections within its few presses."""
MAX_GROWTH_MB_PER_MINUTE = 1.0
"""MB a minute that memory may grow by, once it is warm."""
MAX_RESIDENT_BYTES = 450_000_000
WARM_UP_SECONDS = 1500.0
"""Seconds after the last kill from which growth is judged: before, caches of tables and pictures fill."""


@dataclass(frozen=True, repr=False)
class FinishedSoak:
    """A soak that is over."""

    soak: Soak
    database: Path
    tables: dict[int, StoredTable]
    move_count: int
    """Moves that were confirmed."""
    log: str


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def finished_soak(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[FinishedSoak]:
    """Yield the soak, run once, after its model and database have been found to agree.

    Every confirmed move is stored once, nothing else is, replay gives the snapshot, nothing is frozen.
    """
    async with make_unchecked_rig(tmp_path_factory.mktemp("soak")).running() as rig:
        soak = Soak(rig, PLAN, ReceivedLog(sample_size=REDRAWN_MESSAGE_COUNT))
        await soak.run()
    tables, move_count = await compare_with_database(soak.received_log, rig.database)
    yield FinishedSoak(soak, rig.database, tables, move_count, rig.log_without_waits())


@pytest.mark.trust_test("T15")
async def test_the_run_had_moves_and_kills_and_no_error(
    finished_soak: FinishedSoak, add_trials: Callable[[int], None]
) -> None:
    """Moves were made between kills, most presses were answered, and the bot logged no error."""
    soak, tables = finished_soak.soak, finished_soak.tables
    counts, latencies, memory = soak.counts, soak.latencies, soak.memory_samples
    press_count, lost_count = counts["presses"], counts["presses lost"]
    print(
        f"\n{len(tables)} tables, {finished_soak.move_count} confirmed moves,"
        f" {press_count} presses, {lost_count} lost, {counts['kills']} kills,"
        f" {len(soak.received_log.received)} messages; answers: half within"
        f" {percentile(latencies, 0.5):.3f} s, 99 % within {percentile(latencies, 0.99):.3f} s;"
        f" memory {memory[-1][2] / 1e6:.0f} MB, {memory_growth(memory, 0.3):+.2f} MB/min"
        f"\n{dict(counts)}"
    )
    assert counts["exit code"] == 0
    assert counts["kills"] >= PLAN.kill_count // 2
    assert finished_soak.move_count > PLAN.table_count // 2
    assert lost_count < press_count * MAX_LOST_SHARE, "most people must be answered, whatever happens"
    lines = [json.loads(each) for each in finished_soak.log.splitlines()]
    errors = [each for each in lines if each["level"] in {"error", "critical"}]
    bot_errors = [
        each for each in errors if each["logger"].startswith("bot.")
    ]  # a broken line is an error to discord.py
    assert not bot_errors, bot_errors[:5]
    assert "Traceback" not in finished_soak.log
    add_trials(finished_soak.move_count)


@pytest.mark.trust_test("T15")
async def test_nobody_received_a_secret(
    finished_soak: FinishedSoak, add_trials: Callable[[int], None]
) -> None:
    """Every board, hand and page comes out the same, to the byte, in a world with other secrets."""
    checker = await _search_for_leaks(
        finished_soak,
        finished_soak.soak.received_log,
        RESULTS_FOLDER if IS_SOAK else finished_soak.database.parent,
    )
    print(
        f"\n{checker.compared_count} messages compared, {checker.redrawn_count} of them with their pictures"
        f" redrawn; {checker.searched_count} texts searched"
    )
    assert checker.redrawn_count > REDRAWN_MESSAGE_COUNT // 4
    assert checker.compared_count > PLAN.table_count
    add_trials(checker.compared_count)


async def _search_for_leaks(
    finished_soak: FinishedSoak, received_log: ReceivedLog, folder: Path
) -> LeakChecker:
    """Compare and search everything; pictures that differ are saved in ``folder``."""
    checker = LeakChecker(finished_soak.tables, random.Random(PLAN.seed), folder)
    for i, each in sorted(
        enumerate(received_log.received), key=lambda indexed: indexed[1].content.table_number or 0
    ):
        await checker.check_message(each, received_log.sampled_files_by_index.get(i))
    for press in sorted(received_log.presses, key=lambda press: press.content.table_number or 0):
        await checker.check_page(press)
    checker.check_texts((each.user, each.content.text) for each in received_log.received)
    checker.check_texts((each.user, each.content.text) for each in received_log.presses)
    return checker


@pytest.mark.trust_test("T15")
async def test_memory_is_bounded(finished_soak: FinishedSoak) -> None:
    """The bot needs little memory; in a run long enough to be warm it grows by less than 1 MB a minute."""
    assert max(resident for _, _, resident in finished_soak.soak.memory_samples) < MAX_RESIDENT_BYTES
    calm_seconds = PLAN.seconds * PLAN.calm_share
    if calm_seconds >= 1.5 * WARM_UP_SECONDS:
        growth = memory_growth(finished_soak.soak.memory_samples, WARM_UP_SECONDS / calm_seconds)
        assert growth < MAX_GROWTH_MB_PER_MINUTE


# Each of these checks can fail --------------------------------------------------------------------------


@pytest.mark.trust_test("T15", sensitivity=True)
async def test_a_lost_move_is_noticed(finished_soak: FinishedSoak, tmp_path: Path) -> None:
    """A database that lacks one confirmed answer or one record differs from the model."""
    (confirmed_press, *_) = [
        each for each in finished_soak.soak.received_log.presses if each.table_number_of_last_move is not None
    ]
    lost_database = _copy_to(finished_soak.database, tmp_path / "lost.db")
    _execute(lost_database, f"delete from inbox where interaction = {confirmed_press.interaction}")
    with pytest.raises(DatabaseDiffers):
        await compare_with_database(finished_soak.soak.received_log, lost_database)
    gap_database = _copy_to(finished_soak.database, tmp_path / "gap.db")
    table_number = confirmed_press.table_number_of_last_move
    _execute(
        gap_database,
        "drop trigger records_only_grow_delete",
        f"delete from records where match = {table_number} and ply = 3",
    )
    with pytest.raises(AssertionError, match="gap"):
        await compare_with_database(finished_soak.soak.received_log, gap_database)


@pytest.mark.trust_test("T15", sensitivity=True)
async def test_an_answer_without_its_choice_is_noticed(finished_soak: FinishedSoak, tmp_path: Path) -> None:
    """An answer that is stored once more, without a choice, is noticed."""
    altered_database = _copy_to(finished_soak.database, tmp_path / "twice.db")
    (confirmed_press, *_) = [
        each for each in finished_soak.soak.received_log.presses if each.table_number_of_last_move is not None
    ]
    _execute(
        altered_database,
        "insert into inbox select (select max(interaction) + 1 from inbox), match, ply, answer, at from inbox"
        f" where interaction = {confirmed_press.interaction}",
    )
    with pytest.raises(DatabaseDiffers):
        await compare_with_database(finished_soak.soak.received_log, altered_database)


@pytest.mark.trust_test("T15", sensitivity=True)
@pytest.mark.parametrize("leak", ["another's hand", "hand in public", "alt text"])
async def test_a_leak_is_noticed(finished_soak: FinishedSoak, leak: str, tmp_path: Path) -> None:
    """A message that somebody should not have received is noticed."""
    hands = [
        each
        for each in finished_soak.soak.received_log.received
        if each.user is not None and "play" in each.content.verbs
    ]
    hands = [each for each in hands if not each.is_ephemeral and each.content.files]
    boards = [
        each for each in finished_soak.soak.received_log.received if each.user is None and each.content.files
    ]
    boards = [each for each in boards if {"play", "more"} <= each.content.verbs]
    whole_hands = (each for each in hands if "…" not in each.content.text.partition("Fairness code")[0])
    hand = max(whole_hands, key=lambda each: len(each.content.text))
    number = hand.content.table_number
    assert number is not None
    others = [seat.user for seat in finished_soak.tables[number].row.seats if seat.user != hand.user]
    board = next(each for each in boards if each.content.table_number == number)
    altered_files = tuple((name, f"{text} {len(text)}", digest) for name, text, digest in board.content.files)
    leaked_message = {
        "another's hand": replace(hand, user=others[0]),
        "hand in public": ReceivedMessage(None, Content(hand.content.text, (), ())),
        "alt text": replace(board, content=replace(board.content, files=altered_files)),
    }[leak]
    with pytest.raises(Leak):
        await _search_for_leaks(finished_soak, ReceivedLog([leaked_message]), tmp_path)


@pytest.mark.trust_test("T15", sensitivity=True)
async def test_a_leak_in_a_picture_is_noticed(finished_soak: FinishedSoak, tmp_path: Path) -> None:
    """A picture that differs is noticed; both are saved, and the message says which pixels differ."""
    received_log = finished_soak.soak.received_log
    sent, data = next(
        (received_log.received[i], files[0])
        for i, files in received_log.sampled_files_by_index.items()
        if received_log.received[i].user is None
        and {"play", "more"} <= received_log.received[i].content.verbs
        and _is_of_game_with_secrets(finished_soak, received_log.received[i])
    )
    assert data is not None
    altered = _with_square(data)
    files = tuple((name, text, "0" * 32) for name, text, _ in sent.content.files)
    leaking = replace(sent, content=replace(sent.content, files=files))
    with pytest.raises(Leak, match=r"pixels differ inside \(10, 20, 31, 41\)") as raised:
        await _search_for_leaks(
            finished_soak, ReceivedLog([leaking], sampled_files_by_index={0: (altered,)}), tmp_path
        )
    first, second = (Path(name) for name in re.findall(r"\S+\.png(?=[ )])", str(raised.value)))
    assert (first.read_bytes(), second.read_bytes()) == (altered, data)


def _is_of_game_with_secrets(finished_soak: FinishedSoak, message: ReceivedMessage) -> bool:
    """Whether a message is of a game with secrets: only those are drawn again with others."""
    number = message.content.table_number
    return number is not None and bool(GAMES[finished_soak.tables[number].row.game_key].hidden_information)


# What the checks are made of ----------------------------------------------------------------------------


async def test_differences_of_pictures_are_described(tmp_path: Path) -> None:
    """A picture that nobody has any more, one that is damaged, another size, another encoding."""
    data, larger, other_bytes = (
        _encode(Image.new("P", size), level) for size, level in [((40, 50), 6), ((40, 60), 6), ((40, 50), 0)]
    )
    assert "only the second" in save_difference(tmp_path, "a", None, data)
    assert "is no picture" in save_difference(tmp_path, "b", b"", data)
    assert "is no picture" in save_difference(tmp_path, "c", data[:40], data)
    assert "sizes differ: (40, 60) and (40, 50)" in save_difference(tmp_path, "d", larger, data)
    assert "equal pixels in other bytes" in save_difference(tmp_path, "e", other_bytes, data)


async def test_a_dropped_file_keeps_its_digest(monkeypatch: pytest.MonkeyPatch) -> None:
    """An edit may leave a file at its message that the stand-in has dropped: it is still the same picture."""
    monkeypatch.setattr("bot.local.world.MAX_FILES", 1)
    world, received_log = World(), ReceivedLog(sample_size=3)
    world.listen(lambda event: received_log.record_message(event.message) if event.message else None)
    (channel, *_) = world.channels.values()
    hand, board = (
        create_message(world, channel, world.bot, {}, {"files[0]": Upload(name, "image/png", name.encode())})
        for name in ("hand.png", "board.png")
    )
    assert [message.attachments[0].data for message in (hand, board)] == [None, b"board.png"]
    edit_message(world, hand, {"content": "Your turn.", "attachments": [{"id": hand.attachments[0].id}]}, {})
    posted, _, edited = received_log.received
    assert posted.content.files == edited.content.files != ()
    assert (posted.message_id, posted.version, edited.version) == (hand.id, 1, 2)
    assert received_log.sampled_files_by_index == {0: (b"hand.png",), 1: (b"board.png",), 2: (None,)}


async def test_growth_is_measured_of_the_last_process_alone() -> None:
    """Growth is measured of the last process alone, in MB a minute."""
    old_process = [(1, float(at), 500_000_000 + at * 1_000_000) for at in range(60)]
    new_process = [(2, 100.0 + at, 80_000_000 + at * 50_000) for at in range(120)]
    assert memory_growth([*old_process, *new_process], 0.3) == pytest.approx(3.0)
    assert memory_growth(
        [*old_process, *((2, at, 80_000_000) for _, at, _ in new_process)], 0.3
    ) == pytest.approx(0.0)


def _with_square(data: bytes) -> bytes:
    """Return a picture with a square in a colour that no game uses."""
    with Image.open(io.BytesIO(data)) as picture:
        altered = picture.convert("RGB")
    ImageDraw.Draw(altered).rectangle((10, 20, 30, 40), (255, 0, 255))
    return _encode(altered, 6)


def _encode(picture: Image.Image, level: int) -> bytes:
    buffer = io.BytesIO()
    picture.save(buffer, "PNG", compress_level=level)
    return buffer.getvalue()


def _copy_to(database: Path, to: Path) -> Path:
    shutil.copy(database, to)
    return to


def _execute(database: Path, *statements: str) -> None:
    with open_database_file(database) as connection:
        for statement in statements:
            connection.execute(statement)
