"""Runs many command lines of a tool with one start of it, by test/lib/ServeCommands.cpp.

`run("trn-llm", "encode", ...)` is like `subprocess.run`, with all output captured. A build with
sanitizers, which must be loaded before all else, starts the tool for each of them.
"""

import atexit
import os
import struct
import subprocess
import tempfile

LIBRARY = os.environ.get("TRN_SERVE_COMMANDS")
_tools = {}


def _start(tool):
    server = subprocess.Popen([tool], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              env={**os.environ, "LD_PRELOAD": LIBRARY})
    atexit.register(server.communicate)
    return server


def _read(file):
    file.seek(0)
    return file.read().decode()


def run(tool, *arguments, text=""):
    words = [tool, *map(str, arguments)]
    if not LIBRARY:
        return subprocess.run(words, input=text, capture_output=True, text=True)
    server = _tools.get(tool) or _tools.setdefault(tool, _start(tool))
    with tempfile.NamedTemporaryFile() as given, tempfile.NamedTemporaryFile() as out, \
            tempfile.NamedTemporaryFile() as err:
        given.write(text.encode())
        given.flush()
        request = [os.fsencode(word) for word in (given.name, out.name, err.name, *words)]
        server.stdin.write(struct.pack("=I", len(request)) + b"".join(
            struct.pack("=I", len(word)) + word for word in request))
        server.stdin.flush()
        status, = struct.unpack("=i", server.stdout.read(4))
        return subprocess.CompletedProcess(words, os.waitstatus_to_exitcode(status), _read(out), _read(err))
