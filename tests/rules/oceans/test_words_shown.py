"""What people read of an Oceans table: narration, status, the board as text, the hand, help."""

import pytest
from msgspec.structs import replace

from rules.game import CHANCE, Action, Names, Resign, Seat
from rules.oceans import OCEANS
from rules.oceans.actions import Deal, LayOut, OpenShield, ShowDeep, TurnOver
from rules.oceans.cards.decks import DEEP_DECK, SCENARIOS, TRAIT, Card
from rules.oceans.causes import TraitCause
from rules.oceans.model import OceansOptions
from rules.oceans.places import SpeciesBoard
from rules.oceans.rules import State, apply_action, initial_state, resign, view
from rules.oceans.steps import DrawingUp, EndTurn, OpeningShield, Showing, Tallying
from rules.oceans.words.glossary import GLOSSARY
from rules.oceans.words.help import OPTION_HINTS, TOPICS
from tests.rules.oceans.positions import (
    NAMES,
    NOTATION,
    act,
    apply_chance,
    drawing_state,
    feeding_state,
    legal_texts,
    make_state,
    parse_cards,
    play,
)

WORDS = OCEANS.words
A, B, C = Seat(0), Seat(1), Seat(2)
LONG_NAMES: Names = tuple(letter * 32 for letter in "UVWXYZ")


def narration(state: State, text: str, viewer: Seat | None = None) -> str:
    """Return the narration of one legal action, as a viewer reads it."""
    assert text in legal_texts(state), f"{text} is not legal: {legal_texts(state)[:40]}"
    return _narrate(state, NOTATION.parse(text), viewer)


def _narrate(state: State, action: Action, viewer: Seat | None = None) -> str:
    actor = state.position.to_act
    assert actor is not None
    after = apply_action(state, action)
    seen = action.seen_by(viewer, actor)
    return WORDS.narrate(view(state, viewer), actor, seen, view(after, viewer), NAMES)


# Narration ----------------------------------------------------------------------------------------------


def test_cards_are_narrated() -> None:
    """Evolving, creating, migrating and removing name player, card and place."""
    state = make_state(
        "SP7 4 | PA6 3", "AP7 2", hands=("SP9 HYD",), scores=(9,), cambrian=True, plays=2, water=(9, 9, 5, 9)
    )
    assert narration(state, "evolve SP9 A2") == "Ava puts Speed 9 on A2."
    assert narration(state, "evolve HYD A1 z2") == "Ava puts Hydra on A1 and pays 4 to zone 2."
    assert narration(state, "create SP9 1") == "Ava starts A3 between A1 and A2 with Speed 9."
    assert narration(state, "migrate SP9 z2 z1") == (
        "Ava discards Speed 9: 5 go from zone 2 to zone 1. "
        "Inhospitable Environment (second) begins: every species ages 1 more."
    )
    assert narration(state, "drop A1 SP7") == "Ava removes Speed 7 from A1."


def test_a_card_of_the_gene_pool_is_narrated_as_such() -> None:
    """Thermal Currents: the narration says where the card came from."""
    state = make_state(
        "SP7 4", "AP7 2", hands=("SP9",), scores=(9,), water=(9, 0, 9, 9), scenarios=("THE", "ABU"),
        gene_pool=("TUS", ""), cambrian=True, plays=2,
    )  # fmt: skip
    assert (
        narration(state, "evolve TUS A1 z2")
        == "Ava puts Tusks from the Gene Pool on A1 and pays 1 to zone 2."
    )


def test_a_feeding_is_narrated_with_all_it_sets_off() -> None:
    """Gains stand together with their causes, then overpopulation, then Aging in one sentence a seat."""
    state = feeding_state("FF6 4", "SY8 2 | WC6 9", "WC9 4", water=(20, 9, 9, 9))
    assert narration(state, "forage A1 reef") == (
        "Ava's A1 forages in the Reef and takes 5. B2 gains 1 and C1 3 (Whale Cleaner). "
        "B2 overpopulates: 5 go to the Reef. Aging: Ava scores 1."
    )
    attack = feeding_state("AP6 4", "TE8 4 | SH6 3 | BF9 1", water=(20, 9, 9, 9))
    assert narration(attack, "attack A1 B1") == (
        "Ava's A1 attacks B1 and takes 3. B2 gains 2 (Shark Cleaner). Aging: Ava scores 1."
    )


