"""Each ruling of the page has a test that names it."""

from pathlib import Path

from tests.rules.rulings import ids_in_tests, ids_on_page


def test_every_ruling_is_named_by_a_test() -> None:
    """The ids on the page are those that the tests of this folder name."""
    page_ids = ids_on_page("AU")
    assert len(page_ids) > 20
    assert ids_in_tests(Path(__file__).parent, "AU") == page_ids
