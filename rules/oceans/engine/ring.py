"""The ring of all species, and their neighbours; the order of play.

Everybody faces the water.  To the right of a row comes the right-hand neighbour's left-most species, so
the ring, read rightwards, goes through the seats against the order of play (rulebook, Adjacency).
"""

from collections.abc import Iterator, Sequence
from typing import Protocol

from rules.model import SEAT_LETTERS, Seat
from rules.oceans.model import Species


class PositionLike(Protocol):
    """The fields that values depend on, of a ``Position`` or a ``MutablePosition``."""

    @property
    def zone_populations(self) -> Sequence[int]: ...  # noqa: D102 - as in Position

    @property
    def rows(self) -> Sequence[Sequence[Species]]: ...  # noqa: D102 - as in Position

    @property
    def active_scenarios(self) -> tuple[str, ...]: ...  # noqa: D102 - as in Position

    @property
    def cambrian_happened(self) -> bool: ...  # noqa: D102 - as in Position


def turn_order(first: Seat, resigned: Sequence[bool]) -> list[Seat]:
    """Return the seats that still play, in the order of play from a seat on."""
    seat_count = len(resigned)
    return [
        Seat((first + i) % seat_count) for i in range(seat_count) if not resigned[(first + i) % seat_count]
    ]


def species_ring(position: PositionLike) -> list[Species]:
    """Return all species in the order of the ring, from seat A's left-most one rightwards."""
    rows = position.rows
    return [*rows[0], *(species for row in reversed(rows[1:]) for species in row)]


def species_clockwise(position: PositionLike, start: Seat) -> Iterator[Species]:
    """Yield all species in the order of play from a seat on, each row left to right."""
    seat_count = len(position.rows)
    for offset in range(seat_count):
        yield from position.rows[(start + offset) % seat_count]


def owner_of(key: str) -> Seat:
    """Return the owner of the species with a key."""
    return Seat(SEAT_LETTERS.index(key[0]))


def find_species(position: PositionLike, key: str) -> Species | None:
    """Return the species with a key; None if there is none, as for an empty key."""
    if key and key[0] in SEAT_LETTERS[: len(position.rows)]:
        for species in position.rows[owner_of(key)]:
            if species.key == key:
                return species
    return None


def neighbours(position: PositionLike, key: str) -> tuple[Species | None, Species | None]:
    """Return the left and the right neighbour of a species; (None, None) if it is alone.

    Of two species, each is the other's neighbour on both sides.  Raises StopIteration if none has the key.
    """
    all_species = species_ring(position)
    if len(all_species) < 2:
        return None, None
    index = next(i for i, species in enumerate(all_species) if species.key == key)
    return all_species[index - 1], all_species[(index + 1) % len(all_species)]


def neighbour_keys_of_place(position: PositionLike, seat: Seat, index: int) -> tuple[str, str] | None:
    """Return the keys of the species between which a new one would stand in a seat's row.

    None if these two would not tell its place: there are fewer than two, or it is not the only place
    between them.
    """
    row, ring = position.rows[seat], [species.key for species in species_ring(position)]
    if not row or len(ring) < 2:
        return None
    start = ring.index(row[0].key)
    pairs = [(ring[start + i - 1], ring[(start + i) % len(ring)]) for i in range(len(row) + 1)]
    is_unique = sum(set(pair) == set(pairs[index]) for pair in pairs) == 1
    return pairs[index] if is_unique else None


def neighbour_keys(position: PositionLike, key: str) -> tuple[str, ...]:
    """Return the keys of the neighbours of a species, each once."""
    left, right = neighbours(position, key)
    return tuple(dict.fromkeys(species.key for species in (left, right) if species is not None))
