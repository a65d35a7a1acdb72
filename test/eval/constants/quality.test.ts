// Quality of constants on one short series, with a real training.
import { expect, test } from "bun:test";
import { detectionRules } from "../../../src/models/detectors/rules.ts";
import { type Series, toSeries } from "../series.ts";
import { alternatives, constantNames, rulesFor } from "./options.ts";
import { prepareAll } from "./prepared.ts";
import { measureQuality } from "./quality.ts";

const TEST_MS = 180_000;
const STEP = 1800;
const DAY = 48;
const ANOMALY = { from: 38 * DAY, to: 38 * DAY + 10 };

/** Six weeks of a daily wave with reproducible noise, and one stretch far above it. */
function makeSeries(group: string): Series {
  const rows = Array.from({ length: 44 * DAY }, (_, i) => {
    const isOdd = i >= ANOMALY.from && i < ANOMALY.to;
    const noise = (((i * 7919) % 101) / 101 - 0.5) * 6;
    const value = isOdd ? 400 : 100 + 40 * Math.sin((2 * Math.PI * i) / DAY) + noise;
    return { timestamp: i * STEP, value, label: Number(isOdd) };
  });
  return toSeries(`${group}/made`, rows);
}

test(
  "a plain anomaly is found by every set; constants that suppress it lose it",
  async () => {
    const progress: string[] = [];
    const prepared = await prepareAll([makeSeries("nab"), makeSeries("cloud")], {
      seed: 1,
      workers: 2,
      donut: { steps: 100 },
      onProgress: (text) => progress.push(text),
    });
    expect(progress).toHaveLength(3);
    const quality = measureQuality(prepared, detectionRules);
    expect(quality.map(({ set }) => set)).toEqual(["cloud", "nab", "nab 15 %"]);
    for (const { ranking, recall } of quality) {
      expect(ranking).toBeGreaterThan(0.8);
      expect(recall).toBe(1);
    }
    // No rarity reaches a threshold.
    const suppressed = { ...detectionRules, maxDecadesBeyond: -10 };
    expect(measureQuality(prepared, suppressed).map(({ recall }) => recall)).toEqual([0, 0, 0]);
  },
  TEST_MS,
);

test.each(constantNames)("%s: alternatives differ from the value in use and change nothing else", (name) => {
  expect(alternatives[name]).not.toContain(detectionRules[name]);
  const [inUse, other] = rulesFor(name);
  expect(inUse!.rules).toEqual(detectionRules);
  expect({ ...other!.rules, [name]: inUse!.value }).toEqual(detectionRules);
});
