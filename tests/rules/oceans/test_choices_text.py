"""What players of Oceans read before they choose: labels, buttons, previews, short previews."""

import pytest
from msgspec.structs import replace

from rules.game import Seat
from rules.notation import write_action
from rules.oceans import OCEANS
from rules.oceans.rules import State, apply_action, view
from rules.oceans.steps import Keeping
from tests.rules.oceans.positions import (
    NAMES,
    NOTATION,
    act,
    active_scenario_setup,
    legal_texts,
    make_drawing_state,
    make_feeding_state,
    make_state,
    parse_cards,
    play_line,
)
from tests.rules.oceans.texts import AFTER_CAMBRIAN_STATE, DRAWING_STATE, FEEDING_STATE, WORDS, action_texts


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


def test_short_preview_of_several_extinctions() -> None:
    """Species that die out together begin a sentence of their own, so none reads as part of the numbers."""
    one_extinction_state = make_feeding_state("IN5 0 | IN6 0", "9")
    assert action_texts(one_extinction_state, "forage A1 reef")[1] == "A1 +1, A2 dies out"
    two_extinctions_state = make_feeding_state("IN5 0 | IN6 0 | IN7 0", "9")
    assert action_texts(two_extinctions_state, "forage A1 reef")[1] == "A1 +1. A2 and A3 die out"


def test_a_forage_is_not_explained_twice() -> None:
    """Its label says what the species takes; a short preview follows only if more happens."""
    state_without_symbiotic = make_feeding_state("SP7 3", "9")
    assert action_texts(state_without_symbiotic, "forage A1 reef")[:2] == (
        "A1 forages in the Reef: takes 2",
        "",
    )
    state_with_symbiotic = make_feeding_state("SP7 3 | SY7 3", "9")
    assert action_texts(state_with_symbiotic, "forage A1 reef")[1] == "A1 +2, A2 +1 (Symbiotic)"


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
            make_state("IN5 3", "9", scores=(1,), gene_pool=("TUS", "KRA"), **active_scenario_setup("THE")),
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
            "Evolve with Speed 5, or migrate 5 between zones?",
        ),
        (
            make_state("IN5 3", "9", scores=(1,), gene_pool=("TUS", "KRA"), **active_scenario_setup("THE")),
            "evolve TUS A1 reef",
            "Evolving costs 1, paid to the Reef. Evolve with Tusks?",
        ),
        (
            make_state("IN5 3", "9", scores=(1,), hands=("HYD",), cambrian_happened=True),
            "migrate HYD z1 z2",
            "Evolving costs 4, your score pile holds 1. Migrate 4 between zones?",
        ),
        (
            make_state("ABY 3", "9", hands=("HYD",), cambrian_happened=True),
            "evolve HYD A1",
            (
                "Evolving costs 4, paid to the Reef, or nothing on A1. "
                "Evolve with Hydra, or migrate 4 between zones?"
            ),
        ),
        (
            make_state("ABY IN5 IN6 3", "9", hands=("HYD",), cambrian_happened=True),
            "migrate HYD z1 z2",
            "Evolving costs 4, your score pile holds 0. Migrate 4 between zones?",
        ),
        (
            make_state("IN5 3", "9", hands=("SP5",), zone_populations=(0, 0, 0, 0), end_triggered=True),
            "cast SP5",
            "Evolve with Speed 5, or discard it for nothing?",
        ),
    ],
    ids=["usual", "Gene Pool", "too expensive", "free", "no slot", "all zones empty"],
)
def test_the_question_about_a_card_offers_what_it_can_do(state: State, text: str, question: str) -> None:
    """Neither a migration nor an evolution that is not possible is asked about."""
    path = WORDS.path
    assert path is not None
    assert path(view(state, Seat(0)), NOTATION.parse(text), NAMES)[1].question == question


