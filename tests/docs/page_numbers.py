"""The numbers of the pages that stand for a constant of the code, each with the phrase that holds it.

``{}`` marks the number in a phrase.  So a page and its constant change together.
"""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from bot import config, drawing_connection, drawing_process, limits, running
from bot.chat import (
    animations,
    board_frames,
    clock_pages,
    delivery_refusals,
    membership,
    missed_answers,
    own_tables,
    rate_limit,
    server_commands,
    server_status,
)
from bot.host import (
    backup_scheduler,
    downtime,
    game_workers,
    housekeeping,
    outages,
    outbox,
    ratings,
    reliability,
)
from bot.host.deciders import (
    absence,
    admission,
    clocks,
    idle,
    lobby,
    own_undo,
    presence,
    questions,
    ready_check,
    reminders,
    seat_offers,
)
from bot.host.delivery_order import Priority
from bot.host.quotas import Quotas
from bot.store import backup_folder, disk_space, inspection, preferences
from bot.store.clock_rows import DAY, DEFAULT_GRACE_SECONDS, DEFAULT_MAX_MISSED_TURNS, HOUR
from bot.store.rows import IDLE_SECONDS
from bot.watch import hang_watchdog, heartbeat, monitor, watchdogs
from rules.cut_words import CUT_WORDS
from rules.random_stream import SHORT_CODE_LENGTH
from tests.bot.trust.authority import ALL_ROLES
from tests.docs.forgeries import FORGERIES
from tests.mutants.mutants import MUTANTS
from tests.systemd_unit import HIGHEST_EXPOSURE, unit_settings

REPOSITORY: Final = Path(__file__).parents[2]
_QUOTAS: Final = Quotas()
_UNIT_SETTINGS: Final = dict(unit_settings())
_CLOCKS: Final = [
    control
    for text in clock_pages.OFFERED_CLOCKS
    if (control := clock_pages.parse_time_control(text)) is not None and control.bank_seconds is None
]
_BURSTS_A_SECOND: Final = round(1 / rate_limit.BURST_SECONDS)
_HANG_TIME: Final = hang_watchdog.CHECK_INTERVAL * hang_watchdog.MAX_CHECKS_WITHOUT_SIGN
_HANGING_CALL_TIME: Final = hang_watchdog.CHECK_INTERVAL * hang_watchdog.MAX_CHECKS_AT_SAME_CALL
_UNANSWERED_TIME: Final = hang_watchdog.CHECK_INTERVAL * hang_watchdog.MAX_CHECKS_WITHOUT_ANSWER
_DRAWING_TIME: Final = drawing_connection.CHECK_SECONDS * drawing_connection.MAX_CALL_CHECKS


def _number_in(path: str, pattern: str) -> int:
    """Return the number that a pattern's group matches in a file."""
    match = re.search(pattern, (REPOSITORY / path).read_text(encoding="utf-8"), re.MULTILINE)
    assert match is not None, f"{path}: {pattern}"
    return int(match[1])


def _short_count(path: str, name: str) -> int:
    """Return how often ``make test`` tries; in ``make soak`` the module itself has another number."""
    return _number_in(path, rf"^{name}\b.*= trial_count\(short=(\d+)")


def _time_of_day(minutes: int) -> str:
    """Return minutes after midnight as the pages write them."""
    return f"{minutes // 60}:{minutes % 60:02}"


_QUIET_BEGIN: Final = _time_of_day(preferences.DEFAULT_QUIET_BEGIN)
_QUIET_END: Final = _time_of_day(preferences.DEFAULT_QUIET_END)


