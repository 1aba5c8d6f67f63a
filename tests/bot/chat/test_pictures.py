"""Which picture the bot shows: what helps with a choice, a player's own board, a hand if there is one."""

import gc
import random
import re
import sys
from collections import OrderedDict
from collections.abc import Iterator
from functools import cache, partial
from typing import Any, cast
from unittest.mock import patch

import msgspec
import pytest
from discord.http import handle_message_parameters
from msgspec.structs import replace

from bot import drawing, limits
from bot.chat import delivery_contents, pages, pictures
from bot.chat.post_parts import Post
from bot.chat.response import with_picture_texts
from bot.host import game_calls
from bot.host.names import escape_markup
from bot.host.table import Table
from bot.host.tables import Tables
from bot.store.rows import Status
from render import catalogue
from render.catalogue import choose_picture_name, choose_preview_picture_name
from render.picture import BOARD, HAND, OWN_BOARD, Picture
from rules.model import SEAT_LETTERS, Seat
from rules.turns import newest_turn, running_turn, turns_from
from tests.bot.chat.sample_tables import sample_tables
from tests.bot.host.playing import GAMES_AND_TOYS, request_of_person
from tests.bot.host.viewer_output import TablesOfOne, record_answers, use_scenes_as_pictures
from tests.conformance.pictures import ALL_PICTURES


@pytest.fixture(autouse=True)
def scenes_only() -> Iterator[None]:
    """Draw the guide's game too, and only scenes."""
    with patch.object(catalogue, "PICTURES", ALL_PICTURES), use_scenes_as_pictures():
        yield


@cache
def tables_of(key: str) -> list[Table]:
    """Return some tables of a game."""
    return sample_tables(key, 6, random.Random(f"pictures/{key}"))


