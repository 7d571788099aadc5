"""What a property is and offers: `casino properties`, `tables`, `submissions`."""

from collections.abc import Awaitable

from casino.rounds.v1 import rounds_service_pb2 as rounds
from casino.settlement.v1 import settlement_service_pb2 as settlement
from clients.cli.output import say
from clients.cli.requests import (
    Day,
    Described,
    Json,
    Property,
    ask,
    ask_of,
    noun,
    print_list,
    print_one,
    read_request,
)
from clients.sdk.client import Casino, new_request_id

properties = noun("Properties: time zone, cut-over and shifts, effective-dated.")
tables = noun("Tables: where they stand, what they offer.")
submissions = noun("Rules Submissions: proposed by one person, approved by another.")


@properties.command("list")
def list_properties(json: Json = False) -> None:
    """Every property, with its settings by the day they take effect."""
    found = ask(lambda casino: casino.call(casino.rounds.ListProperties, rounds.ListPropertiesRequest()))
    fields = (
        "property_id",
        "effective_from",
        "title",
        "time_zone",
        "cut_over",
        "house_edge_from",
        "house_edge_to",
        "claim_within_minutes",
        "jurisdiction",
    )
    print_list(found, "properties", fields, json)


@properties.command("set")
def set_property(file: Described, json: Json = False) -> None:
    """Sets a property up or changes its settings from a gaming day on (SetPropertyRequest)."""
    request = read_request(file, rounds.SetPropertyRequest)
    print_one(ask(lambda casino: casino.call(casino.rounds.SetProperty, request)), json)


@tables.command("list")
def list_tables(property_id: Property = None, json: Json = False) -> None:
    """Every table, with its settings by the day they take effect."""

    def request_of(casino: Casino, known: str) -> Awaitable[rounds.ListTablesResponse]:
        return casino.call(casino.rounds.ListTables, rounds.ListTablesRequest(property_id=known))

    print_list(ask_of(property_id, request_of), "tables", ("table_id", "effective_from", "pit", "game"), json)


@tables.command("set")
def set_table(file: Described, json: Json = False) -> None:
    """Sets a table up or changes its settings from a gaming day on (SetTableRequest)."""
    request = read_request(file, rounds.SetTableRequest)
    print_one(ask(lambda casino: casino.call(casino.rounds.SetTable, request)), json)


@tables.command("offer")
def show_offer(table: str, day: Day, property_id: Property = None, json: Json = False) -> None:
    """What a table offers on a day, with the digest that the floor compares."""

    def request_of(casino: Casino, known: str) -> Awaitable[rounds.GetOfferResponse]:
        request = rounds.GetOfferRequest(property_id=known, table_id=table, gaming_day=day)
        return casino.call(casino.rounds.GetOffer, request)

    print_one(ask_of(property_id, request_of), json)


@submissions.command("list")
def list_submissions(property_id: Property = None, json: Json = False) -> None:
    """Every Rules Submission, whatever its state."""
    found = ask_of(property_id, _submissions)
    fields = ("submission_id", "effective_from", "title", "state", "proposed_by", "approved_by")
    print_list(found, "submissions", fields, json)


def _submissions(casino: Casino, known: str) -> Awaitable[settlement.ListSubmissionsResponse]:
    request = settlement.ListSubmissionsRequest(property_id=known)
    return casino.call(casino.settlement.ListSubmissions, request)


@submissions.command("show")
def show_submission(submission_id: str, property_id: Property = None, json: Json = False) -> None:
    """One Rules Submission with all its terms."""

    def request_of(casino: Casino, known: str) -> Awaitable[settlement.GetSubmissionResponse]:
        request = settlement.GetSubmissionRequest(property_id=known, submission_id=submission_id)
        return casino.call(casino.settlement.GetSubmission, request)

    print_one(ask_of(property_id, request_of), json)


@submissions.command("propose")
def propose_submission(file: Described, json: Json = False) -> None:
    """Proposes a Rules Submission (ProposeSubmissionRequest); a sentence for each unusual house edge."""
    request = read_request(file, settlement.ProposeSubmissionRequest)
    proposed = ask(lambda casino: casino.call(casino.settlement.ProposeSubmission, request))
    print_one(proposed, json)
    # The JSON object has them already.
    for sentence in () if json else proposed.warnings:
        say(f"Warning: {sentence}.")


@submissions.command("approve")
def approve_submission(submission_id: str, property_id: Property = None, json: Json = False) -> None:
    """Approves a Rules Submission that somebody else proposed."""

    def request_of(casino: Casino, known: str) -> Awaitable[settlement.ApproveSubmissionResponse]:
        request = settlement.ApproveSubmissionRequest(
            request_id=new_request_id(), property_id=known, submission_id=submission_id
        )
        return casino.call(casino.settlement.ApproveSubmission, request)

    print_one(ask_of(property_id, request_of), json)
