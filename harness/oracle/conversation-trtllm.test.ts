import { describe, expect, test } from 'vitest';
import { parseJson } from '../json/parse.ts';
import { printJson } from '../json/print.ts';
import { conversationTrtllm, TrtllmConversationError } from './conversation-trtllm.ts';

/** What becomes of one message: its JSON, `400` with the text of the refusal, or `500`. */
function read(message: string): string {
  try {
    return conversationTrtllm([parseJson(message)])
      .map((entry) => printJson(entry))
      .join();
  } catch (error) {
    if (!(error instanceof TrtllmConversationError)) throw error;
    return error.answer === undefined ? '500' : `400 ${error.answer}`;
  }
}

const user = (content: string): string => read(`{"role":"user","content":${content}}`);
const said = (text: string): string => `{"role":"user","content":${JSON.stringify(text)},"media":[]}`;

describe('content', () => {
  const PART = '{"type":"text","text":"a"}';
  test.each([
    ['text', '"a"', said('a')],
    ['null', 'null', said('')],
    ['an empty text', '""', said('')],
    ['an empty list', '[]', said('')],
    ['parts, joined by newline', `[${PART},"b",{"type":"text","text":"c"}]`, said('a\nb\nc')],
    ['parts that are empty, left out', `[${PART},"",{"type":"text","text":""},"b"]`, said('a\nb')],
    [
      'a text part without text',
      '[{"type":"text"},{"type":"text","text":null},{"type":"text","text":0}]',
      said(''),
    ],
    ['a text part whose text is a number', '[{"type":"text","text":5}]', '500'],
    ['an object, whose keys are the text', '{"type":"text","text":"a"}', said('type\ntext')],
    ['a number', '5', '500'],
    ['a part without a type', `[${PART},{"text":"a"}]`, "400 Invalid 'type' field in multimodal part."],
    ['a part that is a number', '[5]', '500'],
    ['a part of a type it does not know', '[{"type":"refusal","refusal":"no"}]', '500'],
    ['an image on a text model', '[{"type":"image_url","image_url":{"url":"http://x/y.png"}}]', '500'],
    [
      'an image without an address',
      `[{"type":"image_url","image_url":{}},{"type":"video_url"},${PART}]`,
      said('a'),
    ],
    ['an image whose address is a text', '[{"type":"image_url","image_url":"http://x/y.png"}]', '500'],
    [
      'audio without data',
      '[{"type":"input_audio","input_audio":{}}]',
      "400 input_audio part is missing a non-empty 'data' field with base64-encoded audio content.",
    ],
    ['audio that is null', '[{"type":"input_audio","input_audio":null}]', said('')],
    ['audio with data', '[{"type":"input_audio","input_audio":{"data":"AA=="}}]', '500'],
    [
      'an image, and behind it a part without a type',
      '[{"type":"image_url","image_url":{"url":"x"}},{}]',
      "400 Invalid 'type' field in multimodal part.",
    ],
  ])('%s', (_, content, expected) => {
    expect(user(content)).toBe(expected);
  });
});

describe('a message', () => {
  test.each([
    [
      'of an unknown role',
      '{"role":"developer","content":"a"}',
      '{"role":"developer","content":"a","media":[]}',
    ],
    ['whose role is null', '{"role":null}', '{"role":null,"content":"","media":[]}'],
    ['without a role', '{"content":"a"}', '500'],
    ['that is a text', '"a"', '500'],
    [
      'with other keys, which are lost',
      '{"role":"user","name":"n","tool_calls":5}',
      '{"role":"user","content":"","media":[]}',
    ],
    [
      'with a result',
      '{"role":"tool","content":"a","tool_call_id":"c"}',
      '{"role":"tool","content":"a","media":[],"tool_call_id":"c"}',
    ],
    [
      'with a result of no call',
      '{"role":"tool","tool_call_id":null}',
      '{"role":"tool","content":"","media":[],"tool_call_id":null}',
    ],
  ])('%s', (_, message, expected) => {
    expect(read(message)).toBe(expected);
  });
});

