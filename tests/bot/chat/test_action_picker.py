"""The screens that lead to an action: flat as far as it fits, and the same way back."""

import random

import msgspec
import pytest

from bot.chat.action_picker import (
    MAX_SCREEN_COMPONENTS,
    MAX_WHOLE_LABEL_LENGTH,
    Screen,
    build_screen,
    pages_of,
)
from bot.host import game_calls
from rules.australis import AUSTRALIS
from rules.australis.actions import MoveCoral
from rules.catalogue import GAMES
from rules.paths import PathSteps, path_to
from rules.words import PathStep
from tests.bot.chat.sample_tables import sample_tables
from tests.bot.host.playing import GAMES_AND_TOYS
from tests.rules.australis.positions import act, make_board, make_position
from tests.rules.australis.texts import actor_view
from tests.trials import trial_count


def _path(*labels: str, row: str = "", collapsed: bool = False) -> PathSteps:
    """Return a path whose tokens are its labels without blanks; ``row``, ``collapsed``: of its first step."""
    first, *others = labels
    start = PathStep(first.replace(" ", "_"), first, "First?", row=row, collapsed=collapsed)
    return (start, *(PathStep(each.replace(" ", "_"), each, f"After {first}?") for each in others))


def _labels(screen: Screen) -> list[list[str]]:
    return [[choice.label for choice in row] for row in screen.rows]


def _two_step_paths(first: str, count: int, *, row: str = "") -> list[PathSteps]:
    return [_path(first, f"{first}{i}", row=row) for i in range(count)]


def test_what_fits_is_one_screen() -> None:
    """Choices that fit stand beside each other, each behind the label of the step before."""
    screen = build_screen([_path("Feed", "A1"), _path("Feed", "A2"), _path("Feed nothing")], ())
    assert screen.question == "First?"
    assert _labels(screen) == [["Feed A1", "Feed A2", "Feed nothing"]]
    assert all(choice.is_action for choice in screen.choices)
    assert screen.choices[0].tokens == ("Feed", "A1")


def test_a_row_is_expanded_whole_or_not_at_all() -> None:
    """One sibling with too much behind it keeps the others of its row short; another row is expanded."""
    paths = [
        *_two_step_paths("K", 30, row="hand"),
        *_two_step_paths("Q", 2, row="hand"),
        *_two_step_paths("J", 2, row="pool"),
    ]
    screen = build_screen(paths, ())
    assert _labels(screen) == [["K …", "Q …"], ["J J0", "J J1"]]
    assert not screen.choices[0].is_action
    assert len(build_screen(paths, ("K",)).choices) == 30


def test_collapsed_and_long_choices_stay_behind_their_button() -> None:
    """What is marked so, and what would make a long label, is one press further."""
    collapsed_paths = [_path("Remove", "A1", collapsed=True), _path("Remove", "A2", collapsed=True)]
    long_paths = [
        _path("Something to do", "with a long name", row="b"),
        _path("Something to do", "other", row="b"),
    ]
    assert _labels(build_screen([*collapsed_paths, *long_paths], ())) == [
        ["Remove …"],
        ["Something to do …"],
    ]


def test_a_button_for_one_action_names_it_whole() -> None:
    """What a press plays stands on its button, though it is collapsed."""
    screen = build_screen([_path("Remove", "A1", "Speed 7", collapsed=True), _path("Go on")], ())
    assert [choice.label for choice in screen.choices] == ["Remove A1 Speed 7", "Go on"]


def test_a_collapsed_choice_is_secondary() -> None:
    """Its button has the less prominent style, whether it leads on or is played at once."""
    collapsed_paths = [_path("Remove", "A1", collapsed=True), _path("Remove", "A2", collapsed=True)]
    screen = build_screen([*collapsed_paths, _path("Pay", collapsed=True), _path("Go on")], ())
    assert [(choice.label, choice.is_secondary) for choice in screen.choices] == [
        ("Remove …", True), ("Pay", True), ("Go on", False)
    ]  # fmt: skip


def test_labels_of_a_screen_begin_with_a_capital() -> None:
    """A label that continues the one before stands alone on a screen of its own."""
    paths = [_path("A1", f"attacks {key}", collapsed=True) for key in "BCD"]
    assert _labels(build_screen([*paths, _path("A2")], ("A1",))) == [["Attacks B", "Attacks C", "Attacks D"]]


def _card_paths(count: int, *, min_shortcut_length: int = 0) -> list[PathSteps]:
    """Return the paths of ``count`` cards: six moves each, too many for one screen, and two shortcuts."""
    paths = []
    for card in (f"Card{number}" for number in range(count)):
        paths += [_path(card, f"move{place}", row="hand") for place in range(6)]
        for place in "AB":
            start, last = _path(card, f"on {place}", row="hand")
            shortcut = f"{card} on {place}".ljust(min_shortcut_length, "x")
            paths.append((start, msgspec.structs.replace(last, shortcut=shortcut)))
    return paths