COUNTS: Final[Mapping[str, Mapping[str, float | str]]] = {
    "docs/playing.md": {
        "stands how the last {} games of that player went": reliability.MAX_COUNTED_GAMES,
        "*new here* (fewer than {} games)": reliability.MIN_GAMES,
        "at least {} games, and a third of all": reliability.MIN_AWAY_GAMES,
        "took the seat or {} turns were missed": reliability.MIN_MISSED_TURNS,
        "**Wait {} more hours**": ready_check.TIME_TO_ANSWER // HOUR,
        "In one turn you can take back {} times": own_undo.MAX_UNDOS_WITHOUT_CONSENT,
        "{} hours of each night that do not count, or none": (
            f"{min(filter(None, clock_pages.OFFERED_SLEEP_HOURS))} to {max(clock_pages.OFFERED_SLEEP_HOURS)}"
        ),
        "quiet hours, or at {} if you have none": _QUIET_BEGIN,
        "in which no reminder comes: {} unless you choose others": (f"{_QUIET_BEGIN} to {_QUIET_END}"),
        "when the time and {} more hours are over": DEFAULT_GRACE_SECONDS // HOUR,
        "after {} turns missed in a row": DEFAULT_MAX_MISSED_TURNS,
        "({} unless they choose others)": preferences.ServerRow(guild=1).away_days,
        "reminds you at the table, at most {} for one deadline": reminders.MAX_REMINDERS,
        "once a day, or never: {} at most for one deadline": reminders.MAX_REMINDERS,
        "stand the last {} of your games": own_tables.MAX_FINISHED_GAMES,
        "Nobody is mentioned more than {} times a day": _QUOTAS.mentions,
        "an animated picture of at most {} boards": board_frames.MAX_RECENT_FRAMES,
        "Everybody starts at {}.": ratings._INITIAL_POINTS,
        "what is set, and the last {} changes": server_commands.MAX_CHANGES_SHOWN,
        "chosen by you from a list of {}.": len(CUT_WORDS),
        "The first {} digits of the code": SHORT_CODE_LENGTH,
    },
    "docs/hosting.md": {
        "A number may be at most {}.": config._MAX_NUMBER,
        "It may use {} MB of memory": _number_in("compose.yaml", r"mem_limit: (\d+)m$"),
        "memory and {} threads": _number_in("compose.yaml", r"pids_limit: (\d+)$"),
        "MemoryMax={}M": _number_in("compose.yaml", r"mem_limit: (\d+)m$"),
        "TasksMax={} ": _number_in("compose.yaml", r"pids_limit: (\d+)$"),
        "| {} | a failure that may pass": running.EXIT_TEMPORARY,
        "| {} | a restart changes nothing": running.EXIT_PERMANENT,
        "does not restart after {}, and": _UNIT_SETTINGS["RestartPreventExitStatus"],
        "waits {} seconds after any other failure": _UNIT_SETTINGS["RestartSec"],
        "makes at most {} starts a day": DAY // int(_UNIT_SETTINGS["RestartSec"]),
        "Discord allows a bot {} sessions a day": limits.IDENTIFIES_A_DAY,
        "The newest {} backups are kept": backup_folder.DEFAULT_RETENTION.newest_count,
        "or after {} if only a worker thread hangs": _HANGING_CALL_TIME / 60,
        "with {} finished ones": inspection.FINISHED_SAMPLE_SIZE,
    },
    "docs/operating.md": {
        "one alarm for each `table`, at most {} at once": watchdogs.MAX_TABLE_ALARMS,
        "storing took {} s, or hangs": watchdogs.SLOW_COMMIT,
        "less is free than {} times the size of the database": disk_space.FREE_SPACE_FACTOR,
        "of the database, or than {} MB": disk_space.MIN_FREE_BYTES / 2**20,
        "the event loop was late by {} s": watchdogs.MAX_LAG,
        "while the file is younger than {} s": heartbeat.MAX_HEARTBEAT_AGE,
        "one at a time in each of {} processes": drawing_process.PROCESS_COUNT,
        "{} times as many suggestions": _QUOTAS.suggestions / _QUOTAS.requests,
        "Fixed limits: {} people who are invited": admission.MAX_PENDING_PEOPLE,
        "to join it; {} reminders for one deadline": reminders.MAX_REMINDERS,
        "; {} free undos in one turn": own_undo.MAX_UNDOS_WITHOUT_CONSENT,
        "{} MB for the animated picture": animations.MAX_RECENT_BYTES / 1e6,
        "happened, {} MiB for a replay": animations.MAX_REPLAY_BYTES / 2**20,
        "; {} channels and": server_commands.MAX_LIST_LENGTH,
        "channels and {} roles that a server names": server_commands.MAX_LIST_LENGTH,
        "makes at most {} calls to Discord": rate_limit.CALLS_A_SECOND,
        "Of the {} calls, hands": rate_limit.CALLS_A_SECOND,
        "hands leave {} to public messages": _BURSTS_A_SECOND * rate_limit.BURST_HEADROOM[Priority.MEDIUM],
        "these edits leave {} to public": _BURSTS_A_SECOND * rate_limit.BURST_HEADROOM[Priority.LOW],
        "After {} invalid requests": rate_limit.INVALID_SOFT_LIMIT,
        "responses are sent, after {} nothing": rate_limit.INVALID_HARD_LIMIT,
        "retries up to {} tables of a server": _QUOTAS.server_tables,
        "a fault of ours in sending; tried {} times": outbox.MAX_ATTEMPTS,
    },
    "docs/security.md": {
        "{} kinds of people by every act": len(ALL_ROLES),
        "`bot/trust/test_hostile.py`: {} texts": _number_in(
            "tests/bot/trust/test_hostile.py", r"^HOSTILE_TEXTS = combined_hostile_texts\((\d+)\)"
        ),
        "at most {} free undos a turn": own_undo.MAX_UNDOS_WITHOUT_CONSENT,
        "`docs/test_deals.py`: {} files of each game": _short_count("tests/docs/test_deals.py", "FILE_COUNT"),
        "{} kinds of forgeries": len({*FORGERIES, "drop_a_line"}),
        "Its first {} digits": SHORT_CODE_LENGTH,
        "at most {} people who are invited or ask": admission.MAX_PENDING_PEOPLE,
        "reminders at most {}, never": reminders.MAX_REMINDERS,
        "at most {} calls a second": rate_limit.CALLS_A_SECOND,
        "exposure below {};": str(HIGHEST_EXPOSURE),
        "that person's last {} games went": reliability.MAX_COUNTED_GAMES,
    },
    "docs/privacy.md": {
        "until {} later ones on that server": preferences.MAX_SERVER_AUDIT_ENTRIES,
        "one word about your last {} games": reliability.MAX_COUNTED_GAMES,
        "at least {} newer ones are there": backup_folder.DEFAULT_RETENTION.newest_count,
    },
    "docs/notices.md": {"by more than {} mentions on one day": _QUOTAS.mentions},
    "docs/trust.md": {
        "(of several the newest {}, the others": missed_answers.MAX_NAMED_ANSWERS,
        "T1 kills {} processes": (
            _number_in("tests/bot/host/test_crash.py", r'trust_test\("T1"\)\n.*"seed", range\((\d+)\)')
            * _number_in("tests/bot/host/test_crash.py", r"kill_count = trial_count\((\d+), soak")
        ),
        "T15 runs {} tables": _number_in("tests/bot/e2e/test_soak.py", r"else SoakPlan\(.*table_count=(\d+)"),
        "T7 compares {} pairs of tables": _short_count("tests/bot/host/test_leaks.py", "PAIR_COUNT"),
        "pairs of tables and {} steps": _short_count(
            "tests/conformance/test_conformance.py", "COMPARED_STEP_COUNT"
        ),
        "of each pair {} typed moves": _short_count("tests/bot/host/table_pairs.py", "TYPED_MOVE_COUNT"),
        "holds {} hand-written faults": len(MUTANTS),
    },
}
"""Numbers of things, by page and phrase; a text stands for itself."""

