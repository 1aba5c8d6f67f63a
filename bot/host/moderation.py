"""What a table's host and the admins of its server may do: announced, and kept in the audit log."""

from bot.host import lobby
from bot.host.decision import (
    BOARD_DELIVERY,
    LOBBY_DELIVERY,
    Decision,
    hand_delivery,
    notice_delivery,
    outdated_hands,
)
from bot.host.names import escape_markup, sanitize_name
from bot.host.play import seat_computer, seed_text, undo_to
from bot.host.table import Refusal, Request, Table
from bot.store.rows import NOT_CLOSED, NewDelivery, SeatRow, Status
from rules.game import MODERATOR, SEAT_LETTERS, Seat


def _require_moderator(table: Table, request: Request) -> str:
    """Return the moderator's name, escaped.  Raises Refusal for everyone else, and for closed tables."""
    if not table.may_moderate(request):
        raise Refusal("Only the table's host or an admin of this server can do that.")
    if table.status not in NOT_CLOSED:
        raise Refusal("This table is closed.")
    return escape_markup(sanitize_name(request.name))


def _announce(table: Table, text: str, *more: NewDelivery) -> Decision:
    return Decision(table=table, reply=text, deliveries=(notice_delivery(text), *more), audit_entry=text)


def pause(table: Table, request: Request) -> Decision:
    """Pause a game: nobody can play until it is resumed."""
    who = _require_moderator(table, request)
    if table.status is not Status.PLAYING:
        raise Refusal("You can only pause a game that is being played.")
    return _announce(table.with_row(status=Status.PAUSED), f"{who} paused the game.", BOARD_DELIVERY)


def resume(table: Table, request: Request) -> Decision:
    """Resume a paused game."""
    who = _require_moderator(table, request)
    if table.status is not Status.PAUSED:
        raise Refusal("This game is not paused.")
    return _announce(table.with_row(status=Status.PLAYING), f"{who} resumed the game.", BOARD_DELIVERY)


def end(table: Table, request: Request) -> Decision:
    """End a game or close a lobby early.  Nothing is deleted."""
    who = _require_moderator(table, request)
    if table.status is Status.LOBBY:
        return _announce(lobby.close(table).table, f"{who} closed the lobby.", LOBBY_DELIVERY)
    ended = table.with_row(status=Status.ENDED, was_paused=False, undo_request=None)
    text = f"{who} ended the game early. {seed_text(ended)}"
    return _announce(ended, text, BOARD_DELIVERY, *outdated_hands(table, ended))


def replace_player(
    table: Table, request: Request, seat: Seat, newcomer: tuple[int, str] | None, computer: str
) -> Decision:
    """Give a seat to another person, or (``newcomer`` None) to a computer player."""
    who = _require_moderator(table, request)
    if table.match is None or table.match.is_over:
        raise Refusal("You can only replace players while a game is being played.")
    if not 0 <= seat < len(table.seats):
        last = SEAT_LETTERS[len(table.seats) - 1]
        raise Refusal(f"There is no such seat. Choose a letter from A to {last}.")
    old = table.names[seat]
    if newcomer is None:
        text = f"{who} gave the seat of {old} to {table.computer_name(computer)}."
        decision = seat_computer(table, seat, computer, text)
        return _announce(decision.table, decision.reply, BOARD_DELIVERY)
    user, name = newcomer
    if table.seat_of(user) is not None:
        raise Refusal("That person already has a seat at this table.")
    row = SeatRow(name=sanitize_name(name), user=user)
    return _announce(
        table.with_player(seat, row).with_row(undo_request=None),
        f"{who} gave the seat of {old} to {escape_markup(row.name)}.",
        BOARD_DELIVERY,
        hand_delivery(seat),
    )


def roll_back(table: Table, request: Request, move: int) -> Decision:
    """Undo every move after the first ``move`` moves."""
    who = _require_moderator(table, request)
    if table.match is None or table.status not in {Status.PLAYING, Status.PAUSED}:
        raise Refusal("You can only roll back a game that is being played or paused.")
    choices = [i for i, record in enumerate(table.match.history) if record.chosen]
    if not 0 <= move < len(choices):
        raise Refusal(
            f"Choose a move from 0 to {len(choices) - 1}." if choices else "There is nothing to roll back."
        )
    text = f"{who} rolled the game back to move {move}."
    decision = undo_to(table, MODERATOR, choices[move], text)
    return Decision(table=decision.table, reply=text, deliveries=decision.deliveries, audit_entry=text)


def freeze(table: Table, reason: str) -> Decision:
    """Freeze a game for the bot's operator; ``reason`` is announced."""
    if table.status not in {Status.PLAYING, Status.PAUSED}:
        raise Refusal("Only a game that has begun can be frozen.")
    text = f"The bot's operator has frozen this game: {escape_markup(reason)} Nothing is lost."
    return _announce(table.as_frozen().with_row(undo_request=None), text, BOARD_DELIVERY)


def thaw(table: Table, reason: str) -> Decision:
    """Unfreeze a game, under this release's rules.  A game that was paused stays paused."""
    if table.status is not Status.FROZEN:
        raise Refusal("This game is not frozen.")
    if table.match is None:
        raise Refusal("This release cannot play this game.")
    status = Status.PAUSED if table.row.was_paused else Status.PLAYING
    thawed = table.with_row(status=status, was_paused=False, rules_version=table.game.rules_version)
    state = "is paused again, as before" if table.row.was_paused else "goes on where it stood"
    text = f"The game {state}: {escape_markup(reason)}"
    return _announce(thawed, text, BOARD_DELIVERY, *outdated_hands(table, thawed))


def move_here(table: Table, request: Request, *, busy: bool) -> Decision:
    """Move a table to the channel of the request.  ``busy``: another game is played there."""
    who = _require_moderator(table, request)
    if request.guild != table.row.guild:
        raise Refusal("A table can only move within its own server.")
    if table.row.home == request.channel:
        raise Refusal("The table is already here.")
    if busy:
        raise Refusal("Another game is going on here. Choose another channel or thread.")
    return _announce(
        table.with_row(home=request.channel), f"{who} moved table No. {table.number} here.", BOARD_DELIVERY
    )
