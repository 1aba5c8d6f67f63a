"""One viewer's visit to a table in a server, and every request that reaches it meanwhile."""

import hashlib
import math
import random
from collections.abc import Awaitable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final, TypeAlias
from unittest.mock import patch

import msgspec

from bot import drawing
from bot.chat import history_pages
from bot.chat.components import parse_custom_id
from bot.host import game_calls
from bot.host.deciders import play
from bot.host.request import Refusal
from bot.host.table import Table
from bot.local.members import InteractionResult, Member
from bot.local.message_contents import controls, has_button
from bot.local.model import Message
from bot.store.rows import Status
from render.scene import Scene
from rules.model import Action, Seat
from rules.notation import fields_of, verb_of, write_action
from tests.bot.host.playing import request_of_person
from tests.bot.host.table_pairs import TYPED_MOVE_COUNT, TablePair, are_alike, choose_at_both, common_actions
from tests.bot.host.viewer_output import SceneHashAnimation
from tests.bot.trust.captured_requests import CapturedRequest
from tests.bot.trust.servers import BotServer

VisitStep: TypeAlias = tuple[str, list[CapturedRequest], list[CapturedRequest]]
"""What was done; what the bot then sent to the viewer; what it answered."""
PageButton: TypeAlias = tuple[list[Any], str]
"""The components of a page, and the custom id of one button among them."""

_LOOK_COMMANDS: Final[tuple[tuple[str, dict[str, Any]], ...]] = (
    ("board", {}),
    ("board", {"text": "true"}),
    ("hand", {}),
    ("log", {}),
    ("log", {"all": "true"}),
    ("help", {}),
    ("mygames", {}),
    ("stats", {"text": "true"}),
    ("leaderboard", {"game": "currents", "text": "true"}),
    ("table show", {}),
    ("history", {}),
    ("replay", {}),
    ("export", {}),
    ("resign", {}),
    ("forget", {}),
)
"""Commands that change nothing."""


@contextmanager
def hash_pictures() -> Iterator[None]:
    """Replace pictures by the hashes of their scenes: quick, and still distinguishable."""
    with (
        patch.object(drawing, "render_png", _hash_of),
        patch.object(drawing, "Animation", SceneHashAnimation),
        patch.object(history_pages, "PROGRESS_INTERVAL", math.inf),
    ):
        yield


def _hash_of(scene: Scene) -> bytes:
    return hashlib.sha256(msgspec.msgpack.encode(scene)).digest()


@dataclass(frozen=True)
class VisitLimits:
    """How much a visit does at most."""

    max_pages: int
    """Pages of the panel that are opened."""
    max_choices: int
    max_refused_moves: int = TYPED_MOVE_COUNT
    """Texts typed that are no legal move."""


@dataclass(frozen=True)
class VisitPlan:
    """What a visit does, at both tables of a pair."""

    viewer: Seat | None
    to_act: Seat
    max_pages: int
    refused_moves: tuple[str, ...]
    """Texts that are no legal move of the viewer's."""
    choices: tuple[Action, ...]
    """They are made one by one, each at the table as it is now."""
    seed: float


def plan_visit(pair: TablePair, limits: VisitLimits, rng: random.Random) -> VisitPlan:
    """Return a plan for a pair, made from the first table, with choices that show the viewer the same."""
    to_act = pair.real.to_act
    assert to_act is not None
    choices = []
    common = common_actions(pair)
    for action in rng.sample(common, min(limits.max_choices, len(common))):
        decisions = choose_at_both(pair, write_action(action))
        if decisions is not None and are_alike([each.table for each in decisions], pair.viewer):
            choices.append(action)
    refused_moves = [text for text in pair.typed_moves if _is_refused(pair, text)]
    return VisitPlan(
        viewer=pair.viewer,
        to_act=to_act,
        max_pages=limits.max_pages,
        refused_moves=tuple(refused_moves[: limits.max_refused_moves]),
        choices=tuple(choices),
        seed=rng.random(),
    )


def _is_refused(pair: TablePair, text: str) -> bool:
    if pair.viewer is None:
        return True
    try:
        play.play_typed_line(pair.real, request_of_person(pair.viewer, interaction=1), text)
    except Refusal:
        return True
    return False


def _path_tokens(table: Table, seat: Seat, action: Action) -> list[str]:
    """Return the path of an action in the panel."""
    paths = game_calls.action_paths(table, seat)
    return next(list(tokens) for tokens, each in paths.items() if each.action == action)


