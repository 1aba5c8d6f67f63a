"""The bot, with watchdogs that check every second: its metrics then hold the loop's worst lag of each."""

import sys
from typing import Final
from unittest.mock import patch

from bot.__main__ import main
from bot.watch import monitor

CHECK_SECONDS: Final = 1.0

if __name__ == "__main__":
    with patch.object(monitor, "CHECK_INTERVAL", CHECK_SECONDS):
        sys.exit(main(["run"]))
