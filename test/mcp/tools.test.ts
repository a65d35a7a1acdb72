// Each tool of the assistant interface on real data, called by the client of the protocol's own SDK.
import { beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { Listed } from "../../src/core/input/listed.ts";
import type { ToolContext } from "../../src/mcp/tool.ts";
import { findTool, tools } from "../../src/mcp/tools/index.ts";
import { isoOf } from "../../src/mcp/views/values.ts";
import { aModel } from "../support/builders.ts";
import { call, END_S, makePoints, secrets, spike, useMcpWorld } from "./world.ts";

setDefaultTimeout(180_000);
const world = useMcpWorld();
world.fill();

let client: Client;
beforeAll(async () => {
  client = await world.connect("admin");
});

const called = new Set<string>();
/** Calls a tool that must succeed; its two texts are the summary and the data as JSON. */
async function use(name: string, input: object = {}) {
  called.add(name);
  const { isError, texts, data } = await call(client, name, input);
  expect([name, isError, isError ? texts : []]).toEqual([name, false, []]);
  expect(JSON.parse(texts[1]!)).toEqual(data);
  for (const secret of Object.values(secrets)) expect(JSON.stringify(texts)).not.toContain(secret);
  return { summary: texts[0]!, data };
}

const refuse = async (name: string, input: object) => {
  const { isError, texts, data } = await call(client, name, input);
  expect([name, isError]).toEqual([name, true]);
  expect(texts[0]).toStartWith(`${data.code}: `);
  return data as { code: string; message: string; path?: string; [key: string]: unknown };
};

async function findAnomaly(): Promise<string> {
  const { data } = await use("list_anomalies", { model: "m", min_score: 50 });
  return data.anomalies[0].id as string;
}

describe("list_models", () => {
  test("shows the state of each, and how many have it", async () => {
    const { summary, data } = await use("list_models");
    expect(data).toMatchObject({ total: 1, page: 0, left_out: 0, models: [{ name: "m" }] });
    expect(["stopped", "live"]).toContain(data.models[0].state);
    expect(summary).toStartWith("1 model, 1 on this page");
  });

  test("pages, and says how many are left out", async () => {
    for (const name of ["p1", "p2"]) await world.rest().createModel(aModel({ name }));
    const { data } = await use("list_models", { per_page: 1, state: ["untrained"] });
    expect(data).toMatchObject({ total: 2, left_out: 1, next_page: 1, models: [{ name: "p1" }] });
    const next = await use("list_models", { per_page: 1, page: 1, state: ["untrained"], name_contains: "P" });
    expect(next.data).toMatchObject({ total: 2, left_out: 0, models: [{ name: "p2" }] });
    expect(next.data.next_page).toBeUndefined();
    await world.rest().call("DELETE /models/p1;p2", { status: 204 });
  });

  test("refuses a state by name and rule", async () => {
    expect(await refuse("list_models", { state: ["broken"] })).toMatchObject({
      code: "invalid",
      path: "state.0",
      message: expect.stringContaining("must be one of anomaly, failing"),
    });
  });
});

test("show_model has settings, what the training learned, and no empty keys", async () => {
  const { data } = await use("show_model", { model: "m" });
  expect(data).toMatchObject({
    name: "m",
    settings: { default_bucket: "b", span: 12 },
    training: { trained: true, span: 12, thresholds: { source: "automatic" } },
    last_training_job: { state: "done" },
  });
  expect(Object.values(data.settings)).not.toContain(null);
  expect(await refuse("show_model", { model: "none" })).toMatchObject({ code: "not_found" });
});

describe("anomalies", () => {
  test("list_anomalies shows them newest first, with the features", async () => {
    const { data } = await use("list_anomalies", { state: "closed" });
    expect(data.total).toBeGreaterThan(0);
    expect(data.anomalies[0]).toMatchObject({
      model: "m",
      start: expect.stringMatching(/^1970-01-01T0\d:\d\d:00Z$/),
      features: { x: expect.stringMatching(/^(high|low)$/) },
      origin: "evaluation",
    });
    const none = await use("list_anomalies", { from: END_S + 1e6 });
    expect(none.data).toMatchObject({ anomalies: [], total: 0, left_out: 0 });
  });

  test("explain_anomaly has the numbers of the peak", async () => {
    const { summary, data } = await use("explain_anomaly", { id: await findAnomaly() });
    const { x } = data.at_peak;
    expect(x).toMatchObject({ direction: "high", observed: spike.value });
    expect(x.band[0]).toBeLessThanOrEqual(x.expected);
    expect(x.band[1]).toBeLessThan(spike.value);
    const shares = Object.values<number>(x.contributions).reduce((sum, share) => sum + share, 0);
    expect(shares).toBeCloseTo(1, 2);
    expect(data.thresholds_now.max).toBeGreaterThan(data.thresholds_now.min);
    expect(data).toMatchObject({ model: "m", notifications: [], severity: expect.any(String) });
    expect(summary).toContain("x was 9, too high: expected ");
    expect(await refuse("explain_anomaly", { id: "none" })).toMatchObject({ code: "not_found" });
  });

  test("explain_anomaly names the change before it", async () => {
    const id = await findAnomaly();
    const at = spike.from - 240;
    await world.rest().call("POST /changes", { body: { id: "c", title: "web 2", at }, status: 201 });
    const { summary, data } = await use("explain_anomaly", { id });
    expect(summary).toContain("It began 4 min after deploy web 2. At its peak: ");
    expect(data.changes_before).toMatchObject([{ id: "c", at: isoOf(at), seconds_before: 240 }]);
  });

  test("give_feedback stores the verdict with its note", async () => {
    const id = await findAnomaly();
    await use("give_feedback", { id, anomaly: false, note: "a test" });
    const { data } = await use("explain_anomaly", { id });
    expect(data.feedback).toEqual({ anomaly: false, note: "a test" });
    expect(await refuse("give_feedback", { id })).toMatchObject({ path: "anomaly", code: "invalid" });
  });
});

describe("find_cause", () => {
  test("says that nothing else was there to move", async () => {
    const { summary, data } = await use("find_cause", { id: await findAnomaly() });
    expect(summary).toBe("There was no other series to look at.");
    expect(data).toMatchObject({ moved_first_itself: 1, related: [] });
  });

  test("refuses an anomaly that is not there", async () => {
    expect(await refuse("find_cause", { id: "none" })).toMatchObject({ code: "not_found" });
  });

  test("of a range has what moved together", async () => {
    const range = { from: 0, to: END_S };
    const { data } = await use("find_cause", range);
    expect(data).toMatchObject({ watched: expect.any(Number), related: expect.any(Array) });
    const tagged = await use("find_cause", { ...range, tags: "host:a" });
    expect(tagged.data.related).toEqual([]);
    expect((await use("find_cause")).data.related).toEqual([]);
    expect(await refuse("find_cause", { id: "none", to: 5 })).toMatchObject({ path: "to", code: "invalid" });
  });
});

describe("list_changes", () => {
  test("lists them with instants, newest first", async () => {
    const changes = [10, 20].map((at) => ({
      id: `l${at}`,
      title: `list ${at}`,
      at,
      end: at + 5,
      kind: "listed",
    }));
    for (const body of changes) await world.rest().call("POST /changes", { body, status: 201 });
    const { summary, data } = await use("list_changes", { kind: "listed", per_page: 1 });
    expect(summary).toBe("2 matching; 1 on this page. The newest: list 20, 1970-01-01T00:00:20Z.");
    expect(data).toMatchObject({ total: 2, left_out: 1, next_page: 1 });
    expect(data.changes).toEqual([
      { id: "l20", title: "list 20", kind: "listed", tags: {}, at: isoOf(20), end: isoOf(25) },
    ]);
    const next = await use("list_changes", { kind: "listed", per_page: 1, page: 1 });
    expect(next.summary).toBe("2 matching; 1 on this page.");
    const { data: none } = await use("list_changes", { tags: "service:none" });
    expect(none).toMatchObject({ changes: [], total: 0 });
    expect(await refuse("list_changes", { from: "soon" })).toMatchObject({ code: "invalid" });
  });
});

describe("report", () => {
  test("says in words what happened in the range", async () => {
    const { summary, data } = await use("report", { from: 0, to: END_S });
    expect(summary).toStartWith("Torus: 1970-01-01");
    expect(data.text).toContain(summary);
    expect(data.text.split("\n\n").length).toBeGreaterThan(3);
    expect(await refuse("report", { from: "now-1y" })).toMatchObject({ path: "from", code: "invalid" });
  });
});

describe("capacity", () => {
  test("lists what runs full with instants; nothing on a server without limits", async () => {
    const { summary, data } = await use("capacity", { within: "30d" });
    expect(data).toMatchObject({ capacity: [], total: 0 });
    expect(summary).toBe("0 matching; 0 on this page.");
    expect(await refuse("capacity", { within: "soon" })).toMatchObject({ code: "invalid" });
    const entry = {
      model: "disk",
      series: { host: "a" },
      feature: "used",
      predictable: true,
      date: 86_400,
      earliest: 0,
      latest: null,
    };
    const list = async () => new Listed([{ ...entry, made: 0 }]);
    const context = { capacity: { list } } as unknown as ToolContext;
    const found = await findTool("capacity")!.run({}, context);
    expect(found.summary).toEndWith("The earliest: used of disk (host=a), 1970-01-02T00:00:00.000Z.");
    expect(found.data.capacity).toMatchObject([{ date: "1970-01-02T00:00:00.000Z", latest: null }]);
  });
});

describe("error_budgets", () => {
  test("lists what is left with instants; nothing on a server without budgets", async () => {
    const { summary, data } = await use("error_budgets", {});
    expect(data).toMatchObject({ budgets: [], total: 0 });
    expect(summary).toBe("0 matching; 0 on this page.");
    const exhaustion = { outlook: "expected", date: 86_400, latest: null };
    const entry = {
      model: "web",
      feature: "burn",
      exhaustion,
      reasons: ["5 % are left", "fast burn"],
      made: 0,
    };
    const context = { budgets: { list: async () => new Listed([entry]) } } as unknown as ToolContext;
    const found = await findTool("error_budgets")!.run({}, context);
    expect(found.summary).toEndWith("The worst: burn of web: 5 % are left.");
    expect(found.data.budgets).toMatchObject([
      { exhaustion: { outlook: "expected", date: "1970-01-02T00:00:00.000Z", latest: null } },
    ]);
  });
});

describe("forecast", () => {
  test("has a row per interval, and the extremes in words", async () => {
    const input = { model: "m", from: END_S, to: END_S + 600 };
    const { summary, data } = await use("forecast", input);
    const { columns, rows, intervals_per_row: size } = data.features.x;
    expect(columns).toEqual(["time", "expected", "lower", "upper"]);
    expect([rows.length, size, rows[0][0]]).toEqual([10, 1, "1970-01-01T05:00:00Z"]);
    for (const [, expected, lower, upper] of rows) expect(lower <= expected && expected <= upper).toBe(true);
    expect(summary).toMatch(/^10 intervals\. x is expected lowest with .+, highest with /);
  });

  test("folds a long one, and says when a bound is broken", async () => {
    const input = { model: "m", from: END_S, to: END_S + 6000, rows: 7, constraint: "x:high:1000" };
    const { summary, data } = await use("forecast", input);
    expect(data.features.x).toMatchObject({ intervals_per_row: 15, rows: { length: 7 } });
    expect(data.constraint).toMatchObject({ feature: "x", first_date: null });
    expect(summary).toContain("x is first above 1000 not within the range");
  });

  test("a series of a model without any is refused", async () => {
    expect(await refuse("forecast", { model: "m", series: "host:a" })).toMatchObject({
      code: "not_supported",
    });
  });
});

describe("detect_points", () => {
  const series = makePoints().map(({ value }) => ({ value }));

  test("shows the anomalous points by their index", async () => {
    const { summary, data } = await use("detect_points", { series, maxAnomalyRatio: 0.1 });
    expect(data).toMatchObject({ points: 300, left_out: 0 });
    const indexes = data.anomalies.map(({ index }: { index: number }) => index);
    expect(indexes).toContain(spike.from / 60);
    expect(data.anomalies[0]).toMatchObject({ value: 9, direction: "high" });
    expect(summary).toStartWith(`${data.anomalous} of 300 points anomalous`);
  });

  test("says why a point within its band is one", async () => {
    const stuck = series.map((point, i) => (i >= 200 && i < 240 ? { value: series[200]!.value } : point));
    const reason = "the same value for 40 points, elsewhere for at most 1";
    const { data } = await use("detect_points", { series: stuck });
    expect(data.anomalies).toContainEqual(expect.objectContaining({ index: 220, reason }));
    const last = await use("detect_points", { series: stuck.slice(0, 240), mode: "last" });
    expect(last.data).toMatchObject({ is_anomaly: true, reason });
  });

  test("judges the last point alone, with its time", async () => {
    const timed = makePoints().map(({ timestamp, value }) => ({ timestamp, value }));
    const { data } = await use("detect_points", {
      series: [...timed.slice(0, 200), { timestamp: 12_000, value: 50 }],
      mode: "last",
    });
    expect(data).toMatchObject({
      is_anomaly: true,
      direction: "high",
      time: "1970-01-01T03:20:00Z",
      value: 50,
    });
  });

  test("the ensemble runs as a job, and its answer is the same", async () => {
    const { data } = await use("detect_points", { series, detector: "ensemble" });
    expect(data.points).toBe(300);
  });

  test("more than fifty are cut to those with the highest scores", async () => {
    const noisy = Array.from({ length: 400 }, (_, i) => ({
      value: i % 4 === 0 && i > 100 ? 100 + i : Math.sin(i),
    }));
    const { data } = await use("detect_points", {
      series: noisy,
      maxAnomalyRatio: 0.4,
      period: 0,
      sensitivity: 99,
    });
    expect(data.anomalies.length).toBe(Math.min(50, data.anomalous));
    expect(data.left_out).toBe(data.anomalous - data.anomalies.length);
    expect(data.left_out).toBeGreaterThan(0);
  });

  test.each([
    ["series", { series: [] }, "too_little_data"],
    ["series.0.value", { series: series.map(() => ({ value: "x" })) }, "invalid"],
    ["sensitivity", { series, sensitivity: 500 }, "invalid"],
  ])("refuses %s", async (path, input, code) => {
    expect(await refuse("detect_points", input)).toMatchObject({ path, code });
  });
});

describe("buckets", () => {
  test("list_buckets shows settings without secrets", async () => {
    const { data } = await use("list_buckets");
    expect(data.buckets).toMatchObject([
      { name: "b", type: "local" },
      { name: "far", type: "influxdb", database: "d" },
    ]);
  });

  test("explore_bucket names fields and the times of points", async () => {
    const { data } = await use("explore_bucket", { bucket: "b" });
    expect(data.measurements[0]).toMatchObject({ fields: [{ name: "x" }], first: "1970-01-01T00:00:00Z" });
  });

  test("read_bucket cuts long answers, and says where they go on", async () => {
    const input = {
      bucket: "b",
      from: 0,
      to: 3600,
      bucket_interval: "1m",
      features: "avg(x);count(x)",
      rows: 10,
    };
    const { data } = await use("read_bucket", input);
    expect(data).toMatchObject({
      columns: ["time", "avg_x", "count_x"],
      left_out: 50,
      next_from: "1970-01-01T00:10:00Z",
    });
    expect(data.rows[0]).toEqual(["1970-01-01T00:00:00Z", 0, 1]);
    expect(data.rows[1]).toEqual(["1970-01-01T00:01:00Z", 0.2474, 1]);
    const rest = await use("read_bucket", { ...input, from: data.next_from, rows: 100 });
    expect(rest.data).toMatchObject({ left_out: 0, rows: { length: 50 } });
  });

  test("read_bucket parts series by tags, with as many rows in all", async () => {
    const tagged = [0, 1, 2].map((i) => ({ timestamp: i * 60, y: i, tags: { host: i < 2 ? "a" : "c" } }));
    await world.rest().waitForJob(await world.rest().write("b", tagged));
    const input = {
      bucket: "b",
      from: 0,
      to: 180,
      bucket_interval: "1m",
      features: "avg(y)",
      group_by: "host",
    };
    const { data } = await use("read_bucket", { ...input, rows: 2 });
    expect(data).toMatchObject({
      truncated: false,
      series: [{ tags: { host: "a" } }, { tags: { host: "c" } }],
    });
    expect(data.series[0]).toMatchObject({ rows: { length: 1 }, left_out: 2 });
    const one = await use("read_bucket", { ...input, max_series: 1 });
    expect(one.data).toMatchObject({ truncated: true, series: { length: 1 } });
  });

  test("an unreachable source is an error with its code, not its password", async () => {
    const input = { bucket: "far", from: 0, to: 60, bucket_interval: "1m", features: "avg(x)" };
    const problem = await refuse("read_bucket", input);
    expect(problem.code).toStartWith("bucket_");
    expect(JSON.stringify(problem)).not.toContain(secrets.password);
  });
});

describe("a model from its creation to live detection", () => {
  test("create, train, start, mute, stop", async () => {
    const settings = aModel({ name: "own", span: 12, features: [{ name: "x", metric: "avg", field: "x" }] });
    expect((await use("create_model", settings)).data).toMatchObject({ model: "own", created: true });
    expect(await refuse("create_model", settings)).toMatchObject({ code: "already_exists" });
    expect(await refuse("start_model", { model: "own" })).toMatchObject({ code: "not_trained" });

    const trained = await use("train_model", {
      model: "own",
      from: 0,
      to: spike.from,
      max_evals: "1",
      seed: null,
    });
    expect(trained.data).toMatchObject({ job_state: "done", training: { trained: true } });

    expect((await use("start_model", { model: "own" })).data).toMatchObject({ model: "own", live: true });
    expect((await use("show_model", { model: "own" })).data.live).toMatchObject({ failures_in_a_row: 0 });

    const night = { from: "22:00", to: "06:00" };
    const noon = { from: "12:00", to: "13:00", weekdays: ["friday"] };
    const mute = (input: object) => use("mute_model", { model: "own", ...input });
    expect((await mute({ windows: [night] })).data.mute).toEqual([night]);
    expect((await mute({ windows: [night, noon] })).data.mute).toEqual([night, noon]);
    expect((await mute({ windows: [], replace: true })).data.mute).toEqual([]);
    expect((await use("show_model", { model: "own" })).data.settings.mute).toBeUndefined();
    expect(await refuse("mute_model", { model: "own", windows: [{ from: "x", to: "y" }] })).toMatchObject({
      path: "mute.0.from",
      code: "invalid",
    });

    expect((await use("stop_model", { model: "own" })).data).toEqual({ model: "own", live: false });
    expect(await refuse("stop_model", { model: "own" })).toMatchObject({ code: "not_found" });
  });

  test("a training that takes longer than the wait goes on", async () => {
    const input = { model: "own", from: 0, to: spike.from, max_evals: 3, wait_seconds: 0 };
    const { summary, data } = await use("train_model", input);
    expect(["waiting", "running"]).toContain(data.job_state);
    expect(summary).toContain(`job ${data.job_id}; it goes on`);
    expect(await refuse("train_model", input)).toMatchObject({
      code: "training_active",
      job_id: data.job_id,
    });
    expect((await world.rest().waitForJob(data.job_id)).state).toBe("done");
  });

  test("a training that fails is an error with the code of its job", async () => {
    expect(await refuse("train_model", { model: "own", from: 1e6, to: 1.1e6 })).toMatchObject({
      code: "no_data",
      job_id: expect.any(String),
    });
  });
});

test("every tool was called", () => {
  expect([...called].sort()).toEqual(tools.map(({ name }) => name).sort());
});
