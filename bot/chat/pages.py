"""Private pages: hand, board, **More**, and questions before what cannot be undone."""

from collections.abc import Sequence
from typing import Final

from bot import limits
from bot.chat.components import Button
from bot.chat.lobby_posts import CUT_LABEL
from bot.chat.pictures import (
    DrawnPicture,
    draw_board_picture_with_status,
    draw_hand_picture,
    draw_player_board_picture,
    draw_reporting_pictures,
    has_picture,
)
from bot.chat.post_parts import (
    EXPORT_LABEL,
    GIVE_SEAT_LABEL,
    HISTORY_LABEL,
    REPLAY_LABEL,
    Post,
    button,
    hand_buttons,
    join_lines,
    more_button,
    offer_to_anybody_button,
    play_button,
    resume_button,
    rules_button,
    title,
    undo_button,
)
from bot.chat.posts import board_status_text
from bot.chat.quotations import quote
from bot.chat.response import Response, prefers_text
from bot.chat.story import LOG_LABEL, condensed_texts
from bot.host import game_calls
from bot.host.deciders import moderation, seats
from bot.host.deciders.cutting import may_cut
from bot.host.deciders.play import require_playing_seat, status_refusal_text
from bot.host.deciders.results import (
    departure_rating_text,
    last_departure_rating_text,
    unrated_reason_so_far,
)
from bot.host.deciders.seat_offers import no_seat_text
from bot.host.deciders.timeouts import BACK_LABEL, has_no_active_player, is_substituted
from bot.host.dm_status import resend_hand_if_closed
from bot.host.game_guard import GameGuard
from bot.host.request import Refusal, Request
from bot.host.table import Table
from bot.host.table_turns import newest_turn_start
from bot.host.tables import Tables
from bot.store.rows import Status
from bot.store.seat_rows import SeatRow
from render.picture import HAND, OWN_BOARD
from rules.model import SEAT_LETTERS, Seat
from rules.players import DEFAULT_COMPUTER

_ANYBODY_HINT: Final = "Or offer your seat to anybody, and keep it until somebody takes it."
_LAST_PERSON_TEXT: Final = "No other person would be left, so the game ends. You cannot come back."
END_LOBBY: Final = "lobby"
END_GAME: Final = "game"
"""The argument of the button that ends a table: what it was offered to end."""


def page_text(lines: Sequence[str]) -> str:
    """Return the lines as one text, cut to what Discord takes of a layout."""
    return join_lines(lines, limits.COMPONENTS_V2_TEXT)


async def show_hand(tables: Tables, response: Response, number: int, request: Request) -> None:
    """Show what the player holds."""
    table = await tables.get(number)
    seat = table.seat_of(request.user)
    if table.match is None:
        raise Refusal(status_refusal_text(table))
    if seat is None:
        raise Refusal(no_seat_text(table, request.user))
    as_text = await prefers_text(tables, request.user)
    await response.show(*await _hand_page(table, seat, as_text=as_text))
    await resend_hand_if_closed(tables, table, request)


async def _hand_page(
    table: Table, seat: Seat, *, as_text: bool = False
) -> tuple[Post, Sequence[DrawnPicture]]:
    with_picture = has_picture(table, HAND) and not as_text
    text = (game_calls.hand_summary if with_picture else game_calls.hand_text)(table, seat)
    lines = [f"**{title(table)}**", text]
    row = (play_button(table),) if table.to_act == seat else ()
    if not table.game.hidden_information:
        lines[1] = "Nothing is secret in this game: `/board` shows all of it."
        if has_picture(table, OWN_BOARD):
            lines[1] = "Nothing is secret in this game. `/board` shows the table, **My board** what is yours."
            row = (*row, own_board_button(table))
    rows = (row,) if row else ()
    pictures = (await draw_hand_picture(table, seat),) if with_picture else ()
    return Post(page_text(lines), rows), pictures


async def show_board(tables: Tables, response: Response, number: int) -> None:
    """Show the board as everybody sees it."""
    table = await get_started_table(tables, number)
    await response.show(*await _board_page(table))


async def _board_page(table: Table) -> tuple[Post, Sequence[DrawnPicture]]:
    status_text = board_status_text(table, None)
    story = [quote(text) for text in condensed_texts(table, table.log_lines(newest_turn_start(table)))]
    post = Post(page_text([f"**{title(table)}**", status_text, *story]), (_table_buttons(table),))
    return post, (await draw_board_picture_with_status(table), *await draw_reporting_pictures(table))


async def show_player_board(
    tables: Tables,
    response: Response,
    number: int,
    request: Request,
    player_text: str,
    *,
    as_text: bool = False,
) -> None:
    """Show one player's own board as the requester may see it, as a picture or as text.  Raises Refusal."""
    table = await get_started_table(tables, number)
    if not has_picture(table, OWN_BOARD):
        raise Refusal(
            f"In {table.game.title} players have no boards of their own. `/board` shows the whole game."
        )
    seat = _find_seat(table, player_text)
    viewer, heading = table.seat_of(request.user), f"**{table.names[seat]}'s board** · {title(table)}"
    if as_text:
        text = game_calls.own_board_text(table, viewer, seat, table.names) or _board_text(table)
        await response.show(Post(page_text([heading, text]), (_table_buttons(table),)))
        return
    picture = await draw_player_board_picture(table, viewer, seat)
    await response.show(Post(heading, (_table_buttons(table),)), (picture,))