class Visit:
    """A viewer's visit to one table of a pair."""

    def __init__(self, server: BotServer, table: Table, plan: VisitPlan) -> None:
        """``table``: one of the pair's."""
        self._server, self._table, self._plan = server, table, plan
        self._rng = random.Random(plan.seed)
        self._member = server.person(plan.viewer)
        self.steps: list[VisitStep] = []

    async def run(self) -> list[VisitStep]:
        """Look at everything, try what is not allowed, see the choices made; return the steps."""
        self._server.use_endpoints()
        await self._place_table()
        await self._run_look_commands()
        await self._press_buttons()
        await self._browse_panel()
        await self._request_suggestions()
        for text in self._plan.refused_moves:
            await self._perform(
                f"/play {text}", self._member.command("play", at_once="true", move=text or " ")
            )
        await self._ask_for_undo()
        for action in self._plan.choices:
            await self._see_choice(action)
        return self.steps

    async def _place_table(self) -> None:
        await self._server.place_table(self._table, self._plan.viewer)
        self._record_step("table placed")

    def _record_step(self, name: str) -> None:
        self.steps.append((name, *self._server.recorder.take_captured()))

    async def _perform(self, name: str, work: Awaitable[InteractionResult]) -> InteractionResult:
        outcome = await self._wait_for_outcome(work)
        self._record_step(name)
        return outcome

    async def _wait_for_outcome(self, work: Awaitable[InteractionResult]) -> InteractionResult:
        self._server.count_interaction()
        outcome = await work
        await self._server.wait_until_idle()
        return outcome

    async def _run_look_commands(self) -> None:
        for name, options in _LOOK_COMMANDS:
            await self._perform(f"/{name} {options}", self._member.command(name, **options))

    async def _press_buttons(self) -> None:
        board = self._server.board()
        assert has_button(board, "My hand") == bool(self._table.game.hidden_information)
        if self._table.game.hidden_information:
            await self._perform("My hand", self._member.press(board, "My hand"))
        more_page = (await self._perform("More", self._member.press(board, "More"))).message
        for label in ("What happened", "Show as text", "Read the rules"):
            await self._perform(label, self._member.press(more_page, label))
        if has_button(more_page, "Resign"):
            await self._perform("Resign", self._member.press(more_page, "Resign"))

    # The panel --------------------------------------------------------------------------------------

    async def _browse_panel(self) -> None:
        """Open pages of the panel in any order, from Play on, without making a choice."""
        panel = (await self._perform("Play", self._member.press(self._server.board(), "Play"))).message
        if has_button(panel, "Type a move"):
            form = await self._perform("Type a move", self._member.press(panel, "Type a move"))
            await self._perform("typed", self._member.submit(form, {"": "no such move"}))
        untried_buttons = self._find_buttons(panel)
        seen_buttons = {button[1:] for button in untried_buttons}
        for _ in range(self._plan.max_pages):
            if not untried_buttons:
                break
            button = untried_buttons.pop(self._rng.randrange(len(untried_buttons)))
            page = (await self._perform(button[1], self._press(self._member, panel, button))).message
            new_buttons = [each for each in self._find_buttons(page) if each[1:] not in seen_buttons]
            seen_buttons |= {button[1:] for button in new_buttons}
            untried_buttons += new_buttons

    def _find_buttons(self, page: Message) -> list[PageButton]:
        """Return what can be pressed on a page and is not final."""
        buttons = []
        for control in controls(page):
            custom_id = parse_custom_id(control.get("custom_id", ""))
            if custom_id is None or control.get("disabled"):
                continue
            if custom_id.verb in {"step", "page"}:
                buttons.append((page.components, control["custom_id"]))
        return buttons

    def _press(self, member: Member, panel: Message, button: PageButton) -> Awaitable[InteractionResult]:
        """Press something on a page that was shown earlier: a client may still show it."""
        panel.components, custom_id = button
        return member.press(panel, custom_id=custom_id)

    # Suggestions ------------------------------------------------------------------------------------

    async def _request_suggestions(self) -> None:
        """Complete every field of the game's commands, empty and after the others, and one other command."""
        for typed in ("", "a", "1"):
            await self._autocomplete("play", "move", typed)
        await self._autocomplete("rules", "topic", "")
        await self._autocomplete(self._rng.choice(("log", "undo", "table show")), "table", "")
        game, match = self._table.game, self._table.match
        assert match is not None
        legal = () if self._plan.viewer is None else match.legal_actions(self._plan.viewer)
        for kind in game.words.verb_texts:
            filled_in: dict[str, Any] = {}
            actions_of_kind = [action for action in legal if type(action) is kind]
            chosen = self._rng.choice(actions_of_kind) if actions_of_kind else None
            for field in fields_of(kind):
                await self._autocomplete(f"{game.key} {verb_of(kind)}", field.name, "", **filled_in)
                if chosen is not None and getattr(chosen, field.name) is not None:
                    filled_in[field.name] = field.write(getattr(chosen, field.name))

    async def _autocomplete(self, command: str, option: str, typed: str, **options: Any) -> None:
        await self._member.autocomplete(command, option, typed, **options)
        self._record_step(f"/{command} {option}: {typed} {options}")

    # Choices ----------------------------------------------------------------------------------------

    async def _ask_for_undo(self) -> None:
        """Let a seat or the viewer ask for an undo; the viewer answers the question if there is one."""
        seats = [Seat(seat) for seat in range(len(self._table.seats))]
        asker = self._server.person(self._rng.choice([*seats, self._plan.viewer]))
        page = (await self._perform("/undo", asker.command("undo"))).message
        if has_button(page, "Ask to undo"):
            await self._perform("Ask to undo", asker.press(page, "Ask to undo"))
        questions = [
            each for each in self._server.channel.messages.values() if has_button(each, "Allow undo")
        ]
        if questions:
            label = self._rng.choice(("Allow undo", "Decline"))
            await self._perform(label, self._member.press(questions[-1], label))

    async def _see_choice(self, action: Action) -> None:
        """Let the seat to act choose; then look at everything again."""
        await self._server.end_table()
        await self._place_table()
        choose = self._rng.choice((self._type_move, self._choose_in_panel, self._choose_by_command))
        await choose(action)
        table = await self._server.table()
        assert table.row.ply > self._table.row.ply, "the choice was not made"
        await self._perform("/board", self._member.command("board"))
        await self._perform("/hand", self._member.command("hand"))
        if table.status is Status.PLAYING:
            await self._perform("Play", self._member.press(self._server.board(), "Play"))
        await self._autocomplete("play", "move", "")

    async def _type_move(self, action: Action) -> None:
        member = self._server.person(self._plan.to_act)
        await self._perform(
            f"typed {write_action(action)}", member.command("play", at_once="true", move=write_action(action))
        )

    async def _choose_by_command(self, action: Action) -> None:
        member = self._server.person(self._plan.to_act)
        options: dict[str, Any] = {
            field.name: field.write(getattr(action, field.name))
            for field in fields_of(type(action))
            if field.is_tuple or getattr(action, field.name) is not None
        }
        name = f"{self._table.game.key} {verb_of(type(action))}"
        page = (await self._perform(f"/{name} {options}", member.command(name, **options))).message
        if has_button(page, "Play it"):
            await self._perform("Play it", member.press(page, "Play it"))

    async def _choose_in_panel(self, action: Action) -> None:
        """Press through the panel, by what it offers, to the choice.

        One step, however many presses: another's panel is theirs, and its length may hang on their hand.
        """
        member = self._server.person(self._plan.to_act)
        tokens = _path_tokens(self._table, self._plan.to_act, action)
        panel = (await self._wait_for_outcome(member.press(self._server.board(), "Play"))).message
        ply = self._table.row.ply
        while (await self._server.table()).row.ply == ply:
            _, button = max(self._buttons_towards(panel, tokens, action), key=lambda each: each[0])
            await self._wait_for_outcome(self._press(member, panel, button))
        self._record_step(f"pressed {write_action(action)}")

    def _buttons_towards(
        self, page: Message, tokens: list[str], action: Action
    ) -> Iterator[tuple[int, PageButton]]:
        """Yield each button that leads to a choice, after the number of steps of its path that it covers.

        Next, which leads to a later page, covers none.
        """
        for control in controls(page):
            custom_id = parse_custom_id(control["custom_id"])
            if custom_id is None or control.get("disabled") or control.get("label") == "Back":
                continue
            argument_tokens = custom_id.argument.split()
            button = (page.components, control["custom_id"])
            if custom_id.verb == "do" and custom_id.argument == write_action(action):
                yield len(tokens) + 1, button
            elif custom_id.verb == "step" and tokens[: len(argument_tokens)] == argument_tokens:
                yield len(argument_tokens), button
            elif custom_id.verb == "page" and control["label"] == "Next":
                yield 0, button


