"""All calls of a game go through ``bot.host.game_guard.GameGuard``: found by walking the code."""

import ast
import dataclasses
import itertools
from collections.abc import Collection, Iterator
from functools import cache
from inspect import isfunction
from pathlib import Path
from typing import Any, Final

import pytest

from bot.host.deciders import lobby, moderation, own_undo, play
from bot.host.game_guard import GameFault, GameGuard, guarded
from bot.host.loading import parse_records, unpack
from bot.host.request import Refusal
from bot.host.table import Table
from bot.store.protocol import StoreError
from rules.catalogue import GAMES
from rules.consequence import simulate_choice
from rules.errors import RulesError
from rules.game import Game
from rules.match import Match
from rules.matchfile import make_match_file, write_match_file
from rules.model import Action
from rules.notation import Notation, normalize_spelling, spellings_with
from rules.paths import index_paths, path_to
from rules.words import Words
from tests.trials import cases

BOT_FOLDER: Final = Path(__file__).parents[3] / "bot"
UNCHECKED_FOLDERS: Final = frozenset({"local", "store"})
"""Nothing here calls a game: the local stand-in of Discord, and the store, which knows no rules."""
ALREADY_GUARDED_MODULES: Final = frozenset(
    {
        "host/deciders/lobby.py",  # deciders: Tables runs each of them inside the guard
        "host/deciders/starting.py",
        "host/deciders/play.py",
        "host/deciders/moderation.py",
        "host/deciders/decision.py",
        "host/deciders/results.py",
        "summary.py",  # the bot calls it inside the guard
        "drawing.py",  # the drawing queue calls it inside the guard
        "host/loading.py",  # whatever fails there freezes the table or makes it rest
    }
)
ALREADY_GUARDED_FUNCTIONS: Final = {
    "host/table.py": {"_with_log", "with_match", "narrate"},
    "host/recent_log.py": {"log_start"},
    "host/table_turns.py": {"_finished_turns"},
    "host/game_calls.py": {"match_of"},
    "host/computers.py": {"_choose"},
    "host/rule_sources.py": {"replay_relevant_module_names"},
    "command_line.py": {"_draw_summary"},
    "operate/restored_tables.py": {"restore_table"},
}
"""Functions that are called inside a guard only: by deciders, and where a table is loaded.

``replay_relevant_module_names`` reads a game's functions, and calls none.
``restore_table`` runs in a command, and goes on without the match whatever unpacking raises.
``_draw_summary`` runs in a command too, on a file that has no table.
"""
NO_NAMES: Final[frozenset[str]] = frozenset()


def function_names_of(record: type[Any]) -> set[str]:
    """Return the names of the fields of a record that are functions."""
    return {
        field.name
        for field in dataclasses.fields(record)
        if str(field.type).startswith("collections.abc.Callable")
    }


ATTRIBUTES_TO_GUARD: Final = {
    "words": function_names_of(Words),
    "action": {Action.spellings.__name__},
    "game": function_names_of(Game) | {name for name, value in vars(Game).items() if isfunction(value)},
    "Match": {name for name, value in vars(Match).items() if isinstance(value, classmethod)},
    "match": {
        name
        for name, value in vars(Match).items()
        if not name.startswith("_")
        and name != "resigned_seats"
        and (callable(value) or isinstance(value, property))
    },
}
"""What of a variable or an attribute of this name may be used inside a guard only."""
NAMES_TO_GUARD: Final = frozenset(
    {
        "PICTURES",
        "choose",
        Notation.__name__,
        Table.with_match.__name__,
        path_to.__name__,
        index_paths.__name__,
        normalize_spelling.__name__,
        simulate_choice.__name__,
        spellings_with.__name__,
        parse_records.__name__,
        unpack.__name__,
        write_match_file.__name__,
    }
)
"""What may be used inside a guard only, whatever it is called on."""
DATA_ONLY_FUNCTIONS: Final = frozenset(
    {
        "early_end_seed_text",
        "status_refusal_text",
        "require_playing_seat",
        "require_option_rights",
        "seed_text",
    }
)
"""Functions beside the deciders that look at stored rows and never at the game."""
DECIDERS: Final = {
    module.__name__.rpartition(".")[2]: {name for name, value in vars(module).items() if isfunction(value)}
    - DATA_ONLY_FUNCTIONS
    for module in (lobby, moderation, own_undo, play)
}
"""The functions that ``Tables`` calls, by module: elsewhere they are only bound or handed on."""
DECIDER_TAKERS: Final = frozenset({"change", "open", "open_rematch", "take_seat"})
"""The methods of ``Tables`` that take a decider."""
DATA_NODES: Final = (ast.Compare, ast.Assert, ast.Attribute, ast.BoolOp, ast.UnaryOp)
"""Where a match or words may stand: ``x.match is None``, ``x.match.history``."""


