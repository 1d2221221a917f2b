"""Catalogues of the pages in other languages, and what makes them (for translators; needs Babel)."""
