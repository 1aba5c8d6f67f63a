"""A game's options <-> text: ``jokers=on turn_cap=200``.  Generic, from the field types."""

import enum
import typing
from functools import cache
from typing import Final

import msgspec

from rules.errors import InvalidSetup
from rules.game import AnyGame
from rules.model import Options

_ON_OFF: Final = {True: "on", False: "off"}
_SAMPLE_PARTS: Final = 4
"""The number of parts into which the range of a number is split to sample its values."""
_MAX_DIGITS: Final = 9


class Option(msgspec.Struct, frozen=True):
    """One option: its name, its values as text (a sample of them for numbers) and the default."""

    name: str
    values: tuple[str, ...]
    default: str


@cache
def options_of(options_type: type[Options]) -> tuple[Option, ...]:
    """Return every option of a game, in order.

    Raises TypeError for a field that is no bool, enum or bounded integer.
    """
    defaults = options_type()
    return tuple(
        Option(field.name, _value_texts(field.type), _write_value(getattr(defaults, field.name)))
        for field in msgspec.structs.fields(options_type)
    )


def _value_texts(field_type: object) -> tuple[str, ...]:
    if field_type is bool:
        return tuple(_ON_OFF.values())
    if isinstance(field_type, type) and issubclass(field_type, enum.Enum):
        return tuple(str(member.value) for member in field_type)
    if typing.get_origin(field_type) is typing.Annotated:
        _, meta = typing.get_args(field_type)
        low, high = meta.ge, meta.le
        return tuple(str(value) for value in _sample_integers(low, high))
    raise TypeError(f"an option has a type outside the closed set: {field_type!r}")


def _sample_integers(low: int, high: int) -> tuple[int, ...]:
    """Return both ends of a range and round values between them."""
    step = (high - low) // _SAMPLE_PARTS
    unit = 10 ** (len(str(step)) - 1)
    between = ((low + step * i) // unit * unit for i in range(1, _SAMPLE_PARTS))
    return (low, *(value for value in between if value > low), high)


def _write_value(value: object) -> str:
    if isinstance(value, bool):
        return _ON_OFF[value]
    return str(value.value) if isinstance(value, enum.Enum) else str(value)


def write_options(options: Options) -> str:
    """Return the values that differ from the defaults, in field order; empty if none does."""
    defaults = type(options)()
    return " ".join(
        f"{name}={_write_value(value)}"
        for name in options.__struct_fields__
        if (value := getattr(options, name)) != getattr(defaults, name)
    )


OptionsT = typing.TypeVar("OptionsT", bound=Options)


def parse_options(options_type: type[OptionsT], text: str) -> OptionsT:
    """Parse options, whatever their case; those not named keep their default.

    Raises InvalidSetup with a sentence.
    """
    types = _field_types(options_type)
    values: dict[str, object] = {}
    for word in text.casefold().replace(",", " ").split():
        name, _, value = word.partition("=")
        if name not in types:
            raise _unknown_option_error(name, types)
        values[name] = _parse_value(name, types[name], value)
    try:
        return msgspec.convert(values, options_type)
    except msgspec.ValidationError:
        wrong_name = next(name for name, value in values.items() if not _fits(types[name], value))
        raise InvalidSetup(_allowed_values_text(options_type, wrong_name)) from None


def option_values(options: Options) -> dict[str, str]:
    """Return the value of every option as text, in field order."""
    return {name: _write_value(getattr(options, name)) for name in options.__struct_fields__}


def with_option(options: OptionsT, name: str, text: str) -> OptionsT:
    """Return the options with the value of one changed.  Raises InvalidSetup with a sentence."""
    types = _field_types(type(options))
    if name not in types:
        raise _unknown_option_error(name, types)
    try:
        value = msgspec.convert(_parse_value(name, types[name], text), types[name])
    except msgspec.ValidationError:
        raise InvalidSetup(_allowed_values_text(type(options), name)) from None
    return msgspec.structs.replace(options, **{name: value})


def fitting_changes(game: AnyGame, seat_count: int, options: Options) -> tuple[tuple[str, str], ...]:
    """Return each single option, with a value, after whose change the options fit a number of seats."""
    values = option_values(options)
    return tuple(
        (option.name, value)
        for option in options_of(type(options))
        for value in option.values
        if value != values[option.name]
        and game.setup_error(seat_count, with_option(options, option.name, value)) is None
    )


def _field_types(options_type: type[Options]) -> dict[str, object]:
    return {field.name: field.type for field in msgspec.structs.fields(options_type)}


def _unknown_option_error(name: str, types: dict[str, object]) -> InvalidSetup:
    return InvalidSetup(f"There is no option “{name[:32]}”. Choose from: {', '.join(types)}.")


def _fits(field_type: object, value: object) -> bool:
    try:
        msgspec.convert(value, field_type)
    except msgspec.ValidationError:
        return False
    return True


def _parse_value(name: str, field_type: object, text: str) -> object:
    if field_type is bool:
        for value, written in _ON_OFF.items():
            if text == written:
                return value
        raise InvalidSetup(f"The option {name} can only be on or off.")
    is_number = typing.get_origin(field_type) is typing.Annotated
    is_written_in_digits = text.isascii() and text.isdigit() and len(text) <= _MAX_DIGITS
    return int(text) if is_number and is_written_in_digits else text


def _allowed_values_text(options_type: type[Options], name: str) -> str:
    field = next(field for field in msgspec.structs.fields(options_type) if field.name == name)
    if typing.get_origin(field.type) is typing.Annotated:
        meta = typing.get_args(field.type)[1]
        return f"The option {name} must be a number from {meta.ge} to {meta.le}."
    values = next(option.values for option in options_of(options_type) if option.name == name)
    return f"The option {name} must be one of: {', '.join(values)}."
