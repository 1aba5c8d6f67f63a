"""Tables that are opened, seated and played as the chat would, without a chat."""

import itertools
import random
from collections.abc import Mapping
from functools import partial
from typing import Final

import msgspec

from bot.host.committer import ChangeResult
from bot.host.deciders import lobby, offer_answers, play, seats
from bot.host.loading import parse_records
from bot.host.request import Request
from bot.host.table import Games, Table
from bot.host.tables import Tables
from bot.store.delivery_rows import DeliveryKind, PostedMessage
from bot.store.rows import RecordRow, StoredTable
from bot.store.seat_rows import Person
from rules.catalogue import GAMES
from rules.game import AnyGame
from rules.match import Match
from rules.model import Action, Seat
from rules.options import parse_options, write_options
from tests.conformance.setups import GameSetup, all_games, covering_setups

GAMES_AND_TOYS: Final[Games] = {game.key: game for game in all_games()}
"""The registered games and the toy games of the guide, by key."""
KEY_OF_GAME_WITH_SECRETS: Final = next(key for key, game in GAMES.items() if game.hidden_information)
"""A registered game with secrets, for tests in which any such will do."""

NAMES: Final = ("Ava", "Ben", "Chloé", "Dimitri", "Edda", "Farid", "Gita")
FIRST_USER: Final = 100
CHANNEL: Final = 50
GUILD: Final = 7
RNG: Final = random.Random(0)
"""For the moves of a test; seeded by its name before it begins."""

_interaction_ids = itertools.count(1_000_000)


def restart_interaction_ids(first: int) -> None:
    """Count the interactions of this process from here."""
    global _interaction_ids  # noqa: PLW0603 - one counter a process
    _interaction_ids = itertools.count(first)


class ManualClock:
    """A clock of Unix time that a test moves on."""

    def __init__(self) -> None:
        """Begin at an arbitrary time."""
        self.now = 1_790_000_000.0

    def __call__(self) -> float:
        """Return the time."""
        return self.now


def request_of_person(original_seat: int, interaction: int | None = None) -> Request:
    """Return a request of the person who has this seat when the game begins, even if another has it now.

    Its interaction id was never used before, unless one is given.
    """
    if interaction is None:
        interaction = next(_interaction_ids)
    return Request(
        user=FIRST_USER + original_seat,
        name=NAMES[original_seat],
        interaction=interaction,
        guild=GUILD,
        channel=CHANNEL,
    )


def request_of_user(user: int, name: str = "Guest", *, is_admin: bool = False) -> Request:
    """Return a request of a user, with or without a seat."""
    return msgspec.structs.replace(request_of_person(0), user=user, name=name, is_admin=is_admin)


async def give_seat_away(tables: Tables, number: int, seat: int, newcomer: Person | None) -> Table:
    """Give a seat to somebody else, who accepts it, or to a computer player, as its player wishes."""
    row = (await tables.get(number)).seats[seat]
    giver_request = msgspec.structs.replace(request_of_person(0), user=row.user or request_of_person(0).user)
    offer = partial(seats.offer_seat, seat=Seat(seat), newcomer=newcomer, computer="random")
    table = (await tables.change(number, giver_request, partial(offer, request=giver_request))).table
    offered = table.seats[seat].offer
    if newcomer is None or offered is None:
        return table
    taker_request = msgspec.structs.replace(request_of_person(0), user=newcomer.user, name=newcomer.name)
    accept = partial(offer_answers.accept_offer, request=taker_request, seat=Seat(seat), offer_id=offered.id)
    return (await tables.change(number, taker_request, accept)).table


async def mark_offers_posted(tables: Tables, number: int) -> None:
    """Mark the offers of seats that wait as posted, as the outbox would."""
    await _mark_waiting_posted(tables, number, DeliveryKind.OFFER)


async def mark_ready_checks_posted(tables: Tables, number: int) -> None:
    """Mark the messages of ready checks that wait as posted, as the outbox would."""
    await _mark_waiting_posted(tables, number, DeliveryKind.READY_CHECK)


