"""What buttons carry: it fits, it reads back, and what was released is understood for ever."""

import random
import string

import pytest

from bot import limits
from bot.chat.components import CustomId, parse_custom_id
from bot.chat.handlers import FORM_HANDLERS, HANDLERS, REPLACING_VERBS

RELEASED_IDS = (
    ("c1:12:0:join:", CustomId(12, 0, "join")),
    ("c1:12:7:play:", CustomId(12, 7, "play")),
    ("c1:12:7:step:5C compass-N", CustomId(12, 7, "step", "5C compass-N")),
    ("c1:12:7:do:current 5C N2", CustomId(12, 7, "do", "current 5C N2")),
    ("c1:12:7:do:#aB3_x-9Z", CustomId(12, 7, "do", "#aB3_x-9Z")),
    ("c1:12:7:page:1 5C", CustomId(12, 7, "page", "1 5C")),
    ("c1:12:7:undo:turn 34", CustomId(12, 7, "undo", "turn 34")),
    ("c1:12:0:opts:1", CustomId(12, 0, "opts", "1")),
    ("c1:12:0:setopt:1", CustomId(12, 0, "setopt", "1")),
    ("c1:12:0:cutset:", CustomId(12, 0, "cutset")),
    ("c1:12:7:names:1 introduction", CustomId(12, 7, "names", "1 introduction")),
    ("c1:0:0:snooze:tomorrow", CustomId(0, 0, "snooze", "tomorrow")),
    ("c1:0:0:sethrs:", CustomId(0, 0, "sethrs")),
    ("c1:12:7:hist:3 back", CustomId(12, 7, "hist", "3 back")),
    ("c1:12:7:anyone:1", CustomId(12, 7, "anyone", "1")),
    ("c1:12:7:offer:1 130 Guest", CustomId(12, 7, "offer", "1 130 Guest")),
    ("c1:12:7:replay:", CustomId(12, 7, "replay")),
    ("c1:12:7:rollto:3", CustomId(12, 7, "rollto", "3")),
    ("c1:12:7:rollpg:3 1 new", CustomId(12, 7, "rollpg", "3 1 new")),
    ("c1:12:30:agree:", CustomId(12, 30, "agree")),
    ("c1:12:30:type:", CustomId(12, 30, "type")),
    ("c1:9999999:99999:resyes:", CustomId(9_999_999, 99_999, "resyes")),
)
"""Ids as released versions wrote them.  Lines are added, never changed."""

RELEASED_VERBS = (
    "join leave comp uncomp start fitopt opts play step page do type hand board text log more rules topic"
    " name names undo agree refuse unask resign resyes end keep again cut cutany cutask"
    " remind zone snooze switch hours back subst clock ctime csleep cmiss cset"
    " hist replay export resume"
    " here longer fill begin invyes invno manage needs byinv remove admit deny"
    " accept yield reject anyone offer unoff tocomp own rollto rollpg forget keepme"
)
"""Every verb of a released button."""


@pytest.mark.parametrize(("text", "meaning"), RELEASED_IDS)
def test_released_ids_are_read_as_they_were_meant(text: str, meaning: CustomId) -> None:
    """A button of any released version is read as it was meant, and written the same."""
    assert parse_custom_id(text) == meaning
    assert str(meaning) == text
    assert meaning.verb in HANDLERS or meaning.verb in FORM_HANDLERS


def test_no_released_verb_is_removed() -> None:
    """No verb is ever removed, and each new one is listed."""
    assert set(RELEASED_VERBS.split()) == set(HANDLERS)
    assert set(HANDLERS) >= REPLACING_VERBS
    assert {"typed", "setopt", "cutset", "sethrs"} <= set(FORM_HANDLERS)


def test_the_longest_id_fits() -> None:
    """The longest that any button needs fits: seven digits, five digits, an action of 80 characters."""
    longest = str(CustomId(9_999_999, 99_999, "do", "x" * 80))
    assert len(longest) == limits.CUSTOM_ID
    assert parse_custom_id(longest) is not None
    assert parse_custom_id(str(CustomId(99_999, 99_999, "step", "x" * 80))) is not None


@pytest.mark.parametrize(
    "unreadable_id",
    [
        CustomId(1, 0, "step", "x" * 90),
        CustomId(10**8, 0, "step"),
        CustomId(-1, 0, "step"),
        CustomId(1, 10**9, "step"),
        CustomId(1, 0, "STEP"),
        CustomId(1, 0, ""),
        CustomId(1, 0, "step", "two\nlines"),
    ],
)
def test_no_unreadable_id_is_written(unreadable_id: CustomId) -> None:
    """What could not be read again is never written."""
    with pytest.raises(ValueError, match="no custom id"):
        str(unreadable_id)


def test_what_is_read_of_a_malformed_id_can_be_written() -> None:
    """Whatever stands in an id, it is read as nothing, or as an id that reads back once it is written."""
    rng = random.Random(1)
    alphabet = "c12:" + string.printable + "é\u202e\U0001f419\u0661"
    for _ in range(5_000):
        text = "".join(rng.choice(alphabet) for _ in range(rng.randint(0, 40)))
        if rng.random() < 0.7:
            released = rng.choice(RELEASED_IDS)[0]
            position = rng.randrange(len(released))
            text = released[:position] + rng.choice(alphabet) + released[position + rng.randint(0, 2) :]
        custom_id = parse_custom_id(text)
        if custom_id is not None:
            assert parse_custom_id(str(custom_id)) == custom_id
