"""How much memory a bot and the process that draws for it use."""

import psutil


def used_memory(bot: psutil.Process) -> int:
    """Return the bytes of memory of a bot and of the process that draws for it.  Raises NoSuchProcess."""
    return int(bot.memory_info().rss) + unshared_memory(bot)


def unshared_memory(bot: psutil.Process) -> int:
    """Return the bytes that the process that draws does not share with its bot.  Raises NoSuchProcess."""
    return sum(int(each.memory_full_info().uss) for each in bot.children(recursive=True))
