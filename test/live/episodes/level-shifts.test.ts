// Level shifts: one event per step in the outbox, beside the end of the anomaly; shown until the next version.
import { beforeEach, expect, test } from "bun:test";
import type { HookEvent } from "../../../src/core/anomaly/event.ts";
import type { LevelShift } from "../../../src/core/anomaly/level-shift.ts";
import { planLevelShifts } from "../../../src/live/episodes/level-shifts.ts";
import { stateOf } from "../../../src/live/state.ts";
import { recordChanges } from "../../../src/store/changes/changes.ts";
import { aModel } from "../../support/builders.ts";
import { fakeKind, MINUTE, NOON, useLiveWorld } from "../world.ts";

const shift: LevelShift = { feature: "v", at: 60_000, sinceAt: 0, from: 10, to: 70 };
const report = { type: "high", score: 80, observed: 71, predicted: 10, lower: 9, upper: 11 } as const;
const context = {
  model: "m",
  points: [{ at: 60_000, score: 80, features: { v: report, w: report } }],
  episode: "anomaly" as string | undefined,
  sources: () => ({ v: { bucket: "b" } }),
  mutedUntil: () => undefined as number | undefined,
  newId: () => "fresh",
};

test("an event names its feature, and the anomaly that began with the step", () => {
  const [{ event }] = planLevelShifts([shift], context) as [{ event: HookEvent }];
  expect(event).toEqual({
    id: "anomaly:level:v",
    kind: "level_shift",
    model: "m",
    episode: "anomaly",
    at: 60_000,
    startedAt: 0,
    score: 80,
    severity: "info",
    features: { v: { ...report, bucket: "b" } },
    levelShift: shift,
  });
});

test("without an anomaly it has an id of its own; without a point there is no report", () => {
  const [{ event }] = planLevelShifts([shift], { ...context, points: [], episode: undefined }) as [
    { event: HookEvent },
  ];
  expect(event).toMatchObject({ id: "fresh:level:v", episode: "fresh", score: 0, features: {} });
});

test("muted hooks get it when they are muted no longer", () => {
  const [planned] = planLevelShifts([shift], { ...context, mutedUntil: () => 5 });
  expect(planned).toMatchObject({ notBefore: 5 });
});

const world = useLiveWorld();
beforeEach(() => world.begin());

test("an evaluation knows the changes that share a tag with its model", async () => {
  const seen: (readonly number[] | undefined)[] = [];
  const { evaluate } = fakeKind;
  world.kind.evaluate = async (model, input, ...rest) => {
    seen.push(input.changes);
    return evaluate(model, input, ...rest);
  };
  const change = { endAt: null, kind: "deploy", title: "2", url: null };
  const changes = [
    { ...change, id: "web", at: NOON - MINUTE, tags: { service: "web" } },
    { ...change, id: "db", at: NOON, tags: { service: "db" } },
  ];
  await recordChanges(world.store, changes, { at: NOON });
  const match_all = [{ tag: "service", value: "web" }];
  await world.makeModel("m", { features: [{ name: "f", metric: "avg", field: "x", match_all }] });
  await world.start(["m"]);
  await world.pass(MINUTE);
  expect(seen.at(-1)).toEqual([NOON - MINUTE]);
});

test("a step is recorded with its evaluation: one event per hook, over restarts, until another version", async () => {
  const stepAt = NOON + 4 * MINUTE;
  const { evaluate } = fakeKind;
  world.kind.evaluate = async (...args: Parameters<typeof evaluate>) => {
    const evaluation = await evaluate(...args);
    const { startAt, intervalMs, length } = evaluation.grid;
    const isHere = startAt <= stepAt && stepAt < startAt + length * intervalMs;
    const steps = isHere ? [{ ...shift, feature: "f", at: stepAt, sinceAt: NOON }] : [];
    return { ...evaluation, levelShifts: steps };
  };
  await world.makeModel("m");
  await world.start(["m"]);
  world.bucket.values.set(NOON + 3 * MINUTE, 80);
  await world.pass(6 * MINUTE);
  await world.restart();
  await world.pass(2 * MINUTE);
  expect(world.events.map(({ kind }) => kind)).toEqual(["anomaly_start", "anomaly_end", "level_shift"]);
  const [start, , step] = world.events;
  expect(step).toMatchObject({ episode: start!.episode, levelShift: { from: 10, to: 70 } });
  expect(stateOf(await world.row()).levelShift).toMatchObject({ at: stepAt });
  await world.train("m", aModel({ max_threshold: 70, min_threshold: 50 }));
  await world.pass(2 * MINUTE);
  expect(stateOf(await world.row()).levelShift).toBeUndefined();
});
