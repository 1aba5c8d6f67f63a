"""The paths to actions in the panel: from which buttons a choice is reached."""

from collections import defaultdict

from rules.currents import CURRENTS
from rules.currents.actions import CallQueen, Defend
from rules.currents.board import GEOMETRIES
from rules.currents.model import BoardShape, CurrentsOptions
from rules.currents.rules import State
from rules.notation import write_action
from rules.paths import ActionPath, index_paths
from tests.rules.currents.positions import act, actor_view, legal_choices, make_state


def paths_in(state: State) -> dict[tuple[str, ...], ActionPath]:
    """Return the paths of the player to act."""
    return index_paths(CURRENTS, actor_view(state), legal_choices(state), ("Ava", "Ben"))


def test_a_queens_swap_begins_at_any_card() -> None:
    """Each slot with a card is offered first, and after it every other slot, with or without a card."""
    state = make_state(currents="N0 5H, W3 9D", hands=("QC 3C 4C 5C",))
    partners = defaultdict(set)
    for tokens, (_, action) in paths_in(state).items():
        if isinstance(action, CallQueen):
            _, _, first, second = tokens
            assert {first, second} == {action.slot, action.other}
            partners[first].add(second)
    slots = {*GEOMETRIES[BoardShape.SQUARE].slots}
    assert partners == {first: slots - {first} for first in ("N0", "W3")}


def test_a_defence_has_one_path() -> None:
    """A defence with several cards is offered once, whatever the order of its cards."""
    defence_state = make_state(
        compass="AH AD AC AS", currents="N1 5H, N2 6H", pawn=(4, 0), hands=("7S", "", "2C 3C 4C")
    )
    defences = [
        each.action
        for each in paths_in(act(defence_state, "discard 7S")).values()
        if isinstance(each.action, Defend)
    ]
    assert sorted(map(write_action, defences)) == ["defend 2C,3C", "defend 2C,4C", "defend 3C,4C"]


def test_buttons_of_a_combination_name_the_card_below() -> None:
    """The words "alone" and "then" follow the card that is covered, which is not the one that is laid."""
    state = make_state(
        compass="AH 9C - -", currents="N0 9H", hands=("4H 8C 10C 3S 2S",), options=CurrentsOptions(combo=True)
    )
    labels = {
        " ".join(step.label for step in each.path[1:])
        for each in paths_in(state).values()
        if each.path[0].token in {"4H", "10C"}
    }
    assert {"N0 over 9♥ then 8♣", "North: A♥", "East over 9♣ alone", "N1"} <= labels
