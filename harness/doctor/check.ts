/** What one check found; a remedy is there wherever something is not ok. */
export type Check = { what: string; detail: string } & (
  | { state: 'ok' }
  | { state: 'warn' | 'fail'; remedy: string }
);

export const ok = (what: string, detail: string): Check => ({ state: 'ok', what, detail });
export const warn = (what: string, detail: string, remedy: string): Check => ({
  state: 'warn',
  what,
  detail,
  remedy,
});
export const fail = (what: string, detail: string, remedy: string): Check => ({
  state: 'fail',
  what,
  detail,
  remedy,
});
