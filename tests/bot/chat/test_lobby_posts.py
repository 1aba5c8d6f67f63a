"""What lobbies and their ready checks say, that any lobby fits a message, and some answers about lobbies."""

from dataclasses import replace
from typing import Any

import pytest

from bot import limits
from bot.chat.handlers import REPLACING_VERBS
from bot.chat.lobby_posts import (
    _allowed_player_counts_text,
    computers_changed_post,
    confirm_start_post,
    lobby_post,
    ready_check_choices_post,
    ready_check_post,
    unfit_options_post,
)
from bot.chat.pages import get_started_table
from bot.host.deciders import lobby, ready_check
from bot.host.reliability import Reliability
from bot.host.request import Refusal, Request
from bot.host.table import Table
from bot.store.clock_rows import DAY, TimeControl
from bot.store.lobby_rows import AdmissionRule, LobbyState, ReadyCheck
from bot.store.rows import Status, TableRow
from bot.store.seat_rows import SeatRow
from rules.catalogue import GAMES
from rules.game import AnyGame
from rules.model import Options
from rules.options import options_of, parse_options, write_options
from tests.bot.chat.post_components import buttons_of
from tests.bot.host.playing import GAMES_AND_TOYS
from tests.bot.host.viewer_output import TablesOfOne

FIRST_USER = 1_234_567_890_123_456_000


def make_lobby(game: AnyGame, name_start: str, option_texts: list[str]) -> Table:
    """Return a full lobby whose players have cut the deck; the name of each begins with ``name_start``."""
    options_type: type[Options] = game.options_type
    options = parse_options(options_type, " ".join(option_texts))
    users = range(FIRST_USER, FIRST_USER + max(game.player_counts))
    row = TableRow(
        number=9_999_999,
        game_key=game.key,
        rules_version=game.rules_version,
        options=write_options(options),
        status=Status.LOBBY,
        host=FIRST_USER,
        guild=1,
        lobby_channel=FIRST_USER,
        game_channel=FIRST_USER,
        seed=bytes(32),
        opened_at=0,
        expires_at=1_790_000_000,
        version=1,
        ply=0,
        snapshot=None,
        seats=tuple(
            SeatRow(f"{name_start[:31]}{i}", user=user, cut_words=("absolute", "absolute"))
            for i, user in enumerate(users)
        ),
        time_control=TimeControl(turn_seconds=3 * 86_400 + 3600, bank_seconds=3 * 86_400, sleep_hours=8),
        lobby=LobbyState(
            by_invitation=True,
            admission_rule=AdmissionRule.RELIABLE,
            ready_check=ReadyCheck(FIRST_USER, 1_790_000_000),
        ),
    )
    return Table(row, game, options, None)


def longest_options(game: AnyGame) -> list[str]:
    """Return each option with the longest of its unusual values."""
    options_type: type[Options] = game.options_type
    return [
        f"{option.name}={max((value for value in option.values if value != option.default), key=len)}"
        for option in options_of(options_type)
    ]


def explanation(game: AnyGame, option: str, value: str) -> str:
    """Return the meaning of a value: its own words, or those of its option."""
    hints = game.words.value_hints.get(option)
    return game.words.option_hints[option] if hints is None else hints[value]


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: str(game.key))
@pytest.mark.parametrize("name_start", ["Ava", "Maximilian von der Tannenburg-X", "_" * 31])
def test_any_lobby_fits_and_names_its_options(game: AnyGame, name_start: str) -> None:
    """Explained where there is room; not where names full of Markdown, which doubles, leave none."""
    option_texts = longest_options(game)
    table = make_lobby(game, name_start, option_texts)
    reliabilities = {
        seat.user: max(Reliability, key=lambda each: len(each.value))
        for seat in table.seats
        if seat.user is not None
    }
    text = lobby_post(table, reliabilities).text
    assert len(text) <= limits.CONTENT
    assert all(each.replace("_", " ").replace("=", ": ").lower() in text.lower() for each in option_texts)
    hints = [explanation(game, *each.split("=")) for each in option_texts]
    explained = [hint in text for hint in hints]
    assert all(explained) or not any(explained)
    assert all(explained) is not (game.key == "oceans" and name_start.startswith("_"))


