#!/usr/bin/env bash
# Installs what trn-mlir needs on Debian 12, and packages that are named, by apt:
# `tools/install-deps.sh [--without-tests] [PACKAGE...]`.
# Needs root or sudo only when something is missing.
set -euo pipefail

packages=(
  # Compiler and build.
  clang-22 lld-22 libclang-rt-22-dev cmake ninja-build ccache git
  # LLVM and MLIR.
  llvm-22-dev libmlir-22-dev mlir-22-tools zlib1g-dev libzstd-dev
  # Tile products, and the other library that they are verified with.
  libdnnl-dev libopenblas-dev liblapacke-dev
  # Processes that share the work of trn-compress.
  libopenmpi-dev openmpi-bin
  # The interpreter of man pages and of the Python module.
  python3 python3-numpy
)
tests=(
  # lit and FileCheck are in llvm-22-tools.
  clang-format-22 llvm-22-tools libgtest-dev libgmock-dev libbenchmark-dev
  # CMake looks for NumPy beside the headers of Python.
  python3-dev python3-pyflakes
  # Scripts and workflows are checked, too.
  shellcheck python3-yaml
  # Headers of another CPU, to check code with.
  libstdc++-12-dev-arm64-cross
  # A browser to look at the pages of trn-run in.
  chromium chromium-driver python3-selenium
)
if [ "${1:-}" = --without-tests ]; then
  shift
else
  packages+=("${tests[@]}")
fi
packages+=("$@")

missing=()
for package in "${packages[@]}"; do
  status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
  [ "$status" = installed ] || missing+=("$package")
done
[ ${#missing[@]} -gt 0 ] || exit 0

if [ "$(id -u)" -eq 0 ]; then
  as_root=(env)
elif command -v sudo >/dev/null; then
  as_root=(sudo env)
else
  echo "install-deps.sh: missing ${missing[*]}; run it as root, or install sudo" >&2
  exit 1
fi

log=$(mktemp)
trap 'rm -f "$log"' EXIT
# A terminal shows how far apt is; elsewhere only errors are printed.
apt() {
  if [ -t 1 ]; then
    "${as_root[@]}" DEBIAN_FRONTEND=noninteractive apt-get -y -o Dpkg::Progress-Fancy=1 "$@"
  else
    "${as_root[@]}" DEBIAN_FRONTEND=noninteractive apt-get -qq -y "$@" >"$log" 2>&1
  fi
}
fail() {
  cat "$log" >&2
  exit 1
}
echo "installing ${missing[*]}"
# The package lists may be absent or old; only then are they fetched.
if ! apt install --no-install-recommends "${missing[@]}"; then
  echo "fetching lists of packages"
  apt update || fail
  apt install --no-install-recommends "${missing[@]}" || fail
fi
