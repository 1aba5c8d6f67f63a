"""Buttons and previews of Current Affairs: destinations, trash, the first region."""

from collections.abc import Mapping
from typing import Any

import pytest
from msgspec.structs import replace

from rules.current_affairs import CURRENT_AFFAIRS
from rules.current_affairs.actions import Sail
from rules.current_affairs.components import PORT_NAMES, Contract, Port, Region
from rules.current_affairs.events import EndReason
from rules.current_affairs.forecast import forecast_stop
from rules.current_affairs.model import Phase, PlayerBoard
from rules.current_affairs.paths import path
from rules.current_affairs.phrases import completable_contracts_text, contract_name
from tests.rules.current_affairs.positions import (
    AT_SEA,
    FAR_BOARDS,
    IN_PORT,
    NAMES,
    NOTATION,
    act,
    make_board,
    make_board_near_yokohama,
    make_port_position,
    make_position,
    start_placing,
)
from tests.rules.current_affairs.texts import WORDS, actor_view, button_path_text, preview_text
from tests.rules.whole_games import play_game


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("sail EMP", "Emperor, 1 action: rubber completes San Francisco 4"),
        ("sail KUR", "Kuroshio, 1 action: plastic completes San Francisco 4, restores turtle, port"),
        ("sail ALA", "Gulf of Alaska, 3 actions: restores whale"),
        ("sail CAL", "California, 3 actions: glass completes San Francisco 4, port, seal after 3 more"),
    ],
)
def test_destinations_say_what_they_bring(text: str, label: str) -> None:
    """The label gives the cost, the trash and its contract, the habitat, the port."""
    assert button_path_text(AT_SEA, text) == label


@pytest.mark.parametrize("code", ["EMP", "GPP", "ALA", "CAL", "KUR"])
def test_a_region_has_one_name(code: str) -> None:
    """The button begins with the name that the sentence and the command use."""
    name = button_path_text(AT_SEA, f"sail {code}").partition(",")[0]
    sail = NOTATION.parse(f"sail {code}")
    assert WORDS.value_label(actor_view(AT_SEA), type(sail), "region", Region(code)).startswith(f"{name}, ")
    assert preview_text(AT_SEA, f"sail {code}").startswith(
        (f"You sail to {name} ", f"You sail to the {name} ")
    )


def test_destinations_that_bring_nothing() -> None:
    """The label says that a region is empty or that nothing there fits; several stand behind one button."""
    position = make_position(
        make_board("OKH", "C03", restored="BER"), *FAR_BOARDS, stacks={"EMP": "", "GPP": "N"}
    )
    others_label = "Other regions: nothing to take"
    assert button_path_text(position, "sail EMP") == f"{others_label} > Emperor, 1 action: empty"
    assert (
        button_path_text(position, "sail GPP") == f"{others_label} > Garbage Patch, 2 actions: nothing fits"
    )


@pytest.mark.parametrize(
    ("contracts", "stack", "gain_text"),
    [
        ("C04 C10", "R", "rubber as any for Yokohama 7 or San Francisco 7"),
        ("C05 C10", "R", "rubber for Yokohama 9"),
        ("C05 C17", "R", "rubber for Yokohama 9 or Brisbane 7"),
        ("C03 C05", "P", "plastic for Yokohama 6 or Yokohama 9"),
        ("C17 C19", "N", "net for Brisbane 9"),
        ("C17 C19", "P", "plastic for Brisbane 7"),
        ("C19 C20", "A", "aluminium as any for Brisbane 9"),
        ("C05:PPA. C10", "R", "rubber completes Yokohama 9"),
        ("C05:PPAR C10", "A", "aluminium for San Francisco 7, deliver Yokohama 9"),
        ("C23:G.R C26", "R", "rubber completes Callao 7"),
        ("C23:G.R C24", "R", "rubber completes Callao 7 (glass, rubber and any)"),
        ("C22:PR C26", "N", "net for Callao 8, deliver Callao 5"),
    ],
)
def test_labels_name_the_contracts_that_take_trash(contracts: str, stack: str, gain_text: str) -> None:
    """Slots for the kind are named first; slots for any trash only where there is no other."""
    position = make_position(
        make_board("OKH", contracts, restored="GPP"), *FAR_BOARDS, stacks={"KUR": stack * 2}
    )
    assert button_path_text(position, "sail KUR").startswith(f"Kuroshio, 1 action: {gain_text}")


