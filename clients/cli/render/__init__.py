"""A report for a terminal, a program, a spreadsheet or paper. Knows no report: only tables of typed columns.

XLSX and PDF stand in modules of their own, imported when they are asked for: what they stand on is slow to load.
"""

from clients.cli.render.beancount import as_beancount
from clients.cli.render.cells import value
from clients.cli.render.text import as_csv, as_json, as_object, as_text

__all__ = ["as_beancount", "as_csv", "as_json", "as_object", "as_text", "value"]
