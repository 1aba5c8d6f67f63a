"""docs/deals.md: its vectors and decks are true, and the checker that was written from it works (T20)."""

import enum
import hashlib
import random
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterable
from functools import lru_cache
from itertools import islice
from pathlib import Path

import pytest

from docs.check_deals import OUTCOMES, Checker, draw, expand, pools_of, stream_words
from rules.australis.components import DIE_FACES, NUMBER_DIE_VALUES
from rules.australis.components import deck as australis_deck
from rules.catalogue import GAMES
from rules.current_affairs.components import TRASH_TOKEN_COUNTS
from rules.deal_key import key_after_cut, key_after_reseal, replay_control_actions
from rules.errors import RulesError
from rules.matchfile import MatchFile, parse_match_file, write_match_file
from rules.model import Seat
from rules.notation import verb_of
from rules.oceans.cards.decks import SURFACE_DECK
from rules.oceans.model import all_deep_cards, all_scenario_codes
from rules.options import parse_options
from rules.proof import prove
from rules.random_stream import SHORT_CODE_LENGTH, RandomStream, make_fairness_code
from rules.record import Cut
from tests.docs.forgeries import FORGERIES, drop_a_line
from tests.docs.random_match_files import make_random_match_file
from tests.trials import trial_count

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "deals.md").read_text(encoding="utf-8")
SEED = bytes(range(32))
MATCH_ID = "currents/12/1700000000"
FILE_COUNT = trial_count(short=3, soak=1000)
"""Files of each game."""
_CACHE_SIZE = 20 * len(GAMES)
MAX_FORGED_COUNT = trial_count(short=8, soak=20)
"""Files of each game that are forged in each way, at most."""
ENOUGH_REFUSED_COUNT = trial_count(short=3, soak=MAX_FORGED_COUNT)
"""Forged files after which no further one is tried."""
PROOF_INTERVAL = 4
"""The rules prove one file of so many as well, which takes much longer."""


@lru_cache(maxsize=_CACHE_SIZE)
def cached_match_file(game_key: str, number: int) -> MatchFile:
    """Return the file of one of a game's games."""
    return make_random_match_file(GAMES[game_key], number)


# The page ---------------------------------------------------------------------------------------------


def read_page_block(name: str) -> dict[str, str]:
    """Return the lines of a block of the page by what stands before the colon."""
    block_match = re.search(rf"```{name}\n(.*?)```", PAGE, re.DOTALL)
    assert block_match is not None
    return dict(line.split(": ") for line in block_match[1].replace("\n  ", " ").splitlines())


def test_bot_and_checker_compute_each_vector() -> None:
    """Each vector is what the bot computes, and what the checker computes."""
    key = key_after_cut(SEED, Seat(0), Cut("apple", "river"))
    second_key = key_after_cut(key, Seat(2), Cut("silver", "fox"))
    resealed_key = key_after_reseal(second_key, 57)
    messages = [
        b"\x04deal\x02" + (3).to_bytes(8, "big") + (0).to_bytes(8, "big"),
        b"\x07shuffle\xff" + (0).to_bytes(8, "big") + (1).to_bytes(8, "big"),
    ]
    blocks = [hashlib.blake2b(each, key=SEED, person=b"captains-table/2").hexdigest() for each in messages]
    number_stream = RandomStream(SEED, 3, kind="deal", seat=2)

    def deal_stream() -> RandomStream:
        return RandomStream(SEED, 3, kind="deal", seat=2)

    items = "ABCDEFGHIJ"
    listed = ",".join(items)
    first_words = list(islice(stream_words(SEED, "deal", "C", 3), 3))
    assert read_page_block("vectors") == {
        "code": make_fairness_code(MATCH_ID, SEED),
        "message of block 0, deal C 3": messages[0].hex(),
        "block 0, deal C 3": blocks[0],
        "message of block 1, shuffle - 0": messages[1].hex(),
        "block 1, shuffle - 0": blocks[1],
        "first words, deal C 3": " ".join(map(str, first_words)),
        "ten numbers below 6, deal C 3": " ".join(str(number_stream.randbelow(6)) for _ in range(10)),
        f"order 4 of {listed}, deal C 3": ",".join(deal_stream().sample_ordered(items, 4)),
        f"take 4 of {listed}, deal C 3": ",".join(deal_stream().sample_unordered(items, 4)),
        f"order 10 of {listed}, shuffle - 0": ",".join(RandomStream(SEED, 0, kind="shuffle").shuffle(items)),
        "key after A cuts apple river": key.hex(),
        "key after C then cuts silver fox": second_key.hex(),
        "key after a reseal of 57 records": resealed_key.hex(),
        "code of that key": make_fairness_code(MATCH_ID, resealed_key),
    }
    assert blocks[0].startswith("".join(f"{word:016x}" for word in first_words))
    assert first_words[0] == deal_stream().randbelow(1 << 64)
    assert list(islice(stream_words(SEED, "shuffle", "-", 0), 8, 16)) == [
        int(blocks[1][at : at + 16], 16) for at in range(0, 128, 16)
    ]
    assert draw(stream_words(SEED, "deal", "C", 3), items, 4, "take") == list(
        deal_stream().sample_unordered(items, 4)
    )


