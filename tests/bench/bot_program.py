"""The program of a metered bot: like ``python -m bot run``, it forks the drawing processes first."""

import os
import sys
from typing import Final

from bot.drawing_process import drawing_processes
from bot.heap import use_one_heap
from tests.bench.metered_drawing import METER, wrap_drawing

UNMETERED_VARIABLE: Final = "BENCH_UNMETERED"
"""If set, the bot runs unchanged, without wrapped functions and with its usual watchdogs."""

if __name__ == "__main__":
    if os.environ.get(UNMETERED_VARIABLE):
        from bot.__main__ import main

        sys.exit(main(["run"]))
    use_one_heap()
    wrap_drawing(METER)
    os.register_at_fork(after_in_child=METER.reset)
    with drawing_processes() as processes:
        from tests.bench.metered_bot import run

        code = run(processes)
    sys.exit(code)
