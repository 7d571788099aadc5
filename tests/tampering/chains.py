"""Edits of whole chains: tails that were rewound with everything set back, and chains written anew without the key."""

from tests.tampering.kinds import Kind

SWAPPED = "decode(replace(encode(entry, 'hex'), encode('{0}', 'hex'), encode('{1}', 'hex')), 'hex')"
"""An entry's bytes with one text in place of another as long."""


def anew(schema: str, table: str, feed: str, old: str, new: str) -> str:
    """A text is replaced in every entry, and every hash from the first to the head is computed again."""
    return f"""
        UPDATE {schema}.{table} SET entry = {SWAPPED.format(old, new)};
        DO $$
        DECLARE h bytea := decode(repeat('00', 32), 'hex'); r record;
        BEGIN
            FOR r IN SELECT position, entry, commit FROM {schema}.{table} ORDER BY position LOOP
                IF r.commit IS NOT NULL THEN h := sha256(h || r.commit); END IF;
                h := sha256(h || r.entry);
                UPDATE {schema}.{table} SET hash = h WHERE position = r.position;
            END LOOP;
            UPDATE {schema}.feed_head SET hash = h WHERE feed = '{feed}';
        END $$"""


def records_anew(schema: str) -> str:
    """Every hash of the records is computed again."""
    return f"""
        DO $$
        DECLARE h bytea := decode(repeat('00', 32), 'hex'); r record;
        BEGIN
            FOR r IN SELECT position, fact, content FROM {schema}.record ORDER BY position LOOP
                h := sha256(h || convert_to(r.fact || '|' || r.content, 'UTF8'));
                UPDATE {schema}.record SET hash = h WHERE position = r.position;
            END LOOP;
        END $$"""


def rewound(schema: str, table: str, feed: str, typed: tuple[str, ...], by: int = 3, *, seals: bool = False) -> str:
    """The last entries are deleted with their rows, and the head stands where it stood before them."""
    head = f"(SELECT position FROM {schema}.feed_head WHERE feed = '{feed}')"
    last = "".join(f"DELETE FROM {schema}.{each} WHERE position > {head};" for each in (table, *typed))
    return f"""
        UPDATE {schema}.feed_head AS h SET position = h.position - {by}, hash = (
            SELECT e.hash FROM {schema}.{table} AS e WHERE e.position = h.position - {by}) WHERE h.feed = '{feed}';
        {last}
        {f"DELETE FROM {schema}.seal WHERE feed = '{feed}' AND position > {head};" if seals else ""}"""


def named(schema: str, *tables: str) -> tuple[str, ...]:
    """Tables of a schema, with the head."""
    return tuple(f"{schema}.{table}" for table in ("feed_head", "seal", *tables))


ROUNDS = named("rounds", "rounds_entry", "round_event", "table_event")
SETTLEMENTS = named("settlement", "settlements_entry", "settled_round", "wager", "award")
JOURNAL_TABLES = ("link", "contribution", "movement", "jackpot", "decision", "trigger", "alert")
JOURNAL = named("progressives", "progressives_entry", *JOURNAL_TABLES)
DOCUMENTS = named("reporting", "documents_entry", "document", "day_state", "filed_report")
FOLLOWERS = ("settlement.cursor", "progressives.cursor", "reporting.cursor")
BACK = "".join(
    f"UPDATE {cursor} AS c SET position = h.position, hash = h.hash FROM rounds.feed_head AS h WHERE c.feed = 'rounds';"
    for cursor in FOLLOWERS
)

