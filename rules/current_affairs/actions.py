"""What players and chance do in Current Affairs."""

from rules.current_affairs.components import Contract, Region, Trash, Upgrade
from rules.model import Action, Seat

# Set-up ----------------------------------------------------------------------------------------------


class PickContract(Action, frozen=True, gc=False, tag="pick"):
    """The draft: take one of the open contracts."""

    contract: Contract


class PlaceShip(Action, frozen=True, gc=False, tag="place"):
    """Put the player's ship into a free region."""

    region: Region


# Ocean phase -----------------------------------------------------------------------------------------


class Sail(Action, frozen=True, gc=False, tag="sail"):
    """Move the player's ship to a region, by the cheapest route."""

    region: Region


class Collect(Action, frozen=True, gc=False, tag="collect"):
    """Take trash from the region onto a slot of a contract."""

    trash: Trash
    contract: Contract
    wild: bool
    """Whether the slot takes any trash; False: it takes only this kind."""


class Skip(Action, frozen=True, gc=False, tag="skip"):
    """Take no trash.

    Legal only if the top token fits nowhere and the second one, within the crane's reach, fits.
    """


# Port phase ------------------------------------------------------------------------------------------


class Deliver(Action, frozen=True, gc=False, tag="deliver"):
    """Deliver a completed contract."""

    contract: Contract


class DiscardContract(Action, frozen=True, gc=False, tag="discard"):
    """Discard an incomplete contract with its trash."""

    contract: Contract


class Unlock(Action, frozen=True, gc=False, tag="unlock"):
    """Unlock an upgrade of the ship."""

    upgrade: Upgrade


class DrawContract(Action, frozen=True, gc=False, tag="draw"):
    """Take one of the open contracts: from the market, or the top of the deck."""

    contract: Contract


class EndTurn(Action, frozen=True, gc=False, tag="end"):
    """End the port phase and the turn."""


# Chance ----------------------------------------------------------------------------------------------


class ChooseFirstDrafter(Action, frozen=True, gc=False, tag="begin"):
    """Set-up: the seat that drafts first."""

    seat: Seat


class FillRegions(Action, frozen=True, gc=False, tag="fill"):
    """All trash on the regions, in the order of ``Region``, each stack from the bottom."""

    trash: tuple[Trash, ...]


class DealContracts(Action, frozen=True, gc=False, tag="deal"):
    """Contracts for a round of the draft, in the order of ``Contract``."""

    contracts: tuple[Contract, ...]


class DealMarket(Action, frozen=True, gc=False, tag="market"):
    """The contracts of the market, slot by slot, and then the top of the deck."""

    contracts: tuple[Contract, ...]


class RevealTop(Action, frozen=True, gc=False, tag="reveal"):
    """The next contract on the deck."""

    contract: Contract
