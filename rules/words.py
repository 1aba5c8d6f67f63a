"""The texts of a game: what its actions, panel, log, pictures, help and stories say."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

import msgspec

from rules.model import Action, Names, RecordEvents, Seat, View
from rules.narration import Narration


class VerbTexts(msgspec.Struct, frozen=True, gc=False):
    """The texts that offer a verb, the type of an action: a button's label, a command's hint, field hints."""

    label: str
    hint: str
    field_hints: Mapping[str, str] = msgspec.field(default_factory=dict)
    questions: Mapping[str, str] = msgspec.field(default_factory=dict)
    """What the panel asks for a field; ``{card}`` stands for the label of the earlier field ``card``.

    Only the default path to an action reads them (``rules.paths``).
    """
    confirm: bool = True
    """Whether the panel shows a preview to confirm if the action passes the turn or reveals something.

    False: one press plays the action, since the label says all ("End turn").  If no undo of it is free, the
    panel says so above the buttons.
    """


class PathStep(msgspec.Struct, frozen=True, gc=False):
    """One step of the path to an action in the panel.  Equal steps lead to equal choices.

    The laws (``tests/conformance/paths.py``): the paths of the legal actions and of their other spellings
    lead to one action each, and none is a prefix of another; siblings have different labels and one question;
    if two paths begin with equal tokens, these steps are equal in every field; only the last step has a
    shortcut, and shortcuts differ; the tokens of a path, joined by spaces, have at most 60 characters.
    """

    token: str
    """Its text in button ids, without spaces."""
    label: str
    """Its text on a button, short: it also stands behind the label of the step before, as in "Evolve A1"."""
    question: str
    """The question that it answers, asked above its buttons."""
    row: str = ""
    """Steps of one row stand in one row of buttons, or in several that follow each other."""
    hint: str = ""
    """What it brings, in a few words, for short lists."""
    collapsed: bool = False
    """Whether it is rarely wanted: its button is secondary, and its screen is never merged into this one."""
    order: int = 0
    """Siblings stand in this order; those of equal ``order`` in the order of the legal actions."""
    shortcut: str = ""
    """Of the last step: the label of a button for the action on an earlier screen, if all fit there."""


class Topic(msgspec.Struct, frozen=True, gc=False):
    """One page of help in our own words (``/rules``), of at most 1,800 characters.

    Keys and titles are unique in a game.  Keys have at most 32 characters, since buttons carry them.
    """

    key: str
    title: str
    text: str


# Defaults of functions that a game may leave out


def _return_empty_text(*_arguments: Any) -> str:
    return ""


def _return_false(*_arguments: Any) -> bool:
    return False


def _return_no_lines(*_arguments: Any) -> tuple[str, ...]:
    return ()


V = TypeVar("V", bound=View)
V_contra = TypeVar("V_contra", bound=View, contravariant=True)


class BoardText(Protocol[V_contra]):
    """Describes the board."""

    def __call__(self, view: V_contra, names: Names, /, status: str = "") -> str:
        """Return the board in words; ``status``: what it says in place of the game's own, unless empty."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Words(Generic[V]):
    """A game's texts.  Every function gets only what its reader may know."""

    verb_texts: Mapping[type[Action], VerbTexts]
    """Those of every action type of players, in the order in which they are offered."""
    label: Callable[[V, Action, Names], str]
    """The label of a legal action, for a button: at most 80 characters."""
    value_label: Callable[[V, type[Action], str, object], str]
    """The label of a field's value (view, action type, field name, value): at most 80 characters."""
    preview: Callable[[V, Action, Names], str | None]
    """What a legal action would do, as far as its actor can know; None: nothing to show."""
    refusal: Callable[[V, Action, Names], str]
    """Why a well-formed action is not legal for the seat to act, and what to do instead."""
    narrate: Callable[[V, Seat, Action, V, Names], Narration]
    """(view before, actor, action as seen, view after, names) -> what happened; may be empty."""
    affected_seats: Callable[[V, V], frozenset[Seat]]
    """(bystander's view before, after) -> the seats that a record affected; its actor may be among them.

    It reads the trail of the view after.  A seat is affected if what it owns changed, if it was aimed at, or
    if its prospects changed.  The end of the game affects all seats.
    """
    has_pieces_named_by_seat: bool = False
    """Whether texts call a seat's pieces by its letter and a number, such as "A2"."""
    status: Callable[[V, Names], str]
    """One line: who is to do what, or how the game ended."""
    describe: BoardText[V]
    """The whole view as text: the public board with the status, and for a seat its secrets after it."""
    alt_text: BoardText[V]
    """The description of the board picture, with the public status in it: at most 1,024 characters."""
    how_to_win: str
    """One sentence for the start: at most 200 characters."""
    illegal_type_reason: Callable[[V, type[Action], Names], str] = field(default=_return_empty_text)
    """Why no action of a type is legal now, such as what is asked instead, when words typed name the type.

    Empty: that it is not possible.
    """
    typed_signs: Mapping[str, str] = field(default_factory=dict)
    """Signs that texts show and people may type in a move, with what each stands for there: ♣ for C."""
    typed_phrases: Mapping[str, str] = field(default_factory=dict)
    """What people may say in a move, with what it stands for there: "jack of clubs" for JC."""
    other_verbs: Mapping[type[Action], tuple[str, ...]] = field(default_factory=dict)
    """Verbs of other types that people type for a type's own; each counts while none of its type is legal."""
    typed_wordings: Callable[[V, Action], tuple[str, ...]] = field(default=_return_no_lines)
    """What people may type for a legal action in place of its label, such as the same in another order."""
    outcome_clauses: Mapping[type[Action], str] = field(default_factory=dict)
    """What outcomes that a player's choice may lead to reveal, by their type: "the dice are rolled"."""
    passing_types: tuple[type[Action], ...] = ()
    """Types of actions with which a player does nothing, or no more: what "pass" may mean."""
    answer_types: tuple[type[Action], ...] = ()
    """Types of actions with which a player answers in another player's turn, such as stopping the pawn."""
    typed_names: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Names that texts show and people may type in a move: by field, then by how a value is written.

    Within a field names differ, also from the written values.  What stands behind one in parentheses may be
    left out where the rest tells it from others.
    """
    option_hints: Mapping[str, str]
    """One line per field of the options."""
    value_hints: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """One line per value of an option that is chosen by name: by the option's name, then by the value."""
    topics: tuple[Topic, ...]
    """The pages of help, the short introduction first; at most 25, the limit of a select menu."""
    glossary: tuple[Topic, ...] = ()
    """One page for each card or piece, found by name, in any order."""
    hand_text: Callable[[V, Names], str] = field(default=_return_empty_text)
    """What the viewer holds in secret, as text and for its picture; empty if nothing."""
    hand_summary: Callable[[V, Names], str] | None = None
    """The same in a few words above the picture, which says the rest; None: as ``hand_text``."""
    own_board_text: Callable[[V, Seat, Names], str] = field(default=_return_empty_text)
    """What the viewer may know of a seat's own board, as text and for its picture: at most 1,024 characters.

    Empty: that picture has the description of the whole board.
    """
    picture_texts: Mapping[str, Callable[[V, Names], str]] = field(default_factory=dict)
    """The descriptions of further pictures of the game, by name: at most 1,024 characters.

    A picture without one has the description of the board.
    """
    short_preview: Callable[[V, Action, Names], str] = field(default=_return_empty_text)
    """A preview in a few words, for lists of choices: at most 100 characters; may be empty."""
    short_warning: Callable[[V, Action, Names], str] = field(default=_return_empty_text)
    """The part of ``short_preview`` that nobody may miss, also where a list is too long for the rest."""
    needs_confirmation: Callable[[V, Action], bool] = field(default=_return_false)
    """Whether a legal action is previewed and confirmed even where its player goes on.

    Such an action may have a cost that its label does not name.
    """
    needs_no_preview: Callable[[V, Action], bool] = field(default=_return_false)
    """Whether one press plays a legal action even where it passes the turn or reveals something.

    Its label then says all, as those of verbs with ``VerbTexts.confirm`` False do.
    """
    is_routine: Callable[[Action, V], bool] = field(default=_return_false)
    """(action as seen, view after) -> whether its record tells only what every turn has, such as a draw.

    A shortened story leaves these lines out first.  It reads the trail of the view.
    """
    highlights: Callable[[Sequence[RecordEvents], Names], tuple[str, ...]] = field(default=_return_no_lines)
    """What was remarkable in a game that is over, from its records: sentences of at most 60 characters.

    Long names may make them longer.
    """
    path: Callable[[V, Action, Names], tuple[PathStep, ...]] | None = None
    """The path to a legal action in the panel; None: its verb, then its fields (``rules.paths``)."""
