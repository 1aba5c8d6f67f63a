"""Typed lines that are no move: what is only guessed is never played, and commands are named."""

import re
from dataclasses import replace
from functools import partial
from typing import cast

import pytest
from msgspec import structs

from bot import limits
from bot.chat.components import CustomId
from bot.chat.guess_pages import guess_page
from bot.chat.move_suggestions import find_move_suggestions
from bot.chat.panel import PanelHandler, play_or_confirm_line
from bot.chat.post_parts import Post, table_custom_id
from bot.chat.response import Response
from bot.host import game_calls
from bot.host.deciders import play
from bot.host.line_codes import write_codes
from bot.host.request import Refusal
from bot.host.table import Table
from bot.host.tables import Tables
from rules.catalogue import GAMES
from rules.match import Match
from rules.model import Action, Seat
from rules.notation import write_action
from rules.oceans.cards.decks import Card
from rules.oceans.causes import TraitCause
from rules.oceans.model import OceansOptions
from rules.oceans.places import ScorePile
from rules.oceans.steps import ChoiceKind, Choosing
from tests.bot.chat.panel_presses import (
    button_called,
    find_continuing_action,
    last_shown_post,
    table_with_action_to_confirm,
    table_with_continuing_choices,
)
from tests.bot.chat.post_components import buttons_of
from tests.bot.chat.sample_tables import make_table
from tests.bot.host.playing import default_setup, request_of_person
from tests.rules.oceans.positions import make_state


def _reversed_text(table: Table, seat: Seat, action: Action) -> str:
    """Return the words of an action from the last to the first: they are no move, but mean this one."""
    return " ".join(reversed(game_calls.action_label(table, seat, action).split()))


async def _guess_post(tables: Tables, table: Table, seat: Seat, text: str, *, at_once: bool) -> Post:
    """Return the page that answers a typed line; check that nothing was played."""
    post = await last_shown_post(
        lambda response: play_or_confirm_line(
            tables, cast("Response", response), table.number, request_of_person(seat), text, at_once=at_once
        )
    )
    assert (await tables.get(table.number)).row.ply == table.row.ply
    return post


@pytest.mark.parametrize("at_once", [False, True])
async def test_a_guessed_move_is_asked_about_with_its_preview(tables: Tables, *, at_once: bool) -> None:
    """The question stands above Play it, whether or not the panel confirms such a move."""
    for find_table in (table_with_action_to_confirm, _table_with_continuing_action):
        table, seat, action = await find_table(tables)
        text, label = _reversed_text(table, seat, action), game_calls.action_label(table, seat, action)
        post = await _guess_post(tables, table, seat, text, at_once=at_once)
        assert post.preview_text.startswith(f"### Did you mean “{label}”?")
        ids = [each.custom_id for each in buttons_of(post)]
        assert len(set(ids)) == len(ids), "Discord takes no page with two buttons of one id"
        assert button_called(post, "Play it").custom_id == table_custom_id(table, "do", write_action(action))
        with pytest.raises(play.GuessedMove, match=re.escape(f"Did you mean `{label}`?")):
            play.play_typed_line(table, request_of_person(seat), text)


async def _guessed_line(tables: Tables) -> tuple[Table, Seat, list[Action], str]:
    """Return a table, its seat to act, two moves that it can make, and a line that may mean them."""
    table, seat = await table_with_continuing_choices(tables)
    first = find_continuing_action(table, seat)
    assert first is not None
    after = play.play(table, request_of_person(seat), (first,)).table
    second = find_continuing_action(after, seat)
    assert second is not None
    return table, seat, [first, second], f"{_reversed_text(table, seat, first)}; {write_action(second)}"


@pytest.mark.parametrize("at_once", [False, True])
async def test_a_guess_in_a_line_is_asked_about_with_the_whole_line(tables: Tables, *, at_once: bool) -> None:
    """Its moves stand above Play it, which plays all of them; a second press of it plays nothing."""
    table, seat, actions, text = await _guessed_line(tables)
    post = await _guess_post(tables, table, seat, text, at_once=at_once)
    label = game_calls.action_label(table, seat, actions[0], table.names)
    assert post.preview_text.startswith(f"### Did you mean this line?\n1. {label}\n2. ")
    button_id = button_called(post, "Play it").custom_id
    assert button_id == table_custom_id(table, "do", ";".join(map(write_action, actions)))
    for _ in range(2):
        post = await last_shown_post(partial(_press, tables, seat=seat, button_id=button_id))
        match = (await tables.get(table.number)).match
        assert match is not None
        assert table.match is not None
        played = [each.action for each in match.history[len(table.match.history) :] if not each.auto]
        assert played == actions
    first_number = table.move_count + 1
    assert f"Already played as moves {first_number} to {first_number + 1}" in post.text


