// Reader of Protocol Buffers messages, field by field, for tests.

interface Field {
  readonly number: number;
  readonly value: number | Uint8Array;
}

export class Message {
  constructor(private readonly fields: readonly Field[]) {}

  has(number: number): boolean {
    return this.fields.some((field) => field.number === number);
  }

  integer(number: number): number {
    return this.#last(number) as number;
  }

  text(number: number): string {
    return new TextDecoder().decode(this.#last(number) as Uint8Array);
  }

  message(number: number): Message {
    return readMessage(this.#last(number) as Uint8Array);
  }

  messages(number: number): Message[] {
    const found = this.fields.filter((field) => field.number === number);
    return found.map(({ value }) => readMessage(value as Uint8Array));
  }

  #last(number: number): Field["value"] | undefined {
    return this.fields.findLast((field) => field.number === number)?.value;
  }
}

/** @throws Error where the bytes are no message */
export function readMessage(bytes: Uint8Array): Message {
  const fields: Field[] = [];
  let at = 0;
  const varint = (): number => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at++];
      if (byte === undefined) throw new Error("the message ends in the middle of a number");
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return Number(value);
    }
  };
  const take = (length: number): Uint8Array => {
    if (at + length > bytes.length) throw new Error("the message ends in the middle of a field");
    at += length;
    return bytes.subarray(at - length, at);
  };
  while (at < bytes.length) {
    const tag = varint();
    const wireType = tag % 8;
    const value = wireType === 0 ? varint() : take(wireType === 5 ? 4 : varint());
    fields.push({ number: Math.floor(tag / 8), value });
  }
  return new Message(fields);
}
