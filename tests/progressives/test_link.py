"""A link against its section, and its states."""

from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Any

import pytest

from services.kernel import errors
from services.progressives.link import Draft, Link, LinkState, MeterTerms, approve, goes_live, propose

CODE = "baccarat.heavenly_9_progressive"
DAY, NOW = date(2026, 3, 2), datetime(2026, 3, 1, 12, tzinfo=UTC)
MEGA = MeterTerms("mega", 1_000_000, 1_000, 0, 0)


def draft(**changes: Any) -> Draft:
    return Draft("H9", "Heavenly 9", CODE, "standard", (MEGA,), ("BAC-01", "BAC-02"), DAY)._replace(**changes)


def proposed(**changes: Any) -> Link:
    return propose(draft(**changes), None, (), "ann", NOW, 7)


@pytest.mark.parametrize(
    ("changes", "field", "expected", "given"),
    [
        ({"code": "baccarat.fortune_7"}, "code", CODE, "baccarat.fortune_7"),
        ({"code": ""}, "code", CODE, "none"),
        ({"paytable": "Z"}, "paytable", "standard", "Z"),
        ({"meters": ()}, "meters", "mega", "none"),
        ({"meters": (MEGA, MEGA)}, "meters", "mega", "mega, mega"),
        ({"meters": (MEGA._replace(level="mini"),)}, "meters", "mega", "mini"),
        ({"meters": (MEGA._replace(seed_cents=999_999),)}, "seed of mega", "$10,000.00", "$9,999.99"),
        ({"meters": (MEGA._replace(seed_cents=1_000_001),)}, "seed of mega", "$10,000.00", "$10,000.01"),
        ({"meters": (MEGA._replace(increment_rate=950),)}, "increment_rate of mega", "10.00%", "9.50%"),
        ({"meters": (MEGA._replace(reserve_rate=100),)}, "reserve_rate of mega", "0.00%", "1.00%"),
        ({"meters": (MEGA._replace(limit_cents=500),)}, "limit of mega", "none", "$5.00"),
        ({"table_ids": ()}, "table_ids", "at least one table", "[]"),
        ({"table_ids": ("BAC-01", "BAC-01")}, "table_ids", "every table once", "BAC-01 twice"),
        ({"link_id": ""}, "link_id", "a name", "none"),
    ],
)
def test_a_link_that_contradicts_its_section_is_refused(
    changes: dict[str, Any], field: str, expected: str, given: str
) -> None:
    """The refusal names the section, the field, what was expected and what was given."""
    with pytest.raises(errors.LinkContradictsRules) as refused:
        proposed(**changes)
    section = "601a.2" if field == "code" else "631c.2"
    assert refused.value.message.startswith(f"{section}: {field}: expected ")
    assert expected in refused.value.message
    assert given in refused.value.message.split("given ")[-1]


def test_a_table_is_on_one_link_of_a_code() -> None:
    """A second link of the code over a table of an approved one is refused, at the proposal and at the approval."""
    first = approve(proposed(), 1, (), "bob", NOW, 8)
    with pytest.raises(errors.LinkContradictsRules, match="BAC-02, which is on link H9"):
        propose(draft(link_id="H9-B", table_ids=("BAC-02",)), None, [first], "ann", NOW, 9)
    second = proposed(link_id="H9-B", table_ids=("BAC-02",))
    with pytest.raises(errors.LinkContradictsRules, match="BAC-02, which is on link H9"):
        approve(second, 1, [first, second], "bob", NOW, 9)


def test_a_proposal_is_replaced_by_its_next_version_until_it_is_approved() -> None:
    """A later proposal of the same name is a new version; an approved link is not replaced."""
    second = propose(draft(title="new"), proposed(), (), "ann", NOW, 8)
    assert (second.version, second.title, second.state) == (2, "new", LinkState.PROPOSED)
    with pytest.raises(errors.AlreadyDecided, match="version 2 is proposed"):
        approve(second, 1, (), "bob", NOW, 9)
    with pytest.raises(errors.LinkTaken, match="H9, which is approved"):
        propose(draft(), approve(second, 2, (), "bob", NOW, 9), (), "ann", NOW, 10)


def test_an_approval_takes_a_second_person_and_happens_once() -> None:
    """Who proposed a link cannot approve it, and an approved one is not approved again."""
    with pytest.raises(errors.SamePrincipal, match="ann"):
        approve(proposed(), 1, (), "ann", NOW, 8)
    link = approve(proposed(), 1, (), "bob", NOW, 8)
    assert (link.state, link.approved_by, link.rounds_position) == (LinkState.APPROVED, "bob", 8)
    with pytest.raises(errors.AlreadyDecided, match="is approved"):
        approve(link, 1, (), "eve", NOW, 9)


def test_a_link_goes_live_with_its_own_gaming_day_or_a_later_one() -> None:
    """Only an approved link goes live, and not before its gaming day."""
    link = approve(proposed(), 1, (), "bob", NOW, 8)
    assert [goes_live(link, date(2026, 3, day)) for day in (1, 2, 3)] == [False, True, True]
    assert not goes_live(proposed(), DAY)
    assert not goes_live(replace(link, state=LinkState.SUSPENDED), DAY)
