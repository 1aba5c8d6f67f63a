"""The questions above the choices in the panel."""

from rules.oceans.model import OceansView
from rules.oceans.steps import Choosing, Exchanging, Feeding, Playing, Reason, Swapping, Trimming
from rules.oceans.words.extinction import extinction_warning
from rules.oceans.words.phrases import cause_text


def first_question(view: OceansView) -> str:
    """Return what the first screen asks."""
    position = view.position
    match position.agenda[-1]:
        case Playing() if position.plays_left:
            return "Which card do you play first?" if position.plays_left > 1 else "Which card do you play?"
        case Feeding():
            return f"{extinction_warning(position, position.current_player)} Which species feeds?".lstrip()
        case Trimming(species=key):
            return f"Which trait does {key} lose?"
        case Exchanging(species=key):
            return f"Which trait of {key} do you take to your hand?"
        case Swapping():
            return "Which trait do you swap?"
        case _:
            return "What do you want to do?"


def choosing_question(step: Choosing) -> str:
    """Return what a ``Choosing`` step asks."""
    why = cause_text(step.cause)
    match step.reason:
        case Reason.LEECH:
            return f"Whom does {step.species} leech ({why})?"
        case Reason.SHIELD:
            return f"Whose score pile does {step.species} take from ({why})?"
        case Reason.REEFWARD:
            return f"Which zone feeds the Reef ({why})?"
        case Reason.BLEACHING:
            return f"Which zone gets population from the Reef ({why})?"
        case Reason.AGE:
            return f"How much does {step.species} age ({why})?"
        case Reason.VIRUS:
            return f"Which species ages twice ({why})?"
        case Reason.HYDRA:
            return f"From whom does {step.species} also take 1 ({why})?"
