"""T8: whole games in which the table is dropped from memory and loaded again after every act.

And undo: it is free only where nobody can mind, and redoing gives the same draws (P8).
"""

import random
from collections.abc import Callable
from functools import partial
from math import inf
from pathlib import Path
from typing import Any

import msgspec
import pytest

from bot.host.deciders import lobby, moderation, own_undo, play, voting
from bot.host.deciders.decision import Decision
from bot.host.request import Refusal, Request
from bot.host.table import Table
from bot.host.tables import Tables
from bot.store.question_rows import Question
from bot.store.rows import Change, RepeatedInteraction, Status, TableRow
from bot.store.seat_rows import DirectMessages
from bot.store.sqlite import SqliteStore, open_store
from rules.errors import RulesError
from rules.game import AnyGame
from rules.match import Match
from rules.model import CHANCE, Seat
from rules.options import option_values, write_options
from rules.players import RANDOM_PLAYER
from rules.random_stream import RandomStream
from tests.bot.host.open_questions import question_of
from tests.bot.host.playing import (
    GAMES_AND_TOYS,
    KEY_OF_GAME_WITH_SECRETS,
    assert_records_whole,
    begin,
    default_setup,
    request_of_person,
    seat_and_random_action,
)
from tests.conformance.setups import GameSetup, covering_setups, short_covering_setups
from tests.trials import trial_count

GAME_COUNT = trial_count(short=3, soak=500)
"""Games that are played of each kind, at most."""
ENOUGH_ACTS = trial_count(short=30, soak=24_000)
"""After so many acts of a game no further one is begun, but one with the most seats.

``tests/conformance`` saves and resumes a full game for each number of seats after every record.
"""

MAX_ACTS_WITH_MOST_SEATS = trial_count(short=15, soak=24_000)
"""After so many acts the first game with the most seats, which takes long, is left unfinished."""


def assert_same(cached: Table, loaded: Table) -> None:
    """Check that a table in memory equals the stored one."""
    assert loaded.row == cached.row
    assert loaded.options == cached.options
    assert (loaded.match is None) == (cached.match is None)
    if cached.match is not None and loaded.match is not None:
        for name in ("ply", "history", "state", "recent_events", "seat_count", "deal_key"):
            assert getattr(loaded.match, name) == getattr(cached.match, name), name
    assert loaded.with_log().recent_log == cached.with_log().recent_log


class ReloadedTable:
    """One table; after each act it is forgotten, loaded and compared."""

    def __init__(self, store: SqliteStore, rng: random.Random) -> None:
        """Nothing is open yet."""
        self._store = store
        self._rng = rng
        self._tables = Tables(store, GAMES_AND_TOYS)
        self.number = 0
        self.act_count = 0

    def _forget(self) -> Tables:
        self._tables = Tables(self._store, GAMES_AND_TOYS)
        return self._tables

    async def table(self) -> Table:
        """Return the table as it was stored."""
        return await self._forget().get(self.number)

    async def act(self, request: Request, decide: Any) -> Table:
        """Act on the table as it was stored, forget, load, compare."""
        self.act_count += 1
        result = await self._tables.change(self.number, request, partial(decide, request=request))
        loaded = await self.table()
        assert_same(result.table, loaded)
        return loaded

    async def open(self, setup: GameSetup) -> None:
        """Open a table, fill its seats and start."""
        tables = self._forget()
        self.number = await begin(tables, setup)
        assert_same(await tables.get(self.number), await self.table())

    async def play(self, max_act_count: float = inf) -> Table:
        """Play to the end at random, with undos, pauses and a player's messages closed on the way.

        It is left unfinished after ``max_act_count``.
        """
        table = await self.table()
        while (seat := table.to_act) is not None and self.act_count < max_act_count:
            random_share = self._rng.random()
            if random_share < 0.04:
                table = await self._undo(table)
                continue
            if random_share < 0.06:
                await self.act(request_of_person(0), moderation.pause)
                table = await self.act(request_of_person(0), moderation.resume)
                continue
            if random_share < 0.07:
                table = await self._close_messages(seat)
            _, action = seat_and_random_action(table, self._rng)
            table = await self.act(
                request_of_person(seat), partial(play.play, actions=(action,), ply=table.row.ply)
            )
        return table

    async def _undo(self, table: Table) -> Table:
        assert table.match is not None
        asker = self._rng.randrange(table.match.seat_count)
        try:
            table = await self.act(request_of_person(asker), own_undo.undo)
        except Refusal:
            return table
        question = table.row.question
        for other in range(len(table.seats)):
            if question is not None and other != question.seat and _has_open_question(table):
                is_yes = self._rng.random() < 0.8
                table = await self.act(
                    request_of_person(other), partial(voting.vote, question_id=question.id, is_yes=is_yes)
                )
        return table

    async def _close_messages(self, seat: int) -> Table:
        def close(table: Table, request: Request) -> Any:
            row = msgspec.structs.replace(table.seats[seat], direct_messages=DirectMessages.CLOSED)
            return Decision(table=table.with_seat(seat, row), answer="")

        return await self.act(request_of_person(seat), close)


