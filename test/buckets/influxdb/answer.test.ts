// Kind `influxdb` on a fake: every incomplete answer is an error, never data (promise 15).
import { afterEach, describe, expect, test } from "bun:test";
import { influxdb } from "../../../src/buckets/influxdb/index.ts";
import { type Bucket, PartialWriteError } from "../../../src/buckets/kind.ts";
import { runFaults, marker as secret } from "../faults.ts";
import { aQuery, idle, MINUTE, T0 } from "../support.ts";

const marker = "MARKER-token-5";
let stop = () => {};
afterEach(() => stop());

interface Asked {
  readonly path: string;
  readonly auth: string | null;
  readonly db: string | null;
  readonly statements: string;
}

/** A bucket on a server that gives this answer to everything, and the requests it got. */
function openOn(answer: string | object, status = 200): { bucket: Bucket; asked: Asked[] } {
  const asked: Asked[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const url = new URL(request.url);
      const body = await request.text();
      const statements = url.pathname.endsWith("/query") ? (new URLSearchParams(body).get("q") ?? "") : body;
      const auth = request.headers.get("authorization");
      asked.push({ path: url.pathname, auth, db: url.searchParams.get("db"), statements });
      return new Response(typeof answer === "string" ? answer : JSON.stringify(answer), { status });
    },
  });
  stop = () => void server.stop(true);
  const settings = { addr: `127.0.0.1:${server.port}`, database: "d", measurement: "m", token: marker };
  return { bucket: influxdb.open("b", settings, { dataDir: "" }), asked };
}

function read(bucket: Bucket, metrics = ["sum"], field = "v") {
  const features = metrics.map((metric) => ({ name: metric, metric, field, tags: [] }));
  return bucket.read(aQuery(features), idle());
}

function answerOf(values: unknown[][], more = {}): object {
  return {
    results: [{ statement_id: 0, series: [{ name: "m", columns: ["time", "sum"], values, ...more }] }],
  };
}

const micros = T0 * 1000;
const good = [
  [micros, 1],
  [micros + 60_000_000, null],
];

test("half of a series of raw points is an error, never data", async () => {
  const whole = { name: "m", columns: ["time", "v"], values: good };
  const answer = (more: object) => ({ results: [{ statement_id: 0, series: [{ ...whole, ...more }] }] });
  expect([...(await read(openOn(answer({})).bucket, ["mode"])).columns.mode!]).toEqual([1, NaN, NaN]);
  stop();
  await expect(read(openOn(answer({ partial: true })).bucket, ["mode"])).rejects.toMatchObject({
    code: "bucket_rejected",
    message: expect.stringContaining("only a part of the answer"),
  });
});

test("rows go where their time says, in any order and number", async () => {
  const { bucket } = openOn(answerOf([[micros + 120_000_000, 3], ...good]));
  expect([...(await read(bucket)).columns.sum!]).toEqual([1, Number.NaN, 3]);
});

test("one statement per feature, all in one request, in the documented shape, with the token", async () => {
  const { bucket, asked } = openOn({ results: [{ statement_id: 0 }, { statement_id: 1 }] });
  const tags = [{ tag: "ho'st", value: `a'b"c` }];
  const features = [
    { name: "one", metric: "avg", field: 'f"1', tags },
    { name: "two", metric: "count", field: "f2", measurement: "m2", tags: [{ tag: "up", value: "1" }] },
  ];
  await bucket.read(aQuery(features, 1), idle());
  const bounds = `time >= ${T0}000000 and time < ${T0 + MINUTE}000000`;
  expect(asked).toEqual([
    {
      path: "/query",
      auth: `Token ${marker}`,
      db: "d",
      statements: [
        `select mean("f\\"1"::float) from "m" where ${bounds} and "ho'st"::tag = 'a\\'b"c' group by time(60000ms)`,
        `select count("f2"::field) from "m2" where ${bounds} and ("up"::tag = '1' or "up"::field = 1) group by time(60000ms)`,
      ].join(";"),
    },
  ]);
});

