// Revisions of live rows: of evaluations loaded at the same one, only the first is recorded.
import { beforeEach, expect, test } from "bun:test";
import fc from "fast-check";
import { listEpisodes } from "../../../src/store/anomalies/episodes.ts";
import {
  type EvaluationRecord,
  type FailureRecord,
  listEvaluations,
  recordAll,
  recordEvaluation,
  recordFailure,
} from "../../../src/store/anomalies/evaluations.ts";
import { loadLiveSeries } from "../../../src/store/fleets/live-series.ts";
import { type LiveOptions, type LiveRow, loadLive, startLive, stopLive } from "../../../src/store/live.ts";
import { createModel } from "../../../src/store/models.ts";
import { aModel } from "../../support/builders.ts";
import { roundsOf } from "../../support/rounds.ts";
import { aSeries } from "../fleets/builders.ts";
import { openTemporary, recordQueued, type TemporaryStore, useStore } from "../temporary.ts";

const store = useStore();
const ending = { reason: "stopped", describe: () => undefined };
const error = { code: "deadline", message: "late" } as const;

function start(on: TemporaryStore, run: string, options: LiveOptions = { detect: true }): Promise<void> {
  return startLive(on, [{ model: "m", options, untrained: true, state: { run } }], { at: 1, ending });
}

const stop = (on: TemporaryStore) => stopLive(on, ["m"], { at: 9, ending, strict: false });
const row = async (on: TemporaryStore = store) => (await loadLive(on, "m"))!;

/** An evaluation of its own: it starts an anomaly and changes a series. */
function recordOf(before: LiveRow, id: string): EvaluationRecord {
  const slot = (before.lastSlot ?? 0) + 1;
  const opened = { id, model: "m", startAt: 60, peakScore: 90, features: {}, peak: {} } as const;
  const about = { model: "m", episode: id, at: 60, startedAt: 60, score: 90, features: {} };
  return {
    ...{ model: "m", before, slot, intervalMs: 60, windowAt: slot * 60, evaluatedAt: slot * 60 + 5 },
    ...{ durationMs: 3, missed: 0, outcome: "ok", score: 90, state: before.state },
    episodes: [{ change: "open", episode: { ...opened, severity: "info" } }],
    events: [{ event: { ...about, id: `${id}:start`, kind: "anomaly_start" } }],
    series: [aSeries(id)],
  };
}

function failureOf(before: LiveRow, id: string): FailureRecord {
  return { ...recordOf(before, id), outcome: "failed", error };
}

/** Ids of what was recorded: anomalies, events and series. */
async function recordedIds() {
  const series = (await Array.fromAsync(loadLiveSeries(store, "m"))).flat();
  const episodes = await listEpisodes(store, {});
  const idsOf = (ids: readonly string[]) => [...ids].sort();
  return {
    episodes: idsOf(episodes.map(({ id }) => id)),
    events: idsOf((await queued()).map(({ episode }) => episode)),
    series: series.map(({ tags }) => tags.host),
  };
}

let queued: Awaited<ReturnType<typeof recordQueued>>;
beforeEach(async () => {
  await createModel(store, { name: "m", settings: aModel() }, 1);
  queued = await recordQueued(store);
  await start(store, "r");
});

test("promises 16, 19, 30: of two loaded at the same revision one is recorded, with its anomalies, events and series", async () => {
  const before = await row();
  const both = ["a", "b"].map((id) => recordEvaluation(store, recordOf(before, id)));
  expect(await Promise.all(both)).toEqual([true, false]);
  expect(await recordedIds()).toEqual({ episodes: ["a"], events: ["a"], series: ["a"] });
  const after = await row();
  expect(after.rev).toBe(before.rev + 1);
  const group = ["c", "d"].map((id) => recordOf(after, id));
  expect(await recordAll(store, [...group, failureOf(after, "e")])).toEqual([true, false, false]);
  expect(await recordedIds()).toEqual({ episodes: ["a", "c"], events: ["a", "c"], series: ["a", "c"] });
  expect(await row()).toMatchObject({ rev: 2, failures: 0, lastSlot: 2 });
  expect(await listEvaluations(store, "m")).toHaveLength(2);
});

const between: readonly [string, (before: LiveRow) => Promise<unknown>][] = [
  ["a failure", (before) => recordFailure(store, failureOf(before, "x"))],
  ["a stop", () => stop(store)],
  ["a stop and a start", () => stop(store).then(() => start(store, "next"))],
  ["a start that ends detection", () => start(store, "next", { detect: false })],
  ["a start with another output bucket", () => start(store, "next", { detect: true, save: { bucket: "o" } })],
];

for (const [what, change] of between)
  test(`${what} since an evaluation was loaded refuses it, and changes nothing else`, async () => {
    await recordEvaluation(store, { ...recordOf(await row(), "a"), series: [] });
    const before = await row();
    await change(before);
    const left = [await loadLive(store, "m"), await listEvaluations(store, "m"), await recordedIds()];
    expect(await recordEvaluation(store, recordOf(before, "b"))).toBe(false);
    expect(await recordFailure(store, failureOf(before, "b"))).toBe(false);
    expect([await loadLive(store, "m"), await listEvaluations(store, "m"), await recordedIds()]).toEqual(
      left,
    );
  });

test("a start with the options that a model has refuses no evaluation", async () => {
  const before = await row();
  await start(store, "next");
  expect(await recordEvaluation(store, recordOf(before, "a"))).toBe(true);
});

const action = fc.constantFrom("load", "record", "fail", "start", "options", "stop");

test("promise 16: whatever happens between, an evaluation is recorded only where nothing changed since it was loaded", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(action, fc.nat(3)), { maxLength: 40 }), async (actions) => {
      const own = openTemporary();
      await createModel(own, { name: "m", settings: aModel() }, 1);
      const events = await recordQueued(own);
      /** Rows as they were loaded, and after how many changes. */
      const loaded: { row: LiveRow; changes: number }[] = [];
      const expected: string[] = [];
      let [changes, isSaved, evaluated] = [0, false, 0];
      for (const [what, pick] of actions) {
        const live = await loadLive(own, "m");
        const task = loaded[pick % Math.max(1, loaded.length)];
        if (what === "load" && live) loaded.push({ row: live, changes });
        else if (what === "start" && !live) {
          await start(own, `run ${changes++}`);
          isSaved = false;
        } else if (what === "options" && live) {
          isSaved = !isSaved;
          await start(own, "unused", { detect: true, ...(isSaved && { save: { bucket: "o" } }) });
          changes++;
        } else if (what === "stop" && live) {
          await stop(own);
          changes++;
        } else if ((what === "record" || what === "fail") && task) {
          const id = `e${++evaluated}`;
          const isNewest = task.changes === changes;
          const recorded =
            what === "fail"
              ? await recordFailure(own, failureOf(task.row, id))
              : await recordEvaluation(own, recordOf(task.row, id));
          expect(recorded).toBe(isNewest);
          if (isNewest) changes++;
          if (isNewest && what === "record") expected.push(id);
        }
      }
      expect((await events()).map(({ episode }) => episode)).toEqual(expected);
      await own.remove();
    }),
    { numRuns: roundsOf(25) },
  );
});