describe('reasoning', () => {
  const assistant = (keys: string): string => read(`{"role":"assistant",${keys}}`);
  const with_ = (value: string): string =>
    `{"role":"assistant","content":"","media":[],"reasoning_content":${value}}`;
  test.each([
    ['under its old name', '"reasoning_content":"a"', with_('"a"')],
    ['under its new name, which wins', '"reasoning_content":"a","reasoning":"b"', with_('"b"')],
    [
      'empty under its new name, which wins all the same',
      '"reasoning":"","reasoning_content":"a"',
      with_('""'),
    ],
    ['null under its new name', '"reasoning":null,"reasoning_content":"a"', with_('"a"')],
    ['that is no text', '"reasoning":5', with_('5')],
    ['that is null', '"reasoning_content":null', '{"role":"assistant","content":"","media":[]}'],
  ])('%s', (_, keys, expected) => {
    expect(assistant(keys)).toBe(expected);
  });
});

describe('calls', () => {
  const calls = (value: string): string =>
    read(`{"role":"assistant","tool_calls":${value}}`).replace(
      '{"role":"assistant","content":"","media":[],"tool_calls":',
      '',
    );
  const one = (fn: string): string => calls(`[{"function":${fn}}]`);
  const named = (args: string): string => one(`{"name":"f","arguments":${args}}`);
  const at = (field: string) => `400 tool_calls[0].function.arguments${field}`;
  test.each([
    [
      'arguments as text',
      () => named('"{\\"b\\": 1.0, \\"a\\": 1}"'),
      '[{"function":{"name":"f","arguments":{"b":1.0,"a":1}}}]}',
    ],
    ['arguments as an object', () => named('{"a":1}'), '[{"function":{"name":"f","arguments":{"a":1}}}]}'],
    ['arguments that are null', () => named('null'), '[{"function":{"name":"f","arguments":{}}}]}'],
    ['no arguments', () => one('{"name":"f"}'), '[{"function":{"name":"f","arguments":{}}}]}'],
    ['empty arguments', () => named('""'), at(' must be valid JSON.')],
    ['arguments that are not JSON', () => named('"{"'), at(' must be valid JSON.')],
    ['arguments that read as null', () => named('"null"'), at(' must be a JSON object.')],
    ['arguments that are a list', () => named('[1]'), at('.str is invalid: Input should be a valid string')],
    [
      'keys in the order of the model, unknown ones last',
      () => calls('[{"x":1,"function":{"y":2,"arguments":{},"name":"f"},"id":"c"}]'),
      '[{"id":"c","function":{"name":"f","arguments":{},"y":2},"x":1}]}',
    ],
    ['no calls', () => calls('[]'), '[]}'],
    ['a call that is a text', () => calls('["x"]'), '400 tool_calls[0] must be an object.'],
    [
      'a call without a function',
      () => calls('[{"function":{"name":"f"}},{}]'),
      '400 tool_calls[1].function is required.',
    ],
    ['a function that is null', () => one('null'), '400 tool_calls[0].function must be an object.'],
    [
      'an id that is a number',
      () => calls('[{"id":5,"function":null}]'),
      '400 tool_calls[0].id is invalid: Input should be a valid string',
    ],
    [
      'a name that is a number',
      () => one('{"name":5}'),
      '400 tool_calls[0].function.name is invalid: Input should be a valid string',
    ],
    [
      'a wrong shape behind bad arguments, which is found first',
      () => calls('[{"function":{"arguments":"{"}},5]'),
      '400 tool_calls[1] must be an object.',
    ],
    ['a text', () => calls('"x"'), '400 dictionary update sequence element #0 has length 1; 2 is required'],
    ['an empty text', () => calls('""'), '[]}'],
    ['a number', () => calls('5'), '500'],
    ['an object', () => calls('{"":1}'), '500'],
  ])('%s', (_, got, expected) => {
    expect(got()).toBe(expected);
  });
});