def test_labels_of_the_card_phase_name_what_a_press_does() -> None:
    """A switch is turned on or off, a migration goes from zone to zone."""
    state = make_state("FAS SP7 4", "AP7 4", hands=("SP9",))
    turned_on = apply_action(state, NOTATION.parse("metabolism yes"))
    seen, seen_on, path = view(state, Seat(0)), view(turned_on, Seat(0)), WORDS.path
    assert path is not None
    assert path(seen, NOTATION.parse("metabolism yes"), NAMES)[0].label == "Turn Fast Metabolism on"
    assert path(seen_on, NOTATION.parse("metabolism no"), NAMES)[0].label == "Turn Fast Metabolism off"
    assert path(seen, NOTATION.parse("migrate SP9 z1 z2"), NAMES)[-1].label == "Zone 1 → Zone 2: 9"
    overflow_step, zone_step = path(seen, NOTATION.parse("overflow z1"), NAMES)
    assert overflow_step.label == "Set overflow for others' turns"
    assert zone_step.question.startswith("Where does overflow go if a species of yours overpopulates")


@pytest.mark.parametrize(
    ("looked_at_codes", "text", "others_text"),
    [("HYD TIN ZOO", "keep HYD TIN ZOO", "The others lie"), ("HYD TIN", "keep HYD - TIN", "The other lies")],
)
def test_preview_of_a_kept_card(looked_at_codes: str, text: str, others_text: str) -> None:
    """With two Deep cards left one other card is put face up."""
    state, cards = make_drawing_state("SP7 4", ""), parse_cards(looked_at_codes)
    keeping_state = replace(
        state, position=replace(state.position, agenda=(Keeping(len(cards)),)), looked_at=cards
    )
    assert action_texts(keeping_state, text)[2].endswith(f"Nobody else sees it. {others_text} face up.")


def test_the_question_of_the_drawing_phase_says_its_order() -> None:
    """A Deep card comes before discards, which come before drawing."""

    def question(state: State) -> str:
        path = WORDS.path
        assert path is not None
        return path(view(state, Seat(0)), NOTATION.parse("draw"), NAMES)[0].question

    assert question(DRAWING_STATE) == (
        "After a discard you can take no Deep card. **End turn** draws up to six. What comes first?"
    )
    discarded = act(DRAWING_STATE, "discard SP8")
    assert question(discarded) == "**End turn** draws up to six. Do you discard Surface cards first?"
    assert question(make_drawing_state("SP7 4", "", hands=("HYD",))) == "What do you want to do?"


def test_discards_stand_back_behind_the_end_of_the_turn() -> None:
    """They are rarely wanted; ending the turn is what most people look for."""
    seen, path = view(DRAWING_STATE, Seat(0)), WORDS.path
    assert path is not None
    collapsed_by_action = {each: path(seen, each, NAMES)[0].collapsed for each in OCEANS.legal_actions(seen)}
    assert {type(each).__name__ for each, is_collapsed in collapsed_by_action.items() if is_collapsed} == {
        "Discard"
    }
    assert collapsed_by_action[NOTATION.parse("draw")] is False


def test_feeding_warns_of_species_that_would_die_out() -> None:
    """The question names them, for any number of choices; with none it is the plain question."""

    def question(row: str) -> str:
        seen, path = view(make_feeding_state(row, "AP7 4", cambrian_happened=True), Seat(0)), WORDS.path
        assert path is not None
        return path(seen, NOTATION.parse("skip"), NAMES)[0].question

    assert question("SP7 4 | SP8 2") == "Which species feeds?"
    assert question("SP7 4 | SP8 1") == "A2 dies out at Aging unless it gets 1 more. Which species feeds?"
    assert question("SP7 0 | SP8 1 | IN5 3").startswith("A1 and A2 die out at Aging unless they get more. ")


