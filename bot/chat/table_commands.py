"""``/table``: what a table's host and the server's admins may do."""

from collections.abc import Callable

import discord
from discord import app_commands

from bot.chat.answer import Answering, answer, request_of
from bot.chat.autocomplete import suggest_tables
from bot.chat.commands import EVERYWHERE
from bot.chat.handlers import COMPUTER
from bot.chat.lookup import resolve_table
from bot.chat.posts import Post, fitted, match_attachment, title
from bot.host import moderation
from bot.host.decision import Decision
from bot.host.files import file_of
from bot.host.showing import showing
from bot.host.table import Refusal, Request, Table
from bot.host.tables import Tables
from rules.errors import RulesError
from rules.game import SEAT_LETTERS
from rules.notation import parse_seat


def table_group(tables: Tables) -> app_commands.Group:
    """The group, ready for a tree."""
    group = app_commands.Group(name="table", description="Look after a table", allowed_contexts=EVERYWHERE)

    async def oversee(
        interaction: discord.Interaction,
        number: int | None,
        decide: Callable[[Table, Request], Decision],
        newcomer: int | None = None,
    ) -> None:
        request = request_of(interaction)

        def decided(table: Table) -> Decision:
            return decide(table, request)

        async def work(answering: Answering) -> None:
            meant = await resolve_table(tables, request, number)
            if newcomer is None:
                done = await tables.change(meant.number, request, decided)
            else:
                done = await tables.seat(meant.number, request, newcomer, decided)
            await answering.say(done.text)

        await answer(interaction, work)

    @group.command(name="show", description="Who sits where, and how the table stands")
    async def show(interaction: discord.Interaction, table: int | None = None) -> None:
        request = request_of(interaction)

        async def work(answering: Answering) -> None:
            meant = await resolve_table(tables, request, table)
            async with showing(tables, meant.number):
                post = Post(_facts(meant))
            await answering.show(post)

        await answer(interaction, work)

    @group.command(name="file", description="The game as a file: as you may know it, whole once it is over")
    async def file(interaction: discord.Interaction, table: int | None = None) -> None:
        request = request_of(interaction)

        async def work(answering: Answering) -> None:
            meant = await resolve_table(tables, request, table)
            async with showing(tables, meant.number):
                text = await file_of(tables, meant.number, meant.seat_of(request.user))
            await answering.give(lambda: match_attachment(meant, text))

        await answer(interaction, work)

    @group.command(name="pause", description="Let the game rest")
    async def pause(interaction: discord.Interaction, table: int | None = None) -> None:
        await oversee(interaction, table, moderation.pause)

    @group.command(name="resume", description="Go on after a pause")
    async def resume(interaction: discord.Interaction, table: int | None = None) -> None:
        await oversee(interaction, table, moderation.resume)

    @group.command(name="end", description="End the game early; nothing is deleted")
    async def end(interaction: discord.Interaction, table: int | None = None) -> None:
        await oversee(interaction, table, moderation.end)

    @group.command(name="replace", description="Give a seat to somebody else, or to a computer player")
    @app_commands.describe(seat="The seat's letter", player="Who takes it; empty for a computer player")
    async def replace(
        interaction: discord.Interaction,
        seat: str,
        player: discord.User | None = None,
        table: int | None = None,
    ) -> None:
        newcomer = None if player is None else (player.id, player.display_name)

        def decide(now: Table, request: Request) -> Decision:
            if player is not None and player.bot:
                raise Refusal("Bots cannot take a seat.")
            try:
                chosen = parse_seat(seat.strip())
            except RulesError as error:
                raise Refusal(str(error)) from error
            return moderation.replace_player(now, request, chosen, newcomer, COMPUTER)

        await oversee(interaction, table, decide, None if player is None else player.id)

    @group.command(name="rollback", description="Take the game back to what it was after a move")
    @app_commands.describe(move="After how many moves; /log all:True counts them")
    async def rollback(interaction: discord.Interaction, move: int, table: int | None = None) -> None:
        await oversee(interaction, table, lambda now, request: moderation.roll_back(now, request, move))

    @group.command(name="move", description="Go on in this channel or thread")
    @app_commands.describe(table="The table's number")
    async def move(interaction: discord.Interaction, table: int) -> None:
        request = request_of(interaction)

        async def work(answering: Answering) -> None:
            meant = await resolve_table(tables, request, table)
            busy = await tables.busy(request.channel)
            done = await tables.change(
                meant.number, request, lambda now: moderation.move_here(now, request, busy=busy)
            )
            await answering.say(done.text)

        await answer(interaction, work)

    for command in group.commands:
        if isinstance(command, app_commands.Command):
            command.autocomplete("table")(suggest_tables(tables))
    return group


def _facts(table: Table) -> str:
    lines = [f"**{title(table)}** · {table.status.value} · {table.moves} moves"]
    for i, seat in enumerate(table.seats):
        kind = " (computer)" if seat.computer is not None else ""
        host = " (host)" if seat.user is not None and seat.user == table.row.host else ""
        turn = " — to act" if table.to_act == i else ""
        lines.append(f"{SEAT_LETTERS[i]} · {table.names[i]}{kind}{host}{turn}")
    lines.append(f"-# Played in <#{table.row.home}>. The deal is sealed: `{table.commitment}`")
    return fitted(lines)
