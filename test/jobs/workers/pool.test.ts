// Promises 8 and 9: cancellation is bounded, and no crash of a worker affects the server.
import { afterEach, expect, test } from "bun:test";
import { Pool } from "../../../src/jobs/workers/pool.ts";
import { type Clock, systemClock } from "../../../src/runtime/clock.ts";
import type { ForecastTask, ScoreTask } from "../../../wasm/protocol.ts";
import { spawnProgram } from "../../support/workers.ts";

const pools: Pool[] = [];
afterEach(async () => {
  for (const pool of pools.splice(0)) await pool.stop();
});

/** Does what the task's `horizon` says: a program per number. */
const behaviours = `
  postMessage({ type: "ready" });
  const empty = new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]));
  onmessage = ({ data: { id, task, cancel, runtime } }) => {
    const flag = new Int32Array(cancel);
    const done = () => postMessage({ type: "done", id, result: { mean: new Float32Array([task.horizon]), deviation: new Float32Array([1]) } });
    if (task.kind === "load") {
      postMessage({ type: "compiled", runtime: empty });
      return postMessage({ type: "done", id });
    }
    if (task.kind === "score") return postMessage({ type: "done", id, result: { mean: task.params } });
    if (task.horizon === 1) return done();
    if (task.horizon === 2) throw new Error("boom");
    if (task.horizon === 3) return void Promise.reject(new Error("unhandled"));
    if (task.horizon === 4) return process.exit(0);
    if (task.horizon === 5) { postMessage({ type: "progress", id, progress: { step: 0, maxSteps: 1 } }); for (;;) {} }
    if (task.horizon === 6) return postMessage({ type: "failed", id, message: "bad shape" });
    if (task.horizon === 7) { while (Atomics.load(flag, 0) === 0) {} return postMessage({ type: "canceled", id }); }
    if (task.horizon === 8) { postMessage({ type: "progress", id, progress: { step: 1, maxSteps: 2 } }); return done(); }
    if (task.horizon === 9) { postMessage({ type: "done", id: id - 1, result: "late" }); return done(); }
    if (task.horizon === 10) {
      if (!runtime) postMessage({ type: "compiled", runtime: empty });
      return postMessage({ type: "done", id, result: { mean: new Float32Array([Number(runtime instanceof WebAssembly.Module)]) } });
    }
  };
`;
const [FINE, THROWS, REJECTS, EXITS, LOOPS, FAILS, OBEYS, REPORTS, STALE, COMPILES] = [
  1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
];

function task(horizon: number): ForecastTask {
  const series = { values: new Float32Array(1), observed: new Uint8Array(1) };
  const options = { samples: 1, iterations: 0, seed: 1 };
  return {
    kind: "forecast",
    shape: { window: 1, hidden: 1, latent: 1 },
    params: new Float32Array(1),
    series,
    horizon,
    options,
  };
}

function scoreTask(params: Float32Array): ScoreTask {
  const { shape, series, options } = task(FINE!);
  return { kind: "score", shape, params, series, options };
}

function makePool(clock: Clock = systemClock, keepsPrediction?: () => boolean) {
  const crashes: string[] = [];
  let spawned = 0;
  let ended = 0;
  const spawn = () => {
    spawned++;
    const worker = spawnProgram(behaviours);
    const terminate = worker.terminate.bind(worker);
    worker.terminate = () => {
      ended++;
      terminate();
    };
    return worker;
  };
  const onCrash = (message: string) => crashes.push(message);
  const pool = new Pool({
    trainingWorkers: 1,
    clock,
    spawn,
    onCrash,
    ...(keepsPrediction && { keepsPrediction }),
  });
  pools.push(pool);
  const run = (horizon: number, signal = new AbortController().signal) =>
    pool.run(task(horizon), { lane: "prediction", signal });
  /** A task that is in the worker, for sure, and loops there for ever. */
  const loop = async (signal = new AbortController().signal) => {
    const { promise: begun, resolve } = Promise.withResolvers<void>();
    const running = pool.run(task(LOOPS!), { lane: "prediction", signal, onProgress: () => resolve() });
    const outcome = running.then(
      () => "done",
      (error: { code: string }) => error.code,
    );
    await begun;
    return { outcome };
  };
  return { pool, run, loop, crashes, spawned: () => spawned, ended: () => ended };
}

