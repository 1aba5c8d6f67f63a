"""Buttons and previews of Current Affairs in port: deliveries, upgrades, contracts."""

from collections.abc import Mapping
from typing import Any

import pytest
from msgspec.structs import replace

from rules.current_affairs import CURRENT_AFFAIRS
from rules.current_affairs.components import MAX_ROUNDS, Contract, Region, Upgrade
from rules.current_affairs.ending import board_points
from rules.current_affairs.events import EndReason
from rules.current_affairs.paths import path
from rules.notation import write_action
from tests.rules.current_affairs.positions import (
    FAR_BOARDS,
    IN_PORT,
    NAMES,
    act,
    make_board,
    make_board_near_yokohama,
    make_port_position,
    make_position,
    start_extra_turns,
)
from tests.rules.current_affairs.texts import actor_view, button_path_text, narrate_last_action, preview_text


def test_port_buttons() -> None:
    """Deliver and discard; then upgrades with their effects, which count at once, and draws."""
    assert button_path_text(IN_PORT, "deliver C05") == "Deliver Yokohama 9"
    assert button_path_text(IN_PORT, "discard C09") == "Discard San Francisco 6 with plastic"
    assert button_path_text(IN_PORT, "end") == "End turn"
    after_delivery = act(IN_PORT, "deliver C05")
    assert button_path_text(after_delivery, "unlock wheel") == "Unlock wheel: one more action each turn"
    text = "Draw Yokohama 6: aluminium, glass and any"
    assert button_path_text(after_delivery, "draw C02") == f"{text} (gives up an upgrade)"
    assert button_path_text(act(after_delivery, "unlock wheel"), "draw C02") == text
    view = actor_view(after_delivery)
    steps = {write_action(each): path(view, each, NAMES)[0] for each in CURRENT_AFFAIRS.legal_actions(view)}
    assert steps["draw C02"].collapsed, "its button is no more striking than those of upgrades"
    assert not steps["unlock wheel"].collapsed


@pytest.mark.parametrize(
    ("contracts", "delivered", "label"),
    [
        ("C08:PP", "", "Deliver San Francisco 4 (no upgrade here)"),
        ("C05:PPAR", "C15 C16 C17 C18", "Deliver Yokohama 9 (last round)"),
        ("C08:PP", "C15 C16 C17 C18", "Deliver San Francisco 4 (last round, no upgrade)"),
        (
            "C12:AGNP C13:PGNP",
            "C15 C16 C17 C18",
            "Deliver San Francisco 9 (aluminium, glass, net and any) (last round, no upgrade)",
        ),
    ],
)
def test_a_delivery_names_what_it_ends_or_forfeits(contracts: str, delivered: str, label: str) -> None:
    """Its button counts at once, so it says that no upgrade follows, or no more rounds."""
    board = make_board("OKH", contracts, restored="GPP", delivered=delivered)
    assert button_path_text(make_port_position(board), f"deliver {contracts[:3]}") == label


def test_the_only_contract_to_discard_is_named_at_once() -> None:
    """One button names it, since it counts at once; several are chosen from behind one button."""
    two_contracts_position = make_port_position(make_board_near_yokohama("C09:P..", "C27:G..."))
    assert (
        button_path_text(two_contracts_position, "discard C09")
        == "Discard a contract > San Francisco 6 with plastic"
    )
    assert (
        button_path_text(act(two_contracts_position, "discard C09"), "discard C27")
        == "Discard Callao 10 with glass"
    )
    empty_contract_position = make_port_position(make_board_near_yokohama("C05:PPAR", "C28"))
    assert button_path_text(empty_contract_position, "discard C28") == "Discard Callao 10"


