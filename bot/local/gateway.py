"""The Gateway: the bot's sessions over websockets [Discord: Gateway, v10]."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections import deque
from enum import IntEnum

from aiohttp import WSCloseCode, WSMsgType, web

from bot.local import payloads
from bot.local.access import equals_secret
from bot.local.api_errors import JsonObject
from bot.local.compression import Compressor, make_compressor
from bot.local.model import Channel, ChannelType, WorldEvent
from bot.local.permissions import Permission
from bot.local.world import World

HEARTBEAT_INTERVAL_MS = 41_250
ACK_DELAY = 0.02  # seconds before a heartbeat is acknowledged: discord.py first has to note that it sent one
MAX_KEPT_EVENTS = 2_000  # how many events a session keeps for its resumption
MAX_DISCONNECTED_SESSIONS = 4  # how many are kept for their resumption


class Opcode(IntEnum):
    """Gateway opcodes."""

    DISPATCH = 0
    HEARTBEAT = 1
    IDENTIFY = 2
    PRESENCE_UPDATE = 3
    VOICE_STATE_UPDATE = 4
    RESUME = 6
    RECONNECT = 7
    REQUEST_GUILD_MEMBERS = 8
    INVALID_SESSION = 9
    HELLO = 10
    HEARTBEAT_ACK = 11


class CloseCode(IntEnum):
    """Gateway close codes."""

    UNKNOWN_ERROR = 4000
    UNKNOWN_OPCODE = 4001
    NOT_AUTHENTICATED = 4003
    AUTHENTICATION_FAILED = 4004
    DISALLOWED_INTENTS = 4014


class Intent(IntEnum):
    """The intents that decide which events a session gets; privileged ones are refused."""

    GUILDS = 1 << 0
    GUILD_MEMBERS = 1 << 1
    GUILD_PRESENCES = 1 << 8
    GUILD_MESSAGES = 1 << 9
    DIRECT_MESSAGES = 1 << 12
    MESSAGE_CONTENT = 1 << 15


_PRIVILEGED_INTENTS = Intent.GUILD_MEMBERS | Intent.GUILD_PRESENCES | Intent.MESSAGE_CONTENT


class GatewayConnection:
    """One websocket with a queue, so that a sender never waits."""

    def __init__(
        self, socket: web.WebSocketResponse, transport: asyncio.Transport | None, compress: Compressor | None
    ) -> None:
        self.socket = socket
        self._transport = transport
        self._compress = compress
        self._queue: asyncio.Queue[JsonObject | int] = asyncio.Queue()

    def send(self, payload: JsonObject) -> None:
        """Send a payload after those already waiting."""
        self._queue.put_nowait(payload)

    def close(self, code: int) -> None:
        """Close with `code` after what is waiting has been sent."""
        self._queue.put_nowait(code)

    def cut(self) -> None:
        """Break the connection at once, without a closing handshake."""
        if self._transport is not None:
            self._transport.abort()

    async def send_queued(self) -> None:
        """Send what is queued until the connection ends."""
        while True:
            item = await self._queue.get()
            if isinstance(item, int):
                await self.socket.close(code=item)
                return
            text = json.dumps(item, separators=(",", ":"))
            try:
                if self._compress is None:
                    await self.socket.send_str(text)
                else:
                    await self.socket.send_bytes(self._compress(text.encode()))
            except ConnectionError:
                return


class Session:
    """A session of the bot; it outlives its connection, so that it can be resumed."""

    def __init__(self, intents: int) -> None:
        self.id = secrets.token_hex(16)
        self.intents = intents
        self.sequence = 0
        self.kept_events: deque[JsonObject] = deque(maxlen=MAX_KEPT_EVENTS)  # those not sent yet included
        self.connection: GatewayConnection | None = None
        self.is_silenced = False
        """Whether the session gets no events until it is resumed, although heartbeats are acknowledged."""

    def dispatch(self, name: str, data: JsonObject) -> None:
        """Send the bot an event, now or when it resumes the session."""
        self.sequence += 1
        payload: JsonObject = {"op": int(Opcode.DISPATCH), "t": name, "s": self.sequence, "d": data}
        self.kept_events.append(payload)
        if self.connection is not None and not self.is_silenced:
            self.connection.send(payload)


class Gateway:
    """All sessions of the bot."""

    def __init__(self, world: World, token: str) -> None:
        self._world = world
        self._token = token
        self.url = ""  # the server fills it in
        self.sessions: dict[str, Session] = {}
        self._connections: set[GatewayConnection] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        world.listen(self._on_event)

    @property
    def is_connected(self) -> bool:
        """Whether a bot is connected and identified."""
        return any(session.connection is not None for session in self.sessions.values())

    async def serve(self, request: web.Request) -> web.StreamResponse:
        """Serve one websocket."""
        if request.query.get("encoding", "json") != "json":
            raise web.HTTPBadRequest(text="only encoding=json")
        try:
            compress = make_compressor(request.query.get("compress"))
        except ValueError as error:
            raise web.HTTPBadRequest(text=str(error)) from None
        socket = web.WebSocketResponse(max_msg_size=4096, compress=False)
        await socket.prepare(request)
        connection = GatewayConnection(socket, request.transport, compress)
        self._connections.add(connection)
        sender = asyncio.create_task(connection.send_queued())
        self._tasks.add(sender)
        sender.add_done_callback(self._tasks.discard)
        connection.send({"op": int(Opcode.HELLO), "d": {"heartbeat_interval": HEARTBEAT_INTERVAL_MS}})
        session: Session | None = None
        try:
            async for received in socket:
                if received.type is WSMsgType.TEXT:
                    session = self._handle_payload(connection, session, json.loads(received.data))
        finally:
            sender.cancel()
            self._connections.discard(connection)
            if session is not None and session.connection is connection:
                session.connection = None
                if socket.close_code in (WSCloseCode.OK, WSCloseCode.GOING_AWAY):
                    self.sessions.pop(session.id, None)  # a normal closure by the client ends the session
        return socket

    def _handle_payload(
        self, connection: GatewayConnection, session: Session | None, payload: JsonObject
    ) -> Session | None:
        match payload.get("op"):
            case Opcode.HEARTBEAT:
                ack = {"op": int(Opcode.HEARTBEAT_ACK), "d": None}
                asyncio.get_running_loop().call_later(ACK_DELAY, connection.send, ack)
            case Opcode.IDENTIFY:
                return self._identify(connection, payload["d"])
            case Opcode.RESUME:
                return self._resume(connection, payload["d"])
            case Opcode.REQUEST_GUILD_MEMBERS if session is not None:
                self._send_members(session, payload["d"])
            case Opcode.PRESENCE_UPDATE | Opcode.VOICE_STATE_UPDATE | Opcode.REQUEST_GUILD_MEMBERS:
                if session is None:  # presence and voice have no effect here
                    connection.close(CloseCode.NOT_AUTHENTICATED)
            case _:
                connection.close(CloseCode.UNKNOWN_OPCODE)
        return session

    def _identify(self, connection: GatewayConnection, data: JsonObject) -> Session | None:
        if not equals_secret(data.get("token"), self._token):
            connection.close(CloseCode.AUTHENTICATION_FAILED)
            return None
        intents = int(data.get("intents", 0))
        if intents & _PRIVILEGED_INTENTS:
            connection.close(CloseCode.DISALLOWED_INTENTS)
            return None
        world = self._world
        disconnected_ids = [each.id for each in self.sessions.values() if each.connection is None]
        for session_id in disconnected_ids[:-MAX_DISCONNECTED_SESSIONS]:
            del self.sessions[session_id]
        session = Session(intents)
        self.sessions[session.id] = session
        session.connection = connection
        guilds = [{"id": str(world.guild_id), "unavailable": True}] if world.is_bot_in_guild else []
        ready: JsonObject = {
            "v": 10,
            "user": payloads.own_user(world),
            "guilds": guilds,
            "session_id": session.id,
            "resume_gateway_url": self.url,
            "session_type": "normal",
            "private_channels": [],
            "application": {"id": str(world.application_id), "flags": 0},
        }
        if "shard" in data:
            ready["shard"] = data["shard"]
        session.dispatch("READY", ready)
        if guilds and intents & Intent.GUILDS:
            session.dispatch("GUILD_CREATE", payloads.guild_create(world) | {"unavailable": False})
        return session

    def _send_members(self, session: Session, data: JsonObject) -> None:
        """Answer a request for members by their ids; requests for all members would need an intent."""
        world, user_ids = self._world, data.get("user_ids", [])
        users_by_id = {str(user.id): user for user in world.users.values() if user.is_member}
        ids = [str(each) for each in (user_ids if isinstance(user_ids, list) else [user_ids])]
        found_users = [users_by_id[each] for each in ids if each in users_by_id]
        chunk: JsonObject = {
            "guild_id": str(world.guild_id),
            "members": [payloads.member(world, user) | {"user": payloads.user(user)} for user in found_users],
            "not_found": [each for each in ids if each not in users_by_id],
            "chunk_index": 0,
            "chunk_count": 1,
        }
        if "nonce" in data:
            chunk["nonce"] = data["nonce"]
        session.dispatch("GUILD_MEMBERS_CHUNK", chunk)

    def _resume(self, connection: GatewayConnection, data: JsonObject) -> Session | None:
        if not equals_secret(data.get("token"), self._token):
            connection.close(CloseCode.AUTHENTICATION_FAILED)
            return None
        session = self.sessions.get(data.get("session_id", ""))
        last_sequence = int(data.get("seq") or 0)
        oldest_sequence = session.kept_events[0]["s"] if session is not None and session.kept_events else 1
        if session is None or last_sequence < oldest_sequence - 1 or last_sequence > session.sequence:
            connection.send({"op": int(Opcode.INVALID_SESSION), "d": False})
            return None
        if session.connection is not None:
            session.connection.close(CloseCode.UNKNOWN_ERROR)
        session.connection, session.is_silenced = connection, False
        for payload in session.kept_events:
            if payload["s"] > last_sequence:
                connection.send(payload)
        session.dispatch("RESUMED", {})
        return session

    # Events

    def dispatch(self, name: str, data: JsonObject, intent: int = 0) -> None:
        """Send an event to every session that has `intent` (0: to all)."""
        for session in self.sessions.values():
            if not intent or session.intents & intent:
                session.dispatch(name, data)

    def _on_event(self, event: WorldEvent) -> None:
        """Translate an event of the world to gateway events."""
        world, channel, message = self._world, event.channel, event.message
        if event.name == "GUILD_DELETE":
            self.dispatch("GUILD_DELETE", {"id": str(world.guild_id)}, Intent.GUILDS)
        elif event.name == "GUILD_CREATE":
            self.dispatch("GUILD_CREATE", payloads.guild_create(world), Intent.GUILDS)
        elif event.role_id is not None:
            role = payloads.role(event.role_id, world.roles[event.role_id])
            self.dispatch(event.name, {"guild_id": str(world.guild_id), "role": role}, Intent.GUILDS)
        elif message is not None and not message.ephemeral and self._is_reachable(message.channel):
            in_dm = message.channel.type is ChannelType.DM
            intent = Intent.DIRECT_MESSAGES if in_dm else Intent.GUILD_MESSAGES
            if event.name == "MESSAGE_DELETE":
                data: JsonObject = {"id": str(message.id), "channel_id": str(message.channel.id)}
                if not in_dm:
                    data["guild_id"] = str(world.guild_id)
            else:
                data = payloads.message_event(world, message)
                if not in_dm and message.author is not world.bot:
                    data["content"] = ""  # only the privileged MESSAGE_CONTENT would show it
            self.dispatch(event.name, data, intent)
        elif message is None and channel is not None and self._is_reachable(channel):
            self._send_channel_event(event.name, channel)

    def _is_reachable(self, channel: Channel) -> bool:
        return channel.type is ChannelType.DM or self._world.is_bot_in_guild

    def _send_channel_event(self, name: str, channel: Channel) -> None:
        world = self._world
        if channel.type is ChannelType.DM:
            return  # API v10 sends no event for a DM channel that a request opened
        if name == "THREAD_DELETE" and channel.parent is not None and channel.parent.id not in world.channels:
            return  # the deletion of the parent channel includes its threads
        data = payloads.channel(world, channel)
        if name == "THREAD_CREATE":
            data["newly_created"] = True
        is_visible = bool(world.permissions(world.bot, channel) & Permission.VIEW_CHANNEL)
        if is_visible or name in ("CHANNEL_UPDATE", "CHANNEL_DELETE", "THREAD_DELETE"):
            self.dispatch(name, data, Intent.GUILDS)

    # Faults, for tests

    def cut_connections(self) -> None:
        """Cut every connection without a closing handshake; sessions stay."""
        for connection in tuple(self._connections):
            connection.cut()

    def silence_sessions(self) -> None:
        """Send no more events until sessions are resumed, but go on acknowledging heartbeats."""
        for session in self.sessions.values():
            session.is_silenced = True

    def request_reconnect(self) -> None:
        """Op 7: ask every client to reconnect and resume."""
        for connection in self._connections:
            connection.send({"op": int(Opcode.RECONNECT), "d": None})

    def invalidate_sessions(self, *, resumable: bool = False) -> None:
        """Op 9: declare every session invalid."""
        if not resumable:
            self.sessions.clear()
        for connection in self._connections:
            connection.send({"op": int(Opcode.INVALID_SESSION), "d": resumable})

    def replay_events(self, count: int, name: str | None = None) -> int:
        """Send the last `count` events (of that name) again, with new sequence numbers; return how many."""
        sent_count = 0
        for session in self.sessions.values():
            matching = [event for event in session.kept_events if event["t"] not in ("READY", "RESUMED")]
            matching = [event for event in matching if name is None or event["t"] == name]
            for event in matching[-count:]:
                session.dispatch(event["t"], event["d"])
                sent_count += 1
        return sent_count

    async def stop(self) -> None:
        """Close every connection."""
        for connection in tuple(self._connections):
            await connection.socket.close(code=WSCloseCode.GOING_AWAY)
