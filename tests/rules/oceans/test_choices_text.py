"""What players of Oceans read before they choose: labels, buttons and questions."""

import pytest
from msgspec.structs import replace

from rules.model import Seat
from rules.oceans import OCEANS
from rules.oceans.rules import State, apply_action, view
from rules.oceans.steps import Drawing, Keeping
from tests.rules.oceans.positions import (
    AFTER_CAMBRIAN_STATE,
    DRAWING_STATE,
    FEEDING_STATE,
    NAMES,
    NOTATION,
    act,
    active_scenario_setup,
    legal_texts,
    make_drawing_state,
    make_feeding_state,
    make_state,
    parse_cards,
)
from tests.rules.oceans.texts import WORDS, action_texts

HYDRA_TEXT = "Hydra: Never forages, Attack 4. Attacking, also takes 1 each from undefended species. "


def test_labels() -> None:
    """Choices are said in words: names instead of codes, counts instead of rules."""
    texts = {text: action_texts(AFTER_CAMBRIAN_STATE, text)[0] for text in legal_texts(AFTER_CAMBRIAN_STATE)}
    assert texts["evolve SP9 A1"] == "Evolve A1 (Speed, Inking) with Speed 9"
    assert texts["evolve VES B1 z2"] == "Evolve B1 (Schooling) with Vestigial Limb, 1 to zone 2"
    assert texts["create SP9 0"] == "New species between B2 and A1: Speed 9"
    assert texts["create FF7 1"] == "New species between A1 and A2: Filter Feeder 7"
    assert texts["migrate SP9 z2 reef"] == "Move all 5 population from zone 2 to the Reef (Speed 9)"
    assert texts["migrate HYD z3 z1"] == "Move 4 population from zone 3 to zone 1 (Hydra)"
    assert texts["drop A1 IN5"] == "Remove Inking 5 from A1"
    assert action_texts(FEEDING_STATE, "attack A1 C3")[0] == "A1 attacks C3: takes 2"
    assert action_texts(FEEDING_STATE, "forage A2 reef")[0] == "A2 forages in the Reef: takes 5"
    assert action_texts(FEEDING_STATE, "skip")[0] == "Feed no species"
    assert action_texts(DRAWING_STATE, "take 1")[0] == "Take Tusks, cost 1 (pile 1)"


@pytest.mark.parametrize(
    ("deck", "label", "button"),
    [
        ("TUS", "Look at one Deep card, keep it", "Look at one Deep card"),
        ("TUS KRA", "Look at two Deep cards, keep one", "Look at two Deep cards"),
        ("TUS KRA ZOO HYD", "Look at three Deep cards, keep one", "Look at three Deep cards"),
    ],
)
def test_labels_count_the_deep_cards(deck: str, label: str, button: str) -> None:
    """A look shows as many cards as the deck still has, and the last one is kept."""
    state, path = make_drawing_state("SP7 4", "", deep_deck=deck), WORDS.path
    assert path is not None
    assert action_texts(state, "look")[0] == label
    assert path(view(state, Seat(0)), NOTATION.parse("look"), NAMES)[0].label == button


def test_label_of_three_long_names() -> None:
    """Keeping one of the three longest names still fits a button."""
    state = make_drawing_state("SP7 4", "")
    keeping_state = replace(
        state, position=replace(state.position, agenda=(Keeping(3),)), looked_at=parse_cards("IMS IMW MIG")
    )
    seen = view(keeping_state, Seat(0))
    labels = {WORDS.label(seen, action, NAMES) for action in OCEANS.legal_actions(seen)}
    assert len(labels) == 6
    assert all(len(label) <= 80 for label in labels)


