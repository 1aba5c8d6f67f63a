"""The screens that lead to an action: a trie over the paths of the legal actions, flattened into grids."""

from collections.abc import Iterable, Iterator, Sequence
from math import ceil
from typing import Final

import msgspec

from rules.paths import PathSteps
from rules.text import capitalized
from rules.words import PathStep

MAX_SCREEN_COMPONENTS: Final = 31
"""Components of a screen: its buttons and their rows.  The rest is for text, picture and the last row."""
MAX_FLAT_LABEL_LENGTH: Final = 24
"""The longest label that flattening may make."""
MAX_WHOLE_LABEL_LENGTH: Final = 38
"""The longest label that names an action whole, so that two still stand in a row."""
_MAX_BUTTONS_BY_LABEL_LENGTH: Final = ((12, 5), (16, 4), (24, 3), (38, 2))
"""The most buttons in a row, by the length of its longest label; a longer label stands alone."""
_MORE: Final = "…"
"""Ends the label of a button that leads to further choices."""
_PAGE_TURN_ROW_COMPONENTS: Final = 3
"""Components of the row that turns pages."""

Tokens = tuple[str, ...]
"""The steps of a path, or the first of them, each by its token."""


class ScreenChoice(msgspec.Struct, frozen=True):
    """One choice on a screen, with a button of its own."""

    label: str
    """It ends in "…" exactly if further choices follow."""
    tokens: Tokens
    """What is chosen once it is pressed; the whole path if one action is left."""
    is_action: bool
    """Whether one action is left."""
    hint: str = ""
    is_secondary: bool = False
    """Whether its button is less prominent: those beside it are used more often."""


class Screen(msgspec.Struct, frozen=True):
    """One screen: what is asked, and the buttons that answer it."""

    question: str
    rows: tuple[tuple[ScreenChoice, ...], ...]
    chosen_tokens: Tokens
    """What is chosen before this screen."""
    back_tokens: Tokens | None = None
    """What is chosen before the screen from which this one was reached; None at the first."""
    marked_tokens: Tokens | None = None
    """The tokens of the action that is marked and previewed."""

    @property
    def choices(self) -> tuple[ScreenChoice, ...]:
        """Every button, in order."""
        return tuple(choice for row in self.rows for choice in row)


class _Node:
    """A node of the trie: the paths that begin with its tokens."""

    __slots__ = ("children", "step", "tokens")

    def __init__(self, tokens: Tokens, step: PathStep | None = None) -> None:
        self.tokens = tokens
        self.step = step
        self.children: dict[str, _Node] = {}

    def ordered_children(self) -> list["_Node"]:
        """Return the children in the order of their buttons."""
        return sorted(self.children.values(), key=lambda node: 0 if node.step is None else node.step.order)

    def skip_forced(self) -> "_Node":
        """Return the node of the next real choice, or of the only action left."""
        node = self
        while len(node.children) == 1:
            (node,) = node.children.values()
        return node

    def shortcuts(self) -> Iterator["_Node"]:
        """Yield the nodes below it whose actions may have a button on an earlier screen."""
        for child in self.ordered_children():
            if child.step is not None and child.step.shortcut:
                yield child
            yield from child.shortcuts()


class _Entry(msgspec.Struct):
    """A button of a screen that is being laid out; those with the same ``row_key`` stand in one row."""

    label: str
    row_key: str
    node: _Node
    is_secondary: bool = False

    @property
    def leads_on(self) -> bool:
        """Whether further choices follow it."""
        return bool(self.node.skip_forced().children)

    @property
    def button_label(self) -> str:
        """The label of its button."""
        return f"{self.label} {_MORE}" if self.leads_on else self.label

    @property
    def can_expand(self) -> bool:
        """Whether the choices behind it may replace it on this screen."""
        return bool(self.node.children) and self.node.step is not None and not self.node.step.collapsed

    def expanded_entries(self) -> Iterator["_Entry"]:
        """Yield an entry for each of the choices behind it."""
        for child in self.node.ordered_children():
            assert child.step is not None
            inner_key = f"{self.row_key}/{self.node.tokens[-1]}/{child.step.row}"
            row_key = inner_key if child.step.row else self.row_key
            yield _Entry(f"{self.label} {child.step.label}", row_key, child)