def _name_of(node: ast.AST | None) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _owner_name(node: ast.Attribute) -> str:
    """Return whose attribute it is; an item of ``games`` is a game."""
    if isinstance(node.value, ast.Subscript) and _name_of(node.value.value).strip("_").lower() == "games":
        return "game"
    return _name_of(node.value)


def _calls_decider(node: ast.AST) -> bool:
    func = node.func if isinstance(node, ast.Call) else None
    return isinstance(func, ast.Attribute) and func.attr in DECIDERS.get(_name_of(func.value), ())


def _is_guarded(node: ast.AST, parent: ast.AST) -> bool:
    if isinstance(node, ast.Lambda):
        return isinstance(parent, ast.Call) and _name_of(parent.func) in DECIDER_TAKERS
    if isinstance(node, ast.With | ast.AsyncWith):
        calls = [item.context_expr for item in node.items]
        return any(isinstance(call, ast.Call) and _name_of(call.func) == GameGuard.__name__ for call in calls)
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        decides = node.returns is not None and ast.unparse(node.returns).startswith("Decision")
        return decides or any(_name_of(each) == guarded.__name__ for each in node.decorator_list)
    return False


def _renames_part_of_game(node: ast.AST, parent: ast.AST) -> bool:
    """Return whether a game, its words or a match may get another name here, which would hide its calls."""
    if isinstance(node, ast.Attribute):
        is_renamed_game = (
            node.attr == "game"
            and _name_of(node.value) != "namespace"  # what a user has typed
            and isinstance(parent, ast.Assign | ast.NamedExpr | ast.AnnAssign)
        )
        is_whole = (
            is_renamed_game
            or node.attr == "match"
            or (node.attr == "words" and _name_of(node.value) == "game")
        )
    else:
        is_whole = isinstance(node, ast.Name) and node.id == "match" and isinstance(parent, ast.Call)
    keeps_name = isinstance(parent, ast.Assign) and [_name_of(target) for target in parent.targets] == [
        _name_of(node)
    ]
    return is_whole and not keeps_name and not isinstance(parent, DATA_NODES)


def _is_named_games(node: ast.AST) -> bool:
    return _name_of(node).strip("_").lower() == "games"


def _renames_in_tuple(node: ast.AST) -> bool:
    """Return whether a tuple gives a game another name."""
    return (
        isinstance(node, ast.Assign)
        and isinstance(node.value, ast.Tuple | ast.List)
        and any(isinstance(each, ast.Attribute) and each.attr == "game" for each in node.value.elts)
    )


def _renames_in_loop(node: ast.AST) -> bool:
    """Return whether a loop over games calls each of them anything but ``game``."""
    if not isinstance(node, ast.For | ast.AsyncFor | ast.comprehension):
        return False
    call = node.iter
    if not (
        isinstance(call, ast.Call)
        and isinstance(call.func, ast.Attribute)
        and call.func.attr in {"values", "items"}
        and _is_named_games(call.func.value)
    ):
        return False
    names = [_name_of(each) for each in node.target.elts] if isinstance(node.target, ast.Tuple) else []
    return [_name_of(node.target), *names][-1] != "game"


def _looks_up_attribute(node: ast.AST) -> bool:
    """Return whether ``getattr`` takes a function of a game by its name."""
    if not (isinstance(node, ast.Call) and _name_of(node.func) == "getattr" and node.args):
        return False
    owner = node.args[0]
    return (
        _name_of(owner) in ATTRIBUTES_TO_GUARD
        or (isinstance(owner, ast.Subscript) and _is_named_games(owner.value))
    ) and _name_of(owner) not in {"match", "words"}  # these are found as handed on


def _imports_game(node: ast.AST) -> bool:
    """Return whether one game's own rules or pictures are imported."""
    modules = [each.name for each in node.names] if isinstance(node, ast.Import | ast.ImportFrom) else []
    if isinstance(node, ast.ImportFrom):
        modules = [f"{node.module}.{name}" for name in modules]
    return any(module.startswith((f"render.{key}", f"rules.{key}")) for module in modules for key in GAMES)


def _hides_game(node: ast.AST) -> bool:
    return (
        _renames_in_tuple(node) or _renames_in_loop(node) or _looks_up_attribute(node) or _imports_game(node)
    )


def find_unguarded(tree: ast.AST, allowed: Collection[str] = NO_NAMES) -> Iterator[str]:
    """Yield every call of a game that stands in no guard, and every handing on of one's words or match."""
    for node in ast.iter_child_nodes(tree):
        if _is_guarded(node, tree) or (
            isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name in allowed
        ):
            continue
        called = isinstance(node, ast.Attribute) and node.attr in ATTRIBUTES_TO_GUARD.get(
            _owner_name(node), ()
        )
        called = called or (isinstance(node, ast.Name) and node.id == make_match_file.__name__)
        called = called or _name_of(node) in NAMES_TO_GUARD or _calls_decider(node)
        if called or _renames_part_of_game(node, tree) or _hides_game(node):
            yield f"line {vars(node).get('lineno', '?')}: {ast.unparse(node)}"
        yield from find_unguarded(node, allowed)


