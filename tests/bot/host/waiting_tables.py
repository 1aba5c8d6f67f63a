"""A table that waits for one of its players, while time passes."""

from bot.host.deciders.decision import Decision
from bot.host.housekeeping import Housekeeping
from bot.store.clock_rows import DAY, HOUR, TimeControl
from tests.bot.host.chat_table import ChatTable
from tests.bot.host.fake_chat import FakeMessage
from tests.bot.host.playing import FIRST_USER, GAMES_AND_TOYS, default_setup
from tests.bot.host.scripted_courier import run_outbox

SEAT_COUNT = 4
SETUP = default_setup(GAMES_AND_TOYS["currents"], SEAT_COUNT)
UTC_NOON = 1_790_000_000 // DAY * DAY + 12 * HOUR


class WaitingTable(ChatTable):
    """A table of four that waits for one of them, while time passes."""

    async def pass_time(self, seconds: float, step: float = HOUR / 4) -> None:
        """Let time pass; do and send what is due after each step."""
        end = self.clock.now + seconds
        while self.clock.now < end:
            self.clock.now = min(end, self.clock.now + step)
            await Housekeeping(self.tables).do_due_work_at_tables()
            await self.send_due()

    async def pass_time_and_get_reminders(self, seconds: float, step: float = HOUR / 4) -> list[FakeMessage]:
        """Let time pass; return the reminders that were posted meanwhile and stand now."""
        earlier_ids = {message.id for message in self.reminders()}
        await self.pass_time(seconds, step)
        return [message for message in self.reminders() if message.id not in earlier_ids]

    async def send_due(self) -> None:
        """Send what is due, without waiting."""
        await run_outbox(self.outbox, self.number)

    def reminders(self) -> list[FakeMessage]:
        """Return the reminders that stand."""
        return [message for message in self.chat.public_messages() if "Reminder:" in message.content]

    def early_notices(self) -> list[FakeMessage]:
        """Return the early notices that stand."""
        return [message for message in self.chat.messages.values() if "You are next" in message.content]

    async def user_to_act(self) -> int:
        """Return whose turn it is."""
        seat = (await self.tables.get(self.number)).to_act
        assert seat is not None
        return FIRST_USER + seat

    async def set_time_control(self, control: TimeControl | None) -> None:
        """Set the clock of the table."""
        await self.tables.change(
            self.number,
            None,
            lambda current: Decision(table=current.with_row(time_control=control), answer=""),
        )
