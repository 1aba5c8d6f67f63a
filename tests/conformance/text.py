"""Checks of all texts: notation, labels, refusals, help; and of what Discord can hold."""

import random
import re
from collections import Counter
from collections.abc import Iterable
from typing import Any

import msgspec
import pytest

from bot import limits
from rules.errors import MalformedAction
from rules.game import AnyGame
from rules.model import HIDDEN, SEAT_LETTERS, Action, Options, Resign
from rules.narration import Sentence
from rules.notation import Notation, fields_of, verb_of, write_action
from rules.options import options_of
from rules.record import Cut, Reseal, Undo
from rules.words import Topic
from tests.conformance.random_games import PlayedGame, is_by_seat, longest_names

MAX_ACTION_LENGTH = 72
"""A button's id has a hundred characters; the rest says which table and ply."""
MAX_TOPIC_LENGTH = 1800
MAX_HOW_TO_WIN_LENGTH = 200
MAX_TOPIC_KEY_LENGTH = 32
"""A choice's value may be longer; this one also stands in a button's id, with more beside it."""
OTHER_OPTION_COUNT = 1
"""Options that a command has beside the action's fields."""
GIVEN_STATUS = "Nobody plays now."
SENTENCE_ENDS = (".", "!", "?", "`.", ")", "”")


def check_notation(game: AnyGame, played: PlayedGame, rng: random.Random) -> None:
    """Every action, as each viewer sees it, has one text, and the text gives the action back."""
    notation = Notation(game)
    for transition in played.transitions:
        for viewer in played.viewers:
            action = transition.action.seen_by(viewer, transition.actor)
            assert notation.parse(write_action(action)) == action, write_action(action)


def check_typed_moves(game: AnyGame, played: PlayedGame, rng: random.Random) -> None:
    """What a person types finds the legal action, in any case of letters; its text fits a button's id."""
    notation = Notation(game)
    for transition in played.pick_transitions(rng, 20, is_by_seat):
        legal = game.legal_actions(game.view(transition.before, transition.actor))
        texts = [write_action(action) for action in legal]
        assert len({text.casefold() for text in texts}) == len(texts)
        for action in rng.sample(legal, min(10, len(legal))):
            text = write_action(action)
            assert len(text) <= MAX_ACTION_LENGTH, text
            for typed in (text, text.upper(), f"  {text.lower()}  "):
                assert notation.parse_typed(typed, legal) == action, typed


def check_labels(game: AnyGame, played: PlayedGame, rng: random.Random) -> None:
    """Every legal action and every value of its fields has a label that fits a button and is its own."""
    names = longest_names(played.setup.seat_count)
    for transition in played.pick_transitions(rng, 30, is_by_seat):
        view = game.view(transition.before, transition.actor)
        legal = game.legal_actions(view)
        labels = [game.words.label(view, action, names) for action in legal]
        for label in labels:
            _check_one_line(label, limits.BUTTON_LABEL)
        assert len(set(labels)) == len(labels), "two actions share a label"
        for action in rng.sample(legal, min(20, len(legal))):
            preview = game.words.preview(view, action, names)
            assert preview is None or 0 < len(preview) <= limits.CONTENT
            short_preview = game.words.short_preview(view, action, names)
            assert len(short_preview) <= limits.OPTION_DESCRIPTION
            assert "\n" not in short_preview
        field_values = {
            (type(action), field.name, getattr(action, field.name))
            for action in legal
            for field in fields_of(type(action))
        }
        labels_by_field: dict[tuple[type[Action], str], list[str]] = {}
        for kind, name, value in field_values:
            value_label = game.words.value_label(view, kind, name, value)
            _check_one_line(value_label, limits.BUTTON_LABEL)
            labels_by_field.setdefault((kind, name), []).append(value_label)
        for field, value_labels in labels_by_field.items():
            assert len(set(value_labels)) == len(value_labels), f"{field}: two values share a label"


def _check_one_line(text: str, limit: int) -> None:
    assert text == text.strip(), repr(text)
    assert "\n" not in text, repr(text)
    assert 0 < len(text) <= limit, f"{len(text)}: {text!r}"


def check_refusals(game: AnyGame, played: PlayedGame, rng: random.Random) -> None:
    """Every well-formed action that is not legal is refused with a sentence, nonsense included."""
    names = longest_names(played.setup.seat_count)
    pool = [
        transition.action for transition in rng.sample(played.transitions, min(40, len(played.transitions)))
    ]
    pool += [variant for action in pool[:20] for variant in _vary(action)]
    for transition in played.pick_transitions(rng, 20, is_by_seat):
        view = game.view(transition.before, transition.actor)
        legal = set(game.legal_actions(view))
        for action in pool:
            if action not in legal and isinstance(action, game.action_types):
                text = game.words.refusal(view, action, names)
                assert text.endswith(SENTENCE_ENDS), f"{write_action(action)}: {text!r}"
                assert len(text) <= limits.CONTENT // 2, text


