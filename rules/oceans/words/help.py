"""The help of Oceans in our own words: topics for ``/rules``, a line for each option.

What is marked "house" is this program's ruling where the published rules are silent or leave a choice.
One page per card: ``rules.oceans.words.glossary``.
"""

from typing import Final

from rules.game import Topic
from rules.oceans.cards.surface import SURFACE_TRAITS
from rules.oceans.words.help_rulings import CARD_RULINGS, RULINGS

OPTION_HINTS: Final = {
    "reef": "The Reef Variant for beginners: no Deep cards, Abundance and Fertile",
    "deep": "All 89 Deep cards, or the 60 easy ones: numbers and simple effects",
    "scenarios": "Scenario cards of the box (retail), with promotional ones, or the two gentle ones",
    "quick": "About half the population: a game half as long",
    "first_player": "Who begins: drawn by lot, or the host",
    "turn_cap": "After so many rounds the game ends as it stands",
}

_INTRODUCTION: Final = """\
You invent sea creatures, feed them from a sea that runs dry, and score what they age away.

- Each of your **species** is a board for population and up to three **traits**, which are the cards you \
play on it. There is no limit to how many species you have.
- A turn has four phases: **play a card** (as a trait, or to move population in the water), **feed one \
species** (it forages in the Reef or attacks another species), **age** every species by 1, **draw** to six.
- What ages goes behind your shield: that is your score. A species that cannot give what it owes dies out.
- Neighbours matter: many traits gain when the species beside them feeds or is attacked, whoever owns it.
- When Ocean zone 1 is empty for the first time, the **Cambrian Explosion** doubles the pace and brings the \
Deep cards into play.
- When all three Ocean zones are empty, the last round begins.

Most points win: score pile, population on your species, and a bonus, larger the earlier your turn comes.

Before you confirm a choice you are shown what it would bring. Every card has its page: type its name as \
the topic of `/rules`."""

_SETUP: Final = """\
The water has four zones: the **Reef** and the **Ocean zones 1, 2 and 3**. A quarter of the population lies \
in each.

- In all 100 with two players, 120 with three, 140 with four, 160 with five, 180 with six. 60 more wait in \
reserve.
- One Scenario card lies below zone 1 and one below zone 2, the Cambrian Explosion in zone 1.
- Everybody gets six Surface cards. Two Deep cards lie face up: the Gene Pool.
- The first Surface card is turned over and discarded. Its number of population goes from the Reef and from \
zone 1, each, to zone 3.
- The first player is drawn by lot. The later your turn, the smaller your bonus at the end: 4 and 0 with \
two players; 6, 4, 0 with three; 7, 6, 4, 0 with four; 8, 7, 6, 4, 0 with five; 9, 8, 7, 6, 4, 0 with six.

Nobody begins with a species."""

_TURN: Final = """\
1. **Cards.** Play one card, two after the Cambrian Explosion: each either **evolves** a species or \
**migrates** population. You must play as long as your hand has a card that may be played. Traits of your \
own species may be removed, too.
2. **Feeding.** First your leeching traits and the like act by themselves. Then one of your species \
**forages** or **attacks**. You may pass.
3. **Aging.** Each of your species gives 1, after the Cambrian Explosion 2, to your score pile. Who cannot \
give it all dies out.
4. **Drawing.** You may take one Deep card, then discard Surface cards, then draw Surface cards up to six \
cards in hand.

Then it is the next player's turn, clockwise. After each card, each feeding and the Aging the table checks \
in this order: too many traits, overpopulation, emptied zones."""

_EVOLVING: Final = """\
A card becomes a **trait**: the first one of a new species, or another one on a species of yours.

- A new species may stand anywhere in your row: at either end or between two others. It begins with 0 \
population.
- It ages this turn like all others: if it gets no population before, it dies out at once.
- A species has room for **three traits**. Some traits bring slots of their own (+1 slot): such a card may \
also go on a full species. The same trait may be there more than once, and each copy counts.
- A trait works from the moment it is laid.
- A **Deep card** costs population: its number goes from your score pile to one zone of your choice. You \
need all of it. What you pay with comes from your score, so evolve it when it earns more.
- You may **remove** your own traits in this phase, as many as you like and for nothing. Surface cards go \
to the discard pile, Deep cards out of the game. A species without traits stays: Forage 1, Attack 1.

House: if a slot is lost later, the owner discards what is too much at once. Cards that go on somebody \
else's species need a free slot there."""

_MIGRATING: Final = """\
Instead of evolving with a card you can discard it to **migrate**: its number of population moves from one \
zone to another.

- Any of the four zones to any other, in either direction. If the source holds less, all it has moves.
- Surface cards migrate 5 to 11. Deep cards migrate as much as they would cost, 1 to 5, and are out of the \
game then; that costs nothing.

What it is good for:

- filling the Reef before you forage, or emptying it before another player does,
- emptying zone 1 or 2: a Scenario card comes into force, and the first time in zone 1 the Cambrian \
Explosion happens,
- putting population into zone 1 or 2: its Scenario card is switched off,
- emptying the whole Ocean: the end begins.

House: if every zone is empty, a card is simply discarded."""

