"""Check the deals of a match file: ``python docs/check_deals.py FILE [--code CODE]``.

Written from docs/deals.md.  Exit code 0: every draw follows from the seed and the players' words; 1: not.
"""

import argparse
import hashlib
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import count, islice
from pathlib import Path
from typing import Any

LETTERS = "ABCDEF"
RECORD, UNDO = re.compile(r"([0-9]+)\. ([A-F*~])!? (\S.*)"), re.compile("undo ([0-9]+)")
CUT, DRAW = re.compile("cut [a-z]{3,8} [a-z]{3,8}"), re.compile(r"(take|order) (\S+) (of|from) (\S+)")
DRAW_LINE = re.compile(r"< (\S+) ([A-F-]) ([0-9]+)(?:: (.+))?")
OUTCOMES = {
    "currents": {"deal": "SEAT pile", "begin": "first", "reshuffle": "=pile", "shuffle": "..."},
    "oceans": {"deal": "SEAT surface", "lay-out": ">scenarios >deep surface first", "reshuffle": "=surface"}
    | {"show": "SEAT deep", "refill": "* deep", "shield": "SEAT *", "scramble": "...", "tally": "*"},
    "australis": {"begin": "first", "roll": "die+", "reveal": "cards", "compete": "value+"},
    "current_affairs": {"fill": ">trash", "begin": "first", "market": ">contracts"}
    | {"deal": "contracts", "reveal": "contracts"},
    "arctic_cleanup": {"order": ">first", "fill": ">bag", "draw": "bag"},
}
"""The form of each word of an outcome: its seat, one that is not drawn (*), what was drawn from a pool
(>: in order, +: one by one), the new content of a pile (=); "...": what was drawn, in order, with more."""
DRAWN_ONLY_PILES, CHANGED_PILES = {"pile", "surface", "deep"}, {"cards", "contracts", "bag"}
"""Piles that shrink by draws alone; piles that the rules also change otherwise."""
OCEANS_DEEP = """ABY! ACU ADV! AMB APX ATA! BAR BEH BIO BCR BLU BOT BRI BUB! BUR! CAM CAV CHI! COL! COM COP!
CRU CTH! DIV DSK! DEF DEN DRA ELE! END EXT FAS! FIL FKR FLI! GAR GTR! GEN GIC GIB! GIS GOE GRA HAR HYD! IMS
IMW INK KLE LEV LIV! LUM MAS! MEG MIG MUC MUT NEU PAC PCL PAR! PAT POI PSP! RAP! REG ROW SCA SCH SEA SED SHC
SLO! SPE SWA SYM TAI TEL TLE! TEN KRA TIN! TRA! TUS VES! VOR! WAR! WHC ZOO!"""
OCEANS_SCENARIOS = """ABU AST REE OUT PRX VIR DET EPI FER FOOD GDI INA INB INC LPR LHM PDS IMM EXP PRO GRO SHE
SGP SOL THE AGG! CBL! EAR! HGT! HOC! HOE! MMI! RBL! SCF! SHR! SNO! UHE!"""
AUSTRALIS_CARDS = """white-points*2/3 white-fish*2 white-turtle*1/2 white-coral*1/2 yellow-points*1/2
yellow-fish*2/3 yellow-turtle*2 yellow-coral*1/2 blue-points*1/2 blue-fish*1/2 blue-turtle*2/3 blue-coral*2
purple-points*2 purple-fish*1/2 purple-turtle*1/2 purple-coral*2/3 blue-competition*2/3 purple-competition*2/3
red-competition*2/3"""


def expand(text: str, *, large: bool = False, marked: bool = True) -> list[str]:
    """Return the items of a list; ``A*2/3``: two, or three at a large table; ``A!``: only if ``marked``."""
    parts = [part.rstrip("!").partition("*") for part in text.split() if marked or "!" not in part]
    return [item for item, _, n in parts for _ in range(int((n or "1").split("/")[-large]))]


