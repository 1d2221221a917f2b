"""The command line: the composition root that builds the parts and hands them to the pipeline.

Everything heavy is imported inside the command that needs it, so that `referee --help` stays quick.
"""

from __future__ import annotations

import click

from .. import __version__
from .judging import judge, rules
from .making import adopt, simulate, train
from .measuring import bench, evaluate
from .playing import calibrate, demo, doctor, export, run, score
from .seeing import count, enroll, identify


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(__version__)
def main() -> None:
    """Referee Dutch Blitz with a camera: see every card, follow every move, score the round."""


for command in (
    run,
    demo,
    train,
    adopt,
    simulate,
    judge,
    rules,
    identify,
    count,
    enroll,
    export,
    evaluate,
    calibrate,
    doctor,
    score,
    bench,
):
    main.add_command(command)
