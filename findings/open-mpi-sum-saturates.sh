#!/usr/bin/env bash
# Open MPI's MPI_SUM of small integers stops at the largest number in whole vectors and wraps in the elements after.
# Its component op/avx adds numbers of 8 and 16 bits with saturating instructions, and the rest one by one. So 200 + 100
# as unsigned char is 255 or 44, by the element's position and by the number of elements. MPICH always has 44, as C has.
# Open MPI's issue 8045 reports this and was closed as "wontfix". The manual page of MPI_Reduce does not mention it.
# Why it matters: a byte-wise checksum or hash that is summed over ranks depends on the MPI library, the processor and
# the message's length. A test with a few elements passes. A histogram of 16 bits seems full, but not wrong.
# Instead: sum 32 bits or more, or set OMPI_MCA_op=^avx (shown below).
# Versions: libopenmpi3 and libopenmpi-dev 4.1.4-3+b1, libmpich12 and libmpich-dev 4.0.2-3+b1. One process, no network.
set -euo pipefail
missing() { echo "skipped: $1"; exit 77; }
changed() { echo "CHANGED: $1"; exit 1; }
for tool in apt-get dpkg gcc; do command -v "$tool" > /dev/null || missing "there is no $tool"; done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
grep -qw avx2 /proc/cpuinfo 2> /dev/null || missing "this processor has no AVX2"
# the packages without a version are loaded by the others and have no part in what is shown
packages=(libopenmpi3=4.1.4-3+b1 libopenmpi-dev=4.1.4-3+b1 openmpi-common=4.1.4-3 libmpich12=4.0.2-3+b1
  libmpich-dev=4.0.2-3+b1 libhwloc15=2.9.0-1 libevent-core-2.1-7 libevent-pthreads-2.1-7 libfabric1 libucx0 libslurm38
  libpmix2)
for package in "${packages[@]}"; do
  apt-get -qq download "$package" > log 2>&1 || missing "Debian 12's $package is not to be had"
done
for package in *.deb; do dpkg -x "$package" root; done
unset "${!OMPI_@}" "${!OPAL_@}" "${!PMIX_@}" "${!PMI_@}" "${!SLURM_@}"
lib=$folder/root/usr/lib/$(gcc -print-multiarch)
export LD_LIBRARY_PATH=$lib HWLOC_COMPONENTS=-gl,-opencl,-pci
export OPAL_PREFIX=$folder/root/usr OMPI_MCA_pml=ob1 OMPI_MCA_btl=self OMPI_MCA_ess_singleton_isolated=1

cat > sum.c << 'END'
#include <mpi.h>
#include <stdio.h>
static void sum(int count) {
  unsigned char from[65], to[65];
  short from16[65], to16[65];
  for (int i = 0; i < count; ++i) {
    from[i] = 200, to[i] = 100;
    from16[i] = 30000, to16[i] = 10000;
  }
  MPI_Reduce_local(from, to, count, MPI_UNSIGNED_CHAR, MPI_SUM);
  MPI_Reduce_local(from16, to16, count, MPI_SHORT, MPI_SUM);
  printf("  of %2d elements, first and last: %3d %3d   %6d %6d\n", count, to[0], to[count - 1], to16[0],
         to16[count - 1]);
}
int main(void) {
  MPI_Init(NULL, NULL);
  sum(1);
  sum(64);
  sum(65);
  MPI_Finalize();
}
END
open=$lib/openmpi
gcc -I"$open/include" sum.c -o by-open-mpi "$lib/libmpi.so.40" -Wl,-rpath-link,"$lib"
gcc -I"$folder/root/usr/include/$(gcc -print-multiarch)/mpich" sum.c -o by-mpich "$lib/libmpich.so.12" \
  -Wl,-rpath-link,"$lib"
OMPI_MCA_op=^avx ./by-open-mpi > log 2>&1 || missing "Open MPI does not start here: $(tail -n 1 log)"
./by-mpich > log 2>&1 || missing "MPICH does not start here: $(tail -n 1 log)"
{
  echo "Open MPI 4.1.4, 200 + 100 as unsigned char and 30000 + 10000 as short"
  ./by-open-mpi
  echo "Open MPI 4.1.4, OMPI_MCA_op=^avx"
  OMPI_MCA_op=^avx ./by-open-mpi
  echo "MPICH 4.0.2"
  ./by-mpich
} | tee found
diff found - << 'END' || changed "the sums are other ones"
Open MPI 4.1.4, 200 + 100 as unsigned char and 30000 + 10000 as short
  of  1 elements, first and last:  44  44   -25536 -25536
  of 64 elements, first and last: 255 255    32767  32767
  of 65 elements, first and last: 255  44    32767 -25536
Open MPI 4.1.4, OMPI_MCA_op=^avx
  of  1 elements, first and last:  44  44   -25536 -25536
  of 64 elements, first and last:  44  44   -25536 -25536
  of 65 elements, first and last:  44  44   -25536 -25536
MPICH 4.0.2
  of  1 elements, first and last:  44  44   -25536 -25536
  of 64 elements, first and last:  44  44   -25536 -25536
  of 65 elements, first and last:  44  44   -25536 -25536
END
echo "as stated: whole vectors stop at the largest number, and the elements after them wrap"
