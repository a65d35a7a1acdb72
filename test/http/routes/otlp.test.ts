// OTLP on a real server: both encodings, read back by PromQL; the official SDK's exporters; refusals as the protocol says.
import { afterEach, describe, expect, test } from "bun:test";
import { OTLPMetricExporter as JsonExporter } from "@opentelemetry/exporter-metrics-otlp-http";
import { OTLPMetricExporter as ProtobufExporter } from "@opentelemetry/exporter-metrics-otlp-proto";
import { resourceFromAttributes } from "@opentelemetry/resources";
import {
  AggregationTemporality,
  AggregationType,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import fc from "fast-check";
import { startTestServer, useTestServer } from "../../contract/server.ts";
import {
  attributesOf,
  contentTypes,
  decodeOtlp,
  type Encoding,
  encodeOtlp,
  nanoseconds,
  otlpRequest,
} from "../../support/otlp.ts";
import { roundsOf } from "../../support/rounds.ts";

const TOKENS = [
  "torus_a-secret-of-sufficient-length-here",
  "torus_b-secret-of-sufficient-length-here",
] as const;
const server = useTestServer({
  settings: `
server.limits.bucket_series: 300
server.limits.write_bytes: 3000000
server.limits.body_bytes: 3000000
buckets:
  - {name: kept, type: local, retention: 365d}
  - {name: elsewhere, type: influxdb, addr: "127.0.0.1:9", database: x, measurement: m}
`,
});
const NOW = Math.floor(Date.now() / 1000) * 1000;
const encodings = ["json", "protobuf"] as const;

async function send(encoding: Encoding, init: RequestInit, query = "bucket=fresh", base = server.url) {
  const headers = { "content-type": contentTypes[encoding], ...(init.headers as Record<string, string>) };
  const response = await fetch(`${base}/v1/metrics?${query}`, { method: "POST", ...init, headers });
  const bytes = new Uint8Array(await response.arrayBuffer());
  const kind = response.ok ? "Answer" : "Status";
  return {
    status: response.status,
    headers: response.headers,
    answer: decodeOtlp(encoding, kind, bytes) as {
      message?: string;
      partialSuccess?: { rejectedDataPoints?: string; errorMessage?: string };
    },
  };
}

const post = (encoding: Encoding, metrics: readonly object[], query?: string, resource?: object) =>
  send(encoding, { body: encodeOtlp(encoding, otlpRequest(metrics, { ...resource })) }, query);

/** Instant values by name and tags. */
async function query(expression: string): Promise<{ metric: Record<string, string>; value: number }[]> {
  const params = new URLSearchParams({ query: expression, time: String(NOW / 1000) });
  const response = await fetch(`${server.url}/prometheus/api/v1/query?${params}`);
  const { data } = (await response.json()) as {
    data: { result: { metric: Record<string, string>; value: [number, string] }[] };
  };
  return data.result.map(({ metric, value }) => ({ metric, value: Number(value[1]) }));
}

const readValues = async (expression: string) => (await query(expression)).map(({ value }) => value);
const aPoint = (own: object, at = NOW) => ({ timeUnixNano: nanoseconds(at), ...own });
const aGauge = (name: string, ...dataPoints: object[]) => ({ name, gauge: { dataPoints } });

describe.each(encodings)("%s", (encoding) => {
  const bucket = `bucket=${encoding}`;

  test("scopes with the same metric are told apart, and others have no tag", async () => {
    const scopeOf = (name: string, ...metrics: object[]) => ({ scope: { name }, metrics });
    const gauge = (name: string, asDouble: number) => aGauge(`scoped.${name}`, aPoint({ asDouble }));
    const scopeMetrics = [
      scopeOf("client", gauge("both", 1), gauge("own", 3)),
      scopeOf("server", gauge("both", 2)),
      scopeOf("", gauge("both", 4)),
    ];
    const body = encodeOtlp(encoding, { resourceMetrics: [{ scopeMetrics }] });
    expect((await send(encoding, { body }, `${bucket}-scopes`)).status).toBe(200);
    const found = await query(`{__name__=~"scoped_.*", bucket="${encoding}-scopes"}`);
    const told = found.map(({ metric, value }) => [metric.__name__, metric.otel_scope_name, value]);
    expect(told.sort(([, , a], [, , b]) => Number(a) - Number(b))).toEqual([
      ["scoped_both", "client", 1],
      ["scoped_both", "server", 2],
      ["scoped_own", undefined, 3],
      ["scoped_both", undefined, 4],
    ]);
  });

  test("once told apart by their scopes, series go on so, whatever scopes a later request has", async () => {
    const push = (at: number, ...scopes: string[]) => {
      const metrics = [aGauge("turns", aPoint({ asDouble: 1 }, at))];
      const scopeMetrics = scopes.map((name) => ({ scope: { name }, metrics }));
      return send(encoding, { body: encodeOtlp(encoding, { resourceMetrics: [{ scopeMetrics }] }) }, own);
    };
    const own = `${bucket}-turns`;
    await push(NOW - 3000, "client", "server");
    await push(NOW - 2000, "client");
    await push(NOW - 1000, "server");
    await push(NOW, "client");
    const found = await query(`count_over_time(turns{bucket="${encoding}-turns"}[1m])`);
    expect(found.map(({ metric, value }) => [metric.otel_scope_name, value]).sort()).toEqual([
      ["client", 3],
      ["server", 2],
    ]);
  });

  test("versions of a scope are told apart where one request holds both, and begin no new series elsewhere", async () => {
    const push = (name: string, at: number, ...versions: string[]) => {
      const scopeMetrics = versions.map((version) => ({
        scope: { name: "lib", version },
        metrics: [aGauge(name, aPoint({ asDouble: Number(version) }, at))],
      }));
      return send(encoding, { body: encodeOtlp(encoding, { resourceMetrics: [{ scopeMetrics }] }) }, own);
    };
    const own = `${bucket}-versions`;
    for (const [i, version] of ["1", "1", "2", "1", "2"].entries())
      await push("updated", NOW - 5000 + i * 1000, version);
    await push("both", NOW - 1000, "1", "2");
    await push("both", NOW, "2");
    const count = async (name: string) =>
      (await query(`count_over_time(${name}{bucket="${encoding}-versions"}[1m])`))
        .map(({ metric, value }) => [metric.otel_scope_name, metric.otel_scope_version, value])
        .sort();
    expect(await count("updated")).toEqual([[undefined, undefined, 5]]);
    expect(await count("both")).toEqual([
      [undefined, "1", 1],
      [undefined, "2", 2],
    ]);
  });

  test("an attribute without a value is no tag", async () => {
    const attributes = [{ key: "empty", value: {} }, ...attributesOf({ full: "1" })];
    await post(encoding, [aGauge("hollow", aPoint({ asDouble: 1, attributes }))], bucket);
    const [found] = await query(`hollow{bucket="${encoding}"}`);
    expect(found!.metric).toEqual({ __name__: "hollow", bucket: encoding, full: "1" });
  });

  test("gauges and sums keep their names; attributes and what identifies the resource are tags", async () => {
    const attributes = attributesOf({
      "http.route": "/a",
      retried: true,
      status: 200,
      share: 0.5,
      hosts: ["a", 1],
      more: { x: [true] },
      "service.name": "of the point",
    });
    const resource = { "service.name": "shop", "k8s.pod.name": "p-1", "process.pid": 7, "k8s.pod.uid": "u" };
    const metrics = [
      aGauge("queue.length", aPoint({ asInt: "-12", attributes }), aPoint({ asDouble: 1.5 }, NOW - 60_000)),
      {
        name: "requests",
        sum: { aggregationTemporality: 2, isMonotonic: true, dataPoints: [aPoint({ asDouble: 2.5 })] },
      },
    ];
    const { status, answer } = await post(encoding, metrics, bucket, resource);
    expect([status, answer]).toEqual([200, {}]);
    expect(await query(`{__name__="queue_length",bucket="${encoding}",retried="true"}`)).toEqual([
      {
        metric: {
          ...{ __name__: "queue_length", bucket: encoding, http_route: "/a", retried: "true", status: "200" },
          ...{ share: "0.5", hosts: '["a",1]', more: '{"x":[true]}', k8s_pod_name: "p-1" },
          service_name: "of the point",
        },
        value: -12,
      },
    ]);
    expect(await query(`requests{bucket="${encoding}"}`)).toEqual([
      {
        metric: { __name__: "requests", bucket: encoding, k8s_pod_name: "p-1", service_name: "shop" },
        value: 2.5,
      },
    ]);
  });

  test("attributes of resources are those that are asked for", async () => {
    const resource = { "service.name": "shop", "process.pid": 7, team: "t" };
    await post(
      encoding,
      [aGauge("asked", aPoint({ asInt: 1 }))],
      `${bucket}&resource_attributes=team,process.pid`,
      resource,
    );
    expect((await query(`asked{bucket="${encoding}"}`))[0]!.metric).toEqual({
      ...{ __name__: "asked", bucket: encoding, team: "t", process_pid: "7" },
    });
  });

  test("histograms: counts, sums, extremes and quantiles of the interval", async () => {
    const delta = {
      ...{
        count: 20,
        sum: 400.5,
        min: 2,
        max: 50,
        bucketCounts: [0, 10, 10, 0],
        explicitBounds: [10, 20, 40],
      },
    };
    await post(
      encoding,
      [{ name: "delta", histogram: { aggregationTemporality: 1, dataPoints: [aPoint(delta)] } }],
      bucket,
    );
    const of = (name: string) => readValues(`${name}{bucket="${encoding}"}`);
    for (const [suffix, value] of Object.entries({
      count: 20,
      sum: 400.5,
      min: 2,
      max: 50,
      p50: 20,
      p90: 36,
      p99: 39.6,
    }))
      expect([suffix, await of(`delta_${suffix}`)]).toEqual([suffix, [value]]);

    const cumulative = (at: number, bucketCounts: number[]) =>
      aPoint(
        {
          startTimeUnixNano: nanoseconds(NOW - 100_000),
          ...{ count: 9, sum: 1, min: 1, bucketCounts, explicitBounds: [10, 20, 40] },
        },
        at,
      );
    const push = (point: object) =>
      post(
        encoding,
        [{ name: "life", histogram: { aggregationTemporality: 2, dataPoints: [point] } }],
        bucket,
      );
    await push(cumulative(NOW - 60_000, [100, 0, 0, 0]));
    expect(await of("life_p50")).toEqual([]);
    await push(cumulative(NOW, [100, 4, 0, 0]));
    expect([await of("life_p50"), await of("life_count"), await of("life_min")]).toEqual([[15], [9], []]);
  });

  test("exponential histograms and summaries", async () => {
    const point = aPoint({
      count: 8,
      sum: 20,
      scale: 0,
      zeroCount: 0,
      positive: { offset: 0, bucketCounts: [4, 0, 4] },
    });
    const quantileValues = [
      { quantile: 0.5, value: 3 },
      { quantile: 0.999, value: 9 },
    ];
    const metrics = [
      { name: "exp", exponentialHistogram: { aggregationTemporality: 1, dataPoints: [point] } },
      { name: "summed", summary: { dataPoints: [aPoint({ count: 2, sum: 6, quantileValues })] } },
    ];
    expect((await post(encoding, metrics, bucket)).answer).toEqual({});
    const names = ["exp_p50", "exp_p90", "exp_count", "summed_p50", "summed_p99_9", "summed_sum"];
    const values = await Promise.all(names.map((name) => readValues(`${name}{bucket="${encoding}"}`)));
    expect(values.flat()).toEqual([2, 7.2, 8, 3, 9, 6]);
  });

  test("NaN and infinities are values, and a point without a value ends its series", async () => {
    const asDouble = (value: number) => (encoding === "json" ? String(value) : value);
    const values = [1, Number.NaN, Number.POSITIVE_INFINITY].map(asDouble);
    const points = values.map((value, i) => aPoint({ asDouble: value }, NOW - 4000 + i * 1000));
    const { status, answer } = await post(encoding, [aGauge("odd", ...points)], bucket);
    const odd = `odd{bucket="${encoding}"}`;
    expect([status, answer]).toEqual([200, {}]);
    expect(await readValues(`count(${odd} == Inf)`)).toEqual([1]);
    expect(await readValues(`${odd} offset 3s`)).toEqual([Number.NaN]);
    await post(encoding, [aGauge("odd", aPoint({ flags: 1 }, NOW - 1000))], bucket);
    expect(await query(odd)).toEqual([]);
    expect(await readValues(`count_over_time(${odd}[5m])`)).toEqual([3]);
  });

  test("kind, description and unit are the metadata of a metric", async () => {
    const described = { description: `Requests, ${encoding}`, unit: "1" };
    const sum = (name: string, own: object) => ({
      ...{ name: `${name}.${encoding}`, ...described },
      sum: { dataPoints: [aPoint({ asInt: 1 })], ...own },
    });
    const metrics = [
      sum("served", { aggregationTemporality: 2, isMonotonic: true }),
      sum("added", { aggregationTemporality: 1, isMonotonic: true }),
    ];
    expect((await post(encoding, metrics, bucket)).status).toBe(200);
    const response = await fetch(`${server.url}/prometheus/api/v1/metadata`);
    const { data } = (await response.json()) as { data: Record<string, unknown> };
    const entry = (type: string) => [{ type, help: described.description, unit: "1" }];
    expect(data[`served_${encoding}`]).toEqual(entry("counter"));
    expect(data[`added_${encoding}`]).toEqual(entry("gauge"));
  });

  test("a histogram without a value ends each of its series", async () => {
    const point = { count: "2", sum: 3, explicitBounds: [1, 2], bucketCounts: ["0", "1", "1"] };
    const histogram = (own: object, at: number) => ({
      ...{ name: "ended", histogram: { aggregationTemporality: 1, dataPoints: [aPoint(own, at)] } },
    });
    await post(encoding, [histogram(point, NOW - 2000)], bucket);
    expect(await readValues(`count({__name__=~"ended_.+",bucket="${encoding}"})`)).toEqual([6]);
    await post(encoding, [histogram({ flags: 1 }, NOW - 1000)], bucket);
    expect(await query(`{__name__=~"ended_.+",bucket="${encoding}"}`)).toEqual([]);
  });

  test("what cannot be stored is a partial success that names it; the rest is stored", async () => {
    const bad = [
      aGauge("", aPoint({ asInt: 1 })),
      aGauge("timeless", { asInt: 1 }),
      aGauge("tagged", aPoint({ asInt: 1, attributes: attributesOf({ time: "x" }) })),
      aGauge("old", aPoint({ asInt: 1 }, NOW - 400 * 86_400_000)),
      { name: "odd" },
    ];
    const { status, answer } = await post(
      encoding,
      [...bad, aGauge("good", aPoint({ asInt: 7 }))],
      "bucket=kept",
    );
    expect(status).toBe(200);
    expect(answer.partialSuccess!.rejectedDataPoints).toBe("5");
    for (const part of ["has no name", "without a time", 'label "time"', "retention", "unknown kind"])
      expect(answer.partialSuccess!.errorMessage).toContain(part);
    expect(await readValues("good")).toContain(7);
  });

  test("beyond the series of a bucket new ones are refused, and named", async () => {
    const points = Array.from({ length: 400 }, (_, i) =>
      aPoint({ asInt: i, attributes: attributesOf({ i }) }),
    );
    const { answer } = await post(encoding, [aGauge("many", ...points)], `bucket=full-${encoding}`);
    expect(answer.partialSuccess).toEqual({
      rejectedDataPoints: "100",
      errorMessage: expect.stringContaining("server.limits.bucket_series"),
    });
  });

  test("many points of one metric are stored, whatever the size of a part", async () => {
    const points = Array.from({ length: 12_345 }, (_, i) => aPoint({ asInt: 1 }, NOW - i * 10));
    expect((await post(encoding, [aGauge("dense", ...points)], bucket)).answer).toEqual({});
    expect(await readValues(`count_over_time(dense{bucket="${encoding}"}[5m])`)).toEqual([12_345]);
  });

  test("gzip, and an empty request", async () => {
    const body = Bun.gzipSync(encodeOtlp(encoding, otlpRequest([aGauge("packed", aPoint({ asInt: 3 }))])));
    expect((await send(encoding, { body, headers: { "content-encoding": "gzip" } }, bucket)).status).toBe(
      200,
    );
    expect(await readValues(`packed{bucket="${encoding}"}`)).toEqual([3]);
    expect((await send(encoding, { body: encodeOtlp(encoding, {}) }, bucket)).answer).toEqual({});
  });

  test("random bytes and random changes of a request never get a 5xx", async () => {
    const point = aPoint({ asInt: 1, attributes: attributesOf({ a: ["b"] }) });
    const histogram = {
      aggregationTemporality: 1,
      dataPoints: [aPoint({ count: 1, bucketCounts: [1, 0], explicitBounds: [1] })],
    };
    const bytes = encodeOtlp(
      encoding,
      otlpRequest([aGauge("fuzz", point), { name: "h", histogram }], { "host.name": "h" }),
    );
    const change = fc.tuple(fc.nat(bytes.length - 1), fc.integer({ min: 0, max: 255 }));
    const changed = fc.array(change, { minLength: 1, maxLength: 4 }).map((changes) => {
      const copy = bytes.slice();
      for (const [at, byte] of changes) copy[at] = byte;
      return copy;
    });
    const random = fc.uint8Array({ maxLength: 200 }).map((junk) => new Uint8Array(junk));
    await fc.assert(
      fc.asyncProperty(fc.oneof(changed, random), async (body) => {
        expect([200, 400]).toContain((await send(encoding, { body }, bucket)).status);
      }),
      { numRuns: roundsOf(300) },
    );
  });

  test.each<[string, number, string, RequestInit & { query?: string }]>([
    ["no bucket", 400, "bucket: is required", { query: "" }],
    ["a name that cannot be", 400, "name", { query: "bucket=a%20b" }],
    ["a bucket of another kind", 400, "influxdb", { query: "bucket=elsewhere" }],
    ["another compression", 415, "gzip", { headers: { "content-encoding": "zstd" } }],
    ["damaged gzip", 400, "gzip", { headers: { "content-encoding": "gzip" } }],
    ["too much", 413, "_bytes", { body: new Uint8Array(3_000_001) }],
    [
      "a bomb",
      413,
      "_bytes",
      { body: Bun.gzipSync(new Uint8Array(4_000_000)), headers: { "content-encoding": "gzip" } },
    ],
  ])("refused: %s", async (_, status, message, { query = bucket, ...init }) => {
    const body = encodeOtlp(encoding, otlpRequest([aGauge("x", aPoint({ asInt: 1 }))]));
    const { answer, headers, ...rest } = await send(encoding, { body, ...init }, query);
    expect([rest.status, answer.message]).toEqual([status, expect.stringContaining(message)]);
    expect(headers.get("content-type")).toBe(contentTypes[encoding]);
  });

  test("tokens: none, and one that may only read", async () => {
    const [writer, reader] = TOKENS;
    const guarded = await startTestServer({
      settings: `
server.auth.required: true
server.auth.tokens: [{name: w, scope: run, token: ${writer}}, {name: r, scope: read, token: ${reader}}]
`,
    });
    try {
      const body = encodeOtlp(encoding, otlpRequest([aGauge("x", aPoint({ asInt: 1 }))]));
      const as = async (headers: Record<string, string>) =>
        (await send(encoding, { body, headers }, bucket, guarded.url)).status;
      expect(await as({})).toBe(401);
      expect(await as({ authorization: `Bearer ${reader}` })).toBe(403);
      expect(await as({ authorization: `Bearer ${writer}` })).toBe(200);
    } finally {
      await guarded.stop();
    }
  });
});

test.each<[string, object, string]>([
  ["a list for the request", [], "body: must be an object"],
  ["a text for a list", { resourceMetrics: "x" }, "resourceMetrics: must be a list"],
  [
    "a text for a number",
    otlpRequest([aGauge("x", aPoint({ asInt: "many" }))]),
    "resourceMetrics[0].scopeMetrics[0].metrics[0].gauge.dataPoints[0].asInt: must be a number",
  ],
  [
    "a time of another kind",
    otlpRequest([aGauge("x", { timeUnixNano: "now", asInt: 1 })]),
    "timeUnixNano: must be a time",
  ],
])("mistakes in JSON are named with their place: %s", async (_, request, message) => {
  const { status, answer } = await send("json", { body: JSON.stringify(request) });
  expect([status, answer.message]).toEqual([400, expect.stringContaining(message)]);
});

test("null is a field that is not set, as JSON of protocol buffers has it", async () => {
  const value = { boolValue: null, stringValue: null, intValue: "7" };
  const point = { timeUnixNano: nanoseconds(NOW), asDouble: null, asInt: "3", flags: null };
  const attributes = [{ key: "zone", value }];
  const metric = { name: "nulls", unit: null, description: null, sum: null };
  const gauge = {
    dataPoints: [
      { ...point, attributes },
      { ...point, attributes: null },
    ],
  };
  const scopeMetrics = [{ scope: { name: null }, schemaUrl: null, metrics: [{ ...metric, gauge }] }];
  const body = JSON.stringify({ resourceMetrics: [{ resource: null, scopeMetrics }] });
  expect(await send("json", { body })).toMatchObject({ status: 200, answer: {} });
  const found = await query("nulls");
  expect(found.map(({ metric: { zone }, value }) => [zone, value])).toEqual([
    [undefined, 3],
    ["7", 3],
  ]);
});

test("another content type is refused", async () => {
  const response = await fetch(`${server.url}/v1/metrics?bucket=b`, { method: "POST", body: "x" });
  expect(response.status).toBe(415);
});

describe("the official exporters", () => {
  const stops: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const stop of stops.splice(0)) await stop();
  });

  test.each([
    ["JSON", JsonExporter, AggregationTemporality.CUMULATIVE],
    ["JSON, delta", JsonExporter, AggregationTemporality.DELTA],
    ["protocol buffers", ProtobufExporter, AggregationTemporality.CUMULATIVE],
    ["protocol buffers, delta", ProtobufExporter, AggregationTemporality.DELTA],
  ] as const)("in %s", async (what, Exporter, temporalityPreference) => {
    const bucket = `sdk-${what.replace(/\W+/g, "-")}`;
    const url = `${server.url}/v1/metrics?bucket=${bucket}`;
    const reader = new PeriodicExportingMetricReader({
      exporter: new Exporter({ url, temporalityPreference }),
      exportIntervalMillis: 3_600_000,
    });
    const provider = new MeterProvider({
      resource: resourceFromAttributes({ "service.name": "shop", "process.pid": 1 }),
      readers: [reader],
      views: [{ instrumentName: "wide", aggregation: { type: AggregationType.EXPONENTIAL_HISTOGRAM } }],
    });
    stops.push(() => provider.shutdown());
    const meter = provider.getMeter("tests");
    const counter = meter.createCounter("orders");
    const durations = meter.createHistogram("duration", {
      advice: { explicitBucketBoundaries: [10, 20, 40] },
    });
    const wide = meter.createHistogram("wide");
    meter.createObservableGauge("depth").addCallback((result) => result.observe(4.5, { queue: "q" }));
    const isDelta = temporalityPreference === AggregationTemporality.DELTA;
    counter.add(3, { shop: "a" });
    for (const value of [5, 15, 15]) durations.record(value);
    await provider.forceFlush();
    counter.add(2, { shop: "a" });
    for (const value of [15, 15, 30, 30]) durations.record(value);
    wide.record(8);
    await provider.forceFlush();

    const params = new URLSearchParams({ query: `{bucket="${bucket}"}` });
    const response = await fetch(`${server.url}/prometheus/api/v1/query?${params}`);
    const { data } = (await response.json()) as {
      data: { result: { metric: Record<string, string>; value: [number, string] }[] };
    };
    const found = Object.fromEntries(
      data.result.map(({ metric, value }) => [metric.__name__!, { ...metric, value: Number(value[1]) }]),
    );
    expect(found.orders).toMatchObject({ shop: "a", service_name: "shop", value: isDelta ? 2 : 5 });
    expect(found.orders).not.toHaveProperty("process_pid");
    expect(found.depth).toMatchObject({ queue: "q", value: 4.5 });
    expect(found.duration_count).toMatchObject({ value: isDelta ? 4 : 7 });
    // Of the last interval alone, whatever the temporality.
    expect(found.duration_p50).toMatchObject({ value: 20 });
    if (isDelta) {
      expect(found.wide_p99!.value).toBeWithin(7.5, 8.5);
      expect(found.duration_max).toMatchObject({ value: 30 });
    }
  });
});

test("points are counted in /metrics", async () => {
  const text = await (await fetch(`${server.url}/metrics`)).text();
  expect(text).toMatch(/torus_received_points_total\{protocol="otlp"\} [1-9]/);
  expect(text).toMatch(/torus_refused_points_total\{protocol="otlp",reason="series"\} [1-9]/);
});
