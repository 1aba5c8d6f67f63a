"""The key of the deals: cuts and reseals change it, undo does not bring it back."""

import hashlib
import random
from dataclasses import replace

import pytest

from rules.cut_words import CUT_WORDS
from rules.deal_key import (
    DealKey,
    check_reseals,
    deal_key_after,
    key_after_cut,
    key_after_reseal,
    make_reseal_after,
    replay_control_actions,
)
from rules.errors import BrokenMatch, IllegalAction, MalformedAction
from rules.match import Match
from rules.model import CHANCE, MODERATOR, Seat
from rules.notation import write_action
from rules.random_stream import make_fairness_code
from rules.record import Cut, PossibleUndo, Record, Reseal, Undo, parse_control_action
from tests.rules.control_action_matches import (
    APPLE_CUT,
    MATCH_ID,
    SILVER_CUT,
    begin_match_with_cuts,
    play_with_control_actions,
    replay,
)
from tests.rules.pearls import GAME, SEED, A, B, C, begin_match, parse_action, play_to_end

KNOWN_CUT_KEY = "72525f1cf9cea16d"
KNOWN_RESEAL_KEY = "75fa60db57e23420"
"""The first 16 hex digits of the key after a cut by C, and of the one after a reseal at record 57."""


def test_four_letters_tell_each_of_2048_words() -> None:
    """There are 2,048 words in order, short, in lower case, and four letters say which one it is."""
    assert len(CUT_WORDS) == 2048
    assert list(CUT_WORDS) == sorted(set(CUT_WORDS))
    assert all(word.isascii() and word.isalpha() and word.islower() for word in CUT_WORDS)
    assert {len(word) for word in CUT_WORDS} <= set(range(3, 9))
    assert len({word[:4] for word in CUT_WORDS}) == len(CUT_WORDS)
    assert all(parse_control_action(f"cut {word} {word}") == Cut(word, word) for word in CUT_WORDS)


def test_keys_are_fixed_for_ever() -> None:
    """The keys are fixed for ever, and are what the module says."""
    cut_key = hashlib.blake2b(b"\x02apple river", key=SEED, person=b"captains/cut", digest_size=32).digest()
    resealed_key = hashlib.blake2b(
        (57).to_bytes(8, "big"), key=SEED, person=b"captains/reseal", digest_size=32
    ).digest()
    assert key_after_cut(SEED, C, APPLE_CUT) == cut_key
    assert key_after_reseal(SEED, 57) == resealed_key
    assert (cut_key.hex()[:16], resealed_key.hex()[:16]) == (KNOWN_CUT_KEY, KNOWN_RESEAL_KEY)


def test_every_part_of_a_cut_matters() -> None:
    """Another seat, other words, their order, another key and a reseal all give other keys."""
    keys = {
        SEED,
        key_after_cut(SEED, A, APPLE_CUT),
        key_after_cut(SEED, B, APPLE_CUT),
        key_after_cut(SEED, A, SILVER_CUT),
        key_after_cut(SEED, A, Cut("river", "apple")),
        key_after_cut(bytes(32), A, APPLE_CUT),
        key_after_reseal(SEED, 1),
        key_after_reseal(SEED, 2),
        key_after_reseal(bytes(32), 1),
    }
    assert len(keys) == 9
    assert all(len(key) == 32 for key in keys)


def test_cuts_before_the_start_deal_other_cards() -> None:
    """The cuts come first, are no part of the history, and deal other cards."""
    plain_match, cut_match = begin_match(), begin_match_with_cuts()
    assert cut_match.new_records[:2] == (Record(A, APPLE_CUT), Record(C, SILVER_CUT))
    assert cut_match.ply == len(cut_match.new_records) == plain_match.ply + 2
    assert cut_match.history == cut_match.new_records[2:]
    assert cut_match.history != plain_match.history
    assert cut_match.deal_key.key == key_after_cut(key_after_cut(SEED, A, APPLE_CUT), C, SILVER_CUT)
    assert cut_match.deal_key.cuts == cut_match.new_records[:2]
    assert plain_match.deal_key.key == SEED
    assert not any(cut_match.may_cut(seat) for seat in (A, B, C))


@pytest.mark.parametrize(
    ("cuts", "reason"),
    [
        ([(C, APPLE_CUT), (A, SILVER_CUT)], "order of the seats"),
        ([(A, APPLE_CUT), (A, SILVER_CUT)], "cannot cut"),
        ([(Seat(3), APPLE_CUT)], "cannot cut"),
        ([(MODERATOR, APPLE_CUT)], "cannot cut"),
        ([(A, Cut("apple", "xyzzy"))], "not in the list"),
        ([(A, Cut("Apple", "river"))], "not in the list"),
    ],
)
def test_begin_refuses_cuts(cuts: list[tuple[Seat, Cut]], reason: str) -> None:
    """Cuts out of order, a second one, one by a stranger and unknown words are refused."""
    with pytest.raises(IllegalAction, match=reason):
        Match.begin(GAME, 3, GAME.options_type(), SEED, cuts)
    with pytest.raises(BrokenMatch, match=reason):
        replay([Record(seat, words) for seat, words in cuts])


