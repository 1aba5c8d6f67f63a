"""The help of Oceans in our own words: topics for ``/rules``.

Sentences marked "house rule" are this program's rulings where the published rules are silent or leave a
choice.  ``rules.oceans.words.glossary`` has a page for each card.
"""

from typing import Final

from rules.oceans.cards.surface import SURFACE_TRAITS
from rules.oceans.words.help_options import (
    DEEP_CARD_COUNT,
    EASY_DEEP_CARD_COUNT,
    OPTIONS_PAGE,
    RETAIL_SCENARIO_COUNT,
)
from rules.oceans.words.help_rulings import CARD_RULINGS_PAGE, RULINGS_PAGE
from rules.words import Topic

_INTRODUCTION_PAGE: Final = """\
You invent sea creatures, feed them from a sea that runs dry, and score the population that ages.

- Each of your **species** is a board for population and up to three **traits**. Traits are cards that you \
play on it. You may have any number of species.
- A turn has four phases. **Play a card** as a trait, or to move population in the water. **Feed one \
species**: it forages in the Reef or attacks another species. **Age** each of your species by 1. **Draw** to \
six cards.
- What ages goes behind your shield and is your score. A species that cannot give what it owes dies out.
- Neighbours matter. Many traits gain when a neighbouring species feeds or is attacked, even another \
player's.
- When Ocean zone 1 is empty for the first time, the **Cambrian Explosion** doubles the pace and brings the \
Deep cards into play. (The Reef Variant has none.)
- When all three Ocean zones are empty, that round is the last.

Most points win: your score pile, the population on your species, and a bonus. The earlier your turn, the \
larger the bonus.

Before you confirm a choice, you see what it would bring. Every card has its page: type its name as the \
topic of `/rules`."""

_SETUP_PAGE: Final = """\
The water has four zones: the **Reef** and the **Ocean zones 1, 2 and 3**. A quarter of the population lies \
in each.

- The zones hold 100 in all with two players, 120 with three, 140 with four, 160 with five, 180 with six. \
The reserve holds 60 more. The option *quick* has about half of this.
- One Scenario card lies below zone 1 and one below zone 2, the Cambrian Explosion in zone 1.
- Everybody gets six Surface cards. Two Deep cards lie face up: the Gene Pool. In the Reef \
Variant there is none, and the Scenario cards are Abundance and Fertile.
- The first Surface card is turned over and discarded. The Reef and zone 1 each give as much population as \
its number to zone 3.
- Who goes first is drawn by lot. The later your turn, the smaller your bonus at the end.
- Bonuses with two players: 4, 0 · three: 6, 4, 0 · four: 7, 6, 4, 0 · five: 8, 7, 6, 4, 0 · six: 9, 8, 7, \
6, 4, 0.

Nobody begins with a species."""

_TURN_PAGE: Final = """\
1. **Cards.** Play one card, or two after the Cambrian Explosion. Each card **evolves** a species or \
**migrates** population. You must play them as long as your hand has a card that you may play. You may also \
remove traits of your own species.
2. **Feeding.** First your leeching traits and similar ones act by themselves. Then one of your species \
**forages** or **attacks**. You may pass.
3. **Aging.** Each of your species gives 1 to your score pile, or 2 after the Cambrian Explosion. A species \
that cannot give it all dies out.
4. **Drawing.** You may take one Deep card (not in the Reef Variant), then discard Surface cards. Then you \
draw Surface cards up to six cards in hand.

Then it is the next player's turn, clockwise. After each card, each feeding and Aging, three things are \
checked in this order: too many traits, overpopulation, emptied zones."""

