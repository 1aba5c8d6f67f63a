"""Other words of Oceans: status, the board as text, the hand, help."""

import pytest
from msgspec.structs import replace

from rules.model import CHANCE, Seat
from rules.oceans import OCEANS
from rules.oceans.actions import RevealScores, ShowDeep
from rules.oceans.cards.decks import DEEP_DECK, SCENARIO_BY_CODE, TRAIT_BY_CARD, Card
from rules.oceans.model import OceansOptions
from rules.oceans.rules import State, resign, view
from rules.oceans.steps import RevealingScores
from rules.oceans.words.glossary import GLOSSARY
from rules.oceans.words.help import TOPICS
from rules.oceans.words.help_options import OPTION_HINTS
from rules.oceans.words.phrases import card_effect_text, printed_values_text
from tests.rules.oceans.positions import (
    NAMES,
    NOTATION,
    act,
    active_scenario_setup,
    apply_chance,
    make_drawing_state,
    make_feeding_state,
    make_state,
    parse_cards,
)
from tests.rules.oceans.texts import LONG_NAMES, WORDS
from tests.rules.whole_games import play_game
from tests.trials import IS_SOAK

A, B, C = Seat(0), Seat(1), Seat(2)


@pytest.mark.parametrize(
    ("state", "status"),
    [
        (
            make_state("SP7 4", "", hands=("SP9 AP9",), cambrian_happened=True, plays_left=2),
            "Ava, your turn: play two cards.",
        ),
        (
            make_state("SP7 4", "", hands=("SP9",), cambrian_happened=True, plays_left=2),
            "Ava, your turn: play one card.",
        ),
        (
            make_state("SP7 4", "", hands=("SP9 AP9",), cambrian_happened=True, plays_left=1),
            "Ava, your turn: play one more card.",
        ),
        (make_state("SP7 4", "", hands=("SP9 AP9",)), "Ava, your turn: play one card."),
        (
            make_feeding_state("SP7 4", "", end_triggered=True),
            "Ava, your turn: feed a species. This round is the last.",
        ),
        (
            make_feeding_state("SP7 4", "", options=OceansOptions(round_cap=10), round=10),
            "Ava, your turn: feed a species. This round is the last.",
        ),
        (
            act(
                make_feeding_state("FF6 6 | WC5 9", "AP7 9", zone_populations=(30, 3, 3, 9)), "forage A1 reef"
            ),
            "Ava, your turn: choose a zone for A2's overflow of 5.",
        ),
        (
            make_drawing_state("SP7 4", "", hands=("SP9",)),
            "Ava, your turn: take a Deep card, discard or end the turn.",
        ),
        (make_drawing_state("SP7 4", ""), "Ava, your turn: take a Deep card or end the turn."),
        (
            make_state("SP7 4", "", gene_pool=("TUS", ""), **active_scenario_setup("THE")),
            "Ava, your turn: play a card of the Gene Pool or go on to feeding.",
        ),
        (
            act(make_feeding_state("TE6 4", "SP8 3"), "forage A1 reef"),
            "Ava, your turn: feed A1 again, or stop.",
        ),
    ],
)
def test_status_says_who_is_asked_what(state: State, status: str) -> None:
    """One line says who is asked, what, and whether the round is the last."""
    assert WORDS.status(view(state, None), NAMES) == status


def test_status_of_the_end() -> None:
    """The winner by points, by traits, or because everybody else resigned; one point is singular."""
    rows = ("SP7 SP8 4", "AP7 6")
    state = make_state(*rows, step=RevealingScores(), score_piles=(10, 12), end_triggered=True)
    state = replace(state, position=replace(state.position, to_act=CHANCE))
    ended_state = apply_chance(state, RevealScores((10, 12)))
    tie_text = "Ava wins by traits in play with 18 points (2 traits), ahead of Ben with 18 (1 trait)."
    assert WORDS.status(view(ended_state, None), NAMES) == tie_text
    other_winner = apply_chance(replace(state, score_piles=(10, 13)), RevealScores((10, 13)))
    assert WORDS.status(view(other_winner, None), NAMES) == "Ben wins with 19 points, ahead of Ava with 18."
    names = "Ava", "Casual 1"
    assert (
        WORDS.status(view(other_winner, None), names) == "Casual 1 wins with 19 points, ahead of Ava with 18."
    )
    resigned_state = resign(make_state(*rows), A)
    assert resigned_state is not None
    resigned_state = apply_chance(resigned_state, RevealScores(resigned_state.score_piles))
    assert WORDS.status(view(resigned_state, None), NAMES) == "Ben has won: everybody else resigned."
    poor_state = apply_chance(replace(state, score_piles=(0, 1)), RevealScores((0, 1)))
    poor_state = replace(poor_state, position=replace(poor_state.position, rows=((), ())))
    assert "score pile 1, 1 point in all" in WORDS.describe(view(poor_state, None), NAMES)


