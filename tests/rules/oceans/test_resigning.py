"""A player resigns and nobody takes the seat: what stays, who plays on, who wins."""

import pytest
from msgspec.structs import replace

from rules.model import Seat
from rules.oceans.actions import ShowDeep
from rules.oceans.causes import RuleCause
from rules.oceans.engine.ring import neighbours
from rules.oceans.events import PopulationMoved
from rules.oceans.rules import State, resign, returns
from rules.oceans.steps import Feeding
from tests.rules.oceans.positions import (
    act,
    apply_chance,
    just_moved_to,
    legal_texts,
    make_drawing_state,
    make_feeding_state,
    make_state,
    parse_cards,
    pass_to_end,
    play_line,
    population,
    population_without_supply,
    resolve_chance,
)


def resign_seat(state: State, seat: int) -> State:
    """Resign for a seat; all population must still be there."""
    after = resign(state, Seat(seat))
    assert after is not None
    assert population_without_supply(after) == population_without_supply(state)
    return after


# What happens to the pieces -------------------------------------------------------------------------


def test_everything_leaves_the_seat() -> None:
    """Population to the Reef, traits and Surface cards to the discard pile, Deep cards out of the game."""
    state = make_feeding_state(
        "SP5 3", "IN5 MEG 4 | TE5 2", "BF5 3", hands=["", "AP5 HAR", ""], score_piles=(1, 8, 3)
    )
    state = resign_seat(state, 1)
    position = state.position
    assert position.zone_populations == (26, 20, 20, 20)
    assert position.rows[1] == ()
    assert position.discard_pile == ("AP5", "IN5", "TE5")
    assert position.out_of_game == ("HAR", "MEG")
    assert (state.hands[1], position.surface_hand_sizes[1], position.deep_hand_sizes[1]) == ((), 0, 0)
    causes = [event.cause for event in position.trail if isinstance(event, PopulationMoved)]
    assert causes == [RuleCause.RESIGNATION, RuleCause.RESIGNATION]


def test_the_score_pile_stays_with_its_player() -> None:
    """It counts for the player who resigned, and for nobody else; that player is last all the same."""
    state = resign_seat(
        make_drawing_state("SP5 9", "TE5 9", "IN5 9", player=2, end_triggered=True, score_piles=(3, 50, 0)), 1
    )
    assert state.position.zone_populations == (29, 20, 20, 20)
    standings = returns(pass_to_end(state)[0]).standings
    assert [(each.seat, each.rank, each.score) for each in standings] == [(0, 1, 18), (2, 2, 9), (1, 3, 50)]


def test_the_ring_closes() -> None:
    """Those who stood beside the species that left stand beside each other, at once."""
    state = resign_seat(make_feeding_state("SP5 0", "TE5 3", "IN5 3", "BF5 3"), 1)
    left, right = neighbours(state.position, "A1")
    assert left is not None
    assert right is not None
    assert (left.key, right.key) == ("C1", "D1")


def test_a_neighbour_of_the_one_who_left_is_leeched() -> None:
    """The parasite's left neighbour is another one now."""
    state = resign_seat(make_state("PA5 0", "TE5 3", "BF5 3", plays_left=0), 1)
    assert population(act(state, "done"), "A1") == 2
    assert population(act(state, "done"), "C1") == 1


def test_seen_cards_are_forgotten() -> None:
    """What everybody saw go to that hand lies elsewhere now."""
    state = resolve_chance(
        act(make_drawing_state("SP5 3", "TE5 3", "IN5 3", gene_pool=("MEG", "TUS")), "take 1")
    )
    state = resign_seat(state, 0)
    assert state.position.known_cards == ((), (), ())
    assert state.position.out_of_game == ("MEG",)


# The table in progress ------------------------------------------------------------------------------


def test_in_the_own_turn_the_next_seat_begins() -> None:
    """Nothing of the turn is left: no feeding, no Aging, no draw."""
    state = resign_seat(
        make_feeding_state("SP5 3", "TE5 3", "IN5 3", hands=["", "BF5", "BF6"], score_piles=(2, 2, 2)), 0
    )
    assert (state.position.to_act, state.position.round, state.position.plays_left) == (1, 3, 1)
    assert state.score_piles[0] == 2
    assert state.position.zone_populations[0] == 23


