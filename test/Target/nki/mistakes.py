"""A mistake in an exported kernel is seen: by a rule of the stand-in, or in the values.

RUN: %trn_python %s %t
"""

import re
import sys

from Inputs import exports
import tensors

# What is printed, and what would be wrong in its place.
MISTAKES = {
    "0.6": [(r"accumulate=k > 0", "accumulate=True"), (r"accumulate=k > 0", "accumulate=False"),
            (r"range\(2\)", "range(1)"), (r"\+ 1\) \* 128", "+ 2) * 128"),
            (r"nl\.float32, buffer=nl\.psum", "nl.bfloat16, buffer=nl.psum"),
            (r"permute\(\(1, 0, 2\)\)", "permute((0, 1, 2))"), (r"nl\.copy", "nl.square"),
            (r"nl\.copy", "nl.identity"), (r"buffer=nl\.psum", "buffer=nl.sbuf"),
            (r"(?s)    nisa\.dma_copy\(dst=v_sb.*?\n(?=    )", "")],
    "beta1": [(r"\+= nisa", "= nisa"), (r"nl\.zeros", "nl.ndarray"), (r"nl\.load", "nl.store"),
              (r"128 \* nl\.arange\(2\)", "64 * nl.arange(2)"),
              (r"affine_range\(2\)", "affine_range(1)")]}

module = exports.generate("xuv", m=256, k=256, r=128, n=512)
export = exports.export
for version, mistakes in MISTAKES.items():
    for wrong in (None, *mistakes):
        def spoil(*arguments):
            output = export(*arguments)
            if wrong:
                output, found = re.subn(*wrong, output)
                if not found:
                    raise ValueError(f"{version}: nothing reads {wrong[0]}")
            return output
        exports.export = spoil
        try:
            exports.check(f"mistake {version}", module, version, "effort=1")
        except (SystemExit, TypeError, tensors.NKIError) as seen:
            if not wrong:
                raise
            print(f"{version}: {wrong[1]}: {seen}")
        else:
            if wrong:
                sys.exit(f"{version}: {wrong[1]} instead of {wrong[0]} is not seen")
