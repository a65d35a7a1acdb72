// Contract rows of model files of the predecessor: accepted unchanged.
import { type Row, refuses, type Table } from "./suite.ts";

const feature = { name: "avg_temp", metric: "avg", field: "temp" };
const base = { type: "donut", bucket_interval: "10m", interval: "60s", offset: "30s", features: [feature] };

/** What is sent, and what of it comes back otherwise. */
const models: readonly [string, Record<string, unknown>, object?][] = [
  [
    "features by direction, bare numbers for durations",
    {
      default_datasource: "c_l",
      default_datasink: "c_l",
      bucket_interval: "30m",
      features: {
        io: [{ ...feature, measurement: "room", default: 0, transform: "diff", scores: "standardize" }],
      },
      seasonality: { daytime: true, weekday: false },
      interval: 60,
      offset: 30,
      max_evals: 5,
      span: 21,
      forecast: 7,
      max_threshold: 70,
      min_threshold: 60,
    },
    {
      features: [
        { io: "io", ...feature, measurement: "room", default: 0, transform: "diff", scores: "standardize" },
      ],
    },
  ],
  [
    "a single feature, the mean, nothing for an empty interval",
    {
      default_bucket: "c_l",
      features: [
        {
          ...feature,
          metric: "mean",
          io: "io",
          measurement: "cpu",
          match_all: [{ tag: "host", value: "web 1" }],
          default: null,
        },
      ],
      span: 24,
      max_evals: 21,
    },
  ],
  [
    "automatic thresholds, no grace, short horizon",
    {
      default_bucket: "c_l",
      max_threshold: 0,
      min_threshold: 0,
      grace_period: 0,
      max_evals: 10,
      span: 5,
      forecast: 5,
    },
  ],
  [
    "null for everything that was not set",
    {
      default_bucket: "c_l",
      routing: null,
      threshold: null,
      span: null,
      max_threshold: null,
      min_threshold: null,
      forecast: null,
      seasonality: null,
      features: [
        { ...feature, measurement: null, match_all: null, script: null, anomaly_type: null, default: null },
      ],
    },
    {
      max_threshold: undefined,
      min_threshold: undefined,
      forecast: undefined,
      seasonality: undefined,
      features: [{ ...feature, measurement: null, match_all: null, script: null, default: null }],
    },
  ],
  [
    "a live one, exported with its parameters",
    {
      default_bucket: "c_l",
      span: "auto",
      min_span: 10,
      max_span: 100,
      forecast: "auto",
      timestamp_field: "@timestamp",
      routing: "room:12",
      threshold: 75,
      run: { detect_anomalies: true, save_prediction: false, datasink: null },
    },
  ],
  [
    "inputs and outputs apart",
    {
      default_bucket: "c_l",
      features: { i: [{ ...feature, name: "in" }], o: [{ ...feature, name: "out", anomaly_type: "low" }] },
    },
    {
      features: [
        { io: "i", ...feature, name: "in" },
        { io: "o", ...feature, name: "out", anomaly_type: "low" },
      ],
    },
  ],
];

const rows: readonly Row[] = [
  { shows: "a bucket", request: "POST /buckets", body: { name: "c_l", type: "local" }, status: 201 },
  ...models.flatMap(([shows, change, shown = {}], index): Row[] => {
    const name = `c_legacy_${index}`;
    const settings = { name, ...base, ...change };
    return [
      { shows: "a clean start", request: `DELETE /models/${name}`, status: [204, 404] },
      { shows, request: "POST /models", body: settings, status: 201, is: "success" },
      {
        shows: `${shows}: it comes back`,
        request: `GET /models/${name}`,
        status: 200,
        is: [{ settings: JSON.parse(JSON.stringify({ ...settings, ...shown })), state: { trained: false } }],
      },
      {
        shows: `${shows}: what comes back may be sent again`,
        request: `PATCH /models/${name}`,
        body: JSON.parse(JSON.stringify({ ...settings, ...shown })),
        status: 204,
        type: null,
      },
      { shows: "leave nothing", request: `DELETE /models/${name}`, status: 204, type: null },
    ];
  }),
  refuses("a kind of model that is no more", "POST /models", {
    path: "type",
    body: { name: "c_legacy_x", ...base, type: "timeseries" },
    holds: ["must be donut"],
  }),
  { shows: "leave nothing", request: "DELETE /buckets/c_l", status: 204, type: null },
];

export const legacyModels: Table = { noun: "legacy models", rows };
