"""How much memory a bot and its drawing processes use."""

import psutil


def used_memory(bot: psutil.Process) -> int:
    """Return the bytes of memory of a bot and of its drawing processes.  Raises NoSuchProcess."""
    return int(bot.memory_info().rss) + unshared_drawing_memory(bot)


def unshared_drawing_memory(bot: psutil.Process) -> int:
    """Return the bytes that the drawing processes do not share with their bot.  Raises NoSuchProcess."""
    return sum(int(each.memory_full_info().uss) for each in bot.children(recursive=True))
