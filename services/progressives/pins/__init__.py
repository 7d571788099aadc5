"""The pins of open rounds held against the rounds feed and the journal; days and settings against the feed."""
