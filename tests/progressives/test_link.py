"""A link against its section, its states, and the amendment of one that is in force."""

from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Any

import pytest

from services.games.terms import Offer
from services.kernel import errors
from services.progressives.link import (
    Draft,
    Link,
    LinkState,
    MeterTerms,
    approve,
    check_link,
    check_offers,
    go_live,
    goes_live,
    propose,
    resume,
    retire,
    suspend,
)
from services.progressives.offers import Submission, terms_on
from tests.builders import terms

CODE = "baccarat.heavenly_9_progressive"
DAY, NOW = date(2026, 3, 2), datetime(2026, 3, 1, 12, tzinfo=UTC)
MEGA = MeterTerms("mega", 1_000_000, 1_000, 0, 0)
MYSTERY = MeterTerms("mystery", 10_000, 100, 0, 25_000, "A-$5")
TABLES = {f"BAC-0{number}": terms() for number in (1, 2, 3)}
CHOSEN = {
    name: replace(each, offers={CODE: Offer(CODE, "standard", 500, options=(("mystery", "A-$5"),))})
    for name, each in TABLES.items()
}


def draft(**changes: Any) -> Draft:
    return Draft("H9", "Heavenly 9", CODE, "standard", (MEGA,), ("BAC-01", "BAC-02"), DAY)._replace(**changes)


def proposed(pending: Link | None = None, **changes: Any) -> Link:
    return propose(draft(**changes), None, pending, (), TABLES, {}, "ann", NOW, 7)


def approved(link: Link | None = None, others: tuple[Link, ...] = ()) -> Link:
    link = link or proposed()
    return approve(link, link.version, others, TABLES, "bob", NOW, 8)


def live() -> Link:
    return go_live(approved(), 9)


def amended(current: Link, pending: Link | None = None, reading: int = 0, **changes: Any) -> Link:
    """A proposed amendment, its mega meter standing at a reading of micro-dollars."""
    offers = CHOSEN if len(current.meters) > 1 else TABLES
    return propose(draft(**changes), current, pending, (current,), offers, {"mega": reading}, "ann", NOW, 10)


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
        ({"meters": (MEGA._replace(limit_cents=500),)}, "limit of mega", "the seed of $10,000.00", "$5.00"),
        ({"meters": (MEGA._replace(limit_cents=1_000_000),)}, "limit of mega", "none, or above", "$10,000.00"),
        ({"meters": (MEGA._replace(limit_cents=-1),)}, "limit of mega", "none, or above", "$-0.01"),
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


def test_a_limit_above_the_seed_is_the_holders_to_set() -> None:
    """The section names no limit; one above the seed is allowed and is kept in micro-dollars."""
    terms_given = proposed(meters=(MEGA._replace(limit_cents=1_000_001),)).meters[0]
    assert (terms_given.limit_micros, terms_given.seed_micros) == (10_000_010_000, 10_000_000_000)
    check_link(draft())
    check_offers(draft(), TABLES)


def test_a_table_is_on_one_link_of_a_code() -> None:
    """A second link of the code over a table of an approved one is refused, at the proposal and at the approval."""
    first = approved()
    with pytest.raises(errors.LinkContradictsRules, match="BAC-02, which is on link H9"):
        propose(draft(link_id="H9-B", table_ids=("BAC-02",)), None, None, [first, live()], TABLES, {}, "ann", NOW, 9)
    second = proposed(link_id="H9-B", table_ids=("BAC-02",))
    with pytest.raises(errors.LinkContradictsRules, match="BAC-02, which is on link H9"):
        approved(second, (first, second))
    apart = proposed(link_id="H9-C", table_ids=("BAC-03",))
    assert approved(apart, (first, apart)).state is LinkState.APPROVED
    gone = retire(live(), "ann", "", NOW, 10)
    assert approved(second, (gone, second)).state is LinkState.APPROVED