_FEEDING: Final = """\
In your turn **one** of your species feeds: it forages or attacks. It needs a free space and something to \
take, and it takes as much as it can: you cannot take less to avoid overpopulation.

**Foraging.** Add up the Forage values of its traits; a species without any has Forage 1. So much moves \
from the Reef to its board, limited by what the Reef holds and by the free spaces.

**Attacking** has a page of its own.

- A struck-out icon means never: one such trait, and the species does not forage (or attack) whatever else \
it has.
- Traits such as Tentacled let the same species feed again: each time it may forage or attack, with all \
that follows. It ends when that species itself overpopulates.
- If none of your species can feed, the phase is passed for you. If one can, you may still pass with \
`skip`.

Before a forage or an attack is final, you are shown what it takes, what every species gains or loses, who \
overpopulates, and which of your species are short of population for Aging."""

_ATTACKING: Final = """\
An attack names any other species at the table, your own included, neighbour or not.

- Add up the **Attack** values of the attacker's traits; a species without any has Attack 1.
- Of the population that would go, the target's **Defence** saves as many as it says. Attack 5 against \
Defence 2 and 3 population: three would go, two are saved, one is taken. The target never falls below its \
Defence by an attack.
- The attacker takes only what fits on its board; the rest stays with the target.
- An attack must take at least 1, else it is not allowed.
- Some traits forbid attacks altogether: Schooling while it holds 5 or more, Transparent while the Reef \
holds population. Defence does not lower the Attack itself: a cleaner looks at the whole value.

A species is never killed by an attack: with 0 population it lives on, and cannot be attacked. It has to \
find population before it ages.

A **defensive trait** is one with a Defence value or one that limits who may attack its species. Some \
attackers ignore one of these, or all."""

_TRIGGERS: Final = """\
What a feeding sets off happens by itself, in this order:

1. Traits that **take** or make others **lose** population after a feeding, clockwise from the player whose \
turn it is, each row from left to right.
2. All **gains** at once: each species that gains takes the sum of its Gain values from Ocean zone 1, when \
that is empty from zone 2, then zone 3 - never from the Reef, never more than its free spaces. If the \
population runs short, the order is clockwise.
3. What reacts to gains.
4. The checks: overpopulation, then emptied zones.

Which traits react is settled before anything moves. A gain sets off no further gain.

**Cleaners** look outwards from the species that fed, to both sides: on each side the nearest one with that \
cleaner gains, so at most two. Shark Cleaners react to attackers with Attack 3 or more, Whale Cleaners to \
foragers with Forage 3 or more. The feeder's own cleaner does not count.

House: a species that attacks its left neighbour and has Bottom Feeder gains by it itself. Several copies \
of a trait react separately."""

_NEIGHBOURS: Final = """\
All species form one **ring**. Everybody faces the water; to the right of your right-most species stands \
the left-most species of the player to your right, and so on all the way round.

- *Left* of a species is the next one against that direction. For your left-most species that is the \
right-most one of the player to your left.
- In the picture the heads on the line between species point to the right.
- Turns go clockwise, to the left. So the ring, read to the right, passes the players against the order of \
turns.
- A player without species is skipped. If there are only two species in play, each stands on both sides of \
the other, but counts as one neighbour. A single species has none.

Where you start a new species decides who stands beside whom: a Bottom Feeder wants a prey on its left, a \
Symbiotic a good eater, a Parasitic a full host."""

_BEFORE: Final = """\
After the cards and before you feed, some traits of **your** species act by themselves: from left to right, \
on each species in the order in which they were played. You are asked where there is a choice.

**Leeching** moves population from another species to the one that leeches. It is neither foraging nor an \
attack: Defence does not help, and nothing reacts to it as to an attack. Transparent stops it while the \
Reef holds population; some Deep traits stop it always.

- Parasitic leeches 2 from the species on its left, which may be another player's.
- It takes what is there and fits. It is not optional, even if you then pass the feeding.
- A species left with nothing lives on.

After these effects the table checks for overpopulation. A species that overpopulates here may still feed."""

_OVERPOPULATION: Final = """\
A species board has **ten spaces**; the tenth is the fishbone. It is filled only when the other nine are.

At each check, every species whose last space is filled **overpopulates**: it falls back to **5**. What \
leaves goes to one zone, which its owner chooses (the Reef or an Ocean zone).

- The checks come after every card played, after what acts before feeding, after each feeding with all its \
gains, and after Aging. So everybody who gains from a feeding has gained before anybody falls back.
- Species of other players overpopulate in your turn, too.
- If the species that feeds overpopulates, its feeding is over, even if it could feed again. Others do not \
stop it.
- Filter Feeder never overpopulates.
- Traits and Scenario cards can change the number of spaces; the last one is the fishbone then, and the \
species still falls back to 5.

House: in another player's turn you are not asked; your overflow goes to the Reef, or where your standing \
answer says (`surplus`, once in each of your turns)."""

