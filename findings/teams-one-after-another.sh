#!/usr/bin/env bash
# On the CPU, GCC's `teams distribute parallel for` gives iterations to other threads than `parallel for` does.
# OpenMP's `teams` creates a league of teams, as a GPU has, and leaves their number to the library. libgomp makes
# three teams, runs them one after another on the calling thread, and gives each team all threads in turn. Its
# manual says only that the number is defined by the implementation. libomp makes one team.
# Why it matters: an array that `parallel for` touched first is read by other threads, so on a NUMA machine from
# remote memory. Each region also costs three fork-joins. A `teams distribute` loop without `parallel` is serial,
# whatever num_teams says; with libomp and num_teams(n) it is not.
# Instead: OMP_NUM_TEAMS=1 or num_teams(1) on the CPU, and no `teams distribute` without `parallel`.
# Versions: libgomp1 12.2.0-14+deb12u1, libomp5-14 1:14.0.6-12. One object file runs with both.
set -euo pipefail
missing() { echo "skipped: $1"; exit 77; }
changed() { echo "CHANGED: $1"; exit 1; }
for tool in apt-get dpkg gcc; do command -v "$tool" > /dev/null || missing "there is no $tool"; done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
for package in libgomp1=12.2.0-14+deb12u1 libomp5-14=1:14.0.6-12; do
  apt-get -qq download "$package" > log 2>&1 || missing "Debian 12's $package is not to be had"
done
for package in *.deb; do dpkg -x "$package" root; done
unset "${!OMP_@}" "${!GOMP_@}" "${!KMP_@}"  # nproc reads these variables, too
[ "$(nproc)" -ge 2 ] || missing "libomp has no two teams on one processor"
lib=$folder/root/usr/lib/$(gcc -print-multiarch)
export OMP_NUM_THREADS=2

cat > loops.c << 'END'
#define _GNU_SOURCE
#include <omp.h>
#include <stdio.h>
#include <unistd.h>
enum { count = 12 };
static int who[count];  // the thread that ran each iteration, by the system's number
static void show(const char* loop) {
  char text[count + 1] = "", next = 'A';
  for (int i = 0; i < count; ++i) {
    for (int j = 0; j < i && !text[i]; ++j)
      if (who[j] == who[i]) text[i] = text[j];
    if (!text[i]) text[i] = next++;
  }
  printf("  %-35s %s\n", loop, text);
}
int main(void) {
#pragma omp parallel for
  for (int i = 0; i < count; ++i) who[i] = gettid();
  show("parallel for:");
#pragma omp teams distribute parallel for
  for (int i = 0; i < count; ++i) who[i] = gettid();
  show("teams distribute parallel for:");
#pragma omp teams distribute num_teams(2)
  for (int i = 0; i < count; ++i) who[i] = gettid();
  show("teams distribute num_teams(2):");
}
END
gcc -O1 -fopenmp -c loops.c
gcc loops.o "$lib/libgomp.so.1" -Wl,-rpath,"$lib" -o by-gcc
gcc loops.o "$lib/libomp.so.5" -Wl,-rpath,"$lib" -o by-llvm
{
  echo "libgomp 12.2.0, two threads: A and B"
  ./by-gcc
  echo "libgomp 12.2.0, OMP_NUM_TEAMS=1"
  OMP_NUM_TEAMS=1 ./by-gcc
  echo "libomp 14.0.6"
  ./by-llvm
} | tee found
diff found - << 'END' || changed "the loops are divided in another way"
libgomp 12.2.0, two threads: A and B
  parallel for:                       AAAAAABBBBBB
  teams distribute parallel for:      AABBAABBAABB
  teams distribute num_teams(2):      AAAAAAAAAAAA
libgomp 12.2.0, OMP_NUM_TEAMS=1
  parallel for:                       AAAAAABBBBBB
  teams distribute parallel for:      AAAAAABBBBBB
  teams distribute num_teams(2):      AAAAAAAAAAAA
libomp 14.0.6
  parallel for:                       AAAAAABBBBBB
  teams distribute parallel for:      AAAAAABBBBBB
  teams distribute num_teams(2):      AAAAAABBBBBB
END
echo "as stated: three teams of GCC's follow one another, and a loop over teams alone has one thread"
