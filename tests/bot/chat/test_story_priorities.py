"""What outlasts what in a story that is shortened, at tables in the middle of random games."""

import msgspec

from bot.chat.quotations import quote
from bot.chat.story import LOG_HINT, make_story
from bot.host.table import Table
from rules.model import CHANCE, Seat
from rules.turns import Turn, newest_turn, running_turn, turns_from
from tests.bot.chat.narrated_text import log_line
from tests.bot.chat.sample_tables import MAX_SHARED_TABLES, shared_sample_tables

READER = Seat(0)


def test_what_affected_the_reader_keeps_the_sentences_about_them() -> None:
    """A shortened line says what it did to the reader, who is named or whose pieces are: "A2"."""
    table = next(each for each in shared_sample_tables("oceans") if len(each.seats) > 2)
    moves = "B1 passes to Chloé as C2. A1 passes to Ben as B3. C1 passes to Ava as A2."
    text = f"Ben discards a card. {moves} {'It takes long. ' * 40}"
    affected = log_line(0, Seat(1), text, affected_seats=frozenset({READER}))
    story = make_story(table, [affected], READER, 300)
    assert story.text.splitlines()[0] == (
        "> Ben discards a card. … A1 passes to Ben as B3. C1 passes to Ava as A2. …"
    )
    others = log_line(0, Seat(1), text)
    assert make_story(table, [others], READER, 300).text.splitlines()[0] == "> Ben discards a card. …"


def test_the_set_up_comes_before_turns_that_affected_the_reader() -> None:
    """What the first turn did to the reader follows from what was laid out."""
    tables = shared_sample_tables("oceans", MAX_SHARED_TABLES)
    table = next(each for each in tables if len(each.seats) > 2 and each.row.ply > 100)
    assert table.match is not None
    first, second, *_ = turns_from(table.match.history)
    lines = [
        log_line(0, CHANCE, "The Reef lies there.", affected_seats=frozenset({READER, Seat(1), Seat(2)})),
        log_line(first.start, Seat(1), "Ben attacks A1.", affected_seats=frozenset({READER})),
        log_line(second.start, Seat(2), "Chloé waits."),
    ]
    assert make_story(table, lines, READER, 1_000).text.splitlines() == [
        "> The Reef lies there.",
        "**What affected you:**",
        "> Ben attacks A1.",
        "**What else happened:**",
        "> Chloé waits.",
    ]


def test_gains_and_losses_outlast_ceremony() -> None:
    """What only says how a turn goes on is left out first; what dies out or is scored stays."""
    table = next(each for each in shared_sample_tables("oceans") if len(each.seats) > 2)
    lines = [
        log_line(0, Seat(1), "Ben goes on to Aging. Aging: Ben scores 1. B1 dies out."),
        log_line(0, Seat(2), "Chloé ends the turn."),
        log_line(0, Seat(2), "Chloé goes on to Aging. C1 dies out."),
        log_line(0, Seat(1), "Ben's B2 forages in the Reef. It takes 3. Aging: Ben scores 4."),
    ]
    gains_and_losses = ["> Aging: Ben scores 1. B1 dies out.", "> C1 dies out."]
    story = make_story(table, lines, READER, 120)
    assert story.text.splitlines() == [*gains_and_losses, quote(lines[3].text)]
    assert not story.is_shortened
    lines.append(log_line(0, Seat(1), f"Ben's B3 forages. {'It takes long. ' * 20}"))
    shown_lines = make_story(table, lines, READER, 170).text.splitlines()
    assert shown_lines[:3] == [*gains_and_losses, "> Ben's B2 forages in the Reef. … Aging: Ben scores 4."]
    shown_lines = make_story(table, lines, READER, 160).text.splitlines()
    assert shown_lines[:2] == gains_and_losses
    assert "B3" not in "".join(shown_lines), "the newest line goes before them"


def test_an_upgrade_outlasts_the_market() -> None:
    """In Current Affairs what opens on the deck goes before what was unlocked."""
    table = next(each for each in shared_sample_tables("current_affairs"))
    lines = [
        log_line(0, Seat(1), "Ben unlocks the wheel. New in the market: Callao 7."),
        log_line(1, Seat(1), "Ben draws Callao 6.\nOpen on the deck: Callao 5."),
    ]
    assert make_story(table, lines, READER, 95).text.splitlines() == [
        "> Ben unlocks the wheel. …",
        "> Ben draws Callao 6. …",
        LOG_HINT,
    ]
    lines += [log_line(2 + i, Seat(2), f"Chloé waits {i}. {'It takes long. ' * 9}") for i in range(9)]
    assert "> Ben unlocks the wheel." in make_story(table, lines, READER, 100).text


