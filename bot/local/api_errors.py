"""The errors of Discord's REST API."""

from __future__ import annotations

from typing import Any

from bot.error_codes import ErrorCode

# Discord's documentation says which keys each object has.
JsonObject = dict[str, Any]
FieldPath = tuple[str | int, ...]
"""Where a value is in a request's body: the keys and indexes that lead to it."""

# Discord's JSON error code -> HTTP status and message.
_ERRORS: dict[ErrorCode, tuple[int, str]] = {
    ErrorCode.GENERAL_ERROR: (401, "401: Unauthorized"),
    ErrorCode.UNKNOWN_CHANNEL: (404, "Unknown Channel"),
    ErrorCode.UNKNOWN_GUILD: (404, "Unknown Guild"),
    ErrorCode.UNKNOWN_MEMBER: (404, "Unknown Member"),
    ErrorCode.UNKNOWN_MESSAGE: (404, "Unknown Message"),
    ErrorCode.UNKNOWN_USER: (404, "Unknown User"),
    ErrorCode.UNKNOWN_WEBHOOK: (404, "Unknown Webhook"),
    ErrorCode.UNKNOWN_INTERACTION: (404, "Unknown interaction"),
    ErrorCode.UNKNOWN_COMMAND: (404, "Unknown application command"),
    ErrorCode.TOO_MANY_THREAD_MEMBERS: (400, "Maximum number of thread participants has been reached (1000)"),
    ErrorCode.TOO_MANY_COMMAND_CREATES: (
        400,
        "Max number of daily application command creates has been reached (200)",
    ),
    ErrorCode.TOO_MANY_OLD_EDITS: (
        429,
        "Maximum number of edits to messages older than 1 hour reached. Try again later.",
    ),
    ErrorCode.REQUEST_TOO_LARGE: (413, "Request entity too large"),
    ErrorCode.ALREADY_ACKNOWLEDGED: (400, "Interaction has already been acknowledged."),
    ErrorCode.MISSING_ACCESS: (403, "Missing Access"),
    ErrorCode.NOT_ALLOWED_IN_DM: (403, "Cannot execute action on a DM channel"),
    ErrorCode.NOT_THE_AUTHOR: (403, "Cannot edit a message authored by another user"),
    ErrorCode.EMPTY_MESSAGE: (400, "Cannot send an empty message"),
    ErrorCode.CANNOT_MESSAGE_USER: (403, "Cannot send messages to this user"),
    ErrorCode.MISSING_PERMISSIONS: (403, "Missing Permissions"),
    ErrorCode.WRONG_CHANNEL_TYPE: (400, "Cannot execute action on this channel type"),
    ErrorCode.INVALID_WEBHOOK_TOKEN: (401, "Invalid Webhook Token"),
    ErrorCode.INVALID_FORM_BODY: (400, "Invalid Form Body"),
    ErrorCode.THREAD_ARCHIVED: (400, "Thread is archived"),
    ErrorCode.INVALID_JSON: (400, "The request body contains invalid JSON."),
    ErrorCode.NO_MUTUAL_GUILD: (403, "Cannot send messages to this user due to having no mutual guilds"),
    ErrorCode.THREAD_EXISTS: (400, "A thread has already been created for this message"),
    ErrorCode.THREAD_LOCKED: (403, "Thread is locked"),
    ErrorCode.TOO_MANY_THREADS: (400, "Maximum number of active threads reached"),
}


class ApiError(Exception):
    """A refused request, with Discord's HTTP `status` and JSON error `code`."""

    def __init__(
        self,
        code: ErrorCode,
        *,
        status: int | None = None,
        errors: JsonObject | None = None,
        retry_after: float | None = None,
    ) -> None:
        usual_status, message = _ERRORS[code]
        super().__init__(f"{code}: {message}")
        self.code = code
        self.status = usual_status if status is None else status
        self.message = message
        self.errors = errors
        self.retry_after = retry_after

    def body(self) -> JsonObject:
        """Return the JSON body of the response."""
        body: JsonObject = {"message": self.message, "code": self.code}
        if self.errors:
            body["errors"] = self.errors
        if self.retry_after is not None:
            body |= {"retry_after": self.retry_after, "global": False}
        return body


class BodyErrors:
    """The errors found in one request body, nested as Discord nests them (code 50035)."""

    def __init__(self) -> None:
        self._tree: JsonObject = {}

    def add(self, path: FieldPath, code: str, message: str) -> None:
        """Add one error at `path`, such as ("embeds", 0, "title")."""
        node = self._tree
        for key in path:
            node = node.setdefault(str(key), {})
        node.setdefault("_errors", []).append({"code": code, "message": message})

    def check_length(self, path: FieldPath, text: object, maximum: int, minimum: int = 0) -> None:
        """Check that `text` is a string of `minimum` to `maximum` characters."""
        if not isinstance(text, str):
            self.add(path, "STRING_TYPE_CONVERT", f'Could not interpret "{text}" as string.')
        elif len(text) > maximum and minimum == 0:
            self.add(path, "BASE_TYPE_MAX_LENGTH", f"Must be {maximum} or fewer in length.")
        elif not minimum <= len(text) <= maximum:
            message = f"Must be between {minimum} and {maximum} in length."
            self.add(path, "BASE_TYPE_BAD_LENGTH", message)

    def check_list(self, path: FieldPath, items: object, maximum: int, minimum: int = 0) -> list[Any]:
        """Check that `items` is a list of `minimum` to `maximum` items; return it, or an empty one."""
        if not isinstance(items, list):
            self.add(path, "LIST_TYPE_CONVERT", "Only iterables may be used in a ListType")
            return []
        if not minimum <= len(items) <= maximum:
            self.add(path, "BASE_TYPE_BAD_LENGTH", f"Must be between {minimum} and {maximum} in length.")
        return items

    def check_objects(self, path: FieldPath, items: object, maximum: int) -> dict[int, JsonObject]:
        """Check that `items` is a list of at most `maximum` objects; return these by index."""
        objects: dict[int, JsonObject] = {}
        for index, item in enumerate(self.check_list(path, items, maximum)):
            if isinstance(item, dict):
                objects[index] = item
            else:
                self.add((*path, index), "MODEL_TYPE_CONVERT", "Only dictionaries may be used in a ModelType")
        return objects

    def check_one_of(self, path: FieldPath, value: object, allowed: tuple[object, ...]) -> None:
        """Check that `value` is among `allowed`."""
        if value not in allowed:
            choices_text = "{" + ", ".join(map(str, allowed)) + "}"
            self.add(path, "BASE_TYPE_CHOICES", f"Value must be one of {choices_text}.")

    def add_missing(self, path: FieldPath) -> None:
        """Add the error of a missing field."""
        self.add(path, "BASE_TYPE_REQUIRED", "This field is required")

    def raise_if_any(self) -> None:
        """Raise `ApiError` 50035 if there is any error."""
        if self._tree:
            raise ApiError(ErrorCode.INVALID_FORM_BODY, errors=self._tree)
