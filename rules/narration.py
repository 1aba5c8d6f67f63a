"""What a narration is made of: lines of sentences, each with what a story needs to know to shorten it."""

import enum
from collections.abc import Iterable

import msgspec

from rules.text import shortened


class SentenceKind(enum.Enum):
    """What a sentence tells, by which stories choose what they keep."""

    PLAIN = enum.auto()
    CEREMONY = enum.auto()
    """Only how a turn goes on: "Ava ends the turn."  Stories leave it out where anything else is told.

    The log has it.
    """
    DETAIL = enum.auto()
    """What a picture shows: "New in the market: Brisbane 4."  A shortened story leaves it out first."""
    GAIN_OR_LOSS = enum.auto()
    """What is gained or lost, or soon may be: "A1 dies out."  A shortened story keeps it longer."""
    RULE_CHANGE = enum.auto()
    """How the rules change for the rest of the game.  A shortened story keeps it longest."""


class Item(msgspec.Struct, frozen=True, gc=False):
    """What a verb is done to, in those parts that several in one list may share."""

    name: str
    means: str = ""
    """With what it is done: "Speed 7" in "A1 with Speed 7"."""
    place: str = ""
    """Where, with its preposition: "from B2"."""
    number: int = 0
    """Which of ``total`` alike it is; 0: these are not counted."""
    total: int = 0
    is_countable: bool = False
    """Whether two of one name are "2 PET"."""

    @property
    def text(self) -> str:
        """The item as it ends a sentence: "PET on R4 (1 of 4)"."""
        means_text = f" with {self.means}" if self.means else ""
        place_text = f" {self.place}" if self.place else ""
        number_text = f" ({self.number} of {self.total})" if self.number else ""
        return f"{self.name}{means_text}{place_text}{number_text}"


class Clause(msgspec.Struct, frozen=True, gc=False):
    """What a player does to one item.  A story tells several with one subject and verb as one sentence."""

    subject: str
    verb: str
    item: Item
    piece: str = ""
    """The player's piece that does it, if the subject is not always the same: "ship 1"."""


class Sentence(msgspec.Struct, frozen=True, gc=False):
    """One sentence of a narration, with its full stop."""

    text: str
    kind: SentenceKind = SentenceKind.PLAIN
    clause: Clause | None = None
    """Its parts, if more items may be listed in it."""


class Narration(msgspec.Struct, frozen=True, gc=False):
    """One record in words; without lines if there is nothing to tell.

    Lines after the first are announcements, such as the scores of a round.  Shortened stories keep them.
    """

    lines: tuple[tuple[Sentence, ...], ...] = ()

    @property
    def text(self) -> str:
        """All sentences; announcements begin new lines."""
        return "\n".join(line_text(line) for line in self.lines)


def line_text(sentences: Iterable[Sentence]) -> str:
    """Return the sentences of one line as text."""
    return " ".join([sentence.text for sentence in sentences])


def as_sentences(sentences: Iterable[str | Sentence]) -> list[Sentence]:
    """Return sentences, each text as a plain one; empty ones are left out."""
    return [Sentence(each) if isinstance(each, str) else each for each in sentences if each]


def narration(*lines: Iterable[str | Sentence]) -> Narration:
    """Return a narration of these lines (``as_sentences``); empty ones are left out."""
    return Narration(tuple([tuple(sentences) for line in lines if (sentences := as_sentences(line))]))


def clause_sentence(
    subject: str, verb: str, item: Item, *, piece: str = "", kind: SentenceKind = SentenceKind.PLAIN
) -> Sentence:
    """Return the sentence of a clause (``Clause``)."""
    return Sentence(f"{subject} {verb} {item.text}.", kind, Clause(subject, verb, item, piece))


def sentences_within(sentences: Iterable[Sentence], limit: int) -> list[Sentence]:
    """Return the first sentences that have room in ``limit`` characters; the last may be cut short."""
    kept: list[Sentence] = []
    for sentence in sentences:
        if len(sentence.text) > limit:
            if limit > 0:
                kept.append(
                    msgspec.structs.replace(sentence, text=shortened(sentence.text, limit), clause=None)
                )
            break
        kept.append(sentence)
        limit -= len(sentence.text) + 1
    return kept
