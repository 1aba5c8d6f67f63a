"""What is hidden in Oceans, from whom and for how long."""

from collections import Counter
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from rules.game import Action, Seat
from rules.oceans import OCEANS
from rules.oceans.actions import Deal, Keep, OpenShield, RefillPool, Reshuffle, ShowDeep, TurnOver
from rules.oceans.cards.decks import FACE_DOWN, SURFACE_DECK, Card
from rules.oceans.chance import possible
from rules.oceans.engine.setup import game_population
from rules.oceans.engine.values import is_deep
from rules.oceans.model import OceansView, deep_deck
from rules.oceans.rules import State, apply_action, resign, view
from rules.oceans.sampling import sample_state
from rules.oceans.steps import DrawingUp, Keeping, OpeningShield, Reason, Showing, Tallying
from rules.stream import Stream
from tests.rules.oceans.positions import (
    act,
    active_card,
    apply_chance,
    drawing_state,
    feeding_state,
    legal_texts,
    make_state,
    moved_to,
    parse_cards,
    play,
    total_population,
    traits,
)

A, B, C = Seat(0), Seat(1), Seat(2)
VIEWERS = (A, B, C, None)


def fill_up(state: State) -> State:
    """Put into zone 3 what a table of this size still lacks, so that all population is accounted for."""
    reef, one, two, three = state.position.water
    missing = game_population(state.position) - total_population(state) - state.position.supplied
    assert missing >= 0
    return replace(state, position=replace(state.position, water=(reef, one, two, three + missing)))


def sample_states(seen: OceansView, count: int = 12) -> list[State]:
    """Return some states that look like this view, each checked: the view, the cards and the population."""
    found = [sample_state(seen, Stream(bytes(32), number)) for number in range(count)]
    deck = Counter((*SURFACE_DECK, *deep_deck(seen.position.options)))
    for state in found:
        assert view(state, seen.viewer) == seen
        assert Counter(all_cards(state)) == deck
        assert total_population(state) + state.position.supplied == game_population(state.position)
        assert min(state.scores) >= 0
    return found


def all_cards(state: State) -> list[Card]:
    """Return every card, wherever it is."""
    position = state.position
    found = [
        *position.discard_pile,
        *position.out_of_game,
        *state.surface_rest,
        *state.deep_rest,
        *state.looking,
    ]
    for pile in (*position.gene_pool, *state.hands, *(each.traits for row in position.rows for each in row)):
        found += pile
    return found


def mentions_card(seen: OceansView, card: str) -> bool:
    """Return whether a view contains a card's code at all."""
    return f'"{card}"'.encode() in msgspec.json.encode(seen)


def check_same_next_views(state: State, action: Action) -> None:
    """Check that each viewer's view after an action does not depend on what it cannot see."""
    after = apply_action(state, action)
    for viewer in range(state.position.seats):
        seat = Seat(viewer)
        for world in sample_states(view(state, seat)):
            assert view(apply_action(world, action.seen_by(seat, A)), seat) == view(after, seat)


# Hands and score piles ------------------------------------------------------------------------------


def make_secrets_state(**other: Any) -> State:
    """Return a state of three players with hands and score piles, A about to play."""
    hands = ("SP7 KRA", "IN5 TUS", "FF5 FF6 MEG")
    return fill_up(make_state("IN7 4", "SY5 3", "", hands=hands, scores=(7, 5, 3), **other))


@pytest.mark.parametrize("seat", [A, B, C])
def test_a_view_holds_the_own_secrets_only(seat: Seat) -> None:
    """A player sees the own hand and score pile; of the others' hands how many Surface and Deep cards."""
    state = make_secrets_state()
    seen = view(state, seat)
    assert (seen.hand, seen.score) == (state.hands[seat], state.scores[seat])
    assert seen.position.surface_hands == (1, 1, 2)
    assert seen.position.deep_hands == (1, 1, 1)
    for other in {A, B, C} - {seat}:
        assert not any(mentions_card(seen, card) for card in state.hands[other])


