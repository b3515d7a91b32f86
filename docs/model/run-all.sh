#!/bin/bash
# Runs what runs.txt lists: run-all.sh [-j JOBS] [quick | BEGINNING-OF-A-NAME]
# Says of each whether it came out as expected; fails if one did not. Output in OUT, or in target/ beside this file:
# results.txt, and the traces. A whole run that is to be kept: copy results.txt over the one here, and X.trace to traces/X.txt.
here=$(cd "$(dirname "$0")" && pwd)
export OUT=${OUT:-$here/target}
one() { # NAME WANTED MODE EFFORT DEFINES...
  name=$1 want=$2 mode=$3 effort=$4; shift 4
  case $mode in bfs) export BFS=1;; cycles) export CYCLES=1;; fair) export FAIR=1;; *) hash=26;; esac
  case $effort in tiny) export OPT=-O0 HASH=20 MEM=2000;; quick) export OPT=-O1 HASH=24 MEM=2000;; *) export HASH=${hash:-24};; esac
  line=$("$here/check.sh" "$name" "$@")
  got=$(echo "$line" | awk -F' [|] ' '{split($3,a," "); print a[1]}')
  if [[ $got == "$want" ]]; then note="as expected"; else note="EXPECTED $want"; fi
  echo "$line | $note" | tee "$OUT/$name.result"
  [[ $got == "$want" ]]
}
if [[ $1 == --one ]]; then shift; one "$@"; exit; fi
jobs=1; if [[ $1 == -j ]]; then jobs=$2; shift 2; fi
mkdir -p "$OUT" && rm -f "$OUT"/*.result || exit 1
while read -r name want mode effort defs; do
  [[ -z $name || $name == \#* ]] && continue
  if [[ $1 == quick ]]; then [[ $effort == long ]] && continue; elif [[ $name != "$1"* ]]; then continue; fi
  echo "$name $want $mode $effort $defs"
done <"$here/runs.txt" | xargs -P "$jobs" -L 1 "$here/run-all.sh" --one
bad=$?
sort "$OUT"/*.result >"$OUT/results.txt"
exit $bad
