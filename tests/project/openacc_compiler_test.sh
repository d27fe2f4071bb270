#!/usr/bin/env bash
# Another OpenACC compiler gets the options that docs/reference/openacc.md gives for it, and none of GCC's:
# Usage: openacc_compiler_test.sh SOURCE WORK
# A stand-in named nvc++ records its arguments and compiles with g++ without the options that g++ lacks.
set -euo pipefail
source=$1 work=$2
rm -rf "$work"
mkdir -p "$work"
cat >"$work/nvc++" <<'STAND_IN'
#!/usr/bin/env bash
echo "$*" >>"$(dirname "$0")/calls"
known=()
for argument in "$@"; do
  case $argument in -acc=* | -gpu=* | -Minfo=*) ;; *) known+=("$argument") ;; esac
done
exec g++ "${known[@]}"
STAND_IN
chmod +x "$work/nvc++"
fail() { echo "$1"; exit 1; }

# Reads the options from the document.
mapfile -t options < <(sed -n "s/^ *'\{0,1\}\(-DSEXTANT_OPENACC_[A-Z_]*=[^' ]*\).*$/\1/p" "$source/docs/reference/openacc.md")
[ ${#options[@]} -eq 3 ] || fail "docs/reference/openacc.md gives ${#options[@]} options of nvc++, not 3"
options[0]=-DSEXTANT_OPENACC_COMPILER=$work/nvc++
cmake -S "$source" -B "$work/build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DSEXTANT_CUDA=OFF "${options[@]}" >"$work/configure.log" ||
  { tail -n 20 "$work/configure.log"; fail "cannot be configured"; }
grep -q -- '-acc=gpu' "$work/calls" || fail "the compiler was not asked whether it can offload"

object=openacc/kernels/copy/openacc.cpp.o
: >"$work/calls"
cmake --build "$work/build" --target "$object" >"$work/build.log" || { tail -n 20 "$work/build.log"; fail "$object cannot be built"; }
grep -q -- '-acc=gpu.*copy/openacc.cpp' "$work/calls" || fail "the compiler did not get its options: $(cat "$work/calls")"
grep -qE -- '-fopenacc|-fopt-info|--param|-Wno-openacc' "$work/calls" && fail "the compiler got GCC's options: $(cat "$work/calls")"
# The command that links the library must have the second set of options and no offloading options of GCC.
link=$(ninja -C "$work/build" -t commands lib/libsextant_openacc.so | tail -n 1)
grep -q -- "nvc++ -shared .*-acc=gpu" <<<"$link" || fail "the library is not linked with its options: $link"
grep -q -- '-foffload' <<<"$link" && fail "the library is linked with GCC's options: $link"
echo "another compiler gets its own options"
