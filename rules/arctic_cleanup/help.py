"""The help of Arctic CleanUp in our own words: topics for ``/rules``, a line for each option.

"(house rule)" marks a ruling of this program: the rulebook is silent there, or its pictures are missing.
"""

from typing import Final

from rules.arctic_cleanup.components import (
    ASSUMPTIONS,
    LINES,
    MAPS,
    Hex,
    initial_columns,
    neighbours_by_face,
)
from rules.arctic_cleanup.phrases import ARROWS, CARD_NAMES, DIRECTION_NAMES, steps_text
from rules.text import counted, listed
from rules.words import Topic

OPTION_HINTS: Final = {"turn_order": "In which order the players take turns"}
VALUE_HINTS: Final = {"turn_order": {"random": "Drawn by lot", "seats": "In the order of the lobby"}}


def _line_lengths_text() -> str:
    """Return how many slots the lines have: those of each length together."""
    texts = []
    for slots in sorted({facts.slot_count for facts in LINES.values()}):
        names = [line.value for line, facts in LINES.items() if facts.slot_count == slots]
        texts.append(f"{listed(names)} have {counted(slots, 'slot')}")
    return f"{', '.join(texts)}."


def _initial_columns_text() -> str:
    """Return how each player's cards lie in the columns at the start: one line for each order."""
    players_by_cards: dict[tuple[str, ...], list[str]] = {}
    for seat_count in range(2, 5):
        for turn_index in range(seat_count):
            cards = tuple(CARD_NAMES[card] for card in initial_columns(seat_count, turn_index))
            players_by_cards.setdefault(cards, []).append(f"{turn_index + 1} of {seat_count}")
    return "\n".join(
        f"- {', '.join(cards)}: player {listed(players)}" for cards, players in players_by_cards.items()
    )


_LINE_LENGTHS: Final = _line_lengths_text()
_INITIAL_COLUMNS: Final = _initial_columns_text()

_INTRODUCTION_PAGE: Final = """\
You run an organization that cleans the Arctic Ocean. Your two ships load plastic from the ocean tiles. \
Your factory processes it.

- On your turn you play **one card**: Plan, Move, Load, Analyze or Unload. Its **column** is its strength: \
how often it works.
- The card you played goes back to column 1, and the cards below it move up. So a card grows stronger \
while it waits.
- Processed tokens bring 2 or 3 points, tokens aboard your ships 1. Full **blocks** bring dice and more \
points, full **lines** double a card.
- The game ends after an Unload that leaves **16 tokens** or more in a factory, or some rounds after the \
ocean is clean.

The most points win."""

_CARDS_PAGE: Final = """\
Your five action cards lie in columns 1 to 5. You play one of them with the strength of its column, or with \
less. Then the cards of lower columns move up by one, and your card goes to column 1.

- **Plan**: change dice of your rows. Each change turns a die, moves it to the other row, or brings in a \
die from beside your board.
- **Move**: spend dice of a ship's row. Each die is one step.
- **Load**: take tokens from your ships' tiles on board. A ship carries 4.
- **Analyze**: draw tokens from the bag and put them on your ships' tiles. With an empty bag it does nothing.
- **Unload**: process tokens of a ship that touches your factory.

One card may use both ships, its strength divided as you like. An upgraded card has double strength. You may \
stop at any time. To pass, play a card without any effect."""

_DIRECTIONS_TEXT: Final = ", ".join(f"{face} {name} {ARROWS[face]}" for face, name in DIRECTION_NAMES.items())
_DICE_PAGE: Final = f"""\
Row 1 belongs to ship 1, row 2 to ship 2. You start with three dice and two dice, all on 1.

A die's number is a direction, as on the compass of the pictures: {_DIRECTIONS_TEXT}. \
Moves may be typed with number, arrow or words. Buttons have the arrow, most texts number and arrow. \
The page *The map* says where each leads.

- **Move** spends dice. They go beside your board.
- **Plan** brings these dice back, with any number. A button names the tile where the route of that ship \
then ends. *Or B2*: its route does without this die, but another one with it ends there. The picture shows \
in which order the dice are spent. *No step*: the die leads nowhere.
- A step that leads off the ocean, onto ice or onto a factory is not possible. Ships block nobody: two or \
more can be on one tile.

You gain up to five more dice by filling blocks of your factory. You cannot use them before (house rule)."""


