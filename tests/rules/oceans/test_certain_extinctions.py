"""What is said to die out dies out, whatever its owner chooses; what is said to be left is left."""

import random
from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from rules.model import Seat
from rules.notation import write_action
from rules.oceans.actions import Attack, Forage
from rules.oceans.engine.ring import find_species, owner_of
from rules.oceans.engine.turn import legal_actions
from rules.oceans.events import Extinct
from rules.oceans.model import OceansView, Position
from rules.oceans.places import ZONES
from rules.oceans.rules import State, apply_action, view
from rules.oceans.steps import Choosing, Drawing, Feeding, PlacingOverflow
from rules.oceans.words import lookahead
from rules.oceans.words.extinction_rescues import removal_texts
from rules.oceans.words.extinction_warnings import endangered_keys
from rules.oceans.words.lookahead import certain_extinctions, finds_rescue, position_after
from tests.rules.oceans.positions import (
    NAMES,
    NOTATION,
    act,
    active_scenario_setup,
    legal_texts,
    make_feeding_state,
    make_state,
)
from tests.rules.oceans.texts import WORDS, action_texts
from tests.trials import trial_count

TRAITS = ("TE5", "TE6", "TE7", "SY5", "SY6", "WC7", "SH7", "BF5", "SP7", "SP8", "FF5", "AP7", "PA6", "WAR")
"""Species with these feed again, gain from what others do, and choose how much they age."""

POPULATIONS = (0, 1, 2, 5, 8, 9)
"""Too little for Aging, enough, and nearly all that a board holds."""


def _random_state(rng: random.Random) -> State:
    traits = rng.sample(TRAITS, len(TRAITS))

    def row(count: int) -> str:
        return " | ".join(
            " ".join((*(traits.pop() for _ in range(rng.choice((1, 2)))), str(rng.choice(POPULATIONS))))
            for _ in range(count)
        )

    scenario = active_scenario_setup(rng.choice(("INC", "VIR", "FER", "HOC", "UHE")))
    return make_feeding_state(row(3), row(2), cambrian_happened=True, **scenario)


def _finish_turn_at_random(state: State, rng: random.Random) -> frozenset[str]:
    """Make random choices until Aging is over; return which species have died out."""
    extinct_keys: set[str] = set()
    while state.position.to_act == 0 and not isinstance(state.position.agenda[-1], Drawing):
        legal = legal_actions(view(state, Seat(0)))
        feedings = [each for each in legal if isinstance(each, Forage | Attack)]
        state = apply_action(state, rng.choice(feedings if feedings and rng.random() < 0.8 else legal))
        extinct_keys.update(_extinct_keys(state))
    return frozenset(extinct_keys)


def _extinct_keys(state: State) -> Iterator[str]:
    return (event.species for event in state.position.trail if isinstance(event, Extinct))


@pytest.mark.parametrize(("max_positions", "seed"), [(3, "few positions"), (40, "certain")])
def test_what_is_certain_to_die_out_dies_out(
    monkeypatch: pytest.MonkeyPatch, max_positions: int, seed: str
) -> None:
    """None of the species that a feeding dooms survives, also where the search soon has to give up."""
    monkeypatch.setattr(lookahead, "_MAX_POSITIONS", max_positions)
    certain_extinctions.cache_clear()
    rng, doomed_count, doomed_before_overflow_count, doomed_of_others_count = random.Random(seed), 0, 0, 0
    for _ in range(trial_count(30, soak=6_000)):
        state = _random_state(rng)
        seen = view(state, Seat(0))
        for action in legal_actions(seen):
            doomed = certain_extinctions(seen, position_after(seen, action))
            after = apply_action(state, action)
            doomed_count += len(doomed)
            doomed_of_others_count += sum(owner_of(key) != 0 for key in doomed)
            doomed_before_overflow_count += len(doomed) * isinstance(
                after.position.agenda[-1], PlacingOverflow
            )
            for _ in range(4 if doomed else 0):
                assert set(doomed) <= {*_extinct_keys(after), *_finish_turn_at_random(after, rng)}, action
    assert doomed_count > 20
    assert doomed_of_others_count > 5
    assert doomed_before_overflow_count > 10 or max_positions < len(ZONES)


