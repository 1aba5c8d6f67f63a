"""What is hidden in Oceans, from whom and for how long."""

from typing import Any

import pytest

from rules.model import Action, Seat
from rules.oceans import OCEANS
from rules.oceans.actions import Deal, Keep, RefillPool, Reshuffle, RevealScores, ShowDeep, TakeFromScorePile
from rules.oceans.cards.decks import FACE_DOWN, SURFACE_DECK, Card
from rules.oceans.chance import is_possible
from rules.oceans.engine.values import is_deep
from rules.oceans.model import all_deep_cards
from rules.oceans.rules import view
from rules.oceans.steps import ChoiceKind, RefillingHand, RevealingScores, TakingFromScorePile
from tests.rules.oceans.positions import (
    act,
    active_scenario_setup,
    apply_chance,
    just_moved_to,
    legal_texts,
    make_drawing_state,
    make_feeding_state,
    make_state,
    parse_cards,
)
from tests.rules.oceans.secrecy import (
    VIEWERS,
    A,
    B,
    C,
    add_missing_population,
    check_same_next_views,
    make_atavism_state,
    make_state_with_secrets,
    mentions_card,
    sample_checked_states,
)

# Hands and score piles ------------------------------------------------------------------------------


@pytest.mark.parametrize("seat", [A, B, C])
def test_a_view_holds_the_own_secrets_only(seat: Seat) -> None:
    """A player sees the own hand and score pile; of the others' hands how many Surface and Deep cards."""
    state = make_state_with_secrets()
    seen = view(state, seat)
    assert (seen.hand, seen.score_pile) == (state.hands[seat], state.score_piles[seat])
    assert seen.position.surface_hand_sizes == (1, 1, 2)
    assert seen.position.deep_hand_sizes == (1, 1, 1)
    for other in {A, B, C} - {seat}:
        assert not any(mentions_card(seen, card) for card in state.hands[other])


def test_a_bystander_sees_no_secrets() -> None:
    """A bystander sees neither hands nor score piles."""
    state = make_state_with_secrets()
    seen = view(state, None)
    assert (seen.hand, seen.score_pile, seen.looked_at) == ((), None, ())
    assert not any(mentions_card(seen, card) for hand in state.hands for card in hand)


@pytest.mark.parametrize("viewer", VIEWERS)
def test_samples_keep_what_is_known(viewer: Seat | None) -> None:
    """A sampled state has the right sizes everywhere, the viewer's own secrets, and all there is."""
    state = make_state_with_secrets()
    samples = sample_checked_states(view(state, viewer))
    for sample in samples:
        for seat, hand in enumerate(sample.hands):
            assert sum(map(is_deep, hand)) == state.position.deep_hand_sizes[seat]
            assert len(hand) == len(state.hands[seat])
            assert list(hand) == sorted(
                hand, key=[*SURFACE_DECK, *all_deep_cards(state.position.options)].index
            )
        assert len(sample.surface_deck) == state.position.surface_deck_size
        assert len(sample.deep_deck) == state.position.deep_deck_size
    others = [seat for seat in (A, B, C) if seat != viewer]
    for seat in others:
        assert len({sample.hands[seat] for sample in samples}) > 1, "a hidden hand varies"
        assert len({sample.score_piles[seat] for sample in samples}) > 1, "a hidden score pile varies"


def test_two_players_know_both_score_piles() -> None:
    """All population is counted in public, so the only other score pile can be worked out."""
    state = add_missing_population(make_state("IN7 4", "SY5 3", hands=("SP7", "IN5"), score_piles=(6, 2)))
    assert all(sample.score_piles == (6, 2) for sample in sample_checked_states(view(state, A)))
    assert {sample.score_piles for sample in sample_checked_states(view(state, None))} != {(6, 2)}


# Actions as seen ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("action", "action_for_others"),
    [
        (Deal(A, parse_cards("SP7 IN5")), Deal(A, (FACE_DOWN, FACE_DOWN))),
        (ShowDeep(A, parse_cards("BLU GRA")), ShowDeep(A, (FACE_DOWN, FACE_DOWN))),
        (Keep(Card("BLU"), Card("GRA"), Card("MEG")), Keep(FACE_DOWN, Card("GRA"), Card("MEG"))),
    ],
)
def test_cards_drawn_are_seen_by_their_owner(action: Action, action_for_others: Action) -> None:
    """The others see how many cards, and of Deep cards which were laid open."""
    assert action.seen_by(A, A) == action
    for viewer in (B, C, None):
        assert action.seen_by(viewer, A) == action_for_others
    if not isinstance(action, Keep):
        assert [action.reveals(viewer) for viewer in VIEWERS] == [True, False, False, False]


