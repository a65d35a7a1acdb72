// Entry point: live detection and delivery that kill themselves between two statements.
// Usage: bun victim.ts DIR KILL_AT MODE; KILL_AT 0 = never. Prints the number of statements it got to.
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { seriesKeyOf } from "../../src/core/model/fleet.ts";
import { Delivery } from "../../src/delivery/deliver.ts";
import type { HookServices } from "../../src/hooks/kind.ts";
import { LiveLoop } from "../../src/live/loop.ts";
import { Output } from "../../src/live/output.ts";
import { freshState } from "../../src/live/state.ts";
import { VersionCache } from "../../src/live/versions.ts";
import type { Compute, ModelKind } from "../../src/models/kind.ts";
import { openStore, type Store } from "../../src/store/db/open.ts";
import { putHook } from "../../src/store/hooks.ts";
import { claimJob, submitJobs } from "../../src/store/jobs/jobs.ts";
import { startLive } from "../../src/store/live.ts";
import { createModel } from "../../src/store/models.ts";
import { finishTraining } from "../../src/store/versions.ts";
import { makeContext } from "../hooks/events.ts";
import { drain } from "../jobs/fakes.ts";
import { FaultyBucket, fakeKind, MINUTE, NOON, SetClock } from "../live/world.ts";
import { aModel } from "../support/builders.ts";
import { lives, type Mode } from "./life.ts";
import { wireStatements } from "./statements.ts";

const STEP_MS = 5000;

const [dir = "", killAt = "0", mode = "single"] = process.argv.slice(2);
const life = lives[mode as Mode];
const { group_by: groupBy } = life.settings;
const minutes = Math.max(...Object.values(life.scores).map(({ length }) => length));
const delivered = join(dir, "delivered");
const progress = join(dir, "progress");
let statements = 0;
/** What sets the stage does not count. */
let armed = false;

/** Counts, and dies without a word at the chosen place. */
function pulse(): void {
  if (!armed) return;
  statements++;
  if (statements === Number(killAt)) process.kill(process.pid, "SIGKILL");
}

async function setUp(store: Store): Promise<void> {
  const settings = aModel({
    max_threshold: 70,
    min_threshold: 50,
    features: [{ name: "f", metric: "avg", field: "x" }],
    ...life.settings,
  });
  const fits = Object.keys(life.scores).map((host) => {
    return { key: seriesKeyOf(["host"], { host }), tags: { host }, points: 5000, parameters: {} };
  });
  await createModel(store, { name: "m", settings }, 0);
  await submitJobs(store, [{ id: "t", type: "training", model: "m", input: {} }], { at: 1, maxWaiting: 9 });
  await claimJob(store, ["training"], { owner: "me", at: 1 });
  const version = { fromAt: 0, toAt: 1, summary: {}, parameters: {}, weights: new Float32Array([1]) };
  const trained = { model: "m", settings, ...version, ...(groupBy && { series: fits }) };
  await finishTraining(store, { id: "t", owner: "me", at: 1 }, trained);
  await putHook(
    store,
    { model: "m", name: "h" },
    { at: 0, change: () => ({ kind: "webhook", config: {}, options: life.hook }) },
  );
  const ending = { reason: "stopped", describe: () => undefined };
  const start = { model: "m", options: { detect: true }, state: freshState("run") };
  await startLive(store, [start], { at: NOON, ending });
  writeFileSync(progress, "0");
}

function makeParts(store: Store, clock: SetClock) {
  const bucket = new FaultyBucket();
  for (const [host, scores] of Object.entries(life.scores)) {
    const values = groupBy ? new Map<number, number>() : bucket.values;
    for (const [minute, score] of scores.entries()) values.set(NOON + minute * MINUTE, score);
    if (groupBy) bucket.hosts.set(host, values);
  }
  const openBucket = async () => bucket;
  const fail = (error: unknown) => {
    throw error;
  };
  const delivery = new Delivery({
    store,
    clock,
    services: makeContext() as HookServices,
    random: () => 0.5,
    onDeliveryFailure: () => {},
    onError: fail,
    deliver: async (events, _hook, { key }) => {
      pulse();
      appendFileSync(delivered, `${JSON.stringify({ key, events: events.map(({ id }) => id) })}\n`);
      pulse();
      return "sent";
    },
  });
  const loop = new LiveLoop({
    store,
    clock,
    openBucket,
    kind: fakeKind as ModelKind,
    compute: {} as Compute,
    versions: new VersionCache(store),
    output: new Output({ store, clock, openBucket, onError: fail }),
    deadlineMs: 30_000,
    train: async () => {},
    keepsScores: () => true,
    onEvents: () => delivery.wake(),
    newId: () => crypto.randomUUID(),
    onError: fail,
  });
  return { loop, delivery };
}

// Wired before anything is prepared: statements that are kept would beat no more.
wireStatements(pulse);
const store = openStore({ dir });
if (!existsSync(progress)) await setUp(store);
armed = true;
const clock = new SetClock();
const from = Number(readFileSync(progress, "utf8"));
clock.step(from * MINUTE);
const { loop, delivery } = makeParts(store, clock);
await loop.start();
await delivery.start();
await drain();
for (let minute = from; minute < minutes; minute++) {
  writeFileSync(progress, String(minute));
  for (let passed = 0; passed < MINUTE; passed += STEP_MS) {
    clock.pass(STEP_MS);
    await drain();
  }
}
await loop.stop();
await delivery.stop();
store.close();
console.log(statements);
