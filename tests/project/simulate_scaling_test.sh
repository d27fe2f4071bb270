#!/usr/bin/env bash
# Tests scripts/simulate-scaling with 64 ranks: it simulates every pattern and reports every difference from the formula.
# Simulation and formula agree where messages do not wait for each other: simulate_scaling_test.sh SOURCE
set -euo pipefail
for wrong in a 1 0 64,x -5; do
  said=$("$1/scripts/simulate-scaling" --ranks="$wrong" 2>&1) && { echo "--ranks=$wrong was taken"; exit 1; }
  grep -q 'numbers of ranks from 2 on' <<<"$said" || { echo "--ranks=$wrong: $said"; exit 1; }
done
code=0
said=$("$1/scripts/simulate-scaling" --ranks 64) || code=$?
[ $code = 0 ] || exit $code
fail() { printf '%s\n%s\n' "$1" "$said"; exit 1; }
for pattern in planes all_reduce all_to_all; do
  grep -qE "^$pattern +[0-9]+ +64 " <<<"$said" || fail "$pattern was not simulated"
done
awk '$1 == "planes" && $2 == 1048576 && $3 == 64 { found = $6 > 0.8 && $6 <= 1 } END { exit !found }' <<<"$said" ||
  fail "planes of 1 MiB: the simulation is more than 20 % faster than the formula, or has traffic that it has not"
awk '$3 == 64 && ($6 < 0.79 || $6 > 1.21) { print $1, $2 }' <<<"$said" | while read -r pattern bytes; do
  grep -qE "^$pattern of $bytes bytes: .* differ by more than 20 % at 64 " <<<"$said" || fail "$pattern of $bytes: not said"
done
