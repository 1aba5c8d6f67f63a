"""Build any state of Oceans in a line or two, and act on it in notation."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from rules.model import CHANCE, SEAT_LETTERS, Action, Seat
from rules.notation import Notation, write_action
from rules.oceans import OCEANS
from rules.oceans.cards.decks import SCENARIO_BY_CODE, SURFACE_DECK, TRAIT_BY_CARD, Card, sort_cards
from rules.oceans.causes import Cause, RuleCause, ScenarioCause, TraitCause
from rules.oceans.chance import is_possible, sample_chance
from rules.oceans.engine.ring import find_species
from rules.oceans.engine.turn import legal_actions
from rules.oceans.engine.values import is_deep
from rules.oceans.events import PopulationMoved
from rules.oceans.model import (
    OceansOptions,
    PastFeedings,
    Position,
    ScenarioSet,
    Species,
    StandingAnswers,
    all_deep_cards,
)
from rules.oceans.places import parse_place
from rules.oceans.rules import State, apply_action, view
from rules.oceans.steps import AnyStep, Drawing, Feeding, Playing
from rules.random_stream import RandomStream

NAMES = ("Ava", "Ben", "Chloé", "Dimitri", "Emeka", "Farah")
NOTATION = Notation(OCEANS)
PROMO_OPTIONS = OceansOptions(scenarios=ScenarioSet.PROMO)
DEFAULT_SCENARIOS = ("INA", "INB")
"""Inhospitable Environment twice, which does nothing while the zones above hold population."""
EMPTY_REEF = (0, 20, 20, 20)
"""Population of the Reef and the three zones, with an empty Reef."""
EMPTY_ZONE_1 = (20, 0, 20, 20)
"""The same with an empty zone 1."""
SPILL_TEXTS = {f"spill {zone}" for zone in ("reef", "z1", "z2", "z3")}
"""Every choice of a zone for overflow."""


def parse_cards(text: str) -> tuple[Card, ...]:
    """Return the cards of a text such as "SP7 ABY"."""
    return tuple(Card(word) for word in text.split())


def parse_row(seat: int, text: str) -> tuple[Species, ...]:
    """Return the species of a text such as "SP7 IN5 4 | AP7 2": traits, then population; keys A1, A2, ..."""
    row = []
    for number, species_text in enumerate(filter(None, (part.strip() for part in text.split("|"))), 1):
        *traits, population = species_text.split()
        key = f"{SEAT_LETTERS[seat]}{number}"
        row.append(Species(key, tuple(Card(trait) for trait in traits), int(population)))
    return tuple(row)


def make_state(
    *rows: str,
    step: AnyStep | None = None,
    player: int = 0,
    first_player: int = 0,
    zone_populations: tuple[int, int, int, int] = (20, 20, 20, 20),
    hands: Sequence[str] = (),
    score_piles: Sequence[int] = (),
    scenarios: tuple[str, str] = DEFAULT_SCENARIOS,
    cambrian_happened: bool = False,
    end_triggered: bool = False,
    plays_left: int = 1,
    gene_pool: tuple[str, str] = ("", ""),
    discard_pile: str = "",
    surface_deck: str | None = None,
    deep_deck: str | None = None,
    options: OceansOptions = PROMO_OPTIONS,
    round: int = 3,  # noqa: A002 - the game's own word
) -> State:
    """Return a state in ``player``'s turn, at ``step`` (default: a card is to be played).

    ``rows``: one text per seat (at least two), as for ``parse_row``.  The ongoing Scenario card of an empty
    zone is active.  Cards that are named nowhere are in their deck; if ``surface_deck`` or ``deep_deck`` is
    given, they are discarded or out of the game instead.
    """
    seat_count = len(rows)
    species_rows = tuple(parse_row(seat, text) for seat, text in enumerate(rows))
    hand_cards = [sort_cards(parse_cards(hand)) for hand in hands]
    hand_cards += [()] * (seat_count - len(hand_cards))
    pool_piles = tuple(parse_cards(pile) for pile in gene_pool)
    discarded_cards = parse_cards(discard_pile)
    named_cards = Counter(
        (
            *discarded_cards,
            *(card for hand in hand_cards for card in hand),
            *(card for pile in pool_piles for card in pile),
            *(card for row in species_rows for species in row for card in species.traits),
        )
    )
    whole_decks = Counter((*SURFACE_DECK, *all_deep_cards(options)))
    assert not named_cards - whole_decks, f"in no deck, or named too often: {named_cards - whole_decks}"
    unnamed_cards = sort_cards((whole_decks - named_cards).elements())
    surface_cards = [card for card in unnamed_cards if not is_deep(card)]
    deep_cards = [card for card in unnamed_cards if is_deep(card)]
    out_of_game: tuple[Card, ...] = ()
    if surface_deck is not None:
        deck_cards = Counter(parse_cards(surface_deck))
        discarded_cards += tuple((Counter(surface_cards) - deck_cards).elements())
        surface_cards = list(deck_cards.elements())
    if deep_deck is not None:
        deck_cards = Counter(parse_cards(deep_deck))
        out_of_game = tuple((Counter(deep_cards) - deck_cards).elements())
        deep_cards = list(deck_cards.elements())
    active_scenarios = tuple(
        code
        for code, count in zip(scenarios, zone_populations[1:3], strict=True)
        if not count and not SCENARIO_BY_CODE[code].is_event
    )
    position = Position(
        options=options,
        seat_count=seat_count,
        to_act=Seat(player),
        agenda=(Playing() if step is None else step,),
        current_player=Seat(player),
        first_player=Seat(first_player),
        round=round,
        zone_populations=zone_populations,
        were_zones_filled_at_check=tuple(count > 0 for count in zone_populations[1:]),
        were_zones_emptied=(False, False, False),
        ocean_emptied=not end_triggered and not any(zone_populations[1:]),
        scenarios=scenarios,
        active_scenarios=active_scenarios,
        cambrian_happened=cambrian_happened,
        reserve=0 if end_triggered else 60,
        end_triggered=end_triggered,
        population_from_supply=0,
        rows=species_rows,
        surface_deck_size=len(surface_cards),
        deep_deck_size=len(deep_cards),
        gene_pool=pool_piles,
        discard_pile=sort_cards(discarded_cards),
        out_of_game=out_of_game,
        surface_hand_sizes=tuple(sum(not is_deep(card) for card in hand) for hand in hand_cards),
        deep_hand_sizes=tuple(sum(is_deep(card) for card in hand) for hand in hand_cards),
        known_cards=((),) * seat_count,
        resigned=(False,) * seat_count,
        standing_answers=(StandingAnswers(),) * seat_count,
        gave_answers_this_turn=True,  # keeps standing answers out of the lists of what is legal
        plays_left=plays_left,
        past_feedings=PastFeedings(),
        chosen_aging_amounts=(),
        cthulhu_seat=None,
        last_species_numbers=tuple(len(row) for row in species_rows),
        revealed_score_piles=(),
    )
    all_score_piles = (*score_piles, *(0 for _ in range(seat_count - len(score_piles))))
    state = State(
        position, tuple(hand_cards), all_score_piles, sort_cards(surface_cards), sort_cards(deep_cards), ()
    )
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(state), type=State) == state
    return state


def make_feeding_state(*rows: str, **keywords: object) -> State:
    """Return a state in which the active player is about to feed: the effects before feeding are over."""
    return make_state(*rows, step=Feeding(), plays_left=0, **keywords)  # type: ignore[arg-type]


def make_drawing_state(*rows: str, **keywords: object) -> State:
    """Return a state in which the active player is in the drawing phase."""
    return make_state(*rows, step=Drawing(), plays_left=0, **keywords)  # type: ignore[arg-type]


def make_state_after_card_phase(*rows: str, **keywords: object) -> State:
    """Return the state after "done" in the card phase, at the next choice of a player or of chance."""
    return act(make_state(*rows, plays_left=0, **keywords), "done")  # type: ignore[arg-type]


def active_scenario_setup(code: str) -> dict[str, Any]:
    """Return keywords for a state: this Scenario card lies below zone 2, which is empty."""
    return {"scenarios": _scenario_below(code), "zone_populations": (20, 20, 0, 20)}


def inactive_scenario_setup(code: str) -> dict[str, Any]:
    """Return keywords for a state: this Scenario card lies below zone 2, which holds population."""
    return {"scenarios": _scenario_below(code), "zone_populations": (20, 20, 20, 20)}


def nearly_active_scenario_setup(code: str) -> dict[str, Any]:
    """Return keywords for a state: zone 2, above this card, holds 3, and "migrate SP5 z2 z3" empties it."""
    return {"scenarios": _scenario_below(code), "zone_populations": (20, 20, 3, 20)}


def _scenario_below(code: str) -> tuple[str, str]:
    return ("INB" if code == "INA" else "INA", code)


ScenarioSetupMaker = Callable[[str], dict[str, Any]]
"""``active_scenario_setup`` or ``inactive_scenario_setup``: makes the keywords of a Scenario card's code."""


