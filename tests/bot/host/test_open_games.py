"""A game without secrets sends nothing private of itself and offers no hand."""

import random
from typing import Any, cast

import pytest

from bot.chat import pages, posts
from bot.host.tables import Tables
from bot.store.delivery_rows import DeliveryKind, NewDelivery
from bot.store.sqlite import SqliteStore
from render.picture import OWN_BOARD
from tests.bot.host.playing import GAMES_AND_TOYS, begin, default_setup, make_move, request_of_person
from tests.bot.host.viewer_output import ResponseRecorder, message_fields, use_scenes_as_pictures
from tests.conformance.pictures import ALL_PICTURES
from tests.conformance.setups import games_with_secrets, open_games


class _RecordingStore(SqliteStore):
    """Remembers all that is queued to be sent."""

    queued_deliveries: list[NewDelivery]

    async def commit(self, change: Any) -> Any:
        """Note what is to be sent."""
        self.queued_deliveries = [*getattr(self, "queued_deliveries", []), *change.deliveries]
        return await super().commit(change)


async def _play_and_count_hands(store: SqliteStore, key: str) -> tuple[Tables, int, int]:
    """Play some moves; return the tables, the table's number and how many hands were queued."""
    store.__class__ = _RecordingStore
    tables = Tables(store, GAMES_AND_TOYS)
    number = await begin(tables, default_setup(GAMES_AND_TOYS[key]))
    rng = random.Random(1)
    for _ in range(8):
        await make_move(tables, number, rng)
    queued_deliveries = cast("_RecordingStore", store).queued_deliveries
    return tables, number, sum(each.slot.kind is DeliveryKind.HAND for each in queued_deliveries)


@pytest.mark.parametrize("key", open_games())
async def test_nothing_private_is_sent(store: SqliteStore, key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """No hand is queued, no page offers one, and ``/hand`` says where everything is shown."""
    tables, number, hand_count = await _play_and_count_hands(store, key)
    assert hand_count == 0
    table = await tables.get(number)
    assert table.to_act is not None
    assert "My hand" not in str(message_fields(posts.board_post(table, table.to_act)))
    monkeypatch.setattr("render.catalogue.PICTURES", ALL_PICTURES)
    for show in (pages.show_board, pages.show_board_text):
        recorder: Any = ResponseRecorder()
        with use_scenes_as_pictures():
            await show(tables, recorder, number)
        assert "My hand" not in str(recorder.answers)
    recorder = ResponseRecorder()
    await pages.show_hand(tables, recorder, number, request_of_person(0))
    ((_, pictures),) = recorder.answers
    assert pictures == []
    assert "Nothing is secret in this game" in str(recorder.answers)
    assert ("'My board'" in str(recorder.answers)) is (OWN_BOARD in ALL_PICTURES[key])


@pytest.mark.parametrize("key", games_with_secrets())
async def test_hands_are_sent_where_there_are_secrets(store: SqliteStore, key: str) -> None:
    """The same moves of a game with secrets send hands: the test above can fail."""
    *_, hand_count = await _play_and_count_hands(store, key)
    assert hand_count > 0
