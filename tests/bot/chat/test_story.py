"""What a player reads after the others have moved, at tables in the middle of random games."""

import re
from functools import partial
from itertools import accumulate
from typing import cast
from unittest.mock import patch

import msgspec
import pytest

from bot.chat import history_pages
from bot.chat.condensed_lines import condense
from bot.chat.delivery_contents import hand_content
from bot.chat.panel_posts import panel_page
from bot.chat.quotations import quote
from bot.chat.response import Response
from bot.chat.story import (
    BOARD_STORY_LENGTH,
    LOG_HINT,
    LOG_HINT_VIA_MORE,
    LOG_LABEL,
    PRIVATE_STORY_LENGTH,
    board_story,
    make_story,
    panel_story,
    public_story,
)
from bot.host import game_logs
from bot.host.table import Table
from bot.host.table_turns import is_first_turn, story_start, table_at
from bot.host.tables import Tables
from bot.store.seat_rows import EarlierPlayer
from render import catalogue
from rules.model import Seat
from rules.narration import SentenceKind, line_text
from rules.record import LogLine
from rules.turns import last_turn_end, turns_from
from tests.bot.chat.narrated_text import log_line
from tests.bot.chat.sample_tables import MAX_SHARED_TABLES, shared_sample_tables
from tests.bot.host.playing import GAMES_AND_TOYS, KEY_OF_GAME_WITH_SECRETS, request_of_person
from tests.bot.host.viewer_output import ResponseRecorder, TablesOfOne, use_scenes_as_pictures
from tests.conformance.pictures import ALL_PICTURES
from tests.trials import IS_SOAK, trial_count

READER = Seat(0)


@pytest.mark.parametrize("key", GAMES_AND_TOYS)
def test_a_story_tells_what_affected_its_reader(key: str) -> None:
    """All lines since the reader's last turn are there, first the set-up and what affected the reader.

    What affects everybody is no reason to come first, unless it names the reader's pieces, nor is a forced
    choice of the reader.  With two players all are in the order of play.
    """
    heading_story_count = 0
    for table in shared_sample_tables(key, MAX_SHARED_TABLES):
        assert table.match is not None
        seat = table.match.to_act
        assert seat is not None
        first_index = last_turn_end(table.match.history, seat, seat)
        turns = turns_from(table.match.history)
        own_start = next((turn.start for turn in turns[-1:] if turn.seat == seat), len(table.match.history))
        is_of_own_turn = partial(_is_at_or_after, own_start)
        lines = condense(table.log_lines(first_index), table.names_at, is_of_own_turn)
        story = public_story(table, seat, limit=100_000)
        recent = [line for line in lines if line.index < own_start]
        turn_at = {i: turn for turn in turns for i in range(turn.start, turn.end)}
        affecting_turns = {
            turn_at.get(line.index)
            for line in recent
            if seat in line.affected_seats and line.actor != seat
            if len(line.affected_seats) < len(table.seats) or _names_piece(table, seat, line)
        }
        affected = [line for line in recent if turn_at.get(line.index) in affecting_turns]
        set_up = [line for line in recent if line.index not in turn_at]
        others = [line for line in recent if line not in affected and line not in set_up]
        with_headings = len(table.seats) > 2 and bool(affected) and bool(others)
        texts = [quote(line.text) for line in recent]
        if with_headings:
            texts = [quote(line.text) for line in set_up]
            texts += ["**What affected you:**", *(quote(line.text) for line in affected)]
            texts += ["**What else happened:**", *(quote(line.text) for line in others)]
        text_before_turn, own_heading, _ = story.text.partition("**This turn so far:**")
        assert text_before_turn.rstrip("\n") == "\n".join(texts)
        assert bool(own_heading) is bool([line for line in lines if line not in recent])
        heading_story_count += with_headings
    assert heading_story_count or key in {"currents", "current_affairs"}


