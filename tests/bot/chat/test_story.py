"""What a player reads after the others have moved, at tables in the middle of random games."""

import random
import re
from functools import cache
from itertools import accumulate
from typing import cast
from unittest.mock import patch

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot import limits
from bot.chat import history_pages, lobby_posts, pages, posts, result_posts
from bot.chat.components import Button, Section
from bot.chat.panel_posts import hand_post, last_move_text, move_result_post, panel_page
from bot.chat.response import Response
from bot.chat.story import (
    LOG_HINT,
    LOG_HINT_VIA_MORE,
    LOG_LABEL,
    PRIVATE_STORY_LENGTH,
    Story,
    _fit_turn_story,
    _Part,
    _ShortenableStory,
    board_story,
    make_story,
    private_story,
    public_story,
    quote,
    quote_newest,
)
from bot.host import game_calls
from bot.host.table import Table
from bot.host.table_turns import finished_turn
from bot.host.tables import Tables
from bot.store.rows import Status
from bot.store.seat_rows import EarlierPlayer
from render import catalogue
from rules.catalogue import GAMES
from rules.game import SEAT_LETTERS, Names, Resign, Seat
from rules.match import Match
from rules.notation import write_action
from rules.record import LogLine
from rules.turns import last_turn_end, turns_from
from tests.bot.chat.post_components import components_by_row
from tests.bot.chat.sample_tables import make_table, sample_tables
from tests.bot.host.playing import EVERY_GAME, NAMES, default_setup, request_of
from tests.bot.host.viewer_output import OneTable, ResponseRecorder, use_scenes_as_pictures
from tests.conformance.pictures import ALL_PICTURES
from tests.conformance.setups import full_game_setups
from tests.trials import IS_LONG_RUN, trial_count

READER = Seat(0)
MAX_TABLES = trial_count(commit=60, soak=120)
LINES = st.lists(
    st.tuples(st.integers(1, 220), st.sampled_from(["word ", "End. "]), st.booleans()), max_size=12
).map(
    lambda found: [
        LogLine(i, Seat(1), (word * count).strip(), is_routine=is_routine)
        for i, (count, word, is_routine) in enumerate(found)
    ]
)
"""Lines of up to 1,100 characters, with one sentence or with many; some routine."""


@cache
def _all_tables(key: str) -> list[Table]:
    return sample_tables(key, MAX_TABLES, random.Random(f"stories/{key}"))


def _tables(key: str, count: int = 12) -> list[Table]:
    return _all_tables(key)[:count]


def _shorten(
    affected: list[LogLine],
    others: list[LogLine],
    own: list[LogLine],
    limit: int,
    *,
    names: Names = (),
    keeps_order: bool = False,
) -> Story:
    parts = {_Part.AFFECTED_READER: affected, _Part.OTHERS: others, _Part.OWN_TURN: own}
    pairs = [(line, part) for part, lines in parts.items() for line in lines]
    pairs.sort(key=lambda pair: pair[0].index)
    lines, line_parts = [line for line, _ in pairs], [part for _, part in pairs]
    return _ShortenableStory(lines, line_parts, names=names, keeps_order=keeps_order).shortened_to(
        limit, LOG_HINT
    )


@given(LINES, LINES, LINES, st.integers(200, 900), st.sampled_from([2, 3]))
def test_a_story_keeps_its_limit(
    affected: list[LogLine], others: list[LogLine], own: list[LogLine], limit: int, seat_count: int
) -> None:
    """The text fits, says so if more than routine is left out, and has what affected the reader last."""
    newest = next((line.text for line in reversed(affected) if not line.is_routine), None)
    everything = [line.text for line in (*affected, *others, *own) if not line.is_routine]
    story = _shorten(affected, others, own, limit, keeps_order=seat_count == 2)
    assert len(story.text) <= limit
    assert story.is_shortened is story.text.endswith(LOG_HINT)
    if newest is not None:
        assert newest.split(". ")[0].strip()[:20] in story.text
    if not story.is_shortened:
        shown = [line.removeprefix("> ") for line in story.text.splitlines()]
        assert all(text in shown for text in everything)


