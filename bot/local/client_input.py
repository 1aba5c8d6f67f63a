"""What Discord's client does with input before it sends it: options of commands, modals and selections."""

from __future__ import annotations

from bot import limits
from bot.local import payloads
from bot.local.api_errors import JsonObject
from bot.local.check_commands import NESTING_TYPES, CommandOptionType
from bot.local.check_components import ComponentType
from bot.local.world import World


class ClientRefusal(Exception):
    """Discord's client does not let a member do this; the text says why."""


def command_data(
    world: World, command: JsonObject, options: list[JsonObject], *, is_submitted: bool
) -> JsonObject:
    """Return the data of an interaction for this command and these options (Discord's nested tree).

    `is_submitted` is false while a person is still typing (autocompletion): then options may be missing, and
    the focused value stays as typed.  Raises ClientRefusal if an option is missing, unknown or out of range.
    """
    resolved: JsonObject = {}
    data: JsonObject = {"id": command["id"], "name": command["name"], "type": command["type"]}
    data["options"] = _convert_options(
        world, command.get("options") or [], options, resolved, is_submitted=is_submitted
    )
    return data | ({"resolved": resolved} if resolved else {})


def _convert_options(
    world: World,
    defined_options: list[JsonObject],
    given_options: list[JsonObject],
    resolved: JsonObject,
    *,
    is_submitted: bool,
) -> list[JsonObject]:
    """Return the given options as the client sends them, and add the objects that they name to `resolved`."""
    options_by_name = {option["name"]: option for option in defined_options}
    converted_options = []
    for entry in given_options:
        option = options_by_name.get(entry["name"])
        if option is None:
            raise ClientRefusal(f"There is no option {entry['name']}.")
        if option["type"] in NESTING_TYPES:
            inner_options = _convert_options(
                world,
                option.get("options") or [],
                entry.get("options") or [],
                resolved,
                is_submitted=is_submitted,
            )
            converted_options.append(
                {"name": option["name"], "type": option["type"], "options": inner_options}
            )
        elif entry.get("focused") and not is_submitted:
            if not option.get("autocomplete"):
                raise ClientRefusal(f"The bot suggests no values for the option {option['name']}.")
            converted_options.append(
                {
                    "name": option["name"],
                    "type": option["type"],
                    "value": str(entry["value"]),
                    "focused": True,
                }
            )
        else:
            value = _convert_value(world, option, entry.get("value"), resolved)
            converted_options.append({"name": option["name"], "type": option["type"], "value": value})
    given_names = {option["name"] for option in converted_options}
    if is_submitted:
        has_subcommands = any(option["type"] in NESTING_TYPES for option in defined_options)
        if has_subcommands and len(converted_options) != 1:
            raise ClientRefusal("A subcommand is needed.")
        for option in defined_options:
            if option.get("required") and option["name"] not in given_names:
                raise ClientRefusal(f"This option is required. Specify a value: {option['name']}.")
    return converted_options


def _convert_value(world: World, option: JsonObject, value: object, resolved: JsonObject) -> object:
    """Return a value in the type of its option, and add the object that it names to `resolved`."""
    converted_value = value
    try:
        match option["type"]:
            case CommandOptionType.INTEGER:
                converted_value = int(str(value))
            case CommandOptionType.NUMBER:
                converted_value = float(str(value))
            case CommandOptionType.BOOLEAN:
                converted_value = {"true": True, "false": False}[str(value).lower()]
            case CommandOptionType.USER:
                user = world.users[int(str(value))]
                converted_value = str(user.id)
                resolved.setdefault("users", {})[converted_value] = payloads.user(user)
                if user.is_member:
                    member = payloads.member(world, user) | {"permissions": "0"}
                    del member["user"]
                    resolved.setdefault("members", {})[converted_value] = member
            case CommandOptionType.CHANNEL:
                channel = world.channels[int(str(value))]
                converted_value = str(channel.id)
                permissions = {"permissions": str(int(world.permissions(world.bot, channel)))}
                payload = payloads.channel(world, channel) | permissions
                resolved.setdefault("channels", {})[converted_value] = payload
            case CommandOptionType.ROLE:
                role_id = int(str(value))
                converted_value = str(role_id)
                role = payloads.role(role_id, world.roles[role_id])
                resolved.setdefault("roles", {})[converted_value] = role
            case _:
                converted_value = str(value)
    except (ValueError, KeyError):
        raise ClientRefusal(f"{value!r} does not fit the option {option['name']}.") from None
    _require_allowed_value(option, converted_value)
    return converted_value


