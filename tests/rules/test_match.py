"""A match: who may do what when, what undo means, and which stored record breaks."""

import random
from dataclasses import replace
from typing import Any

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
from rules.game import CHANCE, MODERATOR, Action, AnyGame, ChanceKey, Resign, Seat
from rules.match import CHECKPOINT_EVERY, Match
from rules.notation import write
from rules.oceans import OCEANS
from rules.record import Record, Undo
from tests.rules.pearls import (
    DEALT,
    GAME,
    SEED,
    A,
    B,
    C,
    all_records,
    begin_match,
    hand_of,
    parse_action,
    parse_records,
    replay_lines,
)

DEAL, WAVE, _ = GAME.chance


def test_begin_plays_to_the_first_choice() -> None:
    """A match begins with every record that plays by itself, all of them fresh."""
    match = begin_match()

    assert [record.actor for record in match.history] == [CHANCE] * 3
    assert match.new_records == match.history
    assert (match.ply, match.to_act) == (3, A)
    assert match.chance_counts == {ChanceKey(DEAL, seat): 1 for seat in (A, B, C)}


def test_begin_refuses_an_unfit_table() -> None:
    """A number of seats that the game does not know is refused with a sentence."""
    with pytest.raises(InvalidSetup, match="for 2, 3 or 4 players with these options, not for 5"):
        Match.begin(GAME, 5, GAME.options(), SEED)


@pytest.mark.parametrize("announced", [ChanceKey(WAVE), ChanceKey(DEAL), ChanceKey(DEAL, B)])
def test_chance_keeps_to_what_was_announced(announced: ChanceKey) -> None:
    """An outcome of another kind or for another seat than the game announced is a fault in the game."""
    game = replace(GAME, next_chance=lambda _: announced)
    with pytest.raises(UnannouncedOutcome, match="pearls"):
        Match.begin(game, 2, game.options(), SEED)
    with pytest.raises(BrokenMatch, match="chance may not do this now"):
        Match.replay(game, 2, game.options(), None, parse_records(DEALT[0]))


def test_undone_outcomes_do_not_count() -> None:
    """After an undo the numbers of chance's outcomes are those of the records that count."""
    match = begin_match(2)
    played = match
    for seat in (A, B):
        played = played.play(seat, played.legal_actions(seat)[0])
    assert played.chance_counts == {**match.chance_counts, ChanceKey(WAVE): 1}
    assert played.undo(A, len(match.history)).chance_counts == match.chance_counts


def test_play_leaves_the_old_match() -> None:
    """Playing returns a new match; the old one plays the same again."""
    match = begin_match()
    action = match.legal_actions(A)[0]

    assert match.play(A, action).digest() == match.play(A, action).digest()
    assert match.ply == 3


def test_stale() -> None:
    """A choice that was offered at an earlier ply is refused for every seat."""
    match = begin_match()
    after = match.play(A, match.legal_actions(A)[0], ply=3)

    with pytest.raises(StaleAction):
        after.play(B, after.legal_actions(B)[0], ply=3)


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
    missing = next(str(n) for n in range(1, 16) if str(n) not in hand_of(match, A))

    with pytest.raises(IllegalAction, match=f"do not hold the pearl {missing}"):
        match.play(A, parse_action(f"bury {missing}"))


@pytest.mark.parametrize("text", ["deal A 1,2,3", "wave 4", "dig A 1"])
def test_players_do_not_do_what_chance_does(text: str) -> None:
    """An action of chance is no player's, however it came in."""
    with pytest.raises(IllegalAction, match="Players cannot"):
        begin_match().play(A, parse_action(text))
    with pytest.raises(IllegalAction):
        begin_match().play(A, Undo(0))


def test_over() -> None:
    """After the end nothing is played, undone or resigned."""
    match, _ = all_records(begin_match(), random.Random(1))

    assert match.is_over
    assert match.undo_offer(A) is None
    assert not match.can_resign(A)
    for text in ("rest", "resign"):
        with pytest.raises(GameOver):
            match.play(A, parse_action(text))


def test_returns_only_at_the_end() -> None:
    """There is no result while the game goes on."""
    with pytest.raises(ValueError, match="goes on"):
        begin_match().returns()


def test_resign_out_of_turn() -> None:
    """A seat may resign at any time if the game allows it."""
    match = begin_match().play(C, Resign())

    assert match.is_over
    assert match.returns().standings[-1].seat == C
    assert match.history[-1] == Record(C, Resign())


