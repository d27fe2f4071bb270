#!/usr/bin/env bash
# Tests distributed problems in an allocation of a real Slurm, where srun starts the ranks: ranks_test.sh
# SEXTANT WORK
# Exit code 77 with the reason if Slurm or MPI is missing.
set -euo pipefail
sextant=$(realpath "$1") work=$2 here=$(dirname "$(realpath "$0")")
export PATH=$PATH:/usr/sbin:/sbin OMP_WAIT_POLICY=passive
rm -rf "$work"
mkdir -p "$work"
"$sextant" doctor | grep -q 'problems can be divided among ranks' || { echo "skipped: this build has no MPI"; exit 77; }
trap '"$here/cluster" stop "$work/cluster"' EXIT
"$here/cluster" start "$work/cluster"
. "$work/cluster/environment"
for ranks in 2 3 4; do
  salloc --quiet -n $ranks "$sextant" verify -q -k triad,npb_ep,heat3d_r1 -v openmp.mpi -n 4099 -d ${ranks}xcpu >"$work/table" 2>&1 ||
    { echo "$ranks ranks by srun:"; cat "$work/table"; exit 1; }
  [ "$(grep -c ' pass$' "$work/table")" = 3 ] || { echo "not all three kernels passed with $ranks ranks:"; cat "$work/table"; exit 1; }
done
salloc --quiet -n 2 "$sextant" doctor --json | grep -q 'started by .*srun' || { echo "within an allocation srun is to start ranks"; exit 1; }