def test_previews_in_port() -> None:
    """Points and upgrades, what is lost, and what can no longer be done."""
    assert preview_text(IN_PORT, "deliver C05") == (
        "You gain 5 points more (9 \u2212 4 for its trash). You may also unlock an upgrade."
    )
    assert preview_text(IN_PORT, "discard C09") == (
        "San Francisco 6 (has plastic, needs rubber and any) goes to the discard pile. You lose plastic. "
        "You can then no longer deliver Yokohama 9 this turn. Then draw one contract."
    )
    after_delivery = act(IN_PORT, "deliver C05")
    assert preview_text(after_delivery, "draw C02") == (
        "6 points for aluminium, glass and one of any kind. "
        "Delivered in Yokohama, it also unlocks an upgrade. "
        "You can then no longer discard a contract or unlock an upgrade this turn."
    )
    after_only_delivery = act(make_port_position(make_board_near_yokohama("C05:PPAR")), "deliver C05")
    assert {upgrade: preview_text(after_only_delivery, f"unlock {upgrade.value}") for upgrade in Upgrade} == {
        Upgrade.WHEEL: "From your next turn on you have four actions.",
        Upgrade.CRANE: "From your next turn on you may take the first or the second trash of a stack.",
        Upgrade.SHARE_SPACE: "From your next turn on you may stop where other ships are.",
        Upgrade.EXTRA_TURN: "After the last round you have one more turn.",
        Upgrade.HABITAT_BONUS: "At the end you gain 2 points more for each restored habitat. "
        "So far that is 2 points.",
        Upgrade.CONTRACT_BONUS: "At the end you gain 2 points more for each delivered contract. "
        "So far that is 2 points.",
    }
    foreign_contract_position = make_port_position(make_board_near_yokohama("C08:PP"))
    assert preview_text(foreign_contract_position, "deliver C08") == (
        "You gain 2 points more (4 \u2212 2 for its trash). Only San Francisco would also unlock an upgrade."
    )


def test_a_delivery_names_what_is_really_gained() -> None:
    """Preview and log count the contract bonus; the preview names the trash that no longer counts."""
    board = make_board_near_yokohama("C05:PPAR", unlocked="contract-bonus")
    position = make_port_position(board)
    preview = preview_text(position, "deliver C05")
    assert preview.startswith("You gain 7 points more (9 + 2 bonus \u2212 4 for its trash). ")
    narration = narrate_last_action(position, "deliver C05")
    assert narration.startswith(
        "Ava delivers Yokohama 9: 7 points more (9 + 2 bonus \u2212 4 for its trash)."
    )
    after = act(position, "deliver C05")
    assert board_points(after.boards[0]) - board_points(position.boards[0]) == 11 - 4


def test_a_bonus_says_what_it_brings_so_far() -> None:
    """The previews of both bonuses name the points that they bring at once."""
    board = make_board_near_yokohama("C05:PPAR")
    board = replace(
        board, delivered_contracts=(Contract.C08,), restored_regions=(Region.GPP, Region.BER, Region.HAW)
    )
    position = act(make_port_position(board), "deliver C05")
    assert preview_text(position, "unlock contract-bonus").startswith(
        "At the end you gain 2 points more for each delivered contract. So far that is 4 points."
    )
    assert preview_text(position, "unlock habitat-bonus").startswith(
        "At the end you gain 2 points more for each restored habitat. So far that is 6 points."
    )


def test_a_delivery_promises_an_upgrade_only_if_a_lock_is_left_for_it() -> None:
    """Each delivery in its own port covers one lock (CA19); without a lock left, only points are named."""
    text_without_upgrade = "You gain 7 points more (9 + 2 bonus \u2212 4 for its trash)."
    six_unlocked = "wheel crane habitat-bonus contract-bonus extra-turn share-space"
    board = make_board_near_yokohama("C05:PPAR", "C01:AR", unlocked=six_unlocked)
    position = make_port_position(board)
    assert preview_text(position, "deliver C01") == (
        "You gain 5 points more (5 + 2 bonus \u2212 2 for its trash). You may also unlock an upgrade."
    )
    assert preview_text(act(position, "deliver C01"), "deliver C05") == text_without_upgrade
    board = make_board_near_yokohama("C05:PPAR", "C08:PP", unlocked=f"{six_unlocked} wheel")
    position = make_port_position(board)
    assert preview_text(position, "deliver C05") == text_without_upgrade
    assert preview_text(position, "deliver C08") == (
        "You gain 4 points more (4 + 2 bonus \u2212 2 for its trash)."
    )


