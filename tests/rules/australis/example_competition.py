"""The competition that the rulebook of Australis shows."""

import json
from pathlib import Path
from typing import Any, Final

from rules.australis.model import Position
from tests.rules.australis.positions import act, make_board, make_position

EXAMPLE: Final[dict[str, Any]] = json.loads(
    Path(__file__).with_name("worked_example.json").read_text(encoding="utf-8")
)
"""The rulebook's detailed example; faces that it does not name are chosen so that its outcome stays."""
PLAYERS: Final = tuple(EXAMPLE["dice"])
DIE_OF_COLOUR: Final = {
    "blue": "blue-4",
    "purple": "purple-5",
    "red": "red",
    "white": "white-2c",
    "yellow": "yellow-4f",
}


def make_competition_position(
    *dice: str,
    cards: tuple[str, ...] = (),
    turtles: tuple[int, ...] = (3, 2, 1, 0),
    round_number: int = 1,
    cube_count: int = 1,
    starter: int = 0,
) -> Position:
    """Return the position when the dice selection is over and seats hold dice of these colours.

    The last die is a yellow one that the first seat takes, which takes no part.
    """
    boards = [
        make_board(
            dice=" ".join(DIE_OF_COLOUR[colour] for colour in dice_text.split()),
            cards=" ".join(f"{colour}-competition" for colour in (cards[seat] if cards else "").split()),
            turtle=turtles[seat],
            cube_count=cube_count,
        )
        for seat, dice_text in enumerate(dice)
    ]
    position = make_position(
        *boards, dice="yellow-4f", turns_left=1, round_number=round_number, starter=starter
    )
    return act(position, "take yellow-4f")


def play_example(last_value: int = 7) -> list[Position]:
    """Return the position before the example's competition and that after each roll.

    ``last_value`` is what Charlie rolls at last.
    """
    position = make_competition_position(
        *(" ".join(EXAMPLE["dice"][name]) for name in PLAYERS),
        cards=tuple(" ".join(EXAMPLE["cards"][name]) for name in PLAYERS),
        turtles=tuple(EXAMPLE["turtle"][name] for name in PLAYERS),
    )
    positions = [position]
    for number, faces in enumerate(EXAMPLE["rolls"], 1):
        values = [value for name in PLAYERS for _, value in faces.get(name, ())]
        if number == len(EXAMPLE["rolls"]):
            values[-1] = last_value
        positions.append(act(positions[-1], "compete " + ",".join(map(str, values))))
    return positions
