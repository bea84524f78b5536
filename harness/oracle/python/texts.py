"""Texts to tokenize and ids to detokenize: chosen ones by theme, then seeded random ones."""

import random

# Written with escapes where a character is invisible, combining or right-to-left: the file must read the same everywhere.
THEMES = {
    "words": ["", "a", "hello", " hello", "Hello, world!", "The quick brown fox", "supercalifragilistic", "iPhone15Pro"],
    "contractions": ["I'm", "don't", "we'll've", "IT'S", "'RE 'Ll 'd", "''s", "x's's", "'\u017f", "\u2019s it\u2019s", "rock 'n' roll"],
    "digits": ["0", "1234567890", "3.14159", "-1e-7", "1,000,000", "0x1F", "\u0661\u0662\u0663", "\u0967\u0968", "x2y3", "\u00b2\u00bd\u2167", " 42", "9007199254740993"],
    "punctuation": ["...", "?!", "a,b;c", "(x)[y]{z}", "\u2014\u2013\u2026", "\u00ab\u00bb\u201c\u201d", "#!/bin/sh", "a--b==c!=d", "```python\n", "$&@%^*~|\\", "!!!\n\n\n", " .\n"],
    "indents": ["    x", "\tx", "\t\tx\n", "  \t x", "def f():\n    return 1\n", "if x:\n\tif y:\n\t\tpass\n", "        deep", "a\n  b\n    c\n"],
    "blanks": [" ", "  ", "   ", "\n", "\n\n", "\n\n\n", " \n", "\n ", " \n \n ", "\t", "\r\n", "a\r\nb", "a\rb", "a  b   c    d", "x ", "x  ", "x \n", " " * 17 + "y", "\u00a0x", "x\u3000y", "\u2003\u2003x", "\u0085x", "\u2028\u2029x", "\ufeffx", "\u200bx", "\u180ex", "\u000b\u000cx", "\u001cx\u001f"],
    "cjk": ["\u4f60\u597d", "\u4f60\u597d\uff0c\u4e16\u754c\uff01", "\u6771\u4eac\u3067\u96e8", "\u304b\u304d\u304f\u30ab\u30ad", "\ud55c\uad6d\uc5b4", "\u1112\u1161\u11ab", "\u9c72\u9f0b", "\u2a6d6 \U0002a6d6", "\uff21\uff22\uff11", "\u3000\u4e00\u3002"],
    "emoji": ["\U0001f600", " \U0001f600\U0001f600", "\U0001f468\u200d\U0001f469\u200d\U0001f467", "\U0001f44d\U0001f3fd", "\u2764\ufe0f", "\U0001f1e8\U0001f1ed", "1\ufe0f\u20e3", "x\U0001f9d1\u200d\U0001f680y", "\U0001fae8"],
    "combining": ["e\u0301", "\u00e9", "a\u0308\u0301", "\u1ea5", "a\u0302\u0301", "A\u030a \u212b \u00c5", "q\u0307\u0323", "q\u0323\u0307", "\u1e0b\u0323", "\u0301x", "n\u0303o", "Z\u0351\u036b\u0343A"],
    "normal forms": ["\u2126 \u03a9", "\u212a K", "\ufb01 fi", "\ufb05", "\u0958", "\u2adc", "\ufb1d", "\u1100\u1161 \uac00", "\u0f73", "\u1e9b\u0323", "\u30ab\u3099 \u30ac", "\u0344", "\u2000x\u2001", "\u00c5ngstro\u0308m"],
    "younger than the normaliser's tables": ["a\u0323\u08d3\u0301", "a\u0301\u0897\u0323", "a\u0301\u1df7\u0323", "x\u0301\u1ac1\u0323", "\u0327\U00010eab\u0338", "\U00011935\U00011930", "\U00011938", "\U0001611e\U0001611e", "\U00016d63\U00016d67", "\U000105d2\u0307", "a\u0301\U0001e4ec\u0323", "\u0327\u07fd\u0327"],
    "right to left": ["\u05e9\u05dc\u05d5\u05dd", "\u05e9\u05bc\u05c1", "\u0645\u0631\u062d\u0628\u0627", "\u0645\u064f\u062d\u064e\u0645\u0651\u064e\u062f", "\u200fabc\u200e", "\u202eabc\u202c", "\u0644\u0627 1 \u0627\u0644\u0644\u0647"],
    "other scripts": ["\u0417\u0434\u0440\u0430\u0432\u0441\u0442\u0432\u0443\u0439", "\u0394\u03b5\u03bb\u03c4\u03ac", "\u0928\u092e\u0938\u094d\u0924\u0947", "\u0e2a\u0e27\u0e31\u0e2a\u0e14\u0e35", "\u10d2\u10d0\u10db\u10d0\u10e0", "\u0130\u0131\u00df\u1e9e", "Z\u00fcrich", "\u00f1and\u00fa", "\U0001d4d7\U0001d4f2", "\U00010348"],
    "edges": ["\u0000", "a\u0000b", "\u007f", "\ufffd", "\uffff", "\ue000", "\U000f0000", "\U0010ffff", "\U000e0001", "\u0378", "\u00ad"],
    "added tokens": ["<|im_start|>", "<|im_end|>", "<|im_start|>user\nhi<|im_end|>\n", "a<|im_end|>b", " <|endoftext|> ", "<think>", "</think>\n\n", "<think>\n\n</think>\n\n", "<tool_call>\n{\"name\": \"f\"}\n</tool_call>", "<tool_response>x</tool_response>", "<|im_start|", "|im_end|>", "<|im_end|><|im_end|>", "<|IM_END|>", "< |im_end|>", "<|im_end|>\n\n", "<|fim_prefix|>x<|fim_suffix|>", "<tool_call", "<<think>>", "e<think>\u0301", "<|vision_start|><|image_pad|>", "<|endoftext|>\u0301", "<|im_end|>'s", "\u200b<|im_start|>\u200b"],
    "long": ["a" * 300, " " * 300, "\n" * 100, "9" * 100, "\u4e00" * 100, "-" * 200, "ab" * 150, "\U0001f600" * 40],
}

