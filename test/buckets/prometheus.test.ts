// Kind `prometheus` on the real servers: the contract and its own rules.
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  setDefaultTimeout,
  test,
} from "bun:test";
import type { Bucket } from "../../src/buckets/kind.ts";
import { createPrometheusKind, prometheus } from "../../src/buckets/prometheus/index.ts";
import type { FeatureQuery, Point } from "../../src/core/series/query.ts";
import { savePrediction } from "../../src/points/save.ts";
import {
  type MetricServer,
  prometheusMissing,
  startPrometheus,
  startVictoria,
  victoriaMissing,
} from "../support/prometheus.ts";
import { isServerRequired } from "../support/spawned.ts";
import { NONE } from "./cases.ts";
import { runContract } from "./contract.ts";
import { marker, runFaults } from "./faults.ts";
import { aFeature, aQuery, expectColumn, idle, MINUTE, T0 } from "./support.ts";

setDefaultTimeout(180_000);

for (const reason of [prometheusMissing, victoriaMissing]) if (reason) console.warn(reason);

test.if(isServerRequired)("the real server is there where it must be", () => {
  expect(prometheusMissing).toBeUndefined();
});

const open = (addr: string, more = {}) => prometheus.open("b", { addr, ...more }, { dataDir: "" });

async function seed(server: MetricServer, bucket: Bucket, points: readonly Point[], measurement?: string) {
  await bucket.write!(points, measurement ? { measurement } : {}, idle());
  await server.flush();
}

const limits = {
  texts: false,
  replaces: false,
  ancient: false,
  allowsName: (name: string) => /^[a-z_]\w*$/i.test(name),
  allowsValue: () => true,
};

async function createSubject(start: () => Promise<MetricServer>) {
  const server = await start();
  const bucket = open(server.addr);
  return {
    bucket,
    seed: (points: readonly Point[], measurement?: string) => seed(server, bucket, points, measurement),
    dispose: () => server.stop(),
  };
}

describe.skipIf(Boolean(prometheusMissing))("real Prometheus", () => {
  runContract({ ...limits, kind: "prometheus", create: () => createSubject(startPrometheus) });
});

describe.skipIf(Boolean(victoriaMissing))("real VictoriaMetrics", () => {
  runContract({ ...limits, kind: "VictoriaMetrics", create: () => createSubject(startVictoria) });
});

runFaults({
  kind: "prometheus",
  open: (addr, timeout) => open(addr, { timeout, user: `user-${marker}`, password: marker }),
});

