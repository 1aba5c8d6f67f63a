"""Undo: what it takes, when it is free, and that it changes no draw."""

import random
from dataclasses import replace

import pytest

from rules.catalogue import GAMES
from rules.errors import IllegalAction, StaleAction
from rules.game import AnyGame
from rules.match import Match
from rules.model import CHANCE, Resign, Seat
from rules.notation import write_action
from rules.random_stream import SEED_BYTES
from rules.record import PossibleUndo, Record
from rules.turns import is_in_turn
from tests.rules.pearls import A, B, C, begin_match, parse_action


def _goes_on_after_a_resignation(game: AnyGame) -> bool:
    match = Match.begin(game, max(game.player_counts), game.options_type(), bytes(SEED_BYTES))
    return match.can_resign(Seat(0))


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


@pytest.mark.parametrize("key", [key for key, game in GAMES.items() if _goes_on_after_a_resignation(game)])
def test_a_resignation_bars_no_undo_and_outlasts_it(key: str) -> None:
    """Whatever was free to undo stays so when another seat resigns, which stands after the undo."""
    game, rng = GAMES[key], random.Random(f"resigned/{key}")
    seat_count = max(game.player_counts)
    free_count = 0
    for _ in range(4):
        match = Match.begin(game, seat_count, game.options_type(), rng.randbytes(SEED_BYTES))
        for _ in range(60):
            seat = match.to_act
            if seat is None:
                break
            match = match.play(seat, rng.choice(match.legal_actions(seat)))
            leaver = Seat((seat + rng.randrange(1, seat_count)) % seat_count)
            if match.is_over or not match.can_resign(leaver):
                continue
            resigned = match.play(leaver, Resign())
            if resigned.is_over:
                continue
            for possible_undo, before in (
                (resigned.possible_undo(seat), match.possible_undo(seat)),
                (resigned.possible_turn_undo(seat), match.possible_turn_undo(seat)),
            ):
                assert before is not None
                reveals = any(
                    record.actor == CHANCE and (record.action.reveals(seat) or record.action.reveals(None))
                    for record in resigned.new_records
                )
                assert possible_undo == before or (reveals and possible_undo is not None)
                assert possible_undo is not None
                undone = resigned.undo_choices(seat, possible_undo.kept_length)
                assert undone.to_act == seat
                assert undone.resigned_seats == {leaver}
                expected = match.at_length(possible_undo.kept_length).play(leaver, Resign())
                assert undone.digest() == expected.digest(), "as if they had resigned before"
                records = (*resigned.history, *undone.new_records)
                replayed = Match.replay(game, seat_count, match.options, resigned.deal_key.key, records)
                assert (replayed.digest(), replayed.history) == (undone.digest(), undone.history)
                free_count += possible_undo.is_free
    assert free_count > 20


@pytest.mark.parametrize("key", GAMES)
def test_the_free_part_of_a_turn_is_what_free_undos_take_one_by_one(key: str) -> None:
    """As many of its last choices, each the seat's own, whatever resignations stand between them."""
    game, rng = GAMES[key], random.Random(f"free part/{key}")
    seat_count = max(game.player_counts)
    match = Match.begin(game, seat_count, game.options_type(), rng.randbytes(SEED_BYTES))
    for _ in range(150):
        seat = match.to_act
        assert seat is not None
        match = match.play(seat, rng.choice(match.legal_actions(seat)))
        leaver = Seat((seat + 1) % seat_count)
        if rng.random() < 0.2 and match.can_resign(leaver) and not match.resignation_ends_game(leaver):
            match = match.play(leaver, Resign())
        if match.is_over:
            match = Match.begin(game, seat_count, game.options_type(), rng.randbytes(SEED_BYTES))
            continue
        undo = match.possible_turn_undo(seat)
        assert undo is not None
        earlier_undo, kept_length = match.possible_undo(seat), None
        while earlier_undo is not None and earlier_undo.is_free:
            kept_length = earlier_undo.kept_length
            earlier = match.at_length(kept_length)
            earlier_undo = earlier.possible_undo(seat) if is_in_turn(earlier.history, seat) else None
        assert undo.is_free == (kept_length is not None)
        assert kept_length in {None, undo.kept_length}


def test_an_own_resignation_is_taken_back_with_consent() -> None:
    """Who has resigned gets the seat back with the last choice, which is never free."""
    game = GAMES["oceans"]
    match = Match.begin(game, 3, game.options_type(), bytes(SEED_BYTES))
    seat = match.to_act
    assert seat is not None
    length = len(match.history)
    match = match.play(seat, match.legal_actions(seat)[0]).play(seat, Resign())
    assert match.possible_undo(seat) == PossibleUndo(length, is_free=False)
    assert match.undo_choices(seat, length).resigned_seats == frozenset()
