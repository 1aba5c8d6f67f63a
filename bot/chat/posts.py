"""What the bot says about a table: lobby, board, hand, result.  Texts and components; nothing is sent."""

import io
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

import discord
import msgspec

from bot import limits
from bot.chat.components import Button, CustomId, Row
from bot.chat.story import LOG_LABEL, public_story, quote_newest, turn_story
from bot.host import game_calls
from bot.host.clock_texts import clock_lines, control_details
from bot.host.deciders.admission import admission_text
from bot.host.deciders.cutting import words_text
from bot.host.deciders.play import seed_text
from bot.host.deciders.ready_check import missing_users
from bot.host.deciders.starting import add_computer_label, missing_opponents
from bot.host.deciders.timeouts import claim_label, claimable_seat, resumer_text
from bot.host.follow_through import FollowThrough
from bot.host.table import Table
from bot.host.turns import is_first_turn, newest_turn_start, turn_players
from bot.store.lobby_rows import AdmissionRule
from bot.store.results import Unrated
from bot.store.rows import Status
from rules.game import SEAT_LETTERS, Names, Options, Result, Seat, Standing
from rules.options import options_of
from rules.players import PLAYERS, SUBSTITUTE
from rules.text import listed, shortened
from rules.turns import Turn

MAX_QUOTED_LINES: Final = 6
"""Lines of a move in a question or a response."""
CUT_LABEL: Final = "Cut the deck"
"""The label of the button that opens the page for it."""
HISTORY_LABEL: Final = "Step through the game"
REPLAY_LABEL: Final = "Watch the replay"
EXPORT_LABEL: Final = "Get the match file"
"""The labels of the buttons that show the whole game."""
ADMISSION_LABEL: Final = "Who may join"
"""The label of the button that opens the host's page about it."""
_NO_WORDS: Final[Mapping[int, FollowThrough]] = MappingProxyType({})
_TURN_HEADING: Final = "'s turn"
"""How the first line of a turn that is over ends."""
_FROZEN_TEXT: Final = "This game is frozen. Nothing is lost. The notice here says why."
_ENDED_TEXT: Final = "This game was ended early."
_CLOSED_TEXT: Final = "This lobby is closed."
_UNRATED_TEXTS: Final = {
    Unrated.HINDSIGHT: "a move was taken back with hindsight",
    Unrated.ROLLED_BACK: "it was rolled back",
    Unrated.SEAT_GIVEN_AWAY: "a seat was given to somebody else",
    Unrated.RESTORED: "a backup was restored during it",
    Unrated.THAWED: "a fault had stopped it",
    Unrated.NO_OPPONENT: "no two players stood against each other from the start",
}
RESUME_LABEL: Final = "Resume"
STATUS_TEXTS: Final = {
    Status.LOBBY: "waiting for players",
    Status.PLAYING: "being played",
    Status.PAUSED: "paused",
    Status.OVER: "over",
    Status.CLOSED: "closed before it started",
    Status.ENDED: "ended early",
    Status.FROZEN: "frozen",
}
"""How a table stands, in a few words."""


class Post(msgspec.Struct, frozen=True):
    """A message to send, without its picture."""

    text: str
    rows: tuple[Row, ...] = ()
    mentions: tuple[int, ...] = ()
    """Users whom the text may ping."""


def button_id(table: Table, verb: str, argument: str = "", *, ply: int | None = None) -> CustomId:
    """Return what a button of a table carries, offered at its ply."""
    return CustomId(table.number, table.row.ply if ply is None else ply, verb, argument, table.row.generation)


def button(
    table: Table, label: str, verb: str, argument: str = "", *, primary: bool = False, disabled: bool = False
) -> Button:
    """Return a button of a table, offered at its ply."""
    style = discord.ButtonStyle.primary if primary else discord.ButtonStyle.secondary
    return Button(label, button_id(table, verb, argument), style, disabled)


def undo_button(table: Table, label: str = "Undo", scope: str = "", *, disabled: bool = False) -> Button:
    """Return a button that takes a choice back; it carries how long the history is.

    Others may move before it is pressed: it is out of date once it would take back another choice.
    """
    length = "" if table.match is None else str(len(table.match.history))
    return button(table, label, "undo", f"{scope} {length}".strip(), disabled=disabled)


def anybody_button(table: Table, seat: Seat, *, primary: bool = False) -> Button:
    """Return the button that offers a seat to the first who takes it."""
    return button(table, "Offer to anybody", "anyone", str(int(seat)), primary=primary)


def title(table: Table) -> str:
    """Return the game's title and the table's number, as a heading."""
    return f"{table.game.title} · No. {table.number}"


