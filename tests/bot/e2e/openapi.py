"""Checks every request of the bot against Discord's own description of its API."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

import jsonschema
import referencing
from referencing.jsonschema import DRAFT202012

DOCUMENT_VARIABLE = "CAPTAINS_TABLE_OPENAPI"
"""The environment variable that holds the document's path, if that is not beside the repository."""
_DEFAULT_DOCUMENT = Path(__file__).parents[4] / "shared" / "discord-openapi.json"
_PATH_VARIABLE = re.compile(r"\{[^}]*\}")
_DOCUMENT_URI = "urn:discord"

JsonObject = dict[str, Any]


def find_document() -> Path | None:
    """Return where the document is on this machine, or None."""
    path = Path(os.environ.get(DOCUMENT_VARIABLE, _DEFAULT_DOCUMENT))
    return path if path.is_file() else None


class OpenApi:
    """Checks the path, method and JSON body of requests, and collects what is wrong in ``faults``."""

    def __init__(self, path: Path) -> None:
        """Read the document; the validators are built when they are first wanted, once each."""
        self._document: JsonObject = json.loads(path.read_text(encoding="utf-8"))
        # Discord reads snowflakes as numbers as well (Reference, Snowflakes); discord.py sends both.
        schemas = self._document["components"]["schemas"]
        schemas["SnowflakeType"] = {"anyOf": [schemas["SnowflakeType"], {"type": "integer", "minimum": 0}]}
        resource = DRAFT202012.create_resource(self._document)
        self._registry: Any = referencing.Registry().with_resource(_DOCUMENT_URI, resource)
        self._validators: dict[tuple[str, str], jsonschema.Draft202012Validator | None] = {}
        self._passed: set[str] = set()
        self.checked = 0
        self.faults: list[str] = []

    @cached_property
    def _paths(self) -> list[tuple[re.Pattern[str], str, JsonObject]]:
        """Each path as a pattern, those with the fewest variables first."""
        patterns = []
        for template, operations in self._document["paths"].items():
            parts = _PATH_VARIABLE.split(template)
            pattern = re.compile("[^/]+".join(re.escape(part) for part in parts))
            patterns.append((len(parts), pattern, template, operations))
        patterns.sort(key=lambda entry: entry[0])
        return [(pattern, template, operations) for _, pattern, template, operations in patterns]

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
        del query
        self.checked += 1
        self.faults += [
            f"{method} {path}: {fault}"
            for fault in self._faults_of_request(method, route, path, body, uploads)
        ]

    def _faults_of_request(
        self, method: str, route: str, path: str, body: object, uploads: Mapping[str, object]
    ) -> list[str]:
        operation = self._operation(method, path)
        if operation is None:
            return ["no such path or method"]
        template, description = operation
        if body is None:
            return ["a body is required"] if description.get("requestBody", {}).get("required") else []
        if "requestBody" not in description:
            return ["no body is taken"] if body else []
        text = json.dumps([method, route, _without_nonce(body)], sort_keys=True)
        if text in self._passed:
            return []
        content_type = "multipart/form-data" if uploads else "application/json"
        if content_type not in description["requestBody"]["content"]:
            return [f"no {content_type} is taken"]
        validator = self._validator(method, template, content_type)
        faults = [f"{error.json_path}: {error.message[:300]}" for error in validator.iter_errors(body)]
        if not faults:
            self._passed.add(text)
        return faults

    def _operation(self, method: str, path: str) -> tuple[str, JsonObject] | None:
        for pattern, template, operations in self._paths:
            if pattern.fullmatch(path) and method.lower() in operations:
                return template, operations[method.lower()]
        return None

    def _validator(self, method: str, template: str, content_type: str) -> jsonschema.Draft202012Validator:
        key = method, template + content_type
        validator = self._validators.get(key)
        if validator is None:
            pointer_parts = (
                "paths",
                template,
                method.lower(),
                "requestBody",
                "content",
                content_type,
                "schema",
            )
            pointer = "/".join(step.replace("~", "~0").replace("/", "~1") for step in pointer_parts)
            reference = {"$ref": f"{_DOCUMENT_URI}#/{pointer}"}
            validator = jsonschema.Draft202012Validator(reference, registry=self._registry)
            self._validators[key] = validator
        return validator


def _without_nonce(body: object) -> object:
    return {key: value for key, value in body.items() if key != "nonce"} if isinstance(body, dict) else body
