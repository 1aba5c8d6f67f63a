"""The commands that the bot registers, as Discord would judge them; every game's are among them."""

import random
import re
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import discord
import pytest

from bot import limits
from bot.chat import action_commands
from bot.chat.client import TableClient
from bot.chat.commands import _option_suggestions
from bot.chat.help_page import help_post
from bot.host import game_calls
from bot.host.host import Host
from bot.store.sqlite import open_store
from rules.notation import fields_of, verb_of
from rules.options import parse_options
from tests.bot.chat.sample_tables import sample_tables
from tests.bot.host.playing import GAMES_AND_TOYS, ManualClock

SUBCOMMAND, STRING, INTEGER = 1, 3, 4
"""Discord's types of options."""
GUILD_CONTEXT, PRIVATE_CHANNEL_CONTEXT = 0, 2
GUILD_INSTALL = 0


@pytest.fixture
async def commands(tmp_path: Path) -> AsyncIterator[list[dict[str, Any]]]:
    """Yield what is sent to Discord."""
    store = await open_store(tmp_path / "tables.db")
    client = TableClient(Host(store, GAMES_AND_TOYS, ManualClock(), random.Random(0)))
    yield [command.to_dict(client.tree) for command in client.tree.get_commands()]
    await store.close()


def _command_and_options(command: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield command
    for option in command.get("options", ()):
        yield from _command_and_options(option)


def _count_characters(part: dict[str, Any]) -> int:
    own_count = len(part["name"]) + len(part.get("description", ""))
    choice_count = sum(len(each["name"]) + len(str(each["value"])) for each in part.get("choices", ()))
    return own_count + choice_count + sum(_count_characters(option) for option in part.get("options", ()))


def test_commands_keep_to_discords_limits(commands: list[dict[str, Any]]) -> None:
    """Counts, names, descriptions, choices and the total of 8,000 characters are within the limits."""
    assert len(commands) <= limits.COMMANDS
    names = [command["name"] for command in commands]
    assert len(set(names)) == len(names)
    for command in commands:
        assert _count_characters(command) <= limits.COMMAND_TOTAL
        for part in _command_and_options(command):
            assert limits.is_command_name(part["name"]), part["name"]
            assert 1 <= len(part["description"]) <= limits.COMMAND_DESCRIPTION, part["name"]
            options = part.get("options", [])
            assert len(options) <= limits.COMMAND_OPTIONS
            assert len({option["name"] for option in options}) == len(options)
            required_flags = [
                bool(option.get("required")) for option in options if option["type"] != SUBCOMMAND
            ]
            assert required_flags == sorted(required_flags, reverse=True), (
                f"{part['name']}: an optional one before a needed one"
            )
            assert part["description"] != "…", f"{part['name']}: an option without a description"
            choices = part.get("choices", [])
            assert len(choices) <= limits.COMMAND_CHOICES
            assert all(1 <= len(each["name"]) <= limits.CHOICE_NAME for each in choices)
            assert all(len(str(each["value"])) <= limits.CHOICE_VALUE for each in choices)
            assert not (choices and part.get("autocomplete")), "choices or autocompletion, not both"


@pytest.mark.parametrize("key", GAMES_AND_TOYS)
def test_each_game_has_a_group_of_commands(commands: list[dict[str, Any]], key: str) -> None:
    """Each game has a group with a subcommand per kind of action, an option per field, all completed."""
    game = GAMES_AND_TOYS[key]
    (group,) = (command for command in commands if command["name"] == key)
    subcommands = {subcommand["name"]: subcommand for subcommand in group["options"]}
    assert set(subcommands) == {verb_of(kind) for kind in game.words.verb_texts}
    for kind in game.words.verb_texts:
        subcommand = subcommands[verb_of(kind)]
        assert subcommand["type"] == SUBCOMMAND
        options = {option["name"]: option for option in subcommand["options"]}
        assert set(options) == {field.name for field in fields_of(kind)} | {"table"}
        for name, option in options.items():
            assert option["type"] == (INTEGER if name == "table" else STRING)
            assert option["autocomplete"]


def test_no_command_is_offered_in_other_peoples_private_channels(commands: list[dict[str, Any]]) -> None:
    """Nothing is offered in other people's private channels; tables are opened in servers only."""
    for command in commands:
        assert PRIVATE_CHANNEL_CONTEXT not in command["contexts"], command["name"]
        assert command["integration_types"] == [GUILD_INSTALL]
    (opening,) = (command for command in commands if command["name"] == "newgame")
    assert opening["contexts"] == [GUILD_CONTEXT]


def test_commands_of_admins_are_hidden_from_members(commands: list[dict[str, Any]]) -> None:
    """Discord shows these to members who may manage the server alone, and all others to everybody."""
    needed = {command["name"]: command["default_member_permissions"] for command in commands}
    manage_server = discord.Permissions(manage_guild=True).value
    assert {name: value for name, value in needed.items() if value is not None} == dict.fromkeys(
        ("server", "status", "doctor"), manage_server
    )


def test_help_names_commands_and_games(commands: list[dict[str, Any]]) -> None:
    """The first steps name commands that exist, and each game."""
    text = help_post(GAMES_AND_TOYS).text
    named = set(re.findall(r"`/([a-z_]+)", text))
    assert {"newgame", "games", "mygames", "rules", "settings"} <= named
    assert named <= {command["name"] for command in commands}
    assert all(f"**{game.title}**: {game.summary}" in text for game in GAMES_AND_TOYS.values())
    assert len(text) <= limits.CONTENT


@pytest.mark.parametrize("key", GAMES_AND_TOYS)
def test_options_are_suggested_in_any_case(key: str) -> None:
    """What is suggested after a capital is what the game understands."""
    game = GAMES_AND_TOYS[key]
    for suggested in _option_suggestions(game, ""):
        name, _, value = suggested.value.partition("=")
        typed = f"{name.capitalize()}={value[:1]}"
        texts = [each.value for each in _option_suggestions(game, typed)]
        assert suggested.value in texts
        assert suggested.value in [each.value for each in _option_suggestions(game, name[1:])], "any part"
        assert all(parse_options(game.options_type, text) for text in texts)


@pytest.mark.parametrize("key", GAMES_AND_TOYS)
def test_options_of_a_move_may_be_written_as_they_are_shown(key: str) -> None:
    """By the label of a suggestion or with the signs of texts, each move is the one that was meant."""
    texts_by_sign = GAMES_AND_TOYS[key].words.typed_signs
    signs_by_text = {text: sign for sign, text in texts_by_sign.items()}
    for table in sample_tables(key, 6, random.Random(f"options/{key}")):
        assert table.to_act is not None
        legal = game_calls.legal_actions(table, table.to_act)
        for action in legal:
            kind, actions_of_kind = type(action), [each for each in legal if type(each) is type(action)]
            written = {
                field.name: field.write(value)
                for field in fields_of(kind)
                if (value := getattr(action, field.name)) is not None
            }
            with_signs = {
                name: "".join(signs_by_text.get(letter, letter) for letter in text)
                for name, text in written.items()
            }
            with_labels = {
                name: game_calls.value_label(table, table.to_act, kind, name, getattr(action, name))
                for name in written
            }
            for typed in (written, with_signs, with_labels):
                assert (
                    action_commands._resolve_action(table, kind, table.to_act, actions_of_kind, typed)
                    == action
                )
