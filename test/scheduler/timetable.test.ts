// Promise 22: scheduled jobs run at most once per slot, one run at a time; missed slots are skipped.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { checkScheduledJob, type ScheduledJob } from "../../src/core/time/scheduled-job.ts";
import { Timetable } from "../../src/scheduler/timetable.ts";
import { listScheduledJobs, putScheduledJob, removeScheduledJobs } from "../../src/store/scheduled-jobs.ts";
import { FakeClock } from "../jobs/fakes.ts";
import { openTemporary, type TemporaryStore } from "../store/temporary.ts";

const MINUTE = 60_000;
const START = Date.parse("2026-11-20T12:00:30Z");

let store: TemporaryStore;
let clock: FakeClock;
let requests: string[];
let answer: (request: Request) => Promise<Response>;
let errors: unknown[];
const tables: Timetable[] = [];

beforeEach(() => {
  store = openTemporary();
  clock = new FakeClock(START);
  requests = [];
  errors = [];
  answer = async () => Response.json("fine");
});
afterEach(async () => {
  for (const table of tables.splice(0)) await table.stop();
  await store.remove();
});

async function startTable(): Promise<Timetable> {
  const dispatch = (request: Request) => {
    requests.push(`${request.method} ${new URL(request.url).pathname}`);
    return answer(request);
  };
  const table = new Timetable({
    store,
    clock,
    timezone: "UTC",
    dispatch,
    onError: (error) => errors.push(error),
  });
  tables.push(table);
  await table.start();
  return table;
}

async function put(change: Partial<ScheduledJob> = {}): Promise<void> {
  const definition = checkScheduledJob({
    name: "j",
    method: "get",
    relative_url: "/jobs",
    every: { count: 5, unit: "minutes" },
    ...change,
  });
  await putScheduledJob(store, { definition, origin: "api", at: clock.now() });
}

/** Lets everything that can go on without the clock do so. */
async function settle(): Promise<void> {
  for (let i = 0; i < 10; i++) await new Promise((resolve) => setImmediate(resolve));
}

/** Moves the clock and lets what came due finish. */
async function pass(table: Timetable, ms: number): Promise<void> {
  clock.advance(ms);
  await table.refresh();
  await settle();
}

async function lastRun() {
  const [row] = await listScheduledJobs(store);
  return { status: row!.lastStatus, error: row!.lastError, code: row!.lastErrorCode, at: row!.lastRunAt };
}

test("promise 22: a slot is run when it comes, not before, and once", async () => {
  await put();
  const table = await startTable();
  await pass(table, 4 * MINUTE + 29_000);
  expect(requests).toEqual([]);
  await pass(table, 1000);
  expect(requests).toEqual(["GET /jobs"]);
  await pass(table, 1000);
  expect(requests).toHaveLength(1);
  await pass(table, 5 * MINUTE);
  expect(requests).toHaveLength(2);
  expect(await lastRun()).toMatchObject({ status: 200, error: null });
});

test("promise 22: a restart within a slot does not repeat it", async () => {
  await put();
  const first = await startTable();
  await pass(first, 4 * MINUTE + 30_000);
  await first.stop();
  clock.at -= 10_000;
  const second = await startTable();
  await pass(second, 10_000);
  expect(requests).toHaveLength(1);
});

test("promise 22: slots of a stopped server are not made up for", async () => {
  await put();
  const first = await startTable();
  await first.stop();
  clock.advance(60 * MINUTE);
  const second = await startTable();
  expect(requests).toEqual([]);
  await pass(second, 5 * MINUTE);
  expect(requests).toHaveLength(1);
});

test("promise 22: after a suspend one slot at most is run, and only if it is fresh", async () => {
  await put();
  const table = await startTable();
  clock.at = Date.parse("2026-11-20T15:03:00Z");
  await table.refresh();
  expect(requests).toEqual([]);
  clock.at = Date.parse("2026-11-20T16:00:20Z");
  await table.refresh();
  expect(requests).toHaveLength(1);
});

