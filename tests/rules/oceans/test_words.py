"""What players of Oceans read before they choose: labels, previews, short previews, refusals."""

import pytest
from msgspec.structs import replace

from rules.game import Seat
from rules.oceans import OCEANS
from rules.oceans.cards.decks import Card
from rules.oceans.causes import TraitCause
from rules.oceans.places import SpeciesBoard
from rules.oceans.rules import State, view
from rules.oceans.steps import Choosing, Keeping, Reason
from tests.rules.oceans.positions import (
    NAMES,
    NOTATION,
    act,
    drawing_state,
    feeding_state,
    legal_texts,
    make_state,
    parse_cards,
    play,
)

WORDS = OCEANS.words


def refusal_text(state: State, text: str) -> str:
    """Return the refusal of an illegal action to the seat to act."""
    actor = state.position.to_act
    assert actor is not None
    assert text not in legal_texts(state), f"{text} is legal"
    return WORDS.refusal(view(state, actor), NOTATION.parse(text), NAMES)


def action_texts(state: State, text: str) -> tuple[str, str, str]:
    """Return label, short preview and preview of a legal action."""
    actor = state.position.to_act
    assert actor is not None
    assert text in legal_texts(state), f"{text} is not legal: {legal_texts(state)[:40]}"
    action, seen = NOTATION.parse(text), view(state, actor)
    shown = WORDS.preview(seen, action, NAMES)
    return WORDS.label(seen, action, NAMES), WORDS.short_preview(seen, action, NAMES), shown or ""


