// Every client command against a real server in this process: what it prints, and what it changed.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SeriesResult } from "../../../src/cli/client/views.ts";
import { startTestServer, type TestServer } from "../../contract/server.ts";
import { startReceiver } from "../../support/receiver.ts";
import { run, type TerminalOptions } from "../fake-terminal.ts";

const TEST_MS = 60_000;
const STEP = 900;
const DAY = 96;
const POINTS = 10 * DAY;
const START = Date.UTC(2026, 0, 5) / 1000;
const SPIKE = 9 * DAY + 40;
const at = (index: number) => START + index * STEP;

let server: TestServer;
let dir: string;

beforeAll(async () => {
  server = await startTestServer();
  dir = mkdtempSync(join(tmpdir(), "cli-"));
});
afterAll(async () => {
  await server.stop();
  rmSync(dir, { recursive: true });
});

const torus = (line: string, options: TerminalOptions = {}) =>
  run(line, { ...options, env: { TORUS_ADDR: server.url, ...options.env } });

/** Runs a command that must go well. @returns what it printed */
async function ok(line: string, options?: TerminalOptions): Promise<string> {
  const { code, out, err } = await torus(line, options);
  expect(`${line}: ${code} ${code === 0 ? "" : err}`).toBe(`${line}: 0 `);
  return out;
}

async function json<T = unknown>(line: string, options?: TerminalOptions): Promise<T> {
  return JSON.parse(await ok(`${line} --json`, options));
}

function makeFile(name: string, text: string): string {
  const path = join(dir, name);
  writeFileSync(path, text);
  return path;
}

/** A daily rhythm with a little noise, the same at every run, and a spike near the end. */
function makeCsv(): string {
  const rows = Array.from({ length: POINTS }, (_, i) => {
    const noise = (((i * 7919) % 101) / 101 - 0.5) * 4;
    const value = 100 + 40 * Math.sin((2 * Math.PI * i) / DAY) + noise + (i === SPIKE ? 150 : 0);
    return `${new Date(at(i) * 1000).toISOString()},${value.toFixed(3)},web`;
  });
  return ["time,load,host", ...rows, ""].join("\n");
}

const model = `name: web
type: donut
default_bucket: metrics
bucket_interval: 15m
span: 24
features:
  - {name: load, metric: avg, field: load}
`;

