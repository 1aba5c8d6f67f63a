"""Refusals of Oceans: what is wrong and what to do."""

import pytest
from msgspec.structs import replace

from rules.model import Seat
from rules.oceans.cards.decks import Card
from rules.oceans.causes import TraitCause
from rules.oceans.places import SpeciesBoard
from rules.oceans.rules import State, view
from rules.oceans.steps import ChoiceKind, Choosing, Swapping
from tests.rules.oceans.positions import (
    AFTER_CAMBRIAN_STATE,
    DRAWING_STATE,
    FEEDING_STATE,
    NAMES,
    PLAYING_STATE,
    act,
    active_scenario_setup,
    legal_texts,
    make_drawing_state,
    make_feeding_state,
    make_state,
    play_line,
)
from tests.rules.oceans.texts import WORDS, refusal_text


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("evolve SP9 A9", "There is no such species: name one of A1, A2, B1, B2, C1."),
        ("evolve sp9 A1", "Write cards with capitals: SP9."),
        ("evolve SP9 a1", "Write species with a capital: A1."),
        ("evolve SP9 B1", "B1 is Ben's: name one of your own species (A1, A2)."),
        ("evolve FF7 A2", "A2 has no free trait slot (3 of 3). Speed 9 would fit, bringing a slot along."),
        (
            "evolve TUS A1 reef",
            "Tusks lies in the Gene Pool: you can take it at the end of your turn.",
        ),
        (
            "evolve @x A1",
            (
                "There is no such card: write its name or code. You hold Filter Feeder 7 (FF7), "
                "Speed 9 (SP9), Hydra (HYD) and Vestigial Limb (VES)."
            ),
        ),
        (
            "evolve SP7 A1",
            "Speed 7 is not in your hand. You hold Filter Feeder 7, Speed 9, Hydra and Vestigial Limb.",
        ),
        (
            "create HYD 0 reef",
            (
                "Hydra is a Deep card. You can play it after the Cambrian Explosion, when zone 1 has been "
                "empty. Now play a Surface card."
            ),
        ),
        ("create SP9 7", "The place is how many of your species stand to its left: 0 to 2."),
        ("create SP9 0 reef", "Speed 9 costs nothing here: name no zone for it."),
        ("migrate SP9 z2 reef", "Zone 2 is empty: migrate from the Reef, zone 1 or zone 3."),
        (
            "migrate SP9 z1 z1",
            "Population migrates from one zone to another one: name two different zones.",
        ),
        (
            "cast SP9",
            (
                "You can discard a card for nothing only when every zone is empty. Migrate from the Reef, "
                "zone 1 or zone 3."
            ),
        ),
        ("drop A1 HYD", "A1 has no Hydra. It has Speed 7 and Inking 5."),
        ("done", "You still have one card to play: evolve a species or migrate."),
        (
            "forage A1 reef",
            "Not now: you are asked to play one card.",
        ),
        (
            "mutate A1 SP7 1",
            "A1 cannot exchange a trait now: that takes Rapid Mutation and an attack on it.",
        ),
        ("overflow reef", "Your overflow already goes to the Reef."),
        ("metabolism yes", "None of your species has Fast Metabolism."),
    ],
)
def test_refused_in_the_card_phase(text: str, reason: str) -> None:
    """In the card phase a refusal names the hindrance and what would do."""
    assert refusal_text(PLAYING_STATE, text) == reason


@pytest.mark.parametrize(
    ("gene_pool", "reason"),
    [
        (("VES", "TUS"), "The card on that pile cannot be put on your species: name the other pile."),
        (
            ("VES", "CTH"),
            "The Gene Pool has no card that your species can get: play on without an exchange.",
        ),
        (("VES", ""), "The Gene Pool has no card that your species can get: play on without an exchange."),
        (("", ""), "The Gene Pool has no card that your species can get: play on without an exchange."),
    ],
)
def test_refused_mutations(gene_pool: tuple[str, str], reason: str) -> None:
    """The other pile is named only if its card will do."""
    state = make_state("RAP 5", "SP7 4", hands=("SP9",), gene_pool=gene_pool)
    mutating_species = replace(state.position.rows[0][0], may_mutate=True)
    rows = ((mutating_species,), state.position.rows[1])
    state = replace(state, position=replace(state.position, rows=rows))
    assert refusal_text(state, "mutate A1 RAP 1") == reason


