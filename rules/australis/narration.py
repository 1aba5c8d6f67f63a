"""The narration of an action in sentences, from the view before, the action, and the trail."""

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Final, NamedTuple

from rules.australis.actions import (
    ActivateAll,
    ActivateCard,
    KeepCard,
    LeaveCorals,
    MoveCoral,
    PlaceCoral,
    RollCompetition,
    TakeDie,
    UseCard,
)
from rules.australis.components import (
    DISPLAY_SIZE,
    FACE_FACTS,
    LAST_SPACE,
    ROUND_COUNT,
    Card,
    Colour,
    Die,
    in_usual_order,
)
from rules.australis.events import (
    AnyEvent,
    CardsRevealed,
    CoralMoved,
    CoralPlaced,
    CubeTaken,
    EffectSource,
    FishCaught,
    NoCoralMoved,
    PickLost,
    PointsGained,
    Reshuffled,
    Resigned,
    RoundBegan,
    TurtleMoved,
)
from rules.australis.forecast import activated_cards
from rules.australis.legal import is_die_forced
from rules.australis.model import AustralisView, Phase, Position
from rules.australis.mutable_position import CARD_INDEX
from rules.australis.phrases import (
    card_text,
    cards_text,
    cubes_text,
    die_text,
    fish_text,
    occupied_text,
    points_text,
)
from rules.australis.reef_rank_texts import place_text_of_coral, place_texts_of_swims
from rules.australis.round_end_narration import round_end_lines
from rules.model import Action, Names, Seat
from rules.narration import Item, Narration, Sentence, SentenceKind, clause_sentence, narration
from rules.text import capitalized, counted, listed

_CORAL_ACTIONS: Final = (PlaceCoral, MoveCoral, LeaveCorals)
_CORAL_EVENTS: Final = (CoralPlaced, CoralMoved, NoCoralMoved)


def narrate(
    before: AustralisView, actor: Seat, action: Action, after: AustralisView, names: Names
) -> Narration:
    """Return the sentences for one action: the step, new cards, the end of a round, the next round.

    Scores, the winner of a competition and the end of the game are announcements below them.
    """
    old, new = before.position, after.position
    events = _with_whole_refills(old.trail, new.trail)
    round_start_index = next(
        (i for i, event in enumerate(events) if isinstance(event, RoundBegan)), len(events)
    )
    story = _step_sentences(old, actor, action, new, names) if actor >= 0 else []
    for event in _with_one_lost_pick(events[:round_start_index]):
        story += _event_sentences(old, event, new, names)
    round_end, *announcements = round_end_lines(new, names)
    lines = [story + round_end, *announcements]
    for event in events[round_start_index:]:
        lines[-1] += _event_sentences(old, event, new, names)
    return narration(*lines)


def is_routine(action: Action, after: AustralisView) -> bool:
    """Whether a record only rolls for a competition that goes on: its picture shows every roll."""
    competition = after.position.competition
    return isinstance(action, RollCompetition) and competition is not None and not competition.is_over


def _with_whole_refills(earlier_trail: Sequence[AnyEvent], trail: Sequence[AnyEvent]) -> list[AnyEvent]:
    """Return the events of a trail with the cards before and after a reshuffle in one event, after it.

    ``earlier_trail``: that of the record before, which ends with the reshuffle if chance draws the rest.
    """
    cards: list[Card] = []
    events: list[AnyEvent] = []
    match earlier_trail:
        case [*_, CardsRevealed(cards=earlier_cards), Reshuffled()]:
            cards += earlier_cards
    for event, next_event in zip_longest(trail, trail[1:]):
        if not isinstance(event, CardsRevealed):
            events.append(event)
            continue
        cards += event.cards
        if not isinstance(next_event, Reshuffled):
            events.append(CardsRevealed(tuple(sorted(cards, key=CARD_INDEX.__getitem__))))
            cards = []
    return events


