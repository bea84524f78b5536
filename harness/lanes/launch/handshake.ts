type Plain = string | number | boolean | null;

/** Most values of a handshake that are kept. */
const MAX_VALUES = 50;
const MAX_LENGTH = 500;

/** The one JSON line by which a boot script says where its server listens and what it is. */
export class Handshake {
  url: string | undefined;
  values: Record<string, Plain> | undefined;

  /** Looks at a line of output; the first JSON object with an http `url` counts. */
  look(line: string): void {
    if (this.url !== undefined || !line.startsWith('{')) return;
    const values = objectIn(line);
    const url = values?.url;
    if (!values || typeof url !== 'string' || !/^https?:\/\//.test(url) || !URL.canParse(url)) return;
    this.url = url;
    this.values = Object.fromEntries(Object.entries(values).filter(isPlain).slice(0, MAX_VALUES));
  }
}

function objectIn(line: string): Record<string, unknown> | undefined {
  try {
    // A line that starts with a brace and parses is an object.
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

const isPlain = (entry: [string, unknown]): entry is [string, Plain] => {
  const [, value] = entry;
  if (typeof value === 'string') return value.length <= MAX_LENGTH;
  return value === null || typeof value === 'number' || typeof value === 'boolean';
};
