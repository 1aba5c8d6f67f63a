"""Golden games: match files with each record's digest and everybody's narration as comments.

``python -m tests.golden.record currents --seats 4 --seed 1`` records one (``--options "jokers=on"``,
``--player casual`` for the computer player that plays by the game's policy, ``--cuts`` for a game whose
players cut the deck and which is resealed once);
``python -m tests.golden.record currents --again`` writes all of a game's files anew: from their own records
where the rules still play them, else (a change of the rules, of chance or of the format) as new games of the
same name.  A game that people played ("3-played.txt") has no such name: it stays as it is, and is reported.
"""

import argparse
import random
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from rules.catalogue import ALL_RULES
from rules.cut_words import CUT_WORDS
from rules.draws import DRAW_MARK
from rules.errors import RulesError
from rules.game import AnyGame
from rules.match import Match
from rules.matchfile import (
    MatchFile,
    make_match_file,
    parse_match_file,
    replay_match,
    write_match_file,
    write_record,
)
from rules.model import Action, Resign, Seat
from rules.options import parse_options
from rules.players import COMPUTER_PLAYERS
from rules.proof import prove
from rules.random_stream import make_fairness_code
from rules.record import ControlAction, Cut, Record, Reseal, Undo
from rules.turns import newest_turn
from tests.docs.game_guide import TOY_GAMES

GOLDEN_FOLDER: Final = Path(__file__).parent
NAMES: Final = ("Ava", "Ben", "Chloé", "Dimitri", "Emeka", "Farah")
RECORDED_RULES: Final[Mapping[str, AnyGame]] = {**TOY_GAMES, **ALL_RULES}
"""The rules of which games are recorded: every version under which a stored game may go on, by key."""
DEFAULT_PLAYER: Final = "random"
PLAYED_MARK: Final = "played"
"""In a file's name, in place of a number: people played this game."""
CUTS_MARK: Final = "cuts"
"""In a file's name: the players cut the deck."""
_RECORDS_BEFORE_RESEAL: Final = 30
"""Records of the history after which a game with cuts is resealed."""
_CHOICES_PER_UNDO: Final = 12
"""About one choice in so many is undone, where that is free."""


def golden_files(game: AnyGame) -> list[Path]:
    """Return the files of a game's recorded games."""
    return sorted((GOLDEN_FOLDER / game.key).glob("*.txt"))


def record_game(
    game: AnyGame,
    seat_count: int,
    options_text: str,
    number: int,
    player: str = DEFAULT_PLAYER,
    *,
    with_cuts: bool = False,
) -> MatchFile:
    """Play game ``number`` with a computer player to its end, with some free undos.

    ``with_cuts``: every seat but the last cuts the deck; later the game is resealed, and the last seat cuts.
    """
    rng = random.Random(number)
    seed = rng.randbytes(32)
    match_id = f"golden-{game.key}-{seat_count}-{number}"
    cuts_before_start = [
        (Seat(seat), Cut(*rng.choices(CUT_WORDS, k=2))) for seat in range(seat_count - 1 if with_cuts else 0)
    ]
    match = Match.begin(
        game, seat_count, parse_options(game.options_type, options_text), seed, cuts_before_start
    )
    records = list(match.new_records)
    while (seat := match.to_act) is not None:
        if with_cuts and match.deal_key.reseal_code is None and len(match.history) > _RECORDS_BEFORE_RESEAL:
            match = match.reseal(match_id)
            records.extend(match.new_records)
            match = match.cut(Seat(seat_count - 1), *rng.choices(CUT_WORDS, k=2))
            records.extend(match.new_records)
        turn = newest_turn(match.history)
        undo = None if turn is None else match.possible_undo(turn.seat)
        if undo is not None and undo.is_free and not rng.randrange(_CHOICES_PER_UNDO):
            match = match.undo(match.history[undo.kept_length].actor, undo.kept_length)
        else:
            match = match.play(seat, COMPUTER_PLAYERS[player].choose(game, match.view(seat), rng))
        records.extend(match.new_records)
    return make_match_file(
        match, records, match_id, fairness_code=make_fairness_code(match_id, seed), seed=seed
    )


def annotate(file: MatchFile) -> str:
    """Return the match file with all that could be observed of each record as comments below the record."""
    observed = _observe(file)
    lines: list[str] = []
    comments: list[str] = []
    for line in write_match_file(file).splitlines():
        if not line.startswith(DRAW_MARK):
            lines += comments
            comments = []
        lines.append(line)
        if line.partition(".")[0].isdigit():
            comments = [f"#   {comment}" for comment in next(observed)]
    return "\n".join(lines + comments) + "\n"