@pytest.mark.parametrize(
    ("state", "text", "advice"),
    [
        (
            make_state("1", "", hands=("SP5",), gene_pool=("TUS", ""), **active_scenario_setup("THE")),
            "evolve TUS A1 reef",
            "play another card.",
        ),
        (
            make_state("1", "", gene_pool=("TUS", ""), **active_scenario_setup("THE")),
            "evolve TUS A1 reef",
            "go on to feeding with `done`.",
        ),
        (
            make_state("1", "", hands=("HYD SP5",), zone_populations=(0, 0, 0, 0), cambrian_happened=True),
            "evolve HYD A1 reef",
            "discard it with `cast HYD`, or play another card.",
        ),
        (
            make_state("1", "", hands=("HYD SP5",), cambrian_happened=True),
            "evolve HYD A1 reef",
            "migrate with it, or play another card.",
        ),
    ],
    ids=["Gene Pool", "Gene Pool alone", "all zones empty", "hand"],
)
def test_refused_costs(state: State, text: str, advice: str) -> None:
    """Who cannot pay reads what else can be done with the card, if anything."""
    assert refusal_text(state, text).endswith(f" and your score pile holds 0: {advice}")


@pytest.mark.parametrize(
    "state",
    [
        make_state("PA7 4", "SP8 3", hands=("HYD",), score_piles=(5,), plays_left=0),
        make_state("SP7 4", "", hands=("HYD",), gene_pool=("TUS", ""), **active_scenario_setup("THE")),
    ],
)
def test_refused_deep_card_without_a_surface_card(state: State) -> None:
    """A hand of Deep cards before the Cambrian Explosion has played none, and has no other card to play."""
    assert refusal_text(state, "create HYD 0 reef") == (
        "Hydra is a Deep card. You can play it after the Cambrian Explosion, when zone 1 has been empty. "
        "Now go on to feeding with `done`."
    )


@pytest.mark.parametrize("text", ["overflow z1", "metabolism yes"])
def test_refused_standing_answers_without_a_species(text: str) -> None:
    """Standing answers are about species, so the refusal asks for one."""
    assert refusal_text(make_state("", "SP7 4", hands=("SP9",)), text) == (
        "Standing answers are about your species, and you have none: start one first."
    )


@pytest.mark.parametrize("text", ["overflow z1", "metabolism yes"])
def test_standing_answers_end_with_the_last_turn_of_others(text: str) -> None:
    """They may be given while another player's turn comes, and are refused in the game's last turn."""

    def make_answering_state(*, end_triggered: bool, first_player: int) -> State:
        state = make_state(
            "FAS SP7 4", "SP8 4", hands=("SP9",), end_triggered=end_triggered, first_player=first_player
        )
        return replace(state, position=replace(state.position, gave_answers_this_turn=False))

    for end_triggered, first_player in ((False, 0), (False, 1), (True, 0)):
        state = make_answering_state(end_triggered=end_triggered, first_player=first_player)
        assert text in legal_texts(state)
    last_turn_state = make_answering_state(end_triggered=True, first_player=1)
    assert text not in legal_texts(last_turn_state)
    assert refusal_text(last_turn_state, text) == (
        "This is the last turn of the game: no other player's turn comes after it."
    )


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (
            "evolve HYD A1 z1",
            "Hydra costs 4 and your score pile holds 3: migrate with it, or play another card.",
        ),
        ("evolve VES A1 z1", "Vestigial Limb goes on a species of another player, never on your own."),
        ("create VES 0 z1", "Vestigial Limb never starts a species: put it on one that is in play."),
        (
            "evolve VES B1",
            "Vestigial Limb costs 1. Say which zone gets it: reef, z1, z2 or z3.",
        ),
    ],
)
def test_refused_deep_cards(text: str, reason: str) -> None:
    """A Deep card that cannot be paid for or does not belong there is refused with what to do."""
    assert refusal_text(AFTER_CAMBRIAN_STATE, text) == reason


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (
            "attack A1 B1",
            (
                "A1 cannot attack B1: Schooling protects it while it holds 5 or more (it holds 6). "
                "Choose another target."
            ),
        ),
        (
            "attack A1 B2",
            (
                "A1 cannot attack B2: Transparent protects it while the Reef holds any population. "
                "Choose another target."
            ),
        ),
        (
            "attack A1 B3",
            "A1 cannot attack B3: Gentle Giant always protects it. Choose another target.",
        ),
        (
            "attack A1 C2",
            (
                "A1 cannot attack C2: Goethite Exoskeleton lets only Attack 9 or more through, and A1 has 2. "
                "Choose another target."
            ),
        ),
        (
            "attack A1 C4",
            (
                "A1 would take nothing from C4. Attack 2 takes at most 2 of 3 population, and Defence 6 "
                "saves them."
            ),
        ),
        ("attack A2 C3", "A2 never attacks (Filter Feeder). Let it forage, or feed another one."),
        ("attack A1 A1", "A species cannot attack itself: name another target than A1."),
        ("attack A3 C3", "A3 has no free space (10 of 10): feed another one."),
        ("attack A1 C3 WC6", "Name nothing that is ignored: `attack A1 C3`."),
        ("forage A1 z1", "A1 can forage in the Reef only."),
        ("forage A1 reef 1", "A1 takes all it can, 2 here: leave the number out."),
        ("forage C1 reef", "C1 is Chloé's: name one of your own species (A1, A2, A3)."),
        (
            "drop A1 SP7",
            "You can only remove traits in the card phase. Now feed a species, or pass with `skip`.",
        ),
    ],
)
def test_refused_feedings(text: str, reason: str) -> None:
    """A forage or attack that is not allowed is refused by the trait or number in its way."""
    assert refusal_text(FEEDING_STATE, text) == reason


