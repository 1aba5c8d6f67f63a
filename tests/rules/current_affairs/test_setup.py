"""Setting up: trash, draft, market, ships with their first trash."""

from collections import Counter

import pytest

from rules.current_affairs import CURRENT_AFFAIRS
from rules.current_affairs.actions import ChooseFirstDrafter, FillRegions
from rules.current_affairs.boards import stack_of
from rules.current_affairs.components import CONTRACTS, REGIONS, TRASH_TOKEN_COUNTS, Contract, Region, Trash
from rules.current_affairs.events import (
    Collected,
    HabitatRestored,
    NothingCollected,
    ShipPlaced,
    StarterChosen,
)
from rules.current_affairs.model import CurrentAffairsOptions, Phase
from rules.model import CHANCE, Seat
from rules.random_stream import RandomStream
from tests.rules.current_affairs.positions import (
    HOST_DRAFTS_FIRST_OPTIONS,
    act,
    events,
    fill_regions,
    legal_texts,
    place_remaining_ships,
    play_draft,
    resolve_chance,
    round_trip,
    start_placing,
    trail_types,
)


def test_all_tokens_lie_on_the_board() -> None:
    """Each circle has its number of tokens, the last one drawn on top, and all is public (CA9, CA38)."""
    position = CURRENT_AFFAIRS.initial_state(3, CurrentAffairsOptions())
    outcome = CURRENT_AFFAIRS.sample_chance(position, RandomStream(bytes(32), 0))
    assert isinstance(outcome, FillRegions)
    position = CURRENT_AFFAIRS.apply_action(position, outcome)
    assert [len(stack) for stack in position.stacks] == [facts.stack_size for facts in REGIONS.values()]
    assert tuple(trash for stack in position.stacks for trash in stack) == outcome.trash
    assert Counter(outcome.trash) == TRASH_TOKEN_COUNTS
    assert position.bag == ()
    assert CURRENT_AFFAIRS.view(position, None).position == position
    okhotsk_trash = outcome.trash[: REGIONS[Region.OKH].stack_size]
    assert stack_of(position, Region.OKH)[-1] is okhotsk_trash[-1]


def test_only_eighty_tokens_of_the_box_are_possible() -> None:
    """Another mixture does not come from this box."""
    position = CURRENT_AFFAIRS.initial_state(3, CurrentAffairsOptions())
    assert not CURRENT_AFFAIRS.is_possible(position, FillRegions((Trash.PLASTIC,) * 80))
    assert not CURRENT_AFFAIRS.is_possible(position, FillRegions((Trash.PLASTIC,)))


def test_first_drafter_is_drawn_or_the_host() -> None:
    """By lot, unless the option says the host (CA1)."""
    position = fill_regions(CURRENT_AFFAIRS.initial_state(4, CurrentAffairsOptions()))
    assert position.to_act == CHANCE
    outcomes = [
        CURRENT_AFFAIRS.sample_chance(position, RandomStream(bytes(32), number)) for number in range(40)
    ]
    drafters = {each.seat for each in outcomes if isinstance(each, ChooseFirstDrafter)}
    assert drafters == set(range(4))
    after_begin = resolve_chance(act(position, "begin C"))
    assert after_begin.to_act == 2
    assert (
        resolve_chance(fill_regions(CURRENT_AFFAIRS.initial_state(4, HOST_DRAFTS_FIRST_OPTIONS))).to_act == 0
    )


def test_the_second_draft_goes_back() -> None:
    """Clockwise, then back from who took last; the second deal comes after the last pick (CA40)."""
    position = act(fill_regions(CURRENT_AFFAIRS.initial_state(4, CurrentAffairsOptions())), "begin B")
    order = []
    for _ in range(2):
        assert (position.phase, position.to_act) == (Phase.DEAL, CHANCE)
        position = resolve_chance(position)
        assert len(position.draft_contracts) == 4
        for card_count in range(4, 0, -1):
            assert len(legal_texts(position)) == card_count, "all that were dealt are taken"
            assert position.to_act is not None
            order.append(int(position.to_act))
            position = act(position, legal_texts(position)[0])
    assert order == [1, 2, 3, 0, 0, 3, 2, 1]
    assert position.draft_contracts == ()
    assert [len(board.contracts) for board in position.boards] == [2, 2, 2, 2]


def test_market_opens_after_the_draft() -> None:
    """Three slots from the left, then the open top of the deck (CA39)."""
    position = play_draft("C01 C02", "C08 C09", "C15 C16")
    assert position.phase is Phase.MARKET
    position = act(position, "market C28,C27,C03,C26")
    assert position.market == (Contract.C28, Contract.C27, Contract.C03)
    assert position.top_contract is Contract.C26
    assert len(position.deck) == 28 - 6 - 4
    assert Contract.C26 not in position.deck


