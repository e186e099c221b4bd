"""docs/Notebook.ipynb runs, without Jupyter, and its outputs are those that it shows.

TRN_UPDATE_DOCS=1 writes them again. What shows itself as a page is compared as text.

RUN: mkdir -p %t && cd %t && %trn_python %s %trn_src/docs/Notebook.ipynb
"""

import ast
import contextlib
import io
import json
import os
import pathlib
import sys

path = pathlib.Path(sys.argv[1])
notebook = json.loads(path.read_text("utf-8"))
space = {"__name__": "__main__"}


def run(source):
    """What a cell prints, and its last value as text, if it ends in one."""
    body = ast.parse(source).body
    last = ast.Expression(body.pop().value) if isinstance(body[-1], ast.Expr) else None
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(compile(ast.Module(body, []), "cell", "exec"), space)
        value = eval(compile(last, "cell", "eval"), space) if last else None
    return printed.getvalue(), value


def outputs_of(source):
    printed, value = run(source)
    outputs = []
    if printed:
        outputs.append({"name": "stdout", "output_type": "stream", "text": printed.splitlines(True)})
    if value is not None:
        outputs.append({"data": {"text/plain": repr(value).splitlines(True)}, "execution_count": None,
                        "metadata": {}, "output_type": "execute_result"})
    return outputs


cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
assert len(cells) > 5
for cell in cells:
    found = outputs_of("".join(cell["source"]))
    if os.environ.get("TRN_UPDATE_DOCS"):
        cell["outputs"] = found
    assert cell["outputs"] == found, f"{''.join(cell['source'])}\nshows {cell['outputs']}\nbut gives {found}"
if os.environ.get("TRN_UPDATE_DOCS"):
    path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", "utf-8")
