"""What the bot says about a lobby: its own message, changes of its computer players, the ready check."""

import contextlib
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from bot import limits
from bot.chat.components import Button, Row
from bot.chat.post_parts import (
    JOIN_LABEL,
    Post,
    addressed_text,
    button,
    join_lines,
    mentions_text,
    rules_button,
    title,
)
from bot.chat.posts import CLOSED_TEXT
from bot.host import game_calls
from bot.host.clock_texts import time_control_details_text
from bot.host.deciders.admission import admission_text
from bot.host.deciders.cutting import cut_words_text
from bot.host.deciders.presence import HERE_LABEL, unconfirmed_users
from bot.host.deciders.ready_check import FILL_LABEL, START_WITHOUT_LABEL, WAIT_LABEL
from bot.host.deciders.starting import computer_button_label, unjoined_rematch_players
from bot.host.game_guard import GameFault
from bot.host.names import COMPUTER_MARK
from bot.host.reliability import Reliability
from bot.host.table import Table
from bot.store.lobby_rows import ReadyCheck
from bot.store.rows import ENDED_STATUSES, Status
from rules.game import AnyGame
from rules.model import SEAT_LETTERS, Options
from rules.options import options_of
from rules.players import CASUAL_PLAYER, COMPUTER_PLAYERS, DEFAULT_COMPUTER, RANDOM_PLAYER
from rules.text import capitalized, listed

CUT_LABEL: Final = "Cut the deck"
"""The label of the button that opens the page where a player cuts the deck."""
START_WITH_OPTION_VERB: Final = "fitopt"
"""The verb of the buttons that set an option and start the game."""
AS_ADMIN: Final = "admin"
"""The argument of the button with which an admin confirms that they start a game in place of the host."""
ADMISSION_LABEL: Final = "Who may join"
"""The label of the button that opens the page where the host sets who may join."""
_ONCE_CHANNEL_IS_FREE_TEXT: Final = (
    "once the other game is over, or after you type `/table move` in another channel"
)
"""The end of a sentence: when the host can start a game whose channel was busy."""
_NO_RELIABILITIES: Final[Mapping[int, Reliability]] = MappingProxyType({})


def moved_lobby_text(table: Table) -> str:
    """Return what a message of a lobby says once another one stands where the table was moved to.

    It stays true if the table moves on, or back.
    """
    return f"**{title(table)}** · The lobby was moved to <#{table.row.lobby_channel}>."


def lobby_post(
    table: Table, reliabilities: Mapping[int, Reliability] = _NO_RELIABILITIES, *, notify: bool = False
) -> Post:
    """Return who has joined, which options are set and how to join; after the start, where it is played.

    ``reliabilities``: of the people in the lobby, by user; ``notify``: whether a rematch notifies those who
    are to join it.
    """
    unjoined_players = unjoined_rematch_players(table)
    rematch_text = (
        f" · {mentions_text(unjoined_players)}: a rematch! Press **{JOIN_LABEL}** to play again."
        if unjoined_players
        else ""
    )
    rows: tuple[Row, ...] = ()
    if table.status is Status.LOBBY:
        first_row = [
            button(table, JOIN_LABEL, "join", primary=True, disabled=table.is_full),
            button(table, "Leave", "leave"),
            _start_button(table),
        ]
        options_type: type[Options] = table.game.options_type
        if options_of(options_type):
            first_row.append(button(table, "Change options", "opts"))
        first_row.append(rules_button(table))
        second_row = [button(table, CUT_LABEL, "cut"), button(table, "Choose the clock", "clock")]
        second_row += [
            button(table, computer_button_label(key), "comp", key, disabled=table.is_full)
            for key in reversed(tuple(COMPUTER_PLAYERS))
        ]
        if any(seat.computer is not None for seat in table.seats):
            second_row.append(button(table, "Remove computer", "uncomp"))
        rows = (tuple(first_row), tuple(second_row), (button(table, ADMISSION_LABEL, "manage"),))
    elif table.status is not Status.CLOSED:
        rows = ((rules_button(table),),)
    lines = _lobby_lines(table, reliabilities, explain_options=table.status is Status.LOBBY)
    if len(rematch_text) + len("\n".join(lines)) > limits.CONTENT:
        lines = _lobby_lines(table, reliabilities, explain_options=False)
    return Post(
        join_lines([f"{lines[0]}{rematch_text}", *lines[1:]]), rows, unjoined_players if notify else ()
    )


