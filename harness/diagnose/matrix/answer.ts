import {
  args,
  at,
  calling,
  drop,
  type Planted,
  refused,
  SPLICED,
  saying,
  set,
  silent,
  THOUGHT,
} from './plant.ts';

export const ANSWER: Planted[] = [
  // SER
  [
    'arguments without blanks',
    calling('{"s": "x", "n": 1}'),
    args('{"s":"x","n":1}'),
    'SER lane json-spacing',
  ],
  [
    'arguments escaped',
    calling('{"s": "Zürich"}'),
    args('{"s": "Z\\u00fcrich"}'),
    'SER lane unicode-escapes',
  ],
  ['keys swapped', calling('{"s": "x", "n": 1}'), args('{"n": 1, "s": "x"}'), 'SER lane key-order'],
  [
    '1e3 printed as it came',
    calling('{"s": "x", "n": 1e3}'),
    args('{"s": "x", "n": 1e3}'),
    'SER lane number-respelled',
  ],
  [
    'an integer rounded to a double',
    calling('{"s": "x", "n": 9007199254740993}'),
    args('{"s": "x", "n": 9007199254740992}'),
    'TOOL lane -',
  ],
  [
    'thirty digits rounded to a double',
    calling('{"s": "x", "n": 123456789012345678901234567890}'),
    args('{"s": "x", "n": 1.2345678901234568e+29}'),
    'TOOL lane -',
  ],
  ['the sign of zero lost', calling('{"s": "x", "n": -0.0}'), args('{"s": "x", "n": 0.0}'), 'TOOL lane -'],
  ['1000.0 printed as 1000', calling('{"n": 1000.0}'), args('{"n": 1000}'), 'SER lane number-respelled'],
  ['a newline behind the arguments', calling('{"s": "x"}'), args('{"s": "x"}\n'), 'SER lane -'],
  [
    'arguments over several lines',
    calling('{"s": "x", "n": 1}'),
    args('{\n  "s": "x",\n  "n": 1\n}'),
    'SER lane -',
  ],
  ['slashes escaped', calling('{"s": "a/b"}'), args('{"s": "a\\/b"}'), 'SER lane -'],
  ['True', calling('{"s": "x", "b": true}'), args('{"s": "x", "b": True}'), 'SER lane boolean-casing'],
  [
    'True beside a text that says None',
    calling('{"s": "say None", "b": true}'),
    args('{"s": "say None", "b": True}'),
    'SER lane boolean-casing',
  ],
  ['NaN', calling('{"s": "x", "n": 1}'), args('{"s": "x", "n": NaN}'), 'SER lane arguments-no-json'],
  [
    'content "" instead of null',
    calling('{"s": "x"}'),
    set(1, { content: '' }),
    'SER lane null-empty-absent',
  ],
  ['content absent', calling('{"s": "x"}'), drop(1, 'content'), 'SER unknown null-empty-absent'],
  [
    'an empty list of calls',
    saying(`${THOUGHT}Yes.`),
    set(1, { tool_calls: [] }),
    'SER unknown null-empty-absent',
  ],
  [
    'reasoning under another name',
    saying(`${THOUGHT}Yes.`),
    set(1, { reasoning_field: 'reasoning_content' }),
    'SER lane reasoning-field-name',
  ],
  ['no prompt ids', saying('Yes.'), drop(1, 'prompt_token_ids'), 'SER lane ids-missing'],
  ['no generated ids', saying('Yes.'), drop(1, 'generation_token_ids'), 'SER lane ids-missing'],
  [
    'stop although cut',
    { ...saying('Yes, of course.'), maxTokens: 3 },
    (p, turns) => {
      set(1, { finish_reason: 'length' })(p, p.golden.turns);
      set(1, { finish_reason: 'stop' })(p, turns);
    },
    'SER lane length-masked',
  ],
  [
    'stop beside a call',
    calling('{"s": "x"}'),
    set(1, { finish_reason: 'stop' }),
    'SER lane finish-reason-and-calls',
  ],
  [
    'usage one too many',
    saying('Yes.'),
    (_, turns) => {
      Object.assign(at(turns, 0).usage ?? {}, { completion_tokens: 99 });
    },
    'SER lane usage-miscounted',
  ],
  [
    'a log-prob too few',
    saying('Yes.'),
    (_, turns) => {
      at(turns, 0).logprobs?.pop();
    },
    'SER lane logprobs-miscounted',
  ],
  [
    'a positive log-prob',
    saying('Yes.'),
    (_, turns) => {
      at(turns, 0).logprobs?.splice(0, 1, 2);
    },
    'SER lane logprob-impossible',
  ],
  // ERR
  [
    'its own reply refused',
    SPLICED,
    (p, turns) => {
      for (const side of [turns, p.golden.turns])
        Object.assign(at(at(side, 0).tool_calls ?? [], 0), { arguments: 'null' });
      set(2, {
        outcome: 'refused',
        http_status: 400,
        error: '{"error":"tool_calls[0].function.arguments must be a JSON object."}',
      })(p, turns);
    },
    'ERR lane own-reply-refused',
  ],
  [
    'arguments not decoded',
    saying('Yes.'),
    refused(500, 'Can only get item pairs from a mapping.'),
    'ERR lane arguments-not-decoded',
  ],
  [
    'prompt too long',
    saying('Yes.'),
    refused(400, '{"error":"context length exceeded"}'),
    'ERR lane context-overflow',
  ],
  [
    'server and engine do not fit',
    saying('Yes.'),
    refused(400, '{"error":"too many values to unpack (expected 3)"}'),
    'ERR lane engine-interface',
  ],
  [
    'a stream',
    saying('Yes.'),
    set(1, {
      outcome: 'unreadable',
      http_status: 200,
      error: 'a stream of events came, though none was asked for',
    }),
    'ERR lane stream-instead',
  ],
  [
    'a page of HTML',
    saying('Yes.'),
    set(1, { outcome: 'unreadable', http_status: 200, error: 'the body is not JSON: <html>' }),
    'ERR lane no-chat-answer',
  ],
  ['500', saying('Yes.'), refused(500, 'Internal Server Error'), 'ERR lane server-error'],
  ['422', saying('Yes.'), refused(422, '{"detail":[]}'), 'ERR lane request-refused'],
  [
    'a turn was never asked',
    SPLICED,
    ({ lane }) => {
      lane.turns.pop();
    },
    'ERR lane conversation-ended',
  ],
  // LIFE
  ['nothing listens', saying('Yes.'), silent('connection refused'), 'LIFE lane unreachable'],
  [
    'the connection breaks',
    saying('Yes.'),
    silent('the server closed the connection'),
    'LIFE lane connection-lost',
  ],
  [
    'no answer in time',
    saying('Yes.'),
    silent('no answer within our own limit of 600 s'),
    'LIFE lane timed-out',
  ],
];
