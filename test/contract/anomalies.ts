// Contract rows of anomalies: recorded by an evaluation, listed, judged by a person.
import type { Row, Table } from "./suite.ts";

/** New in each run: anomalies with feedback outlive their model. */
const MODEL = `c_an_${crypto.randomUUID().slice(0, 8)}`;
const HOUR = 3600;
const DAYS = 20;
/** A spike on the last day. */
const SPIKE = DAYS * 24 - 12;
const points = Array.from({ length: DAYS * 24 }, (_, i) => ({
  timestamp: i * HOUR,
  load: i === SPIKE ? 500 : 10 + 5 * Math.sin((2 * Math.PI * i) / 24),
}));
const lastDay = `from=${(DAYS - 1) * 24 * HOUR}&to=${DAYS * 24 * HOUR}`;
const feature = { name: "avg_load", metric: "avg", field: "load" };
const feedback = { anomaly: false, note: "the monthly batch run" };

const rows: readonly Row[] = [
  { shows: "a bucket", request: "POST /buckets", body: { name: "c_an", type: "local" }, status: 201 },
  { shows: "points", request: "POST /buckets/c_an/_write", body: points, status: 202, job: "done" },
  {
    shows: "a model",
    request: "POST /models",
    body: {
      name: MODEL,
      type: "donut",
      default_bucket: "c_an",
      bucket_interval: "1h",
      span: 12,
      features: [feature],
    },
    status: 201,
  },
  {
    shows: "trained before the spike",
    request: `POST /models/${MODEL}/_train?from=0&to=${(DAYS - 1) * 24 * HOUR}&max_evals=1&epochs=2`,
    status: 200,
    job: "done",
  },
  {
    shows: "guards that hold the spike back",
    request: `PATCH /models/${MODEL}`,
    body: { features: [{ ...feature, min_deviation: { absolute: 1000 }, only_if: { above: 0 } }] },
    status: 204,
  },
  {
    shows: "no anomaly by these guards, without a training",
    request: `POST /models/${MODEL}/_eval?${lastDay}&detect_anomalies=true`,
    status: 200,
    lacks: ['"anomaly":true'],
  },
  {
    shows: "guards that the spike passes",
    request: `PATCH /models/${MODEL}`,
    body: {
      features: [{ ...feature, min_deviation: { absolute: 100, relative: 1 }, only_if: { above: 400 } }],
    },
    status: 204,
  },
  {
    shows: "the guards in the settings",
    request: `GET /models/${MODEL}`,
    status: 200,
    has: [
      {
        settings: {
          features: [{ min_deviation: { absolute: 100, relative: 1 }, only_if: { above: 400 } }],
        },
      },
    ],
  },
  {
    shows: "an evaluation that records",
    request: `POST /models/${MODEL}/_eval?${lastDay}&detect_anomalies=true&record=true`,
    status: 200,
    has: { recorded: 1 },
  },
  {
    shows: "the recorded anomaly",
    request: `GET /models/${MODEL}/anomalies`,
    status: 200,
    has: [
      {
        model: MODEL,
        start: SPIKE * HOUR,
        origin: "evaluation",
        severity: "critical",
        features: { avg_load: { type: "high", observed: 500 } },
      },
    ],
    lacks: ["feedback"],
    keepParts: { anomaly: "0.id" },
  },
  {
    shows: "feedback of another shape",
    request: `POST /models/${MODEL}/anomalies/$anomaly/_feedback`,
    body: { anomaly: "perhaps" },
    status: 400,
    has: { path: "anomaly" },
  },
  {
    shows: "feedback",
    request: `POST /models/${MODEL}/anomalies/$anomaly/_feedback`,
    body: feedback,
    status: 204,
  },
  {
    shows: "the anomaly with its feedback",
    request: `GET /models/${MODEL}/anomalies`,
    status: 200,
    has: [{ feedback }],
  },
  {
    shows: "later feedback replaces it",
    request: `POST /models/${MODEL}/anomalies/$anomaly/_feedback`,
    body: { anomaly: true },
    status: 204,
  },
  {
    shows: "the later feedback",
    request: `GET /models/${MODEL}/anomalies`,
    status: 200,
    has: [{ feedback: { anomaly: true } }],
    lacks: [feedback.note],
  },
  {
    shows: "judged ones of this model",
    request: `GET /anomalies?judged=true&model=${MODEL}&per_page=5`,
    status: 200,
    has: [{ model: MODEL }],
    holds: ['"x-total-count","1"'],
  },
  {
    shows: "the anomaly by its id",
    request: "GET /anomalies/$anomaly",
    status: 200,
    has: { model: MODEL, deliveries: [] },
  },
  { shows: "no such anomaly", request: "GET /anomalies/nope", status: 404, has: { code: "not_found" } },
  {
    shows: "the lane of the last day",
    request: `GET /anomalies/_lanes?${lastDay}&cells=4&model=${MODEL}`,
    status: 200,
    has: { step: 21_600, cells: 4, lanes: [{ model: MODEL, count: 1 }] },
  },
  { shows: "lanes without a start", request: "GET /anomalies/_lanes", status: 400, has: { path: "from" } },
  {
    shows: "feedback withdrawn",
    request: `DELETE /models/${MODEL}/anomalies/$anomaly/_feedback`,
    status: 204,
  },
  {
    shows: "no feedback any more",
    request: `GET /anomalies?judged=true&model=${MODEL}`,
    status: 200,
    is: [],
  },
  { shows: "tidy up", request: `DELETE /models/${MODEL}`, status: 204 },
  { shows: "tidy up", request: "DELETE /buckets/c_an", status: 204 },
];

export const anomalies: Table = { noun: "anomalies", rows };
