"""Writes parsers.vectors.json: what the engines' own parsers make of the replies; harness/oracle/parsers.test.ts checks against it.

    VENV/bin/python harness/oracle/python/parsers.py MODEL V25 TRTLLM harness/oracle/python/parsers.vectors.json

VENV has vLLM 0.32.0 (CPU build). MODEL is a folder with the tokenizer (`parity model --out MODEL`). V25 is a folder with the
Python files of the wheel of vLLM 0.25.1, unpacked and not installed: its parsers run on the other version's dependencies. TRTLLM
is a folder with TensorRT-LLM's package tensorrt_llm, of which only llmapi/reasoning_parser.py and serve/tool_parser/
{core_types,base_tool_parser,qwen3_tool_parser,qwen3_coder_parser}.py are read; TensorRT-LLM itself was not installed, its logger
and request model are stood in for. Its answers were made with the one-shot functions of those files, copied from NVIDIA/TensorRT-LLM
at 033a9d09 (reasoning), 01bf1923 (base), 674b6512 (qwen3) and 02499765 (qwen3_coder), all near 1.3.0rc21. The rest of the way to the message is below: vLLM's own composition of parsers, and for TensorRT-LLM what NeMo-RL's
server does with them. Nothing is downloaded. One case is one line.
"""

import importlib
import json
import logging
import os
import pathlib
import platform
import subprocess
import sys
import types

sys.dont_write_bytecode = True  # the cases lie in the source tree

import replies

SAME = "same"
NONE = "none"


def main(model, v25, trtllm, out):
    made_with, tables = {"python": platform.python_version(), "trtllm": "public sources near 1.3.0rc21"}, {}
    for engine, path in (("vllm-0.25.1", v25), ("vllm-0.32", None), ("trtllm", trtllm)):
        environment = {**os.environ, "VLLM_TARGET_DEVICE": "cpu", "VLLM_LOGGING_LEVEL": "ERROR"}
        if engine.startswith("vllm"):
            environment["PYTHONPATH"] = path or ""
        command = [sys.executable, __file__, "--answer", engine, model, path or "-"]
        run = subprocess.run(command, env=environment, stdout=subprocess.PIPE, check=True)
        answers = json.loads(run.stdout.decode().splitlines()[-1])
        tables[engine] = answers["answers"]
        made_with |= {f"{engine} {name}": version for name, version in answers["made_with"].items()}
    lines = []
    for index, (theme, name, text, setup) in enumerate(replies.cases()):
        first, *others = [table[index] for table in tables.values()]
        lines.append(json.dumps([theme, name, text, setup, first, *(SAME if other == first else other for other in others)]))
    columns = json.dumps(["theme", "case", "text", ["tools", "reasoning", "thinking", "offered"], *tables])
    head = f'"made_with": {json.dumps(made_with)},\n"tools": {json.dumps(replies.TOOLS)},\n"columns": {columns},\n'
    pathlib.Path(out).write_text("{\n" + head + '"cases": [\n' + ",\n".join(lines) + "\n]\n}\n", encoding="ascii")
    print(len(lines), "cases")


def answer(engine, model, path):
    logging.disable(logging.CRITICAL)
    parse, made_with = trtllm_parser(path) if engine == "trtllm" else vllm_parser(model)
    answers = [guarded(parse, text, *setup) for _, _, text, setup in replies.cases()]
    print(json.dumps({"made_with": made_with, "answers": answers}))


def guarded(parse, text, tool, reasoning, thinking, offered):
    """[reasoning, content, [[name, arguments]]], "none" for an engine without such a parser, the exception that fails a server."""
    try:
        message = parse(text, tool, reasoning, thinking, offered)
        json.dumps(message, ensure_ascii=False).encode()  # as the answer is printed
        return message
    except Exception as error:
        return f"fails: {type(error).__name__}"


