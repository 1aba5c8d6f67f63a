"""What a table's host, its server's admins and the operator may do: announced, and kept in the audit log."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

import msgspec

from bot.host.deciders import lobby
from bot.host.deciders.decision import (
    BOARD_DELIVERY,
    LOBBY_DELIVERY,
    Decision,
    notice_delivery,
    outdated_hand_deliveries,
    prompt_deliveries,
)
from bot.host.deciders.questions import ask_to_go_on, ask_to_undo
from bot.host.deciders.results import frozen_rating_text, unrated_reason_so_far
from bot.host.deciders.time_controls import ask_to_pause, require_may_pause
from bot.host.deciders.timeouts import (
    BACK_LABEL,
    RESUME_LABEL,
    come_back,
    has_no_active_player,
    is_everybody_substituted,
    is_substituted,
    pause_without_players,
    resumer_text,
    with_restarted_turn_time,
)
from bot.host.deciders.undoing import move_number_at, nearest_index_for_person, roll_back_to, users_to_ask
from bot.host.names import escape_markup, visible_line
from bot.host.request import FROZEN_REFUSAL_TEXT, Refusal, Request, TooLate, moderator_refusal
from bot.host.seed_texts import early_end_seed_text
from bot.host.table import IN_PLAY, Table
from bot.store.delivery_rows import NewDelivery
from bot.store.question_rows import QuestionKind
from bot.store.results import UnratedReason
from bot.store.rows import LIVE_STATUSES, Status
from bot.store.seat_rows import Person

MAX_REASON_LENGTH: Final = 200
"""The most characters of the reason for which a game is frozen or thawed: its notice must fit a message."""

_STALE_ROLL_BACK_TEXT: Final = "The game has moved on since you were asked. Type `/table rollback` again."


class UnconfirmedRollBack(Refusal):
    """A roll-back before its moderator has confirmed it."""

    def __init__(
        self, table: Table, wanted_move_number: int, kept_length: int, asked_users: tuple[int, ...] = ()
    ) -> None:
        """``wanted_move_number``: up to which the moderator wants to keep the moves.

        ``kept_length``: how many records of the table's history would be left.
        ``asked_users``: who would be asked to agree; empty: nobody.
        """
        super().__init__("The game was not rolled back: you have not been asked whether you want it.")
        self.table, self.wanted_move_number, self.kept_length = table, wanted_move_number, kept_length
        self.move_number, self.asked_users = move_number_at(table, kept_length), asked_users


def _require_moderator(table: Table, request: Request) -> str:
    """Return the moderator's name as it is announced.  Raises Refusal for others and closed tables."""
    if not table.may_moderate(request):
        text = f"Only the table's host{table.host_suffix} or an admin of its server can do that."
        raise moderator_refusal(request, text)
    if table.status not in LIVE_STATUSES:
        raise TooLate("This game is over, or was ended or closed early. There is nothing left to manage.")
    return table.moderator_name(request)


def _announced_decision(table: Table, text: str, *more: NewDelivery) -> Decision:
    """Return a decision whose text is the answer, a notice at the table and the audit log entry."""
    return Decision(table=table, answer=text, deliveries=(notice_delivery(text), *more), audit_entry=text)


def pause(table: Table, request: Request) -> Decision:
    """Pause a game: nobody can play until it is resumed.  A player asks the others first.  Raises Refusal."""
    if not table.may_moderate(request) and table.status in LIVE_STATUSES:
        return ask_to_pause(table, request)
    name = _require_moderator(table, request)
    require_may_pause(table)
    paused_table = table.with_row(status=Status.PAUSED, players_may_resume=False)
    return _announced_decision(paused_table, f"{name} paused the game.", BOARD_DELIVERY)