TIMES: Final[Mapping[str, Mapping[str, float]]] = {
    "docs/playing.md": {
        "A lobby closes after {} if nobody starts it": lobby.LOBBY_LIFETIME,
        "It changes at most once {} and mentions nobody": server_status.UPDATE_INTERVAL,
        "a lobby that is older than {},": ready_check.MIN_LOBBY_AGE,
        "to press **Here** within {}.": ready_check.TIME_TO_ANSWER,
        "cut the deck within the last {} count as here": presence.PRESENCE_TIME,
        "the host chooses nothing within another {}": ready_check.TIME_TO_ANSWER,
        "accepts during the check has {} from then on": ready_check.TIME_TO_ANSWER,
        "or no answer within {}, means no": questions.VOTING_TIME,
        "for each turn: {} to": min(clock.turn_seconds for clock in _CLOCKS),
        "hours to {}; or less time for each turn": max(clock.turn_seconds for clock in _CLOCKS),
        "the time that you had then, and {} at least": clocks.MIN_TIME_AFTER_UNDO,
        "or after {} where there is no clock": reminders.DEFAULT_INTERVAL,
        "None comes either where {} or less is left": reminders.MIN_INTERVAL,
        "of your games that ended within {}, also": own_tables.MAX_FINISHED_AGE,
        "or nobody presses **Decline** for {} |": seat_offers.OBJECTION_TIME,
        "it has not seen the player there for {}.": membership.ASSUMED_SECONDS,
        "A newcomer has {} to accept": seat_offers.ACCEPT_TIME,
        "the seat is not offered again for {}:": seat_offers.OBJECTION_TIME,
        "the status message for {}, with **Take the seat**": seat_offers.OPEN_TIME,
        "After {} without a move the bot asks": IDLE_SECONDS,
        "If nobody presses it within {}, the game ends": idle.ANSWER_DAYS * DAY,
        "from which the bot was removed end after {}:": IDLE_SECONDS,
    },
    "docs/hosting.md": {
        "the bot is away for more than {}, all": outages.MIN_DOWNTIME,
        "SIGTERM or Ctrl-C, within {}, with": running.STOP_TIMEOUT + 1,  # it must end before
        "Where that takes more than {} it is left out": backup_scheduler.LAST_BACKUP_TIMEOUT,
        "by itself: every {} in which something changed": backup_scheduler.BACKUP_INTERVAL,
        "however old they are, one an hour for {},": backup_folder.DEFAULT_RETENTION.hourly_count * HOUR,
        "and one a day for {}. A backup": backup_folder.DEFAULT_RETENTION.daily_count * DAY,
        "as an error and tried again each {}.": backup_scheduler.BACKUP_RETRY_DELAY,
        "not been seen there for {}, and says it": membership.ASSUMED_SECONDS,
        "once it is invited again; {} later": IDLE_SECONDS,
        "that the bot itself was down counting {} at most": downtime.MAX_COUNTED_DOWNTIME,
        "or role changes, and every {};": delivery_refusals._BLOCKED_RETRY_DELAY,
        "clock says; after {} asks the players": IDLE_SECONDS,
        "asks the players, and ends the game {} later": idle.ANSWER_DAYS * DAY,
        "what it still has open within {} and ends itself": monitor.CHECK_INTERVAL,
        "for a restart: after {} in which no game continues": _HANG_TIME,
    },
    "docs/operating.md": {
        "The watchdogs check every {}.": monitor.CHECK_INTERVAL,
        'is logged once (`"alarm raised"`), again every {} while': watchdogs.REPEAT_AFTER,
        "no event has arrived for {}, and": watchdogs.MAX_SILENCE,
        "reconnects every {};": watchdogs.RECONNECT_INTERVAL,
        "; after {} the process ends with 75": watchdogs.GIVE_UP_AFTER,
        "for {} a table's board, hand or notices": watchdogs.STUCK_AFTER,
        "a change has waited {} longer for a verified backup": watchdogs.BACKUP_GRACE,
        "than the interval allows ({} by default)": watchdogs.BACKUP_GRACE + backup_scheduler.BACKUP_INTERVAL,
        "a failed backup is tried again each {}": backup_scheduler.BACKUP_RETRY_DELAY,
        "with 75 after {} without a sign of life": _HANG_TIME,
        "after {} in one call of a worker thread": _HANGING_CALL_TIME,
        "or after {} without an answer of the database": _UNANSWERED_TIME,
        "nobody moves | each {}, and as soon": housekeeping.CHECK_INTERVAL,
        "at most one edit {} for each server": server_status.UPDATE_INTERVAL,
        "answered interactions | once {}, in small steps": housekeeping.PRUNE_INTERVAL,
        "| backups | every {} in which something changed": backup_scheduler.BACKUP_INTERVAL,
        "A start waits up to {} for a database": running.LOCKED_DATABASE_TIMEOUT,
        "429) within {} only responses are sent": rate_limit.INVALID_WINDOW_SECONDS,
        "too large for a backup within the {} that a stop allows": backup_scheduler.LAST_BACKUP_TIMEOUT,
        "or by the bot after {} at one picture": _DRAWING_TIME,
        "no connection to Discord for {} |": watchdogs.GIVE_UP_AFTER,
    },
    "docs/security.md": {
        "or nobody declines for {};": seat_offers.OBJECTION_TIME,
        "an offer of a seat not for {};": seat_offers.OBJECTION_TIME,
        "no answer in {} is a no": questions.VOTING_TIME,
        "one edit {}, and none while a permission is missing": server_status.UPDATE_INTERVAL,
        "rules that never return end the process after {};": _HANG_TIME,
        "sent and handled is deleted after {},": housekeeping.RETENTION,
        "A player who does not look for {} while": seat_offers.OBJECTION_TIME,
        "Pauses of the bot of up to {}, and": outages.MIN_DOWNTIME,
    },
    "docs/privacy.md": {
        "a repeated press makes one move | {}; at a table": housekeeping.RETENTION,
        "the last move's until {} after the next": housekeeping.RETENTION,
        "to send them again after a crash | {}, longer": housekeeping.RETENTION,
        "the yearly number of days | {} at least": absence.YEAR,
        "deletes them once they are {} old": backup_folder.DEFAULT_RETENTION.daily_count * DAY,
    },
    "docs/notices.md": {"or if nobody has moved for {}:": IDLE_SECONDS},
    "docs/trust.md": {
        "A good backup is at most {} old": backup_scheduler.BACKUP_INTERVAL,
        "tables for {}.": _number_in("tests/bot/e2e/test_soak.py", r"else SoakPlan\(seconds=(\d+)"),
    },
    "docs/architecture.md": {
        "one call per game at a time, at most {} from its start": game_workers.WORKER_TIMEOUT,
        "or is at one picture for {}, the other one": _DRAWING_TIME,
    },
}
"""Durations in seconds, by page and phrase."""
