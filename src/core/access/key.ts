// Parses the key that encrypts stored secrets: 32 bytes in base64 or hexadecimal.

const KEY_BYTES = 32;

/** Command that generates a key, for messages. */
export const KEY_RECIPE = "openssl rand -base64 32";

/** @returns the 32 bytes; undefined if the text is no key */
export function parseKey(text: string): Uint8Array | undefined {
  const word = text.trim();
  if (/^[0-9a-f]{64}$/i.test(word)) return Buffer.from(word, "hex");
  if (!/^[A-Za-z0-9+/_-]{43}=?$/.test(word)) return undefined;
  const bytes = Buffer.from(word, "base64");
  return bytes.length === KEY_BYTES ? bytes : undefined;
}
