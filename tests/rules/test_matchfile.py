"""The match file: it reads back as written, a broken one says where, and proofs are sound."""

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docs.check_deals import Checker
from rules.errors import BrokenMatch, MalformedAction, RulesError, WrongCode
from rules.game import CHANCE, MODERATOR, Resign, Standing
from rules.match import Match
from rules.matchfile import MatchFile, make_match_file, read_match, replay_match, write_match
from rules.options import parse_options
from rules.proof import prove
from rules.record import Cut, Record
from rules.stream import fairness_code
from tests.rules.pearls import GAME, SEED, A, B, C, all_records, begin_match
from tests.trials import trial_count

GAMES = {GAME.key: GAME}
ID = "table-17"


def sample_match_file(*, with_seed: bool = True, resigned: bool = False) -> MatchFile:
    """Return the file of a whole game: an undo by a seat, one by a moderator, perhaps a resignation."""
    match = begin_match()
    kept = list(match.new_records)

    def keep(after: Match) -> Match:
        kept.extend(after.new_records)
        return after

    for seat in (A, B):
        match = keep(match.play(seat, match.legal_actions(seat)[0]))
    match = keep(match.undo(B, 4))
    match = keep(match.undo(MODERATOR, 3))
    if resigned:
        match = keep(match.play(C, Resign()))
    else:
        match = keep(match.play(A, match.legal_actions(A)[-1]))
        before = len(match.history)
        match, line = all_records(match, random.Random(4))
        kept.extend(line[before:])
    return make_match_file(
        match, kept, ID, fairness_code=fairness_code(ID, SEED), seed=SEED if with_seed else None
    )


@pytest.mark.parametrize("resigned", [False, True])
def test_round_trip(*, resigned: bool) -> None:
    """Undos, resignations, automatic records, options and the result come back as they were."""
    file = sample_match_file(resigned=resigned)
    text = write_match(file)

    assert read_match(text, GAMES) == file
    assert replay_match(file).is_over
    for mark in ("B undo 4", "~ undo 3", "* deal A ", "Result: "):
        assert mark in text
    assert ("C resign" in text) == resigned


def test_windows_line_ends_and_comments() -> None:
    """A file that went through other programs reads as well."""
    file = sample_match_file()
    text = write_match(file)

    assert read_match(text.replace("\n", "\r\n"), GAMES) == file
    assert read_match("# by Ava\n\n" + text.replace("\n", "\n# hm\n"), GAMES) == file


def test_viewers_see_their_own() -> None:
    """A viewer's file hides what was hidden from them, in undone records too, and never has the seed."""
    file = sample_match_file()
    texts = [write_match(file.seen_by(viewer)) for viewer in (None, A, B, C)]

    for text in texts:
        assert "Seed:" not in text
        assert SEED.hex() not in text
    assert "View: bystander" in texts[0]
    assert texts[0].count("?,?,?") == 3
    assert [text.count("?,?,?") for text in texts[1:]] == [2, 2, 2]
    with pytest.raises(ValueError, match="one viewer"):
        file.seen_by(A).seen_by(None)


def test_seed_only_after_the_end() -> None:
    """While the game goes on nobody gets the seed, and a file of one viewer never holds it."""
    match = begin_match()
    with pytest.raises(ValueError, match="secret"):
        make_match_file(match, match.history, ID, seed=SEED)
    hidden = replace(make_match_file(match, match.history, ID).seen_by(A), seed=SEED)
    with pytest.raises(BrokenMatch, match="only a full file"):
        read_match(write_match(hidden), GAMES)


def test_records_must_be_all() -> None:
    """A file is made of all records, undone ones included."""
    match = begin_match()
    with pytest.raises(ValueError, match="2 records are not the 3"):
        make_match_file(match, match.history[:2], ID)


def test_running_game() -> None:
    """A game that goes on has no result; its file replays to the same position."""
    match = begin_match()
    file = make_match_file(match, match.history, ID)

    assert "Result" not in write_match(file)
    assert replay_match(read_match(write_match(file), GAMES)).digest() == match.digest()


def test_options_are_written() -> None:
    """Options that differ from the defaults stand in the header."""
    options = parse_options(GAME.options, "weather=stormy twins=off")
    match = Match.begin(GAME, 2, options, SEED)
    text = write_match(make_match_file(match, match.history, ID))

    assert "Options: weather=stormy twins=off\n" in text
    assert read_match(text, GAMES).options == options


