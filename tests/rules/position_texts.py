"""What a game says of a position: buttons, previews, refusals and narration."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from rules.game import AnyGame
from rules.model import CHANCE, Names, Seat
from rules.notation import Notation


@dataclass(frozen=True)
class PositionTexts:
    """The texts of an open game, in which everybody reads the same; actions are given in notation."""

    game: AnyGame
    names: Names
    act: Callable[..., Any]
    """(position, actions in notation) -> the position after them."""

    def actor_view(self, position: Any) -> Any:
        """Return the view of the seat to act."""
        viewer = None if position.to_act == CHANCE else position.to_act
        return self.game.view(position, viewer)

    def button_path_text(self, position: Any, text: str) -> str:
        """Return the labels of all buttons that lead to an action, one after the other."""
        path = self.game.words.path
        assert path is not None
        steps = path(self.actor_view(position), Notation(self.game).parse(text), self.names)
        return " > ".join(step.label for step in steps)

    def preview_text(self, position: Any, text: str) -> str:
        """Return an action's preview."""
        action = Notation(self.game).parse(text)
        return self.game.words.preview(self.actor_view(position), action, self.names) or ""

    def refusal_text(self, position: Any, text: str) -> str:
        """Return why the seat to act may not play this."""
        return self.game.words.refusal(self.actor_view(position), Notation(self.game).parse(text), self.names)

    def narrate_last_action(self, position: Any, *texts: str) -> str:
        """Take actions; return the narration of the last one, which everybody reads alike."""
        *earlier, last = texts
        before = self.act(position, *earlier)
        after = self.act(before, last)
        actor, action = before.to_act, Notation(self.game).parse(last)
        assert actor is not None
        views = [
            (self.game.view(before, viewer), self.game.view(after, viewer))
            for viewer in (None, Seat(0), Seat(1))
        ]
        narrations = {
            self.game.words.narrate(view, actor, action, next_view, self.names).text
            for view, next_view in views
        }
        assert len(narrations) == 1
        return narrations.pop()
