"""The bot as a process, at its most talkative: no secret leaves it (P16, T17)."""

from __future__ import annotations

import contextlib
import random
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
import pytest_asyncio

from bot.local.faults import InjectedFault
from bot.local.message_contents import message_text
from tests.bot.database_file import open_database_file
from tests.bot.e2e.observe import read_response
from tests.bot.e2e.platform_faults import CALLBACK_ROUTE, MESSAGE_ROUTE, MESSAGES_ROUTE
from tests.bot.e2e.rig import Rig
from tests.bot.trust.secret_encodings import find_secrets

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def module_rig(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Rig]:
    """Yield a bot that logs whatever it can."""
    rig = Rig(tmp_path_factory.mktemp("talkative"))
    rig.settings = {"CAPTAINS_TABLE_LOG": "DEBUG"}
    async with rig.running():
        yield rig


def backup_files(rig: Rig) -> list[Path]:
    """Return the copies of the database; nothing else may lie with them."""
    folder = rig.folder / "backups"
    copies = sorted(folder.iterdir())
    assert all(path.name.startswith("captains-table-") and path.suffix == ".db" for path in copies), copies
    return copies


def stored_values_except_seeds(database: Path) -> str:
    """Return every value in a database, except those of the one column that must hold the seeds."""
    values = []
    with open_database_file(database) as connection:
        tables = [
            name for (name,) in connection.execute("select name from sqlite_schema where type = 'table'")
        ]
        for table in tables:
            rows = connection.execute(f"select * from {table}")
            names = [each[0] for each in rows.description]
            for row in rows:
                values += [repr(value) for name, value in zip(names, row, strict=True) if name != "seed"]
                values += [
                    value.hex()
                    for name, value in zip(names, row, strict=True)
                    if isinstance(value, bytes) and name != "seed"
                ]
    return "\n".join(values)


@pytest.mark.trust_test("T17")
async def test_nothing_that_leaves_holds_a_secret(module_rig: Rig, add_trials: Callable[[int], None]) -> None:
    """After play, faults and a crash: log, database, backups, texts, files and pictures hold none."""
    rig = module_rig
    game = await rig.start_game("Ava", "Ben")
    for fault in (
        InjectedFault("POST", CALLBACK_ROUTE, mode="cut"),
        InjectedFault("POST", CALLBACK_ROUTE, status=500),
        InjectedFault("*", MESSAGES_ROUTE, mode="cut_after"),
        InjectedFault("*", MESSAGE_ROUTE, status=403, code=50013),
    ):
        rig.discord.faults.add(fault)
        with contextlib.suppress(Exception):
            await game.make_move()
    rig.discord.faults.clear()
    member = rig.member("Ava", game.game_channel)
    for command in ("table show", "export", "log", "hand"):
        await read_response(await member.command(command, table=game.number))
    await rig.kill()
    await rig.start()
    for command in ("board", "log"):
        await read_response(await member.command(command, table=game.number))
    await rig.terminate()
    with open_database_file(rig.database) as connection:
        seeds = [seed for (seed,) in connection.execute("select seed from matches where status = 'playing'")]
    tokens = list(rig.discord.interactions._by_token)
    assert seeds
    assert len(tokens) > 5
    secrets = [rig.discord.bot_token, *seeds, *tokens]
    sent = [each.message for each in rig.observed]
    assert find_secrets(rig.log(), secrets) == []
    copies = backup_files(rig)
    assert copies, "a clean stop makes one"
    for database in (rig.database, *copies):
        assert database.stat().st_mode & 0o077 == 0, "only the bot may read it"
        assert find_secrets(stored_values_except_seeds(database), secrets) == []
    assert find_secrets("\n".join(message_text(message) for message in sent), secrets) == []
    files = [file.data for message in sent for file in message.attachments]
    assert len(files) > 3
    for data in files:
        assert data is not None, "the stand-in has dropped a file before it was searched"
        assert find_secrets(data.decode("latin-1"), secrets) == []
        assert not [secret for secret in seeds if secret in data]
    add_trials(1 + 1 + len(copies) + len(sent) + len(files))


@pytest.mark.trust_test("T17", sensitivity=True)
async def test_the_search_finds_what_is_there(module_rig: Rig) -> None:
    """Sensitivity: a secret is found in the database and in a backup, and as Python writes it in a log."""
    secret = random.Random(1).randbytes(32)
    if module_rig.process is not None:  # the test before has failed, or was not run
        await module_rig.terminate()
    for database in (module_rig.database, backup_files(module_rig)[-1]):
        with open_database_file(database) as connection:
            connection.execute("insert or replace into settings values ('x', ?)", (secret.hex(),))
        assert find_secrets(stored_values_except_seeds(database), [secret])
    assert find_secrets(f"log: {secret!r}", [secret])
