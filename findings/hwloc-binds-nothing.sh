#!/usr/bin/env bash
# hwloc does not bind threads, but reports success, if its topology comes from a file.
# HWLOC_XMLFILE is a usual way to avoid the slow discovery of a large machine. hwloc_set_cpubind then returns 0, also with
# HWLOC_CPUBIND_STRICT, and the thread is not bound. hwloc_get_cpubind returns the whole machine.
# Why it matters: a run that should stay on one core migrates, and no status reports it.
# Instead: set HWLOC_THISSYSTEM=1 if the file describes this machine, and check hwloc_topology_is_thissystem.
# Versions: libhwloc15 and libhwloc-dev 2.9.0-1.
set -euo pipefail
missing() { echo "skipped: $1"; exit 77; }
changed() { echo "CHANGED: $1"; exit 1; }
for tool in apt-get dpkg gcc g++; do command -v "$tool" > /dev/null || missing "there is no $tool"; done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
packages=(libhwloc15=2.9.0-1 libhwloc-dev=2.9.0-1)
for package in "${packages[@]}"; do
  apt-get -qq download "$package" > log 2>&1 || missing "Debian 12's $package is not to be had"
done
for package in *.deb; do dpkg -x "$package" root; done
unset "${!HWLOC_@}" "${!OMP_@}"  # nproc reads OpenMP's variables
[ "$(nproc)" -ge 2 ] || missing "one processor alone is always bound"
lib=$folder/root/usr/lib/$(gcc -print-multiarch)
export LD_LIBRARY_PATH=$lib

cat > bind.c << 'END'
#define _GNU_SOURCE
#include <hwloc.h>
#include <sched.h>
#include <stdio.h>
int main(int count, char** arguments) {
  hwloc_topology_t machine;
  if (hwloc_topology_init(&machine) || hwloc_topology_load(machine)) return 1;
  if (count > 1) return hwloc_topology_export_xml(machine, arguments[1], 0) != 0;
  const hwloc_obj_t first = hwloc_get_obj_by_type(machine, HWLOC_OBJ_PU, 0);
  cpu_set_t before, after;
  sched_getaffinity(0, sizeof before, &before);
  const int status = hwloc_set_cpubind(machine, first->cpuset, HWLOC_CPUBIND_THREAD | HWLOC_CPUBIND_STRICT);
  sched_getaffinity(0, sizeof after, &after);
  printf("bound to one processor with status %d, %s\n", status,
         CPU_COUNT(&after) == 1 ? "and is there" : CPU_EQUAL(&before, &after) ? "and nothing has changed" : "and is elsewhere");
}
END
gcc -O1 -I"$folder/root/usr/include" bind.c -o bind -L"$lib" -lhwloc
./bind machine.xml
looked=$(./bind)
filed=$(HWLOC_XMLFILE=machine.xml ./bind)
own=$(HWLOC_XMLFILE=machine.xml HWLOC_THISSYSTEM=1 ./bind)
echo "hwloc 2.9.0"
echo "the machine looked at:                $looked"
echo "the same from its file:               $filed"
echo "the file, and HWLOC_THISSYSTEM=1:     $own"
[ "$looked" = "bound to one processor with status 0, and is there" ] || missing "nothing can be bound here"
[ "$own" = "$looked" ] || changed "HWLOC_THISSYSTEM=1 does not help"
[ "$filed" = "bound to one processor with status 0, and nothing has changed" ] ||
  changed "binding by a topology from a file does something, or reports that it does not"
echo "as stated: success is reported, and nothing is bound"
