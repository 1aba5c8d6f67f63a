"""Which earlier page is deleted once a typed move is answered by a newer one."""

from types import SimpleNamespace
from typing import Any, cast

import pytest

from bot.chat.interaction import Interaction
from bot.chat.typed_pages import TypedPages
from tests.bot.host.fake_chat import http_error

TABLE, TURN_START = 5, 30


class TypedMove:
    """The interaction of a typed move, whose page may be deleted."""

    def __init__(self, interaction_id: int, user: int = 1) -> None:
        """``user``: who typed it."""
        self.id = interaction_id
        self.user = SimpleNamespace(id=user)
        self.has_expired = False
        self.error: Exception | None = None
        self.deletion_count = 0

    def is_expired(self) -> bool:
        """Whether Discord takes nothing about it any more."""
        return self.has_expired

    async def delete_original_response(self) -> None:
        """Delete its page."""
        self.deletion_count += 1
        if self.error is not None:
            raise self.error


async def _answer(
    pages: TypedPages,
    move: TypedMove,
    table: int = TABLE,
    turn_start: int = TURN_START,
    *,
    has_choices: bool = True,
) -> None:
    await pages.replace(cast("Interaction", move), table, turn_start, has_choices=has_choices)


async def test_a_newer_page_replaces_only_that_of_its_player_and_table() -> None:
    """Others' pages and those of other tables stay, and the result of a turn does."""
    pages, first, other_table, other_user = TypedPages(), TypedMove(1), TypedMove(2), TypedMove(3, user=2)
    await _answer(pages, first)
    await _answer(pages, other_table, TABLE + 1)
    await _answer(pages, other_user)
    assert first.deletion_count == 0
    result, next_turn = TypedMove(4), TypedMove(5)
    await _answer(pages, result, has_choices=False)
    await _answer(pages, next_turn)
    deletion_counts = [each.deletion_count for each in (first, other_table, other_user, result, next_turn)]
    assert deletion_counts == [1, 0, 0, 0, 0]


async def test_a_page_of_another_turn_stays() -> None:
    """A button on it may have shown the result of that turn in its place."""
    pages, moves = TypedPages(), [TypedMove(number) for number in range(3)]
    for move, turn_start in zip(moves, (10, TURN_START, TURN_START), strict=True):
        await _answer(pages, move, turn_start=turn_start)
    assert [move.deletion_count for move in moves] == [0, 1, 0]


@pytest.mark.parametrize("changes", [{"has_expired": True}, {"id": 2}])
async def test_a_page_that_cannot_or_must_not_be_deleted_is_left(changes: dict[str, Any]) -> None:
    """Discord takes no deletion after 15 minutes; and it may deliver one interaction twice."""
    pages, first = TypedPages(), TypedMove(1)
    vars(first).update(changes)
    await _answer(pages, first)
    await _answer(pages, TypedMove(2))
    assert first.deletion_count == 0


async def test_a_deletion_that_is_refused_holds_up_no_answer() -> None:
    """The player may have dismissed the page."""
    pages, first = TypedPages(), TypedMove(1)
    first.error = http_error(10008)
    await _answer(pages, first)
    await _answer(pages, TypedMove(2))
    assert first.deletion_count == 1


async def test_expired_pages_are_not_kept() -> None:
    """So that a bot which runs for months keeps few of them."""
    pages, moves = TypedPages(), [TypedMove(number, user=number) for number in range(5)]
    for move in moves:
        await _answer(pages, move)
        move.has_expired = True
    assert len(pages._pages) == 1