def test_shortcuts_stand_before_their_card() -> None:
    """An action with a shortcut is one press away; the card's own button leads to all of its actions."""
    paths = _card_paths(5)
    screen = build_screen(paths, ())
    assert _labels(screen)[1] == ["Card1 on A", "Card1 on B", "Card1 …"]
    assert len(screen.rows) == 5
    assert [choice.is_action for choice in screen.rows[1]] == [True, True, False]
    assert [choice.is_secondary for choice in screen.rows[1]] == [False, False, True]
    assert screen.rows[1][0].tokens == ("Card1", "on_A")
    assert len(build_screen(paths, ("Card1",)).choices) == 8
    marked = build_screen(paths, ("Card1", "on_A"))
    assert (marked.rows, marked.marked_tokens) == (screen.rows, ("Card1", "on_A"))


def test_shortcuts_need_room() -> None:
    """They stand on a screen for all, or for none: also where its rows are few or a label is long."""
    card_labels = [["Card0 …", "Card1 …", "Card2 …", "Card3 …", "Card4 …"]]
    assert _labels(build_screen(_card_paths(5), (), 5)) != card_labels
    assert _labels(build_screen(_card_paths(5), (), 4)) == card_labels
    assert (
        _labels(build_screen(_card_paths(5, min_shortcut_length=MAX_WHOLE_LABEL_LENGTH + 1), ()))
        == card_labels
    )
    assert len(build_screen(_card_paths(9), ()).choices) == 9


def test_what_leads_on_beside_shortcuts_is_secondary() -> None:
    """Where other buttons play at once, a card without a shortcut looks as those that have some."""
    long_label = "X" * (MAX_WHOLE_LABEL_LENGTH + 1)
    others = [_path("Deep", f"move{place}", row="hand") for place in range(9)]
    others += [_path(long_label, each, row="more", collapsed=True) for each in "AB"]
    screen = build_screen([*_card_paths(4), *others], ())
    is_secondary = {choice.label: choice.is_secondary for choice in screen.choices}
    assert (is_secondary["Card1 …"], is_secondary["Deep …"], is_secondary["Card1 on A"]) == (
        True,
        True,
        False,
    )
    assert f"{long_label} …" in is_secondary, "only what stands beside shortcuts must be short"
    assert not any(
        choice.is_secondary for choice in build_screen(others[:-2] + _two_step_paths("K", 30), ()).choices
    )


def test_a_card_with_one_action_has_one_button() -> None:
    """A shortcut to its only action would be the same button twice, which Discord refuses."""
    start, last = _path("Solo", "on A", row="hand")
    screen = build_screen([*_card_paths(5), (start, msgspec.structs.replace(last, shortcut="Solo on A"))], ())
    assert _labels(screen)[-2:] == [["Card4 on A", "Card4 on B", "Card4 …"], ["Solo on A"]]
    tokens = [choice.tokens for choice in screen.choices]
    assert len(set(tokens)) == len(tokens)


def test_forced_steps_are_passed_over() -> None:
    """A step with one choice is no screen of its own."""
    paths = [_path("Go", "north", "now"), _path("Go", "north", "later")]
    screen = build_screen(paths, ())
    assert screen.question == "After Go?"
    assert _labels(screen) == [["Now", "Later"]]
    assert screen.back_tokens is None


def test_a_single_action_is_marked_at_once() -> None:
    """With one legal action there is nothing to choose."""
    screen = build_screen([_path("Go", "north")], ())
    assert screen.marked_tokens == ("Go", "north")


def test_a_marked_choice_stands_on_the_screen_that_offers_it() -> None:
    """The grid stays, so that another choice is one press away; Back leads to the screen before it."""
    paths = [*_two_step_paths("K", 30), *_two_step_paths("Q", 30)]
    grid = build_screen(paths, ("K",))
    marked = build_screen(paths, ("K", "K3"))
    assert marked.rows == grid.rows
    assert marked.marked_tokens == ("K", "K3")
    assert marked.back_tokens == grid.back_tokens == ()
    assert build_screen(paths, ()).back_tokens is None


@pytest.mark.parametrize("chosen", [("nonsense",), ("K", "nonsense"), ("K", "K3", "more"), ("x" * 60,)])
def test_unknown_tokens_open_the_first_screen(chosen: tuple[str, ...]) -> None:
    """Tokens of an old or invented path open the first screen."""
    paths = [*_two_step_paths("K", 30), *_two_step_paths("Q", 30)]
    assert build_screen(paths, chosen) == build_screen(paths, ())


def test_rows_hold_as_many_as_their_labels_allow() -> None:
    """Five short labels a row, fewer long ones; rows of one kind are of even lengths."""
    count_by_length = {12: 5, 16: 4, 24: 3, 38: 2, 39: 1}
    for length, count in count_by_length.items():
        paths = [_path(f"{i:02}" + "x" * (length - 2)) for i in range(10)]
        assert max(map(len, _labels(build_screen(paths, ())))) == count, length
    assert [len(row) for row in build_screen([_path(str(i)) for i in range(6)], ()).rows] == [3, 3]


