"""What people read: refusals that say what to do, previews, narration, the board as text, help."""

import random

import pytest

from rules.currents import CURRENTS
from rules.currents.actions import PlayCurrent
from rules.currents.help import OPTION_HINTS
from rules.currents.model import BoardShape, CurrentsOptions, CurrentsView, Obstacles, WildJokers
from rules.model import CHANCE, Action, Seat
from rules.random_stream import RandomStream
from tests.rules.currents.positions import (
    COMBO_OPTIONS,
    DEFENCE_STATE,
    MIDGAME_STATE,
    NAMES,
    NOTATION,
    act,
    actor_view,
    make_state,
    refusal_text,
)
from tests.trials import trial_count

WORDS = CURRENTS.words
LONG_NAMES = tuple(letter * 48 for letter in "WXYZ")
GAP_STATE = make_state(compass="AH - AC AS", currents="N0 9H", hands=("2C 10D JH QS", "3H"))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("discard 5C", "5♣ is not in your hand. You hold 2♣, 10♦, J♥ and Q♠."),
        ("discard 5c", "5♣ is not in your hand. You hold 2♣, 10♦, J♥ and Q♠."),
        ("compass 10♦ north", "Write it like this: `compass 10D N`."),
        ("queen QS n1 N0", "Write it like this: `queen QS N0 N1`."),
        ("current 2c n0", "2♣ cannot replace 9♥ on N0: it takes a higher rank, or a card of ♥."),
        ("discard ZZ", "There is no such card: write rank and suit, such as 10H or QS."),
        ("compass 2C X", "There is no such compass place: name N, E, S or W."),
        ("current 2C N9", "There is no such slot: the slots are N0 to W3, four on each side."),
        ("current 2C N0", "2♣ cannot replace 9♥ on N0: it takes a higher rank, or a card of ♥."),
        ("current QS N1", "N1 holds A♦: only a card of ♦ can replace an ace as a current."),
        (
            "current 10D N2 2C",
            "Two cards in one turn need the option combo, which is off here. Play one card.",
        ),
        ("jack QS N", "Q♠ is not a Jack: this action needs one."),
        ("king JH cw", "J♥ is not a King: this action needs one."),
        ("joker JH", "J♥ is not a Joker: this action needs one."),
        ("queen QS S0 S1", "S0 and S1 are both empty: a Queen needs at least one current to move."),
        ("queen QS N0 N0", "A Queen swaps two different slots: name another one."),
        ("ace AS N", "It is your turn to play: lay a card, call an action or discard."),
        ("concede", "It is your turn to play: lay a card, call an action or discard."),
    ],
)
def test_refused_plays(text: str, reason: str) -> None:
    """Each refusal says what is wrong and what to do."""
    assert refusal_text(MIDGAME_STATE, text) == reason


def test_suggested_slots_say_whether_they_reach_the_pawn() -> None:
    """Beside its card and push a slot says whether it reaches the pawn, as the picture shows in blue."""
    view = actor_view(make_state(currents="N0 9H, N1 3D", pawn=(4, 1), hands=("2C", "3H")))
    for slot, label in {
        "N0": "N0: 9♥, pushes north, out of reach",
        "N1": "N1: 3♦, pushes east, reaches the pawn",
        "N2": "N2: empty, reaches the pawn",
        "W0": "W0: empty, reaches the pawn",
        "W1": "W1: empty, out of reach",
    }.items():
        assert WORDS.value_label(view, PlayCurrent, "slot", slot) == label


def test_refused_on_the_compass() -> None:
    """Ranks that are not low enough, a discard with a gap, a Jack on an empty place; only possible plays."""
    assert refusal_text(GAP_STATE, "concede") == "It is your turn to play: lay a card or call an action."
    without_actions = make_state(compass="2D 3D 4S -", hands=("9C 2C",))
    assert refusal_text(without_actions, "concede") == "It is your turn to play: lay a card."
    only_jokers = make_state(hands=("RJ BJ",), options=CurrentsOptions(jokers=True))
    assert refusal_text(only_jokers, "concede") == "It is your turn to play: call an action or discard."
    state = make_state(compass="2D 3D 4S -", hands=("9C JH",))
    assert refusal_text(state, "compass 9C E") == (
        "9♣ cannot replace 3♦ on east: it takes a lower rank, or a card of ♦."
    )
    assert refusal_text(state, "compass 9C N") == (
        "North holds 2♦: only a card of ♦ can replace a two on the compass."
    )
    assert refusal_text(state, "discard 9C") == (
        "You can only discard when no compass place is empty: West is empty."
    )
    assert refusal_text(state, "jack JH W") == "West is empty: a Jack needs a compass card to remove."
    with_two_gaps = make_state(compass="2D - 4S -", hands=("9C JH",))
    assert refusal_text(with_two_gaps, "discard 9C").endswith(": East and west are empty.")


