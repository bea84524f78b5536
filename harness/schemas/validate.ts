import { readFileSync } from 'node:fs';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Differences, Golden, Lane, Results, Run, Scenario, Transcript, Waivers } from './types.ts';

interface Documents {
  differences: Differences;
  golden: Golden;
  lane: Lane;
  results: Results;
  run: Run;
  scenario: Scenario;
  transcript: Transcript;
  waivers: Waivers;
}

export type DocumentKind = keyof Documents;

/** One thing that a document gets wrong; `path` are the keys and indexes that lead there. */
export interface Problem {
  path: string[];
  message: string;
  /** Set when `path` ends on a key that nobody knows: the keys that could have been meant. */
  allowed?: string[];
}

export type Checked<K extends DocumentKind> =
  | { ok: true; value: Documents[K] }
  | { ok: false; problems: Problem[] };

const validators = new Map<DocumentKind, ValidateFunction>();

/** Checks plain data against the schema of its kind. */
export function checkDocument<K extends DocumentKind>(kind: K, data: unknown): Checked<K> {
  const validate = validatorOf(kind);
  // The schema is the type's source, so data that passed has the type.
  if (validate(data)) return { ok: true, value: data as Documents[K] };
  return {
    ok: false,
    problems: (validate.errors ?? []).map(problemOf).filter((problem) => problem !== undefined),
  };
}

function validatorOf(kind: DocumentKind): ValidateFunction {
  let validate = validators.get(kind);
  if (!validate) {
    const ajv = new Ajv2020({ allErrors: true, strict: false, verbose: true, validateFormats: false });
    validate = ajv.compile(JSON.parse(readFileSync(schemaFile(kind), 'utf8')));
    validators.set(kind, validate);
  }
  return validate;
}

const schemaFile = (kind: DocumentKind): URL => new URL(`./${kind}.schema.json`, import.meta.url);

function problemOf(error: ErrorObject): Problem | undefined {
  const path = error.instancePath.split('/').slice(1).map(unescapePointer);
  switch (error.keyword) {
    case 'additionalProperties': {
      const key = String(error.params.additionalProperty);
      const allowed = Object.keys((error.parentSchema?.properties as object | undefined) ?? {});
      return { path: [...path, key], message: `unknown key '${key}'`, allowed };
    }
    case 'required':
      if (error.schemaPath.endsWith('/then/required')) return undefined; // see 'if'
      return { path, message: `the key '${String(error.params.missingProperty)}' is missing` };
    case 'enum':
      return { path, message: `must be one of ${(error.params.allowedValues as unknown[]).join(', ')}` };
    case 'maximum':
    case 'minimum': {
      const limit = error.keyword === 'maximum' ? 'at most' : 'at least';
      return { path, message: `must be ${limit} ${error.params.limit}, not ${error.data}` };
    }
    case 'not':
      return { path, message: `must have ${exclusiveKeys(error)}, not both` };
    case 'if':
      return { path, message: `must have ${alternatives(error.parentSchema)}` };
    default:
      return { path, message: error.message ?? error.keyword };
  }
}

/** The two keys of which a schema demands one: `if` there is no A, `then` there must be B. */
function alternatives(schema: ErrorObject['parentSchema']): string {
  const text = JSON.stringify([schema?.if, schema?.then]);
  return [...text.matchAll(/"required":\["(\w+)"/g)].map(([, key]) => `'${key}'`).join(' or ');
}

function exclusiveKeys(error: ErrorObject): string {
  const schema = error.schema as { required?: string[] };
  return (schema.required ?? []).map((key) => `'${key}'`).join(' or ');
}

const unescapePointer = (part: string): string => part.replaceAll('~1', '/').replaceAll('~0', '~');
