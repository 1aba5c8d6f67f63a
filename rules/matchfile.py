"""A match as text, in the spirit of PGN: header lines, then one numbered line per record.

::

    Format: captains-table 2
    Game: currents
    ...

    1. * deal A 5C,6C,7C
    < deal A 0: take 5C,6C,7C of 2C,3C,4C,5C,6C,7C
    2. A compass 5C N
    3. B! concede
    4. A undo 1
    5. ~ reseal 0f3c…
    6. A cut apple river
    7. C resign

The actor is a seat's letter, ``*`` (chance) or ``~`` (the moderator); ``!`` marks a choice that played
itself.  Undone records stay in the file, and so do cuts and reseals (``rules.deal_key``).  In a file with
the seed, a line below each outcome of chance says from what it was drawn (``rules.draws``), so that one can
check it without the rules.  Lines that start with ``#`` are comments.
"""

import binascii
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeVar

from rules.deal_key import check_reseals
from rules.draws import DRAW_MARK, DrawNotation, WrittenOutcome, replay_draws
from rules.errors import BrokenMatch, MalformedAction, RulesError
from rules.game import AnyGame
from rules.match import Match
from rules.model import CHANCE, SEAT_LETTERS, Options, Result, Seat, Standing
from rules.notation import Notation, parse_seat, seat_letter, write_action
from rules.options import parse_options, write_options
from rules.random_stream import SEED_BYTES
from rules.record import Cut, Record, parse_control_action

FORMAT: Final = "captains-table 2"
MAX_CHARACTERS: Final = 1_000_000
"""The longest text that is read."""
AUTO_MARK: Final = "!"
COMMENT_MARK: Final = "#"
FULL_VIEW: Final = "full"
BYSTANDER_VIEW: Final = "bystander"
_MAX_VALUE_LENGTH: Final = 200

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchFile:
    """The content of a match file.  Two are equal only if their texts are equal."""

    game: AnyGame
    match_id: str
    """The id of the match, part of its fairness codes; one word."""
    seat_count: int
    options: Options
    records: tuple[Record, ...]
    """Undone ones included; as ``viewer`` may know them unless ``is_full``."""
    is_full: bool = True
    """Whether nothing is hidden."""
    viewer: Seat | None = None
    """Whose view this is if not ``is_full``; None: a bystander's."""
    fairness_code: str | None = None
    seed: bytes | None = None
    """The first key of the deals (``rules.deal_key``); present only if nobody plays the game on."""
    result: Result | None = None
    """Seats, ranks and scores (no breakdown); None while the game goes on or if it ended early."""
    outcomes: tuple[WrittenOutcome, ...] = ()
    """What each outcome of chance was drawn from, undone ones included; empty without the seed."""

    def __repr__(self) -> str:
        """Name the file, never the records or the seed."""
        return f"MatchFile({self.game.key}, {self.match_id}, records={len(self.records)})"

    def seen_by(self, viewer: Seat | None) -> "MatchFile":
        """Return this match as ``viewer`` may know it, without the seed.  Raises ValueError unless full."""
        if not self.is_full:
            raise ValueError("what one viewer knows cannot be turned into what another knows")
        records = tuple(
            Record(record.actor, record.action.seen_by(viewer, record.actor), record.auto)
            for record in self.records
        )
        return replace(self, records=records, is_full=False, viewer=viewer, seed=None, outcomes=())


def make_match_file(
    match: Match,
    records: Sequence[Record],
    match_id: str,
    *,
    fairness_code: str | None = None,
    seed: bytes | None = None,
    ended_early: bool = False,
) -> MatchFile:
    """Return the full file of a match.  ``records``: all of them, undone ones too.

    ``seed``: to publish it in the file; ``ended_early``: nobody plays this match on, so the seed may be
    published.  With the seed this takes as long as a replay.  Raises ValueError if these are not as many
    records as the match has, or if the seed is given before the end; BrokenMatch if the records do not follow
    the rules.
    """
    if len(records) != match.ply:
        raise ValueError(f"{len(records)} records are not the {match.ply} of this match")
    if seed and not (match.is_over or ended_early):
        raise ValueError("the seed stays secret until the game is over")
    outcomes = replay_draws(match.game, match.seat_count, match.options, seed, records) if seed else ()
    return MatchFile(
        game=match.game,
        match_id=match_id,
        seat_count=match.seat_count,
        options=match.options,
        records=tuple(records),
        fairness_code=fairness_code,
        seed=seed,
        result=_without_breakdown(match.returns()) if match.is_over else None,
        outcomes=outcomes,
    )


def _without_breakdown(result: Result) -> Result:
    return Result(tuple(Standing(each.seat, each.rank, each.score) for each in result.standings))