def test_refused_combos() -> None:
    """No demotion, the same suit, not strictly stronger, a joker, a card not held."""
    state = make_state(currents="N0 9H", hands=("4H 4C 8C RJ",), options=COMBO_OPTIONS)
    assert "starts with a demotion" in refusal_text(state, "current 8C N0 4H")
    assert "starts with a demotion" in refusal_text(state, "current 4H N1 8C")
    assert refusal_text(state, "current 4H N0 4C") == (
        "4♣ cannot follow 4♥: the second card needs another suit and a higher rank."
    )
    assert "Joker cannot follow" in refusal_text(state, "current 4H N0 RJ")
    assert "not in your hand" in refusal_text(state, "current 4H N0 KS")
    assert "cannot be laid" in refusal_text(state, "current RJ N0")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("defend 2C", "Stopping the pawn at the north edge takes exactly two ♣ cards: you named 1."),
        ("defend 2C,9D", "9♦ cannot stop the pawn here: it takes exactly two ♣ cards."),
        ("defend 2C,2C", "Name each card once: stopping the pawn takes exactly two ♣ cards."),
        ("defend 4C,5C", "4♣ is not in your hand. You hold 2♣, 3♣ and 9♦."),
        (
            "discard 2C",
            (
                "The pawn is about to leave over the north edge. "
                "Stop it with two ♣ cards, or let it pass and Ava wins."
            ),
        ),
    ],
)
def test_refused_defences(text: str, reason: str) -> None:
    """A defence says how many cards of which suit."""
    assert refusal_text(DEFENCE_STATE, text) == reason


def test_a_defence_without_fitting_cards() -> None:
    """A player with too few fitting cards is advised to let the pawn pass."""
    state = act(make_state(currents="N1 5H", pawn=(4, 0), hands=("7S 8S", "", "2D 3D", "")), "discard 7S")
    assert refusal_text(state, "defend 2D") == (
        "Stopping the pawn at the north edge takes exactly one ♣ card. You hold none: let it pass."
    )
    assert refusal_text(state, "discard 2D") == (
        "The pawn is about to leave over the north edge. "
        "Your cards cannot stop it: let it pass, and Ava wins."
    )


def test_refused_aces_and_goals() -> None:
    """Set-up: an ace that is gone, a place that is taken, another kind of action."""
    state = act(
        CURRENTS.initial_state(4, CurrentsOptions()),
        "deal A 2C,3C,4C",
        "deal B 5C,6C,7C",
        "deal C 8C,9C,10C",
        "deal D JC,QC,KC",
        "begin A",
        "ace AC N",
    )
    assert refusal_text(state, "ace AC E") == "Choose one of the aces that are left: A♦, A♥ and A♠."
    assert refusal_text(state, "ace AD N") == "North already has its ace. Free: east, south and west."
    assert "still being set" in refusal_text(state, "discard 8C")
    two_seat_state = act(
        CURRENTS.initial_state(2, CurrentsOptions()), "deal A 2C,3C,4C", "deal B 5C,6C,7C", "begin A"
    )
    assert (
        refusal_text(two_seat_state, "ace AC N")
        == "First choose your goals: north and south, or east and west."
    )


@pytest.mark.parametrize("hostile_text", ["@everyone", "<@123>", "**", "a" * 24, "\u202egnp", "`"])
def test_refusals_never_repeat_unknown_text(hostile_text: str) -> None:
    """What names no card, place or slot is not shown again."""
    for state in (MIDGAME_STATE, GAP_STATE, DEFENCE_STATE):
        for verb in (
            "discard {0}",
            "compass {0} N",
            "compass 2C {0}",
            "current 2C {0}",
            "queen QS {0} N0",
            "defend {0}",
            "jack JH {0}",
            "current 2C N0 {0}",
            "ace {0} N",
            "joker {0}",
        ):
            assert hostile_text not in refusal_text(state, verb.format(hostile_text)).replace(
                "`defend", ""
            ).replace("`queen", "")


# Every text of whole games --------------------------------------------------------------------------