PLAYING_STATE = make_state(
    "SP7 IN5 4 | PA6 SY7 SC8 2",
    "SC7 6 | TR8 3",
    "AP7 AP8 9",
    hands=("SP9 FF7 HYD VES",),
    scores=(3,),
    water=(10, 9, 0, 20),
    gene_pool=("TUS", "KRA ZOO"),
)
AFTER_CAMBRIAN = make_state(
    "SP7 IN5 4 | PA6 SY7 SC8 2",
    "SC7 6 | TR8 3",
    hands=("SP9 FF7 HYD VES",),
    scores=(3,),
    water=(10, 9, 5, 20),
    cambrian=True,
    plays=2,
)
FEEDING_STATE = feeding_state(
    "SP7 IN5 4 | FF6 2 | AP5 10",
    "SC7 6 | TR8 3 | GEN 4",
    "AP7 AP8 9 | GOE 4 | BF5 WC6 2 | HAR 3",
    water=(10, 9, 4, 20),
)
DRAWING_STATE = drawing_state("SP7 4", "", hands=("SP8 HYD SC8",), gene_pool=("TUS", "KRA ZOO"))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("evolve SP9 A9", "There is no such species: name one by its letter and number, such as A2."),
        ("evolve sp9 A1", "Write cards with capitals: SP9."),
        ("evolve SP9 a1", "Write species with a capital: A1."),
        ("evolve SP9 B1", "B1 is Ben's: name one of your own species (A1, A2)."),
        ("evolve FF7 A2", "A2 has no free trait slot (3 of 3). Speed 9 would fit, bringing a slot along."),
        (
            "evolve TUS A1 reef",
            "Tusks lies in the Gene Pool: you can take it at the end of your turn.",
        ),
        ("evolve @x A1", "There is no such card: write its code, such as SP7 or HYD."),
        (
            "evolve SP7 A1",
            "Speed 7 is not in your hand. You hold Filter Feeder 7, Speed 9, Hydra and Vestigial Limb.",
        ),
        (
            "create HYD 0 reef",
            (
                "Hydra is a Deep card. You can play it after the Cambrian Explosion, when zone 1 has been "
                "empty. Now play a Surface card."
            ),
        ),
        ("create SP9 7", "The place is how many of your species stand to its left: 0 to 2."),
        ("create SP9 0 reef", "Speed 9 costs nothing here: name no zone for it."),
        ("migrate SP9 z2 reef", "Zone 2 is empty: migrate from the Reef, zone 1 or zone 3."),
        (
            "migrate SP9 z1 z1",
            "Population migrates from one zone to another one: name two different zones.",
        ),
        (
            "cast SP9",
            (
                "You can discard a card for nothing only when every zone is empty. Migrate from the Reef, "
                "zone 1 or zone 3."
            ),
        ),
        ("drop A1 HYD", "A1 has no Hydra. It has Speed 7 and Inking 5."),
        ("done", "You still have one card to play: evolve a species or migrate."),
        (
            "forage A1 reef",
            "Not now: you are asked to play one card.",
        ),
        (
            "mutate A1 SP7 1",
            "A1 cannot exchange a trait now: that takes Rapid Mutation and an attack on it.",
        ),
        ("overflow reef", "Your overflow already goes to the Reef."),
        ("metabolism yes", "None of your species has Fast Metabolism."),
    ],
)
def test_refused_cards(text: str, reason: str) -> None:
    """In the card phase a refusal names the hindrance and what would do."""
    assert refusal_text(PLAYING_STATE, text) == reason


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (
            "evolve HYD A1 z1",
            "Hydra costs 4 and your score pile holds 3: migrate with it, or play another card.",
        ),
        ("evolve VES A1 z1", "Vestigial Limb goes on a species of another player, never on your own."),
        ("create VES 0 z1", "Vestigial Limb never starts a species: put it on one that is in play."),
        (
            "evolve VES B1",
            "Vestigial Limb costs 1. Say which zone gets it: reef, z1, z2 or z3.",
        ),
    ],
)
def test_refused_deep_cards(text: str, reason: str) -> None:
    """A Deep card that cannot be paid for or does not belong there is refused with what to do."""
    assert refusal_text(AFTER_CAMBRIAN, text) == reason


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (
            "attack A1 B1",
            (
                "A1 cannot attack B1: Schooling protects it while it holds 5 or more (it holds 6). "
                "Choose another target."
            ),
        ),
        (
            "attack A1 B2",
            (
                "A1 cannot attack B2: Transparent protects it while the Reef holds any population. "
                "Choose another target."
            ),
        ),
        (
            "attack A1 B3",
            "A1 cannot attack B3: Gentle Giant protects it always. Choose another target.",
        ),
        (
            "attack A1 C2",
            (
                "A1 cannot attack C2: Goethite Exoskeleton lets only Attack 9 or more through, and A1 has 2. "
                "Choose another target."
            ),
        ),
        (
            "attack A1 C4",
            (
                "A1 would take nothing from C4. Attack 2 takes at most 2 of 3 population, and Defence 6 "
                "saves them."
            ),
        ),
        ("attack A2 C3", "A2 never attacks (Filter Feeder). Let it forage, or feed another one."),
        ("attack A1 A1", "A species cannot attack itself: name another target than A1."),
        ("attack A3 C3", "A3 has no free space (10 of 10): feed another one."),
        ("attack A1 C3 WC6", "Name nothing that is ignored: `attack A1 C3`."),
        ("forage A1 z1", "A1 can forage in the Reef only."),
        ("forage A1 reef 1", "A1 takes all it can, 2 here: leave the number out."),
        ("forage C1 reef", "C1 is Chloé's: name one of your own species (A1, A2, A3)."),
        (
            "drop A1 SP7",
            "You can only remove traits in the card phase. Now feed a species, or pass with `skip`.",
        ),
    ],
)
def test_refused_feedings(text: str, reason: str) -> None:
    """A forage or attack that is not allowed is refused by the trait or number in its way."""
    assert refusal_text(FEEDING_STATE, text) == reason


