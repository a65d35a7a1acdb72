// Anomalies for assistants: sentences, and the numbers of reports with and without their optional parts.
import { expect, test } from "bun:test";
import { explainReports, showReports } from "../../../src/mcp/views/anomaly.ts";

const plain = { type: "low", score: 91.23456, observed: null, predicted: 5, lower: 4, upper: 6 } as const;
const rich = {
  ...plain,
  type: "high",
  observed: 12_345.678,
  factor: 7.123456,
  rarity: 4,
  reason: "peers",
  peers: { expected: 5.5, distance: 8 },
  contributions: { network: 0.75, seasonal: 0.25 },
  comparison_score: 88,
  nearest: { at: 1769860800, distance: 0.123456, points: 12 },
} as const;

test("optional parts are left out", () => {
  expect(showReports({ v: plain })).toEqual({
    v: { direction: "low", observed: null, expected: 5, band: [4, 6], score: 91.235 },
  });
  expect(explainReports({ v: plain })).toEqual(["v had no value, too low: expected 5, usual 4 to 6."]);
});

test("evidence is shown with rounded numbers", () => {
  expect(showReports({ v: rich })).toEqual({
    v: {
      direction: "high",
      observed: 12_346,
      expected: 5,
      band: [4, 6],
      score: 91.235,
      half_widths_off: 7.1235,
      rarity: 4,
      reason: "peers",
      peers: { expected: 5.5, distance: 8 },
      contributions: { network: 0.75, seasonal: 0.25 },
      similar_earlier_stretch: { ended: "2026-01-31T12:00:00Z", intervals: 12, distance: 0.12346 },
    },
  });
  expect(explainReports({ v: rich })).toEqual([
    "v was 12.3 k, too high: expected 5, usual 4 to 6; about one normal point in 10 000; it differs from its peers, " +
      "not from its own past; the most similar earlier stretch ended 2026-01-31T12:00:00Z.",
  ]);
});

test("sentences carry the unit, beside plain numbers with the unit", () => {
  const v = { ...plain, observed: 3.2e9, predicted: 5e9, lower: 4e9, upper: 6e9, unit: "B" };
  expect(explainReports({ v })).toEqual(["v was 3.2 GB, too low: expected 5 GB, usual 4 GB to 6 GB."]);
  expect(showReports({ v }).v).toMatchObject({ observed: 3.2e9, unit: "B" });
});
