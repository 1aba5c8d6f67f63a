"""The last dice competition in words, roll by roll: the alt text of its picture."""

from rules.australis.components import FACE_FACTS, NUMBER_DIE_VALUES, TileColour
from rules.australis.description import MAX_ALT_TEXT_LENGTH, status_text
from rules.australis.model import AustralisView, Competition, Phase, Position
from rules.australis.phrases import dice_text, tile_label
from rules.australis.round_end_narration import competition_result_text, roll_loss_text, roll_text
from rules.model import Names
from rules.text import listed, shortened


def describe_competition_picture(view: AustralisView, names: Names) -> str:
    """Describe the last competition roll by roll; before the first competition, who has which dice for it.

    The text has at most 1,024 characters: if the dice of all rolls are too many, it names only those lost.
    """
    position = view.position
    competition = position.competition
    if competition is None:
        return shortened(_upcoming_text(position, names), MAX_ALT_TEXT_LENGTH)
    opening = [
        f"Dice competition of round {competition.round}.",
        *_outcome_sentences(view, competition, names),
    ]
    for text_of_roll in (roll_text, roll_loss_text):
        roll_texts = [text_of_roll(roll, number, names) for number, roll in enumerate(competition.rolls, 1)]
        text = " ".join([*opening, *roll_texts])
        if len(text) <= MAX_ALT_TEXT_LENGTH:
            break
    return shortened(text, MAX_ALT_TEXT_LENGTH)


def _outcome_sentences(view: AustralisView, competition: Competition, names: Names) -> list[str]:
    """Return who won, and what the winner chooses from; nothing while the dice roll."""
    if not competition.is_over:
        return []
    sentences = []
    if not competition.seats:
        sentences.append("Nobody has a number die.")
    elif not competition.rolls:
        only_name = names[competition.seats[0]]
        sentences.append(
            f"Only {only_name} had dice to roll, and resigned."
            if competition.first is None
            else f"Only {only_name} has dice to roll and wins without a roll."
        )
    else:
        sentences.append(competition_result_text(view.position, competition.first, competition.second, names))
    if view.position.phase is Phase.TILE:
        sentences.append(status_text(view, names))
    return [sentence for sentence in sentences if sentence]


def _upcoming_text(position: Position, names: Names) -> str:
    round_number = max(1, position.round)
    player_texts = []
    for seat, board in enumerate(position.boards):
        if not board.resigned:
            dice = [die for die in board.dice if FACE_FACTS[die].colour in NUMBER_DIE_VALUES]
            player_texts.append(f"{names[seat]}: {dice_text(dice) or 'none'}.")
    tiles_text = listed([tile_label(tile, round_number) for tile in TileColour])
    when = "not rolled" if position.phase is Phase.OVER else "not rolled yet"
    return f"Dice competition of round {round_number}, {when}. {' '.join(player_texts)} Tiles: {tiles_text}."