describe("buckets", () => {
  test("import-csv makes the bucket, and says what it has written", async () => {
    const file = makeFile("load.csv", makeCsv());
    const dry = await torus(`import-csv ${file} --bucket metrics --dry-run`);
    expect(dry.err).toContain(`would write ${POINTS} points to metrics: load`);
    expect(await json("list-buckets")).toEqual([]);
    const { code, err } = await torus(`import-csv ${file} --bucket metrics --batch-size 100`);
    expect(code).toBe(0);
    expect(err).toContain("created bucket metrics, type local");
    expect(err).toContain(`wrote ${POINTS} points to metrics: load`);
    expect(err).toContain("skipped columns of text: host");
  });

  test("read-bucket shows aggregates, as a table or as JSON", async () => {
    const range = `-f ${START} -t ${at(8)} -i 1h -F 'avg(load);count(load)'`;
    const lines = (await ok(`read-bucket metrics ${range}`)).split("\n");
    expect(lines[0]).toBe("TIME (UTC)           AVG_LOAD  COUNT_LOAD");
    expect(lines[1]).toMatch(/^2026-01-05 00:00:00 +1\d\d(\.\d+)? +4$/);
    expect(await json(`read-bucket metrics ${range}`)).toMatchObject({
      timestamps: [START, START + 3600],
      observed: { count_load: [4, 4] },
    });
  });

  test("read-bucket in another form, in another zone", async () => {
    const range = `-f ${START} -t ${at(8)} -i 1h -F 'count(load);count(x)'`;
    expect(await ok(`read-bucket metrics ${range} --format csv`)).toBe(
      "time,count_load,count_x\r\n2026-01-05T00:00:00Z,4,0\r\n2026-01-05T01:00:00Z,4,0\r\n",
    );
    expect(await ok(`read-bucket metrics ${range} --format tsv --tz Asia/Kolkata`)).toBe(
      "time\tcount_load\tcount_x\n2026-01-05T05:30:00+05:30\t4\t0\n2026-01-05T06:30:00+05:30\t4\t0\n",
    );
    const env = { TORUS_TZ: "Europe/Berlin" };
    expect(await ok(`read-bucket metrics ${range}`, { env })).toMatch(
      /^TIME \(Europe\/Berlin\) .*\n2026-01-05 01:00:00 /,
    );
    expect(await ok(`read-bucket metrics ${range} --tz UTC`, { env })).toMatch(/^TIME \(UTC\)/);
    expect(await ok(`read-bucket metrics ${range} --format json`)).toBe(
      await ok(`read-bucket metrics ${range} --json`),
    );
    for (const flags of ["--tz Mars/Base", "--tz UTC --local", "--format cvs", "--format xml"]) {
      const { code, err } = await torus(`read-bucket metrics ${range} ${flags}`);
      expect([code, err]).toEqual([2, expect.stringMatching(/^torus: --(tz|local|format): /)]);
    }
    expect(await ok("list-buckets --format csv")).toBe("name,type,address\r\nmetrics,local,\r\n");
    const chart = await ok(
      `plot --bucket metrics -F 'max(load)' -f ${START} -t ${at(DAY)} --tz Europe/Berlin`,
    );
    expect(chart).toStartWith("max_load (Europe/Berlin)\n");
    expect(chart).toMatch(/^ {12}03:00 /m);
  });

  test("read-bucket --detach prints the id of the job; show-job waits for it", async () => {
    const id = (await ok(`read-bucket metrics -f ${START} -t ${at(4)} -i 1h -F 'sum(load)' --bg`)).trim();
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    expect(await json(`show-job ${id} --wait`)).toMatchObject([{ id, type: "read", state: "done" }]);
  });

  test("every field that breaks a rule is on a line of its own", async () => {
    const file = makeFile("bad.json", '{"name": "bad", "type": "local", "retention": "soon", "zzz": 1}');
    const { code, err } = await torus(`create-bucket ${file}`);
    expect([code, err.split("\n").map((line) => line.split(/;|,/)[0])]).toEqual([
      1,
      ["torus: zzz is unknown", "retention: must be a duration: a number and a unit (s m h d w M y)", ""],
    ]);
  });

  test("a bucket is called as a host with its port", async () => {
    const name = "web-1.example.org:9100";
    await ok(`create-bucket ${makeFile("host.json", JSON.stringify({ name, type: "local" }))}`);
    await ok(`write-bucket ${name}`, { input: '[{"timestamp": 1, "x": 1}]' });
    expect(await count(name)).toEqual([1]);
    await ok(`delete-bucket ${name}`);
  });

  test("create-bucket, show-bucket, clear-bucket, delete-bucket", async () => {
    const file = makeFile("other.json", '{"name": "other", "type": "local", "max_series_per_request": 7}');
    await ok(`create-bucket ${file}`);
    expect(await ok("show-bucket other")).toContain("max_series_per_request: 7");
    const again = await torus(`create-bucket ${file}`);
    expect([again.code, again.err]).toEqual([
      2,
      "torus: other: is a bucket already: --force replaces its settings\n",
    ]);
    expect(await json(`create-bucket ${file} --force`)).toBe("success");
    expect(await ok("list-buckets -q")).toBe("metrics\nother\n");
    const points = '[{"timestamp": 1, "x": 1}, {"timestamp": 2, "x": 2}, {"timestamp": 3, "x": 3}]';
    const { err } = await torus("write-bucket other -b 2", { input: points });
    // On a slow machine a progress line stands before it.
    expect(err).toEndWith("wrote 3 points to other\n");
    expect(await count("other")).toEqual([3]);
    await ok("clear-bucket other");
    expect(await count("other")).toEqual([0]);
    const brief = makeFile("brief.json", '{"name": "other", "type": "local", "retention": "1d"}');
    await ok(`create-bucket ${brief} --force`);
    const kept = `${points.slice(0, -1)}, {"timestamp": ${Date.now() / 1000}, "x": 4}]`;
    expect((await torus("write-bucket other", { input: kept })).err).toEndWith(
      "wrote 1 points to other\n3 points are older than the retention of the bucket and were dropped\n",
    );
    await ok("delete-bucket other");
    expect((await torus("show-bucket other")).err).toBe("torus: bucket other does not exist\n");
  });

  test("test-bucket says what answers, exit code 1 where nothing does", async () => {
    expect(await ok("test-bucket metrics")).toMatch(
      /^metrics answers after \S+ s: SQLite \S+, \d+ series, newest point 2026-01-14 23:45:00 UTC\n$/,
    );
    const file = makeFile(
      "down.json",
      JSON.stringify({
        ...{ name: "down", type: "influxdb", addr: "localhost:1", database: "d", measurement: "m" },
        ...{ dbuser: "u", dbuser_password: "MARKER-down" },
      }),
    );
    await ok(`create-bucket ${file}`);
    const down = await torus("test-bucket down");
    expect([down.code, down.out]).toEqual([1, ""]);
    expect(down.err).toMatch(/^torus: down: InfluxDB at localhost:1: refused the connection/);
    const raw = await torus("test-bucket down --json");
    expect(raw.code).toBe(1);
    expect(JSON.parse(raw.out)).toMatchObject({ ok: false, code: "bucket_unavailable" });
    expect((await torus("explore-bucket down")).code).toBe(1);
    expect(`${down.err}${raw.out}`).not.toContain("MARKER-down");
    await ok("delete-bucket down");
    expect((await torus("test-bucket none")).err).toBe("torus: bucket none does not exist\n");
  });

  test("explore-bucket lists measurements, fields and tags", async () => {
    await ok(`create-bucket ${makeFile("mixed.json", '{"name": "mixed", "type": "local"}')}`);
    expect((await torus("explore-bucket mixed")).err).toBe("nothing found\n");
    const points = JSON.stringify([
      { timestamp: "2026-01-05", load: 1, "user.time": 2, tags: { host: "a" } },
      { timestamp: "2026-01-06", load: 1, tags: { host: "b" } },
    ]);
    await ok("write-bucket mixed", { input: points });
    await ok("write-bucket mixed --measurement cpu", { input: points });
    const lines = (await ok("explore-bucket mixed")).split("\n");
    expect(lines[0]).toBe(
      "MEASUREMENT  FIRST (UTC)          LAST (UTC)           IS     NAME       TYPE OR VALUES",
    );
    expect(lines[1]).toMatch(/^- +2026-01-05 00:00:00 {2}2026-01-06 00:00:00 {2}field {2}load/);
    expect(lines[3]).toMatch(/^ +tag +host +a, b$/);
    expect(lines[4]).toMatch(/^cpu /);
    expect(await ok("explore-bucket mixed -q")).toBe("load\n.user.time\ncpu.load\ncpu.user.time\n");
    expect(await ok("explore-bucket mixed -q -m cpu")).toBe("cpu.load\ncpu.user.time\n");
    expect(await json("explore-bucket mixed -m cpu")).toMatchObject({
      measurements: [{ name: "cpu" }],
      truncated: false,
    });
    expect(await ok("explore-bucket mixed -q -s TIME -m cpu")).toBe("cpu.user.time\n");
    expect(await ok("explore-bucket mixed -t host -q")).toBe("a\nb\n");
    const page = await torus("explore-bucket mixed -t host --per-page 1");
    expect([page.out, page.err]).toEqual(["VALUE\na\n", "the list is incomplete: --page 1\n"]);
    await ok("delete-bucket mixed");
  });

  test("a file that cannot be read leaves no bucket behind", async () => {
    for (const input of ["", "time,a\n2026-01-01,1\n2026-01-02,x\n"])
      expect((await torus("import-csv - -b unborn", { input })).code).toBe(2);
    expect((await torus("show-bucket unborn")).code).toBe(1);
  });

  test("settings may begin with a byte order mark; an anchor that is none is told by its file", async () => {
    await ok(`create-bucket ${makeFile("bom.json", '\ufeff{"name": "bom", "type": "local"}')}`);
    await ok("delete-bucket bom");
    const anchor = await torus(`create-bucket ${makeFile("anchor.yml", "name: *all\n")}`);
    expect([anchor.code, anchor.err]).toEqual([
      2,
      expect.stringMatching(/anchor\.yml: has an unknown YAML anchor.* begin with \*\n$/),
    ]);
  });

  test.each(["-", "."])("a backup cannot be written to %j", async (file) => {
    const { code, err } = await torus(`backup ${file}`);
    expect([code, err]).toEqual([2, expect.stringMatching(/^torus: [-.]: (is not a file|cannot be written)/)]);
  });

  async function count(bucket: string): Promise<unknown> {
    const result = await json<SeriesResult>(`read-bucket ${bucket} -f 0 -t 10 -i 10s -F 'count(x)'`);
    return result.observed.count_x;
  }

  test("what is malformed is told with its place, exit code 2", async () => {
    const bad = await torus("import-csv - -b metrics", { input: "time,a\n2026-01-01,1\n2026-01-02,x\n" });
    expect([bad.code, bad.err]).toEqual([2, "torus: line 3: column a holds no number: set --columns\n"]);
    const text = await torus("write-bucket metrics", { input: "{}" });
    expect([text.code, text.err]).toEqual([
      2,
      "torus: -: must hold a list of points: [{timestamp, <field>: value}]\n",
    ]);
  });
});