def test_extinctions_are_narrated_with_the_score() -> None:
    """Aging and dying out stand in one sentence."""
    state = feeding_state("SP7 3 | AP8 0 | IN8 0", "AP7 2")
    assert narration(state, "skip") == "Ava feeds no species. Aging: Ava scores 1. A2 and A3 die out."


def test_leeching_is_narrated() -> None:
    """Effects before feeding are narrated after the card that was played."""
    state = make_state("PA6 1", "AP7 5", hands=("SP9",))
    assert narration(act(state, "evolve SP9 A1"), "done") == "A1 leeches 2 from B1 (Parasitic)."


def test_turning_points_are_narrated() -> None:
    """The Cambrian Explosion, a Scenario card and the last round are announced."""
    state = make_state("SP7 4", "AP7 4", hands=("SP9",), water=(10, 9, 0, 0), scenarios=("ABU", "FER"))
    text = narration(state, "migrate SP9 z1 reef")
    for part in (
        "the Cambrian Explosion! From now on a turn has two cards, Deep ones too",
        "Abundance begins:",
        "The Ocean is empty: the reserve of 60 goes into zone 3. This round is the last.",
    ):
        assert part in text


def test_overflow_is_narrated() -> None:
    """An own overflow is narrated with the zone that its owner chose."""
    state = act(feeding_state("FF6 6 | WC5 9", "AP7 9", water=(30, 3, 3, 9)), "forage A1 reef")
    assert narration(state, "spill z2") == "Ava moves A2's overflow of 5 to zone 2. Aging: Ava scores 2."


def test_dealt_cards_are_narrated_to_their_holder_only() -> None:
    """A draw names the cards to viewers who see them, to others only their number."""
    state = make_state("SP7 4", "AP7 4", hands=("SP9 SC8 SC9 AP9",), step=DrawingUp())
    state = replace(state, position=replace(state.position, to_act=CHANCE, agenda=(EndTurn(), DrawingUp())))
    deal = Deal(A, parse_cards("IN5 IN7"))
    assert _narrate(state, deal, A) == "Ava draws Inking 5 and Inking 7. Round 3: it is Ben's turn."
    for viewer in (B, None):
        assert _narrate(state, deal, viewer) == "Ava draws two Surface cards. Round 3: it is Ben's turn."


def test_looked_at_cards_are_narrated_to_their_seer_only() -> None:
    """Three Deep cards looked at, and the one kept, are named to nobody else."""
    state = drawing_state("SP7 4", "")
    looking = act(state, "look")
    assert isinstance(looking.position.agenda[-1], Showing)
    show = ShowDeep(A, parse_cards("HYD TIN ZOO"))
    assert _narrate(looking, show, A) == "Ava sees Hydra, Tiny and Zooplankton."
    assert _narrate(looking, show, B) == ""
    keeping = apply_chance(looking, show)
    assert narration(keeping, "keep HYD TIN ZOO", A) == (
        "Ava keeps Hydra. Tiny and Zooplankton go face up on piles 1 and 2."
    )
    assert narration(keeping, "keep HYD TIN ZOO", B) == (
        "Ava keeps a Deep card. Tiny and Zooplankton go face up on piles 1 and 2."
    )


def test_set_up_is_narrated() -> None:
    """Scenario cards, Gene Pool, the first discard and who begins are announced once."""
    state = initial_state(2, OceansOptions())
    for seat, hand in ((A, "AP5 AP6 BF5 BF6 FF5 FF6"), (B, "IN5 IN6 PA5 PA6 SC5 SC6")):
        state = apply_chance(state, Deal(seat, parse_cards(hand)))
    lay_out = LayOut(("ABU", "FER"), parse_cards("HYD TIN"), parse_cards("SP7")[0], B)
    assert _narrate(state, lay_out) == (
        "Abundance lies below zone 1, Fertile below zone 2. Gene Pool: Hydra and Tiny. Speed 7 is turned up: "
        "the Reef and zone 1 each give 7 to zone 3. Ben begins. Round 1: it is Ben's turn."
    )


def test_a_robbed_score_pile_is_narrated() -> None:
    """Coprophagia's take is public; an empty pile is named as such."""
    step = OpeningShield(B, 2, SpeciesBoard("A1"), TraitCause(Card("COP")))
    state = make_state("COP 4", "AP7 4", step=step, scores=(0, 1))
    state = replace(state, position=replace(state.position, to_act=CHANCE, agenda=(EndTurn(), step)))
    assert "A1 takes 1 from Ben's score pile (Coprophagia)." in _narrate(state, OpenShield(B, 1))
    assert "Ben's score pile is empty." in _narrate(replace(state, scores=(0, 0)), OpenShield(B, 0))


