#!/usr/bin/env bash
# MPI_MAX and MPI_MIN compare unsigned numbers as signed ones: the maximum of 3 and 3 billion is 3.
# In MPICH 4.0.2 all unsigned types do so. In Open MPI 4.1.4 it is MPI_UNSIGNED_LONG alone, and MPI_UINT64_T, the same
# type of C, is right. MPICH's issue 6083 and Open MPI's issue 10525 report it. Their later sources are mended, but
# these are the versions of Debian 12.
# Why it matters: the largest number of bytes or cycles of all ranks is that of a small rank as soon as one of the
# numbers has its highest bit. With 32 bits that is from 2 GiB on, so a test at small sizes passes.
# Instead: reduce numbers below 2^63 as MPI_INT64_T. Or flip the highest bit of each number before and after.
# Versions: libopenmpi3 and libopenmpi-dev 4.1.4-3+b1, libmpich12 and libmpich-dev 4.0.2-3+b1. One process, no network.
set -euo pipefail
missing() { echo "skipped: $1"; exit 77; }
changed() { echo "CHANGED: $1"; exit 1; }
for tool in apt-get dpkg gcc; do command -v "$tool" > /dev/null || missing "there is no $tool"; done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
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

cat > largest.c << 'END'
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#define LARGEST(type, mpi_type)                                        \
  {                                                                    \
    const type high = (type)((type)1 << (8 * sizeof(type) - 1));       \
    type from = high, largest = 3, smallest = 3;                       \
    MPI_Reduce_local(&from, &largest, 1, mpi_type, MPI_MAX);           \
    MPI_Reduce_local(&from, &smallest, 1, mpi_type, MPI_MIN);          \
    if (largest == high && smallest == 3)                              \
      printf("  %-23s right\n", #mpi_type);                            \
    else                                                               \
      printf("  %-23s of 3 and 2^%zu the largest is %s\n", #mpi_type,  \
             8 * sizeof(type) - 1, largest == 3 ? "3" : "another one"); \
  }
int main(void) {
  MPI_Init(NULL, NULL);
  LARGEST(unsigned char, MPI_UNSIGNED_CHAR);
  LARGEST(unsigned short, MPI_UNSIGNED_SHORT);
  LARGEST(unsigned, MPI_UNSIGNED);
  LARGEST(unsigned long, MPI_UNSIGNED_LONG);
  LARGEST(uint32_t, MPI_UINT32_T);
  LARGEST(uint64_t, MPI_UINT64_T);
  MPI_Finalize();
}
END
open=$lib/openmpi
gcc -I"$open/include" largest.c -o by-open-mpi "$lib/libmpi.so.40" -Wl,-rpath-link,"$lib"
gcc -I"$folder/root/usr/include/$(gcc -print-multiarch)/mpich" largest.c -o by-mpich "$lib/libmpich.so.12" \
  -Wl,-rpath-link,"$lib"
./by-open-mpi > by-open-mpi.txt 2> log || missing "Open MPI does not start here: $(tail -n 1 log)"
./by-mpich > by-mpich.txt 2> log || missing "MPICH does not start here: $(tail -n 1 log)"
{
  echo "Open MPI 4.1.4"
  cat by-open-mpi.txt
  echo "MPICH 4.0.2"
  cat by-mpich.txt
} | tee found
diff found - << 'END' || changed "other types are compared as signed numbers"
Open MPI 4.1.4
  MPI_UNSIGNED_CHAR       right
  MPI_UNSIGNED_SHORT      right
  MPI_UNSIGNED            right
  MPI_UNSIGNED_LONG       of 3 and 2^63 the largest is 3
  MPI_UINT32_T            right
  MPI_UINT64_T            right
MPICH 4.0.2
  MPI_UNSIGNED_CHAR       of 3 and 2^7 the largest is 3
  MPI_UNSIGNED_SHORT      of 3 and 2^15 the largest is 3
  MPI_UNSIGNED            of 3 and 2^31 the largest is 3
  MPI_UNSIGNED_LONG       of 3 and 2^63 the largest is 3
  MPI_UINT32_T            of 3 and 2^31 the largest is 3
  MPI_UINT64_T            of 3 and 2^63 the largest is 3
END
echo "as stated: an unsigned number with its highest bit is the smallest"
