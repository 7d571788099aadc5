"""Craps and Mini-Craps (58 Pa. Code Chapters 623a and 623c)."""
