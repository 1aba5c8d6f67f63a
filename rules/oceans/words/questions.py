"""What a player is asked: the questions above the choices in the panel, and the tasks in the status."""

from functools import lru_cache
from typing import Final

from rules.model import Seat
from rules.oceans.engine.drawing import hand_size
from rules.oceans.engine.feeding import can_feed, keys_able_to_feed
from rules.oceans.engine.playing import may_mutate, owed_card_count, owes_one_more_card
from rules.oceans.model import FULL_HAND_SIZE, OceansView, Position
from rules.oceans.steps import ChoiceKind, Choosing, Drawing, Exchanging, Feeding, Playing, Swapping, Trimming
from rules.oceans.words.choosing import ages_twice
from rules.oceans.words.extinction_rescues import removal_texts
from rules.oceans.words.extinction_warnings import (
    asks_about_aging,
    certain_extinction_text,
    endangered_keys,
    extinction_warning,
)
from rules.oceans.words.lookahead import certain_extinctions
from rules.oceans.words.phrases import cause_text
from rules.text import counted

_MANY_DEEP_CARDS: Final = 3
"""From so many Deep cards in hand on the panel warns that six fill it before the Cambrian Explosion."""


def cards_to_play_text(position: Position) -> str:
    """Return how many cards are still to play: "two cards", or "one more card" for the last of several."""
    return "one more card" if owes_one_more_card(position) else counted(owed_card_count(position), "card")


def first_question(view: OceansView) -> str:
    """Return the question of the panel's first screen."""
    position = view.position
    match position.agenda[-1]:
        case Playing() if position.plays_left:
            owed_count = owed_card_count(position)
            first_text = " first" if owed_count > 1 else ""
            # Only cards in hand migrate, those of the Gene Pool (Thermal Currents) do not.
            uses_text = ", to evolve or to migrate" if owed_count else ""
            return f"Which card do you play{first_text}{uses_text}?"
        case Playing():
            verbs = "exchange or remove" if may_mutate(position, position.current_player) else "remove"
            return f"Do you {verbs} a trait, or go on to feeding?"
        case Feeding():
            return f"{_extinction_warning(view)} {_feeding_question(position)}".lstrip()
        case Trimming(species=key):
            return f"Which trait does {key} lose?"
        case Exchanging(species=key):
            return f"Which trait of {key} do you take to your hand?"
        case Swapping():
            return "Which trait do you swap?"
        case Drawing(may_take_deep=may_take_deep):
            return _drawing_question(position, may_take_deep=may_take_deep)
        case _:
            return "What do you want to do?"


def _drawing_question(position: Position, *, may_take_deep: bool) -> str:
    """Return what is asked in the drawing phase, whose order is fixed: Deep card, discards, draw."""
    seat = position.current_player
    may_discard = bool(position.surface_hand_sizes[seat])
    may_take = may_take_deep and bool(position.deep_deck_size or any(position.gene_pool))
    end_text = _end_of_turn_text(position, may_take=may_take, may_discard=may_discard)
    if not may_take:
        question = "Do you discard Surface cards first?" if may_discard else "Do you end your turn?"
        return f"{end_text} {question}"
    question = f"{end_text} Do you take a Deep card first?"
    if may_discard:
        question = f"First you may take a Deep card, then discard. {end_text} What do you want to do?"
    return f"{_deep_hand_warning(position, seat)} {question}".lstrip()


def _end_of_turn_text(position: Position, *, may_take: bool, may_discard: bool) -> str:
    """Return what the end of the turn draws: how many cards if no choice before it changes that."""
    seat = position.current_player
    if not position.cambrian_happened and position.deep_hand_sizes[seat] >= FULL_HAND_SIZE:
        return "**End turn** draws no card: Deep cards fill your hand until the Cambrian Explosion."
    missing = max(0, FULL_HAND_SIZE - hand_size(position, seat))
    if may_discard and not missing:
        return "**End turn** draws cards only if you hold fewer than six then."
    if missing and (may_discard or may_take):
        return "**End turn** fills your hand to six cards."
    count = min(missing, position.surface_deck_size + len(position.discard_pile))
    return f"**End turn** draws {counted(count, 'card') if count else 'no card'}."


