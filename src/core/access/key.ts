// The text of a key that seals secrets.

const KEY_BYTES = 32;

/** How a key is made, for messages. */
export const KEY_RECIPE = "openssl rand -base64 32";

/** Reads a key: 32 bytes in base64 or hexadecimal. @returns undefined where it is none */
export function parseKey(text: string): Uint8Array | undefined {
  const word = text.trim();
  if (/^[0-9a-f]{64}$/i.test(word)) return Buffer.from(word, "hex");
  if (!/^[A-Za-z0-9+/_-]{43}=?$/.test(word)) return undefined;
  const bytes = Buffer.from(word, "base64");
  return bytes.length === KEY_BYTES ? bytes : undefined;
}
