"""The command line: the composition root that builds the parts and hands them to the pipeline.

Everything heavy is imported inside the command that needs it, so that `referee --help` stays quick.
"""

from __future__ import annotations

import click

from . import __version__


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(__version__)
def main() -> None:
    """Referee Dutch Blitz with a camera: see every card, follow every move, score the round."""
