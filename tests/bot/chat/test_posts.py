"""What boards, panels, hand messages, answers and results say, at tables in the middle of random games."""

import random
import re
from collections.abc import Sequence
from typing import cast
from unittest.mock import patch

import msgspec
import pytest

from bot import limits
from bot.chat import lobby_posts, pages, post_parts, posts, result_posts
from bot.chat.components import Button, Section
from bot.chat.hand_posts import hand_post
from bot.chat.move_result_posts import move_or_turn_text, move_result_post
from bot.chat.panel_posts import panel_page
from bot.chat.response import Response
from bot.chat.story import LOG_HINT_VIA_MORE, LOG_LABEL, panel_story, public_story
from bot.host import game_calls
from bot.host.seed_texts import seed_text
from bot.host.table_turns import finished_turn, story_start
from bot.host.tables import Tables
from bot.store.rows import Status
from render import catalogue
from rules.catalogue import GAMES
from rules.currents.actions import Concede, Defend
from rules.match import Match
from rules.model import SEAT_LETTERS, Resign, Seat
from rules.notation import write_action
from rules.players import RANDOM_PLAYER
from rules.record import Cut
from rules.text import listed
from rules.turns import Turn, last_turn_end, newest_turn, turns_from
from tests.bot.chat.post_components import button_labels, components_by_row
from tests.bot.chat.sample_tables import MAX_SHARED_TABLES, make_table, sample_tables, shared_sample_tables
from tests.bot.host.playing import GAMES_AND_TOYS, NAMES, default_setup, request_of_person
from tests.bot.host.viewer_output import ResponseRecorder, TablesOfOne, use_scenes_as_pictures
from tests.conformance.pictures import ALL_PICTURES
from tests.conformance.random_games import play_through
from tests.conformance.setups import setups_for_each_seat_count, short_setups_for_each_seat_count
from tests.trials import IS_SOAK


def test_the_post_of_the_first_turn_tells_the_set_up() -> None:
    """So the posts in a channel tell the whole game; those of later turns tell only these."""
    table = next(each for each in shared_sample_tables("oceans") if each.row.ply > 100)
    assert table.match is not None
    first, second, *_ = turns_from(table.match.history)
    assert " lies below zone 1, " in posts.turn_post(table, first).text
    assert " lies below zone 1, " not in posts.turn_post(table, second).text


@pytest.mark.parametrize("key", GAMES_AND_TOYS)
def test_posts_fit(key: str) -> None:
    """The board and the posts of turns (all in the long run) fit a message, also with the longest names."""
    for table in shared_sample_tables(key):
        assert table.match is not None
        long_named_seats = tuple(msgspec.structs.replace(seat, name="*" * 32) for seat in table.seats)
        long_named_table = table.with_row(seats=long_named_seats)
        assert len(posts.board_post(long_named_table, long_named_table.to_act).text) <= limits.CONTENT
        for turn in turns_from(table.match.history)[: -1 : 1 if IS_SOAK else 8]:
            assert finished_turn(long_named_table, turn.start) == turn
            post = posts.turn_post(long_named_table, turn)
            assert len(post.text) <= limits.CONTENT
            assert post.rows == ()


@pytest.mark.parametrize("key", GAMES_AND_TOYS)
def test_a_board_begins_with_game_number_and_what_to_do(key: str) -> None:
    """The first line, which a phone shows, names the game and the table, then the player and the choice."""
    for table in shared_sample_tables(key, 6):
        seat = table.to_act
        assert seat is not None
        first_line = posts.board_post(table, seat).text.splitlines()[0]
        status_text = game_calls.status_text(table, None)
        asking_text = status_text.replace(table.names[seat], f"<@{table.seats[seat].user}>")
        assert first_line == f"**{post_parts.title(table)}** · {asking_text}"


