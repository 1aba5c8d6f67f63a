"""What players read of species that will age, or die out at Aging."""

import pytest
from msgspec.structs import replace

from rules.model import Seat
from rules.notation import write_action
from rules.oceans import OCEANS
from rules.oceans.rules import State, apply_action, view
from tests.rules.oceans.positions import (
    NAMES,
    NOTATION,
    act,
    active_scenario_setup,
    make_feeding_state,
    make_state,
    play_line,
)
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
    assert short_preview == "A1 +1, A2 +1 (Symbiotic). A1 and A2 may die out"
    assert "A2 dies out at Aging unless it gets 1 more." in preview
    assert not _is_confirmed(state, "forage A1 reef")


@pytest.mark.parametrize(
    ("row", "amount_text"), [("SP7 1 | PA5 4", "at least 1"), ("SP7 1 | SY5 4", "1")], ids=["leech", "none"]
)
def test_a_warning_before_feeding_allows_for_a_leech(row: str, amount_text: str) -> None:
    """A2 leeches A1, on its left, unless the trait is removed before."""
    state = make_state(row, "AP7 4", hands=("FF5",), plays_left=1, cambrian_happened=True)
    preview = action_texts(state, "evolve FF5 A2")[2]
    assert f"A1 dies out at Aging unless it gets {amount_text} more." in preview.split("\n")


def test_a_feeding_that_sets_off_the_cambrian_explosion_names_all_threatened_species() -> None:
    """A1 is lost, A2 has to gain once more: both stand beside the button, and nothing counts at once."""
    state = make_feeding_state(
        "TE11 0 | SY5 SY6 0", "AP7 9", zone_populations=(5, 1, 7, 20), scenarios=("INC", "FER")
    )
    _, short_preview, preview = action_texts(state, "forage A1 reef")
    assert short_preview.startswith("A1 +1, A2 +2, A1 dies out, A2 may die out, Cambrian Explosion")
    assert preview.split("\n")[-2:] == [
        "A1 dies out at Aging.",
        "A2 dies out at Aging unless it gets 2 more.",
    ]
    assert _is_confirmed(state, "forage A1 reef")
    assert not _is_confirmed(state, "forage A2 reef")


def test_extinctions_before_a_choice_of_aging_are_named() -> None:
    """Warm Blooded is asked about after the feeding, and saves none of the others."""
    state = make_feeding_state("WAR SP7 5 | SP8 0 | SP9 0", "AP7 9", cambrian_happened=True)
    assert action_texts(state, "skip")[1] == "without any feeding: A2 and A3 die out"
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


def test_short_preview_of_several_extinctions() -> None:
    """Species that die out together begin a sentence of their own, so none reads as part of the numbers."""
    one_extinction_state = make_feeding_state("IN5 0 | IN6 0", "9")
    assert action_texts(one_extinction_state, "forage A1 reef")[1] == "A1 +1, A2 dies out"
    two_extinctions_state = make_feeding_state("IN5 0 | IN6 0 | IN7 0", "9")
    assert action_texts(two_extinctions_state, "forage A1 reef")[1] == "A1 +1. A2 and A3 die out"


def test_feeding_warns_of_species_that_would_die_out() -> None:
    """The question names them, for any number of choices; with none it is the plain question."""

    def question(row: str, other_row: str = "AP7 4") -> str:
        seen, path = view(make_feeding_state(row, other_row, cambrian_happened=True), Seat(0)), WORDS.path
        assert path is not None
        return path(seen, NOTATION.parse("skip"), NAMES)[0].question

    assert question("SP7 4 | SP8 2") == "Which species feeds?"
    assert question("SP7 4 | SP8 1") == "A2 dies out at Aging unless it gets 1 more. Which species feeds?"
    assert question("SP7 0 | SP8 1 | IN5 3").startswith("A1 and A2 die out at Aging unless they get more. ")
    # Telomere Repair gains before Aging, which brings the Sedentary Colony beside it 1.
    assert question("SED 0 | TEL 3 | SY5 3", "").startswith("A1 dies out at Aging unless it gets 1 more. ")
    assert question("SED 1 | TEL 3") == "Which species feeds?"
    assert question("SED 1 | SP7 3").startswith("A1 dies out at Aging. ")


@pytest.mark.parametrize(
    ("state", "missing_amount"),
    [
        (make_feeding_state("CTH 2", "AP7 4"), 1),
        (make_feeding_state("SP7 1", "AP7 4", **active_scenario_setup("VIR")), 1),
        (make_feeding_state("SLO 0", "AP7 4"), 0),
    ],
    ids=["Cthulhu Leech", "Degenerative Virus", "Slow Metabolism"],
)
def test_the_warning_knows_what_aging_takes(state: State, missing_amount: int) -> None:
    """It names what a species lacks by all cards that count at Aging, and no species that can be spared."""
    state = replace(state, position=replace(state.position, cthulhu_seat=Seat(1)))
    path = WORDS.path
    assert path is not None
    question = path(view(state, Seat(0)), NOTATION.parse("skip"), NAMES)[0].question
    warning = f"A1 dies out at Aging unless it gets {missing_amount} more. " if missing_amount else ""
    assert question == f"{warning}Which species feeds?"


