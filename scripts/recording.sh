# Functions for the scripts that record data. They skip completed commands and stop the script in time.
#   record FILE SEXTANT ARGUMENT…   runs `sextant run -o FILE ARGUMENT…` unless FILE.done lists the arguments
# SECONDS_LEFT is the time limit of the script in seconds (default: none). At the limit, the script exits with
# code 6, as sextant does. Run the same command to continue.
record() {
  local file=$1 sextant=$2 left code=0
  shift 2
  grep -qxF -- "$*" "$file.done" 2>/dev/null && return 0
  local budget=()
  if [ -n "${SECONDS_LEFT:-}" ]; then
    left=$((SECONDS_LEFT - SECONDS - 8))  # 8 s for the start of sextant and for its last case
    [ "$left" -gt 0 ] || exit 6
    budget=(--budget "${left}s")
  fi
  local begun=$SECONDS
  "$sextant" run -q -o "$file" "$@" "${budget[@]}" >/dev/null || code=$?
  # Exit code 3: a case timed out or was wrong. The file records that, and the script continues. Exit code 6:
  # the time is spent. Code 3 may hide code 6, so the elapsed time is checked, too.
  [ "$code" -eq 0 ] || [ "$code" -eq 3 ] || exit "$code"
  [ "$code" -eq 0 ] || [ -z "${left:-}" ] || [ $((SECONDS - begun)) -lt "$left" ] || exit 6
  printf '%s\n' "$*" >>"$file.done"
  [ -z "${RECORD_LOG:-}" ] || printf '%4d s  %s\n' "$SECONDS" "$*" >>"$RECORD_LOG"
}
