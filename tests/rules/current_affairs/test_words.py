"""The words of Current Affairs: buttons, previews, refusals, narration, status, help, whole games."""

import random

import pytest
from msgspec.structs import replace

from bot import limits
from rules.current_affairs import CURRENT_AFFAIRS
from rules.current_affairs.components import PORT_NAMES, REGIONS, Contract, Lock, Port, Region, Trash
from rules.current_affairs.events import Trigger
from rules.current_affairs.model import CurrentAffairsView, Phase, Position
from rules.current_affairs.paths import path
from rules.current_affairs.phrases import contract_name
from rules.game import CHANCE, Action, Seat
from rules.stream import Stream
from tests.rules.current_affairs.positions import (
    NAMES,
    NOTATION,
    act,
    in_extra_turns,
    make_board,
    make_position,
    resign_seat,
)
from tests.rules.current_affairs.reading import (
    LONG_NAMES,
    WORDS,
    button_text,
    narrate_last,
    preview_text,
    refusal_text,
    view_to_act,
)
from tests.rules.current_affairs.test_port import board_in, in_port
from tests.rules.current_affairs.test_setup import placing

MAX_LABEL = 80
WILD = ("wild", True)
FAR = make_board("TAS", "C03 C06"), make_board("NEM", "C07 C12")
AT_SEA = make_position(
    make_board("OKH", "C05:P.A. C08:P.", restored="BER", unlocked="wheel"),
    make_board("GPP", "C10"),
    make_board("NEM", "C07 C12"),
    stacks={"EMP": "PNR", "KUR": "P", "ALA": "", "CAL": "GGGG", "PHI": "NG"},
)
PORT = in_port(board_in("C05:PPAR", "C09:P.."))


# Buttons ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("sail EMP", "Emperor, 1: rubber completes San Francisco"),
        ("sail KUR", "Kuroshio, 1: plastic completes San Francisco, restores turtle, port"),
        ("sail ALA", "Alaska, 3: restores whale"),
        ("sail CAL", "California, 3: glass completes San Francisco, port"),
    ],
)
def test_destinations_say_what_they_bring(text: str, label: str) -> None:
    """Cost, trash and its contract, habitat, port."""
    assert button_text(AT_SEA, text) == label


def test_destinations_that_bring_nothing() -> None:
    """Nothing fits, or nothing is there."""
    position = make_position(make_board("OKH", "C03", restored="BER"), *FAR, stacks={"EMP": "", "GPP": "N"})
    assert button_text(position, "sail EMP") == "Emperor, 1: empty"
    assert button_text(position, "sail GPP") == "Garbage Patch, 2: nothing fits"


@pytest.mark.parametrize(
    ("contracts", "stack", "brings"),
    [
        ("C04 C10", "R", "rubber as any for Yokohama or San Francisco"),
        ("C05 C10", "R", "rubber for Yokohama"),
        ("C05 C17", "R", "rubber for Yokohama or Brisbane"),
        ("C03 C05", "P", "plastic for Yokohama"),
        ("C05:PPA. C10", "R", "rubber completes Yokohama"),
        ("C05:PPAR C10", "A", "aluminium for San Francisco, deliver Yokohama"),
    ],
)
def test_takers(contracts: str, stack: str, brings: str) -> None:
    """Slots of the kind first; slots for any trash where there is no other."""
    position = make_position(make_board("OKH", contracts, restored="GPP"), *FAR, stacks={"KUR": stack * 2})
    assert button_text(position, "sail KUR").startswith(f"Kuroshio, 1: {brings}")


def test_crane_names_both() -> None:
    """Two tokens within reach."""
    board = make_board("OKH", "C05", unlocked="crane")
    position = make_position(board, *FAR, stacks={"EMP": "GAP"})
    assert button_text(position, "sail EMP") == "Emperor, 1: plastic or aluminium"
    assert "You take plastic for Yokohama; or aluminium for Yokohama." in preview_text(position, "sail EMP")


def test_trash_and_slot_are_one_press() -> None:
    """The kind, the contract, and whether the slot takes any trash."""
    position = act(make_position(make_board("OKH", "C04 C09"), *FAR, stacks={"EMP": "PP"}), "sail EMP")
    assert [button_text(position, text) for text in ("collect P C04 no", "collect P C09 yes")] == [
        "Plastic on Yokohama 7",
        "Plastic as any on San Francisco 6",
    ]