def legal_texts(state: State, verb: str = "") -> tuple[str, ...]:
    """Return the legal actions of the seat to act in notation: all, or those of one verb."""
    actor = state.position.to_act
    assert actor is not None
    texts = tuple(write_action(action) for action in legal_actions(view(state, actor)))
    return tuple(text for text in texts if text.split()[0] == verb or not verb)


def legal_attacks(state: State) -> list[str]:
    """Return the legal attacks, as texts."""
    return list(legal_texts(state, "attack"))


def legal_feedings(state: State) -> list[str]:
    """Return the legal forages and attacks, as texts."""
    return [text for text in legal_texts(state) if text.startswith(("forage", "attack"))]


def play_line(state: State, line: str, seed: bytes = bytes(32)) -> State:
    """Take the actions of a line ("attack A1 B1; skip"), all legal; chance acts when it has to.

    Stops at the first question after the last action; the trail is that of the last record, chance's or not.
    """
    for text in line.split(";"):
        actor = state.position.to_act
        assert actor is not None, f"the game is over before {text}"
        action = NOTATION.parse(text.strip())
        assert action in legal_actions(view(state, actor)), f"{text} is not legal: {legal_texts(state)[:40]}"
        state = resolve_chance(_apply(state, action), seed)
    return state


def act(state: State, text: str) -> State:
    """Take one legal action and stop there: chance has not acted yet, the trail is the action's own."""
    actor = state.position.to_act
    assert actor is not None
    action = NOTATION.parse(text)
    assert action in legal_actions(view(state, actor)), f"{text} is not legal: {legal_texts(state)[:40]}"
    return _apply(state, action)


