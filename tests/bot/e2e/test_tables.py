"""Everything around the moves: moderation, looking, direct messages, rematches, erasure."""

from __future__ import annotations

import json
from typing import Any

import discord
import pytest

from bot.local.members import Member
from bot.local.message_contents import body_text, controls, has_button
from bot.local.model import Message
from tests.bot.e2e.live_game import press_component
from tests.bot.e2e.observe import open_form, ply_of, read_response, shown_message, wait_until
from tests.bot.e2e.rig import Rig
from tests.trials import WAIT_TIMEOUT, cases

pytestmark = pytest.mark.asyncio(loop_scope="module")

MAX_PRESSES = 20
"""The most presses until the bot knows, on a busy machine, which picture its page has."""


# Pictures that stay the same


async def test_an_edit_keeps_a_picture_that_stays_the_same(rig: Rig) -> None:
    """A pause changes the text of the board message, not its picture; a move changes both."""
    game = await rig.start_game("Ava", "Ben")
    host = game.people[0]
    board = await game.current_board()
    (file,) = board.attachments
    await read_response(await host.command("table pause"))
    await wait_until(lambda: "Paused" in board.content or None)
    assert [kept.id for kept in board.attachments] == [file.id]
    await read_response(await host.command("table resume"))
    await game.make_move_on(await game.current_board())
    next_board = await game.next_board()
    assert next_board is not None
    assert [new.data for new in next_board.attachments] != [file.data]


async def test_a_private_page_keeps_a_picture_that_stays_the_same(rig: Rig) -> None:
    """A choice that is pressed again shows its preview again, without another upload."""
    game = await rig.start_game("Ava", "Ben")
    board = await game.current_board()
    member = game.require_member_to_act(board)
    page = await shown_message(await member.press(board, "Play"))
    file_ids = [page.attachments[0].id]
    while not (
        marked_controls := [
            control for control in controls(page) if str(control["label"]).startswith("\u2713")
        ]
    ):
        steps = [control for control in controls(page) if control["custom_id"].split(":")[3] == "step"]
        page = await shown_message(await member.press(page, custom_id=steps[0]["custom_id"]))
        file_ids.append(page.attachments[0].id)
    for _ in range(MAX_PRESSES):
        page = await shown_message(await member.press(page, custom_id=marked_controls[0]["custom_id"]))
        file_ids.append(page.attachments[0].id)
        if file_ids[-1] == file_ids[-2]:  # before, the bot did not know yet that the last one had arrived
            break
    else:
        pytest.fail("the same picture is uploaded each time")
    assert len(set(file_ids)) == len(file_ids) - 1, "other pictures are uploaded"


# Moderation


