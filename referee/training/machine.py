"""What the training may use of this machine."""

from __future__ import annotations

import os

import torch


def thread_count() -> int:
    """Give the threads to train with: OMP_NUM_THREADS, or one a core.

    Ultralytics takes one core less than there are, which is half of a machine with two.
    """
    return int(os.environ.get("OMP_NUM_THREADS") or os.cpu_count() or 1)


def bfloat16_helps() -> bool:
    """Tell whether the processor computes in bfloat16; where it doesn't, emulation is slower than float32."""
    return bool(torch.ops.mkldnn._is_mkldnn_bf16_supported())