describe("models", () => {
  test("create-model reads YAML and JSON", async () => {
    await ok(`create-model ${makeFile("web.yml", model)}`);
    const again = await torus("create-model -", { input: model });
    expect(again.code).toBe(1);
    expect(again.err).toContain("model web exists already");
    expect((await torus("create-model - --force", { input: model })).code).toBe(0);
    const bad = await torus(`create-model ${makeFile("bad.yml", "a: [1")}`);
    expect([bad.code, bad.err]).toEqual([
      2,
      expect.stringMatching(/bad\.yml:1:\d+: is neither JSON nor YAML/),
    ]);
    expect(await ok("list-models")).toMatch(/^web +donut +metrics +15m +load +new +-$/m);
  });

  test(
    "train-model, forecast-model, eval-model",
    async () => {
      const trained = await torus(`train-model web -f ${START} -t ${at(7 * DAY)} -m 1 -e 10`);
      expect(trained.err).toMatch(/trained web in \S+ s: span 24, loss \S+\n$/);
      expect([trained.code, trained.out]).toEqual([0, ""]);
      expect(await ok("list-models")).toMatch(/ trained /);
      expect(await ok("list-model-versions web")).toMatch(/^00 +active /m);

      const range = `-f ${at(8 * DAY)} -t ${at(8 * DAY + 4)}`;
      const forecast = await ok(`forecast-model web ${range} -p 0.9 -c load:low:-1000`);
      expect(forecast).toMatch(/^TIME \(UTC\) +LOAD +EXPECTED +LOWER +UPPER$/m);
      expect(forecast).toContain("load falls below -1000: not in this range");
      expect(forecast.trim().split("\n").length).toBe(6);

      const evaluation = await ok(`eval-model web -f ${at(SPIKE - 2)} -t ${at(SPIKE + 1)} -a`);
      expect(evaluation).toMatch(/SCORE$/m);
      expect(evaluation.trim().split("\n").at(-1)).toMatch(/ anomaly$/);
      const raw = await json<SeriesResult>(`predict-model web -f ${at(SPIKE)} -t ${at(SPIKE + 1)} -a`);
      expect(raw.stats).toMatchObject([{ anomaly: true }]);
    },
    TEST_MS,
  );

  test(
    "plot draws a model, a forecast after its past, and a bucket",
    async () => {
      const range = `-f ${at(SPIKE - DAY)} -t ${at(SPIKE + 4)}`;
      const chart = await ok(`plot web ${range}`);
      expect(chart).toStartWith("load (UTC): line observed, dots expected, shade the band\n");
      expect(chart).toMatch(/[\u2801-\u28ff]/);
      expect(chart).toMatch(/^anomaly │ +▀/m);
      expect(chart).not.toContain("\x1b");
      expect((await torus(`plot web ${range}`, { isTty: true })).out).toContain("\x1b[");
      expect((await torus(`plot web ${range} --no-color`, { isTty: true })).out).not.toContain("\x1b[");

      const next = await json<SeriesResult>(`plot web --forecast -f ${at(8 * DAY)} -t ${at(8 * DAY + 8)}`);
      expect(next.timestamps).toEqual(Array.from({ length: 16 }, (_, i) => at(8 * DAY - 8 + i)));
      expect(await ok(`plot --bucket metrics -F 'max(load)' ${range}`)).toStartWith("max_load (UTC)\n");
      expect((await torus(`plot web ${range} -F laod`)).err).toContain("did you mean load?");
      expect((await torus("plot")).err).toContain("MODEL: is required, or --bucket BUCKET");
      expect((await torus("plot web")).err).toContain("--from: is required");
    },
    TEST_MS,
  );

  test("load-model-version, show-model", async () => {
    expect((await torus("load-model-version web -v 00")).err).toBe("web now uses version 00\n");
    expect((await torus("load-model-version web --version 07")).code).toBe(1);
    expect(await ok("show-model web")).toMatch(/^settings:\n {2}name: web\n/);
    expect(await json("show-model web web")).toMatchObject([{ state: { trained: true } }, {}]);
    const text = await ok("show-model web");
    expect(text).toMatch(/^# web is trained: 672 points, span 24, loss \S+$/m);
    expect(text).toMatch(/^# thresholds: \d+\.\d starts an anomaly, \d+\.\d ends it \(automatic\)$/m);
    expect(text).toEndWith("# not live\n");
  });

  test("a job that fails is exit code 1, with its reason", async () => {
    const { code, out, err } = await torus("train-model web -f 2020-01-01 -t 2020-02-01");
    expect([code, out]).toEqual([1, ""]);
    expect(err).toMatch(/^torus: training job failed: no data found for time range/m);
    expect(await ok("show-model web")).toMatch(/^# the last training failed: no data found for time range/m);
  });

  test(
    "train-model '*' trains every model; an interrupt cancels the job on the server",
    async () => {
      const started = Promise.withResolvers<() => void>();
      const training = torus(`train-model '*' -f ${START} -t ${at(9 * DAY)} -e 100000`, {
        onReady: started.resolve,
      });
      const interrupt = await started.promise;
      const running = () => json<{ state: string }[]>("list-jobs --active");
      while ((await running())[0]?.state !== "running") await Bun.sleep(20);
      interrupt();
      const { code, err } = await training;
      expect(code).toBe(130);
      expect(err).toMatch(/^torus: canceled job [0-9a-f-]{36}$/m);
      expect(await running()).toEqual([]);
    },
    TEST_MS,
  );

  test("train-model '*' --json prints one document", async () => {
    const range = `-f ${START} -t ${at(3 * DAY)} -m 1 -e 1`;
    const jobs = await json<{ type: string }[]>(`train-model '*' ${range}`);
    expect(jobs).toMatchObject([{ type: "training", state: "done" }]);
    const ids = await json<string[]>(`train-model '*' ${range} --detach`);
    expect(ids).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/)]);
    await ok(`show-job ${ids[0]} --wait`);
    expect(await json<unknown[]>("list-jobs -i", { isTty: true })).not.toEqual([]);
  });

  test(
    "train-model '*' goes on after a failure; 'a;b' is a list",
    async () => {
      await ok("create-bucket -", { input: '{"name": "void", "type": "local"}' });
      const empty = model.replace("name: web", "name: bare").replace("bucket: metrics", "bucket: void");
      await ok("create-model -", { input: empty });
      await ok("create-model -", { input: model.replace("name: web", "name: also") });
      const range = `-f ${START} -t ${at(3 * DAY)} -m 1 -e 1`;
      const every = await torus(`train-model '*' ${range}`);
      expect([every.code, every.out]).toEqual([1, ""]);
      expect(every.err).toMatch(/^torus: bare: training job failed: no data found/m);
      expect(every.err).toMatch(/^trained also in /m);
      expect(every.err).toMatch(/^trained web in /m);
      expect(every.err).toEndWith("torus: trained 2 of 3 models; failed: bare\n");
      const raw = await torus(`train-model '*' ${range} --json`);
      expect(raw.code).toBe(1);
      expect(JSON.parse(raw.out)).toMatchObject([{ model: "also" }, { model: "web" }]);

      const both = await torus(`train-model 'web;also' ${range}`);
      expect(both.code).toBe(0);
      expect(both.err).toMatch(/^trained web in [\s\S]*^trained also in /m);
      const before = (await json<unknown[]>("list-jobs")).length;
      const unknown = await torus(`train-model 'web;none' ${range}`);
      expect([unknown.code, unknown.err]).toEqual([1, "torus: model none does not exist\n"]);
      expect(await json<unknown[]>("list-jobs")).toHaveLength(before);

      const started = await torus("start-model '*' --anomalies");
      expect([started.code, started.out]).toEqual([1, ""]);
      expect(started.err).toMatch(/^torus: bare: .*not trained/m);
      expect(started.err).toEndWith("torus: started 2 of 3 models; failed: bare\n");
      expect((await torus("stop-model 'web;also'")).err).toBe("stopped web, also\n");
      expect((await torus("delete-model 'bare;also'")).err).toBe("deleted bare, also\n");
      await ok("delete-bucket void");
    },
    TEST_MS,
  );

  test("templates: create, list, show, fill in, delete", async () => {
    const file = makeFile("template.yml", model.replace("name: web", "name: '{{host}}_load'"));
    await ok(`create-template host_load ${file}`);
    expect(await ok("list-model-templates")).toMatch(/^host_load +host$/m);
    expect(await ok("show-template host_load")).toContain("{{host}}_load");
    const params = '{"host": "db"}';
    expect((await torus("create-model -t host_load -", { input: params })).err).toBe(
      "created model db_load\n",
    );
    expect((await torus("create-model -f -t host_load -", { input: params })).code).toBe(0);
    expect(await ok("list-models -q")).toBe("db_load\nweb\n");
    await ok("delete-model db_load");
    await ok("delete-template host_load");
    expect((await torus("list-templates")).err).toBe("no templates yet: torus create-template\n");
  });

  test(
    "export-model and import-model carry what was learned",
    async () => {
      const file = join(dir, "web.json");
      await ok(`export-model web ${file}`);
      expect(statSync(file).mode & 0o777).toBe(0o600);
      await ok(`import-model ${file} --name copy`);
      const range = `-f ${at(SPIKE - 4)} -t ${at(SPIKE + 1)} -a`;
      expect(await json(`eval-model copy ${range}`)).toEqual(await json(`eval-model web ${range}`));
      await ok("delete-model copy");
      const onnx = await json<{ bytes: number }>(`export-model web ${join(dir, "web.onnx")} --onnx`);
      expect(onnx.bytes).toBe(statSync(join(dir, "web.onnx")).size);
    },
    TEST_MS,
  );

  test(
    "backtest shows episodes, thresholds and how they fit the labels",
    async () => {
      const range = `-f ${START} -t ${at(POINTS)} --train-to ${at(7 * DAY)} -m 1 -e 10`;
      const labels = makeFile("labels.csv", `from,to\n${at(SPIKE - 1)},${at(SPIKE + 2)}\n`);
      const text = await ok(`backtest web ${range} --labels ${labels} --plot`);
      expect(text).toMatch(
        /^trained on {4}2026-01-05 00:00:00 to 2026-01-12 00:00:00 UTC: 672 points, span 24$/m,
      );
      expect(text).toMatch(/^START \(UTC\) +END \(UTC\) +PEAK +FEATURE +EXPECTED +OBSERVED$/m);
      expect(text).toMatch(/ load .* true$/m);
      expect(text).toMatch(/^THRESHOLD +EPISODES +PER WEEK +PRECISION +RECALL +F1$/m);
      expect(text).toMatch(/ effective$/m);
      expect(text).toContain("1 of 1 labels found");
      expect(text).toMatch(/^score \(UTC\)$/m);
      const raw = await json<{ labels: { found: number } }>(
        `backtest web ${range} --label ${at(SPIKE)}..${at(SPIKE + 1)}`,
      );
      expect(raw.labels.found).toBe(1);
      expect((await torus(`backtest web ${range} --label 2026-01-14`)).err).toContain("<start>..<end>");
    },
    TEST_MS,
  );
});

