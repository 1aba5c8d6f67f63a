"""The public events of Current Affairs.  Narration and pictures read a trail of them."""

import enum
from typing import TypeAlias

from rules.current_affairs.components import Animal, Contract, Region, Trash, Upgrade
from rules.model import Event, Seat


class EndReason(enum.Enum):
    """Why the game ends."""

    CONTRACTS_DELIVERED = "contracts"
    HABITATS_RESTORED = "habitats"
    NO_TRASH = "no-trash"
    """The board is out of trash, and nothing more can be gained or ``ROUNDS_WITHOUT_TRASH`` have passed."""
    ROUND_LIMIT = "rounds"


class DraftRoundBegan(Event, frozen=True, gc=False, tag="draft"):
    """Contracts were dealt for a round of the draft (1 or 2)."""

    round: int
    contracts: tuple[Contract, ...]


class ContractPicked(Event, frozen=True, gc=False, tag="picked"):
    """A seat took a contract in the draft."""

    seat: Seat
    contract: Contract


class StarterChosen(Event, frozen=True, gc=False, tag="starter-set"):
    """The draft is over: this seat has the most valuable contract, places first and starts."""

    seat: Seat


class ShipPlaced(Event, frozen=True, gc=False, tag="placed"):
    """A ship was put into its first region."""

    seat: Seat
    region: Region


class Sailed(Event, frozen=True, gc=False, tag="sailed"):
    """A ship sailed; ``regions``: every region of its route, the first and the last included."""

    seat: Seat
    regions: tuple[Region, ...]
    cost: int


class Collected(Event, frozen=True, gc=False, tag="collected"):
    """Trash went from a region onto a contract."""

    seat: Seat
    region: Region
    trash: Trash
    contract: Contract
    slot: int
    """The slot's index on the contract."""
    is_second_token: bool
    """Whether the crane took the second token of the stack."""


class NothingCollected(Event, frozen=True, gc=False, tag="nothing"):
    """A ship took nothing: the region is empty, nothing fits, or the player left the second token."""

    seat: Seat
    region: Region


class HabitatRestored(Event, frozen=True, gc=False, tag="restored"):
    """An animal's habitat was restored."""

    seat: Seat
    region: Region
    animal: Animal


class Delivered(Event, frozen=True, gc=False, tag="delivered"):
    """A completed contract was delivered; ``gives_unlock``: the port has its colour."""

    seat: Seat
    contract: Contract
    gives_unlock: bool


class ContractDiscarded(Event, frozen=True, gc=False, tag="discarded"):
    """An incomplete contract was discarded, with this trash."""

    seat: Seat
    contract: Contract
    trash: tuple[Trash, ...]


class Unlocked(Event, frozen=True, gc=False, tag="unlocked"):
    """An upgrade was unlocked."""

    seat: Seat
    upgrade: Upgrade


class ContractDrawn(Event, frozen=True, gc=False, tag="drawn"):
    """A contract was taken from the market (``slot`` 0 to 2) or from the top of the deck (None)."""

    seat: Seat
    contract: Contract
    slot: int | None


class MarketFilled(Event, frozen=True, gc=False, tag="filled"):
    """A contract came to a slot of the market."""

    slot: int
    contract: Contract


class Reshuffled(Event, frozen=True, gc=False, tag="reshuffled"):
    """The deck was empty: ``count`` discarded contracts became the deck."""

    count: int


class EndTriggered(Event, frozen=True, gc=False, tag="trigger"):
    """This round is the last one; ``seat``: the player who made it so, None: nobody did."""

    end_reason: EndReason
    seat: Seat | None


class ExtraTurnsBegan(Event, frozen=True, gc=False, tag="extra"):
    """The last round is over; these seats have one more turn each, in this order."""

    seats: tuple[Seat, ...]


class Resigned(Event, frozen=True, gc=False, tag="resigned"):
    """A seat left the game."""

    seat: Seat


AnyEvent: TypeAlias = (
    DraftRoundBegan | ContractPicked | StarterChosen | ShipPlaced | Sailed | Collected | NothingCollected
    | HabitatRestored | Delivered | ContractDiscarded | Unlocked | ContractDrawn | MarketFilled | Reshuffled
    | EndTriggered | ExtraTurnsBegan | Resigned
)  # fmt: skip