def _vary(action: Action) -> list[Action]:
    """Return the same verb with other values of the right types: what a person might type."""
    variants: list[Action] = []
    for field in fields_of(type(action)):
        value = getattr(action, field.name)
        other_values: list[Any] = [None] if field.is_optional and value is not None else []
        match value:
            case tuple():
                other_values += [(), value[:1], value + value[:1]]
                other_values += [(*value, HIDDEN), ("x" * 24,)] if _has_texts(value) else []
            case bool():
                other_values.append(not value)
            case int():
                other_values += [-1, 0, 5, 10**12]
            case str():
                other_values += [value.lower(), HIDDEN, "x" * 24, "`@everyone`"]
        variants += [msgspec.structs.replace(action, **{field.name: other}) for other in other_values]
    return variants


def _has_texts(value: tuple[object, ...]) -> bool:
    return any(isinstance(item, str) for item in value)


def _check_sentences(sentences: Iterable[Sentence]) -> None:
    """Each stands on one line, ends, and says what its clause says; no item of a clause is a list itself."""
    for sentence in sentences:
        text, clause = sentence.text, sentence.clause
        assert text == text.strip()
        assert "\n" not in text
        assert text.endswith((".", "!", "…")), text
        if clause is not None:
            assert text == f"{clause.subject} {clause.verb} {clause.item.text}."
            assert not re.search(r",|:| and ", clause.item.text), f"others could not be listed behind: {text}"


def check_text_lengths(game: AnyGame, played: PlayedGame, rng: random.Random) -> None:
    """Status, description, hand, picture text and narration fit where they are shown."""
    names = longest_names(played.setup.seat_count)
    words = game.words
    narrated_count = 0
    for transition in played.transitions:
        for viewer in played.viewers:
            before, after = game.view(transition.before, viewer), game.view(transition.after, viewer)
            seen = transition.action.seen_by(viewer, transition.actor)
            narration = words.narrate(before, transition.actor, seen, after, names)
            assert len(narration.text) <= limits.CONTENT // 2, narration.text
            for line in narration.lines:
                assert line, "a line has a sentence"
                _check_sentences(line)
            narrated_count += bool(narration.lines)
        _check_one_line(words.status(after, names), 300)
    assert narrated_count, "nothing was narrated"
    for transition in played.pick_transitions(rng, 30):
        for viewer in played.viewers:
            view = game.view(transition.after, viewer)
            assert 0 < len(words.alt_text(view, names)) <= limits.ALT_TEXT
            for picture_text in words.picture_texts.values():
                assert 0 < len(picture_text(view, names)) <= limits.ALT_TEXT
            assert 0 < len(words.describe(view, names)) <= limits.COMPONENTS_V2_TEXT
            hand_text = words.hand_text(view, names)
            assert len(hand_text) <= limits.CONTENT
            if words.hand_summary is not None:
                assert len(words.hand_summary(view, names)) <= len(hand_text)
                assert bool(words.hand_summary(view, names)) is bool(hand_text)
            for seat in played.seats:
                assert len(words.own_board_text(view, seat, names)) <= limits.ALT_TEXT
    assert words.status(game.view(played.match.state, None), names)


def check_given_status(game: AnyGame, played: PlayedGame, rng: random.Random) -> None:
    """Descriptions have the game's status in them, or in its place the one that is given.

    With a given one those of a game that has ended early name nobody as the one whose turn it is.
    """
    names = tuple(SEAT_LETTERS[: played.setup.seat_count])
    for transition in played.pick_transitions(rng, 10):
        view = game.view(transition.after, None)
        status = game.words.status(view, names)
        for describe in (game.words.describe, game.words.alt_text):
            text, given_text = describe(view, names), describe(view, names, GIVEN_STATUS)
            assert GIVEN_STATUS in given_text
            assert given_text.count(status) == text.count(status) - 1, status
            ended_text = describe(game.without_turn(view), names, GIVEN_STATUS)
            assert GIVEN_STATUS in ended_text
            assert "whose turn" not in ended_text


def check_affected_seats(game: AnyGame, played: PlayedGame, rng: random.Random) -> None:
    """A record affects seats of the table only, and the record that ends the game affects all of them."""
    seats = frozenset(played.seats)
    for transition in played.transitions:
        before, after = game.view(transition.before, None), game.view(transition.after, None)
        affected_seats = game.words.affected_seats(before, after)
        assert affected_seats <= seats, affected_seats
        if game.to_act(transition.after) is None:
            assert affected_seats == seats, "the end concerns everybody"


