"""Builds a wheel of the Python module, libTrnC.so and the tools that the module calls by CMake, as
PEP 517 asks for.

`--config-settings=build-dir=FOLDER` takes another build folder than build-python, which may be one
that is configured; `--config-settings=cmake-args=...` are arguments to configure a new one, instead
of the preset that takes what tools/install-deps.sh installs.
"""

import base64
import hashlib
import os
import pathlib
import re
import shlex
import subprocess
import sys
import sysconfig
import tempfile
import tomllib
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
VERSION = re.search(r"project\(trn-mlir VERSION ([0-9.]+)",
                    (ROOT / "CMakeLists.txt").read_text(encoding="utf-8"))[1]
NAME = f"trn_mlir-{VERSION}"
TOOLS = ["trn-run", "trn-gen", "trn-compress"]
TAG = "py3-none-" + re.sub(r"[-.]", "_", sysconfig.get_platform())


def _cmake(*arguments):
    # pip hides the distribution's packages from Python here, but CMake looks for NumPy among them.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    if subprocess.run(["cmake", *map(str, arguments)], stdout=sys.stderr, env=environment).returncode:
        sys.exit(f"cmake {shlex.join(map(str, arguments))} failed; what it needs is installed by "
                 "tools/install-deps.sh")


def _installed(settings, prefix):
    """(name in the wheel, file) of the module, of the library, which is put beside it, and of tools."""
    build = ROOT / settings.get("build-dir", "build-python")
    if not (build / "CMakeCache.txt").exists():
        arguments = shlex.split(settings.get("cmake-args", "")) or ["--preset", "dev"]
        _cmake("-S", ROOT, "-B", build, "-DTRN_BUILD_TESTS=OFF", *arguments)
    _cmake("--build", build, "--target", "TrnC", *TOOLS, "--parallel")
    for component in "library", "python", *TOOLS:
        _cmake("--install", build, "--prefix", prefix, "--component", component, "--strip")
    module = prefix / "lib/python3/dist-packages"
    for file in sorted(module.rglob("*")):
        if file.is_file():
            yield file.relative_to(module).as_posix(), file
    yield "trn_mlir/libTrnC.so", next(prefix.rglob("libTrnC.so.*")).resolve()
    for tool in TOOLS:
        yield f"{NAME}.data/scripts/{tool}", prefix / "bin" / tool


def _metadata():
    lines = ["Metadata-Version: 2.1", f"Name: {PROJECT['name']}", f"Version: {VERSION}",
             f"Summary: {PROJECT['description']}", f"Requires-Python: {PROJECT['requires-python']}",
             *(f"Requires-Dist: {name}" for name in PROJECT["dependencies"]),
             "Description-Content-Type: text/markdown", "",
             (ROOT / PROJECT["readme"]).read_text(encoding="utf-8")]
    return "\n".join(lines)


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    path = pathlib.Path(wheel_directory) / f"{NAME}-{TAG}.whl"
    record = []
    with tempfile.TemporaryDirectory() as prefix, \
            zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:

        def add(name, data):
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            record.append(f"{name},sha256={digest},{len(data)}")
            entry = zipfile.ZipInfo(name)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o100755 if "/scripts/" in name else 0o100644) << 16
            wheel.writestr(entry, data)

        for name, file in _installed(config_settings or {}, pathlib.Path(prefix)):
            add(name, file.read_bytes())
        info = f"{NAME}.dist-info"
        add(f"{info}/METADATA", _metadata().encode())
        add(f"{info}/LICENSE", (ROOT / PROJECT["license"]["file"]).read_bytes())
        add(f"{info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: trn-mlir\nRoot-Is-Purelib: false\nTag: {TAG}\n".encode())
        wheel.writestr(f"{info}/RECORD", "\n".join([*record, f"{info}/RECORD,,"]) + "\n")
    return path.name


def build_sdist(sdist_directory, config_settings=None):
    sys.exit("trn-mlir has no source distribution for Python; install from a checkout")
