"""What buttons carry: it fits, it reads back, and what was released is understood for ever."""

import random
import string

import pytest

from bot import limits
from bot.chat.components import ButtonId, parse_id
from bot.chat.handlers import FORMS, HANDLERS, TYPE_ASK, UPDATING

RELEASED = (
    ("c1:12:0:join:", ButtonId(12, 0, "join")),
    ("c1:12:7:play:", ButtonId(12, 7, "play")),
    ("c1:12:7:step:5C compass-N", ButtonId(12, 7, "step", "5C compass-N")),
    ("c1:12:7:do:current 5C N2", ButtonId(12, 7, "do", "current 5C N2")),
    ("c1:12:7:page:1 5C", ButtonId(12, 7, "page", "1 5C")),
    ("c1:12:7:undo:turn", ButtonId(12, 7, "undo", "turn")),
    ("c1:12:0:opt:turn_cap", ButtonId(12, 0, "opt", "turn_cap")),
    ("c1:12:0:opts:1", ButtonId(12, 0, "opts", "1")),
    ("c1:12:0:setopt:1", ButtonId(12, 0, "setopt", "1")),
    ("c1:12:7:names:1 introduction", ButtonId(12, 7, "names", "1 introduction")),
    ("c1:12:30:agree:", ButtonId(12, 30, "agree")),
    ("c1:12:30:type:", ButtonId(12, 30, "type")),
    ("c1:9999999:99999:gone:", ButtonId(9_999_999, 99_999, "gone")),
)
"""Ids as released versions wrote them.  Lines are added, never changed."""

ASKED = (
    "join leave comp uncomp start opts opt play step page do hand board text log more rules topic"
    " name names undo agree refuse resign gone end keep again"
)
"""Every ask that was ever released."""


@pytest.mark.parametrize(("text", "meaning"), RELEASED)
def test_released_ids(text: str, meaning: ButtonId) -> None:
    """A button of any released version is read as it was meant, and written the same."""
    assert parse_id(text) == meaning
    assert str(meaning) == text
    assert meaning.ask in HANDLERS or meaning.ask in FORMS or meaning.ask == TYPE_ASK


def test_released_asks() -> None:
    """No ask is ever removed."""
    assert set(ASKED.split()) <= set(HANDLERS)
    assert set(HANDLERS) >= UPDATING
    assert {"typed", "setopt"} <= set(FORMS)


def test_longest_id_fits() -> None:
    """The longest that any button needs fits: seven digits, five digits, an action of 80 characters."""
    longest = str(ButtonId(9_999_999, 99_999, "do", "x" * 80))
    assert len(longest) == limits.CUSTOM_ID
    assert parse_id(longest) is not None
    assert parse_id(str(ButtonId(99_999, 99_999, "step", "x" * 80))) is not None


@pytest.mark.parametrize(
    "wrong",
    [
        ButtonId(1, 0, "step", "x" * 90),
        ButtonId(10**8, 0, "step"),
        ButtonId(-1, 0, "step"),
        ButtonId(1, 10**6, "step"),
        ButtonId(1, 0, "STEP"),
        ButtonId(1, 0, ""),
        ButtonId(1, 0, "step", "two\nlines"),
    ],
)
def test_no_unreadable_id_is_written(wrong: ButtonId) -> None:
    """What could not be read again is never written."""
    with pytest.raises(ValueError, match="no custom id"):
        str(wrong)


def test_malformed_ids() -> None:
    """Whatever stands in an id, reading it gives an id that is written the same, or nothing."""
    rng = random.Random(1)
    alphabet = "c12:" + string.printable + "é\u202e\U0001f419\u0661"
    for _ in range(5_000):
        text = "".join(rng.choice(alphabet) for _ in range(rng.randint(0, 40)))
        if rng.random() < 0.7:
            released = rng.choice(RELEASED)[0]
            at = rng.randrange(len(released))
            text = released[:at] + rng.choice(alphabet) + released[at + rng.randint(0, 2) :]
        found = parse_id(text)
        if found is not None:
            assert parse_id(str(found)) == found
