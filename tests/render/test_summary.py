"""The picture of a game that is over: readable, within its limits, the same for the same match."""

import io
import re
from functools import cache
from typing import Final

import pytest
from msgspec.structs import replace
from PIL import Image

from bot import limits
from bot.summary import describe_summary, prepare_summary, render_summary
from render.caption import Caption
from render.catalogue import PICTURES
from render.line_chart import Curve, draw_line_chart
from render.scaling import scaled_layers
from render.scene import Group, Line, Rectangle, Scene, Text
from render.summary import SummaryContent, draw_summary
from render.theme import INK, PANEL_TOP, PICTURE_WIDTH, SEAT_MARKS, SMALL_SIZE
from rules.catalogue import GAMES
from rules.model import Result
from tests.conformance.whole_matches import play_match
from tests.render.page_samples import recorded_match

KEYS: Final = tuple(GAMES)
NAMES: Final = ("Ava", "Maximiliane von und zu Hohenstein", "艾娃", "D", "👑👑", "Farid")
CROWDED_RECORDINGS: Final = ("oceans", "6-4-round_cap=10-scenarios=gentle"), ("australis", "4-1-casual")
"""Recorded games of many players, or with many sources of points."""


@cache
def content_of(key: str) -> SummaryContent:
    """Return what the picture of a whole game of the fewest players shows."""
    return prepare_summary(play_match(GAMES[key])[0], Caption(12, NAMES), PICTURES[key])


@cache
def recorded_content(key: str, name: str) -> SummaryContent:
    """Return what the picture of a recorded game shows."""
    return prepare_summary(recorded_match(f"{key}/{name}"), Caption(12, NAMES), PICTURES[key])


@pytest.fixture(
    params=[*KEYS, *CROWDED_RECORDINGS], ids=lambda param: param if param in KEYS else "/".join(param)
)
def content(request: pytest.FixtureRequest) -> SummaryContent:
    """Return what each picture that the tests look at shows; made when it is needed, not in every worker."""
    return content_of(request.param) if request.param in KEYS else recorded_content(*request.param)


def layers_are_inside(scene: Scene) -> bool:
    """Whether every layer lies inside the picture."""
    return all(
        layer.x >= 0
        and layer.y >= 0
        and layer.x + layer.width <= scene.width
        and layer.y + layer.height <= scene.height
        for layer in scene.layers
    )


def test_a_summary_can_be_sent_and_read(content: SummaryContent) -> None:
    """It is as wide as every picture, below a quarter of a megabyte, and its own texts are large enough."""
    scene = draw_summary(content)
    assert layers_are_inside(scene)
    data = render_summary(content)
    with Image.open(io.BytesIO(data)) as image:
        assert image.size == (PICTURE_WIDTH, scene.height)
    assert len(data) < 250_000
    assert render_summary(content) == data
    without_board = draw_summary(
        SummaryContent(
            content.title,
            content.caption,
            content.summary,
            Scene(1200, 1200, content.board.background, (), palette=content.board.palette),
        )
    )
    texts = [
        item
        for layer in without_board.layers
        if isinstance(layer, Group)
        for item in layer.items
        if isinstance(item, Text)
    ]
    assert len(texts) > 6
    assert min(text.min_size for text in texts) >= SMALL_SIZE
    assert min(text.size for text in texts) >= SMALL_SIZE


def test_its_alt_text_says_what_it_shows(content: SummaryContent) -> None:
    """Places, names, scores and facts stand in the alt text, which fits."""
    text = describe_summary(content)
    assert len(text) <= limits.ALT_TEXT
    for standing in content.summary.result.standings:
        assert f"{standing.rank}. {content.caption.seat_name(standing.seat)}" in text
        if standing.lines:
            assert f", {standing.score} point" in text
    for fact in content.summary.facts:
        assert fact in text


def test_one_point_is_one_point() -> None:
    """A score of 1 is "1 point"."""
    content = content_of("oceans")
    standings = content.summary.result.standings
    result = Result((*standings[:-1], replace(standings[-1], score=1)))
    text = describe_summary(replace(content, summary=replace(content.summary, result=result)))
    assert re.search(r", 1 point[;.]", text)


@pytest.mark.parametrize(("key", "tied_title"), [("currents", "A draw"), ("oceans", "Shared win")])
def test_the_title_says_who_has_won(key: str, tied_title: str) -> None:
    """One winner is named; seats with equal points share the win, and at Currents' turn cap nobody wins."""
    content = replace(content_of(key), caption=Caption(12, ("Ava", "Ben")))
    standings = content.summary.result.standings
    tied = Result(tuple(replace(standing, rank=1) for standing in standings))
    winner = content.caption.seat_name(standings[0].seat)
    for result, title in ((content.summary.result, f"{winner} wins"), (tied, tied_title)):
        scene = draw_summary(replace(content, summary=replace(content.summary, result=result)))
        layers = [layer for layer in scene.layers if isinstance(layer, Group) and layer.y < PANEL_TOP]
        assert title in [item.text for layer in layers for item in layer.items if isinstance(item, Text)]