def test_previews_of_later_steps_name_a_lost_discard() -> None:
    """Unlocking and drawing rule out a discard (CA32); the previews say so only if one is legal."""
    lost_text = " You can then no longer discard a contract this turn."
    after_delivery = act(IN_PORT, "deliver C05")
    assert (
        preview_text(after_delivery, "unlock wheel")
        == f"From your next turn on you have four actions.{lost_text}"
    )
    after_unlocking = act(after_delivery, "unlock wheel")
    assert "no longer" not in preview_text(after_unlocking, "draw C02")
    after_first_delivery = act(
        make_port_position(make_board_near_yokohama("C05:PPAR", "C01:AR")), "deliver C05"
    )
    assert preview_text(after_first_delivery, "unlock crane").endswith(
        " You can then no longer deliver Yokohama 5 this turn."
    )


def test_a_preview_announces_the_last_round() -> None:
    """The fifth contract and the fifth habitat say so before they are final, also with the draw after."""
    ending = "With five delivered contracts this round is the last."
    delivered = "C01 C02 C03 C04"
    board = make_board("OKH", "C05:PPAR C09:P..", restored="GPP", delivered=delivered)
    position = make_port_position(board)
    assert preview_text(position, "deliver C05").endswith(ending)
    assert preview_text(act(position, "deliver C05", "unlock wheel"), "draw C10").endswith(ending)
    two_complete_position = make_port_position(
        make_board("OKH", "C05:PPAR C01:AR", restored="GPP", delivered=delivered)
    )
    ending = "With six delivered contracts this round is the last."
    assert preview_text(act(two_complete_position, "deliver C05"), "deliver C01").endswith(ending)
    board = make_board("OKH", "C03 C08:P.", restored="BER ALA TAS MIC")
    position = make_position(board, *FAR_BOARDS, stacks={"KUR": "P"})
    ending = "You restore the turtle habitat. With five restored habitats this round is the last."
    assert f"{ending} Then you are in port: Yokohama." in preview_text(position, "sail KUR")
    assert preview_text(act(position, "sail KUR"), "collect P C03 no").endswith(ending)


LAST_ROUND_FIELDS = {"end_reason": EndReason.HABITATS_RESTORED}
USELESS_TEXT = "This is your last turn, so this upgrade brings nothing."
USEFUL_TEXT = "From your next turn on you may stop where other ships are."


@pytest.mark.parametrize(
    ("unlocked", "fields", "expected"),
    [
        ("", {}, USEFUL_TEXT),
        ("", LAST_ROUND_FIELDS, USELESS_TEXT),
        ("", {"round_number": MAX_ROUNDS}, USELESS_TEXT),
        ("extra-turn", LAST_ROUND_FIELDS, USEFUL_TEXT),
    ],
)
def test_an_upgrade_without_a_later_turn_brings_nothing(
    unlocked: str, fields: Mapping[str, Any], expected: str
) -> None:
    """The preview promises a next turn only to those who have one."""
    board = make_board_near_yokohama("C05:PPAR", unlocked=unlocked)
    position = act(make_port_position(board, **fields), "deliver C05")
    assert preview_text(position, "unlock share-space") == expected
    assert preview_text(position, "unlock habitat-bonus").startswith("At the end you gain")
    is_useless = expected == USELESS_TEXT
    effect = "brings nothing any more" if is_useless else "stop where other ships are"
    assert button_path_text(position, "unlock share-space") == f"Unlock shared space: {effect}"
    assert button_path_text(position, "unlock habitat-bonus") == (
        "Unlock habitat bonus: 2 points more for each restored habitat, 2 points now"
    )
    view = actor_view(position)
    steps = {write_action(each): path(view, each, NAMES)[0] for each in CURRENT_AFFAIRS.legal_actions(view)}
    assert steps["unlock share-space"].collapsed == is_useless, "its button is no more striking than others"
    assert not steps["unlock contract-bonus"].collapsed


