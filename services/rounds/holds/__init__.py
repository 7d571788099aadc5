"""What stays outside the feed, as it is kept."""