@pytest.mark.parametrize(
    ("old", "new", "ply", "reason"),
    [
        ("Format: captains-table 2", "Format: chess", 0, "line 1"),
        ("Game: pearls", "Game: whist", 0, r"line 2 \(Game\): “whist” is none of: pearls"),
        ("Rules: 1", "Rules: 2", 0, "Rules"),
        ("Seats: 3", "Seats: 5", 0, "Seats"),
        ("Seats: 3", "Seats: three", 0, "Seats"),
        ("Seats: 3\n", "", 0, "“Seats:” is missing"),
        ("Seats: 3\n", "Seats: 3\nSeats: 3\n", 0, "there before"),
        ("Seats: 3\n", "Seats: 3\nOptions: fog=on\n", 0, "no option “fog”"),
        ("Seats: 3\n", "Seats: 3\nWeather: fine\n", 0, "no header line"),
        ("Seats: 3\n", "Seats: 3\nhello\n", 0, "no header line"),
        ("View: full", "View: D", 0, "View"),
        ("Seed: 00", "Seed: 0", 0, "64 hex digits"),
        ("Seed: 00", "Seed: zz", 0, "64 hex digits"),
        ("Result: ", "Result: A 1, ", 0, "Result"),
        ("2. *", "3. *", 2, "should begin with “2.”"),
    ],
)
def test_broken_header(old: str, new: str, ply: int, reason: str) -> None:
    """Each broken header line, and a wrong number, is named."""
    text = write_match(sample_match_file())
    assert old in text
    with pytest.raises(BrokenMatch, match=reason) as caught:
        read_match(text.replace(old, new, 1), GAMES)
    assert caught.value.ply == ply


@pytest.mark.parametrize(
    ("record", "reason"),
    [
        ("1. * fly A", "understand “fly”"),
        ("1. D rest", "no seat at this table"),
        ("1. X rest", "“X” is not a seat"),
        ("1. A", "don't understand"),
        ("1.", "is not a seat"),
        ("1. A undo", "how many records"),
        ("1. A undo -1", "how many records"),
        ("1. A undo 12345678", "how many records"),
        ("1. A undo 1 2", "how many records"),
        ("1. A lay", "After “lay”, write: pearls"),
    ],
)
def test_malformed_record(record: str, reason: str) -> None:
    """A record that is no action is named by its line."""
    header = write_match(sample_match_file()).split("\n\n", maxsplit=1)[0]
    line = header.count("\n") + 3
    with pytest.raises(MalformedAction, match=f"^Line {line}: .*{reason}"):
        read_match(f"{header}\n\n{record}\n", GAMES)


def test_too_long() -> None:
    """A file that is too long is refused before it is read."""
    with pytest.raises(BrokenMatch, match="more than"):
        read_match("x" * 2_000_000, GAMES)


@settings(max_examples=trial_count(300), deadline=None)
@given(st.data())
def test_damaged_files(data: st.DataObject) -> None:
    """Any damage gives an error of the rules or another readable file, never another exception."""
    lines = TEXT.split("\n")
    at = data.draw(st.integers(0, len(lines) - 1))
    other = data.draw(st.sampled_from(lines) | st.text(max_size=40))
    try:
        file = read_match("\n".join([*lines[:at], other, *lines[at + 1 :]]), GAMES)
        replay_match(file)
        assert read_match(write_match(file), GAMES) == file
    except RulesError:
        pass
    except ValueError as error:
        assert "hidden" in str(error)  # noqa: PT017 - the only other refusal: a viewer's file


TEXT = write_match(sample_match_file())


# Proof ------------------------------------------------------------------------------------------------


def test_proof() -> None:
    """A proof derives every outcome of chance from the seed, undone ones too, and says so."""
    file = sample_match_file()
    proof = prove(read_match(write_match(file), GAMES))

    drawn = [
        ply for ply, record in enumerate(file.records, 1) if record.actor < 0 and record.actor != MODERATOR
    ]
    assert [outcome.ply for outcome in proof.outcomes] == drawn
    assert proof.outcomes[0].text == TEXT.split("1. * ")[1].split("\n")[0]
    assert Checker(TEXT).outcomes == len(drawn)
    assert f"All {len(drawn)} outcomes" in proof.text
    last = proof.text.splitlines()[len(drawn) :]
    assert last[0].startswith("Proved: ")
    assert "Nobody cut the deck" in last[1]
    assert "vouches only for itself" in last[2]
    assert len(last) == 3


