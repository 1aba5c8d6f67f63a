"""What ``make test`` leaves out is marked, and named."""

import pytest

from tests.trials import IS_SOAK, SOAK_ONLY, cases


def test_cases_are_marked() -> None:
    """All cases are there; those that are not for every commit carry the marker."""
    marks_by_case = {case.values[0]: [mark.name for mark in case.marks] for case in cases("abc", "b")}
    assert marks_by_case == {"a": [SOAK_ONLY], "b": [], "c": [SOAK_ONLY]}


def test_an_unknown_case_is_refused() -> None:
    """A case that was renamed does not silently leave ``make test``."""
    with pytest.raises(ValueError, match="no such case"):
        cases("abc", "b", "d")


@pytest.mark.soak_only
def test_the_long_run_runs_what_is_left_out() -> None:
    """A marked test runs where the counts are long, and nowhere else."""
    assert IS_SOAK
