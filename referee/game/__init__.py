"""The game itself: cards, table, moves, rules, scoring, match.

Pure: standard library only; no clock, no randomness, no input or output.
It must not know that there is a camera, a database or a browser.
"""
