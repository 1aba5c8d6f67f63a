"""The router of pressed components and submitted forms: checks their table, then calls their handler."""

from collections.abc import Mapping, Sequence

from bot.chat.component_press import ComponentPress, PressHandler
from bot.chat.components import CustomId
from bot.chat.handlers import FORM_HANDLERS, HANDLERS, REPLACING_VERBS, TABLELESS_VERBS, handle_press
from bot.chat.interaction import Interaction
from bot.chat.lookup import resolve_button_table
from bot.chat.option_forms import SubmittedFields
from bot.chat.pages import too_late_post
from bot.chat.refusals import record_refusal, refusal_text
from bot.chat.respond import respond
from bot.chat.response import Response
from bot.host.request import Refusal, Request, TooLate
from bot.host.tables import Tables


class Router:
    """Responds to components and forms.  Rights come from the user and the stored table, not from the id."""

    def __init__(self, tables: Tables) -> None:
        """``tables``: where the games are."""
        self._tables = tables

    async def route_press(self, interaction: Interaction, custom_id: CustomId, values: Sequence[str]) -> None:
        """Respond to a button or select that the bot made."""
        if custom_id.verb not in HANDLERS:
            await self.refuse_unknown(interaction)
            return

        async def respond_to_press(response: Response) -> None:
            request = response.request
            await self._check_table(custom_id, request)
            press = ComponentPress(self._tables, response, custom_id, request, values)
            await _handle_unless_too_late(press, handle_press)

        await respond(
            interaction,
            respond_to_press,
            replaces_message=custom_id.verb in REPLACING_VERBS and _is_private(interaction),
        )

    async def route_form(
        self, interaction: Interaction, custom_id: CustomId, fields: SubmittedFields
    ) -> None:
        """Respond to a submitted form that the bot made."""
        handle_form = FORM_HANDLERS.get(custom_id.verb)
        if handle_form is None:
            await self.refuse_unknown(interaction)
            return

        async def respond_to_form(response: Response) -> None:
            request = response.request
            await self._check_table(custom_id, request)
            form = ComponentPress(self._tables, response, custom_id, request, fields=fields)
            await _handle_unless_too_late(form, handle_form)

        await respond(interaction, respond_to_form, replaces_message=_is_private(interaction))

    async def refuse_unknown(self, interaction: Interaction) -> None:
        """Respond to a component or form that the bot did not make, or that it no longer knows."""
        await respond(interaction, _refuse_unknown)

    async def _check_table(self, custom_id: CustomId, request: Request) -> None:
        """Raise Refusal for a component whose table is hidden from the presser, or was restored since."""
        if custom_id.verb not in TABLELESS_VERBS:
            await resolve_button_table(self._tables, custom_id, request)


async def _handle_unless_too_late(press: ComponentPress, handle: PressHandler) -> None:
    """Call a handler; if a private page offers what it is too late for, show the table in its place."""
    try:
        await handle(press)
    except TooLate as refusal:
        if press.response.replaced_message_id is None:
            raise
        record_refusal(press.response.interaction, refusal)
        await press.response.show(too_late_post(await press.require_table(), refusal_text(refusal)))


async def _refuse_unknown(_: Response) -> None:
    raise Refusal("This button no longer works. Type `/board` to get new buttons.")


def _is_private(interaction: Interaction) -> bool:
    """Return whether the component or form came from a message that only this user sees."""
    return interaction.message is not None and interaction.message.flags.ephemeral


def parse_submitted_fields(data: object) -> dict[str, tuple[str, ...]]:
    """Return the texts of each field of a submitted form by its custom id; anything else is ignored."""
    fields: dict[str, tuple[str, ...]] = {}
    if isinstance(data, Mapping):
        name = data.get("custom_id")
        value_key = "values" if "values" in data else "value"
        if isinstance(name, str) and value_key in data:
            value = data[value_key]
            values = value if isinstance(value, list) else [value]
            fields[name] = tuple(each for each in values if isinstance(each, str))
        for key in ("components", "component"):
            fields |= parse_submitted_fields(data.get(key))
    elif isinstance(data, list):
        for part in data:
            fields |= parse_submitted_fields(part)
    return fields
