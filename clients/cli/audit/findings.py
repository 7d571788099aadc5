"""What a check counted and the first differences it found."""

from dataclasses import dataclass, field
from typing import Any

FIRST_DIFFERENCES = 10


@dataclass
class Findings:
    """One check. `timed` says that the number checked depends on the clock, not on what was played."""

    check: str
    timed: bool = False
    checked: int = 0
    different: int = 0
    differences: list[str] = field(default_factory=list)

    def expect(self, given: object, expected: object, what: str) -> bool:
        """One thing checked: `given` is to be `expected`."""
        self.checked += 1
        if given != expected:
            self.differs(f"{what}: expected {expected}, given {given}")
        return given == expected

    def differs(self, difference: str) -> None:
        """A difference outside what is counted."""
        self.different += 1
        if len(self.differences) < FIRST_DIFFERENCES:
            self.differences.append(difference)

    def described(self) -> dict[str, Any]:
        """As JSON values."""
        return {"checked": self.checked, "different": self.different, "differences": self.differences}
