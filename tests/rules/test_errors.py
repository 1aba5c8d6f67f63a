"""Errors: one base, and sentences that may be shown."""

import pickle

import pytest

from rules import errors
from rules.errors import BrokenMatch, RulesError


def error_types() -> list[type[RulesError]]:
    """Return every error of the rules."""
    return [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, RulesError)]


@pytest.mark.parametrize("kind", [kind for kind in error_types() if kind is not BrokenMatch])
def test_errors_show_their_message(kind: type[RulesError]) -> None:
    """Each error shows its message and has a docstring."""
    assert str(kind("No wind.")) == "No wind."
    assert kind.__doc__


def test_the_list_of_errors() -> None:
    """Hosts know all errors that the rules can raise by name."""
    assert {kind.__name__ for kind in error_types()} == {
        "RulesError",
        "MalformedAction",
        "IllegalAction",
        "AmbiguousAction",
        "NotYourTurn",
        "StaleAction",
        "GameOver",
        "InvalidSetup",
        "BrokenMatch",
        "WrongFairnessCode",
    }


def test_broken_match_names_the_record() -> None:
    """The number of the record stands in the text and beside it."""
    error = BrokenMatch(7, "no wind")

    assert (error.ply, str(error)) == (7, "Record 7: no wind")


@pytest.mark.parametrize("kind", [kind for kind in error_types() if kind is not BrokenMatch])
def test_errors_can_be_pickled(kind: type[RulesError]) -> None:
    """An error can be passed to another thread or process."""
    assert str(pickle.loads(pickle.dumps(kind("No wind.")))) == "No wind."
