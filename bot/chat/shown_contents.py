"""What messages already show: an edit keeps unchanged pictures, and one that changes nothing is left out."""

import hashlib
from collections import Counter, OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

import discord

from bot.chat.pictures import DrawnPicture
from bot.chat.post_parts import Post

_MAX_PICTURE_MESSAGES: Final = 1000
"""The most messages whose pictures are remembered."""
_MAX_DIGESTS: Final = 10_000
"""The most messages whose contents are remembered as digests, of some 150 bytes each."""


class ShownContents:
    """What the newest messages show, as digests in memory: after a restart each is edited once more."""

    def __init__(self) -> None:
        self._digests: OrderedDict[int, bytes] = OrderedDict()
        """By message: of what it shows."""

    def shows(self, message_id: int, post: Post, pictures: Sequence[DrawnPicture]) -> bool:
        """Whether a message is known to show exactly this already."""
        return self._digests.get(message_id) == _content_digest(post, pictures)

    def remember(self, message_id: int, post: Post, pictures: Sequence[DrawnPicture]) -> None:
        """Remember what a message shows, now that Discord has confirmed it."""
        self._digests[message_id] = _content_digest(post, pictures)
        self._digests.move_to_end(message_id)
        while len(self._digests) > _MAX_DIGESTS:
            self._digests.popitem(last=False)

    def forget(self, message_id: int) -> None:
        """Forget a message that is about to be edited: the edit may arrive although its response is lost."""
        self._digests.pop(message_id, None)


class UploadedPictures:
    """The pictures of the newest messages, in memory: after a restart each is uploaded once more."""

    def __init__(self) -> None:
        self._attachments: OrderedDict[int, dict[bytes, discord.Attachment]] = OrderedDict()
        """By message, and by the digests of its pictures."""

    def remember(self, message: discord.Message, pictures: Sequence[DrawnPicture]) -> None:
        """Remember which attachments of a message are these pictures."""
        attachments_by_name = {attachment.filename: attachment for attachment in message.attachments}
        self._attachments[message.id] = {
            picture.digest: attachments_by_name[picture.name]
            for picture in pictures
            if picture.name in attachments_by_name
        }
        self._attachments.move_to_end(message.id)
        while len(self._attachments) > _MAX_PICTURE_MESSAGES:
            self._attachments.popitem(last=False)

    def forget(self, message_id: int) -> None:
        """Forget a message whose attachments are no longer known."""
        self._attachments.pop(message_id, None)

    def attachments(self, message_id: int, pictures: Sequence[DrawnPicture]) -> Any:
        """Return what an edit sends for these pictures: what is there already, or a new upload.

        MISSING if the message has exactly these.  Such an edit, should it arrive late from a bot that was
        killed, leaves what the next start has uploaded.
        """
        attachments_by_digest = self._attachments.get(message_id, {})
        if pictures and list(attachments_by_digest) == [picture.digest for picture in pictures]:
            return discord.utils.MISSING
        return [attachments_by_digest.get(picture.digest) or picture.to_file() for picture in pictures]


class PagePictures:
    """Which pictures the newest private pages show, in memory.  Nothing but responses edits such a page."""

    def __init__(self) -> None:
        self._shown_digests: OrderedDict[int, tuple[bytes, ...]] = OrderedDict()
        """By page: of its pictures, in order."""
        self._running_edits: Counter[int] = Counter()
        """By page: how many edits of it are under way."""
        self._overlapping_pages: set[int] = set()
        """Pages with overlapping edits: nobody knows which of them came last."""

    def remember(self, message_id: int, pictures: Sequence[DrawnPicture]) -> None:
        """Remember what a page shows."""
        self._shown_digests[message_id] = tuple(picture.digest for picture in pictures)
        self._shown_digests.move_to_end(message_id)
        while len(self._shown_digests) > _MAX_PICTURE_MESSAGES:
            self._shown_digests.popitem(last=False)

    @contextmanager
    def track_edit(self, message_id: int, pictures: Sequence[DrawnPicture]) -> Iterator[bool]:
        """Surround an edit that shows these pictures; yield whether the page shows exactly these already."""
        self._running_edits[message_id] += 1
        if self._running_edits[message_id] > 1:
            self._overlapping_pages.add(message_id)
        shown_digests = self._shown_digests.pop(message_id, None)
        try:
            yield bool(pictures) and shown_digests == tuple(picture.digest for picture in pictures)
            if message_id not in self._overlapping_pages:
                self.remember(message_id, pictures)
        finally:
            self._running_edits[message_id] -= 1
            if not self._running_edits[message_id]:
                del self._running_edits[message_id]
                self._overlapping_pages.discard(message_id)


def _content_digest(post: Post, pictures: Sequence[DrawnPicture]) -> bytes:
    post_bytes = repr(post).encode("utf-8", "surrogatepass")
    return hashlib.sha256(post_bytes + b"".join(picture.digest for picture in pictures)).digest()