describe("live detection", () => {
  test("health", async () => {
    expect(await torus("health")).toMatchObject({ code: 0, out: "ready\n" });
    expect(await json("health")).toMatchObject({ ready: true });
  });

  test("start-model, stop-model, list-anomalies", async () => {
    await ok("start-model web --anomalies");
    expect(await ok("list-models")).toMatch(/trained, live/);
    await ok("stop-model web");
    expect((await torus("start-model web")).err).toBe(
      "started without detection web\nno anomaly will be recorded: --anomalies turns detection on\n",
    );
    await ok("stop-model web");
    expect((await torus("stop-model web")).code).toBe(1);
    const anomalies = await torus("list-anomalies web --from now-1d");
    expect([anomalies.out, anomalies.err]).toEqual(["", "no anomalies\n"]);
    expect(await json("list-anomalies")).toEqual([]);
    expect(await json("list-anomalies --state open --min-score 90 --limit 1000")).toEqual([]);
    expect((await torus("list-anomalies --state over")).err).toContain("must be one of open, closed");
  });

  test("list-anomalies shows how rare the peak was, and how far off", async () => {
    const f = { type: "high", score: 100, observed: 93.4, predicted: 10, lower: 8, upper: 12 } as const;
    const peak = { f: { ...f, factor: 41.7, rarity: 7.24 } };
    const found = {
      id: "e",
      origin: "live",
      model: "rare",
      start: 0,
      end: null,
      peak_score: 100,
      peak_rarity: 7.24,
    };
    const stub = Bun.serve({ port: 0, fetch: () => Response.json([{ ...found, features: { f }, peak }]) });
    const shown = await ok("list-anomalies", { env: { TORUS_ADDR: `http://localhost:${stub.port}` } });
    await stub.stop(true);
    expect(shown).toMatch(/ONE IN.*\n.*100\.0 +10\^7\.2 +f too high \(41\.7 x\)/);
  });

  test("feedback asks for one answer, and says where there is no such anomaly", async () => {
    for (const flags of ["", "--true --false"]) {
      const { code, err } = await torus(`feedback web some-id ${flags}`);
      expect([code, err.includes("give one of them")]).toEqual([2, true]);
    }
    const { code, err } = await torus("feedback web some-id --false --note batch");
    expect([code, err.includes("model web has no anomaly some-id")]).toEqual([1, true]);
  });

  test(
    "hooks: create, list, show, test, delete",
    async () => {
      const hook =
        '{"name": "marks", "type": "annotations", "config": {"type": "anomaly", "bucket": "metrics"}}';
      await ok("create-hook web -", { input: hook });
      expect((await torus("create-hook web -", { input: hook })).err).toContain("--force replaces it");
      await ok("create-hook web - --force", { input: hook });
      expect(await ok("list-hooks web")).toMatch(/^marks +annotations$/m);
      const told = await ok("test-hook web marks");
      expect(told).toMatch(/anomaly_start +sent/);
      expect(told).toMatch(/anomaly_end +sent/);
      expect(await ok("show-hook web marks")).toContain("deliveries:");
      await ok("delete-hook web marks");
      expect(await json("list-hooks web")).toEqual([]);
    },
    TEST_MS,
  );

  test(
    "hooks --global: create, list, show, test, delete",
    async () => {
      const hook = {
        name: "all.marks",
        type: "annotations",
        config: { type: "torus", bucket: "w" },
        selector: { models: ["web*"], tags: { host: "web" } },
      };
      const input = JSON.stringify(hook);
      expect((await torus("list-hooks")).err).toContain("create-hook --global FILE");
      await ok("create-hook --global -", { input });
      expect((await torus("create-hook --global -", { input })).err).toContain("--force replaces it");
      await ok("create-hook --global - --force", { input });
      expect(await ok("list-hooks --global")).toMatch(/^all\.marks +annotations +web\*, host=web$/m);
      expect(await ok("list-hooks -q")).toBe("all.marks\n");
      expect(await json("list-hooks web")).toEqual([]);
      expect(await ok("show-hook --global all.marks")).toContain("selector:");
      expect((await torus("test-hook --global all.marks")).out).toContain("anomaly_start");
      expect((await torus("test-hook --global web all.marks")).err).toContain("is not allowed with --global");
      expect((await torus("show-hook web")).err).toContain("HOOK: is missing");
      expect((await torus("create-hook --global")).err).toContain("FILE: is missing");
      expect((await torus("delete-hook")).err).toContain("MODEL: is missing");
      await ok("delete-hook --global all.marks");
      expect(await json("list-hooks")).toEqual([]);
    },
    TEST_MS,
  );

  test(
    "test-hook is exit code 1 where the hook cannot be told",
    async () => {
      const hook = { name: "gone", type: "alertmanager", config: { url: "http://127.0.0.1:1/" } };
      await ok("create-hook web -", { input: JSON.stringify(hook) });
      const { code, out } = await torus("test-hook web gone");
      expect(code).toBe(1);
      expect(out).toMatch(/anomaly_start +(waiting|rejected)/);
      await ok("delete-hook web gone");
    },
    TEST_MS,
  );
});

