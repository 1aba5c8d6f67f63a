"""Undo: what it takes, when it is free, and that it changes no draw."""

from dataclasses import replace

import pytest

from rules.catalogue import GAMES
from rules.errors import IllegalAction, StaleAction
from rules.game import CHANCE, Seat
from rules.match import Match
from rules.notation import write_action
from rules.random_stream import SEED_BYTES
from rules.record import PossibleUndo, Record
from tests.rules.pearls import A, B, C, begin_match, parse_action


def test_undo_of_the_last_choice_is_free() -> None:
    """A seat's last choice may be taken back as long as nobody else has acted and nothing was shown."""
    match = begin_match()
    undo = (after := match.play(A, match.legal_actions(A)[0])).possible_undo(A)

    assert undo is not None
    assert (undo.kept_length, undo.is_free) == (3, True)
    assert after.undo(A, undo.kept_length).digest() == match.digest()


def test_undo_across_another_seats_choice_is_not_free() -> None:
    """Once another seat has acted, consent is needed; the one who acted last still undoes freely."""
    match = begin_match()
    for seat in (A, B):
        match = match.play(seat, match.legal_actions(seat)[0])

    undos = [match.possible_undo(seat) for seat in (A, B, C)]
    assert [undo and undo.is_free for undo in undos] == [False, True, None]
    assert [undo and undo.kept_length for undo in undos] == [3, 4, None]


def test_undo_of_a_draw_that_was_seen_is_not_free() -> None:
    """A wave that everybody saw needs consent to undo."""
    match = begin_match()
    for seat in (A, B, C):
        match = match.play(seat, match.legal_actions(seat)[0])

    assert match.history[-1].actor == CHANCE
    undo = match.possible_undo(C)
    assert undo is not None
    assert not undo.is_free


@pytest.mark.parametrize(("informed_seat", "is_free"), [(A, True), (B, True), (C, False), (None, False)])
def test_a_secret_draw_of_another_does_not_count(informed_seat: Seat | None, *, is_free: bool) -> None:
    """An outcome leaves C's undo free only if it shows neither C nor a bystander anything."""
    wave = parse_action("wave 3")

    class Veiled(type(wave)):  # type: ignore[misc]
        def reveals(self, viewer: Seat | None) -> bool:
            return viewer == informed_seat

    match = begin_match()
    for seat in (A, B, C):
        match = match.play(seat, match.legal_actions(seat)[0])
    match_with_veiled_wave = replace(match, history=(*match.history[:-1], Record(CHANCE, Veiled(3))))
    assert (undo := match_with_veiled_wave.possible_undo(C)) is not None
    assert undo.is_free is is_free


def test_redo_draws_the_same() -> None:
    """Undo and redo, with another choice tried between, give the same draws."""
    match = begin_match()
    for seat in (A, B):
        match = match.play(seat, match.legal_actions(seat)[0])
    first, other = match.legal_actions(C)[:2]
    after = match.play(C, first)
    after_other = after.undo(C, 5).play(C, other)

    assert after_other.undo(C, 5).play(C, first).digest() == after.digest()
    assert after_other.history[-1] == after.history[-1], "the wave does not depend on the choice"


@pytest.mark.parametrize("kept_length", [-1, 0, 1, 2, 4, 99])
def test_undo_only_to_a_choice(kept_length: int) -> None:
    """An undo into what plays by itself, or of nothing, is refused."""
    match = begin_match()
    with pytest.raises(IllegalAction):
        match.play(A, match.legal_actions(A)[0]).undo(A, kept_length)


def test_ply_never_repeats() -> None:
    """An undo is a record too: the ply grows, and a choice offered before is stale."""
    match = begin_match()
    after = match.play(A, match.legal_actions(A)[0])
    undone = after.undo(A, 3)

    assert (match.ply, after.ply, undone.ply) == (3, 4, 5)
    with pytest.raises(StaleAction):
        undone.play(A, match.legal_actions(A)[0], ply=3)


def test_undoing_a_turn_goes_back_to_its_first_choice() -> None:
    """A turn of several choices goes back whole; not freely after a draw or another seat's move."""
    game = GAMES["oceans"]
    match = Match.begin(game, 3, game.options_type(), bytes(SEED_BYTES))
    seat = match.to_act
    assert seat is not None
    assert match.possible_turn_undo(seat) is None, "no choice has been made"
    start_length = len(match.history)
    for text in ("migrate", "discard", "discard"):
        action = next(each for each in match.legal_actions(seat) if write_action(each).startswith(text))
        match = match.play(seat, action)
    assert match.to_act == seat
    last_undo, turn_undo = match.possible_undo(seat), match.possible_turn_undo(seat)
    assert last_undo is not None
    assert turn_undo is not None
    assert (turn_undo.kept_length, turn_undo.is_free) == (start_length, True)
    assert last_undo.kept_length > turn_undo.kept_length
    assert match.undo(seat, turn_undo.kept_length).legal_actions(seat) == match.at_length(
        start_length
    ).legal_actions(seat)
    match_after_draw = match.play(
        seat, next(each for each in match.legal_actions(seat) if write_action(each) == "draw")
    )
    whole_turn_undo = PossibleUndo(start_length, is_free=False)
    assert match_after_draw.possible_turn_undo(seat) == whole_turn_undo, "the draw showed cards"
    next_seat = match_after_draw.to_act
    assert next_seat is not None
    assert match_after_draw.possible_turn_undo(next_seat) is None
    match_after_next_move = match_after_draw.play(next_seat, match_after_draw.legal_actions(next_seat)[0])
    assert match_after_next_move.possible_turn_undo(seat) == whole_turn_undo, "another seat has moved"
