"""The narration of Oceans: choices, what they set off, the set-up."""

import re

import pytest
from msgspec.structs import replace

from rules.model import CHANCE, Resign, Seat
from rules.oceans import OCEANS
from rules.oceans.actions import Deal, Draw, LayOut, ShowDeep, TakeFromScorePile
from rules.oceans.cards.decks import Card
from rules.oceans.causes import TraitCause
from rules.oceans.events import (
    AnyEvent,
    CambrianExploded,
    Evolved,
    Extinct,
    FeedingSkipped,
    GameEnded,
    PopulationMoved,
    ScenarioActivated,
    ScenarioFired,
)
from rules.oceans.model import OceansOptions
from rules.oceans.places import SpeciesBoard
from rules.oceans.rules import initial_state, resign, view
from rules.oceans.steps import EndingTurn, Playing, RefillingHand, ShowingDeep, TakingFromScorePile
from rules.oceans.words.narration import MAX_NARRATION_LENGTH
from rules.oceans.words.trail_text import trail_texts
from tests.rules.oceans.positions import (
    NAMES,
    NOTATION,
    act,
    apply_chance,
    make_drawing_state,
    make_feeding_state,
    make_state,
    parse_cards,
    play_line,
)
from tests.rules.oceans.texts import WORDS, narrate_action, narration
from tests.rules.whole_games import play_game

A, B = Seat(0), Seat(1)


@pytest.mark.parametrize("seed", range(4))
def test_routine_hides_no_loss(seed: int) -> None:
    """A routine record says no more than that a turn ends, cards are drawn and the next turn begins."""
    routine_types = set()
    for transition in play_game(OCEANS, 4, "random", seed):
        actor, action = transition.actor, transition.action
        before, after = view(transition.before, None), view(transition.after, None)
        if WORDS.is_routine(action, after):
            text = WORDS.narrate(before, actor, action.seen_by(None, actor), after, NAMES).text
            assert not {"dies out", "scores", "gains", "takes"} & set(re.findall(r"dies out|\w+", text)), text
            routine_types.add(type(action))
    assert routine_types == {Draw, Deal}


def test_cards_are_narrated() -> None:
    """Evolving, creating, migrating and removing name player, card and place."""
    state = make_state(
        "SP7 4 | PA6 3",
        "AP7 2",
        hands=("SP9 HYD",),
        score_piles=(9,),
        cambrian_happened=True,
        plays_left=2,
        zone_populations=(9, 9, 5, 9),
    )
    assert narration(state, "evolve SP9 A2") == "Ava evolves A2 with Speed 9."
    assert narration(state, "evolve HYD A1 z2") == "Ava evolves A1 with Hydra and pays 4 to zone 2."
    assert narration(state, "create SP9 1") == "Ava starts A3 between A1 and A2 with Speed 9."
    assert narration(state, "migrate SP9 z2 z1") == (
        "Ava migrates 5 from zone 2 to zone 1 with Speed 9.\n"
        "Inhospitable Environment (second) begins: every species ages 1 more."
    )
    assert narration(state, "drop A1 SP7") == "Ava removes Speed 7 from A1."


def test_a_card_of_the_gene_pool_is_narrated_as_such() -> None:
    """Thermal Currents: the narration says where the card came from."""
    state = make_state(
        "SP7 4", "AP7 2", hands=("SP9",), score_piles=(9,), zone_populations=(9, 0, 9, 9),
        scenarios=("THE", "ABU"), gene_pool=("TUS", ""), cambrian_happened=True, plays_left=2,
    )  # fmt: skip
    assert (
        narration(state, "evolve TUS A1 z2")
        == "Ava evolves A1 with Tusks from the Gene Pool and pays 1 to zone 2."
    )


def test_a_feeding_is_narrated_with_all_it_sets_off() -> None:
    """Gains stand together with their causes, then overpopulation, then Aging in one sentence a seat."""
    state = make_feeding_state("FF6 4", "SY8 2 | WC6 9", "WC9 4", zone_populations=(20, 9, 9, 9))
    assert narration(state, "forage A1 reef") == (
        "Ava's A1 forages in the Reef and takes 5. B2 gains 1 and C1 3 from zone 1 (Whale Cleaner). "
        "B2 overpopulates: 5 go to the Reef, 5 stay. Aging: Ava scores 1."
    )
    attacking_state = make_feeding_state("AP6 4", "TE8 4 | SH6 3 | BF9 1", zone_populations=(20, 9, 9, 9))
    assert narration(attacking_state, "attack A1 B1") == (
        "Ava's A1 attacks B1 and takes 3. B2 gains 2 from zone 1 (Shark Cleaner). Aging: Ava scores 1."
    )


