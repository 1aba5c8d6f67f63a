"""The port phase: deliver, discard, upgrade, draw; the market and its deck."""

from typing import Any

import pytest

from rules.current_affairs.boards import movement_allowance
from rules.current_affairs.components import Contract, Region, Trash, Upgrade
from rules.current_affairs.events import (
    ContractDiscarded,
    ContractDrawn,
    Delivered,
    MarketFilled,
    Reshuffled,
    Sailed,
    Unlocked,
)
from rules.current_affairs.model import Phase
from rules.model import CHANCE, Seat
from tests.rules.current_affairs.positions import (
    FAR_BOARDS,
    act,
    events,
    legal_texts,
    make_board,
    make_board_near_yokohama,
    make_port_position,
    make_position,
    parse_contracts,
    parse_trash,
    resolve_chance,
)

WHITE_CONTRACT = "C05:PPAR"
RED_CONTRACT = "C08:PP"


# Where and in which order ----------------------------------------------------------------------------


def test_a_port_opens_only_where_the_move_ends() -> None:
    """Passing a port, or starting in one, opens nothing (CA32)."""
    position = make_position(
        make_board("KUR", WHITE_CONTRACT, restored="GPP"), *FAR_BOARDS, stacks={"EMP": ""}
    )
    assert all(text.startswith("sail") for text in legal_texts(position))
    assert act(position, "sail EMP").to_act == 1
    passing_position = make_position(
        make_board("PHI", WHITE_CONTRACT, unlocked="wheel"), *FAR_BOARDS, stacks={"OKH": ""}
    )
    after_passing = act(passing_position, "sail OKH")
    assert events(after_passing, Sailed)[0].regions == (Region.PHI, Region.KUR, Region.OKH)
    assert after_passing.to_act == 1


def test_a_later_step_in_port_closes_the_earlier_ones() -> None:
    """Deliver, discard, upgrade, draw: a later step closes the earlier ones (CA32)."""
    position = make_port_position(make_board_near_yokohama(WHITE_CONTRACT, "C09:P.."))
    assert {text.split()[0] for text in legal_texts(position)} == {"deliver", "discard", "end"}
    after_delivery = act(position, f"deliver {WHITE_CONTRACT[:3]}")
    assert {text.split()[0] for text in legal_texts(after_delivery)} == {"discard", "unlock", "draw"}
    after_discard = act(after_delivery, "discard C09")
    assert {text.split()[0] for text in legal_texts(after_discard)} == {"unlock", "draw"}
    after_unlocking = act(after_discard, "unlock crane")
    assert {text.split()[0] for text in legal_texts(after_unlocking)} == {"draw"}
    after_draw = act(after_unlocking, "draw C02")
    assert {text.split()[0] for text in legal_texts(resolve_chance(after_draw))} == {"draw"}


def test_a_port_may_be_declined_until_it_is_used() -> None:
    """Ending the turn is offered until the port is used (CA21, CA32)."""
    position = make_port_position(make_board_near_yokohama("C05:PP.."))
    assert "end" in legal_texts(position)
    after = act(position, "end")
    assert after.to_act == 1
    assert len(after.boards[0].contracts) == 1
    after_delivery = act(make_port_position(make_board_near_yokohama(WHITE_CONTRACT)), "deliver C05")
    assert "end" not in legal_texts(after_delivery)


def test_the_phase_ends_by_itself() -> None:
    """With two contracts after the last draw nothing is left to choose."""
    position = act(
        make_port_position(make_board_near_yokohama(WHITE_CONTRACT, "C09:P..")), "deliver C05", "draw C02"
    )
    assert resolve_chance(position).to_act == 1


# Delivering ------------------------------------------------------------------------------------------


def test_a_delivery_in_its_own_port_brings_points_and_an_upgrade() -> None:
    """The rulebook's card: 9 points and an upgrade at the white port (CA33)."""
    position = act(make_port_position(make_board_near_yokohama(WHITE_CONTRACT)), "deliver C05")
    assert position.boards[0].delivered_contracts == (Contract.C05,)
    assert position.boards[0].contracts == ()
    assert events(position, Delivered) == [Delivered(Seat(0), Contract.C05, gives_unlock=True)]
    assert position.bag == parse_trash("PPAR"), "trash goes to the bag"
    assert position.unused_unlock_count == 1


