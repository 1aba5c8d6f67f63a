"""The numbers, defaults and names that the pages give are those of the code."""

import re
from collections.abc import Iterator
from typing import Final

import pytest
from prometheus_client import Counter
from prometheus_client.metrics import MetricWrapperBase

from bot import config
from bot.metrics import ALARM_WATCHES, Metrics
from tests.docs.page_numbers import COUNTS, REPOSITORY, TIMES

_WORDS: Final = {
    1: "one",
    2: "two",
    3: "three",
    4: "four",
    5: "five",
    8: "eight",
    10: "ten",
    12: "twelve",
    14: "fourteen",
    40: "forty",
    100: "a hundred",
}
"""Those that the pages use."""
_UNITS: Final = {
    "year": 365 * 86_400,
    "week": 7 * 86_400,
    "day": 86_400,
    "hour": 3600,
    "minute": 60,
    "second": 1,
}
"""Units of time, in seconds."""


def written_count(count: float | str) -> Iterator[str]:
    """Yield how a page may write a number: in digits or in words, "2" or "two" or "twice"."""
    if isinstance(count, str):
        yield count
        return
    yield f"{count:,g}" if count < 1e6 else f"{count:,.0f}"
    if count in _WORDS:
        yield _WORDS[int(count)]
    if count == 2:
        yield "twice"


def written_time(seconds: float) -> Iterator[str]:
    """Yield how a page may write a duration: "a day", "one day", "24 hours", "half an hour"."""
    if seconds == _UNITS["hour"] / 2:
        yield "half an hour"
    for unit, unit_seconds in _UNITS.items():
        count, rest = divmod(seconds, unit_seconds)
        if count == 1 and not rest:
            yield from (unit, f"{'an' if unit == 'hour' else 'a'} {unit}")
        if count and not rest:
            yield from (f"{number} {unit}{'s' if count > 1 else ''}" for number in written_count(count))


def page_text(name: str) -> str:
    """Return a page with each run of blanks and line breaks as one blank."""
    return " ".join((REPOSITORY / name).read_text(encoding="utf-8").split())


@pytest.mark.parametrize("page", COUNTS)
def test_counts_are_those_of_the_code(page: str) -> None:
    """Each phrase stands in its page with the constant's number, and would not with another."""
    text = page_text(page)
    for phrase, count in COUNTS[page].items():
        assert any(phrase.format(number) in text for number in written_count(count)), (phrase, count)
        others = [] if isinstance(count, str) else [count - 1, count + 1, 2 * count]
        found = [
            other for other in others for number in written_count(other) if phrase.format(number) in text
        ]
        assert found == [], phrase


@pytest.mark.parametrize("page", TIMES)
def test_times_are_those_of_the_code(page: str) -> None:
    """Each phrase stands in its page with the constant's duration, and would not with another."""
    text = page_text(page)
    for phrase, seconds in TIMES[page].items():
        assert any(phrase.format(time) in text for time in written_time(seconds)), (phrase, seconds)
        others = (seconds / 2, 2 * seconds, 3 * seconds)
        found = [other for other in others for time in written_time(other) if phrase.format(time) in text]
        assert found == [], phrase


@pytest.mark.parametrize("page", ["docs/hosting.md", "docs/operating.md"])
def test_defaults_are_those_of_the_settings(page: str) -> None:
    """A setting with the default that its page names changes nothing."""
    token = {config.TOKEN_VARIABLE: "a.b.c"}
    text = (REPOSITORY / page).read_text(encoding="utf-8")
    defaults = re.findall(r"^\| `(CAPTAINS_TABLE_\w+)` \| .* \| `([^`]+)` \|$", text, re.MULTILINE)
    assert len(defaults) >= 5
    for name, default in defaults:
        assert config.read_config(token | {name: default}) == config.read_config(token), name


def test_metrics_are_those_of_the_code() -> None:
    """Operations lists each metric of the bot once, with its labels, and one of the process."""
    metrics = [each for each in vars(Metrics()).values() if isinstance(each, MetricWrapperBase)]
    names = [
        each._name.removeprefix("captains_table_")
        + ("_total" if isinstance(each, Counter) else "")
        + (f"{{{','.join(each._labelnames)}}}" if each._labelnames else "")
        for each in metrics
    ]
    section = (REPOSITORY / "docs/operating.md").read_text(encoding="utf-8").partition("| metric (")[2]
    rows = re.findall(r"^\| (`.*?`) \| ", section.partition("\n## ")[0], re.MULTILINE)
    listed = [name for row in rows for name in re.findall(r"`([^`]+)`", row)]
    assert sorted(listed) == sorted([*names, "process_resident_memory_bytes"])


def test_watchdogs_are_those_of_the_code() -> None:
    """The table of watchdogs in Operations has a row for each of them."""
    section = (REPOSITORY / "docs/operating.md").read_text(encoding="utf-8").partition("| `watch` |")[2]
    rows = re.findall(r"^\| `(\w+)` \| ", section.partition("\n\n")[0], re.MULTILINE)
    assert sorted(rows) == sorted(ALARM_WATCHES)