async def show_player_or_public_board(
    tables: Tables,
    response: Response,
    number: int,
    request: Request,
    player_text: str = "",
    *,
    as_text: bool = False,
) -> None:
    """Show a player's own board; the public board if the game has none of their own.  Raises Refusal.

    ``player_text``: a seat's letter or a name; if empty, the requester.
    """
    table = await get_started_table(tables, number)
    if not player_text:
        seat = table.seat_of(request.user)
        if seat is None:
            raise Refusal(no_seat_text(table, request.user))
        player_text = SEAT_LETTERS[seat]
    if has_picture(table, OWN_BOARD):
        await show_player_board(tables, response, number, request, player_text, as_text=as_text)
    else:
        await show_board(tables, response, number)


def _find_seat(table: Table, player_text: str) -> Seat:
    """Return the seat with this letter, else with this name.  Raises Refusal."""
    typed = player_text.strip().casefold()
    for keys in (SEAT_LETTERS, table.plain_names):
        for index, key in enumerate(keys[: len(table.seats)]):
            if typed == key.casefold():
                return Seat(index)
    raise Refusal("Nobody at this table has that name. Choose one that `/board player` suggests.")


def player_choices(table: Table) -> tuple[tuple[str, str], ...]:
    """Return (label, value) for each player who has an own board."""
    return tuple(
        (f"{SEAT_LETTERS[seat]}: {table.plain_names[seat]}", SEAT_LETTERS[seat])
        for seat in _seats_with_boards(table)
    )


def _seats_with_boards(table: Table) -> list[Seat]:
    """Return the seats that have own boards: nothing is left on the board of a player who has resigned."""
    if table.match is None or not has_picture(table, OWN_BOARD):
        return []
    return [seat for seat in map(Seat, range(len(table.seats))) if seat not in table.match.resigned_seats]


async def show_board_text(tables: Tables, response: Response, number: int) -> None:
    """Show the public board as text, to read or to hear."""
    table = await get_started_table(tables, number)
    lines = [f"**{title(table)}**", _board_text(table)]
    await response.show(Post(page_text(lines), (_table_buttons(table),)))


def _board_text(table: Table) -> str:
    """Return the public board as text, with the status of the table if nobody can play."""
    return game_calls.board_text(table, board_status_text(table, None))


async def get_started_table(tables: Tables, number: int) -> Table:
    """Return a table whose game has started.  Raises Refusal."""
    table = await tables.get(number)
    if table.match is None:
        hint = " The lobby shows who has joined." if table.status is Status.LOBBY else ""
        raise Refusal(f"{status_refusal_text(table)}{hint}")
    return table


def _table_buttons(table: Table) -> tuple[Button, ...]:
    log_button = button(table, LOG_LABEL, "log")
    if table.status is Status.PAUSED:
        return resume_button(table), log_button
    if table.status is not Status.PLAYING:
        return (log_button,)
    return (
        play_button(table),
        *hand_buttons(table),
        undo_button(table),
        more_button(table),
    )


def too_late_post(table: Table, text: str) -> Post:
    """Return what replaces a private page of an earlier stage: why, and how the game stands, with buttons."""
    lines = [f"**{title(table)}**", text]
    if table.match is None:
        return Post(page_text(lines))
    lines += [each for each in (board_status_text(table, None),) if each != text]
    return Post(page_text(lines), (_table_buttons(table),))


def more_post(table: Table, request: Request) -> Post:
    """Return the page behind **More**."""
    row = [
        button(table, LOG_LABEL, "log"),
        button(table, "Show as text", "text"),
        rules_button(table),
    ]
    whole_game_row = [
        button(table, HISTORY_LABEL, "hist"),
        button(table, REPLAY_LABEL, "replay"),
        button(table, EXPORT_LABEL, "export"),
    ]
    if table.match is not None and may_cut(table, request.user):
        whole_game_row.append(button(table, CUT_LABEL, "cut"))
    if is_substituted(table, request.user):
        row.append(button(table, BACK_LABEL, "back", primary=True))
    may_resign = table.status is Status.PLAYING and request.user in table.unresigned_users
    rows = [tuple(row), *_player_board_rows(table, request.user), tuple(whole_game_row)]
    if may_resign:
        rows.append((button(table, "Resign", "resign"),))  # apart: it is not to be pressed in passing
    is_bystander = request.user not in table.row.users and not table.may_moderate(request)
    hint = "" if is_bystander else "\nThe host and admins can do more with `/table`."
    return Post(f"**{title(table)}**{hint}", tuple(rows))