def _checked_modules() -> list[str]:
    names = [path.relative_to(BOT_FOLDER).as_posix() for path in sorted(BOT_FOLDER.rglob("*.py"))]
    return [
        name
        for name in names
        if name.split("/")[0] not in UNCHECKED_FOLDERS and name not in ALREADY_GUARDED_MODULES
    ]


CHECKED_MODULES: Final = _checked_modules()


@cache
def parse_module(module_name: str) -> ast.Module:
    """Return a module of the bot; parsed when it is needed, not in every worker."""
    return ast.parse((BOT_FOLDER / module_name).read_text(encoding="utf-8"))


@pytest.mark.parametrize("module_name", CHECKED_MODULES)
def test_no_game_is_called_outside_the_guard(module_name: str) -> None:
    """Each call of a game's rules, words or pictures stands in a guard or in a decider."""
    assert (
        list(find_unguarded(parse_module(module_name), ALREADY_GUARDED_FUNCTIONS.get(module_name, NO_NAMES)))
        == []
    )


PLANTED_CALLS: Final = (
    "table.game.words.status(view, table.names)",
    "table.match.view(None)",
    "if table.match.is_over: pass",
    "game.legal_actions(view)",
    "PICTURES[table.game.key][name].draw(view, context)",
    "Notation(table.game)",
    "said = table.game.words",
    "said(table.match)",
    "current = table.match",
    "g = table.game",
    "games[key].legal_actions(view)",
    "self._games[row.game_key].player_counts_with(options)",
    "table.game.player_counts_with(table.options)",
    "Match.replay(kind, 2, options, seed, records)",
    "Match.from_snapshot(kind, 2, options, seed, records, snapshot)",
    "Match.begin(kind, 2, options, seed)",
    "play.parse_typed_actions(table, seat, text)",
    "lobby.start(table, request, is_channel_busy=False)",
    "moderation.roll_back(table, request, 3)",
    "later = lambda: moderation.roll_back(table, request, 3)",
    "table.with_match(played)",
    "parse_records(kind, rows)",
    "unpack(stored, kinds)",
    "make_match_file(played, records, name)",
    "path_to(kind, view, action, names)",
    "index_paths(kind, view, legal, names)",
    "simulate_choice(kind, state, action, stream)",
    "spellings_with(legal, texts)",
    "normalize_spelling(parsed_action, legal)",
    "[spelling for action in legal for spelling in action.spellings()]",
    "COMPUTER_PLAYERS[name].choose(kind, view, rng)",
    "getattr(table.game, name)(view)",
    "getattr(games[key], name)(view)",
    "getattr(table.match, name)()",
    "g, key = table.game, table.game.key",
    "for kind in games.values(): kind.view(state, None)",
    "for key, kind in self._games.items(): kind.view(state, None)",
    "[kind.view(state, None) for kind in GAMES.values()]",
    "from render.oceans.layout import board",
    "import render.currents.layout",
)
"""Calls of a game that must stand in a guard."""


@cache
def _planted_function(call: str) -> list[ast.stmt]:
    return ast.parse(f"async def planted(table, game, view, caption):\n    {call}\n").body


@pytest.mark.parametrize("planted", PLANTED_CALLS)
def test_a_planted_call_is_found(planted: str) -> None:
    """Sensitivity: a call outside a guard is found, inside it is not."""
    assert len(list(find_unguarded(ast.Module(_planted_function(planted), [])))) == 1
    inside = ast.parse(f"with GameGuard(1):\n    {planted}\n")
    assert list(find_unguarded(inside)) == []


@pytest.mark.parametrize("module_name", cases(CHECKED_MODULES, *CHECKED_MODULES[::5]))
def test_planted_calls_are_found_in_every_module(module_name: str) -> None:
    """Sensitivity: no name that a module defines or imports hides a call."""
    module_with_calls = ast.Module(
        [*parse_module(module_name).body, *itertools.chain(*map(_planted_function, PLANTED_CALLS))], []
    )
    assert len(
        list(find_unguarded(module_with_calls, ALREADY_GUARDED_FUNCTIONS.get(module_name, NO_NAMES)))
    ) == len(PLANTED_CALLS)


@pytest.mark.parametrize("error", [Refusal("no"), StoreError("full"), GameFault(3), MemoryError(), OSError()])
def test_what_is_no_fault_of_a_game_passes(error: Exception) -> None:
    """A refusal, a fault of the store or the machine, and a typed fault come out of the guard as they are."""
    with pytest.raises(type(error)) as raised, GameGuard(7):
        raise error
    assert raised.value is error


@pytest.mark.parametrize("error", [KeyError("x"), RulesError("no"), AssertionError(), RecursionError()])
def test_a_fault_of_a_game_names_its_table(error: Exception) -> None:
    """Everything else is a GameFault with the table's number and its cause."""
    with pytest.raises(GameFault) as raised, GameGuard(7):
        raise error
    assert raised.value.table_number == 7
    assert raised.value.__cause__ is error