def test_a_started_game_names_its_options_in_one_line() -> None:
    """Each has one colon, between its name and its value, as in the lobby."""
    table = make_lobby(GAMES["currents"], "Ava", ["jokers=on", "easy_usurp=on"])
    assert "\n-# Jokers: on, easy usurp: on\n" in lobby_post(table.with_row(status=Status.PLAYING)).text


@pytest.mark.parametrize(
    ("control", "text"),
    [
        (None, "-# No clock: everybody takes as long as they like."),
        (TimeControl(DAY), "-# Clock: 1 day a turn. "),
    ],
)
def test_a_lobby_says_how_much_time_players_have(control: TimeControl | None, text: str) -> None:
    """Also if they have as much as they like."""
    table = make_lobby(GAMES["oceans"], "Ava", [])
    lines = lobby_post(table.with_row(time_control=control)).text.splitlines()
    assert sum(line.startswith(text) for line in lines) == 1
    assert sum("lock: " in line for line in lines) == 1


@pytest.mark.parametrize("game", GAMES_AND_TOYS.values(), ids=GAMES_AND_TOYS)
def test_a_lobby_says_how_computers_play(game: AnyGame) -> None:
    """Beside the buttons that add them, as long as a seat is free; without a policy Casual is no better."""
    full_lobby = make_lobby(game, "Ava", [])
    table = full_lobby.with_row(seats=full_lobby.row.seats[:1])
    text = (
        "-# Computer players: Casual plays sensibly and Random plays anything that is allowed."
        if game.has_policy
        else "-# Computer players: Casual, like Random, plays anything that is allowed."
    )
    assert text in lobby_post(table).text
    assert "Computer players:" not in lobby_post(full_lobby).text


@pytest.mark.parametrize(
    ("counts", "changes_by_count", "text"),
    [
        ((2, 3, 4, 5, 6), {}, "For 2 to 6 players."),
        ((2, 4), {}, "For 2 or 4 players."),
        ((2, 4, 5), {}, "For 2, 4 or 5 players."),
        ((2,), {3: ()}, "For 2 players. For 3 players choose other options."),
        (
            (3,),
            {2: (("board_shape", "square"),), 4: (("board_shape", "square"), ("jokers", "on"))},
            "For 3 players. For 2 or 4 players set board shape to square.",
        ),
    ],
)
def test_the_lobby_says_how_many_can_play(
    counts: tuple[int, ...], changes_by_count: dict[int, tuple[tuple[str, str], ...]], text: str
) -> None:
    """Three or more numbers in a row are a range; for others it names the option to change."""
    assert _allowed_player_counts_text(counts, changes_by_count) == text


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_a_lobby_says_how_many_can_play_while_more_can_join(game: AnyGame) -> None:
    """Not once all seats that the game has are taken, nor below a game that has started."""
    full_lobby = make_lobby(game, "Ava", [])
    lobby = full_lobby.with_row(seats=full_lobby.row.seats[:-1])
    assert "\n-# For " in lobby_post(lobby).text
    assert "\n-# For " not in lobby_post(full_lobby).text
    assert "\n-# For " not in lobby_post(lobby.with_row(status=Status.PLAYING)).text


GAMES_WITH_FIRST_PLAYER_OPTION = [
    game for game in GAMES.values() if "first_player" in game.words.option_hints
]


