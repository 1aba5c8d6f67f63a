"""A game's help: its pages, found by name, and the selects that lead through them."""

from collections.abc import Sequence
from typing import Final

from bot import limits
from bot.chat.buttons import Key, Menu
from bot.chat.ids import ButtonId
from bot.chat.posts import Post, id_of, key
from bot.host.table import Refusal, Table
from rules.game import AnyGame, Topic

BY_NAME: Final = "-# Look up a card or piece: type its name in `/rules topic`."
"""Below every page of a game that has a glossary."""
LEAF: Final = limits.SELECT_OPTIONS
"""So many names of the glossary are shown at once."""


def pages_found(game: AnyGame, text: str) -> list[Topic]:
    """The pages that fit what was typed or chosen, the best first; every page if nothing was.

    A key is what a suggestion sends, so it comes first; then the title, its beginning, any part of it.
    """
    said = text.strip().casefold()
    ranked: list[list[Topic]] = [[], [], [], []]
    for topic in (*game.words.topics, *game.words.glossary):
        title = topic.title.casefold()
        fits = (topic.key.casefold() == said, title == said, title.startswith(said), said in title)
        if any(fits):
            ranked[fits.index(True)].append(topic)
    return [topic for rank in ranked for topic in rank]


def rules_post(game: AnyGame, text: str, table: Table | None = None, leaf: int | None = None) -> Post:
    """The page that fits ``text`` best, with selects of the others at a table; raises Refusal.

    ``leaf``: which names of the glossary are offered; None: those around the page itself.
    """
    found = pages_found(game, text)
    if not found:
        raise Refusal(
            f"No page of {game.title} is called that. Type part of a name in `/rules topic` and choose one."
        )
    topic = found[0]
    heading = topic.title if game.title in topic.title else f"{game.title}: {topic.title}"
    lines = [f"**{heading}**", topic.text]
    if game.words.glossary:
        lines.append(BY_NAME)
    return Post("\n".join(lines), _rows(table, topic, leaf) if table is not None else ())


def _rows(table: Table, topic: Topic, leaf: int | None) -> tuple[tuple[Key | Menu, ...], ...]:
    game = table.game
    topics = Menu("Read about something else", _pressed(table, "topic"), _options(game.words.topics))
    if not game.words.glossary:
        return ((topics,),)
    named = sorted(game.words.glossary, key=lambda each: each.title.casefold())
    leaves = -(-len(named) // LEAF)
    if leaf is None:
        leaf = named.index(topic) // LEAF if topic in named else 0
    leaf = min(leaf, leaves - 1)
    shown = named[leaf * LEAF : (leaf + 1) * LEAF]
    where = f", {leaf + 1} of {leaves}" if leaves > 1 else ""
    prompt = f"By name{where}: {shown[0].title} to {shown[-1].title}"
    names = Menu(prompt, _pressed(table, "name"), _options(shown))
    if leaves == 1:
        return (topics,), (names,)
    earlier = key(table, "Earlier", "names", f"{leaf - 1} {topic.key}", off=leaf == 0)
    later = key(table, "Later", "names", f"{leaf + 1} {topic.key}", off=leaf == leaves - 1)
    return (topics,), (names,), (earlier, later)


def _pressed(table: Table, ask: str) -> ButtonId:
    return id_of(table, ask)


def _options(topics: Sequence[Topic]) -> tuple[tuple[str, str, str], ...]:
    return tuple((topic.title, topic.key, "") for topic in topics)
