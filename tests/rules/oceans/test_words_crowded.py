"""The words of Oceans in crowded states full of Deep cards, which random games reach too seldom."""

import random

import pytest

from rules.model import HIDDEN, Action, Seat
from rules.notation import fields_of, write_action
from rules.oceans import OCEANS
from rules.oceans.actions import Attack, Evolve, Exchange, Forage, Migrate, Swap
from rules.oceans.cards.decks import DEEP_DECK, SCENARIO_BY_CODE, SURFACE_DECK, TRAIT_BY_CARD, Card
from rules.oceans.cards.traits import TraitFlag
from rules.oceans.chance import sample_chance
from rules.oceans.model import OceansView
from rules.oceans.places import Zone
from rules.oceans.rules import State, apply_action, view
from rules.oceans.steps import AnyStep, Drawing, Feeding, Playing
from rules.random_stream import RandomStream
from tests.rules.oceans.positions import make_state
from tests.rules.oceans.texts import LONG_NAMES, WORDS
from tests.trials import trial_count

STATE_COUNT = trial_count(short=6, soak=240)
STEPS_PER_STATE = 16
NONSENSE = (HIDDEN, "x" * 24, "`@everyone`", "A99", "reef", "")


def make_random_state(seed: int) -> State:
    """Return a state of random species with random traits, in a random phase, two random Scenario cards."""
    rng = random.Random(seed)
    seat_count = rng.randint(2, 6)
    deep_cards, surface_cards = list(DEEP_DECK), list(SURFACE_DECK)
    rng.shuffle(deep_cards)
    rng.shuffle(surface_cards)

    def draw_some(pile: list[Card], max_count: int) -> list[Card]:
        return [pile.pop() for _ in range(rng.randint(0, min(max_count, len(pile))))]

    def species_text() -> str:
        cards = [*draw_some(deep_cards, 3), surface_cards.pop(), *draw_some(surface_cards, 1)]
        return f"{' '.join(cards)} {rng.randint(0, 9)}"

    rows = [" | ".join(species_text() for _ in range(rng.randint(0, 4))) for _ in range(seat_count)]
    hands = [" ".join((*draw_some(surface_cards, 5), *draw_some(deep_cards, 3))) for _ in range(seat_count)]
    step: AnyStep = rng.choice((Playing(), Feeding(), Drawing()))
    first_code, second_code = rng.sample(list(SCENARIO_BY_CODE), 2)
    return make_state(
        *rows,
        step=step,
        player=rng.randrange(seat_count),
        zone_populations=(
            rng.choice((0, 9, 20)),
            rng.choice((0, 3, 9)),
            rng.choice((0, 3, 9)),
            rng.choice((0, 9)),
        ),
        hands=hands,
        score_piles=[rng.randint(0, 20) for _ in range(seat_count)],
        scenarios=(first_code, second_code),
        cambrian_happened=rng.random() < 0.8,
        end_triggered=rng.random() < 0.3,
        plays_left=2 if isinstance(step, Playing) else 0,
        gene_pool=(" ".join(draw_some(deep_cards, 2)), " ".join(draw_some(deep_cards, 2))),
    )


def check_view(seen: OceansView) -> None:
    """Check that all that is shown of a view fits."""
    assert 0 < len(WORDS.alt_text(seen, LONG_NAMES)) <= 1024
    assert 0 < len(WORDS.describe(seen, LONG_NAMES)) <= 4000
    assert len(WORDS.hand_text(seen, LONG_NAMES)) <= 2000
    status = WORDS.status(seen, LONG_NAMES)
    assert 0 < len(status) <= 300
    assert "\n" not in status


def check_choices(seen: OceansView, legal_actions: tuple[Action, ...], rng: random.Random) -> None:
    """Check that labels and field labels differ and fit, and that previews and short previews fit."""
    labels = [WORDS.label(seen, action, LONG_NAMES) for action in legal_actions]
    assert len(set(labels)) == len(labels)
    assert all(0 < len(label) <= 80 and label == label.strip() for label in labels)
    for kind in {type(action) for action in legal_actions}:
        for field in fields_of(kind):
            values = {getattr(action, field.name) for action in legal_actions if isinstance(action, kind)}
            value_labels = [WORDS.value_label(seen, kind, field.name, value) for value in values]
            assert len(set(value_labels)) == len(value_labels), (kind, field.name)
            assert all(0 < len(value_label) <= 80 for value_label in value_labels)
    for action in rng.sample(legal_actions, min(8, len(legal_actions))):
        preview = WORDS.preview(seen, action, LONG_NAMES)
        assert preview is None or 0 < len(preview) <= 900, write_action(action)
        assert len(WORDS.short_preview(seen, action, LONG_NAMES)) <= 100, write_action(action)


