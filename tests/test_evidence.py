import av
import numpy as np
import pytest

from referee.evidence import Evidence, write_clip
from referee.game.event_types import Ruled, Violation
from referee.vision.frames import Frame, Observation


def watch(evidence, seconds, ruled_at):
    for index in range(int(seconds * 30)):
        time_s = index / 30
        image = np.full((540, 960, 3), index % 250, np.uint8)
        events = []
        if index == int(ruled_at * 30):
            broken = (Violation.WRONG_NUMBER,)
            events = [Ruled(id=2, time_s=time_s - 0.2, seen_s=time_s, move=17, violations=broken)]
        evidence(Frame(image, time_s, index), Observation(time_s, ()), events)


def test_ruling_gets_a_clip_of_the_moments_before_and_after(tmp_path):
    evidence = Evidence(lambda: tmp_path / "clips")
    watch(evidence, 8.0, 4.0)
    evidence.close()
    assert [path.name for path in (tmp_path / "clips").iterdir()] == ["move-17.mp4"]
    with av.open(str(tmp_path / "clips" / "move-17.mp4")) as clip:
        times = [frame.time for frame in clip.decode(video=0)]
        assert clip.streams.video[0].codec_context.name == "h264"
        assert (clip.streams.video[0].width, clip.streams.video[0].height) == (960, 540)
    assert times[-1] - times[0] == pytest.approx(3.7, abs=0.15)
    assert len(times) == pytest.approx(3.7 * 15, abs=2)


def test_ruling_just_before_the_end_still_gets_its_clip(tmp_path):
    evidence = Evidence(lambda: tmp_path)
    watch(evidence, 4.2, 4.0)
    evidence.close()
    assert (tmp_path / "move-17.mp4").exists()


def test_clip_that_cannot_be_written_never_stops_the_game(tmp_path):
    (tmp_path / "clips").write_text("", encoding="utf-8")
    evidence = Evidence(lambda: tmp_path / "clips")
    watch(evidence, 6.0, 3.0)
    evidence.close()
    assert "no clip could be written" in evidence.failed


def test_broken_clip_leaves_no_file(tmp_path):
    with pytest.raises(Exception, match="."):
        write_clip(tmp_path / "a.mp4", [(0.0, b"no picture")])
    assert not list(tmp_path.iterdir())