describe("jobs", () => {
  test("list-jobs, show-job, cancel-job", async () => {
    const jobs = await json<{ id: string; type: string; state: string }[]>("list-jobs");
    expect(new Set(jobs.map(({ type }) => type))).toContain("training");
    const { id } = jobs.find(({ state }) => state === "done")!;
    expect(await ok(`show-job ${id}`)).toContain(`id: ${id}`);
    const again = await torus(`cancel-job ${id}`);
    expect([again.code, again.err]).toEqual([1, "torus: job is already stopped (state = done)\n"]);
    expect(await ok("list-jobs -i")).toMatch(/^ID +TYPE/);
    const trainings = await json<{ type: string }[]>("list-jobs --type training --state done --since now-1d");
    expect(new Set(trainings.map(({ type }) => type))).toEqual(new Set(["training"]));
    expect(await json<unknown[]>("list-jobs --limit 2")).toEqual(jobs.slice(0, 2));
    const wrong = await torus("list-jobs --state ended");
    expect([wrong.code, wrong.err]).toEqual([1, expect.stringContaining("must be one of waiting, running")]);
    expect(await json("list-jobs --model nobody")).toEqual([]);
  });

  test("scheduled jobs: create, list, show, delete", async () => {
    const job = `name: retrain nightly
method: post
relative_url: /models/web/_train
params: {from: now-90d}
every: {unit: day, at: "03:30"}
`;
    await ok("create-scheduled-job -", { input: job });
    expect((await torus("create-scheduled-job -", { input: job })).err).toContain("--force replaces it");
    await ok("create-scheduled-job - -f", { input: job });
    expect(await ok("list-scheduled-jobs")).toMatch(
      /^retrain nightly +day at 03:30 +POST \/models\/web\/_train +- +\d{4}-.* 03:30:00 +-$/m,
    );
    expect(await ok("show-scheduled-job 'retrain nightly'")).toContain("name: retrain nightly");
    await ok("delete-scheduled-job 'retrain nightly'");
    expect(await json("list-scheduled-jobs")).toEqual([]);
  });
});

