"""Previews and short previews of Oceans: what each choice leads to, and which choices need one first."""

import pytest
from msgspec.structs import replace

from rules.model import Seat
from rules.oceans.rules import view
from rules.oceans.steps import Keeping
from tests.rules.oceans.positions import (
    AFTER_CAMBRIAN_STATE,
    DRAWING_STATE,
    FEEDING_STATE,
    NAMES,
    NOTATION,
    act,
    active_scenario_setup,
    make_drawing_state,
    make_feeding_state,
    make_state,
    parse_cards,
)
from tests.rules.oceans.texts import WORDS, action_texts


def test_a_forage_is_not_explained_twice() -> None:
    """Its label says what the species takes; a short preview follows only if more happens."""
    state_without_symbiotic = make_feeding_state("SP7 3", "9")
    assert action_texts(state_without_symbiotic, "forage A1 reef")[:2] == (
        "A1 forages in the Reef: takes 2",
        "",
    )
    state_with_symbiotic = make_feeding_state("SP7 3 | SY7 3", "9")
    assert action_texts(state_with_symbiotic, "forage A1 reef")[1] == "A1 +2, A2 +1 (Symbiotic)"


@pytest.mark.parametrize(
    ("looked_at_codes", "text", "others_text"),
    [("HYD TIN ZOO", "keep HYD TIN ZOO", "The others lie"), ("HYD TIN", "keep HYD - TIN", "The other lies")],
)
def test_preview_of_a_kept_card(looked_at_codes: str, text: str, others_text: str) -> None:
    """With two Deep cards left one other card is put face up."""
    state, cards = make_drawing_state("SP7 4", ""), parse_cards(looked_at_codes)
    keeping_state = replace(
        state, position=replace(state.position, agenda=(Keeping(len(cards)),)), looked_at=cards
    )
    assert action_texts(keeping_state, text)[2].endswith(f"Nobody else sees it. {others_text} face up.")


def test_preview_of_a_feeding() -> None:
    """A feeding shows what it sets off, who overpopulates, how full boards are and what is asked next."""
    assert action_texts(FEEDING_STATE, "forage A2 reef")[1:] == (
        "A2 +5, C3 +3 (Whale Cleaner), A3 overpopulates",
        (
            "C3 gains 3 from zone 1 (Whale Cleaner).\n"
            "A3 overpopulates.\n"
            "Afterwards: A2 7 of 10, C3 5 of 10.\n"
            "Next you are asked to choose a zone for A3's overflow of 5."
        ),
    )


def test_preview_of_an_attack_that_is_scored() -> None:
    """What Deep-Sea Kraken takes by its second attack goes to the score pile."""
    state = make_feeding_state("DSK AP5 2", "9 | 9")
    assert "scores" not in action_texts(state, "attack A1 B1")[2]
    _, short_preview, preview = action_texts(act(state, "attack A1 B1"), "attack A1 B2")
    assert "Ava scores 3 from B2." in preview
    assert short_preview == "B2 \u22123, Ava scores 3"


def test_a_species_that_loses_what_it_gains_is_named() -> None:
    """The label of an attack says what its target loses: a target that gains it back stays as it was."""
    label, short_preview, _ = action_texts(make_feeding_state("IN5 2", "SY7 3"), "attack A1 B1")
    assert (label, short_preview) == ("A1 attacks B1: takes 1", "A1 +1, B1 as before")


def test_an_attacked_species_that_gains_more_than_it_loses_has_its_reason() -> None:
    """Beside "takes 1" a gain of the target alone would read as one of the attacker."""
    short_preview = action_texts(make_feeding_state("AP7 2", "SH7 SP7 3"), "attack A1 B1")[1]
    assert short_preview == "A1 +1, B1 +1 (Shark Cleaner)"


def test_zones_that_a_card_fills_are_named() -> None:
    """Which zone gives population to the Reef is chosen by what both hold afterwards."""
    state = act(make_state("LIV 3", "3", plays_left=0, zone_populations=(9, 9, 9, 9)), "done")
    assert action_texts(state, "choose z1")[1] == "the Reef: 9 → 11, zone 1: 9 → 7"


def test_traits_lost_by_a_choice_are_named() -> None:
    """A Scenario that ends takes the slots that it gave."""
    state = make_state("SY7 4", "PA6 SY7 SC8 WC6 2", hands=("SP9",), **active_scenario_setup("GDI"))
    text = action_texts(state, "migrate SP9 z3 z2")[1]
    assert text.startswith("B1 loses Whale Cleaner 6, Genetic Diversity ends"), text


