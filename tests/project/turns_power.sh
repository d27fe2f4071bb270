#!/usr/bin/env bash
# Counts how often `sextant compare --programs` detects a planted slowdown (on the CPU and of CUDA variants), and how often it
# calls equal programs different. Run by hand.
#   turns_power.sh BUILD SHARE BUDGET [SELECTION…]      e.g. turns_power.sh build/cpu 0.1 5m -k copy,triad -n 7936,130560
# SHARE 0 compares equal programs. Prints the number of cases with each verdict. BUILD is a build folder or a folder by
# gpu-pack, with sextant and sextant_slower.
set -euo pipefail
[ $# -ge 3 ] || { sed -n '2,7s/^# \{0,1\}//p' "$0" >&2; exit 2; }
bin=$(realpath "$1") share=$2 budget=$3
[ ! -d "$bin/bin" ] || bin=$bin/bin
shift 3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for side in plain slower; do
  value=0
  [ $side = plain ] || value=$share
  printf '#!/bin/sh\nSEXTANT_SLOWER=%s exec "%s" worker\n' "$value" "$bin/sextant_slower" >"$folder/$side"
  chmod +x "$folder/$side"
done
"$bin/sextant" compare --programs "$folder/plain,$folder/slower" --results "$folder/a.sextant,$folder/b.sextant" -q --budget "$budget" \
  --json "$@" >"$folder/out.json" || true
python3 - "$folder/out.json" "$share" <<'PYTHON'
import collections, json, sys
cases = json.load(open(sys.argv[1]))["comparisons"][0]["cases"]
counts = collections.Counter(c["verdict"] for c in cases)
print(f"planted {float(sys.argv[2]):.0%}: {len(cases)} cases:", ", ".join(f"{n} {v}" for v, n in counts.most_common()))
for c in cases:
    print(f"  {c['kernel']:14} {c['variant']:18} {c['type']:6} {c['n']:9} {c['verdict']:9} {c['ratio'] or 0:.3f}"
          f" ({c['base_runs']} turns) {c.get('reason') or ''}")
PYTHON
