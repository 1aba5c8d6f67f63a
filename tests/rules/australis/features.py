"""The features of a step of a game: which rules it uses, for the coverage of the rules by games."""

from collections.abc import Iterator
from typing import Final

from rules.australis.actions import ActivateAll, ActivateCard, ChooseTile, LeaveCorals, TakeDie
from rules.australis.components import (
    CARD_FACTS,
    CUBE_SPACES,
    FACE_FACTS,
    LAST_SPACE,
    REEFS,
    SCHOOLS,
    Card,
    CardFunction,
    Colour,
    Die,
    TileColour,
)
from rules.australis.events import (
    CardActivated,
    CardKept,
    CardsRevealed,
    CardUsed,
    CompetitionEnded,
    CoralMoved,
    CoralPlaced,
    CubeTaken,
    EffectSource,
    FinalScored,
    PickLost,
    ReefScored,
    Reshuffled,
    RoundBegan,
    SchoolScored,
    TileTaken,
    TurtleMoved,
)
from rules.australis.model import Phase, Position
from rules.australis.scoring import REEF_INDEX, result
from rules.model import CHANCE
from tests.rules.whole_games import Transition

_USABLE_CARDS: Final = [card for card in Card if CARD_FACTS[card].function is not CardFunction.COMPETITION]
FEATURES: Final = frozenset(
    {
        *(f"take {die.value}" for die in Die),
        *(f"a {colour.value} die stays" for colour in Colour),
        *(f"keep {card.value}" for card in Card),
        *(f"use {card.value}" for card in _USABLE_CARDS),
        *(f"activate {card.value}" for card in _USABLE_CARDS),
        "choose the order of cards",
        "choose the usual order",
        "several picks",
        "a duplicate can only be used",
        "a fourth card can only be used",
        "a pick is lost",
        *(f"coral on {reef}" for reef in REEFS),
        *(f"coral by {source.value}" for source in EffectSource),
        *(f"move a coral by {source.value}" for source in EffectSource),
        "move no coral",
        *(f"turtle moved by {source.value}" for source in EffectSource),
        "turtle goes on from a taken space",
        "turtle stops on the last space",
        "turtle stops before the last space",
        "turtle cannot move",
        *(f"own cube of {space}" for space in CUBE_SPACES),
        "several cubes by one move",
        "grey cube of the track",
        "grey cube of silver",
        "own cube to the box",
        "grey cube to the box",
        *(f"reef {reef} scores" for reef in REEFS),
        *(f"reef {reef} has a second place" for reef in REEFS if REEFS[reef].second_place_points),
        "tie for first at a reef",
        "tie for second at a reef",
        *(f"school of {cube_count}" for cube_count in range(len(SCHOOLS) + 1)),
        "school with too few fish for its cubes",
        "nobody competes",
        "one competes",
        "the winner alone is left, second alone went out",
        "the winner alone is left, several went out",
        "all went out at once",
        "a bonus removes another die with the own one",
        *(f"{tile.value} chosen with a cube" for tile in TileColour),
        *(f"{tile.value} chosen without a cube" for tile in TileColour),
        "tile to the box",
        "pile shuffled after a white die",
        "pile shuffled for a new round",
        "cards come without chance",
        "short display",
        "round begins with the token",
        "round begins with the turtle furthest back",
        "token at the end",
        "no token at the end",
        "tie at the end",
        "forced choice",
    }
)
"""All rules that are looked for, each in a few words."""


def features_of(transition: Transition) -> Iterator[str]:
    """Yield the rules that a step uses, as in ``FEATURES``."""
    before, action, after = transition.before, transition.action, transition.after
    match action:
        case TakeDie(die=die):
            yield f"take {die.value}"
            if len(set(before.dice)) == 1:
                yield "forced choice"
            if before.turns_left == 1:
                dice_left = list(before.dice)
                dice_left.remove(die)
                yield from (f"a {FACE_FACTS[each].colour.value} die stays" for each in dice_left)
        case ActivateCard():
            yield "choose the order of cards"
        case ActivateAll():
            yield "choose the usual order"
        case LeaveCorals():
            yield "move no coral"
        case ChooseTile(tile=tile):
            yield f"{tile.value} chosen {'with' if after.round <= 3 else 'without'} a cube"
    if before.phase is Phase.PICK:
        yield from _pick_features(before)
    yield from _event_features(transition)
    if after.display and len(after.display) < 6 and after.phase is Phase.TAKE:
        yield "short display"
    if after.to_act is None and any(each.tie_break for each in result(after).standings):
        yield "tie at the end"


