"""Setting up: the turn order, the ocean, factories and ships."""

from msgspec.structs import replace

from rules.arctic_cleanup.boards import remove_tokens, replace_board, sort_tokens, with_ship_entry
from rules.arctic_cleanup.components import MAPS, PLASTICS, TOKENS_PER_TILE, Hex, Plastic, initial_columns
from rules.arctic_cleanup.ending import start_round
from rules.arctic_cleanup.events import FactoryBuilt, OceanFilled, ShipPlaced, TurnOrderSet
from rules.arctic_cleanup.model import (
    ArcticCleanUpOptions,
    Phase,
    PlayerBoard,
    Position,
    TurnOrder,
)
from rules.model import CHANCE, Seat


def initial_state(seat_count: int, options: ArcticCleanUpOptions) -> Position:
    """Return the state before the first outcome of chance, with all tokens in the bag."""
    position = Position(
        options=options,
        phase=Phase.ORDER,
        to_act=CHANCE,
        boards=(PlayerBoard(),) * seat_count,
        bag=tuple(plastic for plastic, facts in PLASTICS.items() for _ in range(facts.token_count)),
    )
    if options.turn_order is TurnOrder.RANDOM:
        return position
    return replace(order_seats(position, tuple(Seat(seat) for seat in range(seat_count))), trail=())


def order_seats(position: Position, turn_order: tuple[Seat, ...]) -> Position:
    """Set the turn order, and with it the cards' first columns."""
    seat_count = len(turn_order)
    columns = {seat: initial_columns(seat_count, turn_index) for turn_index, seat in enumerate(turn_order)}
    boards = tuple(replace(board, columns=columns[Seat(seat)]) for seat, board in enumerate(position.boards))
    return replace(
        position, boards=boards, turn_order=turn_order, phase=Phase.FILL, trail=(TurnOrderSet(turn_order),)
    )


def fill_ocean(position: Position, plastics: tuple[Plastic, ...]) -> Position:
    """Put three tokens on each ocean tile."""
    ocean = MAPS[len(position.boards)].ocean
    tokens_by_tile: dict[Hex, tuple[Plastic, ...]] = {
        place: sort_tokens(plastics[TOKENS_PER_TILE * index : TOKENS_PER_TILE * (index + 1)])
        for index, place in enumerate(ocean)
    }
    waiting_seats = _playing_seats(position)[::-1]
    return replace(
        position,
        ocean=tuple(tokens_by_tile.get(place, ()) for place in Hex),
        bag=remove_tokens(position.bag, plastics),
        phase=Phase.FACTORY,
        waiting_seats=waiting_seats,
        to_act=waiting_seats[0],
        trail=(OceanFilled(),),
    )


def _playing_seats(position: Position) -> tuple[Seat, ...]:
    return tuple(seat for seat in position.turn_order if not position.boards[seat].resigned)


def place_factory(position: Position, place: Hex) -> Position:
    """Build the next seat's factory."""
    seat = position.waiting_seats[0]
    board = replace(position.boards[seat], factory=place)
    after = replace(
        position,
        boards=replace_board(position, seat, board),
        waiting_seats=position.waiting_seats[1:],
        trail=(FactoryBuilt(seat, place),),
    )
    return continue_setup(after)


def place_ship(position: Position, place: Hex) -> Position:
    """Put the next seat's next ship on a dock."""
    seat = position.waiting_seats[0]
    board = position.boards[seat]
    ship = board.next_ship
    board = replace(board, ships=with_ship_entry(board.ships, ship, place))
    waiting_seats = position.waiting_seats if ship == 1 else position.waiting_seats[1:]
    after = replace(
        position,
        boards=replace_board(position, seat, board),
        waiting_seats=waiting_seats,
        trail=(ShipPlaced(seat, ship, place),),
    )
    return continue_setup(after)


def continue_setup(position: Position) -> Position:
    """Ask the next seat for its factory or ship; after all factories ask for ships, then begin round 1."""
    if position.waiting_seats:
        return replace(position, to_act=position.waiting_seats[0])
    if position.phase is Phase.SHIPS:
        return start_round(position, 1)
    waiting_seats = _playing_seats(position)
    return replace(position, phase=Phase.SHIPS, waiting_seats=waiting_seats, to_act=waiting_seats[0])