@pytest.mark.parametrize("key", GAMES_AND_TOYS)
def test_a_shortened_story_tells_what_matters_most(key: str) -> None:
    """While a line stands, so do those that matter more: rules, effects on the reader, the newest turn."""
    shortened_count = 0
    for table in shared_sample_tables(key, trial_count(30, soak=100)):
        seat = table.to_act
        assert seat is not None
        texts_by_importance = _first_sentences_by_importance(table, seat)
        for limit in (200, 300, PRIVATE_STORY_LENGTH, BOARD_STORY_LENGTH):
            story = public_story(table, seat, limit)
            are_whole = [all(text in story.text for text in texts) for texts in texts_by_importance]
            for i, texts in enumerate(texts_by_importance[1:], start=1):
                assert all(are_whole[:i]) or not [text for text in texts if text in story.text]
            shortened_count += story.is_shortened
    assert shortened_count or key not in {"oceans", "australis", "current_affairs"}


@pytest.mark.parametrize("key", GAMES_AND_TOYS)
def test_nothing_is_left_out_without_a_mark(key: str) -> None:
    """The pieces of a shortened story between its marks make up the whole story, and its hint says so."""
    for table in shared_sample_tables(key, trial_count(30, soak=100)):
        seat = table.to_act
        assert seat is not None
        for is_for_everybody in (False, True):
            whole = public_story(table, seat, 100_000, is_for_everybody=is_for_everybody)
            assert not whole.is_shortened
            for limit in range(150, len(whole.text) + 100, 50):
                story = public_story(table, seat, limit, is_for_everybody=is_for_everybody)
                text = story.text.removesuffix(f"\n{LOG_HINT}")
                assert story.is_shortened is (text != story.text) is (len(whole.text) > limit)
                assert _is_marked_extract(_without_headings(text), _without_headings(whole.text))


def _is_marked_extract(text: str, whole: str) -> bool:
    """Whether a text is a whole one with a mark wherever something was left out."""
    first, *pieces = [piece.strip("> \n") for piece in text.split("…")]
    if not whole.startswith(first) or not whole.endswith((pieces or [first])[-1]):
        return False
    end = len(first)
    for piece in pieces[:-1]:
        if (start := whole.find(piece, end)) < 0:
            return False
        end = start + len(piece)
    return whole == first if not pieces else len(whole) - len(pieces[-1]) >= end


def _without_headings(text: str) -> str:
    """Return a story without its headings, of which the marks behind them stay, and without quotation."""
    return "\n".join(
        line.removeprefix("> ") for line in re.sub(r"\*\*[^*]*:\*\*", "", text).splitlines() if line.strip()
    )


@pytest.mark.parametrize("key", ["oceans", "australis"])
def test_a_story_is_short_above_many_choices(key: str) -> None:
    """Few rows of buttons leave room for as much as below a board; above many it is as short as elsewhere."""
    longer_count = 0
    for table in shared_sample_tables(key, trial_count(30, soak=100)):
        seat = table.to_act
        assert seat is not None
        lines = table.log_lines(story_start(table, seat))
        short, long = (panel_story(table, seat, lines, row_count) for row_count in (5, 4))
        assert short == public_story(table, seat)
        assert long == public_story(table, seat, BOARD_STORY_LENGTH)
        longer_count += len(long.text) > len(short.text)
    assert longer_count


def _first_sentences_by_importance(table: Table, reader: Seat) -> list[set[str]]:
    """Return first sentences of lines before the reader's running turn, in four sets.

    They are those of changed rules, of what affected the reader, of the newest turn of another player, and
    all others.  Routine and details are in none.
    """
    assert table.match is not None
    history = table.match.history
    turns = turns_from(history)
    newest = next((turn for turn in reversed(turns) if turn.seat != reader), None)
    own_start = next((turn.start for turn in turns[-1:] if turn.seat == reader), len(history))
    lines = table.log_lines(last_turn_end(history, reader, reader))
    texts_by_importance: list[set[str]] = [set(), set(), set(), set()]
    for line in condense(lines, table.names_at, partial(_is_at_or_after, own_start)):
        if line.index < own_start and not line.is_routine:
            for i, sentences in enumerate(line.narration.lines):
                text = line_text(sentences)
                is_for_everybody = len(line.affected_seats) == len(table.seats)
                concerns_reader = i > 0 or not is_for_everybody or _names_reader(table, reader, text)
                importance = 2 if newest is not None and line.index >= newest.start else 3
                if any(each.kind is SentenceKind.RULE_CHANGE for each in sentences):
                    importance = 0
                elif reader in line.affected_seats and concerns_reader:
                    importance = 1
                told_texts = [each.text for each in sentences if each.kind is not SentenceKind.DETAIL]
                texts_by_importance[importance] |= {*told_texts[:1]}
    for i, texts in enumerate(texts_by_importance):
        texts.difference_update(*texts_by_importance[:i])
    return texts_by_importance


