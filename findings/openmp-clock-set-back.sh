#!/usr/bin/env bash
# omp_get_wtime of LLVM's OpenMP is the time of day in whole microseconds. Setting the clock changes an interval.
# OpenMP says that it counts from a time in the past that does not change while the program runs. libgomp reads
# CLOCK_MONOTONIC, in nanoseconds. libomp calls gettimeofday, so an interval ends before it begins if the clock
# is set back in between. omp_get_wtick says 1 ns for libgomp and 1 us for libomp.
# Why it matters: a run has a negative or a far too long sample. Overheads of a barrier or an empty region, which
# take less than a microsecond, are 0 or 1 us. The compiler that is compared also chooses the clock.
# Instead: clock_gettime(CLOCK_MONOTONIC) or std::chrono::steady_clock for every compiler.
# Versions: libgomp1 12.2.0-14+deb12u1, libomp5-14 1:14.0.6-12 and libomp5-19 1:19.1.7-3~deb12u1. The program
# answers for the clock of the day itself, so that no clock is set.
set -euo pipefail
missing() { echo "skipped: $1"; exit 77; }
changed() { echo "CHANGED: $1"; exit 1; }
for tool in apt-get dpkg gcc; do command -v "$tool" > /dev/null || missing "there is no $tool"; done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
packages=(libgomp1=12.2.0-14+deb12u1 libomp5-14=1:14.0.6-12 libomp5-19=1:19.1.7-3~deb12u1)
for package in "${packages[@]}"; do
  apt-get -qq download "$package" > log 2>&1 || missing "Debian 12's $package is not to be had"
done
for package in *.deb; do dpkg -x "$package" root; done
unset "${!OMP_@}" "${!GOMP_@}" "${!KMP_@}"

cat > clock.c << 'END'
#define _GNU_SOURCE
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
static int set_back;  // in seconds
int clock_gettime(clockid_t clock, struct timespec* now) {
  const int status = (int)syscall(SYS_clock_gettime, clock, now);
  if (clock == CLOCK_REALTIME) now->tv_sec -= set_back;
  return status;
}
int gettimeofday(struct timeval* now, void* zone) {
  (void)zone;
  struct timespec time;
  const int status = clock_gettime(CLOCK_REALTIME, &time);
  now->tv_sec = time.tv_sec, now->tv_usec = time.tv_nsec / 1000;
  return status;
}
int main(void) {
  int whole = 0;
  for (int i = 0; i < 1000; ++i) {
    const double microseconds = omp_get_wtime() * 1e6;
    whole += fabs(microseconds - round(microseconds)) < 0.3;
  }
  const double begin = omp_get_wtime();
  set_back = 3600;
  printf("an interval of %.0f s, %s microseconds, a tick of %g s\n", omp_get_wtime() - begin,
         whole == 1000 ? "whole" : "parts of", omp_get_wtick());
}
END
gcc -O1 -fopenmp -c clock.c
library() { find "$folder/root/usr/lib" -path "$1" | sort | head -n 1; }
run() {  # name, library
  gcc clock.o -rdynamic "$2" -lm -Wl,-rpath,"$(dirname "$(readlink -f "$2")")" -o timed
  printf '%-16s %s\n' "$1" "$(./timed)"
}
echo "the clock of the day is set back by an hour between two calls of omp_get_wtime"
{
  run "libgomp 12.2.0:" "$(library '*/libgomp.so.1')"
  run "libomp 14.0.6:" "$(library '*/llvm-14/lib/libomp.so.5')"
  run "libomp 19.1.7:" "$(library '*/llvm-19/lib/libomp.so.5')"
} | tee found
diff found - << 'END' || changed "the two libraries read other clocks"
libgomp 12.2.0:  an interval of 0 s, parts of microseconds, a tick of 1e-09 s
libomp 14.0.6:   an interval of -3600 s, whole microseconds, a tick of 1e-06 s
libomp 19.1.7:   an interval of -3600 s, whole microseconds, a tick of 1e-06 s
END
echo "as stated: LLVM's OpenMP measures with the clock of the day"
