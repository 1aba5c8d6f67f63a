"""The end: what triggers it, who still plays, the score."""

import pytest
from msgspec.structs import replace

from rules.model import ScoreLine, Seat
from rules.oceans.engine.turn import legal_actions
from rules.oceans.events import (
    CambrianExploded,
    EndTriggered,
    PopulationMoved,
    ScenarioActivated,
    ScenarioFired,
)
from rules.oceans.model import OceansOptions, ScenarioSet
from rules.oceans.places import Reserve, place_code
from rules.oceans.rules import State, returns, view
from tests.rules.oceans.positions import (
    act,
    just_moved_to,
    legal_texts,
    make_drawing_state,
    make_feeding_state,
    make_state,
    pass_to_end,
    play_line,
    population,
    population_without_supply,
)

GAIN_SCENARIOS = ("ABU", "FER")
"""Two Scenario cards that change nothing here but gains."""


def end_events(state: State) -> list[str]:
    """Return the marks of the end in the last action: the trigger, and the 60 coming in."""
    return [
        "reserve" if isinstance(event, PopulationMoved) else "trigger"
        for event in state.position.trail
        if isinstance(event, EndTriggered)
        or (isinstance(event, PopulationMoved) and event.source == Reserve())
    ]


# The trigger ----------------------------------------------------------------------------------------


def test_a_migration_triggers_the_end() -> None:
    """Phase 1: the last population leaves the Ocean, the 60 go into zone 3 at once, the turn goes on."""
    state = make_state(
        "SP5 3",
        "TE5 3",
        hands=["IN5 IN6"],
        zone_populations=(20, 0, 0, 5),
        plays_left=2,
        scenarios=GAIN_SCENARIOS,
        cambrian_happened=True,
    )
    state = act(state, "migrate IN5 z3 reef")
    assert end_events(state) == ["trigger", "reserve"]
    assert state.position.zone_populations == (25, 0, 0, 60)
    assert (state.position.end_triggered, state.position.reserve, state.position.plays_left) == (True, 0, 1)
    assert "migrate IN6 z3 z1" in legal_texts(state)


def test_an_effect_before_feeding_triggers_the_end() -> None:
    """Phase 2: Living Ecosystem moves the last of it to the Reef."""
    state = act(
        make_state("LIV 3", "TE5 3", zone_populations=(20, 0, 0, 2), plays_left=0, scenarios=GAIN_SCENARIOS),
        "done",
    )
    assert state.position.zone_populations == (22, 0, 0, 60)
    assert state.position.end_triggered
    assert "forage A1 reef" in legal_texts(state)


def test_a_feeding_triggers_the_end() -> None:
    """Phase 2: a gain takes exactly the last; the 60 are there before the next feeding."""
    state = act(
        make_feeding_state("FF5 TE5 0", "WC5 0", zone_populations=(20, 0, 0, 3), scenarios=("FER", "INA")),
        "forage A1 reef",
    )
    assert (population(state, "B1"), state.position.zone_populations) == (3, (15, 0, 0, 60))
    assert state.position.end_triggered
    assert just_moved_to(act(state, "forage A1 reef"), "B1") == 3


def test_a_gain_before_aging_triggers_the_end() -> None:
    """Between phases 2 and 3: Telomere Repair gains the last."""
    state = act(
        make_feeding_state("TEL 3", "TE5 3", zone_populations=(20, 0, 0, 2), scenarios=("FER", "INA")), "skip"
    )
    assert (population(state, "A1"), state.position.zone_populations) == (5, (20, 0, 0, 60))
    assert state.position.end_triggered


@pytest.mark.parametrize("zone_populations", [(0, 0, 0, 9), (0, 5, 0, 5), (0, 0, 5, 5)])
def test_the_end_needs_all_three_zones_dry(zone_populations: tuple[int, int, int, int]) -> None:
    """One zone that holds anything keeps the game going."""
    state = act(
        make_state(
            "SP5 3", "TE5 3", hands=["IN5"], zone_populations=zone_populations, scenarios=GAIN_SCENARIOS
        ),
        "migrate IN5 z3 reef",
    )
    assert not state.position.end_triggered
    assert state.position.reserve == 60


