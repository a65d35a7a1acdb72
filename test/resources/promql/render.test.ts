// Results as JSON: their bytes are counted series by series, before any is written.
import { describe, expect, test } from "bun:test";
import type { QueryResult } from "../../../src/promql/query.ts";
import { bytesOfResult, renderResult } from "../../../src/resources/promql/render.ts";

describe("bytesOfResult", () => {
  test("counts one series at a time, so that a long result can pause between them", () => {
    const parts = [...bytesOfResult(matrixOf(3, 100))];
    expect(parts).toHaveLength(3);
    expect(parts[0]!).toBeGreaterThan(100);
  });

  test.each([
    ["many samples", matrixOf(2, 10_000)],
    ["many series", matrixOf(500, 2)],
    ["a scalar", { type: "scalar", at: 1.7e12, value: 0.1 }],
    ["a text", { type: "string", at: 1.7e12, value: "x".repeat(1000) }],
  ] as const)("is near the length of what is written of %s", (_, result) => {
    const counted = [...bytesOfResult(result)].reduce((sum, bytes) => sum + bytes, 0);
    const { length } = [...renderResult(result)].join("");
    expect(counted).toBeGreaterThan(length / 2 - 100);
    expect(counted).toBeLessThan(length * 2 + 100);
  });
});

function matrixOf(series: number, samples: number): QueryResult {
  const times = Float64Array.from({ length: samples }, (_, i) => 1.7e12 + i * 1000);
  const values = times.map((_, i) => i / 7);
  const all = Array.from({ length: series }, (_, i) => ({
    labels: new Map([["host", `h${i}`]]),
    times,
    values,
  }));
  return { type: "matrix", series: all };
}
