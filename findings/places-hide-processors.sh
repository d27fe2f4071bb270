#!/usr/bin/env bash
# With OMP_PLACES set, LLVM's OpenMP runs on one thread in a program that also loads GCC's OpenMP.
# libgomp binds the first thread to the first place while it is loaded. libomp then counts only the processors of that place.
# Why it matters: a program built by Clang that links FFTW's threads (libgomp) loses all threads without a message.
# Instead: set OMP_PROC_BIND=false too.
# Versions: libgomp1 12.2.0-14+deb12u1, libomp5-14 1:14.0.6-12.
set -euo pipefail
missing() { echo "skipped: $1"; exit 77; }
changed() { echo "CHANGED: $1"; exit 1; }
for tool in apt-get dpkg gcc; do command -v "$tool" > /dev/null || missing "there is no $tool"; done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
packages=(libgomp1=12.2.0-14+deb12u1 libomp5-14=1:14.0.6-12)
for package in "${packages[@]}"; do
  apt-get -qq download "$package" > log 2>&1 || missing "Debian 12's $package is not to be had"
done
for package in *.deb; do dpkg -x "$package" root; done
unset "${!OMP_@}" "${!GOMP_@}" "${!KMP_@}"
processors=$(nproc)
[ "$processors" -ge 2 ] || missing "one processor runs one thread in any case"
lib=$folder/root/usr/lib/$(gcc -print-multiarch)

cat > threads.c << 'END'
#include <stdio.h>
int omp_get_max_threads(void);
int main(void) { printf("%d", omp_get_max_threads()); }
END
gcc threads.c "$lib/libomp.so.5" -Wl,-rpath,"$lib" -o llvm-alone
gcc threads.c "$lib/libomp.so.5" -Wl,--no-as-needed "$lib/libgomp.so.1" -Wl,-rpath,"$lib" -o both
alone=$(OMP_PLACES=threads ./llvm-alone) both=$(OMP_PLACES=threads ./both)
plain=$(./both) unbound=$(OMP_PLACES=threads OMP_PROC_BIND=false ./both)
echo "threads of libomp 14.0.6 on $processors processors"
echo "OMP_PLACES=threads, libomp alone:                            $alone"
echo "OMP_PLACES=threads, with libgomp 12.2.0:                     $both"
echo "neither set, with libgomp 12.2.0:                            $plain"
echo "OMP_PLACES=threads OMP_PROC_BIND=false, with libgomp 12.2.0: $unbound"
[ "$alone" = "$processors" ] && [ "$both" = 1 ] && [ "$plain" = "$processors" ] && [ "$unbound" = "$processors" ] ||
  changed "libomp no longer counts one processor, or counts one in other cases, too"
echo "as stated: a place for GCC's first thread is all that LLVM's sees"