@pytest.mark.parametrize("game", GAMES_WITH_FIRST_PLAYER_OPTION, ids=lambda game: str(game.key))
def test_a_lobby_does_not_promise_that_its_host_begins(game: AnyGame) -> None:
    """The first in the lobby begins: after **Rematch**, or when a host has left, that is somebody else."""
    table = make_lobby(game, "Ava", ["first_player=host"])
    table = table.with_row(host=FIRST_USER + 1)
    (line,) = [each for each in lobby_post(table, {}).text.splitlines() if "First player: host" in each]
    assert line.endswith("First player: host. The first in the lobby, usually the host.")
    sentences = [line for topic in game.words.topics for line in topic.text.splitlines() if "host" in line]
    assert all("the first in the lobby, usually the host" in sentence for sentence in sentences)


@pytest.mark.parametrize("person_count", [2, 3])
@pytest.mark.parametrize("present_count", [0, 1])
@pytest.mark.parametrize("computer_count", [0, 2])
def test_a_ready_check_says_what_follows_if_the_host_chooses_nothing(
    person_count: int, present_count: int, computer_count: int
) -> None:
    """The message says what then happens, also to a new host while nobody is here."""
    table = make_lobby(GAMES["oceans"], "Ava", [])
    due_at = table.row.expires_at
    assert due_at is not None
    seats = (
        *(SeatRow(f"Ava{i}", user=FIRST_USER + i) for i in range(person_count)),
        *(SeatRow(f"Casual {i}", computer="casual") for i in range(computer_count)),
    )
    check = ReadyCheck(
        1, due_at, present_users=tuple(FIRST_USER + i for i in range(present_count)), awaits_host=True
    )
    table = table.with_row(seats=seats, lobby=LobbyState(ready_check=check))
    decision = ready_check.expire(table, due_at, {}, is_channel_busy=False)
    assert decision is not None
    consequence = {
        Status.PLAYING: "the game starts without them",
        Status.LOBBY: "the lobby is open to others again",
        Status.CLOSED: "the lobby is closed",
    }[decision.table.status]
    assert f"If you choose nothing, {consequence} <t:" in ready_check_post(table).text


def test_what_starts_a_game_replaces_its_private_page() -> None:
    """Its buttons would otherwise stay there after the start."""
    table = make_lobby(GAMES["oceans"], "Ava", ["reef=on", "scenarios=promo"])
    two_players = table.with_row(seats=table.seats[:2])
    pages = (
        computers_changed_post(two_players, "One more.", is_host=True),
        confirm_start_post(table),
        unfit_options_post(table, "No."),
        ready_check_choices_post(table),
    )
    for page in pages:
        verbs = {each.custom_id.verb for each in buttons_of(page)}
        assert verbs
        assert verbs <= REPLACING_VERBS


def test_the_answer_names_the_computer_player_that_left() -> None:
    """The last one leaves; whoever pressed the button reads which one that was."""
    table = make_lobby(GAMES["oceans"], "Ava", [])
    computers = (SeatRow("Casual 1", computer="casual"), SeatRow("Random 1", computer="random"))
    table = table.with_row(seats=(table.seats[0], *computers))
    decision = lobby.remove_computer(table, Request(user=FIRST_USER, name="Ava", interaction=1))
    assert decision.answer == "The computer player Random 1 has left."
    assert [seat.name for seat in decision.table.seats] == ["Ava0", "Casual 1"]


@pytest.mark.parametrize(
    ("status", "is_unplayable", "text"),
    [
        (Status.LOBBY, False, "This game has not started yet. The lobby shows who has joined."),
        (Status.CLOSED, False, "This lobby was closed before the game started."),
        (Status.FROZEN, True, "This game is frozen. The notice at the table says why."),
        (Status.ENDED_EARLY, True, "This game was ended early."),
    ],
)
async def test_a_refusal_says_why_there_is_no_game_to_show(
    status: Status, text: str, *, is_unplayable: bool
) -> None:
    """A closed lobby waits for nobody, and a frozen game that was ended is not frozen any more."""
    table = replace(make_lobby(GAMES["oceans"], "Ava", []), is_unplayable=is_unplayable)
    tables: Any = TablesOfOne(table.with_row(status=status))
    with pytest.raises(Refusal) as refused:
        await get_started_table(tables, table.number)
    assert str(refused.value) == text