def test_a_first_turn_says_how_to_win() -> None:
    """Before a player's first turn is over, the board says how to win and has Rules; later it does not."""
    seen_cases = set()
    for key in GAMES_AND_TOYS:
        for table in shared_sample_tables(key):
            assert table.match is not None
            assert table.to_act is not None
            has_finished_turn = last_turn_end(table.match.history, table.to_act, table.to_act) > 0
            post = posts.board_post(table, table.to_act)
            labels = [
                each.label
                for row in post.rows
                if isinstance(row, tuple)
                for each in row
                if isinstance(each, Button)
            ]
            assert (
                (table.game.words.how_to_win in post.text)
                is ("Read the rules" in labels)
                is not has_finished_turn
            )
            seen_cases.add(has_finished_turn)
    assert seen_cases == {True, False}


def test_the_start_links_to_the_game_and_says_how_to_win() -> None:
    """After the start the lobby says where the game is and how to win, and has Rules as its only button."""
    for key in GAMES_AND_TOYS:
        (table,) = shared_sample_tables(key, 1)
        post = lobby_posts.lobby_post(table)
        assert f"<#{table.row.game_channel}>. {table.game.words.how_to_win}" in post.text
        (row,) = post.rows
        assert isinstance(row, tuple)
        assert [each.label for each in row if isinstance(each, Button)] == ["Read the rules"]


def test_what_a_choice_brings_begins_with_a_capital() -> None:
    """Below a choice of the panel stands what it brings, as a line of its own."""
    hints = [
        row.hint
        for key in GAMES
        for table in shared_sample_tables(key, 40 if IS_SOAK else 20)
        for row in panel_page(table, cast("Seat", table.to_act)).post.rows
        if isinstance(row, Section)
    ]
    assert len(hints) > 20
    assert not [hint for hint in hints if hint[:1].islower()]


@pytest.mark.parametrize("key", GAMES_AND_TOYS)
def test_the_first_panel_and_the_hand_message_tell_the_story(key: str) -> None:
    """Both show it below what is to be done; where it is shortened, the way to the rest is there."""
    shortened_count = 0
    for table in shared_sample_tables(key, 30 if IS_SOAK else 15):
        seat = table.to_act
        assert seat is not None
        lines = table.log_lines(story_start(table, seat))
        panel = panel_page(table, seat, recent_lines=lines).post
        story = panel_story(table, seat, lines, len(panel.rows) - 1)
        hand = hand_post(table, seat)
        assert story.text in panel.text
        last_row = panel.rows[-1]
        assert isinstance(last_row, tuple)
        assert len(last_row) <= limits.ROW_BUTTONS
        labels = [each.label for each in last_row if isinstance(each, Button)]
        assert (LOG_LABEL in labels) is story.is_shortened
        assert hand.text.startswith(f"**{post_parts.title(table)}** · ")
        hand_story = public_story(table, seat, hint=LOG_HINT_VIA_MORE)
        assert hand_story.text in hand.text
        assert hand_story.is_shortened is (LOG_HINT_VIA_MORE in hand.text)
        assert len(hand.text) <= limits.CONTENT
        shortened_count += story.is_shortened
    assert shortened_count or key != "oceans"


@pytest.mark.parametrize("key", [key for key, game in GAMES.items() if game.hidden_information])
def test_the_hand_message_offers_choices_in_the_order_of_the_panel(key: str) -> None:
    """Who presses the second button from habit plays the same in both."""
    compared_count = 0
    for table in shared_sample_tables(key, MAX_SHARED_TABLES):
        seat = cast("Seat", table.to_act)
        hand_rows = components_by_row(hand_post(table, seat))[:-1]
        hand_ids = [each.custom_id for row in hand_rows for each in row]
        panel_ids = [
            each.custom_id for row in components_by_row(panel_page(table, seat).post) for each in row
        ]
        if len(hand_ids) > 1:  # the panel shows a single choice as its heading
            assert hand_ids == [each for each in panel_ids if each in hand_ids]
            compared_count += 1
    assert compared_count > 10


