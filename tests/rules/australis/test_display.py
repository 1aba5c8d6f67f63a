"""Filling the display: after white dice, between rounds, with small piles."""

from rules.australis import AUSTRALIS
from rules.australis.actions import RevealCards
from rules.australis.components import Card
from rules.australis.events import CardsRevealed, DisplayCleared, Reshuffled
from rules.australis.model import Phase
from rules.model import CHANCE
from tests.rules.australis.positions import (
    act,
    events,
    legal_choices,
    make_board,
    make_position,
    parse_cards,
    trail_types,
)

TWO_BOARDS = (make_board(), make_board(turtle=1))
ROLL = "roll white-2c,white-2c,yellow-5f,yellow-4f,blue-2,blue-7,purple-3,purple-8"
SIX_CARDS = "white-points white-fish yellow-points yellow-fish yellow-turtle blue-points"


def test_the_display_is_refilled_after_the_last_card_of_the_die() -> None:
    """Not between two picks: the second card is one of the five left."""
    position = act(
        make_position(*TWO_BOARDS, dice="white-2c red", display=SIX_CARDS), "take white-2c", "keep white-fish"
    )
    assert position.phase is Phase.PICK
    assert len(position.display) == 5
    position = act(position, "keep yellow-fish")
    assert (position.phase, position.to_act, position.reveals_left) == (Phase.REVEAL, CHANCE, 2)
    position = act(position, "reveal white-turtle,blue-coral")
    assert events(position, CardsRevealed) == [CardsRevealed((Card.WHITE_TURTLE, Card.BLUE_CORAL))]
    assert (position.phase, position.to_act, len(position.display)) == (Phase.TAKE, 1, 6)


def test_only_the_cards_that_are_missing_are_possible() -> None:
    """Neither more nor fewer, none that is not in the pile, in the order of the cards."""
    position = make_position(*TWO_BOARDS, dice="white-2c red", display=SIX_CARDS)
    position = act(position, "take white-2c", "keep white-fish", "keep yellow-fish")
    for cards, is_possible in [
        ("white-turtle blue-coral", True),
        ("white-turtle", False),
        ("white-turtle blue-coral blue-turtle", False),
        ("blue-points blue-coral", False),
        ("white-points white-points", False),
    ]:
        assert AUSTRALIS.is_possible(position, RevealCards(parse_cards(cards))) is is_possible, cards
    cards_backwards = (Card.BLUE_CORAL, Card.WHITE_TURTLE)
    assert not AUSTRALIS.is_possible(position, RevealCards(cards_backwards))


def test_the_rest_of_the_pile_comes_without_chance() -> None:
    """One card is needed and one is left: nothing is drawn, and the pile is not replaced yet."""
    position = make_position(
        *TWO_BOARDS,
        dice="white-1c2p red",
        display=SIX_CARDS,
        draw_pile="blue-coral",
        discard_pile="white-coral",
    )
    position = act(position, "take white-1c2p", "keep white-fish")
    assert events(position, CardsRevealed) == [CardsRevealed((Card.BLUE_CORAL,))]
    assert not events(position, Reshuffled)
    assert (position.draw_pile, position.to_act) == ((), 1)


def test_an_empty_pile_is_replaced_when_a_card_must_be_drawn() -> None:
    """In the middle of a refill too; a card used with this very die may come back (AU20)."""
    position = make_position(
        *TWO_BOARDS,
        dice="white-2c red",
        display=SIX_CARDS,
        draw_pile="blue-coral",
        discard_pile="white-coral purple-fish",
    )
    position = act(position, "take white-2c", "use white-fish", "keep yellow-fish")
    assert events(position, CardsRevealed, Reshuffled) == [CardsRevealed((Card.BLUE_CORAL,)), Reshuffled(3)]
    assert position.draw_pile == (Card.WHITE_FISH, Card.WHITE_CORAL, Card.PURPLE_FISH)
    assert (position.phase, position.reveals_left, position.discard_pile) == (Phase.REVEAL, 1, ())
    position = act(position, "reveal white-fish")
    assert Card.WHITE_FISH in position.display


