"""The program.  It forks the drawing processes before it loads the rest, so that they take little memory."""

import sys
from collections.abc import Sequence
from contextlib import nullcontext

from bot import drawing  # noqa: F401 - all processes need it
from bot.drawing_process import drawing_processes
from bot.heap import use_one_heap


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; return the exit code."""
    command_words = sys.argv[1:] if arguments is None else arguments
    use_one_heap()
    with drawing_processes() if command_words[:1] == ["run"] else nullcontext(()) as processes:
        from bot.command_line import run_command_line  # noqa: PLC0415 - most of what it loads does not draw

        return run_command_line(command_words, processes)


if __name__ == "__main__":
    sys.exit(main())
