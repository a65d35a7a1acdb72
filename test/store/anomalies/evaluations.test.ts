// Changes that evaluations and feedback announce.
import { expect, test } from "bun:test";
import type { Change } from "../../../src/core/change.ts";
import { saveFeedback } from "../../../src/store/anomalies/episodes.ts";
import {
  type EvaluationRecord,
  recordEvaluation,
  recordFailure,
} from "../../../src/store/anomalies/evaluations.ts";
import { startLive, stopLive } from "../../../src/store/live.ts";
import { createModel } from "../../../src/store/models.ts";
import { aModel } from "../../support/builders.ts";
import { useStore } from "../temporary.ts";

const store = useStore();
const state = { run: "r" };
const basics = {
  model: "m",
  before: { rev: 0, state },
  slot: 1,
  intervalMs: 60_000,
  windowAt: 60_000,
  evaluatedAt: 61_000,
  durationMs: 3,
  missed: 0,
};
const record: EvaluationRecord = { ...basics, outcome: "ok", score: 91, state, episodes: [], events: [] };
const report = { type: "high", score: 80, observed: 9, predicted: 5, lower: 4, upper: 6 } as const;
const opened = {
  change: "open",
  episode: {
    id: "e",
    model: "m",
    startAt: 0,
    peakScore: 91,
    features: { f: report },
    peak: {},
    severity: "info",
  },
} as const;

test("a window, the steps of its anomaly, a failure, the end by a stop, and feedback", async () => {
  await createModel(store, { name: "m", settings: aModel() }, 1);
  const ending = { reason: "stopped", describe: () => undefined };
  await startLive(store, [{ model: "m", options: { detect: true }, untrained: true, state }], {
    at: 2,
    ending,
  });
  const seen: Change[] = [];
  store.changes.subscribe((change) => seen.push(change));
  await recordEvaluation(store, { ...record, episodes: [opened] });
  const before = { rev: 1, state: { ...state, intervalMs: 60_000 } };
  const error = { code: "deadline", message: "late" } as const;
  await recordFailure(store, { ...basics, before, slot: 2, windowAt: 120_000, error });
  expect(await recordEvaluation(store, record)).toBe(false);
  await stopLive(store, ["m"], { at: 150_000, ending, strict: true });
  await saveFeedback(store, { model: "m", id: "e" }, { anomaly: true, at: 5 });
  const anomaly = { type: "anomaly", model: "m", id: "e" };
  expect(seen).toEqual([
    { type: "live", model: "m", windowAt: 60_000, outcome: "ok", score: 91 },
    { ...anomaly, step: "start", startAt: 0, peakScore: 91, severity: "info" },
    { type: "live", model: "m", windowAt: 120_000, outcome: "failed", score: null },
    { ...anomaly, step: "end", endAt: 150_000 },
    { type: "model", model: "m", step: "stopped" },
    { ...anomaly, step: "feedback", anomaly: true },
  ] as Change[]);
});
