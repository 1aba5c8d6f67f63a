"""The games that are hosted, tested and documented; ``render.catalogue`` lists their pictures."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from rules.arctic_cleanup import ARCTIC_CLEANUP
from rules.australis import AUSTRALIS
from rules.current_affairs import CURRENT_AFFAIRS
from rules.currents import CURRENTS
from rules.game import AnyGame
from rules.oceans import OCEANS

GAMES: Final[Mapping[str, AnyGame]] = MappingProxyType(
    {game.key: game for game in (CURRENTS, OCEANS, AUSTRALIS, CURRENT_AFFAIRS, ARCTIC_CLEANUP)}
)
"""Every game by its key."""

EARLIER_RULES: Final[Mapping[str, AnyGame]] = MappingProxyType({})
"""Earlier rules under which running games go on, as ``key@version``.

When you raise a game's ``rules_version``, keep its old rules here: a running game whose rules are
missing is frozen.
"""

ALL_RULES: Final[Mapping[str, AnyGame]] = MappingProxyType({**EARLIER_RULES, **GAMES})
"""All rules that a stored game may have begun under."""
