/**
 * Every named cause with what it means. `causes.md` has a section on each, and says where it was seen in public; the matrix of
 * planted defects has an input for each.
 */
export const CAUSES = {
  // ENV
  'other-template': 'the two sides use different chat templates',
  'other-tokenizer': 'the two sides use different tokenizers',
  'other-model': 'the two sides serve different models',
  'thinking-default': 'the server switches thinking on or off where the request does not say',
  // REQ
  'requests-differ': 'the two servers were not asked the same',
  'thinking-flag-ignored': 'enable_thinking of the request does not reach the prompt',
  'tools-ignored': 'the tools of the request do not reach the prompt',
  // TMPL
  'think-stripped': 'the think block of an earlier answer is not in the prompt',
  'think-added': 'the template writes a think block that the answer did not have',
  'empty-think-block': 'an empty think block is written, or missing, where the answer begins',
  'schema-redumped': 'tool schemas are printed anew with keys that nobody sent',
  'schema-key-order': 'keys of tool schemas stand in another order than sent',
  'json-spacing': 'JSON has other blanks after its separators',
  'unicode-escapes': 'characters beyond ASCII are escaped as \\uXXXX on one side',
  'number-respelled': 'a number is spelled otherwise',
  'arguments-double-encoded': 'call arguments are encoded twice, as a JSON text in JSON',
  'null-spelled': 'a missing content is printed as a word',
  'list-spelled': 'a content of parts is printed as a Python list',
  'call-lost-from-history': 'a call of an earlier answer is not in the prompt',
  'tool-result-lost': 'the text of a tool result is not in the prompt',
  'message-vanished': 'a message of the conversation is not in the prompt',
  'blank-lines-fused': 'blank lines before an earlier answer fuse with the newline of its header',
  'separator-lost': 'the newline that the template puts behind a turn is missing',
  'generation-prompt-missing': 'the prompt does not open the assistant turn',
  'date-line': 'a date in the prompt differs',
  // TOK
  'other-tokenization': 'the same text has other ids',
  'double-bos': 'a special id stands once too often at the start of the prompt',
  // SPLICE
  'prefix-ignored': 'carried ids are ignored and the conversation is rendered again',
  'prefix-wins': 'earlier ids are used although the history is to be rendered again',
  'history-retokenized': 'earlier ids are decoded and encoded again',
  'ids-of-another-turn': 'the ids of another turn are carried',
  'positional-splice': 'the template is cut where the rendered prefix ends, not at its end-of-turn id',
  'wrong-end-of-turn': 'the template takes over at another end-of-turn id',
  'end-of-turn-doubled': 'the end-of-turn id stands twice where template and carried ids meet',
  'end-of-turn-lost': 'the end-of-turn id is missing where template and carried ids meet',
  // STOP
  'eos-kept': 'the terminal stop id is kept in the generated ids',
  'eos-trimmed': 'the terminal stop id is missing from the generated ids',
  'end-of-text-kept': 'the end-of-text id is no stop id to the server, so it stays in the reply',
  'other-stop-id': 'the reply ends on another stop id',
  'ran-past-stop': 'the reply goes on behind a stop id',
  'cut-short': 'the reply ends early',
  'limit-ignored': 'the reply is longer than the limit that was sent',
  // NUM
  tie: 'two ids are exactly as likely',
  'near-tie': 'two ids are almost as likely',
  'confident-other-id': 'another id is chosen with confidence',
  'other-id': 'another id, and no log-probs that tell how close the choice was',
  'not-greedy': 'an alternative is likelier than the chosen id',
  // DETOK
  'half-character':
    'a character that a cut left unfinished is shown as U+FFFD on one side and held back on the other',
  'per-token-decode': 'a character of several tokens is decoded token by token',
  'special-tokens-dropped': 'special tokens in a reply are missing from its text',
  'stop-text-kept': 'the stop token is spelled in a text field',
  'prompt-echoed': 'the text begins with the prompt',
  // REAS
  'reasoning-in-content': 'the reasoning stays in the content',
  'reasoning-start-assumed': 'the whole reply is taken for reasoning',
  'call-in-reasoning': 'a generated call ends up in the reasoning',
  'marker-deleted': 'the text of a think tag is deleted from the reply',
  'content-stripped': 'blanks around the content are stripped',
  // TOOL
  'call-left-as-text': 'a call stays in the content as text',
  'parser-mismatch': 'the tool parser does not read the form of call that the template teaches',
  'calls-dropped': 'calls vanish, from the content as well',
  'later-calls-lost': 'only the first of several calls is returned',
  'bad-block-among-good': 'one block that is no call decides over the calls beside it',
  'call-invented': 'a call is returned that was not generated',
  'content-dropped-beside-call': 'text beside a call is missing from the content',
  'content-blanks-beside-call': 'blanks around the content beside a call are treated otherwise',
  'value-coerced': 'a value of a call has another type',
  'value-stripped': 'blanks around a text value of a call are stripped',
  'argument-lost': 'a key of the arguments is missing',
  // SER
  'boolean-casing': 'arguments spell True, False or None as Python does',
  'arguments-no-json': 'arguments are not JSON',
  'key-order': 'keys of the arguments stand in another order',
  'null-empty-absent': 'null, an empty value and an absent key are told apart otherwise',
  'reasoning-field-name': 'reasoning comes under another name',
  'ids-missing': 'the answer carries no token ids',
  'length-masked': 'finish_reason hides that the length limit cut the reply',
  'finish-reason-and-calls': 'finish_reason and the calls do not fit',
  'usage-miscounted': 'usage does not count the ids of the answer',
  'logprobs-miscounted': 'there is not one log-prob per generated id',
  'logprob-impossible': 'a log-prob is no number, or above 0',
  // ERR
  'own-reply-refused': 'the server refuses a history that holds its own reply',
  'arguments-not-decoded': 'the template gets call arguments as text and fails on them',
  'context-overflow': 'the prompt does not fit the context',
  'engine-interface': 'server and engine do not fit each other',
  'stream-instead': 'a stream came, though none was asked for',
  'no-chat-answer': 'the body is no chat answer',
  'server-error': 'the server failed on the request',
  'request-refused': 'the server refused the request',
  'conversation-ended': 'the turn was never asked',
  // LIFE
  unreachable: 'nothing listens at the address',
  'connection-lost': 'the connection broke before the answer was whole',
  'timed-out': 'no answer came in time',
} as const;

/** Name of a cause, as reports and `causes.md` use it. */
export type CauseName = keyof typeof CAUSES;
