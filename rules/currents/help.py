"""The help of Currents in our own words: topics for ``/rules``, a line for each option.

What is marked "house rule" is this program's ruling where the rules of 2001 are silent or leave a choice.
"""

from typing import Final

from rules.currents.model import CurrentsOptions
from rules.words import Topic

OPTION_HINTS: Final = {
    "board": "The shape of the board, which the number of players must fit",
    "jokers": "Two jokers in the deck. Call one to shuffle cards: “Wild jokers” says which",
    "wild_jokers": "What a joker shuffles",
    "easy_usurp": "A card of equal rank may replace another, too",
    "combo": "Replace a card with a weaker one of its suit, then a stronger one of another suit",
    "obstacles": "Square board only: what is in the way of the pawn",
    "first_player": "Who begins",
    "turn_cap": "After this many turns of all players together the game is a draw",
}
VALUE_HINTS: Final = {
    "board": {"square": "For two or four players", "triangle": "For exactly three players"},
    "wild_jokers": {
        "compass": "A joker shuffles the compass",
        "currents": "A joker shuffles the currents",
        "split": "The red joker shuffles the compass, the black one the currents",
        "together": "A joker shuffles all cards of compass and currents together",
    },
    "obstacles": {
        "off": "Nothing is in the way",
        "rocks": "Rocks block four points",
        "riptides": "Riptides guard the edges",
    },
    "first_player": {"random": "Drawn by lot", "host": "The first in the lobby, usually the host"},
}

_INTRODUCTION_PAGE: Final = """\
One pawn drifts on the water. It belongs to nobody. You win when it leaves the board over **your goal**, the \
edge opposite your seat. With two players, each has **two goals**: two opposite edges. With three, on the \
triangle, your goal is the side to your left.

- The pawn stands where two **lines** of the board cross. Cards lie beside the board as **currents**. Each \
reaches three lines. It pushes the pawn while the pawn stands on one of them.
- The **compass** says where a suit pushes. If ♣ lies on north, every club that reaches the pawn pushes it \
one step north.
- On your turn you draw until you hold four cards, then play **one**. Lay it on the compass or as a current, \
or call a Jack, Queen or King as an action. Then the pawn **always** drifts by the sum of all pushes.
- When the pawn is about to leave over the edge at which you sit, you may **stop it**. You give up cards of \
the suit that pushes away from that edge. With two players, you defend both goals of your opponent.

Low cards are strong on the compass. High cards are strong as currents.
Before you confirm a play, you see where the pawn would go."""

_TURN_PAGE: Final = """\
1. **Draw** until you hold four cards in hand. This happens by itself. When the draw pile is used up, the \
discard pile is shuffled into a new one, with its aces.
2. **Play one card**. Lay it on the compass or as a current, or call a Jack, Queen, King or Joker as an \
action. You may **discard** one card instead, but only while no compass place is empty. You cannot pass: \
there is always a card to play or to discard.
3. The pawn **drifts**. This is not a choice. It moves after a discard and after an action as well.

Then it is the turn of the player to your left (clockwise).

Who goes first is drawn by lot, or is the first in the lobby. At the start each player gets three cards. \
Then the four aces are laid on the compass, one on each place. The player to the first player's right lays \
the first ace, then the one opposite, then the one to the left. The first player lays the last ace and takes \
the first turn. With two or three players it goes as their page says."""

_COMPASS_PAGE: Final = """\
The compass has four places: north, east, south and west, with one card at most on each. A suit pushes \
towards the place on which it lies. A suit may lie on several places. Then each of its currents pushes in \
all of those directions. A suit that is nowhere on the compass does not push at all.

You may lay a card on a place if

- the place is empty,
- or the card there has a **higher rank** than yours: low cards are strong here, and a two is the strongest,
- or the card there has the **same suit**, whatever the ranks.

Aces are high: any other card replaces an ace on the compass. Equal ranks of different suits do not \
replace each other (unless your table plays with *Easy usurp*). The card replaced goes to the discard pile. \
Jokers are never laid."""

