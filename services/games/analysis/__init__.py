"""Exact figures of every wager, from the very `classify` that settles it: counted, never simulated, never
typed in.
"""

from services.games.analysis.bands import table_warnings, warnings
from services.games.analysis.draws import return_at
from services.games.analysis.figures import Theory
from services.games.analysis.stored import analyse, analyses, theoretical

__all__ = ["Theory", "analyse", "analyses", "return_at", "table_warnings", "theoretical", "warnings"]
