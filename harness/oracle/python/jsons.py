"""JSON texts for the probes of `json.dumps(json.loads(text), ensure_ascii=False)`; also used as tool schemas."""

import random

CHOSEN = [
    "null", "true", "false", '""', "[]", "{}", " [ 1 , 2 ] ", "\t{ }\n", '{"a":{}}', "[[],[[]]]",
    # numbers
    "0", "-0", "0.0", "-0.0", "1", "1.0", "1.50", "-1e-7", "1e-7", "1E7", "1e+7", "1e5", "1e15", "1e16", "1e17", "1e21", "1e22", "1e23",
    "123456789012345678", "9007199254740993", "-9007199254740993", "9007199254740993.0", "100000000000000000000000", "0.1", "0.30000000000000004",
    "1e-4", "1e-5", "0.0001", "0.00001", "0.00012345", "5e-324", "2e-324", "2.2250738585072014e-308", "1.7976931348623157e308", "1e309", "-1e309",
    "123456789.123456789", "1.0000000000000002", "4.35", "2.5e-3", "1e0", "12e-1", "123456789012345680.0", "9999999999999998.0", "99999999999999990.0",
    "NaN", "Infinity", "-Infinity", "[NaN, -Infinity]",
    # strings
    r'"\u00e9\u4e2d\ud83d\ude00"', r'"\/\\\"\b\f\n\r\t"', r'"\u0000\u001f\u007f\u0080"', r'"\u2028\u2029\ufeff\uffff"', r'"\u003c\u003e\u0026\u0027"',
    '"<b> & \'a\' \u00e9 \u4f60\u597d \U0001f600"', '"\u007f"', r'"\ud83d"', r'"\ude00\ud83d"', r'{"\ud800":"x\udfffy"}', r'"\uD83D\uDE00"',
    # objects: order, repeated and odd keys
    '{"2":1,"1":2,"10":3,"01":4,"-1":5}', '{"b":1,"a":2,"b":3}', '{"":0}', '{"__proto__":1,"constructor":2,"toString":null}',
    '{"a":[1,{"b":[true,null,"x"]}]}', r'{"\u0041":1,"A":2}', '{"0":{"2":0,"1":0}}', '{"4294967295":1,"4294967294":2}',
]

LETTERS = 'abz09 <>&\'/\u00e9\u4f60\U0001f600\u2028\u007f\u00a0'
ESCAPES = [r"\n", r"\t", r"\"", r"\\", r"\/", r"\u001f", r"\u00e9", r"\ud83d\ude00", r"\b"]


def texts():
    rng = random.Random(5)
    return list(dict.fromkeys(CHOSEN + [value(rng, 0) for _ in range(200)]))


def value(rng, depth):
    kind = rng.randrange(7 if depth < 3 else 4)
    if kind == 0:
        return rng.choice(["null", "true", "false"])
    if kind in (1, 2):
        return number(rng)
    if kind == 3:
        return string(rng)
    blank = rng.choice(["", " ", "\n  "])
    items = [value(rng, depth + 1) for _ in range(rng.randrange(4))]
    if kind == 4:
        return "[" + ("," + blank).join(items) + "]"
    keys = [string(rng) if rng.random() < 0.6 else f'"{rng.randrange(20)}"' for _ in items]
    return "{" + ("," + blank).join(f"{key}:{blank}{item}" for key, item in zip(keys, items)) + "}"


def number(rng):
    whole = rng.choice(["0", str(rng.randrange(1, 10)), str(rng.randrange(10**6)), str(rng.randrange(10**20))])
    fraction = rng.choice(["", "", ".0", f".{rng.randrange(10**9)}"])
    exponent = rng.choice(["", "", "", f"e{rng.randrange(-30, 30)}", f"E+{rng.randrange(20)}", f"e-{rng.randrange(330)}"])
    return rng.choice(["", "-"]) + whole + fraction + exponent


def string(rng):
    return '"' + "".join(rng.choice(LETTERS) if rng.random() < 0.8 else rng.choice(ESCAPES) for _ in range(rng.randrange(8))) + '"'
