// Columns of results: names, order, series one after the other, and what has no place in a table.
import { describe, expect, test } from "bun:test";
import type { Table } from "../../../src/core/formats/table.ts";
import { tagColumns } from "../../../src/resources/columns/columns.ts";
import { predictionColumns } from "../../../src/resources/columns/prediction-columns.ts";
import { readColumns } from "../../../src/resources/columns/read-columns.ts";
import { seriesColumns } from "../../../src/resources/columns/series-columns.ts";

/** Rows of a table, with the names of its columns before them. */
function rowsOf({ columns, blocks }: Table): unknown[][] {
  const rows = blocks.flatMap(({ length, cells }) =>
    Array.from({ length }, (_, row) => cells.map((read) => read(row) ?? null)),
  );
  return [columns.map(({ name }) => name), ...rows];
}

describe("a read", () => {
  const source = { bucket: "b", intervalMs: 300_000, features: ["avg_x", "max_y"] };

  test("has the time and its features, in the order of the request", () => {
    const result = { timestamps: [0, 300], observed: { max_y: [3, 4], avg_x: [1, null] } };
    const { table, ...rest } = readColumns(result, source);
    expect(rowsOf(table)).toEqual([
      ["time", "avg_x", "max_y"],
      [0, 1, 3],
      [300, null, 4],
    ]);
    expect(table.metadata).toEqual({ bucket: "b", bucket_interval: "300" });
    expect(rest).toEqual({});
  });

  test("by series has their tags in each row", () => {
    const series = ["a", "b"].map((host, i) => ({
      tags: { host, cpu: "" },
      observed: { avg_x: [i], max_y: [null] },
    }));
    const result = { timestamps: [0], series, truncated: false };
    const { table, ...rest } = readColumns(result, { ...source, groupBy: ["host", "cpu"] });
    expect(rowsOf(table)).toEqual([
      ["time", "host", "cpu", "avg_x", "max_y"],
      [0, "a", "", 0, null],
      [0, "b", "", 1, null],
    ]);
    expect(rest).toEqual({});
  });

  test("says where there are more series", () => {
    const result = { timestamps: [], series: [], truncated: true };
    const { advice } = readColumns(result, { ...source, groupBy: ["host"] });
    expect(advice).toBe("there are more series than max_series: the answer has 0");
  });

  test("without any series has the same columns", () => {
    const result = { timestamps: [0], series: [], truncated: false };
    const { table } = readColumns(result, { ...source, groupBy: ["host"] });
    expect(rowsOf(table)).toEqual([["time", "host", "avg_x", "max_y"]]);
  });
});

test("a tag with the name of another column gets a prefix, until there is none like it", () => {
  const taken = ["time", "load", "tag_load"].map((name) => ({ name, type: "number" as const }));
  const names = tagColumns(["host", "time", "load"], taken).map(({ name }) => name);
  expect(names).toEqual(["host", "tag_time", "tag_tag_load"]);
});

describe("a prediction", () => {
  const source = { model: "m", version: "02", intervalMs: 60_000, features: ["x"] };
  const stat = { score: 99, anomaly: true, anomalies: {}, mse: 2, nll: null, range_score: 5 };
  const result = {
    timestamps: [60],
    observed: { x: [null] },
    predicted: { x: [2], lower_x: [1], upper_x: [3] },
  };

  test("has the names of its JSON before that of the feature, even of one", () => {
    const { table } = predictionColumns(result, source);
    expect(rowsOf(table)).toEqual([
      ["time", "observed_x", "predicted_x", "lower_x", "upper_x"],
      [60, null, 2, 1, 3],
    ]);
    expect(table.metadata).toEqual({ model: "m", version: "02", bucket_interval: "60" });
  });

  test("that was scored has scores", () => {
    const { table } = predictionColumns({ ...result, stats: [stat] }, source);
    expect(rowsOf(table).map((row) => row.slice(5))).toEqual([
      ["score", "mse", "nll", "range_score", "anomaly"],
      [99, 2, null, 5, true],
    ]);
    const batch = { ...result, stats: [{ ...stat, causal_score: 7 }] };
    expect(rowsOf(predictionColumns(batch, source).table)[0]).toContain("causal_score");
  });

  test("with further levels has their edges", () => {
    const levels = { "99.9": { lower_x: [-1], upper_x: [9] } };
    const { table } = predictionColumns({ ...result, levels }, source);
    expect(rowsOf(table).map((row) => row.slice(5))).toEqual([
      ["lower99.9_x", "upper99.9_x"],
      [-1, 9],
    ]);
  });

  test("features whose names look like edges keep columns of their own", () => {
    const { table } = predictionColumns(result, { ...source, features: ["x", "lower_x", "score"] });
    const [names] = rowsOf(table);
    expect(new Set(names).size).toBe(names!.length);
  });

  test("of a page leaves out series without data, and says so", () => {
    const series = [
      { tags: { host: "a" }, ...result },
      { tags: { host: "b" }, code: "no_data", error: "no points" },
    ];
    const page = { series, page: 0, per_page: 10, total: 12 };
    const { table, total, advice } = predictionColumns(page, { ...source, groupBy: ["host"] });
    expect(rowsOf(table)).toEqual([
      ["time", "host", "observed_x", "predicted_x", "lower_x", "upper_x"],
      [60, "a", null, 2, 1, 3],
    ]);
    expect(total).toBe(12);
    expect(advice).toStartWith("1 series of this page lack data");
  });
});

describe("a folded series", () => {
  const view = { from: 120, step: 120, bucket_interval: 60, cells: 2, thresholds: { max: 90, min: 50 } };

  test("has a row per cell", () => {
    const features = { x: { min: [1, null], mean: [2, null], max: [3, null] } };
    const expected = { x: { mean: [4, 5], lower: [6, 7], upper: [8, 9] } };
    const { table } = seriesColumns({ ...view, features, expected, score: [10, null] }, { model: "m" });
    expect(rowsOf(table)).toEqual([
      ["time", "min_x", "mean_x", "max_x", "expected_x", "lower_x", "upper_x", "score"],
      [120, 1, 2, 3, 4, 6, 8, 10],
      [240, null, null, null, 5, 7, 9, null],
    ]);
    expect(table.metadata).toEqual({ model: "m", bucket_interval: "60", step: "120" });
  });

  test("has the columns of the parts that were asked for", () => {
    const { table } = seriesColumns({ ...view, score: [1, 2] }, { model: "m", version: "01" });
    expect(table.columns.map(({ name }) => name)).toEqual(["time", "score"]);
    expect(table.metadata.version).toBe("01");
  });
});
