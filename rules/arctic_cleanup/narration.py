"""The narration of an action in sentences, from the trail."""

from rules.arctic_cleanup.actions import FillOcean
from rules.arctic_cleanup.components import PROCESSED_TO_END, Block
from rules.arctic_cleanup.events import (
    AnyEvent,
    BlockFilled,
    CardFlipped,
    CardPlayed,
    DieBrought,
    DieRotated,
    DieShifted,
    End,
    FactoryBuilt,
    GameEnded,
    LastCall,
    Ordered,
    Resigned,
    ShipPlaced,
    ShipSailed,
    TokenLoaded,
    TokenPlaced,
    TokensDrawn,
    TokenUnloaded,
    TurnEnded,
)
from rules.arctic_cleanup.model import ArcticCleanUpView
from rules.arctic_cleanup.phrases import ARROWS, BLOCK_TEXTS, CARD_NAMES, plastic_name, plastics_text
from rules.game import Action, Names, Seat
from rules.text import listed

END_TEXTS = {
    End.PROCESSED: f"A factory holds {PROCESSED_TO_END} tokens. The game is over.",
    End.CLEAN_OCEAN: "The last call is over, and with it the game.",
    End.QUIET: "No token moved for six rounds. The game is over.",
    End.ROUND_LIMIT: "The last round is over, and with it the game.",
}


def narrate(
    before: ArcticCleanUpView, actor: Seat, action: Action, after: ArcticCleanUpView, names: Names
) -> str:
    """Return the sentences for one action; empty for the end of a turn that did something."""
    if isinstance(action, FillOcean):
        return "Three tokens drift onto each ocean tile."
    texts = (_event_text(event, names) for event in after.position.trail)
    return " ".join(text for text in texts if text)


def _event_text(event: AnyEvent, names: Names) -> str:
    match event:
        case Ordered(seats=seats):
            return f"Turn order: {listed([names[seat] for seat in seats])}."
        case FactoryBuilt(seat=seat, place=place):
            return f"{names[seat]} builds the factory on {place.value}."
        case ShipPlaced(seat=seat, ship=ship, place=place):
            return f"{names[seat]}'s ship {ship} starts on {place.value}."
        case CardPlayed(seat=seat, card=card, strength=strength):
            return f"{names[seat]} plays {CARD_NAMES[card]} with strength {strength}."
        case TurnEnded(seat=seat, card=card, operations=0):
            return f"{names[seat]} plays {CARD_NAMES[card]} without effect."
        case LastCall(last_round=last_round):
            return f"Ocean and bag are empty. Round {last_round} is the last."
        case GameEnded(end=end):
            return END_TEXTS[end]
        case Resigned(seat=seat):
            return f"{names[seat]} resigns. The ships leave the map."
        case _:
            return _operation_text(event)


def _operation_text(event: AnyEvent) -> str:
    """Return an operation; who plays was said with the card."""
    match event:
        case DieRotated(row=row, face=face, to=to):
            return f"A die of ship {row} turns from {ARROWS[face]} to {ARROWS[to]}."
        case DieShifted(row=row, face=face):
            return f"{ARROWS[face]} goes from ship {row} to ship {3 - row}."
        case DieBrought(row=row, face=face):
            return f"A new die for ship {row}: {ARROWS[face]}."
        case ShipSailed(ship=ship, end=end, face=face):
            return f"Ship {ship} sails {ARROWS[face]} to {end.value}."
        case TokenLoaded(ship=ship, plastic=plastic):
            return f"Ship {ship} loads {plastic_name(plastic)}."
        case TokensDrawn(plastics=plastics):
            return f"From the bag come {plastics_text(plastics)}."
        case TokenPlaced(plastic=plastic, place=place):
            return f"{plastic_name(plastic)} goes to {place.value}."
        case TokenUnloaded(plastic=plastic, line=line):
            return f"{plastic_name(plastic)} is processed on {line.value}."
        case BlockFilled(block=Block.U):
            return "The hatched lines are open."
        case BlockFilled(block=block):
            return f"A full block {BLOCK_TEXTS[block]}."
        case CardFlipped(card=card):
            return f"{CARD_NAMES[card]} now has double strength."
        case _:
            return ""