def test_the_least_important_is_shortened_first() -> None:
    """The own turn goes first, then what affected others; what affected the reader stays whole."""
    affected = [LogLine(1, Seat(1), "Ben takes two of yours. It hurts.")]
    others = [LogLine(i, Seat(1), f"Ben does {i}. " + "It takes long. " * 6) for i in range(2, 9)]
    own = [LogLine(9, READER, "You begin. " + "You go on. " * 9)]
    story = _shorten(affected, others, own, 300)
    assert "Ben takes two of yours. It hurts." in story.text
    assert "Ben does 8." in story.text
    assert "Ben does 2. It" not in story.text
    assert "You begin" not in story.text


def test_what_affected_the_reader_keeps_the_sentences_about_them() -> None:
    """A shortened line says what it did to the reader, who is named or whose pieces are: "A2"."""
    table = next(each for each in _tables("oceans") if len(each.seats) > 2)
    moves = "B1 passes to Chloé as C2. A1 passes to Ben as B3. C1 passes to Ava as A2."
    text = f"Ben discards a card. {moves} {'It takes long. ' * 40}"
    affected = LogLine(0, Seat(1), text, affected_seats=frozenset({READER}))
    story = make_story(table, [affected], READER, 300)
    assert story.text.splitlines()[0] == (
        "> Ben discards a card. A1 passes to Ben as B3. C1 passes to Ava as A2."
    )
    others = LogLine(0, Seat(1), text)
    assert make_story(table, [others], READER, 300).text.splitlines()[0] == "> Ben discards a card."


def test_what_affected_the_reader_outlasts_the_rest_in_the_order_of_play() -> None:
    """With two players an old line that concerns the reader stays where newer ones about others go."""
    affected = [LogLine(1, Seat(1), "Ben takes the gold tile.")]
    others = [
        LogLine(i, Seat(1), f"Ben does {i}. " + "It takes long. " * 6) for i in (0, 2, 3, 4, 5, 6, 7, 8)
    ]
    lines = _shorten(affected, others, [], 120, keeps_order=True).text.splitlines()
    assert "> Ben takes the gold tile." in lines
    assert lines[-2:] == ["> Ben does 8.", LOG_HINT]
    assert "> Ben does 2." not in lines


def test_routine_is_left_out_first() -> None:
    """A story that fits without the draws of each turn is otherwise whole and promises no more."""
    others = [LogLine(i, Seat(1), f"Ben does {i}. It takes long.") for i in range(5)]
    routine = [LogLine(i, Seat(1), f"Ben draws {i}.", is_routine=True) for i in range(5, 10)]
    story = _shorten([], [*others, *routine], [], 200)
    assert story.text.splitlines() == [f"> {line.text}" for line in others]
    assert not story.is_shortened
    assert "Ben draws 9." in _shorten([], [*others, *routine], [], 300).text


def test_headlines_stay_longest() -> None:
    """The scores of a round outlast older and newer lines that are not headlines."""
    others = [LogLine(0, Seat(1), "Ben takes a die. It is blue.\nRound 1 ends: Ben +4. Nobody wins.")]
    others += [LogLine(i, Seat(1), f"Ben does {i}. " + "It takes long. " * 6) for i in range(1, 20)]
    story = _shorten([], others, [LogLine(20, READER, "You begin. " * 9)], 300)
    lines = story.text.splitlines()
    assert lines[0] == "> Round 1 ends: Ben +4."
    assert lines[-2:] == ["> Ben does 19.", LOG_HINT]
    assert "You begin" not in story.text
    with_headline = [LogLine(i, READER, f"You do {i}.\nRound {i} ends.") for i in range(20)]
    assert "Round 0 ends" not in (own := _shorten([], [], with_headline, 200).text)
    assert own.splitlines()[-2:] == ["> Round 19 ends.", LOG_HINT]


