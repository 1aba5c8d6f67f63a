"""What the server of ``tests/bot/forks.py`` has ready: every module of the bot, and the fonts."""

import bot.operate.commands
import bot.running
import tests.bot.host.crashing_process
import tests.bot.operate.killed_process
from render import paint

__all__ = ["bot", "tests"]

paint.warm_up()
bot.running.tune_garbage_collector()  # so that no process collects all this again