def test_what_another_player_loses_and_scores_by_aging_is_previewed() -> None:
    """Hostile Conditions: who dies out is named before Aging is reached, points are once it is."""
    setup = active_scenario_setup("HOC")
    for row, label_end in (
        ("SP7 SP8 1", "A1 +4, Ben scores 2, B1 dies out"),
        ("TE7 SP8 1", "A1 +2, B1 dies out"),  # A1 may feed again
    ):
        state = make_feeding_state(row, "FF5 0 | SP7 6", cambrian_happened=True, **setup)
        assert action_texts(state, "forage A1 reef")[1] == label_end
        assert not _texts_to_confirm(state) - {"skip"}


def test_extinctions_are_certain_before_a_choice_of_whom_hydra_takes_from() -> None:
    """Whatever it is, who gets too little dies out; one whom a choice may save is not named."""
    setup = active_scenario_setup("INA")
    state = make_feeding_state(
        "PA6 AP7 1 | SH7 HYD 0 | INK 3", "TE5 5 | FF5 1", cambrian_happened=True, **setup
    )
    seen, rng = view(state, Seat(0)), random.Random("hydra")
    for text, doomed in (("attack A2 B2", {"A1", "A2"}), ("attack A2 B1", {"A1"})):
        position = position_after(seen, NOTATION.parse(text))
        assert isinstance(position.agenda[-1], Choosing)
        assert set(certain_extinctions(seen, position)) == doomed
        endings = [_finish_turn_at_random(act(state, text), rng) for _ in range(12)]
        assert frozenset.intersection(*endings) == doomed


def _question(state: State, text: str) -> str:
    assert WORDS.path is not None
    return WORDS.path(view(state, Seat(0)), NOTATION.parse(text), NAMES)[0].question


def _texts_to_confirm(state: State) -> set[str]:
    seen = view(state, Seat(0))
    return {write_action(each) for each in legal_actions(seen) if WORDS.needs_confirmation(seen, each)}


def test_an_attack_that_dooms_an_own_species_is_previewed_before_overflow() -> None:
    """The overflow saves nobody: its question names who dies out, and each zone counts at once."""
    state = make_feeding_state("AP7 9 | FF5 2", "AP8 3", cambrian_happened=True)
    assert _question(state, "skip") == "Which species feeds?"
    assert _texts_to_confirm(state) == {"attack A1 A2"}
    label_end, preview = action_texts(state, "attack A1 A2")[1:]
    assert label_end == "A1 +1, A2 \u22121, A1 overpopulates, A2 dies out"
    assert "A2 dies out at Aging." in preview.split("\n")
    overflowing = act(state, "attack A1 A2")
    assert _question(overflowing, "spill z1") == "A2 dies out at Aging. Where does A1's overflow go?"
    assert action_texts(overflowing, "spill z1")[1] == "", "the question names A2"
    assert not _texts_to_confirm(overflowing)


def test_overflow_that_lets_a_species_die_out_is_previewed_where_another_zone_saves_it() -> None:
    """Overflow into zone 2 ends Inhospitable Environment: its choice counts at once, the others do not."""
    setup = active_scenario_setup("INA")
    state = make_feeding_state("AP7 9 | FF5 3", "AP8 3", cambrian_happened=True, **setup)
    assert not _texts_to_confirm(state)
    overflowing = act(state, "attack A1 A2")
    assert _question(overflowing, "spill z1") == "Where does A1's overflow go?"
    assert _texts_to_confirm(overflowing) == {"spill reef", "spill z1", "spill z3"}


def test_no_species_that_mass_migration_hands_over_is_said_to_die_out() -> None:
    """A gain empties zone 1: after the overflow A1 is another player's, whose species do not age now."""
    state = make_feeding_state(
        "IN5 0 | SP7 9",
        "PA8 8 | BF5 3",
        cambrian_happened=True,
        scenarios=("MMI", "INA"),
        zone_populations=(20, 2, 20, 20),
    )
    assert action_texts(state, "attack A2 B1")[1] == (
        "A2 +1, B1 \u22121, B2 +2 (Bottom Feeder), A2 overpopulates, A1 may die out"
    )
    overflowing = act(state, "attack A2 B1")
    assert _question(overflowing, "spill reef") == "Where does A2's overflow go?"
    assert _finish_turn_at_random(overflowing, random.Random("any")) == frozenset()