def test_a_crane_names_both_tokens() -> None:
    """With a crane, label and preview name both tokens within reach."""
    board = make_board("OKH", "C05", unlocked="crane")
    position = make_position(board, *FAR_BOARDS, stacks={"EMP": "GAP"})
    assert button_path_text(position, "sail EMP") == (
        "Emperor, 1 action: plastic or aluminium, albatross after 2 more"
    )
    assert "You take plastic for Yokohama 9; or aluminium for Yokohama 9." in preview_text(
        position, "sail EMP"
    )


@pytest.mark.parametrize(
    ("contracts", "gain_text"),
    [
        ("C08:P. C05", "plastic or aluminium completes San Francisco 4"),
        ("C01:A. C05", "plastic or aluminium, albatross after 2 more"),
        ("C15:P. C05", "plastic or aluminium, albatross after 2 more"),
    ],
)
def test_a_crane_names_a_contract_that_either_token_completes(contracts: str, gain_text: str) -> None:
    """The label says what is completed if that is the same with both tokens."""
    position = make_position(
        make_board("OKH", contracts, unlocked="crane"), *FAR_BOARDS, stacks={"EMP": "GAP"}
    )
    assert button_path_text(position, "sail EMP") == f"Emperor, 1 action: {gain_text}"


def test_a_token_that_may_be_left_is_not_promised() -> None:
    """The preview of a token that only the crane reaches says that it may be taken (CA10)."""
    board = make_board("OKH", "C03", unlocked="crane")
    position = make_position(board, *FAR_BOARDS, stacks={"EMP": "GPN"})
    assert preview_text(position, "sail EMP").endswith(
        "You may take plastic for Yokohama 6. "
        "The albatross habitat there is restored when three more pieces of trash are taken."
    )


def test_a_restored_habitat_is_not_promised() -> None:
    """Where the habitat is restored before the ship comes, the preview says so."""
    position = make_position(make_board("OKH", "C03", restored="EMP"), *FAR_BOARDS, stacks={"EMP": ""})
    assert preview_text(position, "sail EMP").endswith(
        "No trash is left there. The albatross habitat there is already restored."
    )


def test_trash_out_of_reach_is_not_said_to_fit_nothing() -> None:
    """Trash below the top may fit a contract, so the preview speaks of what is within reach alone."""
    position = make_position(make_board("OKH", "C03"), *FAR_BOARDS, stacks={"EMP": "PN"})
    assert "No trash within reach fits your contracts." in preview_text(position, "sail EMP")


def test_a_stop_that_takes_nothing_says_nothing_of_the_habitat() -> None:
    """The preview of a stop whose trash cannot be taken does not mention the habitat."""
    for restored in ("", "BER"):
        board = make_board("OKH", "C03", restored=restored)
        position = make_position(board, *FAR_BOARDS, stacks={"EMP": "NN"})
        assert preview_text(position, "sail EMP").endswith("No trash within reach fits your contracts.")


def test_trash_and_slot_are_one_press() -> None:
    """The kind, the contract, and whether the slot takes any trash."""
    position = act(make_position(make_board("OKH", "C04 C09"), *FAR_BOARDS, stacks={"EMP": "PP"}), "sail EMP")
    assert [button_path_text(position, text) for text in ("collect P C04 no", "collect P C09 yes")] == [
        "Plastic on Yokohama 7",
        "Plastic as any on San Francisco 6",
    ]


def test_contracts_of_the_same_name_say_what_they_need() -> None:
    """Two cards of one port and the same points have different names."""
    position = act(make_position(make_board("OKH", "C12 C13"), *FAR_BOARDS, stacks={"EMP": "GG"}), "sail EMP")
    assert button_path_text(position, "collect G C12 no") == (
        "Glass on San Francisco 9 (aluminium, glass, net and any)"
    )