@pytest.mark.parametrize(("extinct_species", "expected"), [("A1", True), ("B1", False)])
def test_only_who_has_or_had_a_species_feeds_none(extinct_species: str, *, expected: bool) -> None:
    """Somebody without any is not said to feed no species, also if a rival's dies out in the same turn."""
    position = make_state("", "AP7 2").position
    trail: list[AnyEvent] = [FeedingSkipped(Seat(0)), Extinct(extinct_species, ())]
    is_narrated = any("feeds no species" in each for each in trail_texts(trail, position, NAMES))
    assert is_narrated is expected


def test_extinctions_are_narrated_with_the_score() -> None:
    """Aging and dying out stand together, with how much a species that dies out had to age."""
    state = make_feeding_state("SP7 3 | AP8 0 | IN8 0", "AP7 2")
    assert narration(state, "skip") == (
        "Ava feeds no species. Aging: Ava scores 1. A2 and A3 die out: each had to age 1."
    )
    state = make_feeding_state("SP7 1 | KLE 0", "AP7 2", cambrian_happened=True)
    assert narration(state, "skip").endswith(
        "Aging: Ava scores 1. A1 and A2 die out: they had to age 2 and 4."
    )


def test_leeching_is_narrated() -> None:
    """Effects before feeding are narrated after the card that was played."""
    state = make_state("PA6 1", "AP7 5", hands=("SP9",))
    assert narration(act(state, "evolve SP9 A1"), "done") == "A1 leeches 2 from B1 (Parasitic)."


@pytest.mark.parametrize(("population", "count"), [(5, 4), (3, 3)])
def test_leeching_twice_from_one_species_is_one_number(population: int, count: int) -> None:
    """Two Parasitic of one species leech from the same neighbour, who is named once."""
    state = make_state("PA6 PA7 1", f"AP7 {population}", hands=("SP9",))
    text = f"A1 leeches {count} from B1 (Parasitic)."
    assert narration(act(state, "evolve SP9 A1"), "done") == text


def test_turning_points_are_narrated() -> None:
    """The Cambrian Explosion, a Scenario card and the last round get an announcement each."""
    state = make_state(
        "SP7 4", "AP7 4", hands=("SP9",), zone_populations=(10, 9, 0, 0), scenarios=("ABU", "FER")
    )
    text = narration(state, "migrate SP9 z1 reef")
    _, *announcements = text.splitlines()
    for announcement, part in zip(
        announcements,
        (
            (
                "the Cambrian Explosion! From now on players play two cards a turn, Deep ones too, "
                "and age their own species by 2."
            ),
            "Abundance begins:",
            "The Ocean is empty: this round is the last. The reserve of 60 goes into zone 3.",
        ),
        strict=True,
    ):
        assert part in announcement


def test_food_surge_is_narrated_as_taking() -> None:
    """It is no gain, so nothing "gains": what each species takes stands in one sentence with the zones."""
    state = make_state(
        "SP7 4 | PA6 0", "AP7 3", hands=("SP9",), zone_populations=(9, 2, 3, 20), scenarios=("INA", "FOOD")
    )
    text = narration(state, "migrate SP9 z2 z3")
    assert "A1 takes 4 and B1 3 from zone 1 and zone 3 (Food Surge)." in text
    assert "gain" not in text


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("SNO", "Snowball Earth begins: Forage and Attack icons count 1 less."),
        ("THE", "Thermal Currents begins: Deep cards may come from the Gene Pool."),
        ("FER", "Fertile begins: new species gain 2."),
    ],
)
def test_terms_keep_their_capital_in_announcements(code: str, text: str) -> None:
    """A term such as Deep or Forage is written with a capital, other words are not."""
    position = make_state("SP7 4", "AP7 4").position
    assert trail_texts((ScenarioActivated(code),), position, NAMES) == [text]


def test_the_cause_is_narrated_before_its_effect() -> None:
    """What a Scenario card brings stands behind its name, what was there before stands above."""
    state = make_state(
        "WC7 2", "AP7 3", hands=("SP9",), zone_populations=(9, 9, 9, 20), scenarios=("EXP", "ABU")
    )
    state = replace(state, position=replace(state.position, cambrian_happened=True))
    assert narration(state, "migrate SP9 z1 reef").splitlines() == [
        "Ava migrates 9 from zone 1 to the Reef with Speed 9.",
        (
            "Population Explosion happens: every Gain value is gained once. "
            "A1 gains 3 from zone 2 (Whale Cleaner)."
        ),
    ]


