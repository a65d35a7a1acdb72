// Remote write on a real server: messages of both versions, read back by PromQL; refusals as the protocol has them.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { startTestServer, useTestServer } from "../../contract/server.ts";
import { encodeMessage, pack, push, type SentSeries, STALE, types } from "../../support/remote-write.ts";
import { roundsOf } from "../../support/rounds.ts";
import { encodeVarint, wrap } from "../../support/wire.ts";

const TOKENS = [
  "torus_a-secret-of-sufficient-length-here",
  "torus_b-secret-of-sufficient-length-here",
] as const;
const server = useTestServer({
  settings: `
server.limits.bucket_series: 300
server.limits.write_bytes: 3000000
buckets:
  - {name: kept, type: local, retention: 365d}
  - {name: elsewhere, type: influxdb, addr: "127.0.0.1:9", database: x, measurement: m}
`,
});
const NOW = Math.floor(Date.now() / 1000) * 1000;

type Sent = { readonly status: number; readonly text: string; readonly headers: Headers };

async function send(
  init: RequestInit,
  bucket: string | undefined = "fresh",
  base = server.url,
): Promise<Sent> {
  const query = bucket === "" ? "" : `?bucket=${encodeURIComponent(bucket)}`;
  const response = await fetch(`${base}/api/v1/write${query}`, { method: "POST", ...init });
  return { status: response.status, text: await response.text(), headers: response.headers };
}

const headersOf = (version: 1 | 2) => ({ "content-type": types[version], "content-encoding": "snappy" });

function write(version: 1 | 2, series: readonly SentSeries[], bucket?: string): Promise<Sent> {
  return send({ headers: headersOf(version), body: pack(encodeMessage(version, series)) }, bucket);
}

const sendBytes = (bytes: Uint8Array<ArrayBuffer>, version: 1 | 2 = 1) =>
  send({ headers: headersOf(version), body: bytes });

/** Values of a range selector, by series. */
async function query(expression: string): Promise<Record<string, unknown>[]> {
  const params = new URLSearchParams({ query: expression, time: String(NOW / 1000) });
  const response = await fetch(`${server.url}/prometheus/api/v1/query?${params}`);
  const { data } = (await response.json()) as { data: { result: Record<string, unknown>[] } };
  return data.result;
}

/** Samples, histograms and exemplars, as the headers count them. */
function writtenOf({ headers }: Sent): (string | null)[] {
  return ["samples", "histograms", "exemplars"].map((what) =>
    headers.get(`x-prometheus-remote-write-${what}-written`),
  );
}

const named = (name: string, more: Record<string, string> = {}) => ({ __name__: name, ...more });

