"""Copying a database's file and comparing the copy go in steps, between which they can be interrupted."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from bot.store.file_copy import Interrupted, Interruption, copy_file, is_copy

FILE_SIZE = 8 << 20
"""Bytes of a file: that of a quiet server's database."""


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
