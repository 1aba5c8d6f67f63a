"""Other words of Current Affairs: status, the board as text, whom a record affects, help, whole games."""

import random
import re

import pytest
from msgspec.structs import replace

from bot import limits
from rules.current_affairs import CURRENT_AFFAIRS
from rules.current_affairs.actions import DrawContract, Sail
from rules.current_affairs.components import PORT_NAMES, REGIONS, Contract, Region, Trash, Upgrade
from rules.current_affairs.events import EndReason
from rules.current_affairs.model import CurrentAffairsOptions, CurrentAffairsView, Phase, Position
from rules.current_affairs.paths import path
from rules.current_affairs.phrases import contract_text
from rules.model import CHANCE, Action, Seat
from rules.notation import write_action
from rules.random_stream import RandomStream
from tests.rules.current_affairs.positions import (
    AT_SEA,
    FAR_BOARDS,
    IN_PORT,
    NAMES,
    NOTATION,
    act,
    fill_regions,
    legal_choices,
    make_board,
    make_board_near_yokohama,
    make_port_position,
    make_position,
    resign_seat,
    resolve_chance,
    start_extra_turns,
)
from tests.rules.current_affairs.texts import LONG_NAMES, WORDS, actor_view, narrate_last_action
from tests.trials import cases

WILD_FIELD_AND_VALUE = ("wild", True)


def test_status_says_what_is_asked_of_whom() -> None:
    """The status says what is asked of whom."""
    collecting = act(make_position(make_board("OKH", "C04"), *FAR_BOARDS, stacks={"EMP": "P"}), "sail EMP")
    after_delivery = act(IN_PORT, "deliver C05")
    in_last_round = replace(AT_SEA, end_reason=EndReason.HABITATS_RESTORED)
    positions = (AT_SEA, collecting, IN_PORT, after_delivery, in_last_round, start_extra_turns(in_last_round))
    assert [WORDS.status(actor_view(each), NAMES) for each in positions] == [
        "Ava, your turn: sail to another region.",
        "Ava, choose which trash you take and where it goes.",
        "Ava, you are in Yokohama (Kuroshio): deliver, discard or end your turn.",
        (
            "Ava, you are in Yokohama (Kuroshio):"
            " first discard if you like, then unlock an upgrade, then draw a contract."
        ),
        "Ava, your turn: sail to another region. This is the last round.",
        "Ava, your turn: sail to another region. This is your extra turn.",
    ]


def test_the_status_names_the_last_round_to_whom_makes_it_so() -> None:
    """After the fifth delivery the turn goes on, and its player reads what others read after it."""
    board = make_board("OKH", "C05:PPAR", restored="GPP", delivered="C15 C16 C17 C18")
    position = make_port_position(board)
    assert not WORDS.status(actor_view(position), NAMES).endswith("This is the last round.")
    after_delivery = act(position, "deliver C05")
    assert WORDS.status(actor_view(after_delivery), NAMES) == (
        "Ava, you are in Yokohama (Kuroshio): first unlock an upgrade, then draw a contract. "
        "This is the last round."
    )


def test_the_second_draft_names_the_contract_of_the_first() -> None:
    """The second contract is chosen to fit the first, so the status names it too."""
    position = fill_regions(CURRENT_AFFAIRS.initial_state(3, CurrentAffairsOptions()))
    position = act(act(position, "begin A"), "deal C01,C15,C22")
    assert WORDS.status(actor_view(position), NAMES) == "Ava, take a contract (draft, round 1)."
    for contract in ("C01", "C15", "C22"):
        position = act(position, f"pick {contract}")
    position = act(position, "deal C02,C03,C04")
    held_text = contract_text(Contract("C22"))
    expected = f"Chloé, take a contract (draft, round 2). You have {held_text}."
    assert WORDS.status(actor_view(position), NAMES) == expected


def test_a_wasted_slot_stands_last() -> None:
    """Trash on a slot for any, with one of its kind open on that contract, is offered below the rest."""
    boards = make_board("OKH", "C04 C09", unlocked="crane"), *FAR_BOARDS
    position = act(make_position(*boards, stacks={"EMP": "AP"}), "sail EMP")
    steps = {
        write_action(each): path(actor_view(position), each, NAMES)[0] for each in legal_choices(position)
    }
    assert {text for text, step in steps.items() if step.collapsed} == {
        "collect A C04 yes",
        "collect P C04 yes",
        "collect P C09 yes",
    }
    assert all(step.order == step.collapsed for step in steps.values())
    assert not steps["collect A C09 yes"].collapsed


