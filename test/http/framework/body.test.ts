// Pieces of a body: whole lines of bounded size, however the chunks of the stream are cut.
import { describe, expect, test } from "bun:test";
import { readLinePieces } from "../../../src/http/framework/body.ts";

const MB = 1024 * 1024;
const limit = { bytes: 10 * MB, setting: "s" };

async function readPieces(body: Buffer, chunkBytes: number): Promise<Uint8Array[]> {
  const chunks = Array.from({ length: Math.ceil(body.length / chunkBytes) }, (_, i) =>
    body.subarray(i * chunkBytes, (i + 1) * chunkBytes),
  );
  const pieces: Uint8Array[] = [];
  for await (const piece of readLinePieces(new Response(streamOf(chunks)).body!, limit, () => {}))
    pieces.push(piece);
  return pieces;
}

function streamOf(chunks: readonly Uint8Array[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
}

const body = Buffer.from('m ä=1,text="ö" 1\n'.repeat(200_000));

describe.each([64 * 1024, 700_001, 16 * MB])("chunks of %p bytes", (chunkBytes) => {
  test("the pieces are the body, end behind a line, and are of about a megabyte", async () => {
    const pieces = await readPieces(body, chunkBytes);
    expect(Buffer.concat(pieces).equals(body)).toBe(true);
    expect(pieces.length).toBeGreaterThan(2);
    for (const piece of pieces) {
      expect(piece.at(-1)).toBe(10);
      expect(piece.length).toBeLessThanOrEqual(2 * MB);
    }
  });

  test("a line longer than a piece stays whole, and the last one needs no end", async () => {
    const long = Buffer.from(`m a=1\n${"x".repeat(3 * MB)}\nm a=2`);
    const pieces = await readPieces(long, chunkBytes);
    expect(Buffer.concat(pieces).equals(long)).toBe(true);
    expect(pieces.slice(0, -1).every((piece) => piece.at(-1) === 10)).toBe(true);
  });
});

test("an empty body has no pieces", async () => {
  expect(await readPieces(Buffer.alloc(0), 10)).toEqual([]);
});

test("a body beyond the limit is refused", async () => {
  await expect(readPieces(Buffer.alloc(11 * MB), MB)).rejects.toMatchObject({ code: "too_large" });
});