def test_path_labels_of_kept_cards() -> None:
    """The buttons name the card kept and the one for pile 1; the question names the piles."""
    state = make_drawing_state("SP7 4", "", gene_pool=("ACU", ""))
    keeping_state = replace(
        state, position=replace(state.position, agenda=(Keeping(3),)), looked_at=parse_cards("COP LEV ZOO")
    )
    seen = view(keeping_state, Seat(0))
    path = WORDS.path
    assert path is not None
    steps = [path(seen, action, NAMES)[-1] for action in OCEANS.legal_actions(seen)]
    assert steps[0].label == "Keep Coprophagia, put Leviathan on pile 1"
    assert steps[0].question == (
        "Pile 1 is Acute Smell, pile 2 is empty. The third card goes on pile 2. Which one do you keep?"
    )
    assert len({step.label for step in steps}) == 6


@pytest.mark.parametrize(
    ("state", "text", "question"),
    [
        (
            make_state("IN5 3", "9", hands=("SP5 SP6",)),
            "migrate SP5 z1 z2",
            "Which card do you play, to evolve or to migrate?",
        ),
        (
            make_state("IN5 3", "9", hands=("SP5 SP6",), cambrian_happened=True, plays_left=2),
            "migrate SP5 z1 z2",
            "Which card do you play first, to evolve or to migrate?",
        ),
        (
            make_state(
                "IN5 3", "9", score_piles=(1,), gene_pool=("TUS", "KRA"), **active_scenario_setup("THE")
            ),
            "evolve TUS A1 reef",
            "Which card do you play?",
        ),
    ],
)
def test_the_first_question_says_what_a_card_is_for(state: State, text: str, question: str) -> None:
    """A card in hand can also migrate population, one of the Gene Pool cannot."""
    path = WORDS.path
    assert path is not None
    assert path(view(state, Seat(0)), NOTATION.parse(text), NAMES)[0].question == question


@pytest.mark.parametrize(
    ("state", "text", "question"),
    [
        (
            make_state("IN5 3", "9", hands=("SP5",)),
            "migrate SP5 z1 z2",
            "Speed 5: Forage 2, Attack 2, Defence 2, +1 slot. Evolve with it, or migrate between zones?",
        ),
        (
            make_state(
                "IN5 3", "9", score_piles=(1,), gene_pool=("TUS", "KRA"), **active_scenario_setup("THE")
            ),
            "evolve TUS A1 reef",
            (
                "Tusks: Forage 2, Attack 2, Defence 5. "
                "Evolving costs 1, paid to the Reef unless you choose a zone. Evolve with it?"
            ),
        ),
        (
            make_state("IN5 3", "9", score_piles=(1,), hands=("HYD",), cambrian_happened=True),
            "migrate HYD z1 z2",
            HYDRA_TEXT + "Evolving costs 4, your score pile holds 1. Migrate between zones?",
        ),
        (
            make_state("ABY 3", "9", hands=("HYD",), cambrian_happened=True),
            "evolve HYD A1",
            (
                HYDRA_TEXT + "Evolving costs 4, paid to the Reef unless you choose a zone, or nothing on A1. "
                "Evolve with it, or migrate between zones?"
            ),
        ),
        (
            make_state("ABY IN5 IN6 3", "9", hands=("HYD",), cambrian_happened=True),
            "migrate HYD z1 z2",
            HYDRA_TEXT + "Evolving costs 4, your score pile holds 0. Migrate between zones?",
        ),
        (
            make_state("IN5 3", "9", hands=("SP5",), zone_populations=(0, 0, 0, 0), end_triggered=True),
            "cast SP5",
            "Speed 5: Forage 2, Attack 2, Defence 2, +1 slot. Evolve with it, or discard it for nothing?",
        ),
    ],
    ids=["usual", "Gene Pool", "too expensive", "free", "no slot", "all zones empty"],
)
def test_the_question_about_a_card_offers_what_it_can_do(state: State, text: str, question: str) -> None:
    """Above what it can do stands what it does; what is not possible is not asked about."""
    path = WORDS.path
    assert path is not None
    assert path(view(state, Seat(0)), NOTATION.parse(text), NAMES)[1].question == question


