"""What a destination brings, in the few words of a button."""

from collections.abc import Iterator
from typing import Final

from rules.current_affairs.boards import stack_of
from rules.current_affairs.components import REGIONS, Region
from rules.current_affairs.ending import makes_last_round
from rules.current_affairs.forecast import Forecast, can_restore, must_take_trash
from rules.current_affairs.model import PlayerBoard, Position
from rules.current_affairs.phrases import (
    ANIMAL_NAMES,
    TRASH_NAMES,
    completable_contracts_text,
    complete_contracts_text,
    region_name,
    short_complete_contracts_text,
    short_fitting_contracts_text,
)
from rules.model import Seat
from rules.text import counted_in_digits, first_fitting, listed

MAX_LABEL_LENGTH: Final = 80
_MAX_GAINS_LENGTH: Final = 60
_LAST_ROUND_NOTE: Final = " (last round)"


def destination_label(position: Position, seat: Seat, region: Region, forecast: Forecast) -> str:
    """Return a destination with its cost and what it brings: "Emperor, 1 action: rubber for Yokohama 9".

    Where that is too long the word "actions" is left out before anything of what it brings.
    """
    name, cost = region_name(region), forecast.route.cost
    starts = (f"{name}, {counted_in_digits(cost, 'action')}", f"{name}, {cost}")
    wordings = _gains_wordings(position, seat, region, forecast)
    return first_fitting(
        MAX_LABEL_LENGTH, *(f"{start}: {wording}" for wording in wordings for start in starts)
    )


def destination_gains_text(position: Position, seat: Seat, region: Region, forecast: Forecast) -> str:
    """Return what a destination brings, in a few words: "net for Brisbane 7, restores whale"."""
    return first_fitting(_MAX_GAINS_LENGTH, *_gains_wordings(position, seat, region, forecast))


def _gains_wordings(position: Position, seat: Seat, region: Region, forecast: Forecast) -> Iterator[str]:
    """Yield what a destination brings, ever shorter; a contract that it completes is never left out."""
    board = position.boards[seat]
    completed_text = _surely_completed_contracts_text(board, forecast)
    taken_texts = _taken_texts(board, forecast, completed_text)
    habitat_texts = _habitat_texts(position, seat, forecast)
    port_texts = _port_texts(position, seat, forecast)
    full_texts: tuple[str, ...] = taken_texts[0], habitat_texts[0], port_texts[0]
    wordings = [(*full_texts, _habitat_progress_text(position, seat, region, forecast)), full_texts]
    if not completed_text:
        wordings.append((taken_texts[-1], habitat_texts[0], port_texts[0]))
    wordings.append((wordings[-1][0], habitat_texts[0], port_texts[-1]))
    shorter_texts = taken_texts if completed_text else taken_texts[-1:]
    wordings += [(text, habitat_texts[-1], port_texts[-1]) for text in shorter_texts]
    for texts in wordings:
        text = ", ".join(each for each in texts if each)
        yield text or ("nothing fits" if stack_of(position, region) else "empty")


def _surely_completed_contracts_text(board: PlayerBoard, forecast: Forecast) -> str:
    """Return which contracts are completed whichever trash is taken: "Callao 8 or Callao 10"; else empty."""
    texts = {completable_contracts_text(board, each.trash) for each in forecast.fitting_trash}
    return texts.pop() if len(texts) == 1 else ""


def _taken_texts(board: PlayerBoard, forecast: Forecast, completed_text: str) -> tuple[str, ...]:
    """Return which trash is taken and for what, ever shorter."""
    kinds_text = listed([TRASH_NAMES[each.trash] for each in forecast.fitting_trash], "or")
    if completed_text:
        return (
            f"{kinds_text} completes {completed_text}",
            f"completes {completed_text}",
            "completes a contract",
        )
    if len(forecast.fitting_trash) == 1:
        fitting_text = short_fitting_contracts_text(board, forecast.fitting_trash[0].trash)
        return f"{kinds_text} {fitting_text}", kinds_text
    return (kinds_text,)


def _habitat_texts(position: Position, seat: Seat, forecast: Forecast) -> tuple[str, str]:
    """Return which habitat is restored, in full and shorter; both empty if none is."""
    if forecast.restored_animal is None:
        return "", ""
    note = _LAST_ROUND_NOTE if makes_last_round(position, seat, new_habitat_count=1) else ""
    return f"restores {ANIMAL_NAMES[forecast.restored_animal]}{note}", f"habitat{note}"


def _habitat_progress_text(position: Position, seat: Seat, region: Region, forecast: Forecast) -> str:
    """Return how much trash then lies on a habitat that the seat could restore: "seal after 3 more".

    Empty if the stop need not take trash, or restores the habitat itself.
    """
    can_restore_later = forecast.restored_animal is None and can_restore(position, seat, region)
    if not can_restore_later or not must_take_trash(forecast):
        return ""
    left_count = len(stack_of(position, region)) - 1
    return f"{ANIMAL_NAMES[REGIONS[region].animal]} after {left_count} more"


def count_deliverable(board: PlayerBoard, forecast: Forecast) -> int:
    """Return how many contracts are complete once the ship has taken trash at a destination."""
    return sum(held.is_complete for held in board.contracts) + bool(
        _surely_completed_contracts_text(board, forecast)
    )


def _port_texts(position: Position, seat: Seat, forecast: Forecast) -> tuple[str, str]:
    """Return what can be delivered in port, in full and shorter; both empty without a port."""
    board = position.boards[seat]
    if forecast.port is None:
        return "", ""
    deliverable_count = count_deliverable(board, forecast)
    note = ""
    new_habitat_count = int(forecast.restored_animal is not None)
    if deliverable_count and not makes_last_round(position, seat, new_habitat_count=new_habitat_count):
        is_last = makes_last_round(position, seat, new_delivery_count=deliverable_count)
        note = _LAST_ROUND_NOTE if is_last else ""
    complete_text = complete_contracts_text(board)
    if not complete_text:
        text = f"deliver it{note}" if note else "port"
        return text, text
    completes = bool(_surely_completed_contracts_text(board, forecast))
    short_text = "both" if completes else short_complete_contracts_text(board)
    return f"deliver {complete_text}{note}", f"deliver {short_text}{note}"