@pytest.mark.parametrize("moderator_name", cases(["Ben", "Ava"], "Ava"))
async def test_host_and_admins_moderate_a_table(rig: Rig, moderator_name: str) -> None:
    """The host and admins may pause, resume, replace, roll back, move and end: said publicly."""
    game = await rig.start_game("Ben", "Chloé")
    await game.make_move()
    await game.make_move()
    moderator = rig.member(moderator_name, game.game_channel)
    moderator_text = "Ben (host)" if moderator_name == "Ben" else f"{moderator_name} (admin, no seat)"

    async def run(command: str, **options: Any) -> str:
        return await read_response(await moderator.command(f"table {command}", table=game.number, **options))

    assert "paused" in await run("pause")
    await game.message_with(f"{moderator_text} paused the game")
    board = await game.newest_message(lambda message: "Paused." in message.content)
    assert not has_button(board, "Play")
    assert "paused" in await read_response(
        await game.person("Chloé").command("play", at_once="true", move="pass", table=game.number)
    )
    assert "paused already" in await run("pause")
    assert "resumed" in await run("resume")
    await game.message_with(f"{moderator_text} resumed the game")
    assert "not paused" in await run("resume")
    if moderator_name == "Ben":
        assert "Only an admin" in await run("freeze", reason="a stuck phase")
    else:
        assert "froze this game: a stuck phase." in await run("freeze", reason="a stuck phase")
        await game.message_with(f"{moderator_text} froze this game: a stuck phase.")
        assert ": solved. It goes on where it stood." in await run("thaw", reason="solved")
    page = await shown_message(await moderator.command("table rollback", move=1, table=game.number))
    assert "must agree." in body_text(page)
    assert "This would be taken back:\n`  2` " in body_text(page)
    assert not any("allow this roll-back?" in message.content for message in game.public_messages())
    assert "I have asked" in await read_response(await moderator.press(page, "Ask to roll back"))
    question = await game.message_with(f"{moderator_text} asks to roll the game back to move 1")
    for member in game.people:
        if member.user.id != moderator.user.id:
            await read_response(await member.press(question, "Allow roll-back"))
    await game.message_with(f"{moderator_text} rolled the game back to move 1")
    assert await game.count_moves() == 1
    assert "Choose move 0" in await run("rollback", move=40)
    assert "Choose move 0" in await run("rollback", move=-1)
    farid = rig.discord.user("Farid")
    page = await shown_message(
        await moderator.command("table replace", seat="B", player=farid.id, table=game.number)
    )
    assert "Farid must accept" in await read_response(await moderator.press(page, "Offer the seat"))
    offer = await game.message_with(f"{moderator_text} offers seat B of Chloé to Farid")
    accepted = await rig.member("Farid", game.game_channel).press(offer, "Accept the seat")
    assert "Chloé can agree now" in await read_response(accepted)
    agreement = await game.person("Chloé").press(offer, "Give my seat away")
    assert "Farid takes seat B" in await read_response(agreement)
    await wait_until(lambda: True if "Farid" in game.game_channel.name else None, awaited="the thread's name")
    assert "Chloé" not in game.game_channel.name
    await game.message_with("Farid takes seat B from Chloé")
    await wait_until(lambda: offer.content.endswith("\nThe seat has been handed over.") or None)
    assert "no such seat" in await run("replace", seat="F", player=farid.id)
    assert "seat at this table" in await run("replace", seat="a", player=farid.id)
    assert "Bots" in await run("replace", seat="A", player=rig.world.bot.id)
    former_member = rig.member("Rosa")
    former_member.leave()
    assert "not in this server" in await run("replace", seat="A", player=former_member.user.id)
    former_member.rejoin()
    assert "Farid has your seat now" in await read_response(
        await game.person("Chloé").command("hand", table=game.number)
    )
    elsewhere = rig.world.add_text_channel(f"elsewhere-{moderator_name.lower()}")
    moderator.channel = elsewhere
    assert "moved table" in await run("move")
    moved_board = await rig.member("Ava").wait_for_message(
        lambda message: has_button(message, "Play"), WAIT_TIMEOUT, channel=elsewhere
    )
    assert f"No. {game.number}" in moved_board.content
    assert "already here" in await run("move")
    question = await shown_message(await moderator.command("table end", table=game.number))
    assert "End this game for everyone?" in body_text(question)
    assert "Nothing has changed" in await read_response(await moderator.press(question, "Keep the game"))
    assert "to move" in await game.table_text(), "a question that was declined ended the game"
    question = await shown_message(await moderator.command("table end", table=game.number))
    second_question = await shown_message(await moderator.command("table end", table=game.number))
    ended = await shown_message(await moderator.press(question, "End the game"))
    assert "ended the game early" in body_text(ended)
    assert not controls(ended), "the question can be answered twice"
    await rig.member("Ava").wait_for_message(
        lambda message: "ended the game early" in message.content, channel=elsewhere
    )
    board = await rig.member("Ava").wait_for_message(
        lambda message: has_button(message, "Get the match file"), WAIT_TIMEOUT, channel=elsewhere
    )
    file = await shown_message(await moderator.press(board, "Get the match file"))
    assert "Seed: " in (file.attachments[0].data or b"").decode()
    assert "closed" in await read_response(await moderator.press(second_question, "End the game"))
    assert "closed" in await run("end")


