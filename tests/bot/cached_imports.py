"""A cache of what the modules of the rules import, which each start of a host finds by parsing them."""

from collections.abc import Iterator
from functools import cache
from typing import Final

from bot.host import rule_sources
from rules.catalogue import ALL_RULES
from tests.trials import IS_SOAK

_find_imports: Final = rule_sources._imports


@cache
def _cached_imports(name: str) -> tuple[str, ...]:
    return tuple(_find_imports(name))


def _iterate_cached_imports(name: str) -> Iterator[str]:
    return iter(_cached_imports(name))


def parse_rules_once() -> None:
    """Parse each module of the rules once for all fingerprints in this process, except in the long run.

    It takes 0.2 s, and tests start hundreds of hosts.  The sources are still hashed for each fingerprint.
    """
    if not IS_SOAK:
        rule_sources._imports = _iterate_cached_imports
        rule_sources.rules_fingerprint(ALL_RULES)