describe.each([1, 2] as const)("version %d.0", (version) => {
  const bucket = `bucket${version}`;

  test("a metric is read back under its own name, and the bucket is made", async () => {
    const labels = named("node_cpu_seconds_total", { cpu: "0", mode: "user", empty: "" });
    const samples = [
      [NOW - 60_000, 1.5],
      [NOW - 30_000, 1e20],
      [NOW, -0.1],
    ] as const;
    const answer = await write(
      version,
      [
        { labels, samples },
        { labels: named("up"), samples: [[NOW, 1]] },
      ],
      bucket,
    );
    expect([answer.status, answer.text]).toEqual([204, ""]);
    expect(writtenOf(answer)).toEqual(version === 1 ? [null, null, null] : ["4", "0", "2"]);
    expect(await query(`node_cpu_seconds_total{cpu="0",bucket="${bucket}"}[2m]`)).toEqual([
      {
        metric: { __name__: "node_cpu_seconds_total", bucket, cpu: "0", mode: "user" },
        values: [
          [NOW / 1000 - 60, "1.5"],
          [NOW / 1000 - 30, "100000000000000000000"],
          [NOW / 1000, "-0.1"],
        ],
      },
    ]);
    expect(await query(`up{bucket="${bucket}"}`)).toMatchObject([{ value: [NOW / 1000, "1"] }]);
  });

  test("samples out of order and sent twice are stored once; the last value of an instant stays", async () => {
    const series = (values: [number, number][]) => [
      { labels: named("mixed"), samples: values.map(([s, value]) => [NOW - s * 1000, value] as const) },
    ];
    for (const values of [
      [
        [5, 5],
        [30, 30],
        [10, 10],
      ],
      [
        [20, 20],
        [10, 11],
      ],
      [
        [20, 20],
        [10, 11],
      ],
    ] as [number, number][][])
      expect((await write(version, series(values), bucket)).status).toBe(204);
    const [found] = await query(`mixed{bucket="${bucket}"}[1m]`);
    expect((found!.values as [number, string][]).map(([at, value]) => [NOW / 1000 - at, value])).toEqual([
      [30, "30"],
      [20, "20"],
      [10, "11"],
      [5, "5"],
    ]);
  });

  test("NaN, infinities and stale markers are stored and counted as written", async () => {
    const values = [1, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, STALE] as const;
    const samples = values.map((value, i) => [NOW - (5 - i) * 1000, value] as const);
    const answer = await write(version, [{ labels: named("odd"), samples }], bucket);
    expect([answer.status, ...writtenOf(answer)]).toEqual([
      204,
      ...(version === 1 ? [null, null, null] : ["5", "0", "1"]),
    ]);
    const odd = `odd{bucket="${bucket}"}`;
    expect(await query(`${odd}[1m]`)).toMatchObject([
      { values: ["1", "NaN", "+Inf", "-Inf"].map((text, i) => [NOW / 1000 - 5 + i, text]) },
    ]);
    expect(await query(odd)).toEqual([]);
    expect(await query(`${odd} offset 2s`)).toMatchObject([{ value: [NOW / 1000, "-Inf"] }]);
    expect(await query(`${odd} offset 4s`)).toMatchObject([{ value: [NOW / 1000, "NaN"] }]);
    expect(await query(`count_over_time(${odd}[10s])`)).toMatchObject([{ value: [NOW / 1000, "4"] }]);
    expect(await query(`absent(${odd})`)).toMatchObject([{ metric: { bucket } }]);
    const refused = { labels: named("latency"), histograms: 1, samples, exemplars: 3 };
    expect(writtenOf(await write(version, [refused], bucket))).toEqual(["5", "0", "3"]);
  });

  test("type, help and unit of a metric are kept, the last ones, and a distribution has one name", async () => {
    const metadataOf = async (name: string) => {
      const response = await fetch(`${server.url}/prometheus/api/v1/metadata?metric=${name}`);
      return ((await response.json()) as { data: Record<string, unknown> }).data[name];
    };
    const family = `latency_seconds_${version}`;
    for (const help of ["of then", "of now"]) {
      const metadata = { family, type: 3, help, unit: "seconds" };
      const labels = named(`${family}_bucket`, { le: "1" });
      expect((await write(version, [{ labels, samples: [[NOW, 1]], metadata }], bucket)).status).toBe(204);
    }
    expect(await metadataOf(family)).toEqual([{ type: "histogram", help: "of now", unit: "seconds" }]);
    const other = { family, type: 3, help: "elsewhere", unit: "" };
    await write(version, [{ labels: named(`${family}_sum`), samples: [[NOW, 1]], metadata: other }], "fresh");
    expect(await metadataOf(family)).toHaveLength(2);
    await fetch(`${server.url}/buckets/fresh/_clear`, { method: "POST" });
    expect(await metadataOf(family)).toHaveLength(1);
  });

  test("a stale marker ends a series for instant selectors, at each step and in subqueries, until it goes on", async () => {
    const at = (seconds: number) => NOW - 600_000 + seconds * 1000;
    const samples = [
      [at(0), 1],
      [at(60), 2],
      [at(90), STALE],
      [at(240), 4],
    ] as const;
    await write(version, [{ labels: named("gone"), samples }], bucket);
    const gone = `gone{bucket="${bucket}"}`;
    const params = new URLSearchParams({
      ...{ query: gone, start: String(at(0) / 1000), end: String(at(300) / 1000), step: "30" },
    });
    const ranged = await fetch(`${server.url}/prometheus/api/v1/query_range?${params}`);
    const { data } = (await ranged.json()) as { data: { result: { values: [number, string][] }[] } };
    const found = data.result[0]!.values.map(([time, value]) => [time - at(0) / 1000, value]);
    expect(found).toEqual([
      ...[0, 30].map((s) => [s, "1"]),
      [60, "2"],
      ...[240, 270, 300].map((s) => [s, "4"]),
    ]);
    const one = async (text: string) => ((await query(text))[0]?.value as string[] | undefined)?.[1];
    const then = ` @ ${at(120) / 1000}`;
    expect(await one(gone + then)).toBeUndefined();
    expect(await one(`last_over_time(${gone}[5m]${then})`)).toBe("2");
    expect(await one(`increase(${gone}[2m]${then})`)).toBe("2");
    expect(await one(`count_over_time(${gone}[2m:30s]${then})`)).toBe("3");
    expect(await one(`timestamp(${gone}${then})`)).toBeUndefined();
    expect(await one(`absent(${gone}${then})`)).toBe("1");
  });

  test("the last of a value and a stale marker of one time stays, in one push and over several", async () => {
    const push = (values: readonly (number | typeof STALE)[]) => {
      const samples = values.map((value) => [NOW, value] as const);
      return write(version, [{ labels: named("again"), samples }], bucket);
    };
    const values = async () =>
      (await query(`again{bucket="${bucket}"}`)).map(({ value }) => (value as string[])[1]);
    for (const [sent, wanted] of [
      [[1], ["1"]],
      [[STALE], []],
      [[3], ["3"]],
      [[4, STALE], []],
      [[STALE, 5], ["5"]],
      [[Number.NaN], ["NaN"]],
      [[STALE], []],
    ] as const) {
      expect((await push(sent)).status).toBe(204);
      expect(await values()).toEqual([...wanted]);
    }
  });

  test("what never can be stored is refused by name, all else is stored", async () => {
    const good = { labels: named("good", { n: "1" }), samples: [[NOW, 7]] as const };
    const bad: [string, SentSeries, string][] = [
      ["a native histogram", { labels: named("latency"), histograms: 2 }, "latency is a native histogram"],
      ["no name", { labels: { job: "x" }, samples: [[NOW, 1]] }, "has no name"],
      ["a reserved label", { labels: named("a", { time: "1" }), samples: [[NOW, 1]] }, 'label "time"'],
      ["a long value", { labels: named("b", { path: "x".repeat(1025) }), samples: [[NOW, 1]] }, "1024"],
      ["a long name", { labels: named("n".repeat(257)), samples: [[NOW, 1]] }, "256"],
      [
        "a label twice",
        {
          labels: [
            ["__name__", "c"],
            ["l", "1"],
            ["l", "2"],
          ],
          samples: [[NOW, 1]],
        },
        'label "l" twice',
      ],
      [
        "a time beyond all calendars",
        { labels: named("d"), samples: [[2 ** 60, 1]] },
        "outside of the years",
      ],
    ];
    for (const [what, series, message] of bad) {
      const answer = await write(version, [series, good], bucket);
      expect([what, answer.status, answer.text]).toEqual([what, 400, expect.stringContaining(message)]);
      const ignored = what === "a native histogram" || what === "a time beyond all calendars" ? "2" : "1";
      expect([what, ...writtenOf(answer)]).toEqual([what, "1", "0", ignored]);
      expect(answer.headers.get("content-type")).toBe("text/plain; charset=utf-8");
    }
    expect(await query(`good{bucket="${bucket}"}`)).toMatchObject([{ value: [NOW / 1000, "7"] }]);
  });

  test("a series without a name is refused, whatever it holds", async () => {
    const answer = await write(version, [{ labels: { job: "x" }, samples: [[NOW, STALE]] }], bucket);
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining("has no name")]);
    const exemplars = await write(version, [{ labels: { job: "x" } }], bucket);
    expect([exemplars.status, ...writtenOf(exemplars)]).toEqual([400, "0", "0", "0"]);
  });

  test("a message without any series is accepted", async () => {
    const answer = await sendBytes(pack(new Uint8Array(0)), version);
    expect([answer.status, answer.text]).toEqual([204, ""]);
  });

  test("points older than the retention are refused, newer ones stored", async () => {
    const samples = [
      [NOW - 366 * 86_400_000, 1],
      [NOW, 2],
    ] as const;
    const answer = await write(version, [{ labels: named("aged"), samples }], "kept");
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining("retention")]);
    expect(await query('aged{bucket="kept"}')).toMatchObject([{ value: [NOW / 1000, "2"] }]);
  });

  test("beyond the series of a bucket new ones are refused, known ones go on", async () => {
    const name = `full${version}`;
    const series = Array.from({ length: 400 }, (_, i) => ({
      labels: named("many", { i: String(i) }),
      samples: [[NOW - 1000, i]] as const,
    }));
    const answer = await write(version, series, name);
    expect([answer.status, answer.text]).toEqual([
      400,
      expect.stringContaining("server.limits.bucket_series"),
    ]);
    expect(answer.headers.get("x-prometheus-remote-write-samples-written")).toBe("300");
    const known = series.slice(0, 300).map(({ labels }) => ({ labels, samples: [[NOW, 1]] as const }));
    expect((await write(version, known, name)).status).toBe(204);
    expect(await query(`count(many{bucket="${name}"})`)).toMatchObject([{ value: [NOW / 1000, "300"] }]);
    expect(await query(`sum(many{bucket="${name}"})`)).toMatchObject([{ value: [NOW / 1000, "300"] }]);
  });

  test("100 000 series in one push are refused whole, with a way out", async () => {
    const series = Array.from({ length: 100_000 }, (_, i) => ({ labels: { l: String(i) }, exemplars: 0 }));
    const answer = await write(version, series, bucket);
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining("max_samples_per_send")]);
  });

  test("a message that is cut anywhere is refused or read, and nothing breaks", async () => {
    const bytes = encodeMessage(version, [{ labels: named("cut", { a: "b" }), samples: [[NOW, 1]] }]);
    for (let end = 0; end < bytes.length; end++) {
      const { status } = await sendBytes(pack(bytes.slice(0, end)), version);
      expect([204, 400]).toContain(status);
    }
  });

  test("random bytes and random changes of a message never get a 5xx", async () => {
    const bytes = encodeMessage(version, [
      { labels: named("fuzz", { a: "b" }), samples: [[NOW, 1]], histograms: 1 },
      { labels: named("fuzz", { a: "c" }), samples: [[NOW, 2]] },
    ]);
    const change = fc.tuple(fc.nat(bytes.length - 1), fc.integer({ min: 0, max: 255 }));
    const changed = fc.array(change, { minLength: 1, maxLength: 4 }).map((changes) => {
      const copy = bytes.slice();
      for (const [at, byte] of changes) copy[at] = byte;
      return pack(copy);
    });
    const random = fc.uint8Array({ maxLength: 200 }).map((junk) => new Uint8Array(junk));
    await fc.assert(
      fc.asyncProperty(fc.oneof(changed, random, random.map(pack)), async (body) => {
        const { status } = await sendBytes(body, version);
        expect([204, 400, 413]).toContain(status);
      }),
      { numRuns: roundsOf(300) },
    );
  });
});

