// CSV batches: size, statistics, gzip, constant memory.
import { expect, test } from "bun:test";
import { CsvBatches, type CsvOptions } from "../../../src/cli/input/csv-batches.ts";

async function* pieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

function open(content: string | Uint8Array, options: Partial<CsvOptions> = {}, pieceSize = 7) {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  return new CsvBatches(
    { bytes: pieces(bytes, pieceSize), size: bytes.length },
    { batchSize: 2, ...options },
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
  expect(read[0]!.share!).toBeLessThan(1);
  expect(batches.summary).toEqual({
    points: 3,
    empty: 1,
    fields: ["load"],
    texts: ["host"],
    first: 5,
    last: 20,
  });
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
  const row = new TextEncoder().encode(`${"1700000000,1.25,2.5,3.75\n".repeat(4000)}`);
  const total = 400;
  async function* rows(): AsyncGenerator<Uint8Array> {
    yield new TextEncoder().encode("time,a,b,c\n");
    for (let i = 0; i < total; i++) yield row;
  }
  const batches = new CsvBatches({ bytes: rows(), size: undefined }, { batchSize: 10_000 });
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
}, 60_000);
