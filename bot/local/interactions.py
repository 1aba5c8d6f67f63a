"""Interactions: from a person's click to the bot's answers, with Discord's deadlines."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import IntEnum

from bot import limits
from bot.local import check_commands, check_components, checks, messages, payloads
from bot.local.messages import Uploads
from bot.local.refusals import FormErrors, Json, Refusal
from bot.local.world import Channel, ChannelType, Flag, Message, User, World


class Kind(IntEnum):
    """Interaction types."""

    COMMAND = 2
    COMPONENT = 3
    AUTOCOMPLETE = 4
    MODAL_SUBMIT = 5


class Callback(IntEnum):
    """Interaction callback types."""

    PONG = 1
    MESSAGE = 4
    DEFERRED_MESSAGE = 5
    DEFERRED_UPDATE = 6
    UPDATE = 7
    CHOICES = 8
    MODAL = 9


# Which answers an interaction may get; those marked in `_NEEDS_MESSAGE` only if it came from a message.
_ALLOWED: dict[Kind, tuple[Callback, ...]] = {
    Kind.COMMAND: (Callback.MESSAGE, Callback.DEFERRED_MESSAGE, Callback.MODAL),
    Kind.COMPONENT: (
        Callback.MESSAGE,
        Callback.DEFERRED_MESSAGE,
        Callback.DEFERRED_UPDATE,
        Callback.UPDATE,
        Callback.MODAL,
    ),
    Kind.AUTOCOMPLETE: (Callback.CHOICES,),
    Kind.MODAL_SUBMIT: (
        Callback.MESSAGE,
        Callback.DEFERRED_MESSAGE,
        Callback.DEFERRED_UPDATE,
        Callback.UPDATE,
    ),
}
_NEEDS_MESSAGE = (Callback.DEFERRED_UPDATE, Callback.UPDATE)


@dataclass(frozen=True, slots=True)
class Answer:
    """The bot's first answer: its callback type and what came with it."""

    callback: Callback
    message: Message | None = None
    choices: tuple[Json, ...] = ()
    modal: Json | None = None


@dataclass(eq=False, slots=True)
class Interaction:
    """One interaction; `answer` is done when the bot has answered, and cancelled after three seconds."""

    id: int
    token: str
    kind: Kind
    user: User
    channel: Channel
    data: Json
    created: float
    answer: asyncio.Future[Answer]
    message: Message | None = None
    answered: bool = False
    original: Message | None = None
    sent: dict[int, Message] = field(default_factory=dict)  # what it created, by id


