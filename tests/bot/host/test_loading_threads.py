"""Tables are loaded in threads: what a process does for the first time must not be done by two at once."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.trials import WAIT_TIMEOUT

pytestmark = pytest.mark.slow

REPOSITORY = Path(__file__).parents[3]
_MAX_ROUNDS = 20
"""How often a crash is looked for: threads meet by chance."""
SCRIPT = """
import sys, threading
from rules.catalogue import EARLIER_RULES, GAMES
from rules.match import Match
from bot.host.loading import TableLoader
from bot.metrics import Metrics

games = list(GAMES.values())
matches = [Match.begin(game, min(game.player_counts), game.options_type(), bytes(32)) for game in games]
stored = [(match.game, match.seat_count, match.history, match.snapshot()) for match in matches]
if sys.argv[1] == "loader":
    TableLoader(None, GAMES, EARLIER_RULES, Metrics())
sys.setswitchinterval(1e-6)
barrier = threading.Barrier(8)

def resume():
    barrier.wait()
    for game, seats, history, snapshot in stored:
        Match.from_snapshot(game, seats, game.options_type(), bytes(32), history, snapshot)

threads = [threading.Thread(target=resume) for _ in range(8)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
"""


def resume_in_threads(preparation: str) -> list[int]:
    """Return the exit codes of three processes that resume matches in eight threads at once."""
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", SCRIPT, preparation], cwd=REPOSITORY, stderr=subprocess.DEVNULL
        )
        for _ in range(3)
    ]
    return [process.wait(timeout=WAIT_TIMEOUT) for process in processes]


def test_snapshots_are_decoded_in_threads() -> None:
    """Once a loader is made, matches can be resumed in several threads at once."""
    assert resume_in_threads("loader") == [0, 0, 0]


def test_first_use_in_threads_crashes() -> None:
    """Sensitivity: without the loader's preparation, processes crash."""
    assert any(any(resume_in_threads("nothing")) for _ in range(_MAX_ROUNDS))
