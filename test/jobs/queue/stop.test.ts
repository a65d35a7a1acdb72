// Stop, crash and recovery of the queue: promise 7.
import { expect, test } from "bun:test";
import { TorusError } from "../../../src/core/errors.ts";
import type { Submission } from "../../../src/jobs/queue/queue.ts";
import { claimJob } from "../../../src/store/jobs/jobs.ts";
import { loadJob } from "../../../src/store/jobs/rows.ts";
import { breakAt, useStore } from "../../store/temporary.ts";
import { drain, makeQueue } from "../fakes.ts";

const store = useStore();

const read: Submission = {
  type: "read",
  model: null,
  input: { bucket: "b", range: { fromAt: 0, toAt: 1 }, intervalMs: 1, features: [] },
};

test("promise 7: a stop gives jobs back with no attempt used, whether the handler listens or not", async () => {
  const { queue, clock, fake } = makeQueue(store);
  await queue.start();
  const [listening, deaf, waiting] = await queue.submit(read, read, read);
  const calls = [await fake.call(listening!), await fake.call(deaf!)];
  const stopped = queue.stop();
  expect(calls.every(({ context }) => context.signal.aborted)).toBe(true);
  calls[0]!.fail(new TorusError("canceled", "stopping"));
  await drain();
  clock.advance(5000);
  await stopped;
  for (const id of [listening!, deaf!, waiting!])
    expect(await loadJob(store, id)).toMatchObject({ state: "waiting", attempts: 0, owner: null });
  calls[1]!.done();
  await drain();
  expect(await loadJob(store, deaf!)).toMatchObject({ state: "waiting" });
  expect(clock.pending).toBe(0);
});

test("a handler that is done before the grace is over has its result kept", async () => {
  const { queue, fake } = makeQueue(store);
  await queue.start();
  const [id] = await queue.submit(read);
  const call = await fake.call(id!);
  const stopped = queue.stop();
  call.done({ result: 7 });
  await stopped;
  expect(await loadJob(store, id!)).toMatchObject({ state: "done", result: 7 });
});

test("promise 7: a job of a crashed server runs again once, then fails", async () => {
  const first = makeQueue(store);
  const [id] = await first.queue.submit(read);
  await claimJob(store, ["read"], { owner: "dead server", at: 1 });
  const second = makeQueue(store);
  expect(await second.queue.start()).toEqual({ waiting: 1, failed: 0, canceled: 0 });
  expect((await second.fake.call(id!)).job.attempt).toBe(2);
  const third = makeQueue(store);
  expect(await third.queue.start()).toEqual({ waiting: 0, failed: 1, canceled: 0 });
  expect(await loadJob(store, id!)).toMatchObject({
    state: "failed",
    errorMessage: "interrupted: server stopped twice while reading",
  });
  (await second.fake.call(id!)).done();
  await Promise.all([second.queue.stop(), third.queue.stop()]);
  expect(await loadJob(store, id!)).toMatchObject({ state: "failed" });
});

test("a job that cannot be given back is reported and recovered at the next start", async () => {
  const { queue, clock, fake, errors } = makeQueue(store);
  await queue.start();
  const [id] = await queue.submit(read);
  const call = await fake.call(id!);
  const repair = await breakAt(store, "update on jobs");
  const stopped = queue.stop();
  clock.advance(5000);
  await stopped;
  await repair();
  expect(errors).toHaveLength(1);
  expect(await loadJob(store, id!)).toMatchObject({ state: "running" });
  call.done();
  await drain();
});

test("a job waits for the start of the queue", async () => {
  const { queue, fake } = makeQueue(store);
  const [id] = await queue.submit(read);
  await drain();
  expect(fake.calls).toEqual([]);
  await queue.start();
  (await fake.call(id!)).done();
  await queue.stop();
  expect(await loadJob(store, id!)).toMatchObject({ state: "done" });
});

test("attack L7: foreground jobs of a dead server are canceled, not run again", async () => {
  const first = makeQueue(store);
  const foreground = { ...read, foreground: true } as const;
  const [ran, waits] = await first.queue.submit(foreground, foreground);
  await claimJob(store, ["read"], { owner: "dead server", at: 1 });
  const second = makeQueue(store);
  expect(await second.queue.start()).toEqual({ waiting: 0, failed: 0, canceled: 2 });
  for (const id of [ran!, waits!])
    expect(await loadJob(store, id)).toMatchObject({
      state: "canceled",
      errorCode: "interrupted",
      errorMessage: "interrupted: the server stopped before the read was answered: ask again",
    });
  expect(second.fake.calls).toEqual([]);
  await second.queue.stop();
});

test("attack L9: many old jobs are swept in slices, not before the start", async () => {
  const insert = store.sqlite.prepare(
    "insert into jobs (id, type, state, created_at, ended_at) values (?, 'read', 'done', ?1, ?)",
  );
  for (let i = 0; i < 1700; i++) insert.run(`job-${i}`, i);
  const world = makeQueue(store, { retention: { maxAgeMs: 1e12, maxCount: 100 } });
  const left = () => (store.sqlite.query("select count(*) as n from jobs").get() as { n: number }).n;
  await world.queue.start();
  expect(left()).toBe(1200);
  const seen: number[] = [];
  for (let i = 0; i < 4; i++) {
    await drain();
    world.clock.advance(20);
    await drain();
    seen.push(left());
  }
  expect(seen).toEqual([700, 200, 100, 100]);
  expect(await codeOfKept(["job-1599", "job-1600"])).toEqual(["not_found", "done"]);
  await world.queue.stop();
  expect(world.clock.pending).toBe(0);
});

function codeOfKept(ids: readonly string[]): Promise<string[]> {
  return Promise.all(
    ids.map((id) =>
      loadJob(store, id).then(
        ({ state }) => state,
        ({ code }) => code,
      ),
    ),
  );
}

test("results beyond the sum are dropped at the start, as after the setting became lower", async () => {
  const insert = store.sqlite.prepare(
    "insert into jobs (id, type, state, created_at, ended_at, result, result_bytes) values (?, 'read', 'done', 1, ?, '[1]', 1000)",
  );
  for (let i = 0; i < 5; i++) insert.run(`job-${i}`, 900_000 + i);
  const world = makeQueue(store, { results: { perJob: 1000, inTotal: 2500 } });
  await world.queue.start();
  await drain();
  const rows = await Promise.all([0, 1, 2, 3, 4].map((i) => loadJob(store, `job-${i}`)));
  expect(rows.map(({ resultBytes }) => resultBytes)).toEqual([0, 0, 0, 1000, 1000]);
  await world.queue.stop();
});