# Half of a surrogate pair, which a JSON escape can spell.
REFUSED = ["\ud83d", "a\ude00b", "\ude00\ud83d"]

POOLS = [
    "abcdefghijklmnopqrstuvwxyzABCDEFG", "0123456789", " \t\n\r", " \n", ".,;:!?'\"()[]{}<>|/\\@#$%^&*-_=+`~",
    "\u0300\u0301\u0308\u0327\u0323\u030a\u0345\u05b0\u0651\u0e48\u3099\u093c", "eaoucnAEOU\u00e9\u00c5\u212b\u1e0b\u0307\u0323",
    "\u1100\u1161\u11a8\uac00\uac01\u314f", "\u4e00\u4e8c\u9f98\u3042\u30ab\u30ac\u3001\u3002\uff01\uff21",
    "\U0001f600\U0001f468\u200d\U0001f469\U0001f3fd\ufe0f\u2764\U0001f1e9\U0001f1ea", "\u05d0\u05d1\u0627\u0628\u202e\u200f\u0660\u0967\u0e01\u0e33",
    "\u00a0\u0085\u2028\u2029\u3000\ufeff\u200b\u1680\u180e\u000b\u000c\u001c\u001f\u0000\u007f", "\u00b2\u00bd\u2167\u2460\u0b67\U0001d7d8\U00010107",
    "\u0958\u2adc\ufb1d\u2126\u212a\u017f\u0130\u0131\u1e9e\ufb05\ufb01", "\u0e00\uffff\ufffd\ue000\U000f0000\U0010ffff\U000e0001",
]

# Whole characters, halves of emoji and Han characters, invalid bytes, the byte-order mark, unknown ids, special tokens.
ID_LISTS = [[], [151645], [151643, 151645], [151667, 198, 151668], [151669], [151935, 9707], [0, 1, 2], [220], [198, 198, 271], [151644, 872, 198]]


def texts(added):
    """The texts to tokenize; `added` are the tokenizer's added tokens, mixed into the random ones."""
    rng = random.Random(3)
    out = [text for theme in THEMES.values() for text in theme] + REFUSED
    specials = sorted(added) + ["<|im_start", "|im_end|>", "'s", "'RE", "don't"]
    for _ in range(350):
        parts = []
        for _ in range(rng.randint(1, 10)):
            if rng.random() < 0.08:
                parts.append(rng.choice(specials))
            else:
                pool = rng.choice(POOLS)
                parts.append("".join(rng.choice(pool) for _ in range(rng.randint(1, 5))))
        out.append("".join(parts))
    return list(dict.fromkeys(out))


def id_lists(encode):
    """The id lists to detokenize: chosen ones, every cut of texts whose characters span tokens, random ones."""
    rng = random.Random(4)
    out = list(ID_LISTS)
    for text in ["\ufeffx", " \U0001fae8!", "\u9c72\U0002a6d6x", "Z\u0351\u036b\u0343A", "\U0001f468\u200d\U0001f469\u200d\U0001f467"]:
        ids = encode(text)
        out += [ids[:end] for end in range(1, len(ids) + 1)] + [ids[start:] for start in range(1, len(ids))]
    for _ in range(250):
        kinds = [rng.randrange(256), rng.randrange(256), rng.randrange(151936), rng.randrange(151640, 151680)]
        out.append([rng.choice(kinds) for _ in range(rng.randint(1, 10))])
    unique = {tuple(ids): ids for ids in out}
    return list(unique.values())
