"""Build any position of Current Affairs in a line or two, and act on it in notation."""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from rules.current_affairs import CURRENT_AFFAIRS
from rules.current_affairs.actions import FillRegions
from rules.current_affairs.boards import stack_of
from rules.current_affairs.components import CONTRACTS, MARKET_SLOT_COUNT, Contract, Region, Trash, Upgrade
from rules.current_affairs.events import EndReason
from rules.current_affairs.model import (
    CurrentAffairsOptions,
    FirstDrafter,
    HeldContract,
    Phase,
    PlayerBoard,
    Position,
)
from rules.model import Action, Seat
from rules.notation import Notation
from rules.random_stream import RandomStream
from tests.rules.state_driver import StateDriver

NAMES = ("Ava", "Ben", "Chloé", "Dimitri", "Eva")
NOTATION = Notation(CURRENT_AFFAIRS)
HOST_DRAFTS_FIRST_OPTIONS = CurrentAffairsOptions(first_player=FirstDrafter.HOST)
_EMPTY_SLOT = "."


def _may_appear(position: Position, _action: Action, piece: object) -> bool:
    """Whether an action brings a piece to the table: filling the regions brings all trash."""
    return position.phase is Phase.FILL and isinstance(piece, Trash)


_DRIVER = StateDriver(CURRENT_AFFAIRS, _may_appear)
round_trip = _DRIVER.round_trip
legal_choices = _DRIVER.legal_choices
legal_texts = _DRIVER.legal_texts
act = _DRIVER.act
resolve_chance = _DRIVER.resolve_chance
resign_seat = _DRIVER.resign_seat
events = _DRIVER.events
trail_types = _DRIVER.trail_types


def parse_trash(text: str) -> tuple[Trash, ...]:
    """Return the trash of a text such as "PAG", from the bottom."""
    return tuple(map(Trash, text))


def parse_contracts(text: str) -> tuple[Contract, ...]:
    """Return the contracts of a text such as "C05 C12"."""
    return tuple(map(Contract, text.split()))


def parse_held(text: str) -> HeldContract:
    """Return the contract of a text such as "C05" or, with the trash on each slot, "C05:P..R"."""
    name, _, trash_letters = text.partition(":")
    contract = Contract(name)
    slots = tuple(None if each == _EMPTY_SLOT else Trash(each) for each in trash_letters)
    requirements = CONTRACTS[contract].requirements
    slots = slots or (None,) * len(requirements)
    assert len(slots) == len(requirements), text
    for trash, kind in zip(slots, requirements, strict=True):
        assert kind is None or trash in {kind, None}, text
    return HeldContract(contract, slots)


def make_board(
    ship: str | None,
    contracts: str = "",
    *,
    delivered: str = "",
    restored: str = "",
    unlocked: str = "",
    resigned: bool = False,
) -> PlayerBoard:
    """Build a seat's board, each part as codes or names: contracts as ``parse_held`` reads them."""
    return PlayerBoard(
        ship=None if ship is None else Region(ship),
        contracts=tuple(map(parse_held, contracts.split())),
        delivered_contracts=parse_contracts(delivered),
        restored_regions=tuple(map(Region, restored.split())),
        unlocked_upgrades=tuple(map(Upgrade, unlocked.split())),
        resigned=resigned,
    )


def make_position(
    *boards: PlayerBoard,
    stacks: Mapping[str, str] | None = None,
    other_stacks: str = "PP",
    market: str | None = None,
    top_contract: str | None = None,
    deck: str | None = None,
    discard_pile: str = "",
    player: int = 0,
    starter: int = 0,
    round_number: int = 5,
    end_reason: EndReason | None = None,
    trash_ran_out_round: int | None = None,
) -> Position:
    """Build a position at the start of ``player``'s turn.

    ``stacks``: trash by region, from the bottom; ``other_stacks``: the same in each other region.  The market
    and the deck are the contracts that are named nowhere, unless they are given.
    """
    named_contracts = {held.contract for board in boards for held in board.contracts}
    named_contracts.update(*(board.delivered_contracts for board in boards), parse_contracts(discard_pile))
    market_slots: tuple[Contract | None, ...]
    top_card: Contract | None
    if (market, top_contract, deck) == (None, None, None):
        unnamed_contracts = [contract for contract in Contract if contract not in named_contracts]
        market_slots, top_card, deck_below_top = (
            tuple(unnamed_contracts[:3]),
            unnamed_contracts[3],
            tuple(unnamed_contracts[4:]),
        )
    else:
        market_contracts: list[Contract | None] = [*parse_contracts(market or "")]
        market_slots = tuple(market_contracts + [None] * (MARKET_SLOT_COUNT - len(market_contracts)))
        top_card = None if top_contract is None else Contract(top_contract)
        deck_below_top = parse_contracts(deck or "")
    given_stacks = {Region(name): parse_trash(trash) for name, trash in (stacks or {}).items()}
    restored_regions = {region for board in boards for region in board.restored_regions}
    position = Position(
        options=CurrentAffairsOptions(),
        phase=Phase.SAIL,
        to_act=Seat(player),
        boards=boards,
        stacks=tuple(
            given_stacks.get(region, () if region in restored_regions else parse_trash(other_stacks))
            for region in Region
        ),
        market=market_slots,
        top_contract=top_card,
        deck=deck_below_top,
        discard_pile=parse_contracts(discard_pile),
        starter=Seat(starter),
        current_player=Seat(player),
        round=round_number,
        turn=(round_number - 1) * len(boards) + (player - starter) % len(boards) + 1,
        end_reason=end_reason,
        trash_ran_out_round=trash_ran_out_round,
    )
    return round_trip(position)


