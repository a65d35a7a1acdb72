// Verdicts on common series, with real workers: zeros, rhythms, trends, weeks, missing events, short histories.
import { afterAll, describe, expect, test } from "bun:test";
import { findEpisodes } from "../../../src/core/anomaly/episode.ts";
import type { Feature } from "../../../src/core/model/feature.ts";
import type { ModelSettings } from "../../../src/core/model/model.ts";
import type { Grid } from "../../../src/core/series/grid.ts";
import { Pool, spawnWorker } from "../../../src/jobs/workers/pool.ts";
import { createDonut } from "../../../src/models/donut/index.ts";
import type { ModelKind } from "../../../src/models/kind.ts";
import { rulesOf } from "../../../src/models/scoring/detect.ts";
import { systemClock } from "../../../src/runtime/clock.ts";
import { createRandom, type Random } from "../../../wasm/random.ts";
import { aModel } from "../../support/builders.ts";

const donut = createDonut({ steps: 600 });
const pool = new Pool({ trainingWorkers: 2, clock: systemClock, spawn: spawnWorker, onCrash: () => {} });
const context = { compute: pool, signal: new AbortController().signal, onProgress: () => {} };
afterAll(() => pool.stop());

/** A Thursday. */
const START_S = 1_759_968_000;

interface Recipe {
  /** Seconds. */
  readonly step: number;
  readonly trained: number;
  readonly length: number;
  readonly valueAt: (i: number, random: Random) => number;
  readonly feature?: Partial<Feature>;
  readonly settings?: Partial<ModelSettings>;
  readonly model?: ModelKind;
  readonly seriesSeed?: number;
  /** Interval in which a change that may explain a step began. */
  readonly changeAt?: number;
}

/** Trains on the first points and detects in the others. @returns episodes by interval, and their reports */
async function run({
  step,
  trained,
  length,
  valueAt,
  feature,
  settings: own,
  model: kind = donut,
  ...rest
}: Recipe) {
  const random = createRandom(rest.seriesSeed ?? 1);
  const column = Float64Array.from({ length }, (_, i) => valueAt(i, random));
  const settings = aModel({
    bucket_interval: step,
    max_evals: 1,
    features: [{ name: "v", metric: "avg", field: "v", ...feature }],
    ...own,
  });
  const gridOf = (from: number, to: number): Grid => ({
    startAt: (START_S + from * step) * 1000,
    intervalMs: step * 1000,
    length: to - from,
    columns: { v: column.slice(from, to) },
  });
  const model = await kind.train({ settings, grid: gridOf(0, trained), overrides: { seed: 1 } }, context);
  const grid = gridOf(trained - kind.historyOf(model), length);
  const changes = rest.changeAt === undefined ? [] : [(START_S + rest.changeAt * step) * 1000];
  const evaluation = await kind.evaluate(model, { settings, grid, changes }, context);
  const { startAt, intervalMs } = evaluation.grid;
  const scores = Float64Array.from(evaluation.scores, ({ score }) => score ?? Number.NaN);
  const episodes = findEpisodes({ startAt, intervalMs, scores }, rulesOf(settings));
  const indexOf = (at: number) => (at - startAt) / intervalMs + trained;
  return {
    evaluation,
    episodes: episodes.map((episode) => {
      const from = indexOf(episode.startAt);
      return {
        from,
        to: episode.endAt === undefined || episode.endAt === null ? length : indexOf(episode.endAt),
        type: evaluation.scores[from - trained]!.features.v!.type,
        expected: evaluation.predicted.v![from - trained]!,
      };
    }),
  };
}

const hoursOf = (i: number, step: number) => ((i * step) / 3600) % 24;
const dayOf = (i: number, step: number) => Math.floor((i * step) / 86_400);

describe("a series of zeros", () => {
  test.each([
    10, 60, 300,
  ])("every %p s: a spike is over with the first zero, the next one is another", async (step) => {
    const spikes = [1570, 1970, 1971];
    const valueAt = (i: number) => Number(spikes.includes(i));
    const { episodes } = await run({ step, trained: 1500, length: 2500, valueAt });
    expect(episodes.map(({ from, to }) => [from, to])).toEqual([
      [1570, 1571],
      [1970, 1972],
    ]);
  });
});

describe("zeros and ones", () => {
  test.each([
    [30, 1],
    [100, 1],
    [100, 2],
    [100, 3],
    [150, 1],
    [200, 1],
    [500, 1],
  ])("after %p points, 30 and 50 are found (series %p)", async (trained, seriesSeed) => {
    const odd: Record<number, number> = { [trained + 200]: 30, [trained + 400]: 50 };
    const valueAt = (i: number, random: Random) => {
      const usual = Number(random.uniform() < 0.02);
      return odd[i] ?? usual;
    };
    const { episodes } = await run({ step: 10, trained, length: trained + 600, valueAt, seriesSeed });
    for (const at of Object.keys(odd).map(Number))
      expect(episodes.some(({ from, to }) => from <= at && at < to)).toBe(true);
    expect(episodes.length).toBeLessThanOrEqual(3);
  });
});

