"""The texts in place of pictures: what a choice of a region needs."""

import re
from collections import Counter

import pytest

from rules.current_affairs import CURRENT_AFFAIRS
from rules.current_affairs.components import (
    CONTRACTS,
    NEIGHBOUR_COSTS,
    PORT_NAMES,
    REGIONS,
    Region,
    Trash,
)
from rules.current_affairs.description import MAX_ALT_TEXT_LENGTH
from rules.current_affairs.model import HeldContract, Phase, Position
from rules.current_affairs.phrases import TRASH_NAMES, contract_name, contract_text
from rules.model import Seat
from tests.rules.current_affairs.positions import AT_SEA, NAMES, make_board, make_position, start_placing
from tests.rules.current_affairs.texts import LONG_NAMES, WORDS, actor_view
from tests.rules.whole_games import play_game
from tests.trials import IS_SOAK

TRASH_LETTERS_PATTERN = re.compile(rf"\b[{''.join(trash.value for trash in Trash)}]{{2,}}\b")
"""Trash by its letters, which no text has."""


def read_needs(text: str) -> Counter[str]:
    """Return the trash that a text such as "2 nets, rubber and any" counts, by name."""
    words = re.findall(r"(?:(\d) )?(\w+)", text.replace(" and ", ", ").replace("nets", "net"))
    return Counter({name: int(count or 1) for count, name in words})


def check_contract(held: HeldContract, text: str) -> None:
    """Check that a text names a contract, and what it still needs."""
    facts = CONTRACTS[held.contract]
    name = f"{PORT_NAMES[facts.port]} {facts.points}"
    if None not in held.slots:
        assert f"{name} (complete)" in text
        return
    missing_counts = Counter(
        "any" if kind is None else TRASH_NAMES[kind]
        for kind, trash in zip(facts.requirements, held.slots, strict=True)
        if trash is None
    )
    needs_texts = re.findall(rf"{name} \([^)]*needs ([^)]*)\)", text)
    assert missing_counts in map(read_needs, needs_texts), f"{name}: {text}"


def check_stacks(position: Position, text: str) -> None:
    """Check that a text has each region with the top of its stack and the stack's size."""
    for region, stack in zip(Region, position.stacks, strict=True):
        kind = TRASH_NAMES[stack[-1]].capitalize() if stack else "Empty"
        (line,) = re.findall(rf"^{kind}: (.+)\.$", text, re.MULTILINE)
        assert (f"{REGIONS[region].name} {len(stack)}" if stack else REGIONS[region].name) in line.split(", ")


def test_the_text_for_a_region_names_contracts_ports_and_trash() -> None:
    """In whole games the player who chooses a region reads their contracts, the ports and all the trash."""
    for seat_count in CURRENT_AFFAIRS.player_counts:
        for transition in play_game(CURRENT_AFFAIRS, seat_count, "casual", 1):
            position = transition.before
            if position.phase not in {Phase.PLACE, Phase.SAIL}:
                continue
            text = WORDS.picture_texts["destinations"](actor_view(position), NAMES)
            assert len(text) <= MAX_ALT_TEXT_LENGTH
            assert not text.endswith("…")
            assert not TRASH_LETTERS_PATTERN.search(text)
            own_text = text.splitlines()[0]
            assert own_text.startswith(f"{NAMES[transition.actor]}'s contracts: ")
            for held in position.boards[transition.actor].contracts:
                check_contract(held, own_text)
            for port in PORT_NAMES.values():
                assert f"{port} in " in text
            check_stacks(position, text)


