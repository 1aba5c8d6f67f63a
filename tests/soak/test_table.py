"""The long run's table on the page about trust."""

from tests.soak.promises import Line, between, markdown, replace_between

PAGE = "Before.\n\n<!-- soak -->\n\nNothing yet.\n\n<!-- end of soak -->\n\nAfter.\n"


def test_a_line_that_is_run_again_is_replaced() -> None:
    """A run of some promises leaves the others' lines as they were, in the order of the promises."""
    first = markdown([Line("T3", 200, seconds=4, caught=3, checks=3), Line("T1", 100)], "day one")
    page = replace_between(PAGE, "soak", first)
    second = markdown([Line("T3", 4000, seconds=90, caught=3, checks=3)], "day two", between(page, "soak"))
    rows = [row.split(" | ") for row in second.splitlines()[2:]]
    assert [(row[0], row[2], row[-1]) for row in rows] == [
        ("| T1", "100", "day one |"),
        ("| T3", "4,000", "day two |"),
    ]
    assert replace_between(page, "soak", "x").startswith("Before.")
    assert replace_between(page, "soak", "x").endswith("After.\n")


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
