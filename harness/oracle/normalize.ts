/**
 * Characters younger than Unicode 9 that today's NFC reorders or composes. The `tokenizers` library (0.23.3; the tables are
 * those of its normaliser) leaves them where they are. Found by comparing every character beside marks of other classes.
 */
const YOUNGER =
  '7fd 897-89f 8ca-8d3 9fe c3c d3b-d3c eba 1715 1abf-1add 1ae0-1aeb 1df6-1dfa a82c 105d2 105da 10d24-10d27 10d69-10d6d ' +
  '10eab-10eac 10efa-10efb 10efd-10eff 10f46-10f50 10f82-10f85 11070 1133b 11382 11384 1138b 11390 113c2 113ce-113d0 ' +
  '1145e 11839-1183a 11935 1193d-1193e 11943 119e0 11a34 11a47 11a99 11d42 11d44-11d45 11d97 11f41-11f42 1611e ' +
  '16121-16122 16129 1612f 16d63 16d67 16d69 16ff0-16ff1 1e08f 1e130-1e136 1e2ae 1e2ec-1e2ef 1e4ec-1e4ef 1e5ee-1e5ef ' +
  '1e6e3 1e6e6 1e6ee-1e6ef 1e6f5';

const younger = new RegExp(`([${YOUNGER.replace(/[0-9a-f]+/g, '\\u{$&}').replaceAll(' ', '')}])`, 'u');

/** NFC as the tokenizer's normaliser does it: by Unicode 9, whatever this runtime knows. */
export function nfc(text: string): string {
  if (!younger.test(text)) return text.normalize('NFC');
  // To the older tables these characters are starters that compose with nothing, so what is around them is normalised apart.
  return text
    .split(younger)
    .map((part, index) => (index % 2 === 0 ? part.normalize('NFC') : part))
    .join('');
}
