"""Checks of components as Discord makes them: classic rows, layouts (version 2) and modals."""

from __future__ import annotations

from collections.abc import Iterator
from enum import IntEnum

from bot import limits
from bot.local.api_errors import BodyErrors, FieldPath, JsonObject


class ComponentType(IntEnum):
    """Types of components."""

    ACTION_ROW = 1
    BUTTON = 2
    STRING_SELECT = 3
    TEXT_INPUT = 4
    USER_SELECT = 5
    ROLE_SELECT = 6
    MENTIONABLE_SELECT = 7
    CHANNEL_SELECT = 8
    SECTION = 9
    TEXT_DISPLAY = 10
    THUMBNAIL = 11
    MEDIA_GALLERY = 12
    FILE = 13
    SEPARATOR = 14
    CONTAINER = 17
    LABEL = 18
    FILE_UPLOAD = 19
    RADIO_GROUP = 21
    CHECKBOX_GROUP = 22
    CHECKBOX = 23


class ButtonStyle(IntEnum):
    """Styles of buttons."""

    PRIMARY = 1
    SECONDARY = 2
    SUCCESS = 3
    DANGER = 4
    LINK = 5
    PREMIUM = 6


class TextInputStyle(IntEnum):
    """Styles of text inputs."""

    SHORT = 1
    PARAGRAPH = 2


class SeparatorSpacing(IntEnum):
    """How much room a separator takes."""

    SMALL = 1
    LARGE = 2


SELECT_TYPES = (
    ComponentType.STRING_SELECT,
    ComponentType.USER_SELECT,
    ComponentType.ROLE_SELECT,
    ComponentType.MENTIONABLE_SELECT,
    ComponentType.CHANNEL_SELECT,
)
_TYPES_IN_CONTAINER = (
    ComponentType.ACTION_ROW,
    ComponentType.SECTION,
    ComponentType.TEXT_DISPLAY,
    ComponentType.MEDIA_GALLERY,
    ComponentType.FILE,
    ComponentType.SEPARATOR,
)
_TYPES_IN_LAYOUT = (*_TYPES_IN_CONTAINER, ComponentType.CONTAINER)
_OPTION_COUNTS = {  # the minimum and the maximum number of options
    ComponentType.STRING_SELECT: (1, limits.SELECT_OPTIONS),
    ComponentType.RADIO_GROUP: (2, limits.GROUP_OPTIONS),
    ComponentType.CHECKBOX_GROUP: (1, limits.GROUP_OPTIONS),
}
_TYPES_IN_LABEL = (
    ComponentType.TEXT_INPUT,
    *SELECT_TYPES,
    ComponentType.FILE_UPLOAD,
    ComponentType.RADIO_GROUP,
    ComponentType.CHECKBOX_GROUP,
    ComponentType.CHECKBOX,
)


def check_rows(errors: BodyErrors, components: object, path: FieldPath = ("components",)) -> None:
    """Check the classic components of a message: up to five action rows."""
    for index, row in enumerate(errors.check_list(path, components, limits.ACTION_ROWS)):
        errors.check_one_of((*path, index, "type"), row.get("type"), (ComponentType.ACTION_ROW,))
        if row.get("type") == ComponentType.ACTION_ROW:
            _check_row(errors, (*path, index), row)


def check_layout(errors: BodyErrors, components: object) -> None:
    """Check the components of a message with the flag IS_COMPONENTS_V2."""
    path: FieldPath = ("components",)
    top_level = errors.check_list(path, components, limits.COMPONENTS_V2)
    all_components = [component for _, component in _walk_with_paths(top_level, path)]
    if len(all_components) > limits.COMPONENTS_V2:
        text = f"Must be {limits.COMPONENTS_V2} or fewer in length, nested components included."
        errors.add(path, "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED", text)
    text_length = sum(
        len(str(component.get("content", "")))
        for component in all_components
        if component.get("type") == ComponentType.TEXT_DISPLAY
    )
    if text_length > limits.COMPONENTS_V2_TEXT:
        text = f"The text of all components must be {limits.COMPONENTS_V2_TEXT} or fewer in length."
        errors.add(path, "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED", text)
    for index, component in enumerate(top_level):
        errors.check_one_of((*path, index, "type"), component.get("type"), _TYPES_IN_LAYOUT)
        _check_layout_component(errors, (*path, index), component)


