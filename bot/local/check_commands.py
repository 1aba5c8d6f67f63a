"""Checks of application commands: 50035 with nested errors for what Discord refuses."""

from __future__ import annotations

from enum import IntEnum

from bot import limits
from bot.local.api_errors import BodyErrors, FieldPath, JsonObject


class CommandOptionType(IntEnum):
    """Discord's types of command options."""

    SUBCOMMAND = 1
    SUBCOMMAND_GROUP = 2
    STRING = 3
    INTEGER = 4
    BOOLEAN = 5
    USER = 6
    CHANNEL = 7
    ROLE = 8
    MENTIONABLE = 9
    NUMBER = 10
    ATTACHMENT = 11


NESTING_TYPES = (CommandOptionType.SUBCOMMAND, CommandOptionType.SUBCOMMAND_GROUP)
"""The types of options that hold further options."""
_TYPES_WITH_CHOICES = (CommandOptionType.STRING, CommandOptionType.INTEGER, CommandOptionType.NUMBER)
"""The types of options that may have choices or autocompletion."""
_PLAIN_TYPES = tuple(each for each in CommandOptionType if each not in NESTING_TYPES)
_TYPES_INSIDE: dict[CommandOptionType, tuple[CommandOptionType, ...]] = {
    CommandOptionType.SUBCOMMAND_GROUP: (CommandOptionType.SUBCOMMAND,),
    CommandOptionType.SUBCOMMAND: _PLAIN_TYPES,
}
"""The types of options that an option may hold, by its own type."""
_CHAT_INPUT = 1
_COMMAND_TYPES = (_CHAT_INPUT, 2, 3, 4)  # 2: of a user, 3: of a message, 4: entry point of an activity


def check_commands(body: object) -> list[JsonObject]:
    """Check a bulk overwrite of the global commands and return it.  Raises ApiError 50035."""
    errors = BodyErrors()
    commands = errors.check_objects((), body, limits.COMMANDS)
    seen_keys: set[tuple[str, str]] = set()
    for index, command in commands.items():
        path: FieldPath = (index,)
        command_type = command.get("type", _CHAT_INPUT)
        errors.check_one_of((*path, "type"), command_type, _COMMAND_TYPES)
        if command_type == _CHAT_INPUT:
            _check_name_and_description(errors, path, command)
            _check_options(errors, (*path, "options"), command.get("options") or [])
            size = command_size(command)
            if size > limits.COMMAND_TOTAL:
                text = f"Command exceeds maximum size ({size} of {limits.COMMAND_TOTAL})"
                errors.add(path, "APPLICATION_COMMAND_TOO_LARGE", text)
        else:
            errors.check_length((*path, "name"), command.get("name"), limits.COMMAND_NAME, 1)
        key = (str(command_type), str(command.get("name")))
        if key in seen_keys:
            text = "Application command names must be unique"
            errors.add(path, "APPLICATION_COMMANDS_DUPLICATE_NAME", text)
        seen_keys.add(key)
    errors.raise_if_any()
    return list(commands.values())


def command_size(command: JsonObject) -> int:
    """Return the number of characters in all names, descriptions and values, which Discord limits.

    Choices and options that are no objects are not counted; `check_commands` refuses them.
    """
    texts = [command.get("name"), command.get("description")]
    for choice in _objects_in(command.get("choices")):
        texts += [choice.get("name"), choice.get("value")]
    own_size = sum(len(str(text)) for text in texts if text is not None)
    return own_size + sum(command_size(option) for option in _objects_in(command.get("options")))


def _objects_in(value: object) -> list[JsonObject]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _check_name_and_description(errors: BodyErrors, path: FieldPath, item: JsonObject) -> None:
    """Check the name and the description of a command or an option."""
    name = item.get("name")
    if not isinstance(name, str) or not limits.is_command_name(name):
        text = "Command name is invalid"
        errors.add((*path, "name"), "APPLICATION_COMMAND_INVALID_NAME", text)
    errors.check_length((*path, "description"), item.get("description"), limits.COMMAND_DESCRIPTION, 1)