def build_screen(
    paths: Iterable[PathSteps], chosen_tokens: Tokens, max_rows_with_shortcuts: int | None = None
) -> Screen:
    """Return the screen after ``chosen_tokens``; the first one if no path begins with them.

    ``chosen_tokens`` may be a whole path, which is then marked on the screen that offers it.
    ``max_rows_with_shortcuts``: if a first screen with shortcuts would have more rows, it has none.
    """
    root = _build_trie(paths)
    first_screen = screen = _screen_below(root.skip_forced(), None, max_rows_with_shortcuts)
    if len(first_screen.choices) == 1 and first_screen.choices[0].is_action:
        return msgspec.structs.replace(first_screen, marked_tokens=first_screen.choices[0].tokens)
    while True:
        matching_choices = [
            each for each in screen.choices if chosen_tokens[: len(each.tokens)] == each.tokens
        ]
        choice = max(matching_choices, key=lambda each: len(each.tokens), default=None)
        if choice is None:
            is_prefix = any(each.tokens[: len(chosen_tokens)] == chosen_tokens for each in screen.choices)
            return screen if is_prefix else first_screen
        if choice.is_action:
            is_whole = chosen_tokens == choice.tokens
            return msgspec.structs.replace(screen, marked_tokens=choice.tokens) if is_whole else first_screen
        screen = _screen_below(_find_node(root, choice.tokens), screen.chosen_tokens)


def pages_of(
    screen: Screen, max_rows: int = MAX_SCREEN_COMPONENTS
) -> tuple[tuple[tuple[ScreenChoice, ...], ...], ...]:
    """Return a screen's rows as pages of at most ``max_rows`` rows that fit; usually as a single page.

    By default only the number of components limits a page.
    """
    rows = screen.rows
    if len(rows) <= max_rows and sum(1 + len(row) for row in rows) <= MAX_SCREEN_COMPONENTS:
        return (rows,)
    pages: list[list[tuple[ScreenChoice, ...]]] = [[]]
    max_components = MAX_SCREEN_COMPONENTS - _PAGE_TURN_ROW_COMPONENTS
    for row in rows:
        component_count = sum(1 + len(other) for other in pages[-1])
        if pages[-1] and (len(pages[-1]) >= max_rows - 1 or component_count + 1 + len(row) > max_components):
            pages.append([])
        pages[-1].append(row)
    return tuple(tuple(page) for page in pages)


def _build_trie(paths: Iterable[PathSteps]) -> _Node:
    root = _Node(())
    for path in paths:
        node = root
        for step in path:
            if step.token not in node.children:
                node.children[step.token] = _Node((*node.tokens, step.token), step)
            node = node.children[step.token]
    return root


def _find_node(root: _Node, tokens: Tokens) -> _Node:
    node = root
    for token in tokens:
        node = node.children[token]
    return node


def _screen_below(
    node: _Node, back_tokens: Tokens | None, max_rows_with_shortcuts: int | None = None
) -> Screen:
    """Return the screen of the choices below a node, as flat as it fits."""
    if node.step is not None and not node.children:  # the only legal action
        choice = ScreenChoice(node.step.label, node.tokens, is_action=True, hint=node.step.hint)
        return Screen(node.step.question, ((choice,),), (), back_tokens)
    entries = [
        _Entry(capitalized(child.step.label), child.step.row, child, is_secondary=child.step.collapsed)
        for child in node.ordered_children()
        if child.step is not None
    ]
    question = entries[0].node.step.question if entries and entries[0].node.step is not None else ""
    entries = _flatten(entries)
    with_whole_labels = [_with_whole_label(entry) for entry in entries]
    entries = with_whole_labels if _component_count(with_whole_labels) <= MAX_SCREEN_COMPONENTS else entries
    entries = _with_shortcuts(entries, max_rows_with_shortcuts) or entries
    return Screen(question, tuple(_choice_rows(entries)), node.tokens, back_tokens)


