import { refusedResponse } from '../refusal.ts';

/** An absent or empty model is the served one. */
export function checkModel(model: string | null, served: string): void {
  if (model === null || model === '' || model === served) return;
  throw refusedResponse(404, 'NotFoundError', 'model', `The model \`${model}\` does not exist.`);
}
