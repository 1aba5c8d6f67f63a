"""Presses per turn: a fixed corpus of games, played through the real panel.

A press of a button counts 1, and so do a confirmation and the first Play.  A turn is one seat's
uninterrupted series of choices; answers in another player's turn are counted apart.
"""

import random
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from bot.chat.components import Button
from bot.chat.hand_posts import hand_post
from bot.chat.panel_posts import panel_page
from bot.chat.post_parts import Post
from bot.host import game_calls
from bot.host.table import Table
from rules.arctic_cleanup.actions import CARD_BY_OPERATION, PlaceFactory, PlaceShip, PlayWithoutEffect
from rules.australis.actions import ChooseTile, TakeDie
from rules.australis.components import FACE_FACTS, Colour
from rules.australis.forecast import activated_cards
from rules.catalogue import GAMES
from rules.current_affairs.actions import Sail
from rules.current_affairs.components import REGIONS
from rules.match import Match
from rules.matchfile import parse_match_file, replay_match
from rules.model import Action, Seat
from rules.notation import write_action
from rules.players import COMPUTER_PLAYERS
from tests.bench.measurements import Reporter
from tests.bot.chat.post_components import components_by_row
from tests.bot.chat.sample_tables import make_table
from tests.conformance.setups import GameSetup, setups_for_each_seat_count
from tests.golden.record import RECORDED_RULES, golden_files

GAMES_PER_SETUP: Final = 10
_MAX_PRESSES: Final = 30

FROM_HAND: Final = "from the hand message"
TARGETS: Final[Mapping[str, tuple[int, int, int]]] = {
    "currents": (4, 4, 6),
    f"currents {FROM_HAND}": (3, 3, 5),
    "oceans before the Cambrian Explosion": (4, 8, 13),
    "oceans after the Cambrian Explosion": (8, 12, 20),
    "australis without cards": (3, 4, 4),
    "australis with cards": (6, 6, 6),
    "current_affairs without port": (4, 4, 4),
    "current_affairs with port": (8, 9, 10),
    "arctic_cleanup plan of five": (10, 12, 12),
    "arctic_cleanup move of three": (5, 6, 6),
    "arctic_cleanup load of three": (5, 6, 6),
}
"""Kind of turn -> the most presses at the median, p90 and p99."""


def _kind_of_turn(key: str, view: Any, action: Any) -> str:
    """Name the kind of a turn, from its first choice and the view at it."""
    position = view.position
    if key == "arctic_cleanup":
        return f"{key} {_kind_of_arctic_cleanup_turn(action)}"
    if key == "current_affairs":
        return f"{key} {_kind_of_current_affairs_turn(action)}"
    if key == "australis":
        return f"{key} {_kind_of_australis_turn(view, action)}"
    if getattr(position, "current_player", view.viewer) != view.viewer:
        return f"{key}: answers in others' turns"
    if key == "oceans":
        return f"{key} {'after' if position.cambrian_happened else 'before'} the Cambrian Explosion"
    return key


def _kind_of_current_affairs_turn(action: Any) -> str:
    """Name where a ship goes: to a port or not; or a choice of the set-up."""
    if not isinstance(action, Sail):
        return "set-up"
    return "without port" if REGIONS[action.region].port is None else "with port"


def _kind_of_arctic_cleanup_turn(action: Any) -> str:
    """Name the card that is played, or a choice of the set-up."""
    if isinstance(action, PlaceFactory | PlaceShip):
        return "set-up"
    card = action.card if isinstance(action, PlayWithoutEffect) else CARD_BY_OPERATION[type(action)]
    return str(card.value)


_MEASURED_LENGTHS: Final = {
    "arctic_cleanup plan": (5, "of five"),
    "arctic_cleanup move": (3, "of three"),
    "arctic_cleanup load": (3, "of three"),
}
"""Kinds of turns with a target for so many operations."""


def _with_length(kind: str, choice_count: int) -> str:
    """Add how many operations a turn had, where there is a target for them; its last choice ends it."""
    operation_count, text = _MEASURED_LENGTHS.get(kind, (0, ""))
    return f"{kind} {text}" if operation_count and operation_count == choice_count - 1 else kind


def _kind_of_australis_turn(view: Any, action: Any) -> str:
    """Name what a die brings: cards to pick or kept cards, or neither; or the choice of a tile."""
    if isinstance(action, ChooseTile):
        return "tiles"
    die = action.die if isinstance(action, TakeDie) else view.position.active_die  # the last one was forced
    colour = FACE_FACTS[die].colour
    with_cards = colour is Colour.WHITE or activated_cards(view.position.boards[view.viewer], colour)
    return "with cards" if with_cards else "without cards"


def _begins_turn(action: Action) -> bool:
    """Whether a choice begins a turn even if the same seat chose before: a die or tile of Australis."""
    return isinstance(action, TakeDie | ChooseTile)


@dataclass(frozen=True)
class MeasuredTurn:
    """One turn of a seat and what it costs."""

    kind: str
    press_count: int
    """After the first Play."""
    can_begin_at_hand: bool
    """Whether the hand message could begin it."""


def count_presses(table: Table, seat: Seat, action: Action, first_post: Post | None = None) -> int:
    """Return how many presses lead through the panel to an action.  ``first_post``: where they begin."""
    goal_path = _path_text(table, seat, action)
    post = panel_page(table, seat).post if first_post is None else first_post
    chosen_path = ""
    for count in range(1, _MAX_PRESSES):
        pressed = _next_press(post, write_action(action), goal_path, chosen_path)
        if pressed is None:
            break
        if pressed.custom_id.verb == "do":
            return count
        page, _, panel_path = (
            pressed.custom_id.argument.partition(" ") if pressed.custom_id.verb == "page" else ("0", "", "")
        )
        if pressed.custom_id.verb == "step":
            chosen_path = panel_path = pressed.custom_id.argument
        post = panel_page(table, seat, panel_path, int(page)).post
    raise AssertionError(f"{write_action(action)} is not reached")


