"""Runs a tool, and says what went wrong with it however it ended."""

import dataclasses
import os
import pathlib
import re
import shlex
import subprocess
import time

CRASH = re.compile(rb"PLEASE submit a bug report|Stack dump|Assertion `|AddressSanitizer|"
                   rb"LeakSanitizer|ThreadSanitizer|runtime error:|UNREACHABLE executed|"
                   rb"terminate called|LLVM ERROR|free\(\): |double free|malloc\(\)")

UPSTREAM = re.compile(rb"MLIR Parser: custom op parser '(?!trn)|mlir::BytecodeReader::Impl|"
                      rb"mlir::readBytecodeFile|malloc\(\): corrupted")
READER = re.compile(rb"'(.*)' cannot be read: MLIR's reader (ended|takes)")


# Longer than any tool waits for a disk or, on a machine full of work, for a core.
IDLE_SECONDS = 60


def cpu_seconds(pid):
    """Of a process that was not waited for, with all its threads and the children it waited for."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def finish(process, seconds, text=None, idle_seconds=IDLE_SECONDS):
    """The output of a process, or None once it hangs and was killed: it used `seconds` of CPU time,
    or none at all for `idle_seconds`. How long others let it wait does not count."""
    used, since = 0, time.monotonic()
    while True:
        try:
            return process.communicate(text, timeout=1)
        except subprocess.TimeoutExpired:
            text = None  # it is on its way
        before, used = used, cpu_seconds(process.pid)
        if used > before:
            since = time.monotonic()
        if used > seconds or time.monotonic() > since + idle_seconds:
            process.kill()
            return None


@dataclasses.dataclass
class Done:
    command: list
    status: int  # negative: a signal; None: it did not end
    out: bytes
    err: bytes

    @property
    def trouble(self):
        """None, "hang", "crash", or "upstream": a crash of LLVM while it reads the input, which
        is an error to the user."""
        if self.status is None:
            return "hang"
        if self.status == 1 and READER.search(self.err):
            return "upstream" if UPSTREAM.search(self.err) else "crash"
        return "crash" if self.status not in (0, 1) or CRASH.search(self.err) else None

    @property
    def silent(self):
        """It failed without a word."""
        return self.status == 1 and not re.search(rb"error|^trn-\w+: ", self.err, re.MULTILINE)

    def describe(self):
        text = self.err[-3000:].decode(errors="replace")
        return f"{shlex.join(map(str, self.command))}\nexit {self.status}\n{text}"


class Tools:
    def __init__(self, folder, seconds, validate=False):
        self.folder, self.seconds = folder, seconds
        self.validate = validate  # also from pass to pass

    def path(self, name):
        return str(pathlib.Path(self.folder, name)) if self.folder else name

    def run(self, name, *arguments, text=None, cwd=None):
        done = self.run_once(name, *arguments, text=text, cwd=cwd)
        unread = READER.search(done.err)
        if unread:  # whose code it was is told by a tool that reads without a guard
            done.err += self.run_once("trn-translate", "--mlir-to-nki", os.fsdecode(unread[1]),
                                      text=text, cwd=cwd).err
        return done

    def run_once(self, name, *arguments, text, cwd):
        command = [self.path(name), *map(str, arguments)]
        # Symbols in a stack trace of a process this large take minutes; for the second one
        # see test/lit.cfg.py.
        environment = {"ASAN_OPTIONS": "allow_user_poisoning=0", **os.environ,
                       "LLVM_DISABLE_SYMBOLIZATION": "1"}
        environment.pop("TRN_SERVED", None)  # `finish` looks at the tool's own process
        process = subprocess.Popen(command, cwd=cwd, env=environment,
                                   stdin=subprocess.DEVNULL if text is None else subprocess.PIPE,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        done = finish(process, self.seconds, text)
        if done is None:
            return Done(command, None, *process.communicate())
        return Done(command, process.returncode, *done)


@dataclasses.dataclass
class Failure:
    """What a campaign reports: what happened, and files and a command that show it."""
    kind: str  # wrong, crash, hang or left behind
    text: str
    files: dict  # name -> bytes
    command: str