_CURRENTS_PAGE: Final = """\
The lines of the board are nine columns, 0 to 8 from west to east, and nine rows, 0 to 8 from north to \
south. Beside the board are sixteen slots, four on each side. N0 to N3 and S0 to S3 run from west to east \
and reach columns. E0 to E3 and W0 to W3 run from north to south and reach rows. Neighbouring slots share a \
line.

- slot 0: columns or rows 0, 1 and 2
- slot 1: 2, 3 and 4
- slot 2: 4, 5 and 6
- slot 3: 6, 7 and 8

The pictures mark the slots that reach the pawn in blue. Only the suit of a current says where it pushes, \
not the side on which it lies.

You may lay a card on a slot if

- the slot is empty,
- or the card there has a **lower rank** than yours: high cards are strong here,
- or the card there has the **same suit**, whatever the ranks.

So an ace as a current can only be replaced by its own suit, or by any ace with *Easy usurp*. A Queen can \
still move it."""

_ACTIONS_PAGE: Final = """\
Instead of laying a face card you may call it. It goes to the discard pile and

- a **Jack** removes one card from the compass and leaves its place empty,
- a **Queen** swaps the contents of two current slots (one of them may be empty, so that a current \
simply moves),
- a **King** turns (rotates) the whole compass by one place, clockwise or counterclockwise, empty places too,
- a **Joker** (if your table plays with them) shuffles the compass cards among the places that have one, or \
what the option *Wild jokers* names. Chance decides, so nobody knows the drift beforehand.

An action is your one play of the turn. Then the pawn drifts.

House rule: a Jack needs a card to remove, and a Queen needs two different slots with a current on at least \
one. A King may turn an empty compass, and a Joker may shuffle fewer than two cards. Nothing happens \
then."""

_MOVING_PAGE: Final = """\
The pawn stands where a column and a row cross, the border lines included. It starts in the centre.

To find its move, take every current that reaches the pawn **now**, from none to eight. Each pushes \
one step towards every compass place that shows its suit. Opposite pushes cancel. What is left is the move. \
Two north and one east is an L: two steps up and one to the right. If no current reaches the pawn, or if all \
pushes cancel, it stays.

- The move is made once. The currents that reach the pawn there push in the next turn.
- A move that ends beyond a border line leaves the board: see *Stopping the pawn*. The border line itself is \
still on the board.
- Without obstacles the order of the steps does not matter.

The preview of a play says where the pawn goes and which currents push it. `/board text:true` shows which \
slots reach the pawn, and where it would go if nothing changes."""

_GOALTENDING_PAGE: Final = """\
When the pawn is about to cross an edge, the player who **sits at that edge** may stop it, on any player's \
turn. With two players, the opponent of the goal's owner may stop it.

- You need the suit on the compass place **opposite** the edge. The picture of your hand shows it. A pawn \
that leaves over the north edge is stopped with the suit on south. Any rank will do. A joker never stops the \
pawn. If that place is empty nobody can stop the pawn.
- It takes one card for each step beyond the border line, all at once. These cards are discarded.
- The pawn then stops on the border line. A sideways part of its move still counts. It can never be \
pushed back further.
- Nobody must defend. If the player at the edge cannot or will not stop it, the pawn leaves. The goal's \
owner **wins at once**, even on another player's turn.

You fill your hand up to four again on your own next turn.

House rule: you give exactly the number needed. You are asked whenever a suit lies on that place and you \
hold enough cards. You are asked even if none of your cards fits. So being asked shows nobody what you \
hold."""

_CORNERS_PAGE: Final = """\
A pawn that would cross two edges at once leaves over a corner. Two players could win then, so one comes \
first. Start with the player whose turn it is and go round to the **right**: right, opposite, left. The \
first one whose goal is crossed is the first candidate.

1. The player at the first candidate's goal edge may stop the pawn there. If not, the first candidate \
wins.
2. If it is stopped, the second candidate is next: the player at the other edge may stop it there. If \
not, the second candidate wins.
3. If both defend, the pawn stands in the corner.

With four players, on your turn:

- At both corners of your goal edge you come first.
- At the corner to your left, the player to your right comes first.
- At the corner to your right, the player opposite comes first.

House rule: each defence costs one card for each step beyond its own edge. The two are asked one after the \
other. You may let the first candidate win on purpose."""

_TWO_PLAYERS_PAGE: Final = """\
Each player has **two goals**, two opposite edges. The first player chooses north and south or east and \
west. The other player gets the other two. You defend both of your opponent's goals.

- The player who does not begin lays **two aces** on the compass, the first player the other two.
- At a corner one edge is always a goal of the player whose turn it is. That player comes first and the \
opponent defends. Then it is the other way round.
- Everything else is as with four: three cards at first, four in hand on your turn.

House rule: the goals are chosen before any ace is laid. The first player decides which of the last two aces \
goes where. If one player resigns, the other wins."""