def test_the_text_of_the_board_names_trash_in_words() -> None:
    """It has each region with its top trash, no letters for it, and for a player the own contracts."""
    for seat_count in CURRENT_AFFAIRS.player_counts if IS_SOAK else (3,):
        for transition in play_game(CURRENT_AFFAIRS, seat_count, "random", 1):
            position = transition.before
            if transition.actor < 0 or position.phase is Phase.DRAFT:
                continue
            public_text = WORDS.alt_text(CURRENT_AFFAIRS.view(position, None), NAMES)
            own_text = WORDS.alt_text(actor_view(position), NAMES)
            for text in (public_text, own_text):
                assert len(text) <= MAX_ALT_TEXT_LENGTH
                assert not TRASH_LETTERS_PATTERN.search(text)
                assert not set(re.findall(r"\w+", text)) & {region.value for region in Region}
                check_stacks(position, text)
            for held in position.boards[transition.actor].contracts:
                check_contract(held, own_text.splitlines()[0])


def test_the_text_of_the_board_has_contracts_and_upgrades_of_all() -> None:
    """What each contract has and needs; a viewer's own are named once, before all else."""
    position = make_position(
        make_board("OKH", "C05:PPAR C08:P."),
        make_board("GPP", "C10", unlocked="wheel wheel crane"),
        make_board(None, resigned=True),
        other_stacks="",
    )
    ava_text, ben_text, chloe_text = player_lines(position, None)
    assert ava_text.endswith("Contracts: Yokohama 9 (complete) and San Francisco 4 (has plastic, needs any).")
    assert ben_text.endswith(
        "Contracts: San Francisco 7 (needs aluminium, net and any). Upgrades: two wheels and crane."
    )
    assert chloe_text.endswith("C Chloé: resigned, 0 points, 0 delivered, 0 restored.")
    own_lines = player_lines(position, Seat(1))
    assert own_lines[0] == ava_text
    assert own_lines[1].endswith("0 restored. Upgrades: two wheels and crane.")


def test_board_and_picture_in_words_name_what_a_player_who_left_has_earned() -> None:
    """Both count the same deliveries, habitats, upgrades and points."""
    left_board = make_board(None, delivered="C08", restored="GPP", unlocked="wheel", resigned=True)
    view = CURRENT_AFFAIRS.view(make_position(make_board("OKH"), make_board("GPP"), left_board), None)
    numbers_text = "C Chloé: resigned, 5 points, 1 delivered, 1 restored. Upgrades: wheel."
    assert numbers_text in WORDS.alt_text(view, NAMES)
    text = next(line for line in WORDS.describe(view, NAMES).splitlines() if "C Chloé" in line)
    earned_text = "delivered San Francisco 4, restored turtle, unlocked wheel. 5 points so far."
    assert text.endswith(f"C Chloé: resigned, {earned_text}")


def player_lines(position: Position, viewer: Seat | None) -> list[str]:
    """Return the lines on the players in the text of the board."""
    lines = WORDS.alt_text(CURRENT_AFFAIRS.view(position, viewer), NAMES).splitlines()
    return [line for line in lines if re.match(r"[A-E] ", line)]


@pytest.mark.parametrize("seat_count", [3, 4])
def test_each_contract_is_named_whatever_the_stacks(seat_count: int) -> None:
    """In whole games of three and four the public text names each, and how much it needs at least."""
    for transition in play_game(CURRENT_AFFAIRS, seat_count, "casual", 1):
        position = transition.before
        if not position.round:
            continue
        for line, board in zip(player_lines(position, None), position.boards, strict=True):
            for held in board.contracts:
                assert f"{contract_name(held.contract)} (" in line
                assert line.count("(complete)") == sum(each.is_complete for each in board.contracts)


def test_the_market_is_named_where_it_fits() -> None:
    """The board shows it; stacks and long names leave no room for it."""
    roomy_position = make_position(
        make_board("OKH", "C05"), make_board("GPP"), make_board("NEM"), other_stacks=""
    )
    assert "Market: " in WORDS.alt_text(actor_view(roomy_position), NAMES)
    five_seat_position = make_position(*(make_board(code) for code in ("OKH", "BER", "GPP", "CAL", "NEM")))
    assert "Market: " not in WORDS.alt_text(CURRENT_AFFAIRS.view(five_seat_position, None), LONG_NAMES)


