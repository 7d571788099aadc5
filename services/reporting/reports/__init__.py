"""Revenue reports: one module a report, each a function of what is known of a period."""