def test_everything_else_is_seen_by_all() -> None:
    """All other actions are public: every choice that is legal somewhere here, and chance's open outcomes."""
    choices: list[Action] = [
        TakeFromScorePile(A, 1),
        RevealScores((1, 2, 3)),
        RefillPool(1, Card("BLU")),
        Reshuffle(parse_cards("SP5")),
    ]
    states = (
        make_state_with_secrets(cambrian_happened=True),
        make_feeding_state("AP5 1", "SY5 3", ""),
        make_atavism_state("SY7"),
        make_drawing_state("IN7 4", "", ""),
    )
    for state in states:
        choices += OCEANS.legal_actions(view(state, A))
    assert {type(action).__name__ for action in choices} > {"Evolve", "Migrate", "Attack", "Exchange", "Draw"}
    assert all(action.seen_by(viewer, A) == action for action in choices for viewer in VIEWERS)


def test_a_reshuffle_tells_nothing() -> None:
    """Everybody knew the discard pile; what is drawn after it is secret."""
    state = make_drawing_state("IN7 4", "SY5 3", "", surface_deck="SP5 SP6", discard_pile="WC5")
    state = act(add_missing_population(state), "draw")
    assert isinstance(state.position.agenda[-1], RefillingHand)
    discard_pile = state.position.discard_pile
    state = apply_chance(apply_chance(state, Deal(A, parse_cards("SP5 SP6"))), Reshuffle(discard_pile))
    assert state.surface_deck == discard_pile
    assert not any(Reshuffle(discard_pile).reveals(viewer) for viewer in VIEWERS)
    assert state.position.discard_pile == ()
    sample_checked_states(view(state, B))


# Score piles that open ------------------------------------------------------------------------------


@pytest.mark.parametrize(("score_pile", "paid_amount"), [(5, 2), (1, 1), (0, 0)])
def test_detritus_shows_what_a_score_pile_gives(score_pile: int, paid_amount: int) -> None:
    """Chance reveals how much could be paid; the rest of the pile stays hidden."""
    state = add_missing_population(
        make_state(
            "IN7 4",
            "SY5 3",
            "",
            hands=("SP7",),
            score_piles=(score_pile, 6, 4),
            **active_scenario_setup("DET"),
        )
    )
    state = act(state, "migrate SP7 z3 z1")
    assert isinstance(state.position.agenda[-1], TakingFromScorePile)
    assert [is_possible(state, TakeFromScorePile(A, count)) for count in range(3)] == [
        count == paid_amount for count in range(3)
    ]
    assert not is_possible(state, TakeFromScorePile(B, 2))
    check_same_next_views(state, TakeFromScorePile(A, paid_amount))
    after = apply_chance(state, TakeFromScorePile(A, paid_amount))
    assert view(after, A).score_pile == score_pile - paid_amount
    assert [view(after, viewer).score_pile for viewer in (B, C, None)] == [6, 4, None]


@pytest.mark.parametrize(
    ("score_pile", "population_before", "taken_amount"), [(5, 4, 2), (1, 4, 1), (0, 4, 0), (5, 9, 1)]
)
def test_coprophagia_shows_what_a_score_pile_gives(
    score_pile: int, population_before: int, taken_amount: int
) -> None:
    """Whose pile it is may be anybody's, empty or not; only what is taken becomes known."""
    state = make_state(f"COP {population_before}", "SY5 3", "", score_piles=(2, score_pile, 3), plays_left=0)
    state = act(add_missing_population(state), "done")
    step = state.position.agenda[-1]
    assert getattr(step, "kind", None) is ChoiceKind.SCORE_PILE
    assert legal_texts(state) == ("choose A", "choose B", "choose C")
    state = act(state, "choose B")
    check_same_next_views(state, TakeFromScorePile(B, taken_amount))
    after = apply_chance(state, TakeFromScorePile(B, taken_amount))
    assert just_moved_to(after, "A1", "COP") == taken_amount
    assert [view(after, viewer).score_pile for viewer in VIEWERS] == [2, score_pile - taken_amount, 3, None]


def test_score_piles_are_turned_over_at_the_end() -> None:
    """Nobody knows them before; after it everybody does, and a sample has no choice."""
    setup: dict[str, Any] = {"score_piles": (7, 5, 3), "player": 2, "end_triggered": True}
    state = make_drawing_state("IN7 4", "SY5 3", "", **setup, hands=("", "", "SP5 SP6 SP7 IN5 IN6 IN8"))
    # The reserve has come in: all 180 are on the table.
    state = act(add_missing_population(state), "draw")
    assert isinstance(state.position.agenda[-1], RevealingScores)
    assert state.position.revealed_score_piles == ()
    assert not is_possible(state, RevealScores((7, 5, 4)))
    check_same_next_views(state, RevealScores((7, 5, 3)))
    after = apply_chance(state, RevealScores((7, 5, 3)))
    for viewer in VIEWERS:
        seen = view(after, viewer)
        assert seen.position.revealed_score_piles == (7, 5, 3)
        assert {sample.score_piles for sample in sample_checked_states(seen)} == {(7, 5, 3)}
    standings = OCEANS.returns(after).standings
    assert [(each.seat, each.score) for each in standings] == [(A, 7 + 4 + 6), (B, 5 + 3 + 4), (C, 3)]
