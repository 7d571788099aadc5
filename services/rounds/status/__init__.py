"""How a property's intake stands: sources, what waits, what is open."""
