"""The position in words: one line of status, the whole board as text, the picture's alt text."""

import enum
from collections.abc import Sequence
from typing import Final

from rules.australis.components import (
    CARD_FACTS,
    CUBE_SLOT_COUNT,
    GREY_SPACE,
    REEFS,
    ROUND_COUNT,
    Card,
    CardFunction,
    TileColour,
)
from rules.australis.events import EffectSource
from rules.australis.legal import highest_allowed_reef
from rules.australis.model import AustralisView, Phase, Position
from rules.australis.phrases import (
    allowed_reefs_text,
    cards_by_colour_text,
    cards_text,
    count_text_or_empty,
    cubes_text,
    dice_text,
    points_text,
    tile_label,
)
from rules.australis.round_end_narration import ending_texts
from rules.australis.scoring import REEF_INDEX, reef_ranking, school_points, tile_points
from rules.model import SEAT_LETTERS, Names, Seat
from rules.text import counted, counted_in_digits, first_fitting, listed, shortened

MAX_ALT_TEXT_LENGTH: Final = 1024
_DICE_COLOURS_TEXT: Final = (
    "Blue dice move the turtle, purple ones bring corals, yellow ones fish, white ones cards. "
    "Whoever takes the red die starts the next round."
)
_COMPETITION_CARDS_TEXT: Final = "A competition card adds 1 to each die of its colour in every competition."


def status_text(view: AustralisView, names: Names) -> str:
    """Return who is to do what, or how the game ended."""
    position = view.position
    actor_name = names[position.to_act] if position.to_act is not None and position.to_act >= 0 else ""
    match position.phase:
        case Phase.FIRST_PLAYER:
            return "The first player is drawn by lot."
        case Phase.ROLL:
            return "The dice are rolled for the next round."
        case Phase.REVEAL:
            return "New cards come to the display."
        case Phase.TAKE:
            return f"{actor_name}, your turn: take a die."
        case Phase.ACTIVATE:
            return f"{actor_name}, which of your cards comes first?"
        case Phase.CORAL:
            return f"{actor_name}, {_coral_request_text(position)}"
        case Phase.PICK:
            return f"{actor_name}, pick {'two cards' if position.picks_left > 1 else 'a card'}: keep or use."
        case Phase.COMPETE:
            return "The dice competition: the dice roll."
        case Phase.TILE:
            tiles = " or ".join(tile_label(tile, position.round) for tile in TileColour)
            return f"{actor_name}, you won the competition: choose {tiles}."
        case Phase.OVER:
            return " ".join(ending_texts(position, names))


def _coral_request_text(position: Position) -> str:
    seat = position.to_act
    assert seat is not None
    where = allowed_reefs_text(highest_allowed_reef(position))
    card_text = "" if position.coral_source is EffectSource.DIE else " of your card"
    if position.boards[seat].coral_supply:
        return f"place the coral{card_text} on {where}."
    return f"move a coral to {where}, or leave your corals."


def describe(view: AustralisView, names: Names, status: str = "") -> str:
    """Describe the whole board, then the values of the viewer's tiles, which others do not see here."""
    position = view.position
    seats = [Seat(seat) for seat in range(len(position.boards))]
    lines = [
        _headline_text(position),
        status or status_text(view, names),
        f"Dice on the board: {dice_text(position.dice) or 'none'}.",
        _free_token_text(position),
        _DICE_COLOURS_TEXT,
        f"Display: {cards_text(position.display)}.",
        _competition_cards_text(position.display, *(board.cards for board in position.boards)),
        _piles_text(position),
        "Reefs:",
        *(_reef_text(position, reef, names) for reef in REEFS),
        f"Turtles: {_turtles_text(position, names)}.",
        *_competition_lines(position, names),
        _round_tiles_text(position),
        "Players:",
        *(f"- {_player_text(position, seat, names)}" for seat in seats),
        _own_tiles_text(view),
    ]
    return "\n".join(line for line in lines if line)