def test_a_bystander_sees_no_secrets() -> None:
    """Nobody's hand, nobody's score pile."""
    state = make_secrets_state()
    seen = view(state, None)
    assert (seen.hand, seen.score, seen.looking) == ((), None, ())
    assert not any(mentions_card(seen, card) for hand in state.hands for card in hand)


@pytest.mark.parametrize("viewer", VIEWERS)
def test_samples_keep_what_is_known(viewer: Seat | None) -> None:
    """A sampled state has the right sizes everywhere, the viewer's own secrets, and all there is."""
    state = make_secrets_state()
    found = sample_states(view(state, viewer))
    for sample in found:
        for seat, hand in enumerate(sample.hands):
            assert sum(map(is_deep, hand)) == state.position.deep_hands[seat]
            assert len(hand) == len(state.hands[seat])
            assert list(hand) == sorted(hand, key=[*SURFACE_DECK, *deep_deck(state.position.options)].index)
        assert len(sample.surface_rest) == state.position.surface_deck
        assert len(sample.deep_rest) == state.position.deep_deck
    others = [seat for seat in (A, B, C) if seat != viewer]
    for seat in others:
        assert len({sample.hands[seat] for sample in found}) > 1, "a hidden hand varies"
        assert len({sample.scores[seat] for sample in found}) > 1, "a hidden score pile varies"


def test_two_players_know_both_score_piles() -> None:
    """All population is counted in public, so the only other score pile can be worked out."""
    state = fill_up(make_state("IN7 4", "SY5 3", hands=("SP7", "IN5"), scores=(6, 2)))
    assert all(sample.scores == (6, 2) for sample in sample_states(view(state, A)))
    assert {sample.scores for sample in sample_states(view(state, None))} != {(6, 2)}


# Deep cards -----------------------------------------------------------------------------------------


def is_known_to_all(state: State, seat: Seat, card: str) -> bool:
    """Return whether every viewer knows that the seat holds a card, and every sample puts it there."""
    known = [card in view(state, viewer).position.known[seat] for viewer in VIEWERS]
    assert len(set(known)) == 1, "some know more than others"
    if known[0]:
        assert all(
            card in each.hands[seat] for viewer in VIEWERS for each in sample_states(view(state, viewer), 4)
        )
    return known[0]


def test_a_card_from_the_gene_pool_stays_known() -> None:
    """Everybody saw who took it, and remembers through the turns of others."""
    state = fill_up(drawing_state("IN7 4", "SY5 3", "", hands=("SP7",), gene_pool=("KRA BLU", "TUS")))
    state = act(state, "take 1")
    assert is_known_to_all(state, A, "BLU")
    state = play(state, "draw")
    assert is_known_to_all(state, A, "BLU")
    state = play(state, "skip; draw")
    assert is_known_to_all(state, A, "BLU")


@pytest.mark.parametrize(
    ("line", "where"),
    [("evolve BLU A1 reef", "board"), ("create BLU 0 z1", "board"), ("migrate BLU z1 z2", "out")],
)
def test_a_known_card_is_forgotten_when_it_is_played(line: str, where: str) -> None:
    """Once it is on the table or out of the game, nobody is said to hold it."""
    state = fill_up(
        drawing_state("IN7 4", "SY5 3", "", scores=(3,), cambrian=True, gene_pool=("KRA BLU", "TUS"))
    )
    state = act(state, "take 1")
    # The card phase of a later turn, all else being equal.
    later = make_state("IN7 4", "SY5 3", "", hands=("BLU",), scores=(3,), cambrian=True)
    later = replace(later, position=replace(later.position, known=state.position.known))
    later = act(fill_up(later), line)
    assert not is_known_to_all(later, A, "BLU")
    assert view(later, None).position.known == ((), (), ())
    assert ("BLU" in later.position.out_of_game) == (where == "out")