def test_each_seat_may_cut_once_after_a_reseal() -> None:
    """After a reseal each seat may cut once, until anything else happens."""
    match = begin_match()
    resealed = match.reseal(MATCH_ID)
    key = key_after_reseal(SEED, match.ply)
    assert resealed.new_records == (Record(MODERATOR, Reseal(make_fairness_code(MATCH_ID, key))),)
    assert (resealed.ply, resealed.history, resealed.deal_key.key) == (match.ply + 1, match.history, key)
    assert resealed.deal_key.reseal_code == make_fairness_code(MATCH_ID, key)
    assert all(resealed.may_cut(seat) for seat in (A, B, C))
    assert not any(resealed.may_cut(seat) for seat in (CHANCE, MODERATOR, Seat(3)))

    after_first_cut = resealed.cut(B, "apple", "river")
    assert after_first_cut.new_records == (Record(B, APPLE_CUT),)
    assert after_first_cut.deal_key.key == key_after_cut(key, B, APPLE_CUT)
    assert [after_first_cut.may_cut(seat) for seat in (A, B, C)] == [True, False, True]
    assert after_first_cut.deal_key.reseal_code == resealed.deal_key.reseal_code
    with pytest.raises(IllegalAction, match="cannot cut"):
        after_first_cut.cut(B, "apple", "river")
    with pytest.raises(IllegalAction, match="not in the list"):
        after_first_cut.cut(A, "apple", "xyzzy")
    after_second_cut = after_first_cut.cut(A, "silver", "fox")
    assert [after_second_cut.may_cut(seat) for seat in (A, B, C)] == [False, False, True]
    played = after_second_cut.play(A, after_second_cut.legal_actions(A)[0])
    for later_match in (played, played.undo(A, len(after_second_cut.history))):
        assert not any(later_match.may_cut(seat) for seat in (A, B, C))
        assert later_match.deal_key.key == after_second_cut.deal_key.key
        assert later_match.deal_key.reseal_code == resealed.deal_key.reseal_code
    undone = match.play(A, match.legal_actions(A)[0]).reseal(MATCH_ID).undo(A, len(match.history))
    assert not any(undone.may_cut(seat) for seat in (A, B, C))


def test_no_cut_between_start_and_reseal() -> None:
    """In a running game nobody may cut, whatever was undone, and no stored cut stands there."""
    match = begin_match()
    played = match.play(A, match.legal_actions(A)[0])
    for each in (match, played, played.undo(MODERATOR, len(match.history))):
        with pytest.raises(IllegalAction, match="cannot cut"):
            each.cut(A, "apple", "river")
        with pytest.raises(BrokenMatch, match="cannot cut"):
            each.append(Record(A, APPLE_CUT))


def test_reseal_only_at_a_choice() -> None:
    """A game that is over is not resealed; a stored reseal stands where a choice is due, by the moderator."""
    ended_match, _ = play_to_end(begin_match(), random.Random(4))
    with pytest.raises(IllegalAction, match="waits for a choice"):
        ended_match.reseal(MATCH_ID)
    match = begin_match()
    reseal_record = match.reseal(MATCH_ID).new_records[0]
    for actor in (A, CHANCE):
        with pytest.raises(BrokenMatch):
            match.append(Record(actor, reseal_record.action))
    with pytest.raises(BrokenMatch):
        match.append(Record(MODERATOR, reseal_record.action, auto=True))
    with pytest.raises(BrokenMatch, match="Record 1"):
        replay([reseal_record])


def test_resealing_again_is_no_second_draw() -> None:
    """The same records lead to the same key, with another match id to another code; other plies to others."""
    match = begin_match()
    played = match.play(A, match.legal_actions(A)[0])
    resealed, resealed_again = match.reseal(MATCH_ID), match.reseal(MATCH_ID)
    resealed_as_other_match, resealed_twice = match.reseal("table-18"), resealed.reseal(MATCH_ID)
    assert resealed.deal_key.key == resealed_again.deal_key.key == resealed_as_other_match.deal_key.key
    assert resealed.deal_key.reseal_code != resealed_as_other_match.deal_key.reseal_code
    keys = {each.deal_key.key for each in (match, resealed, played.reseal(MATCH_ID), resealed_twice)}
    assert len(keys) == 4


def test_later_deals_follow_the_new_key() -> None:
    """What is drawn next varies with the reseal and with the words of a cut."""
    match = begin_match().play(A, begin_match().legal_actions(A)[0])
    resealed = match.reseal(MATCH_ID)
    waves = set()
    for other in (match, resealed, *(resealed.cut(A, word, "fox") for word in CUT_WORDS[:20])):
        ended_match, _ = play_to_end(other, random.Random(1))
        later_records = ended_match.history[len(match.history) :]
        waves.add(next(record.action for record in later_records if record.actor == CHANCE))
    assert len(waves) > 2


