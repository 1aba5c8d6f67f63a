"""What buttons say of migrations and payments, and which of them are shown before they count."""

import pytest

from bot.chat.action_picker import MAX_WHOLE_LABEL_LENGTH, build_screen
from rules.model import Seat
from rules.oceans import OCEANS
from rules.oceans.rules import view
from rules.paths import index_paths, tokens_of
from tests.rules.oceans.positions import NAMES, NOTATION, active_scenario_setup, make_state
from tests.rules.oceans.texts import WORDS, action_texts


@pytest.mark.parametrize(
    ("text", "label", "is_previewed"),
    [
        ("migrate SP9 z3 z1", "Zone 3 → 1: 9", False),
        ("migrate SP9 z1 z3", "Zone 1 → 3: 6, Cambrian and Abundance begin", True),
        ("migrate SP5 z1 reef", "Zone 1 → Reef: 5", False),
        ("migrate SP9 z3 z2", "Zone 3 → 2: 9, Fertile ends", False),
    ],
)
def test_a_migration_says_how_much_moves_and_what_it_sets_off(
    text: str, label: str, *, is_previewed: bool
) -> None:
    """Its button names what concerns the whole table; what begins is previewed, what only ends is not."""
    state = make_state(
        "SP7 4", "AP7 4", hands=("SP9 SP5",), zone_populations=(10, 6, 0, 20), scenarios=("ABU", "FER")
    )
    seen, action, path = view(state, Seat(0)), NOTATION.parse(text), WORDS.path
    assert path is not None
    steps = path(seen, action, NAMES)
    assert steps[-1].label == label
    assert WORDS.needs_confirmation(seen, action) is is_previewed
    number = text.split()[1].removeprefix("SP")
    assert steps[-1].question.startswith(f"Speed {number}: ")


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("migrate SP5 z3 reef", "Zone 3 → Reef: 5, Cambrian and Abundance begin"),
        ("migrate SP5 z3 z2", "Zone 3 → 2: 5"),
    ],
)
def test_a_migration_that_feeds_zooplankton_says_what_that_sets_off(text: str, label: str) -> None:
    """What comes into the Reef lets Zooplankton gain 3 from zone 1, which empties it."""
    state = make_state(
        "SP7 4", "ZOO 2", hands=("SP5",), zone_populations=(9, 3, 9, 20), scenarios=("ABU", "FER")
    )
    path = WORDS.path
    assert path is not None
    assert path(view(state, Seat(0)), NOTATION.parse(text), NAMES)[-1].label == label


@pytest.mark.parametrize(
    ("code", "population", "label"),
    [
        ("FER", 0, "Pay to zone 2 (Fertile ends)"),
        ("FER", 3, "Pay to zone 2"),
        ("HGT", 0, "Pay to zone 2 (its Scenario ends)"),
    ],
)
def test_a_payment_says_which_scenario_it_ends(code: str, population: int, label: str) -> None:
    """Its button, which leads on, leaves room for a second one in its row."""
    state = make_state(
        "SP7 4",
        "AP7 4",
        hands=("TUS",),
        score_piles=(3,),
        zone_populations=(10, 9, population, 20),
        scenarios=("INA", code),
        cambrian_happened=True,
    )
    path = WORDS.path
    assert path is not None
    assert path(view(state, Seat(0)), NOTATION.parse("evolve TUS A1 z2"), NAMES)[1].label == label
    assert len(f"{label} …") <= MAX_WHOLE_LABEL_LENGTH


@pytest.mark.parametrize(
    ("row", "card", "text", "label"),
    [
        ("", "HYD", "create HYD 0 z2", "Pay to zone 2 for a new species"),
        ("SP7 4", "VES", "evolve VES B1 z2", "Pay to zone 2 for B1"),
    ],
)
def test_a_payment_for_an_only_use_reads_as_one_sentence(row: str, card: str, text: str, label: str) -> None:
    """One button names the zone and the use, since nothing is left to choose."""
    state = make_state(row, "AP7 4", hands=(card,), score_piles=(9,), cambrian_happened=True)
    seen = view(state, Seat(0))
    paths = index_paths(OCEANS, seen, OCEANS.legal_actions(seen), NAMES).values()
    tokens = next(tokens_of(each.path) for each in paths if each.action == NOTATION.parse(text))
    choices = build_screen([each.path for each in paths], tokens[:1]).choices
    assert [each.label for each in choices if each.tokens == tokens] == [label]


def test_a_scenario_that_a_payment_ends_is_not_previewed() -> None:
    """Only a migration is: a payment has named its zone, and its own question."""
    state = make_state(
        "SP7 4",
        "AP7 4",
        hands=("VES",),
        score_piles=(5,),
        cambrian_happened=True,
        **active_scenario_setup("FER"),
    )
    seen, action = view(state, Seat(0)), NOTATION.parse("evolve VES B1 z2")
    assert "Fertile ends" in action_texts(state, "evolve VES B1 z2")[1]
    assert not WORDS.needs_confirmation(seen, action)


@pytest.mark.parametrize(
    ("zone_populations", "target", "label"),
    [
        ((9, 3, 20, 20), "z2", "Zone 1 → 2: 3, Cambrian and Inhospitable Environment (strong) begin"),
        (
            (9, 3, 0, 9),
            "z2",
            "Zone 1 → 2: 3, Inhospitable En… ends, Cambrian and Inhospitable En… begin",
        ),
        (
            (9, 3, 0, 0),
            "reef",
            "Zone 1 → Reef: 3, Cambrian and Inhospitable En… begin, this round is the last",
        ),
    ],
)
def test_a_migration_that_sets_much_off_fits_its_button(
    zone_populations: tuple[int, int, int, int], target: str, label: str
) -> None:
    """Discord takes 80 characters: each event has its verb, and only names are shortened."""
    state = make_state(
        "SP7 4", "AP7 4", hands=("SP7",), zone_populations=zone_populations, scenarios=("INC", "INB")
    )
    path = WORDS.path
    assert path is not None
    found = path(view(state, Seat(0)), NOTATION.parse(f"migrate SP7 z1 {target}"), NAMES)[-1].label
    assert (found, len(found) <= 80) == (label, True)


@pytest.mark.parametrize(
    ("code", "row", "text", "is_previewed"),
    [
        ("FER", "SP7 4", "z3 z2", False),
        ("GDI", "SP7 IN5 TE5 AP7 4 | SC7 4", "z3 z2", False),
        ("GDI", "TE6 IN5 TE5 AP7 4", "z3 z2", True),
        ("PRO", "SP7 12", "z3 z2", True),
        ("PRO", "SP7 4", "z3 z2", False),
        ("FER", "SP7 4", "z1 z3", True),
        ("AST", "SP7 4", "z2 z3", True),
    ],
)
def test_a_scenario_that_ends_is_previewed_only_if_own_species_lose_by_it(
    code: str, row: str, text: str, *, is_previewed: bool
) -> None:
    """What begins or happens is always shown first."""
    zone_2 = 5 if code == "AST" else 0
    state = make_state(
        row, "AP7 4", hands=("SP9",), zone_populations=(9, 5, zone_2, 20), scenarios=("INA", code)
    )
    action = NOTATION.parse(f"migrate SP9 {text}")
    assert WORDS.needs_confirmation(view(state, Seat(0)), action) is is_previewed
