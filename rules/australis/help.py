"""The help of Australis in our own words: topics for ``/rules``, a line for each option."""

from typing import Final

from rules.australis.components import (
    ASSUMPTIONS,
    CARD_FACTS,
    CARD_POINTS,
    CORALS_PER_PLAYER,
    CUBE_SLOT_COUNT,
    CUBE_SPACES,
    DICE_PER_PLAYER,
    DIE_FACES,
    DISPLAY_SIZE,
    GREY_SPACE,
    LAST_SPACE,
    MAX_CARDS_PER_COLOUR,
    NUMBER_DIE_VALUES,
    REEFS,
    ROUND_COUNT,
    SCHOOLS,
    TILE_POINTS,
    CardFunction,
    Colour,
    TileColour,
)
from rules.australis.phrases import count_text_or_empty, short_face_text
from rules.text import listed
from rules.words import Topic

HOW_TO_WIN: Final = (
    "After five rounds the most points win. You score with reefs, your school of fish, your turtle, and "
    "with dice, cards and tiles."
)
OPTION_HINTS: Final = {"first_player": "Who takes the first die"}
VALUE_HINTS: Final = {
    "first_player": {"random": "Drawn by lot", "host": "The first in the lobby, usually the host"}
}

_CUBE_SPACES_TEXT: Final = listed([str(space) for space in CUBE_SPACES])
_REEF_POINTS_TEXT: Final = " · ".join(
    f"**{reef}**: {facts.first_place_points}"
    + (f" and {facts.second_place_points}" if facts.second_place_points else "")
    for reef, facts in REEFS.items()
)
_REEF_SPACES_TEXT: Final = " · ".join(
    f"**{reef}**: {facts.first_space} to {facts.last_space}" for reef, facts in REEFS.items()
)
_SCHOOL_BULLETS: Final = "\n".join(
    f"- {count_text_or_empty(cubes, 'cube')}, {school.fish} fish: "
    f"{count_text_or_empty(school.points, 'point')}"
    for cubes, school in enumerate(SCHOOLS, 1)
)
_SCHOOLS_TEXT: Final = " · ".join(
    f"{cubes} with {school.fish}: {school.points}" for cubes, school in enumerate(SCHOOLS, 1)
)
_GOLD_POINTS_TEXT, _SILVER_POINTS_TEXT = (
    ", ".join(str(points) for points in TILE_POINTS[tile]) for tile in (TileColour.GOLD, TileColour.SILVER)
)
_DIE_VALUES_TEXT: Final = ", ".join(
    f"{colour.value} {values[0]} to {values[-1]}" for colour, values in NUMBER_DIE_VALUES.items()
)

_INTRODUCTION_PAGE: Final = f"""\
A warm current runs along the coast. Your **turtle** swims in it, **corals** settle and **fish** gather.

There are **{ROUND_COUNT} rounds**. In each you take **{DICE_PER_PLAYER} dice** from the board, one a \
turn. A die does at once what it shows:

- **white**: points, and cards that work again and again
- **yellow**: points and fish
- **blue**: your turtle swims
- **purple**: a coral goes to a reef
- **red**: you start the next round

Then the round scores. Each **reef** pays those with the most corals. Your **school of fish** pays by \
food cubes and fish. Your **turtle** pays the number of its space.

Then the **dice competition**: everybody rolls their blue, purple and red dice. After each roll the dice \
with the lowest value are lost, until one player has dice left. First and second place win tiles.

Everything is open. After round {ROUND_COUNT} corals on reefs and tiles count. The most points win."""

_TURN_PAGE: Final = f"""\
1. **Take a die** from the board. It keeps its face. You may take a colour several times. You cannot pass.
2. **Your kept cards of its colour** work, each once: turtle first, then coral, fish and points. Where a \
turtle card would open another reef for a coral card, you choose the order.
3. **The die** does what it shows.

Then the next player takes a die, clockwise. After {DICE_PER_PLAYER} dice each, one die is left on the \
board, and the round scores.

A button says what a die brings you: *Blue 6: swim to 11, cube*, or *White +3, 1 card* for three points \
and one card. Brackets say what your kept cards add: *Yellow 4 fish (+1 fish)*. The space on a blue die's \
button includes your turtle card. Until the next player has moved you can take your step back, unless it \
showed something new."""