def pools(seat_count: int = 2, **options: str) -> dict[str, list[list[str]]]:
    """Return the pools of the checker."""
    return pools_of(seat_count, options)


def texts(items: Iterable[object]) -> list[str]:
    """Return items as they are written."""
    return [str(item.value if isinstance(item, enum.Enum) else item) for item in items]


def test_page_checker_and_rules_have_the_same_piles() -> None:
    """The page, the checker and the rules have the same piles and dice, with every option."""
    piles = read_page_block("piles")
    unmarked_piles = {name: expand(text, marked=False) for name, text in piles.items()}
    whole_piles = {name: expand(text) for name, text in piles.items()}
    oceans = {
        "": (whole_piles["oceans deep"], unmarked_piles["oceans scenarios"]),
        "deep=easy": (unmarked_piles["oceans deep"], unmarked_piles["oceans scenarios"]),
        "scenarios=promo": (whole_piles["oceans deep"], whole_piles["oceans scenarios"]),
        "scenarios=gentle": (whole_piles["oceans deep"], ["ABU", "FER"]),
    }
    for text, (deep, scenarios) in oceans.items():
        options = parse_options(GAMES["oceans"].options_type, text)
        found = pools_of(2, dict(each.split("=") for each in text.split()))
        assert texts(all_deep_cards(options)) == deep == found["deep"][0]
        assert texts(all_scenario_codes(options)) == scenarios == found["scenarios"][0]
    assert list(SURFACE_DECK) == whole_piles["oceans surface"] == pools()["surface"][0]
    assert pools(reef="on")["scenarios"] == [["ABU", "FER"]]
    for jokers, pile in (("off", unmarked_piles["currents pile"]), ("on", whole_piles["currents pile"])):
        currents = GAMES["currents"].initial_state(
            2, parse_options(GAMES["currents"].options_type, f"jokers={jokers}")
        )
        assert texts(currents.draw_pile) == pile == pools(jokers=jokers)["pile"][0]
    for seat_count in (2, 3, 4):
        cards = expand(piles["australis cards"], large=seat_count == 4)
        assert texts(australis_deck(seat_count)) == cards == pools(seat_count)["cards"][0]
        bag = GAMES["arctic_cleanup"].initial_state(seat_count, GAMES["arctic_cleanup"].options_type()).bag
        assert texts(bag) == whole_piles["arctic_cleanup bag"] == pools(seat_count)["bag"][0]
    affairs = GAMES["current_affairs"].initial_state(3, GAMES["current_affairs"].options_type())
    assert texts(affairs.deck) == whole_piles["current_affairs contracts"] == pools()["contracts"][0]
    trash = {kind.value: count for kind, count in TRASH_TOKEN_COUNTS.items()}
    assert Counter(whole_piles["current_affairs trash"]) == Counter(pools()["trash"][0]) == trash
    dice = {name.removeprefix("australis "): expand(text) for name, text in read_page_block("dice").items()}
    sides = {colour.value: texts(faces) for colour, faces in DIE_FACES.items() if len(faces) > 1}
    values = {f"{colour.value} value": texts(numbers) for colour, numbers in NUMBER_DIE_VALUES.items()}
    assert dice == sides | values
    assert sorted(pools()["die"]) == sorted(sides.values())
    assert sorted(pools()["value"]) == sorted(values.values())


