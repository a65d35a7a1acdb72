// CSV batches: size, statistics, gzip, constant memory.
import { expect, test } from "bun:test";
import { type BatchOptions, CsvBatches } from "../../../src/cli/input/csv-batches.ts";

async function* pieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

function open(content: string | Uint8Array, options: Partial<BatchOptions> = {}, pieceSize = 7) {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  return new CsvBatches(
    { bytes: pieces(bytes, pieceSize), size: bytes.length },
    { nowAt: Date.UTC(2026, 0, 1), batchSize: 2, timeFormat: "s", ...options },
  );
}

const text = "time,load,host\n10,1,a\n20,2,b\n30,,c\n5,4,d\n";

test("batches hold so many points, and the share of the file that has been read", async () => {
  const batches = open(text);
  const read = await Array.fromAsync(batches);
  expect(read.map(({ points }) => points)).toEqual([
    [
      { timestamp: 10, load: 1 },
      { timestamp: 20, load: 2 },
    ],
    [{ timestamp: 5, load: 4 }],
  ]);
  expect(read.at(-1)!.share).toBe(1);
  expect(batches.counts).toMatchObject({ points: 3, empty: 1, first: 5, last: 20 });
  expect(batches.reading.roles.fields.map(({ name }) => name)).toEqual(["load"]);
  expect(batches.reading.roles.texts.map(({ name }) => name)).toEqual(["host"]);
});

test("unpacks gzip under any file name", async () => {
  const plain = await Array.fromAsync(open(text));
  const packed = await Array.fromAsync(open(Bun.gzipSync(new TextEncoder().encode(text))));
  expect(packed.map(({ points }) => points)).toEqual(plain.map(({ points }) => points));
});

test("damaged gzip is an error", async () => {
  const packed = Bun.gzipSync(new TextEncoder().encode(text.repeat(100)));
  await expect(Array.fromAsync(open(packed.subarray(0, packed.length / 2)))).rejects.toThrow("damaged gzip");
});

test("a file without a header takes the names that were given", async () => {
  const batches = open("10,1\n20,2\n", { header: ["time", "load"] });
  expect((await Array.fromAsync(batches))[0]!.points).toEqual([
    { timestamp: 10, load: 1 },
    { timestamp: 20, load: 2 },
  ]);
});

test("letters that are cut in two stay whole", async () => {
  const batches = open("time,größe\n1,2\n", {}, 1);
  expect((await Array.fromAsync(batches))[0]!.points).toEqual([{ timestamp: 1, größe: 2 }]);
});

test("an empty file is refused", async () => {
  await expect(Array.fromAsync(open(""))).rejects.toThrow("line 1: is missing: the file is empty");
});

test("a large file is never held as a whole", async () => {
  const rowsOf = (chunk: number) =>
    Array.from({ length: 4000 }, (_, i) => `${1_500_000_000 + 4000 * chunk + i},1.25,2.5,3.75\n`).join("");
  const total = 400;
  async function* rows(): AsyncGenerator<Uint8Array> {
    yield new TextEncoder().encode("time,a,b,c\n");
    for (let i = 0; i < total; i++) yield new TextEncoder().encode(rowsOf(i));
  }
  const batches = new CsvBatches(
    { bytes: rows(), size: undefined },
    { nowAt: Date.UTC(2026, 0, 1), batchSize: 10_000 },
  );
  const held = () => {
    Bun.gc(true);
    return process.memoryUsage().heapUsed;
  };
  const before = held();
  let [points, most, count] = [0, 0, 0];
  for await (const batch of batches) {
    points += batch.points.length;
    if (++count % 40 === 0) most = Math.max(most, held() - before);
  }
  expect(points).toBe(4000 * total);
  // As points all of it would be several hundred megabytes; a batch is some three.
  expect(most).toBeLessThan(60e6);
}, 180_000);