def test_an_overflow_does_not_prevent_the_end() -> None:
    """The gain takes the last population: the end comes although the overflow fills a zone again."""
    state = make_feeding_state(
        "TE5 FF5 0 | WC5 9", "TE6 3", zone_populations=(20, 0, 0, 1), scenarios=("FER", "INA")
    )
    state = act(state, "forage A1 reef")
    assert not state.position.end_triggered, "overpopulation comes first"
    assert act(state, "spill z2").position.zone_populations == (15, 0, 5, 60)
    assert act(state, "spill reef").position.end_triggered


def test_cambrian_and_scenarios_come_before_the_end() -> None:
    """Zone 1 is the last to be emptied: the explosion, its Scenario card, the end."""
    state = make_state(
        "SP5 5", "TE5 5", hands=["IN5 IN6"], zone_populations=(20, 5, 0, 0), scenarios=("AST", "INA")
    )
    state = act(state, "migrate IN5 z1 reef")
    kinds = [type(event) for event in state.position.trail]
    assert kinds.index(CambrianExploded) < kinds.index(ScenarioFired) < kinds.index(EndTriggered)
    assert (population(state, "A1"), population(state, "B1"), state.position.zone_populations) == (
        2,
        2,
        (31, 0, 0, 60),
    )
    assert state.position.plays_left == 1


# Gains when the Ocean is dry ------------------------------------------------------------------------


def test_the_ocean_runs_dry_during_a_gain() -> None:
    """One is there, three are due: the 60 come in at that moment, the gain goes on, the end is triggered."""
    state = act(
        make_feeding_state("FF5 TE5 0", "WC5 0", zone_populations=(20, 0, 0, 1), scenarios=("FER", "INA")),
        "forage A1 reef",
    )
    assert population(state, "B1") == 3
    assert state.position.zone_populations[3] == 58
    assert end_events(state) == ["trigger", "reserve"]


def test_overflow_after_the_reserve_changes_nothing() -> None:
    """Once the 60 have come in, an overflow that fills a zone again changes nothing."""
    state = act(
        make_feeding_state(
            "FF5 TE5 0 | WC5 8", "TE6 3", zone_populations=(20, 0, 0, 1), scenarios=("FER", "INA")
        ),
        "forage A1 reef",
    )
    assert state.position.end_triggered
    assert act(state, "spill z2").position.end_triggered


def test_a_gain_that_has_no_room_does_not_look_for_more() -> None:
    """Three are due, one fits, one is there: the reserve does not come in."""
    state = act(
        make_feeding_state(
            "FF5 TE5 0 | WC5 9", "TE6 3", zone_populations=(20, 0, 0, 1), scenarios=("FER", "INA")
        ),
        "forage A1 reef",
    )
    assert not state.position.end_triggered
    assert state.position.reserve == 60


def test_gains_come_from_the_supply_once_the_ocean_is_dry_again() -> None:
    """After the trigger, with the Ocean dry again, gains come from the supply; nothing is triggered twice."""
    state = make_feeding_state(
        "FF5 TE5 0", "WC5 0", zone_populations=(20, 0, 0, 1), scenarios=("FER", "INA"), end_triggered=True
    )
    total_before = population_without_supply(state)
    state = act(state, "forage A1 reef")
    assert (
        population(state, "B1"),
        state.position.zone_populations,
        state.position.population_from_supply,
    ) == (
        3,
        (15, 0, 0, 0),
        2,
    )
    assert end_events(state) == []
    state = act(state, "forage A1 reef")
    assert state.position.population_from_supply == 5
    assert population_without_supply(state) == total_before


def test_the_supply_does_not_fill_the_reef() -> None:
    """The supply pays gains only: with an empty Reef nobody forages."""
    assert "forage A1 reef" not in legal_texts(
        make_feeding_state("SP5 0", "TE5 3", zone_populations=(0, 0, 0, 0), end_triggered=True)
    )


def test_gains_are_paid_clockwise_when_water_runs_short() -> None:
    """The active player's species first: the last population of the set-up is theirs."""
    state = act(
        make_feeding_state(
            "WC5 0 | FF5 TE5 0", "WC6 0", zone_populations=(20, 0, 0, 3), scenarios=("FER", "INA")
        ),
        "forage A2 reef",
    )
    movements = [
        (place_code(event.source), place_code(event.target), event.count)
        for event in state.position.trail
        if isinstance(event, PopulationMoved)
    ]
    assert movements[1:] == [("z3", "A1", 3), ("reserve", "z3", 60), ("z3", "B1", 3)]