def test_the_question_in_port_asks_for_what_comes_first() -> None:
    """A draw closes the upgrades (CA32), so the question is for these while they are open."""
    after_delivery = act(IN_PORT, "deliver C05")
    positions = IN_PORT, after_delivery, act(after_delivery, "unlock wheel")
    steps = [path(actor_view(each), legal_choices(each)[-1], NAMES)[0] for each in positions]
    assert [step.question for step in steps] == [
        "What do you do in port?",
        "Which upgrade do you unlock?",
        "What do you do in port?",
    ]


@pytest.mark.parametrize(
    ("contracts", "actions", "confirmed_texts"),
    [
        ("C05:PPAR C09:P..", (), {"discard C09"}),
        ("C08:PP C09:P..", (), {"discard C09"}),
        ("C05:PPAR C01:AR", ("deliver C05",), {"unlock crane", "draw C02"}),
        ("C05:PPAR C09:P..", ("deliver C05",), {"draw C02"}),
    ],
)
def test_a_choice_with_a_hidden_cost_is_confirmed(
    contracts: str, actions: tuple[str, ...], confirmed_texts: set[str]
) -> None:
    """A later step of the port closes earlier ones (CA32); what a delivery forfeits is on its button."""
    position = act(make_port_position(make_board_near_yokohama(*contracts.split())), *actions)
    texts = {"deliver C05", "deliver C08", "discard C09", "unlock crane", "draw C02", "end"}
    texts_to_confirm = {
        write_action(each)
        for each in legal_choices(position)
        if WORDS.needs_confirmation(actor_view(position), each)
    }
    assert texts_to_confirm & texts == confirmed_texts


def test_a_second_draw_needs_no_confirmation() -> None:
    """The first draw has closed the unlocks already (CA32): the second one forfeits nothing."""
    port = make_port_position(make_board_near_yokohama("C05:PPAR", "C08:PP"))
    position = resolve_chance(act(port, "deliver C05", "deliver C08", "draw C02"))
    view = actor_view(position)
    draws = [each for each in legal_choices(position) if isinstance(each, DrawContract)]
    assert position.unused_unlock_count
    assert draws
    assert not any(WORDS.needs_confirmation(view, each) for each in draws)
    assert not any("no longer" in (WORDS.preview(view, each, NAMES) or "") for each in draws)


@pytest.mark.parametrize(
    ("round_number", "trash_ran_out_round", "note", "latest_last_round"),
    [
        (39, None, "", 40),
        (40, None, " This is the last round.", 40),
        (20, 20, " No trash is left: the last round is round 23 or an earlier one.", 23),
        (22, 20, " No trash is left: the last round is round 23 or an earlier one.", 23),
        (23, 20, " This is the last round.", 23),
        (38, 38, " No trash is left: the last round is round 40 or an earlier one.", 40),
    ],
)
def test_a_round_that_ends_the_game_is_announced(
    round_number: int, trash_ran_out_round: int | None, note: str, latest_last_round: int
) -> None:
    """Players read which round is the last by its number, or because no trash is left (CA24, CA25)."""
    position = replace(AT_SEA, round=round_number, trash_ran_out_round=trash_ran_out_round)
    assert WORDS.status(actor_view(position), NAMES) == f"Ava, your turn: sail to another region.{note}"
    assert f"Round {round_number} of at most {latest_last_round}." in WORDS.describe(
        actor_view(position), NAMES
    )