def test_what_lies_below_is_named_where_it_fits() -> None:
    """Late in a game there is room for whole stacks, from the top."""
    position = make_position(
        make_board("OKH", "C05"),
        make_board("GPP"),
        make_board("NEM"),
        stacks={"EMP": "PNNR", "KUR": "AP"},
        other_stacks="",
    )
    text = WORDS.picture_texts["destinations"](actor_view(position), NAMES)
    assert text.endswith("Below the top: Kuroshio aluminium; Emperor 2 nets, plastic.")


def test_the_draft_names_a_contract_once() -> None:
    """Whoever picks reads of the own contract in the status; others, and after the draft all, before it."""
    position = start_placing("C14 C02", "C17 C15", "C08 C16")
    placing_view = CURRENT_AFFAIRS.view(position, Seat(1))
    assert WORDS.alt_text(placing_view, NAMES).startswith("Ben's contracts: ")
    for transition in play_game(CURRENT_AFFAIRS, 3, "casual", 2):
        position = transition.before
        if position.phase is Phase.DRAFT:
            text = WORDS.alt_text(actor_view(position), NAMES)
            assert text.startswith("Set-up.\n")
            assert "\nIn the draft: " in text
            for held in position.boards[transition.actor].contracts:
                assert text.count(contract_text(held.contract)) == 1
            for seat, board in enumerate(position.boards):
                if seat != transition.actor and board.contracts:
                    other_text = WORDS.alt_text(CURRENT_AFFAIRS.view(position, Seat(seat)), NAMES)
                    assert other_text.startswith(f"{NAMES[seat]}'s contracts: ")


def test_a_bystander_reads_of_the_current_player() -> None:
    """Without a seat the text has the contracts of the player to act, without a turn the board."""
    text = WORDS.picture_texts["destinations"](CURRENT_AFFAIRS.view(AT_SEA, None), NAMES)
    assert text.startswith("Ava's contracts: ")
    start_view = CURRENT_AFFAIRS.view(CURRENT_AFFAIRS.initial_state(3, CURRENT_AFFAIRS.options_type()), None)
    assert WORDS.picture_texts["destinations"](start_view, NAMES) == WORDS.alt_text(start_view, NAMES)


def test_the_text_board_names_contracts_as_typed_moves_do() -> None:
    """In whole games the code of every contract that a legal move names stands before its name."""
    for seat_count in CURRENT_AFFAIRS.player_counts:
        for transition in play_game(CURRENT_AFFAIRS, seat_count, "random", 3):
            if transition.actor < 0:
                continue
            view = actor_view(transition.before)
            text = WORDS.describe(view, NAMES)
            for action in CURRENT_AFFAIRS.legal_actions(view):
                contract = getattr(action, "contract", None)
                if contract is not None:
                    facts = CONTRACTS[contract]
                    assert f" {contract.value} {PORT_NAMES[facts.port]} {facts.points} (" in text


def test_each_draw_has_a_status() -> None:
    """While chance acts the status says what is drawn, dealt or revealed."""
    for transition in play_game(CURRENT_AFFAIRS, 3, "random", 1):
        if transition.actor < 0:
            status = WORDS.status(CURRENT_AFFAIRS.view(transition.before, None), NAMES)
            assert re.search(r"\b(drawn|dealt|revealed)\b", status), status


def test_the_rules_list_what_steps_cost() -> None:
    """The pages of routes name the neighbours of every region and the actions to each."""
    pages = [topic.text for topic in WORDS.topics if topic.title.startswith("Routes: ")]
    lines = dict(re.findall(r"^- ([^:]+): (.+)$", "\n".join(pages), re.MULTILINE))
    assert set(lines) == {facts.name for facts in REGIONS.values()}
    for region, costs in NEIGHBOUR_COSTS.items():
        read_costs = {
            name: int(cost)
            for cost, names in re.findall(r"(\d) to ([^\d]+)", lines[REGIONS[region].name])
            for name in re.split(r", | and ", names.removesuffix(", "))
        }
        assert read_costs == {REGIONS[each].name: cost for each, cost in costs.items()}