def test_a_further_feeding_is_asked_about_as_such() -> None:
    """Where only the species that has fed may feed again, nobody is asked which species feeds."""
    state, path = act(make_feeding_state("TE5 3 | SP8 3", "AP7 4"), "forage A1 reef"), WORDS.path
    assert path is not None
    assert path(view(state, Seat(0)), NOTATION.parse("forage A1 reef"), NAMES)[0].question == (
        "Does A1 feed again?"
    )


@pytest.mark.parametrize(
    ("state", "missing_amount"),
    [
        (make_feeding_state("CTH 2", "AP7 4"), 1),
        (make_feeding_state("SP7 1", "AP7 4", **active_scenario_setup("VIR")), 1),
        (make_feeding_state("SLO 0", "AP7 4"), 0),
    ],
    ids=["Cthulhu Leech", "Degenerative Virus", "Slow Metabolism"],
)
def test_the_warning_knows_what_aging_takes(state: State, missing_amount: int) -> None:
    """It names what a species lacks by all cards that count at Aging, and no species that can be spared."""
    state = replace(state, position=replace(state.position, cthulhu_seat=Seat(1)))
    path = WORDS.path
    assert path is not None
    question = path(view(state, Seat(0)), NOTATION.parse("skip"), NAMES)[0].question
    warning = f"A1 dies out at Aging unless it gets {missing_amount} more. " if missing_amount else ""
    assert question == f"{warning}Which species feeds?"


@pytest.mark.parametrize(
    ("state", "text", "sentences"),
    [
        (
            make_feeding_state("AP5 3", "SP5 0", **active_scenario_setup("AGG")),
            "attack A1 B1",
            ["B1 dies out.", "Aging: Ava scores 1."],
        ),
        (
            make_feeding_state("FF5 3 | SY5 9", "", **active_scenario_setup("EPI")),
            "forage A1 reef",
            ["A2 overpopulates.", "A2's 10 go to the Reef. A2 dies out.", "Aging: Ava scores 1."],
        ),
    ],
    ids=["Aggressive Environment", "Epizootic"],
)
def test_what_dies_out_before_aging_is_named_before_it(state: State, text: str, sentences: list[str]) -> None:
    """Aging, which follows at once, is not said to be the cause."""
    lines = action_texts(state, text)[2].split("\n")
    index = lines.index(sentences[0])
    assert lines[index : index + len(sentences)] == sentences


def test_nobody_is_asked_to_feed_when_no_species_can() -> None:
    """The phase waits only because a trait may still be removed: status and question say so."""
    state = make_state("IN5 1", "", hands=("SP5",), zone_populations=(0, 20, 20, 20))
    state = act(state, "migrate SP5 z1 z2")
    assert legal_texts(state) == ("drop A1 IN5", "skip")
    seen, path = view(state, Seat(0)), WORDS.path
    assert path is not None
    assert WORDS.status(seen, NAMES) == "Ava, your turn: remove traits or go on to Aging."
    question = path(seen, NOTATION.parse("skip"), NAMES)[0].question
    assert question == "No species can feed. What do you want to do?"


def test_what_lets_an_own_species_die_out_unannounced_needs_a_preview() -> None:
    """What the question says, or what costs nothing, counts at once."""

    def texts_to_confirm(state: State) -> set[str]:
        seen = view(state, Seat(0))
        return {
            write_action(each) for each in OCEANS.legal_actions(seen) if WORDS.needs_confirmation(seen, each)
        }

    state = make_feeding_state("SP7 4 | SP8 1", "AP7 4", cambrian_happened=True)
    seen, path = view(state, Seat(0)), WORDS.path
    assert path is not None
    question = path(seen, NOTATION.parse("skip"), NAMES)[0].question
    assert question == "A2 dies out at Aging unless it gets 1 more. Which species feeds?"
    assert "A2 dies out" in action_texts(state, "forage A1 reef")[2]
    assert not texts_to_confirm(state)
    assert not texts_to_confirm(make_feeding_state("SP7 4 | SP8 2", "AP7 4", cambrian_happened=True))
    last_card = make_state(
        "3",
        "AP7 4",
        hands=("FF5",),
        zone_populations=(0, 0, 0, 0),
        cambrian_happened=True,
        end_triggered=True,
    )
    assert texts_to_confirm(last_card) == {"cast FF5"}, (
        "nobody can feed, and the question is which card to play"
    )


