"""The private panel: it goes on by itself, asks only what cannot be taken back, and is never out of date."""

import random
import re
from functools import partial
from typing import Any, cast

import pytest

from bot.chat import action_picker
from bot.chat.action_picker import build_screen
from bot.chat.components import CustomId
from bot.chat.hand_posts import hand_post
from bot.chat.panel import PanelHandler, play_or_confirm, play_or_confirm_line, show_after_move
from bot.chat.panel_posts import panel_page, panel_path
from bot.chat.post_parts import Post, table_custom_id
from bot.chat.response import Response
from bot.chat.story import panel_story, turn_story
from bot.host import game_calls, game_logs, previews
from bot.host.deciders import play
from bot.host.deciders.decision import Decision
from bot.host.deciders.play import StaleChoice
from bot.host.names import escape_markup
from bot.host.request import Refusal, Request
from bot.host.table import Table
from bot.host.table_turns import newest_finished_turn, story_start
from bot.host.tables import Tables
from bot.store.rows import Status
from rules.catalogue import GAMES
from rules.model import Action, Seat
from rules.notation import write_action
from tests.bot.chat.panel_presses import (
    PostRecorder,
    button_called,
    find_continuing_action,
    last_shown_post,
    make_continuing_choice,
    table_with_action_to_confirm,
    table_with_continuing_choices,
)
from tests.bot.chat.post_components import button_labels, components_by_row, layout_components
from tests.bot.chat.sample_tables import sample_tables
from tests.bot.host.conftest import clock, tables
from tests.bot.host.playing import begin, default_setup, make_move, request_of_person
from tests.bot.host.viewer_output import TablesOfOne

__all__ = ["clock", "tables"]


async def test_the_next_step_follows_a_stored_choice(tables: Tables) -> None:
    """A choice that continues is stored by one press, and its response is the next step with Undo."""
    table, seat = await table_with_continuing_choices(tables)
    action = find_continuing_action(table, seat)
    assert action is not None
    button_id = table_custom_id(table, "do", write_action(action))
    post = await last_shown_post(
        lambda response: PanelHandler(tables).play(response, button_id, request_of_person(seat))
    )
    after = await tables.get(table.number)
    assert after.row.ply > table.row.ply
    assert components_by_row(post) == components_by_row(panel_page(after, seat).post)
    assert "Undo" in button_labels(post)


async def test_the_first_step_tells_what_its_player_knows(tables: Tables) -> None:
    """Play, and Back to the first step, show the story with what is secret to others."""
    number = await begin(tables, default_setup(GAMES["oceans"], 2))
    rng = random.Random(2)
    while True:
        table = (await make_move(tables, number, rng)).table
        seat = table.to_act
        assert seat is not None
        lines = await game_logs.log_lines_since_last_turn(table, seat)
        row_count = len(panel_page(table, seat).post.rows) - 1
        story = panel_story(table, seat, lines, row_count)
        if story != panel_story(table, seat, table.log_lines(story_start(table, seat)), row_count):
            break
    request, first_step_id = request_of_person(seat), table_custom_id(table, "step")
    opened_post = await last_shown_post(lambda response: PanelHandler(tables).open(response, number, request))
    again_post = await last_shown_post(
        lambda response: PanelHandler(tables).show_screen(response, first_step_id, request, "")
    )
    assert story.text in opened_post.text
    assert story.text in again_post.text


async def _table_with_action(tables: Tables, *, ends_turn: bool) -> tuple[Table, Seat, Action]:
    """Return a table, who is to act, and an action: one that ends the turn, if asked, or one within it."""
    if ends_turn:
        return await table_with_action_to_confirm(tables)
    table, seat = await table_with_continuing_choices(tables)
    action = find_continuing_action(table, seat)
    assert action is not None
    return table, seat, action


@pytest.mark.parametrize("is_asked", [True, False])
async def test_a_command_asks_what_the_panel_asks(tables: Tables, *, is_asked: bool) -> None:
    """What ends the turn is shown with Play it and nothing is stored; other actions are played."""
    table, seat, action = await _table_with_action(tables, ends_turn=is_asked)
    actions, request = (action,), request_of_person(seat)
    decide = partial(_play_actions, request, actions)
    post = await last_shown_post(
        lambda response: play_or_confirm(tables, response, request, table.number, lambda *_: actions, decide)
    )
    assert ("Play it" in button_labels(post)) is is_asked
    assert ((await tables.get(table.number)).row.ply == table.row.ply) is is_asked


