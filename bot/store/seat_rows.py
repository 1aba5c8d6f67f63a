"""What is stored of a table's seats: who has them, who had them, and to whom they are offered."""

import enum

import msgspec

from bot.store.clock_rows import SeatClock


class DirectMessages(enum.Enum):
    """What is known of a player's direct messages."""

    OPEN = "open"
    CLOSED = "closed"
    RETRYING = "retrying"
    """They were closed, which was announced; one more message is being sent."""


class EarlierPlayer(msgspec.Struct, frozen=True, gc=False):
    """Who had a seat before its current player."""

    name: str
    end_index: int = msgspec.field(name="until")
    """Their records end before this index of the history."""
    user: int | None = None
    """None: a computer player, or a person whose data was erased."""
    erased: bool = False
    """Whether it was a person whose data was erased."""


class SeatHolder(msgspec.Struct, frozen=True, gc=False):
    """A person who has or had a seat of a game, and so may have seen its secrets."""

    user: int | None
    """None: they had their data erased."""
    seat: int
    erased_user_hash: bytes = msgspec.field(default=b"", name="erased")
    """A keyed hash of an erased person's id, to recognise them if they return; empty for anybody else."""


class Person(msgspec.Struct, frozen=True, gc=False):
    """A user with the name to show."""

    user: int
    name: str


class SeatOffer(msgspec.Struct, frozen=True, gc=False):
    """An offer of a seat to somebody else; the seat is handed over once nothing is missing."""

    id: int
    """The version of the table when it was made: no other offer of the table has it."""
    due: int
    """When it expires; if nobody has objected to it by then, the seat may be given away."""
    offered_by: int
    """The user who made it and may withdraw it."""
    text: str
    """What the table reads of it: who offers which seat to whom, and what they have answered so far."""
    newcomer: Person | None = None
    """Who must accept it; None: a computer player takes it, or ``is_for_anybody``."""
    is_for_anybody: bool = msgspec.field(default=False, name="anyone")
    """Whether the first who accepts takes it."""
    approved: bool = False
    """Whether the seat may be given away: its player agreed or left, or nobody objected in time."""
    given_up: bool = False
    """Whether its player gave it up: offered it, agreed or left the server."""
    accepted: bool = False
    """Whether the newcomer has accepted."""
    ply: int = 0
    """The table's ply when it was made."""

    @property
    def is_open_to_anybody(self) -> bool:
        """Whether anybody may take the seat now."""
        return self.is_for_anybody and self.approved


class BlockedOffer(msgspec.Struct, frozen=True, gc=False):
    """An offer that was declined, and is blocked for a while; or withdrawn: then it may be made once more."""

    not_before: int
    """When it may be made again."""
    newcomer_user: int | None = msgspec.field(default=None, name="newcomer")
    """To whom the seat was offered; None: to give it away, its player and the others were asked."""
    withdrawn: bool = False
    """Whether nobody declined it: another offer took its place, or it was withdrawn."""


class SeatRow(msgspec.Struct, frozen=True, gc=False):
    """Who sits at a seat: a person (``user``) or a computer player (``computer`` is its key).

    Neither: a person whose data was erased after the game.
    """

    name: str
    user: int | None = None
    computer: str | None = None
    direct_messages: DirectMessages = DirectMessages.OPEN
    earlier_players: tuple[EarlierPlayer, ...] = ()
    """The earliest one first."""
    cut_words: tuple[str, str] | None = None
    """The words with which this person cut the deck before the start; None: they did not."""
    offer: SeatOffer | None = None
    """The offer of this seat to somebody else; None: there is none."""
    blocked_offers: tuple[BlockedOffer, ...] = ()
    clock: SeatClock | None = None
    """What is left of this player's time; None: nothing has been used."""
    substitute: str | None = None
    """The key of the computer player that plays for this person; None: they play themselves."""
    substitute_only_turn_start: int | None = None
    """The index of the history at which the one turn begins that the substitute plays.

    None: it plays until the person is back, or there is none.
    """
    substituted_since_index: int | None = None
    """The length of the history when the substitute took over for all turns until the person is back."""
    substitute_spans: tuple[tuple[int, int], ...] = ()
    """What substitutes have played here: each span begins at the first index of the history and ends before
    the second.  It stays when the seat gets another player."""
    away_until: int | None = None
    """Until when this person is away, in seconds since 1970; None: they are not."""
    has_resigned: bool = False
    """Whether the seat has resigned, for lists of tables; the match itself says it for everything else."""

    @property
    def playing_computer(self) -> str | None:
        """The key of the computer player that chooses at this seat now; None: a person."""
        return self.computer or self.substitute

    @property
    def is_substituted_until_back(self) -> bool:
        """Whether a computer player plays for this person for more than one turn, until they are back."""
        return self.substituted_since_index is not None

    @property
    def playing_user(self) -> int | None:
        """The person who chooses at this seat now; None: a computer player, if only as a substitute."""
        return None if self.substitute is not None else self.user

    def without_contested_offer(self) -> "SeatRow":
        """Return the row without its offer, if its person plays and has not agreed to the offer.

        An offer to a named newcomer stays once nobody has objected to it in time.
        """
        offer = self.offer
        if offer is None or self.playing_user is None:
            return self
        is_settled = offer.given_up or (offer.approved and not offer.is_for_anybody)
        return self if is_settled else msgspec.structs.replace(self, offer=None)

    def name_at(self, index: int) -> str:
        """Return the name of the player who had the seat at an index of the history."""
        return next((each.name for each in self.earlier_players if index < each.end_index), self.name)

    def substitute_played_at(self, index: int) -> bool:
        """Whether a computer player chose for the person who had the seat at an index of the history."""
        return any(start <= index < end for start, end in self.substitute_spans)

    def with_substitute_span(self, start: int, end: int) -> "SeatRow":
        """Return the row after a substitute has played from ``start`` to before ``end``."""
        spans = self.substitute_spans
        if spans and spans[-1][1] == start:
            start, spans = spans[-1][0], spans[:-1]
        return msgspec.structs.replace(self, substitute_spans=(*spans, (start, end)))

    def with_shortened_history(self, length: int) -> "SeatRow":
        """Return the row after an undo to ``length`` records: no span of the history ends after it."""
        earlier_players = (
            msgspec.structs.replace(each, end_index=min(each.end_index, length))
            for each in self.earlier_players
        )
        spans = ((start, min(end, length)) for start, end in self.substitute_spans if start < length)
        since_index = self.substituted_since_index
        return msgspec.structs.replace(
            self,
            earlier_players=tuple(each for each in earlier_players if each.end_index),
            substituted_since_index=None if since_index is None else min(since_index, length),
            substitute_spans=tuple(spans),
        )
