"""Roulette (58 Pa. Code Chapters 617a and 617c)."""
