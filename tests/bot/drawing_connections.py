"""Drawing processes for tests."""

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from unittest.mock import patch

from bot.drawing_connection import DrawingConnection
from bot.drawing_process import drawing_processes


@asynccontextmanager
async def open_drawing_connections() -> AsyncIterator[list[DrawingConnection]]:
    """Fork the drawing processes, also on a machine with one processor, and connect to each."""
    with patch.object(os, "sched_getaffinity", lambda _: {0, 1}), drawing_processes() as processes:
        connections = [await DrawingConnection.open(process) for process in processes]
        try:
            yield connections
        finally:
            for connection in connections:
                connection.stop()
            await asyncio.sleep(0)  # for the transports to close
