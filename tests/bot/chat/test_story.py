"""What a player reads after the others have moved, at tables in the middle of random games."""

import re
from functools import partial
from itertools import accumulate
from typing import cast
from unittest.mock import patch

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.chat import history_pages
from bot.chat.condensed_lines import condense
from bot.chat.delivery_contents import hand_content
from bot.chat.panel_posts import panel_page
from bot.chat.quotations import quote, quote_newest
from bot.chat.response import Response
from bot.chat.sentence_parser import SentenceParser
from bot.chat.shortened_story import Recency, ShortenableStory, Story, StoryConcern, StorySection
from bot.chat.story import (
    BOARD_STORY_LENGTH,
    LOG_HINT,
    LOG_HINT_VIA_MORE,
    LOG_LABEL,
    PRIVATE_STORY_LENGTH,
    _fit_turn_story,
    _sentence_parser,
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
from rules.record import LogLine
from rules.turns import Turn, last_turn_end, newest_turn, turns_from
from tests.bot.chat.sample_tables import MAX_SHARED_TABLES, shared_sample_tables
from tests.bot.host.playing import GAMES_AND_TOYS, KEY_OF_GAME_WITH_SECRETS, request_of_person
from tests.bot.host.viewer_output import ResponseRecorder, TablesOfOne, use_scenes_as_pictures
from tests.conformance.pictures import ALL_PICTURES
from tests.trials import trial_count

READER = Seat(0)
PARSER = SentenceParser(("Ava",))
LINE_LISTS = st.lists(
    st.tuples(st.integers(1, 220), st.sampled_from(["word ", "End. "]), st.booleans()), max_size=12
).map(
    lambda drawn: [
        LogLine(i, Seat(1), (word * count).strip(), is_routine=is_routine)
        for i, (count, word, is_routine) in enumerate(drawn)
    ]
)
"""Lists of lines of up to 1,100 characters, with one sentence or with many; some routine."""


def _shorten(
    affected: list[LogLine],
    others: list[LogLine],
    own_turn: list[LogLine],
    limit: int,
    *,
    parser: SentenceParser = PARSER,
    keeps_order: bool = False,
    newest_start: int = 1_000,
) -> Story:
    lines_by_concern = {
        StoryConcern.AFFECTED_READER: affected,
        StoryConcern.OTHERS: others,
        StoryConcern.OWN_TURN: own_turn,
    }
    pairs = [(line, concern) for concern, lines in lines_by_concern.items() for line in lines]
    pairs.sort(key=lambda pair: pair[0].index)
    lines, concerns = [line for line, _ in pairs], [concern for _, concern in pairs]
    sections = {
        StoryConcern.AFFECTED_READER: StorySection.REST if keeps_order else StorySection.AFFECTED,
        StoryConcern.OTHERS: StorySection.REST,
        StoryConcern.OWN_TURN: StorySection.OWN_TURN,
    }
    recencies = [
        Recency.NEWEST if line.index >= newest_start and line not in own_turn else Recency.OLDER
        for line in lines
    ]
    story = ShortenableStory(
        lines, concerns, [sections[concern] for concern in concerns], recencies, parser=parser
    )
    return story.shortened_to(limit, LOG_HINT)


@given(LINE_LISTS, LINE_LISTS, LINE_LISTS, st.integers(200, 900), st.sampled_from([2, 3]))
def test_a_story_keeps_its_limit(
    affected: list[LogLine], others: list[LogLine], own_turn: list[LogLine], limit: int, seat_count: int
) -> None:
    """The text fits, says so if anything is left out, and keeps the newest about the reader."""
    newest_affected = next((line.text for line in reversed(affected) if not line.is_routine), None)
    texts = [line.text for line in (*affected, *others, *own_turn)]
    story = _shorten(affected, others, own_turn, limit, keeps_order=seat_count == 2)
    assert len(story.text) <= limit
    assert story.is_shortened is story.text.endswith(LOG_HINT)
    if newest_affected is not None:
        assert newest_affected.split(". ")[0].strip()[:20] in story.text
    if not story.is_shortened:
        shown_lines = [line.removeprefix("> ") for line in story.text.splitlines()]
        assert all(text in shown_lines for text in texts)


def test_marks_of_what_is_left_out_count_for_the_limit() -> None:
    """A story of many short lines with scores below them fits, however many marks it needs."""
    lines = [LogLine(i, Seat(1), f"Ben does {i}.\nRound {i} ends." + " It is over." * 3) for i in range(9)]
    for limit in range(150, 420):
        story = _shorten(lines[::2], lines[1::2], [LogLine(9, READER, "You begin.\nIt ends.")], limit)
        assert len(story.text) <= limit
        assert " …" in story.text


def test_the_least_important_is_shortened_first() -> None:
    """The turn of the reader goes first, then what affected others; what affected the reader stays whole."""
    affected = [LogLine(1, Seat(1), "Ben takes two of yours. It hurts.")]
    others = [LogLine(i, Seat(1), f"Ben does {i}. " + "It takes long. " * 6) for i in range(2, 9)]
    own_turn = [LogLine(9, READER, "You begin. " + "You go on. " * 9)]
    story = _shorten(affected, others, own_turn, 300)
    assert "Ben takes two of yours. It hurts." in story.text
    assert "Ben does 8." in story.text
    assert "Ben does 2. It" not in story.text
    assert "You begin" not in story.text


def test_what_affected_the_reader_keeps_the_sentences_about_them() -> None:
    """A shortened line says what it did to the reader, who is named or whose pieces are: "A2"."""
    table = next(each for each in shared_sample_tables("oceans") if len(each.seats) > 2)
    moves = "B1 passes to Chloé as C2. A1 passes to Ben as B3. C1 passes to Ava as A2."
    text = f"Ben discards a card. {moves} {'It takes long. ' * 40}"
    affected = LogLine(0, Seat(1), text, affected_seats=frozenset({READER}))
    story = make_story(table, [affected], READER, 300)
    assert story.text.splitlines()[0] == (
        "> Ben discards a card. … A1 passes to Ben as B3. C1 passes to Ava as A2. …"
    )
    others = LogLine(0, Seat(1), text)
    assert make_story(table, [others], READER, 300).text.splitlines()[0] == "> Ben discards a card. …"


def test_what_affected_the_reader_outlasts_the_rest_in_the_order_of_play() -> None:
    """With two players an old line that concerns the reader stays where newer ones about others go."""
    affected = [LogLine(1, Seat(1), "Ben takes the gold tile.")]
    others = [
        LogLine(i, Seat(1), f"Ben does {i}. " + "It takes long. " * 6) for i in (0, 2, 3, 4, 5, 6, 7, 8)
    ]
    lines = _shorten(affected, others, [], 120, keeps_order=True).text.splitlines()
    assert lines == ["> …", "> Ben takes the gold tile. …", "> Ben does 7. …", "> Ben does 8. …", LOG_HINT]


def test_routine_is_left_out_first() -> None:
    """The draws of each turn go before anything else, the oldest first, with marks and the hint."""
    others = [LogLine(i, Seat(1), f"Ben does {i}. It takes long.") for i in range(5)]
    routine = [LogLine(i, Seat(1), f"Ben draws {i}.", is_routine=True) for i in range(5, 10)]
    story = _shorten([], [*others, *routine], [], 215)
    assert story.text.splitlines() == [
        *(f"> {line.text}" for line in others[:-1]),
        f"> {others[-1].text} …",
        "> Ben draws 9.",
        LOG_HINT,
    ]
    assert story.is_shortened
    whole = _shorten([], [*others, *routine], [], 300)
    assert "Ben draws 5." in whole.text
    assert not whole.is_shortened


def test_announcements_stay_longest() -> None:
    """The scores of a round outlast older and newer lines that are not announcements."""
    others = [LogLine(0, Seat(1), "Ben takes a die. It is blue.\nRound 1 ends: Ben +4. Nobody wins.")]
    others += [LogLine(i, Seat(1), f"Ben does {i}. " + "It takes long. " * 6) for i in range(1, 20)]
    story = _shorten([], others, [LogLine(20, READER, "You begin. " * 9)], 300)
    lines = story.text.splitlines()
    assert lines[:2] == ["> …", "> Round 1 ends: Ben +4. Nobody wins. …"]
    assert lines[-2:] == ["> Ben does 19. …", LOG_HINT]
    assert "You begin" not in story.text
    lines_with_announcements = [LogLine(i, READER, f"You do {i}.\nRound {i} ends.") for i in range(20)]
    assert "Round 0 ends" not in (shortened_text := _shorten([], [], lines_with_announcements, 200).text)
    assert shortened_text.splitlines()[-2:] == ["> Round 19 ends.", LOG_HINT]


def test_gains_and_losses_outlast_ceremony() -> None:
    """What only says how a turn goes on is left out first; what dies out or is scored stays."""
    table = next(each for each in shared_sample_tables("oceans") if len(each.seats) > 2)
    lines = [
        LogLine(0, Seat(1), "Ben goes on to Aging. Aging: Ben scores 1. B1 dies out."),
        LogLine(0, Seat(2), "Chloé ends the turn."),
        LogLine(0, Seat(2), "Chloé goes on to Aging. C1 dies out."),
        LogLine(0, Seat(1), "Ben's B2 forages in the Reef. It takes 3. Aging: Ben scores 4."),
    ]
    gains_and_losses = ["> Aging: Ben scores 1. B1 dies out.", "> C1 dies out."]
    story = make_story(table, lines, READER, 120)
    assert story.text.splitlines() == [*gains_and_losses, quote(lines[3].text)]
    assert not story.is_shortened
    lines.append(LogLine(0, Seat(1), f"Ben's B3 forages. {'It takes long. ' * 20}"))
    shown_lines = make_story(table, lines, READER, 170).text.splitlines()
    assert shown_lines[:3] == [*gains_and_losses, "> Ben's B2 forages in the Reef. … Aging: Ben scores 4."]
    shown_lines = make_story(table, lines, READER, 160).text.splitlines()
    assert shown_lines[:2] == gains_and_losses
    assert "B3" not in "".join(shown_lines), "the newest line goes before them"


def test_an_upgrade_outlasts_the_market() -> None:
    """In Current Affairs what opens on the deck goes before what was unlocked."""
    table = next(each for each in shared_sample_tables("current_affairs"))
    lines = [
        LogLine(0, Seat(1), "Ben unlocks the wheel. New in the market: Callao 7."),
        LogLine(1, Seat(1), "Ben draws Callao 6.\nOpen on the deck: Callao 5."),
    ]
    assert make_story(table, lines, READER, 95).text.splitlines() == [
        "> Ben unlocks the wheel. …",
        "> Ben draws Callao 6. …",
        LOG_HINT,
    ]
    lines += [LogLine(2 + i, Seat(2), f"Chloé waits {i}. {'It takes long. ' * 9}") for i in range(9)]
    assert "> Ben unlocks the wheel." in make_story(table, lines, READER, 100).text


def test_names_are_no_gains_or_losses() -> None:
    """A player may be called like words that a shortened story looks for."""
    names = "Ends the turn", "Dies out"
    parser = SentenceParser(names, ("Ends the turn",), ("Dies out",))
    text = "Ends the turn begins. Dies out does this. Then Dies out dies."
    assert parser.without_ceremony(text) == text
    assert parser.main_sentences(text) == "Ends the turn begins. …"


def test_gain_or_loss_words_are_whole_words() -> None:
    """A word that ends like one of them says nothing of a gain or a loss."""
    parser = SentenceParser(("Ava",), ("ends",), ("loses",))
    assert parser.tells_gain_or_loss("Ben loses 2.")
    assert not parser.tells_gain_or_loss("Ben closes a contract.")
    assert parser.without_ceremony("Ben sends 2. Ben ends.") == "Ben sends 2."


def test_lines_about_the_reader_outlast_gains_of_others() -> None:
    """Of lines of which only one has room, that with the reader's name stays."""
    parser = SentenceParser(("Ava",), (), ("scores",), re.compile("Ava"))
    others = [LogLine(0, Seat(1), "Ben meets Ava."), LogLine(1, Seat(1), f"Ben scores {'3, 4, ' * 20}")]
    others.append(LogLine(2, Seat(1), "Ben waits."))
    story = _shorten([], others, [], 100, parser=parser)
    assert story.text.splitlines() == ["> Ben meets Ava. …", LOG_HINT]


@pytest.mark.parametrize("key", GAMES_AND_TOYS)
def test_the_words_of_a_shortened_story_are_narrated(key: str) -> None:
    """Each game's words of ceremony, details, lists, gains, losses and rules stand in its narrations."""
    words = GAMES_AND_TOYS[key].words
    missing_words = {
        *words.ceremony_words,
        *words.detail_words,
        *words.joinable_verbs,
        *words.gain_or_loss_words,
        *words.rule_change_words,
    }
    for table in shared_sample_tables(key, MAX_SHARED_TABLES):
        if missing_words:
            text = "\n".join(line.text for line in table.log_lines(0))
            missing_words = {each for each in missing_words if each not in text}
    assert not missing_words


def test_a_story_marks_where_lines_are_left_out() -> None:
    """Behind the line before, so that nobody takes what follows for what came next; alone only at the top."""
    lines_with_announcements = [LogLine(i, READER, f"You do {i}.\nRound {i} ends.") for i in range(20)]
    lines = _shorten([], [], lines_with_announcements, 200).text.splitlines()
    assert lines[0] == "**This turn so far:** …"
    assert lines[-3:] == ["> Round 18 ends. …", "> Round 19 ends.", LOG_HINT]
    others = [LogLine(i, Seat(1), f"Ben does {i}. " + "It takes long. " * 6) for i in range(20)]
    shown_lines = _shorten([], others, [LogLine(20, READER, "You begin. " * 9)], 300).text.splitlines()
    assert (shown_lines[0], shown_lines[-2:]) == ("> …", ["> Ben does 19. …", LOG_HINT])
    assert shown_lines.count("> …") == 1


def test_the_newest_turn_and_what_affected_the_reader_outlast_the_rest() -> None:
    """They stay where gains, announcements and what affected everybody go, if these are older."""
    parser = SentenceParser(("Ava", "Ben"), (), ("scores",))
    affected = [LogLine(0, Seat(1), f"Ben takes {text} of yours.") for text in ("two", "three")]
    others = [LogLine(i, Seat(2), f"Chloé scores {i}.\nRound {i} ends: {'3, 4, ' * 20}") for i in range(1, 9)]
    newest = [LogLine(i, Seat(1), f"Ben waits {i}.") for i in range(9, 12)]
    story = _shorten(affected, [*others, *newest], [], 200, parser=parser, keeps_order=True, newest_start=9)
    assert story.text.splitlines() == [
        "> Ben takes two of yours.",
        "> Ben takes three of yours. …",
        *(quote(line.text) for line in newest),
        LOG_HINT,
    ]


def test_no_sentence_is_cut_in_a_word() -> None:
    """A line that is too long keeps gains and losses; a sentence that is too long ends after a word."""
    parser = SentenceParser(("Ava",), (), ("scores",))
    line = f"Ben waits. {'It takes long. ' * 30}Ben scores 4. It ends."
    assert parser.most_important_sentences(line, 40) == "Ben waits. … Ben scores 4. It ends."
    assert parser.most_important_sentences(line, 30) == "Ben waits. … Ben scores 4. …"
    assert parser.most_important_sentences(line, 20) == "… Ben scores 4. …"
    assert parser.most_important_sentences("Ben scores thirty-four.", 15) == "Ben scores …"
    story = _fit_turn_story(["Ava begins.", line, "Ava ends."], parser, 60)
    assert story == Story("> Ava begins.\n> Ben waits. … Ben scores 4. …\n> Ava ends.", is_shortened=True)


def test_a_long_turn_keeps_its_gains_and_losses() -> None:
    """What was scored stays where other lines go, each with a mark in its place."""
    parser = SentenceParser(("Ava",), (), ("scores",))
    texts = [f"Ava scores {i}." if i == 20 else f"Ava does {i}." for i in range(40)]
    lines = _fit_turn_story(texts, parser, 100).text.splitlines()
    assert lines[0] == "> Ava does 0."
    assert lines[-1] == "> Ava does 39."
    index = lines.index("> Ava scores 20. …")
    assert lines[index - 1].endswith(". …")


@pytest.mark.parametrize("key", GAMES_AND_TOYS)
def test_a_story_tells_what_affected_its_reader(key: str) -> None:
    """All lines since the reader's last turn are there, first the turns that affected the reader.

    What affects everybody is no reason to come first, nor is a forced choice of the reader.  With two players
    all are in the order of play.
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
        lines = condense(
            table.log_lines(first_index), _sentence_parser(table), table.names_at, is_of_own_turn
        )
        story = public_story(table, seat, limit=100_000)
        recent = [line for line in lines if line.index < own_start]
        turn_at = {i: turn for turn in turns for i in range(turn.start, turn.end)}
        affecting_turns = {
            turn_at.get(line.index)
            for line in recent
            if seat in line.affected_seats and len(line.affected_seats) < len(table.seats)
            if line.actor != seat
        }
        affected = [line for line in recent if turn_at.get(line.index) in affecting_turns]
        with_headings = len(table.seats) > 2 and 0 < len(affected) < len(recent)
        texts = [quote(line.text) for line in recent]
        if with_headings:
            others = [quote(line.text) for line in recent if line not in affected]
            texts = ["**What affected you:**", *(quote(line.text) for line in affected)]
            texts += ["**What else happened:**", *others]
        text_before_turn, own_heading, _ = story.text.partition("**This turn so far:**")
        assert text_before_turn.rstrip("\n") == "\n".join(texts)
        assert bool(own_heading) is bool([line for line in lines if line not in recent])
        heading_story_count += with_headings
    assert heading_story_count or key in {"currents", "current_affairs"}


def _table_in_running_turn(key: str) -> tuple[Table, Turn]:
    """Return a table at which the seat to act has begun its turn after one of another seat, and its turn."""
    return next(
        (table, turn)
        for table in shared_sample_tables(key, MAX_SHARED_TABLES)
        if table.match is not None and (turn := newest_turn(table.match.history)) is not None
        if turn.seat == table.to_act and newest_turn(table.match.history, turn.start) is not None
    )


def test_a_resignation_outlasts_the_turn_in_which_it_happened() -> None:
    """Of the running turn the reader's own moves go before what another player did in it."""
    table, turn = _table_in_running_turn("oceans")
    other_seat = Seat((turn.seat + 1) % len(table.seats))
    own_lines = [LogLine(turn.start, turn.seat, f"It goes on {i}. {'It takes long. ' * 6}") for i in range(9)]
    text = f"{table.names[other_seat]} resigns."
    lines = [*own_lines[:4], LogLine(turn.start, other_seat, text), *own_lines[4:]]
    assert f"{quote(text)} …" in make_story(table, lines, turn.seat, 120).text.splitlines()


def test_a_board_cuts_older_turns_before_the_running_one() -> None:
    """Who presses made these moves, but everybody else reads of them there for the first time."""
    table, turn = _table_in_running_turn("oceans")
    other_seat = Seat((turn.seat + 1) % len(table.seats))
    lines = [
        *(LogLine(0, other_seat, f"Old move {i}. It scores 4.\nRound {i} ends.") for i in range(4)),
        *(LogLine(turn.start - 1, other_seat, f"New move {i}. It takes long.") for i in range(4)),
        *(LogLine(turn.start, turn.seat, f"Own move {i}. It takes long.") for i in range(4)),
    ]
    own_texts = [quote(line.text) for line in lines[-4:]]
    for limit in range(200, 500):
        story = make_story(table, lines, turn.seat, limit, is_read_by_others=True)
        assert story.text.splitlines()[-5:] == [*own_texts, LOG_HINT] or not story.is_shortened
        assert "Old move" not in story.text or "New move 0" in story.text
    assert "Own move 3." in make_story(table, lines, turn.seat, 100, is_read_by_others=True).text
    assert "Own move" not in make_story(table, lines, turn.seat, 250).text, "who made them knows them"


def test_rules_that_change_for_everybody_outlast_older_turns() -> None:
    """The Cambrian Explosion stays whole where moves go, and announcements of what only others lost."""
    table = next(
        each for each in shared_sample_tables("oceans") if len(each.seats) > 2 and each.to_act != READER
    )
    assert table.match is not None
    everybody = frozenset(map(Seat, range(len(table.seats))))
    explosion = "The Cambrian Explosion: from now on players play two cards."
    lines = [
        LogLine(0, Seat(1), f"Ben migrates 5.\n{explosion}\nGenetic Diversity begins.", everybody),
        *(LogLine(0, Seat(1), f"Ben attacks. B{i} dies out.\nC{i} dies out.") for i in range(1, 9)),
        LogLine(len(table.match.history) - 1, Seat(2), "Chloé waits."),
    ]
    shown_lines = make_story(table, lines, READER, 165).text.splitlines()
    assert shown_lines == [
        "> …",
        quote(explosion),
        "> Genetic Diversity begins. …",
        "> Chloé waits.",
        LOG_HINT,
    ]


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
        for is_read_by_others in (False, True):
            whole = public_story(table, seat, 100_000, is_read_by_others=is_read_by_others)
            assert not whole.is_shortened
            for limit in range(150, len(whole.text) + 100, 50):
                story = public_story(table, seat, limit, is_read_by_others=is_read_by_others)
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
    parser = _sentence_parser(table)
    lines = table.log_lines(last_turn_end(history, reader, reader))
    texts_by_importance: list[set[str]] = [set(), set(), set(), set()]
    for line in condense(lines, parser, table.names_at, partial(_is_at_or_after, own_start)):
        if line.index < own_start and not line.is_routine:
            for i, text in enumerate(line.text.splitlines()):
                sentences = [
                    each
                    for each in parser.sentences(text)
                    if not any(word in each for word in table.game.words.detail_words)
                ]
                is_for_everybody = len(line.affected_seats) == len(table.seats)
                concerns_reader = i > 0 or not is_for_everybody or _names_reader(table, reader, text)
                importance = 2 if newest is not None and line.index >= newest.start else 3
                if any(word in text for word in table.game.words.rule_change_words):
                    importance = 0
                elif reader in line.affected_seats and concerns_reader:
                    importance = 1
                texts_by_importance[importance] |= set(sentences[:1])
    for i, texts in enumerate(texts_by_importance):
        texts.difference_update(*texts_by_importance[:i])
    return texts_by_importance


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


def test_the_turns_that_affected_the_reader_are_whole_and_first() -> None:
    """No effect stands above its cause; what affected everybody keeps its place, and stays longest too."""
    table, turns = next(
        (table, turns)
        for table in shared_sample_tables("oceans", MAX_SHARED_TABLES)
        if len(table.seats) > 2 and table.match is not None
        if len(turns := turns_from(table.match.history)) > 4 and turns[0].end > turns[0].start + 1
    )
    everybody = frozenset(map(Seat, range(len(table.seats))))
    first, second, third, fourth = (turn.start for turn in turns[:4])
    lines = [
        LogLine(first, Seat(1), "Ben attacks."),
        LogLine(first + 1, Seat(1), "Ben takes two of Ava's.", affected_seats=frozenset({READER})),
        LogLine(second, Seat(2), "Chloé builds C1. " + "It takes long. " * 20),
        LogLine(third, Seat(1), "Ben builds A3, the only site left.", affected_seats=everybody),
        LogLine(fourth, Seat(2), "Chloé adds a wing."),
    ]
    texts = [quote(line.text) for line in lines]
    story = make_story(table, lines, READER, 1_000)
    headings = "**What affected you:**", "**What else happened:**"
    assert story.text.splitlines() == [headings[0], *texts[:2], headings[1], *texts[2:]]
    shown_lines = make_story(table, lines, READER, 165).text.splitlines()
    assert shown_lines == [f"{headings[0]} …", texts[1], f"{headings[1]} …", f"{texts[3]} …", LOG_HINT]
    without_effect = [lines[0], *lines[2:]]
    assert make_story(table, without_effect, READER, 1_000).text.splitlines() == [
        texts[0],
        *texts[2:],
    ], "nothing affected the reader more than everybody"


def test_a_forced_choice_of_the_reader_moves_no_turn_to_the_front() -> None:
    """The last card of a draft that the reader gets in another player's turn stands in the order of play."""
    table = next(each for each in shared_sample_tables("current_affairs") if each.match is not None)
    assert table.match is not None
    first, second = (turn.start for turn in turns_from(table.match.history)[:2])
    lines = [
        LogLine(first, Seat(2), "Chloé takes Panama 10.", frozenset({Seat(2)})),
        LogLine(second, Seat(1), "Ben takes Callao 5.", frozenset({Seat(1)})),
        LogLine(second, READER, "Ava takes San Francisco 4.", frozenset({READER})),
    ]
    texts = [quote(line.text) for line in lines]
    assert make_story(table, lines, READER, 1_000).text.splitlines() == texts
    lines[2] = msgspec.structs.replace(lines[2], actor=Seat(1))
    assert make_story(table, lines, READER, 1_000).text.splitlines() == [
        "**What affected you:**",
        *texts[1:],
        "**What else happened:**",
        texts[0],
    ], "what another player did to the reader comes first"


def test_lines_about_the_reader_outlast_others_that_affected_them() -> None:
    """The tile that they get stays where the display goes."""
    table = next(each for each in shared_sample_tables("australis") if len(each.seats) > 2)
    two_seats = frozenset({READER, Seat(1)})
    lines = [
        LogLine(0, Seat(1), "Ben takes the silver tile. Ava gets the gold tile.", two_seats),
        LogLine(
            1,
            Seat(1),
            "The turtle swims from 9 to 13, takes two cubes and rests.\nRound 4 ends: Ava +2, Ben +3.",
            two_seats,
        ),
        LogLine(2, Seat(1), "Ben takes the blue 5.", two_seats),
    ]
    shown_lines = make_story(table, lines, READER, 160).text.splitlines()
    assert shown_lines == [
        "> Ben takes the silver tile. Ava gets the gold tile. …",
        "> Round 4 ends: Ava +2, Ben +3.",
        "> Ben takes the blue 5.",
        LOG_HINT,
    ]


def test_only_names_of_pieces_are_taken_for_those_of_the_reader() -> None:
    """A1 is a species of seat A in Oceans, and a tile for everybody in Arctic CleanUp."""
    two_seats = frozenset({READER, Seat(1)})
    texts = "On A1.", "It takes a while here.", "On B1. " * 20, "On C1."
    lines = [LogLine(i, Seat(1), text.strip(), two_seats) for i, text in enumerate(texts)]
    lines_by_key = {}
    for key in ("oceans", "arctic_cleanup"):
        table = next(each for each in shared_sample_tables(key) if len(each.seats) > 2)
        lines_by_key[key] = make_story(table, lines, READER, 75).text.splitlines()
    assert "> On A1. …" in lines_by_key["oceans"]
    assert "> On A1. …" not in lines_by_key["arctic_cleanup"]


def test_a_story_names_who_has_taken_a_seat() -> None:
    """The line stands between those of the earlier player and of the later one, who reads it on the board."""
    table = next(
        each for each in shared_sample_tables("currents") if len(each.seats) == 3 and each.to_act != READER
    )
    assert table.match is not None
    history_length = len(table.match.history)
    lines = [LogLine(index, Seat(1), f"Line {index}.") for index in (history_length - 2, history_length - 1)]
    row = msgspec.structs.replace(
        table.seats[1], earlier_players=(EarlierPlayer("G*ta", history_length - 1),)
    )
    changed_table = table.with_seat(1, row)
    line = f"> {table.names[1]} takes seat B from G\\*ta."
    expected = [f"> Line {history_length - 2}.", line, f"> Line {history_length - 1}."]
    assert make_story(changed_table, lines, READER, 900).text.splitlines() == expected
    assert line not in make_story(changed_table, lines, Seat(1), 900).text
    assert line in make_story(changed_table, lines, Seat(1), 900, is_read_by_others=True).text
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
    for table in shared_sample_tables(key, trial_count(6, soak=20)):
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


def test_a_story_of_nothing_is_empty() -> None:
    """Nothing has happened: nothing is said."""
    assert _shorten([], [], [], 300) == Story("")


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


@pytest.mark.parametrize("name", ["J. R.", "A. B", "Dr. No. 2"])
def test_a_sentence_does_not_end_in_a_name(name: str) -> None:
    """A line that is shortened keeps its whole first sentence, whatever its player is called."""
    others = [LogLine(i, Seat(1), f"{name} does {i}. " + "It takes long. " * 6) for i in range(8)]
    story = _shorten([], others, [], 300, parser=SentenceParser(("Ava", name)))
    assert f"> {name} does 0. …\n" in story.text
    texts = [line.text for line in others]
    assert f"> {name} does 0. …\n" in _fit_turn_story(texts, SentenceParser(("Ava", name)), 600).text


def test_a_long_turn_keeps_its_start_and_its_end() -> None:
    """Lines are shortened first; then the middle is left out, and the mark stands in its place."""
    texts = [f"Ava does {i}. " + "It takes long. " * 5 + "It ends." for i in range(40)]
    lines = _fit_turn_story(texts, PARSER, 300).text.splitlines()
    assert (lines[0], lines[-1], lines.count("> …")) == ("> Ava does 0. …", "> Ava does 39. …", 0)
    numbers = [int(re.findall(r"\d+", line)[0]) for line in lines]
    assert numbers == [*range(len(lines) // 2), *range(40 - (len(lines) + 1) // 2, 40)]
    whole = _fit_turn_story(texts[:2], PARSER, 300).text
    assert whole.splitlines() == [f"> {text}" for text in texts[:2]]


@given(st.lists(st.tuples(st.integers(1, 70), st.sampled_from(["word ", "End. ", "a\n"])), max_size=12))
def test_a_turn_keeps_its_limit(words_and_counts: list[tuple[int, str]]) -> None:
    """However long its lines are, the story of a turn fits and shows how it began and how it ended."""
    texts = [(word * count).strip() for count, word in words_and_counts]
    story = _fit_turn_story(texts, SentenceParser(), 300).text
    assert len(story) <= 300
    if texts:
        assert story.startswith(f"> {texts[0]}".splitlines()[0][:4])
        assert len(texts) == 1 or story.rstrip("…")[-3:] in f"> {texts[-1]}\n> "


def test_older_lines_leave_a_mark() -> None:
    """Where only the newest lines are shown, a mark says that there were others."""
    assert quote_newest(["One.", "Two.\nThree."], 3) == ["> One.", "> Two.", "> Three."]
    assert quote_newest(["One.", "Two.\nThree."], 2) == ["> …", "> Two.", "> Three."]
