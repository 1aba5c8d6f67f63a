"""T7 where the bot's requests arrive: a viewer is sent the same, whatever it may not know.

Two servers with the bot in them hold the two tables of a pair.  The viewer looks at everything there, types
what is not allowed, and sees choices made; every request that reaches it or everybody must be the same.
"""

import math
import random
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from typing import Any, Final
from unittest.mock import patch

import msgspec
import pytest
import pytest_asyncio

from bot.chat import action_commands, delivery_contents, history_pages, pages
from bot.chat.courier import DiscordCourier
from bot.chat.delivery_context import DeliveryContext
from bot.chat.messages import TableMessages
from bot.chat.panel_posts import panel_page
from bot.host.delivery_order import Priority
from bot.host.outbox import Outbox
from bot.host.table import Table
from render import catalogue
from render.catalogue import PICTURES
from rules.game import AnyGame
from tests.bot.chat.post_components import components_by_row
from tests.bot.host.playing import GAMES_AND_TOYS, KEY_OF_GAME_WITH_SECRETS
from tests.bot.host.table_pairs import TablePair, differing_pairs, identical_pairs
from tests.bot.local.conftest import restore_discord_addresses, restored_discord_addresses
from tests.bot.trust.servers import BotServer, memory_folder, open_bot_server
from tests.bot.trust.viewer_visit import Visit, VisitLimits, first_difference, hash_pictures, plan_visit
from tests.conformance.pictures import ALL_PICTURES
from tests.conformance.setups import games_with_secrets, open_games
from tests.trials import cases, trial_count

__all__ = ["restored_discord_addresses"]

pytestmark = pytest.mark.asyncio(loop_scope="module")

PAIR_COUNT = trial_count(short=1, soak=200)
"""For each game."""
VISIT_LIMITS: Final = VisitLimits(
    max_pages=trial_count(short=3, soak=150), max_choices=trial_count(short=2, soak=8)
)
PAINTED_PAIR_COUNT = trial_count(short=1, soak=10)
SMALL_VISIT_LIMITS: Final = VisitLimits(max_pages=1, max_choices=1, max_refused_moves=1)


@pytest.fixture(autouse=True)
def pictures_of_every_game() -> Iterator[None]:
    """Draw the guide's game as the guide draws it, and no progress of a replay: it depends on the time."""
    with (
        patch.object(catalogue, "PICTURES", ALL_PICTURES),
        patch.object(history_pages, "PROGRESS_INTERVAL", math.inf),
    ):
        yield


@asynccontextmanager
async def two_servers() -> AsyncIterator[tuple[BotServer, BotServer]]:
    """Yield two servers that have seen the same."""
    with memory_folder() as folder:
        async with (
            open_bot_server(folder / "one.db") as first,
            open_bot_server(folder / "other.db") as second,
        ):
            yield first, second


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def servers() -> AsyncIterator[tuple[BotServer, BotServer]]:
    """Yield two servers for all tests in which no leak is seeded."""
    with restore_discord_addresses():
        async with two_servers() as both:
            yield both


async def compare_servers(
    servers: tuple[BotServer, BotServer], game: AnyGame, count: int, limits: VisitLimits, rng: random.Random
) -> Counter[str]:
    """Fail at the first request that tells the tables of a pair apart; counts what was compared.

    An open game has no such pairs: its tables are in the same state.
    """
    compared: Counter[str] = Counter()
    for pair in _pick_pairs(game, count, rng):
        plan = plan_visit(pair, limits, rng)
        visits = []
        for server, table in zip(servers, (pair.real, pair.altered), strict=True):
            visits.append(await Visit(server, table, plan).run())
            await server.end_table()
        difference = first_difference(*visits)
        assert difference is None, f"distinguished by {difference}"
        compared["requests"] += sum(len(sent) + len(answered) for _, sent, answered in visits[0])
        compared["choices"] += len(plan.choices)
        compared["refusals"] += len(plan.refused_moves)
        compared["pages"] += sum("c1:" in name for name, _, _ in visits[0])
    return compared


