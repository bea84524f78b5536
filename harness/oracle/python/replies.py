"""Replies to parse, by what is tried and by theme; each theme is a row of the table that harness/oracle/parsers.test.ts prints."""

import json
import random

THOUGHT = "<think>\nHm.\n</think>\n\n"
OSLO = '{"name": "get_weather", "arguments": {"city": "Oslo"}}'
DATE = '{"name": "date", "arguments": {}}'


def block(text, start="<tool_call>\n", end="\n</tool_call>"):
    return start + text + end


def typed(value):
    return block('{"name": "t", "arguments": ' + value + "}")


def xml(name, *parameters, start="<tool_call>\n", end="\n</tool_call>"):
    body = "".join(f"<parameter={key}>\n{value}\n</parameter>\n" for key, value in parameters)
    return f"{start}<function={name}>\n{body}</function>{end}"


OSLO_XML = xml("get_weather", ("city", "Oslo"))
DATE_XML = xml("date")

TOOLS = [
    {"type": "function", "function": {"name": "get_weather", "description": "d", "parameters": {"type": "object", "properties": {"city": {"type": "string"}, "days": {"type": "integer"}}}}},
    {"type": "function", "function": {"name": "date", "parameters": {}}},
    {"type": "function", "function": {"name": "t", "parameters": {"type": "object", "properties": {"s": {"type": "string"}, "i": {"type": "integer"}, "n": {"type": "number"}, "b": {"type": "boolean"}, "o": {"type": "object"}, "a": {"type": "array", "items": {"type": "integer"}}, "z": {"type": ["string", "null"]}, "any": {}}}}},
]

