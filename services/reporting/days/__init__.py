"""Gaming days and filed reports: on the wire, in the database, and what is done with them."""
