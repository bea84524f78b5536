import type { Json } from '../../json/value.ts';
import { jsonAnswer } from '../fastapi/answers.ts';
import type { HttpAnswer } from '../http.ts';
import { hex, int, now } from '../values.ts';
import type { Chat } from '../vllm/started.ts';

/** `/v1/models`: the one served model. `root`, a folder of weights on the real server, is its name here. */
export function modelsAnswer({ model, maxModelLen }: Chat): HttpAnswer {
  const permission = new Map<string, Json>([
    ['id', `modelperm-${hex(16)}`],
    ['object', 'model_permission'],
    ['created', now()],
    ['allow_create_engine', false],
    ['allow_sampling', true],
    ['allow_logprobs', true],
    ['allow_search_indices', false],
    ['allow_view', true],
    ['allow_fine_tuning', false],
    ['organization', '*'],
    ['group', null],
    ['is_blocking', false],
  ]);
  const card = new Map<string, Json>([
    ['id', model],
    ['object', 'model'],
    ['created', now()],
    ['owned_by', 'vllm'],
    ['root', model],
    ['parent', null],
    ['max_model_len', int(maxModelLen)],
    ['permission', [permission]],
  ]);
  return jsonAnswer(
    200,
    new Map<string, Json>([
      ['object', 'list'],
      ['data', [card]],
    ]),
  );
}
