import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { compile } from 'json-schema-to-typescript';

/** Writes types.ts from the schemas beside it; `--check` compares instead and fails when they are out of step. */
const folder = new URL('./', import.meta.url);
const target = new URL('types.ts', folder);

const names = readdirSync(folder)
  .filter((name) => name.endsWith('.schema.json'))
  .sort();
const parts = await Promise.all(
  names.map((name) => {
    const schema = JSON.parse(readFileSync(new URL(name, folder), 'utf8'));
    return compile(schema, name, {
      bannerComment: '',
      additionalProperties: false,
      format: false,
      ignoreMinAndMaxItems: true,
    });
  }),
);
const text = `// Generated from the schemas in this folder by \`npm run fix\`; do not edit.\n\n${parts.join('\n')}`;

if (!process.argv.includes('--check')) {
  writeFileSync(target, text);
} else if (readFileSync(target, 'utf8') !== text) {
  console.error('harness/schemas/types.ts is out of step with the schemas; run `npm run fix`');
  process.exitCode = 1;
}
