"""The page's sockets: one for each open window, each acting as one member of the server."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Coroutine

from aiohttp import WSMsgType, web

from bot.local import payloads
from bot.local.api_errors import Json
from bot.local.command_input import NotPossible
from bot.local.interactions import Interactions
from bot.local.model import Channel, Message, User, WorldEvent
from bot.local.people import InteractionFailed, InteractionResult, Member
from bot.local.world import World

_HISTORY_LENGTH = 50
_log = logging.getLogger(__name__)


def person_payload(user: User) -> Json:
    """A user as the page's list of members shows them."""
    return payloads.user(user) | {
        "name": user.name,
        "colour": user.colour,
        "bot": user.bot,
        "joined": user.joined,
        "dms_closed": user.dms_closed,
    }


class PageSockets:
    """All windows of the page."""

    def __init__(self, world: World, interactions: Interactions) -> None:
        self._world = world
        self._interactions = interactions
        self._open: set[web.WebSocketResponse] = set()

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """Serve one window."""
        wanted = request.query.get("as", "")
        user = self._world.users.get(int(wanted) if wanted.isdecimal() else self._world.owner.id)
        if user is None or user.bot:
            raise web.HTTPNotFound(text="There is no such member.")
        socket = web.WebSocketResponse(heartbeat=30.0)
        await socket.prepare(request)
        self._open.add(socket)
        window = _PageWindow(self._world, Member(self._world, self._interactions, user))
        stop = self._world.listen(window.heard)
        pump = asyncio.create_task(window.pump(socket))
        try:
            async for received in socket:
                if received.type is WSMsgType.TEXT:
                    window.received(received.data)
        finally:
            stop()
            pump.cancel()
            window.close()
            self._open.discard(socket)
        return socket

    async def stop(self) -> None:
        """Close every window's socket."""
        for socket in tuple(self._open):
            await socket.close()


