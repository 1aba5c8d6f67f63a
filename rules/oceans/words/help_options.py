"""The options of Oceans in words: a line for each one and its values, and their page of help."""

from typing import Final

from rules.oceans.cards.decks import DEEP_DECK, EASY_DEEP_DECK, SCENARIO_BY_CODE

DEEP_CARD_COUNT: Final = len(DEEP_DECK)
EASY_DEEP_CARD_COUNT: Final = len(EASY_DEEP_DECK)
RETAIL_SCENARIO_COUNT: Final = sum(not scenario.is_promo for scenario in SCENARIO_BY_CODE.values())

OPTION_HINTS: Final = {
    "reef": "The Reef Variant, for a first game: no Deep cards, and only the two gentle Scenario cards",
    "deep": "Which Deep cards are shuffled in; none with Reef",
    "scenarios": "Which Scenario cards may come; with Reef Abundance and Fertile",
    "quick": "About half the population: a game half as long",
    "first_player": "Who begins",
    "round_cap": "After this many rounds the game ends and is scored as it stands",
}
VALUE_HINTS: Final = {
    "deep": {
        "all": f"All {DEEP_CARD_COUNT} Deep cards",
        "easy": f"The {EASY_DEEP_CARD_COUNT} easy Deep cards: numbers and simple effects",
    },
    "scenarios": {
        "retail": f"The {RETAIL_SCENARIO_COUNT} Scenario cards of the box",
        "promo": f"All {len(SCENARIO_BY_CODE)} Scenario cards, the promotional ones too",
        "gentle": "Only the two gentle Scenario cards: Abundance and Fertile",
    },
    "first_player": {"random": "Drawn by lot", "host": "The first in the lobby, usually the host"},
}

OPTIONS_PAGE: Final = f"""\
You choose them in the lobby. Without them you play the rulebook's game.

- **reef**: the Reef Variant for a first game. It has no Deep cards. The Scenario cards are Abundance and \
Fertile. The Cambrian Explosion still brings two cards a turn and Aging 2.
- **deep**: *all* {DEEP_CARD_COUNT} Deep cards, or the {EASY_DEEP_CARD_COUNT} *easy* ones.
- **scenarios**: the *retail* cards of the box, the *promo* ones as well, or only the two *gentle* ones.
- **quick**: about half the population (13, 15, 18, 20 or 23 in each zone with 2 to 6 players) and a \
reserve of 30. This is a house option for shorter games.
- **first_player**: drawn by lot (*random*), or the first in the lobby, usually the host (*host*).
- **round_cap**: after this many rounds the game ends with the round, whatever the Ocean holds. This is a \
house rule, so that every game ends."""