def test_proof_fails_for_another_deal() -> None:
    """One pearl dealt otherwise, another seed, another match's name: no proof."""
    file = sample_match_file()
    first = file.records[0].action
    other = replace(
        file, records=(Record(file.records[0].actor, type(first)(A, ("1", "2", "3"))), *file.records[1:])
    )

    with pytest.raises(BrokenMatch, match="Record 1: it does not hold what was drawn"):
        prove(other)
    for wrong in (replace(file, seed=bytes(32)), replace(file, match_id="table-18")):
        with pytest.raises(BrokenMatch, match="not the one that was committed to"):
            prove(wrong)
    with pytest.raises(BrokenMatch, match="needs the seed"):
        prove(sample_match_file(with_seed=False))
    with pytest.raises(BrokenMatch, match="needs the draws"):
        prove(replace(file, outcomes=()))


ALL = ",".join(map(str, range(1, 16)))
FORGERIES = {
    "another card": ("take 3,13,14 of", "take 3,13,15 of", "the seed gives another outcome"),
    "another stream": ("< deal A 0", "< deal A 1", "drawn from another stream"),
    "another seat": ("< deal A 0", "< deal B 0", "the seed gives another outcome"),
    "another kind": ("< deal A 0", "< wave A 0", "drawn from another stream"),
    "fewer items": (f"of {ALL}\n", "of 3,13,14\n", "something else"),
    "no draw": (f"< deal A 0: take 3,13,14 of {ALL}\n", "< deal A 0\n", "something else"),
}
"""Defect -> what stands in the file, what is written for it, and why there is no proof."""


@pytest.mark.parametrize("defect", FORGERIES)
def test_forged_draws(defect: str) -> None:
    """A line with another draw than the seed and the rules give is found."""
    old, new, reason = FORGERIES[defect]
    assert old in TEXT
    forged = TEXT.replace(old, new, 1)
    if "from 1/1" in forged and defect in {"fewer items", "no draw"}:
        items = ",".join(str(number) for number in range(1, 16) if number not in {3, 13, 14})
        forged = forged.replace("from 1/1", f"of {items}", 1)
    with pytest.raises(BrokenMatch, match=f"Record 1: .*{reason}"):
        prove(read_match(forged, GAMES))


def test_a_stranger_finds_forged_draws() -> None:
    """A checker that knows no rules finds another card, stream, seed and a draw that is not in the record."""
    for old, new in (
        ("take 3,13,14 of", "take 3,13,15 of"),
        ("* deal A 3,13,14", "* deal A 3,13,15"),
        ("< deal A 0", "< deal A 1"),
        ("< deal A 0", "< deal B 0"),
        (f"Seed: {SEED.hex()}", f"Seed: {bytes(32).hex()}"),
    ):
        assert old in TEXT
        with pytest.raises(ValueError, match=r"record|code"):
            Checker(TEXT.replace(old, new, 1))


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("< deal A 0: take", "< deal A 0: steal", "is no draw"),
        ("< deal A 0: take", "< deal A zero: take", "A draw is written"),
        ("< deal A 0: take", "< deal ~ 0: take", "is no seat"),
        ("from 1/1", "from 9/1", "is no draw"),
        ("\n< deal A 0", "\n# \n< deal B 7\n< deal A 0", "does not follow"),
        ("View: full\n", "View: full\n\n< deal A 0\n", "does not follow"),
    ],
)
def test_malformed_draws(old: str, new: str, reason: str) -> None:
    """A line of a draw that makes no sense, or stands below nothing that was drawn, is refused."""
    assert old in TEXT
    with pytest.raises(RulesError, match=reason):
        read_match(TEXT.replace(old, new, 1), GAMES)


def test_draws_only_with_the_seed() -> None:
    """The pool of a draw is secret while the game goes on, so a file shows it only with the seed."""
    with pytest.raises(BrokenMatch, match="with the seed"):
        read_match(TEXT.replace(f"Seed: {SEED.hex()}\n", "", 1), GAMES)
    assert "<" not in write_match(sample_match_file(with_seed=False))
    assert all("<" not in write_match(sample_match_file().seen_by(viewer)) for viewer in (None, A, B, C))