async def test_the_question_of_a_lobby_does_not_end_its_game(rig: Rig) -> None:
    """A user who was asked whether to close a lobby is asked again once its game has started."""
    game = await rig.open_lobby("Ben", "Chloé")
    ben = game.people[0]
    question = await shown_message(await ben.command("table end", table=game.number))
    assert "Close this lobby?" in body_text(question)
    await game.start()
    assert "has started" in await read_response(await ben.press(question, "Close the lobby"))
    assert "to move" in await game.table_text()


async def test_others_may_not_moderate_a_table(rig: Rig) -> None:
    """Players who are not the host, and strangers, are refused each of these, and nothing changes."""
    game = await rig.start_game("Ben", "Chloé")
    await game.make_move()
    table_text = await game.table_text()
    commands: list[tuple[str, dict[str, Any]]] = [
        ("clock", {}),
        ("resume", {}),
        ("rollback", {"move": 0}),
        ("replace", {"seat": "A"}),
        ("end", {}),
    ]
    for name in ("Chloé", "Farid"):
        member = rig.member(name, game.game_channel)
        for command, options in commands:
            text = await read_response(await member.command(f"table {command}", table=game.number, **options))
            is_own_resume = (name, command) == ("Chloé", "resume")  # players may resume what is paused
            expected = "This game is not paused." if is_own_resume else "Only the table's host"
            assert text.startswith(expected), text
        if name == "Farid":  # a player's wish for a pause asks the others
            text = await read_response(await member.command("table pause", table=game.number))
            assert text.startswith("Only the table's host"), text
        member.channel = rig.world.text_channels()[0]
        assert (await read_response(await member.command("table move", table=game.number))).startswith(
            "Only the table's host"
        )
    assert await game.table_text() == table_text


async def test_an_admin_reads_in_direct_messages_where_to_moderate(rig: Rig) -> None:
    """Discord says only in the server who is an admin: refused elsewhere, an admin with a seat reads so."""
    game = await rig.start_game("Ben", "Ava")
    ava, ben = game.person("Ava"), game.person("Ben")
    commands: list[tuple[str, dict[str, Any]]] = [
        ("clock", {}),
        ("rollback", {"move": 0}),
        ("replace", {"seat": "A"}),
        ("end", {}),
        ("freeze", {"reason": "a stuck phase"}),
    ]
    await game.make_move()
    for command, options in commands:
        options |= {"table": game.number}
        text = await read_response(await ava.command(f"table {command}", channel=ava.dm, **options))
        assert text.startswith(f"**Currents · No. {game.number}** · Only "), text
        assert text.endswith(" Admins: do it in the table's server."), text
        await read_response(await ava.command(f"table {command}", **options))
    host_text = await read_response(await ben.command("table thaw", reason="solved", table=game.number))
    assert host_text == (
        "Only an admin of the table's server can thaw a game. The host can end it with `/table end`."
    )
    question = await shown_message(await ben.command("table end", table=game.number))
    assert "ended the game early" in body_text(await shown_message(await ben.press(question, "End the game")))


async def test_answers_given_elsewhere_name_the_game(rig: Rig) -> None:
    """A channel may have opened several games: only at its own place a game is not named."""
    game = await rig.start_game("Ben", "Chloé")
    ben, elsewhere = game.people[0], rig.world.text_channels()[0]
    heading = f"**Currents · No. {game.number}** · "
    expected_texts = {
        "pause": "Ben (host) paused the game.",
        "resume": "Ben (host) resumed the game.",
        "thaw": "Only an admin of the table's server can thaw a game. The host can end it with `/table end`.",
    }
    for place, expected_heading in ((game.game_channel, ""), (elsewhere, heading)):
        for command, text in expected_texts.items():
            options = {"reason": "Why"} if command == "thaw" else {}
            answer = await ben.command(f"table {command}", channel=place, table=game.number, **options)
            assert await read_response(answer) == f"{expected_heading}{text}"
    page = await shown_message(await ben.command("table end", channel=elsewhere, table=game.number))
    answer_text = body_text(await shown_message(await ben.press(page, "End the game")))
    assert answer_text.startswith(f"{heading}Ben (host) ended the game early.")


