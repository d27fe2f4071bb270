#!/usr/bin/env bash
# The installed program works from where it was put, without the build folder: install_test.sh BUILD WORK
set -euo pipefail
build=$1 work=$2
rm -rf "$work"
cmake --install "$build" --prefix "$work/first" >/dev/null
mv "$work/first" "$work/second"  # a tree that was moved still finds its parts
"$work/second/bin/sextant" --version
if [ -n "$(find "$work/second" -name 'libsextant_openacc.so')" ]; then
  libraries=$(ldd "$work/second/bin/sextant")  # whole: a pipe that `grep -q` leaves early fails now and then
  grep -q "$work/second/.*libsextant_openacc.so" <<<"$libraries" || {
    echo "the installed program does not use the installed OpenACC library"; ldd "$work/second/bin/sextant"; exit 1; }
  explained=$("$work/second/bin/sextant" explain -k increment -v openacc.kernels)
  grep -q '#pragma acc kernels' <<<"$explained" || {
    echo "the installed program does not find the compiler's notes"; exit 1; }
fi
if [ -n "$(find "$work/second" -name 'libsextant_target.so')" ]; then
  libraries=$(ldd "$work/second/bin/sextant")
  for name in target target_triad; do
    grep -q "$work/second/.*libsextant_$name.so" <<<"$libraries" || {
      echo "the installed program does not use the installed libsextant_$name.so"; exit 1; }
  done
fi
variants=$("$work/second/bin/sextant" list variants)
grep -q serial.baseline <<<"$variants" || { echo "lists no variants"; exit 1; }
