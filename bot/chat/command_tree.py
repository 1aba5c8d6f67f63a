"""The command tree: where commands may be used, what happens when one fails, and safe autocompletion."""

import logging
from collections.abc import Callable, Coroutine, Iterable
from functools import wraps
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVar

import discord
from discord import app_commands

from bot import limits
from bot.chat.interaction import Interaction, request_of
from bot.chat.lookup import is_table_visible
from bot.chat.respond import respond
from bot.chat.response import SEND_ERRORS, Response
from bot.chat.table_suggestions import find_listings
from bot.error_codes import ErrorCode
from bot.error_ids import new_error_id
from bot.host.game_guard import GameFault
from bot.host.request import Refusal
from bot.host.table import Games
from bot.store.protocol import StoreError

if TYPE_CHECKING:
    from bot.chat.client import TableClient

SERVERS_ONLY: Final = app_commands.AppCommandContext(guild=True, dm_channel=False, private_channel=False)
"""Where commands about a server work; all others work in direct messages too."""
TABLE_OPTION_HINT: Final = "Which table. Leave empty for the one here"
"""Describes the option ``table`` of every command that has it."""

ChoiceT = TypeVar("ChoiceT", str, int)
Command: TypeAlias = app_commands.Command[Any, ..., None]
Suggester: TypeAlias = Callable[[Interaction, str], Coroutine[Any, Any, list[app_commands.Choice[ChoiceT]]]]
"""Returns what a command's option suggests, given what has been typed into it."""

_log = logging.getLogger(__name__)


def _means_rejected_suggestions(error: BaseException | None) -> bool:
    """Whether an error means that Discord takes no suggestions any more: too late, or it has some."""
    return isinstance(error, discord.HTTPException) and error.code in {
        ErrorCode.UNKNOWN_INTERACTION,
        ErrorCode.ALREADY_ACKNOWLEDGED,
    }


def _filter_out_rejected_suggestions(record: logging.LogRecord) -> bool:
    """Filter out the error that discord.py logs when Discord rejects suggestions; log it as information."""
    if record.exc_info is None or not _means_rejected_suggestions(record.exc_info[1]):
        return True
    _log.info("suggestions not shown: too late, or sent already")
    return False


async def _suggest_nothing(interaction: Interaction) -> None:
    """Send an empty list of suggestions."""
    try:
        await interaction.response.autocomplete([])
    except SEND_ERRORS as error:
        if not _means_rejected_suggestions(error):
            _log.warning("suggestions not sent", exc_info=error)


class OutdatedCommand(Refusal):
    """Discord still shows a command in an older form."""

    def __init__(self) -> None:
        """Always the same text."""
        super().__init__("This command has changed. Reload Discord, then type it again.")


class TableCommandTree(app_commands.CommandTree["TableClient"]):
    """Commands for servers and the bot's own direct messages."""

    def __init__(self, client: "TableClient") -> None:
        """Make an empty tree, and filter rejected suggestions out of the log of discord.py's tree."""
        super().__init__(
            client,
            allowed_installs=app_commands.AppInstallationType(guild=True, user=False),
            allowed_contexts=app_commands.AppCommandContext(
                guild=True, dm_channel=True, private_channel=False
            ),
        )
        logging.getLogger(app_commands.tree.__name__).addFilter(_filter_out_rejected_suggestions)

    async def interaction_check(self, interaction: Interaction, /) -> bool:
        """Apply the rate limit of autocompletion; ``respond`` applies that of commands."""
        if interaction.type is discord.InteractionType.autocomplete:
            try:
                interaction.client.host.suggestion_limiter.admit(interaction.user.id)
            except Refusal:
                await _suggest_nothing(interaction)
                return False
        return True

    async def on_error(self, interaction: Interaction, error: app_commands.AppCommandError, /) -> None:
        """Answer a command that failed outside its own response: outdated, or a fault with its reference."""
        if interaction.type is discord.InteractionType.autocomplete:
            _log.warning("outdated autocompletion", exc_info=error, extra={"error_id": new_error_id()})
            await _suggest_nothing(interaction)
            return

        async def raise_error(_: Response) -> None:
            if isinstance(error, app_commands.CommandNotFound | app_commands.CommandSignatureMismatch):
                raise OutdatedCommand from error
            raise error

        await respond(interaction, raise_error)


def safe_autocomplete(suggest: Suggester[ChoiceT]) -> Suggester[ChoiceT]:
    """Suggest nothing where ``suggest`` refuses or fails."""

    @wraps(suggest)
    async def suggest_safely(interaction: Interaction, current: str) -> list[app_commands.Choice[ChoiceT]]:
        try:
            return await suggest(interaction, current)
        except GameFault as fault:
            try:
                await interaction.client.host.tables.handle_fault(fault)
            except (Refusal, StoreError):
                _log.exception("game not frozen after a fault", extra={"table": fault.table_number})
            return []
        except (Refusal, StoreError):
            return []
        except Exception:  # noqa: BLE001 - discord.py would only log it
            interaction.client.host.metrics.faults.labels("chat").inc()
            _log.exception("fault in autocompletion", extra={"error_id": new_error_id()})
            return []

    return suggest_safely


def game_choices(games: Games) -> list[app_commands.Choice[str]]:
    """Return the choices of an option that names a game."""
    return [app_commands.Choice(name=game.title, value=key) for key, game in games.items()]


def seat_suggestions(choices: Iterable[tuple[str, str]], typed: str) -> list[app_commands.Choice[str]]:
    """Return suggestions for the seats, given as (label, letter), whose label holds what was typed.

    The seat with the typed letter comes first: otherwise "d" and Enter would choose "B: Dimitri".
    """
    matching_choices = [(label, letter) for label, letter in choices if typed.casefold() in label.casefold()]
    matching_choices.sort(key=lambda choice: choice[1].casefold() != typed.casefold())
    return [app_commands.Choice(name=label, value=letter) for label, letter in matching_choices]


@safe_autocomplete
async def suggest_tables(interaction: Interaction, current: str) -> list[app_commands.Choice[int]]:
    """Suggest the requester's own live tables, then those of this channel that they may see.

    Those from which the requester has resigned come last.
    """
    tables = interaction.client.host.tables
    request = request_of(interaction)
    listings = await find_listings(tables.store, request.user, request.channel)
    labels_by_number = {
        listing.number: f"No. {listing.number} · {tables.games[listing.game_key].title}"
        for listing in sorted(listings, key=lambda each: request.user in each.resigned_users)
        if listing.game_key in tables.games and is_table_visible(listing, request)
    }
    choices = [app_commands.Choice(name=label, value=number) for number, label in labels_by_number.items()]
    typed = current.casefold()
    return [choice for choice in choices if typed in choice.name.casefold()][: limits.AUTOCOMPLETE_CHOICES]