def lobby_post(
    table: Table, follow_through: Mapping[int, FollowThrough] = _NO_WORDS, *, ping: bool = False
) -> Post:
    """Return who has joined, which options are set and how to join; after the start, where it is played.

    ``follow_through``: how the people in it have followed through, by user; ``ping``: whether a rematch
    notifies those who are to join it.
    """
    wanted = missing_opponents(table)
    rematch = f" · {mentions_text(wanted)}: a rematch! Press **Join** to play again." if wanted else ""
    lines = [f"**{title(table)}**{rematch}", table.game.summary, ""]
    names = table.names
    for i, seat in enumerate(table.seats):
        host = " (host)" if seat.user is not None and seat.user == table.row.host else ""
        computer = " (computer)" if seat.computer is not None else ""
        words = f" · cut the deck: {words_text(seat.cut_words)}" if seat.cut_words else ""
        word = follow_through.get(seat.user) if seat.user is not None else None
        followed = "" if word is None else f" · {word.value}"
        lines.append(f"{SEAT_LETTERS[i]} · {names[i]}{host}{computer}{followed}{words}")
    fitting = game_calls.player_counts(table)
    lines.append(f"-# {_players_text(fitting or table.game.seats, table.game.seats)}")
    if table.row.options:
        lines.append(f"-# Options: {_options_text(table.row.options)}")
    if table.row.time_control is not None:
        lines.append(f"-# Clock: {control_details(table.row.time_control)}")
    lines.append(f"-# Fairness code: `{table.short_fairness_code}`")
    rows: tuple[Row, ...] = ()
    if table.status is Status.LOBBY:
        if table.row.lobby.by_invitation or table.row.lobby.rule is not AdmissionRule.EVERYBODY:
            lines.append(f"-# {admission_text(table.row.lobby)}")
        lines.append(f"-# {_deadline_text(table)}")
        is_full = len(table.seats) >= max(table.game.seats)
        first = [
            button(table, "Join", "join", primary=True, disabled=is_full),
            button(table, "Leave", "leave"),
            button(table, "Start", "start", primary=True),
        ]
        options_type: type[Options] = table.game.options
        if options_of(options_type):
            first.append(button(table, "Change options", "opts"))
        first.append(rules_button(table))
        computers = [
            button(table, add_computer_label(key), "comp", key, disabled=is_full)
            for key in reversed(tuple(PLAYERS))
        ]
        if any(seat.computer is not None for seat in table.seats):
            computers.append(button(table, "Remove computer", "uncomp"))
        second = (button(table, CUT_LABEL, "cut"), button(table, "Choose the clock", "clock"))
        rows = (tuple(first), (*second, *computers), (button(table, ADMISSION_LABEL, "manage"),))
    elif table.status is Status.CLOSED:
        lines.append(_CLOSED_TEXT)
    else:
        lines.append(f"The game has started in <#{table.row.home}>. {table.game.words.how_to_win}")
        rows = ((rules_button(table),),)
    return Post("\n".join(lines), rows, wanted if ping else ())


def mentions_text(users: Sequence[int]) -> str:
    """Return the mentions of people; they notify those whom the post names in ``mentions``."""
    return " ".join(f"<@{user}>" for user in users)


def _deadline_text(table: Table) -> str:
    """Return until when a lobby stands, or until when its players say that they are here."""
    check, missing = table.row.lobby.ready_check, missing_users(table)
    if check is None:
        return f"Closes <t:{table.row.expires_at}:R> unless the host starts the game."
    names = listed([table.name_of(user) or "" for user in missing])
    return f"Ready check until <t:{check.due}:f>. Not here yet: {names or 'nobody'}."


def computers_changed_post(table: Table, text: str, *, is_host: bool) -> Post:
    """Return the response to a change of a lobby's computer players, with what its player may press next."""
    row = []
    if len(table.seats) < max(table.game.seats):
        row.append(button(table, add_computer_label(SUBSTITUTE), "comp", SUBSTITUTE))
    if is_host and len(table.seats) in game_calls.player_counts(table):
        row.append(button(table, "Start", "start", primary=True))
    return Post(text, (tuple(row),) if row else ())


def _options_text(options: str) -> str:
    """Return the options that differ from the usual ones, for reading: "jokers: on, turn cap: 100"."""
    return ", ".join(word.replace("_", " ").replace("=", ": ") for word in options.split())


def _players_text(now: Sequence[int], ever: Sequence[int]) -> str:
    """Return how many can play with the options set, and with others."""
    others = [str(count) for count in ever if count not in now]
    text = f"For {_counts_text(now)} players."
    return f"{text} With other options for {listed(others, 'or')}." if others else text


