"""Table documents on the wire and in the database."""
