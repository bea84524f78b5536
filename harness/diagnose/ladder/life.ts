import type { Step } from '../case.ts';

/** LIFE: no HTTP answer at all. */
export const life: Step = ({ field, turn }) => {
  if (field !== 'http_status' || turn?.outcome !== 'no_answer') return undefined;
  const reason = turn.error ?? 'no answer';
  const evidence = [reason, 'the exchange and the log of the server have more'];
  const base = { layer: 'LIFE', evidence, side: 'lane' } as const;
  if (/refused|host not found/.test(reason)) {
    return { ...base, cause: 'unreachable', says: 'nothing listens at the address' };
  }
  if (/limit of/.test(reason)) return { ...base, cause: 'timed-out', says: 'no answer came in time' };
  return { ...base, cause: 'connection-lost', says: 'the connection broke before the answer was whole' };
};