def test_resign_where_the_game_does_not_allow_it() -> None:
    """Elsewhere the seat must be filled, and the refusal says so."""
    match = Match.begin(replace(GAME, resign=lambda state, seat: None), 3, GAME.options(), SEED)

    with pytest.raises(IllegalAction, match="every seat filled"):
        match.play(A, Resign())


def test_play_all_is_all_or_nothing() -> None:
    """Of several actions one that is illegal undoes the others."""
    match = begin_match()
    first = match.legal_actions(A)[0]

    with pytest.raises(RulesError):
        match.play_all(A, [first, first])
    assert match.play_all(A, [first]).digest() == match.play(A, first).digest()


def test_no_line_goes_on_past_chance() -> None:
    """Once chance comes in, what a line says next is refused in the same words, whatever the outcome is."""
    said = set()
    for seed in range(20):
        match = Match.begin(GAME, 2, GAME.options(), bytes([seed]) * 32)
        before, seat, action = match, A, match.legal_actions(A)[0]
        while before is match or all(record.actor != CHANCE for record in match.new_records):
            assert match.to_act is not None
            seat = match.to_act
            before, action = match, match.legal_actions(seat)[0]
            match = match.play(seat, action)
        assert before.play_all(seat, [action]).digest() == match.digest()
        for then in before.legal_actions(seat):
            with pytest.raises(IllegalAction) as refusal:
                before.play_all(seat, [action, then])
            said.add(str(refusal.value).replace(write(action), ""))
    assert len(said) == 1


def test_fifty_automatic_records_are_enough() -> None:
    """A game that goes on by itself for ever is stopped as a fault."""
    idle = replace(GAME, to_act=lambda state: CHANCE, apply_action=lambda state, action: state)

    with pytest.raises(AutoPlayOverrun):
        Match.begin(idle, 2, GAME.options(), SEED)


def test_forced_choice_plays_itself_and_says_so() -> None:
    """Resting with an empty hand is recorded as automatic."""
    _, kept = all_records(begin_match(), random.Random(0))
    played = [
        record for number in range(9) for record in all_records(begin_match(), random.Random(number))[1]
    ]

    assert kept
    assert any(record.action == parse_action("rest") for record in played)
    assert all(record.auto == (record.action == parse_action("rest")) for record in played)


# Undo -------------------------------------------------------------------------------------------------


def test_undo_is_free_over_the_own_tail() -> None:
    """The own last choice may be taken back as long as nobody else has acted and nothing was shown."""
    match = begin_match()
    offer = (after := match.play(A, match.legal_actions(A)[0])).undo_offer(A)

    assert offer is not None
    assert (offer.keep, offer.free) == (3, True)
    assert after.undo(A, offer.keep).digest() == match.digest()


def test_undo_across_another_is_not_free() -> None:
    """Once another seat has acted, consent is needed; the one who acted last still undoes freely."""
    match = begin_match()
    for seat in (A, B):
        match = match.play(seat, match.legal_actions(seat)[0])

    offers = [match.undo_offer(seat) for seat in (A, B, C)]
    assert [offer and offer.free for offer in offers] == [False, True, None]
    assert [offer and offer.keep for offer in offers] == [3, 4, None]


def test_undo_across_a_draw_that_was_seen_is_not_free() -> None:
    """A wave that everybody saw stays between."""
    match = begin_match()
    for seat in (A, B, C):
        match = match.play(seat, match.legal_actions(seat)[0])

    assert match.history[-1].actor == CHANCE
    offer = match.undo_offer(C)
    assert offer is not None
    assert not offer.free


@pytest.mark.parametrize(("knows", "free"), [(A, True), (B, True), (C, False), (None, False)])
def test_a_secret_draw_of_another_does_not_count(knows: Seat | None, *, free: bool) -> None:
    """An outcome leaves C's undo free only if it shows neither C nor a bystander anything."""
    wave = parse_action("wave 3")

    class Veiled(type(wave)):  # type: ignore[misc]
        def reveals(self, viewer: Seat | None) -> bool:
            return viewer == knows

    match = begin_match()
    for seat in (A, B, C):
        match = match.play(seat, match.legal_actions(seat)[0])
    veiled = replace(match, history=(*match.history[:-1], Record(CHANCE, Veiled(3))))
    assert (offer := veiled.undo_offer(C)) is not None
    assert offer.free is free


def test_redo_draws_the_same() -> None:
    """Undo and redo, with another choice tried between, give the same draws."""
    match = begin_match()
    for seat in (A, B):
        match = match.play(seat, match.legal_actions(seat)[0])
    first, other = match.legal_actions(C)[:2]
    after = match.play(C, first)
    tried = after.undo(C, 5).play(C, other)

    assert tried.undo(C, 5).play(C, first).digest() == after.digest()
    assert tried.history[-1] == after.history[-1], "the wave does not depend on the choice"


