"""Token, seeds and interaction tokens appear in no log, error or repr (P16, T17)."""

import io
import logging
import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import Any

import aiohttp
import msgspec
import pytest

from bot.config import Config, ConfigError, Secret, read_config
from bot.host.courier_protocol import Attempt, DeliveryResult
from bot.host.deciders import lobby, play
from bot.host.deciders.decision import Decision
from bot.host.game_guard import GameFault
from bot.host.outbox import Outbox
from bot.host.table import Table
from bot.host.tables import Tables
from bot.store.delivery_rows import Delivery, PostedMessage, Slot
from bot.store.protocol import StoreError
from bot.store.rows import Change
from bot.store.sqlite import SqliteStore
from bot.watch.logs import JsonLineFormatter
from rules.catalogue import GAMES
from tests.bot.host.playing import (
    GAMES_AND_TOYS,
    ManualClock,
    begin,
    default_setup,
    make_move,
    request_of_person,
    seat_and_random_action,
)
from tests.bot.trust.secret_encodings import find_secrets

TOKEN = "MTQ1NjA3NDQ0NDAxMDE2MDEzNQ.GhIjKl.canary-of-the-bots-own-token-0123456789"
INTERACTION_TOKEN = "aW50ZXJhY3Rpb246" + "canaryOfAnInteraction" * 4
GAME = next(iter(GAMES.values()))


@contextmanager
def captured_log(formatter: logging.Formatter) -> Iterator[io.StringIO]:
    """Yield everything that is logged meanwhile, down to the last detail."""
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(formatter)
    root = logging.getLogger()
    level_before = root.level
    root.addHandler(handler)
    root.setLevel("DEBUG")
    try:
        yield stream
    finally:
        root.removeHandler(handler)
        root.setLevel(level_before)


class _LeakyCourier:
    """A courier that fails with errors whose texts hold the secrets."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self.attempt_count = 0

    async def deliver(
        self,
        delivery: Delivery,
        table: Table,
        posted_messages: dict[Slot, PostedMessage],
        attempt: Attempt,
    ) -> DeliveryResult:
        """Fail in another way each time."""
        self.attempt_count += 1
        raise (
            aiohttp.ClientError(f"POST https://discord.com/api/v10/webhooks/1/{INTERACTION_TOKEN}"),
            RuntimeError(f"Authorization: Bot {TOKEN}"),
            ValueError(table.row.seed),
        )[self.attempt_count % 3]


async def _cause_faults(store: SqliteStore, clock: ManualClock) -> list[bytes | str]:
    """Cause faults of every kind, with the secrets in their texts; return the secrets."""
    is_armed = [False]

    def apply_action(state: Any, action: Any) -> Any:
        if is_armed[0]:
            raise ValueError(f"{TOKEN} {INTERACTION_TOKEN} {seed!r} {seed.hex()} {state!r}")
        return GAME.apply_action(state, action)

    game = replace(GAME, apply_action=apply_action)
    tables = Tables(store, {**GAMES_AND_TOYS, game.key: game}, clock)
    seed = b""
    number = await begin(tables, replace(default_setup(GAME), game=game))
    table = await tables.get(number)
    seed = table.row.seed
    rng = random.Random(1)
    await make_move(tables, number, rng)
    outbox = Outbox(tables, _LeakyCourier(table))
    for delivery in (await store.waiting_deliveries(number))[:3]:
        await outbox._deliver(delivery)
    seat, action = seat_and_random_action(await tables.get(number), rng)
    is_armed[0] = True
    request = request_of_person(seat)
    with pytest.raises(GameFault):
        await tables.change(number, request, partial(play.play, request=request, actions=(action,)))
    log = logging.getLogger("bot.tested")
    try:
        try:
            raise OSError(TOKEN)
        except OSError as error:
            raise StoreError(f"refused {INTERACTION_TOKEN}") from error
    except StoreError:
        log.exception("a fault", extra={"token": TOKEN, "seed": seed, "table": number})
    logging.getLogger("discord.http").warning(
        "%s %s", "POST", f"/interactions/1/{INTERACTION_TOKEN}/callback"
    )
    logging.getLogger("asyncio").error(f"Task <coro=<start({TOKEN!r})>>")  # noqa: G004 - as asyncio does
    return [TOKEN, INTERACTION_TOKEN, seed]


@pytest.mark.trust_test("T17")
async def test_no_log_holds_a_secret(store: SqliteStore, clock: ManualClock) -> None:
    """Faults whose texts are full of secrets are logged without them, at the most verbose level."""
    with captured_log(JsonLineFormatter()) as log:
        secrets = await _cause_faults(store, clock)
    assert log.getvalue().count("\n") >= 6
    assert find_secrets(log.getvalue(), secrets) == []


@pytest.mark.trust_test("T17", sensitivity=True)
async def test_a_usual_log_is_caught(store: SqliteStore, clock: ManualClock) -> None:
    """Sensitivity: the same faults through Python's usual format show all three secrets."""
    with captured_log(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s")) as log:
        secrets = await _cause_faults(store, clock)
    for secret in secrets:
        assert find_secrets(log.getvalue(), [secret])


@pytest.mark.trust_test("T17")
async def test_no_repr_holds_a_secret(tables: Tables) -> None:
    """What a traceback or a debugger shows of our values names them, and no more."""
    number = await begin(tables, default_setup(GAME))
    table = await tables.get(number)
    stored = await tables.store.load(number)
    seed = table.row.seed
    shown = [
        table,
        table.row,
        table.match,
        stored,
        Change(row=table.row, answer="", records=stored.records if stored else ()),
        Decision(table=table, answer=""),
        lobby.open_table(9, GAME, "", request_of_person(0), seed, 0),
        read_config({"DISCORD_TOKEN": TOKEN}),
        Secret(TOKEN),
        [Secret(TOKEN)],
    ]
    assert find_secrets(" ".join(map(repr, shown)), [seed, TOKEN]) == []
    assert table.match is not None
    assert table.match.snapshot() not in repr(shown).encode()


@pytest.mark.trust_test("T17", sensitivity=True)
def test_a_plain_config_is_caught() -> None:
    """Sensitivity: a token that is a mere string shows itself."""
    config = read_config({"DISCORD_TOKEN": TOKEN})
    unprotected = msgspec.structs.replace(config, token=TOKEN)
    assert isinstance(unprotected, Config)
    assert find_secrets(repr(unprotected), [TOKEN])


@pytest.mark.trust_test("T17")
def test_a_bad_setting_does_not_quote_the_token() -> None:
    """What is wrong with a token is said without it."""
    with pytest.raises(ConfigError) as raised:
        read_config({"DISCORD_TOKEN_FILE": "/nonexistent", "DISCORD_TOKEN": TOKEN})
    assert find_secrets(str(raised.value), [TOKEN]) == []
