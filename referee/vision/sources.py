"""Where frames come from: a film, a folder of pictures, a camera. Pictures are normalised or refused with a reason.

Time comes only from the source: a film's own time stamps (variable frame rate included), a camera's clock.
"""

from __future__ import annotations

import contextlib
import queue
import threading
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

from .frames import Frame, Image

if TYPE_CHECKING:
    from .webcam import Webcam

PICTURE_SUFFIXES = {".jpg", ".jpeg", ".png", ".bmp", ".webp", ".tif", ".tiff", ".ppm", ".pgm", ".jp2"}

_LEAST_SIDE_PX = 16
_MOST_SIDE_PX = 16384
_HD_COLORS = (1, 9, 10)
_FULL_RANGE = 2
"""FFmpeg's numbers of BT.709 and BT.2020, and of pictures whose black is 0: OpenCV knows only BT.601, black 16."""


class SourceError(RuntimeError):
    """A source or picture that can't be used; the message says why and what to do."""


def read_image(path: Path) -> Image:
    """Read a picture file as BGR uint8 (H, W, 3), turned upright as its EXIF says.

    Grey, 16-bit and transparent pictures are converted (transparency becomes grey).

    Raises
    ------
    SourceError
        If the file is missing, is no picture, is cut short, or has an impossible size.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise SourceError(f"{path}: {error.strerror or error}: check the name") from error
    if _is_cut_short(data):
        raise SourceError(f"{path}: the picture is cut short: copy it again")
    buffer = np.frombuffer(data, dtype=np.uint8)
    try:
        raw = cv2.imdecode(buffer, cv2.IMREAD_UNCHANGED) if len(buffer) else None
        upright = raw
        if raw is not None and (raw.ndim == 2 or raw.shape[2] != 4):
            upright = cv2.imdecode(buffer, cv2.IMREAD_ANYCOLOR | cv2.IMREAD_ANYDEPTH)
    except cv2.error as error:
        reason = "it is too large" if "MAX_IMAGE_PIXELS" in str(error) else "OpenCV can't decode it"
        raise SourceError(
            f"{path}: no usable picture: {reason}: use a JPEG or PNG of at most 100 megapixels"
        ) from error
    if upright is None:
        raise SourceError(f"{path}: not a picture that can be read: use a JPEG or PNG file")
    try:
        return normalise(upright)
    except SourceError as error:
        raise SourceError(f"{path}: {error}") from error


def _is_cut_short(data: bytes) -> bool:
    if data.startswith(b"\xff\xd8"):
        # A preview inside has an end marker of its own: the one that counts comes after the last start of a scan.
        return data.rfind(b"\xff\xd9") < data.rfind(b"\xff\xda") or b"\xff\xda" not in data
    if data.startswith(b"\x89PNG"):
        return b"IEND" not in data[-64:]
    return False


def normalise(image: np.ndarray[Any, Any]) -> Image:
    """Turn any picture array (grey, BGR, BGRA; 8 or 16 bit) into BGR uint8 (H, W, 3).

    Raises
    ------
    SourceError
        If it has another form, or its sides are under 16 or over 16384 px.
    """
    if image.ndim not in (2, 3) or (image.ndim == 3 and image.shape[2] not in (1, 3, 4)):
        raise SourceError(f"a picture has 1, 3 or 4 channels, this one has the shape {image.shape}: convert it to RGB")
    height, width = image.shape[:2]
    if min(height, width) < _LEAST_SIDE_PX or max(height, width) > _MOST_SIDE_PX:
        limits = f"between {_LEAST_SIDE_PX} and {_MOST_SIDE_PX} px"
        raise SourceError(f"the picture has {width}x{height} px: each side must be {limits}")
    if image.dtype == np.uint16:
        # Cameras of 10 and 12 bits store their small numbers unshifted.
        highest = int(image.max())
        bits = next(bits for bits in (8, 10, 12, 16) if highest < 1 << bits)
        image = (image >> (bits - 8)).astype(np.uint8)
    elif image.dtype == np.bool_:
        image = image.astype(np.uint8) * 255
    elif image.dtype != np.uint8:
        raise SourceError(f"a picture has 8 or 16 bits a channel, this one has {image.dtype}: convert it to 8 bits")
    if image.ndim == 2 or image.shape[2] == 1:
        return cv2.cvtColor(image, cv2.COLOR_GRAY2BGR)
    if image.shape[2] == 4:
        alpha = image[:, :, 3:].astype(np.uint16)
        return ((image[:, :, :3] * alpha + 114 * (255 - alpha) + 127) // 255).astype(np.uint8)
    return np.ascontiguousarray(image)


class Film:
    """A film file, frame by frame, with its own time stamps and turned as its container says.

    Frames are decoded in a thread beside and none is ever dropped. Time is counted from the film's first frame.

    Raises
    ------
    SourceError
        If the file is missing, is no film, or has no picture that can be decoded.
    """

    live = False

    def __init__(self, path: Path, decode_ahead: int = 4, threads: int = 2) -> None:
        import av

        self.name = path.name
        self._path = path
        self._ahead = decode_ahead
        self._threads = threads
        self._stop = threading.Event()
        if not path.is_file():
            raise SourceError(f"{path}: no such film: check the name")
        try:
            with av.open(str(path)) as container:
                if not container.streams.video:
                    raise SourceError(f"{path}: this file holds no moving picture: choose a film")
                stream = container.streams.video[0]
                self.rate = float(stream.average_rate or stream.guessed_rate or 30)
                known = stream.duration and stream.time_base
                length = (
                    float(stream.duration * stream.time_base) if known else (container.duration or 0) / av.time_base
                )
                self.duration_s = max(0.0, length)
                first = next(_decode(container, stream), None)
        except av.FFmpegError as error:
            raise SourceError(
                f"{path}: not a film that can be read ({error.strerror}): copy it again or export it as MP4"
            ) from error
        if first is None:
            raise SourceError(f"{path}: no picture in this film can be decoded: copy it again or export it as MP4")
        self.rotation_deg = int(first.rotation) % 360
        turned = self.rotation_deg in (90, 270)
        self.size_px = (first.height, first.width) if turned else (first.width, first.height)
        if min(self.size_px) < _LEAST_SIDE_PX:
            raise SourceError(f"{path}: its pictures have {first.width}x{first.height} px: too small for a table")

    def frames(self) -> Iterator[Frame]:
        """Give every frame in order of time, decoded beside.

        Raises
        ------
        SourceError
            If the file vanishes or nothing more of it can be decoded.
        """
        ahead: queue.Queue[Frame | Exception | None] = queue.Queue(self._ahead)
        stop = threading.Event()
        self._stop = stop

        def put(item: Frame | Exception | None) -> None:
            while not stop.is_set():
                with contextlib.suppress(queue.Full):
                    ahead.put(item, timeout=0.2)
                    return

        def work() -> None:
            try:
                for frame in self._decoded():
                    put(frame)
                    if stop.is_set():
                        return
                put(None)
            except Exception as error:
                put(error)

        worker = threading.Thread(target=work, name=f"decode {self.name}", daemon=True)
        worker.start()
        try:
            while not stop.is_set():
                try:
                    item = ahead.get(timeout=0.2)
                except queue.Empty:
                    continue
                if item is None:
                    return
                if isinstance(item, Exception):
                    raise SourceError(f"{self._path}: {item}: copy the film again") from item
                yield item
        finally:
            stop.set()
            worker.join(timeout=5)

    def _decoded(self) -> Iterator[Frame]:
        import av

        with av.open(str(self._path)) as container:
            stream = container.streams.video[0]
            stream.codec_context.thread_count = self._threads
            stream.thread_type = "AUTO"
            base: Fraction | None = None
            last_s = -1.0 / self.rate
            for index, picture in enumerate(_decode(container, stream)):
                if picture.pts is None or picture.time_base is None:
                    time_s = last_s + 1.0 / self.rate
                else:
                    stamp = picture.pts * picture.time_base
                    base = stamp - Fraction(max(0.0, last_s + 1.0 / self.rate)) if base is None else base
                    time_s = float(stamp - base)
                # Damaged stamps stand still or run backward; time in a log must not.
                last_s = time_s if time_s > last_s else last_s + 0.001
                yield Frame(_to_bgr(picture), round(last_s, 6), index)

    def close(self) -> None:
        """Stop decoding; the file is free when `frames` has ended."""
        self._stop.set()


def _decode(container: Any, stream: Any) -> Iterator[Any]:
    """Decode a stream to its end, over damaged packets, flushing what the decoder still holds."""
    import av

    packets = container.demux(stream)
    while True:
        try:
            packet = next(packets)
        except StopIteration:
            return
        except av.FFmpegError:
            # The container is cut short here: what was read before is good.
            with contextlib.suppress(av.FFmpegError):
                yield from stream.codec_context.decode(None)
            return
        try:
            yield from packet.decode()
        except (av.error.InvalidDataError, av.error.EOFError):
            continue


def _to_bgr(picture: Any) -> Image:
    plain = picture.format.name == "yuv420p" and picture.width % 2 == 0 == picture.height % 2
    if plain and picture.colorspace not in _HD_COLORS and picture.color_range != _FULL_RANGE:
        # FFmpeg's quick path is slower here and turns grey greenish by three steps.
        image: Image = cv2.cvtColor(picture.to_ndarray(), cv2.COLOR_YUV2BGR_I420)
    else:
        image = picture.to_ndarray(format="bgr24")
    turns = int(picture.rotation) % 360
    if turns == 90:
        return cv2.rotate(image, cv2.ROTATE_90_COUNTERCLOCKWISE)
    if turns == 180:
        return cv2.rotate(image, cv2.ROTATE_180)
    if turns == 270:
        return cv2.rotate(image, cv2.ROTATE_90_CLOCKWISE)
    return image


class ImageFolder:
    """Pictures of a folder in order of their names, as if they were frames of a film.

    Parameters
    ----------
    path
        A folder, or one picture.
    rate
        Pictures a second.

    Raises
    ------
    SourceError
        If there is no picture or the first one can't be read.
    """

    live = False

    def __init__(self, path: Path, rate: float = 30.0) -> None:
        self.name = path.name
        self.rate = rate
        self._closed = False
        self.paths = [path] if path.is_file() else find_pictures(path)
        if not self.paths:
            raise SourceError(f"{path}: no pictures in this folder: put JPEG or PNG files there")
        first = read_image(self.paths[0])
        self.size_px = (first.shape[1], first.shape[0])

    def frames(self) -> Iterator[Frame]:
        """Give every picture; one of another size than the first is fitted into its size.

        Raises
        ------
        SourceError
            If a picture can't be read.
        """
        for index, path in enumerate(self.paths):
            if self._closed:
                return
            image = read_image(path)
            if image.shape[1::-1] != self.size_px:
                image = cv2.resize(image, self.size_px, interpolation=cv2.INTER_AREA)
            yield Frame(image, index / self.rate, index)

    def close(self) -> None:
        """Give no further picture."""
        self._closed = True


def find_pictures(folder: Path) -> list[Path]:
    """Give the picture files of a folder in the order of their names, numbers by value."""
    try:
        paths = [path for path in folder.iterdir() if path.suffix.lower() in PICTURE_SUFFIXES and path.is_file()]
    except OSError as error:
        raise SourceError(f"{folder}: {error.strerror or error}: check the name") from error
    return sorted(paths, key=_natural)


def _natural(path: Path) -> list[tuple[int, int, str]]:
    import re

    parts = re.split(r"(\d+)", path.name)
    return [(0, int(part), "") if part.isdecimal() else (1, 0, part.lower()) for part in parts if part]


def open_source(text: str) -> Film | ImageFolder | Webcam:
    """Open what the command line names: a camera (index or name), a film, a folder of pictures or one picture.

    Raises
    ------
    SourceError
        If it can't be opened; the message says why and what to do.
    """
    path = Path(text)
    if path.is_dir():
        return ImageFolder(path)
    if path.is_file():
        return ImageFolder(path) if path.suffix.lower() in PICTURE_SUFFIXES else Film(path)
    if not text.isdecimal() and (path.suffix or "/" in text or "\\" in text):
        raise SourceError(f"{text}: no such film or folder: check the name")
    from .webcam import Webcam

    return Webcam(text)