test("a task is answered, and the worker is kept for the next", async () => {
  const { run, spawned } = makePool();
  for (let i = 0; i < 3; i++) expect((await run(FINE!)).mean[0]).toBe(1);
  expect(spawned()).toBe(1);
});

test("a task that has ended leaves nothing behind on its signal", async () => {
  const { run } = makePool();
  const { signal } = new AbortController();
  let listening = 0;
  const { addEventListener, removeEventListener } = signal;
  signal.addEventListener = ((...args: Parameters<typeof addEventListener>) => {
    listening++;
    addEventListener.apply(signal, args);
  }) as typeof addEventListener;
  signal.removeEventListener = ((...args: Parameters<typeof removeEventListener>) => {
    listening--;
    removeEventListener.apply(signal, args);
  }) as typeof removeEventListener;
  await run(FINE!, signal);
  expect(await run(FAILS!, signal).catch(({ code }) => code)).toBe("worker_crashed");
  expect(listening).toBe(0);
});

test("transferred arrays arrive whole and leave the caller; others are copied", async () => {
  const { pool } = makePool();
  const options = { lane: "prediction", signal: new AbortController().signal } as const;
  const kept = new Float32Array([1, 2, 3]);
  expect((await pool.run(scoreTask(kept), options)).mean).toEqual(kept);
  expect(kept).toHaveLength(3);
  const given = new Float32Array([4, 5]);
  const { mean } = await pool.run(scoreTask(given), { ...options, transfer: [given] });
  expect(mean).toEqual(new Float32Array([4, 5]));
  expect(given).toHaveLength(0);
});

test("shared arrays stay with the caller, though they are to be transferred", async () => {
  const { pool } = makePool();
  const options = { lane: "prediction", signal: new AbortController().signal } as const;
  const shared = new Float32Array(new SharedArrayBuffer(8));
  shared.set([6, 7]);
  const { mean } = await pool.run(scoreTask(shared), { ...options, transfer: [shared] });
  expect([...mean]).toEqual([6, 7]);
  expect(shared).toHaveLength(2);
});

test("a worker is replaced after 5000 tasks; those that score live windows hardly count", async () => {
  const { pool, run, spawned } = makePool();
  const options = { lane: "prediction", signal: new AbortController().signal } as const;
  const params = new Float32Array(1);
  for (let i = 0; i < 5001; i++) await pool.run(scoreTask(params), options);
  expect(spawned()).toBe(1);
  for (let i = 0; i < 5001; i++) await run(FINE!);
  expect(spawned()).toBe(2);
});

test.each([
  ["throws", THROWS!],
  ["dies of an unhandled rejection", REJECTS!],
  ["exits", EXITS!],
])("a worker that %s fails its task and is replaced", async (_, horizon) => {
  const { run, crashes, spawned } = makePool();
  await expect(run(horizon)).rejects.toMatchObject({ code: "worker_crashed" });
  expect((await run(FINE!)).mean[0]).toBe(1);
  expect(spawned()).toBe(2);
  expect(crashes).toHaveLength(1);
});

test("a task the worker refuses fails with its reason, and the worker is replaced", async () => {
  const { run, spawned } = makePool();
  await expect(run(FAILS!)).rejects.toMatchObject({
    code: "worker_crashed",
    message: "the computation failed: bad shape",
  });
  await run(FINE!);
  expect(spawned()).toBe(2);
});

test("a task that cannot be sent fails, and the next one is done", async () => {
  const { pool, run } = makePool();
  const uncopied = { ...task(FINE!), seed: () => 1 } as unknown as ForecastTask;
  const options = { lane: "prediction", signal: new AbortController().signal } as const;
  await expect(pool.run(uncopied, options)).rejects.toMatchObject({ code: "worker_crashed" });
  expect((await run(FINE!)).mean[0]).toBe(1);
});

