#!/usr/bin/env bash
# Tests `sextant submit` with a real Slurm of one node, one case per call:
#   submit_test.sh SEXTANT WORK sweep|printed|killed|node_down|terminated|gpus|refused
# Skipped (77) if Slurm's packages are missing.
set -uo pipefail
sextant=$1 work=$2 what=$3
here=$(cd "$(dirname "$0")" && pwd)
"$here/cluster" stop "$work/cluster" >/dev/null 2>&1
rm -rf "$work"
mkdir -p "$work"
cd "$work" || exit 1
fail() { echo "FAILED: $*"; for log in all.sextant.jobs/*.log; do echo "== $log"; tail -5 "$log"; done; exit 1; }
has() { grep -qF -- "$2" <<<"$1" || fail "no \"$2\" in: $1"; }
"$here/cluster" start "$work/cluster" || exit $?
trap '"$here/cluster" stop "$work/cluster" >/dev/null 2>&1' EXIT
. "$work/cluster/environment"

quick=(-k triad,copy,add -v serial -n 300,3001 --type float --no-ceilings --visits 1 --samples 2:3)
slow=(-k triad,copy,add,scale -v serial -n 1000000,1100000,1200000,1300000 --no-ceilings --visits 1 --no-transfers --samples 400:400)
wait_for_jobs() { for _ in $(seq 3000); do [ -z "$(squeue -h)" ] && return; sleep 0.1; done; fail "jobs do not end: $(squeue)"; }
wait_for_row() {  # waits until the table of part $1 shows a finished case
  for _ in $(seq 1200); do [ "$(grep -c ' ok' "all.sextant.jobs/shard-$1.log" 2>/dev/null)" -ge "$2" ] 2>/dev/null && return; sleep 0.1; done
  fail "part $1 measures nothing"
}
array() { sed -n 's/^ *"array": \([0-9]*\),.*/\1/p' all.sextant.jobs/plan.json | sed -n "${1:-\$}p"; }
columns() { "$sextant" export "$1" --format csv | python3 -c '
import csv, sys
rows = list(csv.DictReader(sys.stdin))
for r in sorted((r["kernel"], r["variant"], r["type"], r["n"], r["status"]) for r in rows): print(*r)'; }
complete() {  # checks that the merged file has each case of a run without Slurm once, and that all are right
  "$sextant" submit --status all.sextant >status.txt || fail "no status"
  has "$(cat status.txt)" "$1 of $1 parts are done; of $2 cases $2 are measured, 0 missing."
  [ "$(columns all.sextant | wc -l)" = "$2" ] || fail "$(columns all.sextant | wc -l) cases are in the file, not $2"
  [ "$(columns all.sextant | uniq | wc -l)" = "$2" ] || fail "a case is there twice"
  [ "$(columns all.sextant | grep -c ' ok$')" = "$2" ] || fail "not all are right"
}

sweep() {
  said=$("$sextant" submit "${quick[@]}" --shards 4 -o all.sextant) || fail "submit: $said"
  has "$said" "parts 1-4"
  wait_for_jobs
  complete 4 12
  "$sextant" run -q "${quick[@]}" -o alone.sextant >/dev/null || fail "the run without Slurm"
  [ "$(columns all.sextant)" = "$(columns alone.sextant)" ] || fail "other cases than without Slurm"
  said=$("$sextant" submit --again all.sextant) || fail "again"
  has "$said" "no case is missing"
}

# The output of --print is run as a script: the same sweep, with its prologue in both jobs.
printed() {
  echo 'echo "prologue on $(hostname)"' >prologue.sh
  "$sextant" submit "${quick[@]}" --shards 4 --print --prologue prologue.sh -o all.sextant >send.sh || fail print
  [ ! -e all.sextant.jobs ] || fail "--print made the folder"
  said=$(sh send.sh) || fail "send.sh: $said"
  has "$said" "joins the parts in"
  has "$(scontrol show job "$(sed -n 's/^ *"merge": \([0-9]*\),.*/\1/p' all.sextant.jobs/plan.json)" -o)" "afterany:$(array)"
  wait_for_jobs
  complete 4 12
  for log in merge shard-1; do has "$(cat all.sextant.jobs/$log.log)" "prologue on"; done
}

killed() {
  "$sextant" submit "${slow[@]}" --shards 2 -o all.sextant >/dev/null || fail submit
  wait_for_row 1 1
  said=$("$sextant" submit --status all.sextant)
  has "$said" running
  pkill -9 -f -- "--shard 1/2 -o $PWD/" || fail "nothing to kill"
  wait_for_jobs
  said=$(cat all.sextant.jobs/merge.log)
  has "$said" "cases are missing, in part 1. Submit them again: sextant submit --again"
  has "$(scontrol show job "$(sed -n 's/^ *"merge": \([0-9]*\),.*/\1/p' all.sextant.jobs/plan.json)" -o)" "ExitCode=6:0"
  has "$("$sextant" submit --status all.sextant)" stopped
  said=$("$sextant" submit --again all.sextant) || fail again
  has "$said" "part 1 of"
  wait_for_jobs
  complete 2 64
  [ "$(squeue -h -r -t all -j "$(array)" -o %K)" = 1 ] || fail "another part than 1 was sent again"
}

node_down() {
  "$sextant" submit "${slow[@]}" --shards 2 -o all.sextant >/dev/null || fail submit
  wait_for_row 1 2
  node=$(sinfo -h -o %n)
  scontrol update nodename="$node" state=down reason=test || fail "the node stays up"
  for _ in $(seq 300); do pgrep -f -- "--shard 1/2 -o $PWD/" >/dev/null || break; sleep 0.1; done
  scontrol update nodename="$node" state=resume 2>/dev/null  # refused if the node returned on its own
  wait_for_jobs
  has "$(cat all.sextant.jobs/shard-1.log)" "already holds"
  has "$(scontrol show job "$(array)_1" -o)" "Restarts=1"
  complete 2 64
}

terminated() {
  "$sextant" submit "${slow[@]}" --shards 2 -o all.sextant >/dev/null || fail submit
  wait_for_row 1 1
  scancel -b -s TERM "$(array)_1" || fail "no signal"
  wait_for_jobs
  has "$(cat all.sextant.jobs/shard-1.log)" "interrupted:"
  has "$(scontrol show job "$(array)_1" -o)" "ExitCode=143:0"
  "$sextant" submit --again all.sextant >/dev/null || fail again
  wait_for_jobs
  complete 2 64
}

# Concurrent tasks each see a different GPU. --devices all uses the GPUs of the allocation, and a part uses
# those of its node.
gpus() {
  "$sextant" list variants -k triad | grep -q openacc || { echo "skipped: this build has no OpenACC, which runs on stand-ins"; exit 77; }
  export SEXTANT_STAND_IN_GPUS=alpha,beta,gamma,delta
  sbatch -W --array=1-2 --gres=gpu:1 -o task-%a.txt --wrap "$sextant list devices; sleep 2" >/dev/null || fail "the two tasks"
  [ "$(cat task-1.txt task-2.txt | grep -o 'stand-in [a-z]*' | sort -u | wc -l)" = 2 ] || fail "$(cat task-1.txt task-2.txt)"
  export SEXTANT_STAND_IN_GPUS=alpha,alpha,alpha,alpha
  distributed=(-k triad,copy,add -v openacc.parallel_loop -n 300,3001,5001,7001 --type float --no-ceilings --visits 1 --no-sentinels --samples 2:3)
  sbatch -W --gres=gpu:2 -o two.txt --wrap "$sextant run ${distributed[*]} --devices all -o two.sextant; $sextant run --devices gpu0-2 --dry-run" >/dev/null
  has "$(cat two.txt)" "names gpu2, but this machine has only gpu0, gpu1"
  [ "$("$sextant" export two.sextant --format csv | grep -oE 'gpu[0-9]' | sort -u | xargs)" = "gpu0 gpu1" ] || fail "other GPUs than two: $(cat two.txt)"
  "$sextant" submit "${distributed[@]}" --devices all --shards 2 -o all.sextant -- --gres=gpu:4 >/dev/null || fail submit
  wait_for_jobs
  complete 2 12
  [ "$(columns all.sextant)" = "$(columns two.sextant)" ] || fail "other cases than on two GPUs without submit"
}

# Each error is reported before anything is queued or left behind.
refused() {
  said=$("$sextant" submit "${quick[@]}" --shards 2 -o all.sextant -- --nonsense=3 2>&1) && fail "nonsense was taken"
  has "$said" "--nonsense"
  said=$("$sextant" submit "${quick[@]}" --shards 2 -o all.sextant -- -p nowhere 2>&1) && fail "a partition that is not there was taken"
  has "$said" "invalid partition"
  said=$(PATH=/bin:/nowhere SLURM_CONF='' env PATH=/nowhere "$sextant" submit "${quick[@]}" --shards 2 -o all.sextant 2>&1)
  [ $? = 5 ] || fail "no Slurm: $said"
  has "$said" "--print"
  mkdir full && mount -t tmpfs -o size=4k none full 2>/dev/null && {
    said=$("$sextant" submit "${quick[@]}" --shards 2 -o full/all.sextant 2>&1) && fail "a full disk was not seen"
    umount full
    has "$said" "space"
  }
  [ ! -e all.sextant.jobs ] || fail "something was left behind"
  [ -z "$(squeue -h -t all)" ] || fail "something was queued: $(squeue -t all)"
  "$sextant" submit "${quick[@]}" --shards 2 -o all.sextant >/dev/null || fail submit
  said=$("$sextant" submit "${quick[@]}" --shards 2 -o all.sextant 2>&1) && fail "a second sweep into the same file was taken"
  has "$said" "--status"
  wait_for_jobs
  [ "$(squeue -h -t all -o %A | sort -u | wc -l)" -le 4 ] || fail "the second sweep was queued"
}

$what
echo "passed: $what"