def test_refused_second_feedings() -> None:
    """Once a species has fed, refusals for others say so; one with extra forages cannot attack."""
    state = act(feeding_state("FKR 3 | SP7 2", "AP7 8", water=(20, 9, 9, 9)), "forage A1 reef")
    assert refusal_text(state, "forage A2 reef") == "A1 is the species that feeds this turn: A2 cannot."
    voracious = feeding_state("TE6 AP5 9", "SP7 9", "SP8 4", water=(20, 9, 9, 9))
    fed = play(act(voracious, "attack A1 C1"), "spill reef")
    assert fed.position.to_act == 0
    assert "draw" in legal_texts(fed), "a feeder that overpopulated is done"


def test_refused_ignoring() -> None:
    """Where an attack needs a choice of what to ignore, the refusal shows how it is written."""
    state = feeding_state("ELE 6", "GEN 4", water=(9, 9, 9, 9))
    assert refusal_text(state, "attack A1 B1") == "Name what is ignored: `attack A1 B1 GEN`."


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("take 3", "The Gene Pool has pile 1 and pile 2: name one of them."),
        ("discard HYD", "Hydra is a Deep card. You can only discard Surface cards."),
        (
            "keep HYD TUS ZOO",
            "Not now: you are asked to take a Deep card, discard or end the turn.",
        ),
    ],
)
def test_refused_drawing(text: str, reason: str) -> None:
    """In the drawing phase a refusal says what there is to take or throw away."""
    assert refusal_text(DRAWING_STATE, text) == reason


def test_refused_second_deep_card() -> None:
    """A Deep card comes before discards and only once."""
    assert refusal_text(act(DRAWING_STATE, "discard SP8"), "look") == (
        "You can take one Deep card a turn, before you discard. End your turn with `draw`."
    )


def test_refused_to_others() -> None:
    """The refusal to another seat says who is to act, and after the end that the game is over."""
    action = NOTATION.parse("skip")
    assert WORDS.refusal(view(FEEDING_STATE, Seat(1)), action, NAMES) == (
        "It is not your turn. Wait for Ava."
    )


def test_refused_answers() -> None:
    """A wrong answer is refused with the right ones; going on is, where an answer is due."""
    state = make_state(
        "PAR 3",
        "SP7 4 | SP8 5",
        step=Choosing(
            Reason.LEECH,
            (SpeciesBoard("B1"), SpeciesBoard("B2")),
            TraitCause(Card("PAR")),
            "A1",
        ),
    )
    assert refusal_text(state, "choose C1") == "Choose one of these: B1 or B2."
    assert refusal_text(state, "done") == "You have to choose: B1 or B2."


def test_labels() -> None:
    """Choices are said in words: names instead of codes, counts instead of rules."""
    texts = {text: action_texts(AFTER_CAMBRIAN, text)[0] for text in legal_texts(AFTER_CAMBRIAN)}
    assert texts["evolve SP9 A1"] == "Speed 9 on A1 (Speed, Inking)"
    assert texts["evolve VES B1 z2"] == "Vestigial Limb on B1 (Schooling), 1 to zone 2"
    assert texts["create SP9 0"] == "New species left of A1: Speed 9"
    assert texts["create FF7 1"] == "New species between A1 and A2: Filter Feeder 7"
    assert texts["migrate SP9 z2 reef"] == "Move all 5 from zone 2 to the Reef (Speed 9)"
    assert texts["migrate HYD z3 z1"] == "Move 4 from zone 3 to zone 1 (Hydra)"
    assert texts["drop A1 IN5"] == "Remove Inking 5 from A1"
    assert action_texts(FEEDING_STATE, "attack A1 C3")[0] == "A1 attacks C3: takes 2"
    assert action_texts(FEEDING_STATE, "forage A2 reef")[0] == "A2 forages in the Reef: takes 5"
    assert action_texts(FEEDING_STATE, "skip")[0] == "Feed no species"
    assert action_texts(DRAWING_STATE, "take 1")[0] == "Take Tusks, cost 1 (pile 1)"