# The rest of the game -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first_player", "player", "seats_left"),
    [
        (0, 0, [0, 1, 2]),
        (0, 1, [1, 2]),
        (0, 2, [2]),
        (1, 2, [2, 0]),
        (1, 0, [0]),
        (1, 1, [1, 2, 0]),
        (2, 1, [1]),
        (2, 2, [2, 0, 1]),
    ],
)
def test_the_round_is_finished(first_player: int, player: int, seats_left: list[int]) -> None:
    """The seat without a bonus is always the last; if it triggers the end, nobody follows."""
    state = make_drawing_state(
        "SP5 9",
        "SP6 9",
        "SP7 9",
        first_player=first_player,
        player=player,
        end_triggered=True,
        scenarios=GAIN_SCENARIOS,
    )
    assert pass_to_end(state)[1] == seats_left


def test_the_trigger_does_not_wait_for_the_next_round() -> None:
    """Triggered by the last seat: its turn is finished, then all is over; nobody draws for nothing."""
    state = make_state(
        "SP5 9",
        "TE5 9",
        player=1,
        hands=["IN7", "IN5"],
        zone_populations=(20, 0, 0, 5),
        scenarios=GAIN_SCENARIOS,
        cambrian_happened=True,
    )
    state = play_line(state, "migrate IN5 z3 reef; skip")
    assert state.position.to_act is None
    assert state.position.revealed_score_piles == state.score_piles
    assert all(legal_actions(view(state, Seat(seat))) == () for seat in (0, 1))


def test_scenario_cards_act_after_the_trigger() -> None:
    """Scenario cards go on after the end was triggered: on, off and firing again."""
    state = make_state(
        "SP5 9",
        "TE5 9",
        hands=["IN5 IN6"],
        zone_populations=(9, 0, 0, 60),
        scenarios=("INA", "AST"),
        end_triggered=True,
        plays_left=2,
    )
    state = act(state, "migrate IN5 reef z2")
    assert population(state, "B1") == 9
    state = act(state, "migrate IN6 z2 z3")
    assert ScenarioFired("AST") in state.position.trail
    assert population(state, "B1") == 6
    assert act(state, "skip").score_piles[0] == 2  # INA is active
    gain_state = make_state(
        "SP5 9",
        "TE5 9",
        hands=["IN5 IN6"],
        zone_populations=(9, 5, 0, 55),
        scenarios=GAIN_SCENARIOS,
        end_triggered=True,
        cambrian_happened=True,
    )
    assert ScenarioActivated("ABU") in act(gain_state, "migrate IN5 z1 z3").position.trail
    assert end_events(act(gain_state, "migrate IN5 z1 z3")) == []


def test_an_ocean_dry_again_triggers_nothing() -> None:
    """No second reserve, no second trigger; the game ends where it was to end."""
    state = make_state(
        "SP5 9",
        "TE5 9",
        hands=["IN5", ""],
        zone_populations=(9, 0, 0, 5),
        scenarios=GAIN_SCENARIOS,
        end_triggered=True,
    )
    state = act(state, "migrate IN5 z3 reef")
    assert state.position.zone_populations == (14, 0, 0, 0)
    assert end_events(state) == []
    assert pass_to_end(state)[1] == [0, 1]


@pytest.mark.parametrize(("round_number", "is_over"), [(9, False), (10, True)])
def test_the_game_ends_after_its_last_round(round_number: int, *, is_over: bool) -> None:
    """After its last round the game is over, with water left and the reserve untouched."""
    options = OceansOptions(scenarios=ScenarioSet.PROMO, round_cap=10)
    state = make_drawing_state("SP5 9", "TE5 9", player=1, round=round_number, options=options, hands=["IN5"])
    state = play_line(state, "draw")
    assert (state.position.to_act is None) == is_over
    assert (state.position.zone_populations, state.position.reserve) == ((20, 20, 20, 20), 60)


def test_the_cap_lets_the_round_be_finished() -> None:
    """In its last round everybody has a turn."""
    options = OceansOptions(scenarios=ScenarioSet.PROMO, round_cap=10)
    state = make_drawing_state("SP5 9", "TE5 9", "SP6 9", first_player=1, player=1, round=10, options=options)
    assert pass_to_end(state)[1] == [1, 2, 0]