describe.skipIf(Boolean(prometheusMissing))("real Prometheus, one for all", () => {
  let server: MetricServer;
  let bucket: Bucket;
  let name: string;
  let metrics = 0;
  beforeAll(async () => {
    server = await startPrometheus();
  });
  afterAll(() => server.stop());
  beforeEach(() => {
    bucket = open(server.addr);
    name = `m${metrics++}`;
  });
  afterEach(() => bucket.close());

  const write = (rows: readonly (readonly [atMs: number, value: number, tags?: Record<string, string>])[]) =>
    bucket.write!(
      rows.map(([atMs, value, tags = {}]) => ({ at: T0 + atMs, fields: { [name]: value }, tags })),
      {},
      idle(),
    );

  test("explored, each metric names its labels, and a measurement is the start of a name", async () => {
    const at = T0;
    await bucket.write!([{ at, fields: { [`${name}_a`]: 1 }, tags: { host: "x", disk: "sda" } }], {}, idle());
    await bucket.write!([{ at, fields: { [`${name}_b`]: 1 }, tags: { host: "y" } }], {}, idle());
    await server.flush();
    const limits = { measurements: 5, names: 100, values: 20 };
    expect(await bucket.explore!({ limits, measurement: name }, idle())).toEqual({
      measurements: [
        {
          name,
          fields: [
            { name: "a", type: "number", tags: ["disk", "host"] },
            { name: "b", type: "number", tags: ["host"] },
          ],
          tags: [
            { name: "disk", values: ["sda"] },
            { name: "host", values: ["x", "y"] },
          ],
        },
      ],
      truncated: false,
    });
    const values = await bucket.explore!({ limits, tag: "host", field: `${name}_b`, skip: 0 }, idle());
    expect(values.measurements[0]!.tags).toEqual([{ name: "host", values: ["y"] }]);
    const none = await bucket.explore!({ limits, measurement: `${name}_nothing` }, idle());
    expect(none.measurements).toEqual([]);
  });

  test("a query of a feature: the length and the ends of each interval are filled in", async () => {
    await write([0, 20_000, 60_000, 119_000].map((at) => [at, at / 1000 + 1, { host: "a" }]));
    const ask = async (query: string) => {
      const features = [{ name: "f", metric: "", field: "", tags: [], query }];
      return (await bucket.read(aQuery(features), idle())).columns.f!;
    };
    expectColumn(await ask(`sum(avg_over_time(${name}{host="a"}[{interval}]))`), [11, 90.5, NONE]);
    expectColumn(await ask(`sum(count_over_time(${name}[{interval}]))`), [2, 2, NONE]);
    expectColumn(await ask(`max(last_over_time(${name}[1h] @ {from}))`), [1, 1, 1]);
    await write([[0, 5, { host: "b" }]]);
    await expect(ask(`avg_over_time(${name}[{interval}])`)).rejects.toMatchObject({
      message: expect.stringContaining("the query of f answers 2 series; make them one, as in sum(...)"),
    });
    await expect(ask(`sum(${name}`)).rejects.toMatchObject({ code: "bucket_rejected" });
  });

  test.each([
    [{}, "torus_"],
    [{ prediction_prefix: "own:" }, "own:"],
    [{ prediction_prefix: "" }, ""],
  ])("a saved prediction with %j: one line each under %j, the flag as a metric", async (settings, prefix) => {
    const saving = open(server.addr, settings);
    const columnOf = (...values: number[]) => ({ [name]: new Float64Array(values) });
    const observed = { startAt: T0, intervalMs: MINUTE, length: 2, columns: columnOf(1, 2) };
    const bands = { lower: columnOf(2, 3), upper: columnOf(4, 5) };
    const prediction = { grid: observed, predicted: columnOf(3, 4), ...bands };
    const stats = [
      { score: 10, anomaly: false },
      { score: 90, anomaly: true },
    ];
    const features = [{ name, match_all: [{ tag: "host", value: "a" }] }];
    await savePrediction(
      async () => saving,
      { model: name, features: features as never, prediction, observed, stats, target: { bucket: "b" } },
      idle(),
    );
    await server.flush();
    const limits = { measurements: 1, names: 100, values: 10 };
    const metrics = ["", "lower_", "observed_"].map((part) => `${prefix}${part}${name}`);
    for (const field of [...metrics, `${prefix}score`, `${prefix}is_anomaly`]) {
      const [found] = (await saving.explore!({ limits, field }, idle())).measurements;
      expect(found!.fields.map(({ tags }) => tags)).toEqual([["host", "model"]]);
      const features = [{ name: "f", metric: "max", field, tags: [{ tag: "model", value: name }] }];
      const { columns } = await saving.read(aQuery(features, 2), idle());
      if (field === `${prefix}is_anomaly`) expectColumn(columns.f!, [0, 1]);
      if (field === `${prefix}score`) expectColumn(columns.f!, [10, 90]);
      if (field === metrics[2]) expectColumn(columns.f!, [1, 2]);
    }
  });

  async function read(feature: Partial<FeatureQuery>, minutes = 3, intervalMs = MINUTE) {
    const features = [{ name: "f", metric: "sum", field: name, tags: [], ...feature }];
    const range = { fromAt: T0, toAt: T0 + minutes * MINUTE };
    return (await bucket.read({ range, intervalMs, features }, idle())).columns.f!;
  }

  test("a counter that starts over: its growth per second, series by series, added up", async () => {
    const counters = [
      [0, 100, { i: "a" }],
      [60_000, 160, { i: "a" }],
      [90_000, 10, { i: "a" }],
      [119_000, 30, { i: "a" }],
      [30_000, 5000, { i: "b" }],
      [90_000, 5600, { i: "b" }],
      [150_000, 5660, { i: "b" }],
    ] as const;
    await write(counters);
    // a: 0 to 119 s grows by 60 + 10 + 20; b: by 600 in 60 s, then by 60 in 60 s.
    expectColumn(await read({ metric: "rate" }), [NONE, 90 / 119 + 10, 1]);
    expectColumn(await read({ metric: "rate", tags: [{ tag: "i", value: "b" }] }), [NONE, 10, 1]);
    expectColumn(await read({ metric: "derivative" }), [NONE, -70 / 119 + 10, 1]);
  });

  test("values that are no numbers count for nothing", async () => {
    await write([
      [0, 1],
      [60_000, 2],
      [70_000, 4],
    ]);
    expectColumn(await read({ query: `${name} / 0` }), [NONE, NONE, NONE]);
    expectColumn(await read({ query: `(${name} - ${name}) / 0` }), [NONE, NONE, NONE]);
  });

  test("PromQL in place of metric and field is evaluated at the end of each interval", async () => {
    await write([
      [0, 1, { i: "a" }],
      [59_999, 2, { i: "a" }],
      [60_000, 7, { i: "a" }],
      [1000, 30, { i: "b" }],
    ]);
    const selected = `${name}{i="a"}`;
    expectColumn(await read({ query: selected }), [2, 7, 7]);
    expectColumn(await read({ query: `sum(${name})` }), [32, 37, 37]);
    expectColumn(await read({ query: `max_over_time(${selected}[1m]) * 2` }), [4, 14, NONE]);
    expectColumn(await read({ query: "42" }), [42, 42, 42]);
    expectColumn(await read({ query: "nothing_of_that_name" }), [NONE, NONE, NONE]);
  });

  test("a query of several series, and one that is no PromQL, say what to do", async () => {
    await write([
      [0, 1, { i: "a" }],
      [1000, 30, { i: "b" }],
    ]);
    await expect(read({ query: name })).rejects.toMatchObject({
      code: "bucket_rejected",
      message: expect.stringContaining("make them one, as in sum(...)"),
    });
    await expect(read({ query: "sum(" })).rejects.toMatchObject({
      code: "bucket_rejected",
      message: expect.stringContaining("parse error"),
    });
  });

  test("by group, a query answers a series per group", async () => {
    await write([
      [0, 1, { i: "a", core: "0" }],
      [1000, 30, { i: "b", core: "0" }],
      [2000, 40, { i: "b", core: "1" }],
    ]);
    const ask = (query: string) => {
      const features = [{ name: "f", metric: "", field: "", tags: [], query }];
      return bucket.readGrouped!({ ...aQuery(features, 1), groupBy: ["i"], maxSeries: 9 }, idle());
    };
    const { series } = await ask(`sum by (i) (${name})`);
    expect(series.map(({ tags, grid }) => [tags, ...grid.columns.f!])).toEqual([
      [{ i: "a" }, 1],
      [{ i: "b" }, 70],
    ]);
    await expect(ask(name)).rejects.toMatchObject({
      code: "bucket_rejected",
      message: expect.stringContaining(
        "several series for the same i; make them one, as in sum by (i) (...)",
      ),
    });
    await expect(
      bucket.readGrouped!({ ...aQuery([aFeature()]), groupBy: ["no-label"], maxSeries: 9 }, idle()),
    ).rejects.toMatchObject({ code: "invalid" });
  });

  test("a year of minutes: in parts, and raw samples with bounded memory", async () => {
    const days = 365;
    const rows = Array.from({ length: days }, (_, day) => [day * 86_400_000 + 30_000, day + 1] as const);
    await write(rows);
    for (const metric of ["max", "last"]) {
      const column = await read({ metric }, days * 1440);
      expect(column.length).toBe(days * 1440);
      expect([...column.entries()].filter(([, value]) => value > 0)).toEqual(
        rows.map(([at, value]) => [(at - 30_000) / MINUTE, value]),
      );
    }
  });

  test("texts and booleans are refused before anything is written", async () => {
    for (const value of ["text", true]) {
      const points = [
        { at: T0, fields: { [name]: 1 }, tags: {} },
        { at: T0, fields: { [name]: value }, tags: {} },
      ];
      await expect(bucket.write!(points, {}, idle())).rejects.toMatchObject({ code: "invalid" });
    }
    expectColumn(await read({ metric: "count" }), [0, 0, 0]);
  });

  test("a saved prediction is written and read, what was observed as well", async () => {
    const fields = { [name]: 3, [`lower_${name}`]: 2, [`@${name}`]: 4, score: 10 };
    await bucket.write!([{ at: T0, fields, tags: { model: "m" } }], {}, idle());
    expectColumn(await read({ field: `@${name}` }), [4, NONE, NONE]);
    expectColumn(await read({ field: `observed_${name}` }), [4, NONE, NONE]);
    expectColumn(await read({ field: `lower_${name}` }), [2, NONE, NONE]);
  });

  test("many points in one request, of many series", async () => {
    const rows = Array.from({ length: 20_000 }, (_, i) => [i * 10, i, { i: `${i % 50}` }] as const);
    await write(rows);
    expectColumn(await read({ metric: "count" }, 4), [6000, 6000, 6000, 2000]);
    expectColumn(await read({ metric: "median" }, 1), [2999.5]);
  });
});