async def test_several_moves_in_one_line_are_played_at_once(tables: Tables) -> None:
    """Even if the panel would ask about the first one: its player has named what follows it."""
    table, seat, action = await table_with_action_to_confirm(tables)
    played_plies: list[int] = []

    def decide(current: Table, ply: int) -> Decision:
        played_plies.append(ply)
        return play.play(current, request_of_person(seat), (action,), ply)

    post = await last_shown_post(
        lambda response: play_or_confirm(
            tables, response, request_of_person(seat), table.number, lambda *_: (action, action), decide
        )
    )
    assert "Play it" not in button_labels(post)
    assert played_plies == [table.row.ply]


def _play_actions(request: Request, actions: tuple[Action, ...], table: Table, ply: int) -> Decision:
    return play.play(table, request, actions, ply)


async def test_a_command_is_not_played_after_the_game_moved_on(tables: Tables) -> None:
    """What was judged to need no preview is refused if another choice is stored before it."""
    table, seat = await table_with_continuing_choices(tables)
    action, request = find_continuing_action(table, seat), request_of_person(seat)
    assert action is not None
    after = await make_continuing_choice(tables, table.number, seat)
    earlier_tables = TablesOfOne(table)
    cast("Any", earlier_tables).change = tables.change
    with pytest.raises(StaleChoice):
        await last_shown_post(
            lambda response: play_or_confirm_line(
                cast("Tables", earlier_tables), response, table.number, request, write_action(action)
            )
        )
    assert (await tables.get(table.number)).row.ply == after.row.ply


async def test_a_marked_choice_stays_on_its_grid(tables: Tables) -> None:
    """Question and choices stay, so that another one is one press away; the preview is above **Play it**."""
    table, seat, action = await table_with_action_to_confirm(tables)
    path = panel_path(table, seat, action)
    page = panel_page(table, seat, path)
    assert page.marked_action == action
    (marked,) = [label for label in button_labels(page.post) if label.startswith("✓")]
    assert len(button_labels(page.post)) > len((marked, "Play it", "Type a move"))
    *_, preview, last_row = layout_components(page.post)
    preview_text = previews.preview_text(table, seat, action)
    assert preview_text
    assert preview["content"].startswith(preview_text), "the marked button says what is chosen"
    question_page = panel_page(table, seat, path.rpartition(" ")[0])
    assert question_page.marked_action is None
    assert page.post.text == question_page.post.text
    assert last_row["components"][0]["label"] == "Play it"


