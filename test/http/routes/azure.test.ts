// The Azure AI Anomaly Detector's own client, unmodified, on a real server: operations, versions, errors, keys.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import createAnomalyDetector, { isUnexpected } from "@azure-rest/ai-anomaly-detector";
import fc from "fast-check";
import { startTestServer, type TestServer, useTestServer } from "../../contract/server.ts";
import { roundsOf } from "../../support/rounds.ts";

const KEY = "torus_a-secret-of-sufficient-length-here";
const server = useTestServer();
const HOUR = 3_600_000;
const startAt = Date.UTC(2026, 0, 1);
const versions = ["v1.0", "v1.1"];

type Operation = "entire" | "last" | "changepoint";
interface Point {
  readonly timestamp?: Date | string;
  readonly value: number;
}

function clientOf({ url = server.url, version = "v1.1", key = "any" } = {}) {
  const options = { ApiVersion: version, allowInsecureConnection: true, retryOptions: { maxRetries: 0 } };
  return createAnomalyDetector(url, { key }, options);
}

// biome-ignore lint/suspicious/noExplicitAny: bodies, malformed ones too, and results of any operation
type Body = any;

async function ask(operation: Operation, body: Body, client = clientOf()) {
  const path = `/timeseries/${operation}/detect` as "/timeseries/entire/detect";
  const sent = { body, headers: { "Content-Type": "application/json" as const } };
  const answer = await client.path(path).post(sent);
  const { status, headers } = answer;
  return { failed: isUnexpected(answer), status, headers, body: answer.body as Body };
}

async function found(operation: Operation, body: object, client = clientOf()) {
  const { status, body: result } = await ask(operation, body, client);
  expect([status, result.message]).toEqual(["200", undefined]);
  return result;
}

const indicesOf = (flags: readonly boolean[]) => [...flags.keys()].filter((i) => flags[i]);
/** A wave of twelve points, with a little more that repeats differently. */
const valueAt = (i: number) => 20 + 5 * Math.sin((2 * Math.PI * i) / 12) + ((7 * i) % 5) / 10;
const hours = (more: (i: number) => number = () => 0, count = 120): Point[] =>
  Array.from({ length: count }, (_, i) => ({
    timestamp: new Date(startAt + i * HOUR),
    value: valueAt(i) + more(i),
  }));
const spikeAndDip = hours((i) => (i === 37 ? 30 : i === 80 ? -25 : 0));

describe.each(versions)("version %s", (version) => {
  test("every point: a spike and a dip", async () => {
    const { scores, missing, ...result } = await found(
      "entire",
      { series: spikeAndDip, granularity: "hourly", maxAnomalyRatio: 0.25, sensitivity: 95 },
      clientOf({ version }),
    );
    expect([scores, missing, result.period]).toEqual([undefined, undefined, 12]);
    expect(indicesOf(result.isAnomaly)).toEqual([37, 80]);
    expect(indicesOf(result.isPositiveAnomaly)).toEqual([37]);
    expect(indicesOf(result.isNegativeAnomaly)).toEqual([80]);
    expect(indicesOf(result.severity.map((severity: number) => severity > 0))).toEqual([37, 80]);
    const outside = spikeAndDip.map(({ value }, i) => {
      const difference = value - result.expectedValues[i];
      return difference > result.upperMargins[i] || -difference > result.lowerMargins[i];
    });
    expect(outside).toEqual(result.isAnomaly);
  });

  test("the last point", async () => {
    const client = clientOf({ version });
    const spike = await found(
      "last",
      { series: spikeAndDip.slice(0, 38), granularity: "hourly", period: 12 },
      client,
    );
    expect(spike).toMatchObject({
      period: 12,
      suggestedWindow: 49,
      isAnomaly: true,
      isPositiveAnomaly: true,
    });
    expect(spike.expectedValue + spike.upperMargin).toBeLessThan(spikeAndDip[37]!.value);
    expect(spike.severity).toBeGreaterThan(0);
    const normal = await found("last", { series: hours(), granularity: "hourly" }, client);
    expect(normal).toMatchObject({ isAnomaly: false, isNegativeAnomaly: false, severity: 0 });
  });

  test("change points", async () => {
    const series = hours((i) => (i >= 70 ? 20 : 0));
    const result = await found("changepoint", { series, granularity: "hourly" }, clientOf({ version }));
    expect(Object.keys(result).sort()).toEqual(["confidenceScores", "isChangePoint", "period"]);
    expect(indicesOf(result.isChangePoint)).toEqual([70]);
    expect(result.confidenceScores).toHaveLength(120);
    expect(result.confidenceScores[70]).toBeGreaterThan(0.5);
    expect(result.period).toBe(12);
  });
});