async def test_a_table_is_not_moved_to_another_game(rig: Rig) -> None:
    """A table cannot be moved to where another game is going on."""
    first_game, second_game = await rig.start_game("Ben", "Chloé"), await rig.start_game("Ben", "Chloé")
    ben = rig.member("Ben", first_game.game_channel)
    assert "Another game" in await read_response(await ben.command("table move", table=second_game.number))


# Looking


async def test_everybody_may_look_at_a_table(rig: Rig) -> None:
    """Board, text, log, rules, own tables and file are answered privately, players and bystanders."""
    game = await rig.start_game("Ava", "Ben")
    await game.make_move()
    await game.make_move()
    board = await game.current_board()
    ben, farid = game.person("Ben"), rig.member("Farid", game.game_channel)
    for member in (ben, farid):
        picture = await shown_message(await member.command("board"))
        assert picture.ephemeral
        assert picture.attachments[0].description
        assert "Pawn" in await read_response(await member.command("board", text=True))
        log_text = await read_response(await member.command("log", all=True))
        assert "The whole game" in log_text
        assert "`  2`" in log_text
        assert "`  3`" not in log_text
    await read_response(await farid.command("export", table=game.number))
    await _watch_the_game(ben, await shown_message(await ben.command("log")))
    assert "Your hand" not in await read_response(await farid.command("board", text=True))
    assert f"No. {game.number}" in await read_response(await ben.command("mygames"))
    assert "no seat" in await read_response(await rig.member("Guest").command("mygames"))
    topics = await ben.autocomplete("rules", "topic")
    texts = {await read_response(await ben.command("rules", topic=topic["value"])) for topic in topics}
    assert len(texts) == len(topics) > 1
    more_page = await shown_message(await farid.press(board, "More"))
    assert not has_button(more_page, "Resign")
    assert "Pawn" in await read_response(await farid.press(more_page, "Show as text"))
    rules_page = await shown_message(await farid.press(more_page, "Read the rules"))
    await farid.choose(rules_page, str(topics[-1]["value"]))
    assert str(topics[-1]["name"]) in body_text(rules_page)


async def _watch_the_game(member: Member, log: Message) -> None:
    """Look at the animated picture of the log, step through the game from it, and watch the replay."""
    (animated,) = log.attachments
    assert (animated.filename, animated.content_type) == ("what-happened.gif", "image/gif")
    assert animated.description
    page = await shown_message(await member.press(log, "Step through the game"))
    assert "Page 2 of 2" in body_text(page)
    for label, text in (("Back", "Page 1 of 2"), ("First", "The start of the game"), ("Last", "Page 2 of 2")):
        page = await shown_message(await member.press(page, label))
        assert text in body_text(page)
        assert page.ephemeral
    replay = await shown_message(await member.press(page, "Watch the replay"))
    await wait_until(lambda: replay.attachments or None, awaited="the replay")
    assert [each.filename for each in replay.attachments] == ["replay.gif"]
    await member.press(page, "Get the match file")


# Direct messages and the panel


