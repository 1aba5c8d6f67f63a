"""One line of status: who is to do what, or how the game ended."""

from typing import Final

from rules.model import CHANCE, Names, Seat, Standing
from rules.oceans.engine.drawing import is_board_stuck, is_hand_full_of_deep_cards
from rules.oceans.engine.feeding import can_feed, keys_able_to_feed
from rules.oceans.engine.playing import may_mutate, owed_card_count
from rules.oceans.engine.ring import find_species
from rules.oceans.engine.rounds import is_last_round
from rules.oceans.engine.scoring import TIE_BREAK_LABEL, result
from rules.oceans.engine.turn import position_at_feeding
from rules.oceans.engine.values import POPULATION_AFTER_OVERPOPULATION
from rules.oceans.model import OceansView, Position
from rules.oceans.steps import (
    AnyStep,
    Choosing,
    Dealing,
    Drawing,
    Exchanging,
    Feeding,
    Keeping,
    LayingOut,
    PlacingOverflow,
    Playing,
    RefillingHand,
    RefillingPool,
    RevealingScores,
    Scrambling,
    ShowingDeep,
    Swapping,
    TakingFromScorePile,
    Trimming,
)
from rules.oceans.words.phrases import used_slots_text
from rules.oceans.words.questions import cards_to_play_text, choosing_task
from rules.text import counted, counted_in_digits, listed, shortened

_MAX_STATUS_LENGTH: Final = 300


def status_text(view: OceansView, names: Names) -> str:
    """Say who is to do what, or how the game ended."""
    position = view.position
    if position.to_act is None or not position.agenda:
        return shortened(_ending_text(position, names), _MAX_STATUS_LENGTH)
    step = position.agenda[-1]
    if position.to_act == CHANCE:
        return _chance_text(position, step, names)
    last_round_text = " This round is the last." if is_last_round(position) else ""
    task = f"{names[position.to_act]}, your turn: {task_text(position, step)}."
    return f"{task}{last_round_text}{_full_hand_text(position, position.to_act)}"


def _full_hand_text(position: Position, seat: Seat) -> str:
    """Return why a seat plays no card, or that nobody ever will; empty if Deep cards fill no hand."""
    if is_board_stuck(position):
        return (
            " All hands are full of Deep cards and no species is left: nobody can play a card or feed any"
            f" more. The host can end the game; else it is scored after round {position.options.round_cap}."
        )
    if is_hand_full_of_deep_cards(position, seat):
        return " Your hand is full of Deep cards, which cannot be played before the Cambrian Explosion."
    return ""


def task_text(position: Position, step: AnyStep) -> str:
    """Return what a step asks of the active player: "play two cards"."""
    match step:
        case Playing():
            return _playing_task_text(position)
        case Feeding():
            return _feeding_task_text(position)
        case PlacingOverflow(species=key):
            species = find_species(position, key)
            count = 0 if species is None else max(0, species.population - POPULATION_AFTER_OVERPOPULATION)
            return f"choose a zone for {key}'s overflow of {count}"
        case Trimming(species=key):
            species = find_species(position, key)
            slots_text = "" if species is None else f", which has {used_slots_text(position, species)} traits"
            return f"remove a trait of {key}{slots_text}"
        case Choosing():
            return choosing_task(step)
        case Exchanging(species=key, exchanges_left=count):
            return f"exchange up to {counted(count, 'trait')} of {key} with Surface cards, or go on"
        case Swapping(swaps_left=count, species=key):
            species_text = f"of {key}" if key else "of a species of yours with one beside it"
            return f"swap up to {counted(count, 'trait')} {species_text}, or go on"
        case Drawing(may_take_deep=may_take_deep):
            tasks = []
            if may_take_deep and (position.deep_deck_size or any(position.gene_pool)):
                tasks.append("take a Deep card")
            if position.surface_hand_sizes[position.current_player]:
                tasks.append("discard")
            return listed([*tasks, "end the turn"], "or")
        case Keeping(count=count):
            return f"keep one of {counted(count, 'Deep card')}"
        case _:
            return "act"


def _playing_task_text(position: Position) -> str:
    if not position.plays_left:
        tasks = ["exchange a Deep trait"] if may_mutate(position, position.current_player) else []
        if position_at_feeding(position) is not None:
            return listed(["feed a species", *tasks, "remove traits"], "or")
        return listed([*tasks, "remove traits", "go on to feeding"], "or")
    owed_count = owed_card_count(position)
    if not owed_count:
        return "play a card of the Gene Pool or go on to feeding"
    return f"play {cards_to_play_text(position)}"


def _feeding_task_text(position: Position) -> str:
    past_feedings, seat = position.past_feedings, position.current_player
    if not can_feed(position, seat):
        return "remove traits or go on to Aging"
    if past_feedings.feeder is None:
        return "feed a species, or stop" if past_feedings.voracious_feeder_users else "feed a species"
    keys = keys_able_to_feed(position, seat)
    if set(keys) <= {past_feedings.feeder}:
        return f"feed {past_feedings.feeder} again, or stop"
    return f"feed {listed(keys, 'or')}, or stop"


def _chance_text(position: Position, step: AnyStep, names: Names) -> str:
    name = names[position.current_player]
    match step:
        case Dealing():
            return "The cards are dealt."
        case LayingOut():
            return "The table is laid out."
        case ShowingDeep():
            return f"{name} looks at the Deep deck."
        case RefillingPool(pile=pile):
            return f"Gene Pool pile {pile} gets a new card."
        case RefillingHand():
            return f"{name} draws."
        case TakingFromScorePile(seat=seat):
            return f"{names[seat]}'s score pile gives what it can."
        case Scrambling():
            return "The traits are shuffled."
        case RevealingScores():
            return "The score piles are turned over."
        case _:
            return "Chance decides."


def _ending_text(position: Position, names: Names) -> str:
    """Return who has won and with how many points; a seat that resigned is not named."""
    seats_left = [seat for seat in range(position.seat_count) if not position.resigned[seat]]
    if len(seats_left) == 1:
        return f"{names[seats_left[0]]} has won: everybody else resigned."
    if not position.revealed_score_piles:
        return "The game is over."
    standings = [
        each for each in result(position, position.revealed_score_piles).standings if each.seat in seats_left
    ]
    winners = [each for each in standings if each.rank == 1]
    is_tied = len(winners) < len(standings) and standings[len(winners)].score == winners[0].score
    winner_names = listed([names[each.seat] for each in winners])
    verb = "wins" if len(winners) == 1 else "win together"
    tie_text = f" by {TIE_BREAK_LABEL}" if is_tied else ""
    score_text = f"{counted_in_digits(winners[0].score, 'point')}{tie_break_text(winners[0])}"
    others = standings[len(winners) :]
    others_text = listed([f"{names[each.seat]} with {each.score}{tie_break_text(each)}" for each in others])
    ahead_text = f", ahead of {others_text}" if others else ""
    return f"{winner_names} {verb}{tie_text} with {score_text}{ahead_text}."


def tie_break_text(standing: Standing) -> str:
    """Return what decides between equal scores: " (7 traits)"; empty without another seat of equal score."""
    tie = standing.tie_break
    return "" if tie is None else f" ({tie.points} trait{'' if tie.points == 1 else 's'})"
