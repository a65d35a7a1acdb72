// Views of long results: complete, and made in steps that yield to the event loop.
import { expect, test } from "bun:test";
import { toNullable } from "../../../src/core/series/grid.ts";
import { viewGridInSteps } from "../../../src/jobs/handlers/result.ts";
import { codeOf } from "../../store/temporary.ts";

const length = 120_001;
const column = Float64Array.from({ length }, (_, i) => (i % 7 === 0 ? Number.NaN : i));
const grid = { startAt: 60_000, intervalMs: 1000, length, columns: { a: column, b: column.map((v) => -v) } };

test("a grid of several parts is shown whole, and other work gets its turn", async () => {
  let turns = 0;
  const count = () => {
    turns++;
    timer = setImmediate(count);
  };
  let timer = setImmediate(count);
  const { timestamps, observed } = await viewGridInSteps(grid, new AbortController().signal);
  clearImmediate(timer);
  expect(turns).toBeGreaterThanOrEqual(2);
  expect([timestamps.length, timestamps[0], timestamps.at(-1)]).toEqual([length, 60, 60 + length - 1]);
  expect(observed.a).toEqual(toNullable(grid.columns.a));
  expect(observed.b).toEqual(toNullable(grid.columns.b));
});

test("without intervals every name has an empty list", async () => {
  const empty = { ...grid, length: 0, columns: { a: new Float64Array(0) } };
  expect(await viewGridInSteps(empty, new AbortController().signal)).toEqual({
    timestamps: [],
    observed: { a: [] },
  });
});

test("a job that is canceled stops between two parts", async () => {
  expect(await codeOf(viewGridInSteps(grid, AbortSignal.abort()))).toBe("canceled");
});