@pytest.mark.parametrize("key", GAMES_AND_TOYS)
async def test_the_picture_of_a_choice_is_the_one_that_helps(key: str) -> None:
    """The choices that are left decide which one it is, and it shows them."""
    changed_count = 0
    for table in tables_of(key):
        assert table.to_act is not None
        legal = game_calls.legal_actions(table, table.to_act)
        view = game_calls.view(table, table.to_act)
        for choices in (legal, legal[:1], legal[len(legal) // 2 :]):
            name = choose_picture_name(ALL_PICTURES[key], view, choices)
            picture = await pictures.draw_choice_picture(table, table.to_act, choices)
            assert picture.name == f"{name}.png"
            without_choices = await pictures.draw_choice_picture(table, table.to_act, ())
            changed_count += picture.data != without_choices.data
    assert changed_count


@pytest.mark.parametrize("key", GAMES_AND_TOYS)
async def test_a_preview_is_the_picture_that_shows_what_changes(key: str) -> None:
    """It is that of the action, else the board, and it says that nothing is played."""
    for table in tables_of(key):
        assert table.to_act is not None
        for action in game_calls.legal_actions(table, table.to_act)[:3]:
            name = choose_preview_picture_name(ALL_PICTURES[key], action)
            picture = await pictures.draw_preview_picture(table, table.to_act, action)
            assert picture.name == f"{name}.png"
            assert picture.alt.startswith("Preview, not played yet. ")
            shows_own_board = ALL_PICTURES[key][name].shows_one_seat
            assert ("'s board. " in picture.alt) == shows_own_board


@pytest.mark.parametrize("key", GAMES_AND_TOYS)
async def test_the_text_of_a_choice_tells_the_board(key: str) -> None:
    """Who wants text only reads of the board also where a hand is the picture, and of the hand as before."""
    for table in tables_of(key):
        assert table.to_act is not None
        choices = game_calls.legal_actions(table, table.to_act)
        view = game_calls.view(table, table.to_act)
        drawn = await pictures.draw_choice_picture(table, table.to_act, choices)
        text = with_picture_texts(Post(""), (drawn,)).text
        if drawn.name == f"{HAND}.png":
            assert text == escape_markup(f"{drawn.alt}\n\n{game_calls.alt_text(table, view)}")
        else:
            assert text == escape_markup(drawn.alt)


@pytest.mark.parametrize("key", GAMES_AND_TOYS)
async def test_a_players_board_is_shown_where_the_game_has_one(key: str) -> None:
    """By letter or by name, to anybody; else a sentence says that there is none."""
    table = tables_of(key)[0]
    tables, request = cast("Tables", TablesOfOne(table)), request_of_person(Seat(1), interaction=1)

    async def board_text(player: str, *, as_text: bool = False) -> str:
        show = partial(pages.show_player_board, player_text=player, as_text=as_text)
        return str(await record_answers(lambda response: show(tables, response, table.number, request)))

    assert bool(pages.player_choices(table)) == (OWN_BOARD in ALL_PICTURES[key])
    for player in ("B", table.plain_names[1].upper()):
        if OWN_BOARD in ALL_PICTURES[key]:
            assert f"{table.plain_names[1]}'s board" in await board_text(player)
            assert "player.png" in await board_text(player)
            text = await board_text(player, as_text=True)
            assert "player.png" not in text
            assert f"{table.plain_names[1]}'s board" in text
            own_text = game_calls.own_board_text(
                table, Seat(1), Seat(1), table.names
            ) or game_calls.board_text(table)
            assert own_text.splitlines()[0] in text
        else:
            assert "players have no boards of their own" in await board_text(player)
    if OWN_BOARD in ALL_PICTURES[key]:
        assert "Nobody at this table has that name" in await board_text("Zoe")


async def test_a_letter_is_a_seat_before_it_is_a_name() -> None:
    """A button with a seat's letter shows that seat, though another player has the letter as a name."""
    table = tables_of("arctic_cleanup")[0]
    first, *others = table.seats
    table = table.with_row(seats=(replace(first, name="B"), *others))
    tables, request = cast("Tables", TablesOfOne(table)), request_of_person(Seat(0), interaction=1)
    show = partial(pages.show_player_or_public_board, player_text="B")
    answer_text = str(await record_answers(lambda response: show(tables, response, table.number, request)))
    assert f"{table.plain_names[1]}'s board" in answer_text


@pytest.mark.parametrize("key", GAMES_AND_TOYS)
async def test_a_game_need_not_have_a_hand(key: str) -> None:
    """Without that picture the page of the hand is text, and the board helps with every choice."""
    board_only = {name: picture for name, picture in ALL_PICTURES[key].items() if name == BOARD}
    table = tables_of(key)[0]
    assert table.to_act is not None
    assert pictures.has_picture(table, HAND) == (HAND in ALL_PICTURES[key])
    with patch.object(catalogue, "PICTURES", {**ALL_PICTURES, key: board_only}):
        assert not pictures.has_picture(table, HAND)
        legal = game_calls.legal_actions(table, table.to_act)
        assert (await pictures.draw_choice_picture(table, table.to_act, legal)).name == "board.png"
        _, hand_pictures = await pages._hand_page(table, Seat(0))
        assert hand_pictures == ()


async def test_a_hand_is_told_in_short_above_its_picture() -> None:
    """Its description says all; who wants text alone reads that once.  Only the message holds the code."""
    table = tables_of("oceans")[0]
    full_text, summary = game_calls.hand_text(table, Seat(0)), game_calls.hand_summary(table, Seat(0))
    assert len(summary) < len(full_text) / 2
    pages_shown = [await pages._hand_page(table, Seat(0), as_text=as_text) for as_text in (False, True)]
    messages = [
        await delivery_contents.hand_content(table, Seat(0), as_text=as_text) for as_text in (False, True)
    ]
    for (short_post, (picture,)), (long_post, no_pictures) in (pages_shown, messages):
        assert summary in short_post.text
        assert full_text not in short_post.text
        assert picture.alt == full_text
        assert full_text in long_post.text
        assert summary not in long_post.text
        assert no_pictures == ()
    assert not any(table.short_fairness_code in post.text for post, _ in pages_shown)
    assert all(post.text.count(f"`{table.short_fairness_code}`") == 1 for post, _ in messages)


@pytest.mark.parametrize("key", GAMES_AND_TOYS)
async def test_a_report_stands_beside_the_board(key: str) -> None:
    """A public picture that reports the newest turn is posted with it, drawn as a bystander sees it."""
    board = ALL_PICTURES[key][BOARD]
    reports_events_arguments: list[object] = []

    def reports(view: Any, recent_events: tuple[object, ...]) -> bool:
        reports_events_arguments.append((view.viewer, recent_events))
        return True

    added: dict[str, Picture[Any]] = {
        "news": Picture(draw=board.draw, reports_events=reports),
        "quiet": Picture(draw=board.draw),
        "secret": Picture(draw=board.draw, is_secret=True, shows_one_seat=True, reports_events=reports),
    }
    table = tables_of(key)[-1]
    assert table.match is not None
    with patch.object(catalogue, "PICTURES", {**ALL_PICTURES, key: {**ALL_PICTURES[key], **added}}):
        for shown_pictures in (
            await delivery_contents.board_pictures(table),
            (await pages._board_page(table))[1],
        ):
            names = [
                picture.name
                for picture in shown_pictures
                if picture.name.removesuffix(".png") in {BOARD, *added}
            ]
            assert names == ["board.png", "news.png"]
            assert shown_pictures[-1].alt.startswith("News. ")
    assert reports_events_arguments == [(None, game_calls.new_events(table))] * 2


@pytest.mark.parametrize("key", GAMES_AND_TOYS)
def test_turns_of_computers_are_new_until_a_person_has_seen_them(key: str) -> None:
    """New are a person's last finished turn and what followed it: computers have no boards of their own."""
    longer_count = 0
    for table in sample_tables(key, 12, random.Random(key)):
        assert table.match is not None
        history = table.match.history
        running = running_turn(history, table.to_act)
        finished_turns = [turn for turn in turns_from(history) if turn != running]
        person_seats = {Seat(0), table.to_act}
        seats = tuple(
            each if seat in person_seats else replace(each, user=None, computer="casual")
            for seat, each in enumerate(table.seats)
        )
        for seat_rows, seats_of_people in ((table.seats, set(range(len(seats)))), (seats, person_seats)):
            starts = [turn.start for turn in finished_turns if turn.seat in seats_of_people]
            new_events = game_calls.new_events(table.with_row(seats=seat_rows))
            if starts:
                assert new_events == table.match.events_since(starts[-1])
        longer_count += new_events != table.match.recent_events
        turn = newest_turn(history)
        if turn is not None and turn.start:
            assert table.match.events_since(turn.start) == table.match.recent_events
    assert longer_count


@pytest.mark.parametrize("key", GAMES_AND_TOYS)
async def test_a_further_picture_has_its_own_description(key: str) -> None:
    """Each text belongs to a picture of the game, and that picture is described by it, not by the board."""
    table = tables_of(key)[-1]
    game, view = table.game, game_calls.view(table, None)
    assert set(game.words.picture_texts) <= set(ALL_PICTURES[key]) - {BOARD, HAND, OWN_BOARD}
    draw, names = ALL_PICTURES[key][BOARD].draw, [*game.words.picture_texts, "news"]
    added = {name: Picture(draw=draw, reports_events=lambda *_: True) for name in names}
    with patch.object(catalogue, "PICTURES", {**ALL_PICTURES, key: {**ALL_PICTURES[key], **added}}):
        alt_texts = {picture.name: picture.alt for picture in await pictures.draw_reporting_pictures(table)}
    for name, text in game.words.picture_texts.items():
        assert alt_texts[f"{name}.png"] == text(view, table.plain_names)
    assert alt_texts["news.png"] == f"News. {game_calls.alt_text(table, view)}"[: limits.ALT_TEXT]


@pytest.mark.parametrize("key", GAMES_AND_TOYS)
async def test_descriptions_isolate_names_from_right_to_left(key: str) -> None:
    """Such a name would else change the order of the words and numbers around it."""
    hebrew_name, name_pattern = "\u05e9\u05dc\u05d5\u05dd", re.compile("\u05e9\u05dc\u05d5\u05dd [A-H]")
    isolated_count = 0
    for table in tables_of(key):
        rows = (replace(each, name=f"{hebrew_name} {SEAT_LETTERS[i]}") for i, each in enumerate(table.seats))
        named_table = table.with_row(seats=tuple(rows))
        match, seat = named_table.match, named_table.to_act
        assert match is not None
        assert seat is not None
        drawn_pictures = [
            await pictures.draw_board_picture(named_table),
            *await pictures.draw_reporting_pictures(named_table),
        ]
        drawn_pictures.append(await pictures.draw_choice_picture(named_table, seat, ()))
        if OWN_BOARD in ALL_PICTURES[key]:
            drawn_pictures.append(await pictures.draw_player_board_picture(named_table, None, seat))
        texts = [each.alt for each in drawn_pictures]
        texts += [line.text for line in named_table.narrate(match, None, isolated=True)]
        for text in texts:
            isolated = re.findall(rf"\u2068{name_pattern.pattern}\u2069", text)
            assert len(isolated) == len(name_pattern.findall(text))
            isolated_count += len(isolated)
    assert isolated_count


@pytest.mark.parametrize("key", GAMES_AND_TOYS)
async def test_a_board_asks_nobody_to_play_while_nobody_can(key: str) -> None:
    """An ended game says so on every board, a paused or frozen one on private pages."""
    table = tables_of(key)[-1]
    asking_text = game_calls.status_text(table, None)
    pill_texts = {Status.PAUSED: b"Paused", Status.FROZEN: b"Frozen", Status.ENDED_EARLY: b"Ended early"}
    playing = await pictures.draw_board_picture(table)
    for status, pill_text in pill_texts.items():
        resting_table = table.with_row(status=status)
        private = await pictures.draw_board_picture_with_status(resting_table)
        assert pill_text in private.data
        assert asking_text not in private.alt
        view = game_calls.view(table, None)
        if status is Status.ENDED_EARLY:
            view = table.game.without_turn(view)
            texts = [
                game_calls.board_text(resting_table),
                *(
                    game_calls.own_board_text(resting_table, None, Seat(seat), table.names)
                    for seat in range(len(table.seats))
                ),
            ]
            assert not any("whose turn" in text for text in texts)
        assert game_calls.view(resting_table, None) == view
        public = await pictures.draw_board_picture(resting_table)
        assert public == (private if status is Status.ENDED_EARLY else playing)
    assert await pictures.draw_board_picture_with_status(table) == playing


@pytest.mark.parametrize("key", GAMES_AND_TOYS)
async def test_a_turn_and_the_board_after_it_are_drawn_once(key: str) -> None:
    """Both show the table as it is; a table that has changed is drawn again."""
    table = tables_of(key)[-1]
    assert table.match is not None
    turn = newest_turn(table.match.history)
    assert turn is not None
    assert turn.end == len(table.match.history)
    with (
        patch.object(delivery_contents, "_drawn_boards", OrderedDict()),
        patch.object(drawing, "render_png", side_effect=msgspec.msgpack.encode) as render_png,
    ):
        turn_pictures = await delivery_contents.turn_pictures(table, turn)
        drawn_count = render_png.call_count
        assert await delivery_contents.board_pictures(table) == turn_pictures
        assert render_png.call_count == drawn_count == len(turn_pictures)
        renamed = replace(table.seats[0], name="Somebody else")
        renamed_table = table.with_row(seats=(renamed, *table.seats[1:]))
        await delivery_contents.board_pictures(renamed_table)
        assert render_png.call_count == 2 * drawn_count


def test_the_bytes_of_a_sent_picture_are_freed_at_once() -> None:
    """Once it was sent, only the picture itself holds its bytes, without a garbage collection."""
    picture = pictures.DrawnPicture("board.png", bytes(1_000), "a board")
    gc.collect()
    gc.disable()
    try:
        reference_counts = [sys.getrefcount(picture.data)]
        with handle_message_parameters(files=[picture.to_file()]):
            reference_counts.append(sys.getrefcount(picture.data))
        reference_counts.append(sys.getrefcount(picture.data))
    finally:
        gc.enable()
    before, while_sending, after = reference_counts
    assert before == after < while_sending
