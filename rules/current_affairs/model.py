"""The public types of Current Affairs: options, position, view.

Nothing is secret: contracts are drawn from an unordered deck at the moment they are needed.  So the state is
the position.
"""

import enum

import msgspec

from rules.current_affairs.components import Contract, Region, Trash, Upgrade
from rules.current_affairs.events import AnyEvent, EndReason
from rules.model import Options, Seat


class FirstDrafter(enum.Enum):
    """Who drafts first: a random seat, or the first seat, which is usually the host's."""

    RANDOM = "random"
    HOST = "host"


class CurrentAffairsOptions(Options, frozen=True, gc=False):
    """What can be set before a game: who drafts first."""

    first_player: FirstDrafter = FirstDrafter.RANDOM
    """Who drafts first, not who sails first; named as in the other games."""


class Phase(enum.Enum):
    """What the game waits for."""

    FILL = "fill"
    """Chance draws the trash of the regions."""
    FIRST_DRAFTER = "begin"
    """Chance chooses who drafts first."""
    DEAL = "deal"
    """Chance deals the contracts of a draft round."""
    DRAFT = "draft"
    MARKET = "market"
    """Chance deals the first contracts of the market."""
    PLACE = "place"
    SAIL = "sail"
    COLLECT = "collect"
    PORT = "port"
    REVEAL = "reveal"
    """Chance shows the next contract on the deck."""
    OVER = "over"


class PortStep(enum.IntEnum):
    """The steps of the port phase, in their order."""

    DELIVER = 0
    DISCARD = 1
    UNLOCK = 2
    DRAW = 3


class HeldContract(msgspec.Struct, frozen=True, gc=False):
    """A contract on a player's board, with the trash on each slot."""

    contract: Contract
    slots: tuple[Trash | None, ...]

    @property
    def is_complete(self) -> bool:
        """Whether every slot is full."""
        return None not in self.slots

    @property
    def trash(self) -> tuple[Trash, ...]:
        """The trash on it."""
        return tuple(trash for trash in self.slots if trash is not None)


class PlayerBoard(msgspec.Struct, frozen=True, gc=False):
    """Everything that one seat owns."""

    ship: Region | None = None
    """The region where its ship is; None before it is placed, and after the seat has resigned."""
    contracts: tuple[HeldContract, ...] = ()
    delivered_contracts: tuple[Contract, ...] = ()
    restored_regions: tuple[Region, ...] = ()
    """The regions whose habitat it restored."""
    unlocked_upgrades: tuple[Upgrade, ...] = ()
    """In the order in which they were unlocked; the wheel may stand there twice."""
    resigned: bool = False


class Position(msgspec.Struct, frozen=True, gc=False):
    """The whole state."""

    options: CurrentAffairsOptions
    phase: Phase
    to_act: Seat | None
    """A seat, CHANCE, or None when the game is over."""
    boards: tuple[PlayerBoard, ...]
    stacks: tuple[tuple[Trash, ...], ...]
    """Trash in each region, in the order of ``Region``, from the bottom."""
    market: tuple[Contract | None, ...] = (None, None, None)
    top_contract: Contract | None = msgspec.field(default=None, name="top")
    """The open contract on the deck."""
    deck: tuple[Contract, ...] = ()
    """The contracts below it, in the order of ``Contract``: nobody knows the order in which they lie."""
    discard_pile: tuple[Contract, ...] = ()
    """In the order of ``Contract``."""
    bag: tuple[Trash, ...] = ()
    """Delivered and discarded trash, in the order of ``Trash``; none of it comes back."""
    draft_round: int = 1
    """1 or 2; each round deals new contracts."""
    draft_contracts: tuple[Contract, ...] = ()
    """The open contracts of the running draft round, in the order of ``Contract``."""
    waiting_seats: tuple[Seat, ...] = ()
    """The seats that still pick a contract or place a ship, the next first."""
    first_drafter: Seat = Seat(0)
    starter: Seat | None = None
    """Who starts each round; None before the draft is over."""
    current_player: Seat | None = None
    """Whose turn it is; None during set-up."""
    round: int = 0
    """Counted from 1; 0 during set-up."""
    turn: int = 0
    """Counts the turns of all players together, extra turns included; 0 during set-up."""
    port_step: PortStep = PortStep.DELIVER
    """The last step used in this turn's port phase; earlier steps are closed."""
    contracts_changed: bool = False
    """Whether a contract was delivered, discarded or drawn in this turn: then more must be drawn."""
    turn_discard_count: int = 0
    """How many contracts were discarded in this turn."""
    unused_unlock_count: int = 0
    """How many upgrades the deliveries of this turn allow that are not unlocked yet."""
    end_reason: EndReason | None = None
    """Why this round is the last; None: it is not."""
    trash_ran_out_round: int | None = None
    """The round in which the board ran out of trash."""
    extra_turn_queue: tuple[Seat, ...] = ()
    """After the last round: the seats whose extra turn has not begun, the next first."""
    in_extra_turns: bool = False
    trail: tuple[AnyEvent, ...] = ()
    """The public events of the last action, in order."""


class CurrentAffairsView(msgspec.Struct, frozen=True, gc=False):
    """What one viewer knows: everything."""

    position: Position
    viewer: Seat | None
