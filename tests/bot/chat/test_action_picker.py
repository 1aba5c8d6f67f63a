"""The panel's way to an action: everything legal is reached, and every step fits Discord."""

import random

import pytest

from bot import limits
from bot.chat import posts
from bot.chat.components import Button, Select, classic_view
from bot.chat.funnel import Step, next_step
from bot.chat.panel import _choice_rows
from bot.host.table import Table
from rules import notation
from rules.catalogue import GAMES
from rules.game import Action, AnyGame
from rules.match import Match
from rules.notation import write
from tests.bot.chat.sample_tables import sample_tables
from tests.bot.host.playing import EVERY_GAME
from tests.trials import trial_count


def _walk(table: Table, legal: tuple[Action, ...]) -> tuple[dict[str, Step], set[Action]]:
    """Return every step that presses lead to, by its words, and every action they end in."""
    assert table.match is not None
    assert table.to_act is not None
    view = table.match.view(table.to_act)
    steps: dict[str, Step] = {}
    reached: set[Action] = set()
    todo = [""]
    while todo:
        words = todo.pop()
        if words in steps:
            continue
        step = steps[words] = next_step(table.game, view, legal, words, table.names)
        if step.action is not None:
            reached.add(step.action)
        todo += [choice.words for choice in step.choices]
    return steps, reached


@pytest.mark.parametrize("key", EVERY_GAME)
def test_every_legal_action_is_reached(key: str) -> None:
    """Presses lead to each legal action and nothing else; a step offers two things or more, all different."""
    for table in sample_tables(key, trial_count(commit=12, soak=1000), random.Random(f"funnel/{key}")):
        assert table.match is not None
        assert table.to_act is not None
        legal = table.match.legal_actions(table.to_act)
        steps, reached = _walk(table, legal)
        assert reached == set(legal), "offered and legal differ"
        for words, step in steps.items():
            if step.action is None:
                assert len(step.choices) > 1, f"{words!r}: nothing to choose"
            spoken = [(choice.label, choice.hint) for choice in step.choices]
            assert len(set(spoken)) == len(spoken), f"{words!r}: two choices look the same"
            assert step.prompt


@pytest.mark.parametrize("key", EVERY_GAME)
def test_every_step_goes_back(key: str) -> None:
    """Back leads to a step from which this one was reached, and in a few presses to the first."""
    for table in sample_tables(key, trial_count(commit=6, soak=1000), random.Random(f"back/{key}")):
        assert table.match is not None
        assert table.to_act is not None
        legal = table.match.legal_actions(table.to_act)
        view = table.match.view(table.to_act)
        steps, _ = _walk(table, legal)
        for words, step in steps.items():
            if not words:
                assert step.back is None
                continue
            presses, at = 0, step
            while at.back is not None:
                before = next_step(table.game, view, legal, at.back, table.names)
                offered = [choice.words for choice in before.choices]
                assert len(offered) > 1
                there = f"{at.words} "
                leads = (there.startswith(f"{each} ") or f"{each} ".startswith(there) for each in offered)
                assert any(leads), (at.words, at.back)
                at, presses = before, presses + 1
                assert presses < 10


@pytest.mark.parametrize("key", EVERY_GAME)
def test_every_page_fits(key: str) -> None:
    """No page has more than 25 choices or five rows, ids have at most 100 characters, pages hold all."""
    for table in sample_tables(key, trial_count(8), random.Random(f"fits/{key}")):
        assert table.match is not None
        assert table.to_act is not None
        steps, _ = _walk(table, table.match.legal_actions(table.to_act))
        for step in steps.values():
            if step.action is not None:
                assert (
                    len(str(posts.button(table, "Play it", "do", write(step.action)).id)) <= limits.CUSTOM_ID
                )
                continue
            seen: list[str] = []
            for page in range(-(-len(step.choices) // limits.SELECT_OPTIONS)):
                rows = _choice_rows(table, step, page)
                assert len(rows) < limits.ACTION_ROWS, "no room for Back"
                _check_rows(rows)
                seen += [value for row in rows for part in row for value in _values(part)]
            assert seen == [choice.words for choice in step.choices]


def _values(part: Button | Select) -> list[str]:
    if isinstance(part, Select):
        return [value for _, value, _ in part.options]
    return [part.id.argument] if part.id.ask == "step" else []


def _check_rows(rows: list[tuple[Button | Select, ...]]) -> None:
    components = classic_view(rows).to_components()
    assert len(components) == len(rows)
    for row in components:
        inner = row["components"]
        assert 1 <= len(inner) <= limits.ROW_BUTTONS
        for part in inner:
            assert len(part["custom_id"]) <= limits.CUSTOM_ID
            if "options" in part:
                assert 1 <= len(part["options"]) <= limits.SELECT_OPTIONS
                values = [option["value"] for option in part["options"]]
                assert len(set(values)) == len(values)
                assert all(1 <= len(value) <= limits.OPTION_VALUE for value in values)
                assert all(1 <= len(option["label"]) <= limits.OPTION_LABEL for option in part["options"])
                assert len(part["placeholder"]) <= limits.SELECT_PLACEHOLDER
            else:
                assert 1 <= len(part["label"]) <= limits.BUTTON_LABEL


@pytest.mark.parametrize("words", ["nonsense", "x" * 80, "do do do", "? - ()"])
@pytest.mark.parametrize("key", EVERY_GAME)
def test_words_that_lead_nowhere(key: str, words: str) -> None:
    """Old or invented words bring back the first step."""
    (table,) = sample_tables(key, 1, random.Random(f"nowhere/{key}"))
    assert isinstance(table.match, Match)
    assert table.to_act is not None
    view, legal = table.match.view(table.to_act), table.match.legal_actions(table.to_act)
    assert next_step(table.game, view, legal, words, table.names) == next_step(
        table.game, view, legal, "", table.names
    )


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.key)
def test_every_field_has_a_question(game: AnyGame) -> None:
    """The panel asks for each field with a question of its own, which names earlier fields only."""
    for kind, verb in game.words.verbs.items():
        names = [field.name for field in notation.fields_of(kind)]
        assert set(verb.questions) == set(names), kind
        for place, name in enumerate(names):
            question = verb.questions[name].format(**dict.fromkeys(names[:place], "10♥"))
            assert question.endswith("?")
            assert "{" not in question
