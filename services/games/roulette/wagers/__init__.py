"""The wagers of Roulette; the catalogue finds every file here that has `WAGERS`."""
