"""Registers: jackpots, fills and credits, counter checks, adjustments, changes of parameters, one line for each."""
