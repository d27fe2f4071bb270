#!/usr/bin/env bash
# GOMP_CPU_AFFINITY=010 is processor 8, and OMP_PLACES={010} of the same library is processor 10.
# libgomp reads the older variable in base 8 if a number begins with 0, and the newer one always in base 10. "08" is no
# number in base 8, so it becomes processors 0 and 8 without a message. The manual says nothing of a base. CLI11 reads
# whole numbers in the same way: -n 010 is 8, but 10 for an option of type double. It refuses 08. Its guide has the word
# "octal" in a table of types.
# Why it matters: `seq -w` and names such as node010 have leading zeros. Threads then run on other processors, or a
# sweep measures 8 in place of 10. From 01 to 07 all is right.
# Instead: $((10#$number)) in Bash. In CLI11 a check that refuses a leading 0.
# Versions: libgomp1 12.2.0-14+deb12u1, libcli11-dev 2.1.2+ds-1. The program answers for 16 processors itself.
set -euo pipefail
missing() { echo "skipped: $1"; exit 77; }
changed() { echo "CHANGED: $1"; exit 1; }
for tool in apt-get dpkg gcc g++; do command -v "$tool" > /dev/null || missing "there is no $tool"; done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
for package in libgomp1=12.2.0-14+deb12u1 libcli11-dev=2.1.2+ds-1; do
  apt-get -qq download "$package" > log 2>&1 || missing "Debian 12's $package is not to be had"
done
for package in *.deb; do dpkg -x "$package" root; done
unset "${!OMP_@}" "${!GOMP_@}"
lib=$folder/root/usr/lib/$(gcc -print-multiarch)

cat > places.c << 'END'
#define _GNU_SOURCE
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
int pthread_getaffinity_np(pthread_t thread, size_t bytes, cpu_set_t* set) {  // libgomp asks here
  CPU_ZERO_S(bytes, set);
  for (int i = 0; i < 16; ++i) CPU_SET_S(i, bytes, set);
  return 0;
}
int pthread_setaffinity_np(pthread_t thread, size_t bytes, const cpu_set_t* set) { return 0; }
int main(void) {
  for (int place = 0; place < omp_get_num_places(); ++place) {
    int processor;
    omp_get_place_proc_ids(place, &processor);
    printf(" %d", processor);
  }
}
END
gcc -fopenmp -c places.c
gcc -rdynamic places.o "$lib/libgomp.so.1" -Wl,-rpath,"$lib" -o places
cat > option.cpp << 'END'
#include <CLI/CLI.hpp>
int main(int count, char** words) {
  CLI::App app;
  int whole = 0;
  double real = 0;
  app.add_option("-n", whole);
  app.add_option("-x", real);
  try {
    app.parse(count, words);
    std::cout << whole << ", as a double " << real;
  } catch (const CLI::ParseError&) {
    std::cout << "refused";
  }
}
END
g++ -std=c++17 -I"$folder/root/usr/include" option.cpp -o option
echo "libgomp 12.2.0, CLI11 2.1.2"
{
  for numbers in 07 08 010 "010-012" 10; do
    printf 'GOMP_CPU_AFFINITY=%-8s processors%s\n' "$numbers" "$(GOMP_CPU_AFFINITY=$numbers ./places)"
  done
  for number in 07 08 010; do
    printf '%-25s  processors%s\n' "OMP_PLACES={$number}" "$(OMP_PLACES="{$number}" ./places)"
  done
  for number in 07 08 010; do
    printf '%-25s  %s\n' "CLI11, -n $number" "$(./option -n $number -x $number)"
  done
} | tee found
diff found - << 'END' || changed "numbers with a leading 0 are read in another way"
GOMP_CPU_AFFINITY=07       processors 7
GOMP_CPU_AFFINITY=08       processors 0 8
GOMP_CPU_AFFINITY=010      processors 8
GOMP_CPU_AFFINITY=010-012  processors 8 9 10
GOMP_CPU_AFFINITY=10       processors 10
OMP_PLACES={07}            processors 7
OMP_PLACES={08}            processors 8
OMP_PLACES={010}           processors 10
CLI11, -n 07               7, as a double 7
CLI11, -n 08               refused
CLI11, -n 010              8, as a double 10
END
echo "as stated: a leading 0 makes base 8, but not for OMP_PLACES and real numbers"
