// Blocks of recorded scores: appended in place, split when full, read back as columns.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { appendRun, type ScoreRun, toColumns } from "../../../src/core/series/score-run.ts";
import { roundsOf } from "../../support/rounds.ts";

const layout = { version: "01", intervalMs: 60_000, features: ["a", "b"] };
/** A run of which interval `i`, counted from the epoch, has the values i, i + .1 ... of `a`, and 100 more of `b`. */
function runOf(first: number, count: number, over: Partial<ScoreRun> = {}): ScoreRun {
  const numbers = Array.from({ length: count }, (_, k) => first + k);
  const values = numbers.flatMap((i) => [i, i + 0.25, i + 0.5, i + 0.75, i + 100, 0, 0, 0]);
  return { ...layout, startAt: first * 60_000, values: new Float32Array(values), ...over };
}
const columnsOf = (runs: readonly ScoreRun[], feature = "a") =>
  toColumns(runs, { feature, startAt: 0, intervalMs: 60_000, length: 6 });
const NONE = Number.NaN;

test("a run joins the block that it follows, across a gap; the gap has no values", () => {
  const { blocks, isJoined } = appendRun(runOf(1, 2), runOf(4, 1));
  expect(isJoined).toBe(true);
  expect(blocks).toHaveLength(1);
  const { expected, lower, upper, score } = columnsOf(blocks);
  expect([...expected]).toEqual([NONE, 1, 2, NONE, 4, NONE]);
  expect([...lower]).toEqual([NONE, 1.25, 2.25, NONE, 4.25, NONE]);
  expect([...upper]).toEqual([NONE, 1.5, 2.5, NONE, 4.5, NONE]);
  expect([...score]).toEqual([NONE, 1.75, 2.75, NONE, 4.75, NONE]);
  expect([...columnsOf(blocks, "b").expected]).toEqual([NONE, 101, 102, NONE, 104, NONE]);
  expect([...columnsOf(blocks, "c").expected]).toEqual(Array(6).fill(NONE));
});

test.each([
  ["version", { version: "02" }],
  ["interval", { intervalMs: 30_000 }],
  ["features", { features: ["b", "a"] }],
  ["phase", { startAt: 4 * 60_000 + 1 }],
])("another %s starts a block", (_, over) => {
  const { blocks, isJoined } = appendRun(runOf(1, 2), runOf(4, 1, over));
  expect(isJoined).toBe(false);
  expect(blocks).toHaveLength(1);
});

test("an interval that is recorded stays as it is", () => {
  const again = runOf(2, 2, { values: runOf(12, 2).values });
  const { blocks } = appendRun(runOf(1, 2), again);
  expect([...columnsOf(blocks).expected]).toEqual([NONE, 1, 2, 13, NONE, NONE]);
});

test("nothing to append makes no block", () => {
  expect(appendRun(undefined, runOf(1, 0)).blocks).toEqual([]);
  expect(appendRun(undefined, runOf(1, 1, { features: [], values: new Float32Array() })).blocks).toEqual([]);
});

test("runs of another interval are left out of columns", () => {
  expect([...columnsOf([runOf(1, 2, { intervalMs: 30_000 })]).expected]).toEqual(Array(6).fill(NONE));
});

test("whatever the lengths of the runs, no block exceeds a page and every interval is read back", () => {
  const lengths = fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(lengths, (counts) => {
      const blocks: ScoreRun[] = [];
      let first = 0;
      for (const count of counts) {
        const appended = appendRun(blocks.at(-1), runOf(first, count));
        if (appended.isJoined) blocks.pop();
        blocks.push(...appended.blocks);
        first += count;
      }
      for (const { values } of blocks) expect(values.byteLength).toBeLessThanOrEqual(3840);
      const request = { feature: "a", startAt: 0, intervalMs: 60_000, length: first };
      expect([...toColumns(blocks, request).expected]).toEqual(Array.from({ length: first }, (_, i) => i));
    }),
    { numRuns: roundsOf(50) },
  );
});
