"""Contrast (WCAG 2) and colour distance (CIE 1976) as people with each kind of colour vision see it.

Colour blindness: Machado, Oliveira and Fernandes 2009, severity 1, in linear light.
"""

Triple = tuple[float, float, float]

MATRIX_BY_VISION: dict[str, tuple[Triple, Triple, Triple]] = {
    "full": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protan": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deutan": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritan": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
"""By kind of vision: the matrix from linear light to what is seen of it."""
_XYZ_FROM_RGB: tuple[Triple, Triple, Triple] = (
    (0.4124564, 0.3575761, 0.1804375),
    (0.2126729, 0.7151522, 0.0721750),
    (0.0193339, 0.1191920, 0.9503041),
)
_WHITE_XYZ: Triple = (0.95047, 1.0, 1.08883)


def linear_light(colour: int) -> Triple:
    """Return 0xRRGGBB as linear light."""

    def channel(value: int) -> float:
        share = value / 255
        return share / 12.92 if share <= 0.04045 else float(((share + 0.055) / 1.055) ** 2.4)

    return channel(colour >> 16), channel(colour >> 8 & 255), channel(colour & 255)


def _multiply(matrix: tuple[Triple, Triple, Triple], light: Triple) -> Triple:
    x, y, z = (sum(m * v for m, v in zip(row, light, strict=True)) for row in matrix)
    return x, y, z


def _lab(colour: int, vision: str) -> Triple:
    red, green, blue = (
        min(max(value, 0.0), 1.0) for value in _multiply(MATRIX_BY_VISION[vision], linear_light(colour))
    )
    scaled = (v / w for v, w in zip(_multiply(_XYZ_FROM_RGB, (red, green, blue)), _WHITE_XYZ, strict=True))
    x, y, z = (v ** (1 / 3) if v > 0.008856 else 7.787 * v + 16 / 116 for v in scaled)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def distance(first: int, second: int, vision: str) -> float:
    """Return the CIE 1976 colour difference as seen with this vision."""
    pairs = zip(_lab(first, vision), _lab(second, vision), strict=True)
    return float(sum((a - b) ** 2 for a, b in pairs) ** 0.5)


def contrast(first: int, second: int) -> float:
    """Return the WCAG 2 contrast ratio, 1 to 21."""
    luminances = [
        sum(w * v for w, v in zip((0.2126, 0.7152, 0.0722), linear_light(colour), strict=True))
        for colour in (first, second)
    ]
    return (max(luminances) + 0.05) / (min(luminances) + 0.05)
