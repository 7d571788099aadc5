"""Links, meters, the meter journal and jackpots."""
