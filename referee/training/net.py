"""The reader network: one crop in, what the card shows out. Small plain convolutions, several heads.

Heads rather than one list of classes: a numeral looks the same in all four colours, so number and colour
are learnt from every crop, and backs in colours never printed still have a symbol and a colour.
"""

from __future__ import annotations

import torch
from torch import nn
from ultralytics.nn.modules import Conv

CROP_SIZE_PX = (96, 144)
"""Width and length of a crop."""

HEADS = {"kind": 3, "color": 4, "number": 11, "symbol": 5, "back_color": 5}
"""Outputs of the network and their sizes; `CLASSES` names them in order."""

CLASSES = {
    "kind": ["face", "back", "none"],
    "color": ["red", "blue", "yellow", "green"],
    "number": [str(number) for number in range(1, 11)] + ["unreadable"],
    "symbol": ["pump", "pail", "plow", "carriage", "other"],
    "back_color": ["red", "blue", "yellow", "green", "other"],
}


class ReaderNet(nn.Module):
    """Read upright crops: (N, 3, 144, 96) float32 RGB 0..1 to logits of each head and an embedding.

    The place of a numeral on the card means something (corner, short edge, middle), so the last map is
    flattened instead of averaged; a maximum over it is added for designs that put it elsewhere.
    """

    def __init__(self) -> None:
        super().__init__()
        self.features = nn.Sequential(
            Conv(3, 32, 5, 2),
            Conv(32, 48, 3, 2),
            Conv(48, 64, 3, 1),
            Conv(64, 96, 3, 2),
            Conv(96, 96, 3, 1),
            Conv(96, 160, 3, 2),
            Conv(160, 160, 3, 1),
        )
        self.squeeze = Conv(160, 64, 1)
        self.hidden = nn.Sequential(nn.Linear(64 * 9 * 6 + 160, 192), nn.BatchNorm1d(192), nn.SiLU(), nn.Dropout(0.1))
        self.embed = nn.Linear(192, 64)
        self.pose = nn.Sequential(nn.Linear(64 * 9 * 6 + 160, 48), nn.SiLU(), nn.Linear(48, 8))
        self.heads = nn.ModuleDict({name: nn.Linear(192, size) for name, size in HEADS.items()})

    def forward(self, crops: torch.Tensor) -> dict[str, torch.Tensor]:
        """Give the logits of every head by name, `embedding` (N, 64) of unit length, and `corners` (N, 8).

        `corners` are x and y of the card's own corners from the quad's, in `OFFSET_PX` of the crop.
        """
        maps = self.features(crops - 0.5)
        flat = torch.cat([self.squeeze(maps).flatten(1), maps.amax(dim=(2, 3))], dim=1)
        hidden = self.hidden(flat)
        outputs = {name: head(hidden) for name, head in self.heads.items()}
        outputs["embedding"] = nn.functional.normalize(self.embed(hidden), dim=1)
        outputs["corners"] = self.pose(flat)
        return outputs
