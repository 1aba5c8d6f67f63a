"""The position in words: the whole board as text, the picture's alt text, the hand."""

from collections.abc import Iterator
from typing import Final

from rules.model import SEAT_LETTERS, Names, Seat
from rules.oceans.cards.decks import DEEP_CARDS, SCENARIO_BY_CODE, TRAIT_BY_CARD, Card
from rules.oceans.engine.playing import gene_pool_tops
from rules.oceans.engine.ring import species_ring
from rules.oceans.engine.rounds import is_last_round
from rules.oceans.engine.scoring import result, turn_order_bonus
from rules.oceans.model import (
    DeepDeck,
    OceansView,
    Position,
    ScenarioSet,
    Species,
)
from rules.oceans.places import OCEAN_ZONES, ZONE_INDEX, ZONES, Zone
from rules.oceans.words.phrases import (
    ZONE_WORDS,
    card_effect_text,
    card_text,
    card_with_cost_text,
    cards_text,
    names_with_counts,
    scenario_text,
    species_values_text,
    traits_text,
    used_slots_text,
    used_spaces_text,
)
from rules.oceans.words.status import status_text, tie_break_text
from rules.text import capitalized, counted, first_fitting, listed, shortened

MAX_ALT_TEXT_LENGTH: Final = 1024
_MAX_DESCRIPTION_LENGTH: Final = 3900
_MAX_HAND_LENGTH: Final = 1900
_DEEP_CARDS_TEXT: Final = "Deep cards, those with a cost, cannot be played before the Cambrian Explosion."


# Hand -----------------------------------------------------------------------------------------------


def hand_text(view: OceansView, names: Names) -> str:
    """Return what the viewer alone knows: cards in hand, cards looked at, the score pile."""
    if view.viewer is None:
        return ""
    lines = []
    if view.looked_at:
        lines += ["Deep cards looked at:", *(_card_line(card) for card in view.looked_at)]
    if view.hand:
        lines += ["Your hand:", *(_card_line(card) for card in view.hand)]
    elif view.score_pile is not None:
        lines.append("Your hand is empty.")
    text = "\n".join([*lines, *_closing_hand_lines(view)])
    if len(text) <= _MAX_HAND_LENGTH:
        return text
    return shortened(hand_summary(view, names), _MAX_HAND_LENGTH)


def hand_summary(view: OceansView, names: Names) -> str:
    """Return the same by the names of the cards: the picture says what they do."""
    if view.viewer is None:
        return ""
    lines = [f"Deep cards looked at: {cards_text(view.looked_at)}."] if view.looked_at else []
    lines.append(f"Your hand: {cards_text(view.hand)}." if view.hand else "Your hand is empty.")
    return "\n".join([*lines, *_closing_hand_lines(view)])


def _closing_hand_lines(view: OceansView) -> Iterator[str]:
    if _holds_unplayable_cards(view):
        yield _DEEP_CARDS_TEXT
    if view.score_pile is not None:
        yield f"Your score pile: {view.score_pile}."


def _holds_unplayable_cards(view: OceansView) -> bool:
    """Whether Deep cards are among the viewer's cards, which the Cambrian Explosion lets them play."""
    cards = (*view.hand, *view.looked_at)
    return not view.position.cambrian_happened and any(card in DEEP_CARDS for card in cards)


def _card_line(card: Card) -> str:
    """Return a line about a card: its number, values and effect."""
    return f"- {card_with_cost_text(card)}: {card_effect_text(card)}"


# Board ----------------------------------------------------------------------------------------------


def describe(view: OceansView, names: Names, status: str = "") -> str:
    """Describe the whole public table, then what the viewer alone knows."""
    status, own_text = status or status_text(view, names), hand_text(view, names)
    for detail in (2, 1, 0):
        text = "\n".join(line for line in (*_board_lines(view, names, status, detail), own_text) if line)
        if len(text) <= _MAX_DESCRIPTION_LENGTH:
            return text
    return shortened(text, _MAX_DESCRIPTION_LENGTH)


