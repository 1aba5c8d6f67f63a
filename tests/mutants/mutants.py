"""Faults that somebody could make in store, host, views and outbox; each must fail some test."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Mutant:
    """One fault: in ``file`` the text ``old``, which occurs there once, becomes ``new``."""

    name: str
    file: str
    old: str
    new: str
    killers: tuple[str, ...]
    """The tests that should notice, as pytest takes them."""


_IDEMPOTENCE_TESTS: Final = "tests/bot/host/test_idempotence.py"
_RELOADED_TABLES_TESTS: Final = "tests/bot/host/test_reloaded_tables.py"
_LEAKS_TESTS: Final = "tests/bot/host/test_leaks.py"
_OUTBOX_TESTS: Final = "tests/bot/host/test_outbox.py"
_DELIVERY_ORDER_TESTS: Final = "tests/bot/host/test_delivery_order.py"
_TURN_MESSAGES_TESTS: Final = "tests/bot/host/test_turn_messages.py"
_UNDONE_TURN_MESSAGES_TESTS: Final = "tests/bot/host/test_undone_turn_messages.py"
_OUTBOX_RETRIES_TESTS: Final = "tests/bot/host/test_outbox_retries.py"
_STORE_TESTS: Final = "tests/bot/store/test_store.py"
_DELIVERIES_TESTS: Final = "tests/bot/store/test_deliveries.py"
_SQLITE_TESTS: Final = "tests/bot/store/test_sqlite.py"
_BACKUP_TESTS: Final = "tests/bot/store/test_backup.py"
_RESTORED_TESTS: Final = "tests/bot/operate/test_restored_again.py"
_RESEALED_TESTS: Final = "tests/bot/operate/test_resealed.py"
_DEAL_KEY_TESTS: Final = "tests/rules/test_deal_key.py"
_RESTORED_ENDED_GAMES_TESTS: Final = "tests/bot/operate/test_restored_ended_games.py"
_CUTTING_TESTS: Final = "tests/bot/host/test_cutting.py"
_SEATS_TESTS: Final = "tests/bot/host/test_seats.py"
_REPEATED_QUESTIONS_TESTS: Final = "tests/bot/trust/test_repeated_questions.py"
_HINDSIGHT_ATTACKS_TESTS: Final = "tests/bot/trust/test_hindsight_attacks.py"
_CONFORMANCE_CHECKS: Final = "tests/conformance/test_conformance.py::test_check"

STORE_MUTANTS: Final = (
    Mutant(
        "a known interaction is not looked up",
        "bot/store/tables.py",
        "and (repeat := find_repeat(connection, change.interaction)) is not None",
        "and (repeat := find_repeat(connection, -1)) is not None",
        (_STORE_TESTS, _IDEMPOTENCE_TESTS),
    ),
    Mutant(
        "a write is not guarded by the version before it",
        "bot/store/tables.py",
        'condition = "number = :number and version = :version - 1"',
        'condition = "number = :number"',
        (_STORE_TESTS,),
    ),
    Mutant(
        "a commit is not flushed",
        "bot/store/connection.py",
        '"synchronous = full",',
        '"synchronous = normal",',
        (_SQLITE_TESTS,),
    ),
    Mutant(
        "two bots share a file",
        "bot/store/connection.py",
        '"locking_mode = exclusive"',
        '"locking_mode = normal"',
        (_SQLITE_TESTS,),
    ),
    Mutant(
        "a change is no transaction",
        "bot/store/connection.py",
        """            connection.execute("begin immediate")
            try:
                result = work(connection)
                connection.execute("commit")""",
        """            try:
                result = work(connection)""",
        (_SQLITE_TESTS, _STORE_TESTS),
    ),
    Mutant(
        "a newer board does not replace one that waits",
        "bot/store/deliveries.py",
        """    if delivery.slot.keeps_only_newest:
        connection.execute(
            "update outbox set state = 'superseded'"
            " where match = ? and kind = ? and seat is ? and key is ?"
            " and state = 'waiting' and pending""",
        """    if not delivery.slot.keeps_only_newest:
        connection.execute(
            "update outbox set state = 'superseded'"
            " where match = ? and kind = ? and seat is ? and key is ?"
            " and state = 'waiting' and pending""",
        (_DELIVERIES_TESTS,),
    ),
    Mutant(
        "what is delivered takes other things with it",
        "bot/store/deliveries.py",
        "\"update outbox set state = 'sent', pending_channel = null where id = ?\", (delivery.id,)",
        "\"update outbox set state = 'sent' where match = ?\", (delivery.table_number,)",
        (_DELIVERIES_TESTS, _OUTBOX_TESTS),
    ),
    Mutant(
        "a turn's delivery replaces that of another turn",
        "bot/store/deliveries.py",
        "return slot.kind.value, slot.seat, slot.subject_id",
        "return slot.kind.value, slot.seat, None",
        (_DELIVERIES_TESTS,),
    ),
    Mutant(
        "deliveries are read the newest first",
        "bot/store/deliveries.py",
        "\" where outbox.match = ? and state = 'waiting' order by id\"",
        "\" where outbox.match = ? and state = 'waiting' order by id desc\"",
        (_OUTBOX_TESTS, _DELIVERIES_TESTS),
    ),
    Mutant(
        "who acted is not stored",
        "bot/store/tables.py",
        "(row.number, each.ply, each.actor, each.action, each.auto, each.user, each.at)",
        "(row.number, each.ply, each.actor, each.action, each.auto, None, each.at)",
        (_STORE_TESTS,),
    ),
)

