// Answers in columns on a real process: the values of the JSON, a year of minutes in one call, tokens, abandoned reads.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ForecastView, PredictionView } from "../../src/api/prediction.ts";
import type { ModelSeriesView } from "../../src/api/series.ts";
import { createClient } from "../../src/cli/client/client.ts";
import { aModel } from "../support/builders.ts";
import { temporaryFolder } from "../support/folder.ts";
import { type ServerProcess, startServer } from "../support/server-process.ts";
import { type ArrowContent, readArrow, readCsv } from "../support/tables.ts";

const MINUTE_S = 60;
const YEAR = 525_600;
const STEP_S = 300;
const POINTS = 2000;
const POINTS_PER_WRITE = 100_000;
const ARROW = "application/vnd.apache.arrow.stream";

const dir = temporaryFolder();
const tokens = { admin: "a".repeat(40), reader: "r".repeat(40) };
let server: ServerProcess;
let client: ReturnType<typeof createClient>;

beforeAll(async () => {
  const config = join(dir, "torus.yml");
  const list = [
    { name: "ops", scope: "admin", token: tokens.admin },
    { name: "notebook", scope: "read", token: tokens.reader },
  ];
  writeFileSync(config, JSON.stringify({ server: { auth: { tokens: list } } }));
  server = await startServer({ dataDir: join(dir, "data"), args: ["--config", config] });
  client = createClient({
    baseUrl: server.url,
    fetch: (url, init) => {
      const headers = new Headers(init.headers);
      headers.set("authorization", `Bearer ${tokens.admin}`);
      return fetch(url, { ...init, headers });
    },
    sleep: (ms) => Bun.sleep(ms),
  });
  await client.putBucket({ name: "b", type: "local" });
}, 180_000);
afterAll(() => server.stop());

/** A call of a reader, as notebooks make it. */
function ask(request: string, accept?: string, init: RequestInit = {}): Promise<Response> {
  const [method = "", path = ""] = request.split(" ");
  const headers = { authorization: `Bearer ${tokens.reader}`, ...(accept && { accept }) };
  return fetch(`${server.url}${path}`, { method, headers, ...init });
}

interface Answers<View> {
  readonly json: View;
  readonly csv: readonly Readonly<Record<string, string>>[];
  readonly arrow: ArrowContent;
}

type Columns = Omit<Answers<unknown>, "json">;

/** One request in all formats. */
async function askAll<View>(request: string): Promise<Answers<View>> {
  const json = (await (await ask(request)).json()) as View;
  const [names = [], ...rows] = readCsv(await (await ask(request, "text/csv")).text());
  const csv = rows.map((row) => Object.fromEntries(names.map((name, i) => [name, row[i]!])));
  return { json, csv, arrow: await readArrow(await (await ask(request, ARROW)).bytes()) };
}

/** Both kinds of columns hold these values. */
function expectColumn({ csv, arrow }: Columns, name: string, values: readonly unknown[]): void {
  expect(arrow.columns[name]).toEqual(values as never);
  const read = csv.map((row) => (row[name] === "" ? null : JSON.parse(row[name]!)));
  expect(read).toEqual(values as never);
}

function expectTimes({ csv, arrow }: Columns, seconds: readonly number[]): void {
  expect(arrow.columns.time).toEqual(seconds.map((at) => at * 1000));
  expect(csv.map(({ time }) => Date.parse(time!) / 1000)).toEqual([...seconds]);
}

describe("a model", () => {
  const features = ["load", "temp"].map((name) => ({ name, metric: "avg", field: name }));

  beforeAll(async () => {
    await client.createModel(aModel({ bucket_interval: STEP_S, span: 24, features }));
    const points = Array.from({ length: POINTS }, (_, i) => ({
      timestamp: i * STEP_S,
      load: Math.sin(i / 46),
      ...(i % 9 > 0 && { temp: i / 3 }),
    }));
    await client.waitForJob(await client.write("b", points));
    await client.waitForJob(await client.train("m", { from: 0, to: POINTS * STEP_S, max_evals: 1 }));
  }, 180_000);

  const range = `from=${1000 * STEP_S}&to=${1300 * STEP_S}`;

  test("evaluates to the values of its JSON", async () => {
    const request = `POST /models/m/_eval?${range}&detect_anomalies=true`;
    const { json, ...columns } = await askAll<PredictionView>(request);
    const { timestamps, observed, predicted, stats } = json;
    expectTimes(columns, timestamps);
    for (const name of ["load", "temp"]) {
      expectColumn(columns, `observed_${name}`, observed[name]!);
      expectColumn(columns, `predicted_${name}`, predicted[name]!);
      expectColumn(columns, `lower_${name}`, predicted[`lower_${name}`]!);
      expectColumn(columns, `upper_${name}`, predicted[`upper_${name}`]!);
    }
    expect(observed.temp).toContain(null);
    for (const name of ["score", "mse", "nll", "range_score", "anomaly"] as const)
      expectColumn(
        columns,
        name,
        stats!.map((stat) => stat[name]),
      );
    expect(columns.arrow.metadata).toEqual({ model: "m", version: "00", bucket_interval: "300" });
  });

  test("forecasts the values of its JSON", async () => {
    const request = `POST /models/m/_forecast?from=${POINTS * STEP_S}&to=${(POINTS + 20) * STEP_S}&level=95`;
    const { json, ...columns } = await askAll<ForecastView>(request);
    const { timestamps, predicted, levels } = json;
    expectTimes(columns, timestamps);
    expectColumn(columns, "predicted_load", predicted.load!);
    expectColumn(columns, "upper95_temp", levels!["95"]!.upper_temp!);
    expectColumn(columns, "observed_load", Array(20).fill(null));
  });

  test("has cells with the values of its JSON", async () => {
    const request = `GET /models/m/_series?${range}&points=50&fill=true`;
    const { json, ...columns } = await askAll<{ m: ModelSeriesView }>(request);
    const { from, step, cells, features, expected, score } = json.m;
    expectTimes(
      columns,
      Array.from({ length: cells }, (_, i) => from + i * step),
    );
    expectColumn(columns, "min_temp", features!.temp!.min);
    expectColumn(columns, "expected_load", expected!.load!.mean);
    expectColumn(columns, "score", score!);
  });
});