BOARD_STATE = make_state(
    "SP7 IN5 4 | PA6 2",
    "SC7 6",
    "",
    hands=("SP9 HYD", "AP9", "AP10 FF9 KRA"),
    score_piles=(7, 8, 9),
    zone_populations=(10, 0, 5, 20),
    scenarios=("ABU", "AST"),
    gene_pool=("TUS", "TIN ZOO"),
    discard_pile="WC5 WC6",
    cambrian_happened=True,
)


def test_the_board_as_text_names_everything_public() -> None:
    """Water, Scenario cards, Gene Pool, decks, players, species with values, the ring; then own secrets."""
    text = WORDS.describe(view(BOARD_STATE, A), NAMES)
    for part in (
        "Oceans, round 3.",
        "Ava, your turn: play one more card.",
        "Population. The Reef: 10, zone 1: 0, zone 2: 5, zone 3: 20, reserve: 60.",
        "Below zone 1: Abundance (in force):",
        "Below zone 2: Asteroid Impact (happens when zone 2 becomes empty):",
        "The Cambrian Explosion has happened: two cards a turn, Deep ones too, own species age 2.",
        "Discard pile: Whale Cleaner x2.",
        "A Ava, whose turn it is: one Surface card and one Deep card, bonus 6",
        "- A1: 4 of 10 · Speed 7, Inking 5 (2 of 4 traits) · Forage 2, Attack 2, Defence 6, ages 2",
        "Neighbours, rightwards: A1, A2, B1, then A1 again.",
        "- Speed 9: Forage 2, Attack 2, Defence 2, +1 slot",
        "- Hydra, cost 4:",
        "Your score pile: 7.",
    ):
        assert part in text, part
    assert WORDS.status(view(BOARD_STATE, A), NAMES) in text


def test_the_text_board_says_what_cards_of_the_gene_pool_do() -> None:
    """In whole games each top card stands there with its values and its effect, as in a hand."""
    for seat_count in (2, 6) if IS_SOAK else (2,):
        for transition in play_game(OCEANS, seat_count, "casual", 1):
            seen = view(transition.after, None)
            if not seen.position.round:
                continue
            lines = WORDS.describe(seen, NAMES).splitlines()
            for number, pile in enumerate(seen.position.gene_pool, start=1):
                (line,) = [each for each in lines if each.startswith(f"Gene Pool, pile {number}: ")]
                if not pile:
                    assert line.endswith(": empty")
                    continue
                trait = TRAIT_BY_CARD[pile[-1]]
                assert f" {trait.name}, cost {trait.number}" in line
                assert line.endswith(trait.short_text)
                assert printed_values_text(trait).casefold() in line.casefold()
                assert ("more below)" in line) is (len(pile) > 1)


def test_the_alt_text_says_what_cards_do_where_it_fits() -> None:
    """The picture shows the effects of Scenario cards and of the Gene Pool; long names leave no room."""
    text = WORDS.alt_text(view(BOARD_STATE, None), NAMES)
    assert "Abundance below zone 1 (in force): Every Gain value is 1 higher." in text
    assert f"Gene Pool: Tusks ({card_effect_text(Card('TUS'))}) and Zooplankton (" in text
    long_text = WORDS.alt_text(view(BOARD_STATE, None), tuple(letter * 250 for letter in "VWX"))
    assert "Gene Pool: Tusks and Zooplankton." in long_text
    assert "Abundance below zone 1 (in force) and Asteroid Impact below zone 2." in long_text


def test_the_alt_text_tells_a_seat_that_resigned_from_one_without_species() -> None:
    """It says of an empty row what the picture says there."""
    assert "Chloé: no species" in WORDS.alt_text(view(BOARD_STATE, None), NAMES)
    resigned_state = resign(BOARD_STATE, C)
    assert resigned_state is not None
    assert "Chloé: resigned" in WORDS.alt_text(view(resigned_state, None), NAMES)


def test_texts_hold_no_secret_of_others() -> None:
    """A bystander's texts name no card in hand and no score; the alt text is the same for everybody."""
    text = WORDS.describe(view(BOARD_STATE, None), NAMES)
    for secret_text in ("Speed 9", "Hydra", "Kraken", "Your"):
        assert secret_text not in text
    assert WORDS.hand_text(view(BOARD_STATE, None), NAMES) == ""
    assert "Hydra" not in WORDS.hand_text(view(BOARD_STATE, C), NAMES)
    assert len({WORDS.alt_text(view(BOARD_STATE, viewer), NAMES) for viewer in (None, A, B, C)}) == 1