/** Timers fire when told to. */
function manualClock() {
  const timers = new Map<number, { callback: () => void; delayMs: number }>();
  let next = 1;
  const clock: Clock = {
    now: () => 0,
    setTimer: (callback, delayMs) => {
      const id = next++;
      timers.set(id, { callback, delayMs });
      return () => timers.delete(id);
    },
  };
  const fire = (delayMs: number) => {
    for (const [id, timer] of [...timers]) {
      if (timer.delayMs !== delayMs) continue;
      timers.delete(id);
      timer.callback();
    }
  };
  return { clock, fire, delays: () => [...timers.values()].map((timer) => timer.delayMs) };
}

/** Waits until so many workers are idle: a slot is free a moment after its task is answered. */
async function untilIdle(delays: () => number[], count: number): Promise<void> {
  while (delays().filter((delay) => delay === 30_000).length < count)
    await new Promise((resolve) => setImmediate(resolve));
}

test("promise 8: a worker that hears the flag is canceled and kept", async () => {
  const { run, spawned } = makePool();
  const controller = new AbortController();
  const running = run(OBEYS!, controller.signal);
  controller.abort();
  await expect(running).rejects.toMatchObject({ code: "canceled" });
  await run(FINE!);
  expect(spawned()).toBe(1);
});

test("promise 8: a worker deaf to the flag is replaced after its grace", async () => {
  const { clock, fire, delays } = manualClock();
  const { run, loop, spawned } = makePool(clock);
  const controller = new AbortController();
  const { outcome } = await loop(controller.signal);
  controller.abort();
  expect(await outcome).toBe("canceled");
  expect(delays()).toContain(5000);
  const next = run(FINE!);
  fire(5000);
  expect((await next).mean[0]).toBe(1);
  expect(spawned()).toBe(2);
});

test("promise 9: a worker that is silent for too long is replaced, its task fails", async () => {
  const { clock, fire } = manualClock();
  const { run, loop, crashes } = makePool(clock);
  const { outcome } = await loop();
  fire(60_000);
  expect(await outcome).toBe("worker_crashed");
  expect((await run(FINE!)).mean[0]).toBe(1);
  expect(crashes).toEqual(["it did not respond"]);
});

test("promise 9: a worker that keeps dying is started ever more slowly", async () => {
  const { clock, fire, delays } = manualClock();
  const { run } = makePool(clock);
  for (let i = 0; i < 2; i++) await run(EXITS!).catch(() => {});
  const waiting = run(EXITS!).catch(() => {});
  expect(delays()).toContain(100);
  fire(100);
  await waiting;
  const fine = run(FINE!);
  expect(delays()).toContain(200);
  fire(200);
  expect((await fine).mean[0]).toBe(1);
});

test("a canceled task that has not begun never begins", async () => {
  const { run, spawned } = makePool();
  const controller = new AbortController();
  const first = run(FINE!);
  const second = run(FINE!, controller.signal);
  controller.abort();
  await expect(second).rejects.toMatchObject({ code: "canceled" });
  await first;
  expect(spawned()).toBe(1);
  await expect(run(FINE!, controller.signal)).rejects.toMatchObject({ code: "canceled" });
});

test("predictions have a lane of their own: they never wait behind a training", async () => {
  const { pool, run } = makePool();
  const controller = new AbortController();
  const training = pool.run(task(OBEYS!), { lane: "training", signal: controller.signal });
  expect((await run(FINE!)).mean[0]).toBe(1);
  controller.abort();
  await expect(training).rejects.toMatchObject({ code: "canceled" });
});

test("live windows go before predictions that wait, in the same worker", async () => {
  const { pool, run, spawned } = makePool();
  const { signal } = new AbortController();
  const ended: string[] = [];
  const predictions = [1, 2, 3].map(() => run(FINE!).then(() => ended.push("prediction")));
  const live = pool.run(task(FINE!), { lane: "live", signal }).then(() => ended.push("live"));
  await Promise.all([...predictions, live]);
  expect(ended).toEqual(["prediction", "live", "prediction", "prediction"]);
  expect(spawned()).toBe(1);
});

