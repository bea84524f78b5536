import { isObject, type Json, type JsonObject } from '../../json/value.ts';
import { exception, type RefusedError } from '../refusal.ts';
import { cut, repr, typeName } from './python-repr.ts';

/** A part's typed dictionary: the key that holds the content, then `type` with its one value. */
interface PartModel {
  name: string;
  key: string;
  type: string;
}

const TEXT: PartModel = { name: 'ChatCompletionContentPartTextParam', key: 'text', type: 'text' };
const MODELS: Readonly<Record<string, readonly PartModel[]>> = {
  user: [
    TEXT,
    { name: 'ChatCompletionContentPartImageParam', key: 'image_url', type: 'image_url' },
    { name: 'ChatCompletionContentPartInputAudioParam', key: 'input_audio', type: 'input_audio' },
    { name: 'File', key: 'file', type: 'file' },
  ],
  assistant: [TEXT, { name: 'ChatCompletionContentPartRefusalParam', key: 'refusal', type: 'refusal' }],
};

/**
 * Content parts are validated lazily, when the server walks over them: the first part that fits no model of its role ends the
 * request with pydantic's own printed error, which nothing shortens.
 */
export function lazyProblems(role: string, part: Json): RefusedError {
  const models = MODELS[role] ?? [TEXT];
  const lines = models.flatMap((model) => problems(model, part, models.length > 1 ? `0.${model.name}` : '0'));
  const count = `${lines.length} validation error${lines.length === 1 ? '' : 's'} for ValidatorIterator`;
  return exception('a content part fits no model', [count, ...lines].join('\n'));
}

function problems({ key, type }: PartModel, part: Json, loc: string): string[] {
  if (!isObject(part)) return [line(loc, 'Input should be a valid dictionary', 'dict_type', part)];
  return [...keyProblem(key, part, loc), ...typeProblem(type, part, loc)];
}

function keyProblem(key: string, part: JsonObject, loc: string): string[] {
  const value = part.get(key);
  if (value === undefined) return [line(`${loc}.${key}`, 'Field required', 'missing', part)];
  if (key !== 'text' && key !== 'refusal') return [];
  if (typeof value === 'string') return [];
  return [line(`${loc}.${key}`, 'Input should be a valid string', 'string_type', value)];
}

function typeProblem(type: string, part: JsonObject, loc: string): string[] {
  const value = part.get('type');
  if (value === undefined) return [line(`${loc}.type`, 'Field required', 'missing', part)];
  if (value === type) return [];
  return [line(`${loc}.type`, `Input should be '${type}'`, 'literal_error', value)];
}

const line = (loc: string, message: string, type: string, input: Json): string =>
  `${loc}\n  ${message} [type=${type}, input_value=${cut(repr(input))}, input_type=${typeName(input)}]\n` +
  `    For further information visit https://errors.pydantic.dev/2.14/v/${type}`;
