"""The wagers of Blackjack, one module each or one for a few of a kind."""
