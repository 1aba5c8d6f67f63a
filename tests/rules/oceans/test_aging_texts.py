"""What players read of species that will age, or die out at Aging."""

import pytest

from rules.game import Seat
from rules.oceans.rules import State, view
from tests.rules.oceans.positions import NAMES, NOTATION, act, active_scenario_setup, make_feeding_state
from tests.rules.oceans.texts import WORDS, action_texts


def _is_confirmed(state: State, text: str) -> bool:
    return WORDS.needs_confirmation(view(state, Seat(0)), NOTATION.parse(text))


def _question_and_button(state: State, text: str) -> tuple[str, str]:
    path = WORDS.path
    assert path is not None
    step = path(view(state, Seat(0)), NOTATION.parse(text), NAMES)[-1]
    return step.question, step.label


def test_an_attack_that_dooms_an_own_species_is_previewed() -> None:
    """The attacker may feed again, but nothing saves the attacked species any more."""
    state = make_feeding_state("TE11 0 | FF5 1", "AP7 9")
    _, short_preview, preview = action_texts(state, "attack A1 A2")
    assert short_preview == "A1 +1, A2 \u22121, A2 dies out"
    assert "A2 dies out at Aging." in preview.split("\n")
    assert _is_confirmed(state, "attack A1 A2")
    assert not _is_confirmed(state, "forage A1 reef")


def test_a_species_that_may_still_be_saved_is_not_said_to_die_out() -> None:
    """Symbiotic gains when its neighbour feeds again: that is a warning only, and counts at once."""
    state = make_feeding_state("TE11 0 | SY5 0", "AP7 9", cambrian_happened=True)
    _, short_preview, preview = action_texts(state, "forage A1 reef")
    assert "dies out" not in short_preview
    assert "A2 dies out at Aging unless it gets 1 more." in preview
    assert not _is_confirmed(state, "forage A1 reef")


def test_extinctions_before_a_choice_of_aging_are_named() -> None:
    """Warm Blooded is asked about after the feeding, and saves none of the others."""
    state = make_feeding_state("WAR SP7 5 | SP8 0 | SP9 0", "AP7 9", cambrian_happened=True)
    assert action_texts(state, "skip")[1] == "A2 and A3 die out"
    assert action_texts(state, "forage A1 reef")[1].endswith("A2 and A3 die out")
    assert "A2 dies out at Aging." in action_texts(state, "skip")[2].split("\n")
    assert not _is_confirmed(state, "skip"), "the question of the feeding phase names them"


def test_how_much_a_species_ages_says_what_is_left() -> None:
    """The question names those that die out anyway, so that no choice repeats it."""
    state = act(make_feeding_state("WAR SP7 8 | SP8 0", "AP7 9", cambrian_happened=True), "skip")
    question = "A2 dies out at Aging. How much does A1 age (Warm Blooded)?"
    assert _question_and_button(state, "choose 2") == (question, "Age 2: 6 left")
    assert action_texts(state, "choose 5")[:2] == ("A1 ages 5: 3 left", "")
    assert not _is_confirmed(state, "choose 2")


def test_how_much_a_species_ages_says_if_it_ages_twice() -> None:
    """Degenerative Virus strikes an only species without a question."""
    state = act(make_feeding_state("WAR SP7 8", "AP7 9", **active_scenario_setup("VIR")), "skip")
    question = "A1 ages twice. How much each time (Warm Blooded)?"
    assert _question_and_button(state, "choose 2") == (question, "Age 2 twice: 4 left")


@pytest.mark.parametrize(
    ("text", "label", "short_preview"),
    [("choose A1", "A1: 4 left", ""), ("choose A2", "A2: dies out", ""), ("choose A3", "A3: dies out", "")],
)
def test_the_choice_of_what_ages_twice_says_what_is_left(text: str, label: str, short_preview: str) -> None:
    """Not what it holds, nor what happens whatever is chosen."""
    state = act(make_feeding_state("SP7 6 | SP8 1 | SP9 0", "AP7 9", **active_scenario_setup("VIR")), "skip")
    question = "A3 dies out at Aging. Which species ages twice (Degenerative Virus)?"
    assert _question_and_button(state, text) == (question, label)
    assert action_texts(state, text)[1] == short_preview
