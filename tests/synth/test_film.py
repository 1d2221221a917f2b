"""Films look like what they say: exact quads, exact shares, honest times, whole folders."""

from __future__ import annotations

import json
from dataclasses import replace

import av
import cv2
import numpy as np
import pytest

from referee.game.events import CardMoved, from_json
from referee.layout import load_layout
from referee.synth.demo import RenderedTable
from referee.synth.film import FilmWriter, sample_look, write_film
from referee.synth.look import LookError
from referee.synth.noise import EXACT, format_observation, load_observations, observe
from referee.synth.play import Clock, Now, corners_mm
from referee.synth.renderer import Renderer, _smear
from referee.synth.rounds import play_round
from referee.synth.sight import ARM, Sight, card_px, first_visible
from referee.synth.simulate import OutputError, parse_size, write_detections
from referee.synth.sprites import Sprites

SIZE = (480, 270)


@pytest.fixture(scope="module")
def script():
    return play_round(2, 2, 2, size_px=SIZE, pace=0.6, length_s=(15, 60))


@pytest.fixture(scope="module")
def look():
    return sample_look(5, surface="plain", family="classic")


@pytest.fixture(scope="module")
def sprites(script, look):
    return Sprites(script.seating, look)


@pytest.fixture(scope="module")
def folder(script, look, tmp_path_factory):
    out = tmp_path_factory.mktemp("film") / "round"
    write_film(script, out, Renderer(script, look), 10.0, crf=30, frames=True)
    return out


def test_a_film_has_its_frames_its_truth_and_its_layout(folder, script):
    assert {item.name for item in folder.iterdir()} == {
        "film.mp4", "frames.jsonl", "events.jsonl", "layout.toml", "moves.blitz",
    }  # fmt: skip
    with av.open(str(folder / "film.mp4")) as film:
        times = [float(frame.time) for frame in film.decode(video=0)]
        assert film.streams.video[0].width == SIZE[0]
    assert len(times) == int(script.end_s * 10)
    assert np.allclose(times, np.arange(len(times)) / 10, atol=1e-4)
    assert load_layout(folder / "layout.toml").image_size_px == SIZE
    events = [from_json(line) for line in (folder / "events.jsonl").read_text().splitlines()]
    moves = [event for event in events if isinstance(event, CardMoved)]
    seen = [event for event in moves if event.visible_s is not None]
    assert len(seen) > 0.85 * len(moves)
    for event in seen:
        assert event.visible_s >= event.rest_s >= event.time_s
        assert event.visible_s * 10 == pytest.approx(round(event.visible_s * 10), abs=1e-3)


def test_every_frame_knows_its_cards(folder, script):
    lines = [json.loads(line) for line in (folder / "frames.jsonl").read_text().splitlines()]
    assert len(lines) == int(script.end_s * 10)
    before_go = lines[int(script.go_s * 10)]
    tops = {card["pile"]: card["label"] for card in before_go["cards"] if card["on_top"]}
    for pile, card in script.dealt:
        assert tops[str(pile)] == str(script.cards[card].face)
    assert all(0 < card["visible"] <= 1 for line in lines for card in line["cards"])