def test_delivery_in_another_port_gives_no_upgrade() -> None:
    """A delivery in a port of another colour brings points and no upgrade (CA18)."""
    position = act(make_port_position(make_board_near_yokohama(RED_CONTRACT)), "deliver C08")
    assert position.boards[0].delivered_contracts == (Contract.C08,)
    assert not [text for text in legal_texts(position) if text.startswith("unlock")]


def test_each_delivery_in_its_own_port_gives_an_upgrade() -> None:
    """Each of the port's colour gives one upgrade (CA17, CA33)."""
    after_two_own_deliveries = act(
        make_port_position(make_board_near_yokohama(WHITE_CONTRACT, "C01:AR")), "deliver C05", "deliver C01"
    )
    assert after_two_own_deliveries.unused_unlock_count == 2
    after_mixed_deliveries = act(
        make_port_position(make_board_near_yokohama(WHITE_CONTRACT, RED_CONTRACT)),
        "deliver C08",
        "deliver C05",
    )
    assert after_mixed_deliveries.unused_unlock_count == 1


def test_a_complete_contract_may_wait() -> None:
    """A complete contract may be kept for its own port (CA16)."""
    position = make_port_position(make_board_near_yokohama(RED_CONTRACT))
    assert "end" in legal_texts(position)
    assert act(position, "end").boards[0].contracts[0].is_complete
    after_delivery = act(
        make_port_position(make_board_near_yokohama(WHITE_CONTRACT, RED_CONTRACT)), "deliver C05"
    )
    assert "draw C01" in legal_texts(after_delivery), "the other one may stay"


def test_incomplete_contracts_are_not_delivered() -> None:
    """A contract with an empty slot cannot be delivered."""
    assert not [
        text
        for text in legal_texts(make_port_position(make_board_near_yokohama("C05:PPA.")))
        if "deliver" in text
    ]


def test_trash_of_deliveries_stays_in_the_bag() -> None:
    """Trash of delivered contracts never returns to the board (CA23)."""
    position = make_port_position(make_board_near_yokohama(WHITE_CONTRACT))
    after = resolve_chance(act(position, "deliver C05", "draw C01"))
    assert after.stacks == position.stacks
    assert sorted(each.value for each in after.bag) == ["A", "P", "P", "R"]


# Upgrades --------------------------------------------------------------------------------------------


def test_any_upgrade_may_be_unlocked() -> None:
    """Any of the six kinds of upgrades can be unlocked (CA19)."""
    position = act(make_port_position(make_board_near_yokohama(WHITE_CONTRACT)), "deliver C05")
    assert {text for text in legal_texts(position) if text.startswith("unlock")} == {
        f"unlock {upgrade.value}" for upgrade in Upgrade
    }
    after = act(position, "unlock wheel")
    assert events(after, Unlocked) == [Unlocked(Seat(0), Upgrade.WHEEL)]
    assert movement_allowance(after.boards[0]) == 4


def test_an_upgrade_may_be_declined() -> None:
    """Drawing at once leaves it, and it is not kept for later (CA19)."""
    boards = (
        make_board_near_yokohama(WHITE_CONTRACT, "C09:P.."),
        make_board("TAH", "C01 C10", restored="GPP"),
        FAR_BOARDS[1],
    )
    position = make_position(*boards, stacks={"KUR": "", "COR": ""})
    position = resolve_chance(act(position, "sail KUR", "deliver C05", "draw C02"))
    assert position.boards[0].unlocked_upgrades == ()
    in_next_port = act(position, "sail COR")
    assert (in_next_port.phase, in_next_port.to_act, in_next_port.unused_unlock_count) == (Phase.PORT, 1, 0)
    assert not [text for text in legal_texts(in_next_port) if "unlock" in text]


def test_seven_upgrades_are_all_there_are() -> None:
    """Seven at most, two of them wheels (CA19)."""
    six_unlocked = "wheel wheel crane habitat-bonus contract-bonus extra-turn"
    position = act(
        make_port_position(make_board_near_yokohama(WHITE_CONTRACT, unlocked=six_unlocked)), "deliver C05"
    )
    assert [text for text in legal_texts(position) if "unlock" in text] == ["unlock share-space"]
    none_left = act(
        make_port_position(make_board_near_yokohama(WHITE_CONTRACT, unlocked=f"{six_unlocked} share-space")),
        "deliver C05",
    )
    assert not [text for text in legal_texts(none_left) if "unlock" in text]