def test_a_players_own_board_as_text() -> None:
    """What is public of one seat, its neighbours, and to its owner the score pile."""
    text = WORDS.own_board_text(view(BOARD_STATE, B), A, NAMES)
    assert text.startswith("A Ava")
    assert len(text.splitlines()) == 1 + len(BOARD_STATE.position.rows[A])
    assert "stands on the left of the row" in text
    assert "Score pile" not in text
    assert text == WORDS.own_board_text(view(BOARD_STATE, None), A, NAMES)
    assert "Score pile: 7." in WORDS.own_board_text(view(BOARD_STATE, A), A, NAMES)
    empty_row_state = make_state("", "SP8 3")
    assert WORDS.own_board_text(view(empty_row_state, None), A, NAMES).endswith("No species.")
    lone_row_state = make_state("SP7 3 | IN5 2", "")
    assert "stands on" not in WORDS.own_board_text(view(lone_row_state, None), A, NAMES)


@pytest.mark.parametrize(("row", "trait_count_text"), [("GIB 1", "1 trait"), ("IN5 1", "1 of 3 traits")])
def test_a_species_line_counts_its_traits(row: str, trait_count_text: str) -> None:
    """Without a limit the number stands alone, and one is no plural."""
    assert f"({trait_count_text})" in WORDS.own_board_text(view(make_state(row, ""), None), A, NAMES)


def test_looked_at_cards_stand_in_the_hand() -> None:
    """While three Deep cards are looked at, the hand shows them with what they do."""
    state = apply_chance(
        act(make_drawing_state("SP7 4", ""), "look"), ShowDeep(A, parse_cards("HYD TIN ZOO"))
    )
    assert "Deep cards looked at:\n- Hydra, cost 4: " in WORDS.hand_text(view(state, A), NAMES)
    assert "Hydra" not in WORDS.describe(view(state, B), NAMES)


def test_texts_of_a_crowded_state_fit() -> None:
    """With six players of eight species and many cards in hand all texts keep their limits."""
    deep_cards = iter(DEEP_DECK)
    rows = [" | ".join(f"{next(deep_cards)} 5" for _ in range(8)) for _ in range(6)]
    hand = " ".join(card for card in deep_cards)
    state = make_state(*rows, hands=(hand,), options=OceansOptions())
    seen = view(state, A)
    assert len(WORDS.describe(seen, LONG_NAMES)) <= 4000
    assert len(WORDS.alt_text(seen, LONG_NAMES)) <= 1024
    assert 400 < len(WORDS.own_board_text(seen, A, LONG_NAMES)) <= 1024
    assert len(WORDS.hand_text(seen, LONG_NAMES)) <= 2000
    assert "Your score pile: 0." in WORDS.describe(seen, LONG_NAMES)


# Help ---------------------------------------------------------------------------------------------------


def test_topics_and_options() -> None:
    """The introduction comes first and names the end as the rules do; each option has its hint."""
    assert TOPICS[0].key == "introduction"
    assert "When all three Ocean zones are empty, that round is the last." in TOPICS[0].text
    assert set(OPTION_HINTS) == set(OceansOptions.__struct_fields__)


def test_the_glossary_has_every_card() -> None:
    """One page for each of the 101 traits and 37 Scenario cards, with its number, values and text."""
    pages = {page.title: page.text for page in GLOSSARY}
    assert len(GLOSSARY) == len(pages) == 138
    for trait in TRAIT_BY_CARD.values():
        page = pages[trait.name]
        assert trait.full_text in page
        assert trait.ruling in page
        assert not trait.is_deep or f"costs {trait.number}" in page
    for scenario in SCENARIO_BY_CODE.values():
        assert scenario.full_text in pages[scenario.name]
        assert ("purple" if scenario.is_event else "blue") in pages[scenario.name]


def test_help_shows_moves_that_can_be_read() -> None:
    """Every move in the page about notation is well-formed."""
    page = next(topic for topic in TOPICS if topic.key == "notation")
    lines = [line for line in page.text.split("\n") if line.startswith("- ")]
    move_texts = [move for line in lines for move in line.split("`")[1::2]]
    assert len(move_texts) >= 20
    for move in move_texts:
        NOTATION.parse(move)


@pytest.mark.parametrize(
    "key", ["introduction", "setup", "turn", "evolving", "migrating", "drawing", "deep-cards", "scenarios"]
)
def test_pages_about_deep_cards_name_the_reef_variant(key: str) -> None:
    """Each of these pages says what the Reef Variant does without, or plays with instead."""
    page = next(topic for topic in WORDS.topics if topic.key == key)
    assert "Reef Variant" in page.text
