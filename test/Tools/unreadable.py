"""What ends MLIR's readers is an error of the input. What ends a tool later is not hidden.

RUN: rm -rf %t && mkdir %t && cd %t
RUN: %python %s
"""

import fcntl
import os
import pathlib
import signal
import subprocess
import time

# Signals are for the process of the tool.
os.environ.pop("TRN_SERVED", None)
GOOD = "module {}\n"
# The parser asks the attribute that it could not read for its context.
BAD = """func.func @f(%x: tensor<2x3xf32>, %y: tensor<3x2xf32>) {
  linalg.transpose ins(%x : tensor<2x3xf32>) outs(%y : tensor<3x2xf32>) permutation = [1, x]
}
"""
pathlib.Path("good.mlir").write_text(GOOD)
pathlib.Path("bad.mlir").write_text(BAD)
pathlib.Path("split.mlir").write_text(GOOD + "// -----\n" + GOOD + "// -----\n" + BAD)
code = subprocess.check_output(["trn-opt", "--emit-bytecode", "good.mlir"])
blocks = b"\x04\x17\x05\x01"  # section 4 of 11 bytes: an op of another number
assert code.count(blocks) == 1
pathlib.Path("bad.mlirbc").write_bytes(code.replace(blocks, b"\x04\x17\x07\x01"))


def check_refused(name, *command, input=b"", how="ended with 'Segmentation fault'"):
    done = subprocess.run(command, input=input, capture_output=True)
    assert done.returncode == 1, (command, done)
    expected = (f"{command[0]}: error: '{name}' cannot be read: MLIR's reader {how}; "
                "the file is damaged, or was written by another version\n")
    assert done.stderr.decode().endswith(expected), done.stderr
    assert b"Stack dump" not in done.stderr, done.stderr
    return done.stdout


for name in "bad.mlir", "bad.mlirbc":
    check_refused(name, "trn-opt", name, "--cse", "-o", "o.mlir")
    check_refused(name, "trn-run", name, "--compile", "--report=r.json")
check_refused("-", "trn-opt", "-", input=BAD.encode())
# Passes have run, unguarded, in between.
out = check_refused("split.mlir", "trn-opt", "--split-input-file", "--cse", "split.mlir")
assert out.count(b"module {") == 2, out

# An attribute that contains itself is read for ever.
code = subprocess.check_output(["trn-opt", "--emit-bytecode", "-"], input=b"func.func @f() { return }")
attribute = b"\x17\x01\x01\x01\x0d\x01"
assert code.count(attribute) == 1
pathlib.Path("endless.mlirbc").write_bytes(code.replace(attribute, b"\x17\x03\x01\x01\x0d\x01"))
check_refused("endless.mlirbc", "trn-opt", "endless.mlirbc", how="takes more than 5 s")
assert not [name for name in os.listdir() if name.startswith(("o.", "r."))], os.listdir()

# A tool that opens an output or dumps a module has read it. Its standard output is full, so
# that it cannot have ended.
subprocess.run(["trn-gen", "xw", "--m=4", "--k=5", "--n=6", "-o", "run.mlir"], check=True)
before = set(os.listdir()) | {"error.txt"}
for command in (["trn-opt", "good.mlir", "--cse", "--mlir-print-ir-before-all"],
                ["trn-run", "run.mlir", "--compile", "--out=@o.npy"]):
    reader, writer = os.pipe()
    os.write(writer, b"x" * fcntl.fcntl(writer, fcntl.F_GETPIPE_SZ))
    with open("error.txt", "wb") as stream:
        process = subprocess.Popen(command, stdout=writer, stderr=stream)
    error = pathlib.Path("error.txt")
    while not error.stat().st_size and before >= set(os.listdir()):
        time.sleep(0.01)
    # Not between the two, where it may still read: at the end it waits for the pipe.
    wchan, start = pathlib.Path("/proc/%d/wchan" % process.pid), time.time()
    while "pipe" not in wchan.read_text() and time.time() < start + 60:
        time.sleep(0.01)
    process.send_signal(signal.SIGSEGV)
    process.wait()
    text = error.read_text()
    assert "cannot be read" not in text, text
    if "AddressSanitizer" not in text:
        assert process.returncode == -signal.SIGSEGV and "Stack dump" in text, text
