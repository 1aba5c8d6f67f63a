"""Checks of the contract: who decides, what is legal, what chance may do, how a game ends."""

import random
from collections.abc import Iterator
from typing import Any, Final

import msgspec

from rules.advance import MAX_AUTOMATIC_RECORDS
from rules.game import AnyGame
from rules.model import CHANCE, HIDDEN, Action, Seat
from rules.notation import fields_of
from rules.random_stream import SEED_BYTES, RandomStream
from tests.conformance.pieces import pieces_of
from tests.conformance.random_games import PlayedGame, is_by_seat, is_chance, sample_outcomes, sample_size

POLICY_CHOICE_COUNT: Final = 24
"""Choices of a policy that are checked in the long run."""


def encode(value: object) -> bytes:
    """Return a value as it would be stored."""
    return msgspec.msgpack.encode(value)


def check_actors(game: AnyGame, played: PlayedGame, rng: random.Random) -> None:
    """One actor at a time: the others have no legal actions, and chance none either."""
    for transition in played.transitions:
        assert game.to_act(transition.before) == transition.actor
        for viewer in played.viewers:
            legal = game.legal_actions(game.view(transition.before, viewer))
            if viewer is None or viewer != transition.actor:
                assert legal == (), f"{viewer} is not to act but may {legal[0]}"
            else:
                assert transition.action in legal, transition.action


def check_legal_actions(game: AnyGame, played: PlayedGame, rng: random.Random) -> None:
    """Legal actions are players' actions without repeats, and each applies and leaves the state alone."""
    for transition in played.pick_transitions(rng, 40, is_by_seat):
        legal = game.legal_actions(game.view(transition.before, transition.actor))
        assert len(set(legal)) == len(legal), "repeated"
        spellings = [spelling for action in legal for spelling in action.spellings()]
        assert len(set(spellings)) == len(spellings), "two choices are written alike"
        assert all(action.spellings()[0] == action for action in legal)
        assert all(type(each) is type(action) for action in legal for each in action.spellings())
        encoded_before = encode(transition.before)
        for action in rng.sample(legal, min(12, len(legal))):
            assert isinstance(action, game.action_types), action
            after = game.apply_action(transition.before, action)
            assert msgspec.msgpack.decode(encode(after), type=game.state_type) == after, action
        assert encode(transition.before) == encoded_before, "apply_action changed the state before"


