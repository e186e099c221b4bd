#!/usr/bin/env bash
# Installs what is missing, builds, and compares three ways to compute
# X[4096,7168] * U[7168,4096] * V[4096,18432] in bf16: `tools/demo.sh`.
# Other sizes: `tools/demo.sh M K R N`.
set -euo pipefail
cd "$(dirname "$0")/.."

sizes=("$@")
if [ $# -eq 0 ]; then
  sizes=(4096 7168 4096 18432)
elif [ $# -ne 4 ]; then
  echo "usage: tools/demo.sh [M K R N]" >&2
  exit 2
fi

tools/install-deps.sh --without-tests
# Where there is a build, its tests stay in it.
options=()
[ -f build/CMakeCache.txt ] || options+=(-DTRN_BUILD_TESTS=OFF)
log=$(mktemp)
trap 'rm -f "$log"' EXIT
cmake --preset dev "${options[@]}" >"$log" 2>&1 ||
  { cat "$log"; echo "demo.sh: configuring failed" >&2; exit 1; }
cmake --build build --target trn-gen trn-run ||
  { echo "demo.sh: the build failed" >&2; exit 1; }
/usr/bin/python3 tools/compare-strategies.py build/bin "${sizes[@]}"
