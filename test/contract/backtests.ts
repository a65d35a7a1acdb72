// Contract rows of backtests, on a real model.
import { aModel } from "../support/builders.ts";
import { dailyWave, type Row, refuses, type Table } from "./suite.ts";

const HOUR = 3600;
const DAY = 24 * HOUR;
/** Three spikes in the second half. */
const SPIKES = [17, 21, 26].map((day) => day * 24 + 5);
const points = dailyWave(30).map(({ timestamp, load }, i) => {
  const isSpike = SPIKES.includes(i);
  return { timestamp, load: load + (isSpike ? 80 : 0), known: isSpike ? 1 : 0 };
});
const features = [{ name: "avg_load", metric: "avg", field: "load" }];
const settings = aModel({ name: "c_bt", default_bucket: "c_bt", bucket_interval: "1h", span: 12, features });
const range = `from=0&to=${30 * DAY}`;
const quick = `${range}&max_evals=1&epochs=3`;
const spike = (i: number) => ({ from: SPIKES[i]! * HOUR, to: (SPIKES[i]! + 1) * HOUR });

const rows: readonly Row[] = [
  { shows: "a clean start", request: "DELETE /models/c_bt", status: [204, 404] },
  { shows: "a bucket", request: "POST /buckets", body: { name: "c_bt", type: "local" }, status: 201 },
  { shows: "points", request: "POST /buckets/c_bt/_write", body: points, status: 202, job: "done" },
  { shows: "a model, never trained", request: "POST /models", body: settings, status: 201 },
  {
    shows: "the id of a job, and its result",
    request: `POST /models/c_bt/_backtest?${quick}`,
    status: 200,
    keep: "backtest",
    job: "done",
    jobHas: {
      type: "backtest",
      model: "c_bt",
      result: {
        trained: { from: 0, to: 15 * DAY, points: 360, span: 12 },
        evaluated: { from: 15 * DAY, to: 30 * DAY, points: 360, scored: 360 },
      },
    },
  },
  {
    shows: "without labels nothing is judged, and scores come on request only",
    request: "GET /jobs/$backtest",
    status: 200,
    lacks: ['"precision"', '"labels"', '"best"', '"scores"', '"label"', "NaN"],
    holds: ['"alerts_per_week":[{"max_threshold":30,', '"severity":"critical"'],
  },
  {
    shows: "labels from a field, scores, and the result at once",
    request: `POST /models/c_bt/_backtest?${quick}&label_field=known&include_scores=true&bg=false`,
    status: 200,
    has: { labels: { count: 3, found: 3, missed: [], recall: 1, delay_seconds_median: 0 }, best: { f1: 1 } },
    holds: ['"label":true', '"scores":{"timestamps":[1296000,'],
  },
  {
    shows: "labels in the body, one of them where nothing is",
    request: `POST /models/c_bt/_backtest?${quick}&bg=false`,
    body: { labels: [spike(1), { from: 28 * DAY, to: "1970-01-29T01:00:00Z" }], max_threshold: 90 },
    status: 200,
    has: {
      thresholds: { max: 90 },
      labels: { count: 2, found: 1, missed: [{ from: 28 * DAY, to: 28 * DAY + HOUR }], recall: 0.5 },
    },
  },
  {
    shows: "the model is as it was",
    request: "GET /models/c_bt",
    status: 200,
    is: [{ settings, state: { trained: false } }],
  },
  refuses("no from", "POST /models/c_bt/_backtest", { path: "from" }),
  refuses("a label before the evaluated part, by its number", `POST /models/c_bt/_backtest?${range}`, {
    path: "labels.1.from",
    body: { labels: [spike(0), { from: DAY, to: 2 * DAY }] },
  }),
  {
    shows: "too short a part to train on",
    request: `POST /models/c_bt/_backtest?from=0&to=${20 * HOUR}`,
    status: 400,
    has: { code: "too_little_data", found: 10, needed: 12 },
  },
  {
    shows: "as with a training, too few points for the span fail the job",
    request: `POST /models/c_bt/_backtest?from=0&to=${40 * HOUR}`,
    status: 200,
    job: "failed",
    jobHas: { code: "too_little_data" },
  },
  {
    shows: "nothing in the evaluated part",
    request: `POST /models/c_bt/_backtest?from=0&to=${60 * DAY}&train_to=${50 * DAY}`,
    status: 200,
    job: "failed",
    jobHas: { code: "no_data" },
  },
  { shows: "an unknown model", request: `POST /models/c_no/_backtest?${range}`, status: 404 },
  refuses("an unknown bucket", `POST /models/c_bt/_backtest?${range}&input_bucket=c_no`, { status: 404 }),
  { shows: "tidy up", request: "DELETE /models/c_bt", status: 204 },
  { shows: "tidy up", request: "DELETE /buckets/c_bt", status: 204 },
];

export const backtests: Table = { noun: "backtests", rows };
