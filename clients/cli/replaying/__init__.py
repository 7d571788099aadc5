"""Recorded days run again through the engine of today, and settled by the terms of another submission."""