def resolve_chance(state: State, seed: bytes = bytes(32)) -> State:
    """Apply outcomes of chance until a seat must choose or the game is over."""
    outcome_count = 0
    while state.position.to_act == CHANCE:
        outcome = sample_chance(state, RandomStream(seed, outcome_count))
        assert is_possible(state, outcome)
        state = _apply(state, outcome)
        outcome_count += 1
    return state


def apply_chance(state: State, action: Action) -> State:
    """Apply exactly this outcome of chance; it must be possible."""
    assert is_possible(state, action), action
    return _apply(state, action)


def pass_to_end(state: State) -> tuple[State, list[int]]:
    """Pass and draw to the end of the game; return the last state and whose turns they were, in order."""
    seats: list[int] = []
    state = resolve_chance(state)
    while state.position.to_act is not None:
        if not seats or seats[-1] != state.position.current_player:
            seats.append(state.position.current_player)
        texts = legal_texts(state)
        text = next((each for each in ("draw", "skip", "done") if each in texts), texts[0])
        state = resolve_chance(act(state, text))
    return state, seats


def _apply(state: State, action: Action) -> State:
    """Apply an action; population must neither appear nor vanish."""
    after = apply_action(state, action)
    assert population_without_supply(after) == population_without_supply(state), (
        f"{write_action(action)} changed the total population"
    )
    return after


