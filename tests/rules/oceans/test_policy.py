"""The policy of Oceans in positions where the sensible choice is plain."""

import random

import pytest

from rules.match import Match
from rules.model import Action, Seat
from rules.oceans import OCEANS, policy
from rules.oceans.actions import Migrate
from rules.oceans.engine.turn import Transition
from rules.oceans.rules import State
from rules.oceans.steps import Drawing, Feeding
from rules.players import CASUAL_PLAYER
from rules.random_stream import RandomStream
from tests.rules.oceans.positions import NOTATION, make_state
from tests.trials import cases


def choose(state: State, seed: int = 1) -> Action:
    """Return what the seat to act chooses."""
    view = OCEANS.view(state, state.position.to_act)
    return OCEANS.policy(view, OCEANS.legal_actions(view), RandomStream(bytes([seed]) * 32))


@pytest.mark.parametrize(
    ("row", "wanted_text"),
    [
        ("FF5 3 | SP7 3", "forage A1 reef"),
        ("SP7 3 | SP8 0", "forage A2 reef"),
        ("SP7 8 | SP8 3", "forage A2 reef"),
    ],
    ids=["most food", "a species that would die out", "no overpopulation"],
)
def test_feeds_the_species_that_gets_the_most(row: str, wanted_text: str) -> None:
    """The species that gets the most out of it feeds, and none dies out or overpopulates for nothing."""
    state = make_state(row, "IN5 4", step=Feeding())

    assert choose(state) == NOTATION.parse(wanted_text)


@pytest.mark.parametrize(
    ("row", "rival_row", "reef_population", "wanted_text"),
    [
        ("FF7 SC9 TE8 2", "PA7 4 | SY9 SY7 2", 5, "forage A1 reef"),
        ("SP7 FF11 1", "TE10 SC8 1", 12, "forage A1 reef"),
        ("AP5 2 | TE8 AP7 2", "FF10 5 | WC7 0", 0, "attack A2 B1"),
    ],
    ids=["empties the Reef", "fills the board", "weakens the only target"],
)
def test_eats_what_it_would_not_find_on_every_later_turn(
    row: str, rival_row: str, reef_population: int, wanted_text: str
) -> None:
    """No food is saved up as if each later turn found it again, nor room for it."""
    state = make_state(row, rival_row, step=Feeding(), zone_populations=(reef_population, 15, 25, 40))

    assert choose(state) == NOTATION.parse(wanted_text)


def test_attacks_the_species_that_saves_nothing() -> None:
    """A species that takes more by an attack attacks the one that cannot save its population."""
    state = make_state("AP5 3 | IN5 3", "IN7 5 | TE5 6", step=Feeding())

    assert choose(state) == NOTATION.parse("attack A1 B2")


def test_sets_off_own_gains() -> None:
    """Of two feedings that take the same, the one that sets off an own gain is chosen."""
    state = make_state("SP7 3 | SP8 3 | SY5 3", "IN6 3", step=Feeding())

    assert choose(state) == NOTATION.parse("forage A2 reef")


def test_lets_no_own_species_die_for_nothing() -> None:
    """No species attacks an own one that would survive without it."""
    state = make_state(
        "SP7 3 | TE5 2", "IN7 TR8 0", step=Feeding(), zone_populations=(0, 5, 5, 5), cambrian_happened=True
    )

    assert choose(state) == NOTATION.parse("skip")


@pytest.mark.parametrize(
    ("row", "deep_card", "reef_population"),
    [("SP7 TE8 1 | WC8 1", "END", 2), ("SP7 TE8 2 | WC8 0", "GIC", 0)],
    ids=["evolve", "start"],
)
def test_pays_for_no_trait_of_a_dying_species(row: str, deep_card: str, reef_population: int) -> None:
    """Nobody pays for a Deep trait on a species that then finds too little in the Reef to survive."""
    state = make_state(
        row,
        "SP8 3",
        hands=[f"{deep_card} IN6"],
        score_piles=[12, 0],
        zone_populations=(reef_population, 10, 10, 10),
        cambrian_happened=True,
    )

    assert isinstance(choose(state), Migrate)


@pytest.mark.parametrize(("seat_count", "turn_count"), [(2, 5), (4, 3), (6, 2)])
def test_plays_fewer_turns_to_their_end_with_more_seats(
    monkeypatch: pytest.MonkeyPatch, seat_count: int, turn_count: int
) -> None:
    """With more seats a turn takes longer to play, so that the rest of fewer turns is played."""
    ends: list[Transition] = []

    def record_end(transition: Transition, seat: Seat) -> Transition:
        ends.append(transition)
        return transition

    monkeypatch.setattr(policy, "play_rest_of_turn", record_end)
    other_rows = ["3"] * (seat_count - 1)
    choose(make_state("SP7 3 | SP8 3", *other_rows, hands=["FF5 IN7 SC8 AP5"]))

    assert len(ends) == turn_count


def test_starts_a_species_where_it_has_none() -> None:
    """Somebody without species starts one instead of migrating."""
    state = make_state("", "SP7 3", hands=["FF5 IN7 SC8"])

    assert choose(state) == NOTATION.parse("create FF5 0")


@pytest.mark.parametrize(
    ("score", "cambrian_happened", "takes_deep_card"),
    [(10, True, True), (10, False, False), (0, True, False)],
    ids=["can be played and paid", "cannot be played yet", "cannot be paid"],
)
def test_takes_a_deep_card_only_if_it_can_be_played(
    score: int, *, cambrian_happened: bool, takes_deep_card: bool
) -> None:
    """A Deep card is taken only if it can be played and paid for."""
    state = make_state(
        "SP7 3",
        "SP8 3",
        step=Drawing(),
        score_piles=[score, 0],
        cambrian_happened=cambrian_happened,
        gene_pool=("HYD", "TIN"),
    )

    assert (choose(state) != NOTATION.parse("draw")) == takes_deep_card


@pytest.mark.parametrize("seat_count", cases([2, 4], 2))
def test_games_end_by_themselves(seat_count: int) -> None:
    """Casual players empty the Ocean long before the cap on rounds."""
    match, rng = Match.begin(OCEANS, seat_count, OCEANS.options_type(), bytes(32)), random.Random(seat_count)
    while (seat := match.to_act) is not None:
        match = match.play(seat, CASUAL_PLAYER.choose(OCEANS, match.view(seat), rng))

    assert match.state.position.end_triggered
    assert match.state.position.round < 40


def test_equal_streams_choose_alike() -> None:
    """The choice depends on the view and the stream alone, and the stream decides between equals."""
    state = make_state("", "SP7 3", hands=["SP5 SP6 SP8 IN7"], zone_populations=(0, 20, 20, 20))

    assert choose(state) == choose(state)
    assert len({choose(state, seed) for seed in range(1, 30)}) > 1