HOST_MUTANTS: Final = (
    Mutant(
        "words that were cut do not enter the deals",
        "bot/host/deciders/starting.py",
        "table.row.seed, cuts_before_start(table)",
        "table.row.seed",
        (_CUTTING_TESTS,),
    ),
    Mutant(
        "anybody cuts the deck",
        "bot/host/deciders/cutting.py",
        "    seat = table.seat_of(request.user)\n",
        "    seat = table.seat_of(request.user) or Seat(0)\n",
        ("tests/bot/trust/test_authority.py",),
    ),
    Mutant(
        "a cancelled caller takes its change down",
        "bot/host/tables.py",
        "return await asyncio.shield(task)",
        "return await task",
        (_IDEMPOTENCE_TESTS,),
    ),
    Mutant(
        "the ply at which a choice was offered is not compared",
        "bot/host/deciders/play.py",
        "if ply is not None and ply != match.ply:",
        "if ply is not None and ply > match.ply:",
        (_IDEMPOTENCE_TESTS,),
    ),
    Mutant(
        "changes of one table run beside each other",
        "bot/host/tables.py",
        """        async with self._locks.of(number):
            loaded_table = await self._load(number)
            table = await self._without_outage(loaded_table)
            try:""",
        """        async with asyncio.Lock():
            loaded_table = await self._load(number)
            table = await self._without_outage(loaded_table)
            try:""",
        (_IDEMPOTENCE_TESTS,),
    ),
    Mutant(
        "a change is adopted before it is stored",
        "bot/host/committer.py",
        "            repeat = await self._store.commit(change)",
        "            self._cache.put(after)\n            repeat = await self._store.commit(change)",
        (_IDEMPOTENCE_TESTS,),
    ),
    Mutant(
        "after a write that failed the table in memory is kept",
        "bot/host/committer.py",
        "            self._cache.evict(after.number)\n            self._answer_tracker",
        "            self._cache.put(after)\n            self._answer_tracker",
        (_IDEMPOTENCE_TESTS,),
    ),
    Mutant(
        "a repeat that is refused is not looked up",
        "bot/host/tables.py",
        "                if first_answer is not None:",
        "                if first_answer is None:",
        (_IDEMPOTENCE_TESTS,),
    ),
    Mutant(
        "a fault in one game does not freeze it",
        "bot/host/tables.py",
        """                await self._log_and_freeze(table, fault)
                raise""",
        "                raise",
        ("tests/bot/host/test_background_tasks.py",),
    ),
    Mutant(
        "a resignation in another's turn ends it",
        "rules/advance.py",
        "in_running_turn=is_in_turn(match.history, match.to_act)",
        "in_running_turn=False",
        ("tests/rules/test_turns.py",),
    ),
    Mutant(
        "a resignation after a turn belongs to it",
        "rules/turns.py",
        """        if isinstance(record.action, Resign):
            break
""",
        "",
        ("tests/rules/test_turns.py",),
    ),
    Mutant(
        "an undo takes back the resignations of others",
        "rules/match.py",
        "if isinstance(record.action, Resign) and record.actor != seat:",
        "if False:",
        ("tests/rules/test_match_undo.py",),
    ),
    Mutant(
        "an undo is free across what others saw",
        "rules/undo.py",
        " or action.reveals(seat) or action.reveals(None)",
        " or action.reveals(seat)",
        (
            f"{_RELOADED_TABLES_TESTS}::test_undo_is_free_only_where_nobody_saw_anything",
            "tests/rules/test_match_undo.py",
        ),
    ),
    Mutant(
        "one consent is enough",
        "bot/host/deciders/voting.py",
        "if question.kind is QuestionKind.KEEP_OPEN or not still_to_agree:",
        "if question.kind is QuestionKind.KEEP_OPEN or agreed_users:",
        (f"{_RELOADED_TABLES_TESTS}::test_undo_with_others_needs_them_all",),
    ),
    Mutant(
        "the asker may agree to the own undo",
        "bot/host/deciders/voting.py",
        "    if request.user not in _voters(table, question):",
        "    if request.user == -1:",
        (f"{_RELOADED_TABLES_TESTS}::test_undo_with_others_needs_them_all",),
    ),
    Mutant(
        "who was replaced is not asked",
        "bot/host/deciders/undoing.py",
        "seat_users += [each.user for each in row.earlier_players if each.end_index > kept_length]",
        "seat_users += []",
        (
            f"{_SEATS_TESTS}::test_replaced_players_are_asked_too",
            f"{_HINDSIGHT_ATTACKS_TESTS}::test_no_second_hand_and_no_hindsight",
        ),
    ),
    Mutant(
        "who has had a seat is forgotten",
        "bot/host/table.py",
        "return self.with_row(holders=tuple(dict.fromkeys((*self.row.holders, *holders))))",
        "return self.with_row(holders=tuple(holders))",
        (f"{_SEATS_TESTS}::test_a_host_cannot_sit_down_elsewhere",),
    ),
    Mutant(
        "an offered seat can be taken before anybody can object",
        "bot/host/deciders/seats.py",
        "approved = row.user is None or row.user == request.user or has_left",
        "approved = True",
        (f"{_SEATS_TESTS}::test_a_host_cannot_give_a_seat_away_alone",),
    ),
    Mutant(
        "silence counts before an offer can be read",
        "bot/host/deciders/offer_answers.py",
        "posted_at = posting_times.get(offer_delivery(i, row.offer).slot, now)",
        "posted_at = 0",
        (f"{_SEATS_TESTS}::test_nobody_agrees_to_what_could_not_be_read",),
    ),
    Mutant(
        "two declined questions take turns",
        "bot/host/deciders/questions.py",
        "    declined_questions = (*last.declined_before, last.declined_summary)\n    for each",
        "    declined_questions = (last.declined_summary,)\n    for each",
        (f"{_REPEATED_QUESTIONS_TESTS}::test_two_questions_cannot_take_turns",),
    ),
    Mutant(
        "an admin of any server moderates",
        "bot/host/table.py",
        "request.is_admin and request.guild is not None and request.guild == self.row.guild",
        "request.is_admin",
        ("tests/bot", "-k", "authority or forged"),
    ),
)