@pytest.mark.parametrize(
    "announcement", [CambrianExploded(), GameEnded((4, 7)), ScenarioFired("FOOD")], ids=repr
)
def test_a_long_narration_keeps_its_announcement_whole(announcement: AnyEvent) -> None:
    """What concerns the whole table begins a line; the sentences on what follows from it are cut instead."""
    state = make_state("SP7 4", "AP7 4", hands=("SP9",))
    leeching = PopulationMoved(SpeciesBoard("B1"), SpeciesBoard("A1"), 1, TraitCause(Card("PA6")))
    evolution = Evolved("A1", Card("SP9"))
    for repeat_count in (0, 60):
        trail = (announcement, *((leeching, evolution) * repeat_count))
        after = replace(state, position=replace(state.position, trail=trail))
        text = WORDS.narrate(view(state, None), A, Resign(), view(after, None), NAMES).text
        assert len(text) <= MAX_NARRATION_LENGTH
        (line,) = trail_texts(trail[:1], after.position, NAMES)
        first, second = text.splitlines()
        assert first == "Ava resigns. A1 leaves the board."
        assert second.startswith(line)
        assert second.endswith("…") is (repeat_count > 0)


def test_a_long_first_line_leaves_no_room_for_later_sentences() -> None:
    """The limit holds and each announcement stays whole, wherever the sentences are too long."""
    state = make_state("SP7 4", "AP7 4", hands=("SP9",))
    leeching = PopulationMoved(SpeciesBoard("B1"), SpeciesBoard("A1"), 1, TraitCause(Card("PA6")))
    many_events = (leeching, Evolved("A1", Card("SP9"))) * 60
    trail = (*many_events, CambrianExploded(), *many_events)
    after = replace(state, position=replace(state.position, trail=trail))
    text = WORDS.narrate(view(state, None), A, Resign(), view(after, None), NAMES).text
    assert len(text) <= MAX_NARRATION_LENGTH
    announcements = [line.removesuffix(" …") for line in text.splitlines()[1:]]
    assert announcements == trail_texts((CambrianExploded(),), after.position, NAMES)


def test_overflow_is_narrated() -> None:
    """An own overflow is narrated with the zone that its owner chose."""
    state = act(
        make_feeding_state("FF6 6 | WC5 9", "AP7 9", zone_populations=(30, 3, 3, 9)), "forage A1 reef"
    )
    assert narration(state, "spill z2") == (
        "Ava moves A2's overflow of 5 to zone 2: 5 stay. Aging: Ava scores 2."
    )


def test_dealt_cards_are_narrated_to_their_holder_only() -> None:
    """A draw names the cards to viewers who see them, to others only their number."""
    state = make_state("SP7 4", "AP7 4", hands=("SP9 SC8 SC9 AP9",), step=RefillingHand())
    state = replace(
        state, position=replace(state.position, to_act=CHANCE, agenda=(EndingTurn(), RefillingHand()))
    )
    deal = Deal(A, parse_cards("IN5 IN7"))
    assert narrate_action(state, deal, A) == "Ava draws Inking 5 and Inking 7."
    for viewer in (B, None):
        assert narrate_action(state, deal, viewer) == "Ava draws two Surface cards."


def test_looked_at_cards_are_narrated_to_their_viewer_only() -> None:
    """Three Deep cards looked at, and the one kept, are named to nobody else."""
    state = make_drawing_state("SP7 4", "")
    looking = act(state, "look")
    assert isinstance(looking.position.agenda[-1], ShowingDeep)
    show = ShowDeep(A, parse_cards("HYD TIN ZOO"))
    assert narrate_action(looking, show, A) == "Ava sees Hydra, Tiny and Zooplankton."
    assert narrate_action(looking, show, B) == ""
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
    assert narrate_action(state, lay_out) == (
        "Abundance lies below zone 1, Fertile below zone 2. Gene Pool: Hydra and Tiny. Speed 7 is turned up: "
        "the Reef and zone 1 each give 7 to zone 3. Ben begins."
    )


def test_set_up_affects_nobody_more_than_others() -> None:
    """What everybody holds is not shown to the player of the last hand as what affected them alone."""
    state = initial_state(2, OceansOptions())
    for seat, hand in ((A, "AP5 AP6 BF5 BF6 FF5 FF6"), (B, "IN5 IN6 PA5 PA6 SC5 SC6")):
        dealt = apply_chance(state, Deal(seat, parse_cards(hand)))
        assert WORDS.affected_seats(view(state, None), view(dealt, None)) == frozenset()
        state = dealt


