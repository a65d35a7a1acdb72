// Wire format of protocol buffers, for messages that no schema would make.

export function encodeVarint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return [...bytes, rest];
}

/** A field that holds bytes: a text, a message or packed numbers. */
export function wrap(field: number, inner: Uint8Array): Uint8Array<ArrayBuffer> {
  const head = [...encodeVarint(field * 8 + 2), ...encodeVarint(inner.length)];
  return new Uint8Array(Buffer.concat([Buffer.from(head), inner]));
}