def _require_allowed_value(option: JsonObject, value: object) -> None:
    """Raise ClientRefusal unless the value is among the option's choices, if it has any, and in its range."""
    name = option["name"]
    choices = option.get("choices") or []
    if choices and value not in [choice["value"] for choice in choices]:
        raise ClientRefusal(f"{name} must be one of the choices.")
    size: float
    if isinstance(value, str):
        size, verb, unit = len(value), "have", " characters"
        minimum, maximum = option.get("min_length"), option.get("max_length")
    elif isinstance(value, int | float) and not isinstance(value, bool):
        size, verb, unit = value, "be", ""
        minimum, maximum = option.get("min_value"), option.get("max_value")
    else:
        return
    if minimum is not None and size < minimum:
        raise ClientRefusal(f"{name} must {verb} at least {minimum}{unit}.")
    if maximum is not None and size > maximum:
        raise ClientRefusal(f"{name} must {verb} at most {maximum}{unit}.")


def option_tree(command: JsonObject, words: list[str], values: dict[str, object]) -> list[JsonObject]:
    """Return Discord's tree of options for the subcommand that `words` name, with these values by name.

    Raises ClientRefusal if there is no such subcommand.
    """
    defined_options: list[JsonObject] = command.get("options") or []
    if words:
        for option in defined_options:
            if option["name"] == words[0] and option["type"] in NESTING_TYPES:
                inner_options = option_tree(option, words[1:], values)
                return [{"name": option["name"], "type": option["type"], "options": inner_options}]
        raise ClientRefusal(f"There is no subcommand {words[0]}.")
    option_types = {option["name"]: option["type"] for option in defined_options}
    return [
        {"name": name, "type": option_types.get(name, CommandOptionType.STRING), "value": value}
        for name, value in values.items()
    ]


def modal_submission(modal: JsonObject, values: dict[str, object]) -> list[JsonObject]:
    """Return the components that a client sends for a filled-in modal.

    `values`: a text, a list, a bool or None by custom_id.  Raises ClientRefusal if something is missing, too
    long or no choice of the modal.
    """
    return [_fill_component(component, values) for component in modal["components"]]


def _fill_component(component: JsonObject, values: dict[str, object]) -> JsonObject:
    """Return a component of a modal, and those in it, as they are submitted."""
    filled_component: JsonObject = {"type": component["type"], "id": component["id"]}
    if "components" in component:
        return filled_component | {
            "components": [_fill_component(inner, values) for inner in component["components"]]
        }
    if "component" in component:
        return filled_component | {"component": _fill_component(component["component"], values)}
    if "custom_id" not in component:
        return filled_component  # a text display
    custom_id = component["custom_id"]
    filled_component["custom_id"] = custom_id
    value = values.get(custom_id)
    required = component.get("required", True)
    match component["type"]:
        case ComponentType.TEXT_INPUT:
            text = str(component.get("value") or "") if custom_id not in values else str(value or "")
            minimum, maximum = (
                component.get("min_length") or 0,
                component.get("max_length") or limits.TEXT_INPUT,
            )
            if (required or text) and not max(minimum, int(required)) <= len(text) <= maximum:
                raise ClientRefusal(
                    f"{custom_id} must have {max(minimum, int(required))} to {maximum} characters."
                )
            return filled_component | {"value": text}
        case ComponentType.RADIO_GROUP:
            if custom_id not in values:
                options = component["options"]
                value = next((option["value"] for option in options if option.get("default")), None)
            require_allowed_selection(
                component, [] if value is None else [str(value)], required=bool(required)
            )
            return filled_component | {"value": value}
        case ComponentType.CHECKBOX:
            return filled_component | {"value": bool(values.get(custom_id, component.get("default")))}
        case _:
            chosen_values = [str(each) for each in value] if isinstance(value, list | tuple) else []
            if isinstance(value, str):
                chosen_values = [value]
            if custom_id not in values:
                options = component.get("options") or []
                chosen_values = [option["value"] for option in options if option.get("default")]
            require_allowed_selection(component, chosen_values, required=bool(required))
            return filled_component | {"values": chosen_values}


def require_allowed_selection(select: JsonObject, chosen_values: list[str], *, required: bool = True) -> None:
    """Raise ClientRefusal unless a client lets a person choose these values."""
    default_maximum = len(select["options"]) if select.get("type") == ComponentType.CHECKBOX_GROUP else 1
    minimum = 1 if select.get("min_values") is None else select["min_values"]
    maximum = default_maximum if select.get("max_values") is None else select["max_values"]
    if not (minimum if required else 0) <= len(chosen_values) <= max(maximum, 1):
        count_text = str(minimum) if minimum == maximum else f"{minimum} to {maximum}"
        raise ClientRefusal(f"Choose {count_text}.")
    options = select.get("options")
    if options is not None and not set(chosen_values) <= {option["value"] for option in options}:
        raise ClientRefusal("That is not one of the choices.")
