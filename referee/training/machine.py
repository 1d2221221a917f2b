"""What the training may use of this machine."""

from __future__ import annotations

import os

import torch


def thread_count() -> int:
    """Give the threads to train with: one a core that this process may use.

    Ultralytics takes one core less than there are, which is half of a machine with two.
    """
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def bfloat16_helps() -> bool:
    """Tell whether the processor computes in bfloat16; where it doesn't, emulation is slower than float32."""
    return bool(torch.ops.mkldnn._is_mkldnn_bf16_supported())