def test_a_story_marks_where_lines_are_left_out() -> None:
    """Between lines that stand together, so that nobody takes what follows for what came next."""
    with_headline = [LogLine(i, READER, f"You do {i}.\nRound {i} ends.") for i in range(20)]
    lines = _shorten([], [], with_headline, 200).text.splitlines()
    assert lines[-4:] == ["> Round 18 ends.", "> …", "> Round 19 ends.", LOG_HINT]
    others = [LogLine(i, Seat(1), f"Ben does {i}. " + "It takes long. " * 6) for i in range(20)]
    assert "> …" not in _shorten([], others, [], 300).text, "only the oldest are left out"


@pytest.mark.parametrize("key", EVERY_GAME)
def test_a_story_tells_what_affected_its_reader(key: str) -> None:
    """All lines since the reader's last turn are there, first those that affected the reader alone or some.

    The others, and all lines with two players, are in the order of play.
    """
    stories_with_headings = 0
    for table in _tables(key, MAX_TABLES):
        assert table.match is not None
        seat = table.match.to_act
        assert seat is not None
        first = last_turn_end(table.match.history, seat, seat)
        lines = table.log_lines(first)
        story = public_story(table, seat, limit=100_000)
        own = {turn.start for turn in turns_from(table.match.history)[-1:] if turn.seat == seat}
        recent = [line for line in lines if not own or line.index < min(own)]
        affected = [
            line
            for line in recent
            if seat in line.affected_seats and len(line.affected_seats) < len(table.seats)
        ]
        with_headings = len(table.seats) > 2 and 0 < len(affected) < len(recent)
        texts = [quote(line.text) for line in recent]
        if with_headings:
            others = [quote(line.text) for line in recent if line not in affected]
            texts = ["**What affected you:**", *(quote(line.text) for line in affected)]
            texts += ["**What else happened:**", *others]
        shown, own_heading, _ = story.text.partition("**This turn so far:**")
        assert shown.rstrip("\n") == "\n".join(texts)
        assert bool(own_heading) is bool([line for line in lines if line not in recent])
        stories_with_headings += with_headings
    assert stories_with_headings or key == "currents"


def test_what_a_story_tells_everybody_names_its_reader() -> None:
    """Below a board, which everybody reads, "you" would be anybody."""
    table = next(
        table
        for table in _tables("oceans", MAX_TABLES)
        if table.to_act is not None
        and "affected you" in public_story(table, table.to_act, limit=100_000).text
    )
    assert table.to_act is not None
    name = table.names[table.to_act]
    assert board_story(table, table.to_act).text.startswith(f"**What affected {name}:**\n> ")


def test_what_affected_everybody_stays_in_the_order_of_play() -> None:
    """The end of a round is told after what came before it, and stays longer than what others did."""
    table = next(each for each in _tables("oceans") if len(each.seats) > 2)
    everybody = frozenset(map(Seat, range(len(table.seats))))
    lines = [
        LogLine(0, Seat(1), "Ben builds C1."),
        LogLine(1, Seat(1), "Ben takes two of Ava's.", affected_seats=frozenset({READER})),
        LogLine(2, Seat(2), "Chloé builds A3, the only site left.", affected_seats=everybody),
        LogLine(3, Seat(1), "Ben adds a wing. " + "It takes long. " * 20),
    ]
    texts = [quote(line.text) for line in lines]
    story = make_story(table, lines, READER, 1_000)
    headings = "**What affected you:**", "**What else happened:**"
    assert story.text.splitlines() == [headings[0], texts[1], headings[1], texts[0], *texts[2:]]
    shown = make_story(table, lines, READER, 160).text.splitlines()
    assert shown == [headings[0], texts[1], headings[1], texts[2], LOG_HINT]


