// Fleets on small series: every series is scored by the fleet that has not seen it, and by models of its own.
import { expect, test } from "bun:test";
import { createRandom } from "../../wasm/random.ts";
import { evaluateFleets } from "./fleet.ts";
import type { Series } from "./series.ts";

const STEP = 3600;
const LENGTH = 400;

/** A daily curve with one labelled spike in the second half. */
function makeSeries(k: number, step = STEP): Series {
  const random = createRandom(k);
  const values = Float64Array.from({ length: LENGTH }, (_, i) => {
    const curve = 10 * k + 3 * Math.sin((2 * Math.PI * i) / 24) + 0.3 * random.normal();
    return i === 300 ? curve + 15 : curve;
  });
  const labels = Uint8Array.from({ length: LENGTH }, (_, i) => Number(i === 300));
  return { name: `g/${k}`, group: "g", step, startAt: 0, values, labels, rows: [] };
}

test("a table of fleets and own models, by length of the history", async () => {
  const seen: string[] = [];
  const series = [makeSeries(1), makeSeries(2), makeSeries(3), makeSeries(4, 60)];
  const onProgress = (text: string) => seen.push(text);
  const table = await evaluateFleets({ series, seeds: [1, 2], workers: 1, onProgress, donut: { steps: 20 } });
  const rows = table
    .split("\n")
    .slice(2)
    .map((row) => row.split("|").map((cell) => cell.trim()));
  expect(rows.map((row) => row[1])).toEqual([
    "fleet, a day",
    "fleet, a week",
    "fleet, half",
    "own, a day",
    "own, a week",
    "own, half",
  ]);
  // The one series of another step has no fleet to be scored by.
  for (const row of rows) expect(row[2]).toBe("3");
  expect(rows[2]![3]).toMatch(/^(0\.9|1\.0)\d+ ± 0\.\d{3}$/);
  expect(rows[2]![4]).toMatch(/ of 3$/);
  expect(seen.filter((text) => text.startsWith("fleet")).toSorted()).toEqual([
    "fleet of 1 series, 3600 s",
    "fleet of 1 series, 3600 s",
    "fleet of 2 series, 3600 s",
    "fleet of 2 series, 3600 s",
  ]);
}, 180_000);