# Without a played game --------------------------------------------------------------------------------


def check_commands(game: AnyGame) -> None:
    """Discord can hold the commands that come out of the types."""
    assert limits.is_command_name(game.key)
    assert len(game.action_types) + 1 <= limits.COMMAND_OPTIONS, "one subcommand per action type and resign"
    verbs = [verb_of(kind) for kind in (*game.action_types, *game.outcome_types)]
    assert len(set(verbs)) == len(verbs)
    assert not {verb_of(kind) for kind in (Resign, Undo, Cut, Reseal)} & set(verbs)
    total_length = len(game.key) + len(game.title)
    for kind in game.action_types:
        texts = game.words.verb_texts[kind]
        assert limits.is_command_name(verb_of(kind)), verb_of(kind)
        _check_one_line(texts.label, limits.BUTTON_LABEL)
        _check_one_line(texts.hint, limits.COMMAND_DESCRIPTION)
        fields = fields_of(kind)
        assert len(fields) <= limits.COMMAND_OPTIONS - OTHER_OPTION_COUNT
        assert set(texts.field_hints) == {field.name for field in fields}, (
            f"{verb_of(kind)}: a hint per field"
        )
        total_length += len(verb_of(kind)) + len(texts.hint)
        for field in fields:
            assert limits.is_command_name(field.name), field.name
            _check_one_line(texts.field_hints[field.name], limits.COMMAND_DESCRIPTION)
            total_length += len(field.name) + len(texts.field_hints[field.name])
    assert set(game.words.verb_texts) == set(game.action_types)
    assert set(game.words.outcome_clauses) <= set(game.outcome_types)
    for clause in game.words.outcome_clauses.values():
        assert clause[0].islower(), f"{clause}: it stands within a sentence"
        assert clause[-1].isalpha(), f"{clause}: it stands within a sentence"
    assert total_length <= limits.COMMAND_TOTAL


def check_metadata(game: AnyGame) -> None:
    """Title, summary, options and help are complete and fit."""
    _check_one_line(game.title, limits.COMMAND_NAME)
    _check_one_line(game.summary, limits.COMMAND_DESCRIPTION)
    _check_one_line(game.words.how_to_win, MAX_HOW_TO_WIN_LENGTH)
    assert game.words.how_to_win.endswith(".")
    assert game.player_counts == tuple(sorted(set(game.player_counts)))
    assert 1 <= game.player_counts[0] <= game.player_counts[-1] <= 6
    assert game.max_game_length > 0
    assert game.rules_version > 0
    assert any(game.setup_error(count, game.options_type()) is None for count in game.player_counts)
    options: type[Options] = game.options_type
    choices = options_of(options)
    assert set(game.words.option_hints) == {choice.name for choice in choices}
    for choice in choices:
        assert limits.is_command_name(choice.name)
        assert 1 < len(choice.values) <= limits.COMMAND_CHOICES
        assert all(len(value) <= limits.CHOICE_NAME for value in choice.values)
        _check_one_line(game.words.option_hints[choice.name], limits.COMMAND_DESCRIPTION)
        hints = game.words.value_hints.get(choice.name, {})
        is_chosen_by_name = not any(value == "on" or value.isdecimal() for value in choice.values)
        assert set(hints) == (set(choice.values) if is_chosen_by_name else set())
        for hint in hints.values():
            _check_one_line(hint, limits.COMMAND_DESCRIPTION)
    _check_help(game.words.topics, game.words.glossary)


def _check_help(topics: tuple[Topic, ...], glossary: tuple[Topic, ...]) -> None:
    assert 0 < len(topics) <= limits.SELECT_OPTIONS
    assert all(limits.is_command_name(topic.key) for topic in topics)
    pages = (*topics, *glossary)
    for attribute in ("key", "title"):
        counts = Counter(getattr(page, attribute).casefold() for page in pages)
        shared = [text for text, count in counts.items() if count > 1]
        assert not shared, f"two pages share a {attribute}: {shared}"
    for page in pages:
        _check_one_line(page.key, MAX_TOPIC_KEY_LENGTH)
        _check_one_line(page.title, limits.CHOICE_NAME)
        assert 0 < len(page.text) <= MAX_TOPIC_LENGTH, f"{page.key}: {len(page.text)}"


def check_nonsense(game: AnyGame) -> None:
    """A text without a verb or with a senseless one is refused as malformed."""
    notation = Notation(game)
    for text in ("", "x", "undo 3", "résigner", *(verb_of(kind) + " §" * 30 for kind in game.action_types)):
        with pytest.raises(MalformedAction) as caught:
            notation.parse(text)
        assert str(caught.value).endswith(SENTENCE_ENDS)
