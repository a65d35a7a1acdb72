// Commands of buckets, and the files they read.
import { expect, test } from "bun:test";
import type { SeriesResult } from "../../../src/cli/client/views.ts";
import { at, DAY, makeCsv, POINTS, START } from "../load-series.ts";
import { useSession } from "../session.ts";

const session = useSession();
const { torus, ok, json, makeFile } = session;

test("import-csv creates the bucket and reports the written points", async () => {
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

test("read-bucket by series: a row per series and interval", async () => {
  const range = `-f ${START} -t ${at(8)} -i 1h -F 'count(load)' --group-by host`;
  const lines = (await ok(`read-bucket metrics ${range}`)).split("\n");
  expect(lines[0]).toMatch(/^HOST +TIME \(UTC\) +COUNT_LOAD$/);
  expect(lines[1]).toMatch(/2026-01-05 00:00:00 +4$/);
  expect(await json(`read-bucket metrics ${range}`)).toMatchObject({ truncated: false });
  expect((await torus(`read-bucket metrics ${range} --max-series 0`)).err).toContain("max_series");
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
  const chart = await ok(`plot --bucket metrics -F 'max(load)' -f ${START} -t ${at(DAY)} --tz Europe/Berlin`);
  expect(chart).toStartWith("max_load (Europe/Berlin)\n");
  expect(chart).toMatch(/^ {12}03:00 /m);
});

test("read-bucket --detach prints the id of the job; show-job waits for it", async () => {
  const id = (await ok(`read-bucket metrics -f ${START} -t ${at(4)} -i 1h -F 'sum(load)' --bg`)).trim();
  expect(id).toMatch(/^[0-9a-f-]{36}$/);
  expect(await json(`show-job ${id} --wait`)).toMatchObject([{ id, type: "read", state: "done" }]);
});

test("every invalid field is reported on its own line", async () => {
  const file = makeFile("bad.json", '{"name": "bad", "type": "local", "retention": "soon", "zzz": 1}');
  const { code, err } = await torus(`create-bucket ${file}`);
  expect([code, err.split("\n").map((line) => line.split(/;|,/)[0])]).toEqual([
    4,
    [
      "torus: zzz is unknown",
      "retention: must be a duration longer than 0: numbers and units (ms s m h d w M y)",
      "",
    ],
  ]);
});

test("bucket names may be a host with its port", async () => {
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
    "wrote 1 point to other\ndropped 3 points older than the retention of the bucket\n",
  );
  await ok("delete-bucket other");
  expect((await torus("show-bucket other")).err).toBe("torus: bucket other does not exist\n");
});

test("test-bucket shows the data source; exit code 1 if it does not answer", async () => {
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

test("an unreadable file creates no bucket", async () => {
  for (const input of ["", "time,a\n2026-01-01,1\n2026-01-02,x\n"])
    expect((await torus("import-csv - -b unborn", { input })).code).toBe(2);
  expect((await torus("show-bucket unborn")).code).toBe(3);
});

test("settings may begin with a byte order mark; an unknown YAML anchor is an error", async () => {
  await ok(`create-bucket ${makeFile("bom.json", '\ufeff{"name": "bom", "type": "local"}')}`);
  await ok("delete-bucket bom");
  const anchor = await torus(`create-bucket ${makeFile("anchor.yml", "name: *all\n")}`);
  expect([anchor.code, anchor.err]).toEqual([
    2,
    expect.stringMatching(/anchor\.yml: is neither JSON nor YAML: an alias has no anchor.* begin with \*\n$/),
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

test("malformed input is reported with its position, exit code 2", async () => {
  const bad = await torus("import-csv - -b metrics", { input: "time,a\n2026-01-01,1\n2026-01-02,x\n" });
  expect([bad.code, bad.err]).toEqual([
    2,
    'torus: line 3: column a holds "x", no number: --missing "x" reads it as missing, --columns names the columns to read\n',
  ]);
  const text = await torus("write-bucket metrics", { input: "{}" });
  expect([text.code, text.err]).toEqual([
    2,
    "torus: -: must hold a list of points: [{timestamp, <field>: value}]\n",
  ]);
});