_EVOLVING_PAGE: Final = """\
A card becomes a **trait**: the first one of a new species, or another one on a species of yours.

- You may have any number of species. A new one may stand anywhere in your row: at either end or between two \
others. It begins with 0 population.
- It ages this turn like all others. If it gets no population before, it dies out.
- A species has room for **three traits**. Some traits bring slots of their own (+1 slot), so they also fit \
on a full species. A species may have the same trait more than once. Each copy counts.
- A trait works from the moment it is laid.
- A **Deep card** (there are none in the Reef Variant) costs population: its number goes from your score \
pile to one zone of your choice. You must be able to pay all of it. You pay with points, so evolve it when \
it will earn more than it costs.
- You may **remove** your own traits in this phase, as many as you like and for nothing. Surface cards go \
to the discard pile, Deep cards out of the game. A species without traits stays: Forage 1, Attack 1.

House rule: if a slot is lost later, the owner discards the excess at once. Cards that go on somebody else's \
species need a free slot there."""

_MIGRATING_PAGE: Final = """\
Instead of evolving with a card, you can discard it to **migrate**. As much population as its number moves \
from one zone to another.

- You may choose any two of the four zones. If the source holds less, all of it moves.
- Surface cards migrate 5 to 11. Deep cards (not in the Reef Variant) migrate as much as they would cost, 1 \
to 5. That costs nothing, but then the card is out of the game.

Reasons to migrate:

- filling the Reef before you forage, or emptying it before another player does,
- emptying zone 1 or 2: a Scenario card comes into force, and the first time in zone 1 the Cambrian \
Explosion happens,
- putting population into zone 1 or 2: its Scenario card is switched off,
- emptying the whole Ocean: the end begins.

House rule: if every zone is empty, a card is simply discarded."""

_FEEDING_PAGE: Final = """\
On your turn **one** of your species feeds: it forages or attacks. It needs a free space and something to \
take. It takes as much as it can: you cannot take less to avoid overpopulation.

**Foraging.** Add up the Forage values of its traits. A species without any has Forage 1. That much moves \
from the Reef to its board, as far as the Reef and the free spaces allow. While the Reef is \
empty no species can forage there. It fills again when population migrates or overflows there.

**Attacking** has a page of its own.

- A struck-out icon means never. With one such trait the species does not forage (or attack), whatever else \
it has.
- Traits such as Tentacled let the same species feed again. Each time it may forage or attack, with all that \
follows. This ends when that species itself overpopulates.
- If none of your species can feed and you have no trait to remove, the phase is passed for you. Otherwise \
you may pass with `skip`.

Before a forage or an attack is final, you see what it takes and what every species gains or loses. You also \
see who overpopulates, and which of your species would die out at Aging."""

_ATTACKING_PAGE: Final = """\
An attack names any other species at the table, your own included, neighbour or not.

- Add up the **Attack** values of the attacker's traits. A species without any has Attack 1.
- The target's **Defence** saves that much of the population that would be taken. For example, with Attack 5 \
against Defence 2 and 3 population, three would be taken, two are saved, so one is taken. An attack never \
takes a target below its Defence.
- The attacker takes only what fits on its board. The rest stays with the target.
- An attack must take at least 1. Otherwise it is not allowed.
- Some traits forbid attacks altogether: Schooling while it holds 5 or more, Transparent while the Reef \
holds population. Defence does not lower the Attack itself: cleaners go by its whole value.

No species dies out from an attack. With 0 population it lives on and cannot be attacked. It must find \
population before it ages.

A **defensive trait** is one with a Defence value or one that limits who may attack its species. Some \
attackers ignore one of these, or all."""

_TRIGGERS_PAGE: Final = """\
What a feeding sets off happens by itself, in this order:

1. Traits that **take** or make others **lose** population after a feeding. They act clockwise from the \
player whose turn it is, and from left to right for each player.
2. All **gains** at once. Each species that gains takes the sum of its Gain values from Ocean zone 1. When \
that is empty it takes from zone 2, then zone 3, never from the Reef. It never takes more than its free \
spaces. If the population runs short, the order is clockwise.
3. What reacts to gains.
4. The checks: overpopulation, then emptied zones.

Which traits react is settled before anything moves. A gain sets off no further gain.

**Cleaners** look outwards from the species that fed, to both sides. On each side the nearest species \
with that cleaner gains, so at most two gain. Shark Cleaners react to attackers with Attack 3 or more, \
Whale Cleaners to foragers with Forage 3 or more. The feeder's own cleaner does not count.

House rule: a species with Bottom Feeder that attacks its left neighbour gains from that, too. Several \
copies of a trait react separately."""

