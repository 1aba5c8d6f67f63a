"""What the server of ``tests/bot/forks.py`` has ready: the bot's modules, fonts, what the rules import."""

import bot.operate.commands
import bot.running
import tests.bot.host.crashing_process
import tests.bot.operate.killed_process
from render import paint
from tests.bot.parsed_once import parse_rules_once

__all__ = ["bot", "tests"]

paint.warm_up()
parse_rules_once()
bot.running.tune_garbage_collector()  # so that no process collects all this again
