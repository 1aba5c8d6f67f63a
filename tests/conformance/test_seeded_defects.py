"""The conformance checks can fail: each seeded defect is caught by the check that names its law."""

import random

import pytest

from rules.errors import RulesError
from rules.game import AnyGame
from tests.conformance.checks import PLAYED_GAME_CHECKS
from tests.conformance.contract_defects import CONTRACT_DEFECTS
from tests.conformance.defect_tools import SOUND_GAME
from tests.conformance.leak_defects import LEAK_DEFECTS
from tests.conformance.path_defects import PATH_DEFECTS
from tests.conformance.random_games import play_through
from tests.conformance.setups import GameSetup

DEFECTS = {**LEAK_DEFECTS, **CONTRACT_DEFECTS, **PATH_DEFECTS}
MAX_GAME_COUNT = 8


def _is_caught(game: AnyGame, check: str) -> bool:
    """Whether the check fails in one of a few games; the games themselves must be playable."""
    for number in range(MAX_GAME_COUNT):
        # Random plays: a defective policy could not play the game.
        played = play_through(GameSetup(game, 2 + number % 3, game.options_type()), number, casual_share=0.0)
        try:
            PLAYED_GAME_CHECKS[check](game, played, random.Random(number))
        except (AssertionError, RulesError) as error:
            print(type(error).__name__, str(error).splitlines()[:1])
            return True
        except ValueError as error:  # from the defective game itself
            print("ValueError", error)
            return True
    return False


TRUST_TEST_BY_CHECK = {
    **dict.fromkeys(("sampling_law", "step_law", "seen_by", "own_action", "reveals", "policy_secrets"), "T7"),
    **dict.fromkeys(("resume", "replay", "state_types", "pieces"), "T8"),
}
"""The checks that belong to a trust test."""


def _trust_test_marks(check: str) -> list[pytest.MarkDecorator]:
    trust_test = TRUST_TEST_BY_CHECK.get(check)
    return [pytest.mark.trust_test(trust_test, sensitivity=True)] if trust_test else []


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=_trust_test_marks(check)) for name, (_, check) in DEFECTS.items()]
)
def test_each_defect_is_caught(name: str) -> None:
    """The defect is caught within a few random games."""
    make, check = DEFECTS[name]
    assert _is_caught(make(), check)


def test_sound_game_is_not_caught() -> None:
    """The same checks find nothing in the game without a defect."""
    for check in sorted({check for _, check in DEFECTS.values()}):
        assert not _is_caught(SOUND_GAME, check), check
