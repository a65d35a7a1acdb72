// Combined reads: fewer reads, the same answers, isolated failures.
import { afterEach, beforeEach, expect, test } from "bun:test";
import type { Bucket } from "../../../src/buckets/kind.ts";
import { local } from "../../../src/buckets/local/index.ts";
import { TorusError } from "../../../src/core/errors.ts";
import { emptyGrid, type Grid } from "../../../src/core/series/grid.ts";
import type { FeatureQuery, ReadQuery } from "../../../src/core/series/query.ts";
import { CombinedReads } from "../../../src/live/reads/index.ts";
import { createRandom } from "../../../wasm/random.ts";
import { drain, FakeClock } from "../../jobs/fakes.ts";
import { temporaryFolder } from "../../support/folder.ts";

const range = { fromAt: 0, toAt: 3000 };

/** Answers when the test lets it; each field has values of its own. */
class CountingBucket implements Bucket {
  readonly queries: ReadQuery[] = [];
  readonly signals: AbortSignal[] = [];
  #gate = Promise.withResolvers<void>();
  /** Fields that fail, and fields that never answer. */
  readonly broken = new Set<string>();
  readonly stuck = new Set<string>();

  async read(query: ReadQuery, signal: AbortSignal): Promise<Grid> {
    this.queries.push(query);
    this.signals.push(signal);
    await this.#gate.promise;
    const fields = query.features.map(({ field }) => field);
    if (fields.some((field) => this.stuck.has(field))) await new Promise(() => {});
    const broken = query.features.find(({ field }) => this.broken.has(field));
    if (broken) throw new TorusError("bucket_rejected", `${broken.name} is broken`);
    const grid = emptyGrid(
      query.range,
      query.intervalMs,
      query.features.map(({ name }) => name),
    );
    for (const { name, field } of query.features) grid.columns[name]!.set([Number(field), 1, 2]);
    return grid;
  }

  open(): void {
    this.#gate.resolve();
  }

  close(): void {}
}

const feature = (field: number | string, more: Partial<FeatureQuery> = {}): FeatureQuery => ({
  name: "load",
  metric: "avg",
  field: String(field),
  tags: [],
  ...more,
});

let bucket: CountingBucket;
let clock: FakeClock;
let reads: CombinedReads;
beforeEach(() => {
  bucket = new CountingBucket();
  clock = new FakeClock(0);
  reads = new CombinedReads({ openBucket: async () => bucket, clock });
});
afterEach(() => expect(clock.pending).toBe(0));

async function ask(
  features: readonly FeatureQuery[],
  { signal = new AbortController().signal, ...over }: Partial<ReadQuery> & { signal?: AbortSignal } = {},
): Promise<Grid> {
  const opened = await reads.open("b");
  return opened.read({ range, intervalMs: 1000, features, ...over }, signal);
}

/** What came of a read: its first number, or what its error says. */
const outcomeOf = (read: Promise<Grid>) =>
  read.then(
    ({ columns }) => columns.load![0],
    (error: Error) => error.message,
  );

const numbers = (length: number) => Array.from({ length }, (_, i) => i);

test("200 that come at once are five reads, and each gets its own column under its own name", async () => {
  const asked = numbers(200).map((i) => outcomeOf(ask([feature(i)])));
  await drain();
  bucket.open();
  expect(await Promise.all(asked)).toEqual(numbers(200));
  expect(bucket.queries.map(({ features }) => features.length)).toEqual([1, 64, 64, 64, 7]);
});

test("a shared column is read once, and each read gets its own copy", async () => {
  void ask([feature(0)]);
  const [a, b] = [ask([feature(7), feature(8, { name: "other" })]), ask([feature(7)])];
  await drain();
  bucket.open();
  const [first, second] = await Promise.all([a, b]);
  expect(bucket.queries[1]!.features.map(({ field }) => field)).toEqual(["7", "8"]);
  expect(Object.keys(first.columns)).toEqual(["load", "other"]);
  first.columns.load!.fill(-1);
  expect([...second.columns.load!]).toEqual([7, 1, 2]);
});

test("other ranges, other intervals and queries of their own are neither combined nor delayed", async () => {
  const later = { range: { fromAt: 1000, toAt: 4000 } };
  const asked = [
    ask([feature(1)]),
    ask([feature(2)], later),
    ask([feature(3)], { intervalMs: 500 }),
    ask([feature(4, { query: "select" })]),
  ];
  await drain();
  expect(bucket.queries).toHaveLength(4);
  bucket.open();
  await Promise.all(asked);
});

