"""What progressive jackpot slips paid, by the gaming day of the payment."""