async def play_saved_games(store: SqliteStore, game: AnyGame, count: int, seed: int) -> int:
    """Play games that live in the store alone; at the end replaying the records gives the same.

    Returns how many were played.
    """
    rng = random.Random(f"{game.key}/{seed}")
    *setups, largest_setup = sorted(
        short_covering_setups(game), key=lambda setup: setup.seat_count
    )  # the shortest first
    setups.insert(1, largest_setup)
    act_count = 0
    for index in range(count):
        if index > 1 and act_count > ENOUGH_ACTS:
            return index
        reloaded_table = ReloadedTable(store, rng)
        await reloaded_table.open(setups[index % len(setups)])
        last_table = await reloaded_table.play(MAX_ACTS_WITH_MOST_SEATS if index == 1 else inf)
        assert last_table.status is Status.OVER or reloaded_table.act_count >= MAX_ACTS_WITH_MOST_SEATS
        stored = await store.load(reloaded_table.number)
        assert stored is not None
        assert_records_whole(stored)
        act_count += reloaded_table.act_count
    return count


@pytest.mark.trust_test("T8")
@pytest.mark.parametrize("key", GAMES_AND_TOYS)
async def test_games_survive_reloading(
    store: SqliteStore, key: str, add_trials: Callable[[int], None]
) -> None:
    """T8: a table loaded after each act equals the one in memory, to the end of the game."""
    add_trials(await play_saved_games(store, GAMES_AND_TOYS[key], GAME_COUNT, 8))


async def test_lobbies_survive_reloading(store: SqliteStore) -> None:
    """Before the start as well: seats, host, options and when the lobby closes are kept after every act."""
    game = GAMES_AND_TOYS[KEY_OF_GAME_WITH_SECRETS]
    host_request = request_of_person(0)
    opened = await Tables(store, GAMES_AND_TOYS).open(
        lambda number, seed, now: lobby.open_table(number, game, "", host_request, seed, now), host_request
    )
    reloaded_table = ReloadedTable(store, random.Random(0))
    reloaded_table.number = opened.table.number
    assert_same(opened.table, await reloaded_table.table())
    setup = next(each for each in covering_setups(game) if each.options != game.options_type())
    for name, value in option_values(setup.options).items():
        await reloaded_table.act(request_of_person(0), partial(lobby.set_options, values={name: value}))
    await reloaded_table.act(request_of_person(1), lobby.join)
    await reloaded_table.act(request_of_person(0), partial(lobby.add_computer, computer="random"))
    await reloaded_table.act(request_of_person(1), lobby.remove_computer)
    leave = partial(lobby.leave, is_channel_busy=False)
    table = await reloaded_table.act(request_of_person(0), leave)
    assert table.row.host == request_of_person(1).user
    table = await reloaded_table.act(request_of_person(1), leave)
    assert table.status is Status.CLOSED


def _has_open_question(table: Table) -> bool:
    """Return whether a question to the players is open."""
    return table.row.question is not None and not table.row.question.declined


UNSAVED_FIELDS = ("snapshot", "ply", "status", "question", "seats", "seed", "options", "opened_at")


