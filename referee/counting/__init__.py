"""Counts cards by their backs: a picture of cards spread out in, how many of each deck out.

The detector proposes cards, what the cards of one design have in common proposes more, and a picture counts as
understood only when cards explain it layer by layer. What can't be told is marked, never guessed.
"""