async def test_a_first_screen_with_many_choices_has_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Next leads to the choices that do not fit, and Previous back to the first ones."""
    monkeypatch.setattr(action_picker, "MAX_SCREEN_COMPONENTS", 5)

    async def turn_to(table: Table, button_id: CustomId) -> Post:
        assert table.to_act is not None
        handler, request = PanelHandler(cast("Tables", TablesOfOne(table))), request_of_person(table.to_act)
        page, _, path = button_id.argument.partition(" ")
        return await last_shown_post(
            lambda response: handler.show_screen(response, button_id, request, path, int(page))
        )

    for table in sample_tables("oceans", 12, random.Random(1)):
        first_page = await turn_to(table, table_custom_id(table, "page", "0"))
        if "Next" in button_labels(first_page):
            break
    else:
        pytest.fail("no first screen has pages")
    second_page = await turn_to(table, button_called(first_page, "Next").custom_id)
    assert button_called(first_page, "Previous").disabled
    assert not button_called(second_page, "Previous").disabled
    assert button_labels(second_page) != button_labels(first_page)
    page_before = await turn_to(table, button_called(second_page, "Previous").custom_id)
    assert button_labels(page_before) == button_labels(first_page)


def test_later_screens_lead_back() -> None:
    """**Back** stands on each screen but the first, and shows the one before."""
    depths = set[int]()
    for table in sample_tables("arctic_cleanup", 12, random.Random(3)):
        seat = table.to_act
        assert seat is not None
        assert "Back" not in button_labels(panel_page(table, seat).post)
        paths = [each.path for each in game_calls.action_paths(table, seat).values()]
        screens = [build_screen(paths, ())]
        while screens:
            screen = screens.pop()
            for tokens in (each.tokens for each in screen.choices if not each.is_action):
                button = button_called(panel_page(table, seat, " ".join(tokens)).post, "Back")
                earlier_tokens = " ".join(screen.chosen_tokens)
                assert (button.custom_id.verb, button.custom_id.argument) == ("step", earlier_tokens)
                depths.add(len(tokens))
                screens.append(build_screen(paths, tokens))
    assert len(depths) > 1, "no screen but the second one"


@pytest.mark.parametrize("may_resume", [False, True])
def test_somebody_who_may_resume_a_game_can_do_so_in_private(*, may_resume: bool) -> None:
    """The host always has **Resume** below the hand; the others have it where every player may resume."""
    (table,) = sample_tables("currents", 1, random.Random(3))
    paused = table.with_row(status=Status.PAUSED, players_may_resume=may_resume)
    for seat, row in enumerate(table.seats):
        is_host = row.user == table.row.host
        assert ("Resume" in button_labels(hand_post(paused, Seat(seat)))) is (is_host or may_resume)


@pytest.mark.parametrize("verb", ["step", "do", "undo"])
async def test_a_stale_press_shows_the_choices_now(tables: Tables, verb: str) -> None:
    """An old button redraws the panel for the seat to act and says so; others are refused."""
    table, seat = await table_with_continuing_choices(tables)
    action = find_continuing_action(table, seat)
    assert action is not None
    assert table.match is not None
    other_action = next(each for each in table.match.legal_actions(seat) if each != action)
    arguments = {"do": write_action(other_action), "undo": str(len(table.match.history))}
    button_id = table_custom_id(table, verb, arguments.get(verb, ""))
    after = await make_continuing_choice(tables, table.number, seat)
    presses: dict[str, Any] = {
        "step": partial(_show_old_screen, tables),
        "do": PanelHandler(tables).play,
        "undo": PanelHandler(tables).undo,
    }
    press = presses[verb]
    post = await last_shown_post(lambda response: press(response, button_id, request_of_person(seat)))
    assert ("has changed" in post.text) is (verb != "undo")
    assert ("Your choice was not played" in post.text) is (verb == "do")
    assert "since then. These are your choices now." in post.text
    assert components_by_row(post) == components_by_row(panel_page(after, seat).post)
    assert (await tables.get(table.number)).row.ply == after.row.ply
    other_request = request_of_person((seat + 1) % len(table.seats))
    with pytest.raises(Refusal):
        await last_shown_post(lambda response: press(response, button_id, other_request))


async def test_a_choice_after_the_turn_is_answered_as_not_played(tables: Tables) -> None:
    """Somebody who plays on one device and presses another choice on a second one reads that it was late."""
    table, seat, action = await table_with_action_to_confirm(tables)
    other_action = next(each for each in game_calls.legal_actions(table, seat) if each != action)
    first_id, second_id = (
        table_custom_id(table, "do", write_action(each)) for each in (action, other_action)
    )
    await last_shown_post(
        lambda response: PanelHandler(tables).play(response, first_id, request_of_person(seat))
    )
    after = await tables.get(table.number)
    assert after.to_act is not None
    expected = (
        f"Your choice was not played: the game has changed since then. Wait for {after.names[after.to_act]}."
    )
    with pytest.raises(Refusal, match=f"^{re.escape(expected)}$"):
        await last_shown_post(
            lambda response: PanelHandler(tables).play(response, second_id, request_of_person(seat))
        )


@pytest.mark.parametrize("is_delivered_twice", [False, True])
@pytest.mark.parametrize("ends_turn", [True, False])
async def test_a_second_press_names_the_move(
    tables: Tables, *, ends_turn: bool, is_delivered_twice: bool
) -> None:
    """A choice that is pressed twice is played once; the second answer has its number and what it did.

    So has that to a press which Discord delivers twice, and which is shown if it is ready first.
    """
    table, seat, action = await _table_with_action(tables, ends_turn=ends_turn)
    button_id = table_custom_id(table, "do", write_action(action))
    request = request_of_person(seat)
    await last_shown_post(lambda response: PanelHandler(tables).play(response, button_id, request))
    after = await tables.get(table.number)
    assert (after.to_act != seat) is ends_turn
    second_request = request if is_delivered_twice else request_of_person(seat)
    post = await last_shown_post(
        lambda response: PanelHandler(tables).play(response, button_id, second_request)
    )
    assert (await tables.get(table.number)).row.ply == after.row.ply
    assert f"Already played as move {table.move_count + 1}" in post.text
    assert after.match is not None
    assert table.match is not None
    lines = after.match.log_lines(seat, after.names, len(table.match.history))
    assert lines
    assert all(line.text.splitlines()[-1] in post.text for line in lines)
    assert (after.to_act == seat) is ("Type a move" in button_labels(post))


@pytest.mark.parametrize("ends_turn", [True, False])
async def test_a_typed_move_that_arrives_twice_hides_nothing(tables: Tables, *, ends_turn: bool) -> None:
    """The second answer goes on with the turn; after it, it leaves the first one, which says more."""
    table, seat, action = await _table_with_action(tables, ends_turn=ends_turn)
    request, recorder = request_of_person(seat), PostRecorder()
    line = write_action(action)

    for _ in range(2):
        decide = partial(play.play_typed_line, request=request, text=line, ply=table.row.ply)
        result = await tables.change(table.number, request, decide)
        await show_after_move(tables, cast("Response", recorder), request, result)
    first_post, second_post = recorder.posts
    assert "Already played as move" not in first_post.text
    assert f"Already played as move {table.move_count + 1}." in second_post.text
    assert ("Type a move" in button_labels(second_post)) is not ends_turn
    assert recorder.replaces_first_answer == [True, not ends_turn]


async def test_a_move_may_be_typed_as_its_button_calls_it(tables: Tables) -> None:
    """It is understood like the notation; what no button says is refused with what can be chosen."""
    table, seat = await table_with_continuing_choices(tables)
    legal = game_calls.legal_actions(table, seat)
    labels_of_actions = [game_calls.action_label(table, seat, action) for action in legal]
    action, label = next(
        pair for pair in zip(legal, labels_of_actions, strict=True) if labels_of_actions.count(pair[1]) == 1
    )
    assert play.parse_typed_actions(table, seat, label.lower()) == (action,)
    with pytest.raises(Refusal, match="You can choose"):
        play.parse_typed_actions(table, seat, f"{label} no more")


async def test_a_late_second_press_repeats_no_later_moves(tables: Tables) -> None:
    """Others have moved since the first press: the second answer says what that move did, and no more."""
    table, seat = await table_with_continuing_choices(tables)
    action = find_continuing_action(table, seat)
    assert action is not None
    assert table.match is not None
    button_id = table_custom_id(table, "do", write_action(action))
    await last_shown_post(
        lambda response: PanelHandler(tables).play(response, button_id, request_of_person(seat))
    )
    match_after = (await tables.get(table.number)).match
    assert match_after is not None
    rng = random.Random(4)
    for _ in range(6):
        later_table = (await make_move(tables, table.number, rng)).table
    assert later_table.match is not None
    post = await last_shown_post(
        lambda response: PanelHandler(tables).play(response, button_id, request_of_person(seat))
    )
    own_lines = match_after.log_lines(seat, later_table.names, len(table.match.history))
    later_lines = later_table.match.log_lines(seat, later_table.names, len(match_after.history))
    assert later_lines
    assert all(part in post.text for line in own_lines for part in line.text.splitlines())
    assert not any(part in post.text for line in later_lines for part in line.text.splitlines())


async def _show_old_screen(tables: Tables, response: Response, button_id: CustomId, request: Request) -> None:
    await PanelHandler(tables).show_screen(response, button_id, request, "old words")


async def test_a_short_move_out_of_turn_is_not_called_unknown(tables: Tables) -> None:
    """Somebody who types a short move while another is to act, or in an old form, reads just that."""
    table = await tables.get(await begin(tables, default_setup(GAMES["currents"], 2)))
    assert table.to_act is not None
    assert table.match is not None
    other_request = request_of_person(Seat(1 - table.to_act))
    with pytest.raises(Refusal, match=f"^It is not your turn. Wait for {table.names[table.to_act]}"):
        play.play_typed_line(table, other_request, "NS")
    with pytest.raises(StaleChoice, match="has changed"):
        play.play_typed_line(table, other_request, "NS", table.match.ply - 1)


async def test_the_end_of_a_turn_tells_its_player_what_is_secret_to_others(tables: Tables) -> None:
    """The Deep card that Ava has kept is named when her turn is over, and to nobody else."""
    table = await tables.get(await begin(tables, default_setup(GAMES["oceans"], 2)))
    verbs: set[str] = set()
    while not {"keep", "draw"} <= verbs:
        seat, match = table.to_act, table.match
        assert seat is not None
        assert match is not None
        by_verb = {write_action(each).split()[0]: each for each in match.legal_actions(seat)}
        verb = next(verb for verb in ("look", "keep", "draw", *by_verb) if verb in by_verb)
        verbs = {verb} if verb == "look" else {*verbs, verb}
        request = request_of_person(seat)
        decide = partial(play.play, request=request, actions=(by_verb[verb],), ply=table.row.ply)
        result = await tables.change(table.number, request, decide)
        table = result.table
    post = await last_shown_post(lambda response: show_after_move(tables, response, request, result))
    assert seat is not None
    name = table.names[seat]
    assert f"{name} keeps " in post.text
    assert f"{name} keeps a Deep card" not in post.text
    turn = newest_finished_turn(table, seat)
    assert turn is not None
    assert f"{name} keeps a Deep card" in turn_story(table, turn).text


async def test_moves_in_one_line_are_told_once(tables: Tables) -> None:
    """Where several moves of one line end a turn, the answer tells the whole turn, and no move twice."""
    table = await tables.get(await begin(tables, default_setup(GAMES["australis"], 2)))
    seat, line = table.to_act, ""
    assert seat is not None
    changed = table
    while changed.to_act == seat and changed.match is not None:
        action = changed.match.legal_actions(seat)[0]
        line += f"{write_action(action)};"
        changed = play.play(changed, request_of_person(seat), (action,)).table
    assert line.count(";") > 1
    decide = partial(play.play_typed_line, request=request_of_person(seat), text=line.rstrip(";"))
    result = await tables.change(table.number, request_of_person(seat), decide)
    post = await last_shown_post(
        lambda response: show_after_move(tables, response, request_of_person(seat), result)
    )
    assert "Your turn is over." in post.text
    quoted_lines = [line for line in post.text.splitlines() if line.startswith("> ")]
    assert quoted_lines == [f"> {line}" for line in result.answer.splitlines()]


async def test_a_typed_move_of_another_kind_is_answered_with_an_example(tables: Tables) -> None:
    """Where no move of its kind is legal, the refusal says what could be typed; else the game's words do."""
    table = await tables.get(await begin(tables, default_setup(GAMES["oceans"], 2)))
    seat, match = table.to_act, table.match
    assert seat is not None
    assert match is not None
    legal = match.legal_actions(seat)
    with pytest.raises(Refusal) as wrong_kind:
        play.play_typed_line(table, request_of_person(seat), "forage A1 reef")
    text = str(wrong_kind.value)
    assert text.startswith("Not now: you are asked to play one card. Try, for example, `")
    example = text.partition("`")[2].removesuffix("`.")
    assert play.parse_typed_actions(table, seat, example)[0] in legal
    with pytest.raises(Refusal) as right_kind:
        play.play_typed_line(table, request_of_person(seat), "migrate ZZ9 reef z1")
    assert "Try, for example" not in str(right_kind.value)


async def test_a_refused_line_names_the_move(tables: Tables) -> None:
    """Of several typed moves the refusal names the one that fails, and that none was played."""
    table, seat = await table_with_continuing_choices(tables)
    action = find_continuing_action(table, seat)
    assert action is not None
    text = write_action(action)
    for line, failing in ((f"{text};{text}", text), (f"zz top;{text}", "zz top")):
        with pytest.raises(Refusal, match=rf"^“{re.escape(failing)}”: .* No move of this line was played\.$"):
            play.play_typed_line(table, request_of_person(seat), line)
    with pytest.raises(Refusal) as hostile:
        play.play_typed_line(table, request_of_person(seat), f"{text};**zz**\n@zz")
    assert str(hostile.value).startswith(f"“{escape_markup('**zz** @zz')}”: "), "inert, on one line"
    with pytest.raises(Refusal) as single:
        play.play_typed_line(table, request_of_person(seat), "zz top")
    assert "No move of this line" not in str(single.value)