def test_the_board_as_text_names_everything() -> None:
    """The text names players, turn order, market and regions."""
    text = WORDS.describe(actor_view(AT_SEA), NAMES)
    for part in (
        "Round 5 of at most 40.",
        (
            "A Ava: in the Sea of Okhotsk, four actions a turn, C05 Yokohama 9 (has plastic and aluminium, "
            "needs plastic and rubber), C08 San Francisco 4 (has plastic, needs any), restored albatross, "
            "unlocked wheel. 4 points so far."
        ),
        "Turn order: Ava, Ben and Chloé.",
        "Regions: trash from the top, then the animal. What steps cost: `/rules topic:Routes`.",
        "BER Bering Sea: empty; albatross, restored by Ava.",
        "EMP Emperor: rubber, net, plastic; albatross.",
        "KUR Kuroshio, port Yokohama: plastic; turtle.",
        "Market: C01 Yokohama 5 (",
        "On the deck: C04 ",
    ):
        assert part in text
    with_discard_pile = replace(AT_SEA, discard_pile=(Contract.C02,), deck=())
    text = WORDS.describe(actor_view(with_discard_pile), NAMES)
    assert " No more contracts below. Discard pile: one contract." in text


def test_a_player_who_left_is_said_to_have_resigned() -> None:
    """A seat that resigned is named so, and the last one left has won."""
    position = resign_seat(resign_seat(AT_SEA, 1), 2)
    assert position.phase is Phase.OVER
    view = CURRENT_AFFAIRS.view(position, None)
    assert WORDS.status(view, NAMES) == "Ava wins: nobody else is left."
    assert "B Ben: resigned." in WORDS.describe(view, NAMES)
    for text in (WORDS.describe(view, NAMES), WORDS.own_board_text(view, Seat(0), NAMES)):
        assert " point" in text
        assert "so far" not in text, "the game is over"


def affected_seats(position: Position, text: str) -> set[Seat]:
    """Return whom an action affects."""
    views = CURRENT_AFFAIRS.view(position, None), CURRENT_AFFAIRS.view(act(position, text), None)
    return set(WORDS.affected_seats(*views))


def test_affected_by_a_habitat() -> None:
    """A restored habitat affects others only if it was the last one of an animal that they still have."""
    boards = make_board("OKH", "C05"), make_board("TAS", restored="BER"), make_board("NEM")
    position = make_position(*boards, stacks={"EMP": "P", "GPP": "PP"})
    assert affected_seats(position, "sail EMP") == {0}
    assert affected_seats(position, "sail GPP") == {0}
    late_boards = *boards, make_board("MIC", restored="CHA"), make_board("LIN", restored="NEM")
    position = make_position(*late_boards, stacks={"EMP": "P"})
    assert affected_seats(position, "sail EMP") == {0, 2}
    assert "No albatross habitat is left for Chloé." in narrate_last_action(position, "sail EMP")


def test_affected_by_the_setup() -> None:
    """Who drafts first and the contracts on offer affect everybody."""
    start = CURRENT_AFFAIRS.initial_state(3, CurrentAffairsOptions())
    all_seats = {0, 1, 2}
    assert affected_seats(fill_regions(start), "begin B") == all_seats
    assert affected_seats(act(fill_regions(start), "begin B"), "deal C01,C15,C22") == all_seats


def test_every_kind_has_a_page() -> None:
    """A page for each region, contract and upgrade."""
    keys = {topic.key for topic in WORDS.glossary}
    assert len(keys) == len(Region) + len(Contract) + len(Upgrade)
    titles = {topic.title for topic in WORDS.glossary}
    assert {facts.name for facts in REGIONS.values() if facts.port is None} <= titles
    assert "Coral Sea (Brisbane)" in titles
    assert WORDS.topics[0].key == "introduction"


def test_trash_is_called_trash() -> None:
    """The rules pages call only the tokens of animals tokens."""
    pages = "\n".join(topic.text for topic in (*WORDS.topics, *WORDS.glossary))
    assert "token" not in pages.replace("one token of each of the five animals", "")


def test_help_says_when_upgrades_count() -> None:
    """A bonus counts whenever it is unlocked, and an upgrade left in port is lost (CA19)."""
    text = next(topic.text for topic in WORDS.topics if topic.key == "upgrades")
    assert "The two bonuses count at the end, also if you unlock them in your last turn." in text
    assert "You cannot keep an unlock for later" in text