def test_the_pile_may_come_as_a_whole_after_the_shuffle() -> None:
    """As many are needed as the discard pile has: no chance."""
    position = make_position(
        *TWO_BOARDS, dice="white-2c red", display=SIX_CARDS, draw_pile="", discard_pile="white-coral"
    )
    position = act(position, "take white-2c", "use white-fish", "keep yellow-fish")
    assert trail_types(position)[-2:] == [Reshuffled, CardsRevealed]
    assert position.to_act == 1
    assert len(position.display) == 6


def test_cards_of_one_kind_are_certain() -> None:
    """Two copies of one card are left and one is needed: it shows nothing that was not known."""
    position = make_position(
        *TWO_BOARDS, dice="white-1c2p red", display=SIX_CARDS, draw_pile="blue-coral blue-coral"
    )
    position = act(position, "take white-1c2p", "keep white-fish")
    assert position.to_act == 1
    assert position.draw_pile == (Card.BLUE_CORAL,)


def test_the_display_may_stay_short() -> None:
    """Both piles empty: five cards, and later no card at all is picked (AU16)."""
    position = make_position(
        *TWO_BOARDS, dice="white-1c2p white-2c red", display="white-points white-fish", draw_pile=""
    )
    position = act(position, "take white-1c2p", "keep white-fish")
    assert (position.display, position.to_act) == ((Card.WHITE_POINTS,), 1)
    position = act(position, "take white-2c", "keep white-points")
    assert (position.display, position.to_act, position.phase) == ((), 0, Phase.TAKE)


def test_a_short_display_is_filled_again_by_cards_used() -> None:
    """A card used with this die is the only one that can come (AU16, AU20)."""
    position = make_position(
        *TWO_BOARDS, dice="white-1c2p red", display="white-points white-fish", draw_pile=""
    )
    position = act(position, "take white-1c2p", "use white-fish")
    assert position.display == (Card.WHITE_POINTS, Card.WHITE_FISH)
    assert position.discard_pile == ()


def test_a_new_round_shows_six_new_cards() -> None:
    """The shown cards go to the discard pile; the draw pile gives six others."""
    position = make_position(*TWO_BOARDS, dice="yellow-4f yellow-5f red", display=SIX_CARDS, turns_left=1)
    position = act(position, "take yellow-4f")
    assert position.phase is Phase.ROLL
    position = act(position, ROLL)
    assert events(position, DisplayCleared) == [DisplayCleared(parse_cards(SIX_CARDS))]
    assert position.discard_pile == parse_cards(SIX_CARDS)
    assert (position.phase, position.reveals_left, position.display) == (Phase.REVEAL, 6, ())


def test_a_new_round_may_shuffle_the_cards_just_cleared() -> None:
    """Two are left: they come, then the discard pile with the six is the draw pile (AU20)."""
    position = make_position(
        *TWO_BOARDS,
        dice="yellow-4f yellow-5f red",
        display=SIX_CARDS,
        turns_left=1,
        draw_pile="red-competition blue-coral",
    )
    position = act(position, "take yellow-4f", ROLL)
    assert events(position, CardsRevealed, Reshuffled) == [
        CardsRevealed(parse_cards("blue-coral red-competition")),
        Reshuffled(6),
    ]
    assert (position.reveals_left, position.draw_pile) == (4, parse_cards(SIX_CARDS))
    position = act(position, "reveal white-points,white-fish,yellow-points,blue-points")
    assert len(position.display) == 6
    assert legal_choices(position)


def test_a_new_round_may_show_fewer_than_six() -> None:
    """There are only four cards left that nobody keeps: all come, and nothing is drawn (AU16)."""
    position = make_position(
        *TWO_BOARDS, dice="yellow-4f yellow-5f red", display="white-fish", turns_left=1,
        draw_pile="blue-coral", discard_pile="white-coral yellow-fish",
    )  # fmt: skip
    position = act(position, "take yellow-4f", ROLL)
    assert position.display == parse_cards("white-fish blue-coral white-coral yellow-fish")
    assert (position.draw_pile, position.discard_pile) == ((), ())
    assert position.phase is Phase.TAKE
