"""Tables, choices and responses for tests of the private panel."""

import random
from functools import partial
from typing import Any, cast

from bot.chat.components import Button
from bot.chat.post_parts import Post
from bot.chat.response import Response
from bot.host import game_calls, previews
from bot.host.deciders import play
from bot.host.table import Table
from bot.host.tables import Tables
from rules.catalogue import GAMES
from rules.model import Action, Seat
from tests.bot.chat.post_components import buttons_of
from tests.bot.host.playing import begin, default_setup, make_move, request_of_person


class PostRecorder:
    """Records the posts that a response shows."""

    replaced_message_id: int | None = None

    def __init__(self) -> None:
        """Begin with none."""
        self.posts: list[Post] = []
        self.replaces_first_answer: list[bool] = []
        """Of each post shown: whether it replaces the answer that another delivery of its press got first."""

    async def show(self, post: Post, pictures: object = (), *, replaces_first_answer: bool = True) -> None:
        """Keep a post."""
        self.posts.append(post)
        self.replaces_first_answer.append(replaces_first_answer)

    async def send_text(self, text: str) -> None:
        """Keep a sentence."""
        self.posts.append(Post(text))


def button_called(post: Post, label: str) -> Button:
    """Return the button of a post with a label."""
    return next(each for each in buttons_of(post) if each.label == label)


async def table_with_continuing_choices(tables: Tables) -> tuple[Table, Seat]:
    """Return a table whose seat to act can make two choices and still go on, and this seat."""
    number = await begin(tables, default_setup(GAMES["oceans"], 3))
    rng = random.Random(4)
    while True:
        table = await tables.get(number)
        seat = table.to_act
        assert seat is not None
        if (action := find_continuing_action(table, seat)) is not None:
            after = play.play(table, request_of_person(seat), (action,)).table
            if find_continuing_action(after, seat) is not None:
                return table, seat
        await make_move(tables, number, rng)


async def table_with_action_to_confirm(tables: Tables) -> tuple[Table, Seat, Action]:
    """Return a table and a choice of its seat to act that ends the turn, and that the panel asks about."""
    number = await begin(tables, default_setup(GAMES["currents"], 2))
    rng = random.Random(4)
    while True:
        table = await tables.get(number)
        seat = table.to_act
        assert seat is not None
        actions = game_calls.legal_actions(table, seat)
        confirmed_actions = previews.actions_to_confirm(table, seat, actions) if len(actions) > 2 else ()
        for action in actions:
            next_seats = {each.to_act for each in previews.consequences(table, seat, action)}
            if action in confirmed_actions and seat not in next_seats:
                return table, seat, action
        await make_move(tables, number, rng)


def find_continuing_action(table: Table, seat: Seat) -> Action | None:
    """Return a choice after which the same seat chooses again; None if there is none."""
    if table.to_act != seat:
        return None
    actions = game_calls.legal_actions(table, seat)
    return next((each for each in actions if continues(table, seat, each)), None)


def continues(table: Table, seat: Seat, action: Action) -> bool:
    """Return whether the seat chooses again after an action and can take it back freely."""
    return all(each.lets_continue(seat) for each in previews.consequences(table, seat, action))


async def make_continuing_choice(tables: Tables, number: int, seat: Seat) -> Table:
    """Make a choice that continues; return the table after it."""
    action = find_continuing_action(await tables.get(number), seat)
    assert action is not None
    request = request_of_person(seat)
    result = await tables.change(number, request, partial(play.play, request=request, actions=(action,)))
    return result.table


async def last_shown_post(work: Any) -> Post:
    """Let an interaction happen; return the last post that it shows."""
    response = PostRecorder()
    await work(cast("Response", response))
    return response.posts[-1]