async def _mark_waiting_posted(tables: Tables, number: int, kind: DeliveryKind) -> None:
    posted_slots = {each.slot for each in await tables.store.posted_messages(number)}
    for each in await tables.store.waiting_deliveries(number):
        if each.kind is not kind:
            continue
        posted = PostedMessage(
            slot=each.slot, channel=CHANNEL, message_id=each.id, ply=each.ply, posted_at=tables.clock()
        )
        is_edit = each.slot in posted_slots
        await tables.store.mark_delivered(each, each.ply, None if is_edit else posted)


async def open_lobby(
    tables: Tables, game: AnyGame, host_request: Request | None = None, options: str = ""
) -> int:
    """Open a lobby, hosted by the first player unless ``host_request`` is given; return its number."""
    opener_request = request_of_person(0) if host_request is None else host_request
    opened = await tables.open(
        lambda number, seed, now: lobby.open_table(number, game, options, opener_request, seed, now),
        opener_request,
    )
    return opened.table.number


async def begin(tables: Tables, setup: GameSetup, computer_count: int = 0) -> int:
    """Open a table, fill its seats (the last ones with computer players) and start."""
    host_request = request_of_person(0)
    number = await open_lobby(tables, setup.game, host_request, write_options(setup.options))
    for seat in range(1, setup.seat_count):
        if seat < setup.seat_count - computer_count:
            await tables.change(
                number, request_of_person(seat), partial(lobby.join, request=request_of_person(seat))
            )
        else:
            decide = partial(lobby.add_computer, request=host_request, computer="random")
            await tables.change(number, request_of_person(0), decide)
    await tables.change(
        number, request_of_person(0), partial(lobby.start, request=host_request, is_channel_busy=False)
    )
    return number


def default_setup(game: AnyGame, seat_count: int | None = None) -> GameSetup:
    """Return the setup of a game with its default options; with as many seats as it takes, unless given."""
    fitting = [each for each in covering_setups(game) if each.options == game.options_type()]
    return next(each for each in fitting[::-1] if seat_count in {None, each.seat_count})


def seat_and_random_action(table: Table, rng: random.Random) -> tuple[Seat, Action]:
    """Return the seat to act and a random legal action."""
    seat = table.to_act
    assert seat is not None
    assert table.match is not None
    return seat, rng.choice(table.match.legal_actions(seat))


async def make_move(
    tables: Tables, number: int, rng: random.Random, interaction: int | None = None
) -> ChangeResult:
    """Make a random choice for the seat to act, at the present ply."""
    table = await tables.get(number)
    seat, action = seat_and_random_action(table, rng)
    request = request_of_person(seat, interaction)
    return await tables.change(
        number, request, partial(play.play, request=request, actions=(action,), ply=table.row.ply)
    )


def replay_stored(stored: StoredTable, games: Mapping[str, AnyGame] = GAMES_AND_TOYS) -> Match:
    """Return the match of a stored table, replayed from its records alone: each is checked."""
    row = stored.row
    game = games[row.game_key]
    records = parse_records(game, stored.records)
    return Match.replay(
        game, len(row.seats), parse_options(game.options_type, row.options), row.seed, records
    )


def assert_records_whole(stored: StoredTable) -> None:
    """P3: the records are 1..n without a gap, and the snapshot is what replaying them gives."""
    plies = [record.ply for record in stored.records]
    assert plies == list(range(1, len(plies) + 1)), "a gap in the records"
    assert stored.row.ply == len(plies)
    if stored.row.snapshot is not None:
        match = replay_stored(stored)
        assert match.ply == len(plies)
        assert match.snapshot() == stored.row.snapshot, "the snapshot is not what replay gives"


def chosen_records(records: tuple[RecordRow, ...]) -> list[RecordRow]:
    """Return the records of people's own choices, without those that were played automatically."""
    return [record for record in records if record.user is not None and record.actor >= 0 and not record.auto]
