"""The words with which players cut the deck.

2,048 plain English words in alphabetical order: lower-case ASCII letters, three to eight of them.  No two
have the same first four letters (a shorter word counts as it is).  None offends.
The place of a word does not enter any deal, so the list may change between releases; but the words of a
game must be in the list of the release that checks it.
"""

from typing import Final

_WORD_LIST_TEXT: Final = """
abstract academy accent account acid acorn acre across act actor adapt add address adjust admire adobe
adopt adult advance aerial affair afford agenda agile agree ahead aid aim air airport airy alarm album
alcove alder alert algebra alike alive alley allow almanac almond aloe alpaca alpine amaze amber amble
amount ample amuse anchor ancient angle animal ankle annual another answer antenna antique antler anvil
apex apple apricot apron aqua arbor arcade arch arctic arena argue arise ark armor aroma arrange arrive
arrow artist ascend ashore asleep aspen asphalt assist aster athlete atlas atom attach attend attic
auburn auction audio august author autumn avenue average avid avocado avoid awake award awning axis axle
azure baby bacon badge bag bagel bake balance balcony ball bamboo banana band banjo bank banner banquet
barber bargain barley barn barrel basil basket batch bath baton battery bay bazaar beach bead beak beam
bean bear beaver bed beehive before begin beige bell belt bench bend benefit beret berry best better
bicycle bike binder birch bird biscuit bison blanket blaze blend blink bliss block bloom blossom blouse
blue board boat bobbin body bold bolt bonfire bongo bonnet bonus book boost boot border borrow bottle
bounce bow bowl box bracket brain branch brave bread breeze brick bridge bright brim bring brisk broad
broccoli broom brother brown brunch brush bubble bucket bud budget buffalo buggy bugle build bulb bulk
bumper bundle bunny burger burrow bus bush busy butler butter buzz bypass cabbage cabin cable cactus
cadet cafe cage cake calcium calendar calf calm camel camp canal candle canoe canvas canyon cap cape
captain car caramel card cargo carnival carol carpet carrot cart carve cascade castle casual cat catch
cattle cause cave cedar ceiling celery cement center certain chain chalk change chapter charm chase chat
cheer chef cherry chess chew chief child chime chin chip choir choose chorus chrome chunk cider cinema
cinnamon circle citizen citrus city civic claim clam clap clarinet class clay clean clerk clever cliff
climb clip cloak clock cloth cloud clover clown club cluster coach coast coat cobalt cobbler cocoa
coffee coil coin collar colony column comb comedy comfort comic common compass concert condor cone
confetti connect cook cool copper copy coral cord cork corner cosmic costume cottage couch cougar count
couple courage cousin cover cow cozy crab cradle craft crane crater crayon cream credit creek crest
cricket crocus crop cross crowd cruise crumb crust crystal cub cube cuckoo cucumber cuddle cuff cumin
cup cupboard curious curl curve cushion custom cycle cypress dahlia daily dainty dairy daisy dam dance
dapper daring dart dash data date daughter dawn day dazzle debut decade december decide deck decor deep
degree delight delta deluxe den denim depot depth deputy derby design desk dessert detail develop device
diagram dial diamond diary dice dig digit dime dinghy dinner dinosaur diploma direct dish distant dive
dock doctor dodge dog doll dolphin dome donate donkey door dormouse dot double dough dove dozen draft
dragon drama draw dream dress drift drill drink drive drizzle drop drum dry duck duet dugout duke dune
duplex durable dusk dust duty dwell dynamo eager eagle ear early earnest earth easel east easy echo
eclipse ecology edge edit educate eel effect effort egg eggplant egret eight elastic elbow elder elect
elegant element elephant elf elk elm elves ember emblem embrace emerald emotion empire employ emu enable
encore endure energy engine enjoy enormous enrich enter envelope envoy enzyme epic episode equal equip
errand essay estate eternal evening evident evolve example excel exchange excite exhibit exotic expand
expert explore export express extra eye eyelash fable fabric face fact fair faith falcon fall family
famous fan fancy far farm fashion fast father faucet favor fawn feast feather february fedora feed feel
fence fennel fern ferry festival fever fiber fiction fiddle field fiesta fig figure file film filter
final finch find finger finish fire first fish five flag flame flap flash flavor fleece flex flight
flint flip float flock flood florist flow flute fly foam focus fog foil folder folk follow food foot
forest forget fork form forum forward fossil foster fountain four fox fraction frame freckle free
freight fresh friend frog front frost fruit fudge fuel full funnel furnace future fuzzy gadget gala
gallery game gap garage garden garlic garment gasket gate gather gauge gazelle gear gecko gelatin gem
general genius gentle genuine gesture geyser ghost giant gift giggle ginger giraffe girl give glacier
glad glance glass glaze gleam glide glimpse glitter globe glossy glove glow glue gnome goal goat goblet
goggles gold golf gondola goose gopher gorge gourd govern gown grace grain grand grape grass gravel gray
great green grid grill grin grip grocery groom ground grove grow guard guava guess guide guild guitar
gulf guppy guru gust gym habit haddock hair half hall halo hamlet hammer hamster hand hangar happy
harbor harmony harp harvest hat hatch haven hawk hay hazel health heart hedge height helium helmet help
hen herald herb hermit hero herring hexagon hickory hidden high hike hill hinge hint hip hippo history
hive hobby hockey hold holiday hollow home honey honor hoof hook hope horizon horn horse host hotel
house hover hub huddle hug humble humid humor hundred hurdle hurry husk hut hyacinth hybrid hydrant
hyena hyphen ibex ibis ice icicle icon icy idea identify igloo ignite iguana image import improve inch
include income index indigo indoor ingot ink inlet inner input inquire insect inside instant invent iris
iron island itch item ivory ivy jacket jade jaguar jam january jar jasmine jaunt javelin jaw jay jazz
jeans jeep jelly jersey jester jet jewel jigsaw jingle jockey jog join joke jolly jot journey joy judge
jug juggle juice july jumbo jump june jungle junior jury jute kangaroo karate kayak keel keen kelp
kennel kettle key keyboard khaki kick kidney kiln kilt kimono kind king kiosk kitchen kite kitten kiwi
knee knit knob koala label lace ladder lady lagoon lake lamb lamp land lane language lantern lap lapel
larch large lark laser lasso latch latte laugh launch laurel lava lavender lawn layer lead leaf league
leap learn leather lecture ledge legend lemon length lens lentil leopard lesson letter level liberty
library lid life lift light like lilac lily lime limit line linger lion liquid list liter little live
lizard llama load loaf lobby lobster local lock locust lodge loft logic lollipop lonely look loom loop
lore lotion lotus loud lounge love loyal lucky luggage lullaby lumber lunar lunch lung lupine lush lute
luxury lynx lyric macaroni machine magenta magic magnet magpie mahogany majesty major mallet mammal
manage mandolin mango mansion mantle manual map maple marble march margin marigold mark maroon marsh
marvel mash mask mast match math matter maximum maze meadow meal measure medal melody melt member memory
menu merit mermaid merry mesh message meteor method metro mice middle midnight mild mile milk mill mimic
mimosa mineral mini mint minute miracle mirror mist mitten mix mixture mobile model modify mohair moist
moment monday money monitor monkey month mood moon morning mosaic moss motel moth motion mountain mouse
mouth movie muffin mug mulberry mule multiply mumble museum mushroom music mustard mutual myrtle mystery
myth nachos nail name napkin narrow national nature nautical navy neck nectar neighbor neon nephew nest
net nettle neutral news nibble nice nickel niece night nimble nine ninja noble nod noise nomad nonsense
noodle noon normal north nose notable note notice novel nozzle nudge nugget number nurse nutmeg nylon
oak oasis oatmeal object oblong oboe observe obtain obvious ocean ocelot octagon october odd offer
office often oil okra olive omega omelet onion online onyx opal open opera opinion opossum oppose
optical orange orbit orchard order oregano organ orient origin oriole ornate osprey ostrich otter
ottoman ounce outback outdoor outfit outline output oval oven owl oxbow oxford oxygen oyster ozone pace
pack paddle padlock page paint pajamas palace palm pamphlet pan panda panel pansy panther papaya paper
paprika parade parcel pardon parent park parlor parrot parsley passage past patch path patient patrol
pattern pave peach peanut pear pebble pecan pelican pencil penguin penny people pepper perch perfect
petal pheasant phone photo phrase physics piano picnic picture pigeon pilgrim pillow pilot pine pink
pint pioneer pipe pirate pitch pivot pizza place plain planet plaster plate plaza please pledge plenty
plot plow plum pocket pod podium poem point polar polish polka pollen polo pond pony poodle popcorn
poplar poppy porch porridge port position post potato pottery pouch pound powder power practice prairie
present pretty previous pride prince prism prize problem promise proof proper protect proud proverb
public puddle puffin pulp pulse pumpkin punch puppet purple push puzzle pyramid python quail quality
quantity quasar quench quest quick quiet quill quince quit quiver quiz quota rabbit raccoon radar radio
raft rag rail raisin rake rally ramble ramp ranch random range rapid rattle raven ravioli razor reach
reason receive recipe record recycle red redwood reef reel refer reflect refresh refuge region regular
reindeer relax relish remark remedy remind remote render renew rent repair reply report rescue resort
result return reunion reveal review reward rhythm rib ribbon rice rich riddle ride ridge rim ring rinse
ripple rise rival river road roast robe robin robot rock rodeo roman romp roof room rooster root rope
rose rotate rough round rover royal rubber ruby rudder rug rugby rule rumba run rung runway rural sable
sack saddle safari safe saffron saga sage sail salad salmon salsa salt salute sample sand sapling
sapphire sardine sash satchel satin saturday sauce sauna sausage savanna scale scarf scene scholar
science scoop score scout screen script scroll sculptor sea search season seat second secret sedan
segment select self semi senior sense sentence sequel serene sesame session settle seven sewing shade
shaft shallow shamrock shape share shawl shed sheep shelf shepherd sherbet shield shift shine ship shirt
shoal shop shore shovel show shrimp shrub shuffle shut siesta sift sight sign silk silver simple sing
siren sister sitar six size skate sketch ski skill skin skip skirt sky skylark slate sled sleep slice
slide slim slogan slope slow small smart smile smoke smooth snack snail snake sneaker snip snorkel snow
snug soak soap soccer social sock soda sofa soft soil solar solo sonata song sort sound source south soy
space spade spark speak special speed spell sphere spice spider spike spin spiral splash spoke sponge
spoon sport spot spray spread spring sprout spruce square squeeze squid stable stadium staff stage stamp
star steam stem step stereo stew stitch stock stone stool stop store stove straw string student style
subject sublime sudden suffix sugar suggest summer sun sunday sunset super supper surf surprise survey
sushi swallow swamp swan swap swarm sweater sweet swift swim swing switch sword symbol sympathy syrup
system tab table tackle taco tadpole taffy tag talent talk tall tame tandem tangle tank tap tape tapir
target task taste tavern team teapot teddy temple ten tennis tent terrace test text thank thatch theater
theme theory thick thimble third thistle thorn thread thrive thrush thumb thunder thursday tiara ticket
tidy tiger tile timber tinsel tiny titan title toad toast today toddler toffee toga token tomato tonic
tool tooth top topaz topic torch tortoise total toucan tour towel town toy trace traffic trail travel
treasure tree trek trend trick trim trio trip trolley tropic trot trowel truck trumpet trunk trust try
tub tuba tuesday tug tulip tumble tuna tundra tune tunnel turban turkey turn turtle tutor tuxedo tweed
twelve twenty twig twilight twin twirl twist ukulele ultra umbrella umpire uncle uniform union unique
unit unlock update uphill uplift upper upright urban urchin urge usage useful usher utensil vacant
vacuum valley value van vanilla vapor variety varnish vase vast vault vector velvet veneer venture verb
verse vertical vessel vest veteran viaduct vibrant victory video view vigor village vine vintage vinyl
viola visible visor vista vivid vixen vocal vogue voice volcano volley volume voyage vulture wafer
waffle wag wagon walk wallet walnut walrus waltz wander warm watch water wave wax weasel weave web wedge
weed week welcome west whale wharf wheat wheel whisk white wide width wiggle wild willow win wind wing
winner winter wire wisdom wish wizard wolf wombat wonder wood wool work world wren wrist yacht yak yam
yard yarn yawn year yeast yellow yodel yoga yogurt young youth yoyo yucca zeal zebra zenith zephyr zero
zest zigzag zinc zip zipper zircon zodiac zone zoo zoom zucchini
"""

CUT_WORDS: Final = tuple(_WORD_LIST_TEXT.split())
"""All the words, in alphabetical order."""