def check_modal(errors: BodyErrors, data: JsonObject) -> None:
    """Check the data of a modal."""
    path: FieldPath = ("data",)
    errors.check_length((*path, "title"), data.get("title"), limits.MODAL_TITLE, 1)
    errors.check_length((*path, "custom_id"), data.get("custom_id"), limits.CUSTOM_ID, 1)
    top_level = errors.check_list((*path, "components"), data.get("components"), limits.MODAL_COMPONENTS, 1)
    for index, component in enumerate(top_level):
        inner_path = (*path, "components", index)
        match component.get("type"):
            case ComponentType.ACTION_ROW:
                inputs = errors.check_list((*inner_path, "components"), component.get("components"), 1, 1)
                for text_input in inputs:
                    input_path = (*inner_path, "components", 0)
                    errors.check_one_of(
                        (*input_path, "type"), text_input.get("type"), (ComponentType.TEXT_INPUT,)
                    )
                    errors.check_length((*input_path, "label"), text_input.get("label"), limits.LABEL, 1)
                    _check_select_or_input(errors, input_path, text_input)
            case ComponentType.LABEL:
                errors.check_length((*inner_path, "label"), component.get("label"), limits.LABEL, 1)
                if component.get("description") is not None:
                    text = component["description"]
                    errors.check_length((*inner_path, "description"), text, limits.LABEL_DESCRIPTION, 1)
                inner = component.get("component") or {}
                errors.check_one_of((*inner_path, "component", "type"), inner.get("type"), _TYPES_IN_LABEL)
                _check_select_or_input(errors, (*inner_path, "component"), inner)
            case ComponentType.TEXT_DISPLAY:
                errors.check_length(
                    (*inner_path, "content"), component.get("content"), limits.COMPONENTS_V2_TEXT, 1
                )
            case other:
                errors.check_one_of(
                    (*inner_path, "type"),
                    other,
                    (ComponentType.ACTION_ROW, ComponentType.TEXT_DISPLAY, ComponentType.LABEL),
                )
    check_unique_ids(errors, top_level, (*path, "components"))


def check_unique_ids(errors: BodyErrors, components: object, path: FieldPath = ("components",)) -> None:
    """Check that no custom_id and no id occurs twice."""
    seen_by_key: dict[str, set[object]] = {"custom_id": set(), "id": set()}
    for inner_path, component in _walk_with_paths(components if isinstance(components, list) else [], path):
        for key, code in (("custom_id", "COMPONENT_CUSTOM_ID_DUPLICATED"), ("id", "COMPONENT_ID_DUPLICATED")):
            value = component.get(key)
            if value and value in seen_by_key[key]:
                errors.add(
                    (*inner_path, key), code, f"Component {key.replace('_', ' ')} cannot be duplicated"
                )
            seen_by_key[key].add(value)


def media_urls(components: list[JsonObject]) -> Iterator[tuple[FieldPath, str]]:
    """Yield the path and the URL of each picture or file in a layout."""
    for inner_path, component in _walk_with_paths(components, ("components",)):
        for key in ("media", "file"):
            if isinstance(component.get(key), dict):
                yield (*inner_path, key, "url"), str(component[key].get("url", ""))
        for index, item in enumerate(component.get("items") or []):
            yield (*inner_path, "items", index, "media", "url"), str((item.get("media") or {}).get("url", ""))