def test_contracts_of_the_same_name_say_what_they_need() -> None:
    """Two cards of one port and the same points have different names."""
    position = act(make_position(make_board("OKH", "C12 C13"), *FAR, stacks={"EMP": "GG"}), "sail EMP")
    assert button_text(position, "collect G C12 no") == (
        "Glass on San Francisco 9 (aluminium, glass, net and any)"
    )


def test_port_buttons() -> None:
    """Deliver and discard; then upgrades and draws."""
    assert button_text(PORT, "deliver C05") == "Deliver Yokohama 9"
    assert button_text(PORT, "discard C09") == "Discard a contract > San Francisco 6 with plastic"
    assert button_text(PORT, "end") == "End turn"
    delivered = act(PORT, "deliver C05")
    assert button_text(delivered, "unlock wheel") == "Unlock wheel"
    assert button_text(delivered, "draw C02") == "Draw Yokohama 6: aluminium, glass and any"


def test_ports_are_named() -> None:
    """A contract has the name of its port, never a colour alone (CA42)."""
    for contract in Contract:
        assert contract_name(contract).startswith(tuple(PORT_NAMES.values()))
    texts = [WORDS.describe(view_to_act(PORT), NAMES), WORDS.status(view_to_act(PORT), NAMES)]
    assert not any(port.value in text.split() for text in texts for port in Port)


# Previews --------------------------------------------------------------------------------------------


def test_preview_of_a_destination() -> None:
    """The way, the trash, the habitat, the port."""
    assert preview_text(AT_SEA, "sail CAL") == (
        "You sail to the California Current through the Emperor Seamounts and the Great Pacific Garbage "
        "Patch (three actions). You take glass as any for San Francisco. "
        "Its seal habitat is restored when three more tokens are taken. Then you are in port: San Francisco."
    )
    assert preview_text(AT_SEA, "sail KUR") == (
        "You sail to the Kuroshio (one action). You take plastic for Yokohama, or as any for San Francisco. "
        "You restore the turtle habitat. Then you are in port: Yokohama."
    )
    assert preview_text(AT_SEA, "sail EMP").endswith(
        "You have restored another albatross habitat, so you cannot restore this one."
    )


def test_preview_of_trash() -> None:
    """What the contract then needs."""
    position = act(make_position(make_board("OKH", "C04:PPA. C09"), *FAR, stacks={"EMP": "P"}), "sail EMP")
    assert preview_text(position, "collect P C04 yes") == (
        "Yokohama 7 is then complete. You restore the albatross habitat."
    )
    assert preview_text(position, "collect P C09 no") == (
        "San Francisco 6 then needs rubber and any. You restore the albatross habitat."
    )


def test_previews_in_port() -> None:
    """Points and upgrades, what is lost, and what can no longer be done."""
    assert preview_text(PORT, "deliver C05") == "You gain 9 points and may unlock an upgrade."
    assert preview_text(PORT, "discard C09") == (
        "San Francisco 6 (has plastic, needs rubber and any) goes to the discard pile. You lose plastic. "
        "In this turn you can then no longer deliver Yokohama 9. Then draw one contract."
    )
    delivered = act(PORT, "deliver C05")
    assert preview_text(delivered, "draw C02") == (
        "6 points for aluminium, glass and any. Delivered in Yokohama, it also unlocks an upgrade. "
        "In this turn you can then no longer unlock an upgrade."
    )
    assert {lock: preview_text(delivered, f"unlock {lock.value}") for lock in Lock} == {
        Lock.WHEEL: "From your next turn on you have four actions.",
        Lock.CRANE: "From your next turn on you may take the first or the second trash of a stack.",
        Lock.SHARE_SPACE: "From your next turn on you may stop where other ships are.",
        Lock.EXTRA_TURN: "After the last round you have one more turn.",
        Lock.HABITAT_BONUS: "At the end you gain 2 points more for each restored habitat.",
        Lock.CONTRACT_BONUS: "At the end you gain 2 points more for each delivered contract.",
    }
    elsewhere = in_port(board_in("C08:PP"))
    assert preview_text(elsewhere, "deliver C08") == (
        "You gain 4 points. Only San Francisco would also unlock an upgrade."
    )