@pytest.mark.parametrize(
    "asking_state",
    [
        make_state("SP5 3", "TE5 3", "IN5 3", hands=["BF7", "BF5"]),
        act(make_feeding_state("TE6 FF5 3", "TE5 3", "IN5 3", hands=["BF7", "BF5"]), "forage A1 reef"),
        act(make_feeding_state("SP5 9", "TE5 3", "IN5 3", hands=["BF7", "BF5"]), "forage A1 reef"),
        make_drawing_state("SP5 3", "TE5 3", "IN5 3", hands=["BF7", "BF5"]),
        act(make_drawing_state("SP5 3", "TE5 3", "IN5 3", hands=["BF7 BF8", "BF5"]), "discard BF7"),
        act(
            make_state("ATA SP5 SP6 SP7 SP8 3 | AP5 3", "TE5 3", "IN5 3", hands=["BF7", "BF5"]), "drop A1 ATA"
        ),
    ],
    ids=["cards", "feeding", "overflow", "drawing", "discarding", "trimming"],
)
def test_a_question_to_the_seat_that_resigns_is_dropped(asking_state: State) -> None:
    """Whatever it is asked, the next seat is asked for a card instead."""
    state = resign_seat(asking_state, 0)
    assert state.position.to_act == 1
    assert "migrate BF5 z1 z2" in legal_texts(state)
    assert state.position.rows[0] == ()


def test_deep_cards_looked_at_leave_the_game() -> None:
    """The Gene Pool stays as it was."""
    state = make_drawing_state("SP5 3", "TE5 3", "IN5 3", gene_pool=("MEG", "TUS"), hands=["", "BF5"])
    deep_deck_size_before = state.position.deep_deck_size
    state = act(state, "look")
    state = resign_seat(apply_chance(state, ShowDeep(Seat(0), parse_cards("BLU GRA HAR"))), 0)
    assert (state.looked_at, state.position.deep_deck_size) == ((), deep_deck_size_before - 3)
    assert set(state.position.out_of_game) == {"BLU", "GRA", "HAR"}
    assert state.position.gene_pool == (("MEG",), ("TUS",))
    assert state.position.to_act == 1


def test_in_anothers_turn_that_turn_goes_on() -> None:
    """The one on turn is asked the same question; the species that left are no prey any more."""
    state = make_feeding_state("SP5 TE6 0", "TE5 3", "BF5 5", zone_populations=(0, 20, 20, 20))
    assert "attack A1 B1" in legal_texts(state)
    state = resign_seat(state, 1)
    assert isinstance(state.position.agenda[-1], Feeding)
    assert legal_texts(state) == ("forage A1 reef", "attack A1 C1", "skip")
    assert state.position.zone_populations[0] == 3
    assert just_moved_to(act(state, "forage A1 reef"), "A1", "forage") == 2


def test_a_feeding_is_over_if_its_last_prey_leaves() -> None:
    """Nothing can be fed any more, so nobody is asked about it."""
    state = act(make_feeding_state("AP5 TE6 2", "TE5 5", "IN5 0", score_piles=(1,)), "attack A1 B1")
    assert "attack A1 B1" in legal_texts(state)
    state = resign_seat(state, 1)
    assert {"draw", "look"} <= {*legal_texts(state)}
    assert state.score_piles[0] == 2


def test_prey_is_chosen_again_among_the_neighbours_left() -> None:
    """The prey is asked for again, among the present neighbours; a single one is not asked about."""
    state = act(make_state("PAR 0 | SP5 3", "TE5 3", "IN5 3", "BF5 5", plays_left=0), "done")
    assert {*legal_texts(state)} == {"choose A2", "choose B1"}
    state = resign_seat(state, 1)
    assert {*legal_texts(state)} == {"choose A2", "choose C1"}
    single_prey_state = resign_seat(act(make_state("PAR 0", "TE5 3", "IN5 3", plays_left=0), "done"), 1)
    assert isinstance(single_prey_state.position.agenda[-1], Feeding)
    assert (population(single_prey_state, "A1"), population(single_prey_state, "C1")) == (2, 1)


def test_the_strongest_of_those_who_stay_are_chosen_from() -> None:
    """Chitin-Plated Maw has others to choose from: those with the highest Attack that is left."""
    state = act(make_state("CHI 0", "AP5 5", "AP6 5", "SP5 5", plays_left=0), "done")
    assert {*legal_texts(state)} == {"choose B1", "choose C1"}
    state = resign_seat(resign_seat(state, 3), 1)
    assert (population(state, "A1"), population(state, "C1")) == (4, 1)


