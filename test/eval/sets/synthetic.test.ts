// Synthetic set: reproducible, anomalies in the second half alone, the rest as it was.
import { expect, test } from "bun:test";
import { createRandom } from "../../../wasm/random.ts";
import { findSegments } from "../metrics/scored.ts";
import { toSeries } from "../series.ts";
import { makeSynthetic } from "./synthetic.ts";

const random = createRandom(3);
const rows = Array.from({ length: 3000 }, (_, i) => ({
  timestamp: i * 300,
  value: 50 + 10 * Math.sin(i / 46) + random.normal(),
  label: Number(i < 10),
}));
const quiet = toSeries("made/quiet", rows);

test("six anomalies per series, all in the second half", () => {
  const [made] = makeSynthetic([quiet, quiet]);
  expect(made).toMatchObject({ name: "synthetic/made-quiet", group: "synthetic", step: 300 });
  const segments = findSegments(made!.labels);
  expect(segments.length).toBe(6);
  expect(segments[0]!.from).toBeGreaterThanOrEqual(made!.values.length >> 1);
});

test("points without a label are those of the series", () => {
  const [made] = makeSynthetic([quiet]);
  const from = (made!.startAt - quiet.startAt) / 300;
  for (const [i, value] of made!.values.entries())
    if (made!.labels[i] === 0) expect(value).toBe(quiet.values[from + i]!);
});

test("the same series twice are the same anomalies twice", () => {
  expect(makeSynthetic([quiet])).toEqual(makeSynthetic([quiet]));
});

test("short, constant and mostly missing series are left out", () => {
  const cut = toSeries("made/short", rows.slice(0, 900));
  const constant = toSeries(
    "made/constant",
    rows.map((row) => ({ ...row, value: 1 })),
  );
  const holes = quiet.values.map((value, i) => (i % 2 === 0 ? value : Number.NaN));
  expect(makeSynthetic([cut, constant, { ...quiet, values: holes }])).toEqual([]);
});
