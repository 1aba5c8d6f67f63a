"""Oceans: the state with its secrets, and how it changes.

Where the published text is silent, ``docs/rulings.md`` says what we play.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

import msgspec

from rules.game import SEAT_LETTERS, Action, ChanceKey, Result, Seat
from rules.notation import parse_seat
from rules.oceans.actions import (
    Attack,
    Cast,
    Choose,
    Create,
    Deal,
    Discard,
    Done,
    Draw,
    DropTrait,
    Evolve,
    Exchange,
    Forage,
    Keep,
    LayOut,
    LookDeep,
    Migrate,
    Mutate,
    OpenShield,
    RefillPool,
    Reshuffle,
    Scramble,
    SetFastAging,
    SetOverflow,
    ShowDeep,
    Skip,
    Spill,
    Swap,
    TakeDeep,
    TurnOver,
)
from rules.oceans.cards.decks import DECK_ORDER, SURFACE_DECK, Card
from rules.oceans.engine import setup, turn
from rules.oceans.engine.checkpoint import removable
from rules.oceans.engine.scoring import result
from rules.oceans.engine.values import is_deep
from rules.oceans.model import (
    HAND_SIZE,
    LOOK_SIZE,
    FirstPlayer,
    OceansOptions,
    OceansView,
    Position,
    ScenarioSet,
    deep_deck,
    scenario_codes,
)
from rules.oceans.steps import (
    Dealing,
    DrawingUp,
    Keeping,
    LayingOut,
    OpeningShield,
    Refilling,
    Scrambling,
    Showing,
    Tallying,
)
from rules.stream import Stream


class State(msgspec.Struct, frozen=True, gc=False):
    """The public position and the secrets."""

    position: Position
    hands: tuple[tuple[Card, ...], ...]
    """By seat, each in deck order."""
    scores: tuple[int, ...]
    """Population behind each shield."""
    surface_rest: tuple[Card, ...]
    """The Surface deck, in deck order: chance picks from it when somebody draws."""
    deep_rest: tuple[Card, ...]
    """The Deep deck, likewise."""
    looking: tuple[Card, ...]
    """The Deep cards that the active player looks at."""


_order: Final = DECK_ORDER.__getitem__


def initial_state(seats: int, options: OceansOptions) -> State:
    """Return the state before the first deal."""
    return State(
        setup.initial_position(seats, options),
        ((),) * seats,
        (0,) * seats,
        SURFACE_DECK,
        deep_deck(options),
        (),
    )


def to_act(state: State) -> Seat | None:
    """Return the seat to act, CHANCE, or None at the end."""
    return state.position.to_act


def view(state: State, viewer: Seat | None) -> OceansView:
    """Return the position, the viewer's hand and score pile, and the Deep cards that the viewer looks at."""
    position = state.position
    if viewer is None:
        return OceansView(position, None, (), None, ())
    looking = state.looking if viewer == position.current_player else ()
    return OceansView(position, viewer, state.hands[viewer], state.scores[viewer], looking)


# The secrets ----------------------------------------------------------------------------------------


_MOVE_NO_HIDDEN_CARD: Final = frozenset(
    {Mutate, DropTrait, SetOverflow, SetFastAging, Done, Swap, Forage, Attack, Skip, Choose, Spill}
    | {LookDeep, Draw, OpenShield, Scramble, TurnOver}
)
"""The actions that neither take cards out of hands and decks nor put them there."""


def apply_action(state: State, action: Action) -> State:
    """Apply a legal action, or a possible outcome of chance."""
    position = state.position
    outcome = turn.advance(position, action)
    hands = list(state.hands)
    surface, deep, looking = state.surface_rest, state.deep_rest, state.looking
    seat = position.current_player
    match action:
        case Deal(seat=to, cards=cards):
            hands[to] = _with(hands[to], cards)
            surface = _less(surface, cards)
        case Reshuffle(cards=cards):
            surface = cards
        case LayOut(gene_pool=pool, discard=card):
            surface, deep = _less(surface, (card,)), _less(deep, pool)
        case ShowDeep(cards=cards):
            deep = _less(deep, cards)
            if len(cards) > 1:
                looking = cards
            else:
                hands[seat] = _with(hands[seat], cards)
        case RefillPool(card=card):
            deep = _less(deep, (card,))
        case Keep(card=card):
            hands[seat] = _with(hands[seat], (card,))
            looking = ()
        case TakeDeep(pile=pile):
            hands[seat] = _with(hands[seat], (position.gene_pool[pile - 1][-1],))
        case Exchange(card=card, replacement=replacement):
            hands[seat] = _with(_less(hands[seat], (replacement,)), (card,))
        case (
            Evolve(card=card) | Create(card=card) | Migrate(card=card) | Cast(card=card) | Discard(card=card)
        ):
            if card in hands[seat]:  # else it came from the Gene Pool
                hands[seat] = _less(hands[seat], (card,))
        case _ if type(action) not in _MOVE_NO_HIDDEN_CARD:
            raise TypeError(f"what does {type(action).__name__} do to hands and decks?")
    return State(
        outcome.position, tuple(hands), _changed(state.scores, outcome.scores), surface, deep, looking
    )


