# Part of the trn-mlir project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The server of the page, for this machine alone."""

from __future__ import annotations

import collections
import http.server
import json
import pathlib
import secrets
import sys
import urllib.parse

from .._library import TrnError
from ._examples import NAMES, as_script, example
from ._runner import Runner

_FOLDER = pathlib.Path(__file__).parent
_FILES = {"/": ("index.html", "text/html"), "/explore.css": ("explore.css", "text/css"),
          "/explore.js": ("explore.js", "text/javascript")}
_MOST_BYTES = 1 << 20  # of a request
_MOST_PAGES = 16
_TEXTS = ("source", "language", "machine", "options", "inputs", "function", "client")
# The page loads what this server has. A timeline has its scripts inside of itself.
_POLICY = "default-src 'self'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
_TIMELINE_POLICY = ("default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; "
                    "frame-ancestors 'self'; sandbox allow-scripts")


class Explorer(http.server.ThreadingHTTPServer):
    """Listens on 127.0.0.1. Requests that compile need the secret of the address."""
    daemon_threads = True

    def __init__(self, port: int) -> None:
        self.runners: dict[bool, Runner] = {}
        super().__init__(("127.0.0.1", port), _Handler)
        self.port = self.server_address[1]
        self.hosts = {f"{name}:{self.port}" for name in ("127.0.0.1", "localhost")}
        self.secret = secrets.token_urlsafe(16)
        self.examples = as_script()
        self.pages: collections.OrderedDict[str, str] = collections.OrderedDict()
        self.runners = {is_full: Runner(is_full) for is_full in (False, True)}

    @property
    def address(self) -> str:
        # Browsers send nobody what stands behind `#`.
        return f"http://127.0.0.1:{self.port}/#{self.secret}"

    def keep(self, page: str) -> str:
        """The address of a timeline, which stays for a while."""
        name = f"timelines/{secrets.token_urlsafe(16)}.html"
        self.pages[name] = page
        while len(self.pages) > _MOST_PAGES:
            self.pages.popitem(last=False)
        return name

    def server_close(self) -> None:
        super().server_close()
        for runner in self.runners.values():
            runner.end()


class _Handler(http.server.BaseHTTPRequestHandler):
    server: Explorer
    timeout = 60

    def log_message(self, *_arguments: object) -> None:
        pass

    def _send(self, status: int, text: str, kind: str = "text/plain",
              policy: str = _POLICY) -> None:
        data = text.encode("utf-8", "replace")
        self.send_response(status)
        for name, value in (("Content-Type", f"{kind}; charset=utf-8"),
                            ("Content-Length", str(len(data))), ("Cache-Control", "no-store"),
                            ("X-Content-Type-Options", "nosniff"),
                            ("Referrer-Policy", "no-referrer"),
                            ("Content-Security-Policy", policy)):
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def _is_foreign(self) -> bool:
        """A page from elsewhere asks, under its own name for this machine or under ours."""
        origin = self.headers.get("Origin")
        if self.headers.get("Host") in self.server.hosts and \
                (origin is None or origin.removeprefix("http://") in self.server.hosts):
            return False
        self._send(403, "This server is for pages of 127.0.0.1 and localhost.\n")
        return True

    def do_GET(self) -> None:
        if self._is_foreign():
            return
        path = urllib.parse.urlsplit(self.path).path
        if path in _FILES:
            name, kind = _FILES[path]
            self._send(200, (_FOLDER / name).read_text("utf-8"), kind)
        elif path == "/examples.js":
            self._send(200, self.server.examples, "text/javascript")
        elif path.startswith("/examples/") and path[10:].removesuffix(".json") in NAMES:
            self._send_example(path[10:].removesuffix(".json"))
        elif page := self.server.pages.get(path[1:]):
            self._send(200, page, "text/html", _TIMELINE_POLICY)
        else:
            self._send(404, "There is nothing here.\n")

    def _send_example(self, name: str) -> None:
        try:
            self._send(200, json.dumps(example(name)._asdict()), "application/json")
        except TrnError as problem:
            self._send(500, f"{problem}\n")

    def do_POST(self) -> None:
        # All of it, before anything is said: what is left unread would take the answer away.
        length = self.headers.get("Content-Length", "")
        size = int(length) if length.isdecimal() and len(length) < 12 else 0
        data = self.rfile.read(min(size, 16 * _MOST_BYTES))
        if self._is_foreign():
            return
        secret = self.headers.get("X-Trn-Secret", "")
        if size > _MOST_BYTES:
            return self._send(413, f"A request has {_MOST_BYTES:,} bytes at most.\n")
        if not secrets.compare_digest(secret.encode(), self.server.secret.encode()):
            return self._send(403, "The secret is missing that the printed address ends in.\n")
        request = _read(data)
        if self.path != "/show" or request is None:
            return self._send(400, "This is no request of the page.\n")
        for runner in self.server.runners.values():
            runner.supersede(request)
        answer = dict(self.server.runners[request["full"]].answer(request))
        if page := answer.pop("page", None):
            answer["timeline"] = self.server.keep(page)
        return self._send(200, json.dumps(answer), "application/json")


def _read(data: bytes) -> dict | None:
    try:
        request = json.loads(data)
    except (ValueError, RecursionError):
        return None
    if not isinstance(request, dict) or not isinstance(request.get("number"), int) or \
            not isinstance(request.get("full"), bool) or \
            request.get("language") not in ("mlir", "python") or \
            not all(isinstance(request.get(name), str) for name in _TEXTS):
        return None
    return request


def serve(port: int) -> int:
    """Serves until Ctrl-C."""
    try:
        server = Explorer(port)
    except (OSError, OverflowError) as problem:
        print(f"trn_mlir.explore: error: cannot listen on 127.0.0.1, port {port}: {problem}; "
              "--port=0 takes one that is free", file=sys.stderr)
        return 1
    print(f"trn-explore: {server.address}", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass
    finally:
        server.server_close()
    return 0
