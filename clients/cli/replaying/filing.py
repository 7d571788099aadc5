"""The submission of a what-if: one of the property by its id, or a proposal in a file that nobody has to file."""

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from casino.settlement.v1 import settlement_service_pb2 as settlement
from clients.cli.properties import read_day
from clients.cli.requests import read_request
from clients.sdk.client import Casino
from services.games.terms import Terms, check_terms
from services.kernel.errors import InvalidRequest


class Filing(NamedTuple):
    """What it is called, and the terms of each table that it names."""

    name: str
    tables: Mapping[str, Terms]


async def read_filing(casino: Casino, property_id: str, given: str) -> Filing:
    """The submission with that id, proposed or approved; where there is a file of that name, the proposal in it.

    Raises RefusedByServer for an id that the property does not know, InvalidRequest and TermsContradictRules for what
    a file cannot propose.
    """
    path = _file(given)
    if path is not None:
        return _from_file(path, property_id)
    request = settlement.GetSubmissionRequest(property_id=property_id, submission_id=given)
    found = (await casino.call(casino.settlement.GetSubmission, request)).submission
    return Filing(given, {each.table_id: Terms.read(given, each) for each in found.tables})


def _file(given: str) -> Path | None:
    return Path(given) if Path(given).is_file() else None


def _from_file(path: Path, property_id: str) -> Filing:
    request = read_request(path, settlement.ProposeSubmissionRequest)
    if request.property_id not in ("", property_id):
        raise InvalidRequest(f"expected a proposal for property {property_id}, given one for {request.property_id}")
    day = read_day(request.effective_from)
    tables = {each.table_id: Terms.read(path.name, each) for each in request.tables}
    for terms in tables.values():
        check_terms(terms, day)
    return Filing(path.name, tables)
