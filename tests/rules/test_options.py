"""Options <-> text."""

import enum
from typing import Annotated

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.currents.model import CurrentsOptions
from rules.errors import InvalidSetup
from rules.model import Options
from rules.options import option_values, options_of, parse_options, with_option, write_options


class Swell(enum.Enum):
    """Words, one of them of digits."""

    FLAT = "flat"
    HIGH = "high"
    TEN = "10"


class Voyage(Options, frozen=True, gc=False):
    """One option of each kind."""

    fog: bool = False
    moon: bool = True
    swell: Swell = Swell.FLAT
    days: Annotated[int, msgspec.Meta(ge=0, le=40)] = 30


voyages = st.builds(Voyage, st.booleans(), st.booleans(), st.sampled_from(Swell), st.integers(0, 40))


@given(voyages)
def test_written_options_read_back(options: Voyage) -> None:
    """What is written reads back."""
    assert parse_options(Voyage, write_options(options)) == options


def test_defaults_are_not_written() -> None:
    """Defaults are not written, and nothing written means the defaults."""
    assert write_options(Voyage()) == ""
    assert parse_options(Voyage, "") == Voyage()
    assert parse_options(Voyage, "moon=on") == Voyage()


def test_options_are_read_in_every_spelling() -> None:
    """Commas or spaces stand between options; the last of two counts; case is ignored."""
    assert write_options(Voyage(fog=True, moon=False, days=0)) == "fog=on moon=off days=0"
    assert parse_options(Voyage, "fog=on,days=7, fog=off") == Voyage(days=7)
    assert parse_options(Voyage, "Fog=On, DAYS=7") == Voyage(fog=True, days=7)


@given(voyages, voyages)
def test_one_option_is_changed(before: Voyage, after: Voyage) -> None:
    """Options can be changed one by one, from their values as text."""
    options = before
    for name, value in option_values(after).items():
        options = with_option(options, name, value)
    assert options == after


@pytest.mark.parametrize(
    ("name", "value"), [("fog=on days", "3"), ("", ""), ("days", "41"), ("swell", "on fog")]
)
def test_a_wrong_change_is_refused(name: str, value: str) -> None:
    """An unknown option or a value that does not fit is refused with a sentence."""
    with pytest.raises(InvalidSetup, match=r"\.$"):
        with_option(Voyage(), name, value)


def test_values_of_options() -> None:
    """Every value, or for numbers both bounds and some between, as text that can be read."""
    options = {option.name: option for option in options_of(Voyage)}

    assert list(options) == ["fog", "moon", "swell", "days"]
    assert (options["fog"].values, options["fog"].default) == (("on", "off"), "off")
    assert options["swell"].values == ("flat", "high", "10")
    assert options["days"].values == ("0", "10", "20", "30", "40")
    assert next(each for each in options_of(CurrentsOptions) if each.name == "turn_cap").values == (
        "100", "300", "500", "700", "1000"
    )  # fmt: skip
    for option in options.values():
        for value in option.values:
            parse_options(Voyage, f"{option.name}={value}")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("sun=on", "no option “sun”. Choose from: fog, moon, swell, days"),
        ("fog", "fog can only be on or off"),
        ("fog=yes", "fog can only be on or off"),
        ("swell=", "swell must be one of: flat, high, 10"),
        ("swell=9", "swell must be one of"),
        ("days=41", "days must be a number from 0 to 40"),
        ("days=-1", "days must be a number"),
        ("days=many", "days must be a number"),
        ("days=" + "9" * 5000, "days must be a number"),
        ("days=٣", "days must be a number"),
        ("=", "no option “”"),
    ],
)
def test_what_no_option_takes_is_refused(text: str, reason: str) -> None:
    """What no option takes is refused with what it takes."""
    with pytest.raises(InvalidSetup) as caught:
        parse_options(Voyage, text)
    assert reason in str(caught.value)


@given(
    st.text(max_size=60)
    | st.sampled_from(["fog", "days", "swell"]).flatmap(lambda n: st.text(max_size=9).map(f"{n}=".__add__))
)
def test_any_typed_text_gives_options_or_a_known_error(text: str) -> None:
    """Any typed text gives options or a sentence."""
    try:
        assert isinstance(parse_options(Voyage, text), Voyage)
    except InvalidSetup as error:
        assert str(error).endswith(".")  # noqa: PT017 - either outcome is right


def test_an_option_of_a_foreign_type_is_refused() -> None:
    """An option outside the closed set is refused."""

    class Free(Options, frozen=True, gc=False):
        name: str = ""

    with pytest.raises(TypeError):
        options_of(Free)