def _counts_text(counts: Sequence[int]) -> str:
    """Return "2 to 6" for three or more counts in a row, else "2, 3 or 5"."""
    if len(counts) > 2 and list(counts) == list(range(counts[0], counts[-1] + 1)):
        return f"{counts[0]} to {counts[-1]}"
    return listed([str(count) for count in counts], "or")


def board_post(
    table: Table, asked: Seat | None, *, ping: bool = True, unanswered_moves: Sequence[str] = ()
) -> Post:
    """Return whose turn it is and what has happened since their last one.

    ``asked``: the seat of the person to act, who is mentioned; ``ping``: whether the mention notifies;
    ``unanswered_moves``: lines about moves whose players have had no answer.
    """
    lines = [f"**{title(table)}** · {board_status(table, asked)}", *clock_lines(table), *unanswered_moves]
    buttons: list[Button] = []
    if (claimable := claimable_seat(table)) is not None:
        buttons.append(button(table, claim_label(table, claimable), "claim"))
        if table.seats[claimable].offer is None:
            buttons.append(anybody_button(table, claimable))
    if asked is not None:
        story = public_story(table, asked)
        if is_first_turn(table, asked):
            lines.append(table.game.words.how_to_win)
            buttons.append(rules_button(table))
        if story.is_shortened:
            buttons.append(button(table, LOG_LABEL, "log"))
        lines.append(story.text)
    else:
        texts = [line.text for line in table.log_lines(newest_turn_start(table))]
        lines += quote_newest(texts, MAX_QUOTED_LINES)
    pinged = table.seats[asked].user if asked is not None and ping else None
    mentions = () if pinged is None else (pinged,)
    return Post(join_lines(lines), _board_rows(table, buttons), mentions)


def turn_post(table: Table, turn: Turn) -> Post:
    """Return the whole public story of a turn that is over, without buttons."""
    heading = f"**{title(table)}** · {listed(turn_players(table, turn))}{_TURN_HEADING}"
    return Post(join_lines([heading, turn_story(table, turn)]))


def is_turn_post(table: Table, text: str) -> bool:
    """Whether a text of the bot's is that of a turn of this table that is over."""
    heading, _, _ = text.partition("\n")
    return heading.startswith(f"**{title(table)}** · ") and heading.endswith(_TURN_HEADING)


def notice_post(table: Table, text: str) -> Post:
    """Return a public notice."""
    return Post(shortened(f"**{title(table)}** · {text}", limits.CONTENT))


def takeover_post(table: Table, seat: int, text: str) -> Post:
    """Return the notice that a computer player plays for somebody, or that the game waits for them.

    It mentions them while that is so, in place of the name with which the text may begin.
    """
    row, name = table.seats[seat], table.names[seat]
    if row.user is None or (row.substitute is None and table.status is not Status.PAUSED):
        return notice_post(table, text)
    rest = text.removeprefix(name) if text.startswith(f"{name} ") else f": {text}"
    return Post(shortened(f"**{title(table)}** · <@{row.user}>{rest}", limits.CONTENT), mentions=(row.user,))


def taken_back_post(table: Table, *, partly: bool = False) -> Post:
    """Return what stands in place of a turn that was taken back, the whole or ``partly``."""
    text = "Part of this turn was taken back. It goes on below." if partly else "This turn was taken back."
    return Post(f"**{title(table)}** · {text}")


def replaced_post(table: Table) -> Post:
    """Return what stands in place of a board without a turn of its own, when a newer one is posted."""
    return Post(f"**{title(table)}** · The newer board is below.")


def rules_button(table: Table) -> Button:
    """Return the button that shows how the game is played."""
    return button(table, "Read the rules", "rules")


def board_status(table: Table, asked: Seat | None) -> str:
    """Return who is asked to do what, or how the table stands."""
    special = {
        Status.PAUSED: f"Paused. {resumer_text(table)} can press **{RESUME_LABEL}**.",
        Status.FROZEN: _FROZEN_TEXT,
        Status.ENDED: _ENDED_TEXT,
    }
    if table.status in special:
        return special[table.status]
    names = tuple(
        f"<@{table.seats[asked].user}>" if i == asked else name for i, name in enumerate(table.names)
    )
    status = game_calls.status_text(table, None, names)
    if asked is not None and names[asked] not in status:
        return f"{names[asked]}, your turn. {status}"
    return status


