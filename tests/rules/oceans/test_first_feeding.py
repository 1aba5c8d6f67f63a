"""A feeding that is chosen after the last card ends the card phase: what acts before feeding comes first."""

import random

import pytest
from msgspec.structs import replace

from rules.model import Seat
from rules.oceans import OCEANS
from rules.oceans.actions import Attack, Done, Forage
from rules.oceans.engine.turn import apply_and_run_agenda, position_at_feeding
from rules.oceans.model import Position
from rules.oceans.rules import State, view
from rules.oceans.steps import Playing
from rules.random_stream import RandomStream
from tests.conformance.random_games import played_game
from tests.conformance.setups import GameSetup, setups_for_each_seat_count
from tests.rules.oceans.positions import (
    NAMES,
    NOTATION,
    act,
    active_scenario_setup,
    legal_texts,
    make_state,
    population,
)
from tests.rules.oceans.texts import WORDS, action_texts, narration, refusal_text
from tests.trials import cases

LEECHING = make_state("PA5 0 | SP5 3", "TE6 3", plays_left=0)
"""A1 leeches 2 from B1 before a species of Ava feeds."""


def test_feedings_are_offered_beside_removals() -> None:
    """After the last card a species may feed at once, with what leeching brings; `done` stays legal."""
    texts = legal_texts(LEECHING)
    assert {"done", "drop A1 PA5", "forage A1 reef", "attack A1 B1"} <= {*texts}
    assert "skip" not in texts
    after = act(LEECHING, "forage A1 reef")
    assert (population(after, "A1"), population(after, "B1")) == (2 + 1 - 1, 1)  # it ages 1


@pytest.mark.parametrize(
    "state",
    [
        make_state("PA5 0 | SP5 3", "TE6 3", hands=["IN5"]),
        make_state("ATA IN5 3", "TE6 3", hands=["SP7"], plays_left=0, cambrian_happened=True),
        make_state("PA5 0", "TE6 2", plays_left=0, zone_populations=(0, 20, 20, 20)),
    ],
    ids=["a card is owed", "something is asked before", "no species can feed"],
)
def test_no_feeding_is_offered_before_its_time(state: State) -> None:
    """Where a card is owed, or something is asked before, the feeding phase comes first."""
    assert not {text.split()[0] for text in legal_texts(state)} & {"forage", "attack"}


@pytest.mark.parametrize("setup", cases(setups_for_each_seat_count(OCEANS)), ids=str)
def test_a_first_feeding_equals_going_on_and_feeding(setup: GameSetup) -> None:
    """In random games it leads to the position, and is offered exactly where, `done` and it would."""
    for transition in played_game(setup, 0).transitions:
        position: Position = transition.before.position
        if not position.agenda or not isinstance(position.agenda[-1], Playing):
            continue
        offered = {
            each
            for each in OCEANS.legal_actions(view(transition.before, position.to_act))
            if isinstance(each, Forage | Attack)
        }
        feeding_position = position_at_feeding(position)
        assert (feeding_position is not None) == bool(offered)
        for action in offered:
            assert feeding_position is not None
            one, two = (
                apply_and_run_agenda(position, action),
                apply_and_run_agenda(feeding_position, action),
            )
            done = apply_and_run_agenda(position, Done())
            assert replace(one.position, trail=()) == replace(two.position, trail=())
            assert one.position.trail == (*done.position.trail, *two.position.trail)


def test_its_words_say_what_acts_before() -> None:
    """Question, label, preview and narration are those after leeching, and name it first."""
    label, short, preview = action_texts(LEECHING, "attack A1 B1")
    assert label == "A1 attacks B1: takes 1"
    assert short.startswith("A1 +1, B1 ")
    assert preview.splitlines()[0] == "A1 leeches 2 from B1 (Parasitic)."
    assert narration(LEECHING, "attack A1 B1").startswith(
        "A1 leeches 2 from B1 (Parasitic). Ava's A1 attacks B1 and takes 1."
    )
    assert OCEANS.words.path is not None
    question = OCEANS.words.path(view(LEECHING, LEECHING.position.to_act), Done(), NAMES)[0].question
    assert question == "Before feeding: A1 leeches 2 from B1 (Parasitic). Which species feeds?"
    assert refusal_text(LEECHING, "attack B1 A1").startswith("B1 is Ben's")


def test_going_on_beside_feedings_keeps_the_traits() -> None:
    """Its label and what it brings say so; a species feeds after it, or none, and no trait can be removed."""
    label, short, _ = action_texts(LEECHING, "done")
    assert (label, short) == ("Keep traits, feed", "A1 +2 (Parasitic), B1 \N{MINUS SIGN}2")
    assert WORDS.status(view(LEECHING, Seat(0)), NAMES) == "Ava, your turn: feed a species or remove traits."
    after = act(LEECHING, "done")
    verbs = {text.split()[0] for text in legal_texts(after)}
    assert {"skip", "forage"} <= verbs
    assert "drop" not in verbs


def test_an_extinction_before_feeding_is_confirmed() -> None:
    """Where an own species dies out by what it leeches, the feeding has to be confirmed."""
    state = make_state("PA5 8 | SP5 3", "TE6 3", plays_left=0, **active_scenario_setup("EPI"))
    text = narration(state, "forage A2 reef")
    assert text.startswith("A1 leeches 2 from B1 (Parasitic). A1 overpopulates.")
    assert WORDS.needs_confirmation(view(state, state.position.to_act), NOTATION.parse("forage A2 reef"))
    assert not WORDS.needs_confirmation(
        view(LEECHING, LEECHING.position.to_act), NOTATION.parse("forage A1 reef")
    )


def test_casual_feeds_at_once() -> None:
    """Casual does not go on to feeding first, and chooses the feeding as it would there."""
    seen = OCEANS.view(LEECHING, LEECHING.position.to_act)
    seeds = (random.Random(number).randbytes(32) for number in range(5))
    chosen = {OCEANS.policy(seen, OCEANS.legal_actions(seen), RandomStream(seed)) for seed in seeds}
    assert chosen <= {NOTATION.parse("forage A2 reef"), NOTATION.parse("forage A1 reef")}
