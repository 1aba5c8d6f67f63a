"""Who is pinged, and what everybody can see of a game."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable
from typing import Any

import pytest

from bot.local.api_errors import JsonObject
from bot.local.messages import create_message
from bot.local.model import Channel, ChannelType, Message, User
from bot.local.world import World
from tests.bot.e2e.observe import ObservedMessage, can_ping_anybody, format_violation, read_response
from tests.bot.e2e.rig import PLAYER_NAMES, Rig
from tests.trials import trial_count

MAX_BOARDS = trial_count(5, soak=1000)
"""After so many boards the game is left; one has about a hundred."""
_SUIT_LETTERS = {"♣": "C", "♦": "D", "♥": "H", "♠": "S"}
_CARD_PATTERN = re.compile(r"(?<![0-9A-Za-z])(10|[2-9JQKA])([CDHS♣♦♥♠])(?![0-9A-Za-z])")


def cards_in(text: str) -> set[str]:
    """Return the cards that a text names, as codes."""
    return {rank + _SUIT_LETTERS.get(suit, suit) for rank, suit in _CARD_PATTERN.findall(text)}


def find_leaks(messages: Iterable[ObservedMessage], held_cards: set[str], public_cards: set[str]) -> set[str]:
    """Return the cards in ``held_cards``, not known to all before, that something public names."""
    cards = set()
    for message in messages:
        if not message.is_private:
            words = (
                message.text,
                *message.ids_and_values,
                *message.labels,
                *message.files,
                message.channel.name,
            )
            cards |= {card for word in words for card in cards_in(word)}
    return (cards & held_cards) - public_cards


@pytest.mark.asyncio(loop_scope="module")
async def test_each_turn_pings_its_player_once_and_nothing_public_names_a_held_card(rig: Rig) -> None:
    """Who must act next is pinged, once, and nobody else; nothing public names a held card."""
    game = await rig.start_game(*PLAYER_NAMES)
    game.rng = random.Random(11)
    public_cards: set[str] = set()
    first_index = 0
    asked_users: list[int] = []
    held_card_count = 0
    board: Message | None = await game.current_board()
    while board is not None and len(asked_users) < MAX_BOARDS:
        asked_users.append(game.require_member_to_act(board).user.id)
        held_cards = set()
        for member in game.people:
            member.channel = board.channel
            held_cards |= cards_in(await read_response(await member.press(board, "My hand")))
        held_card_count += len(held_cards)
        recent = rig.observed[first_index:]
        first_index = len(rig.observed)
        assert not find_leaks(recent, held_cards, public_cards)
        board_text = await read_response(await game.people[0].command("board", text=True))
        public_cards |= cards_in(board_text) - held_cards
        public_cards |= {
            card for observed in recent if not observed.is_private for card in cards_in(observed.text)
        } - held_cards
        await game.make_move_on(board)
        board = await game.next_board()
    if board is not None:
        asked_users.append(game.require_member_to_act(board).user.id)
    assert held_card_count > 3 * (len(asked_users) - 1), "hands were not read"
    with_mention = [
        observed
        for observed in rig.observed
        if observed.event_name == "MESSAGE_CREATE" and not observed.is_private and observed.mentions
    ]
    assert all(
        len(observed.mentions) == 1 and not observed.message.mention_everyone for observed in with_mention
    )
    pings = [observed.mentions[0] for observed in with_mention]
    users_asked_in_turn = [user for i, user in enumerate(asked_users) if i == 0 or asked_users[i - 1] != user]
    assert pings == users_asked_in_turn


@pytest.mark.parametrize("field", ["text", "ids_and_values", "labels", "files"])
def test_a_leak_is_noticed(field: str) -> None:
    """The check sees a card in a text, an id, a label or a file's name, unless the message is private."""
    channel = Channel(1, ChannelType.TEXT, "games", 0.0)
    message = Message(2, channel, User(3, "Bot"), 0.0)
    planted: dict[str, Any] = {"text": "", "ids_and_values": (), "labels": (), "files": ()}
    planted[field] = "Ava holds 10♥." if field == "text" else ("c1:1:1:do:current 10H N2",)
    for is_private in (False, True):
        observed = ObservedMessage(
            "MESSAGE_CREATE", message, channel, mentions=(), is_private=is_private, **planted
        )
        assert find_leaks([observed], {"10H", "2C"}, set()) == (set() if is_private else {"10H"})
        assert not find_leaks([observed], {"10H", "2C"}, {"10H"})
        assert not find_leaks([observed], {"2C"}, set())


def test_a_text_that_lists_no_users_can_ping_anybody() -> None:
    """It says nothing about mentions, or lets its text decide; one with a list of ids cannot."""
    text = {"content": "@everyone"}
    assert can_ping_anybody(text)
    assert can_ping_anybody({"type": 4, "data": text | {"allowed_mentions": {"parse": ["everyone"]}}})
    assert not can_ping_anybody(text | {"allowed_mentions": {"parse": [], "users": ["1"]}})
    assert can_ping_anybody({"components": [{"type": 17, "components": [{"type": 10, **text}]}]})
    assert not can_ping_anybody({"components": []})


def test_messages_in_the_wrong_format_are_noticed() -> None:
    """A private page must be a layout, a mention must be classic and name its game; else it is noticed."""
    world = World()
    ava, lobby = world.owner, world.text_channels()[0]
    text = f"**Currents · No. 1**\n<@{ava.id}>, your turn."
    page: JsonObject = {"components": [{"type": 10, "content": text}], "flags": 1 << 15}

    def find_violation(
        body: JsonObject, only_for: User | None = None, channel: Channel = lobby
    ) -> str | None:
        return format_violation(world, create_message(world, channel, world.bot, body, {}, only_for=only_for))

    assert find_violation({"content": text}) is None
    assert find_violation(page, ava) is None
    assert find_violation({"content": text}, channel=world.open_dm(ava)) is None
    assert find_violation({"content": text}, ava) == "a private page is classic"
    assert find_violation(page) == "a message for others is a layout"
    assert find_violation(page, channel=world.open_dm(ava)) == "a message for others is a layout"
    unnamed_violation = "Ava's lock screen does not say which game it is about"
    assert find_violation({"content": f"<@{ava.id}>, your turn."}) == unnamed_violation
    assert find_violation({"content": "Your turn."}, channel=world.open_dm(ava)) == unnamed_violation


def test_numbers_and_names_are_no_cards() -> None:
    """Numbers, seeds and names are not taken for cards; both ways to write a card are."""
    assert cards_in("10♥ and AS, c1:1:1:do:current 5C N2") == {"10H", "AS", "5C"}
    assert cards_in("**Currents · No. 10** seed 5c7d9h NS A · Ava") == set()