def population(state: State, key: str) -> int:
    """Return the population of a species; raises AssertionError if it is gone."""
    species = find_species(state.position, key)
    assert species is not None, f"{key} is gone"
    return species.population


def traits(state: State, key: str) -> tuple[Card, ...]:
    """Return the traits of a species; raises AssertionError if it is gone."""
    species = find_species(state.position, key)
    assert species is not None, f"{key} is gone"
    return species.traits


def is_alive(state: State, key: str) -> bool:
    """Whether a species is still there."""
    return find_species(state.position, key) is not None


def parse_cause(text: str) -> Cause:
    """Return the cause named by a rule's word, a trait card's code or a Scenario card's code."""
    if text in TRAIT_BY_CARD:
        return TraitCause(Card(text))
    return ScenarioCause(text) if text in SCENARIO_BY_CODE else RuleCause(text)


def make_moved_event(source: str, target: str, count: int, cause: str) -> PopulationMoved:
    """Build an event from texts: ``make_moved_event("reef", "A1", 3, "forage")``."""
    return PopulationMoved(parse_place(source), parse_place(target), count, parse_cause(cause))


def events(state: State, *kinds: type) -> list[Any]:
    """Return the last action's events of these kinds, in order."""
    return [event for event in state.position.trail if isinstance(event, kinds)]


def just_moved_to(state: State, target: str, cause: str | None = None) -> int:
    """Return how much the last action moved to a place, by the trail; for one cause only, if named."""
    return sum(
        event.count
        for event in state.position.trail
        if isinstance(event, PopulationMoved)
        and event.target == parse_place(target)
        and (cause is None or event.cause == parse_cause(cause))
    )


def just_moved_from(state: State, source: str, cause: str | None = None) -> int:
    """Return how much the last action moved from a place, by the trail; for one cause only, if named."""
    return sum(
        event.count
        for event in state.position.trail
        if isinstance(event, PopulationMoved)
        and event.source == parse_place(source)
        and (cause is None or event.cause == parse_cause(cause))
    )


def population_without_supply(state: State) -> int:
    """Return all population without what came from the supply, a number that never changes."""
    board_population = sum(species.population for each in state.position.rows for species in each)
    return (
        sum(state.position.zone_populations)
        + state.position.reserve
        + board_population
        + sum(state.score_piles)
        - state.position.population_from_supply
    )


PLAYING_STATE = make_state(
    "SP7 IN5 4 | PA6 SY7 SC8 2",
    "SC7 6 | TR8 3",
    "AP7 AP8 9",
    hands=("SP9 FF7 HYD VES",),
    score_piles=(3,),
    zone_populations=(10, 9, 0, 20),
    gene_pool=("TUS", "KRA ZOO"),
)
AFTER_CAMBRIAN_STATE = make_state(
    "SP7 IN5 4 | PA6 SY7 SC8 2",
    "SC7 6 | TR8 3",
    hands=("SP9 FF7 HYD VES",),
    score_piles=(3,),
    zone_populations=(10, 9, 5, 20),
    cambrian_happened=True,
    plays_left=2,
)
FEEDING_STATE = make_feeding_state(
    "SP7 IN5 4 | FF6 2 | AP5 10",
    "SC7 6 | TR8 3 | GEN 4",
    "AP7 AP8 9 | GOE 4 | BF5 WC6 2 | HAR 3",
    zone_populations=(10, 9, 4, 20),
)
DRAWING_STATE = make_drawing_state("SP7 4", "", hands=("SP8 HYD SC8",), gene_pool=("TUS", "KRA ZOO"))
"""The first seat's turn in each phase: cards, before and after the Cambrian Explosion, feeding, drawing."""
