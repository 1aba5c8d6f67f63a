"""Changes of lobbies: a refused start offers options that fit, and the host reads who else changed what."""

from functools import partial
from typing import cast

import pytest
from msgspec.structs import replace

from bot.chat.component_press import ComponentPress
from bot.chat.components import CustomId
from bot.chat.handlers import handle_press
from bot.chat.lobby_posts import computers_changed_post, lobby_post, unfit_options_post
from bot.chat.post_parts import JOIN_LABEL
from bot.chat.response import Response
from bot.host.deciders import admission, lobby, time_controls
from bot.host.deciders.decision import Decision
from bot.host.request import Refusal
from bot.host.tables import Tables
from bot.store.clock_rows import DAY, TimeControl
from bot.store.lobby_rows import AdmissionRule
from bot.store.rows import Status
from bot.store.seat_rows import Person
from rules.options import fitting_changes, parse_options
from tests.bot.chat.post_components import button_labels, buttons_of
from tests.bot.host.playing import FIRST_USER, GAMES_AND_TOYS, ManualClock, request_of_user
from tests.bot.host.timed_tables import notice_texts
from tests.bot.host.viewer_output import ResponseRecorder
from tests.bot.host.waiting_lobbies import WaitingLobby, invite, open_waiting_lobby


async def _press(waiting_lobby: WaitingLobby, verb: str, argument: str = "") -> str:
    recorder, custom_id = ResponseRecorder(), CustomId(waiting_lobby.number, 0, verb, argument)
    press = ComponentPress(
        waiting_lobby.tables, cast("Response", recorder), custom_id, waiting_lobby.request(0)
    )
    await handle_press(press)
    return str(recorder.answers[-1])


async def test_a_refused_start_offers_what_helps(tables: Tables, clock: ManualClock) -> None:
    """With a third player on the square board one press sets the triangle and starts."""
    waiting_lobby = await open_waiting_lobby(tables, clock, options="")
    assert (
        "-# For 2 or 4 players. For 3 players set board to triangle.\n"
        in lobby_post(await waiting_lobby.table()).text
    )
    answer = await _press(waiting_lobby, "start")
    assert "For three players, set board to triangle." in answer
    assert "Start with board: triangle" in answer
    assert (await waiting_lobby.table()).status is Status.LOBBY
    await _press(waiting_lobby, "fitopt", "board triangle")
    table = await waiting_lobby.table()
    assert (table.status, table.row.options) == (Status.PLAYING, "board=triangle")


async def test_a_forged_option_starts_nothing(tables: Tables, clock: ManualClock) -> None:
    """An argument that no button has shown changes nothing."""
    waiting_lobby = await open_waiting_lobby(tables, clock)
    for argument in ("", "board", "board round", "turn_order seats"):
        with pytest.raises(Refusal):
            await _press(waiting_lobby, "fitopt", argument)
    assert (await waiting_lobby.table()).status is Status.LOBBY


async def test_an_admin_who_changes_options_is_named(tables: Tables, clock: ManualClock) -> None:
    """Others read who it was, once; a host's change stands in the lobby."""
    waiting_lobby = await open_waiting_lobby(tables, clock)
    admin_request, host_request = (
        request_of_user(900, "Ada", is_admin=True),
        request_of_user(FIRST_USER, is_admin=True),
    )
    changes = ((host_request, "200"), (admin_request, "200"), (admin_request, "300"), (admin_request, "300"))
    for interaction, (requester_request, value) in enumerate(changes, 900):
        request = replace(requester_request, interaction=interaction)
        decide = partial(lobby.set_options, request=request, values={"turn_cap": value})
        await tables.change(waiting_lobby.number, request, decide)
    texts = [each for each in await notice_texts(tables, waiting_lobby.number) if "options" in each]
    assert texts == ["Ada (admin, no seat) changed the options."]


async def test_who_adds_or_removes_a_computer_is_named(tables: Tables, clock: ManualClock) -> None:
    """Unless it was the host, who would see only that the list has changed."""
    waiting_lobby = await open_waiting_lobby(tables, clock, people_count=2)
    for seat in (1, 0):
        await waiting_lobby.change_as(seat, lobby.add_computer, computer="casual")
        await waiting_lobby.change_as(seat, lobby.remove_computer)
    admin_request = request_of_user(900, "Ada", is_admin=True)
    add = partial(lobby.add_computer, request=admin_request, computer="casual")
    await tables.change(waiting_lobby.number, admin_request, add)
    texts = [each for each in await notice_texts(tables, waiting_lobby.number) if "computer player" in each]
    assert texts == [
        "Ben added the computer player Casual 1.",
        "Ben removed the computer player Casual 1.",
        "Ada (admin, no seat) added the computer player Casual 1.",
    ]
    interventions = [
        (await tables.store.personal_data(user))["interventions"] for user in (FIRST_USER + 1, 900)
    ]
    assert [len(each) for each in interventions] == [0, 1], "players intervene in nothing"