def test_a_card_at_rest_is_where_the_layout_says(script, sprites, look):
    """The picture itself, through the written homography and lens, shows each lying card in its colour."""
    layout = script.seating.layout()
    renderer = Renderer(script, look, sprites)
    time_s = script.go_s
    now = Clock(script).at(time_s)
    frame = renderer.frame(now)
    _, shares = Sight(script, 2, renderer.paint_arms).at(time_s)
    checked = 0
    for span in now.resting:
        if not span.is_up or shares[span.card] < 0.95 or span.end_mm > 10:
            continue
        quad = corners_mm(span.end, layout.card_mm)
        # Halfway between the rosette and the long edge there is nothing but the card's own colour.
        spot = quad.mean(axis=0) * 0.12 + (quad[0] + quad[3]) / 2 * 0.88
        straight = cv2.perspectiveTransform(spot.reshape(1, 1, 2), np.array(layout.px_from_mm))
        ray = cv2.undistortPoints(straight, np.array(layout.camera_matrix), None)
        px, _ = cv2.projectPoints(
            np.append(ray.ravel(), 1).reshape(1, 3), np.zeros(3), np.zeros(3),
            np.array(layout.camera_matrix), np.array([*layout.lens]),
        )  # fmt: skip
        x, y = px.ravel()
        hue = cv2.cvtColor(frame[int(y + 0.5) : int(y + 0.5) + 1, int(x + 0.5) : int(x + 0.5) + 1], cv2.COLOR_BGR2HSV)[
            0, 0, 0
        ]
        want = {"red": (5, 14), "yellow": (27, 12), "green": (70, 25), "blue": (102, 18)}
        middle, room = want[script.cards[span.card].face.color.value]
        assert min(abs(int(hue) - middle), 180 - abs(int(hue) - middle)) <= room, script.cards[span.card]
        checked += 1
    assert checked >= 8


def test_what_lies_still_is_drawn_as_if_anew(script, sprites, look):
    """The kept picture after many changes equals one drawn from nothing."""
    walked, fresh = Renderer(script, look, sprites), Renderer(script, look, sprites)
    clock = Clock(script)
    for time_s in np.arange(0, script.over_s, 0.37):
        now = clock.at(time_s)
        walked.frame(now)
    fresh.frame(now)
    difference = cv2.absdiff(walked._still, fresh._still)
    # A pile's shadow grows with its cards a little later than the pile: a few grey levels at most.
    assert difference.max() <= 10
    assert difference.mean() < 0.02


