"""The result of a game that is over, as it is stored: who played, who left, and whether it is rated.

A person who resigned, gave up the seat or was substituted at the end is rated below all who played on,
whatever their successor does.  Nobody is rated for a seat that they took over.
"""

from collections.abc import Iterator

from bot.host.table import IN_PLAY, Table
from bot.store.results import NewResult, Participation, ResultPlayer, UnratedReason
from bot.store.rows import Status
from bot.store.seat_rows import EarlierPlayer, SeatRow
from rules.model import Resign, Seat, Standing
from rules.players import COMPUTER_PLAYERS


def result_of(before: Table, after: Table) -> NewResult | None:
    """Return the result of the game that a change ends; None if it ends none.

    None also if the game is ended early, unless it ends because nobody is left: leaving a game is a loss.
    """
    if before.status not in IN_PLAY or after.match is None:
        return None
    if after.status is Status.OVER:
        players = tuple(_players_of_finished_game(after))
    elif after.status is Status.ENDED_EARLY and before.unresigned_users and not after.unresigned_users:
        players = tuple(_players_of_abandoned_game(after))
    else:
        return None
    ordered_players = sorted(
        players, key=lambda each: (each.place, each.participation is Participation.LEFT_EARLY, each.seat)
    )
    return NewResult(tuple(ordered_players), _unrated_reason_of(after, players))


def unrated_reason(table: Table) -> UnratedReason | None:
    """Return why the result of a game that is over is not rated; None if it is rated."""
    return _unrated_reason_of(table, tuple(_players_of_finished_game(table)))


def unrated_reason_so_far(table: Table) -> UnratedReason | None:
    """Return why a game will not be rated even if it is played to its end; None if it may be.

    One that cannot be loaded counts as restored if its lobby was.
    """
    row, match = table.row, table.match
    if row.undone_with_hindsight:
        return UnratedReason.HINDSIGHT
    if row.restored_to is not None if match is None else match.deal_key.reseal_code is not None:
        return UnratedReason.RESTORED
    return row.unrated_reason


def replaced_player_names(table: Table) -> tuple[str, ...]:
    """Return the names of the people whose seats somebody else had at the end of a game that is over."""
    return tuple(
        each.name
        for each in _players_of_finished_game(table)
        if _is_finished_by_another(each) and each.user not in table.row.users
    )


def substituted_names(table: Table) -> tuple[str, ...]:
    """Return the names of the people who count as having left since a computer player finished for them."""
    return tuple(
        each.name
        for each in _players_of_finished_game(table)
        if _is_finished_by_another(each) and each.user in table.row.users
    )


def successor_names(table: Table) -> tuple[str, ...]:
    """Return the names of the people who finished a game at a seat that they had taken over."""
    return tuple(
        each.name
        for each in _players_of_finished_game(table)
        if each.participation is Participation.TOOK_OVER and each.user is not None
    )


def _is_finished_by_another(player: ResultPlayer) -> bool:
    """Whether somebody else finished a player's game: only then it has no score for them."""
    return player.score is None


def departure_rating_text(table: Table, seat: Seat) -> str:
    """Return the sentence, after a blank, that a seat's player who gives it up is rated as last.

    Empty if the game is not rated for that player.
    """
    if unrated_reason_so_far(table) is not None or not _is_held_by_first_player(table.seats[seat]):
        return ""
    return " In the rating you then count behind all who stay."


def last_departure_rating_text(table: Table, seat: Seat) -> str:
    """Return the sentence, after a blank, that says how the last person is rated who leaves a table.

    Empty if the game is not rated for that player.
    """
    if unrated_reason_so_far(table) is not None or not _is_held_by_first_player(table.seats[seat]):
        return ""
    if any(map(_is_computer_from_start, table.seats)):
        return " In the rating this counts as a loss: the computer players are then ahead of you."
    return " In the rating you are then ahead of all who left before you."


def abandoned_rating_text(table: Table) -> str:
    """Return the sentence, after a blank, whether a game that everybody leaves now is rated, and how.

    Empty if it is frozen and so gets no result.
    """
    if table.status not in IN_PLAY or table.match is None:
        return ""
    if _unrated_reason_of(table, tuple(_players_of_abandoned_game(table))) is not None:
        return " It is not rated."
    if any(map(_is_computer_from_start, table.seats)):
        return " It is rated: the computer players are ahead of all who left."
    return " It is rated: who stayed longest is ahead."


def takeover_rating_text(table: Table, seat: Seat, user: int) -> str:
    """Return the sentence, after a blank, that a game does not rate a user who takes over a seat.

    Empty if the game is not rated, or the user had the seat at the start.
    """
    first_player = _first_player(table.seats[seat])
    is_first_player = first_player is not None and first_player.user == user
    if unrated_reason_so_far(table) is not None or is_first_player:
        return ""
    return " This game does not change your rating: you have not played from the start."


def frozen_rating_text(table: Table) -> str:
    """Return the sentence, after a blank, that a game which a fault froze may lose its rating.

    Empty if it had none.
    """
    if unrated_reason_so_far(table) is not None:
        return ""
    return " If it goes on under other rules, it is no longer rated."


