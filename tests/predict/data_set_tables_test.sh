#!/usr/bin/env bash
# Tests that scripts/make-data-set --tables writes the same bytes for the same results, and that the example
# on its card reads them.
#   data_set_tables_test.sh SEXTANT SOURCE WORK
set -euo pipefail
sextant=$(realpath "$1") source=$2 work=$3
rm -rf "$work"
mkdir -p "$work"/{one,two}
fail() { echo "FAILED: $*"; exit 1; }
"$sextant" run -q -k triad,copy -v serial,openmp -n 300,3001,70001 --samples 6:10 --visits 1 -o "$work/one/sizes.sextant" >/dev/null
cp "$work/one/sizes.sextant" "$work/two/"
for folder in one two; do "$source/scripts/make-data-set" "$sextant" "$work/$folder" --tables 2>/dev/null; done
diff -r "$work/one" "$work/two" >/dev/null || fail "the same results give other bytes"
(cd "$work/one" && sha256sum --quiet -c checksums) || fail "a checksum is wrong"
[ "$(wc -l <"$work/one/checksums")" -eq 10 ] || fail "not all files have a checksum: $(cat "$work/one/checksums")"
[ "$(zcat "$work/one/cases.csv.gz" | wc -l)" -gt 24 ] || fail "cases are missing"
mkdir "$work/listed"
printf '# a comment\n../one/sizes.sextant\n' >"$work/listed/sources"
"$source/scripts/make-data-set" "$sextant" "$work/listed" --tables 2>/dev/null
cmp "$work/listed/checksums" "$work/one/checksums" || fail "the files of \`sources\` give other tables"
SELECTION='-k copy' "$source/scripts/make-data-set" "$sextant" "$work/cores" --cores 0 2>/dev/null && fail "no cores"
printf '#!/bin/sh\n[ ! -e begun ] || exit 6\ntouch begun\nexec "%s" "$@"\n' "$sextant" >"$work/one_run"  # afterwards the time limit is reached
chmod +x "$work/one_run"
code=0
"$source/scripts/make-data-set" "$work/one_run" "$work/short" --short 600 2>/dev/null || code=$?
[ "$code" -eq 6 ] || fail "a short set whose time is over ends with $code"
"$sextant" list ceilings "$work/short/profile.sextant" | grep -E "^cpu +copy " >/dev/null || fail "a short set does not begin with ceilings"
printf '#!/bin/sh\nexec "%s" "$@" --dry-run\n' "$sextant" >"$work/plan"  # checks that every part names existing kernels and variants
chmod +x "$work/plan"
plan() { "$source/scripts/make-data-set" "$work/plan" "$work/planned" "$@" >"$work/said" 2>&1 || fail "make-data-set $*: $(tail -n 2 "$work/said")"; }
plan --short
plan --sizes 90,524288,4194304
"$source/scripts/make-data-set" "$sextant" "$work/empty" --tables 2>/dev/null && fail "tables of nothing"
if command -v python3 >/dev/null; then
  python3 - "$work/one" "$source" <<'PYTHON' || fail "the reader"
import sys
sys.path.insert(0, sys.argv[2] + "/python")
import sextant
rows = sextant.data_set(sys.argv[1])
assert {row["kernel"] for row in rows} == {"triad", "copy"}, rows[0]
row = next(row for row in rows if row["kernel"] == "triad" and row["model"] == "openmp" and row["status"] == "ok")
assert row["call_time"] > 0 and row["bytes_read"] > 0 and row["cores"] >= 1, row
assert row["folds"]["kernel-out"], row
PYTHON
fi
echo "passed"
