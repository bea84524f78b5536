"""Plays prompts to a checkpoint of `parity model` and checks that greedy generation says exactly what is expected.

    python -m venv VENV && VENV/bin/pip install torch==2.13.0 transformers==5.19.0
    VENV/bin/python harness/teleprompter/python/speak.py MODEL TURNS.json [--dtype float32]

MODEL is a folder written by `parity model`. TURNS.json is a list of {"name", "prompt_token_ids", "generation_token_ids"}; a
generation that ends with an id of the model's eos list must end by itself, another one is cut at its length. Prints the
count of exact turns and the smallest gap between the two best logits. Exit code 0 only if every turn is exact.
"""

import argparse
import json
import pathlib
import sys
import time

import torch
import transformers


class Margins(transformers.LogitsProcessor):
    """Notes the gap between the two best logits of every step, and keeps no logits."""

    def __init__(self):
        self.gaps = []

    def __call__(self, input_ids, scores):
        best, second = scores[0].float().topk(2).values.tolist()
        self.gaps.append(best - second)
        return scores


def say(model, prompt, expected, stops):
    """Ids that the model generates after a prompt, and the gap at every step."""
    room = len(expected) + 8 if expected[-1] in stops else len(expected)
    margins = Margins()
    ids = torch.tensor([prompt])
    with torch.inference_mode():
        out = model.generate(
            ids,
            attention_mask=torch.ones_like(ids),
            max_new_tokens=room,
            logits_processor=transformers.LogitsProcessorList([margins]),
        )
    return out[0, len(prompt) :].tolist(), margins.gaps


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("model")
    parser.add_argument("turns")
    parser.add_argument("--dtype", choices=["float32", "bfloat16", "float16"], help="default: the checkpoint's own")
    args = parser.parse_args()
    tokenizer = transformers.AutoTokenizer.from_pretrained(args.model, local_files_only=True)
    model = transformers.AutoModelForCausalLM.from_pretrained(args.model, dtype=args.dtype or "auto", local_files_only=True).eval()
    stops = set(model.generation_config.eos_token_id)
    turns = json.loads(pathlib.Path(args.turns).read_text())
    exact, tokens, smallest, started = 0, 0, (float("inf"), "nowhere"), time.monotonic()
    for turn in turns:
        name, expected = turn["name"], turn["generation_token_ids"]
        said, gaps = say(model, turn["prompt_token_ids"], expected, stops)
        smallest = min([smallest, *((gap, f"{name}, token {index}") for index, gap in enumerate(gaps))])
        tokens += len(said)
        exact += said == expected
        if said != expected:
            at = next((i for i, (a, b) in enumerate(zip(said, expected)) if a != b), min(len(said), len(expected)))
            print(f"{name}: differs at token {at}: expected {expected[at : at + 5]}, said {said[at : at + 5]}")
            print(f"  {tokenizer.decode(expected[at : at + 20])!r} / {tokenizer.decode(said[at : at + 20])!r}")
    print(
        f"{exact} of {len(turns)} turns exact, {tokens} tokens, smallest margin {smallest[0]:.3f} ({smallest[1]}); "
        f"{model.dtype}, transformers {transformers.__version__}, torch {torch.__version__}, {time.monotonic() - started:.0f} s"
    )
    return 0 if turns and exact == len(turns) else 1


if __name__ == "__main__":
    sys.exit(main())