# Calls as JSON between tags: vLLM's hermes, TensorRT-LLM's qwen3.
JSON_CALLS = {
    "single": {"one call": block(OSLO), "on one line": block(OSLO, "<tool_call>", "</tool_call>"), "an unknown tool": block('{"name": "rm", "arguments": {"x": 1}}')},
    "parallel": {"two calls": block(OSLO) + "\n" + block(DATE), "two calls on one line": block(OSLO, "<tool_call>", "</tool_call>") * 2, "a list in one block": block(f"[{OSLO}, {DATE}]"), "three calls without a line between": block(OSLO) + block(DATE) + block(OSLO)},
    "none": {"an answer": "It is 4.", "nothing": "", "blanks": " \n\n ", "JSON without tags": OSLO, "a half tag": "so <tool_cal"},
    "malformed": {
        "no JSON": block("{bad}"), "an empty block": block(""), "single quotes": block("{'name': 'date', 'arguments': {}}"), "a trailing comma": block('{"name": "date", "arguments": {},}'),
        "bad before good": block("{bad}") + "\n" + block(OSLO), "bad behind good": block(OSLO) + "\n" + block("{bad}"), "no name": block('{"arguments": {}}'), "no name beside a good one": block('{"arguments": {}}') + block(OSLO),
        "two values in a block": block(OSLO + "\n" + DATE), "a comment": block(OSLO + " // x"), "a control character": block('{"name": "date", "arguments": {"a": "x\ty"}}'), "an end without a beginning": "</tool_call>" + block(OSLO),
    },
    "missing end": {"no end": "<tool_call>\n" + OSLO, "no end behind a good one": block(OSLO) + "\n<tool_call>\n" + DATE, "cut in the arguments": block(OSLO) + '\n<tool_call>\n{"name": "da', "cut in the only one": '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Os', "cut behind the tag": "Now: <tool_call>", "cut in the end tag": "<tool_call>\n" + OSLO + "\n</tool_", "text behind no end": "<tool_call>\n" + OSLO + "\nDone."},
    "empty arguments": {"an empty object": block(DATE), "no arguments": block('{"name": "date"}'), "null": block('{"name": "date", "arguments": null}'), "an empty text": block('{"name": "date", "arguments": ""}'), "parameters": block('{"name": "get_weather", "parameters": {"city": "Oslo"}}'), "parameters and arguments": block('{"name": "date", "parameters": {"a": 1}, "arguments": {"b": 2}}'), "empty parameters and arguments": block('{"name": "date", "parameters": {}, "arguments": {"b": 2}}')},
    "complex types": {"nested": typed('{"o": {"k": [1, {"l": null}]}, "a": [[], {}]}'), "arguments as text": block('{"name": "t", "arguments": "{\\"a\\": 1}"}'), "a list": typed("[1, 2]"), "booleans": typed('{"b": true, "c": false}'), "further keys": block('{"id": 7, "name": "date", "arguments": {}, "x": []}'), "name behind arguments": block('{"arguments": {"city": "Oslo"}, "name": "get_weather"}')},
    "interleaved text": {"before": "Let me look.\n\n" + block(OSLO), "behind": block(OSLO) + "\nDone.", "between": block(OSLO) + " and " + block(DATE), "everywhere": "A " + block(OSLO) + " B " + block(DATE) + " C", "blanks before": " \n\t" + block(OSLO)},
    "duplicates": {"the same call twice": block(OSLO) * 2, "a key twice": typed('{"a": 1, "b": 2, "a": 3}'), "name twice": block('{"name": "x", "name": "date", "arguments": {}}'), "arguments twice": block('{"name": "t", "arguments": {"a": 1}, "arguments": {"b": 2}}')},
    "whitespace": {"blanks around": block(f"  {OSLO} \n\n"), "no line before": block(OSLO, "<tool_call>"), "no line behind": block(OSLO, end="</tool_call>"), "Windows lines": block(OSLO, "<tool_call>\r\n", "\r\n</tool_call>"), "inside": block('{ "name" :"t" ,\n"arguments":{"a":1,"b" : [ ] } }'), "Unicode blanks around": block("\u00a0" + OSLO + "\u2003"), "a blank behind the tag": block(OSLO, "<tool_call> \n"), "ended on one line among others": block(OSLO, end="</tool_call>") + block(DATE)},
    "doubled opener": {"twice": "<tool_call>\n" + block(OSLO), "twice in a line": "<tool_call>" + block(OSLO), "a second one inside": block(OSLO + "\n<tool_call>\n" + DATE), "closed twice": block(OSLO) + "\n</tool_call>"},
    "special-token text": {"in an argument": block('{"name": "t", "arguments": {"s": "a<|im_end|>b"}}'), "before a call": "a<|im_start|>b" + block(OSLO), "in an answer": "see <|endoftext|> here", "in a name": block('{"name": "d<|box_end|>", "arguments": {}}'), "think tags in an argument": block('{"name": "t", "arguments": {"s": "<think>x</think>y"}}'), "a call's end in an argument": block('{"name": "t", "arguments": {"s": "a</tool_call>b"}}')},
    "scalars": {"text": block('"date"'), "a number": block("7"), "null": block("null"), "true": block("true"), "a scalar beside a good one": block("7") + block(OSLO), "a list of scalars": block("[1]"), "a name that is a number": block('{"name": 7, "arguments": {}}'), "an empty name": block('{"name": "", "arguments": {}}'), "a name that is null": block('{"name": null, "arguments": {}}'), "arguments that are a number": block('{"name": "t", "arguments": 7}')},
    "NaN": {"NaN": typed('{"n": NaN}'), "Infinity": typed('{"n": [Infinity, -Infinity]}'), "beyond a double": typed('{"n": 1e999}'), "minus zero": typed('{"n": -0.0, "i": -0}'), "exponents": typed('{"n": [1e3, 1E-7, 1.0, 0.1, 123456789.123456789e10]}')},
    "huge integers": {"2^53+1": typed('{"i": 9007199254740993}'), "forty digits": typed('{"i": 1234567890123456789012345678901234567890}'), "a huge negative": typed('{"i": -99999999999999999999999}')},
    "escapes": {"\\u": typed('{"s": "\\u00e9\\u4f60"}'), "a pair": typed('{"s": "\\ud83d\\ude00"}'), "half a pair": typed('{"s": "\\ud83d"}'), "half a pair in a name": block('{"name": "f\\ude00", "arguments": {}}'), "simple ones": typed('{"s": "\\"\\\\\\/\\b\\f\\n\\r\\t"}'), "NUL": typed('{"s": "a\\u0000b"}'), "raw text beyond ASCII": typed('{"s": "Z\u00fcrich \U0001f600 \u2028 \u007f"}'), "an escaped key": typed('{"\\u0061": 1}'), "a bad escape": typed('{"s": "\\x"}')},
}

