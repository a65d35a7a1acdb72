// Group commit: evaluations that end close together share a commit, but not their failures.
import { beforeEach, expect, test } from "bun:test";
import { Recorder } from "../../src/live/recorder.ts";
import { freshState } from "../../src/live/state.ts";
import type { EvaluationRecord } from "../../src/store/anomalies/evaluations.ts";
import { startLive } from "../../src/store/live.ts";
import { drain } from "../jobs/fakes.ts";
import { breakAt } from "../store/temporary.ts";
import { useLiveWorld } from "./world.ts";

const GROUP_MS = 50;
const names = ["a", "b", "c", "d"];
const world = useLiveWorld();
let commits = 0;
let refused = 0;
beforeEach(async () => {
  for (const name of names) await world.makeModel(name);
  const ending = { reason: "stopped", describe: () => undefined };
  const starts = names.map((model) => ({ model, options: { detect: true }, state: freshState("run") }));
  await startLive(world.store, starts, { at: 1, ending });
  commits = 0;
  refused = 0;
  const { engine } = world.store;
  const commit = engine.write.bind(engine);
  engine.write = (work) => {
    commits++;
    return commit(work);
  };
});

function makeRecorder(): Recorder {
  const { store, clock } = world;
  return new Recorder({ store, clock, groupMs: GROUP_MS, onRefused: () => void refused++ });
}

const recordOf = (model: string, over: Partial<EvaluationRecord> = {}): EvaluationRecord => ({
  model,
  before: { rev: 0, state: freshState("run") },
  slot: 7,
  intervalMs: 60_000,
  windowAt: 60_000,
  evaluatedAt: 61_000,
  durationMs: 3,
  missed: 0,
  outcome: "ok",
  score: 12,
  state: freshState("run"),
  episodes: [],
  events: [],
  ...over,
});

test("the first is committed at once, those after it together", async () => {
  const recorder = makeRecorder();
  const recorded = names.map((model) => recorder.record(recordOf(model)));
  expect(await recorded[0]).toBe(true);
  await drain();
  expect((await world.evaluations("b")).length).toBe(0);
  world.clock.pass(GROUP_MS);
  expect(await Promise.all(recorded)).toEqual([true, true, true, true]);
  expect(commits).toBe(2);
  world.clock.pass(GROUP_MS);
  expect(await recorder.record(recordOf("a", { before: { rev: 1, state: freshState("run") } }))).toBe(true);
  recorder.stop();
});

test("a refused evaluation and a failed one within a group have results of their own", async () => {
  const recorder = makeRecorder();
  const { outcome: _, ...basics } = recordOf("d");
  const error = { code: "deadline", message: "late" } as const;
  const recorded = [
    recorder.record(recordOf("a")),
    recorder.record(recordOf("b")),
    recorder.record(recordOf("c", { before: { rev: 3, state: freshState("run") } })),
    recorder.record({ ...basics, outcome: "failed", error }),
  ];
  world.clock.pass(GROUP_MS);
  expect(await Promise.all(recorded)).toEqual([true, true, false, true]);
  expect((await world.evaluations("d"))[0]).toMatchObject({ outcome: "failed", error: "late" });
  expect(await world.row("d")).toMatchObject({ failures: 1, lastErrorCode: "deadline" });
  expect(refused).toBe(1);
  world.clock.pass(GROUP_MS);
  expect(await recorder.record(recordOf("a"))).toBe(false);
  expect(refused).toBe(2);
  recorder.stop();
});

test("one that cannot be recorded does not fail the others of its group", async () => {
  const recorder = makeRecorder();
  await breakAt(world.store, "insert on outbox", "new.model = 'c'");
  const event = (model: string) => ({
    event: {
      id: `${model}:start`,
      kind: "anomaly_start" as const,
      model,
      episode: "e",
      at: 1,
      startedAt: 1,
      score: 90,
      features: {},
    },
  });
  const recorded = names.map((model) => recorder.record(recordOf(model, { events: [event(model)] })));
  const outcomes = Promise.allSettled(recorded);
  world.clock.pass(GROUP_MS);
  expect((await outcomes).map(({ status }) => status)).toEqual([
    "fulfilled",
    "fulfilled",
    "rejected",
    "fulfilled",
  ]);
  expect(await world.row("c")).toMatchObject({ lastSlot: null });
  expect(await world.evaluations("c")).toEqual([]);
  expect(await world.row("d")).toMatchObject({ lastSlot: 7 });
  expect(await world.evaluations("d")).toHaveLength(1);
  recorder.stop();
});

test("a stop commits what waits, and later records at once", async () => {
  const recorder = makeRecorder();
  const recorded = [recorder.record(recordOf("a")), recorder.record(recordOf("b"))];
  recorder.stop();
  expect(await Promise.all(recorded)).toEqual([true, true]);
  expect(await recorder.record(recordOf("c"))).toBe(true);
  expect(await recorder.record(recordOf("d"))).toBe(true);
});