test("an on/off rhythm without noise raises nothing", async () => {
  const valueAt = (i: number) => Number(i % 288 < 96);
  const { episodes } = await run({ step: 300, trained: 2880, length: 288 * 30, valueAt });
  expect(episodes).toEqual([]);
});

test("a filling disk raises a short false alarm a week at most", async () => {
  const valueAt = (i: number, random: Random) =>
    40 + (0.7 * i) / 24 + 0.8 * Math.sin((2 * Math.PI * i) / 24) + 0.15 * random.normal();
  const found: number[] = [];
  for (const seriesSeed of [1, 2, 3]) {
    const { episodes } = await run({ step: 3600, trained: 720, length: 1440, valueAt, seriesSeed });
    for (const { from, to } of episodes) expect(to - from).toBeLessThanOrEqual(4);
    found.push(episodes.length);
  }
  // In 30 days each.
  expect(found.reduce((sum, count) => sum + count, 0) / found.length).toBeLessThanOrEqual(5);
});

test.each([
  0, 0.003, 0.01,
])("traffic that grows by %p a day: the outage is found, and few short false alarms", async (growth) => {
  const step = 1800;
  const valueAt = (i: number, random: Random) => {
    const [day, hour] = [dayOf(i, step), hoursOf(i, step)];
    const shape = 1 + 0.6 * Math.sin(((hour - 8) / 24) * 2 * Math.PI);
    const weekend = (day + 4) % 7 >= 5 ? 0.6 : 1;
    const outage = day === 60 && hour >= 14 && hour < 16 ? 0.3 : 1;
    return 1000 * (1 + growth) ** day * shape * weekend * outage * (1 + 0.04 * random.normal());
  };
  const { episodes } = await run({ step, trained: 48 * 40, length: 48 * 70, valueAt });
  expect(episodes.filter(({ from, type }) => from === 48 * 60 + 28 && type === "low").length).toBe(1);
  // One a week is what the default thresholds accept.
  expect(episodes.length).toBeLessThanOrEqual(8);
  for (const { from, to } of episodes) expect(to - from).toBeLessThanOrEqual(4);
});

describe("a step to another level", () => {
  const step = 300;
  const STEP = 288 * 23 + 50;
  const SPIKE = 288 * 27;
  const valueAt = (i: number, random: Random) => {
    const usual = 50 + 20 * Math.sin((2 * Math.PI * i) / 288) + random.normal();
    return usual + (i >= STEP ? 60 : 0) + (i === SPIKE ? 40 : 0);
  };

  test("is one anomaly, then a level shift; later anomalies are found at the new level", async () => {
    const { episodes, evaluation } = await run({ step, trained: 288 * 21, length: 288 * 29, valueAt });
    expect(episodes.map(({ from, type }) => [from, type])).toEqual([
      [STEP, "high"],
      [SPIKE, "high"],
    ]);
    expect(episodes[0]!.to - STEP).toBeWithin(288 - 36, 288 + 72);
    expect(evaluation.levelShifts).toHaveLength(1);
    const [shift] = evaluation.levelShifts!;
    expect(shift!.to - shift!.from).toBeWithin(59, 61);
  });

  test("after a change it is found within some six hours", async () => {
    const recipe = { step, trained: 288 * 21, length: 288 * 25, valueAt };
    const { episodes, evaluation } = await run({ ...recipe, changeAt: STEP - 1 });
    expect(episodes.map(({ from }) => from)).toEqual([STEP]);
    expect(episodes[0]!.to - STEP).toBeWithin(72, 72 + 36 + 12);
    expect(evaluation.levelShifts).toHaveLength(1);
  });

  test("slices give the same scores and shifts as one evaluation", async () => {
    const recipe = { step, trained: 288 * 21, length: 288 * 26, valueAt };
    const whole = await run(recipe);
    const sliced = await run({ ...recipe, model: createDonut({ steps: 600, taskFlops: 2e7 }) });
    expect(sliced.evaluation.levelShifts).toEqual(whole.evaluation.levelShifts!);
    // Networks round differently in batches of another size.
    for (const [i, { score }] of sliced.evaluation.scores.entries())
      expect(score).toBeCloseTo(whole.evaluation.scores[i]!.score!, 3);
    for (const [i, value] of sliced.evaluation.predicted.v!.entries())
      expect(value).toBeCloseTo(whole.evaluation.predicted.v![i]!, 3);
  });
});

