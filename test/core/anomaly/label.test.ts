// Labels against episodes, with results worked out by hand.
import { expect, test } from "bun:test";
import fc from "fast-check";
import type { ScoredEpisode } from "../../../src/core/anomaly/episode.ts";
import {
  compareLabels,
  labelsFromFlags,
  medianDelay,
  prepareLabels,
} from "../../../src/core/anomaly/label.ts";
import { parseRanges, parseSpans } from "../../support/spans.ts";

type Span = readonly [number, number | null];
const episode = ([startAt, endAt]: Span): ScoredEpisode => ({ startAt, endAt, peakScore: 90 });
const label = ([fromAt, toAt]: Span) => ({ fromAt, toAt: toAt! });

interface Expected {
  readonly true: readonly boolean[];
  /** Start of the episode that found each label, in the order of their starts. */
  readonly found: readonly (number | undefined)[];
  readonly quality: object;
  readonly delay?: number;
}

const none = undefined;
const all = { precision: 1, recall: 1, f1: 1 };
const zero = { precision: 0, recall: 0, f1: 0 };
const rows: readonly [name: string, episodes: string, labels: string, Expected][] = [
  ["nothing at all", "", "", { true: [], found: [], quality: {} }],
  ["no labels: every episode is false", "0-1", "", { true: [false], found: [], quality: { precision: 0 } }],
  [
    "no episodes: every label is missed",
    "",
    "0-5",
    { true: [], found: [none], quality: { recall: 0, f1: 0 } },
  ],
  ["one in one", "12-14", "10-20", { true: [true], found: [12], quality: all, delay: 2 }],
  ["an end is exclusive: before", "5-10", "10-20", { true: [false], found: [none], quality: zero }],
  ["an end is exclusive: after", "20-25", "10-20", { true: [false], found: [none], quality: zero }],
  ["touching by one is enough", "19-30", "10-20", { true: [true], found: [19], quality: all, delay: 9 }],
  [
    "one that was there before has no delay",
    "5-11",
    "10-20",
    { true: [true], found: [5], quality: all, delay: 0 },
  ],
  [
    "one that never ends finds what comes later",
    "5-",
    "10-20 30-40",
    { true: [true], found: [5, 5], quality: all, delay: 0 },
  ],
  [
    "two of three episodes, one of two labels",
    "1-3 10-12 15-17",
    "30-40 9-20",
    {
      true: [false, true, true],
      found: [10, none],
      quality: { precision: 2 / 3, recall: 1 / 2, f1: 4 / 7 },
      delay: 1,
    },
  ],
  [
    "labels that overlap each count; the median of an even number is halfway",
    "12-13 26-27",
    "10-30 24-28 10-14",
    { true: [true, true], found: [12, 12, 26], quality: all, delay: 2 },
  ],
  [
    "an even number of delays",
    "12-13 26-27",
    "10-20 20-30",
    { true: [true, true], found: [12, 26], quality: all, delay: 4 },
  ],
];

for (const [name, episodes, labels, expected] of rows) {
  test(name, () => {
    const arranged = prepareLabels(parseRanges(labels));
    const comparison = compareLabels(
      parseSpans(episodes).map(({ fromAt, toAt }) => episode([fromAt, toAt])),
      arranged,
    );
    expect(comparison.isTrue).toEqual(expected.true as boolean[]);
    expect(comparison.finders.map((finder) => finder?.startAt)).toEqual(expected.found as number[]);
    expect(Object.keys(comparison.quality)).toEqual(Object.keys(expected.quality));
    for (const [key, value] of Object.entries(expected.quality))
      expect(comparison.quality[key as "f1"]).toBeCloseTo(value as number, 12);
    expect(medianDelay(comparison, arranged)).toBe(expected.delay as number);
  });
}

test("with known normal ranges, ignores episodes that overlap no label", () => {
  const [list, normal] = [[label([10, 20])], prepareLabels([label([40, 50]), label([18, 25])])];
  const labels = { ...prepareLabels(list), normal };
  const episodes = [episode([15, 22]), episode([30, 32]), episode([45, 46])];
  expect(compareLabels(episodes, labels)).toMatchObject({
    isTrue: [true, undefined, false],
    raised: 2,
    quality: { precision: 1 / 2, recall: 1, f1: 2 / 3 },
  });
  const unknown = compareLabels([episode([30, 32])], labels);
  expect(unknown.isTrue).toEqual([undefined]);
  expect(unknown.quality).not.toHaveProperty("precision");
});

test("labels are arranged by start, and what they cover has no seams", () => {
  const arranged = prepareLabels(parseRanges("30-40 10-20 15-18 20-25"));
  expect(arranged.list.map(({ fromAt }) => fromAt)).toEqual([10, 15, 20, 30]);
  expect(arranged.covered).toEqual([label([10, 25]), label([30, 40])]);
});

test("the fast comparison is the slow one", () => {
  const spans = (size: number) =>
    fc.array(fc.tuple(fc.nat(60), fc.integer({ min: 1, max: 12 })), { maxLength: size });
  fc.assert(
    fc.property(spans(8), spans(8), (episodeSpans, labelSpans) => {
      const labels = prepareLabels(labelSpans.map(([from, length]) => label([from, from + length])));
      const episodes = apart(episodeSpans).map(episode);
      const overlap = (e: ScoredEpisode, l: { fromAt: number; toAt: number }) =>
        e.startAt < l.toAt && e.endAt! > l.fromAt;
      const { isTrue, finders } = compareLabels(episodes, labels);
      expect(isTrue).toEqual(episodes.map((e) => labels.list.some((l) => overlap(e, l))));
      expect(finders).toEqual(labels.list.map((l) => episodes.find((e) => overlap(e, l))));
    }),
  );
});

/** Only those that begin after the one before has ended. */
function apart(spans: readonly (readonly [number, number])[]): Span[] {
  const kept: [number, number][] = [];
  for (const [from, length] of [...spans].sort((a, b) => a[0] - b[0]))
    if (kept.length === 0 || from >= kept.at(-1)![1]) kept.push([from, from + length]);
  return kept;
}

test.each([
  [[0, 0, 0], []],
  [[1], [[1000, 1010]]],
  [
    [0, 1, 1, 0, 1],
    [
      [1010, 1030],
      [1040, 1050],
    ],
  ],
] as [number[], number[][]][])("flags %p are labels %p", (flags, expected) => {
  const labels = labelsFromFlags((i) => flags[i] !== 0, {
    startAt: 1000,
    intervalMs: 10,
    length: flags.length,
  });
  expect(labels.map(({ fromAt, toAt }) => [fromAt, toAt])).toEqual(expected);
});