def _pick_pairs(game: AnyGame, count: int, rng: random.Random) -> Iterator[TablePair]:
    """Yield pairs, every second one for the seat to act; the first has a panel of several pages."""
    pair_count = 0
    pairs = differing_pairs if game.hidden_information else identical_pairs
    for pair in pairs(game, 100 * count, rng):
        if (pair.viewer == pair.real.to_act) == (pair_count % 2 == 0) and (
            pair_count or _has_panel_pages(pair)
        ):
            pair_count += 1
            yield pair
        if pair_count == count:
            return
    raise AssertionError("too few pairs")


def _has_panel_pages(pair: TablePair) -> bool:
    """Whether the viewer's panel leads to other pages before a choice."""
    assert pair.viewer is not None
    rows = components_by_row(panel_page(pair.real, pair.viewer).post)
    return any(component.custom_id.verb in {"step", "page"} for row in rows for component in row)


@pytest.mark.trust_test("T7")
@pytest.mark.usefixtures("restored_discord_addresses")
@pytest.mark.parametrize("key", games_with_secrets())
async def test_no_request_tells_a_secret(
    servers: tuple[BotServer, BotServer], key: str, add_trials: Callable[[int], None]
) -> None:
    """Contents, components, ids, files, alt texts, suggestions, order and number of requests are alike."""
    await _compare_visits(servers, key, PAIR_COUNT)
    add_trials(PAIR_COUNT)


