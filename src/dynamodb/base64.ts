// Base64 without Node's Buffer, which the core may not use: the form in which binary values travel and are
// kept.

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** The base64 text of some bytes, padded. */
export function encodeBase64(bytes: Uint8Array): string {
  let text = '';
  for (let index = 0; index < bytes.length; index += 3) {
    const left = bytes.length - index;
    const word = ((bytes[index] as number) << 16) | ((bytes[index + 1] ?? 0) << 8) | (bytes[index + 2] ?? 0);
    text += digit(word >> 18) + digit(word >> 12);
    text += left > 1 ? digit(word >> 6) : '=';
    text += left > 2 ? digit(word) : '=';
  }
  return text;
}

/** The bytes behind a base64 text; undefined where the text is not padded base64. */
export function decodeBase64(text: string): Uint8Array | undefined {
  if (text.length % 4 !== 0) return undefined;
  const paddingLength = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  const digits = text.slice(0, text.length - paddingLength);
  // One pattern for all of it would run out of stack on texts of some megabytes.
  if (/[^A-Za-z0-9+/]/.test(digits)) return undefined;
  const bytes = new Uint8Array(Math.floor((digits.length * 3) / 4));
  let word = 0;
  for (let index = 0, at = 0; index < digits.length; index++) {
    word = (word << 6) | base64Sextet(digits.charCodeAt(index));
    const bits = ((index + 1) * 6) % 8;
    // A byte is complete whenever the bits read so far hold one more whole byte: after every character but
    // the first of four.
    if (index % 4 !== 0) bytes[at++] = (word >> bits) & 0xff;
  }
  return bytes;
}

/**
 * The six bits that a base64 character stands for; −1 for padding, which ends the bytes and so sorts before
 * everything.
 */
export function base64Sextet(code: number): number {
  if (code === 61) return -1;
  if (code === 43) return 62;
  if (code === 47) return 63;
  if (code < 58) return code + 4;
  return code < 91 ? code - 65 : code - 71;
}

function digit(bits: number): string {
  return alphabet.charAt(bits & 63);
}
