"""The narration of an action in sentences, from the view before, the action as seen, and the trail."""

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec.structs import replace

from rules.model import CHANCE, Action, Names, Resign, Seat
from rules.narration import Narration, Sentence, line_text, narration, sentences_within
from rules.oceans.actions import (
    Attack,
    Deal,
    Done,
    Draw,
    Forage,
    LayOut,
    Scramble,
    ShowDeep,
    TakeFromScorePile,
)
from rules.oceans.cards.decks import FACE_DOWN, Card
from rules.oceans.causes import RuleCause
from rules.oceans.events import (
    AnyEvent,
    Dealt,
    DeepLookedAt,
    TraitsScrambled,
    TurnBegan,
)
from rules.oceans.model import OceansView
from rules.oceans.steps import Dealing
from rules.oceans.words.action_words import NarrationContext
from rules.oceans.words.lookahead import view_at
from rules.oceans.words.movements_text import go_or_goes
from rules.oceans.words.phrases import card_text, cards_text
from rules.oceans.words.registry import ACTION_WORDS
from rules.oceans.words.trail_text import NarrationLine, narration_lines
from rules.text import counted, listed

MAX_NARRATION_LENGTH: Final = 1000
"""Characters of one narration."""


def narrate(before: OceansView, actor: Seat, action: Action, after: OceansView, names: Names) -> Narration:
    """Describe one action and what follows from it; empty if the reader saw nothing happen."""
    at_feeding = view_at(before, action)
    if at_feeding is not before:  # first what acts before feeding
        trail = after.position.trail[len(at_feeding.position.trail) :]
        after = replace(after, position=replace(after.position, trail=trail))
        feeding = narrate(at_feeding, actor, action, after, names)
        if not at_feeding.position.trail:
            return feeding
        effects = narrate(before, actor, Done(), at_feeding, names)
        return _joined(effects, feeding)
    events = [event for event in after.position.trail if not _begins_turn_only(event, before)]
    context = NarrationContext(before, actor, after, events, names)
    opening = [*_opening(context, action)]  # it takes what it covers out of the context
    again_key = action.species if isinstance(action, Forage | Attack) and _has_fed(before, action) else ""
    return _with_limit(narration_lines(opening, context.remaining_events, context.after, names, again_key))


def _opening(context: NarrationContext, action: Action) -> Iterator[str | Sentence]:
    """Yield the sentences about an action itself."""
    if context.actor == CHANCE:
        yield from _narrate_chance(context, action)
    elif isinstance(action, Resign):
        yield from _narrate_resignation(context)
    else:
        yield from ACTION_WORDS[type(action)].narrate(context, action)


def _has_fed(view: OceansView, action: Forage | Attack) -> bool:
    """Whether the species that an action feeds has fed in this turn already."""
    past_feedings = view.position.past_feedings
    return action.species in (past_feedings.feeder, *past_feedings.voracious_feeder_users)


def _joined(effects: Narration, feeding: Narration) -> Narration:
    """Return what acts before feeding and the feeding as one narration of limited length."""
    *lines, last_line = effects.lines
    first_line, *announcements = feeding.lines
    room = MAX_NARRATION_LENGTH
    kept_lines = []
    for line in (*lines, (*last_line, *first_line), *announcements):
        kept_lines.append(sentences_within(line, room))
        room -= len(line_text(line)) + 1
    return narration(*kept_lines)


def _with_limit(lines: Sequence[NarrationLine]) -> Narration:
    """Return lines as a narration of limited length: announcements stay whole, sentences between are cut."""
    room = MAX_NARRATION_LENGTH - sum(len(line_text(line.announcement)) + 2 for line in lines)
    kept_lines = []
    for line in lines:
        sentences = sentences_within(line.sentences, room)
        room -= len(line_text(sentences))
        kept_lines.append([*line.announcement, *sentences])
    return narration(*kept_lines)


def is_routine(action: Action, after: OceansView) -> bool:
    """Whether a record only ends a turn, deals cards and begins the next turn."""
    return isinstance(action, Draw | Deal) and all(
        isinstance(event, Dealt | TurnBegan) for event in after.position.trail
    )


def _begins_turn_only(event: AnyEvent, before: OceansView) -> bool:
    """Whether an event begins a turn but no round: it is left out, as the board shows whose turn it is."""
    return isinstance(event, TurnBegan) and event.round == before.position.round


def _narrate_resignation(context: NarrationContext) -> Iterator[str]:
    """Describe who resigns, which species leave, and where their population goes."""
    keys = [species.key for species in context.before.rows[context.actor]]
    yield f"{context.actor_name} resigns."
    if not keys:
        return
    population = 0
    while movement := context.consume_movement(RuleCause.RESIGNATION):
        population += movement.count
    verb, owner = ("leaves", "its") if len(keys) == 1 else ("leave", "their")
    text = f"{listed(keys)} {verb} the board"
    if population:
        text += f", and {owner} {population} population {go_or_goes(population)} to the Reef"
    yield f"{text}."


# Chance ---------------------------------------------------------------------------------------------


def _narrate_chance(context: NarrationContext, action: Action) -> Iterator[str]:
    """Describe an outcome of chance in sentences; what these cover is taken out of the context."""
    names = context.names
    match action:
        case Deal(seat=seat, cards=cards):
            context.consume(Dealt)
            yield from _deal_sentences(context, seat, cards)
        case LayOut():
            # the set-up migrates from the Reef and from zone 1; the text of LaidOut names both
            context.consume_movement(RuleCause.MIGRATION)
            context.consume_movement(RuleCause.MIGRATION)
        case ShowDeep(seat=seat, cards=cards):
            context.consume(DeepLookedAt)
            if FACE_DOWN not in cards:  # else the look was announced already
                yield f"{names[seat]} sees {listed([card_text(card) for card in cards])}."
        case Scramble():
            context.consume(TraitsScrambled)
            yield "Each player's traits are shuffled and dealt back."
        case TakeFromScorePile(seat=seat, count=0):
            yield f"{names[seat]}'s score pile is empty."


def _deal_sentences(context: NarrationContext, seat: Seat, cards: Sequence[Card]) -> Iterator[str]:
    """Describe what is drawn: the cards to those who see them, else how many."""
    is_seen = FACE_DOWN not in cards and bool(cards)
    names, before = context.names, context.before
    if before.agenda and isinstance(before.agenda[-1], Dealing):
        if is_seen:
            yield f"{names[seat]} is dealt {cards_text(cards)}."
        if not any(isinstance(step, Dealing) for step in context.after.agenda):
            yield f"Everybody holds {counted(len(cards), 'Surface card')}."
    elif cards:
        drawn_text = cards_text(cards) if is_seen else counted(len(cards), "Surface card")
        yield f"{names[seat]} draws {drawn_text}."
