"""A seat's standing on a reef after a choice, in sentences of previews: corals, rivals, place and points."""

from collections.abc import Sequence
from typing import Final

from rules.australis.model import SeaBoard
from rules.australis.scoring import REEF_INDEX, reef_place, reef_ranking, turtle_space_or_minus_one
from rules.model import Names, Seat
from rules.text import counted_in_digits, listed

_RANK_TEXTS: Final = ("no place", "first place", "second place", "third place", "fourth place")


def short_standing_text(
    boards: Sequence[SeaBoard], seat: Seat, reef: int, names: Names, max_length: int
) -> str:
    """Return a seat's standing on a reef: if names are too long without ties, or without names."""
    texts = (
        reef_standing_text(boards, seat, reef, names, with_tie_break=with_tie_break)
        for with_tie_break in (True, False)
    )
    fitting_text = next((text for text in texts if len(text) <= max_length), None)
    return fitting_text or _reef_place_text(boards, seat, reef, "")


def reef_standing_text(
    boards: Sequence[SeaBoard], seat: Seat, reef: int, names: Names, *, with_tie_break: bool = True
) -> str:
    """Return who has how many corals on a reef, and what a seat's place there is worth.

    Named are all who are ahead, or else the next one behind.
    """
    index = REEF_INDEX[reef]
    own_count = boards[seat].coral_counts[index]
    ranking = reef_ranking(boards, reef)
    own_index = ranking.index(seat) if seat in ranking else 1
    rivals = ranking[:own_index] or ranking[1:2]
    rival_texts = [
        f"{names[rival]} has {boards[rival].coral_counts[index]}"
        for rival in rivals
        if boards[rival].coral_counts[index] != own_count
    ]
    if tied := [rival for rival in rivals if boards[rival].coral_counts[index] == own_count]:
        tie_break = ""
        own_turtle_space = turtle_space_or_minus_one(boards[seat])
        if with_tie_break and turtle_space_or_minus_one(boards[tied[0]]) != own_turtle_space:
            whose_turtle = "whose turtles are" if len(tied) > 1 else "whose turtle is"
            tie_break = f", {whose_turtle if own_index else 'and your turtle is'} ahead"
        rival_texts.append(f"{listed([names[rival] for rival in tied])} too{tie_break}")
    return _reef_place_text(boards, seat, reef, "".join(f", {text}" for text in rival_texts))


def _reef_place_text(boards: Sequence[SeaBoard], seat: Seat, reef: int, rivals_text: str) -> str:
    own_count, place = boards[seat].coral_counts[REEF_INDEX[reef]], reef_place(boards, reef, seat)
    corals_text = counted_in_digits(own_count, "coral") if own_count else "no corals"
    score_text = counted_in_digits(place.points, "point") if place.points else "no points"
    return f"you will have {corals_text}{rivals_text}: {_RANK_TEXTS[place.rank]}, {score_text}"