_SETUPS = [
    (2, CurrentsOptions()),
    (3, CurrentsOptions(board=BoardShape.TRIANGLE, jokers=True, combo=True)),
    (4, CurrentsOptions(obstacles=Obstacles.RIPTIDES)),
    (4, CurrentsOptions(jokers=True, combo=True, wild_jokers=WildJokers.SPLIT, obstacles=Obstacles.ROCKS)),
]


def check_texts(view: CurrentsView, legal_actions: tuple[Action, ...], rng: random.Random) -> None:
    """Check all that is shown of one view."""
    assert len(WORDS.alt_text(view, LONG_NAMES)) <= 1024
    assert WORDS.alt_text(view, NAMES) == WORDS.alt_text(CurrentsView(view.position, None, ()), NAMES)
    assert "\n" not in WORDS.status(view, NAMES)
    assert WORDS.status(view, NAMES) in WORDS.describe(view, NAMES)
    assert bool(WORDS.hand_text(view, NAMES)) is bool(view.hand)
    labels = [WORDS.label(view, action, NAMES) for action in legal_actions]
    assert len(set(labels)) == len(labels), "no two choices read alike"
    assert all(0 < len(label) <= 80 for label in labels)
    for action in rng.sample(legal_actions, min(len(legal_actions), 6)):
        preview = WORDS.preview(view, action, LONG_NAMES)
        assert preview is None or 0 < len(preview) <= 900
        for field in action.__struct_fields__:
            text = WORDS.value_label(view, type(action), field, getattr(action, field))
            assert 0 < len(text) <= 80


@pytest.mark.parametrize(("seat_count", "options"), _SETUPS)
def test_every_text_of_random_games_fits(seat_count: int, options: CurrentsOptions) -> None:
    """Labels, parts, previews, status, alt text and narration of whole games keep their limits."""
    for seed in range(trial_count(2, soak=6)):
        rng = random.Random(seed)
        state = CURRENTS.initial_state(seat_count, options)
        outcome_count = 0
        while (seat := state.position.to_act) is not None:
            if seat == CHANCE:
                action = CURRENTS.sample_chance(state, RandomStream(bytes([seed]) * 32, outcome_count))
                outcome_count += 1
                check_texts(CURRENTS.view(state, None), (), rng)
            else:
                view = actor_view(state)
                legal_actions = CURRENTS.legal_actions(view)
                check_texts(view, legal_actions, rng)
                action = rng.choice(legal_actions)
            after = CURRENTS.apply_action(state, action)
            for viewer in (None, *(Seat(i) for i in range(seat_count))):
                narration = WORDS.narrate(
                    CURRENTS.view(state, viewer),
                    seat,
                    action.seen_by(viewer, seat),
                    CURRENTS.view(after, viewer),
                    NAMES,
                ).text
                assert len(narration) <= 600
                assert narration or seat == CHANCE, "every choice of a player is narrated"
            state = after
        check_texts(CURRENTS.view(state, None), (), rng)


# Narration, status, the board as text and help --------------------------------------------------------

PAWN_STAYS_TEXT = "The pawn stays at 4 north of the centre."
PAWN_LEAVES_TEXT = "The pawn leaves the board over the north edge. Ava wins!"
THREAT_TEXT = (
    "Ava discards 7♠. The pawn is about to leave over the north edge, Ava's goal. "
    "Chloé holds two cards and may stop it with one ♣ card."
)


def test_a_play_a_drift_a_defence_and_a_victory_are_narrated() -> None:
    """A play, its drift, a defence and a victory in sentences."""
    state = make_state(currents="N1 5H", pawn=(4, 1), hands=("7S 8S", "", "2C 3C", ""))
    cases = [
        (
            state,
            "current 8S S3",
            "Ava lays 8♠ on slot S3. The pawn drifts 1 north, to 4 north of the centre.",
        ),
        (
            make_state(currents="N1 5H", pawn=(4, 0), hands=("7S 8S", "", "2C 3C", "")),
            "discard 7S",
            THREAT_TEXT,
        ),
        (
            DEFENCE_STATE,
            "defend 2C,3C",
            f"Chloé stops the pawn at the north edge with 2♣ and 3♣. {PAWN_STAYS_TEXT}",
        ),
        (DEFENCE_STATE, "concede", f"Chloé does not stop the pawn. {PAWN_LEAVES_TEXT}"),
        (
            make_state(hands=("JH 8S",)),
            "jack JH W",
            "Ava calls J♥: A♠ is removed from the west of the compass. The pawn stays at the centre.",
        ),
    ]
    for before, text, expected in cases:
        action = NOTATION.parse(text)
        actor = before.position.to_act
        assert actor is not None
        views = (CURRENTS.view(each, None) for each in (before, act(before, text)))
        assert WORDS.narrate(next(views), actor, action, next(views), NAMES).text == expected


