// Block of a bundle: compressed JSON of some 100 series, counted before it is parsed, parsed with pauses for others.
import { promisify } from "node:util";
import { zstdDecompress } from "node:zlib";
import { type Static, Type } from "@sinclair/typebox";
import { parseInParts } from "../../core/formats/json-parts.ts";
import { check } from "../../core/input/schema.ts";

/** Of a block: bounds what a small text can unpack to. */
const MAX_BLOCK_BYTES = 64 * 1024 * 1024;
/** Of a block, short ones as well: a number of an export is longer than that leaves it. */
const MAX_BLOCK_VALUES = 4_000_000;
/** Characters that are looked at between two pauses. */
const LOOKED_AT_ONCE = 1024 * 1024;

const Block = Type.Array(
  Type.Object(
    {
      key: Type.String(),
      tags: Type.Record(Type.String(), Type.String()),
      points: Type.Integer({ minimum: 0 }),
      parameters: Type.Unsafe<Record<string, unknown>>(Type.Record(Type.String(), Type.Unknown())),
    },
    { additionalProperties: false },
  ),
  { maxItems: 10_000 },
);

interface ReadBlock {
  readonly series: Static<typeof Block>;
  /** Unpacked. */
  readonly bytes: number;
}

const decompress = promisify(zstdDecompress);

/** @param text in base64 @throws Error for a text that is no block, or beyond its caps */
export async function readBlock(text: string, pause: () => Promise<void> | undefined): Promise<ReadBlock> {
  const bytes = await decompress(Buffer.from(text, "base64"), { maxOutputLength: MAX_BLOCK_BYTES });
  await pause();
  const json = bytes.toString();
  await checkValues(json, pause);
  const notJson = () => new SyntaxError("no JSON");
  const parsed = await parseInParts(json, {
    parsePart: JSON.parse as (part: string) => unknown,
    notJson,
    pause,
  });
  return { series: check(Block, parsed), bytes: bytes.byteLength };
}

/** Brackets and commas bound the values, those within texts as well. */
async function checkValues(json: string, pause: () => Promise<void> | undefined): Promise<void> {
  let values = 0;
  for (let from = 0; from < json.length; from += LOOKED_AT_ONCE) {
    const to = Math.min(json.length, from + LOOKED_AT_ONCE);
    for (let i = from; i < to; i++) {
      const char = json.charCodeAt(i);
      if (char === 0x2c || char === 0x5b || char === 0x7b) values++;
    }
    if (values > MAX_BLOCK_VALUES) throw new RangeError(`more than ${MAX_BLOCK_VALUES} values`);
    await pause();
  }
}
