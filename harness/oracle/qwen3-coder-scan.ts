/** A function as it was written; a part that never came is empty. */
export interface Written {
  name: string;
  body: string;
}

/** The parts of a text. */
export interface Scan {
  functions: Written[];
  /** Content up to the first call, and behind it. */
  before: string;
  after: string;
  /** Whether a call began at all. */
  hasBlock: boolean;
}

type Place = 'content' | 'block' | 'name' | 'body' | 'behind';

/** Which mark leads from one place to another; any other mark is text where the place keeps text. */
const WAYS: Record<Place, Readonly<Record<string, Place>>> = {
  content: { '<tool_call>': 'block', '<function=': 'name' },
  block: { '</tool_call>': 'content', '<function=': 'name' },
  name: { '>': 'body', '</function>': 'behind' },
  body: { '</function>': 'behind' },
  behind: { '</tool_call>': 'content', '<function=': 'name' },
};

/** Qwen3's special tokens, which the parser takes out of content, names and values. */
export const DROPPED: readonly string[] = (
  'im_start im_end endoftext object_ref_start object_ref_end box_start box_end quad_start quad_end ' +
  'vision_start vision_end vision_pad image_pad video_pad'
)
  .split(' ')
  .map((name) => `<|${name}|>`);

const TAGS = ['think', '/think', 'tool_call', '/tool_call', '/function', '/parameter'].map(
  (tag) => `<${tag}>`,
);
const MARKS = [...TAGS, '<function=', '<parameter=', ...DROPPED, '>'];
const MARK = new RegExp(`(${MARKS.map((mark) => mark.replaceAll('|', '\\|')).join('|')})`);
const isDropped = new Set(DROPPED);

/**
 * Splits a text at the marks of the tag form, which count only where they can follow: a mark elsewhere is part of a name or of a
 * body, and anything in a block beside its functions is lost, as is `</think>` in content unless it is `keptEnd`.
 */
export function scanned(text: string, keptEnd = false): Scan {
  const scan: Scan = { functions: [], before: '', after: '', hasBlock: false };
  let place: Place = 'content';
  let current: Written = { name: '', body: '' };
  for (const piece of text.split(MARK)) {
    const next: Place | undefined = Object.hasOwn(WAYS[place], piece) ? WAYS[place][piece] : undefined;
    if (next === undefined) {
      if (isDropped.has(piece)) continue;
      if (place === 'name' || place === 'body') current[place] += piece;
      if (place === 'content' && (keptEnd || piece !== '</think>'))
        scan[scan.hasBlock ? 'after' : 'before'] += piece;
      continue;
    }
    if (next === 'name') {
      current = { name: '', body: '' };
      scan.functions.push(current);
    }
    scan.hasBlock ||= next !== 'content';
    place = next;
  }
  return scan;
}
