"""What was computed of a match is kept for the messages and presses that follow."""

import random
from dataclasses import replace

from bot.chat.panel_posts import panel_page
from bot.host import game_calls, previews
from bot.host.match_memo import MatchMemo
from bot.host.tables import Tables
from bot.store.sqlite import SqliteStore
from rules.match import Match
from rules.model import Action, View
from tests.bot.host.playing import GAMES_AND_TOYS, KEY_OF_GAME_WITH_SECRETS, begin, default_setup, make_move


def test_the_tables_used_last_are_kept() -> None:
    """Only the newest match of each, and never in place of another's."""
    memo, game = MatchMemo(max_tables=2), GAMES_AND_TOYS[KEY_OF_GAME_WITH_SECRETS]
    first, second, third = (Match.begin(game, 2, game.options_type(), bytes([i] * 32)) for i in range(3))
    memo.values_of(1, first)["key"] = 1
    memo.values_of(2, second)["key"] = 2
    assert memo.values_of(1, first) == {"key": 1}
    assert memo.values_of(3, third) == {}
    assert memo.values_of(1, first) == {"key": 1}
    assert memo.values_of(2, second) == {}


def test_a_newer_match_replaces_the_one_before() -> None:
    """This holds even if both are equal."""
    memo, game = MatchMemo(), GAMES_AND_TOYS[KEY_OF_GAME_WITH_SECRETS]
    before, after = (Match.begin(game, 2, game.options_type(), bytes(32)) for _ in range(2))
    memo.values_of(1, before)["key"] = 1
    assert memo.values_of(1, after) == {}
    assert memo.values_of(1, before) == {}


async def test_the_panel_asks_the_rules_once_for_each_position(store: SqliteStore) -> None:
    """The same page again lists no legal actions; after a move everything is computed anew."""
    tables = Tables(store, GAMES_AND_TOYS)
    number = await begin(tables, default_setup(GAMES_AND_TOYS[KEY_OF_GAME_WITH_SECRETS], 2))
    table = await tables.get(number)
    assert table.match is not None
    assert table.to_act is not None
    listed_views: list[View] = []

    def legal_actions(view: View) -> tuple[Action, ...]:
        listed_views.append(view)
        found: tuple[Action, ...] = table.game.legal_actions(view)
        return found

    watched_game = replace(table.game, legal_actions=legal_actions)
    watched_table = replace(table, game=watched_game, match=replace(table.match, game=watched_game))
    first_page = panel_page(watched_table, table.to_act)
    assert listed_views
    listed_views.clear()
    assert panel_page(watched_table, table.to_act) == first_page == panel_page(table, table.to_act)
    assert not listed_views
    await make_move(tables, number, random.Random(1))
    moved_table = await tables.get(number)
    assert moved_table.to_act is not None
    assert panel_page(moved_table, moved_table.to_act) != first_page


async def test_kept_consequences_are_those_of_the_rules(store: SqliteStore) -> None:
    """Which actions are confirmed does not depend on what was asked before."""
    tables = Tables(store, GAMES_AND_TOYS)
    number = await begin(tables, default_setup(GAMES_AND_TOYS[KEY_OF_GAME_WITH_SECRETS], 2))
    rng = random.Random(3)
    for _ in range(12):
        table = await tables.get(number)
        assert table.to_act is not None
        actions = game_calls.legal_actions(table, table.to_act)
        separate_answers = [previews.actions_to_confirm(table, table.to_act, (each,)) for each in actions]
        fresh_table = replace(table, match=replace(table.match)) if table.match is not None else table
        assert previews.actions_to_confirm(fresh_table, table.to_act, actions) == frozenset().union(
            *separate_answers
        )
        await make_move(tables, number, rng)