def resume(table: Table, request: Request) -> Decision:
    """Resume a paused game; ask its players first if a restored backup may lack the end of the game.

    A player who has not resigned may resume it too if all had agreed to the pause or nobody was left to play.
    Where computers play for everybody, the player who resumes it comes back with that.  Raises Refusal.
    """
    name, is_paused = table.name_of(request.user), table.status is Status.PAUSED
    is_player = request.user in table.unresigned_users
    if name is None or not is_player or (is_paused and not table.row.players_may_resume):
        name = _require_moderator(table, request)
    if table.status is Status.FROZEN:
        raise Refusal(FROZEN_REFUSAL_TEXT)
    if not is_paused:
        raise Refusal("This game is not paused.")
    question = table.row.question
    if table.row.needs_agreement_to_go_on:
        if question is not None and not question.declined:
            if question.kind is QuestionKind.GO_ON:
                raise Refusal("The players are asked already. All of them must agree.")
            raise Refusal("The players are asked another question. It must be answered first.")
        return ask_to_go_on(table, Person(request.user, name), request.at)
    resumed_table = table.with_row(status=Status.PLAYING, players_may_resume=False)
    if is_everybody_substituted(table):  # else computers would play alone
        if not is_substituted(table, request.user):
            raise Refusal(
                "Computers play for everybody who is left. One of these players must come back first:"
                f" **{BACK_LABEL}** is under **More**."
            )
        resumed_table = come_back(table, request).table.with_row(
            status=Status.PLAYING, players_may_resume=False
        )
        hand_deliveries = outdated_hand_deliveries(table, resumed_table)
        return _announced_decision(
            resumed_table, f"{name} is back and resumed the game.", BOARD_DELIVERY, *hand_deliveries
        )
    if has_no_active_player(resumed_table):  # a late player, whom all others have left in the pause
        resumed_table = with_restarted_turn_time(resumed_table)
    return _announced_decision(resumed_table, f"{name} resumed the game.", BOARD_DELIVERY)


def end(table: Table, request: Request) -> Decision:
    """End a game or close a lobby early.  Nothing is deleted.  Raises Refusal."""
    name = _require_moderator(table, request)
    if table.status is Status.LOBBY:
        return _announced_decision(lobby.close(table).table, f"{name} closed the lobby.", LOBBY_DELIVERY)
    ended_table = table.without_prompts().with_row(status=Status.ENDED_EARLY, paused_when_frozen=False)
    text = f"{name} ended the game early. It has no result and is not rated."
    decision = _announced_decision(
        ended_table,
        f"{text}\n{early_end_seed_text(ended_table)}",
        BOARD_DELIVERY,
        *outdated_hand_deliveries(table, ended_table),
    )
    return replace(decision, answer=f"{text} The notice at the table has its seed.")


def roll_back(
    table: Table, request: Request, move_number: int, *, ply: int | None = None, is_confirmed: bool = True
) -> Decision:
    """Undo every move after the ``move_number``th, once all who have seen them agree.  Raises Refusal.

    It goes to the choice of a person that is next to that, so that no computer player moves again at once.
    ``ply``: at which the moderator has seen what would be taken back, None: any.
    ``is_confirmed``: the moderator knows what is taken back, who is asked, and that the game is no longer
    rated.  Otherwise it raises UnconfirmedRollBack.
    """
    name = _require_moderator(table, request)
    if table.status is Status.FROZEN:
        raise Refusal(FROZEN_REFUSAL_TEXT)
    if table.match is None or table.status not in IN_PLAY:
        raise Refusal("You can only roll back a game that is being played or paused.")
    if ply is not None and ply != table.row.ply:
        raise Refusal(_STALE_ROLL_BACK_TEXT)
    choice_indexes = [i for i, record in enumerate(table.match.history) if record.is_choice]
    if not choice_indexes:
        raise Refusal("No move has been played yet, so there is nothing to roll back.")
    if not 0 <= move_number < len(choice_indexes):
        last = len(choice_indexes) - 1
        choice_text = (
            f"a move from 0 to {last}" if last else "move 0, the start: only one move has been played"
        )
        raise Refusal(f"Choose {choice_text}.")
    kept_length = nearest_index_for_person(table, choice_indexes[move_number])
    if ply is not None and is_confirmed and kept_length != choice_indexes[move_number]:
        raise Refusal(_STALE_ROLL_BACK_TEXT)  # a computer plays by now for the person who was to choose
    asked_users = users_to_ask(table, kept_length, request.user, is_roll_back=True)
    if asked_users:
        decision = ask_to_undo(table, Person(request.user, name), kept_length, asked_users, request.at)
        if not is_confirmed:
            raise UnconfirmedRollBack(table, move_number, kept_length, asked_users)
        return decision
    if not is_confirmed:
        raise UnconfirmedRollBack(table, move_number, kept_length)
    note = "No other person has seen these moves, so nobody was asked."
    decision = roll_back_to(table, name, kept_length, note)
    return replace(decision, table=decision.table.with_row(undone_with_hindsight=True))


