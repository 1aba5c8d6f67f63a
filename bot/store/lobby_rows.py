"""The stored values of a lobby: who may join it, when its players last acted, and its ready check."""

import enum
from collections.abc import Iterable

import msgspec

from bot.store.seat_rows import Person


class AdmissionRule(enum.Enum):
    """Who may join a lobby, by how reliable they were in their last games."""

    EVERYBODY = "everybody"
    NOT_OFTEN_AWAY = "not often away"
    RELIABLE = "reliable"


class Applicant(msgspec.Struct, frozen=True, gc=False):
    """Somebody without an invitation who asks to join a lobby that needs one."""

    user: int
    name: str
    """As it will be shown at the table."""


class LastSeen(msgspec.Struct, frozen=True, gc=False):
    """When somebody last acted at a lobby, in seconds since 1970."""

    user: int
    at: int


class ReadyCheck(msgspec.Struct, frozen=True, gc=False):
    """The question to everybody in a lobby whether they are still here, before the game starts."""

    id: int
    """The version of the table when it was asked: no other check of the table has it."""
    due: int
    """Until when they may answer, in seconds since 1970."""
    present_users: tuple[int, ...] = msgspec.field(default=(), name="present")
    """The users who have said that they are here."""
    can_open_thread: bool = False
    """Whether the bot could open a thread when the host pressed **Start**, or since then moved the lobby."""
    awaits_host: bool = False
    """Whether the time to answer is over, and the host may choose until ``due`` what follows."""
    channel_was_busy: bool = False
    """Whether another game was played in the channel when this one would have started."""


class LobbyState(msgspec.Struct, frozen=True, gc=False):
    """What is stored of a table while it waits for players, and what its game and a rematch keep of it."""

    admission_rule: AdmissionRule = AdmissionRule.EVERYBODY
    by_invitation: bool = False
    """Whether only those who are invited, or whom the host accepts, may join."""
    invited_users: tuple[int, ...] = msgspec.field(default=(), name="invited")
    """The users who were invited, also those who have joined since."""
    applicants: tuple[Applicant, ...] = ()
    """Those who ask to join and have no answer yet."""
    removed_users: tuple[int, ...] = msgspec.field(default=(), name="removed")
    """The users who had a seat and were removed."""
    declined_applicants: tuple[int, ...] = ()
    """The users whose request to join was declined."""
    declining_users: tuple[int, ...] = msgspec.field(default=(), name="declined")
    """The users who have declined an invitation: they are not invited again."""
    rematch_order: tuple[int | None, ...] = ()
    """The seats of a rematch in order: users, None for each computer player."""
    players_last_seen: tuple[LastSeen, ...] = ()
    ready_check: ReadyCheck | None = None
    shown_people: tuple[Person, ...] = msgspec.field(default=(), name="shown_names")
    """People without a seat whom the table's messages show, with those names: erasure looks for them."""
    parent_channel: int | None = None
    """The channel of the public thread in which the lobby stands; None: it stands in no such thread."""

    @property
    def barred_users(self) -> tuple[int, ...]:
        """The users who were removed or declined: they may not join unless invited."""
        return (*self.removed_users, *self.declined_applicants)

    @property
    def is_open_to_all(self) -> bool:
        """Whether anybody may join, except those who are barred: no condition is set."""
        return not self.by_invitation and self.admission_rule is AdmissionRule.EVERYBODY

    def as_over(self) -> "LobbyState":
        """Return the state of a lobby that is closed or whose game has begun: most of it is dropped."""
        return LobbyState(
            self.admission_rule,
            self.by_invitation,
            removed_users=self.removed_users,  # they get no open seat
            declined_applicants=self.declined_applicants,
            shown_people=self.shown_people,
            parent_channel=self.parent_channel,
        )

    def with_user_seen(self, user: int, now: int) -> "LobbyState":
        """Return the state with a user noted as having acted now, in seconds since 1970."""
        others = (each for each in self.players_last_seen if each.user != user)
        return msgspec.structs.replace(self, players_last_seen=(*others, LastSeen(user, now)))

    def with_shown_people(self, newly_shown: Iterable[Person]) -> "LobbyState":
        """Return the state with more people whom messages show, with the names shown."""
        people = tuple(dict.fromkeys((*self.shown_people, *newly_shown)))
        return self if people == self.shown_people else msgspec.structs.replace(self, shown_people=people)

    def waives_conditions_for(self, user: int) -> bool:
        """Whether a user may join whatever the host has set: invited, or a player of the game before."""
        return user in self.invited_users or user in self.rematch_order

    def without_invitation(self, user: int) -> "LobbyState":
        """Return the state in which a user is not invited."""
        return msgspec.structs.replace(
            self, invited_users=tuple(each for each in self.invited_users if each != user)
        )

    def without_bar(self, user: int) -> "LobbyState":
        """Return the state in which a user was neither removed nor declined."""
        return msgspec.structs.replace(
            self,
            removed_users=tuple(each for each in self.removed_users if each != user),
            declined_applicants=tuple(each for each in self.declined_applicants if each != user),
        )

    def without_applicant(self, user: int) -> "LobbyState":
        """Return the state in which a user does not ask to join."""
        applicants = tuple(each for each in self.applicants if each.user != user)
        return msgspec.structs.replace(self, applicants=applicants)

    def without_user(self, user: int) -> "LobbyState":
        """Return the state with nothing in it that names a user."""
        check = self.ready_check
        if check is not None:
            check = msgspec.structs.replace(
                check, present_users=tuple(each for each in check.present_users if each != user)
            )
        return msgspec.structs.replace(
            self.without_invitation(user).without_applicant(user).without_bar(user),
            declining_users=tuple(each for each in self.declining_users if each != user),
            rematch_order=tuple(each for each in self.rematch_order if each != user),
            players_last_seen=tuple(each for each in self.players_last_seen if each.user != user),
            ready_check=check,
            shown_people=tuple(each for each in self.shown_people if each.user != user),
        )