def first_difference(steps: list[VisitStep], other_steps: list[VisitStep]) -> str | None:
    """Return where two visits differ; None if every request is alike."""
    for step, other_step in zip(steps, other_steps, strict=False):
        if step[0] != other_step[0]:
            return f"{step[0]} or {other_step[0]}"
        for direction, requests, other_requests in zip(
            ("sent", "answered"), step[1:], other_step[1:], strict=True
        ):
            if requests != other_requests:
                return f"{step[0]}: what was {direction}: {_excerpt(requests, other_requests)}"
    return None if len(steps) == len(other_steps) else "how much there was to do"


def _excerpt(requests: list[CapturedRequest], other_requests: list[CapturedRequest]) -> str:
    """Return the first request that differs, and a little around the place."""
    if len(requests) != len(other_requests):
        return f"{[each[:2] for each in requests]} or {[each[:2] for each in other_requests]}"
    text, other_text = next((str(a), str(b)) for a, b in zip(requests, other_requests, strict=True) if a != b)
    at = next((i for i, (a, b) in enumerate(zip(text, other_text, strict=False)) if a != b), 0)
    return (
        f"{requests[0][:2]} …{text[max(0, at - 80) : at + 80]}… or …{other_text[max(0, at - 80) : at + 80]}…"
    )