def test_a_draw_names_cards_only_to_their_holder() -> None:
    """The narration names the drawn card to its holder; to others only the number of several cards."""
    before = act(make_state(hands=("5C", "2C 3C 4C", "", ""), draw_pile="6D 7D"), "discard 5C")
    after = act(before, "deal B 6D")
    deal = NOTATION.parse("deal B 6D")
    narrations = [
        WORDS.narrate(
            CURRENTS.view(before, viewer),
            CHANCE,
            deal.seen_by(viewer, CHANCE),
            CURRENTS.view(after, viewer),
            NAMES,
        ).text
        for viewer in (Seat(1), Seat(0), None)
    ]
    assert narrations == ["Ben draws 6♦.", "", ""]


def test_every_move_affects_everybody() -> None:
    """Whatever moves the one pawn or turns the compass stays in its place in the story."""
    state = make_state(currents="N1 5H", hands=("KD 8S", "9S", "", ""))
    for text in ("king KD cw", "current 8S S3"):
        views = CURRENTS.view(state, None), CURRENTS.view(act(state, text), None)
        assert WORDS.affected_seats(*views) == {Seat(seat) for seat in range(4)}


def test_a_joker_has_an_article_in_a_sentence() -> None:
    """There is one of each colour: "the red Joker", not "red Joker"; other cards have no article."""
    before = make_state(hands=("RJ 3C", "BJ 4C"), options=COMBO_OPTIONS)
    after = act(before, "discard RJ")
    views = CURRENTS.view(before, None), CURRENTS.view(after, None)
    text = WORDS.narrate(views[0], Seat(0), NOTATION.parse("discard RJ"), views[1], NAMES).text
    assert text.startswith("Ava discards the red Joker.")
    assert "Your hand: 4♣ and the black Joker." in WORDS.describe(CURRENTS.view(before, Seat(1)), NAMES)


def test_a_joker_is_not_asked_where_it_goes() -> None:
    """A joker is called or discarded and never laid, and the panel asks for that."""
    state = make_state(hands=("RJ 9S",), options=COMBO_OPTIONS)
    view, path = actor_view(state), WORDS.path
    assert path is not None
    questions = {
        text: path(view, NOTATION.parse(text), NAMES)[1].question for text in ("joker RJ", "discard 9S")
    }
    assert questions == {
        "joker RJ": "What do you do with the red Joker?",
        "discard 9S": "Where does 9♠ go?",
    }


def test_each_topic_has_a_title_and_fits_one_message() -> None:
    """Each topic has a title and fits one message; the introduction comes first."""
    assert WORDS.topics[0].key == "introduction"
    assert len({topic.key for topic in WORDS.topics}) == len(WORDS.topics) == 12
    assert all(0 < len(topic.text) <= 1800 and topic.title for topic in WORDS.topics)


def test_the_introduction_names_the_goals_for_every_number_of_players() -> None:
    """The edge opposite, two opposite edges, or the side to the left on the triangle."""
    text = WORDS.topics[0].text
    for goal in ("the edge opposite your seat", "two opposite edges", "the side to your left"):
        assert goal in text


def test_every_option_and_action_has_words() -> None:
    """A hint for each option; a verb with a hint for each field of each action type."""
    assert set(OPTION_HINTS) == set(CurrentsOptions.__struct_fields__)
    assert set(WORDS.verb_texts) == set(CURRENTS.action_types)
    for kind, texts in WORDS.verb_texts.items():
        assert set(texts.field_hints) == set(kind.__struct_fields__)
        assert all(0 < len(text) <= 100 for text in (texts.label, texts.hint, *texts.field_hints.values()))
    assert all(0 < len(hint) <= 100 for hint in OPTION_HINTS.values())


@pytest.mark.parametrize(
    ("key", "sentence"),
    [
        ("turn", "lays the first ace, then the one opposite, then the one to the left."),
        ("currents", "or by any ace with *Easy usurp*"),
        ("actions", "or what the option *Wild jokers* names"),
        ("goaltending", "If that place is empty nobody can stop the pawn."),
    ],
)
def test_rules_that_options_and_empty_places_change(key: str, sentence: str) -> None:
    """Each page holds for the options too, and says who lays the aces (R1) and when nobody defends."""
    assert sentence in next(topic.text for topic in WORDS.topics if topic.key == key)
