"""What a stop in a region brings a seat, for panel, preview and policy."""

from typing import NamedTuple

from rules.current_affairs.boards import (
    ReachableTrash,
    reachable_trash,
    remaining_animals,
    restorer_of,
    stack_of,
)
from rules.current_affairs.components import REGIONS, Animal, Port, Region
from rules.current_affairs.model import Position
from rules.current_affairs.routes import ROUTES, Route
from rules.model import Seat


class Forecast(NamedTuple):
    """What stopping in a region brings a seat."""

    route: Route
    fitting_trash: tuple[ReachableTrash, ...]
    """The trash within reach that fits a contract."""
    restored_animal: Animal | None
    """The animal whose habitat the stop restores; None: it restores none.

    That takes an empty region, or one whose last token fits.
    """
    port: Port | None


def forecast_stop(position: Position, seat: Seat, region: Region) -> Forecast:
    """Return what stopping in a region would bring."""
    board, facts = position.boards[seat], REGIONS[region]
    assert board.ship is not None
    stack = stack_of(position, region)
    fitting_trash = tuple(each for each in reachable_trash(position, seat, region) if each.open_slots)
    would_be_empty = not stack or (len(stack) == 1 and bool(fitting_trash))
    return Forecast(
        route=ROUTES[board.ship][region],
        fitting_trash=fitting_trash,
        restored_animal=facts.animal if would_be_empty and can_restore(position, seat, region) else None,
        port=facts.port,
    )


def must_take_trash(forecast: Forecast) -> bool:
    """Whether a stop takes the top token, which fits a contract; a second one may be left (CA10)."""
    return bool(forecast.fitting_trash) and not forecast.fitting_trash[0].is_second_token


def can_restore(position: Position, seat: Seat, region: Region) -> bool:
    """Whether a region's habitat is not restored yet, and its animal still on a seat's board."""
    animal = REGIONS[region].animal
    return animal in remaining_animals(position.boards[seat]) and restorer_of(position, region) is None