test("a canceled live task that has not begun never begins", async () => {
  const { pool, run } = makePool();
  const controller = new AbortController();
  const first = run(FINE!);
  const live = pool.run(task(FINE!), { lane: "live", signal: controller.signal });
  controller.abort();
  await expect(live).rejects.toMatchObject({ code: "canceled" });
  await first;
});

test("idle workers are ended, and come back with the next task", async () => {
  const { clock, fire, delays } = manualClock();
  const { pool, run, spawned, crashes, ended } = makePool(clock);
  const { signal } = new AbortController();
  await run(FINE!);
  await pool.run(task(FINE!), { lane: "training", signal });
  await untilIdle(delays, 2);
  expect([spawned(), ended()]).toEqual([2, 0]);
  fire(30_000);
  expect(ended()).toBe(2);
  expect(delays()).toEqual([]);
  expect((await run(FINE!)).mean[0]).toBe(1);
  expect(spawned()).toBe(3);
  expect(crashes).toEqual([]);
});

test("a warm pool has a prediction worker and what it has compiled", async () => {
  const { pool, run, spawned } = makePool();
  await pool.warm();
  expect(spawned()).toBe(1);
  expect((await run(COMPILES!)).mean[0]).toBe(1);
  expect(spawned()).toBe(1);
});

test("what one worker has compiled the others get, as long as one lives", async () => {
  const { clock, fire, delays } = manualClock();
  const { pool } = makePool(clock);
  const { signal } = new AbortController();
  const isGiven = async (lane: "training" | "prediction") =>
    (await pool.run(task(COMPILES!), { lane, signal })).mean[0];
  expect(await isGiven("prediction")).toBe(0);
  expect(await isGiven("training")).toBe(1);
  await untilIdle(delays, 2);
  fire(30_000);
  expect(await isGiven("training")).toBe(0);
});

test("a worker with a task is not idle, however long the task takes", async () => {
  const { clock, fire, delays } = manualClock();
  const { run, ended } = makePool(clock);
  await run(FINE!);
  await untilIdle(delays, 1);
  const controller = new AbortController();
  const running = run(OBEYS!, controller.signal);
  expect(delays()).not.toContain(30_000);
  fire(30_000);
  controller.abort();
  await expect(running).rejects.toMatchObject({ code: "canceled" });
  expect(ended()).toBe(0);
});

test("a task that arrives as the idle time passes is done, by a new worker", async () => {
  const { clock, fire, delays } = manualClock();
  const { run, spawned, ended } = makePool(clock);
  await run(FINE!);
  await untilIdle(delays, 1);
  fire(30_000);
  const tasks = [run(FINE!), run(FINE!)];
  fire(30_000);
  for (const { mean } of await Promise.all(tasks)) expect(mean[0]).toBe(1);
  expect([spawned(), ended()]).toEqual([2, 1]);
});

test("the prediction worker outlives its idle time while models are live, a training worker does not", async () => {
  const { clock, fire, delays } = manualClock();
  let live = true;
  const { pool, run, spawned, ended } = makePool(clock, () => live);
  const { signal } = new AbortController();
  await run(FINE!);
  await pool.run(task(FINE!), { lane: "training", signal });
  await untilIdle(delays, 2);
  fire(30_000);
  expect([spawned(), ended()]).toEqual([2, 1]);
  await run(FINE!);
  await untilIdle(delays, 1);
  live = false;
  fire(30_000);
  expect([spawned(), ended()]).toEqual([2, 2]);
});

test("progress reaches the caller; late messages about earlier tasks do not", async () => {
  const { pool, run } = makePool();
  const steps: number[] = [];
  const signal = new AbortController().signal;
  await pool.run(task(REPORTS!), { lane: "prediction", signal, onProgress: ({ step }) => steps.push(step) });
  expect(steps).toEqual([1]);
  expect((await run(STALE!)).mean[0]).toBe(STALE!);
});

test("stopping rejects running and waiting tasks", async () => {
  const { pool, run, loop } = makePool();
  const { outcome } = await loop();
  const waiting = run(FINE!).catch((error: { code: string }) => error.code);
  await pool.stop();
  expect([await outcome, await waiting]).toEqual(["canceled", "canceled"]);
});
