"""The narration of an action in sentences, from the trail."""

from collections import Counter
from collections.abc import Iterator, Sequence
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
from rules.narration import Item, Narration, Sentence, SentenceKind, clause_sentence, narration
from rules.text import capitalized, counted, listed

_PLAN_CHANGE_EVENTS: Final = (DieBrought, DieRotated, DieShifted)
"""The changes of dice that a Plan consists of."""


def narrate(
    before: ArcticCleanUpView, actor: Seat, action: Action, after: ArcticCleanUpView, names: Names
) -> Narration:
    """Return the sentences for one action; gains, the last round and the end of the game are announcements.

    Empty for the end of a turn that adds nothing.  Only the actor reads of each change of a Plan, where
    others read the dice at the end of the turn, and that no line takes a token just loaded.
    """
    announcements = [
        line for event in after.position.trail for line in _announcements(event, after.position, names)
    ]
    return narration(_sentences(before.position, actor, action, after, names), *announcements)


def _sentences(
    before: Position, actor: Seat, action: Action, after: ArcticCleanUpView, names: Names
) -> Iterator[str | Sentence]:
    position = after.position
    if isinstance(action, FillOcean):
        sites_text = listed([site.value for site in free_sites(position)])
        yield "Three tokens drift onto each ocean tile."
        yield f"The sites for factories, {sites_text}, stay empty."
        return
    placements = [event for event in position.trail if isinstance(event, TokenPlaced)]
    places_several = len(placements) > 1  # at once, since both ships are on one tile
    for event in position.trail:
        if places_several and isinstance(event, TokensDrawn | TokenPlaced):
            continue
        if after.viewer == actor or not isinstance(event, _PLAN_CHANGE_EVENTS):
            yield from _event_sentences(event, before, position, names)
    if places_several:
        name, tile = names[placements[0].seat], placements[0].place.value
        drawn_text = plastics_text(event.plastic for event in placements)
        yield f"{name} draws {drawn_text} from the bag and puts them on {tile}."
    if isinstance(action, LoadToken) and after.viewer == actor:
        yield no_line_text(position.boards[actor], action.plastic)


def _event_sentences(
    event: AnyEvent, before: Position, after: Position, names: Names
) -> Iterator[str | Sentence]:
    """Yield the sentences of an event; none of one that is announced (``_announcements``)."""
    match event:
        case TurnOrderSet(seats=seats):
            yield f"Turn order: {listed([names[seat] for seat in seats])}."
            yield "Factories are built in reverse order."
        case FactoryBuilt(seat=seat, place=place):
            reason = "" if free_sites(after) else ", the only site left"
            yield f"{names[seat]} builds the factory on {place.value}{reason}."
        case ShipPlaced(seat=seat, ship=ship, place=place):
            yield f"{names[seat]}'s ship {ship} starts on {place.value}."
        case CardPlayed(seat=seat, card=card, strength=strength):
            yield f"{names[seat]} plays {CARD_NAMES[card]} with strength {strength}."
        case TurnEnded(seat=seat):
            yield from _turn_end_sentences(event, after.boards[seat], names)
        case Resigned(seat=seat):
            yield f"{names[seat]} resigns."
            yield from _departure_sentences(seat, before, after)
        case _:
            yield _operation_sentence(event, after, names)


def _announcements(event: AnyEvent, after: Position, names: Names) -> Iterator[Sequence[str | Sentence]]:
    """Yield the lines that announce an event; none for other events."""
    match event:
        case BlockFilled(seat=seat, block=Block.LINE_OPENER):
            yield [f"The hatched lines of {names[seat]} are open."]
        case BlockFilled(seat=seat):
            text = f"A block is full: {names[seat]} gains a die and {DIE_POINTS} points."
            yield [Sentence(text, SentenceKind.GAIN_OR_LOSS)]
        case CardFlipped(seat=seat, card=card) if not is_last_turn(after):
            yield [f"{CARD_NAMES[card]} of {names[seat]} has double strength from the next turn on."]
        case LastRoundSet(last_round=last_round):
            yield ["Ocean and bag are empty.", f"Round {last_round} is the last."]
        case QuietEndNear(quiet_round_count=quiet_round_count):
            rounds_text = counted(quiet_round_count, "round")
            rounds_left = QUIET_ROUNDS_TO_END - quiet_round_count
            text = (
                f"No token was loaded, drawn or processed for {rounds_text}: "
                f"after {counted(rounds_left, 'more such round')} the game ends."
            )
            yield [text]
        case GameEnded():
            yield from ([text] for text in ending_texts(after, names))
        case Resigned() if after.phase is Phase.OVER and after.end_reason is None:  # else GameEnded follows
            yield from ([text] for text in ending_texts(after, names))