_DICE_PAGE: Final = f"""\
**White**: one point for each circle. Then pick one or two cards on the display, one after the other. \
Afterwards the display is filled up to {DISPLAY_SIZE}.

**Yellow**: one point for each circle, and the fish shown.

**Blue**, 2 to 7: your turtle swims that many spaces.

**Purple**, 3 to 8: place a coral of your supply on that reef or a lower one. With no corals left in your \
supply you may move one of your corals there instead.

**Red**: you get the first player token. You start the next round. This round keeps its order. At the end of \
the game the token is worth one point.

There are as many dice of each colour as players, and one red die. That is one die more than you take \
together.

Blue, purple and red dice also compete at the end of the round. Red rolls the highest numbers, 4 to 9."""

_CARDS_PAGE: Final = f"""\
A card has a colour and does one thing: **{CARD_POINTS} points**, **1 fish**, **turtle +1** or **a coral**.

For each card that you pick you choose:

- **Keep it**: it stays under your dice of its colour for the whole game. Each time you take a die of \
that colour, the card works before the die.
- **Use it**: it works once, now. Then it is discarded. You need no die of its colour.

You keep at most {MAX_CARDS_PER_COLOUR} cards of a colour, and no two that are the same. A card that you \
cannot keep must be used at once. A card picked with a white die does not work with that die.

A **competition card** (blue, purple or red) adds 1 to each of your dice of that colour in every roll. It \
must always be added. You cannot use it at once, and you keep one of each colour at most. Pictures show it \
as a trophy on the colour of its dice.

You must pick as many cards as the die shows, if you can. A coral card goes to the reef at your turtle or \
to a lower one."""

_TURTLE_PAGE: Final = f"""\
The current has the spaces 0 to {LAST_SPACE}. Your turtle only swims forward.

- Two turtles never share a space. Count every space, occupied or not. If the last one is occupied, your \
turtle swims on to the next free space.
- At the end of the current it takes the last free space ahead of it. If none is free, it stays.
- Your own **food cubes** lie on {_CUBE_SPACES_TEXT}. You take each when you reach it or swim past, even \
several at once. It does not matter whether a blue die or a card moves your turtle.
- A **grey cube** lies on {GREY_SPACE}. With four players there are two. The first player to reach or swim \
past {GREY_SPACE} takes one. With four players the second one does, too. It counts as your own do. Pictures \
show it without a player's mark.
- Your food track has {CUBE_SLOT_COUNT} slots, and one cube from the start. A seventh cube goes to the box.

At the end of each round your turtle scores the number of its space. The turtle further ahead wins every \
tie, at reefs, in the competition and at the end."""

_REEFS_PAGE: Final = f"""\
You have {CORALS_PER_PLAYER} corals. A purple 6 reaches reef 6 and every lower one. A coral card reaches \
the reef at your turtle and every lower one.

Each reef has a section of the current: {_REEF_SPACES_TEXT}.

At the end of **each** round every reef pays the player with the most corals there. Reefs 5 to 8 also pay \
the second. Points for first, then second place:

{_REEF_POINTS_TEXT}

In a tie at a reef the turtle further ahead wins. The loser of a tie for first place is second. Corals stay, \
so a reef can pay you in every round. At the end of the game each coral on a reef is worth one point \
more."""

_SCHOOLS_PAGE: Final = f"""\
At the end of each round your fish form **one** school. Your food cubes say how large it may be. It needs \
both cubes and fish:

{_SCHOOL_BULLETS}

The best row that you can fill counts. With two cubes and seven fish you score 3: six fish are fed, the \
seventh waits. All fish and cubes stay with you for later rounds. You never lose any."""

_COMPETITION_PAGE: Final = f"""\
After the scoring, white and yellow dice go back. Each player with a number die (blue, purple or red) \
takes part.

1. Everybody rolls all their dice. A competition card adds 1 to each die of its colour.
2. Every die with the **lowest value** of all is lost, for all players.
3. A player without dice is out. The others roll again.

The last player with dice wins, and the last one to go out is second. If several go out together, the \
turtle further ahead places better, and wins if nobody is left.

The winner takes the top **gold** or **silver** tile, the second gets the other. \
Gold by round: {_GOLD_POINTS_TEXT}. Silver: {_SILVER_POINTS_TEXT}. In rounds 1 to 3 silver brings \
a **food cube** as well. Tiles count at the end of the game.

Dice can roll: {_DIE_VALUES_TEXT}. The faces from before do not matter.

A player who takes part alone wins without a roll, and the other tile goes to the box. If nobody takes \
part, both tiles go there."""

_ROUNDS_PAGE: Final = f"""\
**A new round**: all dice are rolled. The {DISPLAY_SIZE} cards on the display are discarded, and \
{DISPLAY_SIZE} new ones come. When the draw pile is empty, the discard pile is shuffled.

The player with the first player token starts. If nobody takes the red die, the player whose turtle is \
furthest back starts, without the token. Play goes on clockwise.

**The end**: after round {ROUND_COUNT} and its competition you add

- one point for each of your corals on a reef,
- one point for the first player token,
- your tiles.

The most points win. In a tie the turtle further ahead wins."""