CHAINS = (
    Kind(
        "rounds rewound",
        ROUNDS,
        rewound("rounds", "rounds_entry", "rounds", ("round_event", "table_event")),
        (
            "seal of rounds at",
            "cursor row of settlement in rounds: it stands at",
            "cursor row of progressives in rounds",
        ),
    ),
    Kind(
        "rounds rewound, seals beyond deleted",
        ROUNDS,
        rewound("rounds", "rounds_entry", "rounds", ("round_event", "table_event"), seals=True),
        ("cursor row of settlement in rounds: it stands at", "cursor row of reporting in rounds: it stands at"),
    ),
    Kind(
        "rounds rewound a long way, seals deleted and every cursor set back",
        (*ROUNDS, *FOLLOWERS),
        rewound("rounds", "rounds_entry", "rounds", ("round_event", "table_event"), 9, seals=True) + BACK,
        ("of rounds position", "the head is"),
    ),
    Kind(
        "settlements rewound",
        SETTLEMENTS,
        rewound("settlement", "settlements_entry", "settlements", ("settled_round", "wager", "award"), seals=True),
        ("cursor row of reporting in settlements: it stands at",),
    ),
    Kind(
        "journal rewound",
        JOURNAL,
        rewound("progressives", "progressives_entry", "progressives", JOURNAL_TABLES, seals=True),
        ("cursor row of reporting in progressives: it stands at", "the head says"),
    ),
    Kind(
        "documents rewound",
        DOCUMENTS,
        rewound("reporting", "documents_entry", "documents", ("document", "day_state", "filed_report")),
        ("seal of documents at",),
    ),
    Kind(
        "rounds written anew",
        ROUNDS,
        anew("rounds", "rounds_entry", "rounds", "baccarat.player", "baccarat.banker"),
        ("seal of rounds at", "cursor row of settlement in rounds", "cursor row of progressives in rounds"),
    ),
    Kind(
        "rounds written anew, without seals",
        ROUNDS,
        anew("rounds", "rounds_entry", "rounds", "baccarat.player", "baccarat.banker") + "; DELETE FROM rounds.seal",
        ("cursor row of settlement in rounds", "round_event at position"),
    ),
    Kind(
        "settlements written anew with their rows",
        SETTLEMENTS,
        anew("settlement", "settlements_entry", "settlements", "ROU-03", "ROU-04")
        + "; UPDATE settlement.wager SET table_id = 'ROU-04', dealer = replace(dealer, 'ROU-03', 'ROU-04')"
        " WHERE table_id = 'ROU-03';"
        " UPDATE settlement.settled_round SET table_id = 'ROU-04' WHERE table_id = 'ROU-03'",
        (
            "seal of settlements at",
            "cursor row of reporting in settlements",
            "dealer: expected ROU-03-1, given ROU-04-1",
        ),
    ),
    Kind(
        "journal written anew with its rows",
        JOURNAL,
        anew("progressives", "progressives_entry", "progressives", "DGE-1", "DGE-2")
        + "; UPDATE progressives.decision SET regulator_reference = 'DGE-2'",
        ("seal of progressives at", "cursor row of reporting in progressives"),
    ),
    Kind(
        "documents written anew with their rows",
        DOCUMENTS,
        anew("reporting", "documents_entry", "documents", "B-7", "B-8")
        + "; UPDATE reporting.document SET box_serial = 'B-8' WHERE box_serial = 'B-7'",
        ("seal of documents at",),
    ),
    Kind(
        "records written anew with their row",
        ("rounds.source", "rounds.record"),
        "UPDATE rounds.source SET description = 'another' WHERE source_id = 'pit';"
        " UPDATE rounds.record SET content = replace(content, 'a pit', 'another') WHERE fact = 'source';"
        + records_anew("rounds"),
        ("seal of records at",),
    ),
    Kind(
        "two entries exchanged",
        ("rounds.rounds_entry",),
        "UPDATE rounds.rounds_entry AS e SET entry = o.entry FROM rounds.rounds_entry AS o"
        " WHERE (e.position, o.position) IN ((12, 13), (13, 12))",
        ("rounds position 12", "rounds position 13"),
    ),
    Kind(
        "a property forgotten",
        ("rounds.property_setting",),
        "DELETE FROM rounds.property_setting",
        ("property_setting at position 1", "property_setting row 1 is missing"),
    ),
)
