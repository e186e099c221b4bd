"""Models as PyTorch traces them compute what PyTorch computes.

REQUIRES: torch
RUN: %trn_python %s
"""

import numpy as np
import torch
import torch.nn.functional as F
import trn_mlir as trn
from torch import fx, nn
from torch.fx.experimental.proxy_tensor import make_fx

torch.manual_seed(0)


class Norm(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.gain = nn.Parameter(torch.rand(size))

    def forward(self, x):
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-5) * self.gain


class Layer(nn.Module):
    def __init__(self, size, heads):
        super().__init__()
        self.heads, self.norm, self.other = heads, Norm(size), nn.LayerNorm(size)
        self.q, self.k, self.v, self.o = (nn.Linear(size, size) for _ in range(4))
        self.gate, self.up = (nn.Linear(size, 2 * size, bias=False) for _ in range(2))
        self.down = nn.Linear(2 * size, size)

    def forward(self, x):
        y = self.norm(x)
        q, k, v = (one(y).view(2, 16, self.heads, -1).transpose(1, 2) for one in (self.q, self.k, self.v))
        shares = F.softmax(q @ k.transpose(-1, -2) / 8 ** 0.5, dim=-1)
        x = x + self.o((shares @ v).transpose(1, 2).reshape(2, 16, -1))
        y = self.other(x)
        return x + self.down(F.silu(self.gate(y)) * self.up(y))


def check(text, expected, *inputs):
    found = trn.compile(text, effort=1).run(*text.arguments(*inputs))
    error = np.abs(found - expected.detach().numpy()).max() / expected.abs().max().item()
    assert error < 1e-5, error


for model, x in ((Layer(32, 4), torch.randn(2, 16, 32)),
                 (nn.Sequential(nn.LayerNorm(64), nn.Linear(64, 32), nn.GELU(), nn.Dropout(), nn.Softmax(-1)).eval(),
                  torch.randn(32, 64))):
    check(trn.from_fx(fx.symbolic_trace(model), x), model(x), x)


def function(x, w, b):
    return F.layer_norm(F.silu(F.linear(x, w, b)), (32,)).view(4, 2, 32).softmax(-1)


given = torch.randn(8, 16), torch.randn(32, 16), torch.randn(32)
check(trn.from_fx(make_fx(function)(*given)), function(*given), *given)  # ops of aten, and shapes that it knows

try:
    trn.from_fx(fx.symbolic_trace(nn.Sequential(nn.Conv2d(3, 3, 3))), torch.ones(1, 3, 8, 8))
    raise AssertionError("a convolution is read")
except trn.TrnError as problem:
    assert str(problem).startswith("node _0: layers of class Conv2d are not read; layers are Dropout, "), problem