def pools_of(seats: int, options: dict[str, str]) -> dict[str, list[list[str]]]:
    """Return each whole pile by name, and for other draws every list that they may be made from."""
    pile = [f"{rank}{suit}" for suit in "CDHS" for rank in (*range(2, 11), *"JQK")]
    pile += ["RJ", "BJ"] if options.get("jokers") == "on" else []
    traits, numbers = expand("AP BF FF IN PA SC SH SP SY TE TR WC"), (5, 6, 7, 7, 8, 8, 9, 9, 10, 11)
    gentle = options.get("reef") == "on" or options.get("scenarios") == "gentle"
    scenarios = expand(OCEANS_SCENARIOS, marked=options.get("scenarios") == "promo")
    dice = [[f"{colour}-{n}" for n in range(low, low + 6)] for colour, low in (("blue", 2), ("purple", 3))]
    dice += [[f"yellow-{side}" for side in ("2f3p", "3f2p", "3f1p", "4f1p", "4f", "5f")]]
    return {
        "first": [list(LETTERS[: 1 if options.get("first_player") == "host" else seats])],
        "pile": [pile],
        "=pile": [[*pile, "AC", "AD", "AH", "AS"]],  # the aces begin beside the compass
        "surface": [[f"{trait}{number}" for trait in traits for number in numbers]],
        "deep": [expand(OCEANS_DEEP, marked=options.get("deep") != "easy")],
        "scenarios": [["ABU", "FER"] if gentle else scenarios],
        "cards": [expand(AUSTRALIS_CARDS, large=seats == 4)],
        "die": [*dice, expand("white-1c3p white-1c2p*2 white-2c1p white-2c*2")],
        "value": [[str(n) for n in range(low, low + 6)] for low in (2, 3, 4)],
        "trash": [expand("P*24 A*18 G*14 N*12 R*12")],
        "contracts": [[f"C{n:02}" for n in range(1, 29)]],
        "bag": [expand("hdpe*7 ldpe*7 eva*6 pmma*6 pet*6 pa6*6 pp*6 ps*6")],
    }


def stream_words(key: bytes, kind: str, seat: str, number: int) -> Iterator[int]:
    """Yield the words of a stream."""
    name = bytes([len(kind), *kind.encode(), 255 if seat == "-" else LETTERS.index(seat)])
    for block in count():
        message = name + number.to_bytes(8, "big") + block.to_bytes(8, "big")
        digest = hashlib.blake2b(message, key=key, person=b"captains-table/2").digest()
        yield from (int.from_bytes(digest[i : i + 8], "big") for i in range(0, 64, 8))


def draw(words: Iterator[int], items: Sequence[str], amount: int, way: str) -> list[str]:
    """Draw so many items, in the order drawn or as they stand."""
    places = list(range(len(items)))
    for i in range(amount):
        size = len(items) - i
        j = i + next(word for word in words if word < 2**64 - 2**64 % size) % size
        places[i], places[j] = places[j], places[i]
    return [items[place] for place in (places[:amount] if way == "order" else sorted(places[:amount]))]


