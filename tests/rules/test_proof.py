"""The proof of a match file: sound files are proved, and forged ones are found."""

from dataclasses import replace

import pytest

from docs.check_deals import Checker
from rules.errors import BrokenMatch, RulesError, WrongFairnessCode
from rules.matchfile import parse_match_file, replay_match, write_match_file
from rules.model import CHANCE, Standing
from rules.proof import prove
from rules.random_stream import SHORT_CODE_LENGTH
from rules.record import Record
from tests.rules.pearls import SEED, A, B, C
from tests.rules.sample_match_files import GAMES, match_file_with_cuts, sample_match_file

SAMPLE_TEXT = write_match_file(sample_match_file())


def test_a_proof_derives_every_outcome_from_the_seed() -> None:
    """A proof derives every outcome of chance from the seed, undone ones too, and says so."""
    file = sample_match_file()
    proof = prove(parse_match_file(write_match_file(file), GAMES))

    outcome_plies = [ply for ply, record in enumerate(file.records, 1) if record.actor == CHANCE]
    assert [outcome.ply for outcome in proof.outcomes] == outcome_plies
    assert proof.outcomes[0].text == SAMPLE_TEXT.split("1. * ")[1].split("\n")[0]
    assert Checker(SAMPLE_TEXT).outcome_count == len(outcome_plies)
    assert f"All {len(outcome_plies)} outcomes" in proof.text
    last_lines = proof.text.splitlines()[len(outcome_plies) :]
    assert last_lines[0].startswith("Proved: ")
    assert "Nobody cut the deck" in last_lines[1]
    assert "vouches only for itself" in last_lines[2]
    assert len(last_lines) == 3


def test_proof_fails_for_another_deal() -> None:
    """One pearl dealt otherwise, another seed, another match's name: no proof."""
    file = sample_match_file()
    first = file.records[0].action
    forged_file = replace(
        file, records=(Record(file.records[0].actor, type(first)(A, ("1", "2", "3"))), *file.records[1:])
    )

    with pytest.raises(BrokenMatch, match="Record 1: it does not hold what was drawn"):
        prove(forged_file)
    for wrong_file in (replace(file, seed=bytes(32)), replace(file, match_id="table-18")):
        with pytest.raises(BrokenMatch, match="not the one that was committed to"):
            prove(wrong_file)
    with pytest.raises(BrokenMatch, match=r"^The file: it holds what one viewer may know"):
        prove(file.seen_by(A))
    with pytest.raises(BrokenMatch, match="needs the seed"):
        prove(sample_match_file(with_seed=False))
    with pytest.raises(BrokenMatch, match="needs the draws"):
        prove(replace(file, outcomes=()))


ALL_PEARLS = ",".join(map(str, range(1, 16)))
FORGERIES = {
    "another card": ("take 3,13,14 of", "take 3,13,15 of", "the seed gives another outcome"),
    "another stream": ("< deal A 0", "< deal A 1", "drawn from another stream"),
    "another seat": ("< deal A 0", "< deal B 0", "the seed gives another outcome"),
    "another kind": ("< deal A 0", "< wave A 0", "drawn from another stream"),
    "fewer items": (f"of {ALL_PEARLS}\n", "of 3,13,14\n", "something else"),
    "no draw": (f"< deal A 0: take 3,13,14 of {ALL_PEARLS}\n", "< deal A 0\n", "something else"),
}
"""Defect -> what stands in the file, what is written for it, and why there is no proof."""


@pytest.mark.parametrize("defect", FORGERIES)
def test_a_forged_draw_is_found(defect: str) -> None:
    """A line with another draw than the seed and the rules give is found."""
    old, new, reason = FORGERIES[defect]
    assert old in SAMPLE_TEXT
    forged_text = SAMPLE_TEXT.replace(old, new, 1)
    if "from 1/1" in forged_text and defect in {"fewer items", "no draw"}:
        items = ",".join(str(number) for number in range(1, 16) if number not in {3, 13, 14})
        forged_text = forged_text.replace("from 1/1", f"of {items}", 1)
    with pytest.raises(BrokenMatch, match=f"Record 1: .*{reason}"):
        prove(parse_match_file(forged_text, GAMES))


def test_a_checker_without_rules_finds_forged_draws() -> None:
    """A checker that knows no rules finds another card, stream, seed and a draw that is not in the record."""
    for old, new in (
        ("take 3,13,14 of", "take 3,13,15 of"),
        ("* deal A 3,13,14", "* deal A 3,13,15"),
        ("< deal A 0", "< deal A 1"),
        ("< deal A 0", "< deal B 0"),
        (f"Seed: {SEED.hex()}", f"Seed: {bytes(32).hex()}"),
    ):
        assert old in SAMPLE_TEXT
        with pytest.raises(ValueError, match=r"record|code"):
            Checker(SAMPLE_TEXT.replace(old, new, 1))


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
    assert old in SAMPLE_TEXT
    with pytest.raises(RulesError, match=reason):
        parse_match_file(SAMPLE_TEXT.replace(old, new, 1), GAMES)


def test_draws_only_with_the_seed() -> None:
    """The pool of a draw is secret while the game goes on, so a file shows it only with the seed."""
    with pytest.raises(BrokenMatch, match="with the seed"):
        parse_match_file(SAMPLE_TEXT.replace(f"Seed: {SEED.hex()}\n", "", 1), GAMES)
    assert "<" not in write_match_file(sample_match_file(with_seed=False))
    assert all("<" not in write_match_file(sample_match_file().seen_by(viewer)) for viewer in (None, A, B, C))


def test_a_false_result_is_refused() -> None:
    """A result that the records do not give is refused, and so is a game cut short."""
    file = sample_match_file()
    assert file.result is not None
    standings = file.result.standings
    better_result = type(file.result)((raise_score(standings[0]), *standings[1:]))
    with pytest.raises(BrokenMatch, match="the result is"):
        prove(replace(file, result=better_result))
    shorter_records = file.records[:-1]
    outcome_count = sum(record.actor == CHANCE for record in shorter_records)
    with pytest.raises(BrokenMatch, match="none yet"):
        prove(replace(file, records=shorter_records, outcomes=file.outcomes[:outcome_count]))


def raise_score(standing: Standing) -> Standing:
    """Return the standing with a better score."""
    return Standing(standing.seat, standing.rank, standing.score + 1)


def test_repr_shows_no_secret() -> None:
    """The ``repr`` of a file, which may be logged, shows no secret."""
    assert repr(sample_match_file()).startswith("MatchFile(pearls, table-17, records=")


# Cuts, reseals and an early end -----------------------------------------------------------------------


def test_proof_names_seed_and_words() -> None:
    """A proof says of each code from what the deals were drawn, and which code the player saw."""
    file = match_file_with_cuts()
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
    assert "the first one of this match" in prove(file, f"{first.code[:SHORT_CODE_LENGTH]}…").text
    for code, reason in (
        ("0" * 64, "not have the fairness code"),
        (first.code[: SHORT_CODE_LENGTH - 1], "first 32"),
    ):
        with pytest.raises(WrongFairnessCode, match=reason):
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
    text = write_match_file(match_file_with_cuts())
    assert old in text
    forged_file = parse_match_file(text.replace(old, new, 1), GAMES)
    with pytest.raises(BrokenMatch, match=reason):
        prove(forged_file)
    with pytest.raises(BrokenMatch):
        replay_match(forged_file)
