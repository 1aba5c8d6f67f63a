"""The narration of Current Affairs: at sea, in port, the end."""

import re
from collections import Counter

import pytest

from rules.current_affairs import CURRENT_AFFAIRS
from rules.current_affairs.actions import Deliver
from rules.current_affairs.boards import open_contracts
from rules.current_affairs.ending import board_points
from rules.current_affairs.events import EndReason
from rules.current_affairs.model import CurrentAffairsOptions
from rules.current_affairs.phrases import contract_name
from rules.model import CHANCE
from rules.notation import write_action
from rules.random_stream import RandomStream
from tests.rules.current_affairs.positions import (
    FAR_BOARDS,
    IN_PORT,
    NAMES,
    act,
    fill_regions,
    make_board,
    make_position,
    play_draft,
    resolve_chance,
)
from tests.rules.current_affairs.texts import WORDS, narrate_last_action
from tests.rules.whole_games import play_game


def test_narration_at_sea() -> None:
    """One sentence for a move and what it brings."""
    position = make_position(
        make_board("OKH", "C05:PPA."), *FAR_BOARDS, stacks={"EMP": "R", "GPP": "G", "KUR": ""}
    )
    assert narrate_last_action(position, "sail EMP") == (
        "Ava sails to Emperor (one action), completes Yokohama 9 with rubber and "
        "restores the albatross habitat there (1 of 5)."
    )
    assert narrate_last_action(position, "sail GPP") == (
        "Ava sails to the Garbage Patch (two actions) and takes no trash."
    )
    choosing = make_position(make_board("OKH", "C04 C09"), *FAR_BOARDS, stacks={"EMP": "P"})
    assert narrate_last_action(choosing, "sail EMP") == "Ava sails to Emperor (one action)."
    assert narrate_last_action(choosing, "sail EMP", "collect P C09 yes") == (
        "Ava takes plastic as any for San Francisco 6 and restores the albatross habitat of Emperor (1 of 5)."
    )


@pytest.mark.parametrize(
    ("contract", "stack", "move", "text"),
    [
        ("C09", "N", "collect N C09 yes", "takes a net as any for San Francisco 6"),
        ("C09", "P", "collect P C09 yes", "takes plastic as any for San Francisco 6"),
        ("C09", "P", "collect P C09 no", "takes plastic for San Francisco 6"),
        ("C09", "NG", "collect N C09 yes", "takes a net from below as any for San Francisco 6"),
        ("C09:PR.", "N", "collect N C09 yes", "completes San Francisco 6 with a net as any"),
    ],
)
def test_narration_names_the_slot_for_any_trash(contract: str, stack: str, move: str, text: str) -> None:
    """Where trash fills a slot for any kind, the story says "as any"."""
    board = make_board("OKH", contract, unlocked="crane")
    position = make_position(board, *FAR_BOARDS, stacks={"EMP": f"A{stack}"})
    assert narrate_last_action(position, "sail EMP", move) == f"Ava {text}."


def test_contracts_of_the_same_name_are_told_apart() -> None:
    """Of two in play, with players or open, a story names neither without what it asks for or its code."""
    distinguished_count = 0
    for transition in play_game(CURRENT_AFFAIRS, 5, "casual", 1):
        position = transition.after
        contracts = [each.contract for board in position.boards for each in board.contracts]
        contracts += [each for board in position.boards for each in board.delivered_contracts]
        contracts += [*position.draft_contracts, *open_contracts(position)]
        views = [CURRENT_AFFAIRS.view(each, None) for each in (transition.before, position)]
        story = WORDS.narrate(views[0], transition.actor, transition.action, views[1], NAMES).text
        board_text = WORDS.describe(views[1], NAMES)
        for name, count in Counter(contract_name(each) for each in contracts).items():
            if count > 1:
                assert not re.search(rf"{name}\b(?! \()", story)
                assert not re.search(rf"(?<!C\d\d ){name}\b(?! \()", board_text)
                distinguished_count += bool(re.search(rf"(takes|completes|delivers) .*{name} \(", story))
    assert distinguished_count


def test_narration_of_the_draft() -> None:
    """The last contract of a round is taken by itself: its player reads why."""
    draft_position = act(fill_regions(CURRENT_AFFAIRS.initial_state(3, CurrentAffairsOptions())), "begin B")
    draft_position = act(draft_position, "deal C01,C15,C22")
    picks = "pick C01", "pick C15", "pick C22"
    assert (
        narrate_last_action(draft_position, *picks[:2]) == "Chloé takes Brisbane 4 (plastic and aluminium)."
    )
    assert (
        narrate_last_action(draft_position, *picks)
        == "Ava takes Callao 5 (plastic and rubber), the last one left."
    )


@pytest.mark.parametrize(
    ("contracts", "text"),
    [
        (("C14 C01", "C07 C03", "C21 C02"), "Ava has the most valuable contract and starts."),
        (
            ("C15 C03", "C07 C01", "C21 C02"),
            "Ben and Chloé have the most valuable contracts. Chloé has the better other one and starts.",
        ),
        (
            ("C07 C02", "C15 C01", "C21 C03"),
            "Ava and Chloé have equally valuable contracts. Ava picked earlier and starts.",
        ),
    ],
)
def test_why_somebody_starts(contracts: tuple[str, ...], text: str) -> None:
    """Between contracts of the same points the narration says what decided (CA2)."""
    position = play_draft(*contracts)
    outcome = CURRENT_AFFAIRS.sample_chance(position, RandomStream(bytes(32), 0))
    views = [CURRENT_AFFAIRS.view(each, None) for each in (position, resolve_chance(position))]
    narration = CURRENT_AFFAIRS.words.narrate(views[0], CHANCE, outcome, views[1], NAMES).text
    assert narration.startswith(f"{text} The market opens with ")