def freeze(table: Table, reason: str) -> Decision:
    """Freeze a game for the bot's operator; ``reason`` is announced.  Raises Refusal."""
    _require_may_freeze(table)
    text = f"The bot's operator has frozen this game: {_reason_text(reason)} Nothing is lost."
    return _announced_decision(table.as_frozen(), text, BOARD_DELIVERY)


def freeze_after_fault(table: Table, error_id: str) -> Decision:
    """Freeze a game in progress that has failed; ``error_id``: of the fault's line in the log."""
    text = (
        "Something went wrong in this game, so it is frozen as it stands."
        f" Nothing is lost. The bot's operator can fix this.{frozen_rating_text(table)}"
        f" (reference {error_id})"
    )
    return Decision(table=table.as_frozen(), answer=text, deliveries=(notice_delivery(text), BOARD_DELIVERY))


def freeze_as_admin(table: Table, request: Request, reason: str) -> Decision:
    """Freeze a game as an admin of its server; ``reason`` is announced.  Raises Refusal."""
    name = _require_admin(table, request, "freeze a game", "The host can pause it.")
    _require_may_freeze(table)
    text = f"{name} froze this game: {_reason_text(reason)} Nothing is lost. An admin can continue it with"
    text += " `/table thaw`."
    return _announced_decision(table.as_frozen(), text, BOARD_DELIVERY)


def _require_may_freeze(table: Table) -> None:
    if table.status is Status.FROZEN:
        raise Refusal("This game is frozen already.")
    if table.status not in IN_PLAY:
        raise Refusal("You can only freeze a game that is being played or paused.")


def thaw_as_admin(table: Table, request: Request, reason: str) -> Decision:
    """Unfreeze a game as an admin of its server; ``reason`` is announced.  Raises Refusal."""
    name = _require_admin(table, request, "thaw a game", "The host can end it with `/table end`.")
    decision = thaw(table, reason)
    text = f"{name} unfroze this game: {_reason_text(reason)} {_thawed_text(table, decision.table)}"
    return replace(
        decision,
        answer=text,
        deliveries=(notice_delivery(text), *decision.deliveries[1:]),
        audit_entry=text,
    )


def _require_admin(table: Table, request: Request, action: str, host_hint: str) -> str:
    """Return an admin's name as it is announced.  Raises Refusal for others and closed tables.

    ``action``: what only an admin can do.  ``host_hint``: what the host can do instead, as a sentence.
    """
    if not request.is_admin or request.guild is None or request.guild != table.row.guild:
        text = f"Only an admin of the table's server can {action}. {host_hint}"
        raise moderator_refusal(request, text)
    _require_moderator(table, request)
    return table.moderator_name(request, as_admin=True)


def thaw(table: Table, reason: str) -> Decision:
    """Unfreeze a game, under this release's rules: if they are others, it is no longer rated.

    A game that was paused stays paused.  Raises Refusal.
    """
    if table.status is not Status.FROZEN:
        raise Refusal("This game is not frozen.")
    if table.match is None:
        raise Refusal("This version of the bot cannot play this game. Its operator can install another one.")
    status = Status.PAUSED if table.row.paused_when_frozen else Status.PLAYING
    thawed_table = table.with_row(
        status=status, paused_when_frozen=False, rules_version=table.game.rules_version
    )
    if thawed_table.row.rules_version != table.row.rules_version:
        thawed_table = thawed_table.as_unrated(UnratedReason.THAWED)
    # somebody's data may have been erased meanwhile, also while the game could not be loaded
    if not thawed_table.unresigned_users:
        thawed_table = thawed_table.without_prompts().with_row(status=Status.ENDED_EARLY)
    elif status is Status.PLAYING and has_no_active_player(thawed_table):
        thawed_table = pause_without_players(thawed_table)
    text = f"The game is no longer frozen: {_reason_text(reason)} {_thawed_text(table, thawed_table)}"
    return _announced_decision(
        thawed_table, text, BOARD_DELIVERY, *outdated_hand_deliveries(table, thawed_table)
    )


