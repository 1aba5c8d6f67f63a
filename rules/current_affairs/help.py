"""The help of Current Affairs in our own words: topics for ``/rules``, a line for each option.

"(house rule)" marks a ruling of this program: the rulebook is silent there, or its pictures are missing.
"""

from collections.abc import Iterable
from typing import Final

from rules.current_affairs.components import (
    ASSUMPTIONS,
    NEIGHBOUR_COSTS,
    PORT_NAMES,
    REGIONS,
    TRASH_TOKEN_COUNTS,
    Region,
    Trash,
)
from rules.current_affairs.phrases import TRASH_NAMES, region_name, region_with_article
from rules.text import listed
from rules.words import Topic

OPTION_HINTS: Final = {"first_player": "Who drafts first"}
VALUE_HINTS: Final = {
    "first_player": {"random": "Drawn by lot", "host": "The first in the lobby, usually the host"}
}

_NORTH_END: Final = 400
"""Regions above this height of the chart are on the page of the north."""
_TRASH_COUNTS_TEXT: Final = listed(
    [
        f"{count} {TRASH_NAMES[trash]}{'s' if trash is Trash.NET else ''}"
        for trash, count in TRASH_TOKEN_COUNTS.items()
    ]
)

_INTRODUCTION_PAGE: Final = """\
You sail the Pacific and clean it. Trash lies in stacks in twenty regions. Government contracts say which \
trash they want.

- On your turn you **sail** to another region and take the **top trash** of its stack onto one of your two \
contracts.
- In a **port** you deliver complete contracts for points, and draw new ones.
- Deliver a contract in its own port and you also unlock an **upgrade** of your ship.
- Take the **last trash** of a region whose animal you still have, and you **restore** its habitat. \
Habitats count their number squared: 1, 4, 9, 16, 25.

The game ends in the round in which somebody has delivered five contracts or restored five habitats. The \
most points win.

The currents matter most: a step takes one action with a current, two without one and three against one. \
Pictures mark in magenta what has changed."""

_TURN_PAGE: Final = """\
1. **Sail.** You have three actions, and more with wheels. You must end in another region than you started \
in: you cannot pass, nor stay where you are. Choose a destination: the bot takes the cheapest route. You may \
pass other ships. Two ships can be in one region only if the later one has unlocked the **shared space**. \
Actions that are left over are lost.
2. **Take trash.** If the top trash fits a contract of yours you must take it. You choose the contract and \
the slot: one of its kind that is still needed, or one for any trash. It stays there. If the trash \
does not fit you take nothing.
3. **Habitat.** If you took the last trash, or stopped in an empty region, and its animal is still on your \
board, its habitat is restored.
4. **Port.** If the region has a port you may use it.

Then the next player clockwise has a turn."""

_CONTRACTS_PAGE: Final = f"""\
A contract has the name of its port and its points: **Yokohama 9**. You hold two contracts at most.

- Each slot takes one piece of trash of its kind: plastic, aluminium, glass, a net or rubber.
- A slot marked **any** takes whatever you like. The buttons say "Plastic as any on Yokohama 7".
- A full contract is complete. Deliver it in any port for its points. In its own port it also unlocks an \
upgrade.
- In port you may discard an incomplete contract. Its trash is lost.

The trash by kind: {_TRASH_COUNTS_TEXT}. Trash that was delivered or discarded never comes back."""

_CURRENTS_PAGE: Final = """\
Lines join neighbouring regions. Some are currents with arrows.

- Along an arrow a step takes **1** action.
- On a line without an arrow it takes **2**.
- Against an arrow it takes **3**.
- The current along the equator runs both ways: 1 action in either direction.

The cost of a destination is the sum of its steps. The pages *Routes: north* and *Routes: south* list them. \
You may sail through every region, also through empty ones and those with ships."""

_NORTH: Final = tuple(region for region in Region if REGIONS[region].y < _NORTH_END)


def _routes_text(regions: Iterable[Region]) -> str:
    """Return the neighbours of each region by what a step there costs."""
    lines = ["The neighbours of each region, by the actions that a step from it takes:", ""]
    for region in regions:
        names_by_cost: dict[int, list[str]] = {}
        for neighbour, cost in NEIGHBOUR_COSTS[region].items():
            names_by_cost.setdefault(cost, []).append(region_name(neighbour))
        texts = [f"{cost} to {listed(names)}" for cost, names in sorted(names_by_cost.items())]
        lines.append(f"- {region_name(region)}: {', '.join(texts)}")
    return "\n".join(lines)