def _departure_sentences(seat: Seat, before: Position, after: Position) -> Iterator[str]:
    """Yield what a resignation moves and what stays; nothing before anything is on the map."""
    if not any(before.boards[seat].ships):
        return
    returned_tokens = list((Counter(after.bag) - Counter(before.bag)).elements())
    verb = "goes" if len(returned_tokens) == 1 else "go"
    bag_text = f", {plastics_text(returned_tokens)} {verb} back to the bag" if returned_tokens else ""
    yield f"The ships leave the map{bag_text}."
    yield "The factory stays."


def _turn_end_sentences(event: TurnEnded, board: PlayerBoard, names: Names) -> Iterator[str | Sentence]:
    """Yield what the texts of a turn's operations leave out."""
    name, card = names[event.seat], event.card
    if not event.operation_count:
        yield f"{name} plays {CARD_NAMES[card]} without effect."
    elif card is Card.PLAN:
        yield f"{name}'s ship 1 now plans {dice_text(board.rows[0])}."
        yield f"Ship 2 plans {dice_text(board.rows[1])}."
    elif card is Card.UNLOAD and board.processed_count < TOKENS_TO_END:
        text = f"{name} has processed {board.processed_count} of {TOKENS_TO_END} tokens."
        yield Sentence(text, SentenceKind.GAIN_OR_LOSS)


def _operation_sentence(event: AnyEvent, after: Position, names: Names) -> str | Sentence:
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
            item = Item(f"{ARROWS[face]} to {end.value}{dock_text}")
            return _ship_sentence(seat, ship, "sails", item, after, names)
        case TokenLoaded(seat=seat, ship=ship, plastic=plastic, place=place):
            item = Item(plastic_name(plastic), place=f"from {place.value}", is_countable=True)
            return _ship_sentence(seat, ship, "loads", item, after, names, SentenceKind.GAIN_OR_LOSS)
        case TokensDrawn(seat=seat, plastics=plastics):
            return f"{names[seat]} draws {plastics_text(plastics)} from the bag."
        case TokenPlaced(seat=seat, plastic=plastic, place=place):
            item = Item(plastic_name(plastic), place=f"on {place.value}", is_countable=True)
            return clause_sentence(names[seat], "puts", item)
        case TokenUnloaded(seat=seat, plastic=plastic, line=line, slot=slot):
            item = Item(
                plastic_name(plastic), place=f"on {line.value}", number=slot, total=LINES[line].slot_count
            )
            return clause_sentence(names[seat], "processes", item, kind=SentenceKind.GAIN_OR_LOSS)
        case _:
            return ""


def _ship_sentence(
    seat: Seat,
    ship: int,
    verb: str,
    item: Item,
    after: Position,
    names: Names,
    kind: SentenceKind = SentenceKind.PLAIN,
) -> Sentence:
    """Return what a ship does: after "Ava plays Move." as "Ship 1", else as "Ava's ship 1"."""
    is_player_named = any(isinstance(event, CardPlayed) for event in after.trail)
    subject = f"Ship {ship}" if is_player_named else f"{names[seat]}'s ship {ship}"
    return clause_sentence(subject, verb, item, piece=f"ship {ship}", kind=kind)


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


def ending_texts(position: Position, names: Names) -> tuple[str, str]:
    """Return why the game ended, and who won, each in a sentence."""
    playing_seats = [Seat(seat) for seat, board in enumerate(position.boards) if not board.resigned]
    if position.end_reason is None:
        return "The game is over.", f"Only {names[playing_seats[0]]} is left and wins."
    winners = returns(position).winners
    points = board_points(position.boards[winners[0]])
    verb = "wins" if len(winners) == 1 else "share the victory"
    winner_names = listed([names[seat] for seat in winners])
    return _reason_text(position, names), f"{winner_names} {verb} with {counted(points, 'point')}."


def _reason_text(position: Position, names: Names) -> str:
    assert position.end_reason is not None
    if position.end_reason is not EndReason.PROCESSED:
        return _END_TEXTS[position.end_reason]
    processed_counts = [0 if board.resigned else board.processed_count for board in position.boards]
    most = max(processed_counts)
    return f"{names[processed_counts.index(most)]} has processed {counted(most, 'token')}: the game is over."