# Calls as tags: qwen3_coder on both engines.
XML_CALLS = {
    "single": {"one call": OSLO_XML, "on one line": "<tool_call><function=get_weather><parameter=city>Oslo</parameter></function></tool_call>", "an unknown tool": xml("rm", ("x", "1"))},
    "parallel": {"two calls": OSLO_XML + "\n" + DATE_XML, "two functions in one block": "<tool_call>\n<function=date>\n</function>\n<function=date>\n</function>\n</tool_call>", "three calls without a line between": OSLO_XML + DATE_XML + OSLO_XML},
    "none": {"an answer": "It is 4.", "nothing": "", "blanks": " \n\n ", "a half tag": "so <tool_cal", "a greater-than": "1 > 0 and 0 < 1"},
    "malformed": {
        "an empty block": "x<tool_call></tool_call>y", "no function": "<tool_call>\nget_weather\n</tool_call>", "no end of a head": "<tool_call>\n<function=date\n</function>\n</tool_call>", "no name": "<tool_call>\n<function=>\n</function>\n</tool_call>",
        "JSON in a block": block(OSLO), "JSON under no name": "<tool_call>\n<function=>\n" + OSLO + "</function>\n</tool_call>", "JSON in a function": "<tool_call>\n<function=date>\n{\"a\": 1}\n</function>\n</tool_call>", "bad before good": "<tool_call>\nx\n</tool_call>\n" + OSLO_XML, "an end without a beginning": "</tool_call>" + OSLO_XML,
        "a function without a block": "Now: <function=date>\n</function>", "parameters without a function": "<tool_call>\n<parameter=a>\n1\n</parameter>\n</tool_call>", "no end of a parameter's head": "<tool_call>\n<function=t>\n<parameter=s\n1\n</parameter>\n</function>\n</tool_call>",
    },
    "missing end": {"no end of the block": OSLO_XML[:-12], "no end of the function": OSLO_XML.replace("</function>", ""), "no end of the parameter": OSLO_XML.replace("</parameter>\n", ""), "another parameter behind no end": "<tool_call>\n<function=get_weather>\n<parameter=city>\nOslo\n<parameter=days>\n3\n</parameter>\n</function>\n</tool_call>", "cut in a value": "<tool_call>\n<function=get_weather>\n<parameter=city>\nOs", "cut in a name": "Now: <tool_call>\n<function=get_wea", "cut behind a name": "<tool_call>\n<function=date>", "cut in the opening": "Now: <tool_call>\n<func", "cut behind the tag": "Now: <tool_call>", "no end behind a good one": OSLO_XML + "\n<tool_call>\n<function=date>\n"},
    "empty arguments": {"no parameters": DATE_XML, "an empty value": xml("t", ("s", "")), "an empty value on one line": "<tool_call><function=t><parameter=s></parameter></function></tool_call>", "blank value": xml("t", ("s", "  ")), "an empty key": xml("t", ("", "x"))},
    "complex types": {"an object": xml("t", ("o", '{"k": [1, null]}')), "a list": xml("t", ("a", '["1", 2]')), "a Python dict": xml("t", ("o", "{'k': True, 'l': None}")), "a Python tuple": xml("t", ("any", "(1, 'x')")), "booleans": xml("t", ("b", "True"), ("any", "true")), "a number for a text": xml("t", ("s", "7")), "a text for a number": xml("t", ("i", "seven")), "several lines": xml("t", ("s", "a\n\n  b\n")), "an undeclared key": xml("t", ("q", "1.0")), "null for a text": xml("t", ("z", "null"), ("s", "null"))},
    "interleaved text": {"before": "Let me look.\n\n" + OSLO_XML, "behind": OSLO_XML + "\nDone.", "between": OSLO_XML + " and " + DATE_XML, "everywhere": "A " + OSLO_XML + " B " + DATE_XML + " C", "blanks before": " \n\t" + OSLO_XML, "inside a block": "<tool_call>\nx <function=date>\n</function> y\n</tool_call>"},
    "duplicates": {"the same call twice": OSLO_XML * 2, "a key twice": xml("t", ("s", "a"), ("i", "1"), ("s", "b"))},
    "whitespace": {"blanks in a value": xml("t", ("s", "  a  ")), "lines in a value": xml("t", ("s", "\n\na\n\n")), "blanks in a name": "<tool_call>\n<function= date >\n</function>\n</tool_call>", "blanks in a key": "<tool_call>\n<function=t>\n<parameter= s >\nx\n</parameter>\n</function>\n</tool_call>", "Windows lines": OSLO_XML.replace("\n", "\r\n"), "Unicode blanks in a value": xml("t", ("s", "\u00a0a\u2003")), "indented": "  <tool_call>\n    <function=t>\n      <parameter=s>\n        x\n      </parameter>\n    </function>\n  </tool_call>"},
    "doubled opener": {"twice": "<tool_call>\n" + OSLO_XML, "twice in a line": "<tool_call>" + OSLO_XML, "the function twice": "<tool_call>\n<function=date>\n<function=date>\n</function>\n</tool_call>", "closed twice": OSLO_XML + "\n</tool_call>"},
    "special-token text": {"in a value": xml("t", ("s", "a<|im_end|>b")), "before a call": "a<|im_start|>b" + OSLO_XML, "in an answer": "see <|endoftext|> here", "in a name": xml("d<|box_end|>"), "think tags in a value": xml("t", ("s", "<think>x</think>y")), "a block's end in a value": xml("t", ("s", "a</tool_call>b")), "a function's end in a value": xml("t", ("s", "a</function>b")), "HTML in a value": xml("t", ("s", "&lt;b&gt; &amp; &eacute;"))},
    "scalars": {"a number": xml("t", ("i", "7"), ("n", "7"), ("any", "7")), "a float for an integer": xml("t", ("i", "7.0"), ("n", "7.50")), "01": xml("t", ("i", "01"), ("any", "01")), "an underscore": xml("t", ("i", "1_000"), ("any", "1_000")), "text in quotes": xml("t", ("s", '"x"'), ("any", '"x"')), "null": xml("t", ("i", "null"), ("any", "None"))},
    "NaN": {"NaN": xml("t", ("n", "NaN"), ("any", "NaN")), "Infinity": xml("t", ("n", "-Infinity"), ("any", "Infinity")), "beyond a double": xml("t", ("n", "1e999"), ("any", "1e999")), "minus zero": xml("t", ("n", "-0.0"), ("i", "-0")), "exponents": xml("t", ("n", "1e3"), ("any", "1E-7"))},
    "huge integers": {"2^53+1": xml("t", ("i", "9007199254740993"), ("n", "9007199254740993"), ("any", "9007199254740993")), "forty digits": xml("t", ("i", "1" * 40), ("any", "1" * 40)), "a huge float": xml("t", ("n", "123456789012345678901234567890.0"))},
    "escapes": {"\\u in a text": xml("t", ("s", "\\u00e9")), "\\u in JSON": xml("t", ("o", '{"k": "\\u00e9"}')), "half a pair in JSON": xml("t", ("o", '{"k": "\\ud83d"}')), "raw text beyond ASCII": xml("t", ("s", "Z\u00fcrich \U0001f600 \u2028")), "a backslash": xml("t", ("s", "a\\nb"))},
}