@pytest.mark.parametrize(
    ("text", "labels"),
    [("forage A1 reef", ["A1", "forages", "all 3"]), ("forage A1 reef 2", ["A1", "forages", "only 2"])],
)
def test_amounts_that_may_be_foraged_stand_once_each(text: str, labels: list[str]) -> None:
    """Colossus may take less: its buttons are "A1 forages all 3" and "A1 forages only 2"."""
    state, path = make_feeding_state("COL 3", "AP7 2", zone_populations=(3, 20, 20, 20)), WORDS.path
    assert path is not None
    steps = path(view(state, Seat(0)), NOTATION.parse(text), NAMES)
    assert [step.label for step in steps] == labels


def test_an_attack_that_lets_its_target_die_out_names_the_target() -> None:
    """Aggressive Environment: the attacker lives, so nobody may read that it dies."""
    state = make_feeding_state("AP5 3", "SP5 0", **active_scenario_setup("AGG"))
    assert action_texts(state, "attack A1 B1")[0] == "A1 attacks B1: B1 dies out"


def test_discards_are_not_explained_beside_their_buttons() -> None:
    """The picture of the hand says what its cards do; only cards with short names had room for it."""
    assert {action_texts(DRAWING_STATE, text)[1] for text in legal_texts(DRAWING_STATE, "discard")} == {""}


def test_labels_of_the_card_phase_name_what_a_press_does() -> None:
    """A switch is turned on or off, a migration goes from zone to zone."""
    state = make_state("FAS SP7 4", "AP7 4", hands=("SP9",))
    turned_on = apply_action(state, NOTATION.parse("metabolism yes"))
    seen, seen_on, path = view(state, Seat(0)), view(turned_on, Seat(0)), WORDS.path
    assert path is not None
    assert path(seen, NOTATION.parse("metabolism yes"), NAMES)[0].label == "Turn Fast Metabolism on"
    assert path(seen_on, NOTATION.parse("metabolism no"), NAMES)[0].label == "Turn Fast Metabolism off"
    assert path(seen, NOTATION.parse("migrate SP9 z1 z2"), NAMES)[-1].label == "Zone 1 → 2: 9"
    overflow_step, zone_step = path(seen, NOTATION.parse("overflow z1"), NAMES)
    assert overflow_step.label == "Set overflow for others' turns (now Reef)"
    question = (
        "A species whose last space is filled falls back to 5: the rest is its overflow. "
        "On other players' turns yours goes to {}. Where does it go from now on?"
    )
    assert zone_step.question == question.format("the Reef")
    view_with_zone_2 = view(apply_action(state, NOTATION.parse("overflow z2")), Seat(0))
    overflow_step, zone_step = path(view_with_zone_2, NOTATION.parse("overflow z1"), NAMES)
    assert overflow_step.label == "Set overflow for others' turns (now Zone 2)"
    assert zone_step.question == question.format("zone 2")


def test_the_question_of_the_drawing_phase_says_its_order() -> None:
    """A Deep card comes before discards, which come before drawing."""

    def question(state: State) -> str:
        path = WORDS.path
        assert path is not None
        return path(view(state, Seat(0)), NOTATION.parse("draw"), NAMES)[0].question

    assert question(DRAWING_STATE) == (
        "First you may take a Deep card, then discard. **End turn** fills your hand to six cards."
        " What do you want to do?"
    )
    after_discard = act(DRAWING_STATE, "discard SP8")
    assert question(after_discard) == (
        "**End turn** fills your hand to six cards. Do you discard Surface cards first?"
    )
    only_deep = make_drawing_state("SP7 4", "", hands=("HYD",))
    assert question(only_deep) == "**End turn** fills your hand to six cards. Do you take a Deep card first?"
    seven_cards = make_drawing_state("SP7 4", "", hands=("SP6 SP7 SP8 IN5 IN6 AP7 HYD",))
    assert question(seven_cards) == (
        "First you may take a Deep card, then discard."
        " **End turn** draws cards only if you hold fewer than six then. What do you want to do?"
    )


