#!/usr/bin/env bash
# Writes the reference pages that come from ODS, into docs/generated or the folder given.
# test/Docs/generated.test compares them with what is checked in.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
out=${1:-$root/docs/generated}
tblgen=$(command -v mlir-tblgen || echo /usr/lib/llvm-22/bin/mlir-tblgen)
mkdir -p "$out"
cd "$root/include"

# page NAME GENERATOR FILE: one page from one .td file.
page() {
  "$tblgen" "${@:2}" -I . -I "$(dirname "$tblgen")/../include" -o "$out/$1"
}

page TrnDialect.md -gen-dialect-doc -dialect=trn trn/Dialect/Trn/IR/TrnOps.td
page TrnInterfaces.md -gen-op-interface-docs trn/Dialect/Trn/IR/TrnInterfaces.td
for passes in $(find trn -name Passes.td | sort); do
  name=$(dirname "${passes#trn/}" | tr -d /)
  page "${name}Passes.md" -gen-pass-doc "$passes"
done
