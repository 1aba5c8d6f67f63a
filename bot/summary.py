"""The summary of a game that is over, drawn for the bot and for the command line."""

from bot import limits
from render.caption import Caption
from render.catalogue import Pictures
from render.paint import render_png
from render.picture import BOARD, PictureContext
from render.summary import SummaryContent, draw_summary, summary_text
from rules.match import Match
from rules.summary import summarize
from rules.text import shortened
from rules.trace import trace_match


def prepare_summary(match: Match, caption: Caption, pictures: Pictures) -> SummaryContent:
    """Return the content of the summary of a match that is over.  This takes as long as a replay.

    ``pictures``: those of its game.  Raises ValueError while the match goes on.
    """
    names = tuple(caption.seat_name(seat) for seat in range(match.seat_count))
    return SummaryContent(
        match.game.title,
        caption,
        summarize(match.game.words, trace_match(match), names),
        pictures[BOARD].draw(match.view(None), PictureContext(caption, match.recent_events)),
    )


def render_summary(content: SummaryContent) -> bytes:
    """Return the picture as PNG."""
    return render_png(draw_summary(content))


def describe_summary(content: SummaryContent) -> str:
    """Return the picture in words, for its alt text."""
    return shortened(summary_text(content.title, content.caption, content.summary), limits.ALT_TEXT)