class Checker:
    """Checks one file, line by line."""

    def __init__(self, text: str, code: str | None = None) -> None:
        """Check a whole file; ``code``: what a player saw.  Raises ValueError."""
        self.ply, self.outcome_count, self.undecided = 0, 0, list[int]()
        self.seen_code = (code or "").strip(" …\n").lower()
        head, _, body = re.sub(r"(?m)^#.*\n?", "", text.replace("\r", "")).strip().partition("\n\n")
        header = dict(line.partition(": ")[::2] for line in head.split("\n"))
        self.require(header.get("Format") == "captains-table 2", "this is no match file of format 2")
        self.require(re.fullmatch("[0-9a-f]{64}", header.get("Seed", "")), "there is no seed in the file")
        self.key, self.seats = bytes.fromhex(header["Seed"]), int(header["Seats"])
        self.match_id, self.has_result = header["Match"].encode(), "Result" in header
        options = dict(option.split("=") for option in header.get("Options", "").split())
        self.forms, self.pools = OUTCOMES.get(header["Game"]), pools_of(self.seats, options)
        self.codes, self.cuts = {0: self._code()}, {0: list[str]()}  # by the number of the record
        self.require(header.get("FairnessCode", "").lower() == self.codes[0], "the seed is not the code's")
        self.piles: dict[str, list[str]] = {}  # what is left of each
        self.history: list[tuple[Any, dict[str, list[str]]]] = []  # stream, piles before it
        self.cutters: str | None = ""  # since the start or the reseal; None: it is too late to cut
        self.leftovers: dict[str, list[str]] = {}  # what each draw left over, by name
        self.outcome_words: list[str] = []  # the words of an outcome whose draws come on the next line
        for line in filter(None, map(str.strip, body.split("\n"))):
            (self.check_draws if line.startswith("<") else self.check_record)(line)
        self.require(not self.outcome_words, "the line of its draws is missing")
        if code and self.seen_code not in {each[:n] for each in self.codes.values() for n in range(32, 65)}:
            raise ValueError("the code that you saw is not a code of this file")

    def require(self, holds: Any, otherwise: str) -> Any:
        """Return what holds.  Raises ValueError if it does not."""
        if not holds:
            raise ValueError(f"record {self.ply}: {otherwise}" if self.ply else otherwise)
        return holds

    def _code(self) -> str:
        return hashlib.sha256(b"captains-table/seed/1\n" + self.match_id + b"\n" + self.key).hexdigest()

    def _change_key(self, message: bytes, person: bytes) -> None:
        self.key = hashlib.blake2b(message, key=self.key, person=person, digest_size=32).digest()

    def check_record(self, line: str) -> None:
        """Check the number of a record, and what it does to history and key."""
        self.require(not self.outcome_words, "the line of its draws is missing")
        self.ply += 1
        number, actor, text = self.require(RECORD.fullmatch(line), "this is no record").groups()
        self.require(int(number) == self.ply, f"it has the number {number}")
        verb, *words = text.split(" ")
        cutters, self.cutters = self.cutters, None
        by_chance = self.forms is not None and verb in self.forms
        self.require(actor == "*" if by_chance else actor in f"*~{LETTERS[: self.seats]}", "who may do that?")
        if verb == "undo":
            kept_length = int(self.require(UNDO.fullmatch(text), "this is no undo")[1])
            self.require(actor != "*" and kept_length < len(self.history), "there is nothing to undo")
            self.history, self.piles = self.history[:kept_length], self.history[kept_length][1]
        elif verb == "cut":
            may_cut = cutters is not None and actor not in f"{cutters}*~"
            self.require(may_cut and CUT.fullmatch(text), "this is no cut, or this seat may not cut here")
            self.cutters = cutters = f"{cutters}{actor}"
            self.require(self.ply > len(cutters) or [*cutters] == sorted(cutters), "out of order")
            self._change_key(bytes([LETTERS.index(actor)]) + " ".join(words).encode(), b"captains/cut")
            self.cuts[max(self.cuts)].append(f"{actor} ({' '.join(words)})")
        elif verb == "reseal":
            self._change_key((self.ply - 1).to_bytes(8, "big"), b"captains/reseal")
            self.cutters, self.codes[self.ply], self.cuts[self.ply] = "", self._code(), []
            self.require(actor == "~" and words == [self._code()], "this is not the code of the new key")
        elif actor == "*" and by_chance == (self.forms is not None):
            self.outcome_words = [verb, *words]
        else:
            self.require(actor in LETTERS, "this is no move of a seat")
            self.history.append((None, dict(self.piles)))

    def check_draws(self, line: str) -> None:
        """Check the draws of an outcome of chance: the stream, what it gives, the record and the piles."""
        kind, seat, number, text = self.require(DRAW_LINE.fullmatch(line), "these are no draws").groups()
        self.require(self.outcome_words[:1] == [kind], "these are not its draws")
        earlier = sum(stream == (kind, seat) for stream, _ in self.history)
        self.require(int(number) == earlier, f"there were {earlier} such outcomes before")
        words, draws = stream_words(self.key, kind, seat, earlier), list[tuple[Any, ...]]()
        for part in text.split("; ") if text else ():
            way, taken, preposition, source = self.require(DRAW.fullmatch(part), "this is no draw").groups()
            self.require(preposition == "of" or source in self.leftovers, f"there was no draw {source}")
            drawn, items = ([item for item in each.split(",") if item != "()"] for each in (taken, source))
            items = self.leftovers[source] if preposition == "from" else items
            self.require(len(drawn) <= len(items), "more was drawn than there was")
            self.require(draw(words, items, len(drawn), way) == drawn, "the seed gives another outcome")
            rest = list(items)
            for item in drawn:
                rest.remove(item)
            draws.append((items, drawn, rest, way))
            self.leftovers[f"{self.ply}/{len(draws)}"] = rest
        self.history.append(((kind, seat), dict(self.piles)))
        forms = (self.forms[kind] if self.forms else "...").split()
        self.require(not self.forms or (seat != "-") == ("SEAT" in forms), "its streams have another seat")
        self.check_words(forms, seat, draws)
        self.outcome_count, self.outcome_words = self.outcome_count + 1, []

    def check_words(self, forms: list[str], seat: str, draws: list[tuple[Any, ...]]) -> None:
        """Check that the words of an outcome are what was drawn, and what it was drawn from."""
        words, queue = self.outcome_words[1:], iter(draws)
        if forms == ["..."]:
            shown = iter(",".join(words).split(","))
            forms, words = [], [] if all(item in shown for each in queue for item in each[1]) else words
        self.require(len(words) == len(forms), "its words are not what was drawn")
        for form, word in zip(forms, words, strict=True):
            if form[0] == "=":
                strange = Counter(word.split(",")) - Counter(self.pools.get(form, self.pools[form[1:]])[0])
                self.require(not strange and self.piles.get(form[1:]) == [], "this cannot become the pile")
                self.piles[form[1:]] = word.split(",")
            elif form == "SEAT":
                self.require(word == seat, "it is for another seat")
            elif form != "*":
                word_draws = list(islice(queue, len(draws) if form[-1] == "+" else word != "()"))
                shown_items = [item for each in word_draws for item in each[1]]
                self.require(shown_items == word.split(",") or word == "()", "it is not what was drawn")
                for items, drawn, rest, way in word_draws:
                    as_usual = (way == "order") == (form[0] == ">") and (form[-1] != "+" or len(drawn) == 1)
                    self.require(as_usual, "it was drawn in another way")
                    self.check_pool(form.strip(">+"), items, rest)
        self.require(not list(queue), "more was drawn than it has")

    def check_pool(self, pool: str, items: list[str], rest: list[str]) -> None:
        """Check what something was drawn from, as far as that needs no rules."""
        whole = self.pools[pool]
        if pool not in DRAWN_ONLY_PILES | CHANGED_PILES:
            self.require(items in whole, "it was drawn from something else")
        elif items != self.piles.get(pool, whole[0]):
            allowed = pool in CHANGED_PILES and pool in self.piles and not Counter(items) - Counter(whole[0])
            self.require(allowed, "it was not drawn from what was left of the pile")
            self.undecided.append(self.ply)
        self.piles[pool] = rest

    def report(self) -> Iterator[str]:
        """Yield what the file shows, in sentences."""
        yield f"Proved: all {self.outcome_count} outcomes of chance follow from seed and players' words."
        for ply, code in self.codes.items():
            who = ", ".join(self.cuts[ply]) or "nobody, so the operator could have chosen the seed"
            yield f"Code after record {ply}: {code}. Then the deck was cut by {who}."
        if self.forms is None or self.undecided:
            yield f"Only the rules know whether nothing was left out in records {self.undecided or 'at all'}."
        yield "It has a result." if self.has_result else "No result: it ended early, or records are missing."
        yield "The code that you saw is here." if self.seen_code else "Compare the codes with what you saw."


def main() -> None:
    """Check the file that the command line names."""
    parser = argparse.ArgumentParser(description="Check the deals of a match file.")
    parser.add_argument("file", type=Path)
    parser.add_argument("--code", help="the fairness code that you saw, or its first 32 digits")
    given = parser.parse_args()
    try:
        print("\n".join(Checker(given.file.read_text(encoding="utf-8"), given.code).report()))
    except (OSError, ValueError, KeyError) as error:
        raise SystemExit(f"Not proved: {error}") from error


if __name__ == "__main__":
    main()
