"""The messages in channels about who joins a lobby: invitations, requests to join, and their acceptance."""

from bot.chat.lobby_posts import player_counts_text
from bot.chat.post_parts import JOIN_LABEL, Post, addressed_text, button, join_lines, rules_button, title
from bot.host import game_calls
from bot.host.deciders.presence import HERE_LABEL, unconfirmed_users
from bot.host.names import escape_markup
from bot.host.table import Table


def invitation_post(table: Table, user: int) -> Post:
    """Return the message that invites a user to a lobby; an admin may have sent it in place of the host."""
    host = table.name_of(table.row.host)
    table_text = "this table" if host is None else f"{host}'s table"
    lines = [
        f"**{title(table)}** · <@{user}> is invited to {table_text}.",
        f"Press **{JOIN_LABEL}** to take a seat. {table.game.summary}",
        f"-# {player_counts_text(game_calls.allowed_player_counts(table))}",
    ]
    row = (
        button(table, JOIN_LABEL, "invyes", primary=True),
        button(table, "No, thanks", "invno"),
        rules_button(table),
    )
    return Post(join_lines(lines), (row,), (user,))


def join_request_post(table: Table, user: int) -> Post:
    """Return the message that asks the host whether an applicant may join."""
    name = next(escape_markup(each.name) for each in table.row.lobby.applicants if each.user == user)
    lines = [
        f"**{title(table)}** · {name} asks to join.",
        addressed_text((table.row.host,), "do you accept?"),
    ]
    argument = str(user)
    row = (
        button(table, "Accept", "admit", argument, primary=True),
        button(table, "Decline", "deny", argument),
    )
    return Post(join_lines(lines), (row,), (table.row.host,))


def acceptance_post(table: Table, user: int) -> Post:
    """Return the message that tells an applicant that they have a seat."""
    text = f"**{title(table)}** · <@{user}>, you are in: your request was accepted."
    if user in unconfirmed_users(table):
        text += f" Press **{HERE_LABEL}** in the ready check above to stay."
    return Post(text, notified_users=(user,))