def _sites_and_ice_text(seat_count: int) -> str:
    """Return the factory sites and the pack ice for a number of players."""
    sites, ice, _ = MAPS[seat_count]
    ice_text = f"pack ice on {listed(sorted(place.value for place in ice))}" if ice else "no pack ice"
    return f"- {seat_count} players: factory sites {listed(sorted(site.value for site in sites))}, {ice_text}"


def _neighbours_text(place: Hex) -> str:
    """Return the neighbours of a hex by direction: "- B1: 2 ↗ C1, 3 ↘ C2"."""
    return f"- {place.value}: {steps_text(neighbours_by_face(place))}"


_MAP_PAGE: Final = "\n".join(
    (
        "The map has 19 hexes in columns A to E, from the left. Each column is numbered from the top.",
        "A and E have three hexes, B and D four, C five.",
        "",
        *(_sites_and_ice_text(seat_count) for seat_count in MAPS),
        "",
        "All other hexes are ocean tiles.",
        "",
        "The neighbours of each hex: every adjacent hex, with face and arrow of the die that leads there.",
        "",
        *map(_neighbours_text, Hex),
    )
)

_LOADING_PAGE: Final = """\
A ship takes tokens from its own tile only. It carries 4 tokens: then it is full. You cannot throw tokens \
away, nor move them to your other ship: they leave a ship only into your factory.

You cannot fill both ships with tokens that no line of yours takes. One space stays free, so that you are \
never stuck.

Tokens still aboard at the end bring 1 point each."""

_FACTORY_PAGE: Final = f"""\
A ship on a tile that touches your factory is at a **dock** and can unload. You choose a line for each token.

- A line holds one kind of plastic, so you cannot mix them. It fills from the left. Processed tokens stay \
there. Several lines may hold the same kind.
- {_LINE_LENGTHS}
- Tokens of 2 points go on plain lines (R1 to R6), tokens of 3 points (PP and PS) on **hatched** lines \
(H1, H2).
- The hatched lines open when R5 and R6 hold two tokens each.

**Blocks** bring a die and 5 points each: the first two slots of R3 and R4, of R1 and R2, of H1 and H2, \
the last two of R4 and R5, of R2 and R3.

**Full lines of four** upgrade a card to double strength: H2 Analyze, R2 Plan, R3 Move, R4 Load, R5 Unload."""

_SETUP_PAGE: Final = f"""\
The turn order, and so who goes first, is drawn by lot or that of the lobby (option *turn_order*). Three \
random tokens lie on each ocean tile, the others are in the bag. The last player builds a factory first, the \
first player last. Then everybody puts two ships on docks: tiles that touch their factory.

The cards in columns 1 to 5 depend on the turn order, so that going first is no advantage:

{_INITIAL_COLUMNS}"""

_END_PAGE: Final = """\
The game ends

- at once after an Unload that leaves **16 tokens** or more in a factory,
- three rounds after the round in which ocean and bag became empty (house rule),
- after six rounds in a row in which no token was loaded, unloaded or drawn (house rule),
- after round 80 (house rule).

Points: 2 or 3 for each processed token, 5 for each die gained, 1 for each token aboard. In a tie \
the players share the rank."""

_RULINGS_PAGE: Final = """\
Where the rulebook is silent we play (house rules):

- A round is one turn of everybody.
- Ships share tiles, and everybody may load from every tile.
- Analyze: you say how many tokens you draw, then you see them, then you place them.
- You may begin a second line of a plastic before the first one is full.
- What a block or line brings counts at once, but the strength of a card that is being played does not change.
- A player who resigns is ranked last. Their ships leave the map, the cargo returns to the bag, and the \
factory stays. The last player left wins."""

_ASSUMPTIONS_PAGE: Final = (
    "We know the board by its rules only. These numbers are our assumptions:\n\n"
    + "\n".join(f"- {text}" for text in ASSUMPTIONS)
)

TOPICS: Final = (
    Topic("introduction", "The game in short", _INTRODUCTION_PAGE),
    Topic("cards", "Your turn: cards and strength", _CARDS_PAGE),
    Topic("dice", "Dice and steps", _DICE_PAGE),
    Topic("map", "The map: hexes and directions", _MAP_PAGE),
    Topic("loading", "Loading", _LOADING_PAGE),
    Topic("factory", "The factory", _FACTORY_PAGE),
    Topic("setup", "Set-up", _SETUP_PAGE),
    Topic("end", "End and points", _END_PAGE),
    Topic("rulings", "House rules", _RULINGS_PAGE),
    Topic("assumed-numbers", "Assumed numbers", _ASSUMPTIONS_PAGE),
)