def looks_like_lobby_post(table: Table, text: str) -> bool:
    """Whether a message's text is that of a table's lobby, whatever has changed in it since."""
    heading, _, rest = text.partition("\n")
    return heading.startswith(f"**{title(table)}**") and rest.partition("\n")[0] == table.game.summary


def _lobby_lines(
    table: Table, reliabilities: Mapping[int, Reliability], *, explain_options: bool
) -> list[str]:
    """Return the text of a lobby, its heading first."""
    lines = [f"**{title(table)}**", table.game.summary, ""]
    names = table.names
    for seat, row in enumerate(table.seats):
        host_text = " (host)" if row.user is not None and row.user == table.row.host else ""
        computer_text = COMPUTER_MARK if row.computer is not None else ""
        cut_text = f" · cut the deck: {cut_words_text(row.cut_words)}" if row.cut_words else ""
        reliability = reliabilities.get(row.user) if row.user is not None else None
        reliability_text = "" if reliability is None else f" · {reliability.value}"
        lines.append(
            f"{SEAT_LETTERS[seat]} · {names[seat]}{host_text}{computer_text}{reliability_text}{cut_text}"
        )
    if table.status is Status.LOBBY:
        lines += _player_counts_lines(table)
    lines += _option_lines(table, explain=explain_options)
    clock_text = time_control_details_text(table.row.time_control)
    if table.row.time_control is not None:
        lines.append(f"-# Clock: {clock_text}")
    elif table.status is Status.LOBBY:
        lines.append(f"-# {clock_text}")
    if table.status is Status.LOBBY:
        if not table.row.lobby.is_open_to_all:
            lines.append(f"-# {admission_text(table.row.lobby)}")
        if not table.is_full:
            lines.append(f"-# {_computers_text(table.game)}")
        lines.append(f"-# {_deadline_text(table)}")
    elif table.status is Status.CLOSED:
        lines.append(CLOSED_TEXT)
    elif table.status in ENDED_STATUSES:
        lines.append(_end_text(table))
    else:
        lines.append(f"The game has started in <#{table.row.game_channel}>. {table.game.words.how_to_win}")
    return lines


def _end_text(table: Table) -> str:
    """Return where a game was played and how it ended; only where if the game fails.

    Those who see the lobby may not see the channel to which a game was moved: there its result stands.
    """
    if table.status is Status.ENDED_EARLY:
        return f"The game in <#{table.row.game_channel}> was ended early."
    text = f"The game was played in <#{table.row.game_channel}>."
    if not table.was_moved_away:
        with contextlib.suppress(GameFault):
            text += f" {game_calls.status_text(table, None)}"
    return text


def confirm_start_post(table: Table) -> Post:
    """Return the question to an admin before they start the game in place of the host."""
    text = (
        f"**{title(table)}**\nYou are not the host. As an admin you can start the game in place of"
        f" {table.name_of(table.row.host) or 'its host'}. That is announced."
    )
    return Post(text, ((button(table, "Start the game", "start", AS_ADMIN, primary=True),),))


def unfit_options_post(table: Table, text: str) -> Post:
    """Return why a game cannot start with its options, with a button for each change of one that helps."""
    row = tuple(
        button(table, f"Start with {_option_text(name, value)}", START_WITH_OPTION_VERB, f"{name} {value}")
        for name, value in game_calls.fitting_option_changes(table, len(table.seats))[: limits.ROW_BUTTONS]
    )
    return Post(text, (row,) if row else ())


def _option_text(name: str, value: str) -> str:
    return f"{name.replace('_', ' ')}: {value}"


def _start_button(table: Table) -> Button:
    return button(table, "Start", "start", primary=True)


def _deadline_text(table: Table) -> str:
    """Return when a lobby closes, or when its ready check ends and whom it waits for."""
    check = table.row.lobby.ready_check
    if check is None:
        return f"Unless the host starts the game, the lobby closes <t:{table.row.expires_at}:R>."
    names = _unconfirmed_names(table) or "nobody"
    return f"Not here yet: {names}. The ready check ends <t:{check.due}:f>."