def test_every_game_is_on_the_page() -> None:
    """Page and checker name each kind of outcome of each registered game, and no other."""
    assert {game: set(kinds) for game, kinds in OUTCOMES.items()} == {
        key: set(map(verb_of, game.outcome_types)) for key, game in GAMES.items()
    }
    rows = re.findall(r"^\| (\w*) ?\| (`[^|]+) \|", PAGE.partition("| game | record")[2], re.MULTILINE)
    named: dict[str, set[str]] = {}
    game = ""
    for name, records in rows:
        game = name or game
        named.setdefault(game, set()).update(re.findall("`([a-z-]+)`", records))
    assert named == {game: set(kinds) for game, kinds in OUTCOMES.items()}


def test_the_checker_stands_alone() -> None:
    """The checker has at most 200 lines and ten for each game, and imports the standard library alone."""
    source = (DOCS / "check_deals.py").read_text(encoding="utf-8")
    assert len(source.splitlines()) <= 200 + 10 * len(GAMES)
    imported = re.findall(r"^\s*(?:import|from) ([\w]+)", source, re.MULTILINE)
    assert imported
    assert set(imported) <= set(sys.stdlib_module_names)


def test_the_checker_proves_and_refuses_as_a_program(tmp_path: Path) -> None:
    """Alone in a folder it proves a file with exit code 0, and refuses a forged one with 1 and a reason."""
    program = tmp_path / "check_deals.py"
    program.write_bytes((DOCS / "check_deals.py").read_bytes())
    path = tmp_path / "game.txt"
    file = cached_match_file("currents", 0)
    text = write_match_file(file)

    def run(*arguments: str) -> tuple[int, str]:
        path.write_text(text, encoding="utf-8")
        command = [sys.executable, "-I", str(program), str(path), *arguments]
        completed = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        return completed.returncode, completed.stdout + completed.stderr

    assert file.fairness_code is not None
    code, printed = run("--code", file.fairness_code)
    assert (code, printed.splitlines()[-1]) == (0, "The code that you saw is here.")
    code, printed = run("--code", f"{file.fairness_code[:SHORT_CODE_LENGTH]}…")
    assert (code, printed.splitlines()[-1]) == (0, "The code that you saw is here.")
    code, printed = run()
    assert (code, printed.splitlines()[-1]) == (0, "Compare the codes with what you saw.")
    for code_seen in ("0" * 64, file.fairness_code[: SHORT_CODE_LENGTH - 1]):
        assert run("--code", code_seen) == (
            1,
            "Not proved: the code that you saw is not a code of this file\n",
        )
    text = text.replace("2. * ", "2. A ", 1)
    code, printed = run()
    assert code == 1
    assert printed.startswith("Not proved: record 2: ")


# T20 --------------------------------------------------------------------------------------------------


@pytest.mark.trust_test("T20")
@pytest.mark.parametrize("game_key", GAMES)
def test_files_are_proved(game_key: str, add_trials: Callable[[int], None]) -> None:
    """The checker proves every file of a game, with each of its codes, and names who cut."""
    for number in range(FILE_COUNT):
        file = cached_match_file(game_key, number)
        text = write_match_file(file)
        checker = Checker(text)
        assert file.seed is not None
        _, deal_key = replay_control_actions(file.seed, file.records)
        assert checker.outcome_count == len(file.outcomes)
        assert checker.key == deal_key.key
        assert sum(map(len, checker.cuts.values())) == len(deal_key.cuts)
        assert checker.has_result == (file.result is not None)
        for code in checker.codes.values():
            assert "The code that you saw is here." in Checker(text, code.upper()).report()
        with pytest.raises(ValueError, match="not a code of this file"):
            Checker(text, "0" * 64)
        if number % PROOF_INTERVAL == 0:
            file_read = parse_match_file(text, GAMES)
            assert file_read == file
            assert [each.code for each in prove(file_read).codes] == list(checker.codes.values())
    add_trials(FILE_COUNT)


@pytest.mark.trust_test("T20", sensitivity=True)
@pytest.mark.parametrize("name", [*FORGERIES, "drop_a_line"])
@pytest.mark.parametrize("game_key", GAMES)
def test_forgeries_are_refused(game_key: str, name: str) -> None:
    """Whatever a careful forger changes in a file, neither the checker nor the rules prove it any more."""
    rng = random.Random(f"{game_key}/{name}")
    refused_count = 0
    for number in range(MAX_FORGED_COUNT):
        file = cached_match_file(game_key, number)
        text = write_match_file(file)
        if name == "drop_a_line":
            forged_text = drop_a_line(text, rng)
        else:
            forged = FORGERIES[name](file, rng)
            if forged is None:
                continue
            forged_text = write_match_file(forged)
        if forged_text == text:
            continue
        with pytest.raises(ValueError, match=r"\w"):
            Checker(forged_text)
        if number % PROOF_INTERVAL == 0:
            with pytest.raises(RulesError):
                prove(parse_match_file(forged_text, GAMES))
        refused_count += 1
        if refused_count == ENOUGH_REFUSED_COUNT:
            break
    assert refused_count


