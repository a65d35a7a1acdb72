// Foreground waits: the deadline of promise 12, callers that disconnect, servers that stop.
import { afterEach, beforeEach, expect, test } from "bun:test";
import type { Submission } from "../../../src/jobs/queue/queue.ts";
import { loadJob } from "../../../src/store/jobs/rows.ts";
import { codeOf, openTemporary, type TemporaryStore } from "../../store/temporary.ts";
import { drain, makeQueue, type QueueWorld } from "../fakes.ts";

let store: TemporaryStore;
let world: QueueWorld;
let id: string;
const caller = () => new AbortController();
const read: Submission = {
  type: "read",
  model: null,
  input: { bucket: "b", range: { fromAt: 0, toAt: 1 }, intervalMs: 1, features: [] },
};

beforeEach(async () => {
  store = openTemporary();
  world = makeQueue(store);
  await world.queue.start();
  [id] = (await world.queue.submit(read)) as [string];
});
afterEach(async () => {
  await world.queue.stop();
  expect(world.clock.pending).toBe(0);
  await store.remove();
});

const wait = (signal = caller().signal) => world.queue.wait(id, { deadlineMs: 2000, signal });

test("resolves with the final row, whether it ends now or has ended", async () => {
  const both = Promise.all([wait(), wait()]);
  (await world.fake.call(id)).done({ result: 5 });
  expect((await both).map(({ state, result }) => [state, result])).toEqual([
    ["done", 5],
    ["done", 5],
  ]);
  expect(await wait()).toMatchObject({ state: "done", result: 5 });
});

test("a canceled job is an end too", async () => {
  const waiting = wait();
  const call = await world.fake.call(id);
  await world.queue.cancel([id]);
  expect(await waiting).toMatchObject({ state: "canceled" });
  call.done();
});

test("promise 12: past the deadline the job is canceled, and the error advises bg=true", async () => {
  const waiting = wait();
  const call = await world.fake.call(id);
  await drain();
  world.clock.advance(2000);
  await expect(waiting).rejects.toThrow(
    "the read took longer than 2 s and was canceled: repeat the request with bg=true",
  );
  expect(call.context.signal.aborted).toBe(true);
  expect(await loadJob(store, id)).toMatchObject({ state: "canceled" });
  call.done();
});

test("a caller that leaves, or had left before, cancels the job", async () => {
  const controller = caller();
  const waiting = wait(controller.signal);
  const call = await world.fake.call(id);
  await drain();
  controller.abort();
  expect(await codeOf(waiting)).toBe("canceled");
  expect(await loadJob(store, id)).toMatchObject({ state: "canceled" });
  call.done();
  [id] = (await world.queue.submit(read)) as [string];
  const second = await world.fake.call(id);
  expect(await codeOf(wait(controller.signal))).toBe("canceled");
  second.done();
});

test("a stopping server answers that the job continues later", async () => {
  const waiting = wait();
  const call = await world.fake.call(id);
  await drain();
  const stopped = world.queue.stop();
  expect(await codeOf(waiting)).toBe("interrupted");
  call.fail(new Error("aborted"));
  await stopped;
  expect(await loadJob(store, id)).toMatchObject({ state: "waiting" });
});

test("an unknown job is not found and leaves no timer", async () => {
  const call = await world.fake.call(id);
  call.done();
  await drain();
  id = "unknown";
  expect(await codeOf(wait())).toBe("not_found");
});

test("attack C2: a foreground result goes to its request and is not kept", async () => {
  const [asked] = await world.queue.submit({ ...read, foreground: true });
  const waiting = world.queue.wait(asked!, { deadlineMs: 2000, signal: caller().signal });
  (await world.fake.call(asked!)).done({ result: { large: [1, 2] } });
  expect(await waiting).toMatchObject({ state: "done", result: { large: [1, 2] } });
  expect(await loadJob(store, asked!)).toMatchObject({ state: "done", result: null, resultBytes: 0 });
  (await world.fake.call(id)).done();
});

test("a foreground job that ends before its request waits still answers it", async () => {
  const [asked] = await world.queue.submit({ ...read, foreground: true });
  (await world.fake.call(asked!)).done({ result: 5 });
  (await world.fake.call(id)).done();
  await drain();
  expect(await wait()).toMatchObject({ state: "done" });
  const row = await world.queue.wait(asked!, { deadlineMs: 2000, signal: caller().signal });
  expect(row).toMatchObject({ state: "done", result: 5 });
});

test("attack L7: a foreground job that a stop interrupts is canceled, one that waits too", async () => {
  const ids = await world.queue.submit(
    ...Array.from({ length: 3 }, () => ({ ...read, foreground: true }) as const),
  );
  const waiting = ids.map((each) => world.queue.wait(each, { deadlineMs: 2000, signal: caller().signal }));
  const codes = Promise.all(waiting.map(codeOf));
  const calls = [await world.fake.call(id), await world.fake.call(ids[0]!)];
  await drain();
  const stopped = world.queue.stop();
  for (const call of calls) call.fail(new Error("aborted"));
  await stopped;
  expect(await codes).toEqual(["interrupted", "interrupted", "interrupted"]);
  const rows = await Promise.all([id, ...ids].map((each) => loadJob(store, each)));
  expect(rows.map(({ state, errorCode }) => [state, errorCode])).toEqual([
    ["waiting", null],
    ["canceled", "interrupted"],
    ["canceled", "interrupted"],
    ["canceled", "interrupted"],
  ]);
});

test("a follower sees the end, or leaves at the deadline or when it disconnects; the job goes on", async () => {
  const controller = caller();
  const follow = (signal = caller().signal) => world.queue.follow(id, { deadlineMs: 2000, signal });
  const call = await world.fake.call(id);
  const late = follow();
  const gone = follow(controller.signal);
  await drain();
  world.clock.advance(2000);
  controller.abort();
  await Promise.all([late, gone]);
  expect(call.context.signal.aborted).toBe(false);
  expect(await loadJob(store, id)).toMatchObject({ state: "running" });
  const following = follow();
  await drain();
  call.done();
  await following;
  expect(await loadJob(store, id)).toMatchObject({ state: "done" });
  await follow();
  expect(await codeOf(world.queue.follow("unknown", { deadlineMs: 1, signal: caller().signal }))).toBe(
    "not_found",
  );
});