def _board_lines(view: OceansView, names: Names, status: str, detail: int) -> Iterator[str]:
    """Yield the public board; ``detail``: 0 counts the traits of a species, 1 names them, 2 adds values."""
    position = view.position
    yield _headline_text(position)
    yield status
    yield _zones_text(position)
    yield from _scenario_lines(position)
    if position.round and not position.cambrian_happened:
        yield f"The Cambrian Explosion comes when zone 1 is empty: {_cambrian_text(position)}."
    elif position.cambrian_happened:
        yield f"The Cambrian Explosion has happened: {_cambrian_text(position)}."
    yield from _gene_pool_lines(position)
    yield _decks_text(position)
    yield "Players, with their species from left to right:"
    for seat in range(position.seat_count):
        yield _player_line(position, Seat(seat), names)
        for species in position.rows[seat]:
            yield _species_line(position, species, detail)
    ring_keys = [species.key for species in species_ring(position)]
    if len(ring_keys) > 1 and detail:
        yield f"Neighbours, rightwards: {', '.join(ring_keys)}, then {ring_keys[0]} again."
    yield _options_text(position)


def _headline_text(position: Position) -> str:
    name = "Oceans, Reef Variant" if position.options.reef else "Oceans"
    if not position.round:
        return f"{name}, setting up."
    if position.to_act is None:
        return f"{name}, ended in round {position.round}."
    return f"{name}, round {position.round}{', the last one' if is_last_round(position) else ''}."


def _zones_text(position: Position) -> str:
    zones = ", ".join(f"{ZONE_WORDS[zone]}: {position.zone_populations[ZONE_INDEX[zone]]}" for zone in ZONES)
    reserve_text = f", reserve: {position.reserve}" if position.reserve else ""
    return f"Population. {capitalized(zones)}{reserve_text}."


def _scenario_lines(position: Position) -> Iterator[str]:
    for zone, code in zip((Zone.ONE, Zone.TWO), position.scenarios, strict=False):
        scenario = SCENARIO_BY_CODE[code]
        if code in position.active_scenarios:
            state_text = "in force"
        elif scenario.is_event:
            state_text = f"happens when {ZONE_WORDS[zone]} becomes empty"
        else:
            state_text = f"in force while {ZONE_WORDS[zone]} is empty"
        yield f"Below {ZONE_WORDS[zone]}: {scenario.name} ({state_text}): {scenario.short_text}."


def _cambrian_text(position: Position) -> str:
    """Return what the Cambrian Explosion brings."""
    deep_text = "" if position.options.reef else ", Deep ones too"
    return f"two cards a turn{deep_text}, own species age 2"


def _gene_pool_lines(position: Position) -> Iterator[str]:
    """Yield each pile with the values and the effect of its top card."""
    if position.options.reef or not position.round:
        return
    for number, pile in enumerate(position.gene_pool, start=1):
        below_text = f" ({counted(len(pile) - 1, 'more', 'more')} below)" if len(pile) > 1 else ""
        pile_text = (
            f"{card_with_cost_text(pile[-1])}{below_text}: {card_effect_text(pile[-1])}" if pile else "empty"
        )
        yield f"Gene Pool, pile {number}: {pile_text}"


def _decks_text(position: Position) -> str:
    deep_text = "" if position.options.reef else f", Deep {position.deep_deck_size}"
    discards = ", ".join(names_with_counts(TRAIT_BY_CARD[card].name for card in position.discard_pile))
    return f"Decks: Surface {position.surface_deck_size}{deep_text}. Discard pile: {discards or 'empty'}."


def _player_line(position: Position, seat: Seat, names: Names) -> str:
    facts = ["resigned" if position.resigned[seat] else _hand_sizes_text(position, seat)]
    if position.known_cards[seat]:
        facts.append(f"seen to hold {cards_text(position.known_cards[seat])}")
    if position.round and not position.resigned[seat]:
        facts.append(f"bonus {turn_order_bonus(position, seat)}")
    if position.revealed_score_piles:
        standing = next(
            each for each in result(position, position.revealed_score_piles).standings if each.seat == seat
        )
        facts.append(f"score pile {position.revealed_score_piles[seat]}")
        noun = "point" if standing.score == 1 else "points"
        facts.append(f"{standing.score} {noun} in all{tie_break_text(standing)}")
    has_turn = position.round and position.to_act is not None and seat == position.current_player
    turn_text = ", whose turn it is" if has_turn else ""
    return f"{SEAT_LETTERS[seat]} {names[seat]}{turn_text}: {', '.join(facts)}"


def _hand_sizes_text(position: Position, seat: Seat) -> str:
    surface_count, deep_count = position.surface_hand_sizes[seat], position.deep_hand_sizes[seat]
    surface_text = counted(surface_count, "Surface card")
    return f"{surface_text} and {counted(deep_count, 'Deep card')}" if deep_count else surface_text