test("a content type names the version, in any case and with or without quotes", async () => {
  const series = [{ labels: named("typed"), samples: [[NOW, 1]] as const }];
  const proto = "io.prometheus.write.v2.Request";
  for (const [version, type] of [
    [1, "application/x-protobuf"],
    [1, "Application/X-Protobuf; proto=prometheus.WriteRequest"],
    [2, `application/x-protobuf; proto="${proto}"`],
    [2, `application/x-protobuf;charset=x;proto=${proto}`],
  ] as const) {
    const answer = await send({
      headers: { "content-type": type, "content-encoding": "snappy" },
      body: pack(encodeMessage(version, series)),
    });
    expect([type, answer.status, writtenOf(answer)[0]]).toEqual([type, 204, version === 1 ? null : "1"]);
  }
});

/** A message of version 2 of one sample, by its symbols and the references to them. */
const ofSymbols = (symbols: readonly string[], references: readonly number[]) => {
  const texts = symbols.map((text) => wrap(4, Buffer.from(text)));
  const sample = wrap(
    2,
    Buffer.concat([
      Buffer.from([9]),
      Buffer.from(Float64Array.of(5).buffer),
      Buffer.from([16, ...encodeVarint(NOW)]),
    ]),
  );
  const series = wrap(5, Buffer.concat([wrap(1, Buffer.from(references)), sample, Buffer.from([48, 1])]));
  return new Uint8Array(Buffer.concat([...texts, series]));
};

