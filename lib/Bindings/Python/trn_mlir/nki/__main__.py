# Part of the trn-mlir project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`python3 -m trn_mlir.nki`: a kernel in NKI as MLIR, or what of it is not read."""

from __future__ import annotations

import argparse
import ast
import functools
import sys

from .._library import TrnError
from ._coverage import coverage
from ._kernel import KernelModule, compile_traced
from ._load import find, trace
from ._recorder import Recorder

_EXAMPLES = """examples:
  python3 -m trn_mlir.nki softmax.py:softmax --input x=f32[128,4096] -o softmax.mlir
  trn-run softmax.mlir --compile --timing-only --html=softmax.html
  python3 -m trn_mlir.nki softmax.py --input x=f32[128,4096] --time
  python3 -m trn_mlir.nki --coverage *.py

The file is executed, with everything in it. Times are modelled."""


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python3 -m trn_mlir.nki", epilog=_EXAMPLES,
        description="Reads a kernel that is written in NKI, and writes it as MLIR.",
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kernel", nargs="*", metavar="FILE.py[:NAME]",
                        help="the kernel; several files with --coverage")
    parser.add_argument("--input", action="append", default=[], metavar="NAME=VALUE",
                        help="a parameter: a tensor as f32[128,512], or a literal of Python")
    parser.add_argument("--machine", default="trn2", choices=("trn1", "trn2"),
                        help="the machine to compile for (default trn2)")
    parser.add_argument("--nki", choices=("beta1", "0.6", "0.7"),
                        help="the version of NKI (default: by the package that is imported)")
    parser.add_argument("--grid", default="", metavar="N[,N]",
                        help="the grid of programs, which run one after the other on one core")
    parser.add_argument("--lnc", type=int, choices=(1, 2),
                        help="cores of a logical core, which run the programs of a grid of as many "
                             "(default: 2 for a kernel[2] since NKI 0.6, else 1)")
    parser.add_argument("-o", default="-", dest="output", metavar="FILE",
                        help="where the module goes (default: standard output)")
    parser.add_argument("--time", action="store_true", help="print the modelled latency instead")
    parser.add_argument("--oversize", action="store_true",
                        help="time a kernel that needs more memory than the machine has")
    parser.add_argument("--best-effort", action="store_true",
                        help="list everything that is not read at once, with exit status 2")
    parser.add_argument("--coverage", action="store_true",
                        help="count the words of NKI in the files, and say which are read")
    parser.add_argument("--replace-vendor", action="store_true",
                        help="read `import nki` as ours even where the vendor's is installed")
    return parser


def read_inputs(given: list[str]) -> dict[str, object]:
    """`NAME=VALUE` as inputs of a kernel: a value is a type such as f32[128,512], or a literal."""
    inputs = {}
    for one in given:
        name, separator, value = one.partition("=")
        if not separator:
            raise TrnError("--input %s is not NAME=VALUE" % one)
        try:
            inputs[name] = ast.literal_eval(value)
        except (ValueError, SyntaxError):
            inputs[name] = value  # a type such as f32[128,512]
    return inputs


def _print_coverage(paths: list[str]) -> int:
    uses = coverage(paths)
    width = max([len(use.word) for use in uses], default=0)
    for use in uses:
        print("%-*s  %-6s %6d  %s" % (width, use.word, use.version, use.count,
                                      "read" if use.is_read else "not read"))
    return 0


def _print_time(kernel: KernelModule, machine: str, overlapped: KernelModule | None) -> None:
    """`overlapped` is the kernel in the other order that its compiler may have chosen."""
    latency, (low, high) = kernel.report["latency_ms"], kernel.report["latency_range_ms"]
    print("modelled: %.6f ms on %s, in a range of %.6f to %.6f" % (latency, machine, low, high))
    if kernel.excess:
        print(kernel.remarks[0])
    if overlapped:
        other = overlapped.report
        other_low, other_high = other["latency_range_ms"]
        print("with overlapping iterations: %.6f ms, in a range of %.6f to %.6f" %
              (other["latency_ms"], other_low, other_high))
        if not low <= other["latency_ms"] <= high:
            print("the order matters more than the clock: %.6f to %.6f ms" %
                  (min(low, other_low), max(high, other_high)))


def main() -> int:
    parser = _parser()
    arguments = parser.parse_args()
    if arguments.coverage:
        return _print_coverage(arguments.kernel)
    if len(arguments.kernel) != 1:
        parser.error("one kernel is needed, as FILE.py:NAME")
    missing: list[str] = []
    try:
        if arguments.best_effort:
            Recorder.missing = missing
        grid = [int(size) for size in arguments.grid.split(",") if size]
        read = functools.partial(trace, find(arguments.kernel[0], arguments.replace_vendor),
                                 read_inputs(arguments.input), machine=arguments.machine,
                                 version=arguments.nki, grid=grid, lnc=arguments.lnc)
        traced = read()
        if missing:
            print("\n".join(dict.fromkeys(missing)), file=sys.stderr)
            return 2
        if arguments.time or arguments.oversize:
            has_orders = traced.version == "beta1" and not arguments.oversize
            _print_time(compile_traced(traced, arguments.oversize), arguments.machine,
                        compile_traced(read(pipeline=True)) if has_orders else None)
        elif arguments.output == "-":
            sys.stdout.write(traced.mlir)
        else:
            with open(arguments.output, "w", encoding="utf-8") as file:
                file.write(traced.mlir)
        return 0
    except TrnError as problem:
        print("\n".join(dict.fromkeys([*missing, str(problem)])), file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