const every = (ms: number) => (i: number) => startAt + i * ms;
test.each<[granularity: string, customInterval: number, timeAt?: ((i: number) => number) | undefined]>([
  ["yearly", 1, (i) => Date.UTC(1900 + i, 0, 1)],
  ["monthly", 1, (i) => Date.UTC(2010, i, 1)],
  ["weekly", 1, every(168 * HOUR)],
  ["daily", 1, every(24 * HOUR)],
  ["hourly", 1, every(HOUR)],
  ["minutely", 1, every(HOUR / 60)],
  ["minutely", 5, every(HOUR / 12)],
  ["perMinute", 1, every(HOUR / 60)],
  ["secondly", 1, every(1000)],
  ["perSecond", 1, every(1000)],
  ["microsecond", 1, undefined],
  ["none", 1, undefined],
])("points at granularity %s", async (granularity, customInterval, timeAt) => {
  const series = spikeAndDip.map(({ value }, i) => ({
    value,
    ...(timeAt && { timestamp: new Date(timeAt(i)) }),
  }));
  const result = await found("entire", { series, granularity, customInterval });
  expect(indicesOf(result.isAnomaly)).toEqual([37, 80]);
});

test("without a granularity points are evenly spaced, whatever their timestamps", async () => {
  const series = spikeAndDip.map(({ value }, i) => ({ value, timestamp: new Date(startAt + i ** 2) }));
  expect(indicesOf((await found("entire", { series })).isAnomaly)).toEqual([37, 80]);
  const changed = hours((i) => (i >= 70 ? 20 : 0)).map(({ value }) => ({ value }));
  expect(indicesOf((await found("changepoint", { series: changed })).isChangePoint)).toEqual([70]);
});

test("missing points are imputed as asked, and answers have one entry per point", async () => {
  const series = spikeAndDip.filter((_point, i) => i % 20 !== 9);
  for (const impute of [{}, { imputeMode: "linear" }, { imputeMode: "fixed", imputeFixedValue: 20 }]) {
    const result = await found("entire", { series, granularity: "hourly", ...impute });
    const times = indicesOf(result.isAnomaly).map((i) => series[i]!.timestamp);
    expect(times).toEqual([spikeAndDip[37]!.timestamp, spikeAndDip[80]!.timestamp]);
    expect(result.expectedValues).toHaveLength(series.length);
  }
});

test("the higher the sensitivity, the narrower the margins, and the more anomalies", async () => {
  const sizes: Record<number, number> = { 20: 1, 40: 2, 60: 4, 80: 10, 100: 100 };
  const series = hours((i) => sizes[i] ?? 0);
  const answers = await Promise.all(
    [0, 10, 50, 85, 95, 99].map((sensitivity) =>
      found("entire", { series, granularity: "hourly", sensitivity }),
    ),
  );
  const anomalies = answers.map(({ isAnomaly }) => indicesOf(isAnomaly));
  expect(anomalies[0]).toEqual([]);
  expect(anomalies.at(-1)!.length).toBeGreaterThan(2);
  for (const [k, fewer] of anomalies.slice(0, -1).entries()) {
    expect(anomalies[k + 1]).toEqual(expect.arrayContaining(fewer));
    expect(answers[k]!.upperMargins[0]).toBeGreaterThan(answers[k + 1]!.upperMargins[0]);
  }
});

test("the higher the threshold, the more change points; the longer the stable trend, the fewer", async () => {
  const series = hours((i) => (i >= 60 && i < 80 ? 12 : 0));
  const count = async (options: object) =>
    indicesOf((await found("changepoint", { series, granularity: "hourly", ...options })).isChangePoint)
      .length;
  expect([await count({ threshold: 0 }), await count({}), await count({ threshold: 1 })]).toEqual([0, 2, 2]);
  expect(await count({ stableTrendWindow: 50 })).toBeLessThan(2);
});

test("fields that the service does not know are ignored, null is absent", async () => {
  const nulls = { customInterval: null, period: null, maxAnomalyRatio: null, imputeMode: null };
  const result = await found("entire", {
    series: spikeAndDip,
    granularity: "hourly",
    detector: {},
    mode: "last",
    ...nulls,
  });
  expect(indicesOf(result.isAnomaly)).toEqual([37, 80]);
});

