"""Interactions: from a member's click to the bot's responses, with Discord's deadlines."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import IntEnum

from bot import limits
from bot.error_codes import ErrorCode
from bot.local import check_commands, check_components, check_messages, messages, payloads
from bot.local.api_errors import ApiError, BodyErrors, JsonObject
from bot.local.messages import Uploads
from bot.local.model import Channel, ChannelType, Message, MessageFlag, User
from bot.local.world import World


class InteractionType(IntEnum):
    """Interaction types."""

    COMMAND = 2
    COMPONENT = 3
    AUTOCOMPLETE = 4
    MODAL_SUBMIT = 5


class CallbackType(IntEnum):
    """The types of initial responses."""

    PONG = 1
    MESSAGE = 4
    DEFERRED_MESSAGE = 5
    DEFERRED_UPDATE = 6
    UPDATE = 7
    CHOICES = 8
    MODAL = 9


# The responses that an interaction may get; those in `_UPDATES` only an interaction that came from a message.
_ALLOWED_CALLBACKS: dict[InteractionType, tuple[CallbackType, ...]] = {
    InteractionType.COMMAND: (CallbackType.MESSAGE, CallbackType.DEFERRED_MESSAGE, CallbackType.MODAL),
    InteractionType.COMPONENT: (
        CallbackType.MESSAGE,
        CallbackType.DEFERRED_MESSAGE,
        CallbackType.DEFERRED_UPDATE,
        CallbackType.UPDATE,
        CallbackType.MODAL,
    ),
    InteractionType.AUTOCOMPLETE: (CallbackType.CHOICES,),
    InteractionType.MODAL_SUBMIT: (
        CallbackType.MESSAGE,
        CallbackType.DEFERRED_MESSAGE,
        CallbackType.DEFERRED_UPDATE,
        CallbackType.UPDATE,
    ),
}
_UPDATES = (CallbackType.DEFERRED_UPDATE, CallbackType.UPDATE)


@dataclass(frozen=True, slots=True)
class InitialResponse:
    """The bot's initial response: its callback type and what came with it."""

    callback_type: CallbackType
    message: Message | None = None
    choices: tuple[JsonObject, ...] = ()
    modal: JsonObject | None = None


@dataclass(eq=False, slots=True)
class Interaction:
    """One interaction; `response` is done when the bot responds, and cancelled after three seconds."""

    id: int
    token: str
    type: InteractionType
    user: User
    channel: Channel
    data: JsonObject
    created_at: float
    response: asyncio.Future[InitialResponse]
    message: Message | None = None
    is_acknowledged: bool = False  # also where the response came too late for the member's client
    original: Message | None = None  # the message of the initial response
    sent_messages: dict[int, Message] = field(default_factory=dict)  # the messages that it created, by id
    edit_count: int = 0  # how often it has changed a message since its initial response


