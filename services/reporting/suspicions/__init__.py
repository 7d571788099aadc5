"""Which table-days of a period are worth judging: found in SQL, so that nobody reads the papers of the others."""
