"""Checks of messages: texts, embeds, files; 50035 with nested errors for what Discord refuses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot import limits
from bot.error_codes import ErrorCode
from bot.local import check_components
from bot.local.api_errors import ApiError, BodyErrors, FieldPath, JsonObject
from bot.local.model import MessageFlag

if TYPE_CHECKING:
    from bot.local.messages import Uploads

_URL_SCHEMES = ("http://", "https://", "attachment://")
_MIN_FILE_ID_LENGTH = 15  # an item with a shorter id names an upload of the request by its number


def check_message(body: JsonObject, uploads: Uploads) -> None:
    """Check the body of a whole message.  Raises ApiError 50006, 50035 or 40005."""
    errors = BodyErrors()
    is_layout = bool(int(body.get("flags") or 0) & MessageFlag.COMPONENTS_V2)
    _check_files(errors, body, uploads)
    file_names = _attachment_names(body, uploads)
    content = body.get("content") or ""
    errors.check_length(("content",), content, limits.CONTENT)
    embeds = errors.check_list(("embeds",), body.get("embeds") or [], limits.EMBEDS)
    components = body.get("components") or []
    if is_layout:
        for key in ("content", "embeds", "poll", "sticker_ids"):
            if body.get(key):
                text = f"The '{key}' field cannot be used when using MessageFlags.IS_COMPONENTS_V2"
                errors.add((key,), "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2", text)
        check_components.check_layout(errors, components)
        _check_media(errors, components, file_names)
    else:
        check_components.check_rows(errors, components)
    check_components.check_unique_ids(errors, components)
    _check_embeds(errors, embeds, file_names)
    nonce = body.get("nonce")
    if isinstance(nonce, str):
        errors.check_length(("nonce",), nonce, limits.NONCE)
    _check_allowed_mentions(errors, body.get("allowed_mentions"))
    errors.raise_if_any()
    has_classic_content = content or embeds or uploads or body.get("attachments") or body.get("poll")
    if not (components or (has_classic_content and not is_layout)):
        raise ApiError(ErrorCode.EMPTY_MESSAGE)


def _attachment_names(body: JsonObject, uploads: Uploads) -> set[str]:
    """Return the file names that an `attachment://` of this body may refer to."""
    listed_names = {str(item["filename"]) for item in body.get("attachments") or [] if item.get("filename")}
    return listed_names | {upload.filename for upload in uploads.values()}


def _check_files(errors: BodyErrors, body: JsonObject, uploads: Uploads) -> None:
    for field, upload in uploads.items():
        if len(upload.data) > limits.FILE_BYTES:
            raise ApiError(ErrorCode.REQUEST_TOO_LARGE)
        errors.check_length((field, "filename"), upload.filename, limits.FILE_NAME, 1)
    listed_files = errors.check_list(("attachments",), body.get("attachments") or [], limits.FILES)
    upload_numbers = {field.removeprefix("files[").removesuffix("]") for field in uploads}
    for index, item in enumerate(listed_files):
        path: FieldPath = ("attachments", index)
        if not isinstance(item, dict) or "id" not in item:
            errors.add_missing((*path, "id"))
            continue
        if item.get("description") is not None:
            errors.check_length((*path, "description"), item["description"], limits.ALT_TEXT)
        # a longer id is that of a file which the message has already
        if len(str(item["id"])) < _MIN_FILE_ID_LENGTH and str(item["id"]) not in upload_numbers:
            errors.add(path, "ATTACHMENT_NOT_FOUND", f"Attachment {item['id']} is not among the files.")
    if (
        len(
            {str(item["id"]) for item in listed_files if isinstance(item, dict) and "id" in item}
            | upload_numbers
        )
        > limits.FILES
    ):
        errors.add(("attachments",), "BASE_TYPE_BAD_LENGTH", f"Must be {limits.FILES} or fewer in length.")


def _check_media(errors: BodyErrors, components: list[JsonObject], file_names: set[str]) -> None:
    """Check that a layout shows every file and that every picture of it is there."""
    shown_names = set()
    for path, url in check_components.media_urls(components):
        _check_url(errors, path, url, file_names)
        shown_names.add(url.removeprefix("attachment://"))
    for name in sorted(file_names - shown_names):
        # Discord keeps such a file and shows it nowhere; here it is an error, so that this is noticed.
        errors.add(("attachments",), "ATTACHMENT_NOT_SHOWN", f"No component refers to attachment://{name}.")


def _check_embeds(errors: BodyErrors, embeds: list[JsonObject], file_names: set[str]) -> None:
    text_length = 0
    for index, embed in enumerate(embeds):
        path: FieldPath = ("embeds", index)
        footer, author = embed.get("footer") or {}, embed.get("author") or {}
        texts: list[tuple[FieldPath, object, int, int]] = [
            ((*path, "title"), embed.get("title"), limits.EMBED_TITLE, 0),
            ((*path, "description"), embed.get("description"), limits.EMBED_DESCRIPTION, 0),
            ((*path, "footer", "text"), footer.get("text"), limits.EMBED_FOOTER, 0),
            ((*path, "author", "name"), author.get("name"), limits.EMBED_AUTHOR, 0),
        ]
        fields = errors.check_list((*path, "fields"), embed.get("fields") or [], limits.EMBED_FIELDS)
        for number, field in enumerate(fields):
            inner_path = (*path, "fields", number)
            for key, maximum in (("name", limits.EMBED_FIELD_NAME), ("value", limits.EMBED_FIELD_VALUE)):
                if not field.get(key):
                    errors.add_missing((*inner_path, key))
                texts.append(((*inner_path, key), field.get(key), maximum, 1))
        for inner_path, text, maximum, minimum in texts:
            if text is not None:
                errors.check_length(inner_path, text, maximum, minimum)
                text_length += len(str(text).strip())
        for key in ("image", "thumbnail"):
            if embed.get(key):
                _check_url(errors, (*path, key, "url"), str(embed[key].get("url", "")), file_names)
        if not _has_content(embed):
            errors.add_missing((*path, "description"))
    if text_length > limits.EMBED_TOTAL:
        text = f"Embed size exceeds maximum size of {limits.EMBED_TOTAL}"
        errors.add(("embeds",), "MAX_EMBED_SIZE_EXCEEDED", text)


def _has_content(embed: JsonObject) -> bool:
    keys = ("title", "description", "fields", "image", "thumbnail", "footer", "author", "video")
    return any(embed.get(key) for key in keys)


def _check_url(errors: BodyErrors, path: FieldPath, url: str, file_names: set[str]) -> None:
    if not url.startswith(_URL_SCHEMES):
        errors.add(path, "URL_TYPE_INVALID_SCHEME", f'Scheme "{url}" must be one of http, https, attachment.')
    elif url.startswith("attachment://") and url.removeprefix("attachment://") not in file_names:
        # Discord silently drops such a picture; here it is an error, so that a missing board is noticed.
        errors.add(path, "ATTACHMENT_NOT_FOUND", f"No attachment is called {url}.")


def _check_allowed_mentions(errors: BodyErrors, allowed_mentions: object) -> None:
    if allowed_mentions is None:
        return
    if not isinstance(allowed_mentions, dict):
        errors.add(("allowed_mentions",), "DICT_TYPE_CONVERT", "Only dictionaries may be used in a DictType")
        return
    allowed_kinds = errors.check_list(
        ("allowed_mentions", "parse"), allowed_mentions.get("parse") or [], limits.ALLOWED_MENTION_KINDS
    )
    for kind in allowed_kinds:
        errors.check_one_of(("allowed_mentions", "parse"), kind, ("users", "roles", "everyone"))
        if kind in ("users", "roles") and allowed_mentions.get(kind):
            text = f'parse:["{kind}"] and {kind}: [ids...] are mutually exclusive.'
            errors.add(("allowed_mentions",), "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE", text)
    for kind in ("users", "roles"):
        errors.check_list(
            ("allowed_mentions", kind), allowed_mentions.get(kind) or [], limits.ALLOWED_MENTION_IDS
        )
