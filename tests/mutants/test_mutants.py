"""The mutants fit the code as it is; whether they are killed takes longer: ``python -m tests.mutants``."""

import ast

import pytest

from tests.mutants.__main__ import mutated_source
from tests.mutants.mutants import MUTANTS, Mutant
from tests.repository_copy import REPOSITORY


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_each_mutant_fits_the_code(mutant: Mutant) -> None:
    """The text to be changed stands in its file once, and the changed file is still Python."""
    text = (REPOSITORY / mutant.file).read_text(encoding="utf-8")
    changed = mutated_source(mutant, text)
    assert changed != text
    ast.parse(changed)


def test_there_are_enough_mutants() -> None:
    """There are 25 of them or more, each with a name of its own."""
    assert len({mutant.name for mutant in MUTANTS}) == len(MUTANTS) >= 25
