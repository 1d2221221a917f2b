import os

import pytest

os.environ.setdefault("YOLO_OFFLINE", "true")
os.environ.setdefault("YOLO_AUTOINSTALL", "false")


@pytest.fixture(autouse=True)
def ultralytics_keeps_to_itself(tmp_path_factory, monkeypatch):
    """Ultralytics writes its settings where it may: here, not in the home of whoever runs the tests."""
    monkeypatch.setenv("YOLO_CONFIG_DIR", str(tmp_path_factory.getbasetemp()))