def test_false_result() -> None:
    """A result that the records do not give is refused, and so is a game cut short."""
    file = sample_match_file()
    assert file.result is not None
    standings = file.result.standings
    crowned = type(file.result)((raise_score(standings[0]), *standings[1:]))
    with pytest.raises(BrokenMatch, match="the result is"):
        prove(replace(file, result=crowned))
    shorter = file.records[:-1]
    drawn = sum(record.actor == CHANCE for record in shorter)
    with pytest.raises(BrokenMatch, match="none yet"):
        prove(replace(file, records=shorter, outcomes=file.outcomes[:drawn]))


def raise_score(standing: Standing) -> Standing:
    """Return the standing with a better score."""
    return Standing(standing.seat, standing.rank, standing.score + 1)


def test_repr_tells_no_secret() -> None:
    """The ``repr`` of a file, which may be logged, shows no secret."""
    assert repr(sample_match_file()).startswith("MatchFile(pearls, table-17, records=")


# Cuts, reseals and an early end -----------------------------------------------------------------------


def cut_match_file() -> MatchFile:
    """Return the file of a game that ended early: two seats cut, then one more after a reseal."""
    match = Match.begin(
        GAME, 3, GAME.options(), SEED, [(A, Cut("apple", "river")), (C, Cut("silver", "fox"))]
    )
    records = list(match.new_records)

    def keep(after: Match) -> Match:
        records.extend(after.new_records)
        return after

    match = keep(match.play(A, match.legal_actions(A)[0]))
    match = keep(match.reseal(ID))
    match = keep(match.cut(B, "bamboo", "zebra"))
    for seat in (B, C):
        match = keep(match.play(seat, match.legal_actions(seat)[0]))
    return make_match_file(
        match, records, ID, fairness_code=fairness_code(ID, SEED), seed=SEED, ended_early=True
    )


def test_cuts_and_reseals_round_trip() -> None:
    """Cuts and reseals stand in the file of everybody; the file of a game that ended early has its seed."""
    file = cut_match_file()
    text = write_match(file)
    assert read_match(text, GAMES) == file
    assert not replay_match(file).is_over
    assert "\n1. A cut apple river\n2. C cut silver fox\n3. * deal A " in text
    assert "\n8. B cut bamboo zebra\n" in text
    assert f"\nSeed: {SEED.hex()}\n" in text
    assert "Result" not in text
    for viewer in (None, A, B, C):
        assert all(f"{verb} " in write_match(file.seen_by(viewer)) for verb in ("A cut", "B cut", "~ reseal"))


def test_proof_names_seed_and_words() -> None:
    """A proof says of each code from what the deals were drawn, and which code the player saw."""
    file = cut_match_file()
    proof = prove(file)
    assert [each.ply for each in proof.codes] == [0, 7]
    assert proof.ended_early
    assert "the words of A (apple river) and C (silver fox)" in proof.text
    assert "Record 7: a backup was restored" in proof.text
    assert "key, the number of records and the words of B (bamboo zebra)." in proof.text
    assert "ended early, after record" in proof.text
    assert "vouches only for itself" in proof.text
    first, second = proof.codes
    assert "the first one of this match" in prove(file, f" {first.code.upper()}\n").text
    assert "the one of the reseal, record 7" in prove(file, second.code).text
    for code, reason in (("0" * 64, "not have the fairness code"), (first.code[:8], "64 hex digits")):
        with pytest.raises(WrongCode, match=reason):
            prove(file, code)


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("A cut apple river", "A cut apple fox", "seed gives another"),
        ("A cut apple river", "A cut apple xyzzy", "seed gives another|not in the list"),
        ("1. A cut apple river\n2. C cut silver fox", "1. C cut silver fox\n2. A cut apple river", "."),
        ("8. B cut bamboo zebra", "8. A cut bamboo zebra", "seed gives another"),
        ("~ reseal ", "A reseal ", "waits for a choice"),
        ("7. ~ reseal ", "7. ~ reseal " + 64 * "0" + "\n# ", "new fairness code"),
    ],
)
def test_forged_cuts(old: str, new: str, reason: str) -> None:
    """Other words, another seat or order, and another code of a reseal are refused."""
    text = write_match(cut_match_file())
    assert old in text
    forged = read_match(text.replace(old, new, 1), GAMES)
    with pytest.raises(BrokenMatch, match=reason):
        prove(forged)
    with pytest.raises(BrokenMatch):
        replay_match(forged)