VIEWS_MUTANTS: Final = (
    Mutant(
        "a bystander sees the first seat's hand",
        "rules/currents/rules.py",
        "return CurrentsView(state.position, viewer, () if viewer is None else state.hands[viewer])",
        "return CurrentsView(state.position, viewer, state.hands[viewer or 0])",
        (_CONFORMANCE_CHECKS, "-k", "law and currents"),
    ),
    Mutant(
        "everybody sees the Deep cards that somebody looks at",
        "rules/oceans/rules.py",
        "looked_at = state.looked_at if viewer == position.current_player else ()",
        "looked_at = state.looked_at",
        (_CONFORMANCE_CHECKS, "-k", "law and oceans"),
    ),
    Mutant(
        "everybody sees a deal",
        "rules/currents/actions.py",
        "return self if viewer == self.seat else Deal(self.seat, (FACE_DOWN,) * len(self.cards))",
        "return self",
        (_CONFORMANCE_CHECKS, "-k", "currents"),
    ),
    Mutant(
        "the public log shows what the player to act sees",
        "bot/host/table.py",
        "lines = match.new_log_lines(self.match, None, names_at)",
        "lines = match.new_log_lines(self.match, self.match.to_act, names_at)",
        (_LEAKS_TESTS,),
    ),
    Mutant(
        "a page is answered in public",
        "bot/chat/response.py",
        "view=view, files=make_files(), ephemeral=True, allowed_mentions=_NO_MENTIONS",
        "view=view, files=make_files(), ephemeral=False, allowed_mentions=_NO_MENTIONS",
        ("tests/bot/e2e/test_pings_and_secrets.py",),
    ),
    Mutant(
        "a page shows the hand of the seat to act",
        "bot/chat/pages.py",
        "game_calls.hand_text)(table, seat)",
        "game_calls.hand_text)(table, Seat(table.to_act or 0))",
        (_LEAKS_TESTS,),
    ),
)