@pytest.mark.parametrize(
    ("contracts", "label"),
    [
        ("C12:AGNP C13:PGNP", "California, 1 action: restores seal, deliver two contracts"),
        (
            "C12:AGNP C14:AGNNP",
            "California, 1: restores seal, deliver San Francisco 9 and San Francisco 12",
        ),
        ("C12:AGNP C13:PG..", "California, 1 action: aluminium, restores seal, deliver San Francisco 9"),
    ],
)
def test_destinations_of_contracts_of_the_same_name_fit(contracts: str, label: str) -> None:
    """Where long names of contracts have no room, a shorter name or their number stands for them."""
    position = make_position(
        make_board("GPP", contracts), *FAR_BOARDS, stacks={"CAL": "" if "." not in contracts else "A"}
    )
    assert button_path_text(position, "sail CAL") == label
    assert len(WORDS.short_preview(actor_view(position), NOTATION.parse("sail CAL"), NAMES)) <= 100


@pytest.mark.parametrize(
    ("contracts", "fields", "gains_text"),
    [
        ("C08:P. C04:PPAR", {}, ": plastic completes San Francisco 4, restores turtle, deliver both"),
        ("C08:P. C03", {}, " action: plastic completes San Francisco 4, restores turtle, port"),
        (
            "C08:P. C04:PPAR",
            {"delivered": "C15 C16 C17"},
            ": completes San Francisco 4, habitat, deliver both (last round)",
        ),
        (
            "C08:P. C03",
            {"delivered": "C15 C16 C17 C18"},
            ": plastic completes San Francisco 4, habitat, deliver it (last round)",
        ),
        (
            "C08:P. C04:PPAR",
            {"restored": "BER ALA TAS MIC"},
            ": completes San Francisco 4, habitat (last round), deliver both",
        ),
    ],
)
def test_a_completed_contract_is_on_the_label(
    contracts: str, fields: Mapping[str, Any], gains_text: str
) -> None:
    """Where the label is too long it loses "actions", or is shorter about habitat and port."""
    position = make_position(make_board("OKH", contracts, **fields), *FAR_BOARDS, stacks={"KUR": "P"})
    assert button_path_text(position, "sail KUR") == f"Kuroshio, 1{gains_text}"


@pytest.mark.parametrize(
    ("contracts", "fields", "gains_text"),
    [
        ("C22:PR C26", {"delivered": "C15 C16 C17 C18"}, "deliver Callao 5 (last round)"),
        ("C22:PR C01:AR", {"delivered": "C15 C16 C17"}, "deliver Callao 5 and Yokohama 5 (last round)"),
        ("C22:PR C26", {"delivered": "C15 C16 C17"}, "deliver Callao 5"),
        ("C19", {"restored": "BER ALA TAS MIC"}, "restores turtle (last round), port"),
    ],
)
def test_a_destination_that_makes_the_round_the_last_says_so(
    contracts: str, fields: Mapping[str, Any], gains_text: str
) -> None:
    """The button warns before the fifth delivery or habitat: no turn follows in which more could count."""
    boards = make_board("OKH", contracts, **{"restored": "GPP", **fields}), *FAR_BOARDS
    position = make_position(*boards, stacks={"KUR": ""})
    assert button_path_text(position, "sail KUR") == f"Kuroshio, 1 action: {gains_text}"
    is_about_contracts = "deliver" in gains_text and "last" in gains_text
    sentence = "With a fifth delivered contract this round is the last."
    assert preview_text(position, "sail KUR").endswith(sentence) == is_about_contracts
    in_last_round = replace(position, end_reason=EndReason.CONTRACTS_DELIVERED)
    assert button_path_text(in_last_round, "sail KUR").endswith(gains_text.replace(" (last round)", ""))


