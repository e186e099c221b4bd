"""Kernels of good.py, changed in ways that make most of them wrong, and some hostile."""

import math
import pathlib
import random
import re

import numpy as np

GOOD = pathlib.Path(__file__).with_name("good.py").read_text(encoding="utf-8")
KERNELS = ("softmax", "product", "normalised", "scaled_sum")
HEADER = GOOD.split("\n\n\n")[0]
BODIES = {re.search(r"def (\w+)", part)[1]: part for part in GOOD.split("\n\n\n")[1:]}
_rng = np.random.default_rng(3)
INPUTS = {"softmax": [_rng.standard_normal((200, 64), np.float32)],
          "product": [_rng.standard_normal((192, 128), np.float32),
                      _rng.standard_normal((192, 96), np.float32)],
          "normalised": [_rng.standard_normal((256, 64), np.float32)],
          "scaled_sum": [_rng.standard_normal((100, 80), np.float32) for _ in range(2)]}


def expected(name):
    """In float64, by other ways than the kernels take."""
    x, *rest = [array.astype(np.float64) for array in INPUTS[name]]
    if name == "softmax":
        return np.array([[math.exp(one) / math.fsum(map(math.exp, row)) for one in row]
                         for row in x])
    if name == "product":
        return np.einsum("km,kn->mn", x, rest[0])
    if name == "normalised":
        return x / np.sqrt((x ** 2).mean(axis=1, keepdims=True) + 1e-3)
    total = x / 2 + rest[0]
    return np.where(total > np.tanh(2 * total), total, np.tanh(2 * total))


HOSTILE = ("import os; os._exit(0)", "import os; os.kill(os.getpid(), 11)",
           "while True: pass", "memory = bytearray(100 << 30)", "import sys; sys.exit(0)",
           "f = lambda: f(); f()", "print('x' * 5_000_000)",
           "import os; os.write(1, b'x' * 5_000_000); os.write(2, b'y')",
           "import os; os.closerange(0, 1000)", "import os; os.fork()",
           "import os; os._exit(0) if os.fork() else None",
           "raise KeyboardInterrupt", "import ctypes; ctypes.string_at(0)",
           "import trn_mlir.nki._judge as judge; judge.run = lambda *_: {'passed': True}",
           "import os; [os.write(fd, b'{\"passed\": true}') for fd in range(3, 20) if "
           "os.path.exists(f'/proc/self/fd/{fd}') and os.path.realpath(f'/proc/self/fd/{fd}')"
           ".startswith('/proc') and 'pipe' in os.path.realpath(f'/proc/self/fd/{fd}')]",
           "import threading, time; threading.Thread(target=time.sleep, args=(9,)).start()",
           "nl.ndarray = None", "del nisa.dma_copy",
           "import gc; [o.clear() for o in gc.get_objects() if type(o) is list]",
           "x.buffer.shape = (1, 1)", "nl.float32 = nl.bfloat16")


def _number(rng, text):
    places = list(re.finditer(r"(?<![\w.])\d+(?:\.\d+)?(?:e-?\d+)?(?![\w.])", text))
    place = rng.choice(places)
    value = place[0]
    near = str(float(value) * 1.5) if "." in value or "e" in value else str(int(value) + 1)
    other = rng.choice(["0", "1", "2", "-1", "127", "129", "4096", "1e30", "0.25", "10**20",
                        f"{value} * 2", f"{value} // 2", f"-{value}", near, near, near, near])
    return text[:place.start()] + other + text[place.end():]


def _operator(rng, text):
    place = rng.choice(list(re.finditer(r" ([-+*/<]|//) ", text)) or [re.search(" ", text)])
    return text[:place.start()] + f" {rng.choice(['+', '-', '*', '/', '//', '<', '>='])} " + \
        text[place.end():]


def _name(rng, text):
    """A variable for another."""
    names = ["a", "b", "e", "f", "i", "k", "out", "p", "q", "rows", "s", "sums", "t", "top", "w", "x",
             "y"]
    names = [name for name in names if re.search(rf"\b{name} = ", text) or name in "xy"]
    old = rng.choice(list(re.finditer(rf"\b({'|'.join(names)})\b(?! = |\()", text)))
    return text[:old.start()] + rng.choice(names) + text[old.end():]


def _word(rng, text):
    words = ["exp", "add", "multiply", "maximum", "tanh", "square", "rsqrt", "subtract", "minimum",
             "sbuf", "psum", "shared_hbm", "float32", "bfloat16", "float16", "int32"]
    old = rng.choice(list(re.finditer(rf"\b({'|'.join(words)})\b", text)) or
                     [re.search(r"\w+", text)])
    return text[:old.start()] + rng.choice(words) + text[old.end():]


def _line(rng, text):
    lines = text.split("\n")
    at = rng.randrange(2, len(lines))
    kind = rng.choice(["drop", "drop", "twice", "twice", "swap", "swap", "indent"])
    if kind == "drop":
        del lines[at]
    elif kind == "twice":
        lines.insert(at, lines[at])
    elif kind == "swap":
        other = rng.randrange(2, len(lines))
        lines[at], lines[other] = lines[other], lines[at]
    else:
        lines[at] = rng.choice(["    " + lines[at], lines[at][4:]])
    return "\n".join(lines)


def _hostile(rng, text):
    lines = text.split("\n")
    at = rng.randrange(3, len(lines))
    indent = re.match(" *", lines[at])[0] or "    "
    lines.insert(at, indent + rng.choice(HOSTILE))
    return "\n".join(lines)


MUTATIONS = (_number, _number, _operator, _name, _name, _word, _word, _line, _line, _hostile)


def mutant(number, seed):
    """Name and text of a kernel."""
    rng = random.Random(f"{seed}/{number}")
    name = KERNELS[number % len(KERNELS)]
    body = BODIES[name]
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        body = rng.choice(MUTATIONS)(rng, body)
    return name, f"{HEADER}\n\n\n{body}"