def _table_in_running_turn(key: str) -> tuple[Table, Turn]:
    """Return a table at which the seat to act has begun its turn after one of another seat, and its turn."""
    return next(
        (table, turn)
        for table in shared_sample_tables(key, MAX_SHARED_TABLES)
        if table.match is not None
        if (turn := running_turn(table.match.history, table.to_act)) is not None
        if newest_turn(table.match.history, turn.start) is not None
    )


def test_a_resignation_outlasts_the_turn_in_which_it_happened() -> None:
    """Of the running turn the reader's own moves go before what another player did in it."""
    table, turn = _table_in_running_turn("oceans")
    other_seat = Seat((turn.seat + 1) % len(table.seats))
    own_lines = [
        log_line(turn.start, turn.seat, f"It goes on {i}. {'It takes long. ' * 6}") for i in range(9)
    ]
    text = f"{table.names[other_seat]} resigns."
    lines = [*own_lines[:4], log_line(turn.start, other_seat, text), *own_lines[4:]]
    assert f"{quote(text)} …" in make_story(table, lines, turn.seat, 120).text.splitlines()


def test_a_board_cuts_older_turns_before_the_running_one() -> None:
    """Who presses made these moves, but everybody else reads of them there for the first time."""
    table, turn = _table_in_running_turn("oceans")
    other_seat = Seat((turn.seat + 1) % len(table.seats))
    lines = [
        *(log_line(0, other_seat, f"Old move {i}. It scores 4.\nRound {i} ends.") for i in range(4)),
        *(log_line(turn.start - 1, other_seat, f"New move {i}. It takes long.") for i in range(4)),
        *(log_line(turn.start, turn.seat, f"Own move {i}. It takes long.") for i in range(4)),
    ]
    own_texts = [quote(line.text) for line in lines[-4:]]
    for limit in range(200, 500):
        story = make_story(table, lines, turn.seat, limit, is_for_everybody=True)
        assert story.text.splitlines()[-5:] == [*own_texts, LOG_HINT] or not story.is_shortened
        assert "Old move" not in story.text or "New move 0" in story.text
    assert "Own move 3." in make_story(table, lines, turn.seat, 100, is_for_everybody=True).text
    assert "Own move" not in make_story(table, lines, turn.seat, 250).text, "who made them knows them"


def test_rules_that_change_for_everybody_outlast_older_turns() -> None:
    """The Cambrian Explosion stays whole where moves go, and announcements of what only others lost."""
    table = next(
        each for each in shared_sample_tables("oceans") if len(each.seats) > 2 and each.to_act != READER
    )
    assert table.match is not None
    everybody = frozenset(map(Seat, range(len(table.seats))))
    explosion = "The Cambrian Explosion: from now on players play two cards."
    lines = [
        log_line(0, Seat(1), f"Ben migrates 5.\n{explosion}\nGenetic Diversity begins.", everybody),
        *(log_line(0, Seat(1), f"Ben attacks. B{i} dies out.\nC{i} dies out.") for i in range(1, 9)),
        log_line(len(table.match.history) - 1, Seat(2), "Chloé waits."),
    ]
    shown_lines = make_story(table, lines, READER, 165).text.splitlines()
    assert shown_lines == [
        "> …",
        quote(explosion),
        "> Genetic Diversity begins. …",
        "> Chloé waits.",
        LOG_HINT,
    ]


def test_the_turns_that_affected_the_reader_are_whole_and_first() -> None:
    """No effect stands above its cause; what affected everybody keeps its place, and stays longest too."""
    table, turns = next(
        (table, turns)
        for table in shared_sample_tables("oceans", MAX_SHARED_TABLES)
        if len(table.seats) > 2 and table.match is not None
        if len(turns := turns_from(table.match.history)) > 4 and turns[0].end > turns[0].start + 1
    )
    everybody = frozenset(map(Seat, range(len(table.seats))))
    first, second, third, fourth = (turn.start for turn in turns[:4])
    lines = [
        log_line(first, Seat(1), "Ben attacks."),
        log_line(first + 1, Seat(1), "Ben takes two of Ava's.", affected_seats=frozenset({READER})),
        log_line(second, Seat(2), "Chloé builds C1. " + "It takes long. " * 20),
        log_line(third, Seat(1), "Ben takes the only site left, Ava's too.", affected_seats=everybody),
        log_line(fourth, Seat(2), "Chloé adds a wing."),
    ]
    texts = [quote(line.text) for line in lines]
    story = make_story(table, lines, READER, 1_000)
    headings = "**What affected you:**", "**What else happened:**"
    assert story.text.splitlines() == [headings[0], *texts[:2], headings[1], *texts[2:]]
    shown_lines = make_story(table, lines, READER, 165).text.splitlines()
    assert shown_lines == [f"{headings[0]} …", texts[1], f"{headings[1]} …", f"{texts[3]} …", LOG_HINT]
    without_effect = [lines[0], *lines[2:]]
    assert make_story(table, without_effect, READER, 1_000).text.splitlines() == [
        texts[0],
        *texts[2:],
    ], "nothing affected the reader more than everybody"


