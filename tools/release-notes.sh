#!/usr/bin/env bash
# `tools/release-notes.sh TAG`: what CHANGELOG.md says of the version of CMakeLists.txt, which is that
# of TAG, such as v0.2.0. To release: name the section of unreleased changes after the version,
# commit, and push a tag; .github/workflows/ci.yml does the rest.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
version=$(sed -n 's/^project(trn-mlir VERSION \([0-9.]*\).*/\1/p' "$root/CMakeLists.txt")
if [ "${1:-}" != "v$version" ]; then
  echo "release-notes.sh: error: the tag is '${1:-}', but must be v$version, as project() in CMakeLists.txt has it" >&2
  exit 1
fi
# 0.2.0 is called 0.2.
notes=$(awk -v title="## ${version%.0}" '
  /^## / { inside = index($0, title) == 1 && substr($0, length(title) + 1, 1) !~ /[0-9.]/; next }
  inside' "$root/CHANGELOG.md")
if [ -z "$notes" ]; then
  echo "release-notes.sh: error: CHANGELOG.md has no section '## ${version%.0}'" >&2
  exit 1
fi
# Without the blank line below the title.
sed -e '/./,$!d' <<<"$notes"