const valid = { series: spikeAndDip, granularity: "hourly" };
const changedAt = (i: number, point: object) => ({
  ...valid,
  series: spikeAndDip.map((own, k) => (k === i ? { ...own, ...point } : own)),
});
const count = (length: number) => ({ series: Array.from({ length }, () => ({ value: 1 })) });

const refused: [code: string, holds: string, body: unknown, operation?: Operation][] = [
  ["InvalidJsonFormat", "must be a JSON object", []],
  ["RequiredSeries", "series: is required", { granularity: "hourly" }],
  ["RequiredSeries", "series: is required", { ...valid, series: null }],
  ["InvalidSeries", "an array of points", { ...valid, series: {} }],
  ["InvalidSeries", "at least 12", count(11)],
  ["InvalidSeries", "at most 8640", count(8641)],
  [
    "InvalidSeries",
    "series.5.timestamp: is the same",
    changedAt(5, { timestamp: spikeAndDip[4]!.timestamp }),
  ],
  ["InvalidSeries", "sort the points", changedAt(5, { timestamp: spikeAndDip[0]!.timestamp })],
  ["InvalidSeries", "is required", changedAt(5, { timestamp: null })],
  ["InvalidSeries", "at most 17280 are allowed", { ...valid, granularity: "secondly" }],
  ["BadArgument", "series.5.value: must be a finite number", changedAt(5, { value: "high" })],
  [
    "BadArgument",
    "series.5: must be an object",
    { ...valid, series: [...spikeAndDip.slice(0, 5), 1, 2, 3, 4, 5, 6, 7] },
  ],
  ["InvalidGranularity", "must be one of yearly, monthly", { ...valid, granularity: "workdays" }],
  ["RequiredGranularity", "is required for points with timestamps", { series: spikeAndDip }, "changepoint"],
  ["InvalidCustomInterval", "a whole number from 1", { ...valid, customInterval: 0 }],
  ["InvalidPeriod", "a whole number from 0", { ...valid, period: -1 }],
  ["InvalidPeriod", "at most 60", { ...valid, period: 61 }, "last"],
  ["InvalidModelArgument", "from 0 to 99", { ...valid, sensitivity: 100 }],
  ["InvalidModelArgument", "below 0.5", { ...valid, maxAnomalyRatio: 0.5 }],
  ["InvalidModelArgument", "from 0 to 1", { ...valid, threshold: 1.1 }, "changepoint"],
  ["InvalidModelArgument", "from 3 to 8640", { ...valid, stableTrendWindow: 2 }, "changepoint"],
  ["InvalidModelArgument", "at most 60", { ...valid, stableTrendWindow: 61 }, "changepoint"],
  ["InvalidImputeMode", "must be one of auto", { ...valid, imputeMode: "spline" }],
  ["InvalidImputeFixedValue", "is required with imputeMode fixed", { ...valid, imputeMode: "fixed" }],
];
test.each(refused)("%s: %s", async (code, holds, body, operation = "entire") => {
  const answer = await ask(operation, body);
  expect([answer.failed, answer.status, answer.headers["x-ms-error-code"]]).toEqual([true, "400", code]);
  expect(answer.body).toEqual({ code, message: expect.stringContaining(holds) });
});

const odd = fc.oneof(
  fc.constantFrom(null, true, "", "daily", "fixed", -1, 0, 1, 5, 12, 99, 1e9),
  fc.double(),
  fc.string(),
);
const values = fc.oneof(
  fc.array(fc.double({ min: -1e100, max: 1e100, noNaN: true }), { minLength: 12, maxLength: 60 }),
  fc.array(fc.constantFrom(0, 1, 1e-300, -1e100, 1e100), { minLength: 12, maxLength: 60 }),
  fc.array(fc.integer({ min: -3, max: 3 }), { minLength: 12, maxLength: 200 }),
);
const options = fc.dictionary(
  fc.constantFrom(
    ...["granularity", "customInterval", "period", "maxAnomalyRatio", "sensitivity", "imputeMode"],
    ...["imputeFixedValue", "stableTrendWindow", "threshold"],
  ),
  odd,
  { maxKeys: 2, noNullPrototype: true },
);

