"""What the panel says of what follows a choice: its preview, warnings, whether it can be undone."""

from collections.abc import Collection, Mapping

from bot.chat.action_picker import Screen, Tokens
from bot.host import previews
from bot.host.deciders.results import unrated_reason_so_far
from bot.host.names import escape_markup
from bot.host.table import Table
from rules.consequence import Consequence
from rules.model import Action, Seat
from rules.text import capitalized, listed


def result_warning_lines(
    table: Table, seat: Seat, screen: Screen, action_by_tokens: Mapping[Tokens, Action]
) -> list[str]:
    """Return the results that nobody may miss, each with its choices; that of a marked one is previewed."""
    actions_by_text: dict[str, list[Action]] = {}
    for tokens, action in action_by_tokens.items():
        if tokens != screen.marked_tokens and (text := previews.short_warning_text(table, seat, action)):
            actions_by_text.setdefault(text, []).append(action)
    return [
        f"After {listed(_bold_labels(screen, action_by_tokens, actions), 'or')}, {text}."
        for text, actions in actions_by_text.items()
    ]


def undo_warning_lines(
    table: Table, seat: Seat, screen: Screen, action_by_tokens: Mapping[Tokens, Action]
) -> list[str]:
    """Return warnings about choices that one press plays although no undo is free then, or the game ends."""
    committing_actions = previews.unconfirmed_committing_actions(table, seat, action_by_tokens.values())
    ending_actions = previews.unconfirmed_ending_actions(table, seat, action_by_tokens.values())
    lines = []
    if committing_actions and (condition := _undo_condition(table, seat)):
        choices_text = listed(_bold_labels(screen, action_by_tokens, committing_actions), "or")
        lines.append(f"-# After {choices_text}, an undo {condition}.")
    if ending_actions:
        choices_text = listed(_bold_labels(screen, action_by_tokens, ending_actions), "or")
        lines.append(f"-# {choices_text} ends the game: it cannot be undone.")
    return lines


def _bold_labels(
    screen: Screen, action_by_tokens: Mapping[Tokens, Action], named_actions: Collection[Action]
) -> list[str]:
    return [
        f"**{each.label}**" for each in screen.choices if action_by_tokens.get(each.tokens) in named_actions
    ]


def _undo_condition(table: Table, seat: Seat) -> str:
    """Return what it takes to undo what is not free to undo, as what is said of an undo.

    Empty in an unrated game against computer players alone: there it takes nothing.
    """
    other_users = table.other_unresigned_users(seat)
    if other_users:
        other_names = [escape_markup(row.name) for row in table.seats if row.user in other_users]
        owners = f"{other_names[0]}'s" if len(other_names) == 1 else "the others'"
        return f"needs {owners} consent"
    return "makes this game unrated" if unrated_reason_so_far(table) is None else ""


def preview_lines(table: Table, seat: Seat, action: Action) -> list[str]:
    """Return what an action would do, and what follows it."""
    preview = previews.preview_text(table, seat, action)
    consequence = consequence_text(table, seat, action)
    return [line for line in (preview, consequence and f"-# {consequence}") if line]


def consequence_text(table: Table, seat: Seat, action: Action) -> str:
    """Return who plays after an action and whether it can be undone, as far as its actor can know."""
    consequences = previews.consequences(table, seat, action)
    next_seats = {each.to_act for each in consequences}
    if next_seats == {None}:
        return "This ends the game and cannot be undone."
    condition, sentences = _undo_condition(table, seat), []
    condition_text = condition and f": undoing it later {condition}"
    reveals = any(each.reveals for each in consequences)
    if None in next_seats:
        sentences.append("This may end the game.")
    elif len(next_seats) == 1 and seat not in next_seats:
        next_name = next(table.names[other] for other in next_seats if other is not None)
        if not reveals and any(previews.is_computer_next(table, each) for each in consequences):
            sentences.append(f"{next_name} plays next at once{condition_text}.")
        else:
            sentences.append(f"{next_name} plays next.")
    if reveals:
        sentences.append(f"{_revealed_text(table, consequences)}{condition_text}.")
    return " ".join(sentences)


def _revealed_text(table: Table, consequences: Collection[Consequence]) -> str:
    """Return what all of an action's possible consequences reveal, without a full stop."""
    revealed_types = frozenset.intersection(*(each.revealed_types for each in consequences))
    clause_by_type = table.game.words.outcome_clauses
    clauses = [clause for each, clause in clause_by_type.items() if each in revealed_types]
    return capitalized(listed(clauses)) if clauses else "This draws or reveals something"
