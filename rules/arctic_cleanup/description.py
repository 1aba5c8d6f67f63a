"""The position in words: one line of status, the whole board as text, the alt texts of pictures."""

import enum
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import Final

from rules.arctic_cleanup.boards import free_sites
from rules.arctic_cleanup.components import (
    BLOCKS,
    FACES,
    MAPS,
    MAX_ROUNDS,
    SEA_STEPS,
    SHIPS,
    TOKENS_TO_END,
    Block,
    Card,
    FactoryLine,
    Hex,
    docks,
)
from rules.arctic_cleanup.ending import board_points, rounds_to_quiet_end, score_lines
from rules.arctic_cleanup.legal import can_only_end_turn
from rules.arctic_cleanup.model import ArcticCleanUpView, Phase, PlayerBoard, Position
from rules.arctic_cleanup.narration import ending_texts
from rules.arctic_cleanup.operation_limits import no_effect_reasons
from rules.arctic_cleanup.phrases import (
    ARROWS,
    CARD_NAMES,
    card_with_strength_text,
    cards_text,
    dice_text,
    line_text,
    more_operations_text,
    plastics_text,
    steps_text,
)
from rules.model import SEAT_LETTERS, Names, Seat
from rules.text import capitalized, counted, counted_in_digits, first_fitting, listed, shortened

MAX_ALT_TEXT_LENGTH: Final = 1024


class _Detail(enum.Enum):
    """What an alt text says of a seat where there is room, beside its pieces and points."""

    CARGO = enum.auto()
    CARDS = enum.auto()
    """The strength of each card."""
    DICE = enum.auto()
    """The dice of the rows, and how many lie beside the board."""
    DOCKS = enum.auto()


_DETAIL_LEVELS: Final = tuple(frozenset(list(_Detail)[:count]) for count in range(len(_Detail), -1, -1))
"""What is left out first: the docks, which never change, then dice, cards and cargo."""
_SHIP_DETAILS: Final = frozenset((_Detail.CARGO, _Detail.DICE))
_FIRST_BLOCK_END: Final = 2
"""The last slot of the first block of a line."""


def status_text(view: ArcticCleanUpView, names: Names) -> str:
    """Return who is to do what, or how the game ended."""
    position = view.position
    to_act = position.to_act
    name = names[to_act] if to_act is not None and to_act >= 0 else ""
    match position.phase:
        case Phase.ORDER:
            return "The turn order is drawn by lot."
        case Phase.FILL:
            return "Tokens are drawn for the ocean tiles."
        case Phase.FACTORY:
            is_first = all(board.factory is None for board in position.boards)
            order_text = " The last in turn order builds first." if is_first else ""
            return f"{name}, build your factory.{order_text}"
        case Phase.SHIPS:
            return f"{name}, put your ships on the map."
        case Phase.TURN:
            return f"{name}, {_turn_text(position)}{_no_effect_note(view)}{_game_end_note(position)}"
        case Phase.DRAW:
            return "Tokens are drawn from the bag."
        case Phase.OVER:
            return " ".join(ending_texts(position, names))


def _turn_text(position: Position) -> str:
    if position.drawn_tokens:
        return f"place the tokens that you drew: {plastics_text(position.drawn_tokens)}."
    played = position.played_card
    if played is None:
        return "your turn: play a card."
    if can_only_end_turn(position):
        return "end your turn."
    assert position.current_player is not None
    board = position.boards[position.current_player]
    return f"{more_operations_text(position, board, played.card, played.operations_left)}, or end your turn."


def _no_effect_note(view: ArcticCleanUpView) -> str:
    """Name the cards that the viewer could only play without effect now, each with the reason."""
    position = view.position
    if position.played_card is not None or position.drawn_tokens or view.viewer != position.to_act:
        return ""
    texts = [f"{CARD_NAMES[card]} ({reason})" for card, reason in no_effect_reasons(position).items()]
    return f" No effect now: {', '.join(texts)}." if texts else ""


