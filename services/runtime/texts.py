"""What every text of a request must be, before anything reads it: later it stands in columns and keys of any service.

A feed's entry with a text that a follower's table cannot keep would stop that follower for good, so such a text is
refused where it comes in.
"""

from typing import Any

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

from services.kernel import errors

MOST_NAME_BYTES = 400
"""Of a name. No key has more than five of them, and an index row takes at most 2,704 bytes."""
MOST_TEXT_BYTES = 10_000
"""Of what a person writes."""
NAMES = frozenset({"code", "corrects", "dealer", "game", "jackpot_id", "level", "name", "paytable", "pit", "wheel"})
NAME_ENDINGS = ("_id", "_ids", "_serial")


def check(message: Message) -> None:
    """InvalidRequest for a text, at any depth, with a zero character or longer than its kind may be."""
    for field, value in message.ListFields():
        if field.type == FieldDescriptor.TYPE_STRING:
            for text in value if field.is_repeated else (value,):
                check_text(field.name, text)
        elif field.type == FieldDescriptor.TYPE_MESSAGE:
            _check_below(field, value)


def _check_below(field: FieldDescriptor, value: Any) -> None:
    if isinstance(value, Message):
        check(value)
    elif field.message_type is not None and field.message_type.GetOptions().map_entry:
        for key, text in value.items():
            check_text(field.name, str(key))
            check_text(field.name, str(text))
    else:
        for each in value:
            check(each)


def check_text(name: str, text: str) -> None:
    """The same for the text of one field, whose name tells whether it is a name itself."""
    if "\0" in text:
        raise errors.InvalidRequest(f"Expected values without zero characters, got {text[:100]!r} as {name}.")
    most = MOST_NAME_BYTES if name in NAMES or name.endswith(NAME_ENDINGS) else MOST_TEXT_BYTES
    if len(text) * 4 > most and len(text.encode()) > most:
        raise errors.InvalidRequest(f"Expected {name} of at most {most} bytes, got {len(text.encode())}.")
