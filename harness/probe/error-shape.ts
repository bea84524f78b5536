import { isObject } from '../json/value.ts';
import { type Heard, jsonOf } from './heard.ts';

/** Status and shape of an answer that is none to a chat request, in a few words. */
export function errorShape(heard: Heard): string {
  if (heard.kind === 'none') return `no answer: ${heard.reason}`;
  const { status, headers } = heard;
  if (status >= 300 && status < 400) return `${status} redirect to ${headers.location ?? '?'} (not followed)`;
  return `${status} ${shapeOf(heard)}`;
}

function shapeOf(heard: Extract<Heard, { kind: 'answer' }>): string {
  const value = jsonOf(heard);
  if (value === undefined) return heard.text === '' ? 'empty body' : `${typeOf(heard)} that is no JSON`;
  if (!isObject(value)) return 'JSON that is no object';
  const detail = value.get('detail');
  if (Array.isArray(detail)) return 'pydantic {"detail": [...]}';
  if (typeof detail === 'string') return 'FastAPI {"detail": "..."}';
  const error = value.get('error');
  if (isObject(error)) return `OpenAI {"error": {${[...error.keys()].slice(0, 6).join(', ')}}}`;
  if (typeof error === 'string') return '{"error": "..."}';
  if (value.get('object') === 'error') return 'flat {"object": "error", ...}';
  if (value.has('choices')) return 'a chat completion: accepted';
  return `JSON with ${[...value.keys()].slice(0, 4).join(', ') || 'no keys'}`;
}

const typeOf = ({ headers }: Extract<Heard, { kind: 'answer' }>): string =>
  headers['content-type']?.split(';')[0] || 'text without a type';
