"""The table in words: one line of status, the whole board as text, the picture's alt text."""

from rules.current_affairs.boards import actions_of, locks_of, stack_of, turn_order
from rules.current_affairs.components import MAX_ROUNDS, PORT_NAMES, REGIONS, Lock, Region
from rules.current_affairs.ending import score_lines
from rules.current_affairs.model import CurrentAffairsView, Phase, Position
from rules.current_affairs.phrases import (
    ANIMAL_NAMES,
    LOCK_NAMES,
    TRASH_NAMES,
    contract_name,
    contract_text,
    held_text,
    region_name,
)
from rules.current_affairs.refusals import restored_text
from rules.game import SEAT_LETTERS, Names, Seat
from rules.text import counted, cut, listed, sentence

MAX_ALT_TEXT_LENGTH = 1024


def status(view: CurrentAffairsView, names: Names) -> str:
    """Say what is asked of whom, or how the game ended."""
    position = view.position
    to_act = position.to_act
    actor = names[to_act] if to_act is not None and to_act >= 0 else ""
    last = " This is the last round." if position.trigger is not None and position.round else ""
    match position.phase:
        case Phase.DRAFT:
            return f"{actor}, take a contract (draft, round {position.draft_round})."
        case Phase.PLACE:
            return f"{actor}, put your ship into a region."
        case Phase.SAIL:
            return f"{actor}, your turn: sail to another region.{last}"
        case Phase.COLLECT:
            return f"{actor}, choose what you take and where it goes.{last}"
        case Phase.PORT:
            port = _port_name(position)
            return f"{actor}, you are in {port}: deliver, discard, draw, or end your turn.{last}"
        case Phase.REVEAL:
            return "The next contract is revealed."
        case Phase.OVER:
            return _ending_text(position, names)
        case _:
            return "The table is set up."


def _port_name(position: Position) -> str:
    seat = position.current_player
    region = position.boards[seat].ship if seat is not None else None
    port = REGIONS[region].port if region is not None else None
    return "port" if port is None else PORT_NAMES[port]


def _ending_text(position: Position, names: Names) -> str:
    playing = [seat for seat, board in enumerate(position.boards) if not board.resigned]
    if len(playing) == 1:
        return f"The game is over: only {names[playing[0]]} is left and wins."
    points = {seat: _points(position, Seat(seat)) for seat in playing}
    best = max(points.values())
    leaders = listed([names[seat] for seat in playing if points[seat] == best])
    return f"The game is over. Most points: {leaders} with {best}."


def _points(position: Position, seat: Seat) -> int:
    return sum(line.points for line in score_lines(position.boards[seat]))


def describe(view: CurrentAffairsView, names: Names) -> str:
    """Describe the whole board."""
    position = view.position
    lines = [
        _headline(position),
        status(view, names),
        *(_player_text(position, Seat(seat), names) for seat in range(len(position.boards))),
        order_text(position, names),
        _market_text(position),
        "Regions, trash from the top:",
        *(_region_text(position, region, names) for region in Region),
    ]
    return "\n".join(line for line in lines if line)


def alt_text(view: CurrentAffairsView, names: Names) -> str:
    """Describe what the picture of the board shows, in at most 1,024 characters."""
    position = view.position
    players = [
        f"{SEAT_LETTERS[seat]} {names[seat]}: "
        f"{'resigned' if board.resigned else _ship_text(position, Seat(seat))}, "
        f"{_points(position, Seat(seat))} points."
        for seat, board in enumerate(position.boards)
    ]
    stacks = [f"{region.value} {_stack_letters(position, region)}" for region in Region]
    lines = [_headline(position), status(view, names), *players, f"Trash: {', '.join(stacks)}."]
    return cut("\n".join(line for line in lines if line), MAX_ALT_TEXT_LENGTH)


def _headline(position: Position) -> str:
    if not position.round:
        return "Set-up."
    return f"Round {position.round} of at most {MAX_ROUNDS}."


def _ship_text(position: Position, seat: Seat) -> str:
    ship = position.boards[seat].ship
    return "no ship yet" if ship is None else f"in {region_name(ship)}"


def _stack_letters(position: Position, region: Region) -> str:
    return "".join(trash.value for trash in reversed(stack_of(position, region))) or "empty"


def _player_text(position: Position, seat: Seat, names: Names) -> str:
    board = position.boards[seat]
    head = f"{SEAT_LETTERS[seat]} {names[seat]}"
    if board.resigned:
        return f"{head}: resigned."
    parts = [_ship_text(position, seat), counted(actions_of(board), "action")]
    parts += [held_text(held) for held in board.contracts]
    if board.delivered:
        parts.append(f"delivered {listed([contract_name(contract) for contract in board.delivered])}")
    if board.restored:
        parts.append(
            f"restored {listed([ANIMAL_NAMES[REGIONS[region].animal] for region in board.restored])}"
        )
    if unlocked := list(dict.fromkeys(board.unlocked)):
        parts.append(
            f"unlocked {listed([_lock_text(lock, board.unlocked.count(lock)) for lock in unlocked])}"
        )
    if not locks_of(board):
        parts.append("no locks left")
    return f"{head}: {', '.join(parts)}. {_points(position, seat)} points so far."


def _lock_text(lock: Lock, count: int) -> str:
    return LOCK_NAMES[lock] if count == 1 else f"{count} {LOCK_NAMES[lock]}s"


def _market_text(position: Position) -> str:
    if position.draft:
        return f"In the draft: {listed([contract_text(contract) for contract in position.draft])}."
    if not position.round and position.starter is None:
        return ""
    slots = [contract_text(contract) for contract in position.market if contract is not None]
    top = "" if position.top is None else f" On the deck: {contract_text(position.top)}."
    below = len(position.deck)
    return f"Market: {listed(slots) or 'empty'}.{top} {sentence(counted(below, 'more contract'))} below."


def _region_text(position: Position, region: Region, names: Names) -> str:
    facts = REGIONS[region]
    stack = [TRASH_NAMES[trash] for trash in reversed(stack_of(position, region))]
    port = "" if facts.port is None else f", port {PORT_NAMES[facts.port]}"
    restored = restored_text(position, region, names)
    habitat = f"{ANIMAL_NAMES[facts.animal]} habitat{f' {restored}' if restored else ''}"
    return f"{region.value} {facts.name}{port}: {', '.join(stack) or 'empty'}; {habitat}."


def order_text(position: Position, names: Names) -> str:
    """Return the turn order."""
    if position.starter is None:
        return ""
    return f"Turn order: {listed([names[seat] for seat in turn_order(position, position.starter)])}."
