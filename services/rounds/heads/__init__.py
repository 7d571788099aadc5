"""The heads of rounds held against the facts: how far sources were answered, the last spin of each wheel."""
