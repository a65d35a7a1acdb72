// Episodes of a range: a table of scores with their starts, ends and peaks.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { findEpisodes } from "../../../src/core/anomaly/episode.ts";
import { type AnomalyRules, normalState, stepAnomaly } from "../../../src/core/anomaly/state.ts";

const rules: AnomalyRules = { max: 70, min: 50, gracePeriodMs: 0, minDuration: 1 };
const gap = Number.NaN;

function episodesOf(scores: readonly number[], over: Partial<AnomalyRules> = {}) {
  const series = { startAt: 1000, intervalMs: 10, scores: Float64Array.from(scores) };
  return findEpisodes(series, { ...rules, ...over }).map(({ startAt, endAt, peakScore }) => [
    (startAt - 1000) / 10,
    endAt === null ? null : (endAt - 1000) / 10,
    peakScore,
  ]);
}

const rows: readonly [string, readonly number[], unknown[], Partial<AnomalyRules>?][] = [
  ["none below max", [10, 70, 69], []],
  ["none without scores", [], []],
  ["from above max to below min", [0, 80, 60, 90, 50, 49], [[1, 5, 90]]],
  ["the peak may be its first interval", [95, 60, 40], [[0, 2, 95]]],
  ["one that does not end", [0, 80, 60], [[1, null, 80]]],
  [
    "several",
    [80, 40, 75, 99, 10],
    [
      [0, 1, 80],
      [2, 4, 99],
    ],
  ],
  ["gaps neither start nor end one", [gap, 80, gap, 40], [[1, 3, 80]]],
  ["min_duration: it starts where it was decided", [80, 90, 75, 40], [[2, 3, 75]], { minDuration: 3 }],
  [
    "grace_period: none within it",
    [80, 40, 90, 90, 40],
    [
      [0, 1, 80],
      [3, 4, 90],
    ],
    { gracePeriodMs: 20 },
  ],
];

for (const [name, scores, expected, over] of rows) {
  test(name, () => expect(episodesOf(scores, over)).toEqual(expected as never));
}

test("starts and ends are those of the state machine, and no two overlap", () => {
  const score = fc.oneof(fc.integer({ min: 0, max: 100 }), fc.constant(gap));
  const options = fc.record({
    minDuration: fc.integer({ min: 1, max: 3 }),
    gracePeriodMs: fc.constantFrom(0, 25),
  });
  fc.assert(
    fc.property(fc.array(score, { maxLength: 60 }), options, (scores, over) => {
      let state = normalState;
      const [starts, ends]: [number[], number[]] = [[], []];
      for (const [i, value] of scores.entries()) {
        const move = stepAnomaly(state, { at: 1000 + i * 10, score: value }, { ...rules, ...over });
        state = move.state;
        if (move.event) (move.event === "start" ? starts : ends).push(i);
      }
      const found = episodesOf(scores, over);
      expect(found.map(([start]) => start)).toEqual(starts);
      expect(found.flatMap(([, end]) => (end === null ? [] : [end]))).toEqual(ends);
      for (const [i, [start]] of found.entries())
        if (i > 0) expect(start!).toBeGreaterThanOrEqual(found[i - 1]![1]!);
    }),
  );
});