def test_a_picked_score_pile_is_narrated_without_the_take() -> None:
    """What the pile gives is known and narrated only afterwards."""
    state = play(make_state("COP 4", "AP7 4", plays=0, scores=(0, 1)), "done")
    assert narration(state, "choose B") == "Ava chooses Ben's score pile."


def test_a_resignation_is_narrated() -> None:
    """Who resigns, and what becomes of the population."""
    state = make_state("SP7 4 | SP8 2", "AP7 4", "AP9 3")
    after = resign(state, A)
    assert after is not None
    text = WORDS.narrate(view(state, B), A, Resign(), view(after, B), NAMES)
    assert text.startswith("Ava resigns. A1 loses 4 and A2 2 to the Reef.")


# Status, board, hand ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("state", "status"),
    [
        (
            make_state("SP7 4", "", hands=("SP9 AP9",), cambrian=True, plays=2),
            "Ava, your turn: play two cards.",
        ),
        (
            feeding_state("SP7 4", "", ending=True),
            "Ava, your turn: feed a species. This round is the last.",
        ),
        (
            act(feeding_state("FF6 6 | WC5 9", "AP7 9", water=(30, 3, 3, 9)), "forage A1 reef"),
            "Ava, your turn: choose a zone for A2's overflow of 5.",
        ),
        (drawing_state("SP7 4", ""), "Ava, your turn: take a Deep card, discard or end the turn."),
        (
            act(feeding_state("TE6 4", "SP8 3"), "forage A1 reef"),
            "Ava, your turn: feed A1 again, or stop.",
        ),
    ],
)
def test_status(state: State, status: str) -> None:
    """One line says who is asked, what, and whether the round is the last."""
    assert WORDS.status(view(state, None), NAMES) == status


def test_status_of_the_end() -> None:
    """The winner by points, by traits, or because everybody else resigned."""
    rows = ("SP7 SP8 4", "AP7 6")
    state = make_state(*rows, step=Tallying(), scores=(10, 12), ending=True)
    state = replace(state, position=replace(state.position, to_act=CHANCE))
    ended = apply_chance(state, TurnOver((10, 12)))
    tie = "Ava has won by traits in play: Ava 18 (2 traits), Ben 18 (1 trait)."
    assert WORDS.status(view(ended, None), NAMES) == tie
    other = apply_chance(replace(state, scores=(10, 13)), TurnOver((10, 13)))
    assert WORDS.status(view(other, None), NAMES) == "Ben has won: Ben 19, Ava 18."
    left = resign(make_state(*rows), A)
    assert left is not None
    left = apply_chance(left, TurnOver(left.scores))
    assert WORDS.status(view(left, None), NAMES) == "Ben has won: everybody else resigned."


BOARD = make_state(
    "SP7 IN5 4 | PA6 2",
    "SC7 6",
    "",
    hands=("SP9 HYD", "AP9", "AP10 FF9 KRA"),
    scores=(7, 8, 9),
    water=(10, 0, 5, 20),
    scenarios=("ABU", "AST"),
    gene_pool=("TUS", "TIN ZOO"),
    discard="WC5 WC6",
    cambrian=True,
)


def test_the_board_as_text_names_everything_public() -> None:
    """Water, Scenario cards, Gene Pool, decks, players, species with values, the ring; then own secrets."""
    text = WORDS.describe(view(BOARD, A), NAMES)
    for part in (
        "Oceans, round 3.",
        "Ava, your turn: play one card.",
        "Population. The Reef: 10, zone 1: 0, zone 2: 5, zone 3: 20, reserve: 60.",
        "Below zone 1: Abundance (in force):",
        "Below zone 2: Asteroid Impact (happens when zone 2 becomes empty):",
        "The Cambrian Explosion has happened",
        "Gene Pool: pile 1 Tusks, cost 1 · pile 2 Zooplankton, cost 1 (one more below).",
        "Discard pile: Whale Cleaner x2.",
        "A Ava, whose turn it is: one Surface card and 1 Deep, bonus 6",
        "- A1: 4 of 10 · Speed 7, Inking 5 (2 of 4 traits) · Forage 2, Attack 2, Defence 6, ages 2",
        "Neighbours, rightwards: A1, A2, B1, then A1 again.",
        "- Speed 9: Forage 2, Attack 2, Defence 2, +1 slot",
        "- Hydra, cost 4:",
        "Your score pile: 7.",
    ):
        assert part in text, part
    assert WORDS.status(view(BOARD, A), NAMES) in text