# Calls as bare JSON: vLLM's llama3_json; TensorRT-LLM has none.
OSLO_BARE = '{"name": "get_weather", "parameters": {"city": "Oslo"}}'
DATE_BARE = '{"name": "date", "parameters": {}}'
LLAMA_CALLS = {
    "single": {"one call": OSLO_BARE, "with the tag": "<|python_tag|>" + OSLO_BARE, "arguments": OSLO, "an unknown tool": '{"name": "rm", "parameters": {"x": 1}}'},
    "parallel": {"by a semicolon": OSLO_BARE + "; " + DATE_BARE, "by a line": OSLO_BARE + "\n" + DATE_BARE, "side by side": OSLO_BARE + DATE_BARE, "a list": f"[{OSLO_BARE}, {DATE_BARE}]"},
    "none": {"an answer": "It is 4.", "nothing": "", "blanks": " \n ", "the tag alone": "<|python_tag|>", "the tag and text": "<|python_tag|>print(1)"},
    "malformed": {"no JSON": "{bad}", "braces in an answer": "a set {1, 2} of numbers", "single quotes": "{'name': 'date', 'parameters': {}}", "bad before good": "{bad} " + OSLO_BARE, "bad behind good": OSLO_BARE + " {bad}", "no name": '{"parameters": {}}', "other JSON": '{"a": 1}', "other JSON behind a call": OSLO_BARE + ' {"a": 1}'},
    "missing end": {"cut": OSLO_BARE[:-3], "cut behind a good one": OSLO_BARE + "; " + DATE_BARE[:-1]},
    "empty arguments": {"an empty object": DATE_BARE, "neither": '{"name": "date"}', "null": '{"name": "date", "parameters": null}', "both": '{"name": "date", "parameters": {"a": 1}, "arguments": {"b": 2}}'},
    "complex types": {"nested": '{"name": "t", "parameters": {"o": {"k": [1, {"name": "date"}]}}}', "a list": '{"name": "t", "parameters": [1]}', "as text": '{"name": "t", "parameters": "{\\"a\\": 1}"}'},
    "interleaved text": {"before": "Let me look. " + OSLO_BARE, "behind": OSLO_BARE + " Done.", "between": OSLO_BARE + " and " + DATE_BARE},
    "duplicates": {"the same call twice": OSLO_BARE * 2, "a key twice": '{"name": "t", "parameters": {"a": 1, "b": 2, "a": 3}}'},
    "whitespace": {"around": " \n" + OSLO_BARE + "\n ", "inside": '{ "name" :"t" ,\n"parameters":{"a":1} }', "a Unicode blank behind a brace": "{\u00a0" + OSLO_BARE[1:]},
    "doubled opener": {"the tag twice": "<|python_tag|><|python_tag|>" + OSLO_BARE, "a brace twice": "{" + OSLO_BARE},
    "special-token text": {"in an argument": '{"name": "t", "parameters": {"s": "a<|im_end|>b"}}', "in an answer": "see <|endoftext|> here"},
    "scalars": {"a name that is a number": '{"name": 7, "parameters": {}}', "arguments that are a number": '{"name": "t", "parameters": 7}', "an empty name": '{"name": "", "parameters": {}}'},
    "NaN": {"NaN": '{"name": "t", "parameters": {"n": [NaN, Infinity, 1e999, -0.0, 1e3]}}'},
    "huge integers": {"forty digits": '{"name": "t", "parameters": {"i": 1234567890123456789012345678901234567890}}'},
    "escapes": {"\\u": '{"name": "t", "parameters": {"s": "\\u00e9\\ud83d\\ude00"}}', "half a pair": '{"name": "t", "parameters": {"s": "\\ud83d"}}', "raw text beyond ASCII": '{"name": "t", "parameters": {"s": "Z\u00fcrich \U0001f600"}}'},
}