_NEIGHBOURS_PAGE: Final = """\
All species form one **ring**. Everybody faces the water. To the right of your right-most species stands the \
left-most species of the player to your right, and so on all the way round.

- The species on the *left* is the next one in the other direction. For your left-most species that is the \
right-most one of the player to your left.
- In the picture the arrowheads on the line between species point to the right.
- Turns go clockwise, to the left. So the ring, read to the right, goes through the players in reverse turn \
order.
- A player without species is skipped. If there are only two species in play, each stands on both sides of \
the other, but counts as one neighbour. A single species has none.

The place of a new species decides its neighbours. Think of the species on its left: Bottom Feeder needs \
one that is attacked. Symbiotic needs one that feeds. Parasitic needs one with much population."""

_BEFORE_FEEDING_PAGE: Final = """\
After the cards and before you feed, some traits of **your** species act by themselves. They act from left \
to right, on each species in the order in which they were played. You are asked where there is a choice.

**Leeching** moves population from another species to the one that leeches. It is neither foraging nor an \
attack. Defence does not help, and nothing reacts to it as to an attack. Transparent stops it while the Reef \
holds population. Some Deep traits always stop it.

- Parasitic leeches 2 from the species on its left, which may be another player's.
- It takes what is there and fits. It is not optional, even if you then pass the feeding.
- A species left with nothing lives on.

After these effects the table checks for overpopulation. A species that overpopulates here may still feed."""

_OVERPOPULATION_PAGE: Final = """\
A species board has **ten spaces**. The tenth is the fishbone. It is filled last.

At each check, every species that is full, its last space filled, **overpopulates**: it falls back to \
**5**. Its overflow goes to one zone that its owner chooses: the Reef or an Ocean zone.

- The checks come after every card played, after what acts before feeding, after each feeding with all its \
gains, and after Aging. So all gains of a feeding come before any species falls back.
- Species of other players overpopulate on your turn, too.
- If the species that feeds overpopulates, its feeding is over, even if it could feed again. Other \
species that overpopulate do not stop it.
- Filter Feeder never overpopulates.
- Traits and Scenario cards can change the number of spaces. The last one is the fishbone then. The species \
still falls back to 5.

House rule: on another player's turn you are not asked. Your overflow goes to the Reef, or where your \
standing answer says. You may change it with `overflow`, once in each of your turns."""

_AGING_PAGE: Final = """\
In the Aging phase each of **your** species gives **1** population to your score pile, or **2** after the \
Cambrian Explosion. Traits and Scenario cards add to it or take away. You may not decline.

- A species that has less than it owes gives what it has and then **dies out**: it leaves the table with \
all its traits. Surface cards go to the discard pile, Deep cards out of the game.
- A species that has exactly enough ends at 0 and lives on. It must find population before the next Aging.
- New species age in the turn in which they were started.

Only one of your species feeds in a turn. The others live on gains from other feedings, on leeching, or on \
what they have. With many species, look ahead: the previews name the species \
that would die out.

There is no other way to die out, unless a card says so."""

_DRAWING_PAGE: Final = """\
In this order:

1. You may get **one Deep card** (not in the Reef Variant), even before the Cambrian Explosion. Take the top \
card of a Gene Pool pile, which everybody has seen. Or look at three cards of the deck in secret and keep \
one. The other two go face up on the piles, one on each, as you like.
2. You may **discard** any of your Surface cards. Deep cards cannot be discarded.
3. You **draw** Surface cards up to six cards in hand, Deep cards counted. With six or more you draw \
nothing. You may hold more cards than six: there is no hand limit.

Until the Cambrian Explosion nobody can play Deep cards. Six of them fill your hand: then you neither play \
nor draw a card before it.

When the Surface deck is used up, the discard pile is shuffled into a new one. The Deep deck is never \
shuffled again.

Everybody sees how many Surface and Deep cards you hold, since their backs differ.

House rule: if taking the top card empties a pile, the next card of the deck is turned up on it. With two \
Deep cards left you keep one and choose the pile for the other. If only one is left, you keep it. If both \
Surface piles are used up, your hand stays short."""