def _species_line(position: Position, species: Species, detail: int) -> str:
    line_start = f"- {species.key}: {used_spaces_text(position, species)}"
    if not detail:
        return f"{line_start}, {counted(len(species.traits), 'trait')}"
    if detail == 1:
        return f"{line_start} · {traits_text(species)}"
    trait_names = ", ".join(names_with_counts(card_text(card) for card in species.traits)) or "no traits"
    values_text = species_values_text(position, species)
    slots_text = used_slots_text(position, species)
    noun = "trait" if slots_text == "1" else "traits"
    return f"{line_start} · {trait_names} ({slots_text} {noun}) · {values_text}"


def _options_text(position: Position) -> str:
    """Name the options that differ from the rulebook's game."""
    options = position.options
    parts = [
        (options.deep is DeepDeck.EASY and not options.reef, "easy Deep cards only"),
        (options.scenarios is ScenarioSet.PROMO and not options.reef, "promotional Scenario cards too"),
        (options.scenarios is ScenarioSet.GENTLE and not options.reef, "gentle Scenario cards"),
        (options.quick, "quick game"),
    ]
    chosen = [text for is_chosen, text in parts if is_chosen]
    return f"Options: {', '.join(chosen)}." if chosen else ""


def own_board_text(view: OceansView, seat: Seat, names: Names) -> str:
    """Describe a seat's own board: its cards, its species with their traits, the species beside its row."""
    position = view.position
    sentences = [_player_line(position, seat, names)]
    if view.viewer == seat and view.score_pile is not None and not position.revealed_score_piles:
        sentences.append(f"Score pile: {view.score_pile}")
    row, ring_keys = position.rows[seat], [species.key for species in species_ring(position)]
    if not row:
        sentences.append("No species")
    elif len(ring_keys) > len(row):
        left = ring_keys[ring_keys.index(row[0].key) - 1]
        right = ring_keys[(ring_keys.index(row[-1].key) + 1) % len(ring_keys)]
        sentences.append(f"{left} stands on the left of the row, {right} on the right")
    for detail in (2, 1, 0):
        text = "\n".join(
            [". ".join(sentences) + ".", *(_species_line(position, each, detail) for each in row)]
        )
        if len(text) <= MAX_ALT_TEXT_LENGTH:
            return text
    return shortened(text, MAX_ALT_TEXT_LENGTH)


def alt_text(view: OceansView, names: Names, status: str = "") -> str:
    """Describe what the picture of the board shows: nothing secret, at most 1,024 characters.

    What cards do, and then the traits of species, is left out if it does not fit.
    """
    status = status or status_text(view, names)
    return first_fitting(
        MAX_ALT_TEXT_LENGTH,
        *(
            f"{_alt_head_text(view.position, status, with_effects=with_effects)} "
            f"{_alt_rows_text(view.position, names, with_traits=with_traits)}"
            for with_effects, with_traits in ((True, True), (False, True), (False, False))
        ),
    )


def _alt_head_text(position: Position, status: str, *, with_effects: bool) -> str:
    """Return the headline, the status and what lies in the water; ``with_effects``: and what its cards do."""
    scenario_texts = [
        f"{scenario_text(code)} below {ZONE_WORDS[zone]}"
        f"{' (in force)' if code in position.active_scenarios else ''}"
        f"{f': {SCENARIO_BY_CODE[code].short_text}' if with_effects else ''}"
        for zone, code in zip(OCEAN_ZONES, position.scenarios, strict=False)
    ]
    tops = [
        f"{card_text(card)}{f' ({card_effect_text(card)})' if with_effects else ''}"
        for card in gene_pool_tops(position.gene_pool)
    ]
    parts = [
        _headline_text(position),
        status,
        _zones_text(position),
        f"{'. '.join(scenario_texts) if with_effects else listed(scenario_texts)}." if scenario_texts else "",
        "The Cambrian Explosion has happened." if position.cambrian_happened else "",
        f"Gene Pool: {listed(tops)}." if tops else "",
    ]
    return " ".join(text for text in parts if text)


def _alt_rows_text(position: Position, names: Names, *, with_traits: bool) -> str:
    rows = (
        _alt_row_text(position, Seat(seat), names, with_traits=with_traits)
        for seat in range(position.seat_count)
    )
    return f"{'. '.join(rows)}."


def _alt_row_text(position: Position, seat: Seat, names: Names, *, with_traits: bool) -> str:
    shown = [
        f"{species.key} {used_spaces_text(position, species)}"
        + (f" {traits_text(species)}" if with_traits else "")
        for species in position.rows[seat]
    ]
    empty_text = "resigned" if position.resigned[seat] else "no species"
    return f"{names[seat]}: {'; '.join(shown) or empty_text}"
