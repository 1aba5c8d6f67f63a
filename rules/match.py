"""A match: a state computed from its records, the same for all games.

Records are only ever added.  The *history* holds the choices and outcomes that no undo took back.  Undos,
cuts of the deck and reseals are records outside the history; the last two change the key of the deals
(``rules.deal_key``).  ``ply`` counts all records, so it never repeats: a choice offered at one ply cannot be
taken for the same choice offered later.  A match is immutable: every operation returns a new one.
"""

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from msgspec import msgpack, structs

from rules.advance import (
    append_cut,
    append_record,
    append_records,
    append_reseal,
    auto_play,
    make_checkpoint,
    next_automatic_record,
    next_state,
)
from rules.deal_key import DealKey, make_reseal, replay_control_actions
from rules.errors import BrokenMatch, IllegalAction, InvalidSetup, StaleAction, UnannouncedOutcome
from rules.game import AnyGame
from rules.legality import check_choice
from rules.log_lines import NamesAt, narrate_records
from rules.model import CHANCE, SEAT_LETTERS, Action, Event, Names, Options, OutcomeKind, Resign, Result, Seat
from rules.notation import verb_of
from rules.plies import PlyOffsets, offsets_after_control_record, ply_offsets
from rules.random_stream import RandomStream
from rules.record import Checkpoint, Cut, DrawnOutcome, LogLine, PossibleUndo, Record, Undo
from rules.replay import append_stored_record
from rules.snapshot import decode_snapshot, encode_snapshot
from rules.text import listed
from rules.undo import find_possible_turn_undo, find_possible_undo


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Match:
    """A game in progress or ended.  Make one with ``begin``, ``replay`` or ``from_snapshot``."""

    game: AnyGame
    seat_count: int
    options: Options
    deal_key: DealKey
    """The present key of the deals; its ``key`` is None for a match read from a file without the seed."""
    ply: int
    """The number of all records, undone ones and undos included: unlike a ply of chess it only grows."""
    history: tuple[Record, ...]
    """The records that count."""
    outcome_counts: Mapping[OutcomeKind, int]
    """How many outcomes of each kind the history has.  The next one of a kind gets this number, from 0."""
    state: Any
    recent_events: tuple[Event, ...]
    """The public events of the newest turn (``rules.turns``), which pictures mark as new."""
    new_records: tuple[Record, ...]
    """The records that the last operation added; the last of them is record number ``ply``."""
    checkpoints: tuple[Checkpoint, ...] = ()
    """Earlier states, the earliest first: one every 64 records of play, and others.

    The others come from ``from_snapshot`` and ``with_checkpoint``.
    """
    ply_offsets: PlyOffsets = ()
    """By how much the plies of the history's records differ from their places there."""

    def __repr__(self) -> str:
        """Name the match, never its state or key."""
        return f"Match({self.game.key}, ply={self.ply})"

    # Creating a match -------------------------------------------------------------------------------

    @classmethod
    def begin(
        cls,
        game: AnyGame,
        seat_count: int,
        options: Options,
        seed: bytes,
        cuts: Sequence[tuple[Seat, Cut]] = (),
    ) -> "Match":
        """Start a match and play it up to the first choice.

        ``cuts``: at most one of each seat, in the order of the seats; their records come first.  Raises
        InvalidSetup; IllegalAction for the cuts.
        """
        match = _new_match(game, seat_count, options, seed)
        for seat, cut in cuts:
            match = append_cut(match, Record(seat, cut), added_before=match.new_records)
        return auto_play(match)

    @classmethod
    def replay(
        cls, game: AnyGame, seat_count: int, options: Options, seed: bytes | None, records: Iterable[Record]
    ) -> "Match":
        """Replay stored records, checking each one.  Raises BrokenMatch at the first that does not follow.

        With the seed, every outcome of chance must be the one that the seed gives; without it, any possible
        one is accepted.
        """
        try:
            match = _new_match(game, seat_count, options, seed)
        except InvalidSetup as error:
            raise BrokenMatch(0, str(error)) from error
        for record in records:
            match = match.append(record)
        return match

    def append(self, record: Record) -> "Match":
        """Append one stored record, checking it as ``replay`` does.  Raises BrokenMatch."""
        return append_stored_record(self, record)

    @classmethod
    def from_snapshot(
        cls,
        game: AnyGame,
        seat_count: int,
        options: Options,
        seed: bytes,
        records: Sequence[Record],
        snapshot: bytes,
    ) -> "Match":
        """Load a stored match from its snapshot.

        Nothing is replayed, so the only checkpoint is the snapshot: an undo or narration of earlier records
        takes as long as a replay.  Raises msgspec.DecodeError if the snapshot is damaged; InvalidSetup.
        """
        history, deal_key = replay_control_actions(seed, records)
        decoded = decode_snapshot(game, snapshot)
        history = tuple(
            structs.replace(
                record,
                in_running_turn=index in decoded.in_turn_indexes,
                ends_turn=index in decoded.turn_end_indexes,
            )
            for index, record in enumerate(history)
        )
        match = _new_match(game, seat_count, options, seed)
        outcomes = (record.action for record in history if record.actor == CHANCE)
        loaded = replace(
            match,
            ply=len(records),
            ply_offsets=ply_offsets(records),
            deal_key=deal_key,
            history=history,
            outcome_counts=Counter(OutcomeKind(type(action), action.drawn_for) for action in outcomes),
            state=decoded.state,
            recent_events=decoded.recent_events,
        )
        return replace(loaded, checkpoints=(make_checkpoint(loaded),))

    def at_length(self, length: int) -> "Match":
        """Return the match after ``length`` records of its history, its ply too, with the present key."""
        checkpoints = [checkpoint for checkpoint in self.checkpoints if checkpoint.length <= length]
        match = replace(
            _new_match(self.game, self.seat_count, self.options, None),
            deal_key=self.deal_key.with_cutting_closed(),
        )
        if checkpoints:
            newest = checkpoints[-1]
            match = replace(
                match,
                ply=newest.length,
                history=self.history[: newest.length],
                outcome_counts=newest.outcome_counts,
                state=newest.state,
                recent_events=newest.recent_events,
                checkpoints=tuple(checkpoints),
            )
        return append_records(match, self.history[len(match.history) : length])

    def with_checkpoint(self, length: int) -> "Match":
        """Return the match with a checkpoint after the first ``length`` records of its history."""
        if any(checkpoint.length == length for checkpoint in self.checkpoints):
            return self
        checkpoints = (*self.checkpoints, make_checkpoint(self.at_length(length)))
        return replace(self, checkpoints=tuple(sorted(checkpoints, key=lambda each: each.length)))

    def replayed_record_count(self, first: int) -> int:
        """Return how many records must be replayed to narrate the history from index ``first`` to its end."""
        lengths = (each.length for each in self.checkpoints if each.length <= first)
        return len(self.history) - max(lengths, default=0)

    def snapshot(self) -> bytes:
        """Return the state as bytes after their checksum: a cache of what ``replay`` computes."""
        return encode_snapshot(self)

    def digest(self) -> str:
        """Return 32 hex digits that two matches share only if their states are equal."""
        return hashlib.blake2b(msgpack.encode(self.state), digest_size=16).hexdigest()

    # Queries ----------------------------------------------------------------------------------------

    @property
    def to_act(self) -> Seat | None:
        """The seat to act, or CHANCE; None when the game is over."""
        return self.game.to_act(self.state)

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.to_act is None

    def view(self, viewer: Seat | None) -> Any:
        """Return what a viewer may know."""
        return self.game.view(self.state, viewer)

    def legal_actions(self, seat: Seat) -> tuple[Action, ...]:
        """Return a seat's legal actions."""
        return self.game.legal_actions(self.view(seat))

    def returns(self) -> Result:
        """Return the final result.  Raises ValueError while the game goes on."""
        if not self.is_over:
            raise ValueError("the game goes on")
        return self.game.returns(self.state)

    def log_lines(
        self, viewer: Seat | None, names: Names | NamesAt, first: int = 0, end: int | None = None
    ) -> tuple[LogLine, ...]:
        """Return records ``first`` to before ``end`` of the history in words, as a viewer may know them."""
        return narrate_records(
            self.game, self.at_length(first).state, first, self.history[first:end], viewer, names
        )

    def events_since(self, first: int) -> tuple[Event, ...]:
        """Return the public events of the history from record ``first`` on."""
        state, events = self.at_length(first).state, list[Event]()
        for record in self.history[first:]:
            state = next_state(self.game, state, record)
            events += self.game.view(state, None).position.trail
        return tuple(events)

    def new_log_lines(
        self, before: "Match", viewer: Seat | None, names: Names | NamesAt
    ) -> tuple[LogLine, ...]:
        """Narrate ``new_records``, given the match before them; empty after an undo, a cut or a reseal."""
        if len(self.history) != len(before.history) + len(self.new_records):
            return ()
        return narrate_records(self.game, before.state, len(before.history), self.new_records, viewer, names)

    # Acting -----------------------------------------------------------------------------------------

    def play(self, seat: Seat, action: Action, ply: int | None = None, names: Names | None = None) -> "Match":
        """Play a seat's action, then chance and forced choices up to the next real choice.

        ``ply``: at which the choice was offered; ``names``: for the refusal.  Raises GameOver, StaleAction,
        NotYourTurn, IllegalAction.
        """
        if ply is not None and ply != self.ply:
            raise StaleAction("The game has moved on since this was offered.")
        record = Record(seat, action)
        check_choice(self, record, names)
        return auto_play(append_record(self, record))

    def play_all(self, seat: Seat, actions: Sequence[Action], names: Names | None = None) -> "Match":
        """Play several actions of one seat, all or none.  Raises as ``play_uninterrupted``."""
        match = self
        new_records: tuple[Record, ...] = ()
        for number, action in enumerate(actions, 1):
            play = match.play if number == len(actions) else match.play_uninterrupted
            match = play(seat, action, names=names)
            new_records += match.new_records
        return replace(match, new_records=new_records)

    def play_uninterrupted(self, seat: Seat, action: Action, *, names: Names | None = None) -> "Match":
        """Play one of several actions that a seat gave together, before the last of them.

        Raises as ``play`` does, and IllegalAction also if the seat does not choose next or if chance follows:
        its outcome could decide whether the next action is legal.  To refuse all of them would then tell the
        player the outcome for nothing.
        """
        match = self.play(seat, action, names=names)
        if any(record.actor == CHANCE for record in match.new_records):
            reason = "A random draw follows"
        elif match.is_over:
            reason = "The game is over after"
        elif match.to_act != seat:
            reason = "Another player chooses after"
        else:
            return match
        names = names or tuple(SEAT_LETTERS[: self.seat_count])
        label = self.game.words.label(self.view(seat), action, names)
        raise IllegalAction(f"{reason} “{label}”, so this must be the last move of a line.")

    def draw_outcome(self) -> DrawnOutcome:
        """Return the outcome that the key gives now.  Only while chance is to act and the key is known.

        Raises UnannouncedOutcome, a fault in the game.
        """
        assert self.deal_key.key is not None
        outcome_kind = self.game.next_outcome_kind(self.view(None))
        number = self.outcome_counts.get(outcome_kind, 0)
        stream = RandomStream(
            self.deal_key.key, number, kind=verb_of(outcome_kind.outcome_type), seat=outcome_kind.drawn_for
        )
        action = self.game.sample_chance(self.state, stream)
        if OutcomeKind(type(action), action.drawn_for) != outcome_kind:
            raise UnannouncedOutcome(f"{self.game.key}: {outcome_kind.outcome_type.__name__} was announced")
        return DrawnOutcome(action, outcome_kind, number, tuple(stream.draws))

    @property
    def resigned_seats(self) -> frozenset[Seat]:
        """The seats that have resigned."""
        return frozenset(record.actor for record in self.history if isinstance(record.action, Resign))

    def can_resign(self, seat: Seat) -> bool:
        """Whether a seat may resign; if the rules do not allow it, the seat must be filled."""
        if self.is_over or seat in self.resigned_seats:
            return False
        return self.game.resign(self.state, seat) is not None

    def resignation_ends_game(self, seat: Seat) -> bool:
        """Whether the game would be over if this seat resigned now."""
        return self.can_resign(seat) and auto_play(append_record(self, Record(seat, Resign()))).is_over

    # Undoing ----------------------------------------------------------------------------------------

    def possible_undo(self, seat: Seat) -> PossibleUndo | None:
        """Return the undo of the seat's last choice (``rules.undo``); None if it cannot be undone."""
        return find_possible_undo(self, seat)

    def possible_turn_undo(self, seat: Seat) -> PossibleUndo | None:
        """Return the undo of the seat's newest turn (``rules.undo``); None if it cannot be undone."""
        return find_possible_turn_undo(self, seat)

    def undo(self, actor: Seat, kept_length: int) -> "Match":
        """Go back to the first ``kept_length`` records of the history.  The host checks who may do it.

        Raises IllegalAction if there is nothing to undo, or if the match would not be at a choice.
        """
        if not 0 <= kept_length < len(self.history):
            raise IllegalAction("There is nothing to undo.")
        earlier = self.at_length(kept_length)
        if earlier.to_act == CHANCE or next_automatic_record(earlier) is not None:
            raise IllegalAction("A game can only go back to a point where a player chooses.")
        record = Record(actor, Undo(kept_length))
        deal_key = self.deal_key.after_record(record, self.ply, len(self.history))
        return replace(
            earlier,
            ply=self.ply + 1,
            ply_offsets=offsets_after_control_record(self.ply_offsets, self.ply + 1, kept_length),
            deal_key=deal_key,
            new_records=(record,),
        )

    def undo_choices(self, seat: Seat, kept_length: int) -> "Match":
        """Undo a seat's choices, back to the first ``kept_length`` records of the history.

        Later resignations of others stand: they come again at once.  Raises IllegalAction as ``undo`` does.
        """
        match = self.undo(seat, kept_length)
        for record in self.history[kept_length:]:
            if isinstance(record.action, Resign) and record.actor != seat:
                check_choice(match, record, None)
                match = auto_play(append_record(match, record, added_before=match.new_records))
        return match

    # The key of the deals -----------------------------------------------------------------------------

    def may_cut(self, seat: Seat) -> bool:
        """Whether a seat may cut the deck now: once after each reseal, until another record follows."""
        cut_seats = self.deal_key.cut_seats
        if cut_seats is None or self.ply == len(cut_seats):  # cuts before the start are given to `begin`
            return False
        return 0 <= seat < self.seat_count and seat not in cut_seats

    def cut(self, seat: Seat, first: str, second: str) -> "Match":
        """Cut the deck for a seat with two words of the list.  Raises IllegalAction."""
        if not self.may_cut(seat):
            raise IllegalAction("You cannot cut the deck now.")
        return append_cut(self, Record(seat, Cut(first, second)))

    def reseal(self, match_id: str) -> "Match":
        """Change the key because a backup was restored, so that no deal from before the restore comes again.

        Raises IllegalAction unless the match is at a choice.
        """
        assert self.deal_key.key is not None
        return append_reseal(self, make_reseal(match_id, self.deal_key.key, self.ply))


def _new_match(game: AnyGame, seat_count: int, options: Options, seed: bytes | None) -> Match:
    """Return the match before its first record.  Raises InvalidSetup."""
    if seat_count not in game.player_counts:
        allowed = listed([str(number) for number in game.player_counts_with(options)], "or")
        raise InvalidSetup(f"{game.title} is for {allowed} players with these options, not for {seat_count}.")
    if (reason := game.setup_error(seat_count, options)) is not None:
        raise InvalidSetup(reason)
    return Match(
        game=game,
        seat_count=seat_count,
        options=options,
        deal_key=DealKey(key=seed),
        ply=0,
        history=(),
        outcome_counts={},
        state=game.initial_state(seat_count, options),
        recent_events=(),
        new_records=(),
    )