class _PageWindow:
    """One window: what it is told, and what its person does."""

    def __init__(self, world: World, member: Member) -> None:
        self._world = world
        self._member = member
        self._user = member.user
        self._queue: asyncio.Queue[Json] = asyncio.Queue()
        self._tasks: set[asyncio.Task[None]] = set()
        self._tell(self._hello())

    async def pump(self, socket: web.WebSocketResponse) -> None:
        """Send what is to be told until the socket closes."""
        while True:
            try:
                await socket.send_str(json.dumps(await self._queue.get(), separators=(",", ":")))
            except ConnectionError:
                return

    def close(self) -> None:
        """Give up what the window was waiting for."""
        for task in self._tasks:
            task.cancel()

    def _tell(self, payload: Json) -> None:
        self._queue.put_nowait(payload)

    # What the window is told

    def _hello(self) -> Json:
        world = self._world
        seen = [channel for channel in world.channels.values() if world.can_see(self._user, channel)]
        history = {str(channel.id): self._member.messages(channel)[-_HISTORY_LENGTH:] for channel in seen}
        return {
            "type": "hello",
            "me": person_payload(self._user),
            "members": self._people(),
            "guild": {"id": str(world.guild_id), "name": world.guild_name},
            "channels": [payloads.channel(world, channel) for channel in seen],
            "commands": world.commands,
            "dms_closed": self._user.dms_closed,
            "messages": {
                channel_id: [payloads.message(world, message) for message in messages]
                for channel_id, messages in history.items()
            },
        }

    def _people(self) -> list[Json]:
        return [person_payload(user) for user in (*self._world.people(), self._world.bot)]

    def heard(self, event: WorldEvent) -> None:
        """Tell the window of an event that its person sees."""
        world, channel, message = self._world, event.channel, event.message
        if event.name == "COMMANDS":
            self._tell({"type": "commands", "commands": world.commands})
        elif event.name == "PEOPLE":
            self._tell({"type": "people", "members": self._people()})
        elif event.name.startswith("GUILD_MEMBER") and event.user is self._user:
            self._tell(self._hello())  # somebody who left or came back sees other channels
        elif message is not None:
            if world.visible(self._user, message):
                self._message(event.name, message)
        elif channel is not None:
            self._channel(event.name, channel)

    def _message(self, name: str, message: Message) -> None:
        if name == "MESSAGE_DELETE":
            about = {"id": str(message.id), "channel_id": str(message.channel.id)}
            self._tell({"type": "message_delete"} | about)
        else:
            kind = "message" if name == "MESSAGE_CREATE" else "message_update"
            self._tell({"type": kind, "message": payloads.message(self._world, message)})

    def _channel(self, name: str, channel: Channel) -> None:
        if name in ("CHANNEL_DELETE", "THREAD_DELETE"):
            self._tell({"type": "channel_delete", "id": str(channel.id)})
        elif self._world.can_see(self._user, channel):
            self._tell({"type": "channel", "channel": payloads.channel(self._world, channel)})

    # What its person does

    def received(self, text: str) -> None:
        """Do what the window asks for; what is impossible is told where the page can show it."""
        payload = json.loads(text)
        nonce = payload.get("nonce")
        try:
            work = self._act(payload)
        except (NotPossible, KeyError, ValueError) as error:
            _log.info("the page asked for something impossible: %r", error)
            self._failed(nonce, str(error))
            return
        if work is not None:
            task = asyncio.create_task(self._wait(nonce, work))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    def _act(self, payload: Json) -> Coroutine[object, object, InteractionResult | list[Json]] | None:
        member = self._member
        match payload["type"]:
            case "command":
                return member.invoke(int(payload["command_id"]), self._place(payload), payload["options"])
            case "autocomplete":
                return member.suggest(int(payload["command_id"]), self._place(payload), payload["options"])
            case "press":
                return member.press(self._message_of(payload), custom_id=payload["custom_id"])
            case "choose":
                custom_id = payload["custom_id"]
                return member.choose(self._message_of(payload), *payload["values"], custom_id=custom_id)
            case "submit":
                return member.submit(int(payload["interaction_id"]), _modal_values(payload["components"]))
            case other:
                self._at_once(other, payload)
                return None

    def _at_once(self, kind: str, payload: Json) -> None:
        member = self._member
        match kind:
            case "say":
                member.say(payload["content"], self._place(payload))
            case "open_dm":
                self._tell({"type": "channel", "channel": payloads.channel(self._world, member.dm)})
            case "settings":
                member.close_dms(closed=bool(payload["dms_closed"]))
            case "dismiss":
                member.dismiss(self._message_of(payload))
            case "delete_message":
                member.delete_message(self._message_of(payload))
            case "delete_channel":
                member.delete_channel(self._place(payload))
            case "archive":
                archived, locked = bool(payload["archived"]), bool(payload.get("locked"))
                member.archive(self._place(payload), archived=archived, locked=locked)
            case "permissions":
                member.deny(self._place(payload), *payload["deny"])
            case "leave":
                member.leave()
            case "rejoin":
                member.rejoin()
            case _:
                raise ValueError(f"the page cannot ask for {kind!r}")

    def _place(self, payload: Json) -> Channel:
        return self._world.channels[int(payload["channel_id"])]

    def _message_of(self, payload: Json) -> Message:
        message = self._place(payload).messages.get(int(payload["message_id"]))
        if message is None:
            raise NotPossible("This message was deleted.")
        return message

    async def _wait(
        self, nonce: object, work: Coroutine[object, object, InteractionResult | list[Json]]
    ) -> None:
        """Tell how an interaction goes."""
        self._tell({"type": "interaction", "nonce": nonce, "state": "waiting"})
        try:
            outcome = await work
        except (InteractionFailed, NotPossible, KeyError, ValueError) as error:
            self._failed(nonce, str(error))
            return
        if isinstance(outcome, list):
            self._tell({"type": "autocomplete", "nonce": nonce, "choices": outcome})
        elif outcome.response.modal is not None:
            about = {key: outcome.modal[key] for key in ("custom_id", "title", "components")}
            opened = {"type": "modal", "nonce": nonce, "interaction_id": str(outcome.interaction.id)}
            self._tell(opened | about)
        self._tell({"type": "interaction", "nonce": nonce, "state": "done"})

    def _failed(self, nonce: object, reason: str) -> None:
        self._tell({"type": "interaction", "nonce": nonce, "state": "failed", "reason": reason})


def _modal_values(components: list[Json]) -> dict[str, object]:
    """What a modal was filled in with, by custom_id."""
    filled = [one for one in payloads.walk_components(components) if "custom_id" in one]
    return {one["custom_id"]: one.get("values", one.get("value")) for one in filled}
