"""How an endangered species is saved where only the removal of a trait can do it."""

from msgspec.structs import replace

from rules.oceans.actions import RemoveTrait
from rules.oceans.engine import turn
from rules.oceans.model import OceansView, Position
from rules.oceans.steps import Feeding
from rules.oceans.words.extinction_warnings import missing_amounts
from rules.oceans.words.lookahead import (
    certain_extinctions,
    doomed_keys_without_removal,
    finds_rescue,
    position_after,
)
from rules.oceans.words.phrases import card_text


def removal_texts(view: OceansView, after: Position) -> dict[str, str]:
    """Return by species what saves those of the viewer that only the removal of a trait can save.

    ``after``: the position after an action of the viewer (``position_after``).
    """
    if not _may_remove_traits(view, after):
        return {}
    endangered_keys = missing_amounts(after, after.current_player)
    keys = frozenset(endangered_keys).difference(certain_extinctions(view, after))
    view = replace(view, position=replace(after, trail=()))
    doomed_keys = doomed_keys_without_removal(view, keys)
    tried_views: set[tuple[str, OceansView]] = set()
    texts = {key: _removal_text(view, key, tried_views) for key in endangered_keys if key in doomed_keys}
    return {key: text for key, text in texts.items() if text}


def _may_remove_traits(view: OceansView, position: Position) -> bool:
    step = position.agenda[-1] if position.agenda else None
    return isinstance(step, Feeding) and step.may_remove_traits and position.to_act == view.viewer


def _removal_text(view: OceansView, key: str, tried_views: set[tuple[str, OceansView]]) -> str:
    """Return which removal saves a species: "you remove Apex Predator 7 and it gets 1 more".

    Empty if no rescue is found.  ``tried_views``: as for ``finds_rescue``.
    """
    removals = [each for each in turn.legal_actions(view) if isinstance(each, RemoveTrait)]
    for removal in sorted(removals, key=lambda each: each.species != key):
        after = position_after(view, removal)
        view_after = replace(view, position=replace(after, trail=()))
        if finds_rescue(view_after, key, tried_views, may_remove_traits=False):
            owner_text, subject = ("", "it") if removal.species == key else (f" from {removal.species}", key)
            missing = missing_amounts(after, after.current_player).get(key)
            gain_text = "" if missing is None else f" and {subject} gets {missing} more"
            return f"you remove {card_text(removal.card)}{owner_text}{gain_text}"
    is_saved = finds_rescue(view, key, tried_views, may_remove_traits=True)
    return "you remove traits" if is_saved else ""
