"""The command line: ``run``, ``play``, ``proof``, ``summary``, and the operators' commands."""

import argparse
import asyncio
import errno
import logging
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from bot.config import MAX_PORT, ConfigError, read_config, require_known_settings
from bot.drawing_process import DrawingProcess
from bot.operate.commands import add_operator_commands, os_error_text, run_operator_command
from bot.running import EXIT_PERMANENT, EXIT_TEMPORARY, run_bot
from bot.store.rows import table_number_of_match
from bot.summary import describe_summary, prepare_summary, render_summary
from bot.watch.hang_watchdog import HangWatchdog
from bot.watch.logs import configure_logging
from render.caption import Caption
from render.catalogue import PICTURES
from render.typeset import has_kerning
from rules.catalogue import ALL_RULES
from rules.errors import RulesError
from rules.matchfile import parse_match_file, replay_match
from rules.proof import prove
from rules.text import counted

MAX_MATCH_FILE_BYTES: Final = 16 * 2**20
"""The size of the largest match file that is read; that of a long game has about 250,000 bytes."""
_MATCH_FILE_HELP: Final = "the game's file, which its result and /export give"

_log = logging.getLogger(__name__)


def run_command_line(arguments: Sequence[str], processes: Sequence[DrawingProcess]) -> int:
    """Run one command; return the exit code.

    ``processes``: the drawing processes of ``run``; without any, threads draw.
    """
    parser = argparse.ArgumentParser(
        prog="captains-table",
        description="Hosts board games on Discord, played over days.",
        epilog="Settings are environment variables, such as CAPTAINS_TABLE_DATABASE: see docs/hosting.md.",
    )
    commands = parser.add_subparsers(dest="command", required=True)

    def add(name: str, text: str) -> argparse.ArgumentParser:
        return commands.add_parser(name, help=text, description=text)

    add("run", "join Discord; DISCORD_TOKEN or DISCORD_TOKEN_FILE must be set")
    play_parser = add("play", "play in the browser, without Discord")
    play_parser.add_argument(
        "--port", type=_parse_port, help="port on 127.0.0.1 (default: 8080, or any free port; 0: any)"
    )
    play_parser.add_argument(
        "--no-browser", action="store_true", help="print the address instead of opening it"
    )
    proof_parser = add("proof", "prove the deals of an ended game from its file")
    proof_parser.add_argument("file", type=Path, help=_MATCH_FILE_HELP)
    proof_parser.add_argument("--code", help="the fairness code that you saw, or its first 32 digits")
    summary_parser = add("summary", "draw the summary of an ended game from its file")
    summary_parser.add_argument("file", type=Path, help=_MATCH_FILE_HELP)
    summary_parser.add_argument("--names", help="the players' names by seat, with commas between them")
    summary_parser.add_argument(
        "--output", type=Path, default=Path("summary.png"), help="default: summary.png"
    )
    add_operator_commands(commands)
    args = parser.parse_args(arguments)
    match args.command:
        case "run":
            return _run(processes)
        case "play":
            return _play(args.port, open_browser=not args.no_browser)
        case "proof":
            return _prove(args.file, args.code)
        case "summary":
            return _draw_summary(args.file, args.names, args.output)
        case _:
            configure_logging("WARNING")
            return run_operator_command(args)


def _parse_port(text: str) -> int:
    """Parse a port number.  Raises ArgumentTypeError."""
    is_short_number = text.isascii() and text.isdecimal() and len(text) <= len(str(MAX_PORT))
    if not is_short_number or int(text) > MAX_PORT:
        raise argparse.ArgumentTypeError(f"invalid port: choose a number from 0 to {MAX_PORT}")
    return int(text)


def _run(processes: Sequence[DrawingProcess]) -> int:
    try:
        config = read_config(os.environ)
    except ConfigError:
        configure_logging("INFO")  # even this error is one line of JSON
        _log.exception("invalid setting", extra={"exit_code": EXIT_PERMANENT})
        return EXIT_PERMANENT
    configure_logging(config.log_level)
    try:
        require_known_settings(os.environ)
    except ConfigError:
        _log.warning("unknown setting ignored", exc_info=True)
    if not has_kerning():
        _log.warning("pictures lack kerning: FriBiDi is missing")
    hang_watchdog = HangWatchdog(lambda: os._exit(EXIT_TEMPORARY))
    with hang_watchdog.watching():
        return asyncio.run(run_bot(config, hang_watchdog, processes))


def _play(port: int | None, *, open_browser: bool) -> int:
    try:
        from bot.local.play import play_locally  # noqa: PLC0415 - the container image has no stand-in
    except ModuleNotFoundError as error:
        if error.name != "bot.local":
            raise
        print("`play` needs the folder bot/local: run it from a clone of the repository.", file=sys.stderr)
        return 1
    logging.basicConfig(level="WARNING", stream=sys.stderr)  # the stand-in's log; the bot writes its own
    try:
        return asyncio.run(play_locally(port, open_browser=open_browser))
    except OSError as error:
        is_port_refused = error.filename is None and error.errno in {errno.EADDRINUSE, errno.EACCES}
        text = f"Port {port} cannot be used ({error}). Try --port 0." if is_port_refused else error
        print(f"`play` cannot start. {text}", file=sys.stderr)
        return 1


def _prove(path: Path, fairness_code: str | None) -> int:
    try:
        print(prove(parse_match_file(_read_match_file(path), ALL_RULES), fairness_code).text)
    except (OSError, UnicodeDecodeError, RulesError) as error:
        print(f"Not proved: {_match_file_error_text(error)}", file=sys.stderr)
        return 1
    return 0


def _draw_summary(path: Path, names: str | None, output: Path) -> int:
    try:
        match_file = parse_match_file(_read_match_file(path), ALL_RULES)
        seat_names = tuple(name.strip() for name in names.split(",")) if names else ()
        caption = Caption(table_number_of_match(match_file.match_id), seat_names)
        match = replay_match(match_file)
        if len(seat_names) > match.seat_count:
            raise ValueError(
                f"the game has {counted(match.seat_count, 'seat')}, but --names gives"
                f" {counted(len(seat_names), 'name')}"
            )
        if not match.is_over:
            raise ValueError("this game was not played to its end, so it has no result to show")
        content = prepare_summary(match, caption, PICTURES[match_file.game.key])
        output.write_bytes(render_summary(content))
    except (OSError, UnicodeDecodeError, RulesError, ValueError) as error:
        print(f"Not drawn: {_match_file_error_text(error)}", file=sys.stderr)
        return 1
    print(f"{output}: {describe_summary(content)}")
    return 0


def _match_file_error_text(error: Exception) -> str:
    """Return why a match file, or the picture made of it, is no use."""
    if isinstance(error, UnicodeDecodeError):
        return "this is no match file, since it is not a text in UTF-8"
    return os_error_text(error) if isinstance(error, OSError) else str(error)


def _read_match_file(path: Path) -> str:
    """Return the text of a match file.

    Raises UnicodeDecodeError, and OSError, also for a file above ``MAX_MATCH_FILE_BYTES``.
    """
    with path.open("rb") as file:
        content = file.read(MAX_MATCH_FILE_BYTES + 1)
    if len(content) > MAX_MATCH_FILE_BYTES:
        raise OSError(f"{path} has more than {MAX_MATCH_FILE_BYTES // 2**20} MiB, so it is no match file")
    return content.decode()