_SETUP_PAGE: Final = f"""\
The first player is drawn by lot, or is the first in the lobby (option *first_player*). In the order of play \
you start with 1, 2, 3 and 4 points, and with your turtles on 0, 1, 2 and 3. The first player has the first \
player token.

Each player has {CORALS_PER_PLAYER} corals, one food cube on the food track and three in the current. With \
four players all 45 cards are in play and two grey cubes lie on {GREY_SPACE}. With two or three \
there are 30 cards and one grey cube.

For each player there is a white, a yellow, a blue and a purple die. There is one red die for all."""

_RULINGS_PAGE: Final = """\
Where the rules are silent or can be read in two ways, this table plays as follows.

- The points of a white die come first. Then you pick its cards one after the other. The first may change \
what you can do with the second.
- If no card on the display may be picked, the pick is lost.
- Fish, moves, corals and cards cannot be declined. Only moving a placed coral is your choice.
- With an empty supply each coral effect may move one coral, from any reef to one that is allowed now.
- A seventh food cube goes to the box, and so it is not left for others.
- The draw pile is only refilled when a card must be drawn. A card used with this very die may come back.
- Second points of reefs are given with two players, too.
- With two in the competition the loser is second.
- Which tiles a player took is public, since everybody saw the choice. The values are counted at the end.
- Fish never run out.
- If the red die was left in round 5, nobody has the token.
- A player who resigns takes turtle, corals and tiles out of the game. Their cards are discarded, and their \
dice go back to the board. From the next round on the dice are counted for the other players. Players who \
resign come last. If one player is left, that player wins. Corals, token and tiles are then not scored.

Australis is a game by Alessandro Zucchini and Leo Colovini. These words and this program are not theirs."""


def _faces_text(colour: Colour) -> str:
    return " · ".join(short_face_text(die) for die in DIE_FACES[colour])


def _deck_text() -> str:
    rows = []
    for colour in (Colour.WHITE, Colour.YELLOW, Colour.BLUE, Colour.PURPLE):
        same_colour = [facts for facts in CARD_FACTS.values() if facts.colour is colour]
        kinds_text = ", ".join(
            f"{facts.function.value} {facts.copy_count}+{facts.shell_copy_count}"
            for facts in same_colour
            if facts.function is not CardFunction.COMPETITION
        )
        rows.append(f"- {colour.value}: {kinds_text}")
    competing = [facts for facts in CARD_FACTS.values() if facts.function is CardFunction.COMPETITION]
    kinds_text = ", ".join(
        f"{facts.colour.value} {facts.copy_count}+{facts.shell_copy_count}" for facts in competing
    )
    return "\n".join([*rows, f"- competition: {kinds_text}"])


_ASSUMPTIONS_PAGE: Final = f"""\
Some numbers of the game are printed in pictures only, and we could not look them up. We chose them, and \
the game is balanced with them. They are:

{chr(10).join(f"- {text}" for text in ASSUMPTIONS)}

**Faces** (c: cards, f: fish, p: points)
- white: {_faces_text(Colour.WHITE)}
- yellow: {_faces_text(Colour.YELLOW)}
- blue 2 to 7, purple 3 to 8, red 4 to 9, one of each

**Reefs**, first and second: {_REEF_POINTS_TEXT}

**Schools**, cubes with fish and points: {_SCHOOLS_TEXT}

**Silver tiles**: {_SILVER_POINTS_TEXT}

**Cards**, for all tables + more with four players
{_deck_text()}"""

TOPICS: Final = (
    Topic("introduction", "Australis in one minute", _INTRODUCTION_PAGE),
    Topic("turn", "A turn", _TURN_PAGE),
    Topic("dice", "The dice", _DICE_PAGE),
    Topic("cards", "Advantage cards", _CARDS_PAGE),
    Topic("turtle", "Turtle and food cubes", _TURTLE_PAGE),
    Topic("reefs", "Coral reefs", _REEFS_PAGE),
    Topic("schools", "Schools of fish", _SCHOOLS_PAGE),
    Topic("competition", "The dice competition", _COMPETITION_PAGE),
    Topic("rounds", "New round and end", _ROUNDS_PAGE),
    Topic("setup", "Set-up", _SETUP_PAGE),
    Topic("assumed-numbers", "Assumed numbers", _ASSUMPTIONS_PAGE),
    Topic("rulings", "House rules", _RULINGS_PAGE),
)
