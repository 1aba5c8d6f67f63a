"""The file of ``/mydata``."""

import io
import json
import zipfile
from typing import Any

from bot import limits
from bot.chat.data_commands import data_file


def _personal_data(move_count: int) -> dict[str, Any]:
    moves = [
        {
            "number": n // 500,
            "ply": n % 500,
            "action": f"place {n * 7919 % 1009}",
            "at": 1_790_000_000 + 37 * n,
        }
        for n in range(move_count)
    ]
    return {"user": 100, "moves": moves}


def test_data_too_large_for_discord_are_packed() -> None:
    """Data come as plain text; those of very many games as an archive of that text, which Discord takes."""
    small_data, large_data = _personal_data(3), _personal_data(120_000)
    name, content = data_file(small_data)
    assert name == "my-data.json"
    assert json.loads(content) == small_data
    name, content = data_file(large_data)
    assert name == "my-data.zip"
    assert len(content) < limits.FILE_BYTES // 5
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert archive.namelist() == ["my-data.json"]
        assert archive.getinfo("my-data.json").file_size > limits.FILE_BYTES
        assert json.loads(archive.read("my-data.json")) == large_data