OUTBOX_MUTANTS: Final = (
    Mutant(
        "each hand-over of one turn mentions its player",
        "bot/chat/delivery_contents.py",
        "and mention not in mentions",
        "and mention not in ()",
        (_UNDONE_TURN_MESSAGES_TESTS,),
    ),
    Mutant(
        "a delivery that waits holds up everything behind it",
        "bot/host/delivery_order.py",
        "if delivery.slot in seen_slots:",
        "if seen_slots:",
        (_OUTBOX_TESTS, _OUTBOX_RETRIES_TESTS),
    ),
    Mutant(
        "a newer board overtakes the turn before it",
        "bot/host/delivery_order.py",
        "if turn_holds_up_others and delivery.kind in _KINDS_AFTER_TURNS:",
        "if turn_holds_up_others and not delivery:",
        (_TURN_MESSAGES_TESTS,),
    ),
    Mutant(
        "the edit of a turn's message overtakes a board",
        "bot/host/delivery_order.py",
        "if board_waits and priority is Priority.LOW and delivery.turn_message is TurnMessage.BOARD:",
        "if board_waits and not delivery:",
        (_DELIVERY_ORDER_TESTS,),
    ),
    Mutant(
        "two workers send of one slot at a time",
        "bot/host/delivery_order.py",
        "if priority_of(delivery) is not priority or delivery.slot in in_flight:",
        "if priority_of(delivery) is not priority:",
        (_DELIVERY_ORDER_TESTS,),
    ),
    Mutant(
        "the message of a finished turn says only that it was replaced",
        "bot/store/deliveries.py",
        "if old_message.slot.kind is DeliveryKind.BOARD and old_message.shown_turn_start is not None:",
        "if old_message.slot.kind is DeliveryKind.HAND and old_message.shown_turn_start is not None:",
        (_TURN_MESSAGES_TESTS,),
    ),
    Mutant(
        "a roll-back leaves old turns as they were",
        "bot/host/changes.py",
        "undone_from_index=undone_from_index,",
        "undone_from_index=None,",
        (_UNDONE_TURN_MESSAGES_TESTS,),
    ),
    Mutant(
        "a fault is given up at once",
        "bot/host/outbox.py",
        "if delivery.failed_attempt_count < MAX_ATTEMPTS:",
        "if delivery.failed_attempt_count < 0:",
        (_OUTBOX_TESTS, _OUTBOX_RETRIES_TESTS),
    ),
    Mutant(
        "what an earlier run left is not sent",
        "bot/host/outbox.py",
        """        for number in await self._tables.store.tables_with_deliveries():
            self.wake(number)""",
        """        for number in await self._tables.store.tables_with_deliveries():
            _log.debug("table %d has something to send", number)""",
        (_OUTBOX_TESTS, _OUTBOX_RETRIES_TESTS),
    ),
    Mutant(
        "a repeated post carries no nonce",
        "bot/chat/messages.py",
        "                nonce=context.delivery.id,\n",
        "",
        ("tests/bot/e2e/test_faults.py", "-k", "lost_answer or arrives_once"),
    ),
    Mutant(
        "what is put off is tried at once, for ever",
        "bot/host/outbox.py",
        "await self._tables.store.postpone(delivery, self._tables.clock() + wait, reason)",
        "await self._tables.store.postpone(delivery, self._tables.clock(), reason)",
        (_OUTBOX_TESTS, _OUTBOX_RETRIES_TESTS),
    ),
    Mutant(
        "where a message stands is forgotten",
        "bot/host/outbox.py",
        "await self._tables.store.mark_delivered(delivery, ply, result.posted, result.replaced)",
        "await self._tables.store.mark_delivered(delivery, ply, None)",
        (_OUTBOX_TESTS, "tests/bot/e2e/test_tables.py"),
    ),
)

