// Outliers in the training part, with real workers: they cost detection little more than the same points missing.
import { afterAll, expect, test } from "bun:test";
import type { ModelSettings } from "../../../src/core/model/model.ts";
import type { Grid } from "../../../src/core/series/grid.ts";
import { Pool, spawnWorker } from "../../../src/jobs/workers/pool.ts";
import { createDonut } from "../../../src/models/donut/index.ts";
import { systemClock } from "../../../src/runtime/clock.ts";
import { aucPr } from "../../eval/metrics/auc-pr.ts";
import type { Series } from "../../eval/series.ts";
import { type Contamination, makeSynthetic, openSeries, shiftedDay, spikes } from "./contaminated.ts";

const donut = createDonut({ steps: 800 });
const pool = new Pool({ trainingWorkers: 2, clock: systemClock, spawn: spawnWorker, onCrash: () => {} });
const context = { compute: pool, signal: new AbortController().signal, onProgress: () => {} };
afterAll(() => pool.stop());

/** AUC-PR of the score over the second half, and the score that one of its points in a hundred exceeds. */
async function judge({ values, labels, step, startAt }: Series, contaminate: Contamination) {
  const half = values.length >> 1;
  const settings: ModelSettings = {
    name: "m",
    type: "donut",
    bucket_interval: step,
    span: 120,
    max_evals: 1,
    features: [{ name: "v", metric: "avg", field: "v" }],
  };
  const gridOf = (column: Float64Array, from: number): Grid => ({
    startAt: (startAt + from * step) * 1000,
    intervalMs: step * 1000,
    length: column.length,
    columns: { v: column },
  });
  const grid = gridOf(contaminate(values.slice(0, half), step), 0);
  const model = await donut.train({ settings, grid, overrides: {} }, context);
  const from = half - donut.historyOf(model);
  const known = gridOf(values.slice(from), from);
  const { scores } = await donut.evaluate(model, { settings, grid: known, level: 0.68 }, context);
  const scored = scores.flatMap(({ score }, i) => (score === undefined ? [] : [{ score, i }]));
  const list = Float64Array.from(scored, ({ score }) => score);
  const auc = aucPr({ labels: Uint8Array.from(scored, ({ i }) => labels[half + i]!), scores: list })!;
  return { auc, high: list.slice().sort()[Math.floor(0.99 * list.length)]! };
}

const contaminations = { spikes, shiftedDay };
type Case = [string, () => Promise<Series>, auc: number, high: number];
/** With `npm run test:contamination`. */
const open: Case[] = [
  ["cpu4", () => openSeries("cpu4"), 0.05, 12],
  ["nyc_taxi", () => openSeries("nyc_taxi"), 0.06, 10],
];
/** Copy of a series without the points that a contamination changes. */
const withoutPointsOf =
  (contaminate: Contamination): Contamination =>
  (values, step) =>
    contaminate(values, step).map((value, i) => (value === values[i] ? value : Number.NaN));
/** How far AUC-PR and the score of one point in a hundred may move: 1.3 times to twice what was measured. */
const series: Case[] = [
  ["a daily sine", async () => makeSynthetic(), 0.05, 6],
  ...(process.env.TEST_OPEN_SERIES ? open : []),
];

test.each(series)(
  "%s",
  async (_, load, auc, high) => {
    const data = await load();
    for (const [kind, contaminate] of Object.entries(contaminations)) {
      const clean = await judge(data, withoutPointsOf(contaminate));
      const spoilt = await judge(data, contaminate);
      expect(spoilt.auc, `AUC-PR with ${kind}`).toBeGreaterThan(clean.auc - auc);
      expect(Math.abs(spoilt.high - clean.high), `scores with ${kind}`).toBeLessThan(high);
    }
  },
  120_000,
);