def _observe(file: MatchFile) -> Iterator[list[str]]:
    """Yield for each record the digest, the status, and what each viewer read."""
    game, seat_count = file.game, file.seat_count
    match = replay_match(file)
    names = NAMES[:seat_count]
    viewers = (None, *(Seat(seat) for seat in range(seat_count)))
    states: list[Any] = [game.initial_state(seat_count, file.options)]
    for record in file.records:
        before = states[-1]
        if isinstance(record.action, Undo):
            del states[record.action.kept_length + 1 :]
        elif not isinstance(record.action, Cut | Reseal):
            states.append(_apply(game, before, record))
        after = states[-1]
        yield [
            f"{replace(match, state=after).digest()} {game.words.status(game.view(after, None), names)}",
            *(
                []
                if isinstance(record.action, ControlAction)
                else _narrations(game, before, record, after, viewers, names)
            ),
        ]
    assert replace(match, state=states[-1]).digest() == match.digest()


def _apply(game: AnyGame, state: Any, record: Record) -> Any:
    if isinstance(record.action, Resign):
        return game.resign(state, record.actor)
    return game.apply_action(state, record.action)


def _narrations(
    game: AnyGame,
    before: Any,
    record: Record,
    after: Any,
    viewers: tuple[Seat | None, ...],
    names: tuple[str, ...],
) -> Iterator[str]:
    """Yield the narration for a bystander, and for every seat that reads something else."""
    public = ""
    for viewer in viewers:
        seen: Action = record.action.seen_by(viewer, record.actor)
        views = game.view(before, viewer), game.view(after, viewer)
        text = game.words.narrate(views[0], record.actor, seen, views[1], names).text.replace("\n", " / ")
        if viewer is None:
            public = text
        elif text == public:
            continue
        if text:
            name = "all" if viewer is None else names[viewer]
            yield f"{name}: {text}" + (
                "" if viewer is None else f"  [{write_record(0, Record(record.actor, seen))[3:]}]"
            )


def record_again(game: AnyGame, path: Path) -> MatchFile | None:
    """Read a file; record a new game of its name if the rules no longer play its records.

    Returns None for a game that people played, which nothing can record again.
    """
    try:
        file = parse_match_file(path.read_text(encoding="utf-8"), RECORDED_RULES)
        replay_match(file)
        prove(file)
    except RulesError as error:
        seat_count, number, *name_parts = path.stem.split("-")
        if number == PLAYED_MARK:
            print(f"{path.name}: {error}; people played it: remove it or play another")
            return None
        player = name_parts.pop(0) if name_parts and name_parts[0] in COMPUTER_PLAYERS else DEFAULT_PLAYER
        with_cuts = name_parts[:1] == [CUTS_MARK]
        print(f"{path.name}: {error}; recorded again")
        return record_game(
            game,
            int(seat_count),
            " ".join(name_parts[1:] if with_cuts else name_parts),
            int(number),
            player,
            with_cuts=with_cuts,
        )
    return file


def main() -> None:
    """Record one golden game, or write all files of a game again."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("game", choices=RECORDED_RULES)
    parser.add_argument("--seats", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--options", default="")
    parser.add_argument("--player", choices=COMPUTER_PLAYERS, default=DEFAULT_PLAYER)
    parser.add_argument("--cuts", action="store_true", help="with cuts of the deck and a reseal")
    parser.add_argument("--again", action="store_true")
    arguments = parser.parse_args()
    game = RECORDED_RULES[arguments.game]
    files = {}
    if arguments.again:
        for path in golden_files(game):
            if (file := record_again(game, path)) is not None:
                files[path] = file
    else:
        seat_count = arguments.seats or game.player_counts[-1]
        player = [] if arguments.player == DEFAULT_PLAYER else [arguments.player]
        cuts = [CUTS_MARK] if arguments.cuts else []
        name = "-".join(map(str, (seat_count, arguments.seed, *player, *cuts, *arguments.options.split())))
        files[GOLDEN_FOLDER / game.key / f"{name}.txt"] = record_game(
            game, seat_count, arguments.options, arguments.seed, arguments.player, with_cuts=arguments.cuts
        )
    for path, file in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(annotate(file), encoding="utf-8")
        print(f"{path.relative_to(GOLDEN_FOLDER)}: {len(file.records)} records")


if __name__ == "__main__":
    main()
