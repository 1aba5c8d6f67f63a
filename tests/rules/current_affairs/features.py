"""The features of a step of a game: which rules it uses, for the coverage of the rules by games."""

from collections.abc import Iterator
from typing import Final

from rules.current_affairs.actions import (
    Collect,
    DealMarket,
    Deliver,
    DiscardContract,
    DrawContract,
    EndTurn,
    PlaceShip,
    Sail,
    Skip,
    Unlock,
)
from rules.current_affairs.boards import locked_upgrades, open_contracts, reachable_trash, stack_of
from rules.current_affairs.components import CONTRACTS, REGIONS, Animal, Port, Upgrade
from rules.current_affairs.ending import returns
from rules.current_affairs.events import (
    Collected,
    ContractDiscarded,
    ContractDrawn,
    Delivered,
    EndReason,
    EndTriggered,
    ExtraTurnsBegan,
    HabitatRestored,
    NothingCollected,
    Reshuffled,
    Sailed,
    Unlocked,
)
from rules.current_affairs.legal import port_actions
from rules.current_affairs.model import Phase, Position
from rules.model import CHANCE
from tests.rules.whole_games import Transition

FEATURES: Final = frozenset(
    {
        "starter by the highest contract",
        "starter by the other contract",
        "starter by the earlier pick",
        "nothing fits in set-up",
        "choice of trash in set-up",
        *(f"sail for {cost}" for cost in range(1, 6)),
        "sail through another ship",
        "stop on another ship",
        "leave a shared region",
        "trash of its kind on its kind",
        "any trash on a wildcard",
        "its own kind on a wildcard by choice",
        "choice between contracts",
        "nothing fits",
        "nothing fits, in port",
        "empty region",
        "crane takes the second by choice",
        "crane takes the top by choice",
        "crane takes the second, which alone fits",
        "crane leaves the second",
        "crane at two tokens alike",
        "crane at the last token",
        *(f"restore {animal.value}" for animal in Animal),
        "restore by the last trash",
        "restore by stopping in an empty region",
        "region emptied without its animal",
        "stop in a restored region",
        "stop in an empty region without its animal",
        *(f"deliver in {port.value}" for port in Port),
        "deliver in another port",
        "two deliveries in a turn",
        "a complete contract stays",
        *(f"unlock {upgrade.value}" for upgrade in Upgrade),
        "unlock the second wheel",
        "two upgrades in a turn",
        "an upgrade is left",
        "no upgrade is left to unlock",
        "discard an empty contract",
        "discard a contract with trash",
        "discard two in a turn",
        "discard after a delivery",
        "a contract that nothing can replace stays",
        *(f"draw from slot {slot}" for slot in range(3)),
        "draw from the deck",
        "draw without a delivery",
        "decline the port",
        "port without anything to do",
        "pile becomes the deck",
        "the top is missing while the pile has cards",
        "a slot stays empty",
        "hold fewer than two after the port",
        *(f"end by {reason.value}" for reason in EndReason),
        "no trash, three rounds later",
        "trigger by the last seat",
        "trigger by another seat",
        "no extra turn",
        "one extra turn",
        "several extra turns",
        "a gain in an extra turn",
        "contract bonus scores",
        "habitat bonus scores",
        "trash on contracts scores",
        "a complete contract scores its tokens",
        "tie decided by the best contract",
        "shared victory",
        "tie of lower ranks",
    }
)
"""All rules that are looked for, each in a few words."""


def features_of(transition: Transition) -> Iterator[str]:
    """Yield the rules that a step uses, as in ``FEATURES``."""
    before, action, after = transition.before, transition.action, transition.after
    match action:
        case DealMarket():
            yield _starter_feature(before, after)
        case PlaceShip():
            if any(isinstance(event, NothingCollected) for event in after.trail):
                yield "nothing fits in set-up"
            if after.phase is Phase.COLLECT:
                yield "choice of trash in set-up"
        case Sail():
            yield from _sail_features(transition)
        case Collect() | Skip():
            yield from _choice_features(transition)
        case Deliver() | DiscardContract() | Unlock() | DrawContract() | EndTurn():
            yield from _port_features(transition)
    if isinstance(action, Sail | Collect | Skip) and before.round:
        yield from _region_features(transition)
    yield from _event_features(transition)
    if after.phase is Phase.OVER:
        yield from _result_features(after)