@pytest.mark.parametrize("seed", range(STATE_COUNT))
def test_every_text_of_crowded_states_fits(seed: int) -> None:
    """In crowded states every text fits, and every choice has its own words and a narration."""
    rng = random.Random(seed)
    state = make_random_state(seed)
    for step_number in range(STEPS_PER_STATE):
        actor = state.position.to_act
        for viewer in (None, *map(Seat, range(state.position.seat_count))):
            check_view(view(state, viewer))
        if actor is None:
            break
        if actor < 0:
            action = sample_chance(state, RandomStream(bytes(32), step_number))
        else:
            seen = view(state, actor)
            legal_actions = OCEANS.legal_actions(seen)
            check_choices(seen, legal_actions, rng)
            kinds = sorted({type(each) for each in legal_actions}, key=str)
            chosen_kind = rng.choice(kinds)
            action = rng.choice([each for each in legal_actions if isinstance(each, chosen_kind)])
        after = apply_action(state, action)
        for viewer in (None, *map(Seat, range(state.position.seat_count))):
            seen_action = action.seen_by(viewer, actor)
            text = WORDS.narrate(
                view(state, viewer), actor, seen_action, view(after, viewer), LONG_NAMES
            ).text
            assert len(text) <= 1000
            assert text == text.strip()
            assert text or actor < 0, write_action(action)
        state = after


def make_action(seen: OceansView, rng: random.Random) -> Action:
    """Return a well-formed action that may name anything: cards and species of others, or nonsense."""
    keys = [species.key for row in seen.position.rows for species in row]
    cards = [*seen.hand, *TRAIT_BY_CARD, *(Card(text) for text in NONSENSE)]

    def random_key() -> str:
        return rng.choice([*keys, *NONSENSE])

    def random_card() -> Card:
        return rng.choice(cards) if rng.random() < 0.5 else rng.choice((*seen.hand, Card(HIDDEN)))

    zones = tuple(Zone)
    return rng.choice(
        (
            Evolve(random_card(), random_key(), rng.choice((None, *zones))),
            Migrate(random_card(), rng.choice(zones), rng.choice(zones)),
            Forage(
                random_key(),
                rng.choice((*(zone.value for zone in zones), *NONSENSE)),
                rng.choice((None, -1, 3)),
            ),
            Attack(
                random_key(),
                random_key(),
                rng.choice((None, (), (random_card(),), (random_card(), random_card()))),
            ),
            Exchange(random_key(), random_card(), random_card()),
            Swap(random_key(), random_card(), random_key(), random_card()),
        )
    )


@pytest.mark.parametrize("seed", range(STATE_COUNT))
def test_every_refusal_has_a_reason_and_repeats_nothing_unknown(seed: int) -> None:
    """The refusal of any text is a sentence with a reason, and repeats nothing unknown."""
    rng = random.Random(seed)
    state = make_random_state(seed)
    actor = state.position.to_act
    assert actor is not None
    seen = view(state, actor)
    legal_actions = OCEANS.legal_actions(seen)
    for _ in range(150):
        action = make_action(seen, rng)
        if action in legal_actions:
            continue
        text = WORDS.refusal(seen, action, LONG_NAMES)
        assert text.endswith((".", "`.", ")")), write_action(action)
        assert len(text) <= 1000
        assert text != "That is allowed.", write_action(action)
        assert "everyone" not in text
        assert "xxx" not in text


def test_every_deep_card_can_be_offered() -> None:
    """Each Deep card has a label with its name and a preview that shows its text when it is evolved."""
    for card in DEEP_DECK:
        state = make_state(
            "SP7 4", "AP7 6", hands=(f"{card} SP9",), score_piles=(9,), cambrian_happened=True, plays_left=2
        )
        seen = view(state, Seat(0))
        other_species_flags = {TraitFlag.ON_ANY_SPECIES, TraitFlag.ON_OPPONENT} & {*TRAIT_BY_CARD[card].flags}
        target = "B1" if other_species_flags else "A1"
        action = Evolve(card, target, Zone.THREE)
        assert action in OCEANS.legal_actions(seen), card
        assert TRAIT_BY_CARD[card].name in WORDS.label(seen, action, LONG_NAMES)
        assert TRAIT_BY_CARD[card].full_text in (WORDS.preview(seen, action, LONG_NAMES) or "")