def test_two_upgrades_are_two_choices() -> None:
    """Two contracts delivered in their own port unlock two upgrades, one after the other (CA17)."""
    position = act(
        make_port_position(make_board_near_yokohama(WHITE_CONTRACT, "C01:AR")),
        "deliver C05",
        "deliver C01",
        "unlock crane",
    )
    assert "unlock crane" not in legal_texts(position)
    assert "unlock wheel" in legal_texts(position)
    position = act(position, "unlock wheel")
    assert not [text for text in legal_texts(position) if "unlock" in text]


# Discarding ------------------------------------------------------------------------------------------


def test_a_discarded_contract_returns_its_trash() -> None:
    """Trash to the bag, the card to the open pile; it scores nothing (CA20)."""
    position = act(make_port_position(make_board_near_yokohama("C05:P.A.", "C09")), "discard C05")
    assert position.discard_pile == (Contract.C05,)
    assert position.bag == parse_trash("PA")
    assert position.boards[0].delivered_contracts == ()
    assert events(position, ContractDiscarded) == [
        ContractDiscarded(Seat(0), Contract.C05, (Trash.PLASTIC, Trash.ALUMINIUM))
    ]


def test_only_incomplete_contracts_may_be_discarded() -> None:
    """Empty ones too, any number, without a delivery (CA20)."""
    position = make_port_position(make_board_near_yokohama("C09", RED_CONTRACT))
    assert {text for text in legal_texts(position) if "discard" in text} == {"discard C09"}
    after_two_discards = act(
        make_port_position(make_board_near_yokohama("C09", "C10:A..")), "discard C09", "discard C10"
    )
    assert after_two_discards.boards[0].contracts == ()
    assert all(text.startswith("draw") for text in legal_texts(after_two_discards)), "two are drawn now"


@pytest.mark.parametrize(
    ("contracts", "fields", "discard_count"),
    [
        (("C09", "C10"), {"market": "C13"}, 2),  # two places are free in the end, one card: one discard
        (("C09", "C10"), {"market": ""}, 0),
        (("C09",), {"market": "C13"}, 0),  # the card is for the free place
        (("C09",), {"market": "C13", "top_contract": "C14"}, 1),
        (("C09",), {"market": "", "discard_pile": "C13 C14"}, 1),
    ],
)
def test_only_contracts_that_can_be_replaced_may_be_discarded(
    contracts: tuple[str, ...], fields: dict[str, Any], discard_count: int
) -> None:
    """More cards than free places, without those discarded this turn (CA20)."""
    position = make_port_position(make_board_near_yokohama(*contracts), **fields)
    if position.phase is not Phase.PORT:  # nothing is left to choose: the turn is over
        assert not discard_count
        return
    assert sum("discard" in text for text in legal_texts(position)) == discard_count
    if fields == {"market": "C13"} and discard_count == 2:
        assert not [text for text in legal_texts(act(position, "discard C09")) if "discard" in text]


# Drawing ---------------------------------------------------------------------------------------------


def test_draw_from_slots_or_the_deck() -> None:
    """The three market slots and the top of the deck can be drawn (CA21)."""
    fields = {"market": "C13 C14 C15", "top_contract": "C16", "deck": "C17 C18 C19"}
    position = make_port_position(make_board_near_yokohama("C09"), **fields)
    assert {text for text in legal_texts(position) if "draw" in text} == {
        "draw C13", "draw C14", "draw C15", "draw C16",
    }  # fmt: skip
    drawn_from_slot = act(position, "draw C14")
    assert events(drawn_from_slot, ContractDrawn) == [ContractDrawn(Seat(0), Contract.C14, 1)]
    assert events(drawn_from_slot, MarketFilled) == [MarketFilled(1, Contract.C16)]
    assert drawn_from_slot.market == parse_contracts("C13 C16 C15")
    assert (drawn_from_slot.phase, drawn_from_slot.to_act) == (Phase.REVEAL, CHANCE)
    after_reveal = act(drawn_from_slot, "reveal C18")
    assert (after_reveal.top_contract, after_reveal.deck) == (Contract.C18, parse_contracts("C17 C19"))
    assert after_reveal.to_act == 1
    drawn_from_deck = act(position, "draw C16")
    assert events(drawn_from_deck, ContractDrawn) == [ContractDrawn(Seat(0), Contract.C16, None)]
    assert drawn_from_deck.market == parse_contracts("C13 C14 C15")
    assert drawn_from_deck.to_act == CHANCE


