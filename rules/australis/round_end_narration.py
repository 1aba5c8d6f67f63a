"""The narration of the end of a round: its scoring, the competition, the end of the game."""

from collections.abc import Sequence

from rules.australis.components import TileColour
from rules.australis.events import (
    CompetitionBegan,
    CompetitionEnded,
    CompetitionRolled,
    CubeTaken,
    FinalScored,
    ReefScored,
    SchoolScored,
    TileTaken,
    TurtleScored,
)
from rules.australis.model import CompetitionDie, Phase, Position
from rules.australis.phrases import (
    number_dice_text,
    points_text,
    reef_numbers_text,
    tile_text,
)
from rules.australis.scoring import result
from rules.model import Names, Seat
from rules.narration import Sentence, SentenceKind
from rules.text import capitalized, listed


def round_end_lines(after: Position, names: Names) -> list[list[str | Sentence]]:
    """Return what the end of a round or of the game brought, in lines; scores and results begin new ones.

    The first line is for what stands before any of these; it may be empty.
    """
    lines: list[list[str | Sentence]] = [[]]
    if scoring_text := _scoring_text(after, names):
        lines.append([scoring_text])
    for event in after.trail:
        match event:
            case CompetitionBegan(seats=seats):
                lines[-1].append(_participants_text(seats, names))
            case CompetitionRolled(number=number):
                lines[-1] += _roll_sentences(after, number, names)
            case CompetitionEnded(first=first, second=second) if (
                after.competition and after.competition.rolls
            ):
                if result_text := competition_result_text(after, first, second, names):
                    lines.append([result_text])
    lines[-1] += _tile_texts(after, names)
    if after.phase is Phase.OVER:
        lines.append([_final_points_text(after, names), *ending_texts(after, names)])
    return lines


# Scoring --------------------------------------------------------------------------------------------


def _scoring_text(position: Position, names: Names) -> str:
    """Return in one sentence what a round's scoring brings each seat; empty without a scoring."""
    reef_events = [event for event in position.trail if isinstance(event, ReefScored)]
    school_points_by_seat = {
        event.seat: event.points for event in position.trail if isinstance(event, SchoolScored)
    }
    turtle_points_by_seat = {
        event.seat: event.points for event in position.trail if isinstance(event, TurtleScored)
    }
    if not turtle_points_by_seat:
        return ""
    seat_texts = [
        _seat_scoring_text(seat, reef_events, school_points_by_seat.get(seat, 0), turtle_points, names)
        for seat, turtle_points in turtle_points_by_seat.items()
    ]
    return f"Round {position.round} ends: {', '.join(seat_texts)}."


def _seat_scoring_text(
    seat: Seat, reef_events: Sequence[ReefScored], school_points: int, turtle_points: int, names: Names
) -> str:
    first_points = {event.reef: event.first_points for event in reef_events if event.first == seat}
    second_points = {event.reef: event.second_points for event in reef_events if event.second == seat}
    parts = [
        f"{reef_numbers_text(list(first_points))}: {sum(first_points.values())}" if first_points else "",
        f"second at {reef_numbers_text(list(second_points))}: {sum(second_points.values())}"
        if second_points
        else "",
        f"school: {school_points}" if school_points else "",
        f"turtle: {turtle_points}" if turtle_points else "",
    ]
    total = sum(first_points.values()) + sum(second_points.values()) + school_points + turtle_points
    return f"{names[seat]} +{total}{_breakdown_text(parts)}"


def _breakdown_text(parts: Sequence[str]) -> str:
    """Return what a sum consists of, in brackets."""
    breakdown = " · ".join(part for part in parts if part)
    return f" ({breakdown})" if breakdown else ""


# The competition ------------------------------------------------------------------------------------


def _participants_text(seats: Sequence[Seat], names: Names) -> str:
    if not seats:
        return "Nobody has a number die: there is no dice competition."
    if len(seats) == 1:
        return f"Only {names[seats[0]]} has dice to roll and wins the competition without a roll."
    return ""  # the first roll says who competes with which dice


def _roll_sentences(after: Position, number: int, names: Names) -> list[Sentence]:
    """Return a roll of the competition as details, so that no story has the last one without the result."""
    competition = after.competition
    assert competition is not None
    title = f"Roll {number}"
    if number == 1:
        title = "Dice competition, roll 1"
    elif competition.is_over:
        title += ", the last one"
    texts = _roll_texts(competition.rolls[number - 1], title, names)
    return [Sentence(text, SentenceKind.DETAIL) for text in texts]


def roll_text(roll: Sequence[CompetitionDie], roll_number: int, names: Names) -> str:
    """Return a roll: everybody's dice, then who loses which of them."""
    return " ".join(_roll_texts(roll, f"Roll {roll_number}", names))


def _roll_texts(roll: Sequence[CompetitionDie], title: str, names: Names) -> tuple[str, str]:
    dice_texts = [
        f"{names[seat]} {', '.join(_value_text(die) for die in roll if die.seat == seat)}"
        for seat in dict.fromkeys(die.seat for die in roll)
    ]
    lowest, losses_text = _lowest_and_losses(roll, names)
    return f"{title}: {' · '.join(dice_texts)}.", f"The lowest is {lowest}: {losses_text}."


