// Limits of the queries of a server: two at a time, a hundred open, a minute each, answers of bounded size.
import { beforeEach, describe, expect, spyOn, test } from "bun:test";
import type { Compute, ModelKind } from "../../../src/models/kind.ts";
import { Promql } from "../../../src/resources/promql/promql.ts";
import { fakeKind } from "../../live/world.ts";
import { useWorld } from "../world.ts";

const world = useWorld();
const { signal } = new AbortController();
const compute: Compute = { trainingLanes: 1, run: () => Promise.reject(new Error("nothing to compute")) };
let promql: Promql;
/** Queries that run now; each waits for the gate. */
let running = 0;
let gate: PromiseWithResolvers<void>;

beforeEach(async () => {
  running = 0;
  gate = Promise.withResolvers();
  await world.buckets.put({ name: "b", type: "local" });
  promql = new Promql({
    ...{
      store: world.store,
      clock: world.clock,
      kind: fakeKind as unknown as ModelKind,
      compute,
    },
    openBucket: async (name) => {
      running++;
      await gate.promise;
      running--;
      return await world.buckets.open(name);
    },
  });
});

const ask = (params: Record<string, string> = {}) =>
  promql.query(new URLSearchParams({ query: "a", ...params }), signal);
const turns = async (count = 50) => {
  for (let i = 0; i < count; i++) await new Promise((resolve) => setImmediate(resolve));
};

describe("queries", () => {
  test("two run at a time, the others wait", async () => {
    const asked = Array.from({ length: 5 }, () => ask());
    await turns();
    expect(running).toBe(2);
    gate.resolve();
    expect(await Promise.all(asked)).toHaveLength(5);
  });

  test("beyond a hundred that run or wait they are refused, and then no longer", async () => {
    const asked = Array.from({ length: 100 }, () => ask());
    await expect(ask()).rejects.toThrow("more than 100 queries are open; try again");
    gate.resolve();
    await Promise.all(asked);
    expect([...(await ask())].join("")).toContain('"result":[]');
  });

  test.each([
    [undefined, 60_000],
    ["1h", 60_000],
    ["2s", 2000],
  ])("with the timeout %p they end after %p ms", async (timeout, ms) => {
    gate.resolve();
    const timeouts = spyOn(AbortSignal, "timeout");
    try {
      await ask(timeout === undefined ? {} : { timeout });
      expect(timeouts.mock.calls).toEqual([[ms]]);
    } finally {
      timeouts.mockRestore();
    }
  });

  test("one that waits ends with its time, too", async () => {
    const asked = [ask(), ask()];
    await expect(ask({ timeout: "1ms" })).rejects.toThrow("took too long");
    gate.resolve();
    await Promise.all(asked);
  });
});

describe("answers", () => {
  const minutes = 11_000;
  const range = { query: "vector(1)", start: "0", end: String((minutes - 1) * 60), step: "60" };
  const askRange = (params: Record<string, string> = {}) =>
    promql.queryRange(new URLSearchParams({ ...range, ...params }), signal);

  test("a large one counts as an open query until it was read", async () => {
    gate.resolve();
    const answers = await Promise.all(Array.from({ length: 50 }, () => askRange()));
    const more = await Promise.all(Array.from({ length: 50 }, () => askRange()));
    await expect(ask()).rejects.toThrow("more than 100 queries are open");
    expect(JSON.parse([...answers[0]!].join("")).data.result[0].values).toHaveLength(minutes);
    answers[1]!.return();
    await Promise.all([ask(), ask()]);
    for (const answer of [...answers, ...more]) answer.return();
  });

  test("one beyond 256 MB is refused before it is made", async () => {
    const labels = Array.from({ length: 900 }, (_, i) => `label_replace(vector(1e300),"a","${i}","","")`);
    const tree = (list: readonly string[]): string => {
      const half = Math.ceil(list.length / 2);
      return list.length === 1 ? list[0]! : `(${tree(list.slice(0, half))} or ${tree(list.slice(half))})`;
    };
    const query = tree(labels.slice(0, 100));
    const failed = askRange({ query });
    await expect(failed).rejects.toMatchObject({ details: { error_type: "execution" } });
    await expect(failed).rejects.toThrow("answers more than 268435456 bytes");
  });
});