def computers_changed_post(table: Table, text: str, *, is_host: bool) -> Post:
    """Return the response to a change of computer players, with what its user may press next."""
    row = []
    if not table.is_full:
        row.append(button(table, computer_button_label(DEFAULT_COMPUTER), "comp", DEFAULT_COMPUTER))
    if is_host and len(table.seats) in game_calls.allowed_player_counts(table):
        row.append(_start_button(table))
    return Post(text, (tuple(row),) if row else ())


def _option_lines(table: Table, *, explain: bool) -> list[str]:
    """Return the options that differ from the usual ones: in one line; with ``explain`` in a line each.

    An explanation is of the value that is set, not of all that could be.
    """
    changed_options = [word.partition("=") for word in table.row.options.split()]
    texts = [_option_text(name, value) for name, _, value in changed_options]
    if explain:
        words = table.game.words
        hints = [
            words.value_hints.get(name, {}).get(value, words.option_hints[name])
            for name, _, value in changed_options
        ]
        return [f"-# {capitalized(text)}. {hint}." for text, hint in zip(texts, hints, strict=True)]
    return [f"-# {capitalized(', '.join(texts))}"] if texts else []


def _computers_text(game: AnyGame) -> str:
    """Return how each computer player plays this game, the strongest first."""
    if not game.has_policy:
        return f"Computer players: {CASUAL_PLAYER.title}, like {RANDOM_PLAYER.title}, {RANDOM_PLAYER.manner}."
    players = reversed(tuple(COMPUTER_PLAYERS.values()))
    return f"Computer players: {listed([f'{each.title} {each.manner}' for each in players])}."


def _player_counts_lines(table: Table) -> list[str]:
    """Return how many can play, or why nobody can; nothing where as many have joined as ever can play."""
    conflict = game_calls.option_conflict(table)
    if conflict is not None:
        return [f"-# **No game can start with these options.** {conflict}"]
    counts, all_counts = game_calls.allowed_player_counts(table), table.game.player_counts
    if len(table.seats) == max(all_counts) and len(table.seats) in counts:
        return []
    other_counts = [count for count in all_counts if count not in counts]
    changes = {count: game_calls.fitting_option_changes(table, count) for count in other_counts}
    return [f"-# {_allowed_player_counts_text(counts, changes)}"]


def _allowed_player_counts_text(
    counts: Sequence[int], changes_by_count: Mapping[int, Sequence[tuple[str, str]]]
) -> str:
    """Return how many can play with the options set, and what must be changed for others.

    ``changes_by_count``: for each other number of players the changes of one option that allow it.
    """
    counts_by_change: dict[str, list[str]] = {}
    for count, changes in changes_by_count.items():
        name, value = changes[0] if changes else ("", "")
        change = f"set {name.replace('_', ' ')} to {value}" if changes else "choose other options"
        counts_by_change.setdefault(change, []).append(str(count))
    texts = [f"For {listed(each, 'or')} players {change}." for change, each in counts_by_change.items()]
    return " ".join([player_counts_text(counts), *texts])


def player_counts_text(counts: Sequence[int]) -> str:
    """Return "For 2 to 6 players." for three or more counts in a row, else "For 2, 3 or 5 players."."""
    if len(counts) > 2 and list(counts) == list(range(counts[0], counts[-1] + 1)):
        return f"For {counts[0]} to {counts[-1]} players."
    return f"For {listed([str(count) for count in counts], 'or')} players."


def ready_check_post(table: Table) -> Post:
    """Return the question who is here, with the answers so far; once it waits for the host, their choices."""
    check = table.row.lobby.ready_check
    assert check is not None, "without a ready check nothing is sent"
    unconfirmed = unconfirmed_users(table)
    if not check.awaits_host:
        asked_users = unconfirmed
        lines = _presence_lines(table, check, unconfirmed)
    else:
        asked_users = (table.row.host,)
        lines = _unconfirmed_lines(table, check) if unconfirmed else _everybody_here_lines(table, check)
    heading = f"**{title(table)}** · {lines[0]}"
    return Post(join_lines([heading, *lines[1:]]), ready_check_rows(table), asked_users)