@pytest.mark.trust_test("T8", sensitivity=True)
@pytest.mark.parametrize("field", UNSAVED_FIELDS)
async def test_catches_a_field_that_is_not_saved(tmp_path: Path, field: str) -> None:
    """The check above fails where any of these fields is not written after the table was opened."""

    class ForgetfulStore(SqliteStore):
        first_row: TableRow | None = None

        async def commit(self, change: Change) -> RepeatedInteraction | None:
            row = change.row
            if self.first_row is None or self.first_row.number != row.number:
                self.first_row = (
                    row if field not in {"seed", "opened_at", "options"} else _with_other_values(row)
                )
            stale = msgspec.structs.replace(row, **{field: getattr(self.first_row, field)})
            return await super().commit(msgspec.structs.replace(change, row=stale))

    store = await open_store(tmp_path / "t8.db")
    store.__class__ = ForgetfulStore
    try:
        with pytest.raises((AssertionError, Refusal, RulesError)):
            await play_saved_games(store, GAMES_AND_TOYS[KEY_OF_GAME_WITH_SECRETS], 12, 8)
    finally:
        await store.close()


def _with_other_values(row: TableRow) -> TableRow:
    game = GAMES_AND_TOYS[row.game_key]
    setup = next(each for each in covering_setups(game) if each.options != game.options_type())
    options = "" if row.options else write_options(setup.options)
    return msgspec.structs.replace(row, seed=bytes(32), opened_at=1, options=options)


# Undo (P8) --------------------------------------------------------------------------------------------


def sample_matches(game: AnyGame, count: int, rng: random.Random) -> list[Match]:
    """Return positions of random games in which a seat owes a choice."""
    samples: list[Match] = []
    while len(samples) < count:
        setup = rng.choice(covering_setups(game))
        match = Match.begin(game, setup.seat_count, setup.options, rng.randbytes(32))
        while (seat := match.to_act) is not None:
            if rng.random() < 0.2 and any(record.actor >= 0 and not record.auto for record in match.history):
                samples.append(match)
            match = match.play(seat, RANDOM_PLAYER.choose(game, match.view(seat), rng))
    return samples[:count]


def reveals_nothing(match: Match, index: int, viewer: Seat | None, rng: random.Random) -> bool:
    """Return whether chance's record ``index`` looks the same to a viewer whatever the outcome had been."""
    game = match.game
    state = game.initial_state(match.seat_count, match.options)
    for record in match.history[:index]:
        state = game.apply_action(state, record.action)
    real_view = game.view(game.apply_action(state, match.history[index].action), viewer)
    outcomes = (game.sample_chance(state, RandomStream(rng.randbytes(32), 0)) for _ in range(6))
    return all(game.view(game.apply_action(state, outcome), viewer) == real_view for outcome in outcomes)


@pytest.mark.parametrize("key", GAMES_AND_TOYS)
def test_undo_is_free_only_where_nobody_saw_anything(key: str) -> None:
    """A free undo crosses no other's choice, and no draw that the asker or a bystander could see."""
    rng = random.Random(f"free/{key}")
    free_count = asked_count = 0
    for match in sample_matches(GAMES_AND_TOYS[key], trial_count(short=15, soak=2400), rng):
        for seat in range(match.seat_count):
            undo = match.possible_undo(Seat(seat))
            if undo is None:
                assert all(record.actor != seat or record.auto for record in match.history)
                continue
            own_record = match.history[undo.kept_length]
            assert (own_record.actor, own_record.auto) == (seat, False), "not the asker's own choice"
            later_records = match.history[undo.kept_length + 1 :]
            assert not any(record.actor == seat and not record.auto for record in later_records), (
                "not the last one"
            )
            if not undo.is_free:
                asked_count += 1
                continue
            free_count += 1
            for index, record in enumerate(later_records, undo.kept_length + 1):
                assert record.actor in {seat, CHANCE} or record.auto, "another's choice"
                if record.actor == CHANCE:
                    for viewer in (Seat(seat), None):
                        assert reveals_nothing(match, index, viewer, rng), "a draw that was seen"
    assert free_count > 5
    assert asked_count > 5