class Interactions:
    """All interactions. `dispatch` hands one to the bot's gateway sessions."""

    def __init__(self, world: World, dispatch: Callable[[Json], None]) -> None:
        self._world = world
        self._dispatch = dispatch
        self._by_token: dict[str, Interaction] = {}
        self._option_kinds: dict[int, int] = {}

    # From a person

    def create(
        self, kind: Kind, user: User, channel: Channel, data: Json, message: Message | None = None
    ) -> Interaction:
        """Tell the bot of what `user` did; returns at once."""
        world = self._world
        interaction = Interaction(
            id=world.snowflake(),
            token=secrets.token_urlsafe(48),
            kind=kind,
            user=user,
            channel=channel,
            data=data,
            created=world.clock(),
            answer=asyncio.get_running_loop().create_future(),
            message=message,
        )
        self._forget_expired()
        self._by_token[interaction.token] = interaction
        self._dispatch(self.payload(interaction))
        return interaction

    def payload(self, interaction: Interaction) -> Json:
        """The interaction object, as INTERACTION_CREATE carries it."""
        world, channel, user = self._world, interaction.channel, interaction.user
        in_guild = channel.type is not ChannelType.DM
        partial = payloads.channel(world, channel)
        partial["permissions"] = str(int(world.permissions(user, channel)))
        payload: Json = {
            "id": str(interaction.id),
            "application_id": str(world.application_id),
            "type": int(interaction.kind),
            "data": interaction.data,
            "channel": partial,
            "channel_id": str(channel.id),
            "token": interaction.token,
            "version": 1,
            "app_permissions": str(int(world.permissions(world.bot, channel))),
            "locale": "en-GB",
            "entitlements": [],
            "authorizing_integration_owners": self._owners(channel),
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

    def _owners(self, channel: Channel) -> Json:
        return {"0": str(self._world.guild_id) if channel.type is not ChannelType.DM else "0"}

    def _forget_expired(self) -> None:
        """Drop tokens that have been worthless for a while; dictionaries keep the oldest first."""
        oldest = self._world.clock() - 2 * limits.TOKEN_SECONDS
        while self._by_token:
            token, interaction = next(iter(self._by_token.items()))
            if interaction.created > oldest:
                break
            del self._by_token[token]

    # The first answer

    def callback(self, interaction_id: int, token: str, body: Json, uploads: Uploads) -> Interaction:
        """Take the bot's first answer; Refusal 10062, 40060, 50035 and so on."""
        interaction = self._by_token.get(token)
        now = self._world.clock()
        if interaction is None or interaction.id != interaction_id:
            raise Refusal(10062)
        if interaction.answered:
            raise Refusal(40060)
        if now - interaction.created > limits.FIRST_ANSWER_SECONDS:
            raise Refusal(10062)
        kind = self._callback_kind(interaction, body)
        data = body.get("data") or {}
        answer = self._perform(interaction, kind, data, uploads)
        interaction.answered = True
        if not interaction.answer.done():
            interaction.answer.set_result(answer)
        return interaction

    def _callback_kind(self, interaction: Interaction, body: Json) -> Callback:
        errors = FormErrors()
        kind = body.get("type")
        errors.one_of(("type",), kind, tuple(int(each) for each in Callback))
        errors.refuse()
        found = Callback(kind)  # type: ignore[arg-type]  # one_of has let only known ones through
        allowed = found in _ALLOWED[interaction.kind]
        if not allowed or (found in _NEEDS_MESSAGE and interaction.message is None):
            errors.add(("type",), "INTERACTION_APPLICATION_COMMAND_INVALID_TYPE", "Not for this interaction.")
        errors.refuse()
        return found

    def _perform(self, interaction: Interaction, kind: Callback, data: Json, uploads: Uploads) -> Answer:
        match kind:
            case Callback.MESSAGE:
                interaction.original = self._post(interaction, data, uploads)
            case Callback.DEFERRED_MESSAGE:
                interaction.original = self._loading(interaction, data)
            case Callback.DEFERRED_UPDATE:
                interaction.original = interaction.message
            case Callback.UPDATE:
                assert interaction.message is not None
                self._refuse_archived(interaction)
                interaction.original = messages.edit(self._world, interaction.message, data, uploads)
            case Callback.CHOICES:
                return Answer(kind, choices=tuple(self._choices(interaction, data)))
            case Callback.MODAL:
                errors = FormErrors()
                check_components.modal(errors, data)
                errors.refuse()
                payloads_of = messages.numbered(data["components"])
                return Answer(kind, modal=data | {"components": payloads_of})
            case Callback.PONG:
                raise AssertionError(kind)  # no interaction here allows it
        return Answer(kind, message=interaction.original)

    def _refuse_archived(self, interaction: Interaction) -> None:
        """In a thread that is archived and locked nothing can be answered."""
        channel = interaction.channel
        if channel.id not in self._world.channels:
            raise Refusal(10003)
        if channel.archived and channel.locked:
            raise Refusal(50083, status=403)

    def _post(
        self, interaction: Interaction, data: Json, uploads: Uploads, *, ephemeral: bool | None = None
    ) -> Message:
        self._refuse_archived(interaction)
        if ephemeral is None:
            ephemeral = bool(int(data.get("flags") or 0) & Flag.EPHEMERAL)
        message = messages.create(
            self._world,
            interaction.channel,
            self._world.bot,
            data,
            uploads,
            only_for=interaction.user if ephemeral else None,
            interaction=self._metadata(interaction),
            command=self._command(interaction),
        )
        interaction.sent[message.id] = message
        return message

    def _loading(self, interaction: Interaction, data: Json) -> Message:
        """The "is thinking ..." message of a deferral."""
        self._refuse_archived(interaction)
        flags = int(data.get("flags") or 0)
        if flags & ~Flag.EPHEMERAL:
            errors = FormErrors()
            errors.add(("data", "flags"), "BASE_TYPE_CHOICES", "A deferral takes the flag EPHEMERAL alone.")
            errors.refuse()
        world = self._world
        message = Message(
            world.snowflake(),
            interaction.channel,
            world.bot,
            world.clock(),
            flags=Flag.LOADING | flags,
            only_for=interaction.user if flags & Flag.EPHEMERAL else None,
            interaction=self._metadata(interaction),
            command=self._command(interaction),
        )
        interaction.sent[message.id] = message
        world.post(message)
        return message

    def _choices(self, interaction: Interaction, data: Json) -> list[Json]:
        errors = FormErrors()
        listed: list[Json] = data.get("choices") or []
        kind = _focused(interaction.data.get("options") or [])["type"]
        check_commands.choices(errors, ("data", "choices"), listed, kind, limits.AUTOCOMPLETE_CHOICES)
        errors.refuse()
        return listed

    def _command(self, interaction: Interaction) -> str | None:
        if interaction.kind is not Kind.COMMAND:
            return None
        words = [interaction.data["name"]]
        options = interaction.data.get("options") or []
        while options and options[0]["type"] in (check_commands.SUBCOMMAND, check_commands.GROUP):
            words.append(options[0]["name"])
            options = options[0].get("options") or []
        return " ".join(words)

    def _metadata(self, interaction: Interaction) -> Json:
        payload: Json = {
            "id": str(interaction.id),
            "type": int(interaction.kind),
            "user": payloads.user(interaction.user),
            "authorizing_integration_owners": self._owners(interaction.channel),
        }
        command = self._command(interaction)
        if command is not None:
            payload["name"] = command
        if interaction.kind is Kind.COMPONENT and interaction.message is not None:
            payload["interacted_message_id"] = str(interaction.message.id)
        if interaction.original is not None:
            payload["original_response_message_id"] = str(interaction.original.id)
        return payload

    # What follows, by token

    def by_token(self, token: str) -> Interaction:
        """The interaction whose token this is; Refusal 10015 or 50027."""
        interaction = self._by_token.get(token)
        if interaction is None:
            raise Refusal(10015)
        if self._world.clock() - interaction.created > limits.TOKEN_SECONDS:
            raise Refusal(50027)
        return interaction

    def followup(self, token: str, body: Json, uploads: Uploads) -> Message:
        """A further message. The first after a deferral fills in the loading message instead, public
        or ephemeral as that one was.
        """  # noqa: D205 - one sentence would not do
        interaction = self.by_token(token)
        if not interaction.answered:
            raise Refusal(10015)
        original = interaction.original
        if original is not None and original.flags & Flag.LOADING:
            checks.message(body, uploads, creating=True)
            flags = {"flags": int(body.get("flags") or 0) & ~Flag.EPHEMERAL}
            return messages.edit(self._world, original, body | flags, uploads)
        return self._post(interaction, body, uploads)

    def message(self, token: str, message_id: int | None) -> Message:
        """A message of this interaction: the original response for None; Refusal 10008."""
        interaction = self.by_token(token)
        found = interaction.original if message_id is None else interaction.sent.get(message_id)
        if found is None and interaction.message is not None and interaction.message.id == message_id:
            found = interaction.message
        if found is None or found.id not in found.channel.messages:
            raise Refusal(10008)
        return found

    def edit(self, token: str, message_id: int | None, body: Json, uploads: Uploads) -> Message:
        """Change a message of this interaction."""
        found = self.message(token, message_id)
        self._refuse_archived(self.by_token(token))
        return messages.edit(self._world, found, body, uploads)

    def delete(self, token: str, message_id: int | None) -> None:
        """Delete a message of this interaction."""
        self._world.delete(self.message(token, message_id))


def callback_response(world: World, interaction: Interaction) -> Json:
    """What a callback with `with_response=true` is answered."""
    about: Json = {"id": str(interaction.id), "type": int(interaction.kind)}
    answer = interaction.answer.result() if _told(interaction) else None
    resource: Json = {"type": int(answer.callback)} if answer else {}
    original = interaction.original
    if original is not None:
        about |= {
            "response_message_id": str(original.id),
            "response_message_loading": bool(original.flags & Flag.LOADING),
            "response_message_ephemeral": original.ephemeral,
        }
        if answer and answer.callback in (Callback.MESSAGE, Callback.UPDATE):
            resource["message"] = payloads.message(world, original)
    return {"interaction": about, "resource": resource}


def _told(interaction: Interaction) -> bool:
    return interaction.answer.done() and not interaction.answer.cancelled()


def _focused(options: list[Json]) -> Json:
    for option in options:
        if option.get("focused"):
            return option
        found = _focused(option.get("options") or [])
        if found:
            return found
    return {}