def check_policy(game: AnyGame, played: PlayedGame, rng: random.Random) -> None:
    """The policy chooses one of the legal actions, and the same one for the same view and stream."""
    for transition in played.pick_transitions(rng, POLICY_CHOICE_COUNT, is_by_seat)[
        : sample_size(POLICY_CHOICE_COUNT)
    ]:
        view = game.view(transition.before, transition.actor)
        legal = game.legal_actions(view)
        seed = rng.randbytes(SEED_BYTES)
        chosen = game.policy(view, legal, RandomStream(seed))
        assert chosen in legal, chosen
        assert game.policy(view, legal, RandomStream(seed)) == chosen, "the same inputs, another choice"
        fewer_actions = tuple(rng.sample(legal, -(-len(legal) // 2)))
        assert game.policy(view, fewer_actions, RandomStream(seed)) in fewer_actions, (
            "chosen from other than the given actions"
        )


def check_forced_action(game: AnyGame, played: PlayedGame, rng: random.Random) -> None:
    """What plays by itself is the only legal action, and a seat is to act there."""
    for transition in played.transitions:
        forced = game.forced_action(game.view(transition.before, None))
        if transition.actor == CHANCE:
            assert forced is None
            continue
        assert transition.auto == (forced is not None)
        if forced is not None:
            assert game.legal_actions(game.view(transition.before, transition.actor)) == (forced,)
    assert game.forced_action(game.view(played.match.state, None)) is None


def check_seat_after_turn(game: AnyGame, played: PlayedGame, rng: random.Random) -> None:
    """The seat that is said to choose next is the next other one that chooses, unless the game ends."""
    if game.seat_after_turn is None:
        return
    following_seat, last_actor = None, None
    for transition in reversed(played.transitions):
        if not is_by_seat(transition) or transition.auto:
            continue
        if transition.actor != last_actor:
            following_seat, last_actor = last_actor, transition.actor
        named_seat = game.seat_after_turn(game.view(transition.before, None))
        assert named_seat != transition.actor
        assert following_seat is None or named_seat in {None, following_seat}


def check_automatic_records(game: AnyGame, played: PlayedGame, rng: random.Random) -> None:
    """At most ``MAX_AUTOMATIC_RECORDS`` records in a row come without a choice."""
    in_a_row = 0
    for record in played.match.history:
        in_a_row = in_a_row + 1 if record.actor == CHANCE or record.auto else 0
        assert in_a_row <= MAX_AUTOMATIC_RECORDS


def check_length(game: AnyGame, played: PlayedGame, rng: random.Random) -> None:
    """The game's own bound on its length holds."""
    assert len(played.match.history) <= game.max_game_length


def check_end(game: AnyGame, played: PlayedGame, rng: random.Random) -> None:
    """The result names every seat once, best first; ties share a rank; nobody is to act or can undo."""
    match = played.match
    if not match.is_over:
        return  # a capped game; every full game ends
    standings = match.returns().standings
    assert sorted(each.seat for each in standings) == list(range(played.setup.seat_count))
    for index, each in enumerate(standings):
        assert each.rank == 1 + sum(other.rank < each.rank for other in standings)
        assert index == 0 or standings[index - 1].rank <= each.rank
    for viewer in played.viewers:
        assert game.legal_actions(game.view(match.state, viewer)) == ()
    assert match.possible_undo(Seat(0)) is None, "undone after the end"


def check_points(game: AnyGame, played: PlayedGame, rng: random.Random) -> None:
    """Nobody sees other points of a seat than the seat itself; at the end these are its score."""
    states = [transition.after for transition in played.pick_transitions(rng, 12)]
    for state in [*states, played.match.state]:
        for seat in played.seats:
            own_points = game.points(game.view(state, seat), seat)
            for viewer in played.pick_viewers(rng):
                assert game.points(game.view(state, viewer), seat) in (None, own_points)
    if played.match.is_over:
        for standing in played.match.returns().standings:
            own_points = game.points(game.view(played.match.state, standing.seat), standing.seat)
            assert own_points in (None, standing.score)


def check_is_possible(game: AnyGame, played: PlayedGame, rng: random.Random) -> None:
    """Every sampled outcome is possible; a forged one is not."""
    for transition in played.pick_transitions(rng, 12, is_chance):
        assert isinstance(transition.action, game.outcome_types)
        assert game.is_possible(transition.before, transition.action), transition.action
        for other in sample_outcomes(game, transition.before, rng, 4):
            assert game.is_possible(transition.before, other), other
        for forged, is_doubled in _forge(transition.action):
            if is_doubled and game.is_possible(transition.before, forged):
                # Right only where there are two pieces alike.
                after = game.apply_action(transition.before, forged)
                assert pieces_of(game, after) == pieces_of(game, transition.before), forged
                continue
            assert not game.is_possible(transition.before, forged), f"{transition.action} forged as {forged}"
        for another in rng.sample(played.transitions, min(3, len(played.transitions))):
            if not isinstance(another.action, game.outcome_types):
                assert not game.is_possible(transition.before, another.action), another.action


def _forge(action: Action) -> Iterator[tuple[Action, bool]]:
    """Yield outcomes that no rule allows: one piece less, more, hidden; a seat or number too far.

    With True: an outcome that holds one piece twice, in place of another piece.
    """
    for field in fields_of(type(action)):
        value = getattr(action, field.name)
        values: list[Any] = []
        doubled: tuple[Any, ...] | None = None
        match value:
            case tuple() if value:
                values = [value[1:], (*value, value[-1]), (*value[:-1], HIDDEN)]
                if len(value) > 1 and value[0] is not None:
                    doubled = (value[0], *value[:1], *value[2:])
                    values.append(doubled)
            case bool():
                pass
            case int():
                values = [value + 1000, -5]
            case str():
                values = [HIDDEN, ""]
        for forged in values:
            if forged != value:
                yield msgspec.structs.replace(action, **{field.name: forged}), forged is doubled


def check_resign(game: AnyGame, played: PlayedGame, rng: random.Random) -> None:
    """A resignation, where the rules know one, gives a state that is stored, seen and played on."""
    for transition in played.pick_transitions(rng, 3, is_by_seat):
        for seat in played.seats:
            state = game.resign(transition.before, seat)
            if state is None:
                continue
            assert msgspec.msgpack.decode(encode(state), type=game.state_type) == state
            assert pieces_of(game, state) == pieces_of(game, transition.before)
            to_act = game.to_act(state)
            if to_act is None:
                standings = game.returns(state).standings
                assert sorted(each.seat for each in standings) == list(range(played.setup.seat_count))
            elif to_act != CHANCE:
                assert to_act != seat, "a seat that has resigned is to act"
                assert game.legal_actions(game.view(state, to_act))


def check_pieces(game: AnyGame, played: PlayedGame, rng: random.Random) -> None:
    """No piece is made or lost by any action."""
    start = pieces_of(game, played.transitions[0].before)
    for transition in played.transitions:
        assert pieces_of(game, transition.after) == start, transition.action


def check_state_types(game: AnyGame, played: PlayedGame, rng: random.Random) -> None:
    """Every state is what its types say: it survives encoding and typed decoding, trail included."""
    for transition in played.transitions:
        encoded = encode(transition.after)
        assert msgspec.msgpack.decode(encoded, type=game.state_type) == transition.after
        trail = game.view(transition.after, None).position.trail
        trail_type: Any = tuple[game.event_type, ...]  # type: ignore[name-defined]
        assert msgspec.msgpack.decode(encode(trail), type=trail_type) == trail
        action_type = type(transition.action)
        assert msgspec.msgpack.decode(encode(transition.action), type=action_type) == transition.action


def check_views(game: AnyGame, played: PlayedGame, rng: random.Random) -> None:
    """Views say whose they are and share one position."""
    for transition in played.pick_transitions(rng, 20):
        position = game.view(transition.after, None).position
        for viewer in played.viewers:
            view = game.view(transition.after, viewer)
            assert view.viewer == viewer
            assert view.position == position