def _with_one_lost_pick(events: Sequence[AnyEvent]) -> list[AnyEvent]:
    """Return the events without a second lost pick, which the sentence about the first one covers."""
    return [
        event for i, event in enumerate(events) if not isinstance(event, PickLost) or event not in events[:i]
    ]


def _event_sentences(
    before: Position, event: AnyEvent, after: Position, names: Names
) -> Iterator[str | Sentence]:
    match event:
        case RoundBegan(round=number, starter=starter) if before.round and before.token_holder is None:
            yield f"Round {number}: the dice are rolled."
            yield (
                "Nobody has the first player token, "
                f"so {names[starter]}, whose turtle is furthest back, takes the first one."
            )
        case RoundBegan(round=number, starter=starter):
            yield f"Round {number}: the dice are rolled, and {names[starter]} takes the first one."
        case Resigned(seat=seat):
            yield f"{names[seat]} resigns."
            yield "The corals and the turtle leave the board."
            if after.phase is not Phase.OVER:
                yield _cards_after_resignation_text(before.boards[seat].cards)
                yield _dice_after_resignation_text(before, seat, after)
        case PickLost():
            yield "No card on the display may be taken, so nothing more is picked."
        case Reshuffled(count=count):
            yield f"The draw pile is empty, so the discard pile is shuffled ({counted(count, 'card')})."
        case CardsRevealed(cards=cards):
            title = "On the display" if len(cards) == DISPLAY_SIZE else "New on the display"
            yield Sentence(f"{title}: {cards_text(cards)}.", SentenceKind.DETAIL)


def _cards_after_resignation_text(cards: Sequence[Card]) -> str:
    """Return that the kept cards of a seat that resigned are discarded; empty without any."""
    if not cards:
        return ""
    if len(cards) == 1:
        return f"The kept {card_text(cards[0])} is discarded."
    return f"The kept cards are discarded: {cards_text(cards)}."


def _dice_after_resignation_text(before: Position, seat: Seat, after: Position) -> str:
    """Return which dice go back, and how many are left to take in this round."""
    returned_count, left_count = len(before.boards[seat].dice), after.dice_left
    clauses = []
    if returned_count:
        verb = "goes" if returned_count == 1 else "go"
        clauses.append(f"{counted(returned_count, 'die', 'dice')} {verb} back to the board")
    if left_count:
        verb = "is" if left_count == 1 else "are"
        clauses.append(f"{counted(left_count, 'die', 'dice')} {verb} still to be taken in this round")
    return f"{capitalized(', and '.join(clauses))}." if clauses else ""


# One step of a turn ---------------------------------------------------------------------------------


class _Effect(NamedTuple):
    """One thing that a source brought, in words."""

    text: str
    is_clause: bool
    """Whether the text is a clause ("the turtle swims from 8 to 13"), or else a thing ("two points")."""


def _step_sentences(
    before: Position, actor: Seat, action: Action, after: Position, names: Names
) -> list[str | Sentence]:
    """Return what a choice did: the choice itself, then what kept cards and the die brought."""
    opening = _opening_text(before, actor, action, after, names)
    if not opening:
        return []
    effects = _effects_by_source(before, action, after, names)
    opening_effects, kept_effects, die_effects = (
        effects[source] for source in (EffectSource.USED_CARD, EffectSource.KEPT_CARD, EffectSource.DIE)
    )
    if isinstance(action, ActivateCard | ActivateAll):
        opening_effects, kept_effects = kept_effects[:1], kept_effects[1:]
    elif isinstance(action, TakeDie) and not kept_effects:
        opening_effects, die_effects = die_effects, []
    sentences: list[str | Sentence] = []
    if opening_effects:
        sentences.append(f"{opening}: {', '.join(each.text for each in opening_effects)}.")
    elif isinstance(action, KeepCard):
        sentences.append(clause_sentence(names[actor], "keeps", Item(f"the {card_text(action.card)}")))
    else:
        sentences.append(f"{opening}.")
    if kept_effects:
        the_cards = _kept_cards_text(before, actor, action, len(kept_effects))
        verb = "brings" if len(kept_effects) == 1 else "bring"
        sentences.append(_effects_text(f"{capitalized(the_cards)} {verb}", f"With {the_cards}", kept_effects))
    if die_effects:
        the_die = die_text(before.active_die) if before.active_die is not None else "the die"
        sentences.append(_effects_text(f"{capitalized(the_die)} brings", f"With {the_die}", die_effects))
    if place_texts := place_texts_of_swims(before, actor, after, names):
        sentences.append(f"With the turtle ahead, {names[actor]} takes {listed(place_texts)}.")
    if isinstance(action, TakeDie) and is_die_forced(before):
        sentences.append(f"{'Both' if len(before.dice) == 2 else 'All'} dice left were alike.")
    return sentences


