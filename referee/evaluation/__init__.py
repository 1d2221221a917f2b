"""Compare what the referee saw with the truth; measure speed. Needs no torch."""
