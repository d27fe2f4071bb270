#!/usr/bin/env bash
# Tests that gpu-pack creates a folder with self-contained programs and that gpu-check works there:
# gpu_scripts_test.sh BUILD FOLDER
set -euo pipefail
build=$1 folder=$2
scripts=$(cd "$(dirname "$0")/../../scripts" && pwd)
fail() { echo "FAILED: $*" >&2; exit 1; }
rm -rf "$folder"

"$scripts/gpu-pack" "$build" "$folder/pack" >/dev/null
mkdir "$folder/elsewhere"
mv "$folder/pack" "$folder/elsewhere/pack"  # the folder must not depend on its original location
pack=$folder/elsewhere/pack
"$pack/run" sextant --version | grep -q '^sextant ' || fail "the packed program does not run"
[ -f "$pack/libsextant_cpu.so" ] || fail "libsextant_cpu.so was not packed"
libraries=$(LD_LIBRARY_PATH=$pack ldd "$pack/sextant")
grep -q 'libsextant_cpu.so => ' <<<"$libraries" || fail "the packed program lacks a library: $libraries"
for model in openacc target; do
  [ -f "$build/lib/libsextant_$model.so" ] || continue
  [ -f "$pack/libsextant_$model.so" ] || fail "libsextant_$model.so was not packed"
  run_time=$(find "$pack" -name 'libgomp.so.1' -o -name 'libomptarget.so.*')  # from GCC or LLVM
  [ -n "$run_time" ] || fail "the run time of $model was not packed"
done

code=0
STEPS='doctor racecheck' PATH=/usr/bin:/bin "$pack/run" gpu-check "$folder/logs" >"$folder/table" || code=$?
grep -q '^doctor ' "$folder/table" || fail "the table has no line for the doctor: $(cat "$folder/table")"
grep -q 'Sextant .*revision' "$folder/logs/doctor.log" || fail "the doctor left no log"
if "$pack/run" sextant doctor --require gpu >/dev/null 2>&1; then expected=0; else expected=1; fi
[ $code -eq $expected ] || fail "gpu-check gave $code, not $expected"

# Checks what the sanitizer is asked to run. Racecheck cannot follow the lattice kernel without barriers.
mkdir "$folder/tools"
printf '#!/bin/sh\necho "$*" >>"%s"\necho "ERROR SUMMARY: 0 errors"\n' "$folder/asked" >"$folder/tools/compute-sanitizer"
chmod +x "$folder/tools/compute-sanitizer"
STEPS='memcheck racecheck' PATH=$folder/tools:$PATH "$pack/run" gpu-check "$folder/logs" >"$folder/table"
grep -q '^memcheck-heat3d_gpu_test .*ok' "$folder/table" || fail "the table has no line for memcheck: $(cat "$folder/table")"
if [ -x "$pack/lbm_gpu_test" ]; then
  grep -q -- '--tool memcheck .*lbm_gpu_test .*=\*EveryScene\*cuda_\* ' "$folder/asked" || fail "memcheck leaves out a lattice"
  grep -q -- '--tool racecheck .*lbm_gpu_test .*cuda_\*:-\*resident\* ' "$folder/asked" || fail "racecheck is given cuda.resident"
fi
for waits in heat3d_waits lbm_waits lookback; do
  [ -x "$pack/${waits}_gpu_test" ] || continue
  grep -q -- "--tool memcheck .*${waits}_gpu_test " "$folder/asked" || fail "memcheck leaves out the waits of $waits"
done

# A check that runs nothing must fail: a filter without a matching test, or a folder without test programs. A
# program that was not built is reported as missing.
mkdir "$folder/hollow"
printf '#!/bin/sh\necho "Suite."\n' >"$folder/hollow/kernels_gpu_test"
printf '#!/bin/sh\necho "Suite."\necho "  ManyStepsInAnyBox_cuda_march"\n' >"$folder/hollow/heat3d_gpu_test"
printf '#!/bin/sh\n' >"$folder/hollow/sextant"
chmod +x "$folder"/hollow/*
code=0
STEPS=memcheck PATH=$folder/tools:$PATH PROGRAMS=$folder/hollow "$scripts/gpu-check" "$folder/logs" >"$folder/table" || code=$?
[ $code -eq 1 ] || fail "a filter that matches nothing gave $code, not 1: $(cat "$folder/table")"
grep -q '^memcheck-kernels_gpu_test .*failed .*no test matches the filter ' "$folder/table" || fail "no word of it: $(cat "$folder/table")"
grep -q '^memcheck-heat3d_gpu_test .*ok' "$folder/table" || fail "a filter that matches failed: $(cat "$folder/table")"
grep -q '^memcheck-lbm_gpu_test .*skipped .*not built' "$folder/table" || fail "a missing program is not named: $(cat "$folder/table")"
rm "$folder"/hollow/*_gpu_test
code=0
STEPS=tests PROGRAMS=$folder/hollow "$scripts/gpu-check" "$folder/logs" >"$folder/table" || code=$?
[ $code -eq 1 ] || fail "no test program at all gave $code, not 1"

code=0
STEPS=nonsense "$pack/run" gpu-check "$folder/logs" >/dev/null 2>&1 || code=$?
[ $code -eq 2 ] || fail "an unknown step gave $code, not 2"
code=0
"$scripts/gpu-pack" /nonexistent "$folder/none" >/dev/null 2>&1 || code=$?
[ $code -eq 2 ] || fail "no build folder gave $code, not 2"
echo passed