test("promise 22: a run that lasts beyond the next slot is not joined by another", async () => {
  await put();
  const table = await startTable();
  const { promise, resolve } = Promise.withResolvers<Response>();
  answer = () => promise;
  await pass(table, 5 * MINUTE);
  await pass(table, 5 * MINUTE);
  expect(requests).toHaveLength(1);
  resolve(Response.json("late"));
  await settle();
  answer = async () => Response.json("fine");
  await pass(table, 5 * MINUTE);
  expect(requests).toHaveLength(2);
});

test("promise 22: a target that fails is recorded with its own words, and tried again at the next slot", async () => {
  await put();
  const table = await startTable();
  answer = async () =>
    Response.json({ error: "model m is not trained", code: "not_trained" }, { status: 400 });
  await pass(table, 5 * MINUTE);
  expect(await lastRun()).toMatchObject({
    status: 400,
    error: "model m is not trained",
    code: "not_trained",
  });
  answer = async () => new Response("<html>", { status: 502 });
  await pass(table, 5 * MINUTE);
  expect(await lastRun()).toMatchObject({ status: 502, error: "answered with status 502", code: null });
  answer = () => Promise.reject(new Error("a secret place"));
  await pass(table, 5 * MINUTE);
  expect(await lastRun()).toMatchObject({ status: null, error: "internal error; the log has the details" });
  expect(requests).toHaveLength(3);
});

test("a clock that goes back an hour goes on from there, without repeating a slot", async () => {
  await put();
  const table = await startTable();
  await pass(table, 5 * MINUTE);
  clock.at -= 60 * MINUTE;
  await table.refresh();
  await pass(table, 5 * MINUTE);
  expect(requests).toHaveLength(2);
});

test("a timetable begins when it is made: a slot just before does not count", async () => {
  const table = await startTable();
  clock.at = Date.parse("2026-11-20T12:05:10Z");
  await put();
  await table.refresh();
  expect(requests).toEqual([]);
  await pass(table, 5 * MINUTE);
  expect(requests).toHaveLength(1);
});

test("a deleted job no longer runs, a replaced one runs by its new timetable", async () => {
  await put();
  await put({ name: "other", relative_url: "/buckets" });
  const table = await startTable();
  await removeScheduledJobs(store, ["j"]);
  await put({ name: "other", relative_url: "/buckets", every: { count: 20, unit: "minutes" } });
  await table.refresh();
  await pass(table, 10 * MINUTE);
  expect(requests).toEqual([]);
  await pass(table, 10 * MINUTE);
  expect(requests).toEqual(["GET /buckets"]);
});

test("a change names its jobs: those alone are planned anew, and run by what is stored", async () => {
  await put();
  const table = await startTable();
  for (const name of ["k", "unnamed"]) await put({ name, relative_url: "/buckets" });
  await put({ every: { count: 1, unit: "hours" } });
  await table.refresh(["k"]);
  clock.advance(5 * MINUTE);
  await table.refresh([]);
  await settle();
  expect(requests).toEqual(["GET /buckets"]);
  await removeScheduledJobs(store, ["k"]);
  await table.refresh(["k"]);
  clock.advance(10 * MINUTE);
  await table.refresh([]);
  await settle();
  expect(requests).toHaveLength(1);
});

test("after a failure of the store all jobs are read again", async () => {
  await put();
  const table = await startTable();
  store.sqlite.run("alter table scheduled_jobs rename to away");
  await put({ name: "k" }).catch(() => {});
  await table.refresh(["k"]);
  expect(errors).toHaveLength(1);
  store.sqlite.run("alter table away rename to scheduled_jobs");
  await put({ name: "k", relative_url: "/buckets" });
  clock.advance(5 * MINUTE);
  await table.refresh([]);
  await settle();
  expect(requests.toSorted()).toEqual(["GET /buckets", "GET /jobs"]);
});

test("of many slots at one instant 64 runs are under way at a time, and none is left out", async () => {
  const names = Array.from({ length: 100 }, (_, i) => `j${i}`);
  for (const name of names) await put({ name });
  const table = await startTable();
  const answers: (() => void)[] = [];
  answer = () => new Promise((resolve) => answers.push(() => resolve(Response.json("fine"))));
  await pass(table, 5 * MINUTE);
  expect(requests).toHaveLength(64);
  for (const end of answers.splice(0)) end();
  await settle();
  expect(requests).toHaveLength(100);
  for (const end of answers.splice(0)) end();
});