@pytest.mark.trust_test("T7")
@pytest.mark.usefixtures("restored_discord_addresses")
@pytest.mark.soak_only  # tests/bot/host/test_leaks.py looks at each open game
@pytest.mark.parametrize("key", open_games())
async def test_equal_tables_of_an_open_game_are_shown_alike(
    servers: tuple[BotServer, BotServer], key: str
) -> None:
    """An open game has no pairs: a visit to two tables in the same state finds everything the same."""
    await _compare_visits(servers, key, max(10, PAIR_COUNT // 2))


async def _compare_visits(servers: tuple[BotServer, BotServer], key: str, count: int) -> None:
    with hash_pictures():
        rng = random.Random(f"requests/{key}")
        compared = await compare_servers(servers, GAMES_AND_TOYS[key], count, VISIT_LIMITS, rng)
    assert compared["requests"] > 30 * count, compared
    assert compared["refusals"] > 5 * count, compared
    assert compared["pages"], compared
    assert compared["choices"] >= count // 3, compared


@pytest.mark.trust_test("T7")
@pytest.mark.usefixtures("restored_discord_addresses")
@pytest.mark.soak_only  # tests/bot/host/test_leaks.py compares the painted pictures of each game
@pytest.mark.parametrize("key", [key for key in PICTURES if key in games_with_secrets()])
async def test_no_painted_picture_tells_a_secret(
    servers: tuple[BotServer, BotServer], key: str, add_trials: Callable[[int], None]
) -> None:
    """The same with pictures as they are painted: their bytes are part of the requests."""
    rng = random.Random(f"painted requests/{key}")
    await compare_servers(servers, GAMES_AND_TOYS[key], PAINTED_PAIR_COUNT, SMALL_VISIT_LIMITS, rng)
    add_trials(PAINTED_PAIR_COUNT)


# Leaks that only the requests show --------------------------------------------------------------------


def _secret_bit(table: Table) -> bool:
    assert table.match is not None
    return int(table.match.digest(), 16) % 2 == 0


async def _leak_by_file_name(real: Any, table: Table, *arguments: Any) -> Any:
    return msgspec.structs.replace(await real(table, *arguments), name=f"board-{_secret_bit(table)}.png")


async def _leak_by_alt_text(real: Any, table: Table, *arguments: Any) -> Any:
    picture = await real(table, *arguments)
    return msgspec.structs.replace(picture, alt=f"{picture.alt} {_secret_bit(table)}")


async def _leak_by_typing(
    real: Any, courier: DiscordCourier, context: DeliveryContext, *arguments: Any
) -> Any:
    if _secret_bit(context.table):
        await courier._messages._client.http.send_typing(context.table.row.game_channel)
    return await real(courier, context, *arguments)


async def _leak_by_second_edit(
    real: Any, courier: DiscordCourier, context: DeliveryContext, posted: Any
) -> Any:
    sent = await real(courier, context, posted)
    if _secret_bit(context.table):
        await courier._messages.partial_message(sent.posted).edit(content="…")
    return sent


async def _leak_by_order(real: Any, outbox: Outbox, number: int, priority: Priority) -> Any:
    if priority is Priority.HIGH and _secret_bit(await outbox._tables.get(number)):
        await real(outbox, number, Priority.MEDIUM)
    return await real(outbox, number, priority)


async def _leak_by_nonce(
    real: Any, messages: TableMessages, context: DeliveryContext, *arguments: Any
) -> Any:
    delivery = context.delivery
    other = msgspec.structs.replace(delivery, id=delivery.id + _secret_bit(context.table))
    return await real(messages, context._replace(delivery=other), *arguments)


async def _leak_by_mentions(
    real: Any, messages: TableMessages, context: DeliveryContext, channel: int, post: Any, *arguments: Any
) -> Any:
    table = context.table
    users = tuple(each.user for each in table.seats) if _secret_bit(table) else post.notified_users
    return await real(
        messages, context, channel, msgspec.structs.replace(post, notified_users=users), *arguments
    )


async def _leak_by_deferral(real: Any, tables: Any, response: Any, number: int, *arguments: Any) -> Any:
    if _secret_bit(await tables.get(number)):
        await response.defer()
    return await real(tables, response, number, *arguments)


async def _leak_by_public_message(real: Any, tables: Any, response: Any, number: int, *arguments: Any) -> Any:
    if _secret_bit(await tables.get(number)):
        await response.interaction.channel.send("…")
    return await real(tables, response, number, *arguments)


def _leak_by_missing_suggestions(real: Any, table: Table, *arguments: Any) -> Any:
    return [] if _secret_bit(table) else real(table, *arguments)


LEAKS: Final[dict[str, tuple[Any, str, Callable[..., Any]]]] = {
    "file name": (delivery_contents, "draw_board_picture", _leak_by_file_name),
    "alt text": (delivery_contents, "draw_hand_picture", _leak_by_alt_text),
    "typing": (DiscordCourier, "_send_board", _leak_by_typing),
    "a further edit": (DiscordCourier, "_send_hand", _leak_by_second_edit),
    "order of board and hand": (Outbox, "_deliver_due", _leak_by_order),
    "nonce": (TableMessages, "post", _leak_by_nonce),
    "who may be pinged": (TableMessages, "post", _leak_by_mentions),
    "a deferral": (pages, "show_board_text", _leak_by_deferral),
    "a word in public": (pages, "show_hand", _leak_by_public_message),
    "no suggestions": (action_commands, "_field_suggestions", _leak_by_missing_suggestions),
}


SHORT_RUN_LEAKS: Final = ("typing", "who may be pinged")
"""A further request, and one in a field of a message."""


@pytest.mark.trust_test("T7", sensitivity=True)
@pytest.mark.usefixtures("restored_discord_addresses")
@pytest.mark.parametrize("name", cases(LEAKS, *SHORT_RUN_LEAKS))
async def test_each_leak_is_caught(name: str) -> None:
    """Each of these leaks is caught within a few pairs."""
    owner, attribute, leak = LEAKS[name]
    real = getattr(owner, attribute)

    def leaking(*arguments: Any) -> Any:
        return leak(real, *arguments)

    rng = random.Random(f"seeded requests/{name}")
    async with two_servers() as servers:
        with hash_pictures(), patch.object(owner, attribute, leaking):
            work = compare_servers(
                servers, GAMES_AND_TOYS[KEY_OF_GAME_WITH_SECRETS], 30, SMALL_VISIT_LIMITS, rng
            )
            assert "distinguished by" in str(await _assertion_error_of(work))


async def _assertion_error_of(work: Awaitable[object]) -> AssertionError | None:
    try:
        await work
    except AssertionError as error:
        return error
    return None