async def test_what_an_admin_changes_in_a_lobby_is_announced(tables: Tables, clock: ManualClock) -> None:
    """With name and role, for all to read, and recorded; what its host changes stands in the lobby alone."""
    applicants = (FIRST_USER + 2, FIRST_USER + 3)
    for user, is_announced in ((900, True), (FIRST_USER, False)):
        waiting_lobby = await open_waiting_lobby(tables, clock, people_count=2)
        texts_before = await notice_texts(tables, waiting_lobby.number)
        entries_before = len((await tables.store.personal_data(user))["interventions"])
        changes: tuple[partial[Decision], ...] = (
            partial(time_controls.set_time_control, control=TimeControl(turn_seconds=DAY)),
            partial(admission.set_admission_rule, rule=AdmissionRule.NOT_OFTEN_AWAY),
            partial(admission.set_by_invitation, by_invitation=True),
            partial(admission.accept_applicant, user=applicants[0]),
            partial(admission.decline_applicant, user=applicants[1]),
            partial(admission.remove_player, user=applicants[0], is_channel_busy=False),
            partial(admission.invite, person=Person(FIRST_USER + 9, "Hal")),
        )
        for change in changes:
            if change.func is admission.accept_applicant:
                await waiting_lobby.change_as(2, lobby.join)
                await waiting_lobby.change_as(3, lobby.join)
            request = request_of_user(user, "Ada", is_admin=True)
            await tables.change(waiting_lobby.number, request, partial(change, request=request))
        texts = (await notice_texts(tables, waiting_lobby.number))[len(texts_before) :]
        names = [waiting_lobby.request(person_number).name for person_number in (2, 3)]
        admission_text = "By invitation: other reliable and new players can ask the host with **Join**."
        announced_texts = [
            "set the clock: 1 day a turn.",
            "changed who may join. Players who were often away in their last games may not join.",
            f"changed who may join. {admission_text}",
            f"gave {names[0]} a seat.",
            f"declined {names[1]}, who had asked to join.",
            f"removed {names[0]}.",
            "invited Hal.",
        ]
        assert texts == [f"Ada (admin, no seat) {text}" for text in announced_texts if is_announced]
        entries = (await tables.store.personal_data(user))["interventions"]
        assert len(entries) - entries_before == len(texts)


async def test_what_is_set_already_is_not_announced(tables: Tables, clock: ManualClock) -> None:
    """An admin who presses the same button twice posts one notice."""
    waiting_lobby = await open_waiting_lobby(tables, clock, people_count=2)
    notice_count = len(await notice_texts(tables, waiting_lobby.number))
    changes: tuple[partial[Decision], ...] = (
        partial(time_controls.set_time_control, control=TimeControl(turn_seconds=DAY)),
        partial(admission.set_admission_rule, rule=AdmissionRule.NOT_OFTEN_AWAY),
        partial(admission.set_by_invitation, by_invitation=True),
    )
    for change in (*changes, *changes):
        request = request_of_user(900, "Ada", is_admin=True)
        await tables.change(waiting_lobby.number, request, partial(change, request=request))
    assert len(await notice_texts(tables, waiting_lobby.number)) == notice_count + len(changes)
    assert len((await tables.store.personal_data(900))["interventions"]) == len(changes)


async def test_each_way_out_has_its_button(tables: Tables, clock: ManualClock) -> None:
    """Options that contradict each other fit once either is changed; until then the lobby says why not."""
    game = GAMES_AND_TOYS["oceans"]
    text = "reef=on scenarios=promo"
    waiting_lobby = await open_waiting_lobby(tables, clock, options=text, game=game)
    changes = fitting_changes(game, 3, parse_options(game.options_type, text))
    assert changes == (("reef", "off"), ("scenarios", "retail"), ("scenarios", "gentle"))
    labels = button_labels(unfit_options_post(await waiting_lobby.table(), "No."))
    assert labels == [f"Start with {name}: {value}" for name, value in changes]
    warning = "**No game can start with these options.** The Reef Variant always uses"
    assert warning in lobby_post(await waiting_lobby.table()).text
    name, value = changes[0]
    await waiting_lobby.change_as(0, lobby.set_options, values={name: value})
    assert warning not in lobby_post(await waiting_lobby.table()).text


async def test_a_lobby_is_full_for_its_options(tables: Tables, clock: ManualClock) -> None:
    """The triangle is for three: nothing offers a fourth seat until the host sets another board."""
    waiting_lobby = await open_waiting_lobby(tables, clock, people_count=3, options="board=triangle")
    add = partial(lobby.add_computer, computer="casual")
    for seat, decide in ((3, lobby.join), (0, add)):
        with pytest.raises(Refusal, match=r"All seats are taken: with these options at most 3 can play\."):
            await waiting_lobby.change_as(seat, decide)
    with pytest.raises(Refusal, match=r"at most 3 can play\. Remove somebody first\."):
        await invite(waiting_lobby, 3)
    table = await waiting_lobby.table()
    seat_labels = {JOIN_LABEL, "Add Casual computer", "Add Random computer"}
    assert {each.label for each in buttons_of(lobby_post(table)) if each.disabled} == seat_labels
    assert button_labels(computers_changed_post(table, "", is_host=True)) == ["Start"]
    await waiting_lobby.change_as(0, lobby.set_options, values={"board": "square"})
    await waiting_lobby.change_as(3, lobby.join)


@pytest.mark.parametrize(
    ("values", "rest"),
    [
        ({"jokers": "on"}, "."),
        ({"board": "triangle"}, ", but too many have joined: at most 3 can play with them."),
        (
            {"board": "triangle", "obstacles": "rocks"},
            ", but no game can start with them. The triangular board has no obstacles: set obstacles to off.",
        ),
    ],
)
async def test_set_options_say_what_keeps_the_game_from_starting(
    tables: Tables, clock: ManualClock, values: dict[str, str], rest: str
) -> None:
    """Whoever sets options that fit no game, or fewer players than have joined, reads it at once."""
    waiting_lobby = await open_waiting_lobby(tables, clock, people_count=4, options="")
    answer = await waiting_lobby.change_as(0, lobby.set_options, values=values)
    assert answer == f"The options are set{rest}"