def check_texts(view: CurrentAffairsView, legal_actions: tuple[Action, ...]) -> None:
    """Check all that is shown of one view."""
    assert len(WORDS.alt_text(view, LONG_NAMES)) <= limits.ALT_TEXT
    assert not WORDS.alt_text(view, NAMES).endswith("…")
    assert WORDS.status(view, NAMES) in WORDS.describe(view, NAMES)
    labels = [WORDS.label(view, action, NAMES) for action in legal_actions]
    assert len(set(labels)) == len(labels), "no two choices read alike"
    buttons = [" > ".join(step.label for step in path(view, action, NAMES)) for action in legal_actions]
    assert len(set(buttons)) == len(buttons)
    if view.position.phase is Phase.SAIL:
        gain_texts = " ".join(button.partition(":")[2] for button in buttons)
        assert not re.search(rf"({'|'.join(PORT_NAMES.values())})(?! \d)", gain_texts), (
            "a contract has points"
        )
    for action in legal_actions:
        assert all(len(step.label) <= limits.BUTTON_LABEL for step in path(view, action, NAMES))
        preview = WORDS.preview(view, action, LONG_NAMES)
        assert preview or NOTATION.parse("end") == action
        assert "token" not in f"{preview}{buttons}", "trash is called trash"
        assert len(WORDS.short_preview(view, action, NAMES)) <= limits.OPTION_DESCRIPTION


@pytest.mark.parametrize("seat_count", cases(CURRENT_AFFAIRS.player_counts, 4))
def test_every_text_of_random_games_fits(seat_count: int) -> None:
    """Labels, previews, status, alt text and narration of whole games keep their limits."""
    rng = random.Random(seat_count)
    position = CURRENT_AFFAIRS.initial_state(seat_count, CURRENT_AFFAIRS.options_type())
    outcome_count = 0
    while (seat := position.to_act) is not None:
        view = actor_view(position)
        if seat == CHANCE:
            action = CURRENT_AFFAIRS.sample_chance(position, RandomStream(bytes(32), outcome_count))
            check_texts(view, ())
            outcome_count += 1
        else:
            legal_actions = CURRENT_AFFAIRS.legal_actions(view)
            check_texts(view, legal_actions)
            action = rng.choice(legal_actions)
        after = CURRENT_AFFAIRS.apply_action(position, action)
        text = WORDS.narrate(view, seat, action, CURRENT_AFFAIRS.view(after, view.viewer), LONG_NAMES).text
        assert len(text) <= 1000
        assert text or after.phase in {Phase.DEAL, Phase.MARKET}, action
        position = after
    check_texts(CURRENT_AFFAIRS.view(position, None), ())


def test_value_labels() -> None:
    """The parts of a typed command have labels of their own."""
    view = actor_view(AT_SEA)
    sail_type, collect_type, unlock_type = (
        type(NOTATION.parse(text)) for text in ("sail EMP", "collect P C04 yes", "unlock wheel")
    )
    place_type = type(NOTATION.parse("place EMP"))
    assert WORDS.value_label(view, place_type, "region", Region.EMP) == "Emperor (rubber)"
    assert WORDS.value_label(view, place_type, "region", Region.ALA) == "Gulf of Alaska (empty)"
    for action in CURRENT_AFFAIRS.legal_actions(view):
        assert isinstance(action, Sail)
        label = path(view, action, NAMES)[-1].label
        assert WORDS.value_label(view, sail_type, "region", action.region) == label, "as on its button"
    assert WORDS.value_label(view, collect_type, "trash", Trash.NET) == "Net"
    assert WORDS.value_label(view, collect_type, *WILD_FIELD_AND_VALUE) == "On a slot for any trash"
    assert (
        WORDS.value_label(view, collect_type, "contract", Contract.C01) == "Yokohama 5 (aluminium and rubber)"
    )
    assert (
        WORDS.value_label(view, unlock_type, "upgrade", Upgrade.WHEEL) == "Wheel: one more action each turn"
    )


@pytest.mark.parametrize(
    ("key", "sentence"),
    [
        ("contracts", "24 plastic, 18 aluminium, 14 glass, 12 nets and 12 rubber"),
        ("upgrades", "Players without it still cannot stop where you are."),
        ("habitats", "must leave and come again (house rule)."),
        ("setup", "Then three contracts open the market"),
        ("rulings", "The last player left wins."),
    ],
)
def test_help_says_what_a_player_needs(key: str, sentence: str) -> None:
    """How many tokens there are, who may not stop (CA29), who restores nothing (CA12), the market (CA39)."""
    page = next(topic.text for topic in WORDS.topics if topic.key == key)
    assert sentence in page.replace("\n", " ")