def test_the_fifth_delivery_leaves_upgrades_that_bring_nothing() -> None:
    """Who has delivered five contracts has no later turn, since the round is the last."""
    board = make_board("OKH", "C05:PPAR", restored="GPP", delivered="C15 C16 C17 C18")
    position = act(make_port_position(board), "deliver C05")
    assert button_path_text(position, "unlock wheel") == "Unlock wheel: brings nothing any more"
    assert button_path_text(position, "unlock extra-turn") == "Unlock extra turn: one more turn at the end"
    assert button_path_text(position, "unlock contract-bonus") == (
        "Unlock contract bonus: 2 points more for each delivered contract, 10 points now"
    )


@pytest.mark.parametrize(("unlocked", "is_useless"), [("", True), ("extra-turn", False)])
def test_a_contract_drawn_in_the_last_turn_brings_nothing(unlocked: str, *, is_useless: bool) -> None:
    """It must be drawn (CA21), so button and preview say that nothing depends on which one it is."""
    board = make_board_near_yokohama("C08:PP", unlocked=unlocked)
    position = act(make_port_position(board, **LAST_ROUND_FIELDS), "deliver C08")
    label, preview = button_path_text(position, "draw C02"), preview_text(position, "draw C02")
    assert (label == "Draw Yokohama 6: brings nothing any more") == is_useless
    assert (preview == "This is your last turn, so this contract brings nothing.") == is_useless
    assert button_path_text(act(make_port_position(board), "deliver C08"), "draw C02").endswith(
        "glass and any"
    )
    board = make_board_near_yokohama("C05:PPAR", unlocked=unlocked)
    position = act(make_port_position(board, **LAST_ROUND_FIELDS), "deliver C05")
    label = button_path_text(position, "draw C02")
    assert label.endswith(" (gives up an upgrade)"), "what it costs comes first"


def test_a_bonus_without_anything_to_count_brings_nothing_in_the_last_turn() -> None:
    """No habitat can be restored any more once the ship is in port."""
    board = make_board("OKH", "C05:PPAR", delivered="C15 C16 C17 C18")
    position = act(make_position(board, *FAR_BOARDS, stacks={"KUR": "NN"}), "sail KUR", "deliver C05")
    assert preview_text(position, "unlock habitat-bonus") == USELESS_TEXT


def test_an_upgrade_in_the_last_round_may_count_in_an_extra_turn() -> None:
    """With two upgrades to unlock, the other one may be the extra turn."""
    board = make_board_near_yokohama("C05:PPAR", "C01:AR")
    position = act(make_port_position(board, **LAST_ROUND_FIELDS), "deliver C05", "deliver C01")
    assert preview_text(position, "unlock wheel") == (
        "This is the last round: it counts only if you unlock the extra turn too."
    )
    assert button_path_text(position, "unlock wheel") == "Unlock wheel: counts only with the extra turn"
    assert preview_text(position, "unlock extra-turn") == "After the last round you have one more turn."


def test_no_extra_turn_follows_an_extra_turn() -> None:
    """Unlocked in an extra turn, the extra turn brings nothing."""
    sailing_position = make_position(
        make_board_near_yokohama("C05:PPAR"),
        *FAR_BOARDS,
        stacks={"KUR": ""},
        end_reason=EndReason.HABITATS_RESTORED,
    )
    position = act(start_extra_turns(sailing_position), "sail KUR", "deliver C05")
    assert preview_text(position, "unlock extra-turn") == USELESS_TEXT
