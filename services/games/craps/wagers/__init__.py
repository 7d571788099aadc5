"""The wagers of Craps, one module for each printed rule."""