@pytest.mark.parametrize("key", GAMES_AND_TOYS)
def test_redoing_gives_the_same_draws(key: str) -> None:
    """However a player undoes and tries something else in between, the same choices give the same records."""
    rng = random.Random(f"redo/{key}")
    for match in sample_matches(GAMES_AND_TOYS[key], trial_count(short=15, soak=2400), rng):
        choice_indexes = [
            i for i, record in enumerate(match.history) if record.actor >= 0 and not record.auto
        ]
        kept_length = rng.choice(choice_indexes[-4:])
        redone = match.undo(match.history[kept_length].actor, kept_length)
        for _ in range(2):  # fishing: another choice, and back
            seat = redone.to_act
            assert seat is not None
            redone = redone.play(seat, rng.choice(redone.legal_actions(seat)))
            redone = redone.undo(seat, kept_length)
        for record in match.history[kept_length:]:
            if record.actor >= 0 and not record.auto:
                redone = redone.play(record.actor, record.action)
        assert redone.history == match.history
        assert redone.state == match.state
        assert redone.ply > match.ply, "records only grow"


async def _table_with_undo_across_others(tables: Tables, rng: random.Random) -> tuple[Table, int]:
    """Return a table at which somebody's last choice can only be taken back with the others' consent."""
    while True:
        table = await tables.get(await begin(tables, default_setup(GAMES_AND_TOYS[KEY_OF_GAME_WITH_SECRETS])))
        while table.to_act is not None:
            assert table.match is not None
            for seat in range(len(table.seats)):
                undo = table.match.possible_undo(Seat(seat))
                if undo is not None and not undo.is_free and len(table.match.history) > 20:
                    return table, seat
            to_act, action = seat_and_random_action(table, rng)
            request = request_of_person(to_act)
            result = await tables.change(
                table.number,
                request,
                partial(play.play, request=request, actions=(action,), ply=table.row.ply),
            )
            table = result.table


async def _ask_for_undo(tables: Tables, table: Table, asker: int) -> Table:
    request = request_of_person(asker)
    return (await tables.change(table.number, request, partial(own_undo.undo, request=request))).table


async def _answer_question(
    tables: Tables, table: Table, seat: int, question: Question, *, is_yes: bool
) -> Table:
    request = request_of_person(seat)
    decide = partial(voting.vote, request=request, question_id=question.id, is_yes=is_yes)
    return (await tables.change(table.number, request, decide)).table


async def test_undo_with_others_needs_them_all(tables: Tables) -> None:
    """An undo across another's choice changes nothing until every other person has agreed."""
    table_before, asker = await _table_with_undo_across_others(tables, random.Random(3))
    table = await _ask_for_undo(tables, table_before, asker)
    question = question_of(table)
    others = [seat for seat in range(len(table.seats)) if seat != asker]
    for other in others:
        assert _has_open_question(table)
        assert table.match is table_before.match, "undone before all had agreed"
        with pytest.raises(Refusal):  # the asker's own word does not count
            await _answer_question(tables, table, asker, question, is_yes=True)
        table = await _answer_question(tables, table, other, question, is_yes=True)
    assert not _has_open_question(table)
    assert table.match is not None
    assert table_before.match is not None
    assert table.match.history == table_before.match.history[: question.kept_length]


@pytest.mark.parametrize("answer", ["no", "move"])
async def test_a_question_is_settled_once(tables: Tables, answer: str) -> None:
    """One no settles a question about an undo, and so does any move: a late yes changes nothing."""
    rng = random.Random(4)
    table, asker = await _table_with_undo_across_others(tables, rng)
    asked_table = await _ask_for_undo(tables, table, asker)
    question = question_of(asked_table)
    others = [seat for seat in range(len(table.seats)) if seat != asker]
    if answer == "no":
        after = await _answer_question(tables, asked_table, others[0], question, is_yes=False)
    else:
        seat, action = seat_and_random_action(asked_table, rng)
        request = request_of_person(seat)
        result = await tables.change(
            table.number, request, partial(play.play, request=request, actions=(action,))
        )
        after = result.table
    assert not _has_open_question(after)
    for other in others:
        with pytest.raises(Refusal):
            await _answer_question(tables, after, other, question, is_yes=True)
    assert (await tables.get(table.number)).row == after.row