_CAMBRIAN_PAGE: Final = """\
The **Cambrian Explosion** happens when Ocean zone 1 becomes empty for the first time. It lasts for the \
rest of the game, even if population comes back into zone 1.

- In the card phase **two** cards are played instead of one.
- In the Aging phase each of your species gives **2** instead of 1.
- **Deep cards** may be played (not in the Reef Variant).

It takes effect at once. If your migration causes it, you play one more card this turn, which may be a Deep \
one. Your species already age 2 this turn, also if a gain before Aging causes it. If Aging itself causes it, \
they age 2 from the next turn on.

The Scenario card below zone 1 comes into force at the same moment. All gains and overpopulation of the \
feeding that emptied the zone come first. The explosion comes even if population has come back into the zone \
by then."""

_SCENARIOS_PAGE: Final = f"""\
A Scenario card lies below zone 1 and another below zone 2, face up from the start.

- **Ongoing** ones (blue) are in force while their zone is empty. Any population in the zone switches them \
off at once.
- **Events** (purple) happen once each time their zone becomes empty, even if population has come back \
before the check.

Both zones are checked after every card, feeding and Aging, once all that follows is done. Zone 1 comes \
first.

If both cards are in force, their numbers add up. Scenario cards overrule the core rules. The text of a \
trait overrules both for its own species.

The two are drawn from the {RETAIL_SCENARIO_COUNT} cards of the box. The option *scenarios* adds the \
promotional ones that a program can apply, or leaves only Abundance and Fertile, as the Reef Variant does. \
Every card has its page in `/rules`.

House rule: where a card leaves a choice, the player whose turn it is chooses. An event that gives \
population takes it from the lowest-numbered zone that holds any."""

_DEEP_CARDS_PAGE: Final = f"""\
There are {DEEP_CARD_COUNT} Deep traits, one card of each. You get them when you draw. You may play them \
once the Cambrian Explosion has happened. The Reef Variant has none.

- **Evolving** with one costs its number: that much goes from your score pile to one zone of your choice. \
You must be able to pay all of it, also for a new species.
- **Migrating** with one moves its number and costs nothing.
- They take trait slots like any other trait.
- When they are removed, used to migrate or lost with their species, they are out of the game.

Several share the name of a Surface trait, such as Deep Speed. They count as that trait wherever its name \
matters.

A trait's text is about its own species unless it says otherwise. *Taking* is no attack, no leeching and no \
gain. Only an empty or a full board stops it.

The option *deep* can leave only the {EASY_DEEP_CARD_COUNT} cards that have numbers or one simple effect."""

_END_PAGE: Final = """\
The end comes when zones 1, 2 and 3 have all been empty at the same moment. The next check **triggers the \
end**, even if population has come back by then. The reserve (60, or 30 in a quick game) goes into zone 3, \
and the round is played to its end. The last turn belongs to the player with the bonus of 0. The Reef does \
not matter for this.

- If it happens on that last player's own turn, the game ends with that turn.
- All rules go on. If the Ocean runs dry again, gains come from an unlimited supply.
- House rule: if the Ocean runs dry in the middle of a gain, the reserve comes in at that moment and the \
gain goes on. The end is triggered all the same.

**Score:** 1 point for each population behind your shield, 1 for each on your species, and your bonus. A tie \
goes to the player with more traits in play. If that is even, the win is shared.

The bonus cannot be spent on Deep cards. Score piles are secret until the end. You see your own.

If you resign, your population goes to the Reef and your cards to their piles. You keep your score pile as \
your points, but you are last. The others play on. The last one left wins."""

_SURFACE_CARDS_PAGE: Final = "The twelve Surface traits, ten cards of each:\n\n" + "\n".join(
    f"- **{trait.name}**: {trait.full_text}" for trait in SURFACE_TRAITS
)

