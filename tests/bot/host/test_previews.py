"""Before a choice the panel says what follows, and asks or warns where it cannot be taken back."""

import random
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

import pytest
from msgspec.structs import replace as replace_fields

from bot.chat.components import Button, Section
from bot.chat.consequence_texts import consequence_text
from bot.chat.panel_posts import panel_page, panel_path
from bot.host import game_calls, previews
from bot.host.tables import Tables
from rules.australis.actions import DrawFirstPlayer, RevealCards, RollDice
from rules.catalogue import GAMES
from rules.consequence import Consequence, apply_with_forced_choices
from rules.current_affairs.actions import DrawContract
from rules.current_affairs.events import EndReason
from rules.currents.actions import CallKing, Deal, DiscardCard, PlaceAce, PlayCompass, PlayCurrent
from rules.match import Match
from rules.model import Action, Seat
from rules.oceans.actions import Attack, Forage, LookDeep, TakeDeep
from rules.oceans.cards.decks import DEEP_DECK
from rules.players import CASUAL_PLAYER, RANDOM_PLAYER
from rules.text import capitalized
from tests.bot.chat.panel_presses import continues
from tests.bot.chat.post_components import components_by_row
from tests.bot.chat.sample_tables import MAX_SHARED_TABLES, make_table, shared_sample_tables
from tests.bot.host.playing import NAMES, begin, default_setup, make_move
from tests.rules.current_affairs.positions import act, make_board_near_yokohama, make_port_position
from tests.rules.oceans.positions import make_drawing_state
from tests.trials import IS_SOAK

MAX_FEEDINGS_SHOWN = 4
"""With so many feedings all choices of the feeding phase have room for what they bring."""


async def test_every_play_of_currents_is_shown_first(tables: Tables) -> None:
    """Also a play after which its player goes on: all would read it before its preview."""
    number = await begin(tables, default_setup(GAMES["currents"], 2))
    rng, continuing_count = random.Random(7), 0
    while (table := await tables.get(number)).to_act is not None and continuing_count < 2:
        seat = table.to_act
        actions = [
            each
            for each in game_calls.legal_actions(table, seat)
            if isinstance(each, PlayCurrent | PlayCompass | DiscardCard | CallKing | PlaceAce)
        ]
        assert previews.actions_to_confirm(table, seat, actions) == frozenset(actions)
        continuing_count += any(continues(table, seat, each) for each in actions)
        await make_move(tables, number, rng)
    assert continuing_count


@pytest.mark.parametrize(
    ("computer_count", "has_hindsight", "undo_text"),
    [
        (0, False, ": undoing it later needs NAME's consent"),
        (1, False, ": undoing it later makes this game unrated"),
        (1, True, ""),
    ],
)
@pytest.mark.parametrize(
    ("consequences", "text"),
    [
        ({(0, False)}, ""),
        ({(0, False), (1, False)}, ""),
        ({(None, True), (None, False)}, "This ends the game and cannot be undone."),
        ({(None, False), (1, False)}, "This may end the game."),
        ({(0, True)}, "You drawUNDO."),
        ({(1, True)}, "NAME plays next. You drawUNDO."),
    ],
)
async def test_a_preview_says_what_follows(
    tables: Tables,
    monkeypatch: pytest.MonkeyPatch,
    consequences: set[tuple[Any, bool]],
    text: str,
    *,
    computer_count: int,
    has_hindsight: bool,
    undo_text: str,
) -> None:
    """Below the preview stands who plays next, whether the game ends and what an undo takes, if anything."""
    number = await begin(tables, default_setup(GAMES["currents"], 2), computer_count)
    table = (await tables.get(number)).with_row(undone_with_hindsight=has_hindsight)
    seat = Seat(0)
    action = game_calls.legal_actions(table, table.to_act or seat)[0]
    follows = frozenset(
        Consequence(to_act, frozenset({Deal}) if reveals else frozenset()) for to_act, reveals in consequences
    )
    monkeypatch.setattr(previews, "consequences", lambda *_: follows)
    expected_text = text.replace("UNDO", undo_text).replace("NAME", table.names[1])
    assert consequence_text(table, seat, action) == expected_text


