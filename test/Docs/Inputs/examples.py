"""Prints the ```mlir examples of markdown files as one split input file.

An example without a function is the body of one.
"""

import re
import sys
import textwrap

examples = []
for path in sys.argv[1:]:
    with open(path) as file:
        for block in re.findall(r"```mlir\n(.*?)```", file.read(), re.DOTALL):
            block = textwrap.dedent(block)
            if "func.func" not in block and "module" not in block:
                body = textwrap.indent(block, "  ")
                block = f"func.func @example() {{\n{body}  return\n}}\n"
            examples.append(f"// {path}\n{block}")
print("// -----\n".join(examples))