def _game_end_note(position: Position) -> str:
    """Return when the game ends: with this turn, after quiet rounds or a last round; empty if not known."""
    played, seat = position.played_card, position.current_player
    if (
        played is not None
        and seat is not None
        and played.card is Card.UNLOAD
        and position.boards[seat].processed_count >= TOKENS_TO_END
    ):
        return " The game ends with this turn."
    if (rounds_left := rounds_to_quiet_end(position)) is not None:
        rounds_text = counted(rounds_left, "more round")
        return f" The game ends after {rounds_text} in which no token is loaded, drawn or processed."
    return "" if position.last_round is None else f" Round {position.last_round} is the last."


def describe(view: ArcticCleanUpView, names: Names, status: str = "") -> str:
    """Describe the whole board."""
    position = view.position
    lines = [
        _headline_text(position),
        status or status_text(view, names),
        *(text for seat in position.turn_order for text in _player_lines(position, seat, names)),
        _bag_text(position),
        _map_text(position),
        "Ocean, with the steps that dice allow:",
        *_ocean_lines(position),
    ]
    return "\n".join(line for line in lines if line)


def alt_text(view: ArcticCleanUpView, names: Names, status: str = "") -> str:
    """Describe what the picture of the board shows, in at most 1,024 characters.

    It begins with what the viewer's ships carry and plan.
    """
    position, seat = view.position, view.viewer
    status = status or status_text(view, names)
    if seat is None or not any(position.boards[seat].ships):
        return _board_text(view, names, status)
    ship_texts = (_ship_text(position, position.boards[seat], ship) for ship in SHIPS)
    return _board_text(view, names, status, (f"{names[seat]}'s ships.", *ship_texts), seat)


def _board_text(
    view: ArcticCleanUpView,
    names: Names,
    status: str,
    lead: Sequence[str] = (),
    lead_seat: Seat | None = None,
) -> str:
    """Describe the board after the lines of ``lead``, in at most 1,024 characters.

    Of ``lead_seat`` cargo and dice are left out: they stand in the lead.
    """
    position = view.position

    def text(details: AbstractSet[_Detail]) -> str:
        player_texts = (
            _seat_text(position, Seat(seat), names, details - _SHIP_DETAILS if seat == lead_seat else details)
            for seat in range(len(position.boards))
        )
        return "\n".join(
            (
                *lead,
                _headline_text(position),
                status,
                *player_texts,
                *_free_sites_lines(position),
                f"{_tiles_text(position)} {_bag_text(position)}",
            )
        )

    return first_fitting(MAX_ALT_TEXT_LENGTH, *map(text, _DETAIL_LEVELS))


def _seat_text(position: Position, seat: Seat, names: Names, details: AbstractSet[_Detail]) -> str:
    """Return "A Ava: factory A2, ships B2 and B3, 3 of 16 processed, 6 points.", with more details."""
    board = position.boards[seat]
    count = board.processed_count
    parts = [
        f"{SEAT_LETTERS[seat]} {names[seat]}: {_places_text(position, board, details)}",
        f"{count} of {TOKENS_TO_END} processed" if count <= TOKENS_TO_END else f"{count} processed",
        counted_in_digits(board_points(board), "point"),
    ]
    if _Detail.DICE in details and board.spare_die_count:
        parts.append(f"{counted(board.spare_die_count, 'die', 'dice')} beside the board")
    cards = board.columns if _Detail.CARDS in details else ()
    cards_text = ", ".join(f"{CARD_NAMES[card]} {board.strength(card)}" for card in cards)
    return f"{', '.join(parts)}.{f' Cards: {cards_text}.' if cards_text else ''}"


def _free_sites_lines(position: Position) -> tuple[str, ...]:
    """Return a line that names the sites on which a factory may be built; none if that is over."""
    if position.phase is not Phase.FACTORY:
        return ()
    site_texts = [_site_text(position, site) for site in free_sites(position)]
    return (f"Free sites for factories: {listed(site_texts)}.",)


def _site_text(position: Position, site: Hex) -> str:
    """Return "A2 (docks B2 and B3)"."""
    dock_names = [dock.value for dock in docks(len(position.boards), site)]
    return f"{site.value} (docks {listed(dock_names)})"


def _bag_text(position: Position) -> str:
    return f"Bag: {counted(len(position.bag), 'token')}."


