#!/usr/bin/env bash
# Installs what is missing, builds everything and runs all tests:
# `tools/check.sh [PRESET]`. The last line is `N passed, N failed`, printed only
# when the tests ran; the exit status is 0 only when all of them passed.
set -euo pipefail
cd "$(dirname "$0")/.."

preset=${1:-dev}
case $preset in
  dev) build=build ;;
  *) build=build-$preset ;;
esac

tools/install-deps.sh
log=$(mktemp)
trap 'rm -f "$log"' EXIT
cmake --preset "$preset" -DTRN_BUILD_TESTS=ON >"$log" 2>&1 ||
  { cat "$log"; echo "check.sh: configuring failed" >&2; exit 1; }
# Compilers fill much memory once: with huge pages it takes an eighth less CPU time.
GLIBC_TUNABLES=glibc.malloc.hugetlb=1 cmake --build "$build" || { echo "check.sh: the build failed" >&2; exit 1; }

lit=$(sed -n 's/^LLVM_EXTERNAL_LIT:[^=]*=//p' "$build/CMakeCache.txt")
rm -f "$build"/results*.json
results=("$build/results.json")
"$lit" -sv "$build/test" -o "${results[0]}" || true # counted below
# Most computers have no AVX-512, without which the products of the simulated core are computed in
# another way: tests of its values run once more as they do. Others use no product of ours.
values='Interpreter/(?!every-cpu)|Runtime|Integration/(?!bound|locations|traffic)|Lower/.*values'
values+='|Model/simulate\.py|Campaign/(chains|kernels)'
if grep -qw avx512f /proc/cpuinfo; then
  results+=("$build/results-avx2.json")
  "$lit" -sv "$build/test" --param isa=AVX2 --filter="$values" -o "${results[1]}" || true
fi
exec /usr/bin/python3 tools/count-tests.py "${results[@]}"