def start_extra_turns(position: Position, *seats: int) -> Position:
    """Return the position in the extra turns: the turn that runs, then those of ``seats``."""
    return round_trip(replace(position, in_extra_turns=True, extra_turn_queue=tuple(map(Seat, seats))))


FAR_BOARDS = make_board("TAS", "C03 C06"), make_board("NEM", "C07 C12")
"""Two boards of ships in the far south."""


def make_port_position(board: PlayerBoard, **fields: Any) -> Position:
    """Return the first seat's port phase in Yokohama, where it has taken nothing."""
    position = make_position(board, *FAR_BOARDS, stacks={"KUR": ""}, **fields)
    return resolve_chance(act(position, "sail KUR"))


def make_board_near_yokohama(*contracts: str, unlocked: str = "") -> PlayerBoard:
    """Return a board one step from Yokohama, without a turtle to restore."""
    return make_board("OKH", " ".join(contracts), restored="GPP", unlocked=unlocked)


def fill_regions(position: Position, **stacks: str) -> Position:
    """Fill the regions: those named with this trash, from the bottom, the others at random."""
    outcome = CURRENT_AFFAIRS.sample_chance(position, RandomStream(bytes(32), 0))
    assert isinstance(outcome, FillRegions)
    filled_position = CURRENT_AFFAIRS.apply_action(position, outcome)
    given_stacks = {Region(name): tuple(map(Trash, text)) for name, text in stacks.items()}
    return replace(
        filled_position,
        stacks=tuple(given_stacks.get(region, stack_of(filled_position, region)) for region in Region),
    )


def play_draft(*contracts: str, **stacks: str) -> Position:
    """Return the position after a draft in which each seat takes these, one in each round."""
    position = fill_regions(
        CURRENT_AFFAIRS.initial_state(len(contracts), HOST_DRAFTS_FIRST_OPTIONS), **stacks
    )
    for number in range(2):
        round_contracts = [each.split()[number] for each in contracts]
        position = act(position, f"deal {','.join(sorted(round_contracts))}")
        while position.phase is Phase.DRAFT:
            assert position.to_act is not None
            position = act(position, f"pick {round_contracts[position.to_act]}")
    return position


def start_placing(*contracts: str, **stacks: str) -> Position:
    """Return the position when the first ship is to be placed."""
    return resolve_chance(play_draft(*contracts, **stacks))


def place_remaining_ships(position: Position) -> Position:
    """Place the ships that are left, each in the first free region."""
    while not position.round:
        position = act(position, legal_texts(position)[0])
    return position


AT_SEA = make_position(
    make_board("OKH", "C05:P.A. C08:P.", restored="BER", unlocked="wheel"),
    make_board("GPP", "C10"),
    make_board("NEM", "C07 C12"),
    stacks={"EMP": "PNR", "KUR": "P", "ALA": "", "CAL": "GGGG", "PHI": "NG"},
)
"""The first of three seats is to sail."""
IN_PORT = make_port_position(make_board_near_yokohama("C05:PPAR", "C09:P.."))
"""The first seat is in Yokohama with two contracts, one of them complete and of this port."""


def seats_of_next_turns(position: Position, max_count: int) -> list[int]:
    """Take so many turns without a port, fewer if the game ends; return whose they were."""
    order = []
    ports = {"sail KUR", "sail CAL", "sail COR", "sail PER"}
    for _ in range(max_count):
        if position.to_act is None:
            break
        order.append(int(position.to_act))
        texts = [text for text in legal_texts(position) if text not in ports]
        position = act(position, texts[0])
        while position.phase is Phase.COLLECT:
            position = act(position, legal_texts(position)[0])
    return order


def make_boards_with_extra_turns() -> tuple[PlayerBoard, ...]:
    """Return boards of which the first and the third have an extra turn."""
    return (
        make_board("OKH", unlocked="extra-turn"),
        make_board("TAS"),
        make_board("NEM", unlocked="wheel extra-turn"),
    )