@pytest.mark.parametrize(
    ("row", "warning"),
    [
        ("TE7 3 | SP7 0", "A2 dies out at Aging. "),
        ("TE7 0 | SP7 0", "A2 dies out at Aging. A1 dies out at Aging unless it gets 1 more. "),
        ("TE7 0 | SY7 0", "A1 and A2 die out at Aging unless they get more. "),
    ],
)
def test_the_question_of_a_further_feeding_tells_who_can_be_saved(row: str, warning: str) -> None:
    """The same species feeds again: another one gets more only if it gains from that."""
    state = make_feeding_state(row, "AP8 3", cambrian_happened=True)
    further_feeding_state = act(state, "forage A1 reef")
    assert _question(further_feeding_state, "skip") == f"{warning}Does A1 feed again?"


@pytest.mark.parametrize(
    ("row", "warning"),
    [
        ("AP7 SP7 0", "A1 dies out at Aging unless you remove Apex Predator 7 and it gets 2 more. No "),
        ("AP7 AP8 FF5 0", "A1 dies out at Aging unless you remove traits. No "),
        ("AP7 0 | SP7 4", "A1 dies out at Aging unless you remove Speed 7 from A2 and A1 gets 2 more. "),
        ("AP7 IN5 1 | SP7 4", "A1 dies out at Aging unless it gets 1 more. Which "),
        ("AP7 0", "A1 dies out at Aging. No "),
        ("AP7 0 | AP8 0", "A1 and A2 die out at Aging. No "),
        ("SP7 1", "A1 dies out at Aging unless it gets 1 more. Which "),
    ],
)
def test_the_question_tells_which_removal_alone_saves_a_species(row: str, warning: str) -> None:
    """Apex Predator never forages, Speed keeps an attacker off."""
    state = make_state(row, step=Feeding(may_remove_traits=True), plays_left=0, cambrian_happened=True)
    assert _question(state, "skip").startswith(warning)


def test_a_preview_tells_which_removal_saves_a_species() -> None:
    """Also of the choice after which it is asked; one that saves a species by itself needs no more."""
    state = make_state(
        "AP7 SP7 0 | AP8 SP8 SP9 9",
        step=Feeding(may_remove_traits=True),
        plays_left=0,
        cambrian_happened=True,
    )
    line = "A1 dies out at Aging unless you remove Apex Predator 7 and it gets 2 more."
    assert line in action_texts(state, "drop A2 SP8")[2].split("\n")


@pytest.mark.parametrize(
    ("rows", "text", "label", "is_alive"),
    [
        (("WAR SP7 CTH 9", "AP7 9"), "choose 2", "A1 ages 2: 5 left", True),
        (("EXT SP7 1 | SP8 9", "AP7 9"), "choose A1", "A1 (Extremophile, Speed) ages twice: 0 left", True),
        (("SP7 3 | SP8 9", "AP7 9"), "choose A1", "A1 (Speed) ages twice: dies out", False),
    ],
)
def test_what_is_said_to_be_left_is_left(
    rows: tuple[str, str], text: str, label: str, *, is_alive: bool
) -> None:
    """Cthulhu Leech takes its share too, and what never dies out keeps nothing at least."""
    scenario = {} if "WAR" in rows[0] else active_scenario_setup("VIR")
    state = make_feeding_state(*rows, cambrian_happened=True, **scenario)
    state = act(replace(state, position=replace(state.position, cthulhu_seat=Seat(1))), "skip")
    assert action_texts(state, text)[0] == label
    species = find_species(act(state, text).position, "A1")
    assert (species is not None) is is_alive
    assert species is None or f": {species.population} left" in label