# The score ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seat_count", "bonuses"),
    [
        (2, (4, 0)),
        (3, (6, 4, 0)),
        (4, (7, 6, 4, 0)),
        (5, (8, 7, 6, 4, 0)),
        (6, (9, 8, 7, 6, 4, 0)),
    ],
)
def test_bonus_points_follow_the_order_of_turns(seat_count: int, bonuses: tuple[int, ...]) -> None:
    """By the place in the order of turns, wherever the first player sits."""
    for first in range(seat_count):
        state = make_drawing_state(
            *("",) * seat_count, first_player=first, player=(first - 1) % seat_count, end_triggered=True
        )
        score_by_seat = {
            int(standing.seat): standing.score for standing in returns(pass_to_end(state)[0]).standings
        }
        assert [score_by_seat[(first + place) % seat_count] for place in range(seat_count)] == list(bonuses)


def test_the_score_is_pile_boards_and_bonus() -> None:
    """Behind the shield, on the boards, and the bonus; hands and water count nothing."""
    state = make_drawing_state(
        "SP5 9 | SP6 3", "TE5 9", player=1, end_triggered=True, score_piles=(11, 20), hands=["IN5 IN6"]
    )
    first, second = returns(pass_to_end(state)[0]).standings
    assert (first.seat, first.score, [part.points for part in first.lines]) == (1, 29, [20, 9, 0])
    assert (second.seat, second.score, [part.points for part in second.lines]) == (0, 27, [11, 12, 4])


def final_ranks(*rows: str, score_piles: tuple[int, ...]) -> list[tuple[int, int]]:
    """Return seats and ranks of a game that ends in this state."""
    state, _ = pass_to_end(
        make_drawing_state(*rows, player=len(rows) - 1, end_triggered=True, score_piles=score_piles)
    )
    return [(standing.seat, standing.rank) for standing in returns(state).standings]


def test_a_tie_goes_to_the_most_traits() -> None:
    """Trait cards on all own species, Surface and Deep; population and the bonus make no difference then."""
    assert final_ranks("SP5 3", "TE5 BLU 3 | BF5 4", score_piles=(10, 10)) == [(1, 1), (0, 2)]
    assert final_ranks("SP5 3 | IN5 IN6 IN7 0", "TE5 BLU 3 | BF5 4", score_piles=(10, 10)) == [(0, 1), (1, 2)]


def test_a_tie_break_is_a_line_of_the_score() -> None:
    """Seats with the same score show how many traits they have; others do not, and the sum stays."""
    rows, score_piles = ("SP5 3", "TE5 BLU 3 | BF5 4", "0"), (9, 9, 0)
    state, _ = pass_to_end(make_drawing_state(*rows, player=2, end_triggered=True, score_piles=score_piles))
    standings = returns(state).standings
    assert [(each.seat, each.score, each.tie_break) for each in standings] == [
        (1, 20, None),
        (0, 18, None),
        (2, 0, None),
    ]
    state, _ = pass_to_end(make_drawing_state(*rows, player=2, end_triggered=True, score_piles=(11, 9, 0)))
    standings = returns(state).standings
    assert [(each.seat, each.score, each.tie_break) for each in standings] == [
        (1, 20, ScoreLine("traits in play", 3)),
        (0, 20, ScoreLine("traits in play", 1)),
        (2, 0, None),
    ]


def test_equal_points_and_traits_share_the_rank() -> None:
    """With equal points and equally many traits both win, and the next seat is third."""
    assert final_ranks("SP5 3", "TE5 5", "0", score_piles=(11, 11, 0)) == [(0, 1), (1, 1), (2, 3)]


def test_more_points_beat_more_traits() -> None:
    """More traits decide ties only."""
    assert final_ranks("SP5 SP6 SP7 SP8 3", "TE5 8", score_piles=(10, 10)) == [(1, 1), (0, 2)]


def test_piles_stay_hidden_until_the_end() -> None:
    """Only then are they part of the table."""
    state = make_drawing_state("SP5 9", "TE5 9", player=1, end_triggered=True, score_piles=(11, 20))
    assert view(state, None).position.revealed_score_piles == ()
    assert view(pass_to_end(state)[0], None).position.revealed_score_piles == (11, 20)
    assert view(replace(state, score_piles=(0, 0)), None) == view(state, None)
