#!/bin/bash
# A worker as a task of HyperQueue. Sixteen workers of four processors each:
#   hq submit --array=0-15 --cpus=4 ./worker.hq.sh INVITATION
# INVITATION is vw1_… or the full path of a file that holds it.
set -euo pipefail
invitation=${1:?expected an invitation (vw1_…), or a file that holds one}
# HyperQueue says here how many processors --cpus has asked for.
exec verdict worker --join "$invitation" --name "hq-${HQ_JOB_ID:-0}-${HQ_TASK_ID:-0}" --slots "${HQ_RESOURCE_REQUEST_cpus:-1}"