test("a far slot does not spin, and stopping leaves no timer", async () => {
  await put({ every: { count: 30, unit: "days" } });
  const table = await startTable();
  expect(clock.pending).toBe(1);
  await table.stop();
  expect(clock.pending).toBe(0);
  expect(errors).toEqual([]);
});

test("a stop aborts a run, and records no outcome", async () => {
  await put();
  const table = await startTable();
  answer = ({ signal }) =>
    new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  await pass(table, 5 * MINUTE);
  await table.stop();
  expect(await lastRun()).toEqual({ status: null, error: null, code: null, at: null });
});

test("a paused job skips its slots, and goes on when it is enabled", async () => {
  await put({ enabled: false });
  const table = await startTable();
  await pass(table, 10 * MINUTE);
  expect(requests).toEqual([]);
  await put({ enabled: true });
  await pass(table, 5 * MINUTE);
  expect(requests).toEqual(["GET /jobs"]);
});

test("a job runs now, paused or not, and its outcome is kept", async () => {
  await put({ enabled: false });
  const table = await startTable();
  await table.runNow("j");
  await settle();
  expect(requests).toEqual(["GET /jobs"]);
  expect(await listScheduledJobs(store)).toMatchObject([
    { lastRunAt: START, lastStatus: 200, lastError: null },
  ]);
  await expect(table.runNow("x")).rejects.toThrow("scheduled job x does not exist");
});

test("a run under way is not started again", async () => {
  await put();
  const table = await startTable();
  const { promise, resolve } = Promise.withResolvers<Response>();
  answer = () => promise;
  await table.runNow("j");
  await table.runNow("j");
  await settle();
  expect(requests).toHaveLength(1);
  resolve(Response.json("fine"));
});

describe("a server without room for more jobs", () => {
  const refuse = (code = "overloaded") =>
    Response.json({ error: "too many jobs wait", code }, { status: 503, headers: { "retry-after": "5" } });

  test("is asked again after the time it says, until it accepts", async () => {
    await put();
    const table = await startTable();
    let refusals = 2;
    answer = async () => (refusals-- > 0 ? refuse() : Response.json("fine"));
    await pass(table, 5 * MINUTE);
    expect(requests).toHaveLength(1);
    expect(await lastRun()).toMatchObject({ status: null });
    await pass(table, 5000);
    await pass(table, 5000);
    expect(requests).toHaveLength(3);
    expect(await lastRun()).toMatchObject({ status: 200, error: null });
    await pass(table, 60_000);
    expect(requests).toHaveLength(3);
  });

  test("until the next slot, whose turn it is then", async () => {
    await put({ every: { count: 1, unit: "minutes" } });
    const table = await startTable();
    answer = async () => refuse();
    await pass(table, 30_000);
    for (let i = 0; i < 20; i++) await pass(table, 5000);
    expect(await lastRun()).toMatchObject({ status: 503, error: "too many jobs wait" });
    // At 12:01 and each 5 s up to 12:01:55, then at 12:02 and after.
    expect(requests.length).toBeGreaterThan(12);
  });

  test("another refusal, or a job that was changed meanwhile, is not sent again", async () => {
    await put();
    const table = await startTable();
    answer = async () => refuse("storage_unavailable");
    await pass(table, 5 * MINUTE);
    await pass(table, 10_000);
    expect(requests).toHaveLength(1);
    answer = async () => refuse();
    await pass(table, 5 * MINUTE);
    await put({ relative_url: "/buckets" });
    await pass(table, 10_000);
    expect(requests).toHaveLength(2);
  });

  test("is not asked again after a stop", async () => {
    await put();
    const table = await startTable();
    answer = async () => refuse();
    await pass(table, 5 * MINUTE);
    await table.stop();
    expect(clock.pending).toBe(0);
    expect(await lastRun()).toMatchObject({ status: null });
    expect(errors).toEqual([]);
  });
});

test("a timetable that is off refuses to run a job", async () => {
  await put();
  const table = await startTable();
  await table.stop();
  await expect(table.runNow("j")).rejects.toThrow("scheduled jobs are off");
});
