// Percent-encoding by RFC 3986: stricter than `encodeURIComponent`, which leaves `!'()*` alone.

/** Percent-encodes a text except for the unreserved characters (RFC 3986, section 2.3): letters, digits and `-._~`. */
export function percentEncode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
