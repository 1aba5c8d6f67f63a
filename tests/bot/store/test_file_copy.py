"""Copying a database's file and comparing the copy go in steps, between which they can be interrupted."""

import os
import threading
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest

from bot.store import file_copy
from bot.store.file_copy import Interrupted, Interruption, copy_file, is_copy
from bot.store.inspection import open_read_only
from bot.store.protocol import StoreError

FILE_SIZE = 8 << 20
"""Bytes of a file: that of a quiet server's database."""

LONG_QUERY = (
    "with recursive numbers(n) as (select 1 union all select n + 1 from numbers limit 10000000)"
    " select count(*) from numbers"
)


class InterruptionAtStep(Interruption):
    """An interruption that comes between two steps."""

    def __init__(self, step_count: int) -> None:
        """``step_count``: how many steps are done before it."""
        super().__init__()
        self.steps_left = step_count

    def raise_if_set(self) -> None:
        """Raise Interrupted after the steps."""
        if not self.steps_left:
            raise Interrupted
        self.steps_left -= 1


@pytest.mark.parametrize("work", [copy_file, is_copy])
def test_an_interruption_ends_a_copy_after_the_step_under_way(
    tmp_path: Path, work: Callable[[int, Path, Interruption], bool | None]
) -> None:
    """So a stop during a backup waits for no more than one of many steps."""
    source, target = tmp_path / "source", tmp_path / "target"
    source.touch()
    os.truncate(source, FILE_SIZE)
    with source.open("rb") as file:
        copy_file(file.fileno(), target, Interruption())
        assert is_copy(file.fileno(), target, Interruption())
        with pytest.raises(Interrupted):
            work(file.fileno(), target, InterruptionAtStep(4))
    assert target.stat().st_size == FILE_SIZE if work is is_copy else target.stat().st_size <= FILE_SIZE // 2


def test_a_copy_is_flushed_bit_by_bit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else a commit that comes at its end would wait until all of it is on the disk."""
    source, target = tmp_path / "source", tmp_path / "target"
    source.touch()
    os.truncate(source, FILE_SIZE)
    flushed_sizes = [0]
    monkeypatch.setattr(os, "fdatasync", lambda _: flushed_sizes.append(target.stat().st_size))
    with source.open("rb") as file:
        copy_file(file.fileno(), target, Interruption())
    steps = [after - before for before, after in pairwise([*flushed_sizes, FILE_SIZE])]
    assert max(steps) <= file_copy._BYTES_PER_FLUSH < FILE_SIZE


def run_long_query(path: Path, interruption: Interruption) -> None:
    """Run a query that takes seconds, unless it is interrupted."""
    with open_read_only(path) as connection, interruption.extended_to(connection):
        connection.execute(LONG_QUERY).fetchall()


def test_an_interruption_ends_a_query(tmp_path: Path) -> None:
    """So a stop during a backup does not wait for the inspection of a large copy; none is begun after it."""
    path, interruption = tmp_path / "tables.db", Interruption()
    path.touch()
    threading.Timer(0.1, interruption.set).start()
    with pytest.raises(StoreError):
        run_long_query(path, interruption)
    with pytest.raises(Interrupted):
        run_long_query(path, interruption)
