"""Pictures that private pages show already are not uploaded again, unless Discord wants them."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, NamedTuple, cast

import discord
import pytest

from bot.chat import shown_contents
from bot.chat.interaction import Interaction
from bot.chat.pictures import DrawnPicture
from bot.chat.response import NotDelivered, Response
from bot.chat.shown_contents import PagePictures, ShownContents, UploadedPictures
from bot.error_codes import ErrorCode
from tests.bot.chat.fake_interaction import PAGE_ID, TEXT_PAGE, FakeInteraction, replacing_response
from tests.bot.host.fake_chat import http_error

BOARD, HAND = DrawnPicture("board.png", b"1", "a board"), DrawnPicture("hand.png", b"2", "a hand")
OTHER_BOARD = DrawnPicture("board.png", b"3", "a board")


def test_a_page_shows_what_its_last_edit_sent() -> None:
    """Equal pictures are recognised by name, bytes and description; to show none is always a change."""
    page_pictures = PagePictures()
    page_pictures.remember(PAGE_ID, [BOARD])
    for pictures, unchanged in (
        ([BOARD], True), ([BOARD], True), ([OTHER_BOARD], False), ([OTHER_BOARD, HAND], False),
        ([OTHER_BOARD, HAND], True),
        ([], False), ([], False), ([BOARD], False), ([DrawnPicture("board.png", b"1", "else")], False),
    ):  # fmt: skip
        with page_pictures.track_edit(PAGE_ID, pictures) as is_unchanged:
            assert is_unchanged == unchanged, pictures
    with page_pictures.track_edit(PAGE_ID + 1, [DrawnPicture("board.png", b"1", "else")]) as is_unchanged:
        assert not is_unchanged


def test_what_a_page_shows_is_unknown_after_a_failed_edit() -> None:
    """The next edit uploads its pictures."""
    page_pictures = PagePictures()
    page_pictures.remember(PAGE_ID, [BOARD])
    with pytest.raises(TimeoutError), page_pictures.track_edit(PAGE_ID, [BOARD]):
        raise TimeoutError
    with page_pictures.track_edit(PAGE_ID, [BOARD]) as is_unchanged:
        assert not is_unchanged


def test_what_a_page_shows_is_unknown_after_two_edits_at_a_time() -> None:
    """Discord may carry them out in either order; afterwards everything is as usual."""
    page_pictures = PagePictures()
    page_pictures.remember(PAGE_ID, [BOARD])
    with (
        page_pictures.track_edit(PAGE_ID, [OTHER_BOARD]),
        page_pictures.track_edit(PAGE_ID, [BOARD]) as is_unchanged,
    ):
        assert not is_unchanged
    for expected in (False, True):
        with page_pictures.track_edit(PAGE_ID, [OTHER_BOARD]) as is_unchanged:
            assert is_unchanged == expected


def _message(number: int, *names: str) -> discord.Message:
    """Return a message with attachments of these names."""
    attachments = [SimpleNamespace(filename=name) for name in names]
    return cast("discord.Message", SimpleNamespace(id=number, attachments=attachments))


def test_an_edit_uploads_what_the_message_lacks() -> None:
    """A picture that it has is kept, also beside another that is new; a forgotten message has none."""
    uploaded = UploadedPictures()
    message = _message(1, "hand.png", "board.png")
    uploaded.remember(message, [BOARD, HAND])
    new, kept = uploaded.attachments(1, [OTHER_BOARD, HAND])
    assert isinstance(new, discord.File)
    assert kept is message.attachments[0]
    assert isinstance(uploaded.attachments(2, [HAND])[0], discord.File)
    assert len(uploaded.attachments(1, [HAND])) == 1, "the board is to go"
    assert len(uploaded.attachments(1, [HAND, BOARD])) == 2, "they are to change places"
    assert uploaded.attachments(1, []) == []
    uploaded.remember(_message(1, "hand.png"), [BOARD, HAND])
    assert isinstance(uploaded.attachments(1, [BOARD])[0], discord.File), "it has not arrived"
    uploaded.forget(1)
    assert isinstance(uploaded.attachments(1, [HAND])[0], discord.File)


def test_an_edit_names_no_picture_if_none_changes() -> None:
    """Else a late edit of a killed bot would remove the pictures that were uploaded since."""
    uploaded = UploadedPictures()
    uploaded.remember(_message(1, "board.png", "hand.png"), [BOARD, HAND])
    assert uploaded.attachments(1, [BOARD, HAND]) is discord.utils.MISSING


class _TestedMemory(NamedTuple):
    """What remembers which pictures messages show: how it learns of a message, and whether it knows one."""

    remember: Callable[[int], object]
    knows: Callable[[int], bool]


def _content_memory() -> _TestedMemory:
    contents = ShownContents()
    return _TestedMemory(
        lambda number: contents.remember(number, TEXT_PAGE, [BOARD]),
        lambda number: contents.shows(number, TEXT_PAGE, [BOARD]),
    )


def _upload_memory() -> _TestedMemory:
    uploaded = UploadedPictures()
    return _TestedMemory(
        lambda number: uploaded.remember(_message(number, BOARD.name), [BOARD]),
        lambda number: uploaded.attachments(number, [BOARD]) is discord.utils.MISSING,
    )


def _page_memory() -> _TestedMemory:
    page_pictures = PagePictures()
    return _TestedMemory(
        lambda number: page_pictures.remember(number, [BOARD]),
        lambda number: number in page_pictures._shown_digests,
    )


@pytest.mark.parametrize("make_memory", [_content_memory, _upload_memory, _page_memory])
def test_the_newest_messages_are_remembered(
    monkeypatch: pytest.MonkeyPatch, make_memory: Callable[[], _TestedMemory]
) -> None:
    """Of more messages than fit, the one that was shown longest ago is forgotten."""
    monkeypatch.setattr(shown_contents, "_MAX_DIGESTS", 3)
    monkeypatch.setattr(shown_contents, "_MAX_PICTURE_MESSAGES", 3)
    memory = make_memory()
    for number in (1, 2, 3, 1, 4):
        memory.remember(number)
    assert [number for number in range(1, 6) if memory.knows(number)] == [1, 3, 4]


async def test_an_unchanged_picture_is_left_out_of_the_edit() -> None:
    """The first edit uploads, the next one does not, another picture is uploaded."""
    interaction = FakeInteraction()
    for pictures in ([BOARD], [BOARD], [OTHER_BOARD], []):
        await replacing_response(interaction).show(TEXT_PAGE, pictures)
    assert interaction.edits == [["board.png"], discord.utils.MISSING, ["board.png"], []]


async def test_a_picture_is_uploaded_if_discord_does_not_keep_it() -> None:
    """It is sent in a second attempt; any other refusal stands."""
    for code, is_retried in ((ErrorCode.INVALID_FORM_BODY, True), (ErrorCode.UNKNOWN_MESSAGE, False)):
        interaction = FakeInteraction(http_error(code, 400))
        interaction.client.page_pictures.remember(PAGE_ID, [BOARD])
        if is_retried:
            await replacing_response(interaction).show(TEXT_PAGE, [BOARD])
            assert interaction.edits == [discord.utils.MISSING, ["board.png"]]
        else:
            with pytest.raises(NotDelivered):
                await replacing_response(interaction).show(TEXT_PAGE, [BOARD])
            assert interaction.edits == [discord.utils.MISSING]


class _AcknowledgedInteraction(FakeInteraction):
    """A deferred interaction."""

    def is_done(self) -> bool:
        """Whether it is deferred: it is."""
        return True

    async def edit_original_response(self, **_: Any) -> SimpleNamespace:
        """Fill in the loading message."""
        return SimpleNamespace(id=PAGE_ID + 2)


@pytest.mark.parametrize(
    ("interaction_type", "replaces_message", "expected_id"),
    [
        (FakeInteraction, True, PAGE_ID),
        (FakeInteraction, False, PAGE_ID + 1),
        (_AcknowledgedInteraction, False, PAGE_ID + 2),
    ],
)
async def test_a_response_knows_which_message_shows_it(
    interaction_type: type[FakeInteraction], *, replaces_message: bool, expected_id: int
) -> None:
    """The page that it replaces, its own message, or the loading message of a deferral."""
    interaction = cast("Interaction", interaction_type())
    response = Response(interaction, replaces_message=replaces_message)
    assert response.shown_message_id is None
    await response.show(TEXT_PAGE)
    assert response.shown_message_id == expected_id
