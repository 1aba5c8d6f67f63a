"""A lobby's options as forms: checkboxes for options that are on or off, a choice of one value for others."""

from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from types import MappingProxyType
from typing import Any, Final, TypeAlias, TypeVar

import discord
import msgspec

from bot import limits
from bot.chat.components import Section
from bot.chat.post_parts import Post, button, table_custom_id, title
from bot.host.table import Table
from rules.game import AnyGame
from rules.model import Options
from rules.options import Option, option_values, options_of
from rules.text import shortened

SUBMIT_VERB: Final = "setopt"
"""The verb of a submitted form; its argument is the index of the form."""
_ON: Final = "on"
_OFF: Final = "off"
_NO_HINTS: Final[Mapping[str, str]] = MappingProxyType({})

ChoiceT = TypeVar("ChoiceT", discord.RadioGroupOption, discord.SelectOption)

SubmittedFields: TypeAlias = Mapping[str, Sequence[str]]
"""What was submitted: the values of each field by its name."""


class OptionField(msgspec.Struct, frozen=True):
    """One field of a form: a single option, or several switches that are on or off."""

    options: tuple[Option, ...]
    is_checkbox_group: bool

    @property
    def name(self) -> str:
        """Return the field's custom id: the name of its first option."""
        return self.options[0].name


def split_into_forms(game: AnyGame) -> tuple[tuple[OptionField, ...], ...]:
    """Return the fields of each form, in the order of the options; as few forms as Discord allows."""
    options_type: type[Options] = game.options_type
    all_options = options_of(options_type)
    switches = [option for option in all_options if set(option.values) == {_ON, _OFF}]
    remaining_switches = iter(switches)
    fields = []
    while group := tuple(islice(remaining_switches, limits.GROUP_OPTIONS)):
        fields.append(OptionField(group, is_checkbox_group=True))
    fields += [
        OptionField((option,), is_checkbox_group=False) for option in all_options if option not in switches
    ]
    fields.sort(key=lambda field: all_options.index(field.options[0]))
    form_count = -(-len(fields) // limits.MODAL_COMPONENTS)
    form_size = -(-len(fields) // form_count) if form_count else 1
    return tuple(tuple(fields[start : start + form_size]) for start in range(0, len(fields), form_size))


def option_title(name: str) -> str:
    """Return an option's name for reading: "Wild jokers"."""
    return name.replace("_", " ").capitalize()


def options_post(table: Table, note: str = "") -> Post:
    """Return the options as they are set; ``note``: a line above them.

    If they need several forms, each has a button.  One form alone has none here, since this page outlives
    the lobby: the lobby's own button opens it.
    """
    values = option_values(table.options)
    heading_lines = [f"**Options** · {title(table)}", *([note] if note else [])]
    form_lines = [
        [
            f"**{option_title(option.name)}**: {values[option.name]}"
            for field in fields
            for option in field.options
        ]
        for fields in split_into_forms(table.game)
    ]
    if len(form_lines) == 1:
        return Post("\n".join((*heading_lines, *form_lines[0])))
    rows = tuple(
        Section(
            "\n".join(lines),
            "",
            button(table, f"Change ({index + 1} of {len(form_lines)})", "opts", str(index), primary=True),
        )
        for index, lines in enumerate(form_lines)
    )
    return Post("\n".join(heading_lines), rows)


class OptionForm(discord.ui.Modal):
    """Asks for some options of a table.  Its custom id says all that its handler needs."""

    def __init__(self, table: Table, form_index: int) -> None:
        """``form_index``: counts from 0."""
        forms = split_into_forms(table.game)
        part_text = f" ({form_index + 1} of {len(forms)})" if len(forms) > 1 else ""
        custom_id = table_custom_id(table, SUBMIT_VERB, str(form_index), ply=0)
        heading = shortened(f"Options of table No. {table.number}{part_text}", limits.MODAL_TITLE)
        super().__init__(title=heading, custom_id=str(custom_id), timeout=None)
        self.stop()  # `router.Router` reads the answer: discord.py need not keep the form
        values = option_values(table.options)
        for field in forms[form_index]:
            self.add_item(_labelled_field(table.game, field, values))


def _labelled_field(game: AnyGame, field: OptionField, values: Mapping[str, str]) -> discord.ui.Label[Any]:
    if field.is_checkbox_group:
        return discord.ui.Label(text="Extra rules", component=_checkbox_group(game, field, values))
    (option,) = field.options
    return discord.ui.Label(
        text=shortened(option_title(option.name), limits.LABEL),
        description=shortened(game.words.option_hints[option.name], limits.LABEL_DESCRIPTION),
        component=_choice_field(
            option, values[option.name], game.words.value_hints.get(option.name, _NO_HINTS)
        ),
    )


def _checkbox_group(
    game: AnyGame, field: OptionField, values: Mapping[str, str]
) -> discord.ui.CheckboxGroup[Any]:
    boxes = [
        discord.CheckboxGroupOption(
            label=option_title(option.name),
            value=option.name,
            description=shortened(game.words.option_hints[option.name], limits.OPTION_DESCRIPTION),
            default=values[option.name] == _ON,
        )
        for option in field.options
    ]
    return discord.ui.CheckboxGroup(custom_id=field.name, required=False, min_values=0, options=boxes)


def _choice_field(option: Option, value: str, hints: Mapping[str, str]) -> discord.ui.Item[Any]:
    """Return radio buttons, or a select for more values than they can show.

    ``hints``: what each value means; empty for numbers.
    """
    offered_values = list(dict.fromkeys((*option.values, option.default, value)))
    if all(each.isdecimal() for each in offered_values):
        offered_values.sort(key=int)

    def make_choices(choice_type: Callable[..., ChoiceT]) -> list[ChoiceT]:
        return [
            choice_type(
                label=each.capitalize(),
                value=each,
                description=_value_description(hints.get(each, ""), is_default=each == option.default),
                default=each == value,
            )
            for each in offered_values[: limits.SELECT_OPTIONS]
        ]

    if len(offered_values) <= limits.GROUP_OPTIONS:
        return discord.ui.RadioGroup(custom_id=option.name, options=make_choices(discord.RadioGroupOption))
    return discord.ui.Select(custom_id=option.name, options=make_choices(discord.SelectOption))


def _value_description(hint: str, *, is_default: bool) -> str | None:
    """Return what stands below a value: what it means, and whether it is the default."""
    parts = [*([hint] if hint else []), *(["default"] if is_default else [])]
    return shortened(" · ".join(parts), limits.OPTION_DESCRIPTION) if parts else None


def chosen_options(game: AnyGame, form_index: int, submitted_fields: SubmittedFields) -> dict[str, str]:
    """Return the value of each option that a submitted form sets; other options are left out."""
    forms = split_into_forms(game)
    chosen_values: dict[str, str] = {}
    for field in forms[form_index] if form_index < len(forms) else ():
        values = submitted_fields.get(field.name)
        if values is None:
            continue
        if field.is_checkbox_group:
            chosen_values |= {option.name: _ON if option.name in values else _OFF for option in field.options}
        elif values:
            chosen_values[field.name] = values[0]
    return chosen_values
