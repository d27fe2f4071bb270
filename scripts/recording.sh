# Sourced by the scripts that record data: commands that are done are not repeated, and all stop in time.
#   record FILE SEXTANT ARGUMENT…   runs `sextant run -o FILE ARGUMENT…` unless FILE.done says that it was run
# SECONDS_LEFT: for so long the script may run (default: no limit). When they are spent it exits with 6, as sextant
# does, and the same command continues.
record() {
  local file=$1 sextant=$2 left code=0
  shift 2
  grep -qxF -- "$*" "$file.done" 2>/dev/null && return 0
  local budget=()
  if [ -n "${SECONDS_LEFT:-}" ]; then
    left=$((SECONDS_LEFT - SECONDS - 8))  # its start, and the case that runs when they are spent
    [ "$left" -gt 0 ] || exit 6
    budget=(--budget "${left}s")
  fi
  local begun=$SECONDS
  "$sextant" run -q -o "$file" "$@" "${budget[@]}" >/dev/null || code=$?
  # 3: some case timed out or was wrong, which the file says and which ends nothing; 6: the seconds are spent, which 3 hides.
  [ "$code" -eq 0 ] || [ "$code" -eq 3 ] || exit "$code"
  [ "$code" -eq 0 ] || [ -z "${left:-}" ] || [ $((SECONDS - begun)) -lt "$left" ] || exit 6
  printf '%s\n' "$*" >>"$file.done"
  [ -z "${RECORD_LOG:-}" ] || printf '%4d s  %s\n' "$SECONDS" "$*" >>"$RECORD_LOG"
}
