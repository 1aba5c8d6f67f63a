"""Checks every request of the bot against Discord's own description of its API."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from functools import cache, cached_property
from pathlib import Path
from urllib.parse import quote

from jsonschema_rs import Draft202012Validator, Registry

from bot.local.api_errors import JsonObject

DOCUMENT_ENVIRONMENT_VARIABLE = "CAPTAINS_TABLE_OPENAPI"
"""The environment variable that holds the document's path, if that is not beside the repository."""
_DEFAULT_DOCUMENT_PATH = Path(__file__).parents[4] / "shared" / "discord-openapi.json"
_TEMPLATE_PARAMETER_PATTERN = re.compile(r"\{[^}]*\}")
_DOCUMENT_URI = "urn:discord"


def find_document_path() -> Path | None:
    """Return where the document is on this machine, or None."""
    path = Path(os.environ.get(DOCUMENT_ENVIRONMENT_VARIABLE, _DEFAULT_DOCUMENT_PATH))
    return path if path.is_file() else None


class _Document:
    """Discord's description, and the validators of its schemas: each is built when it is first wanted."""

    def __init__(self, path: Path) -> None:
        self._document: JsonObject = json.loads(path.read_text(encoding="utf-8"))
        # Discord reads snowflakes as numbers as well (Reference, Snowflakes); discord.py sends both.
        schemas = self._document["components"]["schemas"]
        schemas["SnowflakeType"] = {"anyOf": [schemas["SnowflakeType"], {"type": "integer", "minimum": 0}]}
        self._registry = Registry([(_DOCUMENT_URI, self._document)])
        self._validators: dict[tuple[str, str, str], Draft202012Validator] = {}

    @cached_property
    def _paths(self) -> list[tuple[re.Pattern[str], str, JsonObject]]:
        """Each path as a pattern, those with the fewest variables first."""
        patterns = []
        for template, operations in self._document["paths"].items():
            parts = _TEMPLATE_PARAMETER_PATTERN.split(template)
            pattern = re.compile("[^/]+".join(re.escape(part) for part in parts))
            patterns.append((len(parts), pattern, template, operations))
        patterns.sort(key=lambda entry: entry[0])
        return [(pattern, template, operations) for _, pattern, template, operations in patterns]

    def find_operation(self, method: str, path: str) -> tuple[str, JsonObject] | None:
        """Return the template of a path and what is said of the method; None: no such operation."""
        for pattern, template, operations in self._paths:
            if pattern.fullmatch(path) and method.lower() in operations:
                return template, operations[method.lower()]
        return None

    def body_validator(self, method: str, template: str, content_type: str) -> Draft202012Validator:
        """Return the validator of the body that an operation takes in this content type."""
        key = method, template, content_type
        if key not in self._validators:
            steps = ("paths", template, method.lower(), "requestBody", "content", content_type, "schema")
            pointer = "/".join(quote(step.replace("~", "~0").replace("/", "~1")) for step in steps)
            reference = {"$ref": f"{_DOCUMENT_URI}#/{pointer}"}
            self._validators[key] = Draft202012Validator(reference, registry=self._registry)
        return self._validators[key]


@cache
def _read_document(path: Path) -> _Document:
    return _Document(path)


class OpenApiChecker:
    """Checks the path, method and JSON body of requests, and collects what is wrong in ``violations``."""

    def __init__(self, path: Path) -> None:
        """Read the document, once in a process."""
        self._document = _read_document(path)
        self.checked_count = 0
        self.violations: list[str] = []

    def check(
        self,
        method: str,
        route: str,
        path: str,
        query: Mapping[str, str],
        body: object,
        uploads: Mapping[str, object],
    ) -> None:
        """Check one request; passed to ``LocalDiscord`` as ``on_request``."""
        del query, route
        self.checked_count += 1
        violations = self._find_violations(method, path, body, uploads)
        self.violations += [f"{method} {path}: {violation}" for violation in violations]

    def _find_violations(
        self, method: str, path: str, body: object, uploads: Mapping[str, object]
    ) -> list[str]:
        found = self._document.find_operation(method, path)
        if found is None:
            return ["no such path or method"]
        template, operation = found
        if body is None:
            return ["a body is required"] if operation.get("requestBody", {}).get("required") else []
        if "requestBody" not in operation:
            return ["no body is taken"] if body else []
        content_type = "multipart/form-data" if uploads else "application/json"
        if content_type not in operation["requestBody"]["content"]:
            return [f"no {content_type} is taken"]
        validator = self._document.body_validator(method, template, content_type)
        return [
            f"{'/'.join(map(str, error.instance_path))}: {error.message[:300]}"
            for error in validator.iter_errors(body)
        ]