describe("is an error", () => {
  test.each([
    [
      "an error of a statement",
      { results: [{ statement_id: 0, error: "store says no" }] },
      "bucket_rejected",
      "store says no",
    ],
    ["an error of the query", { error: "store says no" }, "bucket_rejected", "store says no"],
    [
      "missing rights",
      { results: [{ error: "user not authorized to execute" }] },
      "bucket_auth",
      "not authorized",
    ],
    [
      "a partial result",
      { results: [{ statement_id: 0, partial: true, series: [] }] },
      "bucket_rejected",
      "part",
    ],
    ["a partial series", answerOf(good, { partial: true }), "bucket_rejected", "part"],
    ["cut off JSON", JSON.stringify(answerOf(good)).slice(0, -4), "bucket_unavailable", "no complete answer"],
    ["no JSON", "<html>a login page</html>", "bucket_unavailable", "no complete answer"],
    ["an empty answer", "", "bucket_unavailable", "no complete answer"],
    ["null", "null", "bucket_unavailable", "no complete answer"],
    ["JSON of another kind", { status: "success" }, "bucket_unavailable", "no complete answer"],
    ["too few results", { results: [] }, "bucket_unavailable", "0 of 1"],
    ["results out of order", { results: [{ statement_id: 1 }] }, "bucket_unavailable", "no complete answer"],
    ["a result that is no object", { results: [null] }, "bucket_unavailable", "no complete answer"],
    ["series that are no list", { results: [{ series: {} }] }, "bucket_unavailable", "no complete answer"],
    [
      "rows that are no list",
      { results: [{ series: [{ values: "x" }] }] },
      "bucket_unavailable",
      "no complete",
    ],
    ["a text for a number", answerOf([[micros, "7"]]), "bucket_unavailable", "no complete answer"],
    [
      "a time that is a text",
      answerOf([["2023-11-14T22:13:00Z", 7]]),
      "bucket_unavailable",
      "no complete answer",
    ],
    ["rows too wide", answerOf([[micros, 7, 8]]), "bucket_unavailable", "no complete answer"],
    ["an interval off the grid", answerOf([[micros + 1, 7]]), "bucket_unavailable", "outside of the query"],
    [
      "an interval out of range",
      answerOf([[micros - 60_000_000, 7]]),
      "bucket_unavailable",
      "outside of the query",
    ],
  ] as const)("%s", async (_, answer, code, message) => {
    const { bucket } = openOn(answer);
    await expect(read(bucket)).rejects.toMatchObject({ code, message: expect.stringContaining(message) });
  });

  test("a message that repeats the token loses it and is cut", async () => {
    const { bucket } = openOn({ results: [{ error: `bad ${marker} ${"long ".repeat(500)}` }] });
    const error = await read(bucket).catch((thrown) => thrown);
    expect(error.message).not.toContain(marker);
    expect(error.message.length).toBeLessThan(400);
  });

  test("a name that InfluxQL cannot hold, before anything is sent", async () => {
    const { bucket, asked } = openOn(answerOf(good));
    await expect(read(bucket, ["sum"], "nul\0")).rejects.toMatchObject({ code: "invalid" });
    await expect(read(bucket, ["mode"], "cr\r")).rejects.toMatchObject({ code: "invalid" });
    expect(asked).toEqual([]);
  });

  test("a write that is not taken, whatever the status", async () => {
    for (const [status, code] of [
      [400, "bucket_rejected"],
      [401, "bucket_auth"],
      [500, "bucket_unavailable"],
    ] as const) {
      const { bucket } = openOn({ error: "partial write: dropped=1" }, status);
      const point = { at: T0, fields: { v: 1 }, tags: {} };
      const error = await bucket.write!([point], {}, idle()).catch((thrown) => thrown);
      expect(error).toMatchObject({
        code,
        message: expect.stringContaining("partial write"),
        details: { upstream_status: status },
      });
      expect(error instanceof PartialWriteError).toBe(status === 400);
      stop();
    }
  });
});

test("lines: floats, texts, booleans, nulls dropped, empty tags and points left out, batches of 5000", async () => {
  const { bucket, asked } = openOn("");
  const points = [
    {
      at: T0,
      fields: { "a b": 1, c: 'x"\\', d: true, e: null, f: Number.NaN },
      tags: { "t,=": "v v", no: "" },
    },
    { at: -1.5, fields: { v: -1e-7 }, tags: {} },
    { at: T0, fields: { v: null }, tags: {} },
    ...Array.from({ length: 5000 }, (_, i) => ({ at: i, fields: { v: i }, tags: {} })),
  ];
  await bucket.write!(points, { measurement: "m x" }, idle());
  const lines = asked.map(({ statements }) => statements.split("\n"));
  expect(lines.map(({ length }) => length)).toEqual([5000, 2]);
  expect(lines[0]!.slice(0, 3)).toEqual([
    `m\\ x,t\\,\\==v\\ v a\\ b=1,c="x\\"\\\\",d=true ${T0}000000`,
    "m\\ x v=-1e-7 -2000000",
    "m\\ x v=0 0000000",
  ]);
  expect(asked[0]).toMatchObject({ path: "/write", db: "d", auth: `Token ${marker}` });
});

runFaults({
  kind: "influxdb",
  open: (addr, timeout) =>
    influxdb.open(
      "b",
      { addr, timeout, database: "d", measurement: "m", dbuser: `user-${secret}`, dbuser_password: secret },
      { dataDir: "" },
    ),
});