test.skipIf(Boolean(victoriaMissing))(
  "VictoriaMetrics counts its series, whatever the day of their points",
  async () => {
    const server = await startVictoria();
    try {
      const bucket = open(server.addr);
      const points = ["a", "b", "c"].map((host) => ({ at: T0, fields: { v: 1 }, tags: { host } }));
      await seed(server, bucket, points);
      expect((await bucket.probe!(idle())).series).toBe(3);
    } finally {
      await server.stop();
    }
  },
);

test.skipIf(Boolean(prometheusMissing))(
  "an address with a path, and a server that takes no remote write",
  async () => {
    const server = await startPrometheus({ prefix: "/prefix" });
    try {
      const bucket = open(`http://${server.addr}/prefix`);
      const finding = await bucket.probe!(idle());
      expect(finding.version).toStartWith("Prometheus 2.");
      const elsewhere = open(`http://${server.addr}/nothing`);
      await expect(
        elsewhere.write!([{ at: T0, fields: { v: 1 }, tags: {} }], {}, idle()),
      ).rejects.toMatchObject({
        code: "bucket_rejected",
        message: expect.stringContaining("--web.enable-remote-write-receiver"),
      });
    } finally {
      await server.stop();
    }
  },
);

test.skipIf(Boolean(prometheusMissing))(
  "nothing for months, then many samples: no answer is larger than 6 MB",
  async () => {
    // A server of its own, whose first samples these are.
    const server = await startPrometheus();
    try {
      const day = 86_400_000;
      const bucket = createPrometheusKind({ maxBytes: 6e6 }).open(
        "b",
        { addr: server.addr },
        { dataDir: "" },
      );
      const points = Array.from({ length: 400_000 }, (_, i) => ({
        ...{ at: T0 + 200 * day + i * 100, fields: { v: i % 7 }, tags: {} },
      }));
      for (let from = 0; from < points.length; from += 50_000)
        await bucket.write!(points.slice(from, from + 50_000), {}, idle());
      const features = [aFeature({ metric: "sum_of_squares" })];
      const range = { fromAt: T0, toAt: T0 + 201 * day };
      const { columns } = await bucket.read({ range, intervalMs: day, features }, idle());
      expectColumn(columns.f!.slice(-2), [NONE, points.reduce((sum, { fields }) => sum + fields.v ** 2, 0)]);
    } finally {
      await server.stop();
    }
  },
);