def test_the_hand_message_offers_the_usual_choices_where_not_all_fit() -> None:
    """**End turn** stands there beside the Deep cards, the discards are left to the panel."""
    short_count = 0
    for table in shared_sample_tables("oceans", MAX_SHARED_TABLES):
        seat = cast("Seat", table.to_act)
        if "end the turn" not in game_calls.status_text(table, seat):
            continue
        labels, panel_labels = (
            button_labels(hand_post(table, seat)),
            button_labels(panel_page(table, seat).post),
        )
        assert "End turn" in labels
        assert [each for each in labels if each.startswith("Take ")] == [
            each for each in panel_labels if each.startswith("Take ")
        ]
        is_short = "**Play** shows all choices." in hand_post(table, seat).text
        left_out = {each for each in panel_labels if each.startswith("Discard ")} - {*labels}
        assert is_short is bool(left_out)
        short_count += is_short
    assert short_count


def test_a_silent_end_of_a_turn_is_answered_with_its_story() -> None:
    """A move that only ended the turn, without a story of its own, is answered with the whole turn.

    Any other that ends a turn is answered with the turn before it and then with what it did.
    """
    setup = setups_for_each_seat_count(GAMES_AND_TOYS["arctic_cleanup"])[0]
    match = Match.begin(setup.game, setup.seat_count, setup.options, bytes(32))
    while "play a card" not in setup.game.words.status(match.view(None), NAMES):
        assert match.to_act is not None
        match = match.play(match.to_act, match.legal_actions(match.to_act)[0])
    seat = match.to_act
    assert seat is not None
    while match.to_act == seat:
        legal = match.legal_actions(seat)
        match = match.play(
            seat, next((each for each in legal if write_action(each) in {"analyze 1", "end"}), legal[0])
        )
    table = make_table(setup, match)
    assert table.to_act != seat
    _, first_line, *story = move_result_post(table, seat, "").text.splitlines()
    assert first_line == "Your turn is over."
    assert "plays Analyze with strength" in "".join(story)
    first_line, *turn, last_line = move_or_turn_text(table, seat, "Ship 1 sails.").splitlines()
    assert (first_line, last_line) == ("Your turn is over.", "> Ship 1 sails.")
    assert turn == story
    assert move_result_post(table, seat, "Ship 1 sails.").text.splitlines()[1:] == ["Ship 1 sails."]


def test_a_turn_of_one_choice_is_answered_like_others() -> None:
    """The answer says that the turn is over, and what the choice did."""
    setup = setups_for_each_seat_count(GAMES_AND_TOYS["currents"])[0]
    match = Match.begin(setup.game, setup.seat_count, setup.options, bytes(32))
    tried_count = 0
    while len(match.history) < 30:
        seat = match.to_act
        assert seat is not None
        match = match.play(seat, match.legal_actions(seat)[0])
        choosers = [record.actor for record in match.history if record.is_choice]
        if match.to_act != seat and choosers[-2:-1] != [seat]:
            text = move_or_turn_text(make_table(setup, match), seat, "It goes.")
            assert text == "Your turn is over.\n> It goes."
            tried_count += 1
    assert tried_count > 3


def test_an_answer_in_another_players_turn_is_headed_as_such() -> None:
    """Who only stops the pawn, or lets it pass, has no turn then: the turn that moved it has a post too."""
    headings, answer_texts = set(), set()
    for setup in setups_for_each_seat_count(GAMES_AND_TOYS["currents"]):
        for number in range(6):
            rng = random.Random(number)
            match = Match.begin(setup.game, setup.seat_count, setup.options, bytes(32))
            while (seat := match.to_act) is not None:
                match = match.play(seat, RANDOM_PLAYER.choose(setup.game, match.view(seat), rng))
                turn = newest_turn(match.history)
                if turn is not None and _is_answer(match, turn) and match.to_act not in {None, seat}:
                    text = move_or_turn_text(make_table(setup, match), seat, "It stops.")
                    answer_texts.add(text.splitlines()[-1])
                    assert "Your turn" not in text
            table = make_table(setup, match)
            for turn in turns_from(match.history):
                text, is_answer = posts.turn_post(table, turn).text, _is_answer(match, turn)
                heading = f"{table.names[turn.seat]}'s {'answer' if is_answer else 'turn'}"
                assert text.splitlines()[0] == f"**{post_parts.title(table)}** · {heading}"
                assert posts.looks_like_turn_post(table, text)
                headings.add(is_answer)
    assert headings == {True, False}
    assert answer_texts == {"> It stops."}


