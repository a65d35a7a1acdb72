// Contract rows of `_detect` and `_predict`.
import { type Refusal, type Row, refuses, type Table } from "./suite.ts";

const HOUR = 3_600_000;
const startAt = Date.UTC(2026, 0, 1);
const series = Array.from({ length: 96 }, (_, i) => ({
  timestamp: new Date(startAt + i * HOUR).toISOString(),
  value: 20 + (i % 12) + (i % 5) / 10 + (i === 95 ? 40 : 0),
}));
const azure = {
  series,
  granularity: "hourly",
  customInterval: null,
  period: null,
  maxAnomalyRatio: 0.25,
  sensitivity: 95,
  imputeMode: "auto",
};
const normal = series.slice(0, 95);
const seconds = (date: string) => Date.parse(`${date}T00:00:00Z`) / 1000;
const monthEnds = [31, 28, 31, 30, 31].map((day, i) => ({
  timestamp: `2026-0${i + 1}-${day}`,
  value: 100 + i,
}));
const days = Array.from({ length: 12 }, (_, i) => ({ timestamp: startAt / 1000 + 24 * 3600 * i, value: i }));
const workdays = [5, 6, 7, 8, 9].map((day) => ({ timestamp: `2026-01-0${day}`, value: day }));

const good: readonly [string, string, unknown, unknown, string[]][] = [
  [
    "all points, as the Azure Anomaly Detector was asked",
    "POST /_detect",
    azure,
    { period: 12, missing: 0 },
    [
      '"isAnomaly":[false',
      "true]",
      "expectedValues",
      "upperMargins",
      "lowerMargins",
      "isPositiveAnomaly",
      "severity",
      "scores",
    ],
  ],
  [
    "the last point",
    "POST /_detect",
    { ...azure, mode: "last" },
    { period: 12, isAnomaly: true, isPositiveAnomaly: true, isNegativeAnomaly: false, suggestedWindow: 49 },
    ["expectedValue", "upperMargin", "lowerMargin", "severity", "score"],
  ],
  [
    "points without timestamps",
    "POST /_detect",
    { series: normal.map(({ value }) => ({ value })), anomaly_type: "high" },
    { period: 12, missing: 0 },
    ['"isAnomaly":[false'],
  ],
  [
    "a forecast of one period",
    "POST /_predict",
    { series: normal, bucket_interval: "1h" },
    { period: 12, timestamps: Array.from({ length: 12 }, (_, k) => (startAt + (95 + k) * HOUR) / 1000) },
    ["predicted", "lower", "upper", "forecast_error"],
  ],
  [
    "a forecast with levels",
    "POST /_predict",
    { series: normal, horizon: 2, level: "80;95", p_val: "0.5", forecaster: "seasonal" },
    { timestamps: [95, 96].map((hour) => (startAt + hour * HOUR) / 1000) },
    ['"levels":{"80":', '"95":'],
  ],
  [
    "a forecast at ends of months, within limits",
    "POST /_predict",
    { series: monthEnds, horizon: 3, min: 100, max: 104 },
    { timestamps: ["2026-06-30", "2026-07-31", "2026-08-31"].map(seconds), missing: 0 },
    ["predicted"],
  ],
  [
    "a forecast of workdays",
    "POST /_predict",
    { series: workdays, granularity: "workdays", horizon: 2 },
    { timestamps: ["2026-01-12", "2026-01-13"].map(seconds) },
    ["predicted"],
  ],
  [
    "a forecast by local time, with holidays",
    "POST /_predict",
    { series: normal, timezone: "Europe/Berlin", holidays: { country: "DE", region: "BE" }, horizon: 1 },
    { timestamps: [(startAt + 95 * HOUR) / 1000] },
    ["predicted"],
  ],
  [
    "points by local time",
    "POST /_detect",
    { series: normal, timezone: "Europe/Berlin" },
    { period: 12, missing: 0 },
    ["isAnomaly"],
  ],
];

const bad: readonly [string, object, Refusal][] = [
  ["no series", {}, { path: "series", holds: ["is required"] }],
  [
    "too few points",
    { series: series.slice(0, 2) },
    { code: "too_little_data", path: "series", holds: ["has 2 points, at least "] },
  ],
  [
    "an unknown time zone",
    { series, timezone: "Mars/Base" },
    { path: "timezone", holds: ["must be an IANA time zone, as in Europe/Paris"] },
  ],
  [
    "workdays with a Saturday",
    { series: days, granularity: "workdays" },
    {
      path: "series.2.timestamp",
      holds: ["is on a Saturday in UTC: leave out such points, give the granularity daily"],
    },
  ],
  [
    "too many points",
    { series: Array.from({ length: 100_001 }, () => ({ value: 1 })) },
    { status: 413, path: "series", holds: ["has 100001 points, at most 100000"] },
  ],
  [
    "an unknown key",
    { series, granularty: "hourly" },
    { path: "granularty", holds: ["did you mean granularity?"] },
  ],
  [
    "points under another name",
    { points: series },
    { path: "points", holds: ["points is unknown; known keys: series, "] },
  ],
];

const rows: readonly Row[] = [
  ...good.map(
    ([shows, request, body, has, holds]): Row => ({ shows, request, body, status: 200, has, holds }),
  ),
  ...["POST /_detect", "POST /_predict"].flatMap((request) =>
    bad.map(([shows, body, refusal]) =>
      refuses(`${request} refuses ${shows}`, request, { body, ...refusal }),
    ),
  ),
  {
    shows: "a job for the asking",
    request: "POST /_detect?bg=True",
    body: azure,
    status: 200,
    holds: ["-"],
    lacks: ["period"],
  },
  { shows: "no job", request: "POST /_predict?bg=maybe", body: azure, status: 400, has: { path: "bg" } },
  refuses("too few points for a detection", "POST /_detect", {
    code: "too_little_data",
    path: "series",
    body: { series: series.slice(0, 11) },
    holds: ["has 11 points, at least 12 are needed"],
  }),
  refuses("an unknown country", "POST /_predict", {
    path: "holidays.country",
    body: { series: normal, holidays: { country: "XX" } },
    holds: ["XX is not known"],
  }),
  refuses("the name of a calendar", "POST /_predict", {
    path: "holidays.calendar",
    body: { series: normal, holidays: { calendar: "sale" } },
    holds: ["give the text of the calendar in holidays.ical"],
  }),
  refuses("a minimum above the maximum", "POST /_predict", {
    path: "min",
    body: { series: normal, min: 5, max: 4 },
    holds: ["must be below max (4)"],
  }),
  refuses("too few points for a network", "POST /_detect", {
    code: "too_little_data",
    path: "series",
    body: { series: series.slice(0, 39), detector: "ensemble" },
    holds: ["at least 40 are needed", "leave detector out"],
  }),
  { shows: "no GET", request: "GET /_detect", status: 405, holds: ["POST"] },
];

export const detections: Table = { noun: "detections", rows };