_AGING: Final = """\
In the Aging phase each of **your** species gives **1** population to your score pile, after the Cambrian \
Explosion **2**. Traits and Scenario cards add to it or take away. Nobody may decline.

- A species that has less than it owes gives what it has and then **dies out**: it leaves the table with \
all its traits. Surface cards go to the discard pile, Deep cards out of the game.
- A species that has exactly enough ends at 0 and lives on. It must find population before the next Aging.
- New species age in the turn in which they were started.

Only one of your species feeds in a turn. The others live on what neighbours set off, on leeching, or on \
what they have: with many species, look ahead. The previews name those which are short.

There is no other way to die out, unless a card says so."""

_DRAWING: Final = """\
In this order:

1. You may get **one Deep card**, even before the Cambrian Explosion: either take the top card of a Gene \
Pool pile, which everybody sees, or look at three cards of the deck in secret, keep one and put the other \
two face up, one on each pile, as you like.
2. You may **discard** any of your Surface cards. Deep cards cannot be discarded.
3. You **draw** Surface cards up to six cards in hand, Deep cards counted. With six or more you draw nothing.

When the Surface deck is used up, the discard pile is shuffled into a new one. The Deep deck is never \
shuffled again.

Everybody sees how many Surface and Deep cards you hold, since their backs differ.

House: if taking the top card empties a pile, the next card of the deck is turned up on it. With two Deep \
cards left you keep one and choose the pile for the other; a single one is yours. If both Surface piles are \
used up, your hand stays short."""

_CAMBRIAN: Final = """\
The **Cambrian Explosion** happens when Ocean zone 1 becomes empty for the first time. It lasts for the \
rest of the game, even if population comes back into zone 1.

- In the card phase **two** cards are played instead of one.
- In the Aging phase every species gives **2** instead of 1.
- **Deep cards** may be played (not in the Reef Variant).

It counts from that moment on. If a migration of yours brings it about, you play one more card this turn, \
and it may be a Deep one; and your species age 2 in this turn already.

The Scenario card below zone 1 comes into force at the same moment. All gains and overpopulation of the \
feeding that emptied the zone come first. The explosion comes even if tokens have fallen back into the zone \
by then."""

_SCENARIOS: Final = """\
A Scenario card lies below zone 1 and another below zone 2, face up from the start.

- **Ongoing** ones (blue) are in force while their zone is empty. One token in the zone switches them off \
at once.
- **Events** (purple) happen once each time their zone becomes empty, even if tokens have fallen back into \
it before the check.

Both zones are checked after every card, feeding and Aging, when all that these set off is done; zone 1 \
comes first.

If both cards are in force, their numbers add up. The core rules yield to Scenario cards, and these yield \
to the text of a trait for its own species.

The 25 cards of the box are played; the option *scenarios* adds the promotional ones that a program can \
referee, or leaves only Abundance and Fertile. Every card has its page in `/rules`.

House: where a card leaves something to be chosen, the player whose turn it is chooses. An event that gives \
population takes it from the lowest-numbered zone that holds any."""

_DEEP: Final = """\
There are 89 Deep traits, one card of each. You get them when drawing; you may play them once the Cambrian \
Explosion has happened.

- **Evolving** with one costs its number: so much goes from your score pile to one zone of your choice. You \
must be able to pay all of it, also for a new species.
- **Migrating** with one moves its number and costs nothing.
- They count as traits like any other: three on a species, with its slots.
- When they are removed, used to migrate or lost with their species, they are out of the game.

Several share the name of a Surface trait, such as Speed (Deep). They count as that trait wherever its name \
matters.

A trait's text is about its own species unless it says otherwise. *Taking* is neither attack nor leeching \
nor gain, so nothing stops it but an empty board or a full one.

The option *deep* leaves only the 60 that have numbers or one simple effect."""

_END: Final = """\
When zones 1, 2 and 3 have all been empty at the same moment, the next check **triggers the end**, even if \
tokens have fallen back by then. The reserve of 60 goes into zone 3, and the round is played to its end. The \
last turn belongs to the player with the bonus of 0. The Reef does not matter for this.

- If it happens in that last player's own turn, the game ends with this turn.
- All rules go on. If the Ocean runs dry again, gains come from an unlimited supply.
- House: if the Ocean runs dry in the middle of a gain, the reserve comes in at that moment and the gain \
goes on; the end is triggered all the same.

**Score:** 1 point for each population behind your shield, 1 for each on your species, and your bonus. A \
tie goes to the one with more traits in play; if that is even, the win is shared.

The bonus cannot be spent on Deep cards. Score piles are secret until the end; you see your own.

Who resigns leaves the game: population goes to the Reef, cards to their piles, the score pile is gone. The \
others play on; the last one left wins."""

