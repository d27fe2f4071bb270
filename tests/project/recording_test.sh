#!/usr/bin/env bash
# Tests scripts/record with a stand-in for sextant: finished work is not repeated, the remaining time is passed on, a wrong
# case ends nothing, and a spent budget ends everything. Tests scripts/tune-suite in the same way.
#   recording_test.sh SCRIPTS
set -euo pipefail
scripts=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fail() { echo "recording_test: $*" >&2; exit 1; }

cat >"$folder/sextant" <<'PROGRAM'
#!/usr/bin/env bash
# Records its commands. The exit codes come from the file `codes`, one line per run. With SPENDS, it uses all
# of its budget.
case $1 in
  run | tune) echo "$*" >>"$CALLS" ;;
  show | export) echo "kernel,status" ;;
esac
[ "$1" != show ] && [ "$1" != export ] && [ -s "$CODES" ] || exit 0
[ -z "${SPENDS:-}" ] || sleep "$(sed 's/.*--budget \([0-9]*\)s.*/\1/' <<<"$*")"
code=$(head -n 1 "$CODES")
sed -i 1d "$CODES"
exit "$code"
PROGRAM
chmod +x "$folder/sextant"
export CALLS=$folder/calls CODES=$folder/codes
record() { "$scripts/record" "$folder/sextant" "$folder/data" "$@"; }

printf '0\n3\n6\n' >"$CODES"
code=0
record 500 || code=$?
[ "$code" -eq 6 ] || fail "the budget is spent in the third command, and record exits with $code"
[ "$(wc -l <"$CALLS")" -eq 3 ] || fail "it goes on after the budget is spent: $(cat "$CALLS")"
grep -q -- '--budget 4[89][0-9]s' "$CALLS" || fail "no command is told what is left"
third=$(tail -n 1 "$CALLS" | sed 's/ --budget.*//')

: >"$CALLS"
record || fail "the rest does not end well"
[ "$(head -n 1 "$CALLS")" = "$third" ] || fail "it goes on with '$(head -n 1 "$CALLS")', not with '$third'"
grep -q -- --budget "$CALLS" && fail "without a limit a command has a budget"
for file in study patterns micro-kernels blocks tunings sweep programs; do
  [ -s "$folder/data/$file.sextant.done" ] || fail "nothing of $file was recorded"