async def test_several_people_must_allow_an_undo_together(
    tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An undo needs the consent of all of them; one alone is named."""
    table = await tables.get(await begin(tables, default_setup(GAMES["currents"], 4)))
    follows = {Consequence(Seat(0), frozenset({Deal}))}
    monkeypatch.setattr(previews, "consequences", lambda *_: follows)
    action = game_calls.legal_actions(table, table.to_act or Seat(0))[0]
    text = consequence_text(table, Seat(0), action)
    assert text == "You draw: undoing it later needs the others' consent."


@pytest.mark.parametrize(
    ("revealed_types", "text"),
    [
        ([{RollDice, RevealCards}] * 2, "The dice are rolled and the display is refilled"),
        ([{RollDice, RevealCards}, {RevealCards}], "The display is refilled"),
        ([{RollDice}, {RevealCards}], "This draws or reveals something"),
        ([{DrawFirstPlayer}], "This draws or reveals something"),
    ],
)
async def test_a_preview_says_what_is_certainly_revealed(
    tables: Tables,
    monkeypatch: pytest.MonkeyPatch,
    revealed_types: Sequence[Collection[type[Action]]],
    text: str,
) -> None:
    """In the game's words, if it has any and the same is revealed whatever the player does not know."""
    table = await tables.get(await begin(tables, default_setup(GAMES["australis"], 2)))
    seat = table.to_act
    assert seat is not None
    follows = {Consequence(seat, frozenset(each)) for each in revealed_types}
    monkeypatch.setattr(previews, "consequences", lambda *_: follows)
    action = game_calls.legal_actions(table, seat)[0]
    expected_text = f"{text}: undoing it later needs {table.names[1 - seat]}'s consent."
    assert consequence_text(table, seat, action) == expected_text


@pytest.mark.parametrize(
    ("computer_count", "text"),
    [
        (0, "Ben plays next."),
        (1, "Random 1 plays next at once: undoing it later makes this game unrated."),
    ],
)
async def test_a_preview_says_that_a_computer_moves_at_once(
    tables: Tables, monkeypatch: pytest.MonkeyPatch, computer_count: int, text: str
) -> None:
    """Nobody can take the move back freely then; a person who is next leaves time for that."""
    table = await tables.get(await begin(tables, default_setup(GAMES["currents"], 2), computer_count))
    monkeypatch.setattr(previews, "consequences", lambda *_: {Consequence(Seat(1))})
    action = game_calls.legal_actions(table, table.to_act or Seat(0))[0]
    assert consequence_text(table, Seat(0), action) == text


@pytest.mark.parametrize("key", GAMES)
def test_what_an_undo_will_take_is_known_before_the_press(key: str) -> None:
    """Wherever a move passes the turn to a computer player, the page says it."""
    setup, rng = default_setup(GAMES[key], GAMES[key].player_counts[0]), random.Random(f"computer next/{key}")
    told_count = 0
    match = Match.begin(setup.game, setup.seat_count, setup.options, rng.randbytes(32))
    while (seat := match.to_act) is not None and told_count < 12:
        action = CASUAL_PLAYER.choose(setup.game, match.view(seat), rng)
        after = match.play(seat, action)
        if seat == 0 and after.to_act not in {None, seat}:
            table = make_table(setup, match)
            computers = (replace_fields(each, user=None, computer="random") for each in table.seats[1:])
            table = table.with_row(seats=(table.seats[0], *computers))
            page = panel_page(table, seat, panel_path(table, seat, action)).post
            assert "makes this game unrated" in f"{page.text} {page.preview_text}"
            told_count += 1
        match = after
    assert told_count > 0


async def test_a_preview_names_nobody_where_chance_decides_who_is_next(
    tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where chance decides who plays next, a preview names nobody, even if the others are seldom next."""
    table = await tables.get(await begin(tables, default_setup(GAMES["australis"], 4)))
    seat = table.to_act
    assert seat is not None
    usual, rare = (Consequence(Seat((seat + step) % 4), frozenset({RollDice})) for step in (1, 2))
    follows = iter([*(usual,) * 9, rare, *(usual,) * 90])
    monkeypatch.setattr(previews, "simulate_choice", lambda *_: next(follows))
    action = game_calls.legal_actions(table, seat)[0]
    assert "plays next" not in consequence_text(table, seat, action)


async def test_the_panel_marks_what_is_final_at_once(tables: Tables) -> None:
    """A choice that one press stores although it shows something is named above the buttons."""
    number = await begin(tables, default_setup(GAMES["oceans"], 2))
    rng, marked_count = random.Random(4), 0
    while marked_count < 3:
        table = (await make_move(tables, number, rng)).table
        seat = table.to_act
        assert seat is not None
        final_actions = previews.unconfirmed_committing_actions(
            table, seat, game_calls.legal_actions(table, seat)
        )
        text = panel_page(table, seat).post.text
        warnings = [line for line in text.splitlines() if "an undo" in line]
        assert len(warnings) == bool(final_actions)
        assert all(
            line.startswith("-# After **")
            and line.endswith(f"**End turn**, an undo needs {table.names[1 - seat]}'s consent.")
            for line in warnings
        )
        marked_count += bool(final_actions)


@pytest.mark.parametrize(("count", "is_final"), [(4, True), (5, False)])
def test_what_is_previewed_is_not_called_final_at_once(count: int, *, is_final: bool) -> None:
    """The Deep card that fills a hand in Oceans reveals something as others do, but is shown first."""
    setup, hand = default_setup(GAMES["oceans"], 2), " ".join((*DEEP_DECK[10 : 10 + count], "SP8"))
    state = make_drawing_state("SP7 3", "", hands=[hand], gene_pool=("HYD", "TIN"))
    match = Match.begin(setup.game, 2, state.position.options, bytes(32))
    table, actions = make_table(setup, replace(match, state=state)), (TakeDeep(1), LookDeep())
    assert previews.unconfirmed_committing_actions(table, Seat(0), actions) == (
        set(actions) if is_final else set()
    )


@pytest.mark.parametrize(
    ("has_hindsight", "warnings"),
    [
        (False, ["After **Look at three Deep cards** or **End turn**, an undo makes this game unrated."]),
        (True, []),
    ],
)
def test_no_warning_of_an_undo_that_takes_nothing(*, has_hindsight: bool, warnings: list[str]) -> None:
    """Against a computer player alone an undo costs the rating, and once that is lost nothing."""
    setup = default_setup(GAMES["oceans"], 2)
    state = make_drawing_state("SP7 3", "", hands=["SP8"])
    match = Match.begin(setup.game, 2, state.position.options, bytes(32))
    table = make_table(setup, replace(match, state=state)).with_row(undone_with_hindsight=has_hindsight)
    computer_seat = replace_fields(table.seats[1], user=None, computer="random")
    text = panel_page(table.with_seat(Seat(1), computer_seat), Seat(0)).post.text
    assert [line for line in text.splitlines() if "an undo" in line] == [f"-# {each}" for each in warnings]


@pytest.mark.parametrize("end_reason", [None, EndReason.CONTRACTS_DELIVERED])
def test_a_draw_that_brings_nothing_is_one_press(end_reason: EndReason | None) -> None:
    """In their last turn of Current Affairs players press a draw once, and read that it reveals something."""
    setup = default_setup(GAMES["current_affairs"], 3)
    board = make_board_near_yokohama("C08:PP", "C09:P..")
    position = act(make_port_position(board, end_reason=end_reason), "deliver C08")
    match = Match.begin(setup.game, 3, position.options, bytes(32))
    table, seat = make_table(setup, replace(match, state=position)), Seat(0)
    draws = [each for each in game_calls.legal_actions(table, seat) if isinstance(each, DrawContract)]
    assert len(draws) == 4
    is_useless = end_reason is not None
    assert previews.actions_to_confirm(table, seat, draws) == (set() if is_useless else set(draws))
    assert previews.unconfirmed_committing_actions(table, seat, draws) == (
        set(draws) if is_useless else set()
    )


@pytest.mark.parametrize("key", ["oceans", "arctic_cleanup"])
def test_the_panel_marks_what_ends_the_game_at_once(key: str) -> None:
    """Above the last **End turn** stands that the game is over after it, and not what an undo would take."""
    setup, rng, marked_count = default_setup(GAMES[key], 2), random.Random(4), 0
    while not marked_count:
        match = Match.begin(setup.game, setup.seat_count, setup.options, rng.randbytes(32))
        while (seat := match.to_act) is not None:
            match_before, last_seat = match, seat
            action = RANDOM_PLAYER.choose(setup.game, match.view(seat), rng)
            match = match.play(seat, action)
        table = make_table(setup, match_before)
        if not previews.actions_to_confirm(table, last_seat, (action,)):
            text = panel_page(table, last_seat).post.text
            assert "**End turn** ends the game: it cannot be undone." in text
            assert "an undo" not in text
            marked_count += 1


def test_each_of_a_few_feedings_of_oceans_says_what_it_brings() -> None:
    """Also beside the removal of an only trait, whose long button needs no such words."""
    setup, rng = default_setup(GAMES["oceans"], 3), random.Random("feedings")
    shown_count = removal_count = 0
    for _ in range(3):
        match = Match.begin(setup.game, 3, setup.options, rng.randbytes(32))
        while (seat := match.to_act) is not None and match.ply < 250:
            view = match.view(seat)
            feedings = [each for each in setup.game.legal_actions(view) if isinstance(each, Forage | Attack)]
            table = make_table(setup, match)
            if 0 < len(feedings) <= MAX_FEEDINGS_SHOWN:
                page = panel_page(table, seat)
                hints = {row.text: row.hint for row in page.post.rows if isinstance(row, Section)}
                for action in feedings:
                    hint = setup.game.words.short_preview(view, action, NAMES)
                    label = f"**{setup.game.words.label(view, action, NAMES)}**"
                    assert hints.get(label, "") == capitalized(hint)
                    shown_count += bool(hint)
                removal_count += any(
                    isinstance(each, Button) and each.label.startswith("Remove ") and len(each.label) > 17
                    for row in components_by_row(page.post)
                    for each in row
                )
            match = match.play(seat, CASUAL_PLAYER.choose(setup.game, view, rng))
    assert shown_count > 20
    assert removal_count > 5


def test_no_section_repeats_the_label_of_its_button() -> None:
    """Beside a label that says all stands what the choice brings."""
    hintless_count = hinted_count = 0
    for key in ("arctic_cleanup", "oceans"):
        for table in shared_sample_tables(key, MAX_SHARED_TABLES):
            assert table.to_act is not None
            for row in panel_page(table, table.to_act).post.rows:
                if isinstance(row, Section):
                    assert row.text != f"**{row.button.label}**"
                    hintless_count += not row.hint
                    hinted_count += bool(row.hint)
    assert hintless_count > 0
    assert hinted_count > 0


@pytest.mark.parametrize("key", GAMES)
def test_a_marked_choice_is_not_said_twice(key: str) -> None:
    """Its preview says more than the lines beside the buttons, which leave the page then.

    In ``make test`` at most four choices of each position.
    """
    unmarked_section_count, rng = 0, random.Random(f"marked choices/{key}")
    for table in shared_sample_tables(key, MAX_SHARED_TABLES):
        seat = table.to_act
        assert seat is not None
        legal = game_calls.legal_actions(table, seat)
        for action in legal if IS_SOAK else rng.sample(legal, min(4, len(legal))):
            page = panel_page(table, seat, panel_path(table, seat, action))
            sections = [row for row in page.post.rows if isinstance(row, Section)]
            assert page.marked_action is None or not sections
            unmarked_section_count += bool(sections)
    assert unmarked_section_count or key not in {"australis", "oceans"}


@pytest.mark.parametrize("key", GAMES)
def test_a_previewed_board_is_what_its_actor_would_see(key: str) -> None:
    """With what they alone know, such as their score pile in Oceans: it shows nothing that was sampled."""
    rng = random.Random(f"previewed boards/{key}")
    for table in shared_sample_tables(key):
        seat, match = table.to_act, table.match
        assert seat is not None
        assert match is not None
        legal = game_calls.legal_actions(table, seat)
        for action in rng.sample(legal, min(4, len(legal))):
            state, _ = apply_with_forced_choices(table.game, match.state, action)
            assert previews.board_after(table, seat, action).view == table.game.view(state, seat)