async def test_commands_and_buttons_find_the_table_in_direct_messages(rig: Rig) -> None:
    """With one game going on every command finds it from the DM; of two it is asked which; buttons work."""
    game = await rig.start_game("Iris", "Kai")
    board = await game.current_board()
    member = game.require_member_to_act(board)
    hand = await member.wait_for_message(lambda message: "Your hand" in message.content, channel=member.dm)
    assert has_button(hand, "Play")
    assert hand.attachments[0].description
    for command in ("board", "hand", "log", "table show", "rules"):
        assert await read_response(await member.command(command, channel=member.dm))
    offered = await member.autocomplete("play", "move", channel=member.dm)
    await read_response(
        await member.command("play", at_once="true", move=offered[0]["value"], channel=member.dm)
    )
    next_board = await game.next_board()
    assert next_board is not None
    member = game.require_member_to_act(next_board)
    hand = await member.wait_for_message(lambda message: has_button(message, "Play"), channel=member.dm)
    await game.play_through_panel(member, hand)
    await game.next_board()
    assert await game.count_moves() == 2
    other_game = await rig.start_game("Iris", "Kai")
    asked_users = [each.require_member_to_act(await each.current_board()).user for each in (game, other_game)]
    text = await read_response(await member.command("board", channel=member.dm))
    assert ("several games" in text) == (asked_users.count(member.user) != 1)
    numbers = [each["value"] for each in await member.autocomplete("board", "table", channel=member.dm)]
    assert game.number in numbers


async def test_the_page_of_a_typed_move_takes_the_place_of_the_last_one(rig: Rig) -> None:
    """Each shows the choices of the turn as it is; the result of the turn is in place of the last of them."""
    game = await rig.start_game("Lea", "Max")
    member = game.require_member_to_act(await game.current_board())
    move = (await member.autocomplete("play", "move"))[0]["value"]
    pages = [await shown_message(await member.command("play", move=move)) for _ in range(2)]
    assert has_button(pages[1], "Play it")
    result = await shown_message(await member.command("play", move=move, at_once="true"))
    messages = result.channel.messages
    await wait_until(lambda: None if pages[1].id in messages else True, awaited="the end of the last page")
    assert pages[0].id not in messages
    assert result.id in messages


async def test_the_result_of_a_turn_stays_once_a_move_of_the_next_one_is_typed(rig: Rig) -> None:
    """Also where a button of the page of a typed move has led to it."""
    game = await rig.start_game("Lea", "Max")
    member = game.require_member_to_act(await game.current_board())
    result_ids, pages = [], []
    for _ in range(2):
        while game.require_member_to_act(await game.current_board()) is not member:
            await game.make_move("notation")
        move = (await member.autocomplete("play", "move"))[0]["value"]
        pages = [await shown_message(await member.command("play", move=move)) for _ in range(2)]
        result_ids.append((await shown_message(await member.press(pages[1], "Play it"))).id)
        await game.next_board()
    messages = pages[0].channel.messages
    await wait_until(lambda: None if pages[0].id in messages else True, awaited="the end of the last page")
    assert messages.keys() >= {*result_ids}


def _choice_ids(message: Message) -> list[str]:
    """Return the custom ids of the choices that a message offers."""
    ids = [str(control["custom_id"]) for control in controls(message) if control.get("label") != "Back"]
    return [each for each in ids if each.split(":")[3] in {"step", "do"}]


async def test_the_direct_message_starts_at_the_first_step(rig: Rig) -> None:
    """The choices of the first step stand under the hand: the panel that they open stays one message."""
    game = await rig.start_game("Gwen", "Hugo")
    board = await game.current_board()
    member = game.require_member_to_act(board)
    hand = await member.wait_for_message(
        lambda message: game.owns(message) and bool(_choice_ids(message)), channel=member.dm
    )
    panel = await shown_message(await member.press(hand, custom_id=_choice_ids(hand)[0]))
    assert panel.id != hand.id, "the living message stays"
    while not has_button(panel, "Play it"):
        next_panel = await shown_message(await member.press(panel, custom_id=_choice_ids(panel)[0]))
        assert next_panel.id == panel.id
        panel = next_panel
    await member.press(panel, "Play it")
    await game.next_board()