def _check_options(
    errors: BodyErrors, path: FieldPath, value: object, parent_type: CommandOptionType | None = None
) -> None:
    """Check the options of a command or, inside one, of an option of type ``parent_type``."""
    options = errors.check_objects(path, value, limits.COMMAND_OPTIONS)
    has_optional_before = False
    seen_names: set[str] = set()
    nesting_count = sum(option.get("type") in NESTING_TYPES for option in options.values())
    if parent_type is None and 0 < nesting_count < len(options):
        text = "Sub-command and sub-command group option types are mutually exclusive to all other types"
        errors.add(path, "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", text)
    for index, option in options.items():
        inner_path = (*path, index)
        option_type = option.get("type")
        _check_name_and_description(errors, inner_path, option)
        errors.check_one_of((*inner_path, "type"), option_type, tuple(CommandOptionType))
        name = str(option.get("name"))
        if name in seen_names:
            text = "Option names must be unique"
            errors.add(inner_path, "APPLICATION_COMMAND_OPTIONS_NAME_DUPLICATE", text)
        seen_names.add(name)
        if parent_type is not None and option_type not in _TYPES_INSIDE[parent_type]:
            text = "This option type is not allowed here"
            errors.add(inner_path, "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", text)
        elif option_type in NESTING_TYPES:
            inner_options = option.get("options") or []
            _check_options(errors, (*inner_path, "options"), inner_options, CommandOptionType(option["type"]))
        else:
            if option.get("required") and has_optional_before:
                text = "Required options must be placed before non-required options"
                errors.add(inner_path, "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID", text)
            has_optional_before = has_optional_before or not option.get("required")
            _check_choices_and_lengths(errors, inner_path, option)


def _check_choices_and_lengths(errors: BodyErrors, path: FieldPath, option: JsonObject) -> None:
    """Check the choices of an option, and the limits that it sets for a text's length."""
    choices = option.get("choices") or []
    if choices and option.get("autocomplete"):
        text = "Autocomplete and choices are mutually exclusive"
        errors.add(path, "APPLICATION_COMMAND_OPTIONS_CHOICES_AUTOCOMPLETE", text)
    if (choices or option.get("autocomplete")) and option.get("type") not in _TYPES_WITH_CHOICES:
        text = "This option type takes no choices"
        errors.add(path, "APPLICATION_COMMAND_OPTIONS_CHOICES_TYPE", text)
    check_choices(
        errors,
        (*path, "choices"),
        choices,
        option.get("type", CommandOptionType.STRING),
        limits.COMMAND_CHOICES,
    )
    names = [str(choice.get("name")) for choice in _objects_in(choices)]
    if len(set(names)) < len(names):
        text = "Option choice names must be unique"
        errors.add((*path, "choices"), "APPLICATION_COMMAND_OPTIONS_CHOICE_NAME_DUPLICATE", text)
    for key in ("min_length", "max_length"):
        value = option.get(key)
        if value is not None and not (isinstance(value, int) and 0 <= value <= limits.STRING_OPTION):
            text = f"int value should be between 0 and {limits.STRING_OPTION}."
            errors.add((*path, key), "NUMBER_TYPE_COERCE", text)


def check_choices(
    errors: BodyErrors, path: FieldPath, choices: object, option_type: int, maximum: int
) -> None:
    """Check the choices of an option or of an autocompletion."""
    for index, choice in errors.check_objects(path, choices, maximum).items():
        inner_path = (*path, index)
        errors.check_length((*inner_path, "name"), choice.get("name"), limits.CHOICE_NAME, 1)
        value = choice.get("value")
        if option_type == CommandOptionType.STRING:
            errors.check_length((*inner_path, "value"), value, limits.CHOICE_VALUE)
        elif isinstance(value, bool) or not isinstance(value, int | float):
            errors.add((*inner_path, "value"), "NUMBER_TYPE_COERCE", f'Value "{value}" is not a number.')