def test_impossible_markets_are_rejected() -> None:
    """No card twice, no card that lies elsewhere, and as many as are due."""
    position = play_draft("C01 C02", "C08 C09", "C15 C16")
    for text in ("market C28,C28,C03,C26", "market C01,C27,C03,C26", "market C27,C03,C26"):
        with pytest.raises(AssertionError):
            act(position, text)


@pytest.mark.parametrize(
    ("contracts", "starter"),
    [
        (("C01 C02", "C14 C08", "C15 C16"), 1),  # 12 points
        (("C07 C01", "C21 C02", "C15 C16"), 1),  # 11 and 11: 6 beats 5
        (("C07 C01", "C21 C22", "C15 C16"), 0),  # 11 and 5 both: the earlier pick
        (("C15 C16", "C22 C21", "C01 C07"), 1),
    ],
)
def test_highest_contract_starts(contracts: tuple[str, ...], starter: int) -> None:
    """Then the other contract, then who drafted earlier in the first round (CA2)."""
    position = start_placing(*contracts)
    assert position.starter == starter
    assert events(position, StarterChosen) == [StarterChosen(Seat(starter))]
    order = [seat % 3 for seat in range(starter, starter + 3)]
    assert list(position.waiting_seats) == order


def test_between_equal_contracts_the_earlier_pick_starts() -> None:
    """The earlier pick decides, not the lower seat (CA2)."""
    position = act(fill_regions(CURRENT_AFFAIRS.initial_state(3, CurrentAffairsOptions())), "begin B")
    position = act(position, "deal C01,C15,C22", "pick C01", "pick C15", "pick C22")  # 5, 4, 5 points
    position = act(position, "deal C07,C08,C21", "pick C07", "pick C08", "pick C21")  # A 11, C 4, B 11
    contract_points_by_seat = [
        [CONTRACTS[each.contract].points for each in board.contracts] for board in position.boards
    ]
    assert [max(points) for points in contract_points_by_seat] == [11, 11, 4]
    assert resolve_chance(position).starter == 1


def test_placing_in_turn_order_in_free_regions() -> None:
    """From the starter on, each ship takes the top trash that fits; no other may be put there (CA2, CA3)."""
    position = start_placing("C14 C02", "C17 C15", "C08 C16", KUR="PPA", CAL="NNNR")
    assert position.starter == 0
    after_placing = act(position, "place KUR", "collect A C02 no")
    assert after_placing.boards[0].ship is Region.KUR
    assert after_placing.boards[0].contracts[1].trash == (Trash.ALUMINIUM,)
    assert stack_of(after_placing, Region.KUR) == (Trash.PLASTIC, Trash.PLASTIC)
    assert after_placing.to_act == 1
    assert "place KUR" not in legal_texts(after_placing)
    after_placing = act(after_placing, "place CAL")
    assert trail_types(after_placing) == [ShipPlaced, Collected], "rubber fits one slot"


def test_no_port_phase_and_no_habitat_in_setup() -> None:
    """A ship that starts in a port takes its trash, and the next seat places (CA3)."""
    position = start_placing("C03 C14", "C08 C22", "C01 C02", COR="RRN")
    position = act(position, "place COR")
    while position.phase is Phase.COLLECT:
        position = act(position, legal_texts(position)[0])
    assert position.phase is Phase.PLACE
    assert not events(position, HabitatRestored)
    assert not position.contracts_changed


def test_first_trash_that_fits_nowhere_stays() -> None:
    """If the first trash fits no contract, it stays in the region (CA3)."""
    position = start_placing("C03 C01", "C08 C22", "C15 C05", KUR="PPN")
    while position.to_act != 0:
        position = act(position, legal_texts(position)[-1])
        while position.phase is Phase.COLLECT:
            position = act(position, legal_texts(position)[0])
    after_placing = act(position, "place KUR")
    assert trail_types(after_placing) == [ShipPlaced, NothingCollected]
    assert stack_of(after_placing, Region.KUR) == (Trash.PLASTIC, Trash.PLASTIC, Trash.NET)


def test_round_one_begins_with_the_starter() -> None:
    """After the last ship is placed the starter begins round 1 (CA2)."""
    position = place_remaining_ships(start_placing("C08 C09", "C14 C02", "C15 C16"))
    assert (position.round, position.to_act, position.current_player) == (1, 1, 1)
    assert round_trip(position).waiting_seats == ()


def test_the_deck_has_no_order_before_it_is_drawn_from() -> None:
    """It is kept in the order of all contracts, also in a sampled state (CA34)."""
    position = start_placing("C08 C09", "C14 C02", "C15 C16")
    assert position.deck == tuple(sorted(position.deck, key=list(Contract).index))
    view = CURRENT_AFFAIRS.view(position, Seat(1))
    assert CURRENT_AFFAIRS.sample_state(view, RandomStream(bytes(32), 3)) == position
