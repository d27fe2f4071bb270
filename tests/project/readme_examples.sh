#!/usr/bin/env bash
# Runs the commands that README.md and docs/ show: readme_examples.sh SEXTANT SOURCE WORK
# Every `sextant run` is planned as written; those of the README and of docs/reference/commands.md also run for a few
# seconds. Exit codes other than 0 and 5 (this machine lacks the device or model) fail the test. Commands with an added
# budget may also return 6, and comparisons of equal runs may return 4.
set -uo pipefail
sextant=$(realpath "$1") source=$(realpath "$2") work=$3
rm -rf "$work"
mkdir -p "$work/bin" "$work/old" "$work/new"
ln -s "$sextant" "$work/bin/sextant"
ln -s "$sextant" "$work/old/sextant"
ln -s "$sextant" "$work/new/sextant"
PATH=$work/bin:$PATH
cd "$work" || exit 1

failures=0 count=0
# try LINE ALLOWED: runs the line in a shell; its exit code must be one of ALLOWED
try() {
  local code=0
  bash -c "$1" >output.txt 2>messages.txt </dev/null || code=$?
  count=$((count + 1))
  [ $code != 5 ] || echo "skipped: $1: $(cat messages.txt output.txt | grep . | tail -1)"
  [[ " $2 " == *" $code "* ]] && return
  printf 'exit code %s of: %s\n' "$code" "$1"
  tail -5 messages.txt
  failures=$((failures + 1))
}

# Prints the commands in a file's shell blocks (indented, or fenced as sh) without their comments.
commands() {
  awk '/^```sh/ { fenced = 1; next } /^```/ { fenced = 0 }
       fenced && /^sextant / { print }
       !fenced && /^    sextant / { print substr($0, 5) }' "$1" | sed 's/ #.*//'
}

# Creates the files that later commands read.
for file in before after now a1 a2 a3 b1 b2 b3; do
  sextant run -q -k triad -v serial,openmp -n 7936 --samples 10:10 --no-ceilings -o $file.sextant >/dev/null || exit 1
done
sextant run -q -k npb_ep -v openmp -n S --samples 2:2 --no-ceilings -o ep.sextant >/dev/null || exit 1
cp ep.sextant is.sextant
cp ep.sextant cg.sextant
sextant run -q -k heat3d_r1 -v openmp.simd -n 32x32x32 -t all --type float --samples 2:2 --no-ceilings \
  -o tunings.sextant >/dev/null || exit 1
mkdir spaces
for shift in 0 1; do # recorded spaces of 12 x 12 points, for docs/how-to/tuning.md
  awk -v s=$shift 'BEGIN { print "2 144\nblock 12 1 2 3 4 5 6 7 8 9 10 11 12\nitems 12 1 2 3 4 5 6 7 8 9 10 11 12"
    for (x = 0; x < 12; ++x) for (y = 0; y < 12; ++y) print x, y, 1 + 0.1 * (x - 8 - s) ^ 2 + 0.05 * (y - 3) ^ 2 }' |
    gzip >spaces/space$shift.txt.gz
