import { refusedResponse } from '../refusal.ts';

/** An absent or empty model is the served one. */
export function checkModel(model: string | null, served: string): void {
  if (model === null || model === '' || model === served) return;
  const message = `The model \`${model}\` does not exist. Valid aliases: ${served}.`;
  throw refusedResponse(404, 'NotFoundError', 'model', message);
}