def test_lines_about_the_reader_outlast_others_that_affected_them() -> None:
    """The tile that they get stays where the display goes."""
    table = next(each for each in _tables("australis") if len(each.seats) > 2)
    some = frozenset({READER, Seat(1)})
    lines = [
        LogLine(0, Seat(1), "Ben takes the silver tile. Ava gets the gold tile.", some),
        LogLine(
            1,
            Seat(1),
            "New on the display: blue coral, white fish, purple points.\nRound 4 ends: Ava +2, Ben +3.",
            some,
        ),
        LogLine(2, Seat(1), "Ben takes the blue 5.", some),
    ]
    shown = make_story(table, lines, READER, 160).text.splitlines()
    assert shown == [
        "> Ben takes the silver tile. Ava gets the gold tile.",
        "> …",
        "> Round 4 ends: Ava +2, Ben +3.",
        "> Ben takes the blue 5.",
        LOG_HINT,
    ]


def test_only_names_of_pieces_are_taken_for_those_of_the_reader() -> None:
    """A1 is a species of seat A in Oceans, and a tile for everybody in Arctic CleanUp."""
    some = frozenset({READER, Seat(1)})
    texts = "On A1.", "It takes a while here.", "On B1. " * 20, "On C1."
    lines = [LogLine(i, Seat(1), text.strip(), some) for i, text in enumerate(texts)]
    shown = {}
    for key in ("oceans", "arctic_cleanup"):
        table = next(each for each in _tables(key) if len(each.seats) > 2)
        shown[key] = make_story(table, lines, READER, 75).text.splitlines()
    assert "> On A1." in shown["oceans"]
    assert "> On A1." not in shown["arctic_cleanup"]


def test_a_story_names_who_has_taken_a_seat() -> None:
    """The line stands between those of the earlier player and of the later one, who does not read it."""
    table = next(each for each in _tables("currents") if len(each.seats) == 3 and each.to_act != READER)
    assert table.match is not None
    length = len(table.match.history)
    lines = [LogLine(index, Seat(1), f"Line {index}.") for index in (length - 2, length - 1)]
    row = msgspec.structs.replace(table.seats[1], earlier_players=(EarlierPlayer("G*ta", length - 1),))
    changed = table.with_seat(1, row)
    line = f"> {table.names[1]} takes seat B from G\\*ta."
    expected = [f"> Line {length - 2}.", line, f"> Line {length - 1}."]
    assert make_story(changed, lines, READER, 900).text.splitlines() == expected
    assert line not in make_story(changed, lines, Seat(1), 900).text
    assert line not in make_story(table, lines, READER, 900).text


@pytest.mark.parametrize("key", EVERY_GAME)
async def test_stories_are_made_of_what_their_reader_knows(key: str) -> None:
    """A story is a function of the reader's lines; where these are everybody's, both kinds are the same."""
    private_stories = 0
    for table in _tables(key, trial_count(10, soak=20)):
        assert table.match is not None
        for seat in map(Seat, range(len(table.seats))):
            first = last_turn_end(table.match.history, seat, table.match.to_act)
            own = table.match.log_lines(seat, table.names, first)
            private = await private_story(table, seat)
            assert private == make_story(table, own, seat, PRIVATE_STORY_LENGTH)
            if [line.text for line in own] == [line.text for line in table.log_lines(first)]:
                assert private == public_story(table, seat)
            else:
                private_stories += 1
    assert private_stories or not EVERY_GAME[key].hidden_information


@pytest.mark.parametrize("key", EVERY_GAME)
def test_posts_fit(key: str) -> None:
    """The board and the record of turns (all in the long run) fit a message, also with the longest names."""
    for table in _tables(key):
        assert table.match is not None
        long = tuple(msgspec.structs.replace(seat, name="*" * 32) for seat in table.seats)
        named = table.with_row(seats=long)
        assert len(posts.board_post(named, named.to_act).text) <= limits.CONTENT
        for turn in turns_from(table.match.history)[: -1 : 1 if IS_LONG_RUN else 8]:
            assert finished_turn(named, turn.start) == turn
            post = posts.turn_post(named, turn)
            assert len(post.text) <= limits.CONTENT
            assert post.rows == ()