def _player_board_rows(table: Table, user: int) -> list[tuple[Button, ...]]:
    """Return the buttons that show players' own boards, the user's first, if the game has such boards."""
    own_seat, seats_with_boards = table.seat_of(user), _seats_with_boards(table)
    buttons = [own_board_button(table)] if own_seat in seats_with_boards else []
    buttons += [
        button(table, f"{table.plain_names[seat]}'s board", "own", SEAT_LETTERS[seat])
        for seat in seats_with_boards
        if seat != own_seat
    ]
    return [tuple(buttons[i : i + limits.ROW_BUTTONS]) for i in range(0, len(buttons), limits.ROW_BUTTONS)]


def own_board_button(table: Table) -> Button:
    """Return the button that shows the presser's own board."""
    return button(table, "My board", "own")


def confirm_resign_post(table: Table, request: Request) -> Post:
    """Return the question before a player resigns.  Raises Refusal."""
    seat, match = require_playing_seat(table, request)
    if seat in match.resigned_seats:
        raise Refusal("You have already resigned from this game.")
    rating_text = departure_rating_text(table, seat)
    if game_calls.resignation_ends_game(table, seat):
        remaining = {*map(Seat, range(len(table.seats)))} - {seat, *match.resigned_seats}
        # the rules let the last seat win; who leads of several may be secret
        winner_text = f", and {table.names[min(remaining)]} wins" if len(remaining) == 1 else ""
        consequence = f"The game ends{winner_text}.{rating_text}"
    elif not table.other_unresigned_users(seat):
        consequence = f"{_LAST_PERSON_TEXT}{last_departure_rating_text(table, seat)}"
    elif not game_calls.can_resign(table, seat):
        consequence = (
            f"A computer player takes your seat. {_continuation_text(table, seat, 'The game goes on.')}"
            f"{rating_text}"
        )
    else:
        continuation_text = _continuation_text(table, seat, "The others play on.")
        consequence = f"You cannot come back. {continuation_text}{rating_text}"
    lines = [f"**{title(table)}**", f"Resign from this game? {consequence}"]
    row = [button(table, "Resign", "resyes", final=True), button(table, "Keep playing", "keep")]
    if not _is_seat_open(table, seat):
        lines.append(_ANYBODY_HINT)
        row.insert(0, offer_to_anybody_button(table, seat, primary=True))
    return Post("\n".join(lines), (tuple(row),))


def _continuation_text(table: Table, seat: Seat, usual_text: str) -> str:
    """Return how a game goes on without the player of a seat, as a sentence."""
    without_player = table.with_seat(seat, SeatRow(name=""))
    is_paused = has_no_active_player(without_player)
    return "The game is paused until another is back." if is_paused else usual_text


def _is_seat_open(table: Table, seat: Seat) -> bool:
    """Whether anybody may take a seat now."""
    offer = table.seats[seat].offer
    return offer is not None and offer.is_open_to_anybody


def confirm_give_to_computer_post(table: Table, request: Request) -> Post:
    """Return the question before a player's seat goes to a computer player.  Raises Refusal."""
    with GameGuard(table.number):
        # a dry run: it refuses what the button would refuse
        seats.give_seat_to_computer(table, request, computer=DEFAULT_COMPUTER)
    seat = table.seat_of(request.user)
    assert seat is not None
    row = [button(table, GIVE_SEAT_LABEL, "tocomp", final=True), button(table, "Keep my seat", "keep")]
    when = "at once" if table.status is Status.PLAYING else "once the game is resumed"
    rating_text = ", and then this game is not rated" if unrated_reason_so_far(table) is None else ""
    consequence = (
        f"{_continuation_text(table, seat, f'It plays on {when}.')}{departure_rating_text(table, seat)}"
        f" Only the host or an admin can offer it to you again{rating_text}."
    )
    if not table.other_unresigned_users(seat):
        consequence = f"{_LAST_PERSON_TEXT}{last_departure_rating_text(table, seat)}"
    lines = [f"**{title(table)}**", f"Give your seat to a computer player? {consequence}"]
    if not _is_seat_open(table, seat):
        lines.append(_ANYBODY_HINT)
        row.insert(0, offer_to_anybody_button(table, seat, primary=True))
    return Post("\n".join(lines), (tuple(row),))


def confirm_end_post(table: Table, request: Request) -> Post:
    """Return the question before a table is ended.  Raises Refusal for everyone who may not end it."""
    with GameGuard(table.number):
        moderation.end(table, request)  # a dry run: it refuses what the button would refuse
    if table.status is Status.LOBBY:
        question, argument = "Close this lobby? It cannot be resumed.", END_LOBBY
        end_label, keep_label = "Close the lobby", "Keep the lobby"
    else:
        question, argument = "End this game for everyone? It cannot be resumed and has no result.", END_GAME
        end_label, keep_label = "End the game", "Keep the game"
    text = f"**{title(table)}**\n{question} Nothing is deleted."
    end_button = button(table, end_label, "end", argument, final=True)
    return Post(text, ((end_button, button(table, keep_label, "keep")),))