def test_label_of_three_long_names() -> None:
    """Keeping one of the three longest names still fits a button."""
    state = drawing_state("SP7 4", "")
    asked = replace(
        state, position=replace(state.position, agenda=(Keeping(3),)), looking=parse_cards("IMS IMW MIG")
    )
    seen = view(asked, Seat(0))
    labels = {WORDS.label(seen, action, NAMES) for action in OCEANS.legal_actions(seen)}
    assert len(labels) == 6
    assert all(len(label) <= 80 for label in labels)


def test_path_labels_of_kept_cards() -> None:
    """The buttons name the card kept and the one for pile 1; the question says where the third goes."""
    state = drawing_state("SP7 4", "")
    asked = replace(
        state, position=replace(state.position, agenda=(Keeping(3),)), looking=parse_cards("COP LEV ZOO")
    )
    seen = view(asked, Seat(0))
    path = WORDS.path
    assert path is not None
    steps = [path(seen, action, NAMES)[-1] for action in OCEANS.legal_actions(seen)]
    assert steps[0].label == "Keep Coprophagia, Leviathan on pile 1"
    assert steps[0].question == "The third card goes on pile 2. Which one do you keep?"
    assert len({step.label for step in steps}) == 6


def test_discards_stand_back_behind_the_end_of_the_turn() -> None:
    """They are rarely wanted; ending the turn is what most people look for."""
    seen, path = view(DRAWING_STATE, Seat(0)), WORDS.path
    assert path is not None
    rare = {each: path(seen, each, NAMES)[0].collapsed for each in OCEANS.legal_actions(seen)}
    assert {type(each).__name__ for each, collapsed in rare.items() if collapsed} == {"Discard"}
    assert rare[NOTATION.parse("draw")] is False


def test_feeding_warns_of_species_that_would_die_out() -> None:
    """The question names them, for any number of choices; with none it is the plain question."""

    def question(own: str) -> str:
        seen, path = view(feeding_state(own, "AP7 4", cambrian=True), Seat(0)), WORDS.path
        assert path is not None
        return path(seen, NOTATION.parse("skip"), NAMES)[0].question

    assert question("SP7 4 | SP8 2") == "Which species feeds?"
    assert question("SP7 4 | SP8 1") == "A2 dies out at Aging unless it gets 1 more. Which species feeds?"
    assert question("SP7 0 | SP8 1 | IN5 3").startswith("A1 and A2 die out at Aging unless they get more. ")


def test_a_species_that_takes_is_not_said_to_die_out() -> None:
    """How much Coprophagia takes is open until the score pile has given it."""
    state = play(make_state("COP 0", "AP7 4", plays=0, scores=(0, 5)), "done")
    assert "dies out" not in action_texts(state, "choose B")[2]


def test_feeding_nothing_stands_below_the_species() -> None:
    """Its button is in a row of its own behind theirs."""
    seen, path = view(FEEDING_STATE, Seat(0)), WORDS.path
    assert path is not None
    feed, skip = (path(seen, NOTATION.parse(text), NAMES)[0] for text in ("forage A2 reef", "skip"))
    assert feed.row != skip.row
    assert feed.order < skip.order


def test_path_of_the_only_trait() -> None:
    """Removing the only trait is one step with a whole sentence; of several, the trait is asked."""
    one = make_state("SP7 4", "AP7 4", plays=1, hands=("SP9",))
    many = make_state("SP7 IN5 4", "AP7 4", plays=1, hands=("SP9",))
    action, path = NOTATION.parse("drop A1 SP7"), WORDS.path
    assert path is not None
    assert [step.label for step in path(view(one, Seat(0)), action, NAMES)] == ["Remove Speed 7 from A1"]
    assert len(path(view(many, Seat(0)), action, NAMES)) == 3


def test_preview_of_a_feeding() -> None:
    """A feeding shows what it sets off, who overpopulates, how full boards are and what is asked next."""
    assert action_texts(FEEDING_STATE, "forage A2 reef")[1:] == (
        "A2 +5, C3 +3, A3 overpopulates",
        (
            "C3 gains 3 (Whale Cleaner).\n"
            "A3 overpopulates.\n"
            "Afterwards: A2 7 of 10, C3 5 of 10.\n"
            "Next you are asked to choose a zone for A3's overflow of 5."
        ),
    )


