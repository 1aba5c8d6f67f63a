"""The pages of this program's rulings where the published texts of Oceans are silent."""

from typing import Final

RULINGS_PAGE: Final = """\
Where the published rules are silent or can be read in two ways, this table plays as follows. A ruling about \
a single card is on its page.

- The four piles of population are exact quarters. Which Scenario card lies where is drawn by lot.
- You must play as many cards as you owe and have. A hand that holds only Deep cards before the Cambrian \
Explosion plays none.
- A Deep card's cost is paid before it acts and is not given back. Passing a feeding is allowed.
- What a feeding sets off: first losses and takes, then all gains together, then what reacts to gains, then \
the check.
- A zone that becomes empty counts as emptied, even if overpopulation fills it again before the check. The \
Cambrian Explosion, an event and the end still happen.
- An ongoing Scenario card comes into force at the check, and only if its zone is still empty. It stops \
as soon as population comes into its zone again, also in the middle of a feeding.
- A check has this order: too many traits, overpopulation, the Cambrian Explosion, the Scenario card of zone \
1, that of zone 2, the end. It is repeated until nothing changes. No more than ten Scenario events happen in \
one turn.
- A species never takes more than fits on its board, whatever gives it.
- Where a card's text leaves a choice of zone, the card's owner chooses. An event without a choice uses the \
lowest-numbered zone that holds any.
- Ties that traits do not break are shared.
- The starting player is drawn by lot. After the last round of the round cap the game is scored as it \
stands.
- Hands, Deep cards looked at, and score piles are secret. How many Surface and Deep cards somebody holds, \
costs paid, the discard pile and cards taken from the Gene Pool are public.

Oceans is a game of North Star Games. These words and this program are not theirs."""

CARD_RULINGS_PAGE: Final = """\
- **Which side**: Bottom Feeder, Symbiotic and Parasitic look to their *left*.
- **Copies** of a trait act separately: two Parasitic leech 2 and 2, two Tentacled allow two more feedings.
- **Related traits**: a Deep trait of the same name counts as that trait, for cleaners, Inking, Schooling, \
Speed and the like.
- **Leeching traits** are Parasitic, Deep Parasitic, Chitin-Plated Maw and Tentacle Leech. Cthulhu Leech \
is not one.
- **Defensive traits** have a Defence value or limit who may attack. "Cannot be attacked" can be ignored by \
some traits. A Defence value is ignored only where the card says so. An ignored trait does \
not sting.
- **Stings** and losses take what is there. A species at 0 lives on until it ages.
- **Spaces**: with more or fewer spaces the last one is always the fishbone. Overpopulation leaves 5. A \
species that never overpopulates fills its last space and stays there.
- **Never forages, never attacks** wins over any value, also over Scenario cards that give icons.
- **Default 1**: a species without an icon has Forage 1 and Attack 1. An icon from a Scenario card takes its \
place. Defence has no default.
- **Doubtful numbers**, known from one source only: Sea Rex (we play Attack 6), The Kraken (13), \
Communication (Defence 5), Hard Shell (Defence 6 and nothing else), Scavenger (Gain 1).
- **On another player's turn** nobody is asked. Burrower strikes whenever it may. Rapid Mutation waits for \
its owner's next card phase. Fast Metabolism follows the standing answer. Slow Metabolism spares nothing, \
and Warm Blooded ages no more than it must.
- **Exchanges and swaps** leave out traits that cannot be removed. A trait that comes to a species works at \
once.
- **Mass Migration** while a species feeds: if that species is handed on, the feeding phase is over."""
