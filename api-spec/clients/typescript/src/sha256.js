/**
 * SHA-256 (FIPS 180-4) and HMAC-SHA-256 (RFC 2104), at once and everywhere: the platform's own answer later, or not at
 * all.
 */

/**
 * The first 32 bits of the fractional parts of the roots of the first primes.
 * @param {number} count @param {number} root
 */
function fractions(count, root) {
  /** @type {number[]} */
  const primes = [];
  for (let number = 2; primes.length < count; number += 1) {
    if (primes.every((prime) => number % prime)) primes.push(number);
  }
  return primes.map((prime) => ((prime ** (1 / root)) % 1) * 2 ** 32);
}

const ROUNDS = Int32Array.from(fractions(64, 3), (part) => part | 0);
const START = Uint32Array.from(fractions(8, 2));

/** @param {number} word @param {number} by */
const turned = (word, by) => (word >>> by) | (word << (32 - by));

/** Bytes one after the other. @param {...Uint8Array} pieces */
export function concat(...pieces) {
  const joined = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    joined.set(piece, at);
    at += piece.length;
  }
  return joined;
}

/** The digest of these pieces, one after the other. @param {...Uint8Array} pieces */
export function sha256(...pieces) {
  const message = concat(...pieces);
  const padded = new Uint8Array(((message.length + 8) >> 6) * 64 + 64);
  padded.set(message);
  padded[message.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(message.length / 2 ** 29));
  view.setUint32(padded.length - 4, message.length * 8);
  const state = Uint32Array.from(START);
  const words = new Int32Array(64);
  for (let block = 0; block < padded.length; block += 64) {
    for (let at = 0; at < 64; at += 1) {
      if (at < 16) words[at] = view.getInt32(block + 4 * at);
      else {
        const far = words[at - 15] ?? 0;
        const near = words[at - 2] ?? 0;
        const one = turned(far, 7) ^ turned(far, 18) ^ (far >>> 3);
        const other = turned(near, 17) ^ turned(near, 19) ^ (near >>> 10);
        words[at] = (words[at - 16] ?? 0) + one + (words[at - 7] ?? 0) + other;
      }
    }
    let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
    for (let at = 0; at < 64; at += 1) {
      const chosen = (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g));
      const first = (h + chosen + (ROUNDS[at] ?? 0) + (words[at] ?? 0)) | 0;
      const second = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
      h = g;
      g = f;
      f = e;
      e = (d + first) | 0;
      d = c;
      c = b;
      b = a;
      a = (first + second) | 0;
    }
    [a, b, c, d, e, f, g, h].forEach((word, at) => (state[at] = (state[at] ?? 0) + word));
  }
  const digest = new DataView(new ArrayBuffer(32));
  for (const [at, word] of state.entries()) digest.setUint32(4 * at, word);
  return new Uint8Array(digest.buffer);
}

/** @param {Uint8Array} key of at most 64 bytes @param {Uint8Array} message */
export function hmac(key, message) {
  const mixed = (/** @type {number} */ byte) => Uint8Array.from({ length: 64 }, (_, at) => (key[at] ?? 0) ^ byte);
  return sha256(mixed(0x5c), sha256(mixed(0x36), message));
}
