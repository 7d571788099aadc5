"""Verifies opened mystery triggers against the commitments published before: python verify_commitment.py [FILE]

Reads what `casino links triggers --json` prints (one object a line, or a list), from FILE or the standard input.
Needs Python alone. Leaves with 1 if any trigger is not the one that was committed to.
"""

import hashlib
import sys
from json import loads
from pathlib import Path

content = (Path(sys.argv[1]).read_text() if len(sys.argv) > 1 else sys.stdin.read()).strip()
triggers = loads(content) if content.startswith("[") else [loads(line) for line in content.splitlines() if line.strip()]
different = 0
for each in triggers:
    name = "|".join(str(each[part]) for part in ("property_id", "link_id", "level", "number"))
    said = "not opened yet"
    cents, salt = each.get("trigger_cents"), each.get("salt")
    if cents or salt:
        text = f"casino mystery v1|{name}|{cents}|{salt}"
        said = "verified" if hashlib.sha256(text.encode()).hexdigest() == each["commitment"] else "DIFFERENT"
    different += said == "DIFFERENT"
    print(name, said)
sys.exit(1 if different else 0)
