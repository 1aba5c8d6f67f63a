"""Everything around the moves: undo, resignation, the lobby, the host's and the admins' acts, looking."""

from __future__ import annotations

from typing import Any

import pytest

from bot.local.members import Member
from bot.local.message_contents import body_text, controls, has_button
from bot.local.model import Message
from tests.bot.e2e.observe import PATIENCE, custom_ids, ply_of, read_answer, shown_message, wait_until
from tests.bot.e2e.rig import NAMES, Game, Rig

pytestmark = pytest.mark.asyncio(loop_scope="module")


def member_to_act(game: Game, board: Message) -> Member:
    """Return the one who must act."""
    member = game.asked(board)
    assert member is not None
    member.channel = board.channel
    return member


async def message_with(game: Game, text: str) -> Message:
    """Return a public message at the table with this text."""
    return await game._newest(lambda message: text in message.content)


async def test_an_edit_keeps_a_picture_that_stays_the_same(rig: Rig) -> None:
    """A pause changes the text of the board message, not its picture; a move changes both."""
    game = await rig.open("Ava", "Ben")
    host = game.people[0]
    before = await game.now()
    (file,) = before.attachments
    await read_answer(await host.command("table pause"))
    await wait_until(lambda: "Paused" in before.content or None, PATIENCE)
    assert [kept.id for kept in before.attachments] == [file.id]
    await read_answer(await host.command("table resume"))
    await game.choose(await game.now())
    after = await game.board()
    assert after is not None
    assert [new.data for new in after.attachments] != [file.data]


async def test_a_private_page_keeps_a_picture_that_stays_the_same(rig: Rig) -> None:
    """A choice that is pressed again shows its preview again, without another upload."""
    game = await rig.open("Ava", "Ben")
    board = await game.now()
    member = game.asked(board)
    assert member is not None
    member.channel = board.channel
    page = await shown_message(await member.press(board, "Play"))
    uploaded = [page.attachments[0].id]
    while not (marked := [one for one in controls(page) if str(one["label"]).startswith("\u2713")]):
        steps = [one for one in controls(page) if one["custom_id"].split(":")[3] == "step"]
        page = await shown_message(await member.press(page, custom_id=steps[0]["custom_id"]))
        uploaded.append(page.attachments[0].id)
    page = await shown_message(await member.press(page, custom_id=marked[0]["custom_id"]))
    assert [file.id for file in page.attachments] == uploaded[-1:]
    assert len(set(uploaded)) == len(uploaded), "other pictures are uploaded"


# Undo and resignation


async def test_an_undo_that_nobody_can_mind_is_free(rig: Rig) -> None:
    """The own last choice is taken back at once, by button and by command; the same player must act again."""
    game = await rig.open("Ava", "Ben")
    for way in ("button", "command"):
        first = await game.now()
        member = member_to_act(game, first)
        await game.choose(first)
        board = await game.board()
        assert board is not None
        outcome = await (member.press(board, "Undo") if way == "button" else member.command("undo"))
        assert "took back your last move" in await read_answer(outcome)
        again = await game.board()
        assert again is not None
        assert game.asked(again) is member
        assert await game.moves() == 0


@pytest.mark.parametrize("agreed", [True, False])
async def test_undo_with_consent(rig: Rig, *, agreed: bool) -> None:
    """After another's move the others are asked: one refusal lets it stand, all agreeing take it back."""
    game = await rig.open("Ben", "Chloé", "Dimitri", options="board=triangle")
    asker = member_to_act(game, await game.now())
    await game.make_move()
    await game.make_move()
    moves = await game.moves()
    asker.channel = game.home
    others = [member for member in game.people if member is not asker]
    assert "must allow" in await read_answer(await asker.press(await game.now(), "Undo"))
    assert "already asked" in await read_answer(await asker.press(await game.now(), "Undo"))
    question = await message_with(game, "Allow this undo?")
    assert set(question.mentions) == {member.user.id for member in others}
    assert "Only the other players" in await read_answer(await asker.press(question, "Allow undo"))
    assert "no seat" in await read_answer(await rig.member("Farid", game.home).press(question, "Allow undo"))
    assert "You allowed it" in await read_answer(await others[0].press(question, "Allow undo"))
    assert await game.moves() == moves
    if agreed:
        await read_answer(await others[1].press(question, "Allow undo"))
        await message_with(game, "All allowed the undo")
        board = await game.board()
        assert board is not None
        assert game.asked(board) is asker
        assert await game.moves() == 0
    else:
        await read_answer(await others[1].press(question, "Decline"))
        await message_with(game, "declined. The move stands.")
        assert await game.moves() == moves
    await wait_until(lambda: None if controls(question) else True, what="the end of the question")


