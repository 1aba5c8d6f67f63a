"""What is said of the seed of a game that is over: it proves the deals.  Lines of small print."""

from bot.host.table import Table, shorten_code


def seed_text(table: Table) -> str:
    """Return the seed of an ended game, with the shortened fairness code that it fits."""
    first_code = shorten_code(table.first_fairness_code)
    text = f"-# Seed: `{table.row.seed.hex()}`. It fits the fairness code `{first_code}`."
    if table.fairness_code != table.first_fairness_code:
        text += f" The code since the backup, `{table.short_fairness_code}`, follows from it."
    return text


def early_end_seed_text(table: Table) -> str:
    """Return the seed of a game that has ended early, and how to get its file if this release can read it."""
    if table.match is None:
        return seed_text(table)
    return f"{seed_text(table)} `/export` gives the game's file, which proves every draw."