def test_the_end_of_feeding_is_narrated() -> None:
    """Who could feed feeds nothing; who could not goes on, as the button says."""
    feeding_state = act(make_state("SP7 1", "", plays_left=0), "done")
    state_without_food = make_state("SP7 1", "", hands=("SP5",), zone_populations=(0, 20, 20, 20))
    state_without_food = act(state_without_food, "migrate SP5 z1 z2")
    assert narration(feeding_state, "skip").startswith("Ava feeds no species.")
    assert narration(state_without_food, "skip").startswith("Ava goes on to Aging.")


def test_a_robbed_score_pile_is_narrated() -> None:
    """Coprophagia's take is public; an empty pile is named as such."""
    step = TakingFromScorePile(B, 2, SpeciesBoard("A1"), TraitCause(Card("COP")))
    state = make_state("COP 4", "AP7 4", step=step, score_piles=(0, 1))
    state = replace(state, position=replace(state.position, to_act=CHANCE, agenda=(EndingTurn(), step)))
    assert "A1 takes 1 from Ben's score pile (Coprophagia)." in narrate_action(state, TakeFromScorePile(B, 1))
    assert "Ben's score pile is empty." in narrate_action(
        replace(state, score_piles=(0, 0)), TakeFromScorePile(B, 0)
    )


def test_a_picked_score_pile_is_narrated_without_the_take() -> None:
    """What the pile gives is known and narrated only afterwards."""
    state = play_line(make_state("COP 4", "AP7 4", plays_left=0, score_piles=(0, 1)), "done")
    assert narration(state, "choose B") == "Ava chooses Ben's score pile."
    state = play_line(make_state("COP 4", "AP7 4", plays_left=0, score_piles=(2, 1)), "done")
    assert narration(state, "choose A") == "Ava chooses their own score pile."


def test_a_resignation_is_narrated() -> None:
    """Who resigns, which species leave the board, and where their population goes."""
    cases = {
        ("SP7 4 | SP8 2", "AP7 4", "AP9 3"): (
            "Ava resigns. A1 and A2 leave the board, and their 6 population go to the Reef."
        ),
        ("SP7 4 | SP8 0", "AP7 4", "AP9 3"): (
            "Ava resigns. A1 and A2 leave the board, and their 4 population go to the Reef."
        ),
        ("SP7 1", "AP7 4", "AP9 3"): (
            "Ava resigns. A1 leaves the board, and its 1 population goes to the Reef."
        ),
        ("SP7 0", "AP7 4", "AP9 3"): "Ava resigns. A1 leaves the board.",
        ("", "AP7 4", "AP9 3"): "Ava resigns.",
    }
    for rows, expected_text in cases.items():
        state = make_state(*rows)
        after = resign(state, A)
        assert after is not None
        assert WORDS.narrate(view(state, B), A, Resign(), view(after, B), NAMES).text == expected_text


def test_going_on_names_the_next_phase() -> None:
    """Whoever plays no more cards goes on to feeding."""
    state = make_state("SP7 4", "AP7 4", hands=("SP9",), step=Playing())
    state = replace(state, position=replace(state.position, plays_left=0))
    assert narration(state, "done") == "Ava goes on to feeding."


@pytest.mark.parametrize(
    ("round_number", "sentence"), [(8, "Round 9 begins."), (9, "Round 10 begins, the last one.")]
)
def test_the_last_round_of_the_cap_is_announced(round_number: int, sentence: str) -> None:
    """The option ends the game after that round, so players read of it when it begins."""
    state = make_drawing_state(
        "SP7 4", "IN5 3", player=1, options=OceansOptions(round_cap=10), round=round_number, hands=("", "")
    )
    state = replace(state, position=replace(state.position, agenda=(EndingTurn(), RefillingHand())))
    cards = tuple(state.surface_deck[:6])
    after = apply_chance(state, Deal(B, cards))
    text = WORDS.narrate(view(state, None), CHANCE, Deal(B, cards), view(after, None), NAMES).text
    assert text.endswith(sentence)


def test_a_further_feeding_is_narrated_as_such() -> None:
    """Two like sentences of one species would read as one that was written twice."""
    state = make_feeding_state("TE5 TE6 3", "TE7 9")
    texts = []
    for text in ("attack A1 B1", "attack A1 B1", "forage A1 reef"):
        after, action = act(state, text), NOTATION.parse(text)
        texts.append(WORDS.narrate(view(state, None), Seat(0), action, view(after, None), NAMES).text)
        state = after
    assert texts[:2] == [
        "Ava's A1 attacks B1 and takes 1.",
        "Ava's A1 also attacks B1 and takes 1.",
    ]
    assert texts[2].startswith("Ava's A1 also forages in the Reef and takes 1.")
