"""Seeded defects that several tests must catch: earlier seats and players are forgotten."""

import pytest

from bot.host.deciders import moderation
from bot.host.table import Table


def forget_earlier_seats(patch: pytest.MonkeyPatch) -> None:
    """Let anybody have any seat, whatever hand they have seen."""
    patch.setattr(Table, "may_hold", lambda table, user, seat: True)


def ask_present_players_only(patch: pytest.MonkeyPatch) -> None:
    """Ask no player who was replaced whether to roll back."""

    def present_users(
        table: Table, kept_length: int, asker: int | None, *, is_roll_back: bool = False
    ) -> tuple[int, ...]:
        del kept_length, is_roll_back
        return tuple(row.user for row in table.seats if row.user is not None and row.user != asker)

    patch.setattr(moderation, "users_to_ask", present_users)


def let_moderators_decide(patch: pytest.MonkeyPatch) -> None:
    """Let moderators roll back without asking anybody."""
    patch.setattr(moderation, "users_to_ask", lambda *_, **__: ())