def _thawed_text(table: Table, thawed_table: Table) -> str:
    """Return how a game goes on after it was unfrozen, as sentences."""
    if thawed_table.status is Status.ENDED_EARLY:
        seed_text = early_end_seed_text(thawed_table)
        return f"No person is left, so the game has ended without a result.\n{seed_text}"
    if table.row.needs_agreement_to_go_on:
        return (
            "It is paused until its players agree that it goes on."
            f" {resumer_text(thawed_table)} can ask them with **{RESUME_LABEL}**."
        )
    if table.row.paused_when_frozen:
        text = "It is paused again, as before."
    elif thawed_table.status is Status.PAUSED:
        text = f"Nobody is playing now, so it is paused. Press **{RESUME_LABEL}** below to go on."
    else:
        text = "It goes on where it stood."
    loses_rating = unrated_reason_so_far(table) is None and unrated_reason_so_far(thawed_table) is not None
    return f"{text} Its rules have changed, so it is no longer rated." if loses_rating else text


def move_here(table: Table, request: Request, *, is_channel_busy: bool) -> Decision:
    """Move a table to the channel of the request.  ``is_channel_busy``: another game is played there.

    Raises Refusal.
    """
    name = _require_moderator(table, request)
    if request.guild != table.row.guild:
        raise Refusal("A table can only move within its own server.")
    if table.row.game_channel == request.channel:
        raise Refusal("The table is already here.")
    if is_channel_busy:
        raise Refusal("Another game is going on here. Choose another channel or thread.")
    moved_table = table.with_row(game_channel=request.channel, visibility_channel=request.visibility_channel)
    if table.status is Status.LOBBY:
        check = table.row.lobby.ready_check
        if check is not None:  # it may start the game without anybody's press
            check = msgspec.structs.replace(
                check, can_open_thread=request.can_open_thread, channel_was_busy=False
            )
        lobby_state = msgspec.structs.replace(
            table.row.lobby, ready_check=check, parent_channel=request.public_parent_channel
        )
        moved_table = moved_table.with_row(lobby_channel=request.channel, lobby=lobby_state)
    return _move_decision(table, moved_table, f"{name} moved table No. {table.number} here.")


def leave_locked_thread(table: Table, thread: int) -> Decision | None:
    """Move a table to the channel above its thread, in which nobody can post.  None if it has left it.

    Where that channel is not known, as with private threads, the table moves to the lobby's.
    """
    row = table.row
    if row.game_channel != thread:
        return None
    channel = visibility_channel = row.visibility_channel
    if channel is None or channel == thread:
        channel, visibility_channel = row.lobby_channel, row.lobby.parent_channel or row.lobby_channel
    moved_table = table.with_row(game_channel=channel, visibility_channel=visibility_channel)
    if table.status not in LIVE_STATUSES:
        return Decision(table=moved_table, answer="")  # its last messages follow
    text = (
        f"The thread <#{thread}> is locked, so the game goes on here."
        " To go back once it is unlocked, the host or an admin types `/table move` there."
    )
    return _move_decision(table, moved_table, text)


def _move_decision(table: Table, moved_table: Table, text: str) -> Decision:
    """Return the decision to move a table; ``text`` is announced where it goes, unless it moves on before."""
    deliveries = (
        notice_delivery(text, channel=moved_table.row.game_channel),
        *_deliveries_of_move(table, moved_table),
    )
    return Decision(table=moved_table, answer=text, deliveries=deliveries, audit_entry=text)


def _deliveries_of_move(table: Table, moved_table: Table) -> Iterable[NewDelivery]:
    """Yield what is sent when a table was moved, beside the notice."""
    yield from _fairness_code_deliveries(moved_table)
    yield LOBBY_DELIVERY  # that of a game links to it, for those who look in the old place
    yield BOARD_DELIVERY
    # a lobby's are posted here, a game's only if the old ones are gone
    yield from prompt_deliveries(moved_table)
    # the message that asks for a move links to the game, too
    yield from outdated_hand_deliveries(table, moved_table)


def _fairness_code_deliveries(table: Table) -> Iterable[NewDelivery]:
    """Yield the notice of a restored table's code: the first one is lost where its channel was deleted."""
    is_code_known = table.match is not None or table.status is Status.LOBBY
    if table.row.restored_to is not None and is_code_known:
        text = f"Fairness code since the backup was restored: `{table.fairness_code}`."
        yield notice_delivery(text, channel=table.row.game_channel)


def _reason_text(reason: str) -> str:
    """Return a reason as a sentence, escaped.  Raises Refusal if nothing of it shows."""
    text = visible_line(reason)
    if not text:
        raise Refusal("Write a reason that the players can read.")
    return escape_markup(text if text.endswith((".", "!", "?", "…")) else f"{text}.")