def test_preview_of_a_first_place() -> None:
    """What lies on top, and the habitat."""
    position = placing("C14 C03", "C08 C09", "C15 C16", KUR="PPA", OKH="PPP")
    assert preview_text(position, "place KUR") == (
        "You take aluminium for San Francisco. Its turtle habitat is restored when two more tokens are taken."
    )
    assert button_text(position, "place KUR") == "Kuroshio: aluminium"


# Refusals --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("position", "text", "reason"),
    [
        (AT_SEA, "sail OKH", "You are in the Sea of Okhotsk already: sail to another region."),
        (AT_SEA, "sail TAS", "The Tasman Sea is 8 actions away and you have 4. Choose a nearer region."),
        (
            AT_SEA,
            "sail GPP",
            (
                "Another ship is in the Great Pacific Garbage Patch. You may sail through, but stop "
                "somewhere else until you unlock the shared space."
            ),
        ),
        (AT_SEA, "deliver C05", "First sail to another region."),
        (AT_SEA, "pick C05", "First sail to another region."),
        (PORT, "sail EMP", "You are in port. Deliver, discard or end your turn."),
        (
            PORT,
            "deliver C09",
            "San Francisco 6 (has plastic, needs rubber and any). Complete it before you deliver it.",
        ),
        (
            PORT,
            "deliver C01",
            (
                "You do not have that contract. You have Yokohama 9 (complete) and "
                "San Francisco 6 (has plastic, needs rubber and any)."
            ),
        ),
        (PORT, "discard C05", "That contract is complete: deliver it instead."),
        (PORT, "unlock wheel", "You unlock an upgrade for each contract that you deliver in its own port."),
        (PORT, "draw C02", "You have two contracts already. Deliver or discard one first."),
        (act(PORT, "deliver C05"), "end", "You have used the port, so draw contracts until you have two."),
        (
            act(PORT, "deliver C05", "unlock crane"),
            "discard C09",
            "Contracts are discarded before upgrades and new contracts. Draw a contract.",
        ),
        (
            act(PORT, "deliver C05", "discard C09", "unlock crane"),
            "unlock wheel",
            "You unlock an upgrade for each contract that you deliver in its own port.",
        ),
        (
            in_port(board_in("C09:P.."), market="C13"),
            "discard C09",
            "There are too few other contracts left to replace it, so keep it.",
        ),
    ],
)
def test_refusals(position: Position, text: str, reason: str) -> None:
    """What is wrong and what to do."""
    assert refusal_text(position, text) == reason


def test_refusals_of_trash() -> None:
    """What must be taken, and where it fits."""
    position = act(make_position(make_board("OKH", "C04 C09"), *FAR, stacks={"EMP": "PP"}), "sail EMP")
    assert refusal_text(position, "skip") == "The trash on top fits a contract of yours, so you must take it."
    assert refusal_text(position, "collect A C04 no") == (
        "There is no aluminium within reach here. You can take plastic."
    )
    assert refusal_text(position, "collect P C08 no").startswith("You do not have that contract.")
    assert refusal_text(position, "sail GPP") == "First take the trash of this region."
    assert refusal_text(position, "skip", 1) == "It is not your turn. Wait for Ava."


# Narration -------------------------------------------------------------------------------------------


def test_narration_at_sea() -> None:
    """One sentence for a move and what it brings."""
    position = make_position(make_board("OKH", "C05:PPA."), *FAR, stacks={"EMP": "R", "GPP": "G", "KUR": ""})
    assert narrate_last(position, "sail EMP") == (
        "Ava sails to the Emperor Seamounts (one action), completes Yokohama 9 with rubber and "
        "restores the albatross habitat there (1 of 5)."
    )
    assert narrate_last(position, "sail GPP") == (
        "Ava sails to the Great Pacific Garbage Patch (two actions) and takes no trash."
    )
    choosing = make_position(make_board("OKH", "C04 C09"), *FAR, stacks={"EMP": "P"})
    assert narrate_last(choosing, "sail EMP") == "Ava sails to the Emperor Seamounts (one action)."
    assert narrate_last(choosing, "sail EMP", "collect P C09 yes") == (
        "Ava takes plastic for San Francisco 6 and restores the albatross habitat of the Emperor Seamounts "
        "(1 of 5)."
    )


