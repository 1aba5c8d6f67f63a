"""The narration of an action in sentences, from the trail."""

from collections import Counter
from typing import Final

from rules.arctic_cleanup.actions import FillOcean, LoadToken
from rules.arctic_cleanup.boards import free_sites, is_docked
from rules.arctic_cleanup.components import (
    DIE_POINTS,
    LINES,
    MAX_ROUNDS,
    QUIET_ROUNDS_TO_END,
    ROUNDS_AFTER_CLEAN_OCEAN,
    TOKENS_TO_END,
    Block,
    Card,
)
from rules.arctic_cleanup.ending import board_points, is_last_turn, returns
from rules.arctic_cleanup.events import (
    AnyEvent,
    BlockFilled,
    CardFlipped,
    CardPlayed,
    DieBrought,
    DieRotated,
    DieShifted,
    EndReason,
    FactoryBuilt,
    GameEnded,
    LastRoundSet,
    QuietEndNear,
    Resigned,
    ShipPlaced,
    ShipSailed,
    TokenLoaded,
    TokenPlaced,
    TokensDrawn,
    TokenUnloaded,
    TurnEnded,
    TurnOrderSet,
)
from rules.arctic_cleanup.model import ArcticCleanUpView, Phase, PlayerBoard, Position
from rules.arctic_cleanup.phrases import (
    ARROWS,
    CARD_NAMES,
    dice_text,
    die_text,
    no_line_text,
    plastic_name,
    plastics_text,
)
from rules.model import Action, Names, Seat
from rules.text import capitalized, counted, listed

_ANNOUNCED_EVENTS: Final = (BlockFilled, CardFlipped, LastRoundSet, QuietEndNear, GameEnded)
"""Events with a line of their own, which a shortened story keeps longest."""
_PLAN_CHANGE_EVENTS: Final = (DieBrought, DieRotated, DieShifted)
"""The changes of dice that a Plan consists of."""


def narrate(
    before: ArcticCleanUpView, actor: Seat, action: Action, after: ArcticCleanUpView, names: Names
) -> str:
    """Return the sentences for one action; gains, the last round and the end of the game are announcements.

    Empty for the end of a turn that adds nothing.  Only the actor reads of each change of a Plan, where
    others read the dice at the end of the turn, and that no line takes a token just loaded.
    """
    old, position = before.position, after.position
    if isinstance(action, FillOcean):
        sites_text = listed([site.value for site in free_sites(position)])
        return f"Three tokens drift onto each ocean tile. The sites for factories, {sites_text}, stay empty."
    placements = [event for event in position.trail if isinstance(event, TokenPlaced)]
    places_several = len(placements) > 1  # at once, since both ships are on one tile
    texts = [
        (isinstance(event, _ANNOUNCED_EVENTS), text)
        for event in position.trail
        if not (places_several and isinstance(event, TokensDrawn | TokenPlaced))
        and (after.viewer == actor or not isinstance(event, _PLAN_CHANGE_EVENTS))
        and (text := _event_text(event, old, position, names))
    ]
    if places_several:
        name, tile = names[placements[0].seat], placements[0].place.value
        drawn_text = plastics_text(event.plastic for event in placements)
        texts.append((False, f"{name} draws {drawn_text} from the bag and puts them on {tile}."))
    if isinstance(action, LoadToken) and after.viewer == actor:
        texts.append((False, no_line_text(position.boards[actor], action.plastic)))
    story = " ".join(text for is_announcement, text in texts if text and not is_announcement)
    return "\n".join(
        each for each in (story, *(text for is_announcement, text in texts if is_announcement)) if each
    )


def _event_text(event: AnyEvent, before: Position, after: Position, names: Names) -> str:
    match event:
        case TurnOrderSet(seats=seats):
            order_text = listed([names[seat] for seat in seats])
            return f"Turn order: {order_text}. Factories are built in reverse order."
        case FactoryBuilt(seat=seat, place=place):
            reason = "" if free_sites(after) else ", the only site left"
            return f"{names[seat]} builds the factory on {place.value}{reason}."
        case ShipPlaced(seat=seat, ship=ship, place=place):
            return f"{names[seat]}'s ship {ship} starts on {place.value}."
        case CardPlayed(seat=seat, card=card, strength=strength):
            return f"{names[seat]} plays {CARD_NAMES[card]} with strength {strength}."
        case TurnEnded(seat=seat):
            return _turn_end_text(event, after.boards[seat], names)
        case LastRoundSet(last_round=last_round):
            return f"Ocean and bag are empty. Round {last_round} is the last."
        case QuietEndNear(quiet_round_count=quiet_round_count):
            rounds_text = counted(quiet_round_count, "round")
            rounds_left = QUIET_ROUNDS_TO_END - quiet_round_count
            return (
                f"No token was loaded, drawn or processed for {rounds_text}: "
                f"after {counted(rounds_left, 'more such round')} the game ends."
            )
        case GameEnded():
            return ending_text(after, names)
        case Resigned(seat=seat):
            is_one_left = after.phase is Phase.OVER and after.end_reason is None  # else GameEnded follows
            ending = f"\n{ending_text(after, names)}" if is_one_left else ""
            return f"{names[seat]} resigns.{_departure_text(seat, before, after)}{ending}"
        case _:
            return _operation_text(event, after, names)


