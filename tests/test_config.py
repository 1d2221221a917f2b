from pathlib import Path

import pytest

from referee.config import Config, ConfigError, load_config, override, parse_config


def test_settings_are_read_and_paths_are_relative_to_the_file(tmp_path):
    config = parse_config('port = 8123\nlayout = "table.toml"\n[rules]\ntarget = 100\n', tmp_path)
    assert (config.port, config.layout, config.rules) == (8123, tmp_path / "table.toml", {"target": 100})


def test_without_a_file_everything_has_its_default():
    assert load_config(None) == Config()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("prot = 1", "unknown key 'prot'"),
        ("port = 'x'", "port: write a whole number"),
        ("port = true", "port: write a whole number"),
        ("port = 70000", "1 to 65535"),
        ("pin = 'abc'", "digits only"),
        ("port =", "no valid TOML"),
    ],
)
def test_impossible_settings_are_refused_in_words(text, says):
    with pytest.raises(ConfigError, match=says):
        parse_config(text, Path())


def test_missing_file_is_named(tmp_path):
    with pytest.raises(ConfigError, match="no.toml"):
        load_config(tmp_path / "no.toml")


def test_command_line_wins():
    assert override(Config(port=1), port=2, host=None) == Config(port=2)
