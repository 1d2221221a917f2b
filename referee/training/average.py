"""The mean of a network's weights before and after training on: good at both (Wortsman et al. 2022)."""

from __future__ import annotations

import copy
from collections.abc import Iterable

import torch
from torch import nn


@torch.no_grad()
def mix_weights(first: nn.Module, second: nn.Module, keep: float, batches: Iterable[torch.Tensor]) -> nn.Module:
    """Give the mean of two networks of one architecture.

    Parameters
    ----------
    first, second
        Before and after training on; neither is changed.
    keep
        Share of the first one's weights, 0..1.
    batches
        Inputs of the network, by which the normalisations are set anew.
    """
    other = second.state_dict()
    mixed = copy.deepcopy(first)
    mixed.load_state_dict(
        {
            name: keep * value + (1 - keep) * other[name] if value.is_floating_point() else other[name]
            for name, value in first.state_dict().items()
        }
    )
    mixed.eval()
    for part in mixed.modules():
        if isinstance(part, nn.BatchNorm1d | nn.BatchNorm2d):
            part.reset_running_stats()
            part.momentum = None  # the mean over all batches
            part.train()
    for batch in batches:
        mixed(batch)
    return mixed.eval()