async def test_a_line_without_room_for_its_texts_is_carried_as_codes(
    tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Play it plays it; a second press shows what it did, and codes of other moves play nothing."""
    table, seat, actions, text = await _guessed_line(tables)
    post = await _guess_post(tables, table, seat, text, at_once=False)
    monkeypatch.setattr(limits, "CUSTOM_ID", len(str(button_called(post, "Play it").custom_id)) - 1)
    post = await _guess_post(tables, table, seat, text, at_once=False)
    button_id = button_called(post, "Play it").custom_id
    assert button_id.argument == write_codes(actions)
    other_id = structs.replace(button_id, argument=write_codes([*actions, actions[0]]))
    post = await last_shown_post(partial(_press, tables, seat=seat, button_id=other_id))
    assert "Your choice was not played" in post.text
    assert (await tables.get(table.number)).row.ply == table.row.ply
    for _ in range(2):
        post = await last_shown_post(partial(_press, tables, seat=seat, button_id=button_id))
        match = (await tables.get(table.number)).match
        assert match is not None
        assert table.match is not None
        played = [each.action for each in match.history[len(table.match.history) :] if not each.auto]
        assert played == actions
    assert "Already played as moves" in post.text
    post = await last_shown_post(partial(_press, tables, seat=seat, button_id=other_id))
    assert "Your choice was not played" in post.text


async def test_moves_may_be_joined_by_then(tables: Tables) -> None:
    """Words that are no single move are taken apart there; what fails is named, and nothing played."""
    table, seat, actions, _ = await _guessed_line(tables)
    label, text = game_calls.action_label(table, seat, actions[0]), write_action(actions[1])
    for joint in (" then ", ", and then ", " And then "):
        assert play.parse_typed_actions(table, seat, f"{label}{joint}{text}") == tuple(actions)
    with pytest.raises(Refusal, match=r"^“zz top”: .* No move of this line was played\.$"):
        play.parse_typed_actions(table, seat, f"{label} then zz top")


async def test_a_line_quotes_the_move_that_fails_once(tables: Tables) -> None:
    """Its refusal may begin with these words itself."""
    table, seat, actions, _ = await _guessed_line(tables)
    failing = "symbiotic transparent"
    with pytest.raises(Refusal, match=rf"^“{failing}” is not possible now\.") as refused:
        play.parse_typed_actions(table, seat, f"{failing}; {write_action(actions[1])}")
    assert str(refused.value).count(failing) == 1


async def test_a_line_is_called_played_only_if_all_of_it_was(tables: Tables) -> None:
    """If its player has made its first move alone since, Play it plays nothing and says so."""
    table, seat, actions, text = await _guessed_line(tables)
    post = await _guess_post(tables, table, seat, text, at_once=False)
    button_id = button_called(post, "Play it").custom_id
    request = request_of_person(seat)
    decide = partial(play.play, request=request, actions=actions[:1])
    after = (await tables.change(table.number, request, decide)).table
    post = await last_shown_post(partial(_press, tables, seat=seat, button_id=button_id))
    assert "Your choice was not played" in post.text
    assert (await tables.get(table.number)).row.ply == after.row.ply


async def _press(tables: Tables, response: Response, *, seat: Seat, button_id: CustomId) -> None:
    await PanelHandler(tables).play(response, button_id, request_of_person(seat))


async def test_a_guessed_line_is_refused_with_words_that_play_it(tables: Tables) -> None:
    """One below the other, where no button can carry the line or the table has moved on."""
    table, seat, actions, text = await _guessed_line(tables)
    with pytest.raises(play.GuessedMove) as guessed:
        play.play_typed_line(table, request_of_person(seat), text)
    assert "```" not in str(guessed.value)
    labels = re.findall(r"^\d+\. `(.*)`$", str(guessed.value), re.MULTILINE)
    assert play.parse_typed_actions(table, seat, "; ".join(labels)) == tuple(actions)
    too_long = play.GuessedMove(str(guessed.value), actions * 20, table.row.ply)
    stale = play.GuessedMove(str(guessed.value), actions, table.row.ply - 1)
    for guess in (too_long, stale):
        with pytest.raises(play.GuessedMove):
            guess_page(table, seat, guess)


async def test_a_line_with_a_guess_is_refused_for_what_fails_behind_it(tables: Tables) -> None:
    """The refusal names that move."""
    table, seat, _, text = await _guessed_line(tables)
    with pytest.raises(Refusal, match=r"^“zz top”: .* No move of this line was played\.$"):
        play.play_typed_line(table, request_of_person(seat), f"{text}; zz top")


def _table_with_named_choices(*names: str) -> Table:
    """Return a table of Oceans whose first seat must take population from one of the others."""
    setup = default_setup(GAMES["oceans"], len(names))
    options = tuple(ScorePile(Seat(seat)) for seat in range(1, len(names)))
    step = Choosing(ChoiceKind.LEECH, options, TraitCause(Card("PAR")), "A1")
    rows = ("PAR 3", *("SP7 4" for _ in options))
    state = make_state(*rows, step=step, options=cast("OceansOptions", setup.options))
    match = Match.begin(setup.game, setup.seat_count, setup.options, bytes(32))
    table = make_table(setup, replace(match, state=state))
    seats = [structs.replace(row, name=name) for row, name in zip(table.seats, names, strict=True)]
    return table.with_row(seats=tuple(seats))


def test_an_example_of_a_refusal_can_be_typed_whatever_a_name_holds() -> None:
    """It shows no escapes, and no sign that separates moves."""
    for name in ("Ben_*", "Ben; B"):
        table = _table_with_named_choices("Ava", name)
        with pytest.raises(Refusal) as refused:
            play.parse_typed_actions(table, Seat(0), "discard SP7")
        example = str(refused.value).split("`")[1]
        assert play.parse_typed_actions(table, Seat(0), example) == tuple(
            game_calls.legal_actions(table, Seat(0))
        )


async def _table_with_continuing_action(tables: Tables) -> tuple[Table, Seat, Action]:
    table, seat = await table_with_continuing_choices(tables)
    action = find_continuing_action(table, seat)
    assert action is not None
    return table, seat, action


async def test_a_refused_line_names_the_move_after_which_none_may_follow(tables: Tables) -> None:
    """After a move that draws, the answer calls it as examples and suggestions do."""
    table, seat, action = await table_with_action_to_confirm(tables)
    text, label = write_action(action), game_calls.action_label(table, seat, action)
    with pytest.raises(Refusal, match=f" “{label}”, so this must be the last move"):
        play.play_typed_line(table, request_of_person(seat), f"{text}; {text}")


async def test_a_suggested_move_is_named_by_its_label(tables: Tables) -> None:
    """It sends the move in notation."""
    table, seat, action = await table_with_action_to_confirm(tables)
    label = game_calls.action_label(table, seat, action)
    suggestions = await find_move_suggestions(tables, request_of_person(seat), table.number, label)
    assert (label, write_action(action)) in [(each.name, each.value) for each in suggestions]


async def test_a_suggestion_holds_the_whole_line(tables: Tables) -> None:
    """It stands in place of the first move that is not complete; what follows is still there."""
    table, seat, (first, second), _ = await _guessed_line(tables)
    before, after = write_action(first), "what follows"
    label = game_calls.action_label(play.play(table, request_of_person(seat), (first,)).table, seat, second)
    for typed in (f"{before}; {label}", f"{before};; {after}"):
        ends = [after] if after in typed else []
        suggestions = await find_move_suggestions(tables, request_of_person(seat), table.number, typed)
        assert "; ".join((before, label, *ends)) in [each.name for each in suggestions]
        assert ";".join((before, write_action(second), *ends)) in [each.value for each in suggestions]
    suggestions = await find_move_suggestions(tables, request_of_person(seat), table.number, f"zz; {after}")
    assert suggestions == []


async def test_a_guess_in_a_line_stays_one_when_another_move_is_suggested(tables: Tables) -> None:
    """Its words are sent as they were typed, so that it is asked about."""
    table, seat, (first, second), _ = await _guessed_line(tables)
    guessed_text = _reversed_text(table, seat, first)
    suggestions = await find_move_suggestions(
        tables, request_of_person(seat), table.number, f"{guessed_text}; {write_action(second)}"
    )
    assert suggestions[0].value == f"{guessed_text};{write_action(second)}"


async def test_a_line_that_would_be_cut_is_not_suggested(tables: Tables) -> None:
    """It would be another line; names are shortened."""
    table, seat, (first, _), _ = await _guessed_line(tables)
    line = f"{write_action(first)};;"
    for length, is_suggested in ((60, True), (100, False)):
        suggestions = await find_move_suggestions(
            tables, request_of_person(seat), table.number, f"{line}{'x' * length}"
        )
        assert any(each.value.endswith("x" * length) for each in suggestions) == is_suggested
        assert all(len(each.name) <= limits.CHOICE_NAME for each in suggestions)


async def test_nothing_is_suggested_behind_the_last_move_of_a_line(tables: Tables) -> None:
    """None may follow what ends the turn."""
    table, seat, action = await table_with_action_to_confirm(tables)
    line = f"{write_action(action)}; "
    assert await find_move_suggestions(tables, request_of_person(seat), table.number, line) == []


@pytest.mark.parametrize(("typed", "command"), [("undo", "`/undo`"), ("Help!", "`/help`")])
async def test_a_command_typed_as_a_move_is_named(tables: Tables, typed: str, command: str) -> None:
    """It is no move of the game."""
    table, seat, _ = await table_with_action_to_confirm(tables)
    with pytest.raises(Refusal, match=command):
        play.play_typed_line(table, request_of_person(seat), typed)


async def test_whose_turn_it_is_is_said_to_who_types_out_of_turn(tables: Tables) -> None:
    """The only suggestion says so, and sends what was typed, which is refused with the same reason."""
    table, seat, action = await table_with_action_to_confirm(tables)
    other_request, text = request_of_person(Seat(1 - seat)), write_action(action)
    suggestions = await find_move_suggestions(tables, other_request, table.number, text)
    name = f"It is not your turn. Wait for {table.plain_names[seat]}."
    assert [(each.name, each.value) for each in suggestions] == [(name, text)]
    assert await find_move_suggestions(tables, other_request, table.number, " ") == []
    with pytest.raises(Refusal, match="It is not your turn"):
        play.play_typed_line(table, other_request, text)