def test_texts_hold_no_secret_of_others() -> None:
    """A bystander's texts name no card in hand and no score; the alt text is the same for everybody."""
    text = WORDS.describe(view(BOARD, None), NAMES)
    for secret in ("Speed 9", "Hydra", "Kraken", "Your"):
        assert secret not in text
    assert WORDS.hand(view(BOARD, None), NAMES) == ""
    assert "Hydra" not in WORDS.hand(view(BOARD, C), NAMES)
    assert len({WORDS.alt_text(view(BOARD, viewer), NAMES) for viewer in (None, A, B, C)}) == 1


def test_a_players_own_board_as_text() -> None:
    """What is public of one seat, its neighbours, and to its owner the score pile."""
    text = WORDS.player_text(view(BOARD, B), A, NAMES)
    assert text.startswith("A Ava")
    assert len(text.splitlines()) == 1 + len(BOARD.position.rows[A])
    assert "lies on the left of the row" in text
    assert "Score pile" not in text
    assert text == WORDS.player_text(view(BOARD, None), A, NAMES)
    assert "Score pile: 7." in WORDS.player_text(view(BOARD, A), A, NAMES)
    empty = make_state("", "SP8 3")
    assert WORDS.player_text(view(empty, None), A, NAMES).endswith("No species.")
    alone = make_state("SP7 3 | IN5 2", "")
    assert "lies on" not in WORDS.player_text(view(alone, None), A, NAMES)


def test_looked_at_cards_stand_in_the_hand() -> None:
    """While three Deep cards are looked at, the hand shows them with what they do."""
    state = apply_chance(act(drawing_state("SP7 4", ""), "look"), ShowDeep(A, parse_cards("HYD TIN ZOO")))
    assert "You look at these Deep cards:\n- Hydra, cost 4: " in WORDS.hand(view(state, A), NAMES)
    assert "Hydra" not in WORDS.describe(view(state, B), NAMES)


def test_a_crowded_table_still_fits() -> None:
    """With six players of eight species and many cards in hand all texts keep their limits."""
    deep = iter(DEEP_DECK)
    rows = [" | ".join(f"{next(deep)} 5" for _ in range(8)) for _ in range(6)]
    hand = " ".join(card for card in deep)
    state = make_state(*rows, hands=(hand,), options=OceansOptions())
    seen = view(state, A)
    assert len(WORDS.describe(seen, LONG_NAMES)) <= 4000
    assert len(WORDS.alt_text(seen, LONG_NAMES)) <= 1024
    assert 400 < len(WORDS.player_text(seen, A, LONG_NAMES)) <= 1024
    assert len(WORDS.hand(seen, LONG_NAMES)) <= 2000
    assert "Your score pile: 0." in WORDS.describe(seen, LONG_NAMES)


# Help ---------------------------------------------------------------------------------------------------


def test_topics_and_options() -> None:
    """The introduction comes first; each option has its hint."""
    assert TOPICS[0].key == "introduction"
    assert set(OPTION_HINTS) == set(OceansOptions.__struct_fields__)


def test_the_glossary_has_every_card() -> None:
    """One page for each of the 101 traits and 37 Scenario cards, with its number, values and text."""
    pages = {page.title: page.text for page in GLOSSARY}
    assert len(GLOSSARY) == len(pages) == 138
    for trait in TRAIT.values():
        page = pages[trait.name]
        assert trait.text in page
        assert trait.ruling in page
        assert not trait.deep or f"costs {trait.number}" in page
    for scenario in SCENARIOS.values():
        assert scenario.text in pages[scenario.name]
        assert ("purple" if scenario.event else "blue") in pages[scenario.name]


def test_help_shows_moves_that_can_be_read() -> None:
    """Every move in the page about notation is well-formed."""
    page = next(topic for topic in TOPICS if topic.key == "notation")
    lines = [line for line in page.text.split("\n") if line.startswith("- ")]
    moves = [move for line in lines for move in line.split("`")[1::2]]
    assert len(moves) >= 20
    for move in moves:
        NOTATION.parse(move)
