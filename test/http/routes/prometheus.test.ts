// Prometheus's HTTP API on a real server: compared with a real Prometheus of the same points, and asked by its clients.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { startTestServer, type TestServer, useTestServer } from "../../contract/server.ts";
import { FROM_S, makeSamples, toLines, toOpenMetrics } from "../../promql/points.ts";
import queries from "../../promql/queries.json";
import { type MetricServer, prometheusMissing, startPrometheus } from "../../support/prometheus.ts";

const BUCKET = "metrics";
const TOKEN = "torus_a-secret-of-sufficient-length-here";
const server = useTestServer({ settings: `buckets: [{name: ${BUCKET}, type: local}]` });
const samples = makeSamples();

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: any answer of the API
  readonly body: any;
}

type Params = Readonly<Record<string, string | number>> | readonly (readonly [string, string])[];

async function ask(
  path: string,
  params: Params = {},
  base = `${server.url}/prometheus`,
  init: RequestInit = {},
): Promise<Answer> {
  const pairs = Array.isArray(params)
    ? params
    : Object.entries(params).map(([name, value]) => [name, String(value)]);
  const response = await fetch(`${base}/api/v1/${path}?${new URLSearchParams(pairs)}`, init);
  return { status: response.status, headers: response.headers, body: await response.json() };
}