def test_hydra_bites_among_those_who_stay() -> None:
    """The question goes on without the species that left; what the attack sets off follows all the same."""
    state = act(make_feeding_state("HYD 0", "TE5 5 | BF5 3", "TE6 3", "TE7 3"), "attack A1 B1")
    assert {*legal_texts(state)} == {"choose B1", "choose B2", "choose C1", "choose D1", "done"}
    state = resign_seat(state, 2)
    assert {*legal_texts(state)} == {"choose B1", "choose B2", "choose D1", "done"}
    after = act(state, "done")
    assert just_moved_to(after, "B2", "BF5") == 2
    after_both = resign_seat(state, 1)
    assert {*legal_texts(after_both)} == {"choose D1", "done"}
    assert population(act(after_both, "done"), "A1") == 4 - 1


def test_nobody_scores_by_the_cthulhu_leech_of_a_seat_that_left() -> None:
    """The species ages as if the trait were not there."""
    state = make_feeding_state("CTH 5", "TE5 5", "BF5 5")
    state = replace(state, position=replace(state.position, cthulhu_seat=Seat(1)))
    assert just_moved_to(act(state, "skip"), "B") == 2
    after = act(resign_seat(state, 1), "skip")
    assert (just_moved_to(after, "B"), just_moved_to(after, "A"), population(after, "A1")) == (
        0,
        1,
        4,
    )


def test_turns_come_round_without_the_seat_that_left() -> None:
    """The seat is passed over, in this round and in the next ones."""
    state = resign_seat(make_drawing_state("SP5 9", "TE5 9", "IN5 9", hands=["", "BF5", "BF6"]), 1)
    state = play_line(state, "draw")
    assert (state.position.to_act, state.position.round) == (2, 3)
    state = play_line(state, "migrate BF6 z1 z2; skip; draw")
    assert (state.position.to_act, state.position.round) == (0, 4)


def test_rounds_go_on_without_the_first_player() -> None:
    """After the last seat comes the first one that still plays, a round later."""
    state = resign_seat(
        make_drawing_state("SP5 9", "TE5 9", "IN5 9", hands=["BF7", "BF5", "BF6"], player=2), 0
    )
    state = play_line(state, "draw")
    assert (state.position.to_act, state.position.round) == (1, 4)


# The end --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("player", "leaving_seat", "later_turn_seats"),
    [(0, 2, [0, 1]), (1, 2, []), (2, 2, []), (0, 1, [0, 2]), (2, 0, []), (1, 1, [2]), (0, 0, [1, 2])],
)
def test_the_last_round_passes_over_a_seat_that_left(
    player: int, leaving_seat: int, later_turn_seats: list[int]
) -> None:
    """The last seat gone, the one before it ends the game, without drawing; others are passed over."""
    state = resign_seat(
        make_drawing_state("SP5 9", "TE5 9", "IN5 9", player=player, end_triggered=True), leaving_seat
    )
    assert pass_to_end(state)[1] == later_turn_seats


def test_the_last_seat_of_a_round_ends_it_by_leaving() -> None:
    """A seat that leaves as the last one of a round ends the round."""
    state = make_drawing_state("SP5 9", "TE5 9", "IN5 9", player=2, round=60)
    assert resolve_chance(resign_seat(state, 2)).position.to_act is None


@pytest.mark.parametrize("leaving_seat", [0, 1])
def test_the_only_seat_that_stays_wins(leaving_seat: int) -> None:
    """With one player left the game is over at once, whatever the points and whoever's turn it is."""
    state = resign_seat(make_feeding_state("SP5 3", "TE5 3", score_piles=(30, 30)), leaving_seat)
    state = resolve_chance(state)
    assert state.position.to_act is None
    standings = returns(state).standings
    assert [(each.seat, each.rank) for each in standings] == [(1 - leaving_seat, 1), (leaving_seat, 2)]


def test_five_of_six_may_leave_one_after_the_other() -> None:
    """Five leave, on turn or not; the sixth wins."""
    state = make_feeding_state("SP5 3", "TE5 3", "IN5 3", "BF5 3", "AP5 3", "PA5 3")
    for seat in (3, 0, 5, 1):
        state = resolve_chance(resign_seat(state, seat))
        assert state.position.to_act is not None
    state = resolve_chance(resign_seat(state, 4))
    assert state.position.to_act is None
    assert returns(state).standings[0].seat == 2
