#!/bin/bash
# One run of the model: check.sh NAME [-Dx=y ...]
# Environment: BFS=1 (shortest trace), CYCLES=1 (look for any infinite run instead), FAIR=1 (check the LTL formula under
# weak fairness instead; needs -DLIVE), MEM (MB), DEPTH, HASH (log2 of the hash table's size), SECS, OPT (for gcc),
# OUT (directory of all output, target/ beside this file if not given).
# Leaves OUT/NAME.log and, when something is violated, OUT/NAME.trace; prints one line of result.
here=$(cd "$(dirname "$0")" && pwd); name=$1; shift
out=${OUT:-$here/target}; mkdir -p "$out" || exit 1
dir=$out/tmp.$name; rm -rf "$dir" "$out/$name".{log,trace}; mkdir -p "$dir"; cd "$dir" || exit 1
cp "$here/blocks.pml" . && spin -a "$@" blocks.pml >spin.log 2>&1 || { echo "$name: spin failed"; cat spin.log; exit 1; }
read -ra opts <<<"${OPT:--O3 -march=native} -w -DNOREDUCE -DNOBOUNDCHECK -DVECTORSZ=2048 -DMEMLIM=${MEM:-5500} ${PAN_CFLAGS:-}"
args=(-n "-m${DEPTH:-200000}" "-w${HASH:-24}")
if [ -n "$FAIR" ]; then opts+=(-DNFAIR=8); args+=(-a -f)
elif [ -n "$CYCLES" ]; then opts+=(-DNP -DNFAIR=8); args+=(-E -l -f)
else opts+=(-DSAFETY); args+=(-E); fi
[ -n "$BFS" ] && opts+=(-DBFS)
gcc "${opts[@]}" -o pan pan.c 2>gcc.log || { echo "$name: gcc failed"; cat gcc.log; exit 1; }
start=$(date +%s)
timeout "${SECS:-600}" ./pan "${args[@]}" >run.log 2>&1; rc=$?
secs=$(( $(date +%s) - start ))
states=$(grep -oE '[0-9.e+]+ states, stored' run.log | head -1 | cut -d' ' -f1)
mem=$(grep -oE '[0-9.]+.total actual memory' run.log | grep -oE '^[0-9.]+' | head -1)
verdict=ok
grep -q 'errors: 0' run.log || verdict=INCOMPLETE
grep -qiE 'out of memory|search depth too small|reached -DMEMLIM|memory limit|hash table too|Search not completed' run.log && verdict=INCOMPLETE
[ $rc -eq 124 ] && verdict=INCOMPLETE
what=""
if ls ./*.trail >/dev/null 2>&1; then
  ./pan -r -n 2>/dev/null >replay.txt
  grep -oE '(agent|pod|pool|controller|collector|kubernetes|late write|node|leader|another|---|VIOLATED|first process|START OF CYCLE).*' replay.txt | grep -v '^pod\[' | sed '/VIOLATED/q' >"$out/$name.trace"
  what=$(grep -m1 VIOLATED "$out/$name.trace"); verdict=VIOLATED; [ -n "$CYCLES$FAIR" ] && { verdict=CYCLE; what=""; }
fi
cp run.log "$out/$name.log"; cd "$out" && rm -rf "$dir"
echo "$name | $* | $verdict ${what#VIOLATED: } | states $states | ${secs}s | ${mem:-?} MB"