def _pick_features(position: Position) -> Iterator[str]:
    assert position.to_act is not None
    cards = position.boards[position.to_act].cards
    if position.picks_left > 1:
        yield "several picks"
    for card in position.display:
        if card in _USABLE_CARDS and card in cards:
            yield "a duplicate can only be used"
        same_colour_cards = [
            kept
            for kept in cards
            if kept in _USABLE_CARDS and CARD_FACTS[kept].colour is CARD_FACTS[card].colour
        ]
        if card in _USABLE_CARDS and card not in cards and len(same_colour_cards) == 3:
            yield "a fourth card can only be used"


def _event_features(transition: Transition) -> Iterator[str]:
    before, after = transition.before, transition.after
    cube_count = 0
    for event in after.trail:
        match event:
            case CardKept(card=card):
                yield f"keep {card.value}"
            case CardUsed(card=card):
                yield f"use {card.value}"
            case CardActivated(card=card):
                yield f"activate {card.value}"
            case PickLost():
                yield "a pick is lost"
            case CoralPlaced(reef=reef, source=source):
                yield f"coral on {reef}"
                yield f"coral by {source.value}"
            case CoralMoved(source=source):
                yield f"move a coral by {source.value}"
            case TurtleMoved():
                yield from _turtle_features(event, before, after)
            case CubeTaken(is_grey=is_grey, space=space, boxed=boxed):
                cube_count += 1
                if boxed:
                    yield "grey cube to the box" if is_grey else "own cube to the box"
                elif is_grey:
                    yield "grey cube of silver" if space is None else "grey cube of the track"
                else:
                    yield f"own cube of {space}"
            case ReefScored():
                yield from _reef_features(event, after)
            case SchoolScored(seat=seat, points=points):
                size = next((k for k, school in enumerate(SCHOOLS, 1) if school.points == points), 0)
                yield f"school of {size}"
                if size < after.boards[seat].cube_count:
                    yield "school with too few fish for its cubes"
            case CompetitionEnded():
                yield from _competition_features(after)
            case TileTaken(seat=None):
                yield "tile to the box"
            case Reshuffled():
                is_new_round = any(isinstance(each, RoundBegan) for each in after.trail)
                yield f"pile shuffled {'for a new round' if is_new_round else 'after a white die'}"
            case CardsRevealed() if transition.actor != CHANCE or before.phase is Phase.ROLL:
                yield "cards come without chance"
            case RoundBegan(round=number) if number > 1:
                first = "turtle furthest back" if before.token_holder is None else "token"
                yield f"round begins with the {first}"
            case FinalScored(token_points=1):
                yield "token at the end"
    if cube_count > 1:
        yield "several cubes by one move"
    if after.to_act is None and after.token_holder is None:
        yield "no token at the end"


def _turtle_features(event: TurtleMoved, before: Position, after: Position) -> Iterator[str]:
    yield f"turtle moved by {event.source.value}"
    step_count = (
        FACE_FACTS[after.boards[event.seat].dice[-1]].number if event.source is EffectSource.DIE else 1
    )
    target = min(event.start + step_count, LAST_SPACE)
    if event.start == event.end:
        yield "turtle cannot move"
    elif event.end > target:
        yield "turtle goes on from a taken space"
    elif event.end < target:
        yield "turtle stops before the last space"
    elif event.start + step_count > LAST_SPACE:
        yield "turtle stops on the last space"


def _reef_features(event: ReefScored, after: Position) -> Iterator[str]:
    yield f"reef {event.reef} scores"
    counts = [board.coral_counts[REEF_INDEX[event.reef]] for board in after.boards]
    if event.second is not None:
        yield f"reef {event.reef} has a second place"
        if counts.count(counts[event.second]) > 1 and counts[event.first] > counts[event.second]:
            yield "tie for second at a reef"
    if counts.count(counts[event.first]) > 1:
        yield "tie for first at a reef"


def _competition_features(after: Position) -> Iterator[str]:
    competition = after.competition
    assert competition is not None
    if len(competition.seats) < 2:
        yield "one competes" if competition.seats else "nobody competes"
        return
    last_roll = competition.rolls[-1]
    remaining_seats = {seat for seat, _ in competition.dice_left}
    eliminated_seats = {die.seat for die in last_roll} - remaining_seats
    if not remaining_seats:
        yield "all went out at once"
    else:
        who_went_out = "several" if len(eliminated_seats) > 1 else "second alone"
        yield f"the winner alone is left, {who_went_out} went out"
    for roll in competition.rolls:
        if {die.bonus for die in roll if die.is_removed} == {0, 1}:
            yield "a bonus removes another die with the own one"