def test_what_affected_everybody_but_names_the_readers_piece_affected_the_reader() -> None:
    """An attack on the reader that begins with a leech on the third player is one on the reader."""
    table, turns = next(
        (table, turns)
        for table in shared_sample_tables("oceans", MAX_SHARED_TABLES)
        if len(table.seats) > 2 and table.match is not None
        if len(turns := turns_from(table.match.history)) > 2
    )
    first, second = (turn.start for turn in turns[:2])
    everybody = frozenset(map(Seat, range(len(table.seats))))
    lines = [
        log_line(first, Seat(1), "Ben waits."),
        log_line(second, Seat(2), "C2 leeches 2 from B1. Chloé's C1 attacks A1 and takes 3.", everybody),
    ]
    assert make_story(table, lines, READER, 1_000).text.splitlines() == [
        "**What affected you:**",
        quote(lines[1].text),
        "**What else happened:**",
        quote(lines[0].text),
    ]


def test_a_forced_choice_of_the_reader_moves_no_turn_to_the_front() -> None:
    """The last card of a draft that the reader gets in another player's turn stands in the order of play."""
    table = next(each for each in shared_sample_tables("current_affairs") if each.match is not None)
    assert table.match is not None
    first, second = (turn.start for turn in turns_from(table.match.history)[:2])
    lines = [
        log_line(first, Seat(2), "Chloé takes Panama 10.", frozenset({Seat(2)})),
        log_line(second, Seat(1), "Ben takes Callao 5.", frozenset({Seat(1)})),
        log_line(second, READER, "Ava takes San Francisco 4.", frozenset({READER})),
    ]
    texts = [quote(line.text) for line in lines]
    assert make_story(table, lines, READER, 1_000).text.splitlines() == texts
    lines[2] = msgspec.structs.replace(lines[2], actor=Seat(1))
    assert make_story(table, lines, READER, 1_000).text.splitlines() == [
        "**What affected you:**",
        *texts[1:],
        "**What else happened:**",
        texts[0],
    ], "what another player did to the reader comes first"


def test_lines_about_the_reader_outlast_others_that_affected_them() -> None:
    """The tile that they get stays where the display goes."""
    table = next(each for each in shared_sample_tables("australis") if len(each.seats) > 2)
    two_seats = frozenset({READER, Seat(1)})
    lines = [
        log_line(0, Seat(1), "Ben takes the silver tile. Ava gets the gold tile.", two_seats),
        log_line(
            1,
            Seat(1),
            "The turtle swims from 9 to 13, takes two cubes and rests.\nRound 4 ends: Ava +2, Ben +3.",
            two_seats,
        ),
        log_line(2, Seat(1), "Ben takes the blue 5.", two_seats),
    ]
    shown_lines = make_story(table, lines, READER, 160).text.splitlines()
    assert shown_lines == [
        "> Ben takes the silver tile. Ava gets the gold tile. …",
        "> Round 4 ends: Ava +2, Ben +3.",
        "> Ben takes the blue 5.",
        LOG_HINT,
    ]


def test_only_names_of_pieces_are_taken_for_those_of_the_reader() -> None:
    """A1 is a species of seat A in Oceans, and a tile for everybody in Arctic CleanUp."""
    two_seats = frozenset({READER, Seat(1)})
    texts = "On A1.", "It takes a while here.", "On B1. " * 20, "On C1."
    lines = [log_line(i, Seat(1), text.strip(), two_seats) for i, text in enumerate(texts)]
    lines_by_key = {}
    for key in ("oceans", "arctic_cleanup"):
        table = next(each for each in shared_sample_tables(key) if len(each.seats) > 2)
        lines_by_key[key] = make_story(table, lines, READER, 75).text.splitlines()
    assert "> On A1. …" in lines_by_key["oceans"]
    assert "> On A1. …" not in lines_by_key["arctic_cleanup"]
