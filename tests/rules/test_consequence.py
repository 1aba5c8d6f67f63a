"""What a choice leads to: a pure function of what its actor knows."""

import random

import pytest

from rules.consequence import Consequence, apply_with_forced_choices, simulate_choice
from rules.game import AnyGame
from rules.match import Match
from rules.model import CHANCE, Seat
from rules.players import RANDOM_PLAYER
from tests.conformance.random_games import new_stream
from tests.conformance.setups import (
    GameSetup,
    all_games,
    setups_for_each_seat_count,
    short_setups_for_each_seat_count,
)
from tests.trials import IS_SOAK


@pytest.mark.parametrize(
    "setup",
    [
        setup
        for game in all_games()
        for setup in (setups_for_each_seat_count(game) if IS_SOAK else short_setups_for_each_seat_count(game))
    ],
    ids=str,
)
def test_what_lets_continue_can_be_undone_freely(setup: GameSetup) -> None:
    """Unless a choice reveals something, who is said to choose next does, and the same seat undoes freely."""
    rng = random.Random(str(setup))
    game = setup.game
    match = Match.begin(game, setup.seat_count, setup.options, rng.randbytes(32))
    consequences = set()
    while (seat := match.to_act) is not None:
        view = match.view(seat)
        action = RANDOM_PLAYER.choose(game, view, rng)
        consequence = simulate_choice(game, game.sample_state(view, new_stream(rng)), action, new_stream(rng))
        match = match.play(seat, action)
        consequences.add(consequence)
        revealed_records = [r for r in match.new_records if r.actor == CHANCE and r.action.reveals(seat)]
        if consequence.reveals:
            continue
        assert match.to_act == consequence.to_act
        if consequence.lets_continue(seat):
            assert not revealed_records
            undo = match.possible_undo(seat)
            assert undo is not None
            assert undo.is_free
    assert any(each.reveals or each.to_act is None for each in consequences)


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.key)
def test_a_simulated_choice_agrees_with_the_match(game: AnyGame) -> None:
    """Unless chance acts first, who chooses next and the events are those of the match."""
    setup = short_setups_for_each_seat_count(game)[0]
    rng = random.Random(str(setup))
    match = Match.begin(game, setup.seat_count, setup.options, rng.randbytes(32))
    while (seat := match.to_act) is not None:
        view = match.view(seat)
        action = RANDOM_PLAYER.choose(game, view, rng)
        state = game.sample_state(view, new_stream(rng))
        after, events = apply_with_forced_choices(game, state, action)
        match = match.play(seat, action)
        if game.to_act(after) != CHANCE:
            consequence = simulate_choice(game, state, action, new_stream(rng))
            assert consequence == Consequence(game.to_act(after))
            assert match.recent_events[len(match.recent_events) - len(events) :] == events


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.key)
def test_what_a_preview_says_of_an_outcome_is_news(game: AnyGame) -> None:
    """Outcomes that never show anybody anything, or that end the game, are not named in a preview."""
    rng = random.Random(game.key)
    for setup in short_setups_for_each_seat_count(game):
        match = Match.begin(game, setup.seat_count, setup.options, rng.randbytes(32))
        while (seat := match.to_act) is not None:
            match = match.play(seat, RANDOM_PLAYER.choose(game, match.view(seat), rng))
            named = [r.action for r in match.new_records if type(r.action) in game.words.outcome_clauses]
            viewers = (*map(Seat, range(setup.seat_count)), None)
            assert all(any(map(each.reveals, viewers)) for each in named)
        assert not match.new_records or type(match.new_records[-1].action) not in game.words.outcome_clauses
