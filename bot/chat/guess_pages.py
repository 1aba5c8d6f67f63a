"""The page that asks whether a typed line that is only guessed is meant."""

from bot.chat.components import CustomId
from bot.chat.consequence_texts import preview_lines
from bot.chat.panel_posts import PanelPage, panel_page, panel_path, panel_row
from bot.chat.post_parts import Post, join_lines, title
from bot.host import game_calls, previews
from bot.host.deciders.play import GuessedMove
from bot.host.line_codes import CODES_MARK, read_codes
from bot.host.table import Table
from rules.model import Action, Seat


def guess_page(table: Table, seat: Seat, guess: GuessedMove) -> tuple[PanelPage, Table]:
    """Return the page that shows what a line would do, and the table as it would be before the last move.

    Raises the guess if the table has moved on since, or if no button can carry the line.
    """
    if guess.ply != table.row.ply:
        raise guess
    if len(guess.actions) == 1:
        return panel_page(table, seat, panel_path(table, seat, guess.actions[0]), is_guess=True), table
    row = panel_row(table, seat, guess.actions, "")
    if not _carries_line(table, seat, row[0].custom_id, guess.actions):
        raise guess
    tables = previews.tables_before(table, seat, guess.actions)
    labels = [
        game_calls.action_label(each, seat, action, table.names)
        for each, action in zip(tables, guess.actions, strict=True)
    ]
    shown_lines = [
        "### Did you mean this line?",
        *(f"{number}. {label}" for number, label in enumerate(labels, 1)),
        *preview_lines(tables[-1], seat, guess.actions[-1]),
    ]
    heading = f"**{title(table)}** · {game_calls.status_text(table, seat)}"
    post = Post(heading, (row,), preview_text=join_lines(shown_lines))
    return PanelPage(post, (), guess.actions[-1]), tables[-1]


def _carries_line(table: Table, seat: Seat, custom_id: CustomId, actions: tuple[Action, ...]) -> bool:
    """Whether the id of **Play it** fits and means these actions: codes may be too many, or unclear."""
    if not custom_id.is_possible:
        return False
    if not custom_id.argument.startswith(CODES_MARK):
        return True
    return read_codes(table, seat, custom_id.argument, custom_id.ply) == actions