# Reasoning: qwen3 and deepseek_r1, before an answer or a call in JSON.
THOUGHTS = {
    "single": {"thought and answer": "<think>\nHm.\n</think>\n\nFour.", "no opening tag": "Hm.\n</think>\n\nFour.", "on one line": "<think>a</think>b"},
    "none": {"no tags": "Four.", "nothing": "", "blanks": " \n ", "an empty thought": "<think>\n\n</think>\n\nFour.", "nothing in the tags": "<think></think>Four."},
    "malformed": {"the tags the wrong way": "a</think>b<think>c", "half tags": "<think a</think", "another case": "<THINK>a</THINK>b", "a blank in a tag": "< think>a</ think>b", "a slash behind": "<think>a<think/>b"},
    "missing end": {"open": "<think>\nHm.", "open, no tag": "Hm.", "nothing behind": "<think>\nHm.\n</think>", "blanks behind": "<think>\nHm.\n</think>\n\n", "cut in the end tag": "<think>\nHm.\n</thi", "open, a call inside": "<think>\nHm.\n" + block(OSLO)},
    "reasoning plus call": {"a call behind": THOUGHT + block(OSLO), "a call behind, no opening tag": "Hm.\n</think>\n\n" + block(OSLO), "text and a call": THOUGHT + "Look:\n" + block(OSLO), "a call before the end": "<think>\nHm.\n" + block(OSLO) + "\n</think>\n\nFour.", "calls on both sides": "<think>\n" + block(DATE) + "\n</think>\n\n" + block(OSLO), "a bad call behind": THOUGHT + block("{bad}"), "a call cut": THOUGHT + '<tool_call>\n{"name": "da', "only a call": block(OSLO)},
    "interleaved text": {"before the opening tag": "Well. <think>a</think>b", "blanks before it": "\n <think>a</think>b"},
    "duplicates": {"two thoughts": "<think>a</think>b<think>c</think>d", "closed twice": "<think>a</think>b</think>c", "closed twice, a call behind": "<think>a</think></think>" + block(OSLO)},
    "whitespace": {"blank thought": "<think> \n </think>x", "many lines behind": "<think>a</think>\n\n\n\nx", "blanks behind": "<think>a</think>x \n"},
    "doubled opener": {"twice": "<think><think>a</think>b", "in the thought": "<think>a<think>b</think>c", "in the answer": "<think>a</think>b<think>c"},
    "special-token text": {"in the thought": "<think>a<|im_end|>b</think>c", "in the answer": "<think>a</think>b<|endoftext|>c", "inside a tag": "a</thi<|im_end|>nk>b", "a call's end in the thought": "<think>a</tool_call>b</think>c", "function tags in the thought": "<think>a<function=x>b</think>c"},
}

