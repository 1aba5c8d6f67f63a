"""Everything that a member of the server can do with Discord's client.

The page's sockets and the end-to-end tests use the same class.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from bot import limits
from bot.local import payloads
from bot.local.api_errors import JsonObject
from bot.local.check_components import SELECT_TYPES, ComponentType
from bot.local.client_input import (
    ClientRefusal,
    command_data,
    modal_submission,
    option_tree,
    require_allowed_selection,
)
from bot.local.interactions import CallbackType, InitialResponse, Interaction, Interactions, InteractionType
from bot.local.message_contents import controls, message_text
from bot.local.model import Channel, ChannelType, Message, MessageFlag, User
from bot.local.permissions import Permission, parse_permissions
from bot.local.world import World

T = TypeVar("T")

WAIT_TIMEOUT = 60.0
"""Seconds after which a member stops waiting for what the bot shows."""
_FAILURE_TEXTS = {
    InteractionType.COMMAND: "The application did not respond",
    InteractionType.COMPONENT: "This interaction failed",
    InteractionType.AUTOCOMPLETE: "Loading options failed",
    InteractionType.MODAL_SUBMIT: "Something went wrong. Try again.",
}


class InteractionFailed(Exception):
    """The bot did not respond within three seconds; the text is what Discord shows."""


@dataclass(frozen=True, slots=True)
class InteractionResult:
    """What followed a command, a click or a modal: a message, a modal, choices, or nothing new."""

    interaction: Interaction
    response: InitialResponse
    response_seconds: float  # from the click to the response, by the loop's clock
    world: World

    @property
    def message(self) -> Message:
        """Return the message sent or changed.  Raises LookupError if the response was no message."""
        if self.response.message is None:
            raise LookupError(f"the response was {self.response.callback_type.name}, not a message")
        return self.response.message

    @property
    def ephemeral(self) -> bool:
        """Return whether the response is a message that only this member sees."""
        return self.response.message is not None and self.response.message.ephemeral

    @property
    def modal(self) -> JsonObject:
        """Return the opened modal.  Raises LookupError if the response was no modal."""
        if self.response.modal is None:
            raise LookupError(f"the response was {self.response.callback_type.name}, not a modal")
        return self.response.modal

    @property
    def text(self) -> str:
        """Return all text of the message."""
        return message_text(self.message)

    async def wait_until_loaded(self, timeout: float = WAIT_TIMEOUT) -> Message:
        """Return the message once a deferred response has been filled in.  Raises TimeoutError."""
        message = self.message
        await _wait_until(self.world, lambda: not message.flags & MessageFlag.LOADING or None, timeout)
        return message


async def _wait_until(world: World, find: Callable[[], T | None], timeout: float) -> T:
    """Call `find` now and after every event until it returns something.  Raises TimeoutError."""
    changed = asyncio.Event()
    stop_listening = world.listen(lambda _: changed.set())
    try:
        async with asyncio.timeout(timeout):
            while (result := find()) is None:
                await changed.wait()
                changed.clear()
            return result
    finally:
        stop_listening()


class Member:
    """One member with a client. `channel` is the open one: commands and messages go there."""

    def __init__(self, world: World, interactions: Interactions, user: User) -> None:
        self._world = world
        self._interactions = interactions
        self.user = user
        self.channel = world.text_channels()[0]
        # by the id of the interaction that opened it
        self._modals: dict[int, tuple[Interaction, JsonObject]] = {}

    # Commands

    async def command(
        self, name: str, /, *, channel: Channel | None = None, **options: object
    ) -> InteractionResult:
        """Run `/name` (with its subcommands, as in "table pause") with these options; await the response.

        Raises InteractionFailed if no response comes in three seconds, ClientRefusal if the client would not
        send the command.
        """
        command, words = self._find_command(name)
        tree = option_tree(command, words, options)
        return await self.command_by_id(int(command["id"]), channel or self.channel, tree)

    async def command_by_id(
        self, command_id: int, channel: Channel, options: list[JsonObject]
    ) -> InteractionResult:
        """Run a command by its id with Discord's tree of options; await the response."""
        data = command_data(
            self._world, self._require_usable_command(command_id, channel), options, is_submitted=True
        )
        return await self._interact(InteractionType.COMMAND, channel, data)

    async def autocomplete(
        self, name: str, option: str, typed: str = "", /, *, channel: Channel | None = None, **options: object
    ) -> list[JsonObject]:
        """Return the choices that the bot offers while `typed` stands in `option` of `/name`."""
        command, words = self._find_command(name)
        tree = option_tree(command, words, options | {option: typed})
        innermost_options = tree
        for _ in words:
            innermost_options = innermost_options[0]["options"]
        innermost_options[-1]["focused"] = True
        return await self.autocomplete_by_id(int(command["id"]), channel or self.channel, tree)

    async def autocomplete_by_id(
        self, command_id: int, channel: Channel, options: list[JsonObject]
    ) -> list[JsonObject]:
        """Return the choices for Discord's tree of options, one of which has the focus."""
        data = command_data(
            self._world, self._require_usable_command(command_id, channel), options, is_submitted=False
        )
        result = await self._interact(InteractionType.AUTOCOMPLETE, channel, data)
        return list(result.response.choices)

    def _find_command(self, name: str) -> tuple[JsonObject, list[str]]:
        command_name, *words = name.removeprefix("/").split()
        for command in self._world.commands:
            if command["name"] == command_name:
                return command, words
        raise ClientRefusal(f"There is no command {name}.")

    def _require_usable_command(self, command_id: int, channel: Channel) -> JsonObject:
        world = self._world
        self._require_visible(channel)
        permissions = world.permissions(self.user, channel)
        command = next((each for each in world.commands if int(each["id"]) == command_id), None)
        if command is None:
            raise ClientRefusal("This command is outdated, please try again in a few minutes.")
        in_dm = channel.type is ChannelType.DM
        contexts = command.get("contexts")
        if contexts is not None and int(in_dm) not in contexts:
            raise ClientRefusal("This command cannot be used here.")
        if not in_dm and not (world.is_bot_in_guild and permissions & Permission.USE_APPLICATION_COMMANDS):
            raise ClientRefusal("This command cannot be used here.")
        needed_permissions = command.get("default_member_permissions")
        if not in_dm and needed_permissions is not None and int(needed_permissions) & ~int(permissions):
            raise ClientRefusal("You do not have permission to use this command.")
        if channel.archived:
            raise ClientRefusal("This thread is archived.")
        return command

    def _require_visible(self, channel: Channel) -> None:
        if channel.id not in self._world.channels or not self._world.can_see(self.user, channel):
            raise ClientRefusal("This channel cannot be seen.")

    # Components and modals

    async def press(
        self, message: Message, label: str | None = None, *, custom_id: str | None = None
    ) -> InteractionResult:
        """Press the button with this label or custom_id; await the response."""
        button = self._find_control(
            message, custom_id, lambda button: button.get("label") == label, (ComponentType.BUTTON,)
        )
        if button.get("disabled"):
            raise ClientRefusal("This button is disabled.")
        data = {
            "component_type": ComponentType.BUTTON.value,
            "custom_id": button["custom_id"],
            "id": button["id"],
        }
        return await self._interact(InteractionType.COMPONENT, message.channel, data, message)

    async def choose(
        self, message: Message, *picked_texts: str, custom_id: str | None = None
    ) -> InteractionResult:
        """Choose these values or labels in a select; await the response."""

        def offers_picked_texts(select: JsonObject) -> bool:
            offered_texts = {
                text for option in select.get("options", []) for text in (option["value"], option["label"])
            }
            return "options" not in select or set(picked_texts) <= offered_texts

        select = self._find_control(message, custom_id, offers_picked_texts, SELECT_TYPES)
        if select.get("disabled"):
            raise ClientRefusal("This select is disabled.")
        values_by_label = {option["label"]: option["value"] for option in select.get("options", [])}
        values = {option["value"] for option in select.get("options", [])}
        chosen_values = [text if text in values else values_by_label.get(text, text) for text in picked_texts]
        require_allowed_selection(select, chosen_values)
        data: JsonObject = {
            "component_type": select["type"],
            "custom_id": select["custom_id"],
            "id": select["id"],
            "values": chosen_values,
        }
        if select["type"] == ComponentType.USER_SELECT:
            users = [self._world.users[int(value)] for value in chosen_values]
            data["resolved"] = {"users": {str(user.id): payloads.user(user) for user in users}}
        return await self._interact(InteractionType.COMPONENT, message.channel, data, message)

    def _find_control(
        self,
        message: Message,
        custom_id: str | None,
        is_wanted: Callable[[JsonObject], bool],
        types: tuple[int, ...],
    ) -> JsonObject:
        """Return the control with this custom_id; without one, the first of these types that is wanted."""
        if message.id not in message.channel.messages or not self._world.can_see_message(self.user, message):
            raise ClientRefusal("This message cannot be seen.")
        if not (message.channel.type is ChannelType.DM or self._world.is_bot_in_guild):
            raise ClientRefusal("The application is not in this server.")
        for control in controls(message):
            if control["type"] in types and control.get("custom_id"):
                if custom_id is None and is_wanted(control):
                    return control
                if custom_id is not None and control["custom_id"] == custom_id:
                    return control
        raise ClientRefusal("There is no such control on this message.")

    async def submit(
        self, opener: InteractionResult | int, values: dict[str, object] | None = None
    ) -> InteractionResult:
        """Submit a modal with values by custom_id.

        `opener`: the result of the interaction that opened it, or the interaction's id. The value of the
        first field may also stand under the key "".
        """
        interaction_id = opener if isinstance(opener, int) else opener.interaction.id
        if interaction_id not in self._modals:
            raise ClientRefusal("This form is not open.")
        interaction, modal = self._modals[interaction_id]
        values_by_id = dict(values or {})
        if "" in values_by_id:
            first_id = next(
                component["custom_id"]
                for component in payloads.walk_components(modal["components"])
                if "custom_id" in component
            )
            values_by_id[first_id] = values_by_id.pop("")
        data = {"custom_id": modal["custom_id"], "components": modal_submission(modal, values_by_id)}
        result = await self._interact(
            InteractionType.MODAL_SUBMIT, interaction.channel, data, interaction.message
        )
        self._modals.pop(interaction_id, None)
        return result

    async def _interact(
        self,
        interaction_type: InteractionType,
        channel: Channel,
        data: JsonObject,
        message: Message | None = None,
    ) -> InteractionResult:
        loop = asyncio.get_running_loop()
        started_at = loop.time()
        interaction = self._interactions.create(interaction_type, self.user, channel, data, message)
        try:
            response = await asyncio.wait_for(interaction.response, limits.FIRST_RESPONSE_SECONDS)
        except TimeoutError:
            raise InteractionFailed(_FAILURE_TEXTS[interaction_type]) from None
        if response.callback_type is CallbackType.MODAL and response.modal is not None:
            self._modals[interaction.id] = interaction, response.modal
        return InteractionResult(interaction, response, loop.time() - started_at, self._world)

    # Reading

    def messages(self, channel: Channel | None = None) -> list[Message]:
        """Return what this member sees in `channel`, the oldest first."""
        messages = (channel or self.channel).messages.values()
        return [message for message in messages if self._world.can_see_message(self.user, message)]

    def latest(self, channel: Channel | None = None) -> Message:
        """Return the newest message that this member sees there.  Raises LookupError if there is none."""
        messages = self.messages(channel)
        if not messages:
            raise LookupError(f"{self.user.name} sees no message there")
        return messages[-1]

    @property
    def dm(self) -> Channel:
        """Return the DM channel with the bot, opened if need be."""
        return self._world.open_dm(self.user)

    async def wait_for_message(
        self,
        is_wanted: Callable[[Message], object],
        timeout: float = WAIT_TIMEOUT,
        *,
        channel: Channel | None = None,
    ) -> Message:
        """Wait for a message that `is_wanted` accepts, in `channel` or anywhere.  Raises TimeoutError.

        Return the newest one that this member sees.
        """

        def find_newest() -> Message | None:
            channels = [channel] if channel is not None else list(self._world.channels.values())
            wanted_messages = [
                message for each in channels for message in self.messages(each) if is_wanted(message)
            ]
            return max(wanted_messages, key=lambda message: message.id, default=None)

        return await _wait_until(self._world, find_newest, timeout)

    # Actions without the bot

    def say(self, content: str, channel: Channel | None = None) -> Message:
        """Write a message."""
        channel = channel or self.channel
        self._require_visible(channel)
        is_closed = channel.archived and channel.locked
        if is_closed or not self._world.permissions(self.user, channel) & channel.send_permission:
            raise ClientRefusal("You do not have permission to send messages here.")
        if not 0 < len(content) <= limits.CONTENT:
            raise ClientRefusal(f"A message has 1 to {limits.CONTENT} characters.")
        world = self._world
        message = Message(world.new_snowflake(), channel, self.user, world.clock(), content)
        world.post(message)
        return message

    def set_dms_closed(self, *, closed: bool) -> None:
        """Close the DMs to the bot, or open them."""
        self._world.set_dms_closed(self.user, closed=closed)

    def leave(self) -> None:
        """Leave the server."""
        self._world.set_membership(self.user, is_member=False)

    def rejoin(self) -> None:
        """Come back to the server."""
        self._world.set_membership(self.user, is_member=True)

    def dismiss(self, message: Message) -> None:
        """Dismiss an ephemeral message."""
        if message.only_for is self.user:
            self._world.delete(message)

    # Actions of an admin

    def delete_message(self, message: Message) -> None:
        """Delete anybody's message."""
        self._world.delete(message)

    def delete_channel(self, channel: Channel) -> None:
        """Delete a channel or thread."""
        if channel.type is ChannelType.DM or (
            not channel.is_thread and len(self._world.text_channels()) == 1
        ):
            raise ClientRefusal("This channel cannot be deleted.")
        self._world.delete_channel(channel)

    def set_archived(self, thread: Channel, *, archived: bool = True, locked: bool = False) -> None:
        """Archive or lock a thread, or undo both."""
        if not thread.is_thread:
            raise ClientRefusal("Only threads are archived.")
        self._world.change_thread(thread, archived=archived, locked=locked)

    def set_denied_permissions(self, channel: Channel, *names: str) -> None:
        """Deny the bot exactly these permissions in `channel` (and its threads)."""
        try:
            self._world.set_denied_permissions(
                self._world.bot, channel.parent or channel, parse_permissions(list(names))
            )
        except ValueError as error:
            raise ClientRefusal(str(error)) from None

    def remove_bot(self) -> None:
        """Remove the bot from the server."""
        self._world.set_bot_in_guild(present=False)

    def invite_bot(self) -> None:
        """Invite the bot again."""
        self._world.set_bot_in_guild(present=True)
