"""A text and its reference fit one message."""

import re

from hypothesis import given
from hypothesis import strategies as st

from bot import limits
from bot.chat.refusals import with_reference
from bot.error_ids import new_error_id


@given(st.text(min_size=1, max_size=3 * limits.CONTENT))
def test_a_reference_stands_below(text: str) -> None:
    """However long the reason is, the message is not too long and ends with the reference."""
    error_id = new_error_id()
    message = with_reference(text, error_id)
    assert len(message) <= limits.CONTENT
    assert re.search(rf"\n-# Reference {error_id}\Z", message)
    reason = message.rpartition("\n")[0]
    assert text == reason or (len(message) == limits.CONTENT and text.startswith(reason[:-1]))