def _names_piece(table: Table, reader: Seat, line: LogLine) -> bool:
    text = line_text(line.narration.lines[0])
    has_named_pieces = table.game.words.has_pieces_named_by_seat
    return has_named_pieces and re.search(rf"\b{'ABCDEF'[reader]}\d", text) is not None


def _names_reader(table: Table, reader: Seat, text: str) -> bool:
    pieces_pattern = rf"|\b{'ABCDEF'[reader]}\d" if table.game.words.has_pieces_named_by_seat else ""
    return re.search(rf"{re.escape(table.names[reader])}{pieces_pattern}", text) is not None


def _is_at_or_after(index: int, line: LogLine) -> bool:
    return line.index >= index


def test_what_a_story_tells_everybody_names_its_reader() -> None:
    """Below a board, which everybody reads, "you" would be anybody."""
    table = next(
        table
        for table in shared_sample_tables("oceans", MAX_SHARED_TABLES)
        if table.to_act is not None
        and "affected you" in public_story(table, table.to_act, limit=100_000).text
    )
    assert table.to_act is not None
    name = table.names[table.to_act]
    assert board_story(table, table.to_act).text.startswith(f"**What affected {name}:**\n> ")


def test_a_story_names_who_has_taken_a_seat() -> None:
    """The line stands between those of the earlier player and of the later one, who reads it on the board."""
    table = next(
        each for each in shared_sample_tables("currents") if len(each.seats) == 3 and each.to_act != READER
    )
    assert table.match is not None
    history_length = len(table.match.history)
    lines = [log_line(index, Seat(1), f"Line {index}.") for index in (history_length - 2, history_length - 1)]
    row = msgspec.structs.replace(
        table.seats[1], earlier_players=(EarlierPlayer("G*ta", history_length - 1),)
    )
    changed_table = table.with_seat(1, row)
    line = f"> {table.names[1]} takes seat B from G\\*ta."
    expected = [f"> Line {history_length - 2}.", line, f"> Line {history_length - 1}."]
    assert make_story(changed_table, lines, READER, 900).text.splitlines() == expected
    assert line not in make_story(changed_table, lines, Seat(1), 900).text
    assert line in make_story(changed_table, lines, Seat(1), 900, is_for_everybody=True).text
    assert line not in make_story(table, lines, READER, 900).text


def test_nothing_affected_a_player_who_was_not_there() -> None:
    """Who has just taken a seat reads what happened before in the order of play, without a heading."""
    for table in shared_sample_tables("oceans", MAX_SHARED_TABLES):
        if table.to_act is not None and "affected you" in public_story(table, table.to_act, 10_000).text:
            break
    assert table.match is not None
    assert table.to_act is not None
    earlier = (EarlierPlayer("Greta", len(table.match.history)),)
    row = msgspec.structs.replace(table.seats[table.to_act], earlier_players=earlier)
    story = public_story(table.with_seat(table.to_act, row), table.to_act, 10_000).text
    assert "affected" not in story
    assert story.startswith("> ")


@pytest.mark.parametrize("key", GAMES_AND_TOYS)
async def test_stories_are_made_of_what_their_reader_knows(key: str) -> None:
    """A story is a function of the reader's lines; where these are everybody's, both kinds are the same."""
    private_story_count = 0
    for table in shared_sample_tables(key, 20 if IS_SOAK else 6):
        assert table.match is not None
        for seat in map(Seat, range(len(table.seats))):
            first_index = last_turn_end(table.match.history, seat, table.match.to_act)
            lines_for_reader = table.match.log_lines(seat, table.names, first_index)
            if not is_first_turn(table, seat):
                assert await game_logs.log_lines_since_last_turn(table, seat) == lines_for_reader
            story = make_story(table, lines_for_reader, seat, PRIVATE_STORY_LENGTH)
            if [line.text for line in lines_for_reader] == [
                line.text for line in table.log_lines(first_index)
            ]:
                assert story == public_story(table, seat)
            else:
                private_story_count += 1
    assert private_story_count or not GAMES_AND_TOYS[key].hidden_information


