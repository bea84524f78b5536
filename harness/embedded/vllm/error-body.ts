import { type Json, JsonNumber, type JsonObject } from '../../json/value.ts';

/** vLLM's `ErrorResponse`. */
export function errorBody(error: { code: number; type: string; param: Json; message: string }): JsonObject {
  const { message, type, param, code } = error;
  const inner = new Map<string, Json>([
    ['message', message],
    ['type', type],
    ['param', param],
    ['code', new JsonNumber(String(code))],
  ]);
  return new Map([['error', inner]]);
}