def _board_rows(table: Table, more: Sequence[Button]) -> tuple[Row, ...]:
    if table.status is Status.ENDED:
        file = button(table, EXPORT_LABEL, "export")
        return ((button(table, LOG_LABEL, "log"), button(table, REPLAY_LABEL, "replay"), file),)
    if table.status not in {Status.PLAYING, Status.PAUSED}:
        return ()
    is_paused = table.status is Status.PAUSED
    first = (RESUME_LABEL, "resume") if is_paused else ("Play", "play")
    return (
        (
            button(table, *first, primary=True),
            *hand_buttons(table),
            undo_button(table, disabled=is_paused),
            button(table, "More", "more"),
        ),
        *([tuple(more)] if more else []),
    )


def hand_buttons(table: Table) -> tuple[Button, ...]:
    """Return **My hand**; nothing in a game without secrets."""
    return (button(table, "My hand", "hand"),) if table.game.hidden else ()


def result_post(table: Table) -> Post:
    """Return the result: the score line by line, the seed that proves the deal, and Rematch."""
    lines = [f"**{title(table)} is over**", game_calls.status_text(table, None), ""]
    lines += _ranking(game_calls.result(table), table.names)
    lines += [
        "",
        _rated_text(game_calls.unrated_reason(table)),
        f"-# {seed_text(table)} The game's file proves every draw{_cut_proof_text(table)}.",
    ]
    return Post(
        join_lines(lines),
        (
            (
                button(table, "Rematch", "again", primary=True),
                button(table, LOG_LABEL, "log"),
                button(table, REPLAY_LABEL, "replay"),
            ),
        ),
    )


def _rated_text(unrated: Unrated | None) -> str:
    if unrated is None:
        return "-# This game is rated. `/stats` shows your rating, `/leaderboard` the best here."
    return f"-# This game is not rated: {_UNRATED_TEXTS[unrated]}."


def _cut_proof_text(table: Table) -> str:
    """Return with what the seed is proved, if somebody cut the deck."""
    return " from it and the words that cut the deck" if table.match and table.match.deal_key.cuts else ""


def fallback_post(table: Table) -> Post:
    """Return how a finished or frozen table stands, without asking its game, which may fail."""
    states = {Status.FROZEN: _FROZEN_TEXT, Status.ENDED: _ENDED_TEXT, Status.CLOSED: _CLOSED_TEXT}
    return Post(f"**{title(table)}**\n{states.get(table.status, 'This game is over.')}")


def fallback_result_post(table: Table) -> Post:
    """Return the result without asking the game: the promised seed must arrive even if the game fails."""
    return Post(f"**{title(table)} is over**\n-# {seed_text(table)}")


def _ranking(result: Result, names: Names) -> list[str]:
    """Return the score line by line where the game has points, else only the ranks."""
    if any(standing.lines for standing in result.standings):
        return [_standing(standing, names) for standing in result.standings]
    ranks: dict[int, list[str]] = {}
    for standing in result.standings:
        ranks.setdefault(standing.rank, []).append(f"**{names[standing.seat]}**")
    return [f"{rank}. {', '.join(ranked)}" for rank, ranked in ranks.items()]


def _standing(standing: Standing, names: Names) -> str:
    parts = ", ".join(f"{part.label} {part.points}" for part in standing.lines)
    points = f"{standing.score} point{'' if standing.score == 1 else 's'}"
    tie = standing.tie_break
    return (
        f"{standing.rank}. **{names[standing.seat]}** {points}"
        + (f" ({parts})" if parts else "")
        + (f" · tie-break: {tie.label} {tie.points}" if tie is not None else "")
    )


def match_attachment(table: Table, text: str) -> discord.File:
    """Return a match file as an upload."""
    return discord.File(io.BytesIO(text.encode()), filename=f"{table.game.key}-{table.number}.txt")


def with_fairness_code(
    table: Table, lines: Sequence[str], last: str = "", limit: int = limits.CONTENT
) -> str:
    """Return the text of a private hand: the lines, cut to fit, then ``last`` and the whole fairness code."""
    footer = "".join(f"\n{line}" for line in (last, f"-# Fairness code: `{table.fairness_code}`") if line)
    return join_lines(lines, limit - len(footer)) + footer


def join_fitting(lines: Sequence[str], limit: int = limits.COMPONENTS_V2_TEXT) -> str:
    """Return as many lines as fit, whole, and how many are left out."""
    room = limit - len("\n…and 9,999 more.")
    for kept, line in enumerate(lines):
        room -= len(line) + 1
        if room < 0:
            return "\n".join([*lines[:kept], f"…and {len(lines) - kept:,} more."])
    return "\n".join(lines)


def join_lines(lines: Sequence[str], limit: int = limits.CONTENT) -> str:
    """Return the lines as one message, cut to ``limit`` characters: what Discord takes of a classic one."""
    return shortened("\n".join(lines), limit)
