"""No argument of a call is ignored: the code that reads an operation names each of them.

RUN: %trn_python %s
"""

import inspect
import re

from trn_mlir.nki import _modules  # noqa: F401  (the handlers)
from trn_mlir.nki._call import HANDLERS, words

# Of every call, read by `Call`; and those that are numbered, which handlers read by a format.
COMMON = {"dst", "dtype", "mask", "engine", "name"}
NUMBERED = re.compile(r"(comp_op|bound|op|operand|reverse)[01]")
# What has no effect on values, and none on the time that we model or know.
HINTS = {
    "dma_copy": {"dge_mode", "priority"}, "dma_transpose": {"dge_mode", "priority", "oob_mode"},
    "nc_matmul": {"is_stationary_onezero", "is_moving_onezero"}, "sendrecv": {"dma_engine"},
    "device_print": {"prefix", "x", "print_prefix", "tensor"}, "random_seed": {"seed"},
    "loop_reduce": {"loop_indices"},
    "softmax": {"compute_dtype"}, "rms_norm": {"compute_dtype"},  # which is float32
}


def text_of(handler):
    """The source of a handler, and of the functions of its module that it calls."""
    module, found, left = inspect.getmodule(handler), {handler}, [handler]
    texts = []
    while left:
        texts.append(inspect.getsource(left.pop()))
        for name in re.findall(r"\b(\w+)\(", texts[-1]):
            called = getattr(module, name, None)
            if inspect.isfunction(called) and called not in found and \
                    called.__module__.startswith("trn_mlir.nki"):
                found.add(called)
                left.append(called)
    return "".join(texts)


ignored, count = [], 0
for version in ("beta1", "0.6", "0.7"):
    for entry in words(version)["operations"]:
        handler = HANDLERS.get((entry["module"], entry["name"]))
        if handler is None:
            continue
        text = text_of(handler)
        for argument in entry["arguments"]:
            name = argument["name"]
            count += 1
            if name not in COMMON | HINTS.get(entry["name"], set()) and \
                    not NUMBERED.fullmatch(name) and not re.search(rf"\b{name}\b", text):
                ignored.append(f"{entry['name']} of {version} ignores {name}")
assert not ignored and count > 500, (count, ignored)