def _deep_hand_warning(position: Position, seat: Seat) -> str:
    """Return that six Deep cards fill a hand before the Cambrian Explosion.

    Empty if the seat holds few, or so many already.
    """
    count = position.deep_hand_sizes[seat]
    if position.cambrian_happened or not _MANY_DEEP_CARDS <= count < FULL_HAND_SIZE:
        return ""
    return (
        "Until the Cambrian Explosion you can neither play nor discard Deep cards, and six fill your hand:"
        f" you hold {counted(count, 'of them', 'of them')}."
    )


def _feeding_question(position: Position) -> str:
    """Return what is asked in the feeding phase: which species feeds, or whether the same one feeds again."""
    past_feedings, seat = position.past_feedings, position.current_player
    if not can_feed(position, seat):
        return "No species can feed. Do you remove a trait, or go on to Aging?"
    if past_feedings.feeder is not None and set(keys_able_to_feed(position, seat)) <= {past_feedings.feeder}:
        return f"Does {past_feedings.feeder} feed again?"
    return "Which species feeds?"


@lru_cache(maxsize=16)
def _extinction_warning(view: OceansView) -> str:
    """Return which species of the active player would die out.  Cached, as all choices of a panel ask it."""
    position, seat = view.position, view.position.current_player
    if not endangered_keys(position, seat):
        return ""
    return extinction_warning(
        position, seat, certain_extinctions(view, position), removal_texts(view, position)
    )


def overflow_question(view: OceansView, key: str) -> str:
    """Return where a species' overflow goes, as a question; own species that nothing can save come first."""
    warning = certain_extinction_text(certain_extinctions(view, view.position))
    return f"{warning} Where does {key}'s overflow go?".lstrip()


def choosing_question(view: OceansView, step: Choosing) -> str:
    """Return what the ``Choosing`` step on top of the agenda asks, as a question.

    Where it is asked how species age, those that die out whatever is chosen are named first.
    """
    position, question = view.position, _choosing_texts(step)[1]
    if not asks_about_aging(position):
        return question
    if step.kind is ChoiceKind.AGE and ages_twice(position, step.species):
        question = f"{step.species} ages twice. How much each time ({cause_text(step.cause)})?"
    return f"{_extinction_warning(view)} {question}".lstrip()


def choosing_task(step: Choosing) -> str:
    """Return what a ``Choosing`` step asks, as a task: "choose how much A1 ages (Warm Blooded)"."""
    return _choosing_texts(step)[0]


def _choosing_texts(step: Choosing) -> tuple[str, str]:
    """Return the task and the question of a ``Choosing`` step."""
    cause, key = cause_text(step.cause), step.species
    match step.kind:
        case ChoiceKind.LEECH:
            return f"choose whom {key} leeches ({cause})", f"Whom does {key} leech ({cause})?"
        case ChoiceKind.SCORE_PILE:
            return (
                f"choose whose score pile {key} takes from ({cause})",
                f"Whose score pile does {key} take from ({cause})?",
            )
        case ChoiceKind.FEED_REEF:
            return f"choose the zone that feeds the Reef ({cause})", f"Which zone feeds the Reef ({cause})?"
        case ChoiceKind.BLEACHING:
            return (
                f"choose where population from the Reef goes ({cause})",
                f"Which zone gets population from the Reef ({cause})?",
            )
        case ChoiceKind.AGE:
            return f"choose how much {key} ages ({cause})", f"How much does {key} age ({cause})?"
        case ChoiceKind.SECOND_AGING:
            return f"choose which species ages twice ({cause})", f"Which species ages twice ({cause})?"
        case ChoiceKind.HYDRA:
            return (
                f"choose whom {key} also takes 1 from ({cause}), or go on",
                f"From whom does {key} also take 1 ({cause})?",
            )
