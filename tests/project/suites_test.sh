#!/bin/sh
# Tests that a build has the requested suites, and that quickstart requests only suites that the study needs.
#   suites_test.sh SOURCE WORK
set -eu
source=$1 work=$2
rm -rf "$work"
configure() {
  cmake -S "$source" -B "$work/build" -DSEXTANT_CUDA=OFF -DSEXTANT_OPENACC=OFF -DSEXTANT_TARGET=OFF -DSEXTANT_STDPAR=OFF \
        -DSEXTANT_TESTS=OFF "$@" >"$work/said" 2>&1
}
mkdir -p "$work"
list=$work/build/generated/registry_list.cpp
# has FOLDER SUITE: true if the list has the folder in that suite; an entry ends with the name of the suite.
has() { sed -n "/{\"$1\", $1_kernels/,/}, \"/p" "$list" | grep -q "}, \"$2\"}"; }

configure "-DSEXTANT_SUITES=kernels;programs;npb"
has triad kernels || { echo "no triad of the suite kernels in $list"; exit 1; }
has lbm_d3q15 programs || { echo "no lbm_d3q15 of the suite programs in $list"; exit 1; }
has npb_ep npb || { echo "no npb_ep of the suite npb in $list"; exit 1; }
if grep -q '"patterns"' "$list"; then echo "patterns in a build that leaves them out"; exit 1; fi

configure "-DSEXTANT_SUITES=patterns"
grep -q '"patterns"' "$list" || { echo "no patterns in a build of them"; exit 1; }
if grep -q '"kernels"' "$list"; then echo "kernels in a build that leaves them out"; exit 1; fi

if configure "-DSEXTANT_SUITES=pattern"; then echo "a suite that does not exist was taken"; exit 1; fi
grep -q 'there is no suite `pattern`' "$work/said" || { cat "$work/said"; exit 1; }

grep -q -- '-DSEXTANT_SUITES=kernels;programs' "$source/scripts/quickstart" || { echo "quickstart builds what the study does not need"; exit 1; }