def own_board_text(view: AustralisView, seat: Seat, names: Names) -> str:
    """Describe a seat's board; to its owner with the values of the tiles."""
    sentences = (
        _player_text(view.position, seat, names),
        _competition_cards_text(view.position.boards[seat].cards),
        _own_tiles_text(view) if view.viewer == seat else "",
    )
    return shortened(" ".join(filter(None, sentences)), MAX_ALT_TEXT_LENGTH)


def alt_text(view: AustralisView, names: Names, status: str = "") -> str:
    """Describe what the picture of the board shows, in at most 1,024 characters.

    The viewer is the first of the players.  If it is too long, it leaves out the dice and tiles of others,
    then where the first player token lies, then the cards of others.
    """
    position = view.position
    seats = sorted((Seat(seat) for seat in range(len(position.boards))), key=lambda seat: seat != view.viewer)
    beginning = (
        _headline_text(position),
        status or status_text(view, names),
        f"Dice on the board: {dice_text(position.dice) or 'none'}.",
    )
    display_text = f"Display: {cards_text(position.display)}."

    def text(detail: _Detail, token_text: str) -> str:
        player_texts = [
            _short_player_text(position, seat, names, _Detail.ALL if seat == view.viewer else detail)
            for seat in seats
        ]
        lines = *beginning, token_text, display_text, *player_texts, *_competition_lines(position, names)
        return " ".join(line for line in lines if line)

    token_text = _free_token_text(position)
    return first_fitting(
        MAX_ALT_TEXT_LENGTH,
        text(_Detail.ALL, token_text),
        text(_Detail.CARDS, token_text),
        text(_Detail.CARDS, ""),
        text(_Detail.NUMBERS, ""),
    )


class _Detail(enum.Enum):
    """What the alt text says of a player's possessions, from all to least."""

    ALL = enum.auto()
    CARDS = enum.auto()
    NUMBERS = enum.auto()


def _headline_text(position: Position) -> str:
    is_over = position.phase is Phase.OVER
    if not position.round:
        return f"Australis, {'ended before the first round' if is_over else 'setting up'}."
    text = f"Australis, round {position.round} of {ROUND_COUNT}"
    dice_left = 0 if is_over else position.dice_left
    return f"{text}, {counted(dice_left, 'die', 'dice')} still to take." if dice_left else f"{text}."


def _free_token_text(position: Position) -> str:
    """Return where the first player token lies; empty if somebody has it, or the game is over."""
    is_taken = position.token_holder is not None or position.phase is Phase.OVER
    return "" if is_taken else "First player token: beside the red die."


def _competition_cards_text(*card_groups: Sequence[Card]) -> str:
    """Return what competition cards do; empty if there is none among these cards."""
    functions = {CARD_FACTS[card].function for cards in card_groups for card in cards}
    return _COMPETITION_CARDS_TEXT if CardFunction.COMPETITION in functions else ""


def _piles_text(position: Position) -> str:
    return (
        f"Draw pile: {counted(len(position.draw_pile), 'card')}. "
        f"Discard pile: {counted(len(position.discard_pile), 'card')}."
    )


def _reef_text(position: Position, reef: int, names: Names) -> str:
    facts = REEFS[reef]
    ranked_seat_texts = [
        f"{names[seat]} ({position.boards[seat].coral_counts[REEF_INDEX[reef]]})"
        for seat in reef_ranking(position.boards, reef)
    ]
    places_text = f"first {facts.first_place_points}"
    if facts.second_place_points:
        places_text += f", second {facts.second_place_points}"
    spaces_text = f"spaces {facts.first_space} to {facts.last_space}"
    return f"- Reef {reef} ({spaces_text}, {places_text}): {', '.join(ranked_seat_texts) or 'empty'}"


