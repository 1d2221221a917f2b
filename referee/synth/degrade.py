"""What a camera does to a picture: exposure, white balance, tone, blur, noise, sharpening, compression.

Nothing here moves anything: every kernel is centred, so that ground truth stays exact.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import cv2
import numpy as np
import numpy.typing as npt

from ..vision.frames import Image

Rng = np.random.Generator
Floats = npt.NDArray[np.float32]

_LINEAR = (np.linspace(0, 1, 256) ** 2.2).astype(np.float32)


@dataclass(frozen=True, slots=True)
class Degradation:
    """A camera's faults in one picture.

    Parameters
    ----------
    exposure
        Gain in linear light: below 0.6 dark, above 1.5 burnt out.
    contrast, saturation
        About 1.
    vignette
        Loss of light in the corners, 0..1.
    defocus_px, motion_px, motion_deg
        Radius of the blur disc; length and direction of the shake.
    noise
        Standard deviation of the sensor's noise at mid grey, 0..255.
    chroma_noise
        Share of it that differs between the colours.
    sharpen
        Strength of the camera's own sharpening.
    jpeg
        Quality 1..100; None for none.
    bloom
        How much highlights spill.
    h264
        Quality of a film's frame, x264's constant rate factor: 23 good, 40 poor; None for none.
    rolling
        Depth of the dark bars that a lamp's flicker leaves on a rolling shutter, 0..1.
    """

    exposure: float = 1.0
    contrast: float = 1.0
    saturation: float = 1.0
    vignette: float = 0.0
    defocus_px: float = 0.0
    motion_px: float = 0.0
    motion_deg: float = 0.0
    noise: float = 0.0
    chroma_noise: float = 0.5
    sharpen: float = 0.0
    jpeg: int | None = None
    bloom: float = 0.0
    h264: int | None = None
    rolling: float = 0.0

    @staticmethod
    def sample(rng: Rng, card_px: float, strength: float = 1.0) -> Degradation:
        """Draw the faults for a picture whose cards are `card_px` wide: blur never hides what is to be found."""
        room = max(0.4, card_px / 40.0)
        return Degradation(
            exposure=float(np.exp(rng.normal(0, 0.3 * strength))),
            contrast=float(rng.uniform(1 - 0.25 * strength, 1 + 0.25 * strength)),
            saturation=float(rng.uniform(1 - 0.4 * strength, 1 + 0.3 * strength)),
            vignette=float(rng.uniform(0, 0.45 * strength)) if rng.random() < 0.5 else 0.0,
            defocus_px=float(rng.uniform(0.3, 1.6) * min(room, 2.5) * strength) if rng.random() < 0.4 else 0.0,
            motion_px=float(rng.uniform(1, 6) * min(room, 2.5) * strength) if rng.random() < 0.15 else 0.0,
            motion_deg=float(rng.uniform(0, 180)),
            noise=float(rng.gamma(1.3, 3.0) * strength),
            chroma_noise=float(rng.uniform(0.1, 0.9)),
            sharpen=float(rng.uniform(0.2, 1.3) * strength) if rng.random() < 0.45 else 0.0,
            jpeg=int(rng.integers(35, 96)) if rng.random() < 0.75 else None,
            bloom=float(rng.uniform(0.05, 0.3) * strength) if rng.random() < 0.3 else 0.0,
            h264=int(rng.integers(24, 38)) if rng.random() < 0.08 else None,
            rolling=float(rng.uniform(0.05, 0.3) * strength) if rng.random() < 0.06 else 0.0,
        )


def disc(radius_px: float) -> Floats:
    """Give the kernel of a lens out of focus: an anti-aliased disc, sum 1."""
    reach = int(np.ceil(radius_px)) + 1
    y, x = np.mgrid[-reach : reach + 1, -reach : reach + 1]
    kernel = np.clip(radius_px + 0.5 - np.hypot(x, y), 0, 1).astype(np.float32)
    return kernel / kernel.sum()


def streak(length_px: float, angle_deg: float) -> Floats:
    """Give the kernel of a straight shake, centred, sum 1."""
    reach = int(np.ceil(length_px / 2)) + 1
    y, x = np.mgrid[-reach : reach + 1, -reach : reach + 1].astype(np.float32)
    c, s = np.cos(np.radians(angle_deg)), np.sin(np.radians(angle_deg))
    along, across = x * c + y * s, -x * s + y * c
    kernel = np.clip(1 - np.abs(across), 0, 1) * np.clip(length_px / 2 + 0.5 - np.abs(along), 0, 1)
    return (kernel / kernel.sum()).astype(np.float32)


def _noise(size_px: tuple[int, int], rng: Rng, channels: int) -> Floats:
    # A sum of three uniform bytes is near enough to a normal distribution and four times as fast.
    block = rng.integers(0, 256, (3, size_px[1], size_px[0], channels), dtype=np.uint8)
    total = block.sum(0, dtype=np.int16).astype(np.float32)
    return (total - 382.5) / 128.0


def metered(image: Image, gain: Floats | None) -> float:
    """Give the exposure that a camera would choose: most of the way to an average of 22% grey.

    A dark table makes the cards on it burn out, a white one makes them grey: as in photographs.
    """
    small = cv2.resize(image, (32, 32), interpolation=cv2.INTER_AREA)
    light = cv2.LUT(small, _LINEAR)
    if gain is not None:
        light = light * cv2.resize(gain, (32, 32), interpolation=cv2.INTER_AREA)
    return float(np.clip((0.22 / max(float(light.mean()), 1e-3)) ** 0.6, 0.5, 3.5))


def degrade(image: Image, how: Degradation, rng: Rng, gain: Floats | None = None) -> Image:
    """Pass an evenly lit picture through light and camera.

    Parameters
    ----------
    image
        As drawn, BGR uint8.
    how
        The faults.
    rng
        For noise only.
    gain
        (H, W, 3) float32 light field (see `Light.field`); None is even light.
    """
    height, width = image.shape[:2]
    light = cv2.LUT(image, _LINEAR)
    if gain is not None:
        light *= gain
    if how.vignette:
        y, x = np.ogrid[:height, :width]
        r2 = ((x / width - 0.5) ** 2 + (y / height - 0.5) ** 2) * 2
        light *= (1 - how.vignette * r2).astype(np.float32)[..., None]
    light *= how.exposure
    if how.rolling:
        bars = np.sin(
            np.arange(height, dtype=np.float32) * (2 * np.pi * rng.uniform(1.5, 5) / height) + rng.uniform(0, 6)
        )
        light *= (1 - how.rolling * np.maximum(bars, 0))[:, None, None]
    if how.defocus_px > 0.25:
        light = cv2.filter2D(light, -1, disc(how.defocus_px), borderType=cv2.BORDER_REPLICATE)
    if how.motion_px > 1:
        light = cv2.filter2D(light, -1, streak(how.motion_px, how.motion_deg), borderType=cv2.BORDER_REPLICATE)
    if how.bloom:
        small = cv2.resize(np.maximum(light - 0.7, 0), (width // 4, height // 4), interpolation=cv2.INTER_AREA)
        glow = cv2.resize(cv2.GaussianBlur(small, (0, 0), width / 120), (width, height))
        light += how.bloom * 2 * glow
    # Tone curve of a camera: gamma, a gentle shoulder, contrast about mid grey; through a table of 4096 steps.
    steps = np.linspace(0, 2, 4096)
    tone = np.where(steps < 0.75, steps, 0.75 + 0.25 * np.tanh((steps - 0.75) / 0.25)) ** (1 / 2.2)
    tone = np.clip((tone - 0.5) * how.contrast + 0.5, 0, 1) * 255
    value = tone.astype(np.float32)[np.clip(light * 2047.5, 0, 4095).astype(np.uint16)]
    if abs(how.saturation - 1) > 0.03:
        grey = value @ np.array([0.114, 0.587, 0.299], np.float32)
        value = grey[..., None] + (value - grey[..., None]) * how.saturation
    if how.noise > 0.4:
        # Shot noise grows with the root of light; after gamma it is strongest in the shadows.
        spread = how.noise * (1.25 - 0.6 * value / 255)
        luma = _noise((width, height), rng, 1)
        noise = luma * (1 - how.chroma_noise)
        if how.chroma_noise > 0.3:
            coarse = _noise(((width + 1) // 2, (height + 1) // 2), rng, 3)
            noise = noise + cv2.resize(coarse, (width, height)) * how.chroma_noise * 1.3
        value = value + spread * noise
        if how.noise > 6 and rng.random() < 0.2:
            rows = rng.normal(0, how.noise * 0.15, (height, 1, 1)).astype(np.float32)
            value = value + rows
    if how.sharpen:
        value = value + how.sharpen * (value - cv2.GaussianBlur(value, (0, 0), 1.2))
    result = np.clip(value + 0.5, 0, 255).astype(np.uint8)
    if how.h264 is not None:
        result = film(result, how.h264)
    if how.jpeg is not None:
        result = compress(result, how.jpeg)
    return result


def film(image: Image, crf: int) -> Image:
    """Send a picture through H.264 as the frame of a film: smeared detail, blocks, halved colour."""
    import av

    codec = av.CodecContext.create("libx264", "w")
    codec.width, codec.height = image.shape[1] // 2 * 2, image.shape[0] // 2 * 2
    codec.pix_fmt, codec.time_base, codec.framerate = "yuv420p", Fraction(1, 30), Fraction(30)
    # One thread: with more, the bytes would depend on how many cores there are.
    codec.options = {"crf": str(crf), "preset": "superfast", "tune": "zerolatency", "threads": "1"}
    frame = av.VideoFrame.from_ndarray(np.ascontiguousarray(image[: codec.height, : codec.width]), format="bgr24")
    frame.pts = 0
    decoder = av.CodecContext.create("h264", "r")
    decoder.thread_count = 1
    packets = [*codec.encode(frame.reformat(format="yuv420p")), *codec.encode(None)]
    frames = [shown for packet in (*packets, None) for shown in decoder.decode(packet)]
    result = image.copy()
    result[: codec.height, : codec.width] = frames[0].to_ndarray(format="bgr24")
    return result


def compress(image: Image, quality: int) -> Image:
    """Send a picture through JPEG."""
    _, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return cv2.imdecode(data, cv2.IMREAD_COLOR)