def _changed(scores: tuple[int, ...], by: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(map(int.__add__, scores, by)) if any(by) else scores


def _with(cards: tuple[Card, ...], more: Iterable[Card]) -> tuple[Card, ...]:
    return tuple(sorted((*cards, *more), key=_order))


def _less(cards: tuple[Card, ...], taken: Sequence[Card]) -> tuple[Card, ...]:
    left = list(cards)
    for card in taken:
        left.remove(card)
    return tuple(left)


def resign(state: State, seat: Seat) -> State | None:
    """Resign a seat: remove its species and cards; its score pile no longer counts."""
    position = state.position
    looking = state.looking if seat == position.current_player else ()
    held = (*state.hands[seat], *looking)
    surface = tuple(card for card in held if not is_deep(card))
    deep = tuple(card for card in held if is_deep(card))
    outcome = turn.resign(position, seat, surface, deep)
    hands = tuple(() if other == seat else hand for other, hand in enumerate(state.hands))
    return State(
        outcome.position,
        hands,
        _changed(state.scores, outcome.scores),
        state.surface_rest,
        state.deep_rest,
        () if looking else state.looking,
    )


# Chance ---------------------------------------------------------------------------------------------


def next_chance(view: OceansView) -> ChanceKey:
    """Return the key of the next outcome of chance."""
    position = view.position
    match position.agenda[-1]:
        case Dealing(seat=seat):
            return ChanceKey(Deal, seat)
        case LayingOut():
            return ChanceKey(LayOut)
        case DrawingUp():
            return ChanceKey(Deal, position.current_player) if position.surface_deck else ChanceKey(Reshuffle)
        case Showing():
            return ChanceKey(ShowDeep, position.current_player)
        case Refilling():
            return ChanceKey(RefillPool)
        case OpeningShield(seat=seat):
            return ChanceKey(OpenShield, seat)
        case Scrambling():
            return ChanceKey(Scramble)
        case Tallying():
            return ChanceKey(TurnOver)
        case step:
            raise TypeError(f"{type(step).__name__} asks nothing of chance")


def sample_chance(state: State, stream: Stream) -> Action:
    """Draw the next outcome of chance, or reveal a secret as one."""
    position = state.position
    match position.agenda[-1]:
        case Dealing(seat=seat):
            return Deal(seat, stream.pick(state.surface_rest, HAND_SIZE))
        case LayingOut():
            return _lay_out(state, stream)
        case DrawingUp():
            if not position.surface_deck:
                return Reshuffle(position.discard_pile)
            return Deal(position.current_player, stream.pick(state.surface_rest, _draw_count(position)))
        case Showing():
            return ShowDeep(position.current_player, stream.pick(state.deep_rest, _look_count(position)))
        case Refilling(pile=pile):
            return RefillPool(pile, stream.choose(state.deep_rest))
        case OpeningShield(seat=seat, most=most):
            return OpenShield(seat, min(most, state.scores[seat]))
        case Scrambling():
            return Scramble(tuple(card for row in _loose(position) for card in stream.shuffle(row)))
        case Tallying():
            return TurnOver(state.scores)
        case step:
            raise TypeError(f"{type(step).__name__} asks nothing of chance")


def _lay_out(state: State, stream: Stream) -> LayOut:
    options = state.position.options
    first, second = stream.sample(scenario_codes(options), 2)
    pool = () if options.reef else stream.sample(state.deep_rest, 2)
    discard = stream.choose(state.surface_rest)
    starters = SEAT_LETTERS[: 1 if options.first_player is FirstPlayer.HOST else state.position.seats]
    return LayOut((first, second), tuple(pool), discard, parse_seat(stream.choose(starters)))


def _draw_count(position: Position) -> int:
    seat = position.current_player
    return min(HAND_SIZE - position.surface_hands[seat] - position.deep_hands[seat], position.surface_deck)


def _look_count(position: Position) -> int:
    return min(LOOK_SIZE, position.deep_deck)


def _loose(position: Position) -> list[list[Card]]:
    return [[card for species in row for card in removable(species)] for row in position.rows]


def possible(state: State, action: Action) -> bool:
    """Whether an outcome of chance is possible now."""
    position = state.position
    if not position.agenda:
        return False
    match position.agenda[-1], action:
        case Dealing(seat=seat), Deal():
            return action.seat == seat and _drawn(state.surface_rest, action.cards, HAND_SIZE)
        case LayingOut(), LayOut():
            return _may_lay_out(state, action)
        case DrawingUp(), Deal():
            seat, count = position.current_player, _draw_count(position)
            return action.seat == seat and count > 0 and _drawn(state.surface_rest, action.cards, count)
        case DrawingUp(), Reshuffle(cards=cards):
            return not position.surface_deck and cards == position.discard_pile
        case Showing(), ShowDeep():
            seat = position.current_player
            return action.seat == seat and _drawn(state.deep_rest, action.cards, _look_count(position))
        case Refilling(pile=pile), RefillPool():
            return action.pile == pile and action.card in state.deep_rest
        case OpeningShield(seat=seat, most=most), OpenShield():
            return action == OpenShield(seat, min(most, state.scores[seat]))
        case Scrambling(), Scramble():
            rows = _loose(position)
            return _dealt_back(rows, action.cards)
        case Tallying(), TurnOver():
            return action.scores == state.scores
        case _:
            return False


def _drawn(rest: tuple[Card, ...], cards: tuple[Card, ...], count: int) -> bool:
    if len(cards) != count or any(card not in DECK_ORDER for card in cards):
        return False
    return not Counter(cards) - Counter(rest) and tuple(sorted(cards, key=_order)) == cards


def _may_lay_out(state: State, action: LayOut) -> bool:
    options = state.position.options
    seats = range(1) if options.first_player is FirstPlayer.HOST else range(state.position.seats)
    scenarios = {*action.scenarios}
    pool = 0 if options.reef else 2
    return (
        len(action.scenarios) == len(scenarios) == 2
        and scenarios <= {*scenario_codes(options)}
        and len(action.gene_pool) == len({*action.gene_pool}) == pool
        and {*action.gene_pool} <= {*state.deep_rest}
        and action.discard in state.surface_rest
        and action.first_player in seats
    )


def _dealt_back(rows: list[list[Card]], cards: tuple[Card, ...]) -> bool:
    if len(cards) != sum(map(len, rows)):
        return False
    at = 0
    for row in rows:
        if Counter(row) != Counter(cards[at : at + len(row)]):
            return False
        at += len(row)
    return True


# Sampling a state from a view -----------------------------------------------------------------------


def sample_state(view: OceansView, stream: Stream) -> State:
    """Return a state with a random deal of all that the viewer cannot see, score piles included."""
    position = view.position
    seen = _seen(view)
    surface = list(stream.shuffle(_unseen(SURFACE_DECK, seen)))
    deep = list(stream.shuffle(_unseen(deep_deck(position.options), seen)))
    hands: list[tuple[Card, ...]] = []
    for seat in range(position.seats):
        if seat == view.viewer:
            hands.append(view.hand)
            continue
        known = position.known[seat]
        deep_known = sum(is_deep(card) for card in known)
        drawn = _take(surface, position.surface_hands[seat] - len(known) + deep_known)
        hands.append(_with(known, drawn + _take(deep, position.deep_hands[seat] - deep_known)))
    looking = view.looking
    if position.agenda and isinstance(step := position.agenda[-1], Keeping) and not looking:
        looking = tuple(sorted(_take(deep, step.count), key=_order))
    rest = tuple(sorted(surface, key=_order)), tuple(sorted(deep, key=_order))
    return State(position, tuple(hands), _sample_scores(view, stream), *rest, looking)


def _take(cards: list[Card], count: int) -> list[Card]:
    taken = cards[:count]
    del cards[:count]
    return taken


def _seen(view: OceansView) -> "Counter[Card]":
    position = view.position
    seen = Counter((*position.discard_pile, *position.out_of_game, *view.hand, *view.looking))
    for row in position.rows:
        for species in row:
            seen.update(species.traits)
    for pile in position.gene_pool:
        seen.update(pile)
    for seat, known in enumerate(position.known):
        if seat != view.viewer:
            seen.update(known)
    return seen


def _unseen(deck: tuple[Card, ...], seen: "Counter[Card]") -> list[Card]:
    left = Counter(deck) - seen
    return sorted(left.elements(), key=_order)


def _sample_scores(view: OceansView, stream: Stream) -> tuple[int, ...]:
    position = view.position
    if position.final_scores:
        return position.final_scores
    on_boards = sum(species.population for row in position.rows for species in row)
    hidden = (
        setup.game_population(position)
        - sum(position.water)
        - on_boards
        - position.reserve
        - (view.score or 0)
    )
    others = [seat for seat in range(position.seats) if seat != view.viewer]
    # Stars and bars: every way to share the rest out is equally likely.
    bars = sorted(stream.sample(range(hidden + len(others) - 1), len(others) - 1))
    edges = [-1, *bars, hidden + len(others) - 1]
    scores = [0] * position.seats
    for seat, low, high in zip(others, edges, edges[1:], strict=False):
        scores[seat] = high - low - 1
    if view.viewer is not None:
        scores[view.viewer] = view.score or 0
    return tuple(scores)


# The end --------------------------------------------------------------------------------------------


def returns(state: State) -> Result:
    """Return the final result."""
    return result(state.position, state.scores)


def setup_error(seats: int, options: OceansOptions) -> str | None:
    """Return why the options do not fit the number of seats; None: they fit."""
    if options.reef and options.scenarios not in {ScenarioSet.RETAIL, ScenarioSet.GENTLE}:
        return "The Reef Variant always uses Abundance and Fertile: leave scenarios as they are."
    return None
