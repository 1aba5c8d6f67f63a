"""The post of a result: the ranking, whether the game is rated, what proves the draws.  Nothing is sent."""

from typing import Final

from bot.chat.post_parts import REPLAY_LABEL, Post, button, join_lines, rematch_button, title
from bot.chat.story import LOG_LABEL
from bot.host import game_calls
from bot.host.names import escape_markup
from bot.host.seed_texts import seed_text
from bot.host.table import Table
from bot.store.results import UnratedReason
from rules.model import Names, Result, Seat, Standing
from rules.text import counted_in_digits, listed

_UNRATED_TEXTS: Final = {
    UnratedReason.HINDSIGHT: "a move was taken back with hindsight",
    UnratedReason.ROLLED_BACK: "it was rolled back",
    UnratedReason.SEAT_GIVEN_AWAY: "a seat was given to somebody else",
    UnratedReason.RESTORED: "a backup was restored during it",
    UnratedReason.THAWED: "its rules have changed during it",
    UnratedReason.NO_OPPONENT: "it needs two players from the start, at least one of them a person",
}
_STATISTICS_HINT: Final = "`/stats` shows your rating, `/leaderboard` the best here."


def result_post(table: Table, *, has_file: bool = True) -> Post:
    """Return the result: the ranking, whether it is rated, and buttons such as **Rematch**.

    ``has_file``: the game's file is attached, which has the seed; else the text has it.
    """
    reason, result = game_calls.unrated_reason(table), game_calls.result(table)
    lines = [f"**{title(table)} is over**", _outcome_text(table, result), ""]
    lines += _ranking_lines(result, _result_names(table))
    leaver_names = [escape_markup(name) for name in game_calls.replaced_player_names(table)]
    if leaver_names:
        lines.append(f"{listed(leaver_names)} left early.")
    substituted_names = [escape_markup(name) for name in game_calls.substituted_names(table)]
    if substituted_names:
        verb = "counts" if len(substituted_names) == 1 else "count"
        lines.append(
            f"A computer player finished the game for {listed(substituted_names)}, who {verb} as having left."
        )
    lines += [
        "",
        _rated_text(table) if reason is None else unrated_text(reason),
        _file_text(table) if has_file else seed_text(table),
    ]
    return Post(
        join_lines(lines),
        (
            (
                rematch_button(table),
                button(table, LOG_LABEL, "log"),
                button(table, REPLAY_LABEL, "replay"),
            ),
        ),
    )


def _rated_text(table: Table) -> str:
    """Return the line that says that a game is rated, and for whom it is not."""
    names = [escape_markup(name) for name in game_calls.successor_names(table)]
    seats_text = "a seat" if len(names) == 1 else "seats"
    exception = f", but not for {listed(names)}, who took over {seats_text}" if names else ""
    return f"-# This game is rated{exception}. {_STATISTICS_HINT}"


def unrated_text(reason: UnratedReason) -> str:
    """Return the line that says why a game is not rated."""
    return f"-# This game is not rated: {_UNRATED_TEXTS[reason]}."


def _file_text(table: Table) -> str:
    """Return the line that says what the attached file proves, and by what."""
    words_text = " and the words that cut the deck" if table.match and table.match.deal_key.cuts else ""
    return f"-# The file proves every draw: it has the seed{words_text}."


def fallback_result_post(table: Table) -> Post:
    """Return the result without calling the game: the promised seed must arrive even if the game fails."""
    return Post(f"**{title(table)} is over**\n{seed_text(table)}")


def _result_names(table: Table) -> Names:
    """Return the names in bold, with a mark after those who resigned."""
    resigned_seats = _resigned_seats(table)
    return tuple(
        f"**{name}**{' (resigned)' if Seat(i) in resigned_seats else ''}"
        for i, name in enumerate(table.names)
    )


def _resigned_seats(table: Table) -> frozenset[Seat]:
    return frozenset() if table.match is None else table.match.resigned_seats


def _outcome_text(table: Table, result: Result) -> str:
    """Return who won; if the ranking does not say why, how the game ended in the game's words.

    It does not where it has no points, where nobody has won, and where nobody else is left.
    """
    winners = result.winners
    losers = {standing.seat for standing in result.standings}.difference(winners, _resigned_seats(table))
    if not losers or not _has_points(result):
        return game_calls.status_text(table, None)
    return f"{listed([table.names[seat] for seat in winners])} {'wins' if len(winners) == 1 else 'win'}."


def _has_points(result: Result) -> bool:
    return any(standing.lines for standing in result.standings)


def _ranking_lines(result: Result, names: Names) -> list[str]:
    """Return the score line by line where the game has points, else only the ranks."""
    if _has_points(result):
        return [_standing_line(standing, names) for standing in result.standings]
    names_by_rank: dict[int, list[str]] = {}
    for standing in result.standings:
        names_by_rank.setdefault(standing.rank, []).append(names[standing.seat])
    return [f"{_rank_text(rank)} {', '.join(ranked_names)}" for rank, ranked_names in names_by_rank.items()]


def _rank_text(rank: int) -> str:
    """Return a rank at the start of a line, escaped: Discord would number the lines of a list itself."""
    return f"{rank}\\."


def _standing_line(standing: Standing, names: Names) -> str:
    """Return a place with what brought its points."""
    parts_text = ", ".join(f"{part.label} {part.points}" for part in standing.lines if part.points)
    points_text = counted_in_digits(standing.score, "point")
    tie = standing.tie_break
    return (
        f"{_rank_text(standing.rank)} {names[standing.seat]} {points_text}"
        + (f" ({parts_text})" if parts_text else "")
        + (f" · tie-break: {tie.label} {tie.points}" if tie is not None else "")
    )
