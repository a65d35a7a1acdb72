// Ranges that a training excludes or tolerates because of anomalies and their feedback.
import { expect, test } from "bun:test";
import { type JudgedEpisode, markTraining } from "../../../src/core/anomaly/training-marks.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const range = { fromAt: 0, toAt: 100 * DAY };

const found = (from: number, to: number | null, anomaly?: boolean): JudgedEpisode => ({
  startAt: from,
  endAt: to,
  feedback: anomaly === undefined ? null : { anomaly },
  features: { load: 1 },
  peak: { load: 1, hits: 1 },
});
const cases: [string, JudgedEpisode[], excluded: [number, number][], tolerated: [number, number][]][] = [
  ["nothing", [], [], []],
  ["an unjudged one is excluded", [found(DAY, DAY + HOUR)], [[DAY, DAY + HOUR]], []],
  ["one that was", [found(DAY, DAY + HOUR, true)], [[DAY, DAY + HOUR]], []],
  ["a false alarm stays", [found(DAY, DAY + HOUR, false)], [], [[DAY, DAY + HOUR]]],
  ["of a long unjudged one, the first day", [found(DAY, 5 * DAY)], [[DAY, 2 * DAY]], []],
  ["of a long one that was, all", [found(DAY, 5 * DAY, true)], [[DAY, 5 * DAY]], []],
  ["one that lasts, up to the end", [found(99.5 * DAY, null)], [[99.5 * DAY, 100 * DAY]], []],
  ["one that ended where it began, its first instant", [found(DAY, DAY)], [[DAY, DAY + 1]], []],
  [
    "the part within the range",
    [found(-HOUR, HOUR, true), found(99 * DAY, 101 * DAY, false)],
    [[0, HOUR]],
    [[99 * DAY, 100 * DAY]],
  ],
  ["nothing of those before and after it", [found(-2 * HOUR, -HOUR), found(100 * DAY, null, true)], [], []],
  [
    "many unjudged ones are the new normal",
    [
      ...Array.from({ length: 21 }, (_, i) => found(i * 4 * DAY, (i * 4 + 1) * DAY)),
      found(90 * DAY, 91 * DAY, true),
    ],
    [[90 * DAY, 91 * DAY]],
    [],
  ],
];

test.each(cases)("%s", (_, episodes, excluded, tolerated) => {
  const toRanges = (list: [number, number][]) => list.map(([fromAt, toAt]) => ({ fromAt, toAt }));
  expect(markTraining(episodes, range)).toEqual({
    excluded: toRanges(excluded),
    tolerated: toRanges(tolerated).map((part) => ({ ...part, features: ["load", "hits"] })),
  });
});
