"""The position in words: one line of status, the whole board as text, the picture's alt text."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final

from rules.current_affairs.boards import (
    locked_upgrades,
    movement_allowance,
    remaining_animals,
    restorer_of,
    stack_of,
    turn_order,
)
from rules.current_affairs.components import PORT_NAMES, REGIONS, Animal, Contract, Region
from rules.current_affairs.ending import board_points, is_last_round, last_possible_round, returns
from rules.current_affairs.model import CurrentAffairsView, HeldContract, Phase, PlayerBoard, Position
from rules.current_affairs.phrases import (
    ANIMAL_NAMES,
    TRASH_NAMES,
    contract_needs_text,
    contract_progress_text,
    contract_text,
    held_contract_text,
    movement_actions_text,
    names_in_play,
    port_name,
    port_verbs_text,
    region_name,
    region_with_article,
    stack_text,
    upgrades_text,
)
from rules.model import SEAT_LETTERS, Names, Seat
from rules.text import capitalized, counted, counted_in_digits, first_fitting, listed

MAX_ALT_TEXT_LENGTH: Final = 1024
_ROUTES_HINT: Final = "What steps cost: `/rules topic:Routes`."


def status_text(view: CurrentAffairsView, names: Names) -> str:
    """Return who is to do what, or how the game ended."""
    position = view.position
    to_act = position.to_act
    name = names[to_act] if to_act is not None and to_act >= 0 else ""
    match position.phase:
        case Phase.FILL:
            return "Trash is drawn for the regions."
        case Phase.FIRST_DRAFTER:
            return "The first drafter is drawn by lot."
        case Phase.DEAL:
            return "The contracts of the draft are dealt."
        case Phase.MARKET:
            return "The contracts of the market are dealt."
        case Phase.DRAFT:
            assert to_act is not None
            held = [contract_text(each.contract) for each in position.boards[to_act].contracts]
            held_text = f" You have {listed(held)}." if held else ""
            return f"{name}, take a contract (draft, round {position.draft_round}).{held_text}"
        case Phase.PLACE:
            return f"{name}, place your ship in a free region."
        case Phase.SAIL:
            return f"{name}, your turn: sail to another region.{_game_end_note(position)}"
        case Phase.COLLECT:
            return f"{name}, choose which trash you take and where it goes.{_game_end_note(position)}"
        case Phase.PORT:
            assert to_act is not None
            board = position.boards[to_act]
            assert board.ship is not None
            port_text = f"{port_name(board)} ({region_name(board.ship)})"
            return f"{name}, you are in {port_text}: {port_verbs_text(position)}.{_game_end_note(position)}"
        case Phase.REVEAL:
            return "The next contract is revealed."
        case Phase.OVER:
            return ending_text(position, names)


def _game_end_note(position: Position) -> str:
    """Return that this turn or round is the last, or how many may follow; empty while the end is open."""
    if position.in_extra_turns:
        return " This is your extra turn."
    if not position.round:
        return ""
    if is_last_round(position):
        return " This is the last round."
    if position.trash_ran_out_round is not None:
        return (
            f" No trash is left: the last round is round {last_possible_round(position)} or an earlier one."
        )
    return ""


def ending_text(position: Position, names: Names) -> str:
    """Return who won a game that is over, and with how many points."""
    standings = returns(position).standings
    playing_standings = [each for each in standings if not position.boards[each.seat].resigned]
    winners = [each for each in playing_standings if each.rank == 1]
    winner_names, score = listed([names[each.seat] for each in winners]), winners[0].score
    if len(playing_standings) == 1:
        return f"{winner_names} wins: nobody else is left."
    others = [each for each in playing_standings if each.rank > 1]
    others_text = listed([f"{names[each.seat]} with {each.score}" for each in others])
    ahead_text = f", ahead of {others_text}" if others else ""
    tie = winners[0].tie_break
    is_broken_tie = any(each.score == score for each in others)
    tie_break_text = f" and the best contract ({tie.points})" if tie is not None and is_broken_tie else ""
    verb = "wins" if len(winners) == 1 else "win together"
    return f"{winner_names} {verb} with {counted_in_digits(score, 'point')}{tie_break_text}{ahead_text}."


def describe(view: CurrentAffairsView, names: Names, status: str = "") -> str:
    """Describe the whole board."""
    position = view.position
    lines = [
        _headline_text(position),
        status or status_text(view, names),
        *(_player_text(position, Seat(seat), names) for seat in range(len(position.boards))),
        _turn_order_text(position, names),
        _market_text(position),
        f"Regions: trash from the top, then the animal. {_ROUTES_HINT}",
        *(_region_text(position, region, names) for region in Region),
    ]
    return "\n".join(line for line in lines if line)


def alt_text(view: CurrentAffairsView, names: Names, status: str = "") -> str:
    """Describe what the picture of the board shows, in at most 1,024 characters.

    It begins with the viewer's contracts.  What lies below the top of stacks, and then the market, is left
    out if it does not fit.  Then less is said of the others' contracts, then nothing of upgrades, at last
    nothing of these contracts.
    """
    position = view.position
    own_text = ""
    if view.viewer is not None and not _is_drafting(position, view.viewer):
        own_text = _contracts_text(position, view.viewer, names)
    top_lines = [own_text, _headline_text(position), status or status_text(view, names)]
    number_lines = [_numbers_text(position, Seat(seat), names) for seat in range(len(position.boards))]

    def lines_with(held_text: Callable[[HeldContract], str], *, with_upgrades: bool = True) -> list[str]:
        """Return the lines of status and players."""
        return top_lines + [
            f"{line}{_possessions_text(view, Seat(seat), held_text, with_upgrades=with_upgrades)}"
            for seat, line in enumerate(number_lines)
        ]

    lines = lines_with(held_contract_text)
    market_text, stacks_text = _open_contracts_text(position), _stacks_text(position)
    return _first_fitting_lines(
        (*lines, market_text, stacks_text, _lower_trash_text(position)),
        (*lines, market_text, stacks_text),
        (*lines, stacks_text),
        (*lines_with(contract_needs_text), stacks_text),
        (*lines_with(contract_progress_text), stacks_text),
        (*lines_with(contract_progress_text, with_upgrades=False), stacks_text),
        (*top_lines, *number_lines, market_text, stacks_text),
        (*top_lines, *number_lines, stacks_text),
    )


def _is_drafting(position: Position, seat: Seat) -> bool:
    """Whether a seat takes a contract now: the status names those that it has."""
    return position.phase is Phase.DRAFT and seat == position.to_act


def _numbers_text(position: Position, seat: Seat, names: Names) -> str:
    board = position.boards[seat]
    return (
        f"{SEAT_LETTERS[seat]} {names[seat]}: "
        f"{'resigned' if board.resigned else _ship_text(position, seat)}, "
        f"{counted_in_digits(board_points(board), 'point')}, "
        f"{len(board.delivered_contracts)} delivered, {len(board.restored_regions)} restored."
    )


def _possessions_text(
    view: CurrentAffairsView, seat: Seat, held_text: Callable[[HeldContract], str], *, with_upgrades: bool
) -> str:
    """Return a seat's contracts, unless they are named already, and its upgrades as further sentences."""
    position, board = view.position, view.position.boards[seat]
    is_named = seat == view.viewer or _is_drafting(position, seat)
    parts = {
        "Contracts": "" if is_named else listed([held_text(held) for held in board.contracts]),
        "Upgrades": upgrades_text(Counter(board.unlocked_upgrades)) if with_upgrades else "",
    }
    return "".join(f" {title}: {text}." for title, text in parts.items() if text)