describe("administration", () => {
  test("backup writes an archive that only its owner can read", async () => {
    const file = join(dir, "torus.tar");
    const { bytes } = await json<{ bytes: number }>(`backup ${file}`);
    expect(statSync(file)).toMatchObject({ size: bytes });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file).subarray(257, 262).toString()).toBe("ustar");
    const nowhere = await torus(`backup ${join(dir, "none", "torus.tar")}`);
    expect([nowhere.code, nowhere.err]).toEqual([2, expect.stringContaining("cannot be written (ENOENT)")]);
  });

  test("tokens: the first one locks the door, with it it opens", async () => {
    const created = await torus("token create boss --scope admin");
    const secret = created.out.trim();
    expect(created.err).toContain("it cannot be shown again");
    const refused = await torus("list-models");
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining("--token-file")]);
    const file = makeFile("boss.token", `${secret}\n`);
    const waysIn: [string, TerminalOptions][] = [
      [`list-models --token-file ${file}`, {}],
      [`list-models --token ${secret}`, {}],
      ["list-models", { env: { TORUS_TOKEN: secret } }],
      [`list-models -A ${server.url.replace("//", `//boss:${secret}@`)}`, {}],
    ];
    for (const [line, options] of waysIn) expect((await torus(line, options)).code).toBe(0);
    const login = `--token-file ${file}`;
    await ok(`token create dash --scope read --expires-in 90d ${login}`);
    expect(await ok(`token list ${login}`)).toMatch(/^dash +read +20.* +- +20/m);
    expect((await torus(`token revoke boss ${login}`)).code).toBe(1);
    await ok(`token revoke dash boss ${login}`);
    expect(await json("token list")).toEqual([]);
  });
});

test("--timeout ends a wait for a server that says nothing", async () => {
  const silent = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
  try {
    const { code, err } = await run(`list-models -A 127.0.0.1:${silent.port} --timeout 0.1`);
    expect([code, err]).toEqual([1, expect.stringContaining("no answer within 0.1 s; see --timeout")]);
  } finally {
    silent.stop(true);
  }
});

test("what is no Torus server is told so", async () => {
  const other = await startReceiver();
  try {
    const { code, err } = await run(`list-models -A ${other.url}`);
    expect([code, err]).toEqual([1, expect.stringContaining("is this a Torus server?")]);
  } finally {
    await other.stop();
  }
});
