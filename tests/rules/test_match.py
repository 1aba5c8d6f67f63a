"""A match: who may do what when, what undo means, and which stored record breaks."""

import random
from dataclasses import replace

import pytest

from rules.errors import (
    AutoPlayOverrun,
    BrokenMatch,
    GameOver,
    IllegalAction,
    InvalidSetup,
    NotYourTurn,
    RulesError,
    StaleAction,
    UnannouncedOutcome,
)
from rules.match import Match
from rules.model import CHANCE, MODERATOR, OutcomeKind, Resign, Seat
from rules.record import Record, Undo
from tests.docs.game_guide import corals_game
from tests.rules.pearls import (
    DEAL_LINES,
    GAME,
    SEED,
    A,
    B,
    C,
    begin_match,
    hand_of,
    parse_action,
    parse_records,
    play_to_end,
)

DEAL_TYPE, WAVE_TYPE, _ = GAME.outcome_types


def test_begin_plays_to_the_first_choice() -> None:
    """A match begins with every record that plays by itself, and all of them are new."""
    match = begin_match()

    assert [record.actor for record in match.history] == [CHANCE] * 3
    assert match.new_records == match.history
    assert (match.ply, match.to_act) == (3, A)
    assert match.outcome_counts == {OutcomeKind(DEAL_TYPE, seat): 1 for seat in (A, B, C)}


def test_begin_refuses_a_number_of_seats() -> None:
    """A number of seats that the game does not know is refused with a sentence."""
    with pytest.raises(InvalidSetup, match="for 2, 3 or 4 players with these options, not for 5"):
        Match.begin(GAME, 5, GAME.options_type(), SEED)


@pytest.mark.parametrize(
    "announced", [OutcomeKind(WAVE_TYPE), OutcomeKind(DEAL_TYPE), OutcomeKind(DEAL_TYPE, B)]
)
def test_chance_must_give_what_was_announced(announced: OutcomeKind) -> None:
    """An outcome of another kind or for another seat than the game announced is a fault in the game."""
    game = replace(GAME, next_outcome_kind=lambda _: announced)
    with pytest.raises(UnannouncedOutcome, match="pearls"):
        Match.begin(game, 2, game.options_type(), SEED)
    with pytest.raises(BrokenMatch, match="chance may not do this now"):
        Match.replay(game, 2, game.options_type(), None, parse_records(DEAL_LINES[0]))


def test_undone_outcomes_do_not_count() -> None:
    """After an undo the numbers of chance's outcomes are those of the records that count."""
    match = begin_match(2)
    played = match
    for seat in (A, B):
        played = played.play(seat, played.legal_actions(seat)[0])
    assert played.outcome_counts == {**match.outcome_counts, OutcomeKind(WAVE_TYPE): 1}
    assert played.undo(A, len(match.history)).outcome_counts == match.outcome_counts


def test_play_leaves_the_old_match() -> None:
    """Playing returns a new match; the old one plays the same again."""
    match = begin_match()
    action = match.legal_actions(A)[0]

    assert match.play(A, action).digest() == match.play(A, action).digest()
    assert match.ply == 3


def test_a_stale_choice_is_refused() -> None:
    """A choice that was offered at an earlier ply is refused for every seat."""
    match = begin_match()
    after = match.play(A, match.legal_actions(A)[0], ply=3)

    for seat in (A, B, C):
        with pytest.raises(StaleAction):
            after.play(seat, after.legal_actions(B)[0], ply=3)


def test_not_your_turn_names_who_is_to_act() -> None:
    """The refusal to another seat says whose turn it is, by name."""
    match = begin_match()

    with pytest.raises(NotYourTurn, match="Wait for Ava"):
        match.play(B, parse_action("rest"), names=("Ava", "Ben", "Chloé"))


@pytest.mark.parametrize("seat", [CHANCE, MODERATOR, Seat(3), Seat(17)])
@pytest.mark.parametrize("text", ["rest", "resign"])
def test_strangers_may_do_nothing(seat: Seat, text: str) -> None:
    """Nobody but a seat of the table can act or resign."""
    with pytest.raises(NotYourTurn):
        begin_match().play(seat, parse_action(text))


def test_illegal_gets_the_games_reason() -> None:
    """An illegal action is refused in the game's own words."""
    match = begin_match()
    pearl_not_held = next(str(n) for n in range(1, 16) if str(n) not in hand_of(match, A))

    with pytest.raises(IllegalAction, match=f"do not hold the pearl {pearl_not_held}"):
        match.play(A, parse_action(f"bury {pearl_not_held}"))


@pytest.mark.parametrize("text", ["deal A 1,2,3", "wave 4", "dig A 1"])
def test_players_do_not_do_what_chance_does(text: str) -> None:
    """An action of chance is refused to players, and so is an undo that is sent as an action."""
    with pytest.raises(IllegalAction, match="Players cannot"):
        begin_match().play(A, parse_action(text))
    with pytest.raises(IllegalAction):
        begin_match().play(A, Undo(0))