describe("symbols of version 2.0", () => {
  const symbols = ["", "__name__", "symbolic", "a", "b"];
  test.each<[string, readonly number[], number, string]>([
    ["pairs of references", [1, 2, 3, 4], 204, ""],
    ["one reference without its value", [1, 2, 3], 400, "a label without a value"],
    ["a reference to no symbol", [1, 2, 3, 5], 400, "symbol"],
    ["no reference", [], 400, "has no name"],
    ["a value that is empty", [1, 2, 3, 0], 204, ""],
  ])("%s", async (_, references, status, message) => {
    const answer = await sendBytes(pack(ofSymbols(symbols, references)), 2);
    expect([answer.status, answer.text]).toEqual([
      status,
      status === 204 ? "" : expect.stringContaining(message),
    ]);
    expect(writtenOf(answer)).toEqual([status === 204 ? "1" : "0", "0", "0"]);
  });
});

describe("refused before anything is read", () => {
  const body = pack(encodeMessage(1, [{ labels: named("x"), samples: [[NOW, 1]] }]));
  const plain = { "content-type": types[1], "content-encoding": "snappy" };
  test.each<[string, number, string, RequestInit, string?]>([
    [
      "JSON",
      415,
      "application/x-protobuf",
      { body, headers: { ...plain, "content-type": "application/json" } },
    ],
    [
      "another message",
      415,
      "io.prometheus",
      { body, headers: { ...plain, "content-type": `${types[1]};proto=x.Y` } },
    ],
    ["another compression", 415, "snappy", { body, headers: { ...plain, "content-encoding": "zstd" } }],
    ["no bucket", 400, "bucket: is required", { body, headers: plain }, ""],
    ["a name that cannot be", 400, "name", { body, headers: plain }, "a b"],
    ["a bucket of another kind", 400, "influxdb", { body, headers: plain }, "elsewhere"],
    ["no body", 400, "body: is required", { headers: plain }],
    ["no snappy", 400, "snappy", { body: new Uint8Array([255, 255, 255, 255, 255, 255]), headers: plain }],
    [
      "a bomb",
      413,
      "server.limits.write_bytes",
      { body: new Uint8Array([255, 255, 255, 255, 15, 0]), headers: plain },
    ],
    ["too much", 413, "server.limits.write_bytes", { body: new Uint8Array(3_000_001), headers: plain }],
    ["another method", 405, "GET", { method: "GET" }],
  ])("%s", async (_, status, message, init, bucket = "fresh") => {
    const answer = await send(init, bucket);
    expect([answer.status, answer.text]).toEqual([status, expect.stringContaining(message)]);
    expect(answer.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  });

  test("without a content type, which stands for version 1.0", async () => {
    const answer = await send({ body, headers: { "content-type": "", "content-encoding": "snappy" } });
    expect(answer.status).toBe(204);
  });

  test("tokens: none, a wrong one, and one that may only read", async () => {
    const [writer, reader] = TOKENS;
    const settings = `
server.auth.required: true
server.auth.tokens: [{name: w, scope: run, token: ${writer}}, {name: r, scope: read, token: ${reader}}]
`;
    const guarded = await startTestServer({ settings });
    try {
      const as = (authorization?: string) =>
        send({ body, headers: { ...plain, ...(authorization && { authorization }) } }, "b", guarded.url);
      expect((await as()).status).toBe(401);
      expect((await as("Bearer torus_wrong")).status).toBe(401);
      expect((await as(`Bearer ${reader}`)).status).toBe(403);
      expect((await as(`Bearer ${writer}`)).status).toBe(204);
      expect((await as(`Basic ${btoa(`w:${writer}`)}`)).status).toBe(204);
    } finally {
      await guarded.stop();
    }
  });
});

test("bodies beyond those that may be in flight are refused for a while", async () => {
  const busy = await startTestServer({ settings: "server.limits.bodies_in_flight_bytes: 60000" });
  try {
    const series = Array.from({ length: 2000 }, (_, i) => ({
      labels: named("flood", { i: String(i) }),
      samples: [[NOW, i]] as const,
    }));
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => push(`${busy.url}/api/v1/write?bucket=b`, 1, series)),
    );
    const refused = answers.filter(({ status }) => status === 503);
    expect(refused.length).toBeGreaterThan(0);
    for (const { headers } of refused) expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
    expect(answers.some(({ status }) => status === 204)).toBe(true);
  } finally {
    await busy.stop();
  }
});