def _path_text(table: Table, seat: Seat, action: Action) -> str:
    """Return the path that leads through the panel to an action, as its buttons carry it."""
    paths = game_calls.action_paths(table, seat).items()
    return next(" ".join(tokens) for tokens, each in paths if each.action == action)


def _next_press(post: Post, notation: str, goal_path: str, chosen_path: str) -> Button | None:
    """Return the button that leads to the action, to what begins it or to the next page, if there is one."""
    components = [component for row in components_by_row(post) for component in row]
    buttons = [
        component for component in components if isinstance(component, Button) and not component.disabled
    ]
    for button in buttons:
        if button.custom_id.verb == "do" and button.custom_id.argument == notation:
            return button
    steps = [
        button
        for button in buttons
        if button.custom_id.verb == "step"
        and len(button.custom_id.argument) > len(chosen_path)
        and f"{goal_path} ".startswith(f"{button.custom_id.argument} ")
    ]
    if steps:
        return max(steps, key=lambda button: len(button.custom_id.argument))
    return next((button for button in buttons if button.label == "Next"), None)


def turns_of(setup: GameSetup, choices: Iterable[tuple[Match, Seat, Action]]) -> Iterator[MeasuredTurn]:
    """Yield the turns of a game from its choices, each with the match before it."""
    kind, press_count, choice_count, can_begin_at_hand, actor = "", 0, 0, False, None
    for match, seat, action in choices:
        table = make_table(setup, match)
        if seat != actor or _begins_turn(action):
            if actor is not None:
                yield MeasuredTurn(_with_length(kind, choice_count), press_count, can_begin_at_hand)
            kind, press_count, choice_count = _kind_of_turn(setup.game.key, match.view(seat), action), 0, 0
            actor = seat
            can_begin_at_hand = _can_begin_at_hand(table, seat, action)
        press_count += count_presses(table, seat, action)
        choice_count += 1
    if actor is not None:
        yield MeasuredTurn(_with_length(kind, choice_count), press_count, can_begin_at_hand)


def _can_begin_at_hand(table: Table, seat: Seat, action: Action) -> bool:
    """Whether the private message leads to the action with as many presses as the panel."""
    if not table.game.hidden_information:
        return False
    post = hand_post(table, seat)
    if _next_press(post, write_action(action), _path_text(table, seat, action), "") is None:
        return False  # it has the usual choices only, or none
    return count_presses(table, seat, action, post) == count_presses(table, seat, action)


def golden_choices(setup: GameSetup, match: Match) -> Iterator[tuple[Match, Seat, Action]]:
    """Yield the choices that count in a recorded game."""
    for index, record in enumerate(match.history):
        if record.is_choice and isinstance(record.action, setup.game.action_types):
            yield match.at_length(index), record.actor, record.action


def played_choices(setup: GameSetup, player: str, game_number: int) -> Iterator[tuple[Match, Seat, Action]]:
    """Yield the choices of a seeded game of computer players."""
    rng = random.Random(f"taps/{setup}/{player}/{game_number}")
    game, choose = setup.game, COMPUTER_PLAYERS[player].choose
    match = Match.begin(game, setup.seat_count, setup.options, rng.randbytes(32))
    while (seat := match.to_act) is not None:
        action = choose(game, match.view(seat), rng)
        yield match, seat, action
        match = match.play(seat, action)


def corpus_turns(key: str, games_per_setup: int) -> Iterator[MeasuredTurn]:
    """Yield every turn of a game's corpus: golden games, and ``games_per_setup`` of each computer player."""
    game = GAMES[key]
    for path in golden_files(game):
        match = replay_match(parse_match_file(path.read_text(encoding="utf-8"), RECORDED_RULES))
        setup = GameSetup(game, match.seat_count, match.options)
        yield from turns_of(setup, golden_choices(setup, match))
    for setup in setups_for_each_seat_count(game):
        for player in COMPUTER_PLAYERS:
            for game_number in range(games_per_setup):
                yield from turns_of(setup, played_choices(setup, player, game_number))


def presses_by_kind(turns: Iterable[MeasuredTurn]) -> dict[str, list[int]]:
    """Return the sorted presses of each kind of turn: from the board, and where possible from the hand."""
    by_kind: defaultdict[str, list[int]] = defaultdict(list)
    for turn in turns:
        by_kind[turn.kind].append(turn.press_count + 1)
        if turn.can_begin_at_hand:
            by_kind[f"{turn.kind} {FROM_HAND}"].append(turn.press_count)
    return {kind: sorted(presses) for kind, presses in sorted(by_kind.items())}


def quantiles(presses: list[int]) -> tuple[int, int, int]:
    """Return the median, p90 and p99 of sorted numbers."""

    def at(share: float) -> int:
        return presses[min(len(presses) - 1, int(len(presses) * share))]

    return at(0.5), at(0.9), at(0.99)


def print_presses(games_per_setup: int, report: Reporter = print) -> None:
    """Print the presses per turn of every game."""
    for key in GAMES:
        for kind, presses in presses_by_kind(corpus_turns(key, games_per_setup)).items():
            median, p90, p99 = quantiles(presses)
            target = TARGETS.get(kind)
            target_text = "" if target is None else f", at most {target[0]} / {target[1]} / {target[2]}"
            report(
                f"{kind}: {median} / {p90} / {p99} presses (median / p90 / p99{target_text}), "
                f"{presses[-1]} at most, {len(presses)} turns"
            )