def test_arms_hide_what_the_shares_say_they_hide(script, look):
    """Where an arm is said to be, the picture differs from the same picture without arms; elsewhere hardly."""
    bare = replace(look, noise=0.01, flicker=0.0, light=replace(look.light, depth=0.0))
    pictures = Sprites(script.seating, bare)
    with_arms, without = Renderer(script, bare, pictures), Renderer(script, bare, pictures)
    clock, said, right = Clock(script), 0, 0
    for time_s in np.arange(script.go_s, script.go_s + 4, 0.5):
        now = clock.at(time_s)
        frame, empty = with_arms.frame(now), without.frame(Now(now.time_s, now.resting))
        ids = np.zeros((SIZE[1] // 2 + SIZE[1] % 2, SIZE[0] // 2), np.int32)
        with_arms.paint_arms(ids, now)
        arm = cv2.resize((ids == ARM).astype(np.uint8), SIZE, interpolation=cv2.INTER_NEAREST) > 0
        differs = cv2.absdiff(frame, empty).max(axis=2) > 15
        said += int(arm.sum())
        right += int((arm & differs).sum())
    assert said > 1000
    assert right > 0.85 * said


def test_shares_agree_with_an_independent_count(script):
    """Every px of a finer picture asked on its own: which card of the stack lies on top there?"""
    time_s = script.go_s + 3
    now, shares = Sight(script, 1, lambda ids, now: None).at(time_s)
    camera, card_mm = script.seating.camera, script.seating.card_mm
    quads = {
        span.card: camera.project(corners_mm(span.end, card_mm), span.end_mm) for span in now.resting
    }  # fmt: skip
    lying = [span for span in now.resting if span.end_mm < 20]
    rng = np.random.default_rng(0)
    tried = 0
    for span in [lying[int(i)] for i in rng.permutation(len(lying))[:25]]:
        quad = quads[span.card]
        above = [quads[other.card] for other in now.resting if other.order > span.order]
        above += [camera.project(corners_mm(o.at(time_s)[0], card_mm), o.at(time_s)[1]) for o in now.moving]
        u, v = rng.uniform(0, 1, (2, 1500, 1))
        points = (quad[0] * (1 - u) + quad[1] * u) * (1 - v) + (quad[3] * (1 - u) + quad[2] * u) * v
        free = [
            not any(
                cv2.pointPolygonTest(np.asarray(other, np.float32), (float(x), float(y)), False) > 0 for other in above
            )
            for x, y in points
        ]
        if all(other.lift_mm == 0 for other in now.moving):
            assert shares[span.card] == pytest.approx(np.mean(free), abs=0.05)
        else:
            assert shares[span.card] <= np.mean(free) + 0.05
        tried += 1
    assert tried == 25


def test_the_same_seed_gives_the_same_picture(script, look):
    one, two = (Renderer(script, look).frame(Clock(script).at(script.go_s + 2)) for _ in range(2))
    assert (one == two).all()


def test_glossy_cards_mirror_the_lamp_and_the_table_does_not(script, look):
    shiny = look.polished(0.8)
    assert (look.gloss, shiny.gloss) == (0.0, 0.8)
    dull, glossy = (Renderer(script, how).frame(Clock(script).at(script.over_s - 1)) for how in (look, shiny))
    again = Renderer(script, shiny).frame(Clock(script).at(script.over_s - 1))
    assert np.array_equal(glossy, again)
    brighter = glossy.astype(int).sum(2) - dull.astype(int).sum(2)
    assert brighter.max() > 60
    state, _ = Sight(script, 1).at(script.over_s - 1)
    on_cards = np.zeros(brighter.shape, np.uint8)
    for span in (*state.resting, *state.moving):
        px, _ = card_px(script.seating, span, script.over_s - 1)
        cv2.fillConvexPoly(on_cards, np.round(px).astype(np.int32), 1)
    on_cards = cv2.dilate(on_cards, np.ones((9, 9)))
    assert np.abs(brighter[on_cards == 0]).max() < 12


def test_a_moving_hand_is_blurred_and_a_frame_is_noisy(script, sprites, look):
    renderer, clock = Renderer(script, look, sprites), Clock(script)
    now = clock.at(1.0)
    first, second = renderer.frame(now).astype(int), renderer.frame(now).astype(int)
    assert 0.3 < np.abs(first - second).mean() < 12


def test_detections_hold_what_is_there_and_little_else(script):
    seen = list(observe(script, 1, 10.0))
    assert len(seen) == int(script.end_s * 10) + 1
    exact = list(observe(script, 1, 10.0, EXACT))
    sight = Sight(script)
    for observation in exact[::10]:
        now, shares = sight.at(observation.time_s)
        clear = {
            str(script.cards[span.card].face)
            for span in now.resting
            if shares[span.card] > 0.95 and span.is_up
        }  # fmt: skip
        assert clear <= {card.reading.label for card in observation.cards}
    labels = [card.reading.label for observation in seen for card in observation.cards]
    assert 0.01 < sum(label is None for label in labels) / len(labels) < 0.3
    assert any(reach.seat for observation in seen for reach in observation.reaches)


def test_detections_survive_the_file(script, tmp_path):
    write_detections(script, tmp_path / "out", 3, 5.0)
    back = list(load_observations(tmp_path / "out" / "detections.jsonl"))
    for one, other in zip(observe(script, 3, 5.0), back, strict=True):
        assert format_observation(one) == format_observation(other)
    events = (tmp_path / "out" / "events.jsonl").read_text().splitlines()
    assert any("visible_s" in line for line in events)


@pytest.mark.parametrize(
    "line", ["", "{}", "[1]", json.dumps({"time_s": 1, "sharp": True, "cards": [{}], "reaches": []})]
)
def test_a_broken_line_of_detections_is_named(tmp_path, line):
    path = tmp_path / "detections.jsonl"
    path.write_text(line + "\n")
    with pytest.raises(ValueError, match="line 1"):
        list(load_observations(path))


def test_a_folder_of_somebody_else_is_left_alone(script, tmp_path):
    mine = tmp_path / "thesis"
    mine.mkdir()
    (mine / "chapter1.txt").write_text("years of work")
    with pytest.raises(OutputError, match="--force"):
        write_detections(script, mine, 1, 5.0)
    assert [item.name for item in mine.iterdir()] == ["chapter1.txt"]
    write_detections(script, mine, 1, 5.0, force=True)
    assert (mine / "chapter1.txt").read_text() == "years of work"


def test_an_interrupted_film_leaves_nothing(script, look, tmp_path):
    class Interrupted(Exception):
        pass

    def stop(share: float) -> None:
        if share > 0.02:
            raise Interrupted

    with pytest.raises(Interrupted):
        write_film(script, tmp_path / "round", Renderer(script, look), 10.0, progress=stop)
    assert list(tmp_path.iterdir()) == []


def test_a_disk_that_fills_up_leaves_no_film(script, look, tmp_path):
    resource = pytest.importorskip("resource")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, hard))
    try:
        with pytest.raises(OutputError, match="can't be written|File too large"):
            write_film(script, tmp_path / "round", Renderer(script, look), 10.0)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert list(tmp_path.iterdir()) == []


