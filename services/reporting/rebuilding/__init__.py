"""Projections made anew from the feeds, beside those that stand, to hold one against the other."""
