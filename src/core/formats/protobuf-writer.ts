// Writer of small messages of protocol buffers: numbers as varints, texts and messages with their length.
// Format: https://protobuf.dev/programming-guides/encoding/

const [VARINT, LENGTH] = [0, 2];

/** Field number and value; a number is a whole one, at least 0. */
type ProtobufField = readonly [field: number, value: number | string | Uint8Array];

/** A message; fields of the value 0 or "" are left out, as proto3 does. */
export function writeProtobuf(fields: readonly ProtobufField[]): Uint8Array<ArrayBuffer> {
  const bytes: number[] = [];
  for (const [field, value] of fields) {
    if (value === 0 || value === "") continue;
    if (typeof value === "number") bytes.push(...varint(field * 8 + VARINT), ...varint(value));
    else {
      const content = typeof value === "string" ? new TextEncoder().encode(value) : value;
      bytes.push(...varint(field * 8 + LENGTH), ...varint(content.length), ...content);
    }
  }
  return new Uint8Array(bytes);
}

function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return [...bytes, rest];
}