test("a failing read does not fail the others, and its error has its own name", async () => {
  bucket.broken.add("3");
  const asked = numbers(5).map((i) => outcomeOf(ask([feature(i)])));
  await drain();
  bucket.open();
  expect(await Promise.all(asked)).toEqual([0, 1, 2, "load is broken", 4]);
  // From now on it goes alone; the others go together again.
  const before = bucket.queries.length;
  expect(await Promise.all(numbers(5).map((i) => outcomeOf(ask([feature(i)]))))).toEqual([
    0,
    1,
    2,
    "load is broken",
    4,
  ]);
  const sizes = bucket.queries.slice(before).map(({ features }) => features.length);
  expect(sizes.toSorted()).toEqual([1, 1, 3]);
});

test("one that never answers holds the others up for a second, and is the only one without an answer", async () => {
  bucket.stuck.add("3");
  const controller = new AbortController();
  const asked = numbers(5).map((i) =>
    outcomeOf(ask([feature(i)], i === 3 ? { signal: controller.signal } : {})),
  );
  await drain();
  bucket.open();
  await drain();
  clock.advance(1000);
  const others = asked.filter((_, i) => i !== 3);
  expect(await Promise.all(others)).toEqual([0, 1, 2, 4]);
  controller.abort(new Error("time is up"));
  expect(await asked[3]).toBe("time is up");
  await drain();
});

test("an aborted read ends at once and cancels no other; when all are aborted, the combined one is", async () => {
  void ask([feature(0)]).catch(() => {});
  const controllers = numbers(3).map(() => new AbortController());
  const asked = controllers.map(({ signal }, i) => outcomeOf(ask([feature(i + 1)], { signal })));
  await drain();
  controllers[0]!.abort(new Error("stopped"));
  expect(await asked[0]).toBe("stopped");
  bucket.open();
  expect(await Promise.all(asked.slice(1))).toEqual([2, 3]);
  expect(bucket.queries[1]!.features.map(({ field }) => field)).toEqual(["2", "3"]);
  bucket.stuck.add("1").add("2");
  const again = numbers(3).map(() => new AbortController());
  const stuck = again.map(({ signal }, i) => outcomeOf(ask([feature(i)], { signal })));
  await drain();
  for (const controller of again) controller.abort(new Error("stopped"));
  expect(await Promise.all(stuck.slice(1))).toEqual(["stopped", "stopped"]);
  await drain();
  expect(bucket.signals.at(-1)!.aborted).toBe(true);
});

test("at most 16 reads are under way", async () => {
  const asked = numbers(40).map((i) =>
    ask([feature(i)], { range: { fromAt: i * 1000, toAt: i * 1000 + 3000 } }),
  );
  await drain();
  expect(bucket.queries).toHaveLength(16);
  bucket.open();
  await Promise.all(asked);
  expect(bucket.queries).toHaveLength(40);
});

test("a real bucket answers bit by bit what it answers to each alone, whatever the metric", async () => {
  const dataDir = temporaryFolder();
  const real = local.open("b", {}, { dataDir });
  const { signal } = new AbortController();
  const random = createRandom(1);
  const points = numbers(500).map((i) => ({
    at: i * 37,
    tags: { host: `h${i % 3}` },
    fields: { [`x${i % 5}`]: random.normal() },
  }));
  await real.write!(points, {}, signal);
  const together = new CombinedReads({ openBucket: async () => real, clock });
  const metrics = ["avg", "count", "max", "stddev", "95percentile"];
  const queries = numbers(40).map((i) => ({
    range: { fromAt: 0, toAt: 18_000 },
    intervalMs: 1000,
    features: [
      feature(`x${i % 5}`, {
        metric: metrics[i % metrics.length]!,
        tags: [{ tag: "host", value: `h${i % 3}` }],
      }),
    ],
  }));
  const bucketOf = await together.open("b");
  const answers = await Promise.all(queries.map((query) => bucketOf.read(query, signal)));
  // As arrays: NaN has several bit patterns, which all mean the same.
  for (const [i, query] of queries.entries()) {
    const { columns } = await real.read(query, signal);
    expect([...answers[i]!.columns.load!]).toEqual([...columns.load!]);
  }
  real.close();
});