done
for word in npb_ep npb_ft heat3d_r lbm_d3q15 serial.baseline --counters 'cuda.(elementwise'; do
  grep -qF -- "$word" "$folder"/data/*.done || fail "$word is in no command"
done
[ -s "$folder/data/study.txt" ] && [ -s "$folder/data/micro-kernels.txt" ] || fail "tables are missing"

: >"$CALLS"
record || fail "what is done cannot be asked for again"
[ ! -s "$CALLS" ] || fail "what is done is repeated: $(head -n 1 "$CALLS")"
code=0
rm "$folder/data/study.sextant.done"
record 5 || code=$?
[ "$code" -eq 6 ] && [ ! -s "$CALLS" ] || fail "five seconds are enough for something, code $code"
echo 3 >"$CODES"
code=0
SPENDS=1 record 16 || code=$?
[ "$code" -eq 6 ] && [ "$(wc -l <"$CALLS")" -eq 1 ] || fail "a wrong case hides that the seconds are spent, code $code"
[ ! -e "$folder/data/study.sextant.done" ] || fail "what a wrong case and its budget ended is done"
echo 5 >"$CODES"
code=0
record || code=$?
[ "$code" -eq 5 ] || fail "a missing device ends with $code"

# tune-suite: errors that do not end it, remaining work, and errors that end it.
: >"$CODES"
suite() { "$scripts/tune-suite" "$folder/sextant" "$folder/suite" "$@"; }
suite 0 || fail "tune-suite does not end well"
[ -s "$folder/suite/gains.txt" ] || fail "tune-suite has no table"
grep -q -- '-v cuda,openacc --type float --budget 64 ' "$CALLS" || fail "tune-suite tunes something else: $(cat "$CALLS")"
for expected in 3 6 5; do
  echo $expected >"$CODES"
  rm -f "$folder/suite/gains.txt"
  code=0
  suite 300 -k triad || code=$?
  [ "$code" -eq $expected ] || fail "tune-suite ends with $code for $expected"
  [ $expected = 5 ] || [ -s "$folder/suite/gains.txt" ] || fail "tune-suite has no table after $expected"
done
[ ! -e "$folder/suite/gains.txt" ] || fail "tune-suite has a table of nothing"
grep -q -- '-k triad --budget 64,300s' "$CALLS" || fail "tune-suite leaves its selection out"
echo "recording_test: passed"

# scripts/make-data-set: coarse sizes come first, each part runs once, the remaining time is passed on, and
# searches come last.
data_set() { "$scripts/make-data-set" "$folder/sextant" "$folder/set" "$@"; }
: >"$CALLS"
printf '0\n0\n6\n' >"$CODES"
code=0
data_set 500 || code=$?
[ "$code" -eq 6 ] || fail "make-data-set: the budget is spent in the third command, and it exits with $code"
grep -q -- '--suite all .*-n 8192,65536,524288,4194304 --budget 4[89][0-9]s' "$CALLS" || fail "no coarse sizes of all suites within the time: $(cat "$CALLS")"
third=$(tail -n 1 "$CALLS" | sed 's/ --budget.*//')
: >"$CALLS"
data_set || fail "make-data-set: the rest does not end well"
[ "$(head -n 1 "$CALLS")" = "$third" ] || fail "make-data-set goes on with '$(head -n 1 "$CALLS")', not with '$third'"
[ "$(grep -c '^tune .*--budget 32$' "$CALLS")" -eq 5 ] || fail "make-data-set searches otherwise than at five sizes: $(cat "$CALLS")"
tail -n 1 "$CALLS" | grep -q '^tune' || fail "searches are not last"
: >"$CALLS"
data_set || fail "make-data-set: nothing is left, and it fails"
[ ! -s "$CALLS" ] || fail "make-data-set repeats: $(cat "$CALLS")"

# --short ends with the last sizes of five decades. --sizes runs every kernel at these sizes, except those
# that take too long.
data_set --short || fail "make-data-set --short does not end well"
tail -n 1 "$CALLS" | grep -q -- '--suite kernels .*-n 90,360,1041,2909,11919497' || fail "--short ends with $(tail -n 1 "$CALLS")"
: >"$CALLS"
data_set --sizes 1041,524288,4194304 90 || fail "make-data-set --sizes does not end well"
[ "$(wc -l <"$CALLS")" -eq 6 ] || fail "--sizes of three kinds take six commands, not: $(cat "$CALLS")"
grep -q -- '-n 1041 --budget 8[0-9]s' "$CALLS" || fail "--sizes within 90 s: $(cat "$CALLS")"
grep -- '-n 1041 ' "$CALLS" | grep -q 'nbody' && fail "bodies are left out at a small size: $(cat "$CALLS")"
[ "$(grep -c 'npb_|nbody|nqueens|bfs_.*-n 4194304 ' "$CALLS")" -eq 1 ] || fail "what takes long is asked for at 4 Mi: $(cat "$CALLS")"
awk '{ while (match($0, /[(][?]![^ ,]*/)) { if (RLENGTH > 200) exit 1; $0 = substr($0, RSTART + RLENGTH) } }' "$CALLS" || fail "a pattern is too long"
PATH=$folder:$PATH "$scripts/make-data-set" sextant "$folder/set" --sizes 2909 90 || fail "a program on PATH is not found"
code=0
data_set --sizes 2909, 2>/dev/null || code=$?
[ "$code" -eq 2 ] || fail "--sizes without a number after the comma exits with $code"