done
sextant run -q -k reduction -v serial,openmp -n 7936 -t threads=1,2 --samples 3:3 --no-ceilings -o threads.sextant >/dev/null || exit 1
mkdir runs
cp a1.sextant a2.sextant a3.sextant runs
cp before.sextant fresh.sextant
cp before.sextant r.sextant
cp tunings.sextant tuned.sextant
cp before.sextant heat.sextant
cp before.sextant results.sextant
cp before.sextant triad.sextant
cp -r "$source/examples" .
mkdir data
ln -s "$source/data/set" data/set
rm -rf examples/own/*/.sextant  # removes builds of other checkouts
cp "$source"/tests/own/kernels/gemm.json "$source"/tests/own/kernels/gemm.cu "$source"/tests/own/kernels/gemm_ref.cpp .
cp examples/own/saxpy.cu old/mine.cu
sed '$a // the same, of another day' old/mine.cu >new/mine.cu
echo 'module load cuda 2>/dev/null || true' >modules.sh  # for docs/how-to/clusters.md
cp before.sextant mine.sextant  # for docs/how-to/own-folder.md; its `run` is only planned

declare -A seen
# The page of commands comes early, because it measures what later pages read.
for document in "$source"/README.md "$source"/docs/reference/commands.md "$source"/docs/*.md "$source"/docs/*/*.md "$source"/docs/*/*/*.md; do
  [ -z "${seen[$document]:-}" ] || continue
  seen[$document]=1 found=0
  while read -r line; do
    found=$((found + 1))
    case $line in
      *"--load examples/"*)  # runs unchanged with few samples; a GPU search has a small budget
        case $line in
          "sextant run"*) try "$line --samples 2:3 --no-ceilings" "0 5" ;;
          "sextant tune"*--dry-run) try "$line" "0" ;;
          "sextant tune"*) try "$line --samples 2:3 --budget 2 --no-ceilings" "0 5" ;;
          *) try "$line" "0" ;;
        esac ;;
      "sextant run"*)
        try "$line --dry-run" "0 5"
        [[ $document == "$source"/@(README|docs/reference/commands).md ]] || continue
        short="--samples 2:2 --no-ceilings --budget 2s"
        case $line in
          *2xcpu*) short=${short/2s/60s} ;;  # later commands read its case on two ranks
          *" -k "*) ;;
          *"--suite patterns"*) short+=" -k transpose -n 7936" ;;
          *"--suite npb"*) short+=" -k npb_ep" ;;
          *) short+=" -k copy -n 7936" ;;
        esac
        try "$line $short" "0 5 6" ;;
      "sextant new mine.cu"*)  # the draft needs editing; the example replaces it
        printf 'void twice(long n, const float* x, float* y) { for (long i = 0; i < n; ++i) y[i] = 2 * x[i]; }\n' >mine.cu
        try "$line" "0"
        cp "$source/examples/own/saxpy.cu" mine.cu ;;
      *gemm.json*) try "$line --dry-run" "0 5" ;;
      "sextant verify") try "$line -k copy" "0" ;;
      "sextant verify"*" -n "*) try "$line" "0 5" ;;
      "sextant verify -k"*) try "$line -n 5000" "0 5" ;;  # one size; kernels_test covers all sizes
      "sextant tune -k"*) try "$line --dry-run" "0 5" ;;
      "sextant train data/set "*) try "${line/data\/set/$source/data/h200/study.sextant}" "0" ;;  # the whole data set would take too long
      "sextant tune --replay"*) try "${line/ --seeds 25/ --seeds 2}" "0" ;;
      "sextant submit"*--shards*) try "${line%% -- *} --print" "0" ;;
      "sextant submit"*) ;;  # of what Slurm was given: tests/cluster/slurm/submit_test.sh
      "sextant compare "*"--fail-on regression"*) try "$line" "0 4" ;;  # runs on a busy machine may differ
      "sextant compare --loads"*) try "${line%% -n *} -n 7936 --budget 2s" "0 5 6" ;;
      "sextant compare --programs"*) try "${line/ --budget 10m/ --budget 2s}" "0 6" ;;
      *) try "$line" "0 5" ;;
    esac
  done < <(commands "$document")
  for example in "$source"/examples/own/*; do  # each example needs a command
    [ "$document" = "$source/docs/how-to/own-kernel.md" ] || break
    grep -q "^sextant .*--load examples/own/$(basename "$example")" "$document" && continue
    echo "docs/how-to/own-kernel.md has no command for $(basename "$example")"
    failures=$((failures + 1))
  done
  [ "$document" != "$source/README.md" ] || [ $found -ge 12 ] || { echo "README.md has lost its examples: $found"; failures=$((failures + 1)); }
done
# The tutorial part of docs/how-to/own-kernel.md must have both commands and take at most five minutes, at 200 words per minute.
way=$(sed '/^## What the comment says/,$d' "$source/docs/how-to/own-kernel.md")
for command in verify tune; do
  grep -q "^sextant $command --load mine.cu" <<<"$way" && continue
  echo "docs/how-to/own-kernel.md does not begin with the way to sextant $command"
  failures=$((failures + 1))
done
if [ "$(wc -w <<<"$way")" -gt 1000 ]; then
  echo "docs/how-to/own-kernel.md: it takes more than five minutes to its two commands, $(wc -w <<<"$way") words"
  failures=$((failures + 1))
fi
# Every line that docs/how-to/own-kernel.md quotes must be in the example.
while IFS= read -r line; do
  grep -Fxq -- "$line" "$source/examples/own/saxpy.cu" && continue
  echo "docs/how-to/own-kernel.md quotes what examples/own/saxpy.cu has not: $line"
  failures=$((failures + 1))
done < <(awk '/^```toml/ { quoted = 1; next } /^```/ { quoted = 0 } quoted && NF' "$source/docs/how-to/own-kernel.md")
[ $failures = 0 ] || exit 1
echo "$count commands of README.md and docs/ run"
