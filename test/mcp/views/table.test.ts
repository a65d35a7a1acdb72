// Tables of series: folded forecasts, cut reads, extremes in words.
import { expect, test } from "bun:test";
import { cutTable, describeExtremes, foldForecast } from "../../../src/mcp/views/table.ts";

const view = {
  timestamps: [0, 60, 120, 180, 240],
  predicted: { v: [1, 2, 9, 4, 5], lower_v: [0, 1, 8, 3, 4], upper_v: [2, 3, 10, 5.123456, 6] },
};

test("a short forecast has a row per interval", () => {
  expect(foldForecast(view, "v", 5)).toEqual({
    intervals_per_row: 1,
    columns: ["time", "expected", "lower", "upper"],
    rows: [
      ["1970-01-01T00:00:00Z", 1, 0, 2],
      ["1970-01-01T00:01:00Z", 2, 1, 3],
      ["1970-01-01T00:02:00Z", 9, 8, 10],
      ["1970-01-01T00:03:00Z", 4, 3, 5.1235],
      ["1970-01-01T00:04:00Z", 5, 4, 6],
    ],
  });
});

test("a long one is folded: means, and the outer edges of the bands; the last row may be shorter", () => {
  expect(foldForecast(view, "v", 3)).toMatchObject({
    intervals_per_row: 2,
    rows: [
      ["1970-01-01T00:00:00Z", 1.5, 0, 3],
      ["1970-01-01T00:02:00Z", 6.5, 3, 10],
      ["1970-01-01T00:04:00Z", 5, 4, 6],
    ],
  });
});

test("the extremes are of all intervals, folded or not", () => {
  expect(describeExtremes(view, "v")).toBe(
    "v is expected lowest with 1 at 1970-01-01T00:00:00Z, highest with 9 at 1970-01-01T00:02:00Z.",
  );
  const { timestamps, predicted } = { timestamps: [0, 60], predicted: { v: [0.25, 0.5] } };
  expect(describeExtremes({ timestamps, predicted, units: { v: "ratio" } }, "v")).toBe(
    "v is expected lowest with 25 % at 1970-01-01T00:00:00Z, highest with 50 % at 1970-01-01T00:01:00Z.",
  );
  expect(describeExtremes({ timestamps: [], predicted: { v: [] } }, "v")).toBe("v has no intervals.");
});

test("a read is cut, and says how much is left out and where it begins", () => {
  const read = { timestamps: [0, 60, 120], observed: { a: [1, null, 1 / 3], b: [4, 5, 6] } };
  expect(cutTable(read, 2)).toEqual({
    columns: ["time", "a", "b"],
    rows: [
      ["1970-01-01T00:00:00Z", 1, 4],
      ["1970-01-01T00:01:00Z", null, 5],
    ],
    left_out: 1,
    next_from: "1970-01-01T00:02:00Z",
  });
  expect(cutTable(read, 3)).toMatchObject({ left_out: 0, rows: { length: 3 } });
  expect(cutTable(read, 3).next_from).toBeUndefined();
});
