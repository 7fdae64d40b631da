#!/bin/bash
# A worker as a task of HyperQueue. Sixteen of them, of four processors each:
#   hq submit --array=0-15 --cpus=4 ./worker.hq.sh INVITATION
set -euo pipefail
invitation=${1:?expected the invitation, or a file that holds it}
exec verdict worker --join "$invitation" --name "hq-${HQ_TASK_ID:-0}" --slots "${HQ_NUM_CPUS:-4}"
