# Part of the trn-mlir project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`python3 -m trn_mlir.explore`: serves the page, or writes a folder that needs no server."""

from __future__ import annotations

import argparse
import pathlib
import sys

from .._library import TrnError
from ._server import serve
from ._static import write


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python3 -m trn_mlir.explore",
        description="Shows what becomes of a module or a kernel while one types. "
                    "Times are modelled.",
        epilog="Python that is typed on the page is run, with your rights. The address holds a "
               "secret: who knows it can do the same.")
    parser.add_argument("--port", type=int, default=8321,
                        help="where to listen on 127.0.0.1 (default 8321; 0: any that is free)")
    parser.add_argument("--static", type=pathlib.Path, metavar="FOLDER",
                        help="write the results of the examples to a folder instead")
    parser.add_argument("examples", nargs="*", metavar="EXAMPLE",
                        help="only these, with --static")
    arguments = parser.parse_args()
    try:
        if not arguments.static:
            return serve(arguments.port)
        write(arguments.static, arguments.examples)
        return 0
    except (TrnError, OSError, OverflowError) as problem:
        print(f"trn_mlir.explore: error: {problem}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