_PORTS_TEXT: Final = listed(
    [
        f"{PORT_NAMES[facts.port]} in {region_with_article(region)}"
        for region, facts in REGIONS.items()
        if facts.port
    ]
)
_PORT_PAGE: Final = f"""\
The ports are {_PORTS_TEXT}. The port phase is open if your move ended in one of these regions. Its steps \
have a fixed order, and you may leave out each one.

1. **Deliver** complete contracts in any port. You gain their points, in place of 1 for each piece of \
trash.
2. **Discard** incomplete contracts with all their trash, to draw others.
3. **Unlock an upgrade** for each contract that you delivered in its own port.
4. **Draw** contracts until you have two: from the three slots of the market, or the open card on the \
deck. An empty slot is filled from the deck at once.

Once you have delivered, discarded or drawn you go on drawing until you have two contracts. A complete \
contract may also wait for its own port."""

_UPGRADES_PAGE: Final = """\
Your ship has seven upgrades, each under a lock. You unlock one for each contract that you deliver in its \
own port. What you unlock counts from your next turn on. The two bonuses count at the end, also if you \
unlock them in your last turn. You cannot keep an unlock for later (house rule).

- **Wheel** (two of them): one more action each turn.
- **Crane**: take the first or the second trash of a stack. If only the second fits you may leave it.
- **Shared space**: stop in regions with other ships. Players without it still cannot stop where you are.
- **Extra turn**: one more turn after the last round.
- **Habitat bonus**: 2 points more for each habitat at the end.
- **Contract bonus**: 2 points more for each delivered contract at the end."""

_HABITATS_PAGE: Final = """\
Each region is the home of an animal, and each player has one token of each of the five animals.

- Take the last trash of a region, with its animal still on your board, and you restore it at once.
- If a player without that animal took it, nothing happens. The next player who ends a move in the empty \
region and still has the animal restores it. A ship that lies there already must leave and come again (house \
rule).
- Each region is restored once, and each animal once by each player: five habitats at most.

Five habitats are worth 25 points, and end the game."""

_SETUP_PAGE: Final = """\
All 80 pieces of trash are drawn into the regions at random. Then contracts are drafted in two rounds. \
One contract for each player lies open, and each player takes one in turn. The second round goes backwards. \
Then three contracts open the market, and the top of the deck lies open beside them.

The player with the most valuable contract starts the game, and places first. If that is a tie, the \
other contract decides, then the earlier pick. Each player places a ship in a free region and takes its \
top trash if it fits. The order of placing is the order of turns."""

_END_PAGE: Final = """\
The game ends in the round in which somebody has five delivered contracts or five habitats. All players \
have the same number of turns. Then each player who unlocked the **extra turn** has one more turn, in turn \
order.

Points:

- the points of your delivered contracts,
- habitats, their number squared,
- 1 for each piece of trash on contracts that you still hold,
- the two bonuses, if you unlocked them.

In a tie of points the most valuable delivered contract decides. If that is a tie too, the victory is \
shared."""

_ASSUMPTIONS_PAGE: Final = (
    "The rulebook shows board and cards in pictures only. These numbers are our assumptions:\n\n"
    + "\n".join(f"- {text}" for text in ASSUMPTIONS)
)

_RULINGS_PAGE: Final = """\
Where the rulebook is silent we play:

- The first drafter is drawn by lot, or by option the first in the lobby, usually the host.
- Taking trash is not optional if the top trash fits. Trash never moves from slot to slot.
- Every stack lies open, in its whole order.
- A contract may be discarded only if another card can replace it.
- When slot and deck are empty, the discard pile becomes the deck.
- A complete contract that you still hold counts 1 point for each piece of trash, like an incomplete one.
- Delivered and discarded trash never comes back.
- When no trash is left and nothing more can be gained, or in the third round after the last trash, the \
round is the last. After round 40 the game ends.
- A player who resigns is ranked last. The ship leaves the game, and the contracts go to the discard pile. \
Restored habitats stay. The last player left wins."""

TOPICS: Final = (
    Topic("introduction", "The game in short", _INTRODUCTION_PAGE),
    Topic("turn", "Your turn", _TURN_PAGE),
    Topic("contracts", "Contracts and trash", _CONTRACTS_PAGE),
    Topic("currents", "Currents and routes", _CURRENTS_PAGE),
    Topic("routes-north", "Routes: north", _routes_text(_NORTH)),
    Topic("routes-south", "Routes: south", _routes_text(region for region in Region if region not in _NORTH)),
    Topic("port", "In port", _PORT_PAGE),
    Topic("upgrades", "Upgrades", _UPGRADES_PAGE),
    Topic("habitats", "Habitats", _HABITATS_PAGE),
    Topic("setup", "Set-up and draft", _SETUP_PAGE),
    Topic("end", "End and points", _END_PAGE),
    Topic("rulings", "House rules", _RULINGS_PAGE),
    Topic("assumed-numbers", "Assumed numbers", _ASSUMPTIONS_PAGE),
)
