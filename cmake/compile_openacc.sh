#!/bin/sh
# Runs the OpenACC compiler and keeps its messages about the directives, for `sextant explain`:
#   compile_openacc.sh SHARE ROOT FILE COMMAND…
# FILE is relative to ROOT. SHARE/FILE.notes gets the messages, one per line. SHARE also gets copies of the
# sources that the messages name. COMMAND compiles ROOT/FILE; its other messages go to standard error.
share=$1 root=$2 file=$3
shift 3
notes=$share/$file.notes
said=$notes.said dump=$notes.dump
mkdir -p "$(dirname "$notes")"
trap 'rm -f "$said" "$dump" "$dump.reasons"' EXIT

LC_ALL=C "$@" 2>"$said"
status=$?
if [ $status -ne 0 ]; then
  cat "$said" >&2
  exit $status
fi
# GCC's dependence analysis decides whether plain loops in `kernels` regions become parallel. Only the dump of
# that pass says why a loop does not. The dump names the source line only in the statements of the function
# that it could not parallelise. The pass analyses only a region that is a single loop nest. Other regions are
# not in its dump.
if grep -q 'acc kernels' "$root/$file" && grep -q ': note: .*OpenACC' "$said"; then
  LC_ALL=C "$@" "-fdump-tree-parloops-details-lineno=$dump" 2>/dev/null
  [ -f "$dump" ] && awk '
    FNR == NR { if (/beginning .parloops. part/) { split($1, part, ":"); loops[part[2] ":" part[3]] = $1 } next }
    /^;; Function/ { reason = "" }
    /^ *FAILED: / { sub(/^ *FAILED: /, ""); reason = $0; next }
    {
      for (line = $0; match(line, /:[0-9]+:[0-9]+\]/); line = substr(line, RSTART + RLENGTH)) {
        place = substr(line, RSTART + 1, RLENGTH - 2)
        if (!(place in loops)) continue
        seen[place] = 1
        if (reason == "") continue
        print loops[place] " missed: not parallelized: " reason
        reason = ""
        break
      }
    }
    END { for (place in loops) if (!(place in seen)) print loops[place] " missed: not parallelized: not searched" }
  ' "$said" "$dump" >"$dump.reasons" && cat "$dump.reasons" >>"$said"
fi
is_note='^[^ ]*:[0-9]+:[0-9]+: (note|optimized|missed): '
grep -v -E "$is_note" "$said" >&2
# Paths are absolute or relative, depending on the compiler cache. In the notes they are relative to ROOT.
grep -E "$is_note" "$said" | sed -E 's,^[^ :]*/(kernels|programs|npb|patterns|src)/,\1/,' | awk '!seen[$0]++' >"$notes"
{ echo "$file"; cut -d: -f1 "$notes"; } | sort -u | while read -r source; do
  [ -f "$root/$source" ] || continue
  mkdir -p "$(dirname "$share/$source")"
  cp "$root/$source" "$share/$source"
done
exit 0
