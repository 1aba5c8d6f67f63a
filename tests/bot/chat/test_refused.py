"""A refusal and its reference fit one message."""

import re

from hypothesis import given
from hypothesis import strategies as st

from bot import limits
from bot.chat.refused import signed
from bot.references import new_reference


@given(st.text(min_size=1, max_size=3 * limits.CONTENT))
def test_a_reference_stands_below(text: str) -> None:
    """However long the reason is, the message is not too long and ends with the reference."""
    reference = new_reference()
    said = signed(text, reference)
    assert len(said) <= limits.CONTENT
    assert re.search(rf"\n-# Reference {reference}\Z", said)
    reason = said.rpartition("\n")[0]
    assert text == reason or (len(said) == limits.CONTENT and text.startswith(reason[:-1]))