_TRIANGLE_PAGE: Final = """\
This board is our own, for three players. Its three zones meet in the centre. A point is named by its steps \
towards the sides: x, y and z from 0 to 4. At least one of them is 0. There are 61 points.

- The compass has three places, X, Y and Z. A push towards X adds one to x. Three equal pushes cancel.
- Player A sits at side X, B at Y and C at Z. You win over the side to your **left**: A over Y, B over Z, \
C over X. Each player defends the side at which they sit.
- Line x3 joins the points with x = 3, from side Y to side Z. A spoke runs from a side to the centre. \
Slots reach three lines each: X0 y4 y3 y2 · X1 y2 y1 spoke X · X2 spoke X z1 z2 · X3 z2 z3 z4. Y and Z \
likewise (Y0 z4 z3 z2, Z0 x4 x3 x2 ...).
- You stop the pawn with a suit from any compass place other than the crossed side's.
- A King turns X to Y to Z to X, or back.
- The player to the first player's right, the one to the left and the first player lay one ace each, in this \
order. The fourth ace goes to the discard pile.
- At a corner the order is: the player whose turn it is, the one to the right, the one to the left.

Obstacles are not played on the triangle."""

_OPTIONS_PAGE: Final = f"""\
You choose them in the lobby. At first all variants are off, and the game is a draw after \
{CurrentsOptions().turn_cap} turns.

- **Jokers**: two jokers in the deck. Called, a joker shuffles the compass.
- **Wild jokers**: jokers shuffle the currents instead. With *split* the red one shuffles the compass and \
the black one the currents. With *together* each shuffles all cards of both.
- **Easy usurp**: a card of equal rank may replace another one too.
- **Combo**: first comes a demotion. You replace a card with a weaker one of its suit: lower as a current, \
higher on the compass. Then a second card may follow at once on the same spot. It needs another suit and \
must be strictly stronger there. You draw back to four on your next turn.
- **Rocks** at columns and rows 2 and 6 cannot be entered. **Riptides** on the border lines, at 2 and 6 \
of each edge, cannot be entered by a step towards that edge. A pawn that was stopped may rest there.
- **First player**: drawn by lot, or the first in the lobby, usually the host.
- **Turn cap**: after this many turns of all players together the game is a draw.

House rule for obstacles: the pawn goes diagonally first, then straight. A blocked diagonal step tries its \
north or south part, then its east or west part. Otherwise it is lost. A blocked straight step ends the \
move. Beyond the border nothing is in the way."""

_RULINGS_PAGE: Final = """\
The published rules of 11 August 2001 are silent on some points, or can be read in two ways. This is how you \
play here:

- The compass is set from the first player's right on, so that the first player lays the last ace. Play \
then goes to the left.
- You draw to exactly four, in the first turn too.
- Cards that are replaced go to the discard pile. One card lies on a place.
- With an empty compass place you may not discard, but any legal play will do.
- When a card is needed and none is left, the discard pile becomes the draw pile. It includes the cards just \
discarded.
- A suit on the defending place defends even if it also pushes over the edge.
- A stopped pawn keeps the sideways part of its move. If your cards are not enough, you spend none.
- Every target beyond two edges counts as a corner, whatever the path.
- Pushing the pawn over anybody's goal is allowed and binding, even your opponent's.
- With more than two players nobody resigns. A computer player or another person takes the seat.
- After the last turn of the turn cap nobody wins: it is a tie of all.

Currents is a game by Jason McIntosh. These words and this program are not his."""

TOPICS: Final = (
    Topic("introduction", "Currents in one minute", _INTRODUCTION_PAGE),
    Topic("turn", "A turn", _TURN_PAGE),
    Topic("compass", "The compass", _COMPASS_PAGE),
    Topic("currents", "Currents beside the board", _CURRENTS_PAGE),
    Topic("actions", "Jack, Queen, King, Joker", _ACTIONS_PAGE),
    Topic("moving", "How the pawn moves", _MOVING_PAGE),
    Topic("goaltending", "Stopping the pawn", _GOALTENDING_PAGE),
    Topic("corners", "Corners", _CORNERS_PAGE),
    Topic("two-players", "Two players", _TWO_PLAYERS_PAGE),
    Topic("triangle", "Three players: the triangle", _TRIANGLE_PAGE),
    Topic("options", "Options", _OPTIONS_PAGE),
    Topic("rulings", "House rules", _RULINGS_PAGE),
)
