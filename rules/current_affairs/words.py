"""The words of Current Affairs: verbs, labels and the table that the host reads them from."""

from collections.abc import Mapping
from typing import Final

from rules.current_affairs.actions import (
    Collect,
    DealContracts,
    DealMarket,
    Deliver,
    DiscardContract,
    DrawContract,
    EndTurn,
    PickContract,
    PlaceShip,
    RevealTop,
    Sail,
    Skip,
    Unlock,
)
from rules.current_affairs.affected_seats import affected_seats
from rules.current_affairs.boards import stack_of
from rules.current_affairs.components import Contract, Region, Trash, Upgrade
from rules.current_affairs.description import alt_text, describe, describe_destinations_picture, status_text
from rules.current_affairs.destination_texts import destination_label
from rules.current_affairs.forecast import forecast_stop
from rules.current_affairs.glossary import GLOSSARY
from rules.current_affairs.help import OPTION_HINTS, TOPICS, VALUE_HINTS
from rules.current_affairs.model import CurrentAffairsView, Position
from rules.current_affairs.narration import narrate
from rules.current_affairs.own_board import own_board_text
from rules.current_affairs.paths import collect_label, path, upgrade_effect_text
from rules.current_affairs.phrases import (
    ANY,
    TRASH_NAMES,
    UPGRADE_NAMES,
    contract_text,
    port_note,
    region_name,
    region_with_article,
)
from rules.current_affairs.preview import needs_confirmation, needs_no_preview, preview, short_preview
from rules.current_affairs.refusals import illegal_type_reason, refusal
from rules.model import Action, Names, Resign
from rules.text import capitalized
from rules.words import VerbTexts, Words

_REGION_HINT: Final = "A region, such as KUR for Kuroshio"
_CONTRACT_HINT: Final = "A contract, such as C05"

VERB_TEXTS: Final[Mapping[type[Action], VerbTexts]] = {
    PickContract: VerbTexts("Take a contract", "Take a contract in the draft", {"contract": _CONTRACT_HINT}),
    PlaceShip: VerbTexts("Place your ship", "Place your ship in a free region", {"region": _REGION_HINT}),
    Sail: VerbTexts("Sail", "Sail to a region and collect trash there", {"region": _REGION_HINT}),
    Collect: VerbTexts(
        "Take trash",
        "Take trash onto a contract",
        {
            "trash": "P plastic, A aluminium, G glass, N net, R rubber",
            "contract": "One of your contracts, such as C05",
            "wild": "Whether it goes on a slot that takes any trash",
        },
    ),
    Skip: VerbTexts("Take nothing", "Leave the second trash of the stack"),
    Deliver: VerbTexts("Deliver", "Deliver a completed contract in port", {"contract": _CONTRACT_HINT}),
    DiscardContract: VerbTexts(
        "Discard a contract", "Discard an incomplete contract with its trash", {"contract": _CONTRACT_HINT}
    ),
    Unlock: VerbTexts("Unlock", "Unlock an upgrade of your ship", {"upgrade": "Which upgrade"}),
    DrawContract: VerbTexts(
        "Draw a contract", "Take an open contract of the market", {"contract": _CONTRACT_HINT}
    ),
    EndTurn: VerbTexts("End turn", "End your turn in port", confirm=False),
}


def label(view: CurrentAffairsView, action: Action, names: Names) -> str:
    """Name a legal action as a choice."""
    match action:
        case PickContract(contract=contract):
            return f"Take {contract_text(contract)}"
        case PlaceShip(region=region):
            return f"Start in {region_with_article(region)}"
        case Sail(region=region):
            return f"Sail to {region_with_article(region)}"
        case Collect() if view.viewer is not None:
            return collect_label(view.position, view.viewer, action)
        case Deliver(contract=contract):
            return f"Deliver {contract_text(contract)}"
        case DiscardContract(contract=contract):
            return f"Discard {contract_text(contract)}"
        case Unlock(upgrade=upgrade):
            return f"Unlock {UPGRADE_NAMES[upgrade]}: {upgrade_effect_text(view.position, upgrade)}"
        case DrawContract(contract=contract):
            return f"Draw {contract_text(contract)}"
        case Resign():
            return "Resign"
        case _:
            return VERB_TEXTS[type(action)].label


def value_label(view: CurrentAffairsView, action_type: type[Action], field: str, value: object) -> str:
    """Name the value of one field as a choice."""
    match value:
        case Region() if action_type is Sail and view.viewer is not None:
            forecast = forecast_stop(view.position, view.viewer, value)
            return destination_label(view.position, view.viewer, value, forecast)
        case Region():
            return _region_value_label(view.position, value)
        case Contract():
            return capitalized(contract_text(value))
        case Trash():
            return capitalized(TRASH_NAMES[value])
        case Upgrade():
            return f"{capitalized(UPGRADE_NAMES[value])}: {upgrade_effect_text(view.position, value)}"
        case bool():
            return "On a slot for any trash" if value else "On a slot of its kind"
        case _:
            return str(value)


def _region_value_label(position: Position, region: Region) -> str:
    """Name a region with its trash on top."""
    stack = stack_of(position, region)
    return f"{region_name(region)} ({TRASH_NAMES[stack[-1]] if stack else 'empty'})"


WORDS: Final[Words[CurrentAffairsView]] = Words(
    verb_texts=VERB_TEXTS,
    label=label,
    value_label=value_label,
    preview=preview,
    short_preview=short_preview,
    refusal=refusal,
    illegal_type_reason=illegal_type_reason,
    narrate=narrate,
    affected_seats=affected_seats,
    status=status_text,
    describe=describe,
    alt_text=alt_text,
    own_board_text=own_board_text,
    outcome_clauses={
        DealContracts: "new contracts are dealt",
        DealMarket: "the contracts of the market are dealt",
        RevealTop: "the next contract of the deck is shown",
    },
    typed_phrases={f"a {name}": name for name in TRASH_NAMES.values()}  # "a" alone is aluminium
    | {"sf": "San Francisco"},
    other_verbs={
        PickContract: ("draw", "add"),
        PlaceShip: ("go", "put", "add"),
        Sail: ("go", "move", "start"),
        Collect: ("add", "put", "load"),
        DrawContract: ("take", "pick", "add"),
    },
    passing_types=(Skip, EndTurn),
    typed_names={
        "region": {region.value: f"{region_name(region)}{port_note(region)}" for region in Region},
        "contract": {contract.value: contract_text(contract) for contract in Contract},
        "trash": {trash.value: name for trash, name in TRASH_NAMES.items()},
        "wild": {"yes": f"as {ANY}", "no": "of its kind"},
        "upgrade": {upgrade.value: name for upgrade, name in UPGRADE_NAMES.items()},
    },
    picture_texts={"destinations": describe_destinations_picture},
    needs_confirmation=needs_confirmation,
    needs_no_preview=needs_no_preview,
    how_to_win=(
        "The most points win: deliver contracts, and restore habitats by taking the last trash of a region."
    ),
    option_hints=OPTION_HINTS,
    value_hints=VALUE_HINTS,
    topics=TOPICS,
    glossary=GLOSSARY,
    path=path,
)
