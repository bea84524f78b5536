/** Stands where a secret was. */
export const HIDDEN = '(not shown)';
/** A shorter value would hide harmless text everywhere. */
const SHORTEST = 8;

/** Takes secrets out of what a run folder or a message holds: known values, and credentials in URLs. */
export class Redaction {
  private readonly values = new Set<string>();

  add(value: string): void {
    if (value.length >= SHORTEST) this.values.add(value);
  }

  hide(text: string): string {
    let out = text.replace(/:\/\/[^/\s:@]*:[^/\s@]*@/g, `://${HIDDEN}@`);
    // Longest first: one secret may hold another.
    for (const value of [...this.values].sort((a, b) => b.length - a.length))
      out = out.replaceAll(value, HIDDEN);
    return out;
  }
}
