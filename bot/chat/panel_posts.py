"""The private pages of the panel, on which a player chooses.

Texts and components; nothing is sent.  A button carries what is chosen, never an index.
"""

from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias

import discord
import msgspec

from bot.chat.action_picker import Screen, ScreenChoice, Tokens, build_screen, pages_of
from bot.chat.components import Button, Row, Section
from bot.chat.consequence_texts import preview_lines, result_warning_lines, undo_warning_lines
from bot.chat.post_parts import Post, button, join_lines, table_custom_id, title, undo_button
from bot.chat.story import LOG_LABEL, panel_story
from bot.host import game_calls, previews
from bot.host.line_codes import write_codes
from bot.host.table import Table
from rules.model import Action, Seat
from rules.notation import ACTION_SEPARATOR, write_action
from rules.record import LogLine
from rules.text import capitalized

Rows: TypeAlias = tuple[Row, ...]
"""Rows of a message, from top to bottom."""

_MAX_SECTIONS: Final = 6
"""The most choices that are shown as sections, each with its consequence."""
_MAX_UNCOUNTED_SECONDARY_CHOICES: Final = 2
"""The most secondary choices which lead on that are left out when ``_MAX_SECTIONS`` is compared."""
_MAX_SECTION_LABEL_LENGTH: Final = 17
"""The longest label that leaves room for words beside its button on a phone: "B4 attacks A1: 10"."""
_CHECK_MARK: Final = "✓"


class PanelPage(msgspec.Struct, frozen=True):
    """One page of the panel: its post, and what its picture shows."""

    post: Post
    remaining_actions: tuple[Action, ...]
    """The legal actions whose paths begin with what is chosen so far."""
    marked_action: Action | None
    """The action that is marked and previewed."""


def panel_page(
    table: Table,
    seat: Seat,
    path: str = "",
    page_index: int = 0,
    note_lines: Sequence[str] = (),
    recent_lines: Sequence[LogLine] = (),
    *,
    refusal_text: str = "",
    is_guess: bool = False,
) -> PanelPage:
    """Return the panel after a ``path``, the tokens chosen so far with blanks between them.

    ``page_index``: which page of choices is shown, if they need several; ``note_lines``: above the question;
    ``recent_lines``: the log since the player's last turn, as the player may know it; ``refusal_text``: why a
    typed move was refused; ``is_guess``: the path is that of an action as which a typed text may be meant.
    The question and the marked button name the marked action; where one of them is not shown, a heading does.
    """
    paths = game_calls.action_paths(table, seat)
    screen = build_screen([each.path for each in paths.values()], tuple(path.split()))
    marked_action = None if screen.marked_tokens is None else paths[screen.marked_tokens].action
    if (
        marked_action is not None
        and not is_guess
        and not previews.actions_to_confirm(table, seat, (marked_action,))
    ):
        marked_action, screen = None, msgspec.structs.replace(screen, marked_tokens=None)
    action_by_tokens = {
        choice.tokens: paths[choice.tokens].action for choice in screen.choices if choice.is_action
    }
    shown_lines = [refusal_text] if refusal_text else []
    if marked_action is not None:
        shown_lines = preview_lines(table, seat, marked_action)
    question_lines = [f"### {screen.question}"]
    if marked_action is not None and (is_guess or _hides_choices(screen)):
        label = game_calls.action_label(table, seat, marked_action, table.names)
        question_lines = []
        shown_lines.insert(0, f"### Did you mean “{label}”?" if is_guess else f"### {label}")
    section_texts = _section_texts(table, seat, screen, action_by_tokens)
    if not section_texts:  # these have all results
        question_lines += result_warning_lines(table, seat, screen, action_by_tokens)
    question_lines += undo_warning_lines(table, seat, screen, action_by_tokens)
    choice_rows = _choice_rows(table, seat, screen, action_by_tokens, page_index, section_texts)
    story = panel_story(table, seat, recent_lines, len(choice_rows))
    back_path = None if screen.back_tokens is None else " ".join(screen.back_tokens)
    last_row = panel_row(table, seat, () if marked_action is None else (marked_action,), back_path)
    if story.is_shortened:
        last_row = (button(table, LOG_LABEL, "log"), *last_row)
    heading_lines = [f"**{title(table)}** · {game_calls.status_text(table, seat)}", *note_lines, story.text]
    remaining_actions = tuple(
        each.action for tokens, each in paths.items() if _begins_with(tokens, screen.chosen_tokens)
    )
    text = join_lines([line for line in (*heading_lines, *question_lines) if line])
    post = Post(text, (*choice_rows, last_row), preview_text=join_lines(shown_lines))
    return PanelPage(post, remaining_actions, marked_action)


def _begins_with(tokens: Tokens, first_tokens: Tokens) -> bool:
    return tokens[: len(first_tokens)] == first_tokens


def panel_path(table: Table, seat: Seat, action: Action) -> str:
    """Return the path that marks a legal action in the panel."""
    paths = game_calls.action_paths(table, seat)
    return next(" ".join(tokens) for tokens, each in paths.items() if each.action == action)