def _with_shortcuts(entries: Sequence[_Entry], max_rows: int | None) -> list[_Entry] | None:
    """Return the entries with the shortcuts of each in one row before it, or None if they do not fit.

    Beside shortcuts, which play at once, all that leads on is secondary.
    """
    new_entries: list[_Entry] = []
    row_keys = set()
    for entry in entries:
        shortcuts = [
            _Entry(node.step.shortcut, f"{entry.row_key}/{entry.node.tokens[-1]}", node)
            for node in entry.node.shortcuts()
            if node.step is not None
        ]
        if shortcuts and entry.leads_on:
            row_keys.add(shortcuts[0].row_key)
            new_entries += [*shortcuts, msgspec.structs.replace(entry, row_key=shortcuts[0].row_key)]
        else:
            new_entries.append(entry)
    if not row_keys:
        return None
    new_entries = [
        msgspec.structs.replace(entry, is_secondary=True) if entry.leads_on else entry
        for entry in new_entries
    ]
    fits = _component_count(new_entries) <= MAX_SCREEN_COMPONENTS and all(
        len(entry.button_label) <= MAX_WHOLE_LABEL_LENGTH
        for entry in new_entries
        if entry.row_key in row_keys
    )
    if max_rows is not None:
        fits = fits and sum(1 for _ in _choice_rows(new_entries)) <= max_rows
    return new_entries if fits else None


def _flatten(entries: list[_Entry]) -> list[_Entry]:
    """Return the entries with row after row expanded, the cheapest first, as long as the screen has room."""
    while True:
        expansions = [
            expansion for key in _entries_by_row(entries) if (expansion := _expand(entries, key)) is not None
        ]
        if not expansions:
            return entries
        cheapest = min(expansions, key=_component_count)
        if _component_count(cheapest) > MAX_SCREEN_COMPONENTS:
            return entries
        entries = cheapest


def _with_whole_label(entry: _Entry) -> _Entry:
    """Return an entry that names its whole action, if only one is behind it and the label stays short."""
    label, node = entry.label, entry.node
    while len(node.children) == 1:
        (node,) = node.children.values()
        label += "" if node.step is None else f" {node.step.label}"
    is_whole = not node.children and len(label) <= MAX_WHOLE_LABEL_LENGTH
    return msgspec.structs.replace(entry, label=label) if is_whole else entry


def _expand(entries: list[_Entry], row_key: str) -> list[_Entry] | None:
    """Return the entries with one row expanded; None if none can be, or a label would be too long."""
    new_entries: list[_Entry] = []
    has_expanded = False
    for entry in entries:
        if entry.row_key != row_key or not entry.can_expand:
            new_entries.append(entry)
            continue
        expanded_entries = list(entry.expanded_entries())
        if any(len(each.label) > MAX_FLAT_LABEL_LENGTH for each in expanded_entries):
            return None
        new_entries += expanded_entries
        has_expanded = True
    return new_entries if has_expanded else None


def _entries_by_row(entries: Sequence[_Entry]) -> dict[str, list[_Entry]]:
    """Return the entries by the key of their row, in the order in which the rows begin."""
    entries_by_row: dict[str, list[_Entry]] = {}
    for entry in entries:
        entries_by_row.setdefault(entry.row_key, []).append(entry)
    return entries_by_row


def _max_buttons_in_row(entries: Sequence[_Entry]) -> int:
    label_length = max(len(entry.button_label) for entry in entries)
    return next((count for limit, count in _MAX_BUTTONS_BY_LABEL_LENGTH if label_length <= limit), 1)


def _component_count(entries: Sequence[_Entry]) -> int:
    rows = _entries_by_row(entries).values()
    return sum(len(row) + ceil(len(row) / _max_buttons_in_row(row)) for row in rows)


def _choice_rows(entries: Sequence[_Entry]) -> Iterator[tuple[ScreenChoice, ...]]:
    """Yield the rows of buttons, of even lengths, as many in each as its longest label allows."""
    for row in _entries_by_row(entries).values():
        row_length = ceil(len(row) / ceil(len(row) / _max_buttons_in_row(row)))
        for start in range(0, len(row), row_length):
            yield tuple(_screen_choice(entry) for entry in row[start : start + row_length])


def _screen_choice(entry: _Entry) -> ScreenChoice:
    next_node = entry.node.skip_forced()
    step = entry.node.step if next_node.step is None or next_node.children else next_node.step
    assert step is not None
    return ScreenChoice(
        entry.button_label,
        next_node.tokens,
        is_action=not next_node.children,
        hint=step.hint,
        is_secondary=entry.is_secondary,
    )
