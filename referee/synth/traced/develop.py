"""What a camera makes of light: exposure, white balance, tone, noise, blur."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from ...vision.frames import Image
from .laid import Rng

Radiance = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Development:
    """How one camera develops: `gain` per channel, whether it rolls bright light off, noise 0..1 and blur in px."""

    gain: npt.NDArray[np.float64]
    rolls_off: bool
    noise: float
    blur_px: float
    rng: Rng

    @staticmethod
    def sample(radiance: Radiance, rng: Rng, bright_percent: tuple[float, float] = (75.0, 96.0)) -> Development:
        """Expose for radiance (H, W, 3) RGB as some camera would: so much of the picture is darker than its white."""
        bright = max(float(np.percentile(radiance.mean(-1), rng.uniform(*bright_percent))), 1e-6)
        return Development(
            gain=rng.uniform(0.5, 0.95) / bright * np.clip(rng.normal(1, 0.07, 3), 0.8, 1.25),
            rolls_off=bool(rng.random() < 0.7),
            noise=float(rng.uniform(0.003, 0.02)),
            blur_px=float(rng.uniform(0.4, 1.1)) if rng.random() < 0.3 else 0.0,
            rng=rng,
        )

    def picture(self, radiance: Radiance) -> Image:
        """Make a BGR picture (H, W, 3) uint8."""
        image = radiance * self.gain
        if self.rolls_off:
            image = image * (1 + image / 2.2) / (1 + image)
        image = np.clip(image, 0, 1) ** (1 / 2.2) + self.rng.normal(0, self.noise, image.shape)
        picture = np.ascontiguousarray((np.clip(image, 0, 1) * 255).astype(np.uint8)[..., ::-1])
        return cv2.GaussianBlur(picture, (0, 0), self.blur_px) if self.blur_px else picture