THOUGHTS_XML = {"reasoning plus call": {name: text.replace(block(OSLO), OSLO_XML).replace(block(DATE), DATE_XML) for name, text in THOUGHTS["reasoning plus call"].items() if OSLO in text}}

FAMILIES = {"json": JSON_CALLS, "xml": XML_CALLS, "llama": LLAMA_CALLS}
PARTS = {
    "json": ["<tool_call>\n", "\n</tool_call>", "<tool_call>", "</tool_call>", OSLO, DATE, "{bad}", '{"name": "x"}', "[" + OSLO + "]", "\n", " ", "text", "<think>", "</think>", "<|im_end|>", "7"],
    "xml": ["<tool_call>\n", "\n</tool_call>", "<tool_call>", "</tool_call>", "<function=t>\n", "<function=", "t", ">", "\n</function>", "</function>", "<parameter=s>\n", "\n</parameter>", "<parameter=i>", "</parameter>", "7", "text", "\n", " ", "<think>", "</think>", "<|im_end|>", '"name": "t"'],
    "llama": ["{", "}", OSLO_BARE, DATE_BARE, OSLO, "; ", "\n", "text ", "<|python_tag|>", '{"a": {}}', '"', "7", "{bad}"],
}


def cases():
    """Every case: theme, name, text and set-up (tool family, reasoning family, thinking on, tools offered)."""
    for tool, themes in FAMILIES.items():
        for theme, texts in themes.items():
            for name, text in texts.items():
                yield theme, name, text, (tool, None, True, True)
                if tool == "llama":
                    continue
                yield theme, name + ", behind a thought", THOUGHT + text, (tool, "qwen3", True, True)
                if theme in ("single", "none", "interleaved text", "special-token text", "missing end"):
                    yield theme, name + ", no tools offered", THOUGHT + text, (tool, "qwen3", True, False)
                    yield theme, name + ", thinking off", text, (tool, "qwen3", False, True)
    for themes, tool in ((THOUGHTS, "json"), (THOUGHTS_XML, "xml")):
        for theme, texts in themes.items():
            for name, text in texts.items():
                for reasoning in ("qwen3", "deepseek_r1"):
                    yield theme, name, text, (tool, reasoning, True, True)
                    yield theme, name + ", thinking off", text, (tool, reasoning, False, True)
                yield theme, name + ", no tools offered", text, (tool, "qwen3", True, False)
    rng = random.Random(5)
    for tool, reasoning in (("json", None), ("json", "qwen3"), ("json", "deepseek_r1"), ("xml", None), ("xml", "qwen3"), ("xml", "deepseek_r1"), ("llama", None)):
        for number in range(60):
            text = "".join(rng.choice(PARTS[tool]) for _ in range(rng.randint(2, 9)))
            thinking = reasoning is None or rng.random() < 0.7
            yield "random", f"random {number + 1}", text, (tool, reasoning, thinking, True)