def _starter_feature(before: Position, after: Position) -> str:
    assert after.starter is not None
    contract_points_by_seat = [
        sorted((CONTRACTS[held.contract].points for held in board.contracts), reverse=True)
        for board in before.boards
    ]
    starter_points = contract_points_by_seat[after.starter]
    if contract_points_by_seat.count(starter_points) > 1:
        return "starter by the earlier pick"
    has_tie = sum(each[0] == starter_points[0] for each in contract_points_by_seat) > 1
    return f"starter by the {'other' if has_tie else 'highest'} contract"


def _sail_features(transition: Transition) -> Iterator[str]:
    before, seat = transition.before, transition.actor
    assert isinstance(transition.action, Sail)
    (event,) = (each for each in transition.after.trail if isinstance(each, Sailed))
    other_ship_regions = {board.ship for other, board in enumerate(before.boards) if other != seat}
    yield f"sail for {event.cost}"
    if other_ship_regions & set(event.regions[1:-1]):
        yield "sail through another ship"
    if event.regions[-1] in other_ship_regions:
        yield "stop on another ship"
    if event.regions[0] in other_ship_regions:
        yield "leave a shared region"
    board = before.boards[seat]
    reachable = reachable_trash(before, seat, transition.action.region)
    stack = stack_of(before, transition.action.region)
    if Upgrade.CRANE in board.unlocked_upgrades and reachable and reachable[0].open_slots:
        if len(stack) == 1:
            yield "crane at the last token"
        elif len(reachable) == 1:
            yield "crane at two tokens alike"
    if any(isinstance(each, NothingCollected) for each in transition.after.trail):
        yield "nothing fits" if stack else "empty region"
        if stack and transition.after.phase is Phase.PORT:
            yield "nothing fits, in port"


def _choice_features(transition: Transition) -> Iterator[str]:
    before, action, seat = transition.before, transition.action, transition.actor
    region = before.boards[seat].ship
    assert region is not None
    reachable = reachable_trash(before, seat, region)
    if isinstance(action, Skip):
        yield "crane leaves the second"
        return
    assert isinstance(action, Collect)
    taken_trash = next(each for each in reachable if each.trash is action.trash)
    if len(reachable) > 1 and taken_trash.is_second_token:
        yield f"crane takes the second{' by choice' if reachable[0].open_slots else ', which alone fits'}"
    if len(reachable) > 1 and all(each.open_slots for each in reachable) and not taken_trash.is_second_token:
        yield "crane takes the top by choice"
    if len({contract for contract, _ in taken_trash.open_slots}) > 1:
        yield "choice between contracts"
    if action.wild and (action.contract, False) in taken_trash.open_slots:
        yield "its own kind on a wildcard by choice"


def _region_features(transition: Transition) -> Iterator[str]:
    before, after, seat = transition.before, transition.after, transition.actor
    region = after.boards[seat].ship
    if region is None or after.phase is Phase.COLLECT:
        return
    board = before.boards[seat]
    restored_animals = {REGIONS[each].animal for each in board.restored_regions}
    if any(region in each.restored_regions for each in before.boards):
        yield "stop in a restored region"
    elif REGIONS[region].animal in restored_animals and not stack_of(after, region):
        was_emptied = bool(stack_of(before, region))
        yield (
            "region emptied without its animal"
            if was_emptied
            else "stop in an empty region without its animal"
        )
    for event in after.trail:
        if isinstance(event, HabitatRestored):
            yield f"restore {event.animal.value}"
            has_collected = any(isinstance(each, Collected) for each in after.trail)
            yield f"restore by {'the last trash' if has_collected else 'stopping in an empty region'}"
            if before.in_extra_turns:
                yield "a gain in an extra turn"
    if REGIONS[region].port is not None and after.phase is not Phase.PORT and after.to_act != CHANCE:
        yield "port without anything to do"


