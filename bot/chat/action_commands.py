"""One command group per game, one subcommand per kind of action, made from the action types alone."""

import inspect
from collections.abc import Iterator, Sequence
from typing import Any, Final, Optional

from discord import app_commands

from bot import limits
from bot.chat.command_tree import TABLE_OPTION_HINT, Command, Suggester, safe_autocomplete, suggest_tables
from bot.chat.interaction import Interaction, request_of, table_option_of
from bot.chat.lookup import resolve_started_table, resolve_table
from bot.chat.panel import play_or_confirm
from bot.chat.respond import with_response
from bot.chat.response import Response
from bot.chat.typed_pages import replace_earlier_page
from bot.host import game_calls
from bot.host.deciders import play
from bot.host.deciders.decision import Decision
from bot.host.game_guard import GameGuard, guarded
from bot.host.request import Refusal, Request
from bot.host.table import Table
from rules.game import AnyGame
from rules.model import Action, Seat
from rules.notation import ABSENT_MARK, fields_of, normalize_spelling, spellings_with, verb_of
from rules.text import shortened

_TABLE_OPTION: Final = "table"


def action_command_group(game: AnyGame) -> app_commands.Group:
    """Return the group with the commands of one game."""
    group = app_commands.Group(
        name=game.key, description=shortened(f"Play {game.title}", limits.COMMAND_DESCRIPTION)
    )
    for action_type in game.words.verb_texts:
        group.add_command(_action_command(game, action_type))
    return group


def _action_command(game: AnyGame, action_type: type[Action]) -> Command:
    verb_texts = game.words.verb_texts[action_type]
    fields = fields_of(action_type)

    async def play_command(response: Response, /, **options: Any) -> None:
        tables, request, number = response.tables, response.request, options.pop(_TABLE_OPTION, None)
        typed_options = {name: str(value) for name, value in options.items() if value is not None}
        target = await resolve_started_table(tables, request, number, needs_seat=True)

        def read_actions(table: Table, seat: Seat) -> Sequence[Action]:
            with GameGuard(table.number):
                return (_typed_action(table, game, action_type, seat, typed_options),)

        def decide(table: Table, ply: int) -> Decision:
            return _play_decision(table, game, action_type, request, typed_options, ply)

        await play_or_confirm(tables, response, request, target.number, read_actions, decide)
        await replace_earlier_page(response, target)

    # discord.py reads the options off the signature, and inspect takes this attribute for it
    vars(play_command)["__signature__"] = inspect.Signature(list(_parameters(action_type)))
    command: Command = app_commands.Command(
        name=verb_of(action_type),
        description=shortened(verb_texts.hint, limits.COMMAND_DESCRIPTION),
        callback=with_response(play_command),
    )
    field_hints = {
        field.name: shortened(verb_texts.field_hints.get(field.name, field.name), limits.COMMAND_DESCRIPTION)
        for field in fields
    }
    app_commands.describe(**field_hints, **{_TABLE_OPTION: TABLE_OPTION_HINT})(command)
    for field in fields:
        command.autocomplete(field.name)(_suggester(game, action_type, field.name))
    command.autocomplete(_TABLE_OPTION)(suggest_tables)
    return command


def _parameters(action_type: type[Action]) -> Iterator[inspect.Parameter]:
    """Yield the parameters of an action's command; required ones come first."""
    parameter_kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    yield inspect.Parameter("response", parameter_kind)
    for field in sorted(fields_of(action_type), key=lambda field: field.is_optional and not field.is_tuple):
        if field.is_optional and not field.is_tuple:
            yield inspect.Parameter(field.name, parameter_kind, annotation=Optional[str], default=None)  # noqa: UP045 - discord.py reads this form
        else:
            yield inspect.Parameter(field.name, parameter_kind, annotation=str)
    yield inspect.Parameter(_TABLE_OPTION, parameter_kind, annotation=Optional[int], default=None)  # noqa: UP045 - discord.py reads this form


def _play_decision(
    table: Table,
    game: AnyGame,
    action_type: type[Action],
    request: Request,
    typed_options: dict[str, str],
    ply: int,
) -> Decision:
    seat, _ = play.require_playing_seat(table, request)
    return play.play(table, request, (_typed_action(table, game, action_type, seat, typed_options),), ply)


def _typed_action(
    table: Table, game: AnyGame, action_type: type[Action], seat: Seat, typed_options: dict[str, str]
) -> Action:
    if table.game is not game:
        raise Refusal(f"This table plays {table.game.title}: use `/{table.game.key}`.")
    legal = [action for action in game_calls.legal_actions(table, seat) if type(action) is action_type]
    return _resolve_action(table, action_type, seat, legal, typed_options)


@guarded
def _resolve_action(
    table: Table,
    action_type: type[Action],
    seat: Seat,
    legal: Sequence[Action],
    typed_options: dict[str, str],
) -> Action:
    """Return the action that the ``typed_options`` name; labels and any case are accepted.

    Raises Refusal.
    """
    words = [verb_of(action_type)]
    spellings = [spelling for action in legal for spelling in action.spellings()]
    for field in fields_of(action_type):
        word = typed_options.get(field.name, ABSENT_MARK)
        for spelling in spellings:
            value = getattr(spelling, field.name)
            written_value = field.write(value)
            accepted_texts = (
                written_value,
                game_calls.value_label(table, seat, action_type, field.name, value),
            )
            if word.casefold() in {each.casefold() for each in accepted_texts}:
                word = written_value
                break
        words.append("".join(word.split()) or ABSENT_MARK)
    return normalize_spelling(game_calls.parse_action(table, " ".join(words)), legal)


def _suggester(game: AnyGame, action_type: type[Action], field_name: str) -> Suggester[str]:
    """Return the autocompletion of a field: its values in legal actions that fit the other given fields."""

    async def suggest(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        tables, request = interaction.client.host.tables, request_of(interaction)
        given_options = {
            key: value for key, value in interaction.namespace if key not in {field_name, _TABLE_OPTION}
        }
        table = await resolve_table(tables, request, table_option_of(interaction))
        seat = table.seat_of(request.user)
        if seat is None or table.to_act != seat or table.game is not game:
            return []
        return _field_suggestions(table, action_type, seat, field_name, given_options, current)

    return safe_autocomplete(suggest)


@guarded
def _field_suggestions(
    table: Table,
    action_type: type[Action],
    seat: Seat,
    field_name: str,
    given_options: dict[str, object],
    current: str,
) -> list[app_commands.Choice[str]]:
    field = next(field for field in fields_of(action_type) if field.name == field_name)
    legal = [action for action in game_calls.legal_actions(table, seat) if type(action) is action_type]
    typed_options = {key: str(value) for key, value in given_options.items() if value}
    needle = current.casefold()
    label_by_written_value: dict[str, str] = {}
    offered_sets: set[frozenset[object]] = set()
    for spelling in spellings_with(legal, typed_options):
        value = getattr(spelling, field_name)
        written_value = field.write(value)
        if (
            value is None
            or written_value in label_by_written_value
            or (field.is_tuple and frozenset(value) in offered_sets)
        ):
            continue
        label = game_calls.value_label(table, seat, action_type, field_name, value)
        if needle in label.casefold() or needle in written_value.casefold():
            label_by_written_value[written_value] = label
            if field.is_tuple:
                offered_sets.add(frozenset(value))
    return [
        app_commands.Choice(name=shortened(label, limits.CHOICE_NAME), value=written_value)
        for written_value, label in label_by_written_value.items()
    ][: limits.AUTOCOMPLETE_CHOICES]
