"""The page's websockets: one for each open window, which acts as one member of the server."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Coroutine

from aiohttp import WSMsgType, web

from bot.local import payloads
from bot.local.api_errors import JsonObject
from bot.local.client_input import ClientRefusal
from bot.local.interactions import Interactions
from bot.local.members import InteractionFailed, InteractionResult, Member
from bot.local.message_contents import notification_text, notifies
from bot.local.model import Channel, Message, User, WorldEvent
from bot.local.world import World

_HISTORY_LENGTH = 50
"""How many of the newest messages of each channel a window gets at first."""
_REQUEST_ERRORS = (
    ClientRefusal,
    LookupError,
    ValueError,
    TypeError,
    AttributeError,
    RecursionError,
    OverflowError,  # an id that is infinite
)
"""What a request raises that is refused or malformed."""
_log = logging.getLogger(__name__)


def _user_payload(user: User) -> JsonObject:
    """Return a user's JSON for the page, which also lists the bot and people who have left the server."""
    return payloads.user(user) | {
        "name": user.name,
        "colour": user.colour,
        "bot": user.bot,
        "is_member": user.is_member,
        "dms_closed": user.dms_closed,
    }


def user_payloads(world: World) -> list[JsonObject]:
    """Return the JSON of everybody for the page, the bot last."""
    return [_user_payload(user) for user in (*world.people(), world.bot)]


class PageSockets:
    """The open windows of the page."""

    def __init__(self, world: World, interactions: Interactions) -> None:
        self._world = world
        self._interactions = interactions
        self._open_sockets: set[web.WebSocketResponse] = set()

    async def serve(self, request: web.Request) -> web.StreamResponse:
        """Serve one window."""
        user_id = request.query.get("as", "")
        user = self._world.users.get(int(user_id) if user_id.isdecimal() else self._world.owner.id)
        if user is None or user.bot:
            raise web.HTTPNotFound(text="There is no such member.")
        socket = web.WebSocketResponse(heartbeat=30.0)
        await socket.prepare(request)
        self._open_sockets.add(socket)
        window = _PageWindow(self._world, Member(self._world, self._interactions, user))
        stop_listening = self._world.listen(window.on_event)
        sender = asyncio.create_task(window.send_queued(socket))
        try:
            async for received in socket:
                if received.type is WSMsgType.TEXT:
                    window.handle_request(received.data)
        finally:
            stop_listening()
            sender.cancel()
            window.close()
            self._open_sockets.discard(socket)
        return socket

    async def stop(self) -> None:
        """Close every window's socket."""
        for socket in tuple(self._open_sockets):
            await socket.close()