describe("weeks", () => {
  const step = 1800;
  const usual = (day: number, hour: number) => {
    const shape = (1 + Math.sin(((hour - 6) / 24) * 2 * Math.PI)) / 2;
    return (day + 3) % 7 >= 5 ? 4 + 20 * shape : 20 + 100 * shape;
  };
  const WEEKDAY = 4;

  test.each([
    2, 3, 4,
  ])("after %p weeks a Saturday as a weekday is found, other Saturdays are not", async (weeks) => {
    const odd = 7 * weeks + 7 + 2;
    const valueAt = (i: number, random: Random) => {
      const day = dayOf(i, step);
      return usual(day === odd ? WEEKDAY : day, hoursOf(i, step)) + 2 * random.normal();
    };
    const { episodes } = await run({ step, trained: 48 * 7 * weeks, length: 48 * 7 * (weeks + 3), valueAt });
    const [found] = episodes.filter(({ from }) => dayOf(from, step) === odd);
    expect(found).toMatchObject({ from: 48 * odd, type: "high" });
    expect(found!.to - found!.from).toBeWithin(44, 52);
    expect(found!.expected).toBeWithin(2, 8);
    for (const { from, to } of episodes.filter((episode) => episode !== found)) {
      expect((dayOf(from, step) + 3) % 7).toBeLessThan(5);
      expect(to - from).toBeLessThanOrEqual(3);
    }
  });

  test("a weekday as a weekend is found, a holiday is not", async () => {
    const [holiday, odd] = [36, 40];
    const valueAt = (i: number, random: Random) => {
      const day = dayOf(i, step);
      return usual(day === holiday || day === odd ? 2 : day, hoursOf(i, step)) + 2 * random.normal();
    };
    const date = new Date((START_S + holiday * 86_400) * 1000).toISOString().slice(0, 10).replaceAll("-", "");
    const ical = `BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nDTSTART;VALUE=DATE:${date}\r\nEND:VEVENT\r\nEND:VCALENDAR`;
    const recipe = { step, trained: 48 * 28, length: 48 * 44, valueAt, settings: { holidays: { ical } } };
    const { episodes } = await run(recipe);
    const days = episodes.filter(({ from, to }) => to - from > 3).map(({ from }) => dayOf(from, step));
    expect(days).toEqual([odd]);
  });

  test("a weekly job that is missing is found", async () => {
    const odd = 38;
    const valueAt = (i: number, random: Random) => {
      const [day, hour] = [dayOf(i, step), hoursOf(i, step)];
      const job = (day + 3) % 7 === 6 && hour >= 3 && hour < 5 && day !== odd ? 30 : 0;
      return 10 + job + 0.5 * random.normal();
    };
    const { episodes } = await run({ step, trained: 48 * 28, length: 48 * 49, valueAt });
    expect(episodes.filter(({ from }) => dayOf(from, step) === odd)).toMatchObject([
      { from: 48 * odd + 6, type: "low" },
    ]);
    expect(episodes.length).toBeLessThanOrEqual(4);
  });
});

describe("a value a day, 200 on workdays and 20 on weekends", () => {
  const step = 86_400;
  const isWeekend = (day: number) => (day + 3) % 7 >= 5;
  const usual = (day: number, random: Random) => (isWeekend(day) ? 20 : 200) + 5 * random.normal();
  const recipe = { step, length: 500, settings: { detector: "auto" } } as const;

  test.each([100, 200, 400])("after %p days, clean years raise next to nothing", async (trained) => {
    let raised = 0;
    for (const seriesSeed of [1, 2, 3])
      raised += (await run({ ...recipe, trained, valueAt: usual, seriesSeed })).episodes.length;
    expect(raised).toBeLessThanOrEqual(3);
  });

  test.each([
    ["a day of 300", 250, 300],
    ["a free Wednesday", 251, 20],
    ["a Saturday like a workday", 254, 200],
    ["a Sunday of 80", 255, 80],
  ])("%s is found", async (_, odd, value) => {
    for (const trained of [100, 200]) {
      const valueAt = (day: number, random: Random) => (day === odd ? value : usual(day, random));
      const { episodes } = await run({ ...recipe, length: 300, trained, valueAt });
      expect(episodes.filter(({ from }) => from === odd)).toHaveLength(1);
    }
  });
});

describe("a nightly backup that is missing", () => {
  const step = 300;
  const valueAt = (i: number, random: Random) => {
    const [day, hour] = [dayOf(i, step), hoursOf(i, step)];
    const office = 6 * Math.max(0, Math.sin(((hour - 7) / 12) * Math.PI));
    const backup = hour >= 2 && hour < 2.2 && day !== 24 ? 25 : 0;
    return 8 + office + backup + 0.3 * random.normal();
  };
  const recipe = { step, trained: 288 * 21, length: 288 * 26, valueAt };

  test.each(["low_high", "low"] as const)("%s: is too low from its first point on", async (anomaly_type) => {
    const { episodes } = await run({ ...recipe, feature: { anomaly_type } });
    expect(episodes).toMatchObject([{ from: 288 * 24 + 24, type: "low" }]);
    expect(episodes[0]!.expected).toBeWithin(30, 36);
  });

  test("high: raises nothing", async () => {
    const { episodes } = await run({ ...recipe, feature: { anomaly_type: "high" } });
    expect(episodes).toEqual([]);
  });
});
