"""The errors of Discord's REST API."""

from __future__ import annotations

from typing import Any

# Discord's documentation describes the shape of each.
JsonObject = dict[str, Any]
FieldPath = tuple[str | int, ...]

# Discord's JSON error code -> HTTP status and message.
_ERRORS: dict[int, tuple[int, str]] = {
    0: (401, "401: Unauthorized"),
    10003: (404, "Unknown Channel"),
    10004: (404, "Unknown Guild"),
    10007: (404, "Unknown Member"),
    10008: (404, "Unknown Message"),
    10013: (404, "Unknown User"),
    10015: (404, "Unknown Webhook"),
    10062: (404, "Unknown interaction"),
    10063: (404, "Unknown application command"),
    30033: (400, "Maximum number of thread participants has been reached (1000)"),
    30034: (400, "Max number of daily application command creates has been reached (200)"),
    30046: (429, "Maximum number of edits to messages older than 1 hour reached. Try again later."),
    40005: (413, "Request entity too large"),
    40060: (400, "Interaction has already been acknowledged."),
    50001: (403, "Missing Access"),
    50003: (403, "Cannot execute action on a DM channel"),
    50005: (403, "Cannot edit a message authored by another user"),
    50006: (400, "Cannot send an empty message"),
    50007: (403, "Cannot send messages to this user"),
    50013: (403, "Missing Permissions"),
    50024: (400, "Cannot execute action on this channel type"),
    50027: (401, "Invalid Webhook Token"),
    50035: (400, "Invalid Form Body"),
    50083: (400, "Thread is archived"),
    50109: (400, "The request body contains invalid JSON."),
    50278: (403, "Cannot send messages to this user due to having no mutual guilds"),
    160004: (400, "A thread has already been created for this message"),
    160005: (403, "Thread is locked"),
    160006: (400, "Maximum number of active threads reached"),
}


class ApiError(Exception):
    """A refused request, with Discord's HTTP `status` and JSON error `code`."""

    def __init__(
        self,
        code: int,
        *,
        status: int | None = None,
        errors: JsonObject | None = None,
        retry_after: float | None = None,
    ) -> None:
        known, message = _ERRORS[code]
        super().__init__(f"{code}: {message}")
        self.code = code
        self.status = known if status is None else status
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
        for step in path:
            node = node.setdefault(str(step), {})
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

    def check_one_of(self, path: FieldPath, value: object, allowed: tuple[object, ...]) -> None:
        """Check that `value` is among `allowed`."""
        if value not in allowed:
            choices = "{" + ", ".join(map(str, allowed)) + "}"
            self.add(path, "BASE_TYPE_CHOICES", f"Value must be one of {choices}.")

    def add_missing(self, path: FieldPath) -> None:
        """Add the error of a missing field."""
        self.add(path, "BASE_TYPE_REQUIRED", "This field is required")

    def raise_if_any(self) -> None:
        """Raise `ApiError` 50035 if there is any error."""
        if self._tree:
            raise ApiError(50035, errors=self._tree)