def _presence_lines(table: Table, check: ReadyCheck, unconfirmed: tuple[int, ...]) -> list[str]:
    """Return the lines that ask everybody whether they are here."""
    question = f"are you still here? Press **{HERE_LABEL}** to stay in the game."
    rule = (
        f"The game starts when all are here. If you do not press **{HERE_LABEL}** in time,"
        " you may lose your seat."
    )
    return [
        "Ready check.",
        addressed_text(unconfirmed, question) if unconfirmed else "Everybody is here.",
        _here_text(table, check.present_users),
        f"-# {rule} The check ends <t:{check.due}:f>, <t:{check.due}:R>.",
    ]


def _everybody_here_lines(table: Table, check: ReadyCheck) -> list[str]:
    """Return what the host is asked when everybody is here and the game could not start."""
    if check.channel_was_busy:
        statement, advice = _busy_text(table), f"press **Start** {_ONCE_CHANNEL_IS_FREE_TEXT}."
    elif len(table.seats) in game_calls.allowed_player_counts(table):
        statement, advice = "Everybody is here.", "press **Start**."
    else:
        statement = "Everybody is here, but the game cannot start yet."
        advice = "press **Start** to see what is missing"
        advice += "." if table.is_full else ", or fill the free seats."
    return [
        statement,
        addressed_text((table.row.host,), advice),
        _here_text(table, check.present_users),
        f"-# {'' if table.is_full else 'Others can still join. '}The ready check ends <t:{check.due}:R>.",
    ]


def _unconfirmed_lines(table: Table, check: ReadyCheck) -> list[str]:
    """Return what the host is asked about those who did not answer in time."""
    remaining_count = len(table.seats) - len(unconfirmed_users(table))
    is_anybody_here = any(seat.user in check.present_users for seat in table.seats)
    can_start = is_anybody_here and remaining_count in game_calls.allowed_player_counts(table)
    consequence = "the game starts without them" if can_start else "the lobby is open to others again"
    if not is_anybody_here:  # the host who was here has left
        consequence = "the lobby is closed"
    rule = f"If you choose nothing, {consequence} <t:{check.due}:R>."
    if can_start and not check.can_open_thread:
        rule += f" It can only start if no other game is going on in <#{table.row.game_channel}>."
    question = "do you want to wait, fill up or start?"
    if check.channel_was_busy:
        question = f"you can wait longer. You can fill up or start {_ONCE_CHANNEL_IS_FREE_TEXT}."
    return [
        f"{_unconfirmed_names(table)} did not press **{HERE_LABEL}**.",
        *([_busy_text(table)] if check.channel_was_busy else []),
        addressed_text((table.row.host,), question),
        _here_text(table, check.present_users),
        f"-# **{HERE_LABEL}** still works. {rule}",
    ]


def _busy_text(table: Table) -> str:
    return f"The game could not start: another one was going on in <#{table.row.game_channel}>."


def _here_text(table: Table, present_users: tuple[int, ...]) -> str:
    present_names = [
        name
        for name, seat in zip(table.names, table.seats, strict=True)
        if seat.user is None or seat.user in present_users
    ]
    return f"Here: {listed(present_names) or 'nobody yet'}."


def ready_check_rows(table: Table) -> tuple[Row, ...]:
    """Return the buttons of the ready check: the answer while somebody is missing, and the host's choices."""
    if not unconfirmed_users(table):
        fill_buttons = () if table.is_full else (button(table, FILL_LABEL, "fill"),)
        return ((_start_button(table), *fill_buttons),)
    return (
        (
            button(table, HERE_LABEL, "here", primary=True),
            button(table, WAIT_LABEL, "longer"),
            button(table, FILL_LABEL, "fill"),
            button(table, START_WITHOUT_LABEL, "begin"),
        ),
    )


def ready_check_choices_post(table: Table) -> Post:
    """Return what the host or an admin may do while somebody has not confirmed, for them alone."""
    text = f"{_unconfirmed_names(table)} did not press **{HERE_LABEL}** yet. What do you want to do?"
    return Post(text, ready_check_rows(table))


def _unconfirmed_names(table: Table) -> str:
    """Return the names of those who have not answered the ready check."""
    return listed([table.name_of(user) or "" for user in unconfirmed_users(table)])