def _departure_text(seat: Seat, before: Position, after: Position) -> str:
    """Return what a resignation moves and what stays; empty before anything is on the map."""
    if not any(before.boards[seat].ships):
        return ""
    returned_tokens = list((Counter(after.bag) - Counter(before.bag)).elements())
    verb = "goes" if len(returned_tokens) == 1 else "go"
    bag_text = f", {plastics_text(returned_tokens)} {verb} back to the bag" if returned_tokens else ""
    return f" The ships leave the map{bag_text}. The factory stays."


def _turn_end_text(event: TurnEnded, board: PlayerBoard, names: Names) -> str:
    """Return what the texts of a turn's operations leave out; empty if nothing."""
    name, card = names[event.seat], event.card
    if not event.operation_count:
        return f"{name} plays {CARD_NAMES[card]} without effect."
    if card is Card.PLAN:
        return (
            f"{name}'s ship 1 now plans {dice_text(board.rows[0])}. Ship 2 plans {dice_text(board.rows[1])}."
        )
    if card is Card.UNLOAD and board.processed_count < TOKENS_TO_END:
        return f"{name} has processed {board.processed_count} of {TOKENS_TO_END} tokens."
    return ""


def _operation_text(event: AnyEvent, after: Position, names: Names) -> str:
    """Return what an operation did."""
    match event:
        case DieRotated(row=ship, face=face, to=to):
            return f"A die of ship {ship} turns from {die_text(face)} to {die_text(to)}."
        case DieShifted(row=ship, face=face):
            return f"Die {die_text(face)} goes from ship {ship} to ship {3 - ship}."
        case DieBrought(row=ship, face=face):
            return f"Ship {ship} gets a die: {die_text(face)}."
        case ShipSailed(seat=seat, ship=ship, end=end, face=face):
            dock_text = " beside its factory" if is_docked(after.boards[seat], ship) else ""
            return f"{_ship_text(seat, ship, after, names)} sails {ARROWS[face]} to {end.value}{dock_text}."
        case TokenLoaded(seat=seat, ship=ship, plastic=plastic, place=place):
            subject = _ship_text(seat, ship, after, names)
            return f"{subject} loads {plastic_name(plastic)} from {place.value}."
        case TokensDrawn(seat=seat, plastics=plastics):
            return f"{names[seat]} draws {plastics_text(plastics)} from the bag."
        case TokenPlaced(seat=seat, plastic=plastic, place=place):
            return f"{names[seat]} puts {plastic_name(plastic)} on {place.value}."
        case _:
            return _factory_text(event, after, names)


def _ship_text(seat: Seat, ship: int, after: Position, names: Names) -> str:
    """Return a ship as the subject of a sentence: after "Ava plays Move." "Ship 1", else "Ava's ship 1"."""
    is_player_named = any(isinstance(event, CardPlayed) for event in after.trail)
    return f"Ship {ship}" if is_player_named else f"{names[seat]}'s ship {ship}"


def _factory_text(event: AnyEvent, after: Position, names: Names) -> str:
    match event:
        case TokenUnloaded(seat=seat, plastic=plastic, line=line, slot=slot):
            where = f"{line.value} ({slot} of {LINES[line].slot_count})"
            return f"{names[seat]} processes {plastic_name(plastic)} on {where}."
        case BlockFilled(seat=seat, block=Block.LINE_OPENER):
            return f"The hatched lines of {names[seat]} are open."
        case BlockFilled(seat=seat):
            return f"A block is full: {names[seat]} gains a die and {DIE_POINTS} points."
        case CardFlipped(seat=seat, card=card) if not is_last_turn(after):
            return f"{CARD_NAMES[card]} of {names[seat]} has double strength from the next turn on."
        case _:
            return ""


# The end ---------------------------------------------------------------------------------------------

_END_TEXTS: Final = {
    EndReason.CLEAN_OCEAN: (
        f"{capitalized(counted(ROUNDS_AFTER_CLEAN_OCEAN, 'round'))} were played after the ocean was clean: "
        "the game is over."
    ),
    EndReason.QUIET: (
        "No token was loaded, drawn or processed"
        f" for {counted(QUIET_ROUNDS_TO_END, 'round')}: the game is over."
    ),
    EndReason.ROUND_LIMIT: f"Round {MAX_ROUNDS} is over, and with it the game.",
}


def ending_text(position: Position, names: Names) -> str:
    """Return why the game ended, and on a line below who won."""
    playing_seats = [Seat(seat) for seat, board in enumerate(position.boards) if not board.resigned]
    if position.end_reason is None:
        return f"The game is over.\nOnly {names[playing_seats[0]]} is left and wins."
    winners = returns(position).winners
    points = board_points(position.boards[winners[0]])
    verb = "wins" if len(winners) == 1 else "share the victory"
    winner_names = listed([names[seat] for seat in winners])
    return f"{_reason_text(position, names)}\n{winner_names} {verb} with {counted(points, 'point')}."


def _reason_text(position: Position, names: Names) -> str:
    assert position.end_reason is not None
    if position.end_reason is not EndReason.PROCESSED:
        return _END_TEXTS[position.end_reason]
    processed_counts = [0 if board.resigned else board.processed_count for board in position.boards]
    most = max(processed_counts)
    return f"{names[processed_counts.index(most)]} has processed {counted(most, 'token')}: the game is over."