@pytest.mark.parametrize(
    ("state", "text", "sentences"),
    [
        (
            make_feeding_state("AP5 3", "SP5 0", **active_scenario_setup("AGG")),
            "attack A1 B1",
            ["B1 dies out.", "Aging: Ava scores 1."],
        ),
        (
            make_feeding_state("FF5 3 | SY5 9", "", **active_scenario_setup("EPI")),
            "forage A1 reef",
            ["A2 overpopulates.", "A2's 10 go to the Reef. A2 dies out.", "Aging: Ava scores 1."],
        ),
    ],
    ids=["Aggressive Environment", "Epizootic"],
)
def test_what_dies_out_before_aging_is_named_before_it(state: State, text: str, sentences: list[str]) -> None:
    """Aging, which follows at once, is not said to be the cause."""
    lines = action_texts(state, text)[2].split("\n")
    index = lines.index(sentences[0])
    assert lines[index : index + len(sentences)] == sentences


def test_what_lets_an_own_species_die_out_unannounced_needs_a_preview() -> None:
    """What the question says, or what costs nothing, counts at once."""

    def texts_to_confirm(state: State) -> set[str]:
        seen = view(state, Seat(0))
        return {
            write_action(each) for each in OCEANS.legal_actions(seen) if WORDS.needs_confirmation(seen, each)
        }

    state = make_feeding_state("SP7 4 | SP8 1", "AP7 4", cambrian_happened=True)
    seen, path = view(state, Seat(0)), WORDS.path
    assert path is not None
    question = path(seen, NOTATION.parse("skip"), NAMES)[0].question
    assert question == "A2 dies out at Aging unless it gets 1 more. Which species feeds?"
    assert "A2 dies out" in action_texts(state, "forage A1 reef")[2]
    assert not texts_to_confirm(state)
    assert not texts_to_confirm(make_feeding_state("SP7 4 | SP8 2", "AP7 4", cambrian_happened=True))
    last_card = make_state(
        "3",
        "AP7 4",
        hands=("FF5",),
        zone_populations=(0, 0, 0, 0),
        cambrian_happened=True,
        end_triggered=True,
    )
    assert texts_to_confirm(last_card) == {"cast FF5"}, (
        "nobody can feed, and the question is which card to play"
    )


def test_an_attack_on_an_own_species_that_dies_out_needs_a_preview() -> None:
    """Although before the attack no species was about to die out."""
    seen = view(make_feeding_state("AP7 4 | FF6 1", "AP7 4"), Seat(0))
    assert WORDS.path is not None
    assert WORDS.path(seen, NOTATION.parse("skip"), NAMES)[0].question == "Which species feeds?"
    assert WORDS.needs_confirmation(seen, NOTATION.parse("attack A1 A2"))
    assert not WORDS.needs_confirmation(seen, NOTATION.parse("attack A1 B1"))


@pytest.mark.parametrize("trait", ["TEL", "SLO"])
def test_a_species_that_does_not_age_is_not_said_to_age_twice(trait: str) -> None:
    """Degenerative Virus may be put on it, and button, preview and log say that nothing ages twice."""
    state = act(make_feeding_state(f"{trait} 4 | IN6 4", "", **active_scenario_setup("VIR")), "skip")
    state = act(state, "choose 0") if trait == "SLO" else state
    label, short_preview, preview = action_texts(state, "choose A1")
    assert label.startswith("Does not age: A1")
    assert short_preview == "no species ages twice"
    assert preview.split("\n")[0] == "A1 does not age, so no species ages twice."
    seen, path = view(state, Seat(0)), WORDS.path
    assert path is not None
    assert path(seen, NOTATION.parse("choose A1"), NAMES)[0].label == "A1: does not age"
    action = NOTATION.parse("choose A1")
    narration = WORDS.narrate(seen, Seat(0), action, view(apply_action(state, action), Seat(0)), NAMES).text
    assert narration.startswith("Ava chooses A1, which does not age (Degenerative Virus).")
    assert action_texts(state, "choose A2")[:2] == ("A2 (Inking) ages twice: 2 left", "")


def test_nothing_dies_out_after_the_last_turn() -> None:
    """A preview of the choice that ends the game warns of no further Aging."""
    state = make_feeding_state("AP7 4", "SP7 2 | SP8 2", player=1, end_triggered=True, cambrian_happened=True)
    preview = action_texts(state, "forage B1 reef")[2]
    assert "Aging: Ben scores 4." in preview
    assert "dies out" not in preview


def test_a_species_that_takes_is_not_said_to_die_out() -> None:
    """How much Coprophagia takes is open until the score pile has given it."""
    state = play_line(make_state("COP 0", "AP7 4", plays_left=0, score_piles=(0, 5)), "done")
    assert "dies out" not in action_texts(state, "choose B")[2]


def test_a_preview_names_own_species_that_die_out_at_aging() -> None:
    """While another species may feed again, and at the end of the feeding phase."""
    state = make_feeding_state("TE7 2 | SP7 0", "AP7 8", zone_populations=(20, 9, 9, 9))
    assert "A2 dies out at Aging." in action_texts(state, "forage A1 reef")[2]
    assert action_texts(state, "skip")[1:] == (
        "without any feeding: A2 dies out",
        "Aging: Ava scores 1. A2 dies out: it had to age 1.",
    )
