"""Says what a change does to the modelled cost of kernels: a comment for a pull request.

    trn-budget.py --base origin/main --comment comment.md kernels/*.mlir

compiles and times each module as it is in the working tree and as it is in the commit --base, by
trn-run and trn-opt on PATH. Exits with 1 if a module is over its budget or cannot be compiled.
With --post the comment is written to the pull request of a job of GitHub, in place of an earlier one.
"""

import argparse
import io
import json
import os
import pathlib
import re
import subprocess
import sys
import tarfile
import tempfile
import urllib.error
import urllib.request

MARK = "<!-- trn-budget -->"
# What explains a time best comes first; of the report, docs/Tools.md.
KEYS = ["spill_save_bytes", "hbm_bytes", "transpose_flops", "executed_flops", "collective_bytes", "launches",
        "instructions"]
MAX_REASONS = 4
ROWS = re.compile(r"remark: dma: \d+ rows? of (\d+) bytes")
BUDGET = re.compile(r"trn\.budget\s*=\s*\{([^}]*)\}")


def git(*arguments, **options):
    # In a container the checkout may be another user's.
    return subprocess.run(["git", "-c", "safe.directory=*", *arguments], capture_output=True, **options)


def extract(commit, modules, folder):
    """Writes those of the modules that a commit has below a folder."""
    if git("rev-parse", "--verify", "--quiet", commit + "^{commit}").returncode:
        sys.exit(f"trn-budget: error: there is no commit {commit} here; fetch it, or name another one by --base")
    listed = git("ls-tree", "-r", "-z", "--name-only", commit, "--", *modules, check=True)
    present = [name for name in listed.stdout.decode().split("\0") if name]
    if present:
        archive = git("archive", "--format=tar", commit, "--", *present, check=True).stdout
        with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
            tar.extractall(folder, [member for member in tar if member.isfile()])


class Cost:
    """What trn-run reports of a module, the lengths of its DMA rows, its budgets and errors."""

    def __init__(self, module, folder, options):
        self.report, self.rows = None, []
        self.budgets = BUDGET.findall((folder / module).read_text(encoding="utf-8"))
        with tempfile.TemporaryDirectory() as scratch:
            report = pathlib.Path(scratch) / "report.json"
            done = subprocess.run(["trn-run", module, f"--compile={options}", "--timing-only", f"--report={report}"],
                                  cwd=folder, capture_output=True, text=True)
            if report.exists():
                self.report = json.loads(report.read_text())
        self.errors = [line for line in done.stderr.splitlines() if "error: " in line]
        if done.returncode and not self.errors:
            self.errors = [f"{module}: trn-run exits with {done.returncode}"]
        if self.report:
            said = subprocess.run(["trn-opt", module, f"--trn-compile={options}", "--trn-analyze", "-o", os.devnull],
                                  cwd=folder, capture_output=True, text=True).stderr
            self.rows = sorted({int(length) for length in ROWS.findall(said)})


def number(value):
    return f"{value:,}" if isinstance(value, int) else f"{value:.4g}"


def reasons(old, new):
    if old.rows != new.rows:
        yield f"DMA rows {', '.join(map(str, old.rows))} -> {', '.join(map(str, new.rows))} B"
    for key in KEYS:
        before, after = old.report.get(key, 0), new.report.get(key, 0)
        if before != after:
            yield f"{key} {number(before)} -> {number(after)}"
    if old.report["bound_by"] != new.report["bound_by"]:
        yield f"bound by {new.report['bound_by']}, no more by {old.report['bound_by']}"


def compared(module, old, new, threshold):
    """The line of a module, or nothing if all is as it was."""
    if new is None:
        return f"`{module}`: removed"
    if not new.report:
        return f"`{module}`: cannot be compiled"
    after = new.report["latency_ms"]
    budget = "" if old is None or old.budgets == new.budgets else \
        f", budget {'; '.join(old.budgets) or 'none'} -> {'; '.join(new.budgets) or 'none'}"
    if old is None or not old.report:
        return f"`{module}`: {after:.4g} ms, {'new' if old is None else 'could not be compiled before'}{budget}"
    before = old.report["latency_ms"]
    percent = 100 * (after / before - 1) if before else 0.0
    if abs(percent) < threshold and not budget:
        return None
    why = "".join(f", {reason}" for reason in [*reasons(old, new)][:MAX_REASONS])
    return f"`{module}`: {percent:+.1f} %{why}{budget} ({before:.4g} -> {after:.4g} ms)"


def comment(lines, same, errors, base):
    text = [MARK, f"**Modelled cost of kernels** against {base} (simulated, not measured on hardware)", ""]
    text += [f"* {line}" for line in lines] or ["No kernel costs more or less."]
    if lines and same:
        text += ["", f"{same} more cost{'s' if same == 1 else ''} what {'it' if same == 1 else 'they'} did."]
    if errors:
        text += ["", "```", *errors, "```"]
    return "\n".join(text) + "\n"


def ask(path, data=None, method="GET"):
    """What GitHub answers."""
    request = urllib.request.Request(
        os.environ["GITHUB_API_URL"] + path, json.dumps(data).encode() if data else None,
        {"Authorization": "Bearer " + os.environ["GITHUB_TOKEN"], "Accept": "application/vnd.github+json"},
        method=method)
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def post(text):
    repository = "/repos/" + os.environ["GITHUB_REPOSITORY"]
    event = json.loads(pathlib.Path(os.environ["GITHUB_EVENT_PATH"]).read_text())
    comments = f"{repository}/issues/{event['pull_request']['number']}/comments"
    try:
        earlier = [said for said in ask(comments + "?per_page=100") if MARK in said["body"]]
        if earlier:
            ask(f"{repository}/issues/comments/{earlier[0]['id']}", {"body": text}, "PATCH")
        else:
            ask(comments, {"body": text}, "POST")
    except urllib.error.HTTPError as problem:
        # A pull request of a fork may not write; its log has the comment.
        print(f"trn-budget: warning: the comment is not posted: {problem}", file=sys.stderr)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("modules", nargs="+", metavar="MODULE", help="module, relative to the folder that this runs in")
    parser.add_argument("--base", default="origin/main", help="commit to compare with (default %(default)s)")
    parser.add_argument("--compile", default="", metavar="OPTIONS", help="options of trn-compile")
    parser.add_argument("--threshold", type=float, default=0.1, metavar="PERCENT",
                        help="changes of the latency that are not worth a line (default %(default)s)")
    parser.add_argument("--comment", metavar="FILE", help="write the comment there (default: print it)")
    parser.add_argument("--post", action="store_true", help="write it to the pull request, too")
    options = parser.parse_args()

    here, lines, errors, same = pathlib.Path.cwd(), [], [], 0
    with tempfile.TemporaryDirectory() as scratch:
        extract(options.base, options.modules, scratch)
        for module in options.modules:
            old, new = (Cost(module, folder, options.compile) if (folder / module).exists() else None
                        for folder in (pathlib.Path(scratch), here))
            if old is None and new is None:
                sys.exit(f"trn-budget: error: {module} is neither here nor in {options.base}")
            line = compared(module, old, new, options.threshold)
            lines, same = (lines + [line], same) if line else (lines, same + 1)
            errors += new.errors if new else []
    text = comment(lines, same, errors, options.base)
    if options.comment:
        pathlib.Path(options.comment).write_text(text, encoding="utf-8")
    else:
        print(text, end="")
    if options.post:
        post(text)
    return 1 if errors else 0


sys.exit(main())
