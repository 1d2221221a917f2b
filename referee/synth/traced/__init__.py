"""Tables and rounds by another renderer: path-traced with Mitsuba 3, with exact truth. For measuring, not training.

What our own renderer gets wrong the networks learn as well, and its held-out scenes don't show it. Here light, shadows,
gloss, depth of field, bent cards, things and hands are solid bodies in another program's hands; only the prints (those
that training never sees) and the tables' patterns are drawn by us.
"""
