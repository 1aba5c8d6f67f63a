"""The messages that a lobby sends besides its own: the ready check."""

from bot.chat.components import Row
from bot.chat.posts import Post, button, join_lines, mentions_text, title
from bot.host.deciders.ready_check import (
    FILL_LABEL,
    HERE_LABEL,
    WAIT_LABEL,
    WITHOUT_LABEL,
    missing_users,
)
from bot.host.table import Table
from rules.text import listed


def ready_check_post(table: Table) -> Post:
    """Return the question who is here, with the answers so far; once it is late, what the host may do."""
    check = table.row.lobby.ready_check
    assert check is not None, "without a ready check nothing is sent"
    missing = missing_users(table)
    heading = f"**{title(table)}**"
    if check.is_late:
        asked: tuple[int, ...] = (table.row.host,)
        text = f"{_names(table)} did not press **{HERE_LABEL}** in time. Wait, fill up or start?"
        start = f"If you choose nothing, the game starts without them <t:{check.due}:R>."
        lines = [
            f"{heading} · <@{table.row.host}>, {text}",
            _here_text(table, check.here),
            f"-# **{HERE_LABEL}** still works. {start}",
        ]
    else:
        asked = missing
        question = (
            f"{mentions_text(missing)}, are you still here? Press **{HERE_LABEL}** before <t:{check.due}:f>."
        )
        lines = [
            f"{heading} · {question if missing else 'Everybody is here.'}",
            _here_text(table, check.here),
            f"-# The game starts when all are here. Who does not answer may lose the seat <t:{check.due}:R>.",
        ]
    return Post(join_lines(lines), ready_check_rows(table), asked)


def _here_text(table: Table, here: tuple[int, ...]) -> str:
    present = [
        name
        for name, seat in zip(table.names, table.seats, strict=True)
        if seat.user is None or seat.user in here
    ]
    return f"Here: {listed(present) or 'nobody yet'}."


def ready_check_rows(table: Table) -> tuple[Row, ...]:
    """Return the buttons of the ready check: the answer, and what the host may do instead of waiting."""
    return (
        (
            button(table, HERE_LABEL, "here", primary=True),
            button(table, WAIT_LABEL, "longer"),
            button(table, FILL_LABEL, "fill"),
            button(table, WITHOUT_LABEL, "begin"),
        ),
    )


def ready_check_choices_post(table: Table) -> Post:
    """Return what the host may do while somebody is missing, for the host alone."""
    text = f"{_names(table)} did not press **{HERE_LABEL}** yet. What do you want to do?"
    return Post(text, ready_check_rows(table))


def _names(table: Table) -> str:
    """Return the names of those of whom the ready check has not heard."""
    return listed([table.name_of(user) or "" for user in missing_users(table)])