@pytest.mark.parametrize("keep", [-1, 0, 1, 2, 4, 99])
def test_undo_only_to_a_choice(keep: int) -> None:
    """A cut inside what plays by itself, or of nothing, is refused."""
    match = begin_match()
    with pytest.raises(IllegalAction):
        match.play(A, match.legal_actions(A)[0]).undo(A, keep)


def test_ply_never_repeats() -> None:
    """An undo is a record too: the ply grows, and the old offer is stale."""
    match = begin_match()
    after = match.play(A, match.legal_actions(A)[0])
    undone = after.undo(A, 3)

    assert (match.ply, after.ply, undone.ply) == (3, 4, 5)
    with pytest.raises(StaleAction):
        undone.play(A, match.legal_actions(A)[0], ply=3)


# Stored records ---------------------------------------------------------------------------------------


def replay(forged: tuple[Record, ...]) -> Match | BrokenMatch:
    """Replay the records; return the match, or the error."""
    try:
        return Match.replay(GAME, 3, GAME.options(), SEED, forged)
    except BrokenMatch as error:
        return error


def test_replay_of_forged_records_says_which() -> None:
    """If any single record is replaced, replay names it or a later one and never crashes."""
    rng = random.Random(5)
    match, kept = all_records(begin_match(), rng)
    for at in range(len(kept)):
        for other in rng.sample(kept, 4):
            if other == kept[at]:
                continue
            forged = (*kept[:at], other, *kept[at + 1 :])
            again = replay(forged)
            if isinstance(again, BrokenMatch):
                assert again.ply > at
                assert str(again).startswith(f"Record {again.ply}: ")
            else:
                assert again.history != match.history


@pytest.mark.parametrize(
    ("forged", "reason"),
    [
        (Record(CHANCE, parse_action("deal A 1,2,3")), "chance may not"),
        (Record(B, parse_action("lay 1")), "not your turn"),
        (Record(A, parse_action("lay 1")), "do not hold"),
        (Record(A, parse_action("rest"), auto=True), "not a forced choice"),
        (Record(CHANCE, parse_action("rest")), "chance may not"),
        (Record(Seat(4), Resign()), "No seat"),
        (Record(MODERATOR, Resign()), "No seat"),
        (Record(A, parse_action("wave 1")), "Players cannot"),
        (Record(A, Undo(1)), "go back to a choice"),
        (Record(A, Undo(2)), "nothing to undo"),
        (Record(Seat(9), Undo(0)), "cannot be undone"),
        (Record(CHANCE, Undo(0)), "go back to a choice"),
    ],
)
def test_forged(forged: Record, reason: str) -> None:
    """Each kind of forged record is refused at its place, with a reason."""
    with pytest.raises(BrokenMatch, match=reason) as caught:
        Match.replay(GAME, 2, GAME.options(), None, [*parse_records(*DEALT), forged])
    assert caught.value.ply == 3


def test_replay_wants_every_automatic_record() -> None:
    """A forced choice that is missing, or recorded as a free one, breaks the match."""
    lines = (*DEALT, "A lay 3,9", "B lay 1,2", "* wave 1", "A lay 15", "B lay 14", "* wave 1")
    assert replay_lines(*lines).is_over

    lines = (*DEALT, "A lay 3,9", "B bury 1", "* wave 1", "A lay 15", "B lay 2", "* wave 1")
    assert replay_lines(*lines, "A! rest").to_act == B
    for wrong in ("A rest", "B lay 14"):
        with pytest.raises(BrokenMatch, match="plays by itself is missing"):
            replay_lines(*lines, wrong)


@pytest.mark.parametrize(
    "forged", ["* deal A 3,3,3", "* deal B 1,2,3", "* deal A 3,9", "* wave 4", "* deal A ?,?,?"]
)
def test_impossible_outcome(forged: str) -> None:
    """Without the seed an outcome is believed only if the game says that it is possible."""
    with pytest.raises(BrokenMatch, match="chance may not do this now"):
        replay_lines(forged)


def test_resign_waits_for_chance() -> None:
    """In a stored match no seat resigns between an action and the outcome that follows it."""
    with pytest.raises(BrokenMatch, match="No seat"):
        replay_lines(DEALT[0], "A resign")


def test_seed_is_checked() -> None:
    """With the seed another possible draw is refused, without it believed."""
    forged = parse_records(*DEALT)
    assert Match.replay(GAME, 2, GAME.options(), None, forged).ply == 2
    with pytest.raises(BrokenMatch, match="seed gives another"):
        Match.replay(GAME, 2, GAME.options(), SEED, forged)


