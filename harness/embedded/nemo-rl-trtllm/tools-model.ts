import { isObject, type Json } from '../../json/value.ts';
import { flag, Problems } from '../fastapi/pydantic.ts';
import { exception } from '../refusal.ts';

/**
 * TensorRT-LLM's tool model, which knows no other keys. NeMo-RL builds it only once a reply holds a call, so a tool it refuses
 * is a 500 on those turns alone.
 */
export function checkTools(tools: Json | undefined): void {
  if (!Array.isArray(tools) || !tools.every(isTool)) throw exception('a tool definition is not valid');
}

type Check = (value: Json) => boolean;
const isText: Check = (value) => typeof value === 'string';
const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);
const isFlag: Check = (value) => flag(value, [], new Problems()) !== undefined;

const FUNCTION = new Map<string, Check>([
  ['name', isText],
  ['description', orNull(isText)],
  ['parameters', orNull(isObject)],
  ['strict', orNull(isFlag)],
]);
const TOOL = new Map<string, Check>([
  ['type', (value) => value === 'function'],
  ['function', (value) => fits(value, FUNCTION, 'name')],
]);

const isTool: Check = (value) => fits(value, TOOL, 'function');

const fits = (value: Json, fields: ReadonlyMap<string, Check>, required: string): boolean =>
  isObject(value) &&
  value.has(required) &&
  [...value].every(([key, item]) => fields.get(key)?.(item) ?? false);