BACKUP_AND_RESTORE_MUTANTS: Final = (
    Mutant(
        "a copy is not compared with what was copied",
        "bot/store/backup.py",
        "if not is_copy(descriptor, target, interruption):",
        "if not target.exists():",
        (_BACKUP_TESTS,),
    ),
    Mutant(
        "a finding quotes a player's message",
        "bot/store/inspection.py",
        "yield TableFault(number, divergence.redacted_text, divergence.ply)",
        "yield TableFault(number, str(divergence), divergence.ply)",
        (_BACKUP_TESTS,),
    ),
    Mutant(
        "a position that the records do not bring about is taken for proved",
        "bot/host/loading.py",
        "if (snapshot_match.state, snapshot_match.recent_events) != (match.state, match.recent_events):",
        "if snapshot_match.ply != match.ply:",
        ("tests/bot/operate/test_commands.py", "tests/bot/operate/test_doctor.py"),
    ),
    Mutant(
        "every restoration numbers its messages alike",
        "bot/store/generations.py",
        '"first_id": generation * _IDS_PER_GENERATION,',
        '"first_id": _IDS_PER_GENERATION,',
        (_RESTORED_TESTS,),
    ),
    Mutant(
        "the number of a lost table is forgotten by the next restoration",
        "bot/operate/restore.py",
        "            replaced_database_state.highest_lost_number,\n"
        "            backup_state.highest_lost_number,\n"
        "            *(lost_numbers or ()),",
        "            0,\n            *(lost_numbers or (0,)),",
        (_RESTORED_TESTS,),
    ),
    Mutant(
        "a table that counts as many changes is taken for unchanged",
        "bot/operate/restore.py",
        "if replaced_state is not None and replaced_state.version == version:",
        "if replaced_state is not None and replaced_state.version.version == version.version:",
        (_RESTORED_TESTS,),
    ),
    Mutant(
        "a game that this release plays differently goes on after a restoration",
        "bot/operate/restored_tables.py",
        "new_row = new_row.as_frozen()",
        "pass",
        (_RESTORED_TESTS,),
    ),
    Mutant(
        "a game that had ended goes on after a restoration",
        "bot/operate/restored_tables.py",
        "if replaced_state is not None and replaced_state.status not in LIVE_STATUSES:",
        "if replaced_state is not None and replaced_state.status is Status.CLOSED:",
        (_RESTORED_ENDED_GAMES_TESTS,),
    ),
    Mutant(
        "a game whose end may be lost goes on unasked",
        "bot/operate/restored_tables.py",
        "        replaced_state is None\n        or replaced_state.status is Status.LOBBY\n"
        "        or replaced_state.needs_agreement_to_go_on\n",
        "        replaced_state is not None\n        and (replaced_state.status is Status.LOBBY\n"
        "        or replaced_state.needs_agreement_to_go_on)\n",
        (_RESTORED_ENDED_GAMES_TESTS,),
    ),
    Mutant(
        "a game that waits for its players' consent need not wait once it is restored again",
        "bot/operate/restored_tables.py",
        "        or replaced_state.status is Status.LOBBY\n"
        "        or replaced_state.needs_agreement_to_go_on\n",
        "        or replaced_state.status is Status.LOBBY\n",
        (_RESTORED_ENDED_GAMES_TESTS,),
    ),
    Mutant(
        "each restoration lets players try other words",
        "bot/operate/restored_tables.py",
        "if not first_lost_records or first_lost_records[0].action != reseal.action:",
        "if first_lost_records is not None:",
        (_RESEALED_TESTS,),
    ),
    Mutant(
        "a restored lobby keeps its seed",
        "bot/operate/restored_tables.py",
        "seed=secrets.token_bytes(SEED_BYTES), seats=seats",
        "seats=seats",
        (_RESEALED_TESTS,),
    ),
    Mutant(
        "who had a seat in lost moves is forgotten",
        "bot/operate/restored_tables.py",
        "(*row.holders, *(() if replaced_state is None else replaced_state.holders))",
        "row.holders",
        (_RESTORED_ENDED_GAMES_TESTS,),
    ),
    Mutant(
        "another table of the same number is taken for the restored one",
        "bot/store/restoring.py",
        "return state if state is not None and state.match_id == match_id else None",
        "return state",
        (_RESTORED_ENDED_GAMES_TESTS,),
    ),
)

