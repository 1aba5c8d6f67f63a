"""Errors: one base, and sentences that may be shown."""

import pickle
from typing import Any

import pytest

from rules import errors
from rules.currents.actions import Concede
from rules.errors import AmbiguousAction, BrokenMatch, GuessedAction, RulesError

OTHER_ARGUMENTS: dict[type[RulesError], tuple[Any, ...]] = {
    AmbiguousAction: ((Concede(),),),
    GuessedAction: (Concede(),),
}
"""What stands behind the message of an error."""


def error_types() -> list[type[RulesError]]:
    """Return every error of the rules."""
    return [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, RulesError)]


@pytest.mark.parametrize("kind", [kind for kind in error_types() if kind is not BrokenMatch])
def test_errors_show_their_message(kind: type[RulesError]) -> None:
    """Each error shows its message and has a docstring."""
    assert str(kind("No wind.", *OTHER_ARGUMENTS.get(kind, ()))) == "No wind."
    assert kind.__doc__


def test_the_list_of_errors() -> None:
    """Hosts know all errors that the rules can raise by name."""
    assert {kind.__name__ for kind in error_types()} == {
        "RulesError",
        "MalformedAction",
        "GuessedAction",
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
    error = kind("No wind.", *OTHER_ARGUMENTS.get(kind, ()))
    copied_error = pickle.loads(pickle.dumps(error))
    assert str(copied_error) == "No wind."
    assert vars(copied_error) == vars(error)