def test_narration_in_port() -> None:
    """Deliver, unlock, draw, reveal; or leave."""
    assert narrate_last_action(IN_PORT, "deliver C05") == (
        "Ava delivers Yokohama 9: 5 points more (9 \u2212 4 for its trash)."
    )
    assert narrate_last_action(IN_PORT, "deliver C05", "unlock crane") == (
        "Ava unlocks the crane: take the first or the second trash of a stack."
    )
    assert narrate_last_action(IN_PORT, "deliver C05", "draw C02") == (
        "Ava draws Yokohama 6 (aluminium, glass and any). New in the market: San Francisco 4 "
        "(plastic and any)."
    )
    assert narrate_last_action(IN_PORT, "deliver C05", "draw C02", "reveal C28") == (
        "Open on the deck: Callao 10 (2 plastic, glass, net and any)."
    )
    assert narrate_last_action(IN_PORT, "discard C09") == (
        "Ava discards San Francisco 6 (plastic, rubber and any) and loses plastic."
    )
    assert narrate_last_action(IN_PORT, "end") == "Ava ends the turn in Yokohama."


def test_a_delivery_is_narrated_with_the_points_that_the_score_gains() -> None:
    """In whole games the numbers of the sentence add up to what the player's panel gains."""
    delivery_count = 0
    for number in range(2):
        for before, actor, action, after in play_game(CURRENT_AFFAIRS, 3, "casual", number):
            if isinstance(action, Deliver):
                text = narrate_last_action(before, write_action(action))
                match = re.search(r": (\d+) points more \((\d+)(?: \+ (\d+) bonus)? \u2212 (\d+) for", text)
                assert match, text
                points, contract_points, bonus, trash_points = (int(each or 0) for each in match.groups())
                assert points == contract_points + bonus - trash_points, text
                assert points == board_points(after.boards[actor]) - board_points(before.boards[actor]), text
                delivery_count += 1
    assert delivery_count


def test_narration_of_the_end() -> None:
    """The trigger, extra turns, who won and by what."""
    board = make_board("GPP", "C03", restored="BER TAH KUR LIN")
    boards = make_board("CLI", delivered="C15"), board, make_board("NEM")
    position = make_position(*boards, stacks={"CAL": "P"}, player=1)
    assert narrate_last_action(position, "sail CAL", "end") == (
        "Ben ends the turn in San Francisco.\nBen has restored five habitats. This round is the last."
    )
    boards = (
        make_board("OKH", delivered="C14"),
        make_board("TAS", delivered="C04 C16"),
        make_board("NEM", delivered="C08"),
    )
    before_last_turn = make_position(*boards, player=2, end_reason=EndReason.CONTRACTS_DELIVERED)
    assert narrate_last_action(before_last_turn, "sail CHA") == (
        "Chloé sails to the Chatham Rise (three actions) and takes no trash.\n"
        "Ava wins with 12 points and the best contract (12), ahead of Ben with 12 and Chloé with 4."
    )
    extra_turn_board = make_board("TAS", unlocked="extra-turn")
    before_extra_turn = make_position(
        boards[0], extra_turn_board, boards[2], player=2, end_reason=EndReason.CONTRACTS_DELIVERED
    )
    assert narrate_last_action(before_extra_turn, "sail CHA").endswith("\nOne more turn for Ben.")


def test_the_last_round_is_over_once_its_last_turn_is() -> None:
    """The round that ends with the trigger is not announced as still to come."""
    last_player = make_board("CLI", "C03", restored="BER TAH KUR LIN")
    boards = make_board("OKH"), make_board("TAS"), last_player
    restoring = make_position(*boards, stacks={"CAL": ""}, player=2)
    assert "Chloé has restored five habitats. The last round is over.\n" in narrate_last_action(
        restoring, "sail CAL", "end"
    )
    boards = make_board("OKH", restored="BER"), make_board("TAS"), make_board("NEM")
    without_trash = make_position(*boards, other_stacks="", player=2, trash_ran_out_round=2)
    assert "The ocean is clean. The last round is over.\n" in narrate_last_action(without_trash, "sail CHA")


def test_narration_of_a_shared_victory() -> None:
    """The narration names all winners."""
    boards = make_board("OKH", delivered="C15"), make_board("TAS", delivered="C08"), make_board("NEM")
    position = make_position(*boards, player=2, end_reason=EndReason.CONTRACTS_DELIVERED)
    assert narrate_last_action(position, "sail CHA").endswith(
        "Ava and Ben win together with 4 points, ahead of Chloé with 0."
    )


def test_narration_of_a_shared_victory_by_the_best_contract() -> None:
    """The best contract is named wherever it puts somebody of the same points behind."""
    boards = (
        make_board("OKH", delivered="C05"),
        make_board("TAS", delivered="C12"),
        make_board("NEM", delivered="C08 C16"),
    )
    position = make_position(*boards, player=2, end_reason=EndReason.CONTRACTS_DELIVERED)
    assert narrate_last_action(position, "sail CHA").endswith(
        "Ava and Ben win together with 9 points and the best contract (9), ahead of Chloé with 9."
    )