def test_an_attack_on_an_own_species_that_dies_out_needs_a_preview() -> None:
    """Although before the attack no species was about to die out."""
    seen = view(make_feeding_state("AP7 4 | FF6 1", "AP7 4"), Seat(0))
    assert WORDS.path is not None
    assert WORDS.path(seen, NOTATION.parse("skip"), NAMES)[0].question == "Which species feeds?"
    assert WORDS.needs_confirmation(seen, NOTATION.parse("attack A1 A2"))
    assert not WORDS.needs_confirmation(seen, NOTATION.parse("attack A1 B1"))


@pytest.mark.parametrize("trait", ["TEL", "SLO"])
def test_a_species_that_does_not_age_is_not_said_to_age_twice(trait: str) -> None:
    """Degenerative Virus may be put on it, and button, preview and log say that nothing ages twice."""
    state = act(make_feeding_state(f"{trait} 4 | IN6 4", "", **active_scenario_setup("VIR")), "skip")
    state = act(state, "choose 0") if trait == "SLO" else state
    label, short_preview, preview = action_texts(state, "choose A1")
    assert label.startswith("Does not age: A1")
    assert short_preview == "no species ages twice"
    assert preview.split("\n")[0] == "A1 does not age, so no species ages twice."
    seen, path = view(state, Seat(0)), WORDS.path
    assert path is not None
    assert path(seen, NOTATION.parse("choose A1"), NAMES)[0].label == "A1: does not age"
    action = NOTATION.parse("choose A1")
    narration = WORDS.narrate(seen, Seat(0), action, view(apply_action(state, action), Seat(0)), NAMES)
    assert narration.startswith("Ava chooses A1, which does not age (Degenerative Virus).")
    assert action_texts(state, "choose A2")[:2] == ("A2 (Inking) ages twice: 2 left", "")


def test_nothing_dies_out_after_the_last_turn() -> None:
    """A preview of the choice that ends the game warns of no further Aging."""
    state = make_feeding_state("AP7 4", "SP7 2 | SP8 2", player=1, end_triggered=True, cambrian_happened=True)
    preview = action_texts(state, "forage B1 reef")[2]
    assert "Aging: Ben scores 4." in preview
    assert "dies out" not in preview


def test_a_species_that_takes_is_not_said_to_die_out() -> None:
    """How much Coprophagia takes is open until the score pile has given it."""
    state = play_line(make_state("COP 0", "AP7 4", plays_left=0, scores=(0, 5)), "done")
    assert "dies out" not in action_texts(state, "choose B")[2]


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


def test_preview_of_a_feeding() -> None:
    """A feeding shows what it sets off, who overpopulates, how full boards are and what is asked next."""
    assert action_texts(FEEDING_STATE, "forage A2 reef")[1:] == (
        "A2 +5, C3 +3 (Whale Cleaner), A3 overpopulates",
        (
            "C3 gains 3 from zone 1 (Whale Cleaner).\n"
            "A3 overpopulates.\n"
            "Afterwards: A2 7 of 10, C3 5 of 10.\n"
            "Next you are asked to choose a zone for A3's overflow of 5."
        ),
    )


def test_preview_of_an_attack_that_is_scored() -> None:
    """What Deep-Sea Kraken takes by its second attack goes to the score pile."""
    state = make_feeding_state("DSK AP5 2", "9 | 9")
    assert "scores" not in action_texts(state, "attack A1 B1")[2]
    assert "Ava scores 3 from B2." in action_texts(act(state, "attack A1 B1"), "attack A1 B2")[2]