def test_a_proposal_is_replaced_by_its_next_version_until_it_is_approved() -> None:
    """A later proposal of the same name is a new version; an approved link is not replaced."""
    second = proposed(proposed(), title="new")
    assert (second.version, second.title, second.state) == (2, "new", LinkState.PROPOSED)
    with pytest.raises(errors.AlreadyDecided, match="version 2 is proposed"):
        approve(second, 1, (), TABLES, "bob", NOW, 9)
    with pytest.raises(errors.LinkTaken, match="H9, which is approved"):
        proposed(approved(second))


def test_the_name_of_a_retired_link_is_taken() -> None:
    """A link that ended is not begun again under its name."""
    with pytest.raises(errors.LinkTaken, match="H9, which is retired"):
        amended(retire(live(), "ann", "transferred", NOW, 10))


def test_an_approval_takes_a_second_person_and_happens_once() -> None:
    """Who proposed a link cannot approve it, and an approved one is not approved again."""
    with pytest.raises(errors.SamePrincipal, match="ann"):
        approve(proposed(), 1, (), TABLES, "ann", NOW, 8)
    link = approved()
    assert (link.state, link.approved_by, link.rounds_position) == (LinkState.APPROVED, "bob", 8)
    with pytest.raises(errors.AlreadyDecided, match="is approved"):
        approve(link, 1, (), TABLES, "eve", NOW, 9)


def test_an_approval_holds_the_link_against_the_submissions_of_its_own_time() -> None:
    """What a table offered at the proposal and offers no longer refuses the approval."""
    with pytest.raises(errors.LinkContradictsRules, match=r"offers baccarat\.heavenly_9_progressive at BAC-02 on 2026"):
        approve(proposed(), 1, (), {"BAC-01": TABLES["BAC-01"]}, "bob", NOW, 8)


def test_a_link_goes_live_with_its_own_gaming_day_or_a_later_one() -> None:
    """Only an approved link goes live, and not before its gaming day."""
    link = approved()
    assert [goes_live(link, date(2026, 3, day)) for day in (1, 2, 3)] == [False, True, True]
    assert not goes_live(proposed(), DAY)
    assert not goes_live(replace(link, state=LinkState.SUSPENDED), DAY)


def test_a_live_link_is_suspended_with_a_reason() -> None:
    """Who suspended it, when and why stand on the link; only a live one is suspended."""
    link = suspend(live(), "eve", " sign dark ", NOW, 11)
    assert (link.state, link.changed_by, link.changed_at, link.reason) == (LinkState.SUSPENDED, "eve", NOW, "sign dark")
    assert link.rounds_position == 11
    with pytest.raises(errors.InvalidRequest, match="reason: expected why link H9 is changed, given none"):
        suspend(live(), "eve", " ", NOW, 11)
    for other in (approved(), link):
        with pytest.raises(errors.LinkOutOfState, match=f"link H9 to be live, given one that is {other.state}"):
            suspend(other, "eve", "sign dark", NOW, 11)


def test_a_suspended_link_is_resumed_by_another_principal() -> None:
    """Nobody brings a link he touched back into play on his own word, and no link that is not suspended."""
    link = suspend(live(), "eve", "sign dark", NOW, 11)
    back = resume(link, (link,), TABLES, "fay", "sign replaced", NOW, 12)
    assert (back.state, back.changed_by, back.reason) == (LinkState.LIVE, "fay", "sign replaced")
    with pytest.raises(errors.SamePrincipal, match="eve, who suspended link H9"):
        resume(link, (), TABLES, "eve", "sign replaced", NOW, 12)
    with pytest.raises(errors.InvalidRequest, match="reason: expected"):
        resume(link, (), TABLES, "fay", "", NOW, 12)
    with pytest.raises(errors.LinkOutOfState, match="to be suspended, given one that is live"):
        resume(back, (), TABLES, "fay", "sign replaced", NOW, 13)


