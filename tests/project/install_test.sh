#!/usr/bin/env bash
# Tests that the installed program works in its location without the build folder: install_test.sh BUILD WORK
set -euo pipefail
build=$1 work=$2
rm -rf "$work"
cmake --install "$build" --prefix "$work/first" >/dev/null
mv "$work/first" "$work/second"  # a moved installation must find its files
"$work/second/bin/sextant" --version
for file in man/man1/sextant.1 man/man1/sextant-run.1 bash-completion/completions/sextant zsh/site-functions/_sextant \
            fish/vendor_completions.d/sextant.fish doc/sextant/copyright doc/sextant/CITATION.cff; do
  [ -s "$work/second/share/$file" ] || { echo "the installed tree has no share/$file"; exit 1; }
done
libraries=$(ldd "$work/second/bin/sextant")
grep -q "$work/second/.*libsextant_cpu.so" <<<"$libraries" || {
  echo "the installed program does not use the installed libsextant_cpu.so: $libraries"; exit 1; }
for model in openacc target; do
  library=$(find "$work/second" -name "libsextant_$model.so")
  [ -n "$library" ] || continue
  libraries=$(ldd "$work/second/bin/sextant")  # captured completely, because a pipe that `grep -q` leaves early sometimes fails
  grep -q "$work/second/.*libsextant_$model.so" <<<"$libraries" || {
    echo "the installed program does not use the installed library of $model"; ldd "$work/second/bin/sextant"; exit 1; }
  # The library of a folder is opened at first use: it must be the installed one.
  listed=$("$work/second/bin/sextant" list variants -k triad -v $model)
  grep -q "$model\." <<<"$listed" || { echo "the installed program lists no variants of $model"; exit 1; }
  folder=$(dirname "$library")/libsextant_${model}_triad.so
  mv "$folder" "$folder.away"
  listed=$("$work/second/bin/sextant" list variants -k triad -v $model 2>&1) && {
    echo "the installed program uses another libsextant_${model}_triad.so than the installed one"; exit 1; }
  grep -q "cannot load libsextant_${model}_triad.so" <<<"$listed" || {
    echo "the installed program does not say which library it lacks: $listed"; exit 1; }
  mv "$folder.away" "$folder"
done
if [ -d "$work/second/share/sextant/openacc" ]; then
  explained=$("$work/second/bin/sextant" explain -k increment -v openacc.kernels)
  grep -q '#pragma acc kernels' <<<"$explained" || {
    echo "the installed program does not find the compiler's notes"; exit 1; }
fi
variants=$("$work/second/bin/sextant" list variants)
grep -q serial.baseline <<<"$variants" || { echo "lists no variants"; exit 1; }