def test_preview_of_danger() -> None:
    """A preview names own species that are short for Aging, and those that die out whatever follows."""
    state = make_feeding_state("TE7 2 | SP7 0", "AP7 8", zone_populations=(20, 9, 9, 9))
    assert "A2 dies out at Aging." in action_texts(state, "forage A1 reef")[2]
    assert action_texts(state, "skip")[1:] == ("A2 dies out", "Aging: Ava scores 1. A2 dies out.")


def test_preview_of_evolving() -> None:
    """Evolving shows the text, the cost, values before and after, and what is left to play."""
    assert action_texts(AFTER_CAMBRIAN_STATE, "evolve SP9 A2")[1] == (
        "Forage 1 → 2, Attack 1 → 2, Defence 0 → 2, traits 3 of 3 → 4 of 4"
    )
    preview_lines = action_texts(AFTER_CAMBRIAN_STATE, "evolve VES B2 z1")[2].split("\n")
    assert "It costs 1: your score pile goes from 3 to 2." in preview_lines
    assert "B2: traits 1 of 3 → 2 of 3." in preview_lines
    assert "Then you have two cards left to play." in preview_lines
    assert "A3 stands between A1 and A2." in action_texts(AFTER_CAMBRIAN_STATE, "create FF7 1")[2]


def test_preview_of_a_migration() -> None:
    """A migration shows the zones after it and what emptying or filling one sets off."""
    state = make_state(
        "SP7 4", "AP7 4", hands=("SP9",), zone_populations=(10, 9, 0, 20), scenarios=("ABU", "FER")
    )
    preview = action_texts(state, "migrate SP9 z1 reef")[2]
    assert "the Cambrian Explosion!" in preview
    assert "Abundance begins:" in preview
    assert "The Reef: 10 → 19, zone 1: 9 → 0." in preview
    assert action_texts(state, "migrate SP9 z3 z2")[1] == "Fertile ends, zone 2: 0 → 9, zone 3: 20 → 11"


@pytest.mark.parametrize(("score", "paid_amount"), [(5, 2), (1, 1), (0, 0)])
def test_preview_of_a_migration_that_is_paid_for(score: int, paid_amount: int) -> None:
    """Under Detritus a migration shows what its player pays, and what happens after that."""
    state = make_state(
        "SP7 4",
        "AP7 4",
        hands=("SP5",),
        scores=(score,),
        scenarios=("INA", "DET"),
        zone_populations=(20, 3, 0, 20),
    )
    _, short_preview, preview = action_texts(state, "migrate SP5 z1 z3")
    assert ("(Detritus)" in preview) is (f"{paid_amount} of Ava's score" in preview) is bool(paid_amount)
    assert "the Cambrian Explosion!" in preview
    assert "Cambrian Explosion" in short_preview
    assert (f"The Reef: 20 → {20 + paid_amount}," in preview) is bool(paid_amount)
    assert "The others see whether your score pile holds 2." in preview


def test_preview_of_a_card_of_the_gene_pool() -> None:
    """That its pile gets another card hides nothing of what the card sets off."""
    setup = active_scenario_setup("THE")
    state = make_state("BIO 9 | 1", "5", scores=(1,), gene_pool=("TUS", ""), **setup)
    preview = action_texts(state, "evolve TUS A2 reef")[2]
    assert "A1 overpopulates." in preview
    assert "Next you are asked to choose a zone for A1's overflow of 5." in preview


def test_preview_of_the_end() -> None:
    """The round in which the Ocean is emptied is the last; none follows it."""
    state = make_state(
        "SP7 4", "AP7 4", hands=("SP9",), zone_populations=(10, 0, 0, 9), cambrian_happened=True
    )
    assert "this round is the last" in action_texts(state, "migrate SP9 z3 reef")[2]
    assert "this round is the last" in action_texts(state, "migrate SP9 z3 reef")[1]


