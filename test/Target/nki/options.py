"""Kernels with loops of the device, or with addresses, compute what others do.

RUN: %trn_python %s %t
"""

import sys

from Inputs.exports import check, finish, generate

for name, kind, sizes, options, loops in [
        ("strips", "xw", {"m": 1024, "k": 128, "n": 128}, "block-m=128", True),
        ("strips, turned", "xw", {"m": 1024, "k": 128, "n": 128, "transposed_input": True},
         "block-m=128 keep=x=m", True),
        ("columns", "xuv", {"m": 128, "k": 128, "r": 64, "n": 2048}, "block-n=512 keep=v=n", True),
        ("odd strips", "xw", {"m": 900, "k": 130, "n": 70}, "block-m=128", True),
        # A sum runs over all of K: no iteration is like another one.
        ("a long sum", "xw", {"m": 64, "k": 2048, "n": 64}, "", False)]:
    module = generate(kind, **sizes)
    text = check(f"{name} on the device", module, "0.6", f"effort=1 {options}",
                 ["--unroll-limit=8"])
    if ("nl.fori_loop" in text) != loops:
        sys.exit(f"{name}: {'no' if loops else 'a'} loop of the device")
    text = check(f"{name} with addresses", module, "0.6", f"effort=1 {options}", ["--addresses"])
    if "address=(0, " not in text:
        sys.exit(f"{name}: no address")
finish(10)