test("fields and tags keep their names, whatever is in them", async () => {
  const field = 'a "b", c\nd';
  const host = 'x,"y"\r\nz';
  const points = [
    { timestamp: 0, [field]: 0.1 + 0.2, tags: { host } },
    { timestamp: 60, [field]: 5e-324, tags: { host: "" } },
  ];
  await client.putBucket({ name: "names", type: "local" });
  await client.waitForJob(await client.write("names", points));
  const features = encodeURIComponent(`max(${field})`);
  const read = `from=0&to=120&bucket_interval=1m&group_by=host&features=${features}`;
  const request = `POST /buckets/names/_read?${read}`;
  const [names, ...rows] = readCsv(await (await ask(request, "text/csv")).text());
  expect(names).toEqual(["time", "host", `max_${field}`]);
  expect(rows.map((row) => row.slice(1))).toEqual([
    ["", ""],
    ["", "5e-324"],
    [host, "0.30000000000000004"],
    [host, ""],
  ]);
  const { columns } = await readArrow(await (await ask(request, ARROW)).bytes());
  expect(columns.host).toEqual(["", "", host, host]);
  expect(columns[`max_${field}`]).toEqual([null, 5e-324, 0.30000000000000004, null]);
});

describe("a year of minutes", () => {
  const read = `POST /buckets/year/_read?from=0&to=${YEAR * MINUTE_S}&bucket_interval=1m&features=avg(v)`;
  const valueAt = (i: number) => (i % 1000 === 0 ? null : Math.sin(i / 100) * i);

  beforeAll(async () => {
    await client.putBucket({ name: "year", type: "local" });
    for (let from = 0; from < YEAR; from += POINTS_PER_WRITE) {
      const count = Math.min(POINTS_PER_WRITE, YEAR - from);
      const all = Array.from({ length: count }, (_, i) => ({
        timestamp: (from + i) * MINUTE_S,
        v: valueAt(from + i),
      }));
      await client.waitForJob(
        await client.write(
          "year",
          all.filter(({ v }) => v !== null),
        ),
      );
    }
  }, 180_000);

  test("is one call, in batches, while others are answered", async () => {
    let answered = 0;
    const state = { isDone: false };
    const others = (async () => {
      while (!state.isDone) if ((await fetch(`${server.url}/livez`)).ok) answered++;
    })();
    const { batches, columns } = await readArrow(await (await ask(read, ARROW)).bytes());
    state.isDone = true;
    await others;
    expect(Math.max(...batches)).toBe(65_536);
    expect(columns.time!.length).toBe(YEAR);
    expect(columns.time!.at(-1)).toBe((YEAR - 1) * MINUTE_S * 1000);
    expect(columns.avg_v).toEqual(Array.from({ length: YEAR }, (_, i) => valueAt(i)));
    expect(answered).toBeGreaterThan(10);
  }, 180_000);

  test("has the same values as CSV", async () => {
    const lines = (await (await ask(read, "text/csv")).text()).trimEnd().split("\r\n");
    expect(lines).toHaveLength(YEAR + 1);
    const values = lines.slice(1).map((line) => line.slice(line.indexOf(",") + 1));
    const found = values.map((value) => (value === "" ? null : Number(value)));
    expect(found).toEqual(Array.from({ length: YEAR }, (_, i) => valueAt(i)));
  }, 180_000);

  test("abandoned in the middle hinders nobody", async () => {
    for (const accept of ["text/csv", ARROW]) {
      const leaving = new AbortController();
      const response = await ask(read, accept, { signal: leaving.signal });
      await response.body!.getReader().read();
      leaving.abort();
    }
    expect((await fetch(`${server.url}/livez`)).status).toBe(200);
    const jobs = await client.call<{ state: string }[]>("GET /jobs", { query: { state: "running" } });
    expect(jobs).toEqual([]);
  }, 180_000);
});

describe("tokens", () => {
  const request = "/buckets/b/_read?from=0&to=300&bucket_interval=1m&features=avg(load)";

  test("reading suffices", async () => {
    expect((await ask(`POST ${request}`, ARROW)).status).toBe(200);
  });

  test("without one the answer is a problem in JSON", async () => {
    const response = await fetch(`${server.url}${request}`, { method: "POST", headers: { accept: ARROW } });
    expect(response.status).toBe(401);
    expect(response.headers.get("content-type")).toBe("application/json");
  });

  test("reading does not suffice where an evaluation records", async () => {
    const path = "/models/m/_eval?from=0&to=3000&detect_anomalies=true&record=true";
    expect((await ask(`POST ${path}`, "text/csv")).status).toBe(403);
  });
});