def test_preview_of_danger() -> None:
    """A preview names own species that are short for Aging, and those that die out."""
    state = feeding_state("TE7 2 | SP7 0", "AP7 8", water=(20, 9, 9, 9))
    assert "A2 dies out at Aging unless it gets 1 more." in action_texts(state, "forage A1 reef")[2]
    assert action_texts(state, "skip")[1:] == ("A2 dies out", "Aging: Ava scores 1. A2 dies out.")


def test_preview_of_evolving() -> None:
    """Evolving shows the text, the cost, values before and after, and what is left to play."""
    assert action_texts(AFTER_CAMBRIAN, "evolve SP9 A2")[1] == (
        "Forage 1 → 2, Attack 1 → 2, Defence 0 → 2, traits 3 of 3 → 4 of 4"
    )
    shown = action_texts(AFTER_CAMBRIAN, "evolve VES B2 z1")[2].split("\n")
    assert "It costs 1: your score pile goes from 3 to 2." in shown
    assert "B2: traits 1 of 3 → 2 of 3." in shown
    assert "Then you have two cards left to play." in shown
    assert "A3 has A1 on its left and A2 on its right." in action_texts(AFTER_CAMBRIAN, "create FF7 1")[2]


def test_preview_of_a_migration() -> None:
    """A migration shows the zones after it and what emptying or filling one sets off."""
    state = make_state("SP7 4", "AP7 4", hands=("SP9",), water=(10, 9, 0, 20), scenarios=("ABU", "FER"))
    preview = action_texts(state, "migrate SP9 z1 reef")[2]
    assert "the Cambrian Explosion!" in preview
    assert "Abundance begins:" in preview
    assert "The Reef: 10 → 19, zone 1: 9 → 0." in preview
    assert action_texts(state, "migrate SP9 z3 z2")[1] == "Fertile ends, zone 2: 0 → 9, zone 3: 20 → 11"


def test_preview_of_the_end() -> None:
    """Emptying the Ocean is seen to begin the last round."""
    state = make_state("SP7 4", "AP7 4", hands=("SP9",), water=(10, 0, 0, 9), cambrian=True)
    assert "This round is the last" in action_texts(state, "migrate SP9 z3 reef")[2]
    assert "the last round begins" in action_texts(state, "migrate SP9 z3 reef")[1]


def test_preview_shows_cards() -> None:
    """Taking a card shows what it does; drawing, which chance decides, shows nothing."""
    assert "It never forages, never attacks" in action_texts(DRAWING_STATE, "take 2")[2]
    assert action_texts(DRAWING_STATE, "draw")[1:] == ("", "")
    assert "keep one" in action_texts(DRAWING_STATE, "look")[2]


@pytest.mark.parametrize(
    ("state", "text", "name"),
    [
        (DRAWING_STATE, "draw", "End turn"),
        (make_state("SP7 IN5 FF7 HYD 4", "SC7 6", plays=0), "done", "Go on to feeding"),
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
    assert action_texts(state, "done")[1:] == ("A1 +2, B1 -2", "A1 leeches 2 from B1 (Parasitic).")
    bare = act(make_state("PA6 1", "AP7 0", hands=("SP9",)), "evolve SP9 A1")
    assert action_texts(bare, "done")[1:] == ("", "")


def test_preview_is_what_happens() -> None:
    """What a preview says a species holds afterwards is what it holds then."""
    for text in ("forage A1 reef", "attack A1 C3", "attack A1 A2"):
        after = act(FEEDING_STATE, text).position
        afterwards = action_texts(FEEDING_STATE, text)[2].split("Afterwards: ")[1].split(".")[0]
        held = {each.key: each.population for row in after.rows for each in row}
        for part in afterwards.split(", "):
            key, population, *_ = part.split()
            assert held[key] == int(population), part