@pytest.mark.parametrize(
    ("hand", "text", "reason"),
    [
        (
            "SP9 GIB IN7",
            "evolve IN7 A1",
            "A1 has no free trait slot (3 of 3). Speed 9 would fit, bringing a slot along.",
        ),
        (
            "GIB IN7",
            "evolve IN7 A1",
            "A1 has no free trait slot (3 of 3). Remove a trait with `drop` first, or start a new species.",
        ),
        (
            "CTH IN7",
            "evolve CTH A1 reef",
            "A1 has no free trait slot (3 of 3). Remove a trait with `drop` first, or choose another one.",
        ),
        ("HYD", "evolve HYD A1 reef", "Hydra costs 4 and your score pile holds 2: migrate with it."),
    ],
)
def test_refused_traits_without_a_slot(hand: str, text: str, reason: str) -> None:
    """What is named instead can be paid for, can start a species and is in hand."""
    state = make_state(
        "IN5 IN6 FF5 4 | 2", "SP8 3", hands=(hand,), score_piles=(2,), cambrian_happened=True, plays_left=1
    )
    assert refusal_text(state, text) == reason


def test_refused_trait_for_a_species_whose_traits_all_stay() -> None:
    """To remove a trait first is no advice where none can be removed."""
    setup = active_scenario_setup("SGP")
    state = make_state("CTH VES 3", "SP8 3", hands=("IN7 FF7",), cambrian_happened=True, **setup)
    assert refusal_text(state, "evolve IN7 A1") == (
        "A1 has no free trait slot (2 of 2). Start a new species."
    )


def test_refused_trait_that_no_species_can_get() -> None:
    """No other species is offered for a trait where all are full."""
    state = make_state(
        "IN5 IN6 FF5 4", "IN8 IN7 FF6 3", hands=("CTH",), score_piles=(9,), cambrian_happened=True
    )
    assert refusal_text(state, "evolve CTH B1 reef") == (
        "B1 has no free trait slot (3 of 3). No other species can get Cthulhu Leech: migrate with it."
    )
    assert refusal_text(state, "evolve CTH A1 reef").endswith(
        "Remove a trait with `drop` first, or migrate with it."
    )


def test_refused_second_feedings() -> None:
    """Once a species has fed, the refusal to another names it; a feeder that overpopulated is done."""
    state = act(
        make_feeding_state("FKR 3 | SP7 2", "AP7 8", zone_populations=(20, 9, 9, 9)), "forage A1 reef"
    )
    assert refusal_text(state, "forage A2 reef") == (
        "A1 is the species that feeds this turn: A2 cannot. Feed A1, or pass with `skip`."
    )
    nearly_full_state = make_feeding_state("TE6 AP5 9", "SP7 9", "SP8 4", zone_populations=(20, 9, 9, 9))
    after_overpopulation = play_line(act(nearly_full_state, "attack A1 C1"), "spill reef")
    assert after_overpopulation.position.to_act == 0
    assert "draw" in legal_texts(after_overpopulation), "a feeder that overpopulated is done"