def _can_be_saved(state: State, key: str, seen_positions: set[Position]) -> bool:
    """Whether some choices of the active player let a species live past Aging; all of them are tried."""
    position = replace(state.position, trail=())
    if find_species(position, key) is None or position in seen_positions:
        return False
    seen_positions.add(position)
    if position.to_act != 0 or isinstance(position.agenda[-1], Drawing):
        return True
    return any(
        _can_be_saved(apply_action(state, action), key, seen_positions)
        for action in legal_actions(view(state, Seat(0)))
    )


def test_advice_to_remove_traits_saves_the_species() -> None:
    """Where a warning tells to remove one, some choices do save it, and without removals none does."""
    rng, advice_count, plain_count = random.Random("removals"), 0, 0
    for _ in range(trial_count(60, soak=2_000)):
        traits = rng.sample((*TRAITS, "APX", "GIB", "IN5", "SC5", "POI"), 9)
        row = " | ".join(f"{' '.join(traits.pop() for _ in range(rng.choice((1, 2, 3))))} 0" for _ in "ab")
        state = make_state(
            row,
            f"{traits.pop()} 1 | {traits.pop()} {rng.choice(POPULATIONS)}",
            step=Feeding(may_remove_traits=True),
            plays_left=0,
            cambrian_happened=True,
        )
        seen = view(state, Seat(0))
        texts = removal_texts(seen, state.position)
        for key in endangered_keys(state.position, Seat(0)):
            can_be_saved = _can_be_saved(state, key, set())
            if key in texts:
                without_removal = replace(state.position, agenda=(Feeding(),))
                assert can_be_saved, (row, key)
                assert not _can_be_saved(replace(state, position=without_removal), key, set()), (row, key)
                advice_count += 1
            elif key in certain_extinctions(seen, state.position):
                assert not can_be_saved, (row, key)
                plain_count += 1
    assert advice_count > 5
    assert plain_count > 5


def test_no_removal_is_advised_where_it_saves_nothing() -> None:
    """Without Deep Apex Predator B3 forages one at most, and needs two."""
    state = make_state(
        "EXT TR9 POI WC9 0 | APX 0",
        "TE7 BF10 0 | GIB 0",
        step=Feeding(may_remove_traits=True),
        plays_left=0,
        cambrian_happened=True,
    )
    while len(state.position.rows[0][1].traits) + len(state.position.rows[0][0].traits) > 1:
        assert "remove" not in _question(state, "skip")
        state = act(state, next(each for each in legal_texts(state) if each.startswith("drop")))


CROWDED_ROWS = (
    "SP8 2 | SY6 2 | WC5 IN7 0 | WC9 TR10 IN8 0 | SY9 0",
    "BF7 IN5 2 | PA9 1",
    "SY7 SP8 SP10 2 | WC6 0",
    "PA8 1 | AP7 2",
    "FF9 0 | SP9 0 | WC11 2 | FF7 BF8 4 | WC7 2 | SY7 0",
    "BF7 0 | TE8 0 | TE10 0",
)
"""Species with many ways to feed, which come to the same positions."""


def _view_of_crowded_rows() -> OceansView:
    state = make_state(
        *CROWDED_ROWS,
        step=Feeding(may_remove_traits=True),
        plays_left=0,
        zone_populations=(0, 4, 0, 30),
        scenarios=("ABU", "FER"),
        cambrian_happened=True,
    )
    certain_extinctions.cache_clear()
    position_after.cache_clear()
    return view(state, Seat(0))


def test_a_search_for_rescues_that_is_spent_looks_at_no_more_positions() -> None:
    """One that went on looked at hundreds here."""
    seen, tried_views = _view_of_crowded_rows(), set[tuple[str, OceansView]]()
    for key in endangered_keys(seen.position, Seat(0)):
        finds_rescue(seen, key, tried_views, may_remove_traits=True)
    assert position_after.cache_info().misses < 100


def test_advice_about_several_species_looks_at_their_positions_together() -> None:
    """A search for each way to feed looked at a hundred here."""
    seen = _view_of_crowded_rows()
    assert removal_texts(seen, seen.position) == {}
    assert position_after.cache_info().misses < 50