def describe_destinations_picture(view: CurrentAffairsView, names: Names) -> str:
    """Describe the picture for choosing a destination or a start: the seat's contracts, ships, ports, trash.

    The seat is the viewer's, else the current player's.
    """
    position = view.position
    seat = view.viewer if view.viewer is not None else position.current_player
    if seat is None or position.boards[seat].resigned:
        return alt_text(view, names)
    ship_texts = [
        f"{names[other]} {_ship_text(position, Seat(other))}"
        for other, board in enumerate(position.boards)
        if board.ship is not None
    ]
    animals = [
        ANIMAL_NAMES[animal] for animal in Animal if animal in remaining_animals(position.boards[seat])
    ]
    port_texts = [
        f"{PORT_NAMES[facts.port]} in {region_with_article(region)}"
        for region, facts in REGIONS.items()
        if facts.port is not None
    ]
    lines = [
        _contracts_text(position, seat, names),
        f"{capitalized(movement_actions_text(movement_allowance(position.boards[seat])))} a turn.",
        f"Habitats to restore: {listed(animals) or 'none'}.",
        f"Ships: {listed(ship_texts) or 'none'}.",
        f"Ports: {listed(port_texts)}.",
    ]
    lines.append(_stacks_text(position))
    return _first_fitting_lines((*lines, _lower_trash_text(position)), lines)


def _first_fitting_lines(*variants: Sequence[str]) -> str:
    """Return the first of several texts that fits a picture, each given as lines, of which some are empty."""
    texts = ("\n".join(line for line in lines if line) for lines in variants)
    return first_fitting(MAX_ALT_TEXT_LENGTH, *texts)


def _contracts_text(position: Position, seat: Seat, names: Names) -> str:
    """Return what a seat's contracts have and still need; empty if it has none."""
    held_texts = [held_contract_text(held) for held in position.boards[seat].contracts]
    return f"{names[seat]}'s contracts: {listed(held_texts)}." if held_texts else ""


