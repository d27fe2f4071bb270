#!/usr/bin/env bash
# A program that calls fftw_init_threads cannot read wisdom of one that does not, and the other way round.
# The import returns 0 and takes no plan at all, also for a transform on one thread. Both programs use the same FFTW
# on the same processor. The two kinds of file have different signatures in their first lines.
# The tool fftw-wisdom writes files for programs without that call, and with -T 1 for programs with it.
# Why it matters: a comparison of one and many threads shares a wisdom file. One of the two programs then has the saved
# plans, and the other one plans again in each process or has only an estimated plan.
# Instead: check the result of the import, and call fftw_init_threads in all programs or in none.
# Versions: libfftw3-double3, libfftw3-bin and libfftw3-dev 3.3.10-1.
set -euo pipefail
missing() { echo "skipped: $1"; exit 77; }
changed() { echo "CHANGED: $1"; exit 1; }
for tool in apt-get dpkg gcc; do command -v "$tool" > /dev/null || missing "there is no $tool"; done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
packages=(libfftw3-double3 libfftw3-single3 libfftw3-long3 libfftw3-bin libfftw3-dev)
for package in "${packages[@]}"; do
  apt-get -qq download "$package=3.3.10-1" > log 2>&1 || missing "Debian 12's $package 3.3.10 is not to be had"
done
for package in *.deb; do dpkg -x "$package" root; done
lib=$folder/root/usr/lib/$(gcc -print-multiarch)
export LD_LIBRARY_PATH=$lib

cat > plan.c << 'END'
#include <fftw3.h>
#include <stdio.h>
#include <string.h>
int main(int count, char** words) {  // with or without threads, a file, and "save" or nothing
  enum { n = 360 };
  if (strcmp(words[1], "with") == 0) fftw_init_threads();
  const int read = count > 3 ? 0 : fftw_import_wisdom_from_filename(words[2]);
  fftw_complex *x = fftw_alloc_complex(n), *y = fftw_alloc_complex(n);
  const unsigned flags = FFTW_PATIENT | (count > 3 ? 0 : FFTW_WISDOM_ONLY);
  fftw_plan plan = fftw_plan_dft_1d(n, x, y, FFTW_FORWARD, flags);
  if (count > 3) return !fftw_export_wisdom_to_filename(words[2]);
  printf("the import returns %d, there is %s plan\n", read, plan ? "a" : "no");
}
END
gcc -I"$folder/root/usr/include" plan.c -o plan -L"$lib" -lfftw3_threads -lfftw3 -lm
./plan without by-without save
./plan with by-with save
root/usr/bin/fftw-wisdom -n -o tool-without cof360
root/usr/bin/fftw-wisdom -n -T 1 -o tool-with cof360
echo "FFTW 3.3.10, 360 points on one thread, programs with and without fftw_init_threads"
{
  for writer in by-without by-with tool-without tool-with; do
    for reader in without with; do
      printf '%-12s read %-8s %s\n' "$writer" "$reader:" "$(./plan $reader $writer)"
    done
  done
} | tee found
diff found - << 'END' || changed "other wisdom is read"
by-without   read without: the import returns 1, there is a plan
by-without   read with:    the import returns 0, there is no plan
by-with      read without: the import returns 0, there is no plan
by-with      read with:    the import returns 1, there is a plan
tool-without read without: the import returns 1, there is a plan
tool-without read with:    the import returns 0, there is no plan
tool-with    read without: the import returns 0, there is no plan
tool-with    read with:    the import returns 1, there is a plan
END
echo "as stated: wisdom is for programs with fftw_init_threads or for those without"
