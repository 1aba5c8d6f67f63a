"""Moves typed in the words of their buttons and labels."""

import itertools

import pytest

from rules.catalogue import GAMES
from rules.currents import CURRENTS
from rules.game import SEAT_LETTERS, Action, Seat
from rules.notation import find_by_label, write_action
from rules.oceans import OCEANS
from rules.oceans.actions import Choose, LookDeep
from rules.paths import path_to
from tests.rules.oceans.positions import act, make_drawing_state, make_feeding_state
from tests.rules.whole_games import play_game


@pytest.mark.parametrize("key", GAMES)
def test_what_a_button_says_can_be_typed(key: str) -> None:
    """In a whole game each label stands for its action, in any case, if it is that of one action alone."""
    game = GAMES[key]
    seats = min(game.player_counts)
    names, found = tuple(SEAT_LETTERS[:seats]), 0
    for transition in play_game(game, seats, "casual", 1):
        if transition.actor < 0:
            continue
        view = game.view(transition.before, transition.actor)
        legal = game.legal_actions(view)[:40]
        labels = [game.words.label(view, action, names) for action in legal]
        for action, label in zip(legal, labels, strict=True):
            typed = find_by_label(game, view, legal, names, f" {label.upper()}… ")
            assert typed == (action if labels.count(label) == 1 else None)
            found += typed is not None
    assert found


def test_a_part_of_a_label_must_fit_one_action() -> None:
    """Some words of it are enough, in their order, unless they stand in another label too."""
    transition = next(each for each in play_game(CURRENTS, 2, "casual", 1) if each.actor >= 0)
    view = CURRENTS.view(transition.before, transition.actor)
    legal = CURRENTS.legal_actions(view)

    def find(text: str) -> Action | None:
        return find_by_label(CURRENTS, view, legal, ("Ava", "Ben"), text)

    north_south = next(each for each in legal if write_action(each) == "axis NS")
    assert find("north south") == find("Aim for north and south") == north_south
    for text in ("aim for", "", "...", "south north", "up"):
        assert find(text) is None


@pytest.mark.parametrize("key", GAMES)
def test_what_the_buttons_say_can_be_typed(key: str) -> None:
    """The words of all buttons that lead to a move stand for it, if they lead to no other."""
    game = GAMES[key]
    seats = min(game.player_counts)
    names, found = tuple(SEAT_LETTERS[:seats]), 0
    for transition in itertools.islice(play_game(game, seats, "casual", 1), 0, 200, 3):
        if transition.actor < 0:
            continue
        view = game.view(transition.before, transition.actor)
        legal = game.legal_actions(view)[:15]
        texts = [" ".join(step.label for step in path_to(game, view, each, names)) for each in legal]
        for action, text in zip(legal, texts, strict=True):
            typed = find_by_label(game, view, legal, names, text)
            assert typed in {action, None}
            found += typed is not None
    assert found > 50


def test_a_number_of_another_meaning_is_no_part_of_a_label() -> None:
    """What a choice leaves is not what is chosen: "3" is not "A1 ages 5: 3 left"."""
    state = act(make_feeding_state("WAR SP7 8", "AP7 9", cambrian_happened=True), "skip")
    view = OCEANS.view(state, Seat(0))
    legal = OCEANS.legal_actions(view)

    def find(text: str) -> Action | None:
        return find_by_label(OCEANS, view, legal, ("Ava", "Ben"), text)

    assert OCEANS.words.label(view, Choose("5"), ("Ava", "Ben")) == "A1 ages 5: 3 left"
    assert find("a1 ages 5: 3 left") == find("a1 5 3 left") == find("Age 5: 3 left") == Choose("5")
    for text in ("3", "A1 ages 3", "ages 3", "3 left", "5 3", "a1 5 3"):
        assert find(text) is None


def test_a_verb_that_is_not_legal_now_stands_for_no_other_move() -> None:
    """It is refused as before, though it stands in the label of another move."""
    state = make_drawing_state("SP7 4", "AP7 4", gene_pool=("TUS", "KRA"))
    view = OCEANS.view(state, Seat(0))
    legal = OCEANS.legal_actions(view)

    def find(text: str) -> Action | None:
        return find_by_label(OCEANS, view, legal, ("Ava", "Ben"), text)

    assert find("Look at three Deep cards, keep one") == find("three deep cards") == LookDeep()
    assert find("keep one") is find("keep") is None