def test_narration_in_port() -> None:
    """Deliver, unlock, draw, reveal; or leave."""
    assert narrate_last(PORT, "deliver C05") == "Ava delivers Yokohama 9 for 9 points."
    assert narrate_last(PORT, "deliver C05", "unlock crane") == (
        "Ava unlocks the crane: take the first or the second trash of a stack."
    )
    assert narrate_last(PORT, "deliver C05", "draw C02") == (
        "Ava draws Yokohama 6 (aluminium, glass and any). New in the market: San Francisco 4 "
        "(plastic and any)."
    )
    assert narrate_last(PORT, "deliver C05", "draw C02", "reveal C28") == (
        "Open on the deck: Callao 10 (2 plastic, glass, net and any)."
    )
    assert narrate_last(PORT, "discard C09") == (
        "Ava discards San Francisco 6 (plastic, rubber and any) and loses plastic."
    )
    assert narrate_last(PORT, "end") == "Ava ends the turn in Yokohama."


def test_narration_of_the_end() -> None:
    """The trigger, extra turns, who won and by what."""
    board = make_board("GPP", "C03", restored="BER TAH KUR LIN")
    boards = make_board("CLI", delivered="C15"), board, make_board("NEM")
    position = make_position(*boards, stacks={"CAL": "P"}, player=1)
    assert narrate_last(position, "sail CAL", "end") == (
        "Ben ends the turn in San Francisco.\nBen has restored five habitats. This round is the last."
    )
    boards = (
        make_board("OKH", delivered="C14"),
        make_board("TAS", delivered="C04 C16"),
        make_board("NEM", delivered="C08"),
    )
    last = make_position(*boards, player=2, trigger=Trigger.CONTRACTS)
    assert narrate_last(last, "sail CHA") == (
        "Chloé sails to the Chatham Rise (three actions) and takes no trash.\nThe game is over. "
        "Ava wins with 12 points and the best contract (12), ahead of Ben with 12 and Chloé with 4."
    )
    extra = make_board("TAS", unlocked="extra-turn")
    more = make_position(boards[0], extra, boards[2], player=2, trigger=Trigger.CONTRACTS)
    assert narrate_last(more, "sail CHA").endswith("\nOne more turn for Ben.")


def test_narration_of_a_shared_victory() -> None:
    """All winners are named."""
    boards = make_board("OKH", delivered="C15"), make_board("TAS", delivered="C08"), make_board("NEM")
    position = make_position(*boards, player=2, trigger=Trigger.CONTRACTS)
    assert narrate_last(position, "sail CHA").endswith(
        "Ava and Ben win together with 4 points, ahead of Chloé with 0."
    )


# Status, whole board, affected -----------------------------------------------------------------------


def test_status() -> None:
    """What is asked of whom."""
    collecting = act(make_position(make_board("OKH", "C04"), *FAR, stacks={"EMP": "P"}), "sail EMP")
    delivered = act(PORT, "deliver C05")
    last = replace(AT_SEA, trigger=Trigger.HABITATS)
    positions = (AT_SEA, collecting, PORT, delivered, last, in_extra_turns(last))
    assert [WORDS.status(view_to_act(each), NAMES) for each in positions] == [
        "Ava, your turn: sail to another region.",
        "Ava, choose which trash you take and where it goes.",
        "Ava, you are in Yokohama: deliver, discard or end your turn.",
        "Ava, you are in Yokohama: discard, unlock an upgrade or draw a contract.",
        "Ava, your turn: sail to another region. This is the last round.",
        "Ava, your turn: sail to another region. This is your extra turn.",
    ]


def test_the_board_as_text_names_everything() -> None:
    """Players, order, market, regions."""
    text = WORDS.describe(view_to_act(AT_SEA), NAMES)
    for part in (
        "Round 5 of at most 40.",
        (
            "A Ava: in the Sea of Okhotsk, four actions, Yokohama 9 (has plastic and aluminium, "
            "needs plastic and rubber), San Francisco 4 (has plastic, needs any), restored albatross, "
            "unlocked wheel. 4 points so far."
        ),
        "Turn order: Ava, Ben and Chloé.",
        "BER Bering Sea: empty; albatross habitat restored by Ava.",
        "EMP Emperor Seamounts: rubber, net, plastic; albatross habitat.",
        "KUR Kuroshio, port Yokohama: plastic; turtle habitat.",
        "On the deck:",
    ):
        assert part in text