@pytest.mark.parametrize("key", EVERY_GAME)
def test_a_board_begins_with_game_number_and_what_to_do(key: str) -> None:
    """The first line, which a phone shows, names the game, the table and the player, then the turn."""
    for table in _tables(key, 6):
        seat = table.to_act
        assert seat is not None
        first = posts.board_post(table, seat).text.splitlines()[0]
        assert first.startswith(f"**{posts.title(table)}** · ")
        assert f"<@{table.seats[seat].user}>" in first


def test_a_first_turn_says_how_to_win() -> None:
    """Before a player's first turn is over, the board says how to win and has Rules; later it does not."""
    seen = set()
    for key in EVERY_GAME:
        for table in _tables(key):
            assert table.match is not None
            assert table.to_act is not None
            finished = last_turn_end(table.match.history, table.to_act, table.to_act) > 0
            post = posts.board_post(table, table.to_act)
            labels = [
                each.label
                for row in post.rows
                if isinstance(row, tuple)
                for each in row
                if isinstance(each, Button)
            ]
            assert (table.game.words.how_to_win in post.text) is ("Read the rules" in labels) is not finished
            seen.add(finished)
    assert seen == {True, False}


def test_a_story_of_nothing_is_empty() -> None:
    """Nothing has happened: nothing is said."""
    assert _shorten([], [], [], 300) == Story("")


def test_the_start_links_to_the_game_and_says_how_to_win() -> None:
    """After the start the lobby says where the game is and how to win, and has Rules as its only button."""
    for key in EVERY_GAME:
        (table,) = _tables(key, 1)
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
        for table in _tables(key, 40)
        for row in panel_page(table, cast("Seat", table.to_act)).post.rows
        if isinstance(row, Section)
    ]
    assert len(hints) > 20
    assert not [hint for hint in hints if hint[:1].islower()]


@pytest.mark.parametrize("key", EVERY_GAME)
def test_a_shortened_story_of_a_board_names_whose_rest_it_is(key: str) -> None:
    """Everybody reads a board, but its button tells the rest to its player alone: others use a command."""
    shortened = 0
    for table in _tables(key, 30):
        assert table.to_act is not None
        name = table.names[table.to_act]
        story = board_story(table, table.to_act)
        hint = f"There is more: {name}, press **{LOG_LABEL}**. Others type `/history`."
        assert story.is_shortened is story.text.endswith(hint)
        shortened += story.is_shortened
    assert shortened or key != "oceans"


@pytest.mark.parametrize("key", EVERY_GAME)
def test_the_first_panel_and_the_hand_message_tell_the_story(key: str) -> None:
    """Both show it below what is to be done; where it is shortened, the way to the rest is there."""
    shortened = 0
    for table in _tables(key, 30):
        seat = table.to_act
        assert seat is not None
        story = public_story(table, seat)
        panel = panel_page(table, seat, recent_story=story).post
        hand = hand_post(table, seat)
        assert story.text in panel.text
        last = panel.rows[-1]
        assert isinstance(last, tuple)
        assert len(last) <= limits.ROW_BUTTONS
        labels = [each.label for each in last if isinstance(each, Button)]
        assert (LOG_LABEL in labels) is story.is_shortened
        assert hand.text.startswith(f"**{posts.title(table)}** · ")
        assert story.is_shortened is (LOG_HINT_VIA_MORE in hand.text)
        assert len(hand.text) <= limits.CONTENT
        shortened += story.is_shortened
    assert shortened or key != "oceans"


