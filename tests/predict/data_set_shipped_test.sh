#!/usr/bin/env bash
# Tests that scripts/make-data-set creates data/set from the results in data/, and that the card of data/set
# states its size.
# The program, Python and, if they are installed, pandas, scikit-learn and R must read it.
#   data_set_shipped_test.sh SEXTANT SOURCE WORK
set -euo pipefail
sextant=$(realpath "$1") source=$(realpath "$2") work=$3
set=$source/data/set
fail() { echo "FAILED: $*"; exit 1; }
rm -rf "$work"
mkdir -p "$work"
cp -r "$source/data" "$work/data"
made=$work/data/set
(cd "$set" && sha256sum --quiet -c checksums) || fail "a checksum is wrong"
rm -rf "$made"/*.gz "$made/folds" "$made/checksums"
"$source/scripts/make-data-set" "$sextant" "$made" --tables 2>"$work/notes" || fail "$(cat "$work/notes")"
# Compares the unpacked tables byte by byte, because another gzip may compress them differently.
(cd "$set" && find . -name '*.gz' | sort) >"$work/files"
(cd "$made" && find . -name '*.gz' | sort) | cmp - "$work/files" || fail "other tables"
while read -r file; do
  cmp <(zcat "$set/$file") <(zcat "$made/$file") ||
    fail "data/set/$file is not what its results give: scripts/make-data-set $sextant data/set --tables"
done <"$work/files"
counted=$(tail -1 "$work/notes")
grep -qF "$counted" "$set/README.md" || fail "the card counts otherwise: $counted"
[ "$(du -sk "$set" | cut -f1)" -lt 6144 ] || fail "it is larger than 6 MB"
# The program must write the same tables again from the tables.
"$sextant" export "$set" --format data-set -o "$work/again" 2>/dev/null
while read -r file; do
  cmp <(zcat "$set/$file") "$work/again/${file%.gz}" || fail "reading changes $file"
done <"$work/files"
"$sextant" advise --evaluate "$set" --split all --json >"$work/scores.json" || fail "it cannot be judged on"
for split in kernel-out size-out size-between; do
  grep -q "\"$split\"" "$work/scores.json" || fail "no score of $split"
done
# A planted leak and a changed table must be detected.
cp -r "$work/again" "$work/leak"
rm "$work/leak/checksums"
sed -i 's#^vm/16,\(.*\),h200/16$#vm/16,\1,elsewhere#' "$work/leak/folds/machine-out.csv"  # the same hardware
"$sextant" advise --evaluate "$work/leak" --split machine-out >/dev/null 2>"$work/leak.txt" && fail "a planted leak is not found"
grep -q "training and test data overlap in the split machine-out" "$work/leak.txt" || fail "$(cat "$work/leak.txt")"
sed -i '2s/ok/wrong/' "$work/again/cases.csv"
"$sextant" advise --evaluate "$work/again" >/dev/null 2>"$work/changed.txt" && fail "a changed table is taken"
grep -q "checksums" "$work/changed.txt" || fail "$(cat "$work/changed.txt")"
# A search learns from the data set. The result is the mean quality on recorded spaces within five
# evaluations.
reached() {
  "$sextant" tune --replay "$source/data/h200/tunings.sextant" --prior "$1" --strategy model --seeds 2 --budget 5 --json |
    tr ',' '\n' | sed -n 's/.*"mean":\([0-9.e-]*\).*/\1/p' | awk '{ sum += $1 } END { printf "%.4f\n", sum / NR }'
}
with=$(reached "$set") without=$(reached none)
awk -v a="$with" -v b="$without" 'BEGIN { exit !(a > b && b > 0) }' || fail "searches reach $with with it, $without without"
cd "$source"
if /usr/bin/python3 -c "import pandas" 2>/dev/null; then
  /usr/bin/python3 examples/data_set_pandas.py data/set >"$work/pandas.txt" || fail "examples/data_set_pandas.py"
fi
if /usr/bin/python3 -c "import pandas, sklearn" 2>/dev/null; then
  /usr/bin/python3 examples/data_set_sklearn.py data/set >"$work/sklearn.txt" || fail "examples/data_set_sklearn.py"
  grep -q "of the best" "$work/sklearn.txt" || fail "$(cat "$work/sklearn.txt")"
fi
if command -v Rscript >/dev/null; then
  Rscript examples/data_set.R data/set >"$work/r.txt" || fail "examples/data_set.R"
  cmp "$work/r.txt" - <"${work}/pandas.txt" 2>/dev/null || [ ! -e "$work/pandas.txt" ] || fail "R and pandas disagree"
fi
echo "passed"
