"""Meters as reports need them: sums by the gaming day under way, and the three reports made of them."""