class _PageWindow:
    """The connection of one window: sends it what its member sees, and does what the member asks for."""

    def __init__(self, world: World, member: Member) -> None:
        self._world = world
        self._member = member
        self._user = member.user
        self._queue: asyncio.Queue[JsonObject] = asyncio.Queue()
        self._tasks: set[asyncio.Task[None]] = set()
        self._send(self._hello_payload())

    async def send_queued(self, socket: web.WebSocketResponse) -> None:
        """Send what is queued until the socket closes."""
        while True:
            try:
                await socket.send_str(json.dumps(await self._queue.get(), separators=(",", ":")))
            except ConnectionError:
                return

    def close(self) -> None:
        """Cancel what the window was waiting for."""
        for task in self._tasks:
            task.cancel()

    def _send(self, payload: JsonObject) -> None:
        self._queue.put_nowait(payload)

    # To the window

    def _hello_payload(self) -> JsonObject:
        """Return the first payload of a window: all that its member sees."""
        world = self._world
        channels = [channel for channel in world.channels.values() if world.can_see(self._user, channel)]
        messages_by_channel = {
            str(channel.id): self._member.messages(channel)[-_HISTORY_LENGTH:] for channel in channels
        }
        return {
            "type": "hello",
            "me": _user_payload(self._user),
            "members": user_payloads(world),
            "guild": {"id": str(world.guild_id), "name": world.guild_name},
            "channels": [payloads.channel(world, channel) for channel in channels],
            "commands": world.commands,
            "messages": {
                channel_id: [self._message_payload(message) for message in messages]
                for channel_id, messages in messages_by_channel.items()
            },
        }

    def on_event(self, event: WorldEvent) -> None:
        """Send the window an event that its member sees."""
        world, channel, message = self._world, event.channel, event.message
        if event.name == "COMMANDS":
            self._send({"type": "commands", "commands": world.commands})
        elif event.name == "PEOPLE":
            self._send({"type": "people", "members": user_payloads(self._world)})
        elif event.name.startswith("GUILD_MEMBER") and event.user is self._user:
            self._send(self._hello_payload())  # a member who left or came back sees other channels
        elif message is not None:
            if world.can_see_message(self._user, message):
                self._send_message(event.name, message)
        elif channel is not None:
            self._send_channel(event.name, channel)

    def _send_message(self, name: str, message: Message) -> None:
        if name == "MESSAGE_DELETE":
            ids = {"id": str(message.id), "channel_id": str(message.channel.id)}
            self._send({"type": "message_delete"} | ids)
        else:
            payload_type = "message" if name == "MESSAGE_CREATE" else "message_update"
            self._send({"type": payload_type, "message": self._message_payload(message)})

    def _message_payload(self, message: Message) -> JsonObject:
        """Return the message, with its `notification` if it notifies this member."""
        payload = payloads.message(self._world, message)
        if notifies(message, self._user):
            payload["notification"] = notification_text(self._world, message)
        return payload

    def _send_channel(self, name: str, channel: Channel) -> None:
        if name in ("CHANNEL_DELETE", "THREAD_DELETE"):
            self._send({"type": "channel_delete", "id": str(channel.id)})
        elif self._world.can_see(self._user, channel):
            self._send({"type": "channel", "channel": payloads.channel(self._world, channel)})

    # From the window

    def handle_request(self, text: str) -> None:
        """Do what the window asks for, or send it the reason why that is not possible."""
        nonce: object = None
        try:
            payload = json.loads(text)
            nonce = payload.get("nonce")
            pending_result = self._start_action(payload)
        except _REQUEST_ERRORS as error:
            _log.info("page request refused", exc_info=error)
            self._send_failure(nonce, str(error))
            return
        if pending_result is not None:
            task = asyncio.create_task(self._report_interaction(nonce, pending_result))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    def _start_action(
        self, payload: JsonObject
    ) -> Coroutine[object, object, InteractionResult | list[JsonObject]] | None:
        """Do what the window asks for.

        Return the coroutine that waits for the bot's response; None for an action without the bot.
        """
        member = self._member
        match payload["type"]:
            case "command":
                return member.command_by_id(
                    int(payload["command_id"]), self._channel_of(payload), payload["options"]
                )
            case "autocomplete":
                return member.autocomplete_by_id(
                    int(payload["command_id"]), self._channel_of(payload), payload["options"]
                )
            case "press":
                return member.press(self._message_of(payload), custom_id=payload["custom_id"])
            case "choose":
                custom_id = payload["custom_id"]
                return member.choose(self._message_of(payload), *payload["values"], custom_id=custom_id)
            case "submit":
                return member.submit(int(payload["interaction_id"]), _modal_values(payload["components"]))
            case other:
                self._act_without_bot(other, payload)
                return None

    def _act_without_bot(self, action: str, payload: JsonObject) -> None:
        """Do what needs no response of the bot.  Raises ValueError for an unknown action."""
        member = self._member
        match action:
            case "say":
                member.say(payload["content"], self._channel_of(payload))
            case "open_dm":
                self._send({"type": "channel", "channel": payloads.channel(self._world, member.dm)})
            case "settings":
                member.set_dms_closed(closed=bool(payload["dms_closed"]))
            case "dismiss":
                member.dismiss(self._message_of(payload))
            case "delete_message":
                member.delete_message(self._message_of(payload))
            case "delete_channel":
                member.delete_channel(self._channel_of(payload))
            case "archive":
                archived, locked = bool(payload["archived"]), bool(payload.get("locked"))
                member.set_archived(self._channel_of(payload), archived=archived, locked=locked)
            case "permissions":
                member.set_denied_permissions(self._channel_of(payload), *payload["deny"])
            case "leave":
                member.leave()
            case "rejoin":
                member.rejoin()
            case _:
                raise ValueError(f"the page cannot ask for {action!r}")

    def _channel_of(self, payload: JsonObject) -> Channel:
        return self._world.channels[int(payload["channel_id"])]

    def _message_of(self, payload: JsonObject) -> Message:
        message = self._channel_of(payload).messages.get(int(payload["message_id"]))
        if message is None:
            raise ClientRefusal("This message was deleted.")
        return message

    async def _report_interaction(
        self, nonce: object, pending_result: Coroutine[object, object, InteractionResult | list[JsonObject]]
    ) -> None:
        """Send the window the states of an interaction."""
        self._send({"type": "interaction", "nonce": nonce, "state": "waiting"})
        try:
            result = await pending_result
        except (InteractionFailed, *_REQUEST_ERRORS) as error:
            self._send_failure(nonce, str(error))
            return
        if isinstance(result, list):
            self._send({"type": "autocomplete", "nonce": nonce, "choices": result})
        elif result.response.modal is not None:
            modal = {key: result.modal[key] for key in ("custom_id", "title", "components")}
            payload = {"type": "modal", "nonce": nonce, "interaction_id": str(result.interaction.id)}
            self._send(payload | modal)
        self._send({"type": "interaction", "nonce": nonce, "state": "done"})

    def _send_failure(self, nonce: object, reason: str) -> None:
        self._send({"type": "interaction", "nonce": nonce, "state": "failed", "reason": reason})


def _modal_values(components: list[JsonObject]) -> dict[str, object]:
    """Return the values of a filled-in modal by custom_id."""
    controls = [each for each in payloads.walk_components(components) if "custom_id" in each]
    return {control["custom_id"]: control.get("values", control.get("value")) for control in controls}
