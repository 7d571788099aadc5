"""Rules of play: results, wagers, paytables and their exact analysis. Pure: no input, no output, no clock."""
