"""Deep traits about cards: exchanges with the Gene Pool, further cards."""

import pytest

from rules.model import Seat
from rules.oceans import OCEANS
from rules.oceans.rules import State, view
from tests.rules.oceans.positions import (
    NAMES,
    act,
    legal_texts,
    make_feeding_state,
    make_state,
    play_line,
    traits,
)

# Rapid Mutation -----------------------------------------------------------------------------------


def attack_b1(prey: str, *, gene_pool: tuple[str, str] = ("GRA", "TUS"), hand: str = "IN5 IN6") -> State:
    """Attack B1 with seat A; then seat B is to play cards."""
    state = make_feeding_state(
        "APX 1", prey, gene_pool=gene_pool, hands=("", hand), cambrian_happened=True, score_piles=(0, 2)
    )
    return play_line(state, "attack A1 B1; draw")


def test_rapid_mutation_exchanges_in_its_owners_next_card_phase() -> None:
    """A Deep trait, itself too, for either top card of the Gene Pool; free, and no card played."""
    state = attack_b1("RAP SHC SP5 9")
    assert legal_texts(state, "mutate") == (
        "mutate B1 RAP 1",
        "mutate B1 RAP 2",
        "mutate B1 SHC 1",
        "mutate B1 SHC 2",
    )
    state = act(state, "mutate B1 SHC 2")
    assert traits(state, "B1") == ("RAP", "SP5", "TUS")
    assert state.position.gene_pool == (("GRA",), ("SHC",))
    assert (state.position.plays_left, state.score_piles[1]) == (2, 2)
    assert not legal_texts(state, "mutate")  # once


def test_rapid_mutation_can_exchange_itself() -> None:
    """It may be the trait that goes."""
    state = act(attack_b1("RAP 9"), "mutate B1 RAP 1")
    assert traits(state, "B1") == ("GRA",)
    assert state.position.gene_pool[0] == ("RAP",)


def pass_turn(state: State) -> State:
    """Pass the turn without any evolution or feeding."""
    seat = state.position.current_player
    while state.position.current_player == seat:
        text_by_verb = {text.split()[0]: text for text in legal_texts(state)}
        state = play_line(
            state,
            next(text_by_verb[verb] for verb in ("migrate", "done", "skip", "draw") if verb in text_by_verb),
        )
    return state


def test_rapid_mutation_lasts_to_the_end_of_the_phase_and_no_longer() -> None:
    """After the last card the exchange is still offered; in the turn after it is not."""
    state = attack_b1("RAP 9", hand="IN5")
    assert legal_texts(play_line(state, "migrate IN5 z2 z3"), "mutate")
    state = pass_turn(pass_turn(state))
    assert state.position.current_player == 1
    assert legal_texts(state, "migrate")
    assert not legal_texts(state, "mutate")


def test_the_status_names_the_exchange_of_rapid_mutation() -> None:
    """After the last card it is offered beside removals."""
    state = play_line(attack_b1("RAP 9", hand="IN5"), "migrate IN5 z2 z3")
    assert OCEANS.words.status(view(state, Seat(1)), NAMES) == (
        "Ben, your turn: feed a species, exchange a Deep trait or remove traits."
    )


@pytest.mark.parametrize(
    ("prey", "action"),
    [
        ("RAP 9 | 5", "attack A1 B2"),  # another species was attacked
        ("RAP 9", "skip"),
    ],
)
def test_rapid_mutation_needs_an_attack_on_it(prey: str, action: str) -> None:
    """Without an attack on it there is nothing to exchange."""
    state = make_feeding_state(
        "APX 4", prey, gene_pool=("GRA", "TUS"), hands=("", "IN5"), cambrian_happened=True
    )
    assert not legal_texts(play_line(state, f"{action}; draw"), "mutate")


def test_rapid_mutation_gets_no_card_for_other_species() -> None:
    """Cthulhu Leech and Vestigial Limb are put on species in other ways."""
    state = attack_b1("RAP 9", gene_pool=("CTH", "VES"))
    assert not legal_texts(state, "mutate")
    assert legal_texts(attack_b1("RAP 9", gene_pool=("CTH", "GRA")), "mutate") == ("mutate B1 RAP 2",)


def test_rapid_mutation_keeps_to_the_slots() -> None:
    """An exchange that takes a slot away costs a trait."""
    state = act(attack_b1("RAP LUM BF5 BF6 9"), "mutate B1 LUM 1")
    assert set(legal_texts(state)) == {f"drop B1 {card}" for card in ("RAP", "BF5", "BF6", "GRA")}


# Vestigial Limb -----------------------------------------------------------------------------------


def make_vestigial_limb_state(*rows: str, hand: str = "VES IN5", score: int = 1) -> State:
    """Return a state with Vestigial Limb in seat A's hand after the Cambrian Explosion."""
    return make_state(*rows, hands=(hand,), cambrian_happened=True, score_piles=(score,))


def test_vestigial_limb_goes_on_an_opponents_species() -> None:
    """It costs 1, fills a slot, and its player plays one more card than otherwise."""
    state = make_vestigial_limb_state("BF5 1", "SY5 1 | IN6 IN7 IN8 1")
    assert {text.split()[2] for text in legal_texts(state, "evolve") if "VES" in text} == {"B1"}
    assert not [text for text in legal_texts(state, "create") if "VES" in text]
    state = act(state, "evolve VES B1 z3")
    assert (traits(state, "B1"), state.score_piles[0]) == (("SY5", "VES"), 0)
    assert state.position.plays_left == 1
    state = act(state, "migrate IN5 reef z1")
    assert state.position.plays_left == 0


def test_vestigial_limb_needs_its_cost_and_a_card_more() -> None:
    """Without population in the score pile it can only migrate; without another card nothing follows."""
    state = make_vestigial_limb_state("BF5 1", "SY5 1", score=0)
    assert not [text for text in legal_texts(state, "evolve") if "VES" in text]
    assert [text for text in legal_texts(state, "migrate") if "VES" in text]
    state = act(make_vestigial_limb_state("BF5 1", "SY5 1", hand="VES"), "evolve VES B1 reef")
    assert legal_texts(state, "forage")
    assert (
        act(make_vestigial_limb_state("BF5 1", "SY5 1"), "migrate VES z1 z2").position.plays_left == 0
    )  # no limb, no further card


def test_vestigial_limb_stays() -> None:
    """Its owner cannot remove it: over the limit another trait goes."""
    state = make_state("VES SY5 1", "1", hands=("IN5",))
    assert legal_texts(state, "drop") == ("drop A1 SY5",)
    state = make_state(
        "1", "SY5 IN5 VES 1", hands=("BF5",), zone_populations=(20, 3, 20, 20), scenarios=("SGP", "INB")
    )
    assert traits(act(state, "migrate BF5 z1 z2"), "B1") == ("SY5", "VES")