def _tiles_text(position: Position) -> str:
    """Return the tokens of every tile that holds some, in one line."""
    tile_texts = [
        f"{place.value} {plastics_text(tokens)}"
        for place, tokens in zip(Hex, position.ocean, strict=True)
        if tokens
    ]
    return f"Ocean: {'; '.join(tile_texts) or 'clean'}."


def own_board_text(view: ArcticCleanUpView, seat: Seat, names: Names) -> str:
    """Describe a seat's own board: its factory with what is open and full, ships, dice, cards and points."""
    board = view.position.boards[seat]
    if board.resigned:
        return f"{names[seat]} has resigned."
    point_texts = [f"{line.points} for {line.label.lower()}" for line in score_lines(board)]
    open_text = (
        "open" if board.has_filled(Block.LINE_OPENER) else "closed until R5 and R6 hold two tokens each"
    )
    texts = [
        *_player_lines(view.position, seat, names),
        f"Hatched lines: {open_text}.",
        f"Full blocks with a die: {_full_blocks_text(board)}.",
        f"Points: {listed(point_texts)}.",
    ]
    return shortened("\n".join(texts), MAX_ALT_TEXT_LENGTH)


def _full_blocks_text(board: PlayerBoard) -> str:
    block_texts = [
        f"{listed([line.value for line, _ in block_lines])}"
        f" ({'first' if block_lines[0][1] == _FIRST_BLOCK_END else 'last'} two)"
        for block, block_lines in BLOCKS.items()
        if block is not Block.LINE_OPENER and board.has_filled(block)
    ]
    return listed(block_texts) or "none"


def _described_seat(view: ArcticCleanUpView) -> Seat | None:
    """Return the viewer's seat, else the current player's; None if there is neither, or if it resigned."""
    seat = view.viewer if view.viewer is not None else view.position.current_player
    return None if seat is None or view.position.boards[seat].resigned else seat


def describe_plan_picture(view: ArcticCleanUpView, names: Names) -> str:
    """Describe the picture for Plan: the dice of the viewer or current player, then the board."""
    position, seat = view.position, _described_seat(view)
    if seat is None:
        return alt_text(view, names)
    board = position.boards[seat]
    lead = (
        f"{names[seat]}'s plan.",
        *(_ship_text(position, board, ship) for ship in SHIPS),
        f"Beside the board: {counted(board.spare_die_count, 'die', 'dice')}.",
    )
    return _board_text(view, names, status_text(view, names), lead, seat)


def describe_turn_picture(view: ArcticCleanUpView, names: Names) -> str:
    """Describe the picture for choosing a card: the viewer's or current player's pieces, then the map."""
    position, seat = view.position, _described_seat(view)
    if seat is None:
        return alt_text(view, names)
    board = position.boards[seat]
    card_strengths_text = listed([card_with_strength_text(board, card) for card in board.columns])
    lead = (
        f"{names[seat]}'s factory, ships and cards, then the map.",
        f"Cards with their strength: {card_strengths_text or 'none'}.",
        *_player_lines(position, seat, names, with_cards=False),
        _headline_text(position),
        status_text(view, names),
    )

    def text(details: AbstractSet[_Detail]) -> str:
        other_texts = (
            _seat_text(position, Seat(other), names, details)
            for other in range(len(position.boards))
            if other != seat
        )
        return "\n".join((*lead, *other_texts, f"{_tiles_text(position)} {_bag_text(position)}"))

    return first_fitting(MAX_ALT_TEXT_LENGTH, *map(text, _DETAIL_LEVELS))


def _headline_text(position: Position) -> str:
    if not position.round:
        return "Ended before the first round." if position.phase is Phase.OVER else "Set-up."
    return f"Round {position.round} of at most {MAX_ROUNDS}."


def _yet_text(position: Position) -> str:
    """Return what follows on what is not placed: " yet", but nothing once the game is over."""
    return "" if position.phase is Phase.OVER else " yet"