/** As Grafana sends queries. */
async function post(path: string, params: Record<string, string>): Promise<Answer> {
  const response = await fetch(`${server.url}/prometheus/api/v1/${path}`, {
    method: "POST",
    body: new URLSearchParams(params),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

async function write(lines: string, base = server.url): Promise<void> {
  const response = await fetch(`${base}/write?db=${BUCKET}&precision=s`, { method: "POST", body: lines });
  expect([response.status, await response.text()]).toEqual([204, ""]);
}

beforeAll(() => write(toLines(samples)));

/** Instants with samples at the edges of windows and look-backs, between samples, before and after all. */
const instants = [3600, 1807.5, 3300, 7260, -10, 1560].map((at) => FROM_S + at);
const ranges = [
  [0, 7200, 60],
  [-600, 8000, 37],
  [1000, 1010, 1],
  [300, 6900, 420],
].map(([from = 0, to = 0, step = 0]) => ({ start: FROM_S + from, end: FROM_S + to, step }));

interface Series {
  readonly metric: Readonly<Record<string, string>>;
  readonly value?: readonly [number, string];
  readonly values?: readonly (readonly [number, string])[];
}

type Sample = readonly [second: number, value: string];
type Labelled = readonly [labels: string, samples: readonly Sample[]];

/** Samples by label set; the order of an instant vector has no meaning, but where a function sorts it. */
function normalize({ resultType, result }: { resultType: string; result: unknown }, isSorted: boolean) {
  if (resultType !== "vector" && resultType !== "matrix")
    return [["", [result as Sample]] satisfies Labelled];
  const entries = (result as Series[]).map(
    ({ metric, value, values }): Labelled => [
      JSON.stringify(Object.entries(metric).sort()),
      values ?? [value!],
    ],
  );
  return isSorted ? entries : entries.toSorted(([a], [b]) => (a < b ? -1 : 1));
}

function isClose(a: string, b: string): boolean {
  if (a === b) return true;
  const [x, y] = [Number(a), Number(b)];
  return Math.abs(x - y) <= 1e-9 * Math.max(Math.abs(x), Math.abs(y));
}

function expectSame(found: Answer["body"], wanted: Answer["body"], isSorted: boolean): void {
  expect([found.status, found.error]).toEqual(["success", undefined]);
  expect(found.data.resultType).toBe(wanted.data.resultType);
  const [own, theirs] = [normalize(found.data, isSorted), normalize(wanted.data, isSorted)];
  expect(own.map(([labels]) => labels)).toEqual(theirs.map(([labels]) => labels));
  for (const [i, [labels, samples]] of theirs.entries()) {
    const values = own[i]![1];
    expect([labels, values.map(([at]) => at)]).toEqual([labels, samples.map(([at]) => at)]);
    const wrong = samples.filter(([, text], k) => !isClose(text, values[k]![1]));
    expect([labels, wrong]).toEqual([labels, []]);
  }
}

if (prometheusMissing) console.warn(prometheusMissing);

test("metadata: one metric, some metrics, and limits as Prometheus reads them", async () => {
  const namesOf = async (params: Record<string, string>) =>
    Object.keys((await ask("metadata", params)).body.data as object);
  expect(await namesOf({ metric: "torus_score" })).toEqual(["torus_score"]);
  expect(await namesOf({ limit: "2" })).toHaveLength(2);
  expect(await namesOf({ limit: "0" })).toEqual([]);
  expect((await namesOf({ limit: "-1", limit_per_metric: "1" })).length).toBeGreaterThan(2);
  for (const name of ["limit", "limit_per_metric"]) {
    const { status, body } = await ask("metadata", { [name]: "x" });
    expect([status, body]).toEqual([
      400,
      expect.objectContaining({ errorType: "bad_data", error: `${name} must be a number` }),
    ]);
  }
});

test("lists of what is not part of it are empty", async () => {
  const success = (data: unknown) => ({ status: "success", data });
  expect((await ask("rules", { type: "alert" })).body).toEqual(success({ groups: [] }));
  expect((await ask("rules", { type: "Record" })).body).toEqual(success({ groups: [] }));
  const unknown = await ask("rules", { type: "recording" });
  expect([unknown.status, unknown.body]).toEqual([
    400,
    expect.objectContaining({
      ...{ status: "error", errorType: "bad_data" },
      error: 'invalid parameter "type": not supported value "recording"',
    }),
  ]);
  expect((await ask("alerts")).body).toEqual(success({ alerts: [] }));
  const range = { query: "load_one", start: FROM_S, end: FROM_S + 60 };
  expect((await ask("query_exemplars", range)).body).toEqual(success([]));
  expect((await post("query_exemplars", { query: "load_one" })).body).toEqual(success([]));
  for (const wrong of [{}, { query: "a+" }, { query: "a", start: 2, end: 1 }])
    expect((await ask("query_exemplars", wrong)).status).toBe(400);
});

describe.skipIf(prometheusMissing !== undefined)("as Prometheus answers", () => {
  let prometheus: MetricServer;
  beforeAll(async () => {
    prometheus = await startPrometheus({ points: toOpenMetrics(samples, BUCKET) });
  });
  afterAll(() => prometheus?.stop());
  const theirs = (path: string, params: Params) => ask(path, params, `http://${prometheus.addr}`);

  test("there are queries enough", () => expect(queries.length).toBeGreaterThan(100));

  test.each(queries)("%s", async (query) => {
    for (const time of instants) {
      const wanted = await theirs("query", { query, time });
      expectSame((await ask("query", { query, time })).body, wanted.body, query.startsWith("sort"));
    }
    for (const range of ranges) {
      const wanted = await theirs("query_range", { query, ...range });
      expectSame((await ask("query_range", { query, ...range })).body, wanted.body, true);
    }
  });

  test.each([
    "load_one[1m]",
    "load_one[2m:30s] offset 1m",
    "(http_requests[15s])",
    '"text"',
  ])("%s at an instant", async (query) => {
    const params = { query, time: FROM_S + 3600 };
    expectSame((await ask("query", params)).body, (await theirs("query", params)).body, true);
  });

  test("series, names and values of labels", async () => {
    const within: [string, string][] = [
      ["start", String(FROM_S)],
      ["end", String(FROM_S + 7200)],
    ];
    const matches: [string, string][] = [
      ["match[]", 'load_one{zone="east"}'],
      ["match[]", '{__name__=~"mem_.*",host="c"}'],
      ...within,
    ];
    const sorted = ({ body }: Answer) => body.data.map((labels: object) => JSON.stringify(labels)).sort();
    expect(sorted(await ask("series", matches))).toEqual(sorted(await theirs("series", matches)));
    for (const path of ["labels", "label/__name__/values", "label/host/values", "label/nope/values"])
      for (const params of [within, matches])
        expect([path, (await ask(path, params)).body]).toEqual([path, (await theirs(path, params)).body]);
  });

  test.each<[string, string, Params]>([
    ["malformed", "query", { query: "sum(" }],
    ["of a wrong type", "query", { query: "rate(load_one)" }],
    ["missing", "query", {}],
    ["of many to many", "query", { query: "load_one + on (zone) load_one", time: FROM_S + 60 }],
    ["a range vector over a range", "query_range", { query: "load_one[5m]", start: 0, end: 1, step: 1 }],
    ["time", "query", { query: "1", time: "now" }],
    ["no step", "query_range", { query: "1", start: 0, end: 1 }],
    ["a step of 0", "query_range", { query: "1", start: 0, end: 1, step: 0 }],
    ["end before start", "query_range", { query: "1", start: 2, end: 1, step: 1 }],
    ["too many points", "query_range", { query: "1", start: 0, end: 11_001, step: 1 }],
    ["no match[]", "series", {}],
    ["a malformed match[]", "labels", [["match[]", "{"]]],
  ])("refused alike: %s", async (_, path, params) => {
    const [own, wanted] = [await ask(path, params), await theirs(path, params)];
    expect([own.status, own.body.status, own.body.errorType]).toEqual([
      wanted.status,
      "error",
      wanted.body.errorType,
    ]);
    expect(own.body.error).toEqual(expect.any(String));
  });
});

describe.skipIf(prometheusMissing !== undefined)("promtool", () => {
  async function promtool(...args: string[]): Promise<{ code: number; text: string }> {
    const child = Bun.spawn(["promtool", "query", ...args], { stdout: "pipe", stderr: "pipe" });
    const [out, error] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
    ]);
    return { code: await child.exited, text: out + error };
  }
  const address = () => `${server.url}/prometheus`;

  test("query instant", async () => {
    const { code, text } = await promtool(
      "instant",
      `--time=${FROM_S + 60}`,
      address(),
      'mem_total{host="a"}',
    );
    expect([code, text]).toEqual([
      0,
      expect.stringContaining(
        `mem_total{bucket="metrics", host="a", zone="east"} => 8000000000 @[${FROM_S + 60}]`,
      ),
    ]);
  });

  test("query range", async () => {
    const range = [`--start=${FROM_S}`, `--end=${FROM_S + 120}`, "--step=60s"];
    const { code, text } = await promtool("range", ...range, address(), "sum(mem_total)");
    expect([code, text.trim()]).toEqual([
      0,
      `{} =>\n${[0, 60, 120].map((at) => `24000000000 @[${FROM_S + at}]`).join("\n")}`,
    ]);
  });

  test("query series", async () => {
    const range = [`--start=${FROM_S}`, `--end=${FROM_S + 120}`];
    const { code, text } = await promtool("series", ...range, "--match=sparse_value", address());
    expect([code, text.trim()]).toEqual([0, '{__name__="sparse_value", bucket="metrics", host="a"}']);
  });

  test("query labels", async () => {
    const { code, text } = await promtool(
      "labels",
      `--start=${FROM_S}`,
      `--end=${FROM_S + 120}`,
      address(),
      "zone",
    );
    expect([code, text.trim()]).toEqual([0, "east\nwest"]);
  });

  test("a query that fails", async () => {
    const { code, text } = await promtool("instant", address(), "histogram_sum(load_one)");
    expect([code, text]).toEqual([1, expect.stringContaining("histogram_sum is not supported")]);
  });
});

describe("the requests of Grafana's data source", () => {
  const end = FROM_S + 3600;

  test("saving it: a query of 1+1", async () => {
    const { body } = await post("query", { query: "1+1", time: String(end) });
    expect(body).toEqual({ status: "success", data: { resultType: "scalar", result: [end, "2"] } });
  });

  test("which version it speaks with", async () => {
    const { body } = await ask("status/buildinfo");
    expect(body).toMatchObject({ status: "success", data: { version: "2.42.0" } });
  });

  test("names of metrics, labels and values for the builder", async () => {
    const within: [string, string][] = [
      ["start", String(FROM_S)],
      ["end", String(end)],
    ];
    const names = await ask("label/__name__/values", within);
    expect(names.body.data).toContain("load_one");
    const ofMetric: [string, string][] = [...within, ["match[]", '{__name__="load_one"}']];
    expect((await ask("labels", ofMetric)).body.data).toEqual(["__name__", "bucket", "host", "zone"]);
    expect((await post("labels", { "match[]": "load_one" })).body.data).toContain("zone");
    expect((await ask("label/host/values", ofMetric)).body.data).toEqual(["a", "b", "c"]);
    expect((await post("series", { "match[]": 'load_one{host="a"}', limit: "40000" })).body.data).toEqual([
      { __name__: "load_one", bucket: "metrics", host: "a", zone: "east" },
    ]);
    expect((await ask("metadata", { limit_per_metric: 1 })).body.data).toHaveProperty("torus_score");
  });

  test("a panel: a form with start, end and step", async () => {
    const params = {
      query: "sum by(zone) (load_one)",
      start: String(end - 60),
      end: `${end}.000`,
      step: "15",
    };
    const { status, body } = await post("query_range", params);
    expect([status, body.data.resultType, body.data.result.length]).toEqual([200, "matrix", 2]);
    expect(body.data.result[0].metric).toEqual({ zone: "east" });
    expect(body.data.result[0].values).toHaveLength(5);
  });

  test("an annotation of times in RFC 3339", async () => {
    const at = new Date(end * 1000).toISOString();
    const { body } = await ask("query_range", { query: "load_one > 99", start: at, end: at, step: "1m" });
    expect(body).toEqual({ status: "success", data: { resultType: "matrix", result: [] } });
  });

  test("what it does without: an error in the form it reads", async () => {
    const { status, body } = await ask("targets", {});
    expect([status, body]).toEqual([
      404,
      { status: "error", errorType: "not_found", error: expect.any(String) },
    ]);
  });
});

test("queries are formatted and parsed", async () => {
  expect((await ask("format_query", { query: "SUM(a)BY(b)" })).body.data).toBe("sum by (b) (a)");
  expect((await post("format_query", { query: "a[90s]" })).body.data).toBe("a[1m30s]");
  expect((await ask("parse_query", { query: "-a" })).body.data).toMatchObject({ type: "unaryExpr", op: "-" });
  expect((await post("parse_query", { query: "a +" })).body).toMatchObject({
    status: "error",
    errorType: "bad_data",
  });
});

test("names of fields and tags become names of metrics and labels", async () => {
  const lines = [
    'net\\ io,if.name=eth0,bucket=own,1st=x,__a=y in-bytes=1,text="no",flag=true 1700000100',
    "alike,a.b=1 v=1 1700000100",
    "alike,a_b=1 v=2 1700000100",
  ];
  await write(lines.join("\n"));
  const { body } = await ask("query", { query: '{__name__=~"net_io.*"}', time: 1_700_000_100 });
  const metric = {
    ...{ __name__: "net_io_in_bytes", bucket: "metrics", exported_bucket: "own" },
    ...{ if_name: "eth0", _1st: "x", __a: "y" },
  };
  expect(body.data.result).toEqual([{ metric, value: [1_700_000_100, "1"] }]);
  const alike = await ask("query", { query: "alike_v", time: 1_700_000_100 });
  expect([alike.status, alike.body.errorType]).toEqual([422, "execution"]);
  expect(alike.body.error).toContain('two fields give the series alike_v{a_b="1", bucket="metrics"}');
});

test("a look-back of one's own, and a timeout", async () => {
  const params = { query: "gone_value", time: FROM_S + 4000 };
  expect((await ask("query", params)).body.data.result).toEqual([]);
  expect((await ask("query", { ...params, lookback_delta: "1h" })).body.data.result).toHaveLength(1);
  const slow = await ask("query", { query: "sum_over_time(vector(1)[100d:1s])", timeout: "50ms" });
  expect([slow.status, slow.body.errorType]).toEqual([
    slow.status,
    slow.status === 422 ? "execution" : "timeout",
  ]);
  expect([422, 503]).toContain(slow.status);
  expect((await ask("query", { ...params, timeout: "soon" })).body.error).toContain(
    'invalid parameter "timeout"',
  );
  const past = await ask("query", { ...params, timeout: "-1" });
  expect([past.status, past.body.error]).toEqual([400, 'invalid parameter "timeout": must not be negative']);
  const fresh = { query: "flaky_value", time: FROM_S + 3600 };
  const negative = await ask("query", { ...fresh, lookback_delta: "-3600" });
  expect(negative.body).toEqual((await ask("query", fresh)).body);
});

test("names that are quoted for their characters select those with underscores", async () => {
  await write(`http,service.name=shop dur.ation=5 ${FROM_S}`);
  const time = FROM_S + 1;
  const metric = { __name__: "http_dur_ation", bucket: BUCKET, service_name: "shop" };
  for (const query of ['{"http_dur.ation"}', '{__name__="http-dur.ation", "service.name"="shop"}']) {
    expect((await ask("query", { query, time })).body.data.result).toEqual([{ metric, value: [time, "5"] }]);
    expect((await ask("series", { "match[]": query })).body.data).toEqual([metric]);
  }
  const grouped = await ask("query", { query: 'sum by ("service.name") (http_dur_ation)', time });
  expect(grouped.body.data.result).toEqual([{ metric: { service_name: "shop" }, value: [time, "5"] }]);
  const joined = await ask("query", {
    query: `{"http_dur.ation"} * on ("service.name") label_replace(http_dur_ation, "of", "$1", "service.name", "(s.*)")`,
    time,
  });
  expect(joined.body.data.result).toEqual([{ metric: { service_name: "shop" }, value: [time, "25"] }]);
  const without = await ask("query", { query: 'sum without ("service.name") (http_dur_ation)', time });
  expect(without.body.data.result).toEqual([{ metric: { bucket: BUCKET }, value: [time, "5"] }]);
  const targets = [
    [`label_replace(http_dur_ation, "service.name", "new", "", "")`, { ...metric, service_name: "new" }],
    [
      `label_join(http_dur_ation, "a.b", "-", "bucket", "service.name")`,
      { ...metric, a_b: `${BUCKET}-shop` },
    ],
    [`count_values by ("service.name") ("a.b", http_dur_ation)`, { a_b: "5", service_name: "shop" }],
  ] as const;
  for (const [query, labels] of targets)
    expect((await ask("query", { query, time })).body.data.result).toMatchObject([{ metric: labels }]);
  expect((await ask("label/service.name/values")).body.data).toEqual(["shop"]);
  const other = await ask("query", { query: '{"http_dur.ation", "service.name"!="shop"}', time });
  expect(other.body.data.result).toEqual([]);
});

test("a body that is no form is refused, and so is one that is too large", async () => {
  const url = `${server.url}/prometheus/api/v1/query`;
  const json = await fetch(url, {
    method: "POST",
    body: "{}",
    headers: { "content-type": "application/json" },
  });
  expect([json.status, (await json.json()) as object]).toEqual([
    415,
    {
      status: "error",
      errorType: "bad_data",
      error: expect.stringContaining("application/x-www-form-urlencoded"),
    },
  ]);
});

describe("with tokens", () => {
  let guarded: TestServer;
  beforeAll(async () => {
    guarded = await startTestServer({
      settings: `server.auth.tokens: [{name: g, scope: read, token: ${TOKEN}}]`,
    });
  });
  afterAll(() => guarded?.stop());
  const base = () => `${guarded.url}/prometheus`;

  test("none is unauthorized", async () => {
    const { status, body, headers } = await ask("query", { query: "1" }, base());
    expect([status, body.errorType]).toEqual([401, "unauthorized"]);
    expect(headers.get("www-authenticate")).toContain("Bearer");
  });

  test.each([
    ["as bearer", `Bearer ${TOKEN}`],
    ["as password", `Basic ${btoa(`g:${TOKEN}`)}`],
  ])("one of scope read suffices, %s", async (_, authorization) => {
    const { status } = await ask("query", { query: "1" }, base(), { headers: { authorization } });
    expect(status).toBe(200);
  });
});
