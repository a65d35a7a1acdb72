// Promise 11: every pair of concurrent requests to a model, over a running queue and live loop.
import { expect, test } from "bun:test";
import { TorusError } from "../../src/core/errors.ts";
import { isFinal } from "../../src/core/job.ts";
import { LiveLoop } from "../../src/live/loop.ts";
import { Output } from "../../src/live/output.ts";
import { VersionCache } from "../../src/live/versions.ts";
import type { Compute, ModelKind } from "../../src/models/kind.ts";
import { Live } from "../../src/resources/live/index.ts";
import { Models } from "../../src/resources/models/index.ts";
import { listEpisodes } from "../../src/store/anomalies/episodes.ts";
import { listJobs } from "../../src/store/jobs/rows.ts";
import { listLive } from "../../src/store/live.ts";
import { listModels } from "../../src/store/models.ts";
import { drain } from "../jobs/fakes.ts";
import { FaultyBucket, fakeKind, MINUTE, NOON } from "../live/world.ts";
import { recordEvents } from "../store/temporary.ts";
import { limits, makeWorld, plainModel } from "./world.ts";

const settings = { ...plainModel, max_threshold: 70, min_threshold: 50 };

/** A world in which model `m` is trained, live, and within an anomaly. */
async function makeRace() {
  const world = await makeWorld();
  const { store, clock, queue, buckets, jobs } = world;
  clock.at = NOON;
  const bucket = new FaultyBucket();
  for (let minute = -5; minute < 60; minute++) bucket.values.set(NOON + minute * MINUTE, 90);
  const errors: unknown[] = [];
  const queuedEvents = recordEvents(store);
  const rounds: string[] = [];
  const onError = (error: unknown) => void errors.push(error);
  const output = new Output({ store, clock, openBucket: async () => bucket, onError });
  const newId = () => crypto.randomUUID();
  const loop = new LiveLoop({
    ...{ store, clock, output, newId, onError },
    openBucket: async () => bucket,
    kind: fakeKind as ModelKind,
    compute: {} as Compute,
    versions: new VersionCache(store),
    deadlineMs: 30_000,
    train: async () => {},
    keepsScores: () => true,
    onEvents: () => {},
    onEvaluation: ({ end }) => rounds.push(end),
  });
  const shared = { store, clock, limits, openBucket: (name: string) => buckets.open(name) };
  const live = new Live({ ...shared, loop, output, onEvents: () => {}, newId });
  const models = new Models({ ...shared, queue, live, viewJob: (id) => jobs.view(id) });
  await loop.start();
  await buckets.put({ name: "b", type: "local" });
  await models.create(settings);
  await world.finish(await models.train("m", { from: "now-1h" }));
  await live.startAll(["m"], { detect_anomalies: true });
  const pass = async (ms: number) => {
    for (let left = ms; left > 0; left -= 5000) {
      clock.advance(5000);
      await drain();
    }
  };
  await pass(2 * MINUTE);
  return { ...world, models, live, loop, pass, errors, queuedEvents, rounds };
}

type Race = Awaited<ReturnType<typeof makeRace>>;

const acts: Readonly<Record<string, (race: Race) => Promise<unknown>>> = {
  train: ({ models }) => models.train("m", { from: "now-1h" }),
  cancel: async ({ jobs, store }) => jobs.cancel((await listJobs(store)).map(({ id }) => id).slice(-1)),
  patch: ({ models }) => models.patch(["m"], { max_threshold: 75, interval: "2m" }),
  remove: ({ models }) => models.remove(["m"]),
  forecast: ({ models }) => models.forecast("m", { to: "now+5m" }),
  start: ({ live }) => live.startAll(["m"], { detect_anomalies: true }),
  stop: ({ live }) => live.stopAll(["m"]),
  evaluation: async ({ clock }) => clock.advance(MINUTE),
};
const names = Object.keys(acts);

/** What a client may be told of a race; anything else is a bug. */
const expected = ["not_found", "not_trained", "training_active", "job_stopped"];

async function runTogether(race: Race, pair: readonly string[]): Promise<void> {
  for (const result of await Promise.allSettled(pair.map((name) => acts[name]!(race)))) {
    if (result.status === "fulfilled") continue;
    const { reason } = result;
    if (!(reason instanceof TorusError && expected.includes(reason.code))) throw reason;
  }
  await drain();
  for (const { fake } = race; fake.calls.length > 0; await drain()) fake.calls[0]!.done();
}

async function checkState({ store, pass, rounds, errors, queuedEvents }: Race): Promise<void> {
  await pass(4 * MINUTE);
  const models = (await listModels(store)).map(({ name }) => name);
  const live = (await listLive(store)).map(({ model }) => model);
  expect(live.filter((name) => !models.includes(name))).toEqual([]);
  expect((await listJobs(store)).filter(({ state }) => !isFinal(state))).toEqual([]);
  const events = queuedEvents();
  // An anomaly in progress belongs to a live model; each had one start, and one end when it was over.
  const episodes = await listEpisodes(store, {});
  const open = episodes.filter(({ endAt }) => endAt === null);
  expect(open.length).toBeLessThanOrEqual(live.length);
  expect(events.filter(({ kind }) => kind === "anomaly_start")).toHaveLength(episodes.length);
  expect(events.filter(({ kind }) => kind === "anomaly_end")).toHaveLength(episodes.length - open.length);
  expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
  // Whoever is live is watched, nobody else is.
  rounds.length = 0;
  await pass(4 * MINUTE);
  expect([live, rounds.includes("recorded")]).toEqual([live, live.length > 0]);
  if (live.length === 0) expect(rounds).toEqual([]);
  expect(errors).toEqual([]);
}

test.each(names)("promise 11: %s at once with each of the others, and with itself", async (first) => {
  for (const second of names) {
    // Twice, with a training under way or without: 128 races.
    for (const training of [false, true]) {
      const race = await makeRace();
      try {
        if (training) await race.models.train("m", { from: "now-1h" });
        await runTogether(race, [first, second]);
        await checkState(race);
      } catch (error) {
        throw new Error(`${first} with ${second}${training ? " during a training" : ""}: ${error}`);
      } finally {
        await race.loop.stop();
        await race.close();
      }
    }
  }
}, 180_000);
