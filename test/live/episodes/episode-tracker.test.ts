// Episodes of scored points: their features, their peak, and the flag of each point.
import { expect, test } from "bun:test";
import { advance, type ScoredPoint } from "../../../src/live/episodes/episode-tracker.ts";
import { freshState, type LiveState } from "../../../src/live/state.ts";

const rules = { min: 50, max: 70, gracePeriodMs: 0, minDuration: 1, maxRarity: 4.2 };
const source = { metric: "avg", field: "x", bucket: "b", tags: { host: "web-1" } };

function run(
  points: readonly (readonly [score: number | undefined, rarity: number])[],
  before: Partial<LiveState> = {},
) {
  const scored = points.map(
    ([score, rarity], i): ScoredPoint => ({
      at: i * 60_000,
      score,
      features: {
        f: { type: "high", score: score ?? 0, observed: 9, predicted: 5, lower: 4, upper: 6, rarity },
      },
    }),
  );
  return advance({ ...freshState("run"), ...before }, scored, {
    model: "m",
    rules,
    sources: () => ({ f: source }),
    mutedUntil: () => undefined,
    newId: () => "e",
  });
}

test("events and episodes say where the values come from, and an end how long it lasted", () => {
  const { events, episodes } = run([
    [80, 5],
    [90, 6],
    [10, 0.1],
  ]);
  expect(events.map(({ event }) => event)).toMatchObject([
    { kind: "anomaly_start", features: { f: { ...source, rarity: 5 } } },
    { kind: "anomaly_end", features: { f: source }, durationMs: 120_000 },
  ]);
  expect(episodes).toMatchObject([
    { change: "open", episode: { features: { f: source } } },
    { change: "peak", peakScore: 90, peak: { f: { ...source, rarity: 6 } } },
    { change: "close" },
  ]);
});

test("of points with the score 100 the rarest is the peak", () => {
  const { episodes } = run([
    [100, 6.5],
    [100, 9],
    [100, 8],
    [99, 12],
  ]);
  expect(episodes.slice(1)).toMatchObject([{ change: "peak", peakScore: 100, peak: { f: { rarity: 9 } } }]);
});

test("each point has the flag of the anomaly after it, also one without a score", () => {
  const scores = [10, 80, undefined, 60, 40, 60].map((score) => [score, 1] as const);
  expect(run(scores).active).toEqual([false, true, true, true, false, false]);
});

test("a point that was scored before is flagged by the state there is, and moves nothing", () => {
  const scored = [{ fromAt: 0, toAt: 120_000 }];
  const normal = run([[90, 1] as const, [10, 1] as const, [60, 1] as const], { scored });
  expect(normal.active).toEqual([true, false, false]);
  expect(normal.episodes).toEqual([]);
  const active = run([[60, 1] as const, [10, 1] as const, [60, 1] as const], {
    scored,
    anomaly: { active: true },
  });
  expect(active.active).toEqual([true, false, true]);
  expect(active.state.anomaly).toEqual({ active: true });
});

test("severity rises with or without the peak and never falls; alerts keep that of the start", () => {
  const { episodes, events, state } = run([
    [80, 4.8],
    [75, 5.5],
    [95, 5],
    [60, 7],
    [90, 4.5],
    [10, 0.1],
  ]);
  expect(episodes).toMatchObject([
    { change: "open", episode: { severity: "info" } },
    { change: "severity", severity: "warning" },
    { change: "peak", peakScore: 95, severity: "warning" },
    { change: "severity", severity: "critical" },
    { change: "close" },
  ]);
  expect(events.map(({ event }) => event)).toMatchObject([
    { kind: "anomaly_start", severity: "info" },
    { kind: "anomaly_end", severity: "critical", startSeverity: "info" },
  ]);
  expect(state.episode).toBeUndefined();
});

test("an anomaly in progress from an older version has the severity of its start, and a plain label", () => {
  const features = {
    f: { type: "high", score: 90, observed: 9, predicted: 5, lower: 4, upper: 6, rarity: 5.4 },
  } as const;
  const episode = { id: "e", startedAt: 0, score: 90, features, peakScore: 90, announced: true };
  const { events } = run([[10, 0.1]], { anomaly: { active: true }, episode });
  expect(events[0]!.event).toMatchObject({ kind: "anomaly_end", severity: "warning" });
  expect(events[0]!.event).not.toHaveProperty("startSeverity");
});
