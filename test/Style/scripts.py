"""Scripts, workflows and forms are ones: shellcheck has no warning, and YAML holds what it must.

RUN: %python %s %trn_src
"""

import pathlib
import re
import subprocess
import sys

import yaml

root = pathlib.Path(sys.argv[1])
found = []


def check_shell(where, text):
    done = subprocess.run(["shellcheck", "--severity=warning", "--shell=bash", "--format=gcc", "-"],
                          input=text, capture_output=True, text=True)
    found.extend(f"{where}: {line}" for line in done.stdout.splitlines())


def steps(document):
    """The steps of a workflow or an action."""
    for part in [*document.get("jobs", {}).values(), document.get("runs", {})]:
        yield from part.get("steps", [])


scripts = [*(path for folder in ("tools", "test", "docs") for path in sorted((root / folder).rglob("*.sh"))),
           root / ".ci/run", root / "tools/completions/trn-mlir.bash"]
for path in scripts:
    check_shell(path.relative_to(root), path.read_text(encoding="utf-8"))
documents = sorted((root / ".github").rglob("*.yml"))
for path in documents:
    where = path.relative_to(root)
    try:
        document = yaml.safe_load(path.read_text(encoding="utf-8"))
    except yaml.YAMLError as problem:
        found.append(f"{where}: {problem}")
        continue
    for step in steps(document):
        if "run" in step:
            # What is filled in from outside comes by the environment, where it is no code.
            if "${{" in step["run"]:
                found.append(f"{where}: a command has an expression: {step['run']}")
            check_shell(where, "#!/bin/bash\n# shellcheck disable=SC2086\n" + step["run"])
            for script in re.findall(r"(?:(?<=\s)|^)((?:\$GITHUB_ACTION_PATH/|\.ci|tools/)[\w./-]*)", step["run"]):
                if not (root / script).exists():
                    found.append(f"{where}: there is no {script}")
    for name in "name", "description":
        if "ISSUE_TEMPLATE" in path.parts and path.stem != "config" and not document.get(name):
            found.append(f"{where}: no {name}")
    for field in document.get("body", []) if isinstance(document, dict) else []:
        if field["type"] != "markdown" and not field["attributes"].get("label"):
            found.append(f"{where}: a field has no label")
assert len(scripts) > 8 and len(documents) > 4
sys.exit("\n".join(found) or 0)
