"""Runs a tool, and says what went wrong with it however it ended."""

import dataclasses
import os
import pathlib
import re
import shlex
import subprocess

CRASH = re.compile(rb"PLEASE submit a bug report|Stack dump|Assertion `|AddressSanitizer|"
                   rb"LeakSanitizer|ThreadSanitizer|runtime error:|UNREACHABLE executed|"
                   rb"terminate called|LLVM ERROR|free\(\): |double free|malloc\(\)")

UPSTREAM = re.compile(rb"MLIR Parser: custom op parser '(?!trn)|mlir::BytecodeReader::Impl|"
                      rb"mlir::readBytecodeFile|malloc\(\): corrupted")
READER = re.compile(rb"'(.*)' cannot be read: MLIR's reader (ended|takes)")


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
            done.err += self.run_once("trn-reduce", os.fsdecode(unread[1]), text=text, cwd=cwd).err
        return done

    def run_once(self, name, *arguments, text, cwd):
        command = [self.path(name), *map(str, arguments)]
        # Symbols in a stack trace of a process this large take minutes; for the second one
        # see test/lit.cfg.py.
        environment = {"ASAN_OPTIONS": "allow_user_poisoning=0", **os.environ,
                       "LLVM_DISABLE_SYMBOLIZATION": "1"}
        try:
            done = subprocess.run(command, capture_output=True, env=environment,
                                  timeout=self.seconds, cwd=cwd,
                                  **({"stdin": subprocess.DEVNULL} if text is None else {"input": text}))
        except subprocess.TimeoutExpired as late:
            return Done(command, None, late.stdout or b"", late.stderr or b"")
        return Done(command, done.returncode, done.stdout, done.stderr)


@dataclasses.dataclass
class Failure:
    """What a campaign reports: what happened, and files and a command that show it."""
    kind: str  # wrong, crash, hang or left behind
    text: str
    files: dict  # name -> bytes
    command: str