def _kept_cards_text(before: Position, actor: Seat, action: Action, count: int = 1) -> str:
    """Return how many kept cards of the turn's die: "the kept blue card", "a kept blue card" of several."""
    die = action.die if isinstance(action, TakeDie) else before.active_die
    assert die is not None, "kept cards come with a die"
    colour = FACE_FACTS[die].colour
    if count > 1:
        return f"kept {colour.value} cards"
    article = "the" if len(activated_cards(before.boards[actor], colour)) == 1 else "a"
    return f"{article} kept {colour.value} card"


def _effects_text(things_opening: str, clauses_opening: str, effects: Sequence[_Effect]) -> str:
    """Return what a source brought in a sentence.

    It begins with one of two texts: "The die brings" before things, "With the die" if there are clauses only.
    """
    things = [each.text for each in effects if not each.is_clause]
    clauses = [each.text for each in effects if each.is_clause]
    if not things:
        return f"{clauses_opening} {listed(clauses)}."
    clauses_text = f", and {listed(clauses)}" if clauses else ""
    return f"{things_opening} {listed(things)}{clauses_text}."


def _opening_text(before: Position, actor: Seat, action: Action, after: Position, names: Names) -> str:
    """Return the choice itself as the opening of a sentence; empty for actions that have texts elsewhere."""
    name = names[actor]
    match action:
        case TakeDie(die=die):
            return f"{name} takes {die_text(die)}{_token_text(before, die)}"
        case KeepCard(card=card):
            return f"{name} keeps the {card_text(card)}"
        case UseCard(card=card):
            return f"{name} uses the {card_text(card)}"
        case ActivateCard(card=card):
            return f"{name} activates the kept {card_text(card)}"
        case ActivateAll():
            return f"{name} activates the kept {card_text(in_usual_order(before.cards_to_activate)[0])}"
        case PlaceCoral(reef=reef):
            place_suffix = _coral_place_suffix(before, after, names)
            source_text = _coral_source_text(before, actor, action)
            return f"{source_text}{name} places a coral on reef {reef}{place_suffix}"
        case MoveCoral(start=start, end=end):
            place_suffix = _coral_place_suffix(before, after, names)
            source_text = _coral_source_text(before, actor, action)
            return f"{source_text}{name} moves a coral from reef {start} to reef {end}{place_suffix}"
        case LeaveCorals():
            return f"{name} has no coral left to place and moves none"
        case _:
            return ""


def _coral_source_text(before: Position, actor: Seat, action: Action) -> str:
    """Return the kept card that brings a coral as the opening of a sentence; empty for a die or a used card.

    Without it a coral on a reef that the die does not reach would look illegal.
    """
    if before.coral_source is not EffectSource.KEPT_CARD:
        return ""
    return f"With {_kept_cards_text(before, actor, action)} "


def _token_text(before: Position, die: Die) -> str:
    """Return what the first player token, which comes with the red die, brings; empty for other dice."""
    if FACE_FACTS[die].colour is not Colour.RED:
        return ""
    if before.round == ROUND_COUNT:
        return " and the first player token"
    return f" and will start round {before.round + 1}"