def _unrated_reason_of(table: Table, players: tuple[ResultPlayer, ...]) -> UnratedReason | None:
    """Return why a game that these players have played is not rated; None if it is rated."""
    reason = unrated_reason_so_far(table)
    if reason is not None:
        return reason
    rated_players = [each for each in players if each.participation is not Participation.TOOK_OVER]
    has_person = any(each.user is not None for each in rated_players)
    return None if len(rated_players) > 1 and has_person else UnratedReason.NO_OPPONENT


def _players_of_finished_game(table: Table) -> Iterator[ResultPlayer]:
    """Yield the players of a finished game: for a seat that changed hands its last player, then its first."""
    assert table.match is not None
    for standing in table.match.returns().standings:
        row, seat = table.seats[standing.seat], standing.seat
        substitute = row.substitute if row.is_substituted_until_back else None
        if substitute is None and _is_held_by_first_player(row):
            participation = (
                Participation.LEFT_EARLY if seat in table.match.resigned_seats else Participation.PLAYED
            )
            yield _result_player(standing, participation, row)
            continue
        yield _result_player(
            standing, Participation.TOOK_OVER, row if substitute is None else _substitute_row(substitute)
        )
        first_player = _first_player(row)
        if first_player is not None:
            missed_turn_count = _missed_turn_count(row) if _has_seat(first_player, row) else 0
            yield ResultPlayer(
                seat,
                Participation.LEFT_EARLY,
                first_player.name,
                len(table.seats),
                user=first_player.user,
                missed_turn_count=missed_turn_count,
            )


def _result_player(standing: Standing, participation: Participation, row: SeatRow) -> ResultPlayer:
    score, missed_turn_count = standing.score, _missed_turn_count(row)
    return ResultPlayer(
        standing.seat,
        participation,
        row.name,
        standing.rank,
        score,
        row.user,
        row.computer,
        missed_turn_count,
    )


def _missed_turn_count(row: SeatRow) -> int:
    return 0 if row.clock is None or row.user is None else row.clock.missed_turn_count


def _substitute_row(computer: str) -> SeatRow:
    """Return a row for the computer player that has played for somebody who did not come back."""
    return SeatRow(COMPUTER_PLAYERS[computer].title, computer=computer)


def _is_held_by_first_player(row: SeatRow) -> bool:
    """Whether the first player of a seat has it now; a person may have left it and come back."""
    return not row.earlier_players or _has_seat(row.earlier_players[0], row)


def _first_player(row: SeatRow) -> EarlierPlayer | SeatRow | None:
    """Return the first player of a seat; None: a computer player.  A person may have been erased since."""
    first_player = row.earlier_players[0] if row.earlier_players else row
    is_erased = isinstance(first_player, EarlierPlayer) and first_player.erased
    return first_player if is_erased or first_player.user is not None else None


def _has_seat(player: EarlierPlayer | SeatRow, row: SeatRow) -> bool:
    """Whether a seat is that of a person now.  An erased person has none."""
    return player.user is not None and player.user == row.user


def _players_of_abandoned_game(table: Table) -> Iterator[ResultPlayer]:
    """Yield the players of a game that everybody left: the later a person left, the better their place."""
    departure_key_by_seat = {
        seat: _departure_key(table, seat, first_player)
        for seat, row in enumerate(table.seats)
        if (first_player := _first_player(row)) is not None
    }
    for seat, row in enumerate(table.seats):
        first_player = _first_player(row)
        if first_player is not None:
            place = (
                1
                + len(table.seats)
                - len(departure_key_by_seat)
                + sum(other > departure_key_by_seat[seat] for other in departure_key_by_seat.values())
            )
            yield ResultPlayer(
                seat,
                Participation.LEFT_EARLY,
                first_player.name,
                place,
                score=0 if _has_seat(first_player, row) else None,  # resigned: the seat is nobody else's
                user=first_player.user,
                missed_turn_count=_missed_turn_count(row) if _has_seat(first_player, row) else 0,
            )
        elif _is_computer_from_start(row):
            yield ResultPlayer(seat, Participation.PLAYED, row.name, 1, computer=row.computer)


def _is_computer_from_start(row: SeatRow) -> bool:
    """Whether a computer player has had a seat since the start, so that its game is rated."""
    return row.computer is not None and not row.earlier_players


def _departure_key(table: Table, seat: int, first_player: EarlierPlayer | SeatRow) -> tuple[int, bool]:
    """Return when a seat's first player left it or resigned, for comparison.

    The index in the history, and whether they resigned, which comes after a departure at the same index.
    """
    assert table.match is not None
    row, history = table.seats[seat], table.match.history
    departure_index = (
        len(history)  # they have resigned before
        if _has_seat(first_player, row)
        else max(each.end_index for each in row.earlier_players if _is_same_person(each, first_player))
    )
    resignations = (i for i, record in enumerate(history) if isinstance(record.action, Resign))
    resignation_index = next((i for i in resignations if history[i].actor == seat), None)
    if resignation_index is not None and resignation_index < departure_index:  # else a successor resigned
        return resignation_index, True
    return departure_index, False


def _is_same_person(player: EarlierPlayer, first_player: EarlierPlayer | SeatRow) -> bool:
    """Whether an earlier player is the first one; erased people have a name of their own at each table."""
    if first_player.user is not None:
        return player.user == first_player.user
    return player.name == first_player.name