def test_preview_of_evolving() -> None:
    """Evolving shows the text, the cost, values before and after, and what is left to play."""
    assert action_texts(AFTER_CAMBRIAN_STATE, "evolve SP9 A2")[1] == (
        "Forage 1 → 2, Attack 1 → 2, Defence 0 → 2, traits 3 of 3 → 4 of 4"
    )
    preview_lines = action_texts(AFTER_CAMBRIAN_STATE, "evolve VES B2 z1")[2].split("\n")
    assert "It costs 1: your score pile goes from 3 to 2." in preview_lines
    assert "B2: traits 1 of 3 → 2 of 3." in preview_lines
    assert "Then you have two cards left to play." in preview_lines
    assert "A3 stands between A1 and A2." in action_texts(AFTER_CAMBRIAN_STATE, "create FF7 1")[2]


def test_preview_of_a_migration() -> None:
    """A migration shows the zones after it and what emptying or filling one sets off."""
    state = make_state(
        "SP7 4", "AP7 4", hands=("SP9",), zone_populations=(10, 9, 0, 20), scenarios=("ABU", "FER")
    )
    preview = action_texts(state, "migrate SP9 z1 reef")[2]
    assert "the Cambrian Explosion!" in preview
    assert "Abundance begins:" in preview
    assert "The Reef: 10 → 19, zone 1: 9 → 0." in preview
    assert action_texts(state, "migrate SP9 z3 z2")[1] == "Fertile ends, zone 2: 0 → 9, zone 3: 20 → 11"


@pytest.mark.parametrize(("score", "paid_amount"), [(5, 2), (1, 1), (0, 0)])
def test_preview_of_a_migration_that_is_paid_for(score: int, paid_amount: int) -> None:
    """Under Detritus a migration shows what its player pays, and what happens after that."""
    state = make_state(
        "SP7 4",
        "AP7 4",
        hands=("SP5",),
        score_piles=(score,),
        scenarios=("INA", "DET"),
        zone_populations=(20, 3, 0, 20),
    )
    _, short_preview, preview = action_texts(state, "migrate SP5 z1 z3")
    assert (f"Ava pays {paid_amount} (Detritus)" in short_preview) is bool(paid_amount)
    assert ("(Detritus)" in preview) is (f"{paid_amount} of Ava's score" in preview) is bool(paid_amount)
    assert "the Cambrian Explosion!" in preview
    assert "Cambrian Explosion" in short_preview
    assert (f"The Reef: 20 → {20 + paid_amount}," in preview) is bool(paid_amount)
    assert "The others see whether your score pile holds 2." in preview


@pytest.mark.parametrize(("population", "max_count"), [(3, 2), (9, 1)])
def test_preview_of_a_take_from_a_score_pile(population: int, max_count: int) -> None:
    """It says how much one's own pile gives; of another's, only how much is taken at most."""
    for other_score in (0, 5):
        state = make_state(f"COP EXT {population}", "3", plays_left=0, score_piles=(4, other_score))
        state = act(state, "done")
        assert action_texts(state, "choose A")[1] == f"A1 +{max_count} (Coprophagia)"
        short_preview, preview = action_texts(state, "choose B")[1:]
        assert short_preview == f"A1 takes up to {max_count} (Coprophagia)"
        assert f"A1 takes up to {max_count} from Ben's score pile (Coprophagia)." in preview
    no_score_state = act(make_state("COP 3", "3", plays_left=0, score_piles=(0, 4)), "done")
    short_preview, preview = action_texts(no_score_state, "choose A")[1:]
    assert short_preview == "your score pile is empty"
    assert preview.startswith("Your score pile is empty.")


def test_preview_of_a_card_of_the_gene_pool() -> None:
    """That its pile gets another card hides nothing of what the card sets off."""
    setup = active_scenario_setup("THE")
    state = make_state("BIO 9 | 1", "5", score_piles=(1,), gene_pool=("TUS", ""), **setup)
    preview = action_texts(state, "evolve TUS A2 reef")[2]
    assert "A1 overpopulates." in preview
    assert "Next you are asked to choose a zone for A1's overflow of 5." in preview