def _coral_place_suffix(before: Position, after: Position, names: Names) -> str:
    """Return which place the coral of the choice gained as the end of a sentence, or nothing."""
    coral = next(event for event in after.trail if isinstance(event, CoralPlaced | CoralMoved))
    place_text = place_text_of_coral(before, after, coral, names)
    return f" and {place_text}" if place_text else ""


def _effects_by_source(
    before: Position, action: Action, after: Position, names: Names
) -> dict[EffectSource, list[_Effect]]:
    """Return what each source brought.

    The coral of a coral action is left out, since the opening names it.
    """
    events: Sequence[AnyEvent] = after.trail
    if isinstance(action, _CORAL_ACTIONS):
        index = next((i for i, event in enumerate(events) if isinstance(event, _CORAL_EVENTS)), None)
        events = events if index is None else (*events[:index], *events[index + 1 :])
    die = action.die if isinstance(action, TakeDie) else before.active_die
    effects_by_source = {}
    for source in EffectSource:
        effects = [
            _Effect(
                _effect_text(before, after, source, die, events, index, names),
                is_clause=isinstance(event, TurtleMoved | CoralMoved),
            )
            for index, event in enumerate(events)
            if getattr(event, "source", None) is source and not _is_told_with_die(event, die)
        ]
        effects_by_source[source] = [each for each in effects if each.text]
    return effects_by_source


def _is_told_with_die(event: AnyEvent, die: Die | None) -> bool:
    """Whether a turtle stays where a card would move it, which the blue die of the turn says, too."""
    return (
        isinstance(event, TurtleMoved)
        and event.source is EffectSource.KEPT_CARD
        and event.start == event.end
        and die is not None
        and FACE_FACTS[die].colour is Colour.BLUE
    )


def _effect_text(
    before: Position,
    after: Position,
    source: EffectSource,
    die: Die | None,
    events: Sequence[AnyEvent],
    index: int,
    names: Names,
) -> str:
    event = events[index]
    match event:
        case PointsGained(points=points):
            return "" if source is EffectSource.DIE else points_text(points)
        case FishCaught(count=count):
            return "" if source is EffectSource.DIE else fish_text(count)
        case TurtleMoved(start=start, end=end):
            step_count = FACE_FACTS[die].number if source is EffectSource.DIE and die is not None else 1
            return f"{_swim_text(start, end, step_count)}{_reached_cubes_text(events, index)}"
        case CoralPlaced(seat=seat, reef=reef):
            place_text = place_text_of_coral(before, after, event, names)
            return f"a coral on reef {reef}{f' ({names[seat]} {place_text})' if place_text else ''}"
        case CoralMoved(start=start, end=end):
            return f"a coral moves from reef {start} to reef {end}"
        case _:
            return ""


def _swim_text(start: int, end: int, step_count: int) -> str:
    """Return a turtle's move, and which spaces are occupied if it does not end ``step_count`` ahead."""
    if start == end:
        return f"the turtle stays on space {start}"
    target = min(start + step_count, LAST_SPACE)
    text = f"the turtle swims from {start} to {end}"
    if end == target:
        return text
    occupied = range(target, end) if end > target else range(end + 1, LAST_SPACE + 1)
    return f"{text} ({occupied_text(occupied)})"


def _reached_cubes_text(events: Sequence[AnyEvent], index: int) -> str:
    """Return which cubes the move at ``index`` reached."""
    cubes = []
    for event in events[index + 1 :]:
        if not isinstance(event, CubeTaken):
            break
        cubes.append(event)
    kept = [cube for cube in cubes if not cube.boxed]
    grey_text = " (one of them grey)" if len(kept) > 1 and any(cube.is_grey for cube in kept) else ""
    cube_texts = [f"takes {cubes_text(len(kept))}{grey_text}"] if kept else []
    if len(kept) == 1 and kept[0].is_grey:
        cube_texts = ["takes a grey cube"]
    boxed_count = len(cubes) - len(kept)
    if boxed_count:
        cube_texts.append(f"{cubes_text(boxed_count)} {'goes' if boxed_count == 1 else 'go'} to the box")
    return f" and {listed(cube_texts)}" if cube_texts else ""