def test_nothing_is_played_undone_or_resigned_after_the_end() -> None:
    """After the end nothing is played, undone or resigned."""
    match, _ = play_to_end(begin_match(), random.Random(1))

    assert match.is_over
    assert match.possible_undo(A) is None
    assert not match.can_resign(A)
    for text in ("rest", "resign"):
        with pytest.raises(GameOver):
            match.play(A, parse_action(text))


def test_returns_only_at_the_end() -> None:
    """There is no result while the game goes on."""
    with pytest.raises(ValueError, match="goes on"):
        begin_match().returns()


def test_a_seat_may_resign_out_of_turn() -> None:
    """A seat may resign at any time if the game allows it."""
    match = begin_match().play(C, Resign())

    assert match.is_over
    assert match.returns().standings[-1].seat == C
    assert match.history[-1] == Record(C, Resign())


def test_a_resignation_is_refused_where_the_game_allows_none() -> None:
    """Elsewhere the seat must be filled, and the refusal says so."""
    match = Match.begin(replace(GAME, resign=lambda state, seat: None), 3, GAME.options_type(), SEED)

    with pytest.raises(IllegalAction, match="every seat filled"):
        match.play(A, Resign())


def test_play_all_is_all_or_nothing() -> None:
    """Of several actions one that is illegal undoes the others."""
    match = begin_match()
    first = match.legal_actions(A)[0]

    with pytest.raises(RulesError):
        match.play_all(A, [first, first])
    assert match.play_all(A, [first]).digest() == match.play(A, first).digest()


def test_no_line_goes_on_past_the_own_choices() -> None:
    """A move typed behind one that passes the turn or ends the game is refused for that reason."""
    match = begin_match()
    first = match.legal_actions(A)[0]
    with pytest.raises(IllegalAction, match=r"^Another player chooses after “Lay .*”, so this must be"):
        match.play_all(A, [first, first])

    game = corals_game()
    match = before = Match.begin(game, 2, game.options_type(), SEED)
    while (seat := match.to_act) is not None:
        before, match = match, match.play(seat, match.legal_actions(seat)[-1])
    last = match.history[-1]
    with pytest.raises(IllegalAction, match=r"^The game is over after “.*”, so this must be the last"):
        before.play_all(last.actor, [last.action, last.action])


def test_no_line_goes_on_past_chance() -> None:
    """An action typed behind one that chance follows is refused in the same words, whatever the outcome."""
    refusals = set()
    for seed in range(20):
        match = Match.begin(GAME, 2, GAME.options_type(), bytes([seed]) * 32)
        before, seat, action = match, A, match.legal_actions(A)[0]
        while before is match or all(record.actor != CHANCE for record in match.new_records):
            assert match.to_act is not None
            seat = match.to_act
            before, action = match, match.legal_actions(seat)[0]
            match = match.play(seat, action)
        assert before.play_all(seat, [action]).digest() == match.digest()
        label = GAME.words.label(before.view(seat), action, ("A", "B"))
        for next_action in before.legal_actions(seat):
            with pytest.raises(IllegalAction, match=r"^A random draw follows") as refusal:
                before.play_all(seat, [action, next_action])
            refusals.add(str(refusal.value).replace(label, ""))
    assert len(refusals) == 1


def test_a_game_that_never_stops_by_itself_is_a_fault() -> None:
    """A game that goes on by itself for ever is stopped as a fault."""
    endless_game = replace(GAME, to_act=lambda state: CHANCE, apply_action=lambda state, action: state)

    with pytest.raises(AutoPlayOverrun):
        Match.begin(endless_game, 2, GAME.options_type(), SEED)


def test_forced_choice_plays_itself_and_says_so() -> None:
    """Resting with an empty hand is recorded as automatic."""
    played_records = [
        record for number in range(9) for record in play_to_end(begin_match(), random.Random(number))[1]
    ]

    assert any(record.action == parse_action("rest") for record in played_records)
    assert all(record.auto == (record.action == parse_action("rest")) for record in played_records)


def test_repr_shows_no_secret() -> None:
    """A match's ``repr`` holds neither state nor seed."""
    assert repr(begin_match()) == "Match(pearls, ply=3)"


def test_new_log_lines_are_the_new_records() -> None:
    """The new log lines describe the new records; an undo has none."""
    match = begin_match()
    names = ("Ava", "Ben", "Chloé")
    after = match.play(A, parse_action(f"bury {hand_of(match, A)[0]}"))

    assert [line.text for line in after.new_log_lines(match, None, names)] == ["Ava buries a pearl."]
    assert [line.text for line in after.new_log_lines(match, A, names)] == [
        f"Ava buries {hand_of(match, A)[0]}."
    ]
    assert after.undo(A, 3).new_log_lines(after, None, names) == ()
