/** HTML's names for U+00A0 to U+00FF, in that order; these also count without a semicolon. */
const LATIN =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute ' +
  'micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig ' +
  'Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash ' +
  'Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ' +
  'ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc ' +
  'uuml yacute thorn yuml';
/** The other names that count without one. */
const BARE = 'amp:26 lt:3c gt:3e quot:22 AMP:26 LT:3c GT:3e QUOT:22 COPY:a9 REG:ae';
/** HTML 4's other names and `apos`, with their code points. Of HTML 5's further 1,873 names a model hardly writes one. */
const CLOSED =
  'Alpha:391 Beta:392 Chi:3a7 Dagger:2021 Delta:394 Epsilon:395 Eta:397 Gamma:393 Iota:399 Kappa:39a Lambda:39b ' +
  'Mu:39c Nu:39d OElig:152 Omega:3a9 Omicron:39f Phi:3a6 Pi:3a0 Prime:2033 Psi:3a8 Rho:3a1 Scaron:160 Sigma:3a3 ' +
  'Tau:3a4 Theta:398 Upsilon:3a5 Xi:39e Yuml:178 Zeta:396 alefsym:2135 alpha:3b1 and:2227 ang:2220 asymp:2248 ' +
  'bdquo:201e beta:3b2 bull:2022 cap:2229 chi:3c7 circ:2c6 clubs:2663 cong:2245 crarr:21b5 cup:222a dArr:21d3 ' +
  'dagger:2020 darr:2193 delta:3b4 diams:2666 empty:2205 emsp:2003 ensp:2002 epsilon:3b5 equiv:2261 eta:3b7 ' +
  'euro:20ac exist:2203 fnof:192 forall:2200 frasl:2044 gamma:3b3 ge:2265 hArr:21d4 harr:2194 hearts:2665 ' +
  'hellip:2026 image:2111 infin:221e int:222b iota:3b9 isin:2208 kappa:3ba lArr:21d0 lambda:3bb lang:27e8 larr:2190 ' +
  'lceil:2308 ldquo:201c le:2264 lfloor:230a lowast:2217 loz:25ca lrm:200e lsaquo:2039 lsquo:2018 mdash:2014 ' +
  'minus:2212 mu:3bc nabla:2207 ndash:2013 ne:2260 ni:220b notin:2209 nsub:2284 nu:3bd oelig:153 oline:203e ' +
  'omega:3c9 omicron:3bf oplus:2295 or:2228 otimes:2297 part:2202 permil:2030 perp:22a5 phi:3c6 pi:3c0 piv:3d6 ' +
  'prime:2032 prod:220f prop:221d psi:3c8 rArr:21d2 radic:221a rang:27e9 rarr:2192 rceil:2309 rdquo:201d real:211c ' +
  'rfloor:230b rho:3c1 rlm:200f rsaquo:203a rsquo:2019 sbquo:201a scaron:161 sdot:22c5 sigma:3c3 sigmaf:3c2 ' +
  'sim:223c spades:2660 sub:2282 sube:2286 sum:2211 sup:2283 supe:2287 tau:3c4 there4:2234 theta:3b8 thetasym:3d1 ' +
  'thinsp:2009 tilde:2dc trade:2122 uArr:21d1 uarr:2191 upsih:3d2 upsilon:3c5 weierp:2118 xi:3be zeta:3b6 zwj:200d ' +
  'zwnj:200c apos:27';

const NAMES = new Map<string, string>();
for (const [index, name] of LATIN.split(' ').entries()) NAMES.set(name, String.fromCodePoint(0xa0 + index));
for (const [name, char] of entries(BARE)) NAMES.set(name, char);
for (const [name, char] of [...NAMES, ...entries(CLOSED)]) NAMES.set(`${name};`, char);

function entries(table: string): [name: string, char: string][] {
  return table.split(' ').map((row) => {
    const [name = '', code = ''] = row.split(':');
    return [name, String.fromCodePoint(Number.parseInt(code, 16))];
  });
}

const REFERENCE = /&(#[0-9]+;?|#[xX][0-9a-fA-F]+;?|[^\t\n\f <&#;]{1,32};?)/gu;

/** Python's `html.unescape`: references become characters, a name without its semicolon too, also as a prefix of a longer one. */
export function unescapeHtml(text: string): string {
  return text.replace(REFERENCE, (whole, reference: string) =>
    reference.startsWith('#') ? numeric(reference) : (named(reference) ?? whole),
  );
}

function named(reference: string): string | undefined {
  const exact = NAMES.get(reference);
  if (exact !== undefined) return exact;
  for (let length = reference.length - 1; length > 1; length--) {
    const char = NAMES.get(reference.slice(0, length));
    if (char !== undefined) return char + reference.slice(length);
  }
  return undefined;
}

const windows = new TextDecoder('windows-1252');

function numeric(reference: string): string {
  const digits = reference.replace(/^#[xX]?|;$/g, '');
  const code = /^#x/i.test(reference) ? Number.parseInt(digits, 16) : Number(digits);
  if (code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return '\uFFFD';
  if (code >= 0x80 && code <= 0x9f) return windows.decode(Uint8Array.of(code));
  const invalid =
    code < 9 || code === 0xb || (code > 0xd && code < 0x20) || code === 0x7f || isNoncharacter(code);
  return invalid ? '' : String.fromCodePoint(code);
}

const isNoncharacter = (code: number): boolean =>
  (code >= 0xfdd0 && code <= 0xfdef) || (code & 0xfffe) === 0xfffe;