def roll_loss_text(roll: Sequence[CompetitionDie], roll_number: int, names: Names) -> str:
    """Return the lowest value of a roll, and who loses which dice."""
    lowest, losses_text = _lowest_and_losses(roll, names)
    return f"Roll {roll_number}, lowest {lowest}: {losses_text}."


def _lowest_and_losses(roll: Sequence[CompetitionDie], names: Names) -> tuple[int, str]:
    seats = dict.fromkeys(die.seat for die in roll)
    losses = [text for seat in seats if (text := _loss_text(seat, roll, names))]
    return min(die.total for die in roll), ", ".join(losses)


def _value_text(die: CompetitionDie) -> str:
    sum_text = f" ({die.value}+{die.bonus})" if die.bonus else ""
    return f"{die.colour.value} {die.total}{sum_text}"


def _loss_text(seat: Seat, roll: Sequence[CompetitionDie], names: Names) -> str:
    own_dice = [die for die in roll if die.seat == seat]
    lost_colours = [die.colour for die in own_dice if die.is_removed]
    if not lost_colours:
        return ""
    elimination = " and is out" if len(lost_colours) == len(own_dice) else ""
    return f"{names[seat]} loses {number_dice_text(lost_colours)}{elimination}"


def competition_result_text(position: Position, first: Seat | None, second: Seat | None, names: Names) -> str:
    """Return who won and who is second, and which turtle decided a tie; empty if nobody competed."""
    competition = position.competition
    assert competition is not None
    if first is None:
        return ""
    last_roll = competition.rolls[-1]
    eliminated = {die.seat for die in last_roll} - {die.seat for die in last_roll if not die.is_removed}
    text = f"{names[first]} wins the competition"
    if second is None:
        return f"{text}."
    if first in eliminated:
        return f"{text}: {_tie_text(first, [second], names)}."
    text += f", and {names[second]} is second"
    others = [seat for seat in competition.seats if seat in eliminated and seat != second]
    return f"{text}: {_tie_text(second, others, names)}." if others else f"{text}."


def _tie_text(better: Seat, others: Sequence[Seat], names: Names) -> str:
    """Return why a seat is placed before others that were out in the same roll."""
    seats_text = listed([names[seat] for seat in (better, *others)])
    return f"{seats_text} lost their last dice together, and {names[better]}'s turtle is ahead"


def _tile_texts(position: Position, names: Names) -> list[str]:
    """Return in sentences who gets which tile, and the food cube with silver."""
    events = [event for event in position.trail if isinstance(event, TileTaken)]
    sentences = [
        f"{names[event.seat]} {'gets' if i else 'takes'} {tile_text(event.tile, event.points)}"
        f"{_cube_text(position, event)}."
        for i, event in enumerate(events)
        if event.seat is not None
    ]
    boxed = [event for event in events if event.seat is None]
    if len(boxed) == 1:
        sentences.append(f"{capitalized(tile_text(boxed[0].tile, boxed[0].points))} goes to the box.")
    elif boxed:
        sentences.append("Both tiles go to the box.")
    return sentences


def _cube_text(position: Position, taken: TileTaken) -> str:
    """Return what a silver tile brings besides its points: a food cube."""
    cubes = [event for event in position.trail if isinstance(event, CubeTaken) and event.space is None]
    if taken.tile is not TileColour.SILVER or not cubes:
        return ""
    return " and a food cube, which goes to the box" if cubes[0].boxed else " and a food cube"


# The end --------------------------------------------------------------------------------------------


def _final_points_text(position: Position, names: Names) -> str:
    """Return everybody's final points; empty if all others left."""
    seat_texts = [
        _seat_final_points_text(event, names) for event in position.trail if isinstance(event, FinalScored)
    ]
    return f"The game ends: {', '.join(seat_texts)}." if seat_texts else ""


def _seat_final_points_text(event: FinalScored, names: Names) -> str:
    parts = [
        f"corals: {event.coral_points}" if event.coral_points else "",
        f"first player token: {event.token_points}" if event.token_points else "",
        f"tiles: {event.tile_points}" if event.tile_points else "",
    ]
    points = event.coral_points + event.token_points + event.tile_points
    return f"{names[event.seat]} +{points}{_breakdown_text(parts)}"


def ending_texts(position: Position, names: Names) -> tuple[str, ...]:
    """Return in sentences who won a finished game, with how many points."""
    standings = result(position).standings
    best = standings[0]
    name = names[best.seat]
    if sum(not board.resigned for board in position.boards) == 1:
        return f"{name} wins: nobody else is left.", "Corals, token and tiles are not scored."
    text = f"{name} wins with {points_text(best.score)}"
    runner_up = standings[1]
    runner_up_name = names[runner_up.seat]
    if runner_up.score == best.score and not position.boards[runner_up.seat].resigned:
        return f"{text}.", f"{runner_up_name} has as many, but {name}'s turtle is further ahead."
    return (f"{text}, ahead of {runner_up_name} with {runner_up.score}.",)