def test_each_stage_of_a_turn_asks_a_question_of_its_own() -> None:
    """Alone with **End turn** its player reads how many cards are drawn."""
    path = WORDS.path
    assert path is not None
    state = make_state("RAP COP 4", "9", plays_left=0, score_piles=(2, 2), gene_pool=("HYD", ""))
    mutating_row = (replace(state.position.rows[0][0], may_mutate=True),)
    mutating_position = replace(state.position, rows=(mutating_row, *state.position.rows[1:]))
    for each, text, question in (
        (state, "done", "Do you remove a trait, or go on to feeding?"),
        (
            replace(state, position=mutating_position),
            "done",
            "Do you exchange or remove a trait, or go on to feeding?",
        ),
        (_end_state("HYD EXT GIB POI"), "draw", "**End turn** draws two cards. Do you end your turn?"),
        (_end_state("HYD EXT GIB POI APX"), "draw", "**End turn** draws one card. Do you end your turn?"),
        (_end_state("HYD EXT GIB POI APX WAR"), "draw", "**End turn** draws no card. Do you end your turn?"),
    ):
        assert path(view(each, Seat(0)), NOTATION.parse(text), NAMES)[0].question == question


def _end_state(hand: str) -> State:
    """Return a state after a Deep card was taken: only the end of the turn is left."""
    return make_state(
        "SP7 4", "9", step=Drawing(may_take_deep=False), plays_left=0, cambrian_happened=True, hands=(hand,)
    )


def test_discards_stand_back_behind_the_end_of_the_turn() -> None:
    """They are rarely wanted; ending the turn is what most people look for."""
    seen, path = view(DRAWING_STATE, Seat(0)), WORDS.path
    assert path is not None
    collapsed_by_action = {each: path(seen, each, NAMES)[0].collapsed for each in OCEANS.legal_actions(seen)}
    assert {type(each).__name__ for each, is_collapsed in collapsed_by_action.items() if is_collapsed} == {
        "Discard"
    }
    assert collapsed_by_action[NOTATION.parse("draw")] is False


@pytest.mark.parametrize(
    ("text", "labels", "question"),
    [
        ("discard SP8", ["Discard Speed 8"], None),
        ("discard IN9,SP8", ["Discard two", "Inking 9 + Speed 8"], "Which two cards do you discard?"),
        (
            "discard IN9,SC8,SP8",
            ["Discard three", "Keep Apex Predator 7 + Apex Predator 7"],
            "You discard three cards. Which two cards do you keep?",
        ),
        (
            "discard AP7,IN9,SC8,SP8",
            ["Discard four", "Keep Apex Predator 7"],
            "You discard four cards. Which card do you keep?",
        ),
        ("discard AP7,AP7,IN9,SC8,SP8", ["Discard all", "five"], None),
    ],
)
def test_several_cards_are_discarded_in_two_presses(
    text: str, labels: list[str], question: str | None
) -> None:
    """How many, then which: those that go or those that stay, whatever is fewer."""
    state, path = make_drawing_state("SP7 4", "", hands=("AP7 AP7 IN9 SC8 SP8 HYD",)), WORDS.path
    assert path is not None
    steps = path(view(state, Seat(0)), NOTATION.parse(text), NAMES)
    assert [step.label for step in steps] == labels
    assert question is None or steps[-1].question == question


def test_cards_to_keep_stand_in_the_order_of_the_hand() -> None:
    """Also where the choices are what is discarded."""
    state, path = make_drawing_state("SP7 4", "", hands=("AP10 IN9 SP8",)), WORDS.path
    assert path is not None
    seen = view(state, Seat(0))
    of_two = [text for text in legal_texts(state) if text.count(",") == 1]
    last_labels = [path(seen, NOTATION.parse(text), NAMES)[-1].label for text in of_two]
    assert last_labels == ["Keep Apex Predator 10", "Keep Inking 9", "Keep Speed 8"]