def test_repr_tells_no_secret() -> None:
    """A match's ``repr`` holds neither state nor seed."""
    assert repr(begin_match()) == "Match(pearls, ply=3)"


def test_news_tells_what_is_fresh() -> None:
    """News are the fresh records in words; an undo brings none."""
    match = begin_match()
    names = ("Ava", "Ben", "Chloé")
    after = match.play(A, parse_action(f"bury {hand_of(match, A)[0]}"))

    assert [line.text for line in after.new_log_lines(match, None, names)] == ["Ava buries a pearl."]
    assert [line.text for line in after.new_log_lines(match, A, names)] == [
        f"Ava buries {hand_of(match, A)[0]}."
    ]
    assert after.undo(A, 3).new_log_lines(after, None, names) == ()


# Checkpoints ------------------------------------------------------------------------------------------


def play_long_match(length: int) -> Match:
    """Return a game of Oceans with this many records or a few more."""
    for number in range(100):
        rng = random.Random(number)
        match = Match.begin(OCEANS, 4, OCEANS.options(), rng.randbytes(32))
        while (seat := match.to_act) is not None and len(match.history) < length:
            match = match.play(seat, rng.choice(match.legal_actions(seat)))
        if len(match.history) >= length:
            return match
    raise AssertionError("no game is as long")


def make_counting_game(calls: list[Action]) -> AnyGame:
    """Return Oceans with an ``apply_action`` that records every action in ``calls``."""

    def apply_action(state: Any, action: Action) -> Any:
        calls.append(action)
        return OCEANS.apply_action(state, action)

    return replace(OCEANS, apply_action=apply_action)


def test_undo_and_narration_play_few_records_again() -> None:
    """However long the game is, undo and the last lines of the log apply fewer than 64 records each."""
    match = play_long_match(300)
    keep = max(i for i, record in enumerate(match.history) if record.chosen)
    calls: list[Action] = []
    watched = replace(match, game=make_counting_game(calls))

    undone = watched.undo(match.history[keep].actor, keep)
    assert len(calls) < CHECKPOINT_EVERY
    assert (
        undone.digest() == Match.replay(OCEANS, 4, match.options, match.seed, match.history[:keep]).digest()
    )
    calls.clear()
    assert watched.log_lines(None, tuple("ABCD"), len(match.history) - 1)
    assert len(calls) <= CHECKPOINT_EVERY


def test_every_earlier_position_is_found() -> None:
    """The match at any length is what replay gives, around each checkpoint and on a resumed match too."""
    match = play_long_match(200)
    resumed = Match.resume(OCEANS, 4, match.options, SEED, match.history, match.snapshot())
    for length in (0, 1, 63, 64, 65, 128, 150, 192, len(match.history)):
        replayed = Match.replay(OCEANS, 4, match.options, None, match.history[:length])
        for each in (match, resumed, resumed.with_checkpoints()):
            found = each.at(length)
            assert (found.digest(), found.history) == (replayed.digest(), replayed.history)
            assert (found.recent_events, found.chance_counts) == (
                replayed.recent_events,
                replayed.chance_counts,
            )


def test_a_resumed_match_gets_its_checkpoints_once() -> None:
    """After ``resume`` only the snapshot is a checkpoint; asked for, the others are played again once."""
    match = play_long_match(200)
    calls: list[Action] = []
    resumed = Match.resume(make_counting_game(calls), 4, match.options, SEED, match.history, match.snapshot())
    assert [checkpoint.length for checkpoint in resumed.checkpoints] == [len(match.history)]
    assert not calls

    complete = resumed.with_checkpoints()
    assert [checkpoint.length for checkpoint in complete.checkpoints] == [64, 128, 192]
    assert len(calls) == len(match.history)
    assert complete.with_checkpoints() is complete
    assert match.with_checkpoints() is match


def test_undo_forgets_the_checkpoints_of_what_is_undone() -> None:
    """Another game after an undo never finds a position of the one that was undone."""
    match = play_long_match(140)
    keep = next(i for i, record in enumerate(match.history) if record.chosen and i > 50)
    other = match.undo(MODERATOR, keep)
    assert all(checkpoint.length <= keep for checkpoint in other.checkpoints)
    rng = random.Random(7)
    while (seat := other.to_act) is not None and len(other.history) < 140:
        other = other.play(seat, rng.choice(other.legal_actions(seat)))
    last = len(other.history)
    assert other.at(last).digest() == other.digest() != match.at(last).digest()
