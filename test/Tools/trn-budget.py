"""tools/trn-budget.py says what a commit does to kernels, and keeps one comment of a pull request.

RUN: rm -rf %t && mkdir %t
RUN: %python %s %trn_src %t
"""

import http.server
import json
import os
import pathlib
import subprocess
import sys
import threading

import yaml

source, scratch = map(pathlib.Path, sys.argv[1:])
tutorial = source / "docs/examples/tutorial"
kernel = scratch / "kernels/relu.mlir"


def git(*arguments):
    subprocess.run(["git", "-c", "user.name=test", "-c", "user.email=test@test.invalid", *arguments],
                   cwd=scratch, check=True, capture_output=True)


def commit(text, message):
    kernel.write_text(text)
    git("add", ".")
    git("commit", "-q", "-m", message)


def budget(*arguments, **environment):
    done = subprocess.run([sys.executable, source / "tools/trn-budget.py", *arguments], cwd=scratch,
                          env={**os.environ, **environment}, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


class GitHub(http.server.BaseHTTPRequestHandler):
    """Keeps comments in memory."""
    comments, calls = [], []

    def answer(self):
        body = json.loads(self.rfile.read(int(self.headers.get("Content-Length") or 0)) or "null")
        self.calls.append(f"{self.command} {self.path}")
        if self.command == "POST":
            self.comments.append({"id": 7, **body})
        if self.command == "PATCH":
            self.comments[0].update(body)
        assert self.headers["Authorization"] == "Bearer secret"
        self.send_response(200 if self.comments or self.command == "GET" else 403)
        self.end_headers()
        self.wfile.write(json.dumps(self.comments).encode())

    do_GET = do_POST = do_PATCH = answer

    def log_message(self, *_):
        pass


better, worse = ((tutorial / name).read_text() for name in ("better.mlir", "first.mlir"))
kernel.parent.mkdir()
git("init", "-q", "-b", "main", ".")
commit(better, "A kernel")
git("checkout", "-q", "-b", "change")

# Nothing has changed, but for a comment.
commit("// A comment.\n" + better, "A comment")
status, text = budget("--base", "main", "kernels/relu.mlir")
assert status == 0 and "No kernel costs more or less." in text, text

# Slower, over the budget that it keeps; the comment is posted, then posted again in its place.
limits = "trn.budget = {latency_ms = 0.033, hbm_bytes = 1835008}"
assert limits in better and "trn.budget" not in worse
commit(worse.replace("trn.kernel", "trn.kernel, " + limits, 1), "A worse one")
server = http.server.ThreadingHTTPServer(("localhost", 0), GitHub)
threading.Thread(target=server.serve_forever, daemon=True).start()
(scratch / "event.json").write_text(json.dumps({"pull_request": {"number": 3}}))
github = {"GITHUB_API_URL": f"http://localhost:{server.server_port}", "GITHUB_TOKEN": "secret",
          "GITHUB_REPOSITORY": "a/b", "GITHUB_EVENT_PATH": str(scratch / "event.json")}
status, text = budget("--base", "main", "--post", "--comment", "comment.md", "kernels/relu.mlir", **github)
assert status == 1 and text == "", text
text = (scratch / "comment.md").read_text()
assert ("* `kernels/relu.mlir`: +29.7 %, DMA rows 256, 1024, 2048 -> 256, 1024 B, hbm_bytes 1,835,008 -> 3,670,016"
        in text), text
assert "latency_ms of @relu_product is 0.04118, but its budget allows at most 0.033" in text, text
assert GitHub.comments == [{"id": 7, "body": text}], GitHub.comments

# Another budget is part of the comment, as is a kernel that is new; one that does not compile fails.
commit(worse, "No budget")
(scratch / "kernels/broken.mlir").write_text("func.func @broken(")
status, text = budget("--base", "main", "--post", "kernels/relu.mlir", "kernels/broken.mlir", **github)
assert status == 1 and "budget latency_ms = 0.033, hbm_bytes = 1835008 -> none (0.0" in text, text
assert "* `kernels/broken.mlir`: cannot be compiled" in text and "broken.mlir:1:" in text, text
assert [call.split()[0] for call in GitHub.calls] == ["GET", "POST", "GET", "PATCH"], GitHub.calls
assert GitHub.comments == [{"id": 7, "body": text}], GitHub.comments

# The script of the action, in a checkout of one commit as GitHub has it, against the newest one of main.
subprocess.run(["git", "clone", "-q", "--depth=1", "--branch=change", f"file://{scratch}", scratch / "checkout"],
               check=True)
action = source / ".github/actions/trn-budget"
[step] = yaml.safe_load((action / "action.yml").read_text())["runs"]["steps"]
values = {"inputs.modules": "kernels/*.mlir", "inputs.compile": "", "inputs.base": "main", "inputs.token": "secret",
          "github.event_name == 'pull_request' && '--post' || ''": "--post"}
given = {name: values[expression[4:-3]] for name, expression in step["env"].items()}
done = subprocess.run(["bash", "-e", "-o", "pipefail", "-c", step["run"]], cwd=scratch / "checkout", text=True,
                      capture_output=True, env={**os.environ, **github, **given, "HOME": str(scratch),
                                                "GITHUB_WORKSPACE": str(scratch / "checkout"),
                                                "GITHUB_ACTION_PATH": str(action), "RUNNER_TEMP": str(scratch),
                                                "GITHUB_STEP_SUMMARY": str(scratch / "summary.md")})
text = (scratch / "summary.md").read_text()
assert done.returncode == 0 and "* `kernels/relu.mlir`: +29.7 %" in text and "broken" not in text, (done, text)
assert done.stdout == text and GitHub.comments == [{"id": 7, "body": text}], GitHub.comments
server.shutdown()

for arguments, expected in {("--base", "no-such", "kernels/relu.mlir"): "there is no commit no-such here; fetch it",
                            ("--base", "main", "none.mlir"): "none.mlir is neither here nor in main"}.items():
    status, text = budget(*arguments)
    assert status == 1 and "trn-budget: error: " + expected in text, text