# Files written by hand ---------------------------------------------------------------------------------

HEADER = f"""Format: captains-table 2
Game: currents
Rules: 1
Match: {MATCH_ID}
Seats: 3
View: full
FairnessCode: {make_fairness_code(MATCH_ID, SEED)}
Seed: {SEED.hex()}

"""
PILE = pools_of(3, {})["pile"][0]
HAND = ",".join(RandomStream(SEED, 0, kind="deal", seat=0).sample_unordered(PILE, 3))
DEAL_LINES = f"1. * deal A {HAND}\n< deal A 0: take {HAND} of {','.join(PILE)}\n"


def test_a_file_written_by_hand_is_proved() -> None:
    """A file that was written by hand from the page is proved as far as it goes."""
    checker = Checker(HEADER + DEAL_LINES + "2. A! resign\n3. ~ undo 0\n" + DEAL_LINES.replace("1.", "4."))
    assert (checker.outcome_count, checker.has_result, checker.undecided) == (2, False, [])
    assert list(checker.report())[1] == (
        f"Code after record 0: {make_fairness_code(MATCH_ID, SEED)}. "
        "Then the deck was cut by nobody, so the operator could have chosen the seed."
    )


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (HEADER.replace("table 2", "table 3"), "no match file of format 2"),
        (HEADER.replace(SEED.hex(), ""), "there is no seed"),
        (HEADER + "1. A", "this is no record"),
        (HEADER + "1. D resign", "who may do that"),
        (HEADER + "1. ~ resign", "no move of a seat"),
        (HEADER + "1. * resign", "no move of a seat"),
        (HEADER + f"1. A deal A {HAND}", "who may do that"),
        (HEADER + "1. C cut apple river\n2. A cut silver fox", "out of order"),
        (HEADER + "1. A cut apple river\n2. A cut silver fox", "this is no cut"),
        (HEADER + "1. A cut apple", "this is no cut"),
        (HEADER + "1. ~ cut apple river", "this is no cut"),
        (HEADER + "1. * cut apple river", "this is no cut"),
        (HEADER + DEAL_LINES + "2. A cut apple river", "this is no cut"),
        (
            HEADER + f"1. A reseal {make_fairness_code(MATCH_ID, key_after_reseal(SEED, 0))}",
            "not the code of the new key",
        ),
        (HEADER + DEAL_LINES + "2. ~ undo one", "this is no undo"),
        (HEADER + DEAL_LINES + "2. ~ undo 1", "nothing to undo"),
        (HEADER + DEAL_LINES + "2. * undo 0", "nothing to undo"),
        (HEADER + DEAL_LINES.split("\n", maxsplit=1)[0], "the line of its draws is missing"),
        (HEADER + DEAL_LINES.replace("< deal A 0: take", "< take"), "these are no draws"),
        (HEADER + DEAL_LINES.replace("< deal", "< begin"), "not its draws"),
        (HEADER + DEAL_LINES.replace("A 0: take", "A 1: take"), "0 such outcomes before"),
        (HEADER + DEAL_LINES.replace(": take", ": steal"), "this is no draw"),
        (HEADER + DEAL_LINES.replace(" of ", " from 1/1\n# "), "there was no draw 1/1"),
        (HEADER + DEAL_LINES.replace(f"take {HAND} of", f"take {HAND} of {HAND[:2]}\n# "), "more was drawn"),
        (HEADER + DEAL_LINES.replace(f"take {HAND}", f"take {HAND[::-1]}"), "another outcome"),
        (HEADER + DEAL_LINES.replace(f"deal A {HAND}", "deal A"), "its words are not"),
        (HEADER + DEAL_LINES.rstrip() + "; take A of A", "more was drawn than it has"),
        (HEADER + "1. * reshuffle 2C\n< reshuffle - 0", "cannot become the pile"),
    ],
)
def test_lines_that_are_refused(text: str, reason: str) -> None:
    """A line that is malformed, or stands where it may not, is refused with the reason."""
    with pytest.raises(ValueError, match=reason):
        Checker(text)