def vllm_parser(model):
    import transformers
    import vllm
    from vllm.entrypoints.openai.chat_completion.protocol import ChatCompletionRequest, ChatMessage
    from vllm.parser.parser_manager import ParserManager
    from vllm.tokenizers.hf import get_cached_tokenizer

    def loaded(*more):
        tokenizer = transformers.AutoTokenizer.from_pretrained(model, local_files_only=True)
        tokenizer.add_tokens(list(more))
        return get_cached_tokenizer(tokenizer)

    tokenizer, llama = loaded(), loaded("<|python_tag|>")  # llama3_json refuses to start without that token
    names = {"json": "hermes", "xml": "qwen3_coder", "llama": "llama3_json"}

    def parse(text, tool, reasoning, thinking, offered):
        own = llama if tool == "llama" else tokenizer
        composed = ParserManager.get_parser(tool_parser_name=names[tool], reasoning_parser_name=reasoning, enable_auto_tools=True)
        asked = {"tools": replies.TOOLS} if offered else {}
        request = ChatCompletionRequest(messages=[{"role": "user", "content": "x"}], chat_template_kwargs={"enable_thinking": thinking}, **asked)
        parser = composed(own, request.tools, chat_template_kwargs=request.chat_template_kwargs)
        thought, content, calls = parser.parse(text, request, enable_auto_tools=True)
        if not offered or not calls:
            calls = []
        message = ChatMessage(role="assistant", reasoning=thought, content=content)
        return [message.reasoning, message.content, [[call.name, call.arguments] for call in calls]]

    versions = {"version": vllm.__version__, "transformers": transformers.__version__}
    return parse, versions


def trtllm_parser(path):
    def package(name, **members):
        module = types.ModuleType(name)
        module.__path__ = [str(pathlib.Path(path, *name.split(".")))]
        module.__dict__.update(members)
        sys.modules[name] = module

    def typed(**tool):
        return types.SimpleNamespace(function=types.SimpleNamespace(name=tool["function"]["name"]))

    quiet = logging.getLogger("tensorrt_llm")
    package("tensorrt_llm", logger=quiet)
    package("tensorrt_llm.logger", logger=quiet)
    package("tensorrt_llm.llmapi")
    package("tensorrt_llm.serve")
    package("tensorrt_llm.serve.openai_protocol", ChatCompletionToolsParam=typed)
    package("tensorrt_llm.serve.tool_parser")
    reasoning_parser = importlib.import_module("tensorrt_llm.llmapi.reasoning_parser")
    tool_parsers = importlib.import_module("tensorrt_llm.serve.tool_parser.qwen3_tool_parser")
    coders = importlib.import_module("tensorrt_llm.serve.tool_parser.qwen3_coder_parser")
    for parser in (tool_parsers.Qwen3ToolParser, coders.Qwen3CoderToolParser):
        parser.__abstractmethods__ = frozenset()
    reasoning_parser.DeepSeekR1Parser.__abstractmethods__ = frozenset()
    tools = [typed(**tool) for tool in replies.TOOLS]

    # From here on as NeMo-RL's server does (nemo_rl/models/generation/trtllm/trtllm_http_server.py).
    def split(text, name, thinking):
        if name is None:
            return "", text
        if name == "deepseek_r1":
            parser = reasoning_parser.DeepSeekR1Parser(reasoning_at_start=thinking, chat_template_kwargs={})
        else:
            parser = reasoning_parser.ReasoningParserFactory.create_reasoning_parser(name, {})
        result = parser.parse(text)
        return result.reasoning_content, result.content

    def parse(text, tool, reasoning, thinking, offered):
        if tool == "llama":
            return NONE
        thought, content = split(text, reasoning, thinking)
        parser = coders.Qwen3CoderToolParser() if tool == "xml" else tool_parsers.Qwen3ToolParser()
        if not offered or not content or not parser.has_tool_call(content):
            return [thought, content, []]
        result = parser.detect_and_parse(content, tools)
        if not result.calls:
            return [thought, content, []]
        return [thought, result.normal_text.strip() or None, [[item.name, item.parameters] for item in result.calls]]

    return parse, {}


if __name__ == "__main__":
    if sys.argv[1] == "--answer":
        answer(*sys.argv[2:])
    else:
        main(*sys.argv[1:])