def test_preview_of_the_end() -> None:
    """The round in which the Ocean is emptied is the last; none follows it."""
    state = make_state(
        "SP7 4", "AP7 4", hands=("SP9",), zone_populations=(10, 0, 0, 9), cambrian_happened=True
    )
    assert "this round is the last" in action_texts(state, "migrate SP9 z3 reef")[2]
    assert "this round is the last" in action_texts(state, "migrate SP9 z3 reef")[1]


def test_what_makes_this_round_the_last_needs_a_preview() -> None:
    """Twelve migrations stand on one screen without a word on what they bring: one may empty the Ocean."""
    state = make_state(
        "SP7 4", "AP7 4", hands=("SP9 SP5",), zone_populations=(10, 0, 0, 9), cambrian_happened=True
    )
    seen = view(state, Seat(0))
    assert WORDS.needs_confirmation(seen, NOTATION.parse("migrate SP9 z3 reef"))
    assert not WORDS.needs_confirmation(seen, NOTATION.parse("migrate SP5 z3 reef"))


def test_preview_shows_cards() -> None:
    """Taking a card shows what it does; drawing, which chance decides, shows nothing."""
    assert "It never forages, never attacks" in action_texts(DRAWING_STATE, "take 2")[2]
    assert action_texts(DRAWING_STATE, "draw")[1:] == ("", "")
    assert "keep one" in action_texts(DRAWING_STATE, "look")[2]


def test_preview_of_going_on() -> None:
    """Ending the card phase shows whom own species leech; with nothing to show there is no preview."""
    state = act(make_state("PA6 1", "AP7 5", hands=("SP9",)), "evolve SP9 A1")
    assert action_texts(state, "done")[1:] == (
        "A1 +2 (Parasitic), B1 \u22122",
        "A1 leeches 2 from B1 (Parasitic).",
    )
    state_without_prey = act(make_state("PA6 1", "AP7 0", hands=("SP9",)), "evolve SP9 A1")
    assert action_texts(state_without_prey, "done")[1:] == ("", "")


def test_preview_is_what_happens() -> None:
    """What a preview says a species holds afterwards is what it holds then."""
    for text in ("forage A1 reef", "attack A1 C3", "attack A1 A2"):
        after = act(FEEDING_STATE, text).position
        afterwards = action_texts(FEEDING_STATE, text)[2].split("Afterwards: ")[1].split(".")[0]
        population_by_key = {each.key: each.population for row in after.rows for each in row}
        for part in afterwards.split(", "):
            key, population, *_ = part.split()
            assert population_by_key[key] == int(population), part


def test_a_feeding_that_fills_a_board_says_so_if_it_never_overpopulates() -> None:
    """Filter Feeder takes less than its Forage: its board, not the Reef, sets the limit."""
    for row, ending in (("FF5 8", "A1 is full"), ("FF5 3", ""), ("SP7 8", "A1 overpopulates")):
        assert action_texts(make_feeding_state(row, "AP7 9"), "forage A1 reef")[1].endswith(ending)
    assert not action_texts(make_feeding_state("FF5 3", "AP7 9"), "forage A1 reef")[1]


@pytest.mark.parametrize(
    ("rows", "text", "warning"),
    [
        (("TE7 AP5 9", "SP7 4"), "attack A1 B1", "A1 overpopulates, feeds no more"),
        (("AP5 9", "SP7 4"), "attack A1 B1", "A1 overpopulates"),
        (("TE7 AP5 2", "SP7 4"), "attack A1 B1", ""),
        (("SP7 4 | IN5 0", "SP7 4"), "forage A1 reef", "A2 dies out"),
        (("SP7 4", "SP7 4"), "skip", ""),
    ],
)
def test_a_feeding_warns_of_what_nobody_may_miss(rows: tuple[str, str], text: str, warning: str) -> None:
    """Who overpopulates or dies out, and that a further feeding is lost; not how much is taken."""
    state = make_feeding_state(*rows)
    found = WORDS.short_warning(view(state, Seat(0)), NOTATION.parse(text), NAMES)
    assert found == warning
    assert found in action_texts(state, text)[1]


def test_a_feeding_warns_of_what_begins() -> None:
    """The last population of zone 1 brings the Cambrian Explosion."""
    state = make_feeding_state(
        "TE11 0 | SY5 SY6 0", "AP7 9", zone_populations=(5, 1, 7, 20), scenarios=("INC", "FER")
    )
    warning = WORDS.short_warning(view(state, Seat(0)), NOTATION.parse("forage A1 reef"), NAMES)
    assert warning.startswith("A1 dies out, Cambrian Explosion")