def test_a_known_card_is_known_until_a_resignation() -> None:
    """A player who resigns holds nothing any more, and the cards lie open."""
    state = act(fill_up(drawing_state("IN7 4", "SY5 3", "", gene_pool=("KRA BLU", "TUS"))), "take 1")
    after = resign(state, A)
    assert after is not None
    assert after.position.known[A] == ()
    assert "BLU" in after.position.out_of_game


def test_a_card_kept_from_the_deck_is_secret() -> None:
    """The others see which two cards came to the Gene Pool, and that one was kept, but not which."""
    state = fill_up(drawing_state("IN7 4", "SY5 3", "", gene_pool=("KRA", "TUS")))
    state = act(state, "look")
    assert isinstance(state.position.agenda[-1], Showing)
    state = apply_chance(state, ShowDeep(A, parse_cards("BLU GRA MEG")))
    assert view(state, A).looking == ("BLU", "GRA", "MEG")
    for viewer in (B, C, None):
        seen = view(state, viewer)
        assert seen.looking == ()
        assert not any(mentions_card(seen, card) for card in ("BLU", "GRA", "MEG"))
        looked = {sample.looking for sample in sample_states(seen)}
        assert len(looked) > 1
        assert {len(each) for each in looked} == {3}
    state = act(state, "keep GRA MEG BLU")
    assert state.hands[A] == ("GRA",)
    assert state.position.gene_pool == (("KRA", "MEG"), ("TUS", "BLU"))
    assert not is_known_to_all(state, A, "GRA")
    for viewer in (B, C, None):
        assert not mentions_card(view(state, viewer), "GRA")
        assert view(state, viewer).position.deep_hands == (1, 0, 0)
    assert mentions_card(view(state, A), "GRA")


def test_the_last_card_of_the_deck_is_secret() -> None:
    """With one card left nothing is chosen, and it goes to the hand unseen by the others."""
    state = fill_up(drawing_state("IN7 4", "SY5 3", "", gene_pool=("KRA", "TUS"), deep_rest="GRA"))
    state = apply_chance(act(state, "look"), ShowDeep(A, parse_cards("GRA")))
    assert state.hands[A] == ("GRA",)
    assert state.position.known[A] == ()
    assert not isinstance(state.position.agenda[-1], Keeping)
    assert not mentions_card(view(state, B), "GRA")


def test_a_secret_card_shows_when_it_is_played() -> None:
    """On a board it is known to all, and no sample has it anywhere else."""
    state = act(make_secrets_state(cambrian=True), "evolve KRA A1 z3")
    for viewer in VIEWERS:
        seen = view(state, viewer)
        assert mentions_card(seen, "KRA")
        assert not [
            sample for sample in sample_states(seen) if "KRA" in (*sample.deep_rest, *sample.hands[B])
        ]


def test_thermal_currents_tell_nothing_of_a_hand() -> None:
    """A card played from the Gene Pool was in nobody's hand."""
    scene = {**active_card("THE"), "gene_pool": ("GRA BLU", "WAR")}
    state = make_secrets_state(**scene)
    after = act(state, "evolve BLU A1 z3")
    assert after.position.known == ((), (), ())
    assert after.hands == state.hands
    assert after.position.deep_hands == state.position.deep_hands


# Atavism --------------------------------------------------------------------------------------------


def make_atavism_state(hand: str, *, known: str = "") -> State:
    """Return a state in which A's Atavism may exchange IN7 and BLU for Surface cards of the hand."""
    state = make_state("ATA IN7 BLU 4", "SY5 3", "", hands=(hand,), scores=(2,), plays=0)
    state = replace(state, position=replace(state.position, known=(parse_cards(known), (), ())))
    return act(fill_up(state), "done")