@pytest.mark.parametrize("resigned_count", [0, 1, 5])
def test_it_names_who_resigned(resigned_count: int) -> None:
    """Beside the name below the podium, on a step below the place, and in the alt text."""
    content = recorded_content(*CROWDED_RECORDINGS[0])
    seats = [standing.seat for standing in content.summary.result.standings]
    resigned_seats = frozenset(seats[len(seats) - resigned_count :])
    content = replace(content, summary=replace(content.summary, resigned_seats=resigned_seats))
    texts = [
        item
        for layer in draw_summary(content).layers
        if isinstance(layer, Group)
        for item in layer.items
        if isinstance(item, Text)
    ]
    assert sum("resigned" in f"{text.text}{text.suffix}" for text in texts) == resigned_count
    for seat in seats:
        named = f"{content.caption.seat_name(seat)} (resigned)" in describe_summary(content)
        assert named is (seat in resigned_seats)


@pytest.mark.parametrize("key", KEYS)
def test_an_unknown_table_has_no_number(key: str) -> None:
    """The summary of a file that names no table, as an operator draws it, shows the number of none."""
    match = play_match(GAMES[key])[0]
    board = prepare_summary(match, Caption(0, NAMES), PICTURES[key]).board
    layers = [layer for layer in board.layers if isinstance(layer, Group)]
    texts = [item.text for layer in layers for item in layer.items if isinstance(item, Text)]
    assert not any("No. " in text for text in texts)


def test_equal_matches_have_equal_pictures() -> None:
    """The picture of a match read from its file is the same to the byte."""
    for name in ("4-1-casual", "2-1"):
        first = render_summary(recorded_content("australis", name))
        recorded_content.cache_clear()
        assert render_summary(recorded_content("australis", name)) == first


@pytest.mark.parametrize("key", KEYS)
def test_a_smaller_scene_stays_in_its_place(key: str) -> None:
    """A board that was made smaller covers its rectangle and nothing else."""
    board = content_of(key).board
    layers = scaled_layers(board, 100, 50, 0.4)
    right, bottom = 100 + board.width * 0.4, 50 + board.height * 0.4
    for layer in layers:
        assert layer.x >= 99
        assert layer.y >= 49
        assert layer.x + layer.width <= right + 2
        assert layer.y + layer.height <= bottom + 2
    background = layers[0]
    assert isinstance(background, Rectangle)
    assert (background.x, background.y, background.width) == (100, 50, round(board.width * 0.4))


@pytest.mark.parametrize(
    "values", [(0,), (5, 5), (-3, 0, 7), (1000, 1004), (0, 212, 40), (1e6, 2e6)], ids=str
)
def test_a_chart_has_a_few_round_numbers(values: tuple[float, ...]) -> None:
    """Its curves stay inside, whatever the numbers, and one to five levels are named."""
    curves = (Curve(values, SEAT_MARKS[0].colour, 0), Curve(values, SEAT_MARKS[1].colour, 1))
    plot, *marks = draw_line_chart(0, 100, 560, 300, curves, "start", "turn 3")
    assert plot.y >= 90
    assert plot.y + plot.height <= 412
    assert len({(mark.x, mark.y) for mark in marks}) == 2, "a mark hides another"
    levels = [item.text for item in plot.items if isinstance(item, Text)][:-2]
    assert 1 <= len(levels) <= 5


@pytest.mark.parametrize("ends", [(158, 173, 146), (10, 10, 10, 10), (0, 90)], ids=str)
def test_each_mark_of_a_chart_stands_at_the_end_of_its_curve(ends: tuple[int, ...]) -> None:
    """None covers another or stands on the plot; curves end at one turn, and thin lines lead to the marks."""
    curves = tuple(Curve((0, 80, end), SEAT_MARKS[seat].colour, seat) for seat, end in enumerate(ends))
    plot, *marks = draw_line_chart(0, 0, 516, 500, curves, "start", "turn 60")
    all_lines = [item for item in plot.items if isinstance(item, Line)]
    lines = [line for line in all_lines if line.width == 5]
    connectors = [line for line in all_lines if line.colour == INK and line.width < 5]
    assert len({line.points[-2] for line in lines}) == 1
    for mark, line, connector in zip(marks, lines, connectors, strict=True):
        *start, end_x, end_y = connector.points
        assert start == [*line.points[-2:]]
        assert mark.x + 4 >= plot.x + start[0]
        middle = mark.x + mark.width / 2, mark.y + mark.height / 2
        assert (plot.x + end_x, plot.y + end_y) == pytest.approx(middle, abs=4)


@pytest.mark.parametrize(
    ("labels", "shown"), [(("1 May", "2 May"), ["1 May", "2 May"]), (("1 May",) * 2, ["1 May"])]
)
def test_a_chart_of_one_day_names_it_once(labels: tuple[str, str], shown: list[str]) -> None:
    """Labels of start and end that are equal stand once, at the end."""
    plot, *_ = draw_line_chart(0, 0, 516, 500, (Curve((1500, 1520), INK),), *labels)
    assert [item.text for item in plot.items if isinstance(item, Text) and "May" in item.text] == shown
