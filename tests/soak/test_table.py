"""The long run's table on the page about trust."""

from tests.soak.promises import Line, from_json, markdown, merged, replace_between, to_json

PAGE = "Before.\n\n<!-- soak -->\n\nNothing yet.\n\n<!-- end of soak -->\n\nAfter.\n"


def _rows(parts: list[Line]) -> list[list[str]]:
    return [row.strip("| ").split(" | ") for row in markdown(parts).splitlines()[2:]]


def test_what_is_run_again_is_replaced() -> None:
    """A promise or one file of it that is run again leaves all else as it was, in order."""
    first = [
        Line("T3", "a.py", 200, caught=3, checks=3, run="one"),
        Line("T3", "b.py", 10, failures=1, run="one"),
        Line("T1", "c.py", 100, run="one"),
    ]
    kept = from_json(to_json(merged([], first, whole=True)))
    second = merged(kept, [Line("T3", "b.py", 20, run="two")], whole=False)
    assert [(row[0], row[2], row[3], row[-1]) for row in _rows(second)] == [
        ("T1", "100", "0", "one"),
        ("T3", "220", "0", "one; two"),
    ]
    third = merged(second, [Line("T3", "b.py", 30, run="three")], whole=True)
    assert [(row[0], row[2], row[-1]) for row in _rows(third)] == [
        ("T1", "100", "one"),
        ("T3", "30", "three"),
    ]


def test_the_page_keeps_what_is_around_the_table() -> None:
    """Only what stands between the marks is replaced."""
    page = replace_between(PAGE, "soak", "x")
    assert page.startswith("Before.")
    assert page.endswith("After.\n")
    assert "Nothing yet" not in page


def test_a_line_is_good_only_if_all_held() -> None:
    """A failure, a defect that was not caught, a skipped test or no trial at all is told."""
    assert Line("T3", trials=200, caught=3, checks=3).good
    for bad in (
        Line("T3", trials=200, failures=1, caught=3, checks=3),
        Line("T3", trials=200, caught=2, checks=3),
        Line("T3", trials=200, skipped=1),
        Line("T3"),
    ):
        assert not bad.good
