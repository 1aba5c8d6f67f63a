"""Discord's limits, each defined once.

Lengths are in characters, sizes in bytes, times in seconds. Sources: [D] Discord's documentation,
[O] Discord's OpenAPI document, [C] reports of other developers (Discord publishes no number).
"""

from __future__ import annotations

import unicodedata
from typing import Final

# Interactions
FIRST_RESPONSE_SECONDS: Final = 3.0  # [D] Receiving and Responding: then 10062
TOKEN_SECONDS: Final = 15 * 60.0  # [D] Receiving and Responding: then 50027
AUTOCOMPLETE_CHOICES: Final = 25  # [D] Autocomplete callback data

# Messages
CONTENT: Final = 2000  # [D] Create Message; [O] says 4000, which bots do not get
EMBEDS: Final = 10  # [D] Create Message
EMBED_TOTAL: Final = 6000  # [D] Embed Limits: all texts of all embeds of a message
EMBED_TITLE: Final = 256  # [D] Embed Limits
EMBED_DESCRIPTION: Final = 4096  # [D] Embed Limits
EMBED_FIELDS: Final = 25  # [D] Embed Limits
EMBED_FIELD_NAME: Final = 256  # [D] Embed Limits
EMBED_FIELD_VALUE: Final = 1024  # [D] Embed Limits
EMBED_FOOTER: Final = 2048  # [D] Embed Limits
EMBED_AUTHOR: Final = 256  # [D] Embed Limits
FILES: Final = 10  # [D] Uploading Files
FILE_BYTES: Final = 10 * 1024 * 1024  # [D] Uploading Files: the default; an interaction names its own
REQUEST_BYTES: Final = 25 * 1024 * 1024  # [D] Uploading Files
ALLOWED_MENTION_KINDS: Final = 3  # [D] Allowed Mention Types
ALLOWED_MENTION_IDS: Final = 100  # [D] Allowed Mentions object: of users, and of roles
ALT_TEXT: Final = 1024  # [D] Attachment object, description
FILE_NAME: Final = 1024  # [O] MessageAttachmentRequest.filename
NONCE: Final = 25  # [D] Create Message
NONCE_SECONDS: Final = 5 * 60.0  # [D] says "the past few minutes"
OLD_MESSAGE_SECONDS: Final = 60 * 60.0  # [D] error 30046
OLD_EDITS: Final = 3  # [C] edits of old messages in one channel within OLD_EDITS_SECONDS
OLD_EDITS_SECONDS: Final = 20.0  # [C]

# Components
ACTION_ROWS: Final = 5  # [D] legacy message component behaviour
ROW_BUTTONS: Final = 5  # [D] Action Row
COMPONENTS_V2: Final = 40  # [D] Component reference: all of a message, nested ones counted
COMPONENTS_V2_TEXT: Final = 4000  # [C] all text displays of a message together
GALLERY_ITEMS: Final = 10  # [D] Media Gallery
SECTION_TEXTS: Final = 3  # [D] Section
CUSTOM_ID: Final = 100  # [D] Anatomy of a custom_id
BUTTON_LABEL: Final = 80  # [D] Button
BUTTON_URL: Final = 512  # [D] Button
SELECT_OPTIONS: Final = 25  # [D] String Select
OPTION_LABEL: Final = 100  # [D] Select option
OPTION_VALUE: Final = 100  # [D] Select option
OPTION_DESCRIPTION: Final = 100  # [D] Select option
SELECT_PLACEHOLDER: Final = 150  # [D] String Select
MODAL_TITLE: Final = 45  # [D] Modal callback data
MODAL_COMPONENTS: Final = 5  # [D] Modal callback data
LABEL: Final = 45  # [D] Label
LABEL_DESCRIPTION: Final = 100  # [D] Label
GROUP_OPTIONS: Final = 10  # [O] radio and checkbox groups of a modal
TEXT_INPUT: Final = 4000  # [D] Text Input
TEXT_INPUT_PLACEHOLDER: Final = 100  # [D] Text Input

# Commands
COMMANDS: Final = 100  # [D] Application Commands: global slash commands
COMMAND_OPTIONS: Final = 25  # [D] Application Command object; subcommands of one group as well
COMMAND_CHOICES: Final = 25  # [D] Application Command Option
CHOICE_NAME: Final = 100  # [D] Application Command Option Choice
CHOICE_VALUE: Final = 100  # [D] Application Command Option Choice
COMMAND_NAME: Final = 32  # [D] Application Command naming
COMMAND_DESCRIPTION: Final = 100  # [D] Application Command object
COMMAND_TOTAL: Final = 8000  # [D] names, descriptions and values of one command
COMMAND_CREATES_A_DAY: Final = 200  # [D] Application Commands, per server; then 30034
STRING_OPTION: Final = 6000  # [D] Application Command Option, max_length

# Threads
THREAD_NAME: Final = 100  # [D] Start Thread
AUTO_ARCHIVE_MINUTES: Final = (60, 1440, 4320, 10080)  # [D] Start Thread
THREAD_MEMBERS: Final = 1000  # [D] Threads
ACTIVE_THREADS: Final = 1000  # [C] then 160006

# Rate limits
IDENTIFIES_A_DAY: Final = 1000  # [D] Gateway session start limit
REQUESTS_A_SECOND: Final = 50  # [D] global rate limit; interaction routes do not count
CHANNEL_SENDS: Final = 5  # [C] within CHANNEL_SENDS_SECONDS, for each of send and edit
CHANNEL_SENDS_SECONDS: Final = 5.0  # [C]


def is_command_name(text: str) -> bool:
    """Return whether Discord accepts `text` as the name of a command or option [D: naming]."""
    return 1 <= len(text) <= COMMAND_NAME and text == text.lower() and all(map(_is_name_character, text))


def _is_name_character(character: str) -> bool:
    is_devanagari_or_thai = "\u0900" <= character <= "\u097f" or "\u0e00" <= character <= "\u0e7f"
    return character in "-_'" or is_devanagari_or_thai or unicodedata.category(character)[0] in "LN"