@pytest.mark.parametrize("card", ["IN7", "BLU"])
def test_a_trait_taken_back_is_known(card: str) -> None:
    """Everybody saw it go to the hand, a Surface card as well as a Deep one."""
    state = act(make_atavism_state("SY7 WC5"), f"exchange A1 {card} SY7")
    assert "SY7" in traits(state, "A1")
    assert card in state.hands[A]
    assert is_known_to_all(state, A, card)
    assert not is_known_to_all(state, A, "WC5")
    assert state.position.surface_hands[A] + state.position.deep_hands[A] == 2
    assert state.position.deep_hands[A] == (card == "BLU")


def test_a_known_card_that_comes_back_is_forgotten() -> None:
    """What was taken back and is put on a species again is held no more."""
    state = act(make_atavism_state("SY7 WC5", known="SY7"), "exchange A1 IN7 SY7")
    assert not is_known_to_all(state, A, "SY7")
    assert is_known_to_all(state, A, "IN7")


def test_a_known_surface_card_can_be_discarded() -> None:
    """Before drawing it may be thrown away; then it lies in the discard pile and is held no more."""
    state = drawing_state("IN7 4", "SY5 3", "", hands=("SY7 WC5",))
    state = fill_up(replace(state, position=replace(state.position, known=(parse_cards("SY7"), (), ()))))
    assert is_known_to_all(act(state, "discard WC5"), A, "SY7")
    state = act(state, "discard SY7")
    assert not is_known_to_all(state, A, "SY7")
    assert "SY7" in state.position.discard_pile


def test_of_two_cards_alike_one_is_known() -> None:
    """Who is known to hold one and plays one may hold another: that is not known."""
    state = make_state("IN5 4", "SY5 3", "", hands=("SY7 SY7",))
    state = fill_up(replace(state, position=replace(state.position, known=(parse_cards("SY7"), (), ()))))
    assert {sample.hands[A].count(Card("SY7")) for sample in sample_states(view(state, B), 60)} == {1, 2}
    state = act(state, "evolve SY7 A1")
    assert not is_known_to_all(state, A, "SY7")
    assert state.hands[A] == ("SY7",)


# Actions as seen ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("action", "hidden"),
    [
        (Deal(A, parse_cards("SP7 IN5")), Deal(A, (FACE_DOWN, FACE_DOWN))),
        (ShowDeep(A, parse_cards("BLU GRA")), ShowDeep(A, (FACE_DOWN, FACE_DOWN))),
        (Keep(Card("BLU"), Card("GRA"), Card("MEG")), Keep(FACE_DOWN, Card("GRA"), Card("MEG"))),
    ],
)
def test_cards_drawn_are_seen_by_their_owner(action: Action, hidden: Action) -> None:
    """The others see how many cards, and of Deep cards which were laid open."""
    assert action.seen_by(A, A) == action
    for viewer in (B, C, None):
        assert action.seen_by(viewer, A) == hidden
    if not isinstance(action, Keep):
        assert [action.reveals(viewer) for viewer in VIEWERS] == [True, False, False, False]


def test_everything_else_is_seen_by_all() -> None:
    """All other actions are public: every choice that is legal somewhere here, and chance's open outcomes."""
    choices: list[Action] = [
        OpenShield(A, 1),
        TurnOver((1, 2, 3)),
        RefillPool(1, Card("BLU")),
        Reshuffle(parse_cards("SP5")),
    ]
    scenes = (
        make_secrets_state(cambrian=True),
        feeding_state("AP5 1", "SY5 3", ""),
        make_atavism_state("SY7"),
        drawing_state("IN7 4", "", ""),
    )
    for state in scenes:
        choices += OCEANS.legal_actions(view(state, A))
    assert {type(action).__name__ for action in choices} > {"Evolve", "Migrate", "Attack", "Exchange", "Draw"}
    assert all(action.seen_by(viewer, A) == action for action in choices for viewer in VIEWERS)


