"""What is said of the seed of a game that is over: it proves the deals."""

from bot.host.table import Table


def seed_text(table: Table) -> str:
    """Return the seed of an ended game and its fairness code, which together prove the deals."""
    text = f"Seed: `{table.row.seed.hex()}`. It fits the fairness code `{table.first_fairness_code}`."
    if table.fairness_code != table.first_fairness_code:
        text += f" The code since the backup, `{table.fairness_code}`, follows from it."
    return text


def early_end_seed_text(table: Table) -> str:
    """Return the seed of a game that has ended early, and how to get its file if this release can read it."""
    if table.match is None:
        return seed_text(table)
    return f"{seed_text(table)} `/export` gives the game's file, which proves every draw."
