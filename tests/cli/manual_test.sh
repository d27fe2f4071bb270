#!/usr/bin/env bash
# Tests that man(1) has no warnings on the manual pages and that each page has the options of --help-all:
# manual_test.sh PROGRAM WORK
set -euo pipefail
program=$1 work=$2
command -v man >/dev/null || { echo "skipped: no man here"; exit 77; }
export LC_ALL=C.UTF-8 MANWIDTH=300 GROFF_NO_SGR=1  # long lines, no colours
rm -rf "$work"
"$program" help --man -o "$work"
for page in "$work"/*.1; do
  warnings=$(man --warnings -E UTF-8 -l -Tutf8 "$page" 2>&1 >/dev/null)
  [ -z "$warnings" ] || { echo "$page: $warnings"; exit 1; }
done
commands=$("$program" --help | sed -n 's/^  \([a-z]\+\) .*/\1/p')
[ "$(wc -w <<<"$commands")" -ge 15 ] || { echo "--help lists few subcommands: $commands"; exit 1; }
shown=$(man -l "$work/sextant.1" | col -b)
for command in $commands; do
  grep -q "sextant-$command(1)" <<<"$shown" || { echo "sextant(1) does not name $command"; exit 1; }
  page=$(man -l "$work/sextant-$command.1" | col -b)
  for option in $("$program" "$command" --help-all | grep -oE '^  (-[a-z],)?--?[a-z-]+' | tr ',' '\n'); do
    grep -qE -- "^ +(-[a-z], )?$option( |$|=|,)" <<<"$page" || { echo "sextant-$command(1) has no $option"; exit 1; }
  done
  grep -q "sextant $command" <<<"$page" || { echo "sextant-$command(1) has no example"; exit 1; }
done
[ "$("$program" help --man run)" = "$(cat "$work/sextant-run.1")" ] || { echo "help --man run prints another page"; exit 1; }
echo "$(wc -w <<<"$commands") pages"