DEALS_MUTANTS: Final = (
    Mutant(
        "after an undo players may cut again",
        "rules/deal_key.py",
        "return replace(self, cut_seats=None, earlier_key_record_count=",
        "return replace(self, cut_seats=(), earlier_key_record_count=",
        (_DEAL_KEY_TESTS,),
    ),
    Mutant(
        "a seat cuts twice",
        "rules/advance.py",
        "        or record.actor in cut_seats\n",
        "",
        (_DEAL_KEY_TESTS,),
    ),
    Mutant(
        "the cuts before the start stand in any order",
        "rules/advance.py",
        "any(seat > record.actor for seat in cut_seats)",
        "False",
        (_DEAL_KEY_TESTS,),
    ),
    Mutant(
        "an undo deals anew what was dealt before a reseal, and nobody is asked",
        "rules/undo.py",
        "index < match.deal_key.earlier_key_record_count or ",
        "",
        (_DEAL_KEY_TESTS,),
    ),
    Mutant(
        "an undo brings an earlier key back",
        "rules/match.py",
        "            deal_key=deal_key,\n            new_records=(record,),\n",
        "            new_records=(record,),\n",
        (_DEAL_KEY_TESTS,),
    ),
    Mutant(
        "the code of a reseal is not checked",
        "rules/deal_key.py",
        "if make_fairness_code(match_id, deal_key.key) != record.action.code:",
        "if False:",
        (_DEAL_KEY_TESTS, "tests/rules/test_proof.py"),
    ),
    Mutant(
        "every code is the one that the player saw",
        "rules/proof.py",
        "if each.code.startswith(searched_code):",
        "if searched_code:",
        ("tests/rules/test_proof.py",),
    ),
    Mutant(
        "a running game gives its seed",
        "rules/matchfile.py",
        "if seed and not (match.is_over or ended_early):",
        "if False:",
        ("tests/rules/test_matchfile.py",),
    ),
)

MUTANTS: Final = (
    *STORE_MUTANTS,
    *HOST_MUTANTS,
    *VIEWS_MUTANTS,
    *OUTBOX_MUTANTS,
    *BACKUP_AND_RESTORE_MUTANTS,
    *DEALS_MUTANTS,
)