def test_a_long_discard_is_labelled_by_what_is_kept() -> None:
    """Else the label of a choice would not fit; all six are said to be all."""
    hand = "AP10 BF10 FF10 IN10 SC10 WC10"
    state = make_drawing_state("SP7 4", "", hands=(hand,))
    all_but_one, all_six = ",".join(hand.split()[1:]), ",".join(hand.split())
    assert action_texts(state, f"discard {all_but_one}")[0] == "Discard all but Apex Predator 10"
    assert action_texts(state, f"discard {all_six}")[0] == "Discard all Surface cards"


def test_a_further_feeding_is_asked_about_as_such() -> None:
    """Where only the species that has fed may feed again, nobody is asked which species feeds."""
    state, path = act(make_feeding_state("TE5 3 | SP8 3", "AP7 4"), "forage A1 reef"), WORDS.path
    assert path is not None
    assert path(view(state, Seat(0)), NOTATION.parse("forage A1 reef"), NAMES)[0].question == (
        "Does A1 feed again?"
    )


def test_nobody_is_asked_to_feed_when_no_species_can() -> None:
    """The phase waits only because a trait may still be removed: status and question say so."""
    state = make_state("IN5 1", "", hands=("SP5",), zone_populations=(0, 20, 20, 20))
    state = act(state, "migrate SP5 z1 z2")
    assert legal_texts(state) == ("drop A1 IN5", "skip")
    seen, path = view(state, Seat(0)), WORDS.path
    assert path is not None
    assert WORDS.status(seen, NAMES) == "Ava, your turn: remove traits or go on to Aging."
    step = path(seen, NOTATION.parse("skip"), NAMES)[0]
    assert step.question == "No species can feed. Do you remove a trait, or go on to Aging?"
    assert step.label == action_texts(state, "skip")[0] == "Go on to Aging"


def test_feeding_nothing_stands_below_the_species() -> None:
    """Its button is in a row of its own behind theirs."""
    seen, path = view(FEEDING_STATE, Seat(0)), WORDS.path
    assert path is not None
    feed_step, skip_step = (path(seen, NOTATION.parse(text), NAMES)[0] for text in ("forage A2 reef", "skip"))
    assert feed_step.row != skip_step.row
    assert feed_step.order < skip_step.order


def test_path_of_the_only_trait() -> None:
    """Removing the only trait is one step with a whole sentence; of several, the trait is asked."""
    one_trait_state = make_state("SP7 4", "AP7 4", plays_left=1, hands=("SP9",))
    two_traits_state = make_state("SP7 IN5 4", "AP7 4", plays_left=1, hands=("SP9",))
    action, path = NOTATION.parse("drop A1 SP7"), WORDS.path
    assert path is not None
    assert [step.label for step in path(view(one_trait_state, Seat(0)), action, NAMES)] == [
        "Remove Speed 7 from A1"
    ]
    assert len(path(view(two_traits_state, Seat(0)), action, NAMES)) == 3


@pytest.mark.parametrize(
    ("state", "text", "name"),
    [
        (DRAWING_STATE, "draw", "End turn"),
        (
            make_state("SP7 IN5 FF7 HYD 4", "SC7 6", plays_left=0),
            "done",
            "Keep traits, feed",
        ),
        (
            make_state("PA5 0", "TE6 2", plays_left=0, zone_populations=(0, 20, 20, 20)),
            "done",
            "Go on to feeding",
        ),
    ],
)
def test_going_on_has_one_name(state: State, text: str, name: str) -> None:
    """The panel and the lists name the choice alike."""
    seen, action = view(state, Seat(0)), NOTATION.parse(text)
    path = WORDS.path
    assert path is not None
    assert path(seen, action, NAMES)[-1].label == action_texts(state, text)[0] == name
