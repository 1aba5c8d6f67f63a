"""What holds of every state of Oceans."""

from collections import Counter

from rules.oceans.rules import State


def check_state(state: State) -> None:
    """Check that public sizes match the hidden cards, and that no amount is negative."""
    position = state.position
    for seat, hand in enumerate(state.hands):
        assert len(hand) == position.surface_hand_sizes[seat] + position.deep_hand_sizes[seat]
        assert not Counter(position.known_cards[seat]) - Counter(hand), (
            "somebody is said to hold what they do not"
        )
    assert len(state.surface_deck) == position.surface_deck_size
    assert len(state.deep_deck) == position.deep_deck_size
    assert min(state.score_piles) >= 0
    assert min(position.zone_populations) >= 0
