import struct
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest

from referee.vision.sources import Film, ImageFolder, SourceError, find_pictures, normalise, open_source, read_image

RNG = np.random.default_rng(5)
WriteFilm = Callable[..., Path]


def numbered(count: int, height: int = 96, width: int = 160) -> list[np.ndarray]:
    return [np.full((height, width, 3), 20 + 4 * i, dtype=np.uint8) for i in range(count)]


def test_film_gives_every_frame_with_its_own_time(write_film: WriteFilm) -> None:
    times = np.cumsum([0.5, *RNG.choice([0.02, 0.033, 0.1], 39)]).tolist()
    film = Film(write_film(numbered(40), times))
    frames = list(film.frames())
    assert [frame.index for frame in frames] == list(range(40))
    assert [frame.time_s for frame in frames] == pytest.approx([t - times[0] for t in times], abs=0.002)
    assert [int(frame.image.mean()) for frame in frames] == pytest.approx([20 + 4 * i for i in range(40)], abs=3)
    assert film.size_px == (160, 96)


def test_film_can_be_read_twice_and_closed_midway(write_film: WriteFilm) -> None:
    film = Film(write_film(numbered(30), [i / 30 for i in range(30)]))
    for frame in film.frames():
        if frame.index == 5:
            film.close()
            break
    assert len(list(film.frames())) == 30


@pytest.mark.parametrize(
    ("matrix", "corner"),
    [
        ((0, 1 << 16, 0, -(1 << 16), 0, 0, 96 << 16, 0, 1 << 30), "right"),
        ((0, -(1 << 16), 0, 1 << 16, 0, 0, 0, 160 << 16, 1 << 30), "lower left"),
        ((-(1 << 16), 0, 0, 0, -(1 << 16), 0, 160 << 16, 96 << 16, 1 << 30), "lower right"),
    ],
)
def test_turned_phone_films_stand_upright(write_film: WriteFilm, matrix: tuple[int, ...], corner: str) -> None:
    image = np.zeros((96, 160, 3), dtype=np.uint8)
    image[:40, :60] = (0, 0, 250)
    path = write_film([image] * 4, [0, 0.1, 0.2, 0.3])
    data = bytearray(path.read_bytes())
    at = data.find(b"tkhd") + 44
    data[at : at + 36] = struct.pack(">9i", *matrix)
    path.write_bytes(data)
    film = Film(path)
    red = next(iter(film.frames())).image[:, :, 2] > 128
    height, width = red.shape
    assert film.size_px == (width, height)
    ys, xs = np.nonzero(red)
    assert (xs.mean() > width / 2) == ("right" in corner)
    assert (ys.mean() > height / 2) == ("lower" in corner)


def test_a_film_cut_short_gives_what_it_has(write_film: WriteFilm) -> None:
    images = [RNG.integers(0, 255, (96, 160, 3)).astype(np.uint8) for _ in range(60)]
    path = write_film(images, [i / 30 for i in range(60)], name="film.mkv")
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    frames = list(Film(path).frames())
    assert 5 < len(frames) < 60
    assert all(b.time_s > a.time_s for a, b in zip(frames, frames[1:], strict=False))


def test_films_that_are_none_are_refused(tmp_path: Path, write_film: WriteFilm) -> None:
    with pytest.raises(SourceError, match="no such film"):
        Film(tmp_path / "none.mp4")
    (tmp_path / "bad.mp4").write_bytes(b"not a film at all" * 100)
    with pytest.raises(SourceError, match="copy it again"):
        Film(tmp_path / "bad.mp4")
    cut = write_film(numbered(10), [i / 30 for i in range(10)])
    cut.write_bytes(cut.read_bytes()[:600])
    with pytest.raises(SourceError, match="copy it again"):
        Film(cut)


@pytest.mark.parametrize(
    ("text", "says"),
    [("none.mp4", "no such film"), ("some/folder", "no such film"), ("97", "no camera 97"), ("HD Pro 77", "connected")],
)
def test_open_source_says_what_is_missing(text: str, says: str) -> None:
    with pytest.raises(SourceError, match=says):
        open_source(text)


def test_pictures_of_every_form_become_bgr(tmp_path: Path) -> None:
    image = RNG.integers(0, 255, (40, 60, 3)).astype(np.uint8)
    alpha = np.dstack([image, np.full((40, 60), 255, np.uint8)])
    forms = {
        "color.png": image,
        "grey.png": image[:, :, 0],
        "alpha.png": alpha,
        "deep.png": image.astype(np.uint16) * 257,
        "deep-grey.png": image[:, :, 0].astype(np.uint16) * 257,
        "color.bmp": image,
    }
    for name, form in forms.items():
        cv2.imwrite(str(tmp_path / name), form)
        read = read_image(tmp_path / name)
        assert read.shape == (40, 60, 3)
        assert read.dtype == np.uint8
        true = np.repeat(image[:, :, :1], 3, axis=2) if "grey" in name else image
        assert np.array_equal(read, true), name


def test_twelve_bit_pictures_are_not_black() -> None:
    deep = np.full((32, 32), 4000, dtype=np.uint16)
    assert normalise(deep).min() == 250


@pytest.mark.parametrize(("size", "says"), [((1, 1), "1x1"), ((20000, 20), "20x20000"), ((15, 400), "400x15")])
def test_odd_sizes_are_refused_with_the_reason(tmp_path: Path, size: tuple[int, int], says: str) -> None:
    cv2.imwrite(str(tmp_path / "odd.png"), np.zeros((*size, 3), np.uint8))
    with pytest.raises(SourceError, match=says):
        read_image(tmp_path / "odd.png")


@pytest.mark.parametrize("kind", ["jpg", "png"])
def test_cut_pictures_are_refused(tmp_path: Path, kind: str) -> None:
    path = tmp_path / f"cut.{kind}"
    cv2.imwrite(str(path), RNG.integers(0, 255, (200, 200, 3)).astype(np.uint8))
    path.write_bytes(path.read_bytes()[:-2000])
    with pytest.raises(SourceError, match="cut short"):
        read_image(path)


def test_what_is_no_picture_is_refused(tmp_path: Path) -> None:
    for name, data in (("text.jpg", b"hello"), ("empty.png", b"")):
        (tmp_path / name).write_bytes(data)
        with pytest.raises(SourceError, match="not a picture"):
            read_image(tmp_path / name)
    with pytest.raises(SourceError, match="check the name"):
        read_image(tmp_path / "none.jpg")
    with pytest.raises(SourceError, match="float64"):
        normalise(np.zeros((32, 32, 3)))


def test_folder_in_the_order_of_its_numbers(tmp_path: Path) -> None:
    for i in (2, 10, 1):
        cv2.imwrite(str(tmp_path / f"shot{i}.png"), np.full((32, 32 + i, 3), i, np.uint8))
    (tmp_path / "notes.txt").write_text("no picture")
    assert [path.stem for path in find_pictures(tmp_path)] == ["shot1", "shot2", "shot10"]
    frames = list(open_source(str(tmp_path)).frames())
    assert [int(frame.image.max()) for frame in frames] == [1, 2, 10]
    assert {frame.image.shape for frame in frames} == {(32, 33, 3)}
    assert [frame.time_s for frame in frames] == pytest.approx([0, 1 / 30, 2 / 30])


def test_empty_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="no pictures"):
        ImageFolder(tmp_path)
