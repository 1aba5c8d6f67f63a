"""Records each request of the bot from which one viewer can learn something, as it reached the stand-in."""

import re
from collections import Counter
from collections.abc import Mapping
from typing import Any, Final, TypeAlias

from bot.error_ids import ERROR_ID_LENGTH
from bot.local.interactions import CallbackType, Interaction
from bot.local.messages import Upload
from bot.local.model import Channel, Message, MessageFlag, User, WorldEvent
from bot.local.server import LocalDiscord

CapturedRequest: TypeAlias = tuple[str, str, dict[str, str], Any, tuple[tuple[str, str, str, bytes], ...]]
"""Method, path, query, body, files (field, name, type, bytes)."""

_SNOWFLAKE_PATTERN: Final = re.compile(r"\d{16,20}")
_REFERENCE_PATTERN: Final = re.compile(rf"(?<=\n-# )Reference [0-9A-Z]{{{ERROR_ID_LENGTH}}}$")
_GENERATED_FIELDS: Final = frozenset({"id", "url", "proxy_url"})
"""What a server gives a picture that an edit then keeps."""
_NEW_MESSAGE_CALLBACKS: Final = {CallbackType.MESSAGE, CallbackType.DEFERRED_MESSAGE}
_UPDATE_CALLBACKS: Final = {CallbackType.UPDATE, CallbackType.DEFERRED_UPDATE}