def test_no_destination_hides_what_it_completes() -> None:
    """In whole games every label is whole, and names what any trash within reach completes."""
    completing_count = 0
    for number in range(3):
        for position, _, action, _ in play_game(CURRENT_AFFAIRS, 4, "casual", number):
            if not isinstance(action, Sail):
                continue
            view = actor_view(position)
            assert view.viewer is not None
            for sail in CURRENT_AFFAIRS.legal_actions(view):
                assert isinstance(sail, Sail)
                forecast = forecast_stop(position, view.viewer, sail.region)
                kinds = [each.trash for each in forecast.fitting_trash]
                texts = {completable_contracts_text(position.boards[view.viewer], kind) for kind in kinds}
                label = path(view, sail, NAMES)[-1].label
                assert "\u2026" not in label
                assert ("completes" in label) == (len(texts) == 1 and "" not in texts), label
                completing_count += "completes" in label
    assert completing_count


def test_a_discard_of_many_kinds_fits() -> None:
    """Where the lost trash has no room on a button, it is counted."""
    position = make_port_position(make_board_near_yokohama("C28:P.GNA", "C27:G..."))
    (_, step) = button_path_text(position, "discard C28").split(" > ")
    assert step == "Callao 10 (2 plastic, glass, net and any) with four pieces of trash"


def test_previews_distinguish_contracts_of_the_same_name() -> None:
    """No preview names two contracts alike."""
    board = make_board("OKH", "C12 C13")
    sailing_position = make_position(board, *FAR_BOARDS, stacks={"EMP": "GG"})
    names = "San Francisco 9 (aluminium, glass, net and any)", "San Francisco 9 (plastic, glass, net and any)"
    assert f"You take glass for {names[0]} or {names[1]}." in preview_text(sailing_position, "sail EMP")
    collecting_position = act(sailing_position, "sail EMP")
    assert preview_text(collecting_position, "collect G C13 no").startswith(f"{names[1]} will still need")


@pytest.mark.parametrize(
    ("board", "stack", "label"),
    [
        (make_board("OKH", "C05"), "GAP", "plastic for Yokohama 9, albatross after 2 more"),
        (make_board("OKH", "C05", restored="CAL"), "GAP", "plastic for Yokohama 9, albatross after 2 more"),
        (make_board("OKH", "C05", restored="BER"), "GAP", "plastic for Yokohama 9"),
        (make_board("OKH", "C05", unlocked="crane"), "PAG", "aluminium for Yokohama 9"),
    ],
    ids=["nothing restored", "another animal restored", "animal restored", "trash may be left"],
)
def test_a_destination_says_how_far_its_habitat_is(board: PlayerBoard, stack: str, label: str) -> None:
    """As long as the player may restore it, and the stop surely brings it nearer."""
    position = make_position(board, *FAR_BOARDS, stacks={"EMP": stack})
    assert button_path_text(position, "sail EMP") == f"Emperor, 1 action: {label}"


def test_the_panel_says_that_actions_lapse() -> None:
    """A turn is one voyage, however short: the question says so before the choice."""
    view = actor_view(AT_SEA)
    question = path(view, NOTATION.parse("sail KUR"), NAMES)[0].question
    assert question == "Where do you sail with four actions (those left over lapse)?"


def test_ports_are_named() -> None:
    """A contract has the name of its port, never a colour alone (CA42)."""
    for contract in Contract:
        assert contract_name(contract).startswith(tuple(PORT_NAMES.values()))
    texts = [WORDS.describe(actor_view(IN_PORT), NAMES), WORDS.status(actor_view(IN_PORT), NAMES)]
    assert not any(port.value in text.split() for text in texts for port in Port)


def test_preview_of_a_destination() -> None:
    """The way, the trash, the habitat, the port."""
    assert preview_text(AT_SEA, "sail CAL") == (
        "You sail to California through Emperor and the Garbage Patch (three actions; one action lapses). "
        "You take glass as any for San Francisco 4. "
        "The seal habitat there is restored when three more pieces of trash are taken. "
        "San Francisco 4 will be complete. Then you are in port: San Francisco."
    )
    assert preview_text(AT_SEA, "sail KUR") == (
        "You sail to the Kuroshio (one action; three actions lapse). "
        "You take plastic for Yokohama 9, or as any for San Francisco 4. "
        "You restore the turtle habitat. Then you are in port: Yokohama."
    )
    assert preview_text(AT_SEA, "sail EMP").endswith(
        "You have restored another albatross habitat, so you cannot restore this one."
    )