test("any series and options are answered with numbers, or refused with a code", async () => {
  const operation = fc.constantFrom<Operation>("entire", "last", "changepoint");
  const property = fc.asyncProperty(operation, values, options, async (asked, list, more) => {
    const series = list.map((value) => ({ value }));
    const { status, body, headers } = await ask(asked, { series, granularity: "none", ...more });
    const text = JSON.stringify(body);
    if (status === "200") expect(text).not.toContain("null");
    else expect([status, body.code]).toEqual(["400", headers["x-ms-error-code"]]);
  });
  await fc.assert(property, { numRuns: roundsOf(200) });
}, 60_000);

test("a body that is no JSON, and one of another type", async () => {
  const url = `${server.url}/anomalydetector/v1.1/timeseries/entire/detect`;
  const post = async (type: string, body: string) => {
    const response = await fetch(url, { method: "POST", headers: { "content-type": type }, body });
    return [response.status, response.headers.get("x-ms-error-code"), await response.json()];
  };
  expect(await post("application/json", "{")).toEqual([
    400,
    "InvalidJsonFormat",
    { code: "InvalidJsonFormat", message: "body: must be valid JSON" },
  ]);
  expect(await post("text/plain", "a")).toEqual([
    415,
    null,
    { error: { code: "415", message: expect.any(String) } },
  ]);
});

test("most points with gaps are answered within the request", async () => {
  const value = (i: number) => Math.sin(i / 100) + ((7 * i) % 11) / 100;
  const series = Array.from({ length: 8640 }, (_, i) => ({
    timestamp: new Date(startAt + (i + Math.floor(i / 10)) * 1000),
    value: value(i),
  }));
  expect((await found("entire", { series, granularity: "secondly" })).isAnomaly).toHaveLength(8640);
});

describe("what is not there", () => {
  test("multivariate operations say what there is instead", async () => {
    const client = clientOf();
    const answers = [
      await client.path("/multivariate/models").get(),
      await client.path("/multivariate/models/{modelId}", "a").get(),
    ];
    for (const { status, body } of answers) {
      const message = expect.stringContaining("timeseries/entire/detect");
      expect([status, body as object]).toEqual(["404", { error: { code: "404", message } }]);
    }
  });

  test("other versions name the known ones", async () => {
    const { status, body } = await ask("entire", valid, clientOf({ version: "v2.0" }));
    expect([status, body.error.message]).toEqual(["404", expect.stringContaining("v1.0, ")]);
  });

  test("older clients spell changepoint in another way", async () => {
    const body = JSON.stringify({ series: count(40).series });
    const headers = { "content-type": "application/json" };
    const url = `${server.url}/anomalydetector/v1.0/timeseries/changePoint/detect`;
    expect((await fetch(url, { method: "POST", headers, body })).status).toBe(200);
  });
});

describe("with access control", () => {
  let guarded: TestServer;
  beforeAll(async () => {
    guarded = await startTestServer({
      settings: `server.auth.tokens: [{name: g, scope: read, token: ${KEY}}]`,
    });
  });
  afterAll(() => guarded?.stop());

  test("a token of scope read is the key", async () => {
    expect((await ask("entire", valid, clientOf({ url: guarded.url, key: KEY }))).status).toBe("200");
  });

  test("another key is refused as the service refuses it, and is in no log", async () => {
    const { status, body } = await ask("entire", valid, clientOf({ url: guarded.url, key: "another-key" }));
    expect([status, body]).toEqual([
      "401",
      { error: { code: "401", message: expect.stringContaining("unknown") } },
    ]);
    expect(guarded.lines.join("\n")).not.toContain("another-key");
  });

  const send = (path: string, headers: Record<string, string>) =>
    fetch(`${guarded.url}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(valid),
    });
  const path = "/anomalydetector/v1.1/timeseries/entire/detect";

  test("none says how to send it; a bearer token is one, too", async () => {
    const response = await send(path, {});
    expect([response.status, await response.text()]).toEqual([
      401,
      expect.stringContaining("Ocp-Apim-Subscription-Key"),
    ]);
    expect((await send(path, { authorization: `Bearer ${KEY}` })).status).toBe(200);
  });

  test("elsewhere the header is no token", async () => {
    const response = await send("/_detect", { "ocp-apim-subscription-key": KEY });
    expect([response.status, await response.text()]).toEqual([
      401,
      expect.not.stringContaining("Subscription"),
    ]);
  });
});