def test_a_player_who_left() -> None:
    """A seat that resigned is named so, and the last one left has won."""
    position = resign_seat(resign_seat(AT_SEA, 1), 2)
    assert position.phase is Phase.OVER
    view = CURRENT_AFFAIRS.view(position, None)
    assert WORDS.status(view, NAMES) == "The game is over. Ava wins: nobody else is left."
    assert "B Ben: resigned." in WORDS.describe(view, NAMES)


def affected(position: Position, text: str) -> set[Seat]:
    """Return whom an action affects."""
    views = CURRENT_AFFAIRS.view(position, None), CURRENT_AFFAIRS.view(act(position, text), None)
    return set(WORDS.affected(*views))


def test_affected_by_a_habitat() -> None:
    """Those who still have the animal read of it first."""
    boards = make_board("OKH", "C05"), make_board("TAS", restored="BER"), make_board("NEM")
    position = make_position(*boards, stacks={"EMP": "P", "GPP": "PP"})
    assert affected(position, "sail EMP") == {0, 2}
    assert affected(position, "sail GPP") == {0}


# Help and whole games --------------------------------------------------------------------------------


def test_every_kind_has_a_page() -> None:
    """A page for each region, contract and upgrade."""
    keys = {topic.key for topic in WORDS.glossary}
    assert len(keys) == len(Region) + len(Contract) + len(Lock)
    titles = {topic.title for topic in WORDS.glossary}
    assert {facts.name for facts in REGIONS.values()} <= titles
    assert WORDS.topics[0].key == "introduction"


def check_texts(view: CurrentAffairsView, legal: tuple[Action, ...]) -> None:
    """Check all that is shown of one view."""
    assert len(WORDS.alt_text(view, LONG_NAMES)) <= limits.ALT_TEXT
    assert not WORDS.alt_text(view, NAMES).endswith("…")
    assert WORDS.status(view, NAMES) in WORDS.describe(view, NAMES)
    labels = [WORDS.label(view, action, NAMES) for action in legal]
    assert len(set(labels)) == len(labels), "no two choices read alike"
    buttons = [" > ".join(step.label for step in path(view, action, NAMES)) for action in legal]
    assert len(set(buttons)) == len(buttons)
    for action in legal:
        assert all(len(step.label) <= MAX_LABEL for step in path(view, action, NAMES))
        assert WORDS.preview(view, action, LONG_NAMES) or NOTATION.parse("end") == action
        assert len(WORDS.short_preview(view, action, NAMES)) <= 100


@pytest.mark.parametrize("seats", CURRENT_AFFAIRS.seats)
def test_every_text_of_random_games_fits(seats: int) -> None:
    """Labels, previews, status, alt text and narration of whole games keep their limits."""
    chooser = random.Random(seats)
    position = CURRENT_AFFAIRS.initial_state(seats, CURRENT_AFFAIRS.options())
    number = 0
    while (seat := position.to_act) is not None:
        view = view_to_act(position)
        if seat == CHANCE:
            action = CURRENT_AFFAIRS.sample_chance(position, Stream(bytes(32), number))
            check_texts(view, ())
            number += 1
        else:
            legal = CURRENT_AFFAIRS.legal_actions(view)
            check_texts(view, legal)
            action = chooser.choice(legal)
        after = CURRENT_AFFAIRS.apply_action(position, action)
        text = WORDS.narrate(view, seat, action, CURRENT_AFFAIRS.view(after, view.viewer), LONG_NAMES)
        assert len(text) <= 1000
        assert text or after.phase in {Phase.DEAL, Phase.MARKET}, action
        position = after
    check_texts(CURRENT_AFFAIRS.view(position, None), ())


def test_value_labels() -> None:
    """The parts of a typed command have labels of their own."""
    view = view_to_act(AT_SEA)
    sail, collect, unlock = (
        type(NOTATION.parse(text)) for text in ("sail EMP", "collect P C04 yes", "unlock wheel")
    )
    assert WORDS.value_label(view, sail, "region", Region.EMP) == "Emperor Seamounts (rubber)"
    assert WORDS.value_label(view, sail, "region", Region.ALA) == "Gulf of Alaska (empty)"
    assert WORDS.value_label(view, collect, "trash", Trash.NET) == "Net"
    assert WORDS.value_label(view, collect, *WILD) == "On a slot for any trash"
    assert WORDS.value_label(view, collect, "contract", Contract.C01) == "Yokohama 5 (aluminium and rubber)"
    assert WORDS.value_label(view, unlock, "lock", Lock.WHEEL) == "Wheel: one more action each turn"