def _stacks_text(position: Position) -> str:
    """Return the regions by the trash on top of their stacks, with the sizes of these."""
    stacks = {region: stack_of(position, region) for region in Region}
    lines = ["On top, with how much lies there:"]
    for kind, name in TRASH_NAMES.items():
        texts = [
            f"{region_name(region)} {len(stack)}" for region, stack in stacks.items() if stack[-1:] == (kind,)
        ]
        if texts:
            lines.append(f"{capitalized(name)}: {', '.join(texts)}.")
    empty_names = [region_name(region) for region, stack in stacks.items() if not stack]
    if empty_names:
        lines.append(f"Empty: {', '.join(empty_names)}.")
    return "\n".join(lines)


def _lower_trash_text(position: Position) -> str:
    """Return what lies below the top of each stack, from the top; empty if there is nothing."""
    stacks = {region: stack_of(position, region)[:-1] for region in Region}
    texts = [f"{region_name(region)} {stack_text(stack)}" for region, stack in stacks.items() if stack]
    return f"Below the top: {'; '.join(texts)}." if texts else ""


def _headline_text(position: Position) -> str:
    if not position.round:
        return "Ended before the first round." if position.phase is Phase.OVER else "Set-up."
    return f"Round {position.round} of at most {last_possible_round(position)}."


def _ship_text(position: Position, seat: Seat) -> str:
    ship = position.boards[seat].ship
    if ship is None:
        return "no ship" if position.phase is Phase.OVER else "no ship yet"
    return f"in {region_with_article(ship)}"


def _player_text(position: Position, seat: Seat, names: Names) -> str:
    board = position.boards[seat]
    seat_name = f"{SEAT_LETTERS[seat]} {names[seat]}"
    if board.resigned:
        parts = ["resigned"]
    else:
        parts = [_ship_text(position, seat), f"{movement_actions_text(movement_allowance(board))} a turn"]
    parts += [f"{held.contract.value} {held_contract_text(held)}" for held in board.contracts]
    if board.delivered_contracts:
        contract_names = names_in_play(position)
        parts.append(f"delivered {listed([contract_names[each] for each in board.delivered_contracts])}")
    if board.restored_regions:
        parts.append(
            f"restored {listed([ANIMAL_NAMES[REGIONS[region].animal] for region in board.restored_regions])}"
        )
    if board.unlocked_upgrades:
        parts.append(f"unlocked {upgrades_text(Counter(board.unlocked_upgrades))}")
    if not locked_upgrades(board) and not board.resigned:
        parts.append("nothing left to unlock")
    return f"{seat_name}: {', '.join(parts)}. {points_text(position, board)}."


def points_text(position: Position, board: PlayerBoard) -> str:
    """Return a board's points: "17 points so far", at the end "17 points"."""
    text = counted_in_digits(board_points(board), "point")
    return text if position.phase is Phase.OVER else f"{text} so far"


def _open_contracts_text(position: Position, *, with_codes: bool = False) -> str:
    """Return the contracts that lie open: in the draft, else in the market and on the deck.

    ``with_codes``: each after its code in typed moves.
    """

    def text(contract: Contract) -> str:
        return f"{contract.value} {contract_text(contract)}" if with_codes else contract_text(contract)

    if position.draft_contracts:
        return f"In the draft: {listed([text(contract) for contract in position.draft_contracts])}."
    if not position.round and position.starter is None:
        return ""
    market_texts = [text(contract) for contract in position.market if contract is not None]
    top_text = "" if position.top_contract is None else f" On the deck: {text(position.top_contract)}."
    return f"Market: {listed(market_texts) or 'empty'}.{top_text}"


def _market_text(position: Position) -> str:
    """Return the open contracts; after the draft also how many lie in the deck and the discard pile."""
    text = _open_contracts_text(position, with_codes=True)
    if position.draft_contracts or not text:
        return text
    below_text = capitalized(counted(len(position.deck), "more contract"))
    return f"{text} {below_text} below. Discard pile: {counted(len(position.discard_pile), 'contract')}."


def _region_text(position: Position, region: Region, names: Names) -> str:
    facts = REGIONS[region]
    port_text = "" if facts.port is None else f", port {PORT_NAMES[facts.port]}"
    restorer = restorer_of(position, region)
    restorer_text = "" if restorer is None else f", restored by {names[restorer]}"
    habitat_text = f"{ANIMAL_NAMES[facts.animal]}{restorer_text}"
    return (
        f"{region.value} {facts.name}{port_text}: {stack_text(stack_of(position, region))}; {habitat_text}."
    )


def _turn_order_text(position: Position, names: Names) -> str:
    """Return the turn order in a sentence; empty before the draft is over, and once the game is."""
    if position.starter is None or position.phase is Phase.OVER:
        return ""
    return f"Turn order: {listed([names[seat] for seat in turn_order(position, position.starter)])}."
