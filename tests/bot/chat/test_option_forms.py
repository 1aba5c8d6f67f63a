"""The forms of a lobby's options: they fit Discord, show what is set and set what was chosen."""

import enum
from dataclasses import replace
from typing import Annotated, Any

import msgspec
import pytest

from bot import limits
from bot.chat.option_forms import OptionForm, chosen_options, options_post, split_into_forms
from bot.chat.router import parse_submitted_fields
from bot.host.table import Table
from bot.local.api_errors import BodyErrors
from bot.local.check_components import check_modal
from bot.local.client_input import modal_submission
from bot.local.messages import number_components
from rules.catalogue import GAMES
from rules.game import AnyGame
from rules.match import Match
from rules.model import Options
from rules.options import option_values, options_of
from tests.bot.chat.post_components import button_labels, layout_components
from tests.bot.chat.sample_tables import make_table
from tests.bot.host.playing import default_setup
from tests.conformance.setups import GameSetup, covering_setups

Number = Annotated[int, msgspec.Meta(ge=1, le=1000)]


class ManyValues(enum.Enum):
    """More values than radio buttons can show."""

    A, B, C, D, E, F, G, H, J, K, L = "abcdefghjkl"


def table_with_options(setup: GameSetup) -> Table:
    """Return a table with these options."""
    return make_table(setup, Match.begin(setup.game, setup.seat_count, setup.options, bytes(32)))


def rendered_form(table: Table, form_number: int) -> dict[str, Any]:
    """Return a form as Discord gets it, once its checks have passed."""
    form = OptionForm(table, form_number).to_dict()
    errors = BodyErrors()
    check_modal(errors, form)
    errors.raise_if_any()
    number_components(form["components"])
    return form


def submitted_fields(form: dict[str, Any], **values: object) -> dict[str, tuple[str, ...]]:
    """Return the fields of a submitted form, some of its values changed."""
    return parse_submitted_fields(
        {"custom_id": form["custom_id"], "components": modal_submission(form, values)}
    )


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.key)
def test_every_option_stands_in_one_form(game: AnyGame) -> None:
    """The forms hold every option once, in as few forms as Discord allows."""
    forms = split_into_forms(game)
    names = [option.name for form_fields in forms for field in form_fields for option in field.options]
    options_type: type[Options] = game.options_type
    assert sorted(names) == sorted(option.name for option in options_of(options_type))
    assert all(1 <= len(form_fields) <= limits.MODAL_COMPONENTS for form_fields in forms)
    field_count = sum(len(each) for each in forms)
    assert len(forms) == -(-field_count // limits.MODAL_COMPONENTS)


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.key)
def test_a_form_left_alone_changes_nothing(game: AnyGame) -> None:
    """A form shows what is set: submitted unchanged it sets the same values again."""
    for setup in covering_setups(game):
        table = table_with_options(setup)
        kept_values: dict[str, str] = {}
        for form_number in range(len(split_into_forms(game))):
            kept_values |= chosen_options(
                game, form_number, submitted_fields(rendered_form(table, form_number))
            )
        assert kept_values == option_values(setup.options)


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.key)
def test_each_named_value_stands_with_its_meaning(game: AnyGame) -> None:
    """Below each value of a choice by name stands what it means, below the default also that it is one."""
    table = table_with_options(default_setup(game))
    defaults = option_values(table.options)
    descriptions = {
        (part["component"]["custom_id"], choice["value"]): choice.get("description", "")
        for form_number in range(len(split_into_forms(game)))
        for part in rendered_form(table, form_number)["components"]
        for choice in part["component"]["options"]
    }
    for name, hints in game.words.value_hints.items():
        for value, hint in hints.items():
            ending = " · default" if value == defaults[name] else ""
            assert descriptions[name, value] == f"{hint}{ending}"


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.key)
def test_each_offered_value_can_be_chosen(game: AnyGame) -> None:
    """Every value that a form offers is set when it is chosen, and no other option changes."""
    table = table_with_options(default_setup(game))
    defaults = option_values(table.options)
    for form_number, fields in enumerate(split_into_forms(game)):
        form = rendered_form(table, form_number)
        option_names = {option.name for field in fields for option in field.options}
        defaults_of_form = {name: value for name, value in defaults.items() if name in option_names}
        for field in fields:
            for option in field.options:
                for value in option.values:
                    if field.is_checkbox_group:
                        checked = [each.name for each in field.options if defaults[each.name] == "on"]
                        checked = [each for each in checked if each != option.name]
                        submitted: object = [*checked, option.name] if value == "on" else checked
                    else:
                        submitted = value
                    chosen = chosen_options(
                        game, form_number, submitted_fields(form, **{field.name: submitted})
                    )
                    assert chosen == defaults_of_form | {option.name: value}


class ManyOptions(Options, frozen=True):
    """More switches than one group of boxes holds, a long choice, and numbers."""

    a: bool = False
    b: bool = False
    c: bool = True
    d: bool = False
    e: bool = False
    f: bool = False
    g: bool = False
    h: bool = False
    i: bool = False
    j: bool = False
    k: bool = True
    many: ManyValues = ManyValues.C
    one: Number = 7
    two: Number = 7
    three: Number = 7
    four: Number = 7


def test_many_options_take_several_forms() -> None:
    """Eleven switches are two groups of boxes; more values than radio buttons can show are a select."""
    first_game = next(iter(GAMES.values()))
    hints = {name: f"What {name} changes" for name in ManyOptions.__struct_fields__}
    words = replace(first_game.words, option_hints=hints)
    game = replace(first_game, options_type=ManyOptions, words=words)
    plain_table = table_with_options(default_setup(first_game))
    table = Table(plain_table.row, game, ManyOptions(), None)
    forms = split_into_forms(game)
    assert [len(fields) for fields in forms] == [4, 3]
    assert [len(field.options) for fields in forms for field in fields if field.is_checkbox_group] == [10, 1]
    kept_values: dict[str, str] = {}
    component_types = []
    for form_number in range(len(forms)):
        form = rendered_form(table, form_number)
        component_types += [part["component"]["type"] for part in form["components"]]
        kept_values |= chosen_options(game, form_number, submitted_fields(form))
    assert component_types == [22, 22, 3, 21, 21, 21, 21]
    assert kept_values == option_values(ManyOptions())


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.key)
def test_the_page_names_every_option(game: AnyGame) -> None:
    """The page names the value of every option, and has a button for each form if there are several."""
    table = table_with_options(default_setup(game))
    post = options_post(table, "The options are set.")
    assert post.text.splitlines()[1] == "The options are set."
    labels, form_count = button_labels(post), len(split_into_forms(game))
    assert len(labels) == len(set(labels)) == (form_count if form_count > 1 else 0)
    sections = [each for each in layout_components(post) if "components" in each]
    page_text = "\n".join((post.text, *(each["components"][0]["content"] for each in sections)))
    for name, value in option_values(table.options).items():
        assert f"**{name.replace('_', ' ').capitalize()}**: {value}" in page_text


def test_an_unknown_form_sets_nothing() -> None:
    """A form that no longer exists, or fields that it never had, change nothing."""
    game = next(iter(GAMES.values()))
    assert chosen_options(game, 99, {"board": ("square",)}) == {}
    assert chosen_options(game, 0, {"unknown": ("square",)}) == {}
