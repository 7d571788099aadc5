"""Blackjack (58 Pa. Code Chapters 633a and 633c)."""
