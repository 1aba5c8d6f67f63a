"""What the box of Current Affairs holds: regions with their currents, trash, contracts, upgrades.

The rulebook shows board and cards in pictures only, which we do not have.  ``ASSUMPTIONS`` lists the
numbers that we chose; ``/rules`` shows the list.
"""

import enum
from typing import Final, NamedTuple


class Trash(enum.Enum):
    """A kind of trash, by its letter."""

    PLASTIC = "P"
    ALUMINIUM = "A"
    GLASS = "G"
    NET = "N"
    RUBBER = "R"


TRASH_TOKEN_COUNTS: Final = {
    Trash.PLASTIC: 24,
    Trash.ALUMINIUM: 18,
    Trash.GLASS: 14,
    Trash.NET: 12,
    Trash.RUBBER: 12,
}
"""The tokens of each kind, 80 in all: as many as the regions' stacks hold at the start."""


class Animal(enum.Enum):
    """The animals whose habitats can be restored; each lives in four regions."""

    SEAL = "seal"
    WHALE = "whale"
    ALBATROSS = "albatross"
    TURTLE = "turtle"
    MANTA = "manta"


class Port(enum.Enum):
    """The ports by their colour, which is a contract's colour too."""

    WHITE = "white"
    RED = "red"
    GOLD = "gold"
    VIOLET = "violet"


PORT_NAMES: Final = {
    Port.WHITE: "Yokohama",
    Port.RED: "San Francisco",
    Port.GOLD: "Brisbane",
    Port.VIOLET: "Callao",
}


class Region(enum.Enum):
    """The twenty regions by their code."""

    OKH = "OKH"
    BER = "BER"
    ALA = "ALA"
    KUR = "KUR"
    EMP = "EMP"
    GPP = "GPP"
    CAL = "CAL"
    PHI = "PHI"
    HAW = "HAW"
    CLI = "CLI"
    CTR = "CTR"
    MIC = "MIC"
    LIN = "LIN"
    GAL = "GAL"
    COR = "COR"
    TAH = "TAH"
    PER = "PER"
    TAS = "TAS"
    CHA = "CHA"
    NEM = "NEM"


class RegionFacts(NamedTuple):
    """A region: its name, its place on the chart (0 to 1000, 0 to 700), its stack, animal and port."""

    name: str
    """In sentences, on buttons and on charts, whose regions have room for some 17 letters at most."""
    x: int
    y: int
    stack_size: int
    """How many trash tokens it has at the start."""
    animal: Animal
    port: Port | None = None


REGIONS: Final = {
    Region.OKH: RegionFacts("Sea of Okhotsk", 160, 80, 3, Animal.SEAL),
    Region.BER: RegionFacts("Bering Sea", 430, 65, 3, Animal.ALBATROSS),
    Region.ALA: RegionFacts("Gulf of Alaska", 730, 85, 4, Animal.WHALE),
    Region.KUR: RegionFacts("Kuroshio", 110, 200, 3, Animal.TURTLE, Port.WHITE),
    Region.EMP: RegionFacts("Emperor", 365, 185, 5, Animal.ALBATROSS),
    Region.GPP: RegionFacts("Garbage Patch", 620, 200, 6, Animal.TURTLE),
    Region.CAL: RegionFacts("California", 890, 205, 4, Animal.SEAL, Port.RED),
    Region.PHI: RegionFacts("Philippine Sea", 215, 310, 4, Animal.WHALE),
    Region.HAW: RegionFacts("Hawaiian Ridge", 500, 300, 5, Animal.WHALE),
    Region.CLI: RegionFacts("Clipperton Zone", 790, 310, 4, Animal.TURTLE),
    Region.CTR: RegionFacts("Coral Triangle", 90, 415, 5, Animal.MANTA),
    Region.MIC: RegionFacts("Micronesia", 350, 410, 4, Animal.MANTA),
    Region.LIN: RegionFacts("Line Islands", 630, 405, 4, Animal.MANTA),
    Region.GAL: RegionFacts("Galápagos", 900, 415, 4, Animal.SEAL),
    Region.COR: RegionFacts("Coral Sea", 200, 520, 3, Animal.TURTLE, Port.GOLD),
    Region.TAH: RegionFacts("Society Islands", 500, 515, 3, Animal.WHALE),
    Region.PER: RegionFacts("Humboldt", 815, 520, 3, Animal.MANTA, Port.VIOLET),
    Region.TAS: RegionFacts("Tasman Sea", 150, 635, 5, Animal.SEAL),
    Region.CHA: RegionFacts("Chatham Rise", 420, 635, 4, Animal.ALBATROSS),
    Region.NEM: RegionFacts("Point Nemo", 720, 635, 4, Animal.ALBATROSS),
}

COST_WITH_CURRENT: Final = 1
COST_WITHOUT_CURRENT: Final = 2
COST_AGAINST_CURRENT: Final = 3
"""How many movement actions a step to a neighbour takes: with a current, without one, against one."""


def _parse_region_pairs(text: str) -> tuple[tuple[Region, Region], ...]:
    """Parse pairs of regions such as ``OKH-EMP``, separated by spaces."""
    pairs = (pair.split("-") for pair in text.split())
    return tuple((Region(start), Region(end)) for start, end in pairs)