_STANDING_ANSWERS_PAGE: Final = """\
Other players take their turns without waiting for you. Where a rule would ask you something on another \
player's turn, a standing answer holds instead. In the card phase of each of your turns you may change one, \
but not in the last turn of the game.

- `overflow`: where your species' overflow goes when they overpopulate on another player's turn. At first it \
is the Reef. On your own turns you are asked each time.
- `metabolism`: whether your species with Fast Metabolism age in other players' Aging phases. At first they \
do not.

For the rest there are fixed rules. If one of your species has too many traits on another player's turn, the \
newest is removed. Burrower strikes back whenever that is a legal attack. Rapid Mutation makes its exchange \
in your next card phase. Slow Metabolism spares nothing, and Warm Blooded ages no more than it must."""

_NOTATION_PAGE: Final = """\
Moves can be typed. Cards have codes. A Surface card is two letters and its number (SP7 is Speed 7). A Deep \
card is three letters (HYD). Species are A1, B2 and so on, numbered from 1 to 9 in turn. Zones are `reef`, \
`z1`, `z2`, `z3`.

- `create SP7 0`: a new species with 0 of your species to its left
- `evolve SP7 A2` · `evolve HYD A2 z3`: a Deep card's cost goes to zone 3
- `migrate SP7 reef z3` · `cast SP7` if all zones are empty
- `drop A2 IN7`: remove a trait · `done`: no more cards
- `forage A2 reef` · `attack A2 C1` · `attack A2 C1 IN7`: ignoring Inking · `skip`: feed no more
- `choose C1`: the answer where something is asked · `spill z2`: where overflow goes
- `take 1`: the top of Gene Pool pile 1 · `look` · `keep HYD TIN ZOO`: TIN goes on pile 1, ZOO on pile 2
- `discard SP7` · `discard IN9,SP7`: several at once · `draw`: ends the turn
- `overflow z1` · `metabolism yes`: standing answers
- `exchange A2 IN7 SP8` (Atavism) · `swap A2 IN7 A3 SP8` · `mutate A2 HYD 1` (Rapid Mutation, pile 1)

Put `;` between several moves on one line. You may leave out words that are not needed to tell a move from \
others."""

TOPICS: Final = (
    Topic("introduction", "Oceans in one minute", _INTRODUCTION_PAGE),
    Topic("turn", "A turn", _TURN_PAGE),
    Topic("evolving", "Evolving: species and traits", _EVOLVING_PAGE),
    Topic("migrating", "Migrating population", _MIGRATING_PAGE),
    Topic("before-feeding", "Before feeding: leeching", _BEFORE_FEEDING_PAGE),
    Topic("feeding", "Feeding and foraging", _FEEDING_PAGE),
    Topic("attacking", "Attacking and Defence", _ATTACKING_PAGE),
    Topic("triggers", "What a feeding sets off", _TRIGGERS_PAGE),
    Topic("neighbours", "Neighbours: the ring", _NEIGHBOURS_PAGE),
    Topic("overpopulation", "Overpopulation", _OVERPOPULATION_PAGE),
    Topic("aging", "Aging and dying out", _AGING_PAGE),
    Topic("drawing", "Drawing cards", _DRAWING_PAGE),
    Topic("cambrian", "The Cambrian Explosion", _CAMBRIAN_PAGE),
    Topic("scenarios", "Scenario cards", _SCENARIOS_PAGE),
    Topic("deep-cards", "Deep cards", _DEEP_CARDS_PAGE),
    Topic("surface-cards", "The Surface traits", _SURFACE_CARDS_PAGE),
    Topic("end", "End and score", _END_PAGE),
    Topic("setup", "Set-up", _SETUP_PAGE),
    Topic("options", "Options", OPTIONS_PAGE),
    Topic("standing-answers", "On other players' turns", _STANDING_ANSWERS_PAGE),
    Topic("notation", "Typing moves", _NOTATION_PAGE),
    Topic("rulings", "House rules", RULINGS_PAGE),
    Topic("card-rulings", "House rules about cards", CARD_RULINGS_PAGE),
)