@pytest.mark.parametrize("key", EVERY_GAME)
async def test_the_log_begins_at_the_end_of_the_last_turn(key: str) -> None:
    """The log page shows all that happened since then, and nothing that the reader did before."""
    later_logs = 0
    for table in _tables(key, trial_count(5, soak=10)):
        assert table.match is not None
        for seat in map(Seat, range(len(table.seats))):
            first = last_turn_end(table.match.history, seat, table.match.to_act)
            recorder = ResponseRecorder()
            with use_scenes_as_pictures(), patch.object(catalogue, "PICTURES", ALL_PICTURES):
                await history_pages.show_log(
                    cast("Tables", OneTable(table)),
                    cast("Response", recorder),
                    table.number,
                    request_of(seat),
                )
            shown = str(recorder.answers[0][0])
            assert ("Since your last turn" if first else "Since the start of the game") in shown
            lines = table.match.log_lines(seat, table.names)
            history = table.match.history
            numbered = [line for line in lines if history[line.index].is_choice]
            choice_counts = list(accumulate(record.is_choice for record in history))
            numbers = [choice_counts[line.index] for line in numbered]
            is_shown = [f"`{number:>3}` " in shown for number in numbers]
            if "…" not in shown:
                assert is_shown == [line.index >= first for line in numbered]
                later_logs += first > 0
    assert later_logs


@pytest.mark.parametrize("name", ["J. R.", "A. B", "Dr. No. 2"])
def test_a_sentence_does_not_end_in_a_name(name: str) -> None:
    """A line that is shortened keeps its whole first sentence, whatever its player is called."""
    others = [LogLine(i, Seat(1), f"{name} does {i}. " + "It takes long. " * 6) for i in range(8)]
    story = _shorten([], others, [], 300, names=("Ava", name))
    assert f"> {name} does 0.\n" in story.text
    assert f"> {name} does 0.\n" in _fit_turn_story([line.text for line in others], ("Ava", name), 600)


def test_a_long_turn_keeps_its_start_and_its_end() -> None:
    """Lines are shortened first; then the middle is left out, and the mark stands in its place."""
    texts = [f"Ava does {i}. " + "It takes long. " * 5 + "It ends." for i in range(40)]
    lines = _fit_turn_story(texts, ("Ava",), 300).splitlines()
    assert (lines[0], lines[-1], lines.count("> …")) == ("> Ava does 0.", "> Ava does 39.", 1)
    assert abs(lines.index("> …") * 2 - len(lines)) <= 2
    whole = _fit_turn_story(texts[:2], ("Ava",), 300)
    assert whole.splitlines() == [f"> {text}" for text in texts[:2]]


@given(st.lists(st.tuples(st.integers(1, 220), st.sampled_from(["word ", "End. ", "a\n"])), max_size=12))
def test_a_turn_keeps_its_limit(words_and_counts: list[tuple[int, str]]) -> None:
    """However long its lines are, the story of a turn fits and shows how it began and how it ended."""
    texts = [(word * count).strip() for count, word in words_and_counts]
    story = _fit_turn_story(texts, (), 300)
    assert len(story) <= 300
    if texts:
        assert story.splitlines()[0][:4] == f"> {texts[0]}".splitlines()[0][:4]
        assert len(texts) == 1 or story.rstrip("…")[-3:] in f"> {texts[-1]}\n> "


def test_older_lines_leave_a_mark() -> None:
    """Where only the newest lines are shown, a mark says that there were others."""
    assert quote_newest(["One.", "Two.\nThree."], 3) == ["> One.", "> Two.", "> Three."]
    assert quote_newest(["One.", "Two.\nThree."], 2) == ["> …", "> Two.", "> Three."]