ONE_WAY_CURRENTS: Final = _parse_region_pairs(
    "OKH-EMP KUR-EMP EMP-GPP GPP-CAL CAL-CLI CLI-HAW HAW-PHI PHI-KUR GPP-ALA ALA-BER BER-OKH OKH-KUR "
    "CTR-PHI CLI-LIN CTR-COR COR-TAS TAS-CHA CHA-NEM NEM-PER PER-GAL PER-TAH TAH-COR"
)
"""The currents that run one way, from and to."""
TWO_WAY_CURRENTS: Final = _parse_region_pairs("CTR-MIC MIC-LIN LIN-GAL")
"""The current along the equator, which runs both ways."""
LINES_WITHOUT_CURRENT: Final = _parse_region_pairs(
    "BER-EMP BER-GPP ALA-CAL EMP-PHI EMP-HAW GPP-HAW GPP-CLI PHI-MIC HAW-MIC HAW-LIN CLI-GAL MIC-COR MIC-TAH "
    "LIN-TAH LIN-PER COR-CHA TAH-CHA TAH-NEM"
)
"""The lines between neighbours that no current joins."""


def _make_neighbour_costs() -> dict[Region, dict[Region, int]]:
    costs: dict[Region, dict[Region, int]] = {region: {} for region in Region}
    for start, end in ONE_WAY_CURRENTS:
        costs[start][end], costs[end][start] = COST_WITH_CURRENT, COST_AGAINST_CURRENT
    for start, end in TWO_WAY_CURRENTS:
        costs[start][end] = costs[end][start] = COST_WITH_CURRENT
    for start, end in LINES_WITHOUT_CURRENT:
        costs[start][end] = costs[end][start] = COST_WITHOUT_CURRENT
    return costs


NEIGHBOUR_COSTS: Final = _make_neighbour_costs()
"""For each region its neighbours, with the movement actions that a step to each takes."""


class Contract(enum.Enum):
    """The contract cards by their number."""

    C01 = "C01"
    C02 = "C02"
    C03 = "C03"
    C04 = "C04"
    C05 = "C05"
    C06 = "C06"
    C07 = "C07"
    C08 = "C08"
    C09 = "C09"
    C10 = "C10"
    C11 = "C11"
    C12 = "C12"
    C13 = "C13"
    C14 = "C14"
    C15 = "C15"
    C16 = "C16"
    C17 = "C17"
    C18 = "C18"
    C19 = "C19"
    C20 = "C20"
    C21 = "C21"
    C22 = "C22"
    C23 = "C23"
    C24 = "C24"
    C25 = "C25"
    C26 = "C26"
    C27 = "C27"
    C28 = "C28"


class ContractFacts(NamedTuple):
    """A contract: its port, what its slots require (None takes any trash), its points."""

    port: Port
    requirements: tuple[Trash | None, ...]
    points: int


def _parse_contracts() -> dict[Contract, ContractFacts]:
    rows = {
        Port.WHITE: "AR=5 AG?=6 PPP=6 PPA?=7 PPAR=9 PANN=10 PGGN?=11",
        Port.RED: "P?=4 PR?=6 AN?=7 PAA?=8 AGN?=9 PGN?=9 AGNN?=12",
        Port.GOLD: "PA=4 PP?=5 PAR=7 PPG?=8 GGN?=9 PGR?=9 AAAR?=11",
        Port.VIOLET: "PR=5 GR?=7 PGN=7 AAG?=8 NR??=8 GRR?=10 PPGN?=10",
    }
    facts = []
    for port, row in rows.items():
        for card in row.split():
            required, _, points = card.partition("=")
            kinds = tuple(None if slot == "?" else Trash(slot) for slot in required)
            facts.append(ContractFacts(port, kinds, int(points)))
    return dict(zip(Contract, facts, strict=True))


CONTRACTS: Final = _parse_contracts()
"""Each contract, in the order of ``Contract``: seven of each port."""

MAX_HELD_CONTRACTS: Final = 2
"""The most contracts on a player's board."""
MARKET_SLOT_COUNT: Final = 3


class Upgrade(enum.Enum):
    """What a player can unlock on their board."""

    WHEEL = "wheel"
    """One more action a turn; there are two of these upgrades."""
    CRANE = "crane"
    """Take the first or the second trash of a stack."""
    HABITAT_BONUS = "habitat-bonus"
    """Two points more for each restored habitat."""
    CONTRACT_BONUS = "contract-bonus"
    """Two points more for each delivered contract."""
    EXTRA_TURN = "extra-turn"
    """One more turn at the end."""
    SHARE_SPACE = "share-space"
    """Stop in a region with other ships."""


UPGRADE_COUNTS: Final = {
    Upgrade.WHEEL: 2,
    Upgrade.CRANE: 1,
    Upgrade.HABITAT_BONUS: 1,
    Upgrade.CONTRACT_BONUS: 1,
    Upgrade.EXTRA_TURN: 1,
    Upgrade.SHARE_SPACE: 1,
}
"""How many upgrades of each kind a player's board has."""

BASE_MOVEMENT_ACTIONS: Final = 3
"""Movement actions before any wheel is unlocked."""
CONTRACTS_TO_END: Final = 5
HABITATS_TO_END: Final = 5
BONUS_POINTS: Final = 2
"""Points of each of the two bonus upgrades, for each habitat or contract."""
MAX_ROUNDS: Final = 40
ROUNDS_WITHOUT_TRASH: Final = 3
"""Rounds after the one in which the board ran out of trash; the last of these is the game's last round."""

ASSUMPTIONS: Final = (
    "the map: names, neighbours, currents and animals of the regions, and where the ports are",
    "how much trash each region has at the start",
    "the kinds of trash but plastic and aluminium, and how many there are of each",
    "slots of the contracts, and their points but for the white one with 9",
    "the end after 40 rounds, or in the third round after the last trash",
)
"""What this module assumes, in words for players: public sources do not show these numbers."""