def _port_features(transition: Transition) -> Iterator[str]:
    before, action, after, seat = transition.before, transition.action, transition.after, transition.actor
    board = before.boards[seat]
    if isinstance(action, EndTurn):
        if not before.contracts_changed:
            yield "decline the port"
        if before.unused_unlock_count:
            yield "an upgrade is left"
    if isinstance(action, DrawContract):
        if before.unused_unlock_count and any(isinstance(each, Unlock) for each in port_actions(before)):
            yield "an upgrade is left"
        if not before.contracts_changed:
            yield "draw without a delivery"
    if isinstance(action, Unlock) and before.unused_unlock_count > 1:
        yield "two upgrades in a turn"
    if isinstance(action, DiscardContract) and before.unused_unlock_count:
        yield "discard after a delivery"
    if before.turn_discard_count and isinstance(action, DiscardContract):
        yield "discard two in a turn"
    legal_actions = port_actions(before)
    if before.unused_unlock_count and not locked_upgrades(board):
        yield "no upgrade is left to unlock"
    incomplete_contracts = [held for held in board.contracts if not held.is_complete]
    if (
        incomplete_contracts
        and not before.port_step
        and not any(isinstance(each, DiscardContract) for each in legal_actions)
    ):
        yield "a contract that nothing can replace stays"
    is_turn_over = after.current_player != before.current_player or after.phase is Phase.OVER
    if is_turn_over:
        contracts_left = after.boards[seat].contracts
        if any(held.is_complete for held in contracts_left):
            yield "a complete contract stays"
        if len(contracts_left) < 2 and not open_contracts(after):
            yield "hold fewer than two after the port"


def _event_features(transition: Transition) -> Iterator[str]:
    before, after = transition.before, transition.after
    for event in after.trail:
        match event:
            case Collected(contract=contract, slot=slot):
                is_wild = CONTRACTS[contract].requirements[slot] is None
                yield "any trash on a wildcard" if is_wild else "trash of its kind on its kind"
            case Delivered(contract=contract, gives_unlock=gives_unlock):
                port = CONTRACTS[contract].port.value
                yield f"deliver in {port}" if gives_unlock else "deliver in another port"
                if before.contracts_changed:
                    yield "two deliveries in a turn"
                if before.in_extra_turns:
                    yield "a gain in an extra turn"
            case Unlocked(seat=seat, upgrade=upgrade):
                yield f"unlock {upgrade.value}"
                if before.boards[seat].unlocked_upgrades.count(upgrade):
                    yield "unlock the second wheel"
            case ContractDiscarded(trash=trash):
                yield "discard a contract with trash" if trash else "discard an empty contract"
            case ContractDrawn(slot=slot):
                yield "draw from the deck" if slot is None else f"draw from slot {slot}"
            case Reshuffled():
                yield "pile becomes the deck"
            case EndTriggered(end_reason=end_reason):
                yield f"end by {end_reason.value}"
                yield from _trigger_features(event, before, after)
            case ExtraTurnsBegan(seats=seats):
                yield "one extra turn" if len(seats) == 1 else "several extra turns"
    if after.round and after.phase is Phase.SAIL:
        if after.top_contract is None and after.discard_pile:
            yield "the top is missing while the pile has cards"
        if None in after.market:
            yield "a slot stays empty"


def _trigger_features(event: EndTriggered, before: Position, after: Position) -> Iterator[str]:
    if event.seat is None:
        if event.end_reason is EndReason.NO_TRASH and before.trash_ran_out_round != before.round:
            yield "no trash, three rounds later"
        return
    is_last_seat = after.phase is Phase.OVER or after.in_extra_turns
    yield f"trigger by {'the last' if is_last_seat else 'another'} seat"


def _result_features(after: Position) -> Iterator[str]:
    if not any(Upgrade.EXTRA_TURN in board.unlocked_upgrades for board in after.boards):
        yield "no extra turn"
    standings = returns(after).standings
    for standing in standings:
        lines = {line.label: line.points for line in standing.lines}
        for label in ("Contract bonus", "Habitat bonus", "Trash on contracts"):
            if lines[label]:
                yield f"{label.lower()} scores"
    if any(held.is_complete for board in after.boards for held in board.contracts):
        yield "a complete contract scores its tokens"
    first, second, *_ = standings
    if second.rank == 1:
        yield "shared victory"
    elif first.score == second.score:
        yield "tie decided by the best contract"
    lower_standings = [each for each in standings if each.rank > 1]
    if len({each.score for each in lower_standings}) < len(lower_standings):
        yield "tie of lower ranks"
