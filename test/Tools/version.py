"""Every tool, the CMake package, the changelog, the citation and the page on packages have the
version of CMakeLists.txt.

RUN: %python %s %trn_src %trn_build
"""

import pathlib
import re
import subprocess
import sys

source, build = map(pathlib.Path, sys.argv[1:])
project = (source / "CMakeLists.txt").read_text(encoding="utf-8")
version = re.search(r"project\(trn-mlir VERSION ([0-9.]+)", project).group(1)
expected = re.compile(rf"trn-mlir {re.escape(version)} \(LLVM 22\.1\.\d+\)\n")

found = []
tools = [path.parent.name for path in sorted((source / "tools").glob("*/CMakeLists.txt"))]
for tool in tools:
    if tool == "trn-plugin":
        continue
    done = subprocess.run([tool, "--version"], capture_output=True, text=True)
    if done.returncode != 0 or not expected.fullmatch(done.stdout):
        found.append(f"{tool} --version: {done.stdout!r}, status {done.returncode}")
package = (build / "TrnConfigVersion.cmake").read_text(encoding="utf-8")
if f'set(PACKAGE_VERSION "{version}")' not in package:
    found.append(f"TrnConfigVersion.cmake is not of version {version}")
changelog = (source / "CHANGELOG.md").read_text(encoding="utf-8")
if not re.search(rf"^## {re.escape(version.removesuffix('.0'))}\b", changelog, re.M):
    found.append(f"CHANGELOG.md says nothing of {version}")
if f"\nversion: {version}\n" not in (source / "CITATION.cff").read_text(encoding="utf-8"):
    found.append(f"CITATION.cff is not of version {version}")
library = "libTrnC.so." + ".".join(version.split(".")[:2])
if f"`{library}`" not in (source / "docs" / "Install.md").read_text(encoding="utf-8"):
    found.append(f"docs/Install.md does not name {library}")
for page in sorted((source / "docs").rglob("*.md")):
    for asked in re.findall(r"find_package\(Trn ([0-9.]+)", page.read_text(encoding="utf-8")):
        if asked != library.removeprefix("libTrnC.so."):
            found.append(f"{page.relative_to(source)} asks for version {asked}")
assert len(tools) > 5
sys.exit("\n".join(found) or 0)