class RequestRecorder:
    """Records the requests that reach a viewer or everybody, and ignores the rest.

    What must differ between two servers gets labels that are the same in both: the ids that each of them gave
    out since ``record_for``; ids and addresses of pictures that an edit keeps; tokens; references to the log;
    and the nonces, from the first one of this table on.
    """

    def __init__(self) -> None:
        """Record nothing yet."""
        self.server: LocalDiscord
        self.viewer: User | None = None
        self.unasked_requests: list[CapturedRequest] = []
        """What the bot sends unasked, to channels and direct messages."""
        self.answers: list[CapturedRequest] = []
        """What it answers to interactions.  Whether an answer or a post comes first is left to threads."""
        self._label_by_id: dict[int, str] = {}
        self._label_counts: Counter[str] = Counter()
        self._first_nonce = 0

    def attach(self, server: LocalDiscord) -> None:
        """Record what reaches this server."""
        self.server = server
        server.world.listen(self._on_event)

    def record_for(self, viewer: User, first_nonce: int) -> None:
        """Record from now on what ``viewer`` sees."""
        self.viewer = viewer
        self._first_nonce = first_nonce
        self._label_by_id.clear()
        self._label_counts.clear()
        self.take_captured()

    def take_captured(self) -> tuple[list[CapturedRequest], list[CapturedRequest]]:
        """Return the unasked requests and the answers since the last call.

        What was read from Discord comes last, sorted: several such requests at once arrive in any order.
        """
        unasked_requests, answers = self.unasked_requests, self.answers
        self.unasked_requests, self.answers = [], []
        get_requests = sorted(
            (each for each in unasked_requests if each[0] == "GET"), key=lambda each: each[1]
        )
        return [*(each for each in unasked_requests if each[0] != "GET"), *get_requests], answers

    def record_request(
        self,
        method: str,
        template: str,
        path: str,
        query: Mapping[str, str],
        body: object,
        files: Mapping[str, Upload],
    ) -> None:
        """Record a request; for ``LocalDiscord(on_request=...)``."""
        if self.viewer is None:
            return
        segments_by_template = dict(zip(template.split("/"), path.split("/"), strict=True))
        interaction = self._find_interaction(segments_by_template)
        if not (
            self._reaches_viewer(segments_by_template, body)
            if interaction is None
            else self._sees_response(interaction, segments_by_template, body)
        ):
            return
        sent_files = tuple(
            (field, file.filename, file.content_type, file.data) for field, file in files.items()
        )
        if interaction is not None:
            if interaction.id not in self._label_by_id:
                self._give_label(interaction.id, f"interaction of {interaction.user.name}")
            path = path.replace(interaction.token, "token")
        captured = self.unasked_requests if interaction is None else self.answers
        captured.append((method, self._normalize(path), dict(query), self._normalize(body), sent_files))

    def _find_interaction(self, segments_by_template: Mapping[str, str]) -> Interaction | None:
        token = segments_by_template.get("{interaction_token}") or segments_by_template.get("{webhook_token}")
        return None if token is None else self.server.interactions.find_by_token(token)

    def _sees_response(
        self, interaction: Interaction, segments_by_template: Mapping[str, str], body: Any
    ) -> bool:
        """Return whether the viewer sees an answer: its own, or one that is public."""
        if interaction.user is self.viewer:
            return True
        if "callback" in segments_by_template:
            kind = CallbackType(body["type"])
            if kind in _UPDATE_CALLBACKS:
                return interaction.message is not None and self._sees_message(interaction.message)
            return (
                kind in _NEW_MESSAGE_CALLBACKS
                and not _is_private(body.get("data"))
                and self._sees_channel(interaction.channel)
            )
        if "{message_id}" in segments_by_template and segments_by_template["{message_id}"] != "@original":
            return self._sees_message(interaction.sent_messages[int(segments_by_template["{message_id}"])])
        if "messages" in segments_by_template:
            return interaction.original is not None and self._sees_message(interaction.original)
        return not _is_private(body) and self._sees_channel(interaction.channel)

    def _reaches_viewer(self, segments_by_template: Mapping[str, str], body: Any) -> bool:
        """Return whether a request of the bot's own is about a place that the viewer sees."""
        if "{channel_id}" in segments_by_template:
            return self._sees_channel(self.server.world.channels[int(segments_by_template["{channel_id}"])])
        if isinstance(body, dict) and "recipient_id" in body:
            return self.viewer is not None and int(body["recipient_id"]) == self.viewer.id
        return True

    def _sees_message(self, message: Message) -> bool:
        return self.viewer is not None and self.server.world.can_see_message(self.viewer, message)

    def _sees_channel(self, channel: Channel) -> bool:
        return self.viewer is not None and self.server.world.can_see(self.viewer, channel)

    def _on_event(self, event: WorldEvent) -> None:
        """Name a message that the viewer sees appear, by its place and order."""
        message = event.message
        if event.name == "MESSAGE_CREATE" and message is not None and self._sees_message(message):
            self._give_label(
                message.id, f"{'private ' if message.ephemeral else ''}message in {message.channel.name}"
            )

    def _give_label(self, snowflake: int, label: str) -> None:
        self._label_counts[label] += 1
        self._label_by_id[snowflake] = f"{label} {self._label_counts[label]}"

    def _normalize(self, value: Any) -> Any:
        if isinstance(value, dict):
            ignored_fields = _GENERATED_FIELDS if "proxy_url" in value else frozenset()
            return {
                key: self._relative_nonce(each) if key == "nonce" else self._normalize(each)
                for key, each in value.items()
                if key not in ignored_fields
            }
        if isinstance(value, list):
            return [self._normalize(each) for each in value]
        if isinstance(value, str):
            value = _REFERENCE_PATTERN.sub("Reference", value)
            return _SNOWFLAKE_PATTERN.sub(lambda found: self._label_of(int(found[0])), value)
        return value

    def _label_of(self, snowflake: int) -> str:
        channel = self.server.world.channels.get(snowflake)
        if channel is not None and channel.recipient is not None:
            return f"messages of {channel.recipient.name}"
        return self._label_by_id.get(snowflake, str(snowflake))

    def _relative_nonce(self, nonce: Any) -> Any:
        return int(nonce) - self._first_nonce if str(nonce).isdecimal() else nonce


def _is_private(data: Any) -> bool:
    return bool(isinstance(data, dict) and int(data.get("flags") or 0) & MessageFlag.EPHEMERAL)