def _walk_with_paths(components: list[JsonObject], path: FieldPath) -> Iterator[tuple[FieldPath, JsonObject]]:
    for index, component in enumerate(components):
        inner_path = (*path, index)
        yield inner_path, component
        yield from _walk_with_paths(component.get("components") or [], (*inner_path, "components"))
        for key in ("accessory", "component"):
            if component.get(key):
                yield (*inner_path, key), component[key]


def _check_layout_component(errors: BodyErrors, path: FieldPath, component: JsonObject) -> None:
    match component.get("type"):
        case ComponentType.ACTION_ROW:
            _check_row(errors, path, component)
        case ComponentType.CONTAINER:
            inner_path = (*path, "components")
            for index, inner in enumerate(
                errors.check_list(inner_path, component.get("components"), limits.COMPONENTS_V2, 1)
            ):
                errors.check_one_of((*inner_path, index, "type"), inner.get("type"), _TYPES_IN_CONTAINER)
                if inner.get("type") != ComponentType.CONTAINER:
                    _check_layout_component(errors, (*inner_path, index), inner)
        case ComponentType.SECTION:
            inner_path = (*path, "components")
            for index, inner in enumerate(
                errors.check_list(inner_path, component.get("components"), limits.SECTION_TEXTS, 1)
            ):
                errors.check_one_of(
                    (*inner_path, index, "type"), inner.get("type"), (ComponentType.TEXT_DISPLAY,)
                )
            accessory = component.get("accessory") or {}
            errors.check_one_of(
                (*path, "accessory", "type"),
                accessory.get("type"),
                (ComponentType.BUTTON, ComponentType.THUMBNAIL),
            )
            if accessory.get("type") == ComponentType.BUTTON:
                _check_button(errors, (*path, "accessory"), accessory)
            elif accessory.get("type") == ComponentType.THUMBNAIL:
                _check_alt_text(errors, (*path, "accessory"), accessory)
        case ComponentType.MEDIA_GALLERY:
            for index, item in enumerate(
                errors.check_list((*path, "items"), component.get("items"), limits.GALLERY_ITEMS, 1)
            ):
                _check_alt_text(errors, (*path, "items", index), item)
        case ComponentType.TEXT_DISPLAY:
            errors.check_length((*path, "content"), component.get("content"), limits.COMPONENTS_V2_TEXT, 1)
        case ComponentType.FILE:
            url = str((component.get("file") or {}).get("url", ""))
            if not url.startswith("attachment://"):
                text = f'Scheme "{url}" must be one of attachment.'
                errors.add((*path, "file", "url"), "URL_TYPE_INVALID_SCHEME", text)
        case ComponentType.SEPARATOR:
            if component.get("spacing") is not None:
                errors.check_one_of((*path, "spacing"), component["spacing"], tuple(SeparatorSpacing))


def _check_alt_text(errors: BodyErrors, path: FieldPath, item: JsonObject) -> None:
    if item.get("description") is not None:
        errors.check_length((*path, "description"), item["description"], limits.ALT_TEXT, 1)


def _check_row(errors: BodyErrors, path: FieldPath, row: JsonObject) -> None:
    components = errors.check_list((*path, "components"), row.get("components"), limits.ROW_BUTTONS, 1)
    allowed_types = (ComponentType.BUTTON, *SELECT_TYPES)
    for index, component in enumerate(components):
        inner_path = (*path, "components", index)
        errors.check_one_of((*inner_path, "type"), component.get("type"), allowed_types)
        if component.get("type") == ComponentType.BUTTON:
            _check_button(errors, inner_path, component)
        elif component.get("type") in SELECT_TYPES:
            _check_select_or_input(errors, inner_path, component)
            if len(components) > 1:
                text = "The specified component exceeds the maximum width"
                errors.add(inner_path, "COMPONENT_LAYOUT_WIDTH_EXCEEDED", text)