def _is_answer(match: Match, turn: Turn) -> bool:
    choices = [each.action for each in match.history[turn.start : turn.end] if each.is_choice]
    return all(isinstance(each, Concede | Defend) for each in choices)


@pytest.mark.parametrize(("key", "has_own_boards"), [("arctic_cleanup", True), ("currents", False)])
def test_more_leads_to_own_boards(key: str, *, has_own_boards: bool) -> None:
    """The page behind **More** has a button for each player's own board, in games that have such boards.

    Only players read there that the host and admins can do more.
    """
    (table,) = sample_tables(key, 1, random.Random("more"))
    assert table.to_act is not None
    player_request = request_of_person(table.to_act)
    letters = SEAT_LETTERS[: len(table.seats)]
    own_letter = letters[table.to_act]
    expected = {
        player_request: ["", *letters.replace(own_letter, "")],
        msgspec.structs.replace(player_request, user=1): [*letters],
    }
    for request, arguments in expected.items():
        rows = components_by_row(pages.more_post(table, request))
        shown_letters = [
            control.custom_id.argument for row in rows for control in row if control.custom_id.verb == "own"
        ]
        assert shown_letters == (arguments if has_own_boards else [])
        hint = "The host and admins can do more"
        assert (hint in pages.more_post(table, request).text) is (request is player_request), (
            "a bystander can do none of it"
        )


def test_a_player_who_has_resigned_has_no_own_board() -> None:
    """Neither **More** nor ``/board player`` offers the board of who has left, on which nothing is left."""
    setup = default_setup(GAMES_AND_TOYS["oceans"], 3)
    match = Match.begin(setup.game, setup.seat_count, setup.options, bytes(32)).play(Seat(1), Resign())
    table = make_table(setup, match)
    for seat, expected in ((0, {"My board", "Chloé's board"}), (1, {"Ava's board", "Chloé's board"})):
        labels = button_labels(pages.more_post(table, request_of_person(seat)))
        assert {each for each in labels if each.endswith("board")} == expected
    assert [value for _, value in pages.player_choices(table)] == ["A", "C"]


@pytest.mark.parametrize("key", GAMES_AND_TOYS)
def test_whose_turn_it_is_mentions_their_player_once(key: str) -> None:
    """Who is meant twice, such as the owner of a goal that the pawn is about to reach, is named then."""
    for table in shared_sample_tables(key, MAX_SHARED_TABLES):
        seat = cast("Seat", table.to_act)
        assert posts.board_status_text(table, seat).count(f"<@{table.seats[seat].user}>") == 1


@pytest.mark.parametrize("key", GAMES_AND_TOYS)
@pytest.mark.parametrize("status", [Status.PAUSED, Status.FROZEN, Status.ENDED_EARLY])
async def test_a_private_board_asks_nobody_to_play_while_nobody_can(key: str, status: Status) -> None:
    """As picture and as text it says how the table stands instead; a paused game can be resumed there."""
    playing = shared_sample_tables(key, 1)[0]
    asking_text, table = game_calls.status_text(playing, None), playing.with_row(status=status)
    for show in (pages.show_board, pages.show_board_text):
        recorder = ResponseRecorder()
        with use_scenes_as_pictures(), patch.object(catalogue, "PICTURES", ALL_PICTURES):
            await show(cast("Tables", TablesOfOne(table)), cast("Response", recorder), table.number)
        (text, components, _), _ = recorder.answers[0]
        assert asking_text not in text
        assert posts.board_status_text(table, None) in text
        assert ("'Resume'" in str(components)) is (status is Status.PAUSED)
    view = game_calls.view(playing, None)
    asking_text = playing.game.words.status(view, playing.plain_names)
    assert asking_text in game_calls.private_page_alt_text(playing)
    assert asking_text not in game_calls.private_page_alt_text(table)


