import { writeFileSync } from 'node:fs';
import { unfoldCore, withStop } from '../goldens/codec.ts';
import { GoldenStore } from '../goldens/store.ts';
import { loadTokenizer } from '../oracle/tokenizer.ts';
import { projectAt } from '../project.ts';

/**
 * Writes the first turn of every spliced golden as speak.py reads it:
 * `node harness/testing/first-turns.ts TURNS.json`.
 */
const store = new GoldenStore(projectAt().goldens, loadTokenizer());
const turns = store
  .list()
  .filter(({ history }) => history === 'spliced')
  .flatMap((key) => {
    const [first] = unfoldCore(store.load(key));
    if (!first) return [];
    return [{ name: key.scenario, prompt_token_ids: first.prompt, generation_token_ids: withStop(first) }];
  });
writeFileSync(process.argv[2] ?? 'turns.json', JSON.stringify(turns));
process.stdout.write(`${turns.length} first turns\n`);
