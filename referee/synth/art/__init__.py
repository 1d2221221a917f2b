"""Card art drawn by us from vectors: faces, backs, other backs and ordinary cards, as BGRA pictures.

    style = ArtStyle.sample(np.random.default_rng(7))
    picture = draw_face(Face.parse("R7"), style, px_per_mm=4.0)

The functions are pure: the same style gives the same bytes, so callers may cache what they draw.
"""

from .backs import draw_back
from .faces import draw_face
from .ordinary import draw_ordinary
from .patterns import draw_other_back
from .style import FAMILIES, HELD_OUT, ArtStyle

__all__ = ["FAMILIES", "HELD_OUT", "ArtStyle", "draw_back", "draw_face", "draw_ordinary", "draw_other_back"]