class Interactions:
    """All interactions. `dispatch` sends one to the bot's gateway sessions."""

    def __init__(self, world: World, dispatch: Callable[[JsonObject], None]) -> None:
        self._world = world
        self._dispatch = dispatch
        self._by_token: dict[str, Interaction] = {}

    # From a member

    def create(
        self,
        interaction_type: InteractionType,
        user: User,
        channel: Channel,
        data: JsonObject,
        message: Message | None = None,
    ) -> Interaction:
        """Create an interaction of `user` and send it to the bot, without waiting for its response."""
        world = self._world
        interaction = Interaction(
            id=world.new_snowflake(),
            token=secrets.token_urlsafe(48),
            type=interaction_type,
            user=user,
            channel=channel,
            data=data,
            created_at=world.clock(),
            response=asyncio.get_running_loop().create_future(),
            message=message,
        )
        self._forget_expired()
        self._by_token[interaction.token] = interaction
        self._dispatch(self.payload(interaction))
        return interaction

    def payload(self, interaction: Interaction) -> JsonObject:
        """Return the interaction object for INTERACTION_CREATE."""
        world, channel, user = self._world, interaction.channel, interaction.user
        in_guild = channel.type is not ChannelType.DM
        partial_channel = payloads.channel(world, channel)
        partial_channel["permissions"] = str(int(world.permissions(user, channel)))
        payload: JsonObject = {
            "id": str(interaction.id),
            "application_id": str(world.application_id),
            "type": int(interaction.type),
            "data": interaction.data,
            "channel": partial_channel,
            "channel_id": str(channel.id),
            "token": interaction.token,
            "version": 1,
            "app_permissions": str(int(world.permissions(world.bot, channel))),
            "locale": "en-GB",
            "entitlements": [],
            "authorizing_integration_owners": self._integration_owners(channel),
            "context": 0 if in_guild else 1,
            "attachment_size_limit": limits.FILE_BYTES,
        }
        if in_guild:
            payload["guild_id"] = str(world.guild_id)
            payload["guild"] = {"id": str(world.guild_id), "locale": "en-GB", "features": []}
            payload["guild_locale"] = "en-GB"
            payload["member"] = payloads.member(world, user, channel)
        else:
            payload["user"] = payloads.user(user)
        if interaction.message is not None:
            payload["message"] = payloads.message(world, interaction.message)
        return payload

    def _integration_owners(self, channel: Channel) -> JsonObject:
        return {"0": str(self._world.guild_id) if channel.type is not ChannelType.DM else "0"}

    def _forget_expired(self) -> None:
        """Drop interactions whose tokens expired a while ago; the dictionary has the oldest first."""
        kept_since = self._world.clock() - 2 * limits.TOKEN_SECONDS
        while self._by_token:
            token, interaction = next(iter(self._by_token.items()))
            if interaction.created_at > kept_since:
                break
            del self._by_token[token]

    # The initial response

    def accept_callback(
        self, interaction_id: int, token: str, body: JsonObject, uploads: Uploads
    ) -> Interaction:
        """Accept the bot's initial response.  Raises ApiError 10062, 40060, 50035 and others."""
        interaction = self._by_token.get(token)
        now = self._world.clock()
        if interaction is None or interaction.id != interaction_id:
            raise ApiError(ErrorCode.UNKNOWN_INTERACTION)
        if interaction.is_acknowledged:
            raise ApiError(ErrorCode.ALREADY_ACKNOWLEDGED)
        if now - interaction.created_at > limits.FIRST_RESPONSE_SECONDS:
            raise ApiError(ErrorCode.UNKNOWN_INTERACTION)
        callback_type = self._check_callback_type(interaction, body)
        data = body.get("data") or {}
        response = self._apply_callback(interaction, callback_type, data, uploads)
        interaction.is_acknowledged = True
        if not interaction.response.done():
            interaction.response.set_result(response)
        return interaction

    def _check_callback_type(self, interaction: Interaction, body: JsonObject) -> CallbackType:
        errors = BodyErrors()
        number = body.get("type")
        errors.check_one_of(("type",), number, tuple(int(each) for each in CallbackType))
        errors.raise_if_any()
        callback_type = CallbackType(number)  # type: ignore[arg-type]  # `check_one_of` has refused others
        is_allowed = callback_type in _ALLOWED_CALLBACKS[interaction.type]
        if not is_allowed or (callback_type in _UPDATES and interaction.message is None):
            errors.add(("type",), "INTERACTION_APPLICATION_COMMAND_INVALID_TYPE", "Not for this interaction.")
        errors.raise_if_any()
        return callback_type

    def _apply_callback(
        self, interaction: Interaction, callback_type: CallbackType, data: JsonObject, uploads: Uploads
    ) -> InitialResponse:
        """Do what the initial response says, and return it."""
        match callback_type:
            case CallbackType.MESSAGE:
                interaction.original = self._post(interaction, data, uploads)
            case CallbackType.DEFERRED_MESSAGE:
                interaction.original = self._post_loading(interaction, data)
            case CallbackType.DEFERRED_UPDATE:
                interaction.original = interaction.message
            case CallbackType.UPDATE:
                assert interaction.message is not None
                self._require_open_channel(interaction)
                interaction.original = messages.edit_message(self._world, interaction.message, data, uploads)
            case CallbackType.CHOICES:
                return InitialResponse(callback_type, choices=tuple(self._check_choices(interaction, data)))
            case CallbackType.MODAL:
                errors = BodyErrors()
                check_components.check_modal(errors, data)
                errors.raise_if_any()
                components = messages.number_components(data["components"])
                return InitialResponse(callback_type, modal=data | {"components": components})
            case CallbackType.PONG:
                raise AssertionError(callback_type)  # no interaction here allows it
        return InitialResponse(callback_type, message=interaction.original)

    def _require_open_channel(self, interaction: Interaction) -> None:
        """Raise ApiError if the channel is gone, or is a thread that is archived and locked."""
        channel = interaction.channel
        if channel.id not in self._world.channels:
            raise ApiError(ErrorCode.UNKNOWN_CHANNEL)
        if channel.archived and channel.locked:
            raise ApiError(ErrorCode.THREAD_ARCHIVED, status=403)

    def _post(self, interaction: Interaction, data: JsonObject, uploads: Uploads) -> Message:
        self._require_open_channel(interaction)
        ephemeral = bool(int(data.get("flags") or 0) & MessageFlag.EPHEMERAL)
        message = messages.create_message(
            self._world,
            interaction.channel,
            self._world.bot,
            data,
            uploads,
            only_for=interaction.user if ephemeral else None,
            interaction_metadata=self._interaction_metadata(interaction),
            command_name=self._command_name(interaction),
        )
        interaction.sent_messages[message.id] = message
        return message

    def _post_loading(self, interaction: Interaction, data: JsonObject) -> Message:
        """Post the "is thinking ..." message of a deferral."""
        self._require_open_channel(interaction)
        flags = int(data.get("flags") or 0)
        if flags & ~MessageFlag.EPHEMERAL:
            errors = BodyErrors()
            errors.add(("data", "flags"), "BASE_TYPE_CHOICES", "A deferral takes the flag EPHEMERAL alone.")
            errors.raise_if_any()
        world = self._world
        message = Message(
            world.new_snowflake(),
            interaction.channel,
            world.bot,
            world.clock(),
            flags=MessageFlag.LOADING | flags,
            only_for=interaction.user if flags & MessageFlag.EPHEMERAL else None,
            interaction_metadata=self._interaction_metadata(interaction),
            command_name=self._command_name(interaction),
        )
        interaction.sent_messages[message.id] = message
        world.post(message)
        return message

    def _check_choices(self, interaction: Interaction, data: JsonObject) -> list[JsonObject]:
        """Check the choices of an autocompletion and return them.  Raises ApiError 50035."""
        errors = BodyErrors()
        choices: list[JsonObject] = data.get("choices") or []
        option_type = _focused_option(interaction.data.get("options") or [])["type"]
        path = ("data", "choices")
        check_commands.check_choices(errors, path, choices, option_type, limits.AUTOCOMPLETE_CHOICES)
        errors.raise_if_any()
        return choices

    def _command_name(self, interaction: Interaction) -> str | None:
        """Return the name of the command with its subcommands; None for no command."""
        if interaction.type is not InteractionType.COMMAND:
            return None
        words = [interaction.data["name"]]
        options = interaction.data.get("options") or []
        while options and options[0]["type"] in check_commands.NESTING_TYPES:
            words.append(options[0]["name"])
            options = options[0].get("options") or []
        return " ".join(words)

    def _interaction_metadata(self, interaction: Interaction) -> JsonObject:
        payload: JsonObject = {
            "id": str(interaction.id),
            "type": int(interaction.type),
            "user": payloads.user(interaction.user),
            "authorizing_integration_owners": self._integration_owners(interaction.channel),
        }
        command_name = self._command_name(interaction)
        if command_name is not None:
            payload["name"] = command_name
        if interaction.type is InteractionType.COMPONENT and interaction.message is not None:
            payload["interacted_message_id"] = str(interaction.message.id)
        if interaction.original is not None:
            payload["original_response_message_id"] = str(interaction.original.id)
        return payload

    # Follow-ups, by token

    def find_by_token(self, token: str) -> Interaction:
        """Return the interaction whose token this is.  Raises ApiError 10015 or 50027."""
        interaction = self._by_token.get(token)
        if interaction is None:
            raise ApiError(ErrorCode.UNKNOWN_WEBHOOK)
        if self._world.clock() - interaction.created_at > limits.TOKEN_SECONDS:
            raise ApiError(ErrorCode.INVALID_WEBHOOK_TOKEN)
        return interaction

    def post_followup(self, token: str, body: JsonObject, uploads: Uploads) -> Message:
        """Post a follow-up message.

        The first one after a deferral fills in the loading message instead, public or ephemeral as that was.
        """
        interaction = self.find_by_token(token)
        if not interaction.is_acknowledged:
            raise ApiError(ErrorCode.UNKNOWN_WEBHOOK)
        original = interaction.original
        if original is not None and original.flags & MessageFlag.LOADING:
            check_messages.check_message(body, uploads)
            flags = {"flags": int(body.get("flags") or 0) & ~MessageFlag.EPHEMERAL}
            return messages.edit_message(self._world, original, body | flags, uploads)
        return self._post(interaction, body, uploads)

    def find_message(self, token: str, message_id: int | None) -> Message:
        """Return a message of this interaction, for None the original response.  Raises ApiError 10008."""
        interaction = self.find_by_token(token)
        message = interaction.original if message_id is None else interaction.sent_messages.get(message_id)
        if message is None and interaction.message is not None and interaction.message.id == message_id:
            message = interaction.message
        if message is None or message.id not in message.channel.messages:
            raise ApiError(ErrorCode.UNKNOWN_MESSAGE)
        return message

    def edit_message(self, token: str, message_id: int | None, body: JsonObject, uploads: Uploads) -> Message:
        """Change a message of this interaction."""
        message, interaction = self.find_message(token, message_id), self.find_by_token(token)
        self._require_open_channel(interaction)
        edited = messages.edit_message(self._world, message, body, uploads)
        interaction.edit_count += 1
        return edited

    def delete_message(self, token: str, message_id: int | None) -> None:
        """Delete a message of this interaction."""
        self._world.delete(self.find_message(token, message_id))


def callback_result(world: World, interaction: Interaction) -> JsonObject:
    """Return the response to a callback with `with_response=true`."""
    payload: JsonObject = {"id": str(interaction.id), "type": int(interaction.type)}
    response = _response_in_time(interaction)
    resource: JsonObject = {"type": int(response.callback_type)} if response else {}
    original = interaction.original
    if original is not None:
        payload |= {
            "response_message_id": str(original.id),
            "response_message_loading": bool(original.flags & MessageFlag.LOADING),
            "response_message_ephemeral": original.ephemeral,
        }
        if response and response.callback_type in (CallbackType.MESSAGE, CallbackType.UPDATE):
            resource["message"] = payloads.message(world, original)
    return {"interaction": payload, "resource": resource}


def _response_in_time(interaction: Interaction) -> InitialResponse | None:
    """Return the initial response; None if it came after the member's client had stopped waiting for it."""
    response = interaction.response
    return response.result() if response.done() and not response.cancelled() else None


def _focused_option(options: list[JsonObject]) -> JsonObject:
    """Return the option that has the focus, at any depth; an empty one if none has."""
    for option in options:
        if option.get("focused"):
            return option
        focused = _focused_option(option.get("options") or [])
        if focused:
            return focused
    return {}