def test_refused_feedings_beside_a_voracious_feeder() -> None:
    """Whichever of two species has fed or overpopulated, the refusal names the one that can still feed."""
    state = play_line(make_state("VOR 9 | 1", "9", hands=("BF5",)), "evolve BF5 A1; forage A1 reef; spill z1")
    assert refusal_text(state, "forage A1 reef") == (
        "A1 cannot feed any more in this feeding phase. Feed A2, or pass with `skip`."
    )
    state = play_line(make_state("VOR 1 | 1", "9", hands=("BF5",)), "evolve BF5 A1; forage A2 reef")
    assert refusal_text(state, "forage A2 reef") == "A2 has fed. Feed A1, or pass with `skip`."
    status = WORDS.status(view(state, Seat(0)), NAMES)
    assert status == "Ava, your turn: feed A1, or stop."


def test_refused_kind_of_further_feeding() -> None:
    """It names the other kind, however often that may follow."""
    state = act(make_feeding_state("FKR BUB 2", "9"), "attack A1 B1")
    assert refusal_text(state, "attack A1 B1") == "A1 may only forage now: name where, or pass with `skip`."


def test_refused_attacks_without_strength_or_prey() -> None:
    """Where Defence is not the reason, it is not named."""
    state = make_feeding_state("SWA 0 | 3", "5")
    assert refusal_text(state, "attack A1 B1") == (
        "A1 has Attack 0 now and would take nothing. Let it forage, or feed another one."
    )
    state = make_feeding_state("SWA ABY 0 | 3", "5")
    for text in ("attack A1 B1", "forage A1 reef"):
        assert refusal_text(state, text).endswith(" Feed another one."), "the other way brings nothing either"
    state = make_feeding_state("AP5 3", "EXT 0", **active_scenario_setup("AGG"))
    assert refusal_text(state, "attack A1 B1") == (
        "B1 holds no population and never dies out: pass with `skip`."
    )


@pytest.mark.parametrize("row", ["BUB AP5 4", "BUB FF5 AP5 4"])
def test_refused_attack_by_bubble_net(row: str) -> None:
    """What forbids foraging forbids the attack too, and no trait that forbids attacks is blamed."""
    assert refusal_text(make_feeding_state(f"{row} | 3", "4"), "attack A1 B1") == (
        "A1's Attack is its Forage (Bubble Net), and it never forages (Apex Predator). Feed another one."
    )


def test_refused_feedings_name_only_what_is_possible() -> None:
    """A refused feeding offers another way, target or species only if that can feed, else to pass."""
    state = make_feeding_state("SED SP7 4", "AP5 3")
    assert refusal_text(state, "forage A1 reef") == ("A1 never forages (Sedentary Colony). Pass with `skip`.")
    assert refusal_text(state, "attack A1 B1") == "A1 never attacks (Sedentary Colony). Pass with `skip`."
    state = make_feeding_state("AP5 10", "4")
    assert refusal_text(state, "attack A1 B1") == "A1 has no free space (10 of 10): pass with `skip`."
    state = make_feeding_state("AP5 4 | 3", "GEN 4 | 0", zone_populations=(0, 9, 9, 9))
    assert refusal_text(state, "forage A1 reef") == "A1 never forages (Apex Predator). Let it attack."
    state = make_feeding_state("AP5 4", "GEN 4 | 0")
    assert refusal_text(state, "forage A1 reef") == "A1 never forages (Apex Predator). Pass with `skip`."
    assert refusal_text(state, "attack A1 B2") == (
        "B2 holds no population, so there is nothing to take: pass with `skip`."
    )
    assert refusal_text(state, "attack A1 A1") == "A species cannot attack itself: pass with `skip`."


def test_refused_ignoring() -> None:
    """Where an attack needs a choice of what to ignore, the refusal shows how it is written."""
    state = make_feeding_state("ELE 6", "GEN 4", zone_populations=(9, 9, 9, 9))
    assert refusal_text(state, "attack A1 B1") == "Name what is ignored: `attack A1 B1 GEN`."