async def test_a_hand_message_tells_what_its_player_knows() -> None:
    """In their turn it names the card that a player has kept, which the others do not learn."""
    private_story_count = 0
    for table in shared_sample_tables(KEY_OF_GAME_WITH_SECRETS, 12):
        if (seat := table.to_act) is not None:
            lines = await game_logs.log_lines_since_last_turn(table, seat)
            story = make_story(table, lines, seat, PRIVATE_STORY_LENGTH, LOG_HINT_VIA_MORE)
            post, _ = await hand_content(table, seat, as_text=True)
            assert story.text in post.text
            private_story_count += story != public_story(table, seat, hint=LOG_HINT_VIA_MORE)
    assert private_story_count


async def test_a_first_turn_tells_no_deal() -> None:
    """The hand message and the panel show the hand below the story; what all know of the deal is told."""
    table = shared_sample_tables(KEY_OF_GAME_WITH_SECRETS, 1)[0]
    assert table.match is not None
    first_choice = next(i for i, record in enumerate(table.match.history) if record.is_choice)
    table = table_at(table, first_choice)
    assert table.to_act is not None
    hand, _ = await hand_content(table, table.to_act, as_text=True)
    lines = await game_logs.log_lines_since_last_turn(table, table.to_act)
    panel = panel_page(table, table.to_act, recent_lines=lines).post
    for post in (hand, panel):
        assert "Everybody holds" in post.text
        assert " is dealt " not in post.text
    all_lines = await game_logs.log_lines(table, table.to_act)
    assert " is dealt " in "".join(line.text for line in all_lines), "the log tells it"


@pytest.mark.parametrize("key", GAMES_AND_TOYS)
def test_a_shortened_story_of_a_board_names_whose_rest_it_is(key: str) -> None:
    """Everybody reads a board, but its button tells the rest to its player alone: others use a command."""
    shortened_count = 0
    for table in shared_sample_tables(key, trial_count(15, soak=30)):
        assert table.to_act is not None
        name = table.names[table.to_act]
        story = board_story(table, table.to_act)
        hint = f"There is more: {name}, press **{LOG_LABEL}**. Others type `/history`."
        assert story.is_shortened is story.text.endswith(hint)
        shortened_count += story.is_shortened
    assert shortened_count or key != "oceans"


@pytest.mark.parametrize("key", GAMES_AND_TOYS)
async def test_the_log_begins_at_the_end_of_the_last_turn(key: str) -> None:
    """The log page shows all that happened since then, and nothing that the reader did before."""
    later_log_count = 0
    for table in shared_sample_tables(key, trial_count(3, soak=10)):
        assert table.match is not None
        for seat in map(Seat, range(len(table.seats))):
            first_index = last_turn_end(table.match.history, seat, table.match.to_act)
            recorder = ResponseRecorder()
            with use_scenes_as_pictures(), patch.object(catalogue, "PICTURES", ALL_PICTURES):
                await history_pages.show_log(
                    cast("Tables", TablesOfOne(table)),
                    cast("Response", recorder),
                    table.number,
                    request_of_person(seat),
                )
            log_text = str(recorder.answers[0][0])
            assert ("Since your last turn" if first_index else "Since the start of the game") in log_text
            lines = table.match.log_lines(seat, table.names)
            history = table.match.history
            numbered = [line for line in lines if history[line.index].is_choice]
            choice_counts = list(accumulate(record.is_choice for record in history))
            numbers = [choice_counts[line.index] for line in numbered]
            shown_flags = [f"`{number:>3}` " in log_text for number in numbers]
            if "…" not in log_text:
                assert shown_flags == [line.index >= first_index for line in numbered]
                later_log_count += first_index > 0
    assert later_log_count