def test_what_makes_this_round_the_last_needs_a_preview() -> None:
    """Twelve migrations stand on one screen without a word on what they bring: one may empty the Ocean."""
    state = make_state(
        "SP7 4", "AP7 4", hands=("SP9 SP5",), zone_populations=(10, 0, 0, 9), cambrian_happened=True
    )
    seen = view(state, Seat(0))
    assert WORDS.needs_confirmation(seen, NOTATION.parse("migrate SP9 z3 reef"))
    assert not WORDS.needs_confirmation(seen, NOTATION.parse("migrate SP5 z3 reef"))


@pytest.mark.parametrize(
    ("text", "label", "is_previewed"),
    [
        ("migrate SP9 z3 z1", "Zone 3 → Zone 1: 9", False),
        ("migrate SP9 z1 z3", "Zone 1 → Zone 3: 6, Cambrian, Abundance", True),
        ("migrate SP5 z1 reef", "Zone 1 → Reef: 5", False),
        ("migrate SP9 z3 z2", "Zone 3 → Zone 2: 9, Fertile ends", True),
    ],
)
def test_a_migration_says_how_much_moves_and_what_it_sets_off(
    text: str, label: str, *, is_previewed: bool
) -> None:
    """Its button names what concerns the whole table; the Cambrian Explosion and an end are previewed."""
    state = make_state(
        "SP7 4", "AP7 4", hands=("SP9 SP5",), zone_populations=(10, 6, 0, 20), scenarios=("ABU", "FER")
    )
    seen, action, path = view(state, Seat(0)), NOTATION.parse(text), WORDS.path
    assert path is not None
    steps = path(seen, action, NAMES)
    assert steps[-1].label == label
    assert WORDS.needs_confirmation(seen, action) is is_previewed
    number = "up to 9" if "SP9" in text else "5"
    assert steps[-1].question == f"Evolve with Speed {number[-1]}, or migrate {number} between zones?"


def test_preview_shows_cards() -> None:
    """Taking a card shows what it does; drawing, which chance decides, shows nothing."""
    assert "It never forages, never attacks" in action_texts(DRAWING_STATE, "take 2")[2]
    assert action_texts(DRAWING_STATE, "draw")[1:] == ("", "")
    assert "keep one" in action_texts(DRAWING_STATE, "look")[2]


@pytest.mark.parametrize(
    ("state", "text", "name"),
    [
        (DRAWING_STATE, "draw", "End turn"),
        (make_state("SP7 IN5 FF7 HYD 4", "SC7 6", plays_left=0), "done", "Go on to feeding"),
    ],
)
def test_going_on_has_one_name(state: State, text: str, name: str) -> None:
    """The panel and the lists name the choice alike."""
    seen, action = view(state, Seat(0)), NOTATION.parse(text)
    path = WORDS.path
    assert path is not None
    assert path(seen, action, NAMES)[-1].label == action_texts(state, text)[0] == name


def test_preview_of_going_on() -> None:
    """Ending the card phase shows whom own species leech; with nothing to show there is no preview."""
    state = act(make_state("PA6 1", "AP7 5", hands=("SP9",)), "evolve SP9 A1")
    assert action_texts(state, "done")[1:] == (
        "A1 +2 (Parasitic), B1 \u22122",
        "A1 leeches 2 from B1 (Parasitic).",
    )
    state_without_prey = act(make_state("PA6 1", "AP7 0", hands=("SP9",)), "evolve SP9 A1")
    assert action_texts(state_without_prey, "done")[1:] == ("", "")


def test_preview_is_what_happens() -> None:
    """What a preview says a species holds afterwards is what it holds then."""
    for text in ("forage A1 reef", "attack A1 C3", "attack A1 A2"):
        after = act(FEEDING_STATE, text).position
        afterwards = action_texts(FEEDING_STATE, text)[2].split("Afterwards: ")[1].split(".")[0]
        population_by_key = {each.key: each.population for row in after.rows for each in row}
        for part in afterwards.split(", "):
            key, population, *_ = part.split()
            assert population_by_key[key] == int(population), part