async def test_computers_agree_to_an_undo(rig: Rig) -> None:
    """With computer players alone around, an undo asks nobody, even after they have moved."""
    game = await rig.open("Elif", computers=1)
    await game.make_move()
    await game.make_move()
    moves = await game.moves()
    text = await read_answer(await game.people[0].press(await game.now(), "Undo"))
    assert "took back your last move after seeing what followed" in text
    await message_with(game, "took back the last move after seeing what followed")
    assert await game.moves() < moves
    await game.board()
    await game.make_move()


async def test_resigning_in_two_ends_the_game(rig: Rig) -> None:
    """With two seats a resignation, asked for twice, gives the other the game."""
    game = await rig.open("Ava", "Ben")
    member = game.person("Ben")
    more = await shown_message(await member.press(await game.now(), "More"))
    sure = await shown_message(await member.press(more, "Resign"))
    assert "The game ends" in body_text(sure)
    await read_answer(await member.press(sure, "Resign"))
    assert await game.board() is None
    result = game.result()
    assert result is not None
    assert "1. **Ava**" in result.content


async def test_resigning_in_four_seats_a_computer(rig: Rig) -> None:
    """With four seats a computer player takes over, said publicly; with nobody left the game ends."""
    game = await rig.open(*NAMES)
    for name in NAMES[:3]:
        member = game.person(name)
        await read_answer(await member.command("resign", sure=True, table=game.number))
        await message_with(game, f"{name} resigned")
        assert "no seat" in await read_answer(await member.command("resign", sure=True, table=game.number))
    await read_answer(await game.person("Dimitri").command("resign", sure=True, table=game.number))
    if game.result() is None:
        await message_with(game, "Nobody is left")


# The lobby


async def test_lobby(rig: Rig) -> None:
    """Join, leave, options, computers, start and their refusals; the message always shows how it stands."""
    game = await rig.lobby("Ben", "Chloé")
    lobby = await game.lobby_message()
    ben, chloe, farid = game.people[0], game.people[1], rig.member("Farid", game.channel)
    assert "already in" in await read_answer(await chloe.press(lobby, "Join"))
    assert "not in this lobby" in await read_answer(await farid.press(lobby, "Leave"))
    assert "Ben" in await read_answer(await chloe.press(lobby, "Start"))
    assert "Press **Join** first" in await read_answer(await farid.press(lobby, "Add Casual computer"))
    for label in ("Add Casual computer", "Add Random computer"):
        await read_answer(await ben.press(lobby, label))
    assert "All seats are taken" in await read_answer(await ben.press(lobby, "Add Casual computer"))
    assert "All seats are taken" in await read_answer(await farid.press(lobby, "Join"))
    await game._newest(
        lambda message: (
            "Casual 1 (computer)" in message.content
            and "Random 1 (computer)" in message.content
            and has_button(message, "Remove computer")
        )
    )
    await read_answer(await ben.press(lobby, "Remove computer"))
    await read_answer(await ben.press(lobby, "Remove computer"))
    assert "no computer" in await _pressed_anyway(ben, lobby, "uncomp")
    assert "You have left" in await read_answer(await ben.press(lobby, "Leave"))
    await game._newest(lambda message: "Chloé (host)" in message.content)
    assert "lobby is closed" in await read_answer(await chloe.press(lobby, "Leave"))
    closed = await game._newest(lambda message: "This lobby is closed." in message.content)
    assert not controls(closed)


async def _pressed_anyway(member: Member, message: Message, verb: str) -> str:
    """Press a button that may have gone from the message meanwhile."""
    known = custom_ids(message)
    return (
        await read_answer(await member.press(message, custom_id=known[verb]))
        if verb in known
        else "no computer"
    )


async def test_options_that_do_not_fit(rig: Rig) -> None:
    """A start with too few people for the options says how many are missing, and the lobby stays."""
    game = await rig.lobby("Ben", "Chloé", options="board=triangle")
    text = await read_answer(await game.people[0].press(await game.lobby_message(), "Start"))
    assert "You need one more player: press **Add Casual computer** or invite someone." in text
    alone = await rig.lobby("Ben")
    text = await read_answer(await alone.people[0].press(await alone.lobby_message(), "Start"))
    assert "You need one more player: press **Add Casual computer** or invite someone." in text
    assert has_button(await alone.lobby_message(), "Join")


# Looking after a table