@pytest.mark.parametrize("key", ["oceans", "currents"])
def test_a_result_shows_shared_places_and_who_resigned(key: str) -> None:
    """No line begins as one of a list: Discord would number it on, though two players share a place."""
    setup = default_setup(GAMES_AND_TOYS[key], 2 if key == "currents" else 3)
    match = Match.begin(setup.game, setup.seat_count, setup.options, bytes(32))
    for seat in range(setup.seat_count - 1):
        match = match.play(Seat(seat), Resign())
    table = make_table(setup, match).with_row(status=Status.OVER)
    text = result_posts.result_post(table).text
    assert not re.search(r"^\d+\. ", text, re.MULTILINE)
    assert text.count("\n2\\. ") == setup.seat_count - 1
    assert text.count("** (resigned)") == setup.seat_count - 1
    assert f"\n{game_calls.status_text(table, None)}\n" in text, "points do not say why the last one wins"


@pytest.mark.parametrize("has_file", [True, False])
@pytest.mark.parametrize(
    ("cuts", "words_text"),
    [((), ""), (((Seat(0), Cut("amber", "anchor")),), " and the words that cut the deck")],
)
def test_the_seed_stands_in_a_result_without_the_file(
    cuts: Sequence[tuple[Seat, Cut]], words_text: str, *, has_file: bool
) -> None:
    """P9: the file has it, and the result says so; where no file could be made, the text has it."""
    setup = default_setup(GAMES["australis"], 2)
    match = Match.begin(setup.game, setup.seat_count, setup.options, bytes(32), cuts).play(Seat(0), Resign())
    table = make_table(setup, match).with_row(status=Status.OVER)
    text = result_posts.result_post(table, has_file=has_file).text
    assert (seed_text(table) in text) is not has_file
    assert (f"\n-# The file proves every draw: it has the seed{words_text}." in text) is has_file


def test_the_board_of_a_game_that_is_over_repeats_no_turn() -> None:
    """It says how the game ended: the post above it tells the last turn, the result who has which points."""
    setup = short_setups_for_each_seat_count(GAMES_AND_TOYS["australis"])[0]
    table = make_table(setup, play_through(setup, 5).match).with_row(status=Status.OVER)
    status_text = game_calls.status_text(table, None)
    assert posts.board_post(table, None).text == f"**{post_parts.title(table)}** · {status_text}"


@pytest.mark.parametrize("key", GAMES)
def test_a_result_leaves_out_what_brought_no_points(key: str) -> None:
    """Each place names what brought its player points, and nothing else; above it stands who won.

    How the game ended stands there where it is no matter of points.
    """
    setup = short_setups_for_each_seat_count(GAMES_AND_TOYS[key])[0]
    match = play_through(setup, 5, casual_share=0.5).match
    table = make_table(setup, match).with_row(status=Status.OVER)
    text, result = result_posts.result_post(table).text, game_calls.result(table)
    lines = [line for standing in result.standings for line in standing.lines]
    names = [table.names[seat] for seat in result.winners]
    is_named = f"\n{listed(names)} {'wins' if len(names) == 1 else 'win'}.\n" in text
    assert is_named is (bool(lines) and len(names) < len(table.seats))
    assert (game_calls.status_text(table, None) in text) is not is_named
    ranking = [line for line in text.splitlines() if line[:1].isdigit()]
    for line, standing in zip(ranking, result.standings, strict=True) if lines else ():
        for part in standing.lines:
            assert (f"{part.label} {part.points}" in line) is bool(part.points), part.label
