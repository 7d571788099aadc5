"""Settings of properties and tables, in and out of protobuf."""

import re

from casino.rounds.v1 import entries_pb2 as entries
from services.kernel import errors
from services.kernel.house_edge import EdgeBand, read_band
from services.rounds.calendar import PropertySetting, TableSetting
from services.rounds.wire import PROPERTY_SET, TABLE_SET, new_entry, read_day, read_time
from services.runtime.feeds import NewEntry

JURISDICTION = re.compile(r"[A-Z]{2,8}")
CLAIM_MINUTES, LONGEST_CLAIM_MINUTES = 30, 1_440


def read_property(message: entries.PropertySettings) -> PropertySetting:
    """Property settings from the wire; their position is not known yet. InvalidRequest."""
    if not message.property_id:
        raise errors.InvalidRequest("Expected a property_id, got none.")
    cut_over = read_time(message.cut_over)
    shifts = tuple(read_time(text) for text in message.shift_starts) or (cut_over,)
    day, band = read_day(message.effective_from), read_band(message.house_edge_from, message.house_edge_to)
    return PropertySetting(
        *(day, 0, message.title, message.time_zone, cut_over, shifts, *band),
        _claim_minutes(message.claim_within_minutes),
        _jurisdiction(message.jurisdiction),
    )


def _claim_minutes(given: int) -> int:
    """How long a jackpot may stay unclaimed before an alarm. ClaimTimeImpossible."""
    if not 0 <= given <= LONGEST_CLAIM_MINUTES:
        raise errors.ClaimTimeImpossible(
            f"Expected claim_within_minutes from 1 to {LONGEST_CLAIM_MINUTES}, or 0 for {CLAIM_MINUTES}, got {given}."
        )
    return given or CLAIM_MINUTES


def _jurisdiction(given: str) -> str:
    """Whose taxes and thresholds hold; which of them are known, reporting says. InvalidRequest."""
    if given and not JURISDICTION.fullmatch(given):
        raise errors.InvalidRequest(f"Expected a jurisdiction in capital letters such as PA, or none, got {given!r}.")
    return given


def property_message(property_id: str, setting: PropertySetting) -> entries.PropertySettings:
    """Property settings for the wire."""
    lowest, highest = EdgeBand(setting.house_edge_from, setting.house_edge_to).texts
    return entries.PropertySettings(
        property_id=property_id,
        title=setting.title,
        time_zone=setting.time_zone,
        cut_over=setting.cut_over.strftime("%H:%M"),
        shift_starts=[start.strftime("%H:%M") for start in setting.shift_starts],
        effective_from=setting.effective_from.isoformat(),
        house_edge_from=lowest,
        house_edge_to=highest,
        claim_within_minutes=setting.claim_within_minutes,
        jurisdiction=setting.jurisdiction,
    )


def property_entry(property_id: str, setting: PropertySetting) -> NewEntry:
    """The entry that records settings of a property."""
    entry = entries.Entry(property_set=property_message(property_id, setting))
    return new_entry(PROPERTY_SET, setting.effective_from, entry)


def table_entry(property_id: str, setting: TableSetting) -> NewEntry:
    """The entry that records settings of a table."""
    entry = entries.Entry(table_set=table_message(property_id, setting))
    return new_entry(TABLE_SET, setting.effective_from, entry)


def read_table(message: entries.TableSettings) -> TableSetting:
    """Table settings from the wire; their position is not known yet. InvalidRequest."""
    if not message.table_id or not message.pit:
        raise errors.InvalidRequest(f"Expected a table_id and a pit, got {message.table_id!r} and {message.pit!r}.")
    return TableSetting(read_day(message.effective_from), 0, message.table_id, message.pit, message.game)


def table_message(property_id: str, setting: TableSetting) -> entries.TableSettings:
    """Table settings for the wire."""
    return entries.TableSettings(
        property_id=property_id,
        table_id=setting.table_id,
        pit=setting.pit,
        game=setting.game,
        effective_from=setting.effective_from.isoformat(),
    )