async def test_a_typed_move_is_shown_in_the_panel(rig: Rig) -> None:
    """What is typed in the form is marked in the same private message, and played from there."""
    game = await rig.start_game("Gwen", "Hugo")
    board = await game.current_board()
    member = game.require_member_to_act(board)
    panel = await shown_message(await member.press(board, "Play"))
    offered = await member.autocomplete("play", "move")
    form = await open_form(member, panel, "Type a move")
    marked_panel = await shown_message(await member.submit(form, {"": str(offered[0]["value"])}))
    assert marked_panel.id == panel.id
    move_count = await game.count_moves()
    await read_response(await member.press(marked_panel, "Play it"))
    await game.next_board()
    assert await game.count_moves() > move_count


async def test_a_refused_typed_move_is_explained_in_the_panel(rig: Rig) -> None:
    """Each takes the place of the last, where a phone shows it; only out of turn it is a message."""
    game = await rig.start_game("Gwen", "Hugo")
    board = await game.current_board()
    member = game.require_member_to_act(board)
    panel = await shown_message(await member.press(board, "Play"))
    for typed in ("nonsense", "rubbish"):
        form = await open_form(member, panel, "Type a move")
        refused_panel = await shown_message(await member.submit(form, {"": typed}))
        assert refused_panel.id == panel.id
        shown_words = [word for word in ("nonsense", "rubbish") if word in body_text(refused_panel)]
        assert shown_words == [typed]
        assert f"“{typed}”" in refused_panel.components[-2]["content"], "right above the last row"
    form = await open_form(member, panel, "Type a move")
    while game.require_member_to_act(await game.current_board()) is member:
        await game.make_move()
    assert (await shown_message(await member.submit(form, {"": "nonsense"}))).id != panel.id


# The end, and erasure


async def test_only_players_open_a_rematch_and_only_after_the_end(rig: Rig) -> None:
    """After the end a player opens the same game again; strangers cannot, nor before the end."""
    game = await rig.start_game("Ava", "Ben", options="jokers=on")
    rematch_id = f"c1:{game.number}:0:again:"
    early_press = await press_component(game.person("Ben"), await game.current_board(), rematch_id)
    assert "not over yet" in await read_response(early_press)
    await game.resign(game.person("Ben"))
    assert await game.next_board() is None
    result = game.result()
    assert result is not None
    assert "Only its players" in await read_response(
        await rig.member("Farid", game.game_channel).press(result, "Rematch")
    )
    assert "is open" in await read_response(await game.person("Ben").press(result, "Rematch"))
    lobby = await rig.member("Ben").wait_for_message(
        lambda message: f"No. {game.number + 1}**" in message.content and has_button(message, "Join")
    )
    assert "jokers" in lobby.content
    second_answer = await read_response(await game.person("Ben").press(result, "Rematch"))
    assert f"already in the rematch: table No. {game.number + 1} in <#{lobby.channel.id}>" in second_answer
    assert "Ben (host)" in lobby.content
    assert ply_of(lobby) == 0


async def test_somebody_gets_their_data_and_is_erased(rig: Rig) -> None:
    """``/mydata`` gives a file; ``/forget`` can be answered once, then a computer player takes the seat."""
    game = await rig.start_game("Ava", "Petra")
    petra = game.people[1]
    page = await shown_message(await petra.command("mydata"))
    (file,) = page.attachments
    data = json.loads(file.data or b"")
    assert [each["number"] for each in data["tables"]] == [game.number]
    question = await shown_message(await petra.command("forget"))
    assert "for good?" in body_text(question)
    assert "You leave your table. In games a computer player goes on in your place." in body_text(question)
    assert "Your settings, ratings and statistics go" in body_text(question)
    assert "Nothing has changed." in await read_response(await petra.press(question, "Keep my data"))
    assert not controls(question), "it can still be answered"
    question = await shown_message(await petra.command("forget"))
    erase_button = next(each for each in controls(question) if each.get("label") == "Erase")
    assert erase_button["style"] == discord.ButtonStyle.danger.value
    assert "is erased" in await read_response(await petra.press(question, "Erase"))
    assert "is erased" in body_text(question), "the question stays"
    departure = await game.message_with("A former player has left. The computer player")
    assert "takes seat B" in departure.content
