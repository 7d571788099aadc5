"""Baccarat (58 Pa. Code Chapters 631a and 631c)."""
