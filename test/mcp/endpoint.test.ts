// The endpoint over stubs: bugs, disconnects, races of settings, trainings that end otherwise.
import { expect, test } from "bun:test";
import { TorusError } from "../../src/core/errors.ts";
import { Listed } from "../../src/core/input/listed.ts";
import { createFakeApp, type Overrides, send } from "../support/fake-app.ts";

const headers = { accept: "application/json, text/event-stream", "x-request-id": "r1" };

function aCall(name: string, input: object = {}): string {
  return JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: input } });
}

async function call(overrides: Overrides, name: string, input: object = {}) {
  const app = createFakeApp(overrides);
  const response = await send(app, "POST /mcp", { body: aCall(name, input), headers });
  // biome-ignore lint/suspicious/noExplicitAny: any answer of a tool
  const { result } = (await response.json()) as any;
  return { app, data: result.structuredContent, isError: result.isError === true };
}

const trained = { settings: { name: "m" }, state: { trained: true } };
const training = { id: "j", type: "training", duration: 3, result: null };
const model = { trainAll: async () => ["j"], get: async () => new Listed([trained]) };

test("a bug is logged with the id of its request, and counted; the answer says no more than that", async () => {
  const counted: object[] = [];
  const bug = () => Promise.reject(new Error("a secret of the source"));
  const meter = { onMcpCall: (end: object) => counted.push(end) };
  const { app, data, isError } = await call({ models: { get: bug }, meter }, "show_model", { model: "m" });
  expect(isError).toBe(true);
  expect(data).toEqual({
    code: "internal",
    message: "internal error; the log has the details under the request id of the answer",
  });
  const [line] = app.logged.filter((each) => each.includes("tool failed"));
  expect(JSON.parse(line!)).toMatchObject({ request_id: "r1", tool: "show_model" });
  expect(line).toContain("a secret of the source");
  expect(counted).toEqual([{ tool: "show_model", outcome: "internal" }]);
});

test("clients that take JSON need not name streams", async () => {
  const app = createFakeApp();
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" });
  const statusOf = async (accept?: string) =>
    (await send(app, "POST /mcp", { body, headers: accept === undefined ? {} : { accept } })).status;
  for (const accept of [undefined, "", "*/*", "application/json", "text/html, application/*;q=0.8"])
    expect([accept, await statusOf(accept)]).toEqual([accept, 200]);
  expect(await statusOf("text/event-stream")).toBe(406);
});

test("the connection is held open, and a job learns of its client's leave", async () => {
  let signal: AbortSignal | undefined;
  const wait = async (_id: string, limits: { signal: AbortSignal }) => {
    signal = limits.signal;
    return { timestamps: [], observed: {}, predicted: {} };
  };
  const app = createFakeApp({ jobs: { wait } });
  const controller = new AbortController();
  const request = new Request("http://localhost:8077/mcp", {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: aCall("forecast", { model: "m" }),
    signal: controller.signal,
  });
  expect((await app.handle(request)).status).toBe(200);
  expect(app.held).toEqual([request]);
  controller.abort();
  expect(signal?.aborted).toBe(true);
});

test("settings that are changed meanwhile are read again before windows are added", async () => {
  const conditions: string[] = [];
  const windows = [[], [{ from: "01:00", to: "02:00" }]];
  let reads = 0;
  const { data } = await call(
    {
      models: {
        get: async () => {
          const shown = [{ ...trained, settings: { mute: windows[reads]! } }];
          return new Listed(shown, { etag: `"${reads++}"` });
        },
        patch: async (_names, _body, condition) => {
          conditions.push(reads === 1 ? "refused" : "taken");
          expect(() => condition?.check(`"${reads - 1}"`)).not.toThrow();
          if (reads === 1) throw new TorusError("precondition_failed", "it was changed");
        },
      },
    },
    "mute_model",
    { model: "m", windows: [{ from: "22:00", to: "23:00" }] },
  );
  expect(conditions).toEqual(["refused", "taken"]);
  expect(data.mute).toEqual([
    { from: "01:00", to: "02:00" },
    { from: "22:00", to: "23:00" },
  ]);
});