@pytest.mark.parametrize("name", ["Ben", "Ava"])
async def test_host_and_admins_look_after_a_table(rig: Rig, name: str) -> None:
    """The host and admins may pause, resume, replace, roll back, move and end: said publicly."""
    game = await rig.open("Ben", "Chloé")
    await game.make_move()
    await game.make_move()
    keeper = rig.member(name, game.home)

    async def done(command: str, **options: Any) -> str:
        return await read_answer(await keeper.command(f"table {command}", table=game.number, **options))

    assert "paused" in await done("pause")
    await message_with(game, f"{name} paused the game")
    board = await game._newest(lambda message: "Paused." in message.content)
    assert not has_button(board, "Play")
    assert "paused" in await read_answer(
        await game.person("Chloé").command("play", at_once="true", move="pass", table=game.number)
    )
    assert "can only pause" in await done("pause")
    assert "resumed" in await done("resume")
    await message_with(game, f"{name} resumed the game")
    assert "not paused" in await done("resume")
    assert "rolled" in await done("rollback", move=1)
    await message_with(game, f"{name} rolled the game back to move 1")
    assert await game.moves() == 1
    assert "Choose a move" in await done("rollback", move=40)
    assert "Choose a move" in await done("rollback", move=-1)
    farid = rig.discord.user("Farid")
    assert "Farid" in await done("replace", seat="B", player=farid.id)
    await message_with(game, f"{name} gave the seat of Chloé to Farid")
    assert "no such seat" in await done("replace", seat="F", player=farid.id)
    assert "seat at this table" in await done("replace", seat="a", player=farid.id)
    assert "Bots" in await done("replace", seat="A", player=rig.world.bot.id)
    assert "no seat" in await read_answer(await game.person("Chloé").command("hand", table=game.number))
    elsewhere = rig.world.add_text_channel(f"elsewhere-{name.lower()}")
    keeper.channel = elsewhere
    assert "moved table" in await done("move")
    moved = await rig.member("Ava").wait_for_message(
        lambda message: has_button(message, "Play"), 20, channel=elsewhere
    )
    assert f"No. {game.number}" in moved.content
    assert "already here" in await done("move")
    question = await shown_message(await keeper.command("table end", table=game.number))
    assert "End this game for everyone?" in body_text(question)
    assert "Nothing has changed" in await read_answer(await keeper.press(question, "Keep playing"))
    assert "to move" in await game.table_text(), "a question that was declined ended the game"
    question = await shown_message(await keeper.command("table end", table=game.number))
    again = await shown_message(await keeper.command("table end", table=game.number))
    ended = await shown_message(await keeper.press(question, "End the game"))
    assert "ended the game early" in body_text(ended)
    assert not controls(ended), "the question can be answered twice"
    await rig.member("Ava").wait_for_message(
        lambda message: "ended the game early" in message.content, channel=elsewhere
    )
    assert "closed" in await read_answer(await keeper.press(again, "End the game"))
    assert "closed" in await done("end")


async def test_the_question_of_a_lobby_does_not_end_its_game(rig: Rig) -> None:
    """A user who was asked whether to close a lobby is asked again once its game has started."""
    game = await rig.lobby("Ben", "Chloé")
    ben = game.people[0]
    question = await shown_message(await ben.command("table end", table=game.number))
    assert "Close this lobby?" in body_text(question)
    await game.start()
    assert "has started" in await read_answer(await ben.press(question, "Close the lobby"))
    assert "to move" in await game.table_text()


async def test_others_may_not_look_after_a_table(rig: Rig) -> None:
    """Players who are not the host, and strangers, are refused each of these, and nothing changes."""
    game = await rig.open("Ben", "Chloé")
    await game.make_move()
    facts = await game.table_text()
    acts: list[tuple[str, dict[str, Any]]] = [
        ("pause", {}),
        ("resume", {}),
        ("rollback", {"move": 0}),
        ("replace", {"seat": "A"}),
        ("end", {}),
    ]
    for name in ("Chloé", "Farid"):
        member = rig.member(name, game.home)
        for request, options in acts:
            text = await read_answer(await member.command(f"table {request}", table=game.number, **options))
            assert text.startswith("Only the table's host"), text
        member.channel = rig.world.text_channels()[0]
        assert (await read_answer(await member.command("table move", table=game.number))).startswith(
            "Only the table's host"
        )
    assert await game.table_text() == facts


async def test_a_second_table_waits_for_its_own_channel(rig: Rig) -> None:
    """A table cannot be moved to where another game is going on."""
    first, second = await rig.open("Ben", "Chloé"), await rig.open("Ben", "Chloé")
    ben = rig.member("Ben", first.home)
    assert "Another game" in await read_answer(await ben.command("table move", table=second.number))


# Looking