def test_stored_matches_keep_their_key() -> None:
    """Replay, resume and the functions on stored texts find the key, the code and the cuts again."""
    match, records = play_with_control_actions()
    replayed = replay(records)
    resumed = Match.from_snapshot(GAME, 3, GAME.options_type(), SEED, records, match.snapshot())
    history, deal_key = replay_control_actions(SEED, records)
    stored_records = [(record.actor, write_action(record.action)) for record in records]
    for each in (replayed, resumed):
        assert (each.deal_key, each.history, each.ply) == (match.deal_key, match.history, match.ply)
    assert (history, deal_key) == (match.history, match.deal_key)
    stored_key = deal_key_after(SEED, stored_records)
    assert (stored_key.key, stored_key.reseal_code, stored_key.cuts) == (
        deal_key.key,
        deal_key.reseal_code,
        deal_key.cuts,
    )
    assert replay(records, None).history == match.history
    with pytest.raises(BrokenMatch, match="seed gives another"):
        replay(records, bytes(32))


def test_resealing_stored_records() -> None:
    """What reseals stored texts is what reseals the match; a text that is damaged is refused."""
    match = begin_match_with_cuts()
    stored_records = [(record.actor, write_action(record.action)) for record in match.new_records]
    assert make_reseal_after(MATCH_ID, SEED, stored_records) == match.reseal(MATCH_ID).new_records[0]
    after_cut = match.reseal(MATCH_ID).cut(A, "silver", "fox")
    stored_records += [
        (MODERATOR, write_action(match.reseal(MATCH_ID).new_records[0].action)),
        (A, "cut silver fox"),
    ]
    assert make_reseal_after(MATCH_ID, SEED, stored_records) == after_cut.reseal(MATCH_ID).new_records[0]
    with pytest.raises(MalformedAction, match="two words"):
        make_reseal_after(MATCH_ID, SEED, [*stored_records, (A, "cut one")])


def test_the_code_of_a_reseal_is_checked() -> None:
    """Another code, another match or another seed is found at the record of the reseal."""
    match = begin_match_with_cuts().reseal(MATCH_ID)
    records = [*begin_match_with_cuts().new_records, *match.new_records]
    check_reseals(MATCH_ID, SEED, records)
    forged_records = [*records[:-1], Record(MODERATOR, Reseal("0" * 64))]
    for arguments in (
        (MATCH_ID, SEED, forged_records),
        ("table-18", SEED, records),
        (MATCH_ID, bytes(32), records),
    ):
        with pytest.raises(BrokenMatch, match="new fairness code") as caught:
            check_reseals(*arguments)
        assert caught.value.ply == len(records)


def test_undo_across_a_reseal_is_not_free() -> None:
    """What was dealt under an earlier key would be dealt otherwise, so undoing it needs consent."""
    wave = parse_action("wave 3")

    class Veiled(type(wave)):  # type: ignore[misc]
        def reveals(self, viewer: Seat | None) -> bool:
            return False

    match = begin_match()
    for seat in (A, B, C):
        match = match.play(seat, match.legal_actions(seat)[0])
    match = replace(match, history=(*match.history[:-1], Record(CHANCE, Veiled(3))))
    kept_length = len(match.history) - 2
    assert match.possible_undo(C) == match.possible_turn_undo(C) == PossibleUndo(kept_length, is_free=True)
    resealed = match.reseal(MATCH_ID)
    assert resealed.possible_undo(C) == PossibleUndo(kept_length, is_free=False)
    assert resealed.possible_turn_undo(C) == PossibleUndo(kept_length, is_free=False)
    undone = resealed.undo(C, kept_length)
    assert undone.deal_key.earlier_key_record_count == kept_length
    replayed = undone.play(C, undone.legal_actions(C)[0])
    assert replace(replayed, history=(*replayed.history[:-1], match.history[-1])).possible_undo(
        C
    ) == PossibleUndo(kept_length, is_free=True)


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("undo 12", Undo(12)),
        ("cut apple river", APPLE_CUT),
        ("reseal " + "0f" * 32, Reseal("0f" * 32)),
        ("lay 3", None),
        ("undone 3", None),
    ],
)
def test_control_texts(text: str, action: Undo | Cut | Reseal | None) -> None:
    """A control action reads back as written; every other text is left to the game."""
    assert parse_control_action(text) == action
    assert action is None or write_action(action) == text


@pytest.mark.parametrize(
    "text",
    [
        "undo",
        "undo -1",
        "undo 1 2",
        "undo 1234567",
        "cut",
        "cut apple",
        "cut apple river fox",
        "cut Apple river",
        "cut ap river",
        "reseal",
        "reseal 0f",
        "reseal " + "0F" * 32,
        "reseal " + "0f" * 33,
    ],
)
def test_malformed_control_texts(text: str) -> None:
    """A control action that is written otherwise is refused, with what belongs there."""
    with pytest.raises(MalformedAction, match="comes: "):
        parse_control_action(text)


def test_repr_shows_no_key() -> None:
    """A key's ``repr`` can be logged."""
    deal_key = DealKey(key=SEED)
    assert repr(deal_key) == "DealKey(cuts=0, reseal_code=None)"