_SURFACE: Final = "The twelve Surface traits, ten cards of each:\n\n" + "\n".join(
    f"- **{trait.name}**: {trait.text}" for trait in SURFACE_TRAITS
)

_OPTIONS: Final = """\
They are chosen when the table is opened; without them you play the rulebook's game.

- **reef**: the Reef Variant for a first game. No Deep cards; the Scenario cards are Abundance and Fertile; \
the Cambrian Explosion still brings two cards a turn and Aging 2.
- **deep**: *all* 89 Deep cards, or the 60 *easy* ones.
- **scenarios**: the *retail* cards of the box, the *promo* ones as well, or only the two *gentle* ones.
- **quick**: about half the population (13, 15, 18, 20 or 23 in each zone with 2 to 6 players) and a \
reserve of 30. This is a house option for shorter games.
- **first_player**: drawn by lot (*random*), or the *host* of the table.
- **turn_cap**: after this many rounds the game ends with the round, whatever the Ocean holds. A house \
rule, so that every game ends."""

_STANDING: Final = """\
Others act in their turns without waiting for you. Where a rule would ask you something in another player's \
turn, a standing answer holds instead. In each of your turns, while cards are played, you may change one.

- `surplus`: where your species' overflow goes when they overpopulate on another player's turn. \
At first it is the Reef. In your own turns you are asked each time.
- `metabolism`: whether your species with Fast Metabolism age in other players' Aging phases. At first they \
do not.

Without asking: if one of your species has too many traits in another's turn, the newest goes. Burrower \
strikes back whenever that is a legal attack. Rapid Mutation makes its exchange in your next card phase."""

_NOTATION: Final = """\
Moves can be typed. Cards have codes: a Surface card is two letters and its number (SP7 is Speed 7), a Deep \
card three letters (HYD). Species are A1, B2 ...; zones are `reef`, `z1`, `z2`, `z3`.

- `create SP7 0`: a new species; 0 of your species stand to its left
- `evolve SP7 A2` · `evolve HYD A2 z3`: a Deep card's cost goes to zone 3
- `migrate SP7 reef z3` · `cast SP7` if all zones are empty
- `drop A2 IN7`: remove a trait · `done`: no more cards
- `forage A2 reef` · `attack A2 C1` · `attack A2 C1 IN7`: ignoring Inking · `skip`: feed no more
- `choose C1`: the answer where something is asked · `spill z2`: where overflow goes
- `take 1`: the top of Gene Pool pile 1 · `look` · `keep HYD TIN ZOO`: TIN goes on pile 1, ZOO on pile 2
- `discard SP7` · `draw`: ends the turn
- `surplus z1` · `metabolism yes`: standing answers
- `exchange A2 IN7 SP8` (Atavism) · `swap A2 IN7 A3 SP8` · `mutate A2 HYD 1` (Rapid Mutation, pile 1)

Several moves on one line are separated by semicolons. Words that are not needed to tell a move from others \
may be left out."""

TOPICS: Final = (
    Topic("introduction", "Oceans in one minute", _INTRODUCTION),
    Topic("turn", "A turn", _TURN),
    Topic("evolving", "Evolving: species and traits", _EVOLVING),
    Topic("migrating", "Migrating population", _MIGRATING),
    Topic("before-feeding", "Before feeding: leeching", _BEFORE),
    Topic("feeding", "Feeding and foraging", _FEEDING),
    Topic("attacking", "Attacking and Defence", _ATTACKING),
    Topic("triggers", "What a feeding sets off", _TRIGGERS),
    Topic("neighbours", "Neighbours: the ring", _NEIGHBOURS),
    Topic("overpopulation", "Overpopulation", _OVERPOPULATION),
    Topic("aging", "Aging and dying out", _AGING),
    Topic("drawing", "Drawing cards", _DRAWING),
    Topic("cambrian", "The Cambrian Explosion", _CAMBRIAN),
    Topic("scenarios", "Scenario cards", _SCENARIOS),
    Topic("deep-cards", "Deep cards", _DEEP),
    Topic("surface-cards", "The Surface traits", _SURFACE),
    Topic("end", "End and score", _END),
    Topic("setup", "Set-up", _SETUP),
    Topic("options", "Options", _OPTIONS),
    Topic("standing-answers", "When others are on turn", _STANDING),
    Topic("notation", "Typing moves", _NOTATION),
    Topic("rulings", "House rulings", RULINGS),
    Topic("card-rulings", "House rulings about cards", CARD_RULINGS),
)