def test_a_silent_end_of_a_turn_is_answered_with_its_story() -> None:
    """A move that only ended the turn, without a story of its own, is answered with the whole turn.

    Any other is answered with what it did, and no more.
    """
    setup = full_game_setups(EVERY_GAME["arctic_cleanup"])[0]
    match = Match.begin(setup.game, setup.seats, setup.options, bytes(32))
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
    assert last_move_text(table, seat, "Ship 1 sails.") == "Your turn is over.\nShip 1 sails."
    assert move_result_post(table, seat, "Ship 1 sails.").text.splitlines()[1:] == ["Ship 1 sails."]


def test_a_turn_of_one_choice_is_answered_with_that_choice() -> None:
    """A turn of one choice is answered with what it did alone."""
    setup = full_game_setups(EVERY_GAME["currents"])[0]
    match = Match.begin(setup.game, setup.seats, setup.options, bytes(32))
    tried = 0
    while len(match.history) < 30:
        seat = match.to_act
        assert seat is not None
        match = match.play(seat, match.legal_actions(seat)[0])
        choosers = [record.actor for record in match.history if record.is_choice]
        if match.to_act != seat and choosers[-2:-1] != [seat]:
            assert last_move_text(make_table(setup, match), seat, "It goes.") == "It goes."
            tried += 1
    assert tried > 3


@pytest.mark.parametrize(("key", "has_boards"), [("arctic_cleanup", True), ("currents", False)])
def test_more_leads_to_own_boards(key: str, *, has_boards: bool) -> None:
    """The page behind **More** has a button for each player's own board, in games that have such boards."""
    (table,) = sample_tables(key, 1, random.Random("more"))
    assert table.to_act is not None
    player = request_of(table.to_act)
    letters = SEAT_LETTERS[: len(table.seats)]
    own = letters[table.to_act]
    expected = {player: ["", *letters.replace(own, "")], msgspec.structs.replace(player, user=1): [*letters]}
    for asker, arguments in expected.items():
        rows = components_by_row(pages.more_post(table, asker))
        shown = [part.id.argument for row in rows for part in row if part.id.verb == "own"]
        assert shown == (arguments if has_boards else [])


@pytest.mark.parametrize("key", EVERY_GAME)
@pytest.mark.parametrize("status", [Status.PAUSED, Status.FROZEN, Status.ENDED])
async def test_a_private_board_asks_nobody_to_play_while_nobody_can(key: str, status: Status) -> None:
    """As picture and as text it says how the table stands instead; a paused game can be resumed there."""
    playing = _tables(key, 1)[0]
    asking_text, table = game_calls.status_text(playing, None), playing.with_row(status=status)
    for show in (pages.show_board, pages.show_board_text):
        recorder = ResponseRecorder()
        with use_scenes_as_pictures(), patch.object(catalogue, "PICTURES", ALL_PICTURES):
            await show(cast("Tables", OneTable(table)), cast("Response", recorder), table.number)
        (text, components, _), _ = recorder.answers[0]
        assert asking_text not in text
        assert posts.board_status_text(table, None) in text
        assert ("'Resume'" in str(components)) is (status is Status.PAUSED)
    view = game_calls.view(playing, None)
    asking_text = playing.game.words.status(view, playing.plain_names)
    assert key not in GAMES or asking_text in game_calls.private_alt_text(playing)
    assert asking_text not in game_calls.private_alt_text(table)


@pytest.mark.parametrize("key", ["oceans", "currents"])
def test_a_result_shows_shared_places_and_who_resigned(key: str) -> None:
    """No line begins as one of a list: Discord would number it on, though two players share a place."""
    setup = default_setup(EVERY_GAME[key], 2 if key == "currents" else 3)
    match = Match.begin(setup.game, setup.seats, setup.options, bytes(32))
    for seat in range(setup.seats - 1):
        match = match.play(Seat(seat), Resign())
    table = make_table(setup, match).with_row(status=Status.OVER)
    text = result_posts.result_post(table).text
    assert not re.search(r"^\d+\. ", text, re.MULTILINE)
    assert text.count("\n2\\. ") == setup.seats - 1
    assert text.count("** (resigned)") == setup.seats - 1
