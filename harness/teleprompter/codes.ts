/**
 * Writes the ±1 code of a token into `row[1..127]` (float row of 128): bits of four words of the splitmix32 stream that starts
 * at `seed`. It is a pure function of seed and token, so that no token's code depends on any other.
 */
export function writeCode(row: Float32Array, seed: number, token: number): void {
  for (let word = 0; word < 4; word++) {
    const bits = splitmix32(seed, 4 * token + word);
    for (let bit = word === 0 ? 1 : 0; bit < 32; bit++) row[32 * word + bit] = (bits >>> bit) & 1 ? 1 : -1;
  }
}

/** Word `index` of a splitmix32 stream: a Weyl sequence sent through a mixing function, so that any word can be had alone. */
function splitmix32(seed: number, index: number): number {
  let word = (seed + Math.imul(index + 1, 0x9e3779b9)) | 0;
  word = Math.imul(word ^ (word >>> 16), 0x21f0aaad);
  word = Math.imul(word ^ (word >>> 15), 0x735a2d97);
  return word ^ (word >>> 15);
}