def _check_button(errors: BodyErrors, path: FieldPath, button: JsonObject) -> None:
    style = button.get("style")
    errors.check_one_of((*path, "style"), style, tuple(ButtonStyle))
    if style == ButtonStyle.LINK:
        errors.check_length((*path, "url"), button.get("url"), limits.BUTTON_URL, 1)
    elif style != ButtonStyle.PREMIUM:
        errors.check_length((*path, "custom_id"), button.get("custom_id"), limits.CUSTOM_ID, 1)
    if button.get("label") is not None:
        errors.check_length((*path, "label"), button["label"], limits.BUTTON_LABEL)
    if style != ButtonStyle.PREMIUM and not button.get("label") and not button.get("emoji"):
        errors.add(path, "BUTTON_COMPONENT_INVALID", "A button must have a label or an emoji")


def _check_select_or_input(errors: BodyErrors, path: FieldPath, component: JsonObject) -> None:
    """Check a select or an input of a modal."""
    errors.check_length((*path, "custom_id"), component.get("custom_id"), limits.CUSTOM_ID, 1)
    component_type = component.get("type")
    if component_type == ComponentType.TEXT_INPUT:
        errors.check_one_of((*path, "style"), component.get("style"), tuple(TextInputStyle))
        for key in ("min_length", "max_length"):
            minimum = 1 if key == "max_length" else 0
            _check_range(errors, (*path, key), component.get(key), minimum, limits.TEXT_INPUT)
        if component.get("value") is not None:
            errors.check_length((*path, "value"), component["value"], limits.TEXT_INPUT)
    if component.get("placeholder") is not None:
        maximum = (
            limits.TEXT_INPUT_PLACEHOLDER
            if component_type == ComponentType.TEXT_INPUT
            else limits.SELECT_PLACEHOLDER
        )
        errors.check_length((*path, "placeholder"), component["placeholder"], maximum)
    if component_type in _OPTION_COUNTS:
        _check_options(errors, path, component)
    if component_type in SELECT_TYPES or component_type == ComponentType.CHECKBOX_GROUP:
        maximum = limits.SELECT_OPTIONS if component_type in SELECT_TYPES else limits.GROUP_OPTIONS
        _check_range(errors, (*path, "min_values"), component.get("min_values"), 0, maximum)
        _check_range(errors, (*path, "max_values"), component.get("max_values"), 1, maximum)


def _check_range(errors: BodyErrors, path: FieldPath, value: object, minimum: int, maximum: int) -> None:
    if value is not None and not (isinstance(value, int) and minimum <= value <= maximum):
        errors.add(path, "NUMBER_TYPE_COERCE", f"int value should be between {minimum} and {maximum}.")


def _check_options(errors: BodyErrors, path: FieldPath, component: JsonObject) -> None:
    minimum, maximum = _OPTION_COUNTS[component["type"]]
    options = errors.check_list((*path, "options"), component.get("options"), maximum, minimum)
    seen_values: set[object] = set()
    for index, option in enumerate(options):
        inner_path = (*path, "options", index)
        errors.check_length((*inner_path, "label"), option.get("label"), limits.OPTION_LABEL, 1)
        errors.check_length((*inner_path, "value"), option.get("value"), limits.OPTION_VALUE, 1)
        if option.get("description") is not None:
            errors.check_length(
                (*inner_path, "description"), option["description"], limits.OPTION_DESCRIPTION
            )
        if option.get("value") in seen_values:
            text = "The specified option value is already used"
            errors.add((*inner_path, "value"), "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED", text)
        seen_values.add(option.get("value"))
    default_count = sum(bool(option.get("default")) for option in options)
    default_maximum = len(options) if component["type"] == ComponentType.CHECKBOX_GROUP else 1
    if default_count > (component.get("max_values") or default_maximum):
        text = "The number of defaults must not exceed max_values."
        errors.add((*path, "options"), "SELECT_COMPONENT_TOO_MANY_DEFAULT_VALUES", text)
    max_values = component.get("max_values")
    if isinstance(max_values, int) and max_values > len(options):
        text = "max_values must not exceed the number of options."
        errors.add((*path, "max_values"), "BASE_TYPE_BAD_INT", text)