def _places_text(position: Position, board: PlayerBoard, details: AbstractSet[_Detail]) -> str:
    """Return where a seat's factory and ships are: "factory A2, ships B2 and B3", or each with its cargo."""
    if board.resigned:
        return "resigned" if board.factory is None else f"resigned, factory {board.factory.value}"
    yet = _yet_text(position)
    if board.factory is None:
        factory_text = f"no factory{yet}"
    else:
        site = board.factory
        factory_text = f"factory {_site_text(position, site) if _Detail.DOCKS in details else site.value}"
    places = [place.value for place in board.ships if place is not None]
    if not places:
        return f"{factory_text}, no ships{yet}"
    if _Detail.CARGO not in details:
        return f"{factory_text}, ships {listed(places)}"
    ship_texts = [
        f"ship {ship} on {place} ({_freight_text(board, ship, with_dice=_Detail.DICE in details)})"
        for ship, place in enumerate(places, 1)
    ]
    return ", ".join((factory_text, *ship_texts))


def _freight_text(board: PlayerBoard, ship: int, *, with_dice: bool) -> str:
    """Return what a ship carries: "2 PET", or "2 PET, dice ↑ ↗"."""
    cargo_text = plastics_text(board.cargo[ship - 1]) or "empty"
    if not with_dice:
        return cargo_text
    arrows = [ARROWS[face] for face in board.rows[ship - 1]]
    return f"{cargo_text}, dice {' '.join(arrows)}" if arrows else f"{cargo_text}, no dice"


def _player_lines(
    position: Position, seat: Seat, names: Names, *, with_cards: bool = True
) -> tuple[str, ...]:
    board = position.boards[seat]
    seat_name = f"{SEAT_LETTERS[seat]} {names[seat]}"
    if board.resigned:
        return (f"{seat_name}: resigned.",)
    line_texts = [line_text(board, line) for line in FactoryLine if board.tokens_on_line(line)]
    site_text = (
        f"no factory{_yet_text(position)}" if board.factory is None else f"factory on {board.factory.value}"
    )
    processed_text, points_text = (
        counted(board.processed_count, "token"),
        counted_in_digits(board_points(board), "point"),
    )
    so_far_text = "" if position.phase is Phase.OVER else " so far"
    factory_line = f"{seat_name}: {site_text}, {processed_text} processed, {points_text}{so_far_text}."
    dice_line = f"Beside the board: {counted(board.spare_die_count, 'die', 'dice')}."
    if with_cards:
        dice_line += f" Cards: {cards_text(board)}."
    ship_lines = (_ship_text(position, board, ship) for ship in SHIPS)
    return (factory_line, *ship_lines, dice_line, f"Factory lines: {listed(line_texts) or 'empty'}.")


def _ship_text(position: Position, board: PlayerBoard, ship: int) -> str:
    place, aboard, row = board.ships[ship - 1], board.cargo[ship - 1], board.rows[ship - 1]
    cargo_text = plastics_text(aboard) or "nothing"
    where = f"not placed{_yet_text(position)}" if place is None else f"on {place.value}"
    return f"Ship {ship} {where}: carries {cargo_text}, plans {dice_text(row)}."


def _map_text(position: Position) -> str:
    """Return how the hexes are named, where the ice is, and which tiles touch each factory site."""
    seat_count = len(position.boards)
    site_texts = [
        f"{site.value} ({listed([dock.value for dock in docks(seat_count, site)])})"
        for site in MAPS[seat_count].sites
    ]
    ice_places = sorted(place.value for place in MAPS[seat_count].ice)
    ice_text = f" Pack ice: {listed(ice_places)}." if ice_places else ""
    return (
        "Map: columns A to E from the left, each numbered from the top."
        f"{ice_text} Factory sites with their docks: {listed(site_texts)}."
    )


def _ocean_lines(position: Position) -> tuple[str, ...]:
    """Return a line for each ocean tile: "B2: 2 PET and PP. 1 ↑ B1, 2 ↗ C2"."""
    seat_count = len(position.boards)
    steps = SEA_STEPS[seat_count]
    return tuple(
        f"{place.value}: {capitalized(plastics_text(position.tokens_on(place))) or 'no tokens'}. "
        f"{steps_text({face: steps[place, face] for face in FACES if (place, face) in steps})}."
        for place in MAPS[seat_count].ocean
    )
