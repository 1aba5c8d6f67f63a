"""What a story leaves out if it is too long, and which sentences it keeps."""

import re

from hypothesis import given
from hypothesis import strategies as st

from bot.chat.quotations import quote, quote_newest
from bot.chat.shortenable_line import ShortenableLine
from bot.chat.shortened_story import Recency, ShortenableStory, Story, StoryConcern, StorySection
from bot.chat.story import LOG_HINT, _fit_turn_story
from rules.model import Seat
from rules.record import LogLine
from tests.bot.chat.narrated_text import log_line, narrated

READER = Seat(0)
LINE_LISTS = st.lists(
    st.tuples(st.integers(1, 220), st.sampled_from(["word ", "End. "]), st.booleans()), max_size=12
).map(
    lambda drawn: [
        log_line(i, Seat(1), (word * count).strip(), is_routine=is_routine)
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
    reader_pattern: re.Pattern[str] | None = None,
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
        lines,
        concerns,
        [sections[concern] for concern in concerns],
        recencies,
        reader_pattern=reader_pattern,
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
    lines = [log_line(i, Seat(1), f"Ben does {i}.\nRound {i} ends." + " It is over." * 3) for i in range(9)]
    for limit in range(150, 420):
        story = _shorten(lines[::2], lines[1::2], [log_line(9, READER, "You begin.\nIt ends.")], limit)
        assert len(story.text) <= limit
        assert " …" in story.text


def test_the_least_important_is_shortened_first() -> None:
    """The turn of the reader goes first, then what affected others; what affected the reader stays whole."""
    affected = [log_line(1, Seat(1), "Ben takes two of yours. It hurts.")]
    others = [log_line(i, Seat(1), f"Ben does {i}. " + "It takes long. " * 6) for i in range(2, 9)]
    own_turn = [log_line(9, READER, "You begin. " + "You go on. " * 9)]
    story = _shorten(affected, others, own_turn, 300)
    assert "Ben takes two of yours. It hurts." in story.text
    assert "Ben does 8." in story.text
    assert "Ben does 2. It" not in story.text
    assert "You begin" not in story.text


def test_what_affected_the_reader_outlasts_the_rest_in_the_order_of_play() -> None:
    """With two players an old line that concerns the reader stays where newer ones about others go."""
    affected = [log_line(1, Seat(1), "Ben takes the gold tile.")]
    others = [
        log_line(i, Seat(1), f"Ben does {i}. " + "It takes long. " * 6) for i in (0, 2, 3, 4, 5, 6, 7, 8)
    ]
    lines = _shorten(affected, others, [], 120, keeps_order=True).text.splitlines()
    assert lines == ["> …", "> Ben takes the gold tile. …", "> Ben does 7. …", "> Ben does 8. …", LOG_HINT]


def test_routine_is_left_out_first() -> None:
    """The draws of each turn go before anything else, the oldest first, with marks and the hint."""
    others = [log_line(i, Seat(1), f"Ben does {i}. It takes long.") for i in range(5)]
    routine = [log_line(i, Seat(1), f"Ben draws {i}.", is_routine=True) for i in range(5, 10)]
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
    others = [log_line(0, Seat(1), "Ben takes a die. It is blue.\nRound 1 ends: Ben +4. Nobody wins.")]
    others += [log_line(i, Seat(1), f"Ben does {i}. " + "It takes long. " * 6) for i in range(1, 20)]
    story = _shorten([], others, [log_line(20, READER, "You begin. " * 9)], 300)
    lines = story.text.splitlines()
    assert lines[:2] == ["> …", "> Round 1 ends: Ben +4. Nobody wins. …"]
    assert lines[-2:] == ["> Ben does 19. …", LOG_HINT]
    assert "You begin" not in story.text
    lines_with_announcements = [log_line(i, READER, f"You do {i}.\nRound {i} ends.") for i in range(20)]
    assert "Round 0 ends" not in (shortened_text := _shorten([], [], lines_with_announcements, 200).text)
    assert shortened_text.splitlines()[-2:] == ["> Round 19 ends.", LOG_HINT]


def test_lines_about_the_reader_outlast_gains_of_others() -> None:
    """Of lines of which only one has room, that with the reader's name stays."""
    others = [log_line(0, Seat(1), "Ben meets Ava."), log_line(1, Seat(1), f"Ben scores {'3, 4, ' * 20}")]
    others.append(log_line(2, Seat(1), "Ben waits."))
    story = _shorten([], others, [], 100, reader_pattern=re.compile("Ava"))
    assert story.text.splitlines() == ["> Ben meets Ava. …", LOG_HINT]


def test_a_story_marks_where_lines_are_left_out() -> None:
    """Behind the line before, so that nobody takes what follows for what came next; alone only at the top."""
    lines_with_announcements = [log_line(i, READER, f"You do {i}.\nRound {i} ends.") for i in range(20)]
    lines = _shorten([], [], lines_with_announcements, 200).text.splitlines()
    assert lines[0] == "**This turn so far:** …"
    assert lines[-3:] == ["> Round 18 ends. …", "> Round 19 ends.", LOG_HINT]
    others = [log_line(i, Seat(1), f"Ben does {i}. " + "It takes long. " * 6) for i in range(20)]
    shown_lines = _shorten([], others, [log_line(20, READER, "You begin. " * 9)], 300).text.splitlines()
    assert (shown_lines[0], shown_lines[-2:]) == ("> …", ["> Ben does 19. …", LOG_HINT])
    assert shown_lines.count("> …") == 1


def test_the_newest_turn_and_what_affected_the_reader_outlast_the_rest() -> None:
    """They stay where gains, announcements and what affected everybody go, if these are older."""
    affected = [log_line(0, Seat(1), f"Ben takes {text} of yours.") for text in ("two", "three")]
    others = [
        log_line(i, Seat(2), f"Chloé scores {i}.\nRound {i} ends: {'3, 4, ' * 20}") for i in range(1, 9)
    ]
    newest = [log_line(i, Seat(1), f"Ben waits {i}.") for i in range(9, 12)]
    story = _shorten(affected, [*others, *newest], [], 200, keeps_order=True, newest_start=9)
    assert story.text.splitlines() == [
        "> Ben takes two of yours.",
        "> Ben takes three of yours. …",
        *(quote(line.text) for line in newest),
        LOG_HINT,
    ]


def _shortened_line_text(text: str, limit: int) -> str:
    line = ShortenableLine(narrated(text).lines[0])
    line.shorten_to(limit)
    return line.text


def _turn_story(texts: list[str], limit: int) -> Story:
    """Return the story of a turn with these narrations."""
    return _fit_turn_story([ShortenableLine(line) for text in texts for line in narrated(text).lines], limit)


def test_no_sentence_is_cut_in_a_word() -> None:
    """A line that is too long keeps gains and losses; a sentence that is too long ends after a word."""
    text = f"Ben waits. {'It takes long. ' * 30}Ben scores 4. It ends."
    assert _shortened_line_text(text, 40) == "Ben waits. … Ben scores 4. It ends."
    assert _shortened_line_text(text, 30) == "Ben waits. … Ben scores 4. …"
    assert _shortened_line_text(text, 20) == "… Ben scores 4. …"
    assert _shortened_line_text("Ben scores thirty-four.", 15) == "Ben scores …"
    story = _turn_story(["Ava begins.", text, "Ava ends."], 60)
    assert story == Story("> Ava begins.\n> Ben waits. … Ben scores 4. …\n> Ava ends.", is_shortened=True)


def test_a_long_turn_keeps_its_gains_and_losses() -> None:
    """What was scored stays where other lines go, each with a mark in its place."""
    texts = [f"Ava scores {i}." if i == 20 else f"Ava does {i}." for i in range(40)]
    lines = _turn_story(texts, 100).text.splitlines()
    assert lines[0] == "> Ava does 0."
    assert lines[-1] == "> Ava does 39."
    index = lines.index("> Ava scores 20. …")
    assert lines[index - 1].endswith(". …")


def test_a_story_of_nothing_is_empty() -> None:
    """Nothing has happened: nothing is said."""
    assert _shorten([], [], [], 300) == Story("")


def test_a_long_turn_keeps_its_start_and_its_end() -> None:
    """Lines are shortened first; then the middle is left out, and the mark stands in its place."""
    texts = [f"Ava does {i}. " + "It takes long. " * 5 + "It ends." for i in range(40)]
    lines = _turn_story(texts, 300).text.splitlines()
    assert (lines[0], lines[-1], lines.count("> …")) == ("> Ava does 0. …", "> Ava does 39. …", 0)
    numbers = [int(re.findall(r"\d+", line)[0]) for line in lines]
    assert numbers == [*range(len(lines) // 2), *range(40 - (len(lines) + 1) // 2, 40)]
    whole = _turn_story(texts[:2], 300).text
    assert whole.splitlines() == [f"> {text}" for text in texts[:2]]


@given(st.lists(st.tuples(st.integers(1, 70), st.sampled_from(["word ", "End. ", "a\n"])), max_size=12))
def test_a_turn_keeps_its_limit(words_and_counts: list[tuple[int, str]]) -> None:
    """However long its lines are, the story of a turn fits and shows how it began and how it ended."""
    texts = [(word * count).strip() for count, word in words_and_counts]
    story = _turn_story(texts, 300).text
    assert len(story) <= 300
    if texts:
        assert story.startswith(f"> {texts[0]}".splitlines()[0][:4])
        assert len(texts) == 1 or story.rstrip("…")[-3:] in f"> {texts[-1]}\n> "


def test_older_lines_leave_a_mark() -> None:
    """Where only the newest lines are shown, a mark says that there were others."""
    assert quote_newest(["One.", "Two.\nThree."], 3) == ["> One.", "> Two.", "> Three."]
    assert quote_newest(["One.", "Two.\nThree."], 2) == ["> …", "> Two.", "> Three."]


def test_a_long_turn_keeps_the_rules_that_it_changes() -> None:
    """The Cambrian Explosion stays where gains and losses go."""
    texts = [f"Ava scores {i}." for i in range(40)]
    texts[20] = "The Cambrian Explosion: two cards a turn."
    assert "> The Cambrian Explosion: two cards a turn." in _turn_story(texts, 120).text


def test_a_change_of_rules_outlasts_the_sentences_around_it() -> None:
    """It stays also where it does not begin its line, the rest of which goes."""
    text = f"Ben waits. {'It takes long. ' * 9}The Cambrian Explosion. Ben scores 4."
    story = _turn_story(["Ava begins.", text.removesuffix(" Ben scores 4."), "Ava ends."], 70)
    assert story.text == "> Ava begins.\n> Ben waits. … The Cambrian Explosion.\n> Ava ends."
    assert _shortened_line_text(text, 30) == "… The Cambrian Explosion. …"