def test_preview_of_trash() -> None:
    """The preview says what the contract then still needs."""
    position = act(
        make_position(make_board("OKH", "C04:PPA. C09"), *FAR_BOARDS, stacks={"EMP": "P"}), "sail EMP"
    )
    assert preview_text(position, "collect P C04 yes") == (
        "Yokohama 7 will be complete. You restore the albatross habitat."
    )
    assert preview_text(position, "collect P C09 no") == (
        "San Francisco 6 will still need rubber and one of any kind. You restore the albatross habitat."
    )
    position = act(
        make_position(make_board("OKH", "C26 C08"), *FAR_BOARDS, stacks={"EMP": "PPP"}), "sail EMP"
    )
    assert preview_text(position, "collect P C08 no") == "San Francisco 4 will still need one of any kind."
    position = act(make_position(make_board("OKH", "C26"), *FAR_BOARDS, stacks={"EMP": "NNN"}), "sail EMP")
    assert preview_text(position, "collect N C26 no") == "Callao 8 will still need rubber and 2 of any kind."
    assert preview_text(position, "collect N C26 yes") == (
        "Callao 8 will still need a net, rubber and one of any kind."
    )


def test_preview_of_a_first_place() -> None:
    """The preview says which trash a first region brings and what its habitat needs."""
    position = start_placing("C14 C03", "C08 C09", "C15 C16", KUR="PPA", OKH="PPP")
    assert preview_text(position, "place KUR") == (
        "You take aluminium for San Francisco 12. "
        "The turtle habitat there is restored when two more pieces of trash are taken."
    )
    assert button_path_text(position, "place KUR") == "Kuroshio: aluminium for San Francisco 12"


def test_first_regions_that_fit_most_come_first() -> None:
    """First regions are in the order of how many slots their trash fits, then of the way to a port."""
    chosen_stacks = {"BER": "PPN", "CAL": "PPN", "EMP": "PPA", "KUR": "PPA"}
    stacks = {region.value: "RRP" for region in Region} | chosen_stacks  # plastic fits the slot for any only
    view = actor_view(start_placing("C01 C10", "C08 C09", "C15 C16", **stacks))
    steps = [path(view, action, NAMES)[-1] for action in CURRENT_AFFAIRS.legal_actions(view)]
    labels = [step.label for step in sorted(steps, key=lambda step: step.order)]
    assert labels[:5] == [
        "Kuroshio: aluminium for Yokohama 5 or San Francisco 7",
        "Emperor: aluminium for Yokohama 5 or San Francisco 7",
        "California: net for San Francisco 7",
        "Bering Sea: net for San Francisco 7",
        "Sea of Okhotsk: plastic as any for San Francisco 7",
    ]


def test_useless_regions_stand_apart_only_beside_better_ones() -> None:
    """In a whole game, those that bring nothing are apart if there are several and others bring something."""
    apart_phases = set()
    for transition in play_game(CURRENT_AFFAIRS, 3, "casual", 2):
        phase = transition.after.phase
        if phase not in {Phase.PLACE, Phase.SAIL} or transition.after.to_act is None:
            continue
        view = actor_view(transition.after)
        paths = [path(view, action, NAMES) for action in CURRENT_AFFAIRS.legal_actions(view)]
        useless_paths = [steps for steps in paths if steps[-1].label.endswith((": empty", ": nothing fits"))]
        other_paths = [steps for steps in paths if steps not in useless_paths]
        is_apart = len(useless_paths) > 1 and bool(other_paths)
        assert {len(steps) for steps in useless_paths} <= {2 if is_apart else 1}
        assert all(len(steps) == 1 for steps in other_paths)
        if is_apart:
            apart_phases.add(phase)
    assert apart_phases == {Phase.PLACE, Phase.SAIL}