# Writing ----------------------------------------------------------------------------------------------


def write_match_file(file: MatchFile) -> str:
    """Return the file as text; ``parse_match_file`` returns an equal file."""
    header = {
        "Format": FORMAT,
        "Game": file.game.key,
        "Rules": str(file.game.rules_version),
        "Match": file.match_id,
        "Seats": str(file.seat_count),
        "Options": write_options(file.options),
        "View": FULL_VIEW
        if file.is_full
        else BYSTANDER_VIEW
        if file.viewer is None
        else seat_letter(file.viewer),
        "FairnessCode": file.fairness_code or "",
        "Seed": file.seed.hex() if file.seed else "",
        "Result": _write_result(file.result) if file.result else "",
    }
    lines = [f"{name}: {value}" for name, value in header.items() if value]
    lines.append("")
    draw_notation, outcomes = DrawNotation(), iter(file.outcomes)
    for ply, record in enumerate(file.records, 1):
        lines.append(write_record(ply, record))
        if record.actor == CHANCE and (outcome := next(outcomes, None)) is not None:
            lines.append(draw_notation.write(ply, outcome))
    return "\n".join(lines) + "\n"


def write_record(ply: int, record: Record) -> str:
    """Return one record as a line: ``3. B! concede``."""
    return (
        f"{ply}. {seat_letter(record.actor)}{AUTO_MARK if record.auto else ''} {write_action(record.action)}"
    )


def _write_result(result: Result) -> str:
    return ", ".join(f"{seat_letter(each.seat)} {each.rank} {each.score}" for each in result.standings)


# Reading ----------------------------------------------------------------------------------------------


def parse_match_file(text: str, games: Mapping[str, AnyGame]) -> MatchFile:
    """Parse a file's text, without checking the rules (see ``replay_match``).

    Raises BrokenMatch (the length, the header, the numbering, lines of draws) or MalformedAction.  The text
    names the line if a single line is at fault.
    """
    if len(text) > MAX_CHARACTERS:
        raise BrokenMatch(0, f"the file has more than {MAX_CHARACTERS} characters")
    lines = _numbered_lines(text)
    header = _read_header(lines)
    game = _read_game(header, games)
    seat_count = header.pop(
        "Seats", lambda value: _require_one_of(value, {str(n): n for n in game.player_counts})
    )
    options: Options = header.pop(
        "Options", lambda value: parse_options(game.options_type, value), default=""
    )
    is_full, viewer = header.pop("View", lambda value: _read_view(value, seat_count))
    file = MatchFile(
        game=game,
        match_id=header.pop("Match", _require_at_most_one_word),
        seat_count=seat_count,
        options=options,
        records=(),
        is_full=is_full,
        viewer=viewer,
        fairness_code=header.pop("FairnessCode", _require_at_most_one_word, default="") or None,
        seed=header.pop("Seed", _read_seed, default=""),
        result=header.pop("Result", _read_result, default=""),
    )
    header.require_empty()
    if file.seed is not None and not file.is_full:
        raise BrokenMatch(0, "only a full file may hold the seed")
    records, outcomes = _read_records(Notation(game), seat_count, lines)
    if outcomes and (file.seed is None or len(outcomes) != sum(record.actor == CHANCE for record in records)):
        raise BrokenMatch(0, "draws come with the seed, one line for each outcome of chance")
    return replace(file, records=records, outcomes=outcomes)


def _read_records(
    notation: Notation, seat_count: int, lines: Iterator[tuple[int, str]]
) -> tuple[tuple[Record, ...], tuple[WrittenOutcome, ...]]:
    """Parse every record, and the lines of draws below the outcomes of chance."""
    draw_notation = DrawNotation()
    records: list[Record] = []
    outcomes: list[WrittenOutcome] = []
    below_chance = False
    for line_number, line in lines:
        if not line:
            continue
        if not line.startswith(DRAW_MARK):
            records.append(_read_record(notation, seat_count, len(records) + 1, line_number, line))
            below_chance = records[-1].actor == CHANCE
            continue
        if not below_chance:
            raise BrokenMatch(len(records), f"line {line_number} does not follow an outcome of chance")
        below_chance = False
        try:
            outcomes.append(draw_notation.parse(len(records), line))
        except MalformedAction as error:
            raise MalformedAction(f"Line {line_number}: {error}") from error
    return tuple(records), tuple(outcomes)