def test_its_own_folder_is_written_again(script, folder, tmp_path):
    out = tmp_path / "round"
    out.mkdir()
    (out / "film.mp4").write_bytes((folder / "film.mp4").read_bytes())
    write_detections(script, out, 1, 5.0)
    assert not (out / "film.mp4").exists(), "a film of another round would lie beside this truth"


def test_a_file_is_no_folder(script, tmp_path):
    path = tmp_path / "file"
    path.write_text("x")
    with pytest.raises(OutputError, match="is a file"):
        write_detections(script, path, 1, 5.0)


@pytest.mark.parametrize("text", ["", "1920", "1920x", "ax10", "1921x1080", "20x20", "99999x1000", "-640x480"])
def test_impossible_sizes_are_refused(text):
    with pytest.raises(ValueError, match="size"):
        parse_size(text)


def test_an_unknown_table_is_refused():
    with pytest.raises(LookError, match="choose from"):
        sample_look(1, surface="lava")
    with pytest.raises(LookError, match="choose from"):
        sample_look(1, family="tarot")


def test_every_move_has_a_time_at_which_it_can_be_seen(script):
    seen = first_visible(script, 15.0)
    assert len(seen) > 0.85 * len(script.played)


def test_the_rendered_table_plays_in_real_time():
    table = RenderedTable(2, 3, 1, size_px=(320, 180), fps=20.0)
    assert table.live
    assert len(table.names) == len(table.layout.seats) == 2
    frames = []
    for frame in table.frames():
        frames.append(frame)
        if len(frames) == 12:
            table.close()
    gaps = np.diff([frame.time_s for frame in frames])
    assert (gaps > 0).all()
    assert frames[0].image.shape == (180, 320, 3)
    assert [frame.index for frame in frames] == list(range(len(frames)))
    assert frames[-1].time_s >= 0.98 * 11 / 20, "never faster than asked for"
    assert (frames[0].image != frames[-1].image).any()
    assert table.truth()[0].time_s > 0


def test_a_film_of_a_single_colour_keeps_it(tmp_path):
    writer = FilmWriter(tmp_path / "x.mp4", (64, 64), 25)
    for _ in range(5):
        writer.write(np.full((64, 64, 3), (40, 120, 200), np.uint8))
    writer.close()
    with av.open(str(tmp_path / "x.mp4")) as film:
        image = next(film.decode(video=0)).to_ndarray(format="bgr24")
    assert np.abs(image.reshape(-1, 3).mean(axis=0) - (40, 120, 200)).max() < 4


@pytest.mark.parametrize("way", [(0.0, 0.0), (30.0, -2.0), (-500.0, 3.0), (0.0, 900.0)])
def test_a_blur_longer_than_the_picture_is_no_error(way):
    picture = np.full((40, 6, 4), 200, np.uint8)
    blurred = _smear(picture, *way)
    assert blurred.shape == picture.shape
    assert blurred.max() <= 200
