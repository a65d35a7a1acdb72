// The evaluation as a whole on one short series: peers, a real server, tables; and its command line.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArguments, type SetName, setNames } from "./arguments.ts";
import { type Results, runEvaluation } from "./evaluation.ts";
import { renderReport } from "./report.ts";
import { type Series, toSeries } from "./series.ts";
import { makeTrends } from "./sets/trends.ts";
import { startTorus, type Torus } from "./torus.ts";

const STEP = 1800;
const DAY = 48;
const LENGTH = 44 * DAY;
const ANOMALIES = [30 * DAY + 20, 38 * DAY + 5];
const WIDTH = 10;
const TEST_MS = 180_000;

/** Six weeks of a daily wave with a little noise, the same at every run, and two stretches where it stands still high. */
function makeSeries(): Series {
  const rows = Array.from({ length: LENGTH }, (_, i) => {
    const isOdd = ANOMALIES.some((from) => i >= from && i < from + WIDTH);
    const noise = (((i * 7919) % 101) / 101 - 0.5) * 6;
    const value = isOdd ? 400 : 100 + 40 * Math.sin((2 * Math.PI * i) / DAY) + noise;
    return { timestamp: i * STEP, value, label: isOdd ? 1 : 0 };
  });
  return toSeries("made/up", rows);
}

describe("one series through every set", () => {
  const sets = new Set<SetName>(setNames);
  let torus: Torus;
  let results: Results;
  const progress: string[] = [];
  const dir = mkdtempSync(join(tmpdir(), "eval-"));

  beforeAll(async () => {
    const config = join(dir, "quick.yml");
    await writeFile(config, "training: {steps: 150}\n");
    torus = await startTorus({ workers: 2, config });
    results = await runEvaluation({
      series: [makeSeries()],
      sets,
      seeds: [1, 2],
      workers: 2,
      torus,
      onProgress: (text) => progress.push(text),
    });
  }, TEST_MS);
  afterAll(async () => {
    await torus.stop();
    await rm(dir, { recursive: true });
  });

  test("every detector is judged, with sane measures", () => {
    const labelled = results.half.filter(({ measures }) => measures);
    expect(new Set(labelled.map(({ detector }) => detector)).size).toBe(8);
    for (const { detector, measures } of labelled)
      for (const value of Object.values(measures!)) {
        expect(value, detector).toBeGreaterThan(0);
        expect(value, detector).toBeLessThanOrEqual(1);
      }
  });

  test("what cannot be missed is found, by Torus too", () => {
    for (const detector of ["Torus", "linear (PCA-5)", "seasonal median residual"]) {
      const entries = results.half.filter((entry) => entry.detector === detector);
      for (const { measures } of entries) expect(measures!.pa, detector).toBeGreaterThan(0.9);
    }
    for (const { score } of results.nab.filter(({ detector }) => detector === "Torus"))
      expect(score).toBeGreaterThan(80);
    const shown = results.half.filter(({ alarms }) => alarms);
    expect(shown.map(({ seed }) => seed)).toEqual([1, 2]);
    for (const { alarms } of shown) expect(alarms!.episodes).toBeGreaterThanOrEqual(2);
  });

  test("two seeds are two networks", () => {
    const losses = results.half
      .filter(({ detector }) => detector === "Torus")
      .map(({ measures }) => measures!);
    expect(losses.length).toBe(2);
    const errors = results.forecast
      .filter(({ forecaster }) => forecaster === "Torus")
      .map(({ mase }) => mase);
    expect(errors[0]).not.toBe(errors[1]);
  });

  test("forecasts are measured beside the simple ones, bands hold something", () => {
    const names = results.forecast.map(({ forecaster }) => forecaster);
    expect(new Set(names)).toEqual(
      new Set(["Torus", "day-naive", "week median", "Holt-Winters", "best simple by backtest"]),
    );
    for (const { mase, coverage } of results.forecast) {
      expect(mase).toBeGreaterThan(0);
      expect(mase).toBeLessThan(50);
      if (coverage) expect(coverage["95"]!).toBeGreaterThanOrEqual(coverage["68"]!);
    }
  });

  test("the report has every table, and no number is missing", () => {
    const trends = [
      { series: "trend/made", forecaster: "Torus", seed: 1, mase: [1, 2, 3], coverage: [0.9, 0.8, 1] },
    ];
    const report = renderReport({ ...results, trends }, sets);
    for (const title of ["50/50, made", "NAB score", "Forecast", "Trends", "Alarms", "Times"])
      expect(report).toContain(`### ${title}`);
    expect(report).not.toMatch(/NaN|undefined/);
    expect(report).toMatch(/\| Torus +\| +\d\.\d{3} ± \d\.\d{3} \|/);
    expect(progress.length).toBe(6);
  });
});

test("without a server the peers alone are measured", async () => {
  const plan = { series: [makeSeries()], sets: new Set<SetName>(["50/50"]), seeds: [1], workers: 1 };
  const { half, nab, forecast } = await runEvaluation({ ...plan, onProgress: () => {} });
  expect(half.map(({ detector }) => detector)).not.toContain("Torus");
  expect([half.length, nab.length, forecast.length]).toEqual([3, 0, 0]);
});

test("trends are forecast a month ahead by the set of their own", async () => {
  const filling = makeTrends().find(({ name }) => name === "trend/filling")!;
  const plan = { series: [filling], sets: new Set<SetName>(setNames), seeds: [1], workers: 1 };
  const { half, forecast, trends } = await runEvaluation({ ...plan, onProgress: () => {} });
  expect([half.length, forecast.length, trends.length]).toEqual([0, 0, 1]);
  // The last week lags a filling disk by one week, and by five at the end.
  expect(trends[0]!.mase).toEqual([1, 1, 5].map((weeks) => expect.closeTo(weeks, 1)));
});

test("the command line", () => {
  const options = parseArguments(
    "--seeds 3 --only cpu --set nab --set forecast --quick --config s.yml".split(" "),
  );
  expect(options).toMatchObject({
    seeds: [1, 2, 3],
    only: "cpu",
    quick: true,
    config: "s.yml",
    peersOnly: false,
  });
  expect(options).toMatchObject({ sets: new Set(["nab", "forecast"]) });
  expect(parseArguments(["--forecast", "--forecast-data", "open"])).toMatchObject({
    forecast: true,
    forecastData: "open",
  });
  expect(parseArguments(["--help"])).toBe("help");
  const every = parseArguments([]);
  expect(every).toMatchObject({ seeds: [1], workers: 2, sets: new Set(setNames), forecast: false });
});

test.each([
  [["--set", "noise"], "choose from"],
  [["--seeds", "0"], "--seeds must be"],
  [["--workers", "two"], "--workers must be"],
  [["--sedes", "2"], "--sedes"],
])("%p is refused", (argv, message) => {
  expect(() => parseArguments(argv)).toThrow(message);
});
