"""What messages already show: an edit keeps a picture that stays the same instead of uploading it again."""

import hashlib
from collections import OrderedDict
from collections.abc import Sequence
from typing import Final

import discord

from bot.chat.pictures import DrawnPicture

_MAX_MESSAGES: Final = 1000


class UploadedPictures:
    """The pictures of the newest messages, in memory: after a restart each is uploaded once more."""

    def __init__(self) -> None:
        self._kept: OrderedDict[int, dict[bytes, discord.Attachment]] = OrderedDict()

    def remember(self, message: discord.Message, pictures: Sequence[DrawnPicture]) -> None:
        """Remember which attachments of a message are these pictures."""
        by_name = {attachment.filename: attachment for attachment in message.attachments}
        self._kept[message.id] = {
            _digest(picture): by_name[picture.name] for picture in pictures if picture.name in by_name
        }
        self._kept.move_to_end(message.id)
        while len(self._kept) > _MAX_MESSAGES:
            self._kept.popitem(last=False)

    def forget(self, message: int) -> None:
        """Forget a message whose attachments are no longer known."""
        self._kept.pop(message, None)

    def attachments(
        self, message: int, pictures: Sequence[DrawnPicture]
    ) -> list[discord.Attachment | discord.File]:
        """Return what an edit sends for these pictures: what is there already, or a new upload."""
        kept = self._kept.get(message, {})
        return [kept.get(_digest(picture)) or picture.file() for picture in pictures]


def _digest(picture: DrawnPicture) -> bytes:
    said = f"{picture.name}\0{picture.alt}\0".encode("utf-8", "surrogatepass")
    return hashlib.sha256(said + picture.data).digest()