def _turtles_text(position: Position, names: Names) -> str:
    turtles = sorted(
        (
            (board.turtle_space, names[seat])
            for seat, board in enumerate(position.boards)
            if board.turtle_space is not None
        ),
        reverse=True,
    )
    turtle_texts = [f"{name} on {space}" for space, name in turtles]
    if position.turtle_track_grey_cube_count:
        turtle_texts.append(f"{counted(position.turtle_track_grey_cube_count, 'grey cube')} on {GREY_SPACE}")
    return ", ".join(turtle_texts)


def _competition_lines(position: Position, names: Names) -> list[str]:
    """Return who won the last competition, once it is decided."""
    competition = position.competition
    if competition is None or not competition.is_over or competition.first is None:
        return []
    second_text = "" if competition.second is None else f", {names[competition.second]} was second"
    return [f"Competition of round {competition.round}: {names[competition.first]} won{second_text}."]


def _round_tiles_text(position: Position) -> str:
    """Return which tiles the competition of this round brings; empty before round 1 and after the end."""
    if not position.round or position.phase is Phase.OVER:
        return ""
    return f"Tiles of this round: {listed([tile_label(tile, position.round) for tile in TileColour])}."


def _player_text(position: Position, seat: Seat, names: Names) -> str:
    board = position.boards[seat]
    name = f"{SEAT_LETTERS[seat]} {names[seat]}"
    if board.resigned:
        return f"{name}: resigned"
    own_cubes_text = (
        f", own cubes on {listed([str(space) for space in board.own_cube_spaces])}"
        if board.own_cube_spaces
        else ""
    )
    parts = [
        points_text(board.tally.total),
        f"turtle on {board.turtle_space}{own_cubes_text}",
        f"{board.cube_count} of {CUBE_SLOT_COUNT} cubes, {board.fish} fish, school {school_points(board)}",
        f"{counted_in_digits(board.coral_supply, 'coral')} in supply",
    ]
    sentences = [
        f"Cards: {cards_text(board.cards)}",
        f"Dice: {dice_text(board.dice) or 'none'}",
        *_tiles_and_token_sentences(position, seat),
    ]
    return f"{name}: {', '.join(parts)}. {'. '.join(sentences)}."


def _short_player_text(position: Position, seat: Seat, names: Names, detail: _Detail) -> str:
    board = position.boards[seat]
    if board.resigned:
        return f"{names[seat]} resigned."
    reef_texts = [f"{reef} ({count})" for reef, count in zip(REEFS, board.coral_counts, strict=True) if count]
    reefs_text = f"on reef{'s' if len(reef_texts) > 1 else ''} {', '.join(reef_texts)}"
    parts = [
        points_text(board.tally.total),
        f"turtle on {board.turtle_space}",
        f"{board.fish} fish",
        cubes_text(board.cube_count),
        f"corals {reefs_text if reef_texts else 'none'}",
    ]
    sentences = []
    if board.cards and detail is not _Detail.NUMBERS:
        sentences.append(f"Cards: {cards_by_colour_text(board.cards)}")
    if detail is _Detail.ALL:
        parts.append(f"{counted_in_digits(board.coral_supply, 'coral')} in supply")
        sentences += [f"Dice: {dice_text(board.dice)}"] if board.dice else []
        sentences += _tiles_and_token_sentences(position, seat)
    return " ".join(f"{text}." for text in (f"{names[seat]}: {', '.join(parts)}", *sentences))


def _tiles_and_token_sentences(position: Position, seat: Seat) -> list[str]:
    """Return how many tiles a seat has, and that it has the token, without full stops."""
    tiles_text = count_text_or_empty(len(position.boards[seat].tiles), "tile")
    token_text = "First player token" if position.token_holder == seat else ""
    return [text for text in (tiles_text, token_text) if text]


def _own_tiles_text(view: AustralisView) -> str:
    if view.viewer is None or not view.position.boards[view.viewer].tiles:
        return ""
    tiles = view.position.boards[view.viewer].tiles
    tiles_text = listed([f"{tile.colour.value} {tile_points(tile)}" for tile in tiles])
    return f"Your tiles: {tiles_text}."