def test_a_used_port_is_left_with_two_contracts() -> None:
    """Once used the phase goes on until two contracts are held, one card at a time (CA21, CA36)."""
    position = act(make_port_position(make_board_near_yokohama(WHITE_CONTRACT)), "deliver C05", "draw C01")
    position = resolve_chance(position)
    assert position.to_act == 0
    assert all(text.startswith("draw") for text in legal_texts(position))
    position = resolve_chance(act(position, "draw C02"))
    assert len(position.boards[0].contracts) == 2
    assert position.to_act == 1


def test_drawing_without_a_delivery_needs_an_empty_place() -> None:
    """A player with fewer than two contracts may draw up to two without a delivery (CA21, CA36)."""
    position = make_port_position(make_board_near_yokohama("C09"))
    assert "draw C01" in legal_texts(position)
    after_draw = resolve_chance(act(position, "draw C01"))
    assert (after_draw.to_act, len(after_draw.boards[0].contracts)) == (1, 2)
    assert not [
        text
        for text in legal_texts(make_port_position(make_board_near_yokohama("C09", "C10")))
        if "draw" in text
    ]


# The deck runs out -----------------------------------------------------------------------------------


def test_last_card_of_the_deck_is_known() -> None:
    """The last card of the deck is shown without an outcome of chance."""
    position = make_port_position(
        make_board_near_yokohama("C09"), market="C13 C14 C15", top_contract="C16", deck="C17"
    )
    after = act(position, "draw C13")
    assert after.market == parse_contracts("C16 C14 C15")
    assert (after.top_contract, after.deck, after.to_act) == (Contract.C17, (), 1)


def test_pile_waits_until_a_slot_is_empty() -> None:
    """With three full slots and no deck the fourth choice is missing (CA22)."""
    position = make_port_position(
        make_board_near_yokohama("C09"),
        market="C13 C14 C15",
        top_contract="C16",
        deck="",
        discard_pile="C20 C21 C22",
    )
    after = act(position, "draw C16")
    assert after.top_contract is None
    assert after.discard_pile == parse_contracts("C20 C21 C22")
    assert not events(after, Reshuffled)
    assert after.to_act == 1


def test_pile_becomes_the_deck() -> None:
    """As soon as a slot is empty and the deck too; the slot is filled, then the next card shows (CA22)."""
    position = make_port_position(
        make_board_near_yokohama("C09"),
        market="C13 C14 C15",
        top_contract=None,
        deck="",
        discard_pile="C20 C21 C22",
    )
    after_draw = act(position, "draw C14")
    assert events(after_draw, Reshuffled) == [Reshuffled(3)]
    assert (after_draw.phase, after_draw.discard_pile) == (Phase.REVEAL, ())
    after_filling = act(after_draw, "reveal C22")
    assert after_filling.market == parse_contracts("C13 C22 C15")
    assert after_filling.phase is Phase.REVEAL, "the next card is shown too"
    shown = act(after_filling, "reveal C20")
    assert (shown.top_contract, shown.deck) == (Contract.C20, (Contract.C21,))
    assert shown.to_act == 1


def test_slots_are_refilled_from_the_left() -> None:
    """Several empty ones, by a discard (CA22)."""
    position = make_port_position(make_board_near_yokohama("C09", "C10"), market="C13")
    after = act(position, "discard C09")
    assert after.market == (Contract.C13, Contract.C09, None)
    assert after.top_contract is None
    assert legal_texts(after) == ["draw C13", "draw C09"]


def test_slots_stay_empty_where_nothing_is_to_draw() -> None:
    """Slots stay empty, and a player may hold fewer than two (CA21, CA22)."""
    position = act(
        make_port_position(make_board_near_yokohama(WHITE_CONTRACT), market=""), "deliver C05", "unlock wheel"
    )
    assert position.to_act == 1
    assert position.boards[0].contracts == ()
    assert position.market == (None, None, None)


def test_an_upgrade_may_be_left_where_nothing_is_to_draw() -> None:
    """Ending the turn leaves the upgrade where no contract can be drawn (CA19, CA21)."""
    position = act(make_port_position(make_board_near_yokohama(WHITE_CONTRACT), market=""), "deliver C05")
    assert "end" in legal_texts(position)
    assert act(position, "end").boards[0].unlocked_upgrades == ()


def test_the_deck_is_not_ordered() -> None:
    """What comes next is not decided before it is drawn (CA34)."""
    position = act(make_port_position(make_board_near_yokohama("C09")), "draw C01")
    assert position.to_act == CHANCE
    for contract in position.deck[:3]:
        assert resolve_chance(act(position, f"reveal {contract.value}")).top_contract is contract