def _numbered_lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield every line but comments, with its number."""
    for line_number, line in enumerate(text.split("\n"), 1):
        if not line.startswith(COMMENT_MARK):
            yield line_number, line.strip()


class _Header:
    """The header's lines by name; each is read once."""

    def __init__(self) -> None:
        self._values: dict[str, tuple[int, str]] = {}

    @property
    def is_empty(self) -> bool:
        return not self._values

    def add(self, line_number: int, line: str) -> None:
        name, colon, value = line.partition(":")
        if not colon or name in self._values or len(value) > _MAX_VALUE_LENGTH:
            raise BrokenMatch(0, f"line {line_number} is no header line, or was there before")
        self._values[name] = (line_number, value.strip())

    def pop(self, name: str, parse: Callable[[str], T], default: str | None = None) -> T:
        line_number, value = self._values.pop(name, (0, default))
        if value is None:
            raise BrokenMatch(0, f"the line “{name}:” is missing")
        try:
            return parse(value)
        except (RulesError, ValueError) as error:
            raise BrokenMatch(0, f"line {line_number} ({name}): {error}") from error

    def require_empty(self) -> None:
        for name, (line_number, _) in self._values.items():
            raise BrokenMatch(0, f"line {line_number}: “{name[:32]}” is no header line")


def _read_header(lines: Iterator[tuple[int, str]]) -> _Header:
    header = _Header()
    for line_number, line in lines:
        if line:
            header.add(line_number, line)
        elif not header.is_empty:
            break
    header.pop("Format", lambda value: _require_one_of(value, {FORMAT: None}))
    return header


def _read_game(header: _Header, games: Mapping[str, AnyGame]) -> AnyGame:
    newest_games = {key: each for key, each in games.items() if key == each.key}
    game = header.pop("Game", lambda value: _require_one_of(value, newest_games))
    games_by_version = {
        str(each.rules_version): each for key, each in games.items() if key.partition("@")[0] == game.key
    }
    return header.pop("Rules", lambda value: _require_one_of(value, games_by_version))


def _require_one_of(value: str, allowed: Mapping[str, T]) -> T:
    if value not in allowed:
        raise ValueError(f"“{value[:32]}” is none of: {', '.join(allowed)}")
    return allowed[value]


def _require_at_most_one_word(value: str) -> str:
    if value and (len(value.split()) != 1 or not value.isprintable()):
        raise ValueError("this must be one word")
    return value


def _read_view(value: str, seat_count: int) -> tuple[bool, Seat | None]:
    views: dict[str, tuple[bool, Seat | None]] = {FULL_VIEW: (True, None), BYSTANDER_VIEW: (False, None)}
    views |= {SEAT_LETTERS[seat]: (False, Seat(seat)) for seat in range(seat_count)}
    return _require_one_of(value, views)


def _read_seed(value: str) -> bytes | None:
    if not value:
        return None
    try:
        seed = binascii.unhexlify(value)
    except binascii.Error:
        seed = b""
    if len(seed) != SEED_BYTES:
        raise ValueError(f"a seed is {2 * SEED_BYTES} hex digits")
    return seed


def _read_result(value: str) -> Result | None:
    if not value:
        return None
    standings = []
    for text in value.split(","):
        letter, rank, score = text.split()
        standings.append(Standing(parse_seat(letter), int(rank), int(score)))
    return Result(tuple(standings))


def _read_record(notation: Notation, seat_count: int, ply: int, line_number: int, line: str) -> Record:
    ply_text, _, rest = line.partition(" ")
    if ply_text != f"{ply}.":
        raise BrokenMatch(ply, f"line {line_number} should begin with “{ply}.”")
    actor_text, _, text = rest.partition(" ")
    auto = actor_text.endswith(AUTO_MARK)
    letter = actor_text.removesuffix(AUTO_MARK)
    try:
        seat = parse_seat(letter)
        if seat >= seat_count:
            raise MalformedAction(f"“{letter}” has no seat at this table.")
        control_action = parse_control_action(text)
        if isinstance(control_action, Cut) and seat < 0:
            raise MalformedAction("Only a seat cuts the deck.")
        return Record(seat, control_action or notation.parse(text), auto)
    except MalformedAction as error:
        raise MalformedAction(f"Line {line_number}: {error}") from error


# Checking ---------------------------------------------------------------------------------------------


def replay_match(file: MatchFile) -> Match:
    """Replay the file, checking each record and the result.

    With the seed, every outcome of chance and every code of a reseal must follow from the seed.  Raises
    BrokenMatch; ValueError unless full.
    """
    if not file.is_full:
        raise ValueError("a match with hidden records cannot be replayed")
    if file.seed is not None:
        check_reseals(file.match_id, file.seed, file.records)
    match = Match.replay(file.game, file.seat_count, file.options, file.seed, file.records)
    result = _without_breakdown(match.returns()) if match.is_over else None
    if result != file.result:
        result_text = _write_result(result) if result else "none yet"
        raise BrokenMatch(match.ply, f"the result is {result_text}, not what the header says")
    return match
