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


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_each_mutants_tests_exist(mutant: Mutant) -> None:
    """A test that was renamed would end ``python -m tests.mutants`` with an error, days later."""
    for target in (each for each in mutant.killers if each.startswith("tests/")):
        file, _, name = target.partition("::")
        path = REPOSITORY / file
        assert path.exists(), target
        if name:
            tree = ast.parse(path.read_text(encoding="utf-8"))
            names = {
                node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
            }
            assert name.partition("[")[0] in names, target


def test_there_are_enough_mutants() -> None:
    """There are 25 of them or more, each with a name of its own."""
    assert len({mutant.name for mutant in MUTANTS}) == len(MUTANTS) >= 25