@pytest.mark.parametrize(
    ("attacker", "target", "text", "reason"),
    [
        (
            "ELE 0",
            "IN5 SC5 6",
            "attack A1 B1 IN5",
            "A1 cannot attack B1: Schooling protects it while it holds 5",
        ),
        ("ELE 0", "GEN SC5 6", "attack A1 B1 GEN", "A1 cannot attack B1: Schooling protects it"),
        ("ELE 0", "IN5 IN6 6", "attack A1 B1 IN6", ", and the Defence 4 that it does not ignore saves them."),
        ("FLI SP5 0", "IN5 SP6 6", "attack A1 B1", ", and the Defence 2 that it does not ignore saves them."),
        ("ADV 0", "IN5 6", "attack A1 B1 IN5", ", and Defence 4 saves it."),  # no Deep trait: ignores nothing
    ],
)
def test_refused_attack_that_ignores_traits(attacker: str, target: str, text: str, reason: str) -> None:
    """What the attacker ignores is not named as protection; what still stops it is."""
    assert reason in refusal_text(make_feeding_state(attacker, target), text)


def test_refused_attack_names_only_immunities_that_hold() -> None:
    """Flight does not keep off Speed, and Deep Transparent ignores Gentle Giant: neither is named."""
    state = make_feeding_state("SP7 6", "FLI GEN 4", zone_populations=(9, 9, 9, 9))
    assert refusal_text(state, "attack A1 B1") == (
        "A1 cannot attack B1: Gentle Giant always protects it. Let it forage."
    )
    state = make_feeding_state("TRA 3", "GEN SC5 6 | 4", zone_populations=(9, 9, 9, 9))
    assert refusal_text(state, "attack A1 B1") == (
        "A1 cannot attack B1: Schooling protects it while it holds 5 or more (it holds 6). "
        "Choose another target."
    )


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("take 3", "The Gene Pool has pile 1 and pile 2: name one of them."),
        ("discard HYD", "Hydra is a Deep card. You can only discard Surface cards."),
        ("discard SP8,HYD", "Hydra is a Deep card. You can only discard Surface cards."),
        ("discard SP8,SP8", "You hold Speed 8 only once."),
        ("discard ()", "Name the Surface cards that you discard, or end your turn with `draw`."),
        (
            "keep HYD TUS ZOO",
            "Not now: you are asked to take a Deep card, discard or end the turn.",
        ),
    ],
)
def test_refused_drawing(text: str, reason: str) -> None:
    """In the drawing phase a refusal says what there is to take or throw away."""
    assert refusal_text(DRAWING_STATE, text) == reason


def test_refused_deep_cards_when_none_is_left() -> None:
    """With an empty deck the Gene Pool is named only if it holds a card."""
    state = make_drawing_state("SP7 4", "", deep_deck="")
    for text in ("look", "take 1"):
        assert refusal_text(state, text) == (
            "The Gene Pool and the Deep deck are empty: end your turn with `draw`."
        )
    state = make_drawing_state("SP7 4", "", deep_deck="", gene_pool=("TUS", ""))
    assert "take a card of the Gene Pool" in refusal_text(state, "look")


def test_refused_second_deep_card() -> None:
    """A Deep card comes before discards and only once."""
    assert refusal_text(act(DRAWING_STATE, "discard SP8"), "look") == (
        "You can take one Deep card a turn, before you discard. End your turn with `draw`."
    )


def test_refused_answers() -> None:
    """A wrong answer is refused with the right ones; going on is, where an answer is due."""
    state = make_state(
        "PAR 3",
        "SP7 4 | SP8 5",
        step=Choosing(
            ChoiceKind.LEECH,
            (SpeciesBoard("B1"), SpeciesBoard("B2")),
            TraitCause(Card("PAR")),
            "A1",
        ),
    )
    assert refusal_text(state, "choose C1") == "Choose one of these: B1 or B2."
    assert refusal_text(state, "done") == "You have to choose: B1 or B2."


def test_refused_swap_without_partner() -> None:
    """A species whose neighbours have no traits swaps with nobody; another of the player's may."""
    state = make_state("IN5 3 | 2 | SP7 2", "SP8 2 | 1", step=Swapping(1))
    assert refusal_text(state, "swap A1 IN5 B1 SP8") == (
        "A1 has no trait to swap with a species beside it: name another species."
    )
    assert refusal_text(state, "swap A3 SP7 A1 IN5") == "A3 can swap with B1 only."