def _section_texts(
    table: Table, seat: Seat, screen: Screen, action_by_tokens: Mapping[Tokens, Action]
) -> dict[Tokens, tuple[str, str]]:
    """Return label and consequence of each choice with a known consequence.

    None if they are many, or if one has a long label: only a secondary one may then stand as a mere button.
    None either beside a marked action, whose preview says more: **Play it** stays in sight on a phone.
    """
    if screen.marked_tokens is not None:
        return {}
    secondary_count = sum(each.is_secondary and not each.is_action for each in screen.choices)
    if len(screen.choices) - min(secondary_count, _MAX_UNCOUNTED_SECONDARY_CHOICES) > _MAX_SECTIONS:
        return {}
    section_texts = {}
    for choice in screen.choices:
        action, label, hint = action_by_tokens.get(choice.tokens), choice.label, choice.hint
        is_too_long = len(label) > _MAX_SECTION_LABEL_LENGTH
        if is_too_long and choice.is_secondary:
            continue
        if action is not None:
            label = game_calls.action_label(table, seat, action, table.names)
            hint = hint or previews.short_preview_text(table, seat, action)
        if hint and is_too_long:
            return {}
        if hint and label == choice.label:  # its button says it
            section_texts[choice.tokens] = (capitalized(hint), "")
        elif hint:
            section_texts[choice.tokens] = (f"**{label}**", capitalized(hint))
    return section_texts


def _hides_choices(screen: Screen) -> bool:
    """Whether the only choice is marked: then **Play it** stands for it, without a button of its own."""
    return len(screen.choices) == 1 and screen.marked_tokens is not None


def _choice_rows(
    table: Table,
    seat: Seat,
    screen: Screen,
    action_by_tokens: Mapping[Tokens, Action],
    page_index: int,
    section_texts: Mapping[Tokens, tuple[str, str]],
) -> Rows:
    """Return a page of choices; if there is more than one page, with the buttons that turn it."""
    if _hides_choices(screen):
        return ()
    actions_to_confirm = previews.actions_to_confirm(table, seat, action_by_tokens.values())
    pages = pages_of(screen)
    if screen.marked_tokens is not None:
        page_index = next(
            i
            for i, rows in enumerate(pages)
            if any(_contains_choice(row, screen.marked_tokens) for row in rows)
        )
    page_index = min(max(page_index, 0), len(pages) - 1)
    rows: list[Row] = []
    for row in pages[page_index]:
        buttons: list[Button] = []
        for choice in row:
            part = choice_button(
                table, choice, action_by_tokens.get(choice.tokens), actions_to_confirm, screen.marked_tokens
            )
            if choice.tokens not in section_texts:
                buttons.append(part)
                continue
            if buttons:  # the choices stand in the same order as in the message with the hand
                rows.append(tuple(buttons))
                buttons = []
            rows.append(Section(*section_texts[choice.tokens], part))
        if buttons:
            rows.append(tuple(buttons))
    if len(pages) > 1:
        path = " ".join(screen.chosen_tokens)
        previous_button = button(
            table, "Previous", "page", f"{page_index - 1} {path}".strip(), disabled=page_index == 0
        )
        next_button = button(
            table, "Next", "page", f"{page_index + 1} {path}".strip(), disabled=page_index == len(pages) - 1
        )
        rows.append((previous_button, next_button))
    return tuple(rows)


def _contains_choice(row: Sequence[ScreenChoice], tokens: Tokens) -> bool:
    return any(choice.tokens == tokens for choice in row)


def choice_button(
    table: Table,
    choice: ScreenChoice,
    action: Action | None,
    actions_to_confirm: frozenset[Action],
    marked_tokens: Tokens | None = None,
) -> Button:
    """Return the button of a choice: an action to confirm leads to its preview, others are played."""
    path = " ".join(choice.tokens)
    if choice.tokens == marked_tokens:  # a guessed one, too: **Play it** alone plays it
        return Button(
            f"{_CHECK_MARK} {choice.label}", table_custom_id(table, "step", path), discord.ButtonStyle.success
        )
    if action is not None and action not in actions_to_confirm:
        return button(table, choice.label, "do", write_action(action), primary=not choice.is_secondary)
    return button(table, choice.label, "step", path, primary=not choice.is_secondary)


def panel_row(
    table: Table, seat: Seat, shown_actions: Sequence[Action], back_path: str | None
) -> tuple[Button, ...]:
    """Return the last row of a panel page.

    ``shown_actions``: those that **Play it** plays, if any; ``back_path``: of the screen before, if any.
    """
    row = []
    if shown_actions:
        custom_id = table_custom_id(table, "do", ACTION_SEPARATOR.join(map(write_action, shown_actions)))
        if not custom_id.is_possible:
            custom_id = table_custom_id(table, "do", write_codes(shown_actions))
        row.append(Button("Play it", custom_id, discord.ButtonStyle.success))
    if back_path is not None:
        row.append(button(table, "Back", "step", back_path))
    return (*row, *undo_buttons_without_consent(table, seat), button(table, "Type a move", "type"))


def undo_buttons_without_consent(table: Table, seat: Seat) -> tuple[Button, ...]:
    """Return the buttons that undo without consent: the last choice, and the turn if it has more choices."""
    possible_undo, turn_undo = (
        game_calls.possible_undo(table, seat),
        game_calls.possible_turn_undo(table, seat),
    )
    if possible_undo is None or not possible_undo.is_free:
        return ()
    undo_choice_button = undo_button(table)
    if turn_undo is None or turn_undo.kept_length == possible_undo.kept_length:
        return (undo_choice_button,)
    return undo_choice_button, undo_button(table, "Undo turn", is_whole_turn=True)