def test_siblings_stand_in_their_order() -> None:
    """The order of a step comes before the order of the actions."""
    paths = [(PathStep(str(i), str(i), "First?", order=-i),) for i in range(3)]
    assert _labels(build_screen(paths, ())) == [["2", "1", "0"]]


def test_pages_hold_all() -> None:
    """What does not fit is shown page by page, nothing twice and nothing left out."""
    screen = build_screen([_path(f"{i:03}") for i in range(70)], ())
    pages = pages_of(screen, 40)
    assert len(pages) > 1
    assert [row for page in pages for row in page] == list(screen.rows)
    assert all(sum(1 + len(row) for row in page) <= MAX_SCREEN_COMPONENTS for page in pages)
    assert all(len(page) <= 3 for page in pages_of(screen, 4))


def _coral_screen(corals_by_reef: dict[int, int]) -> Screen:
    """Return the screen of Australis on which a coral of an empty supply moves."""
    position = make_position(make_board(corals=corals_by_reef), make_board(turtle=1), dice="purple-8 red")
    view = actor_view(act(position, "take purple-8"))
    actions = AUSTRALIS.legal_actions(view)
    assert any(isinstance(action, MoveCoral) for action in actions)
    return build_screen([path_to(AUSTRALIS, view, action, ("Ava", "Ben")) for action in actions], ())


def test_a_coral_moves_from_reef_to_reef() -> None:
    """A screen of corals asks for reefs or for whole moves, never for both side by side."""
    few_moves = _coral_screen({3: 16})
    assert (
        _labels(few_moves)[0]
        == [f"Reef 3 to {reef}" for reef in (4, 5, 6, 7, 8)][: len(_labels(few_moves)[0])]
    )
    assert all(choice.is_action for choice in few_moves.choices)
    many_moves = _coral_screen({3: 3, 4: 3, 5: 3, 6: 3, 7: 2, 8: 2})
    assert [choice.label for choice in many_moves.choices if not choice.is_action] == [
        f"Reef {reef} …" for reef in (3, 4, 5, 6, 7, 8)
    ]
    assert [choice.label for choice in many_moves.choices if choice.is_action] == ["Move no coral"]


@pytest.mark.parametrize("key", GAMES_AND_TOYS)
def test_a_button_ends_in_dots_exactly_if_further_choices_follow(key: str) -> None:
    """Nobody is led to another page by a button that looks as if it played, nor the other way round."""
    for table in sample_tables(key, trial_count(short=10, soak=1000), random.Random(f"dots/{key}")):
        assert table.to_act is not None
        paths = [each.path for each in game_calls.action_paths(table, table.to_act).values()]
        unvisited = [build_screen(paths, ())]
        while unvisited:
            for choice in unvisited.pop().choices:
                next_screen = build_screen(paths, choice.tokens)
                leads_on = next_screen.chosen_tokens == choice.tokens and next_screen.marked_tokens is None
                assert choice.label.endswith(" …") is leads_on, choice
                unvisited += [next_screen] if leads_on else []


@pytest.mark.parametrize("key", GAMES_AND_TOYS)
def test_every_screen_goes_back(key: str) -> None:
    """Back leads to a screen that offers this one, and in a few presses to the first."""
    later_screen_count = 0
    for table in sample_tables(key, trial_count(short=10, soak=1000), random.Random(f"back/{key}")):
        assert table.to_act is not None
        paths = [each.path for each in game_calls.action_paths(table, table.to_act).values()]
        unvisited = [build_screen(paths, ())]
        while unvisited:
            screen = unvisited.pop()
            next_screens = [
                build_screen(paths, choice.tokens) for choice in screen.choices if not choice.is_action
            ]
            assert all(each.back_tokens == screen.chosen_tokens for each in next_screens)
            assert all(len(each.choices) > 1 for each in next_screens)
            unvisited += next_screens
            later_screen_count += len(next_screens)
    assert later_screen_count or key in {"australis", "pearls"}, "only first screens were visited"


@pytest.mark.parametrize("key", GAMES_AND_TOYS)
def test_cards_stand_in_the_order_of_the_hand(key: str) -> None:
    """The first screen offers what the player holds in the order in which the hand shows it."""
    offered_count = 0
    tables = sample_tables(key, trial_count(short=10, soak=1000), random.Random(f"order/{key}"))
    for table in tables:
        assert table.to_act is not None
        hand = [str(card) for card in getattr(game_calls.view(table, table.to_act), "hand", ())]
        paths = [each.path for each in game_calls.action_paths(table, table.to_act).values()]
        offered = [choice.tokens[0] for choice in build_screen(paths, ()).choices if choice.tokens[0] in hand]
        offered_count += len(offered)
        assert list(dict.fromkeys(offered)) == [card for card in dict.fromkeys(hand) if card in offered]
    assert offered_count or key not in GAMES or not GAMES[key].hidden_information
