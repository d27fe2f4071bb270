#!/usr/bin/env bash
# Tests that scripts/setup installs missing packages. For CPU models only, it must install nothing of OpenACC or TBB.
#   setup_test.sh SOURCE
# The package manager is a stand-in that lacks the packages of OpenACC and TBB and one required package.
set -euo pipefail
source=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/dpkg-query" <<'STUB'
#!/bin/sh
for last; do :; done
case $last in *nvptx* | libtbb-dev | libfmt-dev | libomp-dev | libsimgrid-dev) exit 1 ;; *) printf installed ;; esac
STUB
printf '#!/bin/sh\necho "$@" >>"%s/log"\n' "$folder" >"$folder/apt-get"
printf '#!/bin/sh\nexec "$@"\n' >"$folder/sudo"
chmod +x "$folder"/*

installed_by() {  # installed_by ARGUMENTS…: prints the packages that setup installs
  : >"$folder/log"
  PATH="$folder:$PATH" "$source/scripts/setup" "$@" >/dev/null
  cat "$folder/log"
}
for preset in "" gpu cpu; do
  log=$(installed_by $preset)
  grep -q libfmt-dev <<<"$log" || { echo "setup $preset: does not install what is needed: $log"; exit 1; }
  if grep -q nvptx <<<"$log"; then found=yes; else found=no; fi
  if [ "$preset" = cpu ]; then want=no; else want=yes; fi
  if grep -q libtbb <<<"$log"; then tbb=yes; else tbb=no; fi
  [ $tbb = $want ] || { echo "setup $preset: TBB: $tbb, expected $want"; exit 1; }
  [ $found = $want ] || { echo "setup $preset: OpenACC's packages: $found, expected $want"; exit 1; }
done
log=$(installed_by clang)
grep -q libomp-dev <<<"$log" || { echo "setup clang: does not install what Clang needs: $log"; exit 1; }
! grep -q libfmt-dev <<<"$log" || { echo "setup clang: installs more than Clang needs: $log"; exit 1; }
log=$(installed_by simgrid)
grep -q libsimgrid-dev <<<"$log" || { echo "setup simgrid: does not install SimGrid: $log"; exit 1; }
! grep -q libfmt-dev <<<"$log" || { echo "setup simgrid: installs more than SimGrid: $log"; exit 1; }
