import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { CAUSES } from './causes.ts';

const text = readFileSync(new URL('./causes.md', import.meta.url), 'utf8');
const sections = text
  .split(/^### /m)
  .slice(1)
  .map((section) => ({ name: section.slice(0, section.indexOf('\n')), section }));

test('causes.md and the list of causes are in step, both ways and in the same order', () => {
  expect(sections.map(({ name }) => name)).toEqual(Object.keys(CAUSES));
});

test('every section says where the cause was seen: a public thread or a measurement, or that none is known', () => {
  const vague = sections.filter(
    ({ section }) =>
      !/^Seen: .*(https:\/\/github\.com\/|[Mm]easured on|no public report is known)/m.test(section),
  );
  expect(vague.map(({ name }) => name)).toEqual([]);
});