def test_a_reshuffle_tells_nothing() -> None:
    """Everybody knew the discard pile; what is drawn after it is secret."""
    state = drawing_state("IN7 4", "SY5 3", "", surface_rest="SP5 SP6", discard="WC5")
    state = act(fill_up(state), "draw")
    assert isinstance(state.position.agenda[-1], DrawingUp)
    thrown = state.position.discard_pile
    state = apply_chance(apply_chance(state, Deal(A, parse_cards("SP5 SP6"))), Reshuffle(thrown))
    assert state.surface_rest == thrown
    assert not any(Reshuffle(thrown).reveals(viewer) for viewer in VIEWERS)
    assert state.position.discard_pile == ()
    sample_states(view(state, B))


# Score piles that open ------------------------------------------------------------------------------


@pytest.mark.parametrize(("score", "paid"), [(5, 2), (1, 1), (0, 0)])
def test_detritus_shows_what_a_score_pile_gives(score: int, paid: int) -> None:
    """Chance reveals how much could be paid; the rest of the pile stays hidden."""
    state = fill_up(
        make_state("IN7 4", "SY5 3", "", hands=("SP7",), scores=(score, 6, 4), **active_card("DET"))
    )
    state = act(state, "migrate SP7 z3 z1")
    assert isinstance(state.position.agenda[-1], OpeningShield)
    assert [possible(state, OpenShield(A, count)) for count in range(3)] == [
        count == paid for count in range(3)
    ]
    assert not possible(state, OpenShield(B, 2))
    check_same_next_views(state, OpenShield(A, paid))
    after = apply_chance(state, OpenShield(A, paid))
    assert view(after, A).score == score - paid
    assert [view(after, viewer).score for viewer in (B, C, None)] == [6, 4, None]


@pytest.mark.parametrize(("score", "room", "taken"), [(5, 4, 2), (1, 4, 1), (0, 4, 0), (5, 9, 1)])
def test_coprophagia_shows_what_a_score_pile_gives(score: int, room: int, taken: int) -> None:
    """Whose pile it is may be anybody's, empty or not; only what is taken becomes known."""
    state = make_state(f"COP {room}", "SY5 3", "", scores=(2, score, 3), plays=0)
    state = act(fill_up(state), "done")
    step = state.position.agenda[-1]
    assert getattr(step, "reason", None) is Reason.SHIELD
    assert legal_texts(state) == ("choose A", "choose B", "choose C")
    state = act(state, "choose B")
    check_same_next_views(state, OpenShield(B, taken))
    after = apply_chance(state, OpenShield(B, taken))
    assert moved_to(after, "A1", "COP") == taken
    assert [view(after, viewer).score for viewer in VIEWERS] == [2, score - taken, 3, None]


def test_score_piles_are_turned_over_at_the_end() -> None:
    """Nobody knows them before; after it everybody does, and a sample has no choice."""
    scene: dict[str, Any] = {"scores": (7, 5, 3), "player": 2, "ending": True}
    state = drawing_state("IN7 4", "SY5 3", "", **scene, hands=("", "", "SP5 SP6 SP7 IN5 IN6 IN8"))
    # The reserve has come in: all 180 are on the table.
    state = act(fill_up(state), "draw")
    assert isinstance(state.position.agenda[-1], Tallying)
    assert state.position.final_scores == ()
    assert not possible(state, TurnOver((7, 5, 4)))
    check_same_next_views(state, TurnOver((7, 5, 3)))
    after = apply_chance(state, TurnOver((7, 5, 3)))
    for viewer in VIEWERS:
        seen = view(after, viewer)
        assert seen.position.final_scores == (7, 5, 3)
        assert {sample.scores for sample in sample_states(seen)} == {(7, 5, 3)}
    standings = OCEANS.returns(after).standings
    assert [(each.seat, each.score) for each in standings] == [(A, 7 + 4 + 6), (B, 5 + 3 + 4), (C, 3)]
