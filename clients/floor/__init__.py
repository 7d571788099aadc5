"""A casino floor to try the platform with: a property, its tables, patrons, dealers and their paper work."""