def test_a_resumed_link_is_held_against_the_rules_again() -> None:
    """Neither terms that the section does not allow nor tables that offer something else come back into play."""
    link = suspend(live(), "eve", "sign dark", NOW, 11)
    touched = replace(link, meters=(MEGA._replace(increment_rate=100),))
    with pytest.raises(errors.LinkContradictsRules, match="increment_rate of mega"):
        resume(touched, (), TABLES, "fay", "sign replaced", NOW, 12)
    with pytest.raises(errors.LinkContradictsRules, match="at BAC-01 on the day it is resumed, given none"):
        resume(link, (), {}, "fay", "sign replaced", NOW, 12)


def test_a_link_in_force_is_retired() -> None:
    """A live or suspended link ends; one that was never live does not."""
    for link in (live(), suspend(live(), "eve", "sign dark", NOW, 11)):
        assert retire(link, "bob", "transferred", NOW, 12).state is LinkState.RETIRED
    with pytest.raises(errors.LinkOutOfState, match="to be live or suspended, given one that is approved"):
        retire(approved(), "bob", "transferred", NOW, 12)


def test_an_amendment_is_the_next_version_of_a_link_in_force() -> None:
    """It may change title, tables and limit; a proposed one is replaced, an approved one is not."""
    current = live()
    second = amended(current, title="new", table_ids=("BAC-03",))
    assert (second.version, second.state, second.table_ids) == (2, LinkState.PROPOSED, ("BAC-03",))
    third = amended(suspend(current, "eve", "sign dark", NOW, 11), second)
    assert third.version == 3
    waiting = approved(third, (current, third))
    with pytest.raises(errors.LinkOutOfState, match=r"no approved amendment of link H9 .*version 3 is approved"):
        amended(current, waiting)


def test_an_amendment_keeps_code_levels_and_mystery() -> None:
    """For another code, other levels or another mystery the link is retired and a new one proposed."""
    current = replace(live(), meters=(MEGA, MYSTERY))
    other = MYSTERY._replace(mystery="B-$5", limit_cents=50_000, increment_rate=200)
    b_5 = {name: replace(each, offers={CODE: Offer(CODE, "standard", 500, options=(("mystery", "B-$5"),))})
           for name, each in TABLES.items()}  # fmt: skip
    with pytest.raises(errors.LinkContradictsRules, match=r"mystery: expected A-\$5, .*trigger is drawn; .* B-\$5"):
        propose(draft(meters=(MEGA, other)), current, None, (), b_5, {}, "ann", NOW, 10)
    with pytest.raises(errors.LinkContradictsRules, match=r"meters: .* in this order, .* retire the link and propose"):
        amended(current, meters=(MYSTERY, MEGA))
    with pytest.raises(errors.LinkContradictsRules, match=r"code: expected blackjack.super_4, as version 1 of link H9"):
        amended(replace(live(), code="blackjack.super_4"))


def test_an_amended_limit_lies_above_the_reading() -> None:
    """A meter is never lowered by its limit: what the sign shows stays under it."""
    limited = (MEGA._replace(limit_cents=1_200_000),)
    assert amended(live(), None, 11_999_999_999, meters=limited).meters == limited
    with pytest.raises(errors.LinkContradictsRules) as refused:
        amended(live(), None, 12_000_000_000, meters=limited)
    expected = "631c.2: limit of mega: expected none, or above the reading of $12,000.00, given $12,000.00"
    assert refused.value.message == expected


def test_a_table_offers_what_the_last_submission_in_force_says() -> None:
    """The later first day counts, then the later approval; one not in force yet, or without the table, does not."""
    texts = {number: {"BAC-01": terms(seats=number)} for number in range(1, 6)}
    submissions = [
        Submission(5, "RS-5", date(2026, 3, 1), texts[1]),
        Submission(1, "RS-1", DAY, texts[2]),
        Submission(3, "RS-3", DAY, texts[3]),
        Submission(4, "RS-4", date(2026, 3, 3), texts[4]),
        Submission(6, "RS-6", DAY, {"BAC-02": terms(seats=5)}),
    ]
    found = {table_id: each.seats for table_id, each in terms_on(submissions, DAY).items()}
    assert found == {"BAC-01": 3, "BAC-02": 5}
    assert not terms_on(submissions, date(2026, 2, 28))
