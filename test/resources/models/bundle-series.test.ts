// Series in bundles: packed by page, refused where they were changed.
import { expect, test } from "bun:test";
import { packSeries, readSeries } from "../../../src/resources/models/bundle-series.ts";
import { aFit } from "../../store/fleets/builders.ts";
import { countTurns } from "../../support/turns.ts";

const pack = async (...pages: ReturnType<typeof aFit>[][]) => {
  async function* all() {
    yield* pages;
  }
  return packSeries(all());
};

test("series survive the way, a block per page", async () => {
  const pages = [[aFit("a"), aFit("b")], [aFit("c", { parameters: { ranks: [0.1, 1 / 3] } })]];
  const blocks = await pack(...pages);
  expect(blocks).toHaveLength(2);
  expect(await Array.fromAsync(readSeries(blocks))).toEqual(pages.flat());
  expect(await pack()).toEqual([]);
});

test("a block is read when its first series is taken", async () => {
  const series = readSeries([...(await pack([aFit("a")])), "broken"]);
  expect((await series.next()).value).toEqual(aFit("a"));
  await expect(series.next()).rejects.toThrow("series.1: must be a block of series");
});

test("a long block is parsed with turns for other work", async () => {
  const long = aFit("a", { parameters: { ranks: Array.from({ length: 1_000_000 }, (_, i) => i) } });
  const blocks = await pack([long]);
  const endCount = countTurns();
  expect(await Array.fromAsync(readSeries(blocks))).toEqual([long]);
  expect(endCount()).toBeGreaterThan(3);
});

test.each([
  ["a text that is no block", async () => "AAAA"],
  ["JSON of another shape", async () => Buffer.from(Bun.zstdCompressSync('[{"key":1}]')).toString("base64")],
  [
    "what unpacks to too much",
    async () => Buffer.from(Bun.zstdCompressSync(" ".repeat(2 ** 27))).toString("base64"),
  ],
  [
    "more values than a block has",
    async () => Buffer.from(Bun.zstdCompressSync(`[${"{},".repeat(2_000_001)}{}]`)).toString("base64"),
  ],
  ["a key of other tags", async () => (await pack([aFit("a", { key: '["b"]' })]))[0]!],
  ["a key that is none", async () => (await pack([aFit("a", { key: '{"a' })]))[0]!],
  ["a key with spaces", async () => (await pack([aFit("a", { key: '[ "a"]' })]))[0]!],
  ["a series twice", async () => (await pack([aFit("a"), aFit("a")]))[0]!],
])("refuses %s", async (_what, make) => {
  const block = await make();
  await expect(Array.fromAsync(readSeries([block]))).rejects.toThrow(/^series\.0: must /);
});