test("settings that are always changed meanwhile are an error in the end", async () => {
  let attempts = 0;
  const patch = () => {
    attempts++;
    return Promise.reject(new TorusError("precondition_failed", "it was changed"));
  };
  const models = { get: async () => new Listed([trained], { etag: '"a"' }), patch };
  const { data } = await call({ models }, "mute_model", { model: "m", windows: [] });
  expect([data.code, attempts]).toEqual(["precondition_failed", 3]);
});

test.each([
  [
    "failed",
    { code: "no_data", error: "there are no points" },
    { code: "no_data", message: "there are no points" },
  ],
  ["failed", { code: "of a later version" }, { code: "internal" }],
  ["canceled", {}, { code: "canceled", message: "job j was canceled", job_id: "j" }],
] as const)("a training that has %s is an error: %p", async (state, own, expected) => {
  const follow = async () => ({ ...training, state, ...own }) as never;
  const { data, isError } = await call({ models: model, jobs: { follow } }, "train_model", {
    model: "m",
    from: 0,
  });
  expect(isError).toBe(true);
  expect(data).toMatchObject(expected);
});

test("the wait for a training ends with the deadline of all requests at the latest", async () => {
  const waits: number[] = [];
  const follow = async (_id: string, limits: { deadlineMs: number }) => {
    waits.push(limits.deadlineMs);
    return { ...training, state: "running", progress: { epoch: 3 }, remaining_time: 4.123456 } as never;
  };
  for (const wait of [2, 300]) {
    const input = { model: "m", from: 0, wait_seconds: wait };
    const { data } = await call({ models: model, jobs: { follow } }, "train_model", input);
    expect(data).toMatchObject({
      job_id: "j",
      job_state: "running",
      progress: { epoch: 3 },
      remaining_s: 4.1235,
    });
  }
  expect(waits).toEqual([2000, 5000]);
});

test("a page of a fleet's forecasts is short, and says what it leaves out", async () => {
  const one = { timestamps: [0], observed: { v: [null] }, predicted: { v: [1], lower_v: [0], upper_v: [2] } };
  const asked: object[] = [];
  const { data } = await call(
    {
      models: {
        forecast: async (_name, params) => {
          asked.push(params);
          return { jobId: "j", model: "m", version: "00", intervalMs: 60_000, features: ["v"] };
        },
      },
      jobs: {
        wait: async () => ({
          series: [
            { tags: { host: "a" }, ...one },
            { tags: { host: "b" }, code: "no_data", error: "too few points" },
          ],
          page: 1,
          per_page: 2,
          total: 7,
        }),
      },
    },
    "forecast",
    { model: "m", page: 1 },
  );
  expect(asked).toEqual([{ per_page: 3, page: 1 }]);
  expect(data).toMatchObject({
    total: 7,
    page: 1,
    left_out: 3,
    next_page: 2,
    series: [
      { tags: { host: "a" }, features: { v: { rows: [["1970-01-01T00:00:00Z", 1, 0, 2]] } } },
      { tags: { host: "b" }, code: "no_data", error: "too few points" },
    ],
  });
});

test.each([
  ["empty", []],
  ["of calls", [JSON.parse(aCall("list_models")), JSON.parse(aCall("list_models"))]],
])("a batch is refused whole: %s", async (_, batch) => {
  const app = createFakeApp();
  const response = await send(app, "POST /mcp", { body: JSON.stringify(batch), headers });
  expect(response.status).toBe(400);
  expect(await response.json()).toEqual({
    jsonrpc: "2.0",
    error: { code: -32_600, message: "batches are not supported: send one message per request" },
    id: null,
  });
  expect(app.calls).toEqual([]);
});