async def test_everybody_may_look(rig: Rig) -> None:
    """Board, text, log, rules, own tables and file are answered privately, players and bystanders."""
    game = await rig.open("Ava", "Ben")
    await game.make_move()
    await game.make_move()
    board = await game.now()
    ben, farid = game.person("Ben"), rig.member("Farid", game.home)
    for member in (ben, farid):
        picture = await shown_message(await member.command("board"))
        assert picture.ephemeral
        assert picture.attachments[0].description
        assert "Pawn" in await read_answer(await member.command("board", text=True))
        log_text = await read_answer(await member.command("log", all=True))
        assert "The whole game" in log_text
        assert "`  2`" in log_text
        assert "`  3`" not in log_text
    await read_answer(await farid.command("table file", table=game.number))
    assert "Your hand" not in await read_answer(await farid.command("board", text=True))
    assert f"No. {game.number}" in await read_answer(await ben.command("mygames"))
    assert "no seat" in await read_answer(await rig.member("Guest").command("mygames"))
    topics = await ben.autocomplete("rules", "topic")
    texts = {await read_answer(await ben.command("rules", topic=topic["value"])) for topic in topics}
    assert len(texts) == len(topics) > 1
    more = await shown_message(await farid.press(board, "More"))
    assert not has_button(more, "Resign")
    assert "Pawn" in await read_answer(await farid.press(more, "Show as text"))
    rules = await shown_message(await farid.press(more, "Read the rules"))
    await farid.choose(rules, str(topics[-1]["value"]))
    assert str(topics[-1]["name"]) in body_text(rules)


async def test_in_direct_messages(rig: Rig) -> None:
    """With one game going on every command finds it from the DM; of two it is asked which; buttons work."""
    game = await rig.open("Gwen", "Hugo")
    board = await game.now()
    member = member_to_act(game, board)
    hand = await member.wait_for_message(lambda message: "Your hand" in message.content, channel=member.dm)
    assert has_button(hand, "Play")
    assert hand.attachments[0].description
    for command in ("board", "hand", "log", "table show", "rules"):
        assert await read_answer(await member.command(command, channel=member.dm))
    offered = await member.autocomplete("play", "move", channel=member.dm)
    await read_answer(
        await member.command("play", at_once="true", move=offered[0]["value"], channel=member.dm)
    )
    after = await game.board()
    assert after is not None
    member = member_to_act(game, after)
    hand = await member.wait_for_message(lambda message: has_button(message, "Play"), channel=member.dm)
    await game.through_panel(member, hand)
    await game.board()
    assert await game.moves() == 2
    other = await rig.open("Gwen", "Hugo")
    asked = [member_to_act(one, await one.now()).user for one in (game, other)]
    text = await read_answer(await member.command("board", channel=member.dm))
    assert ("several games" in text) == (asked.count(member.user) != 1)
    numbers = [one["value"] for one in await member.autocomplete("board", "table", channel=member.dm)]
    assert game.number in numbers


async def test_a_rematch(rig: Rig) -> None:
    """After the end a player opens the same game again; strangers cannot, nor before the end."""
    game = await rig.open("Ava", "Ben", options="jokers=on")
    await read_answer(await game.person("Ben").command("resign", sure=True))
    assert await game.board() is None
    result = game.result()
    assert result is not None
    assert "Only its players" in await read_answer(
        await rig.member("Farid", game.home).press(result, "Rematch")
    )
    assert "is open" in await read_answer(await game.person("Ben").press(result, "Rematch"))
    lobby = await rig.member("Ben").wait_for_message(
        lambda message: f"No. {game.number + 1}**" in message.content and has_button(message, "Join")
    )
    assert "jokers" in lobby.content
    assert "Ben (host)" in lobby.content
    assert ply_of(lobby) == 0


def _choices(message: Message) -> list[str]:
    """Return the custom ids of the choices that a message offers."""
    ids = [str(one["custom_id"]) for one in controls(message) if one.get("label") != "Back"]
    return [each for each in ids if each.split(":")[3] in {"step", "do"}]


async def test_the_direct_message_starts_at_the_first_step(rig: Rig) -> None:
    """The choices of the first step stand under the hand: the panel that they open stays one message."""
    game = await rig.open("Gwen", "Hugo")
    board = await game.now()
    member = member_to_act(game, board)
    hand = await member.wait_for_message(lambda message: bool(_choices(message)), channel=member.dm)
    panel = await shown_message(await member.press(hand, custom_id=_choices(hand)[0]))
    assert panel.id != hand.id, "the living message stays"
    while not has_button(panel, "Play it"):
        shown = await shown_message(await member.press(panel, custom_id=_choices(panel)[0]))
        assert shown.id == panel.id
        panel = shown
    await member.press(panel, "Play it")
    await game.board()


async def test_a_typed_move_is_shown_in_the_panel(rig: Rig) -> None:
    """What is typed in the form is marked in the same private message, and played from there."""
    game = await rig.open("Gwen", "Hugo")
    board = await game.now()
    member = member_to_act(game, board)
    panel = await shown_message(await member.press(board, "Play"))
    offered = await member.autocomplete("play", "move")
    form = await member.press(panel, "Type a move")
    shown = await shown_message(await member.submit(form, {"": str(offered[0]["value"])}))
    assert shown.id == panel.id
    moves = await game.moves()
    await read_answer(await member.press(shown, "Play it"))
    await game.board()
    assert await game.moves() > moves
