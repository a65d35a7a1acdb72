// Data of the bucket contract: points with hand-computed answers, and hostile names.

/** Points in intervals 0, 2 and 3 of a minute; one before the range, one at its exclusive end. */
export const samplePoints: readonly [atMs: number, value: number][] = [
  [-20_000, 0],
  [0, 1],
  [10_000, 4],
  [30_000, 2],
  [50_000, 4],
  [120_000, 10],
  [150_000, 3],
  [239_999, 7],
  [240_000, 100],
];

export const NONE = Number.NaN;
/** Worked out by hand for the points above, from T0 to T0 + 4 min. */
export const sampleAnswers: readonly [metric: string, column: number[]][] = [
  ["count", [4, 0, 2, 1]],
  ["sum", [11, NONE, 13, 7]],
  ["avg", [2.75, NONE, 6.5, 7]],
  ["mean", [2.75, NONE, 6.5, 7]],
  ["MIN", [1, NONE, 3, 7]],
  ["max", [4, NONE, 10, 7]],
  ["median", [3, NONE, 6.5, 7]],
  ["mode", [4, NONE, 10, 7]],
  ["spread", [3, NONE, 7, 0]],
  ["stddev", [1.5, NONE, Math.sqrt(24.5), NONE]],
  ["variance", [2.25, NONE, 24.5, NONE]],
  ["sum_of_squares", [37, NONE, 109, 49]],
  ["first", [1, NONE, 10, 7]],
  ["last", [4, NONE, 3, 7]],
  ["50percentile", [2, NONE, 3, 7]],
  ["p90", [4, NONE, 10, 7]],
  ["integral", [145, NONE, 195, 0]],
  ["derivative", [4 / 70, NONE, -1 / 100, 4 / 89.999]],
  ["rate", [8 / 70, NONE, 9 / 100, 4 / 89.999]],
];

/** Names of metrics beside those above, and which of them they mean. */
export const otherNames: readonly [name: string, metric: string][] = [
  ["average", "avg"],
  ["Mean", "avg"],
  ["med", "median"],
  ["std_dev", "stddev"],
  ["std_deviation", "stddev"],
  ["deriv", "derivative"],
  ["p50", "50percentile"],
  ["90percentile", "p90"],
  ["p5", "5percentile"],
  ["10percentile", "p10"],
  ["95percentile", "p95"],
];

/** Two counters that report in turn; that of `b` restarts. A third one has a single point, which is no change. */
export const counterPoints: readonly [atMs: number, value: number, host: string][] = [
  [-30_000, 100, "a"],
  [-25_000, 50, "b"],
  [0, 106, "a"],
  [5_000, 56, "b"],
  [30_000, 112, "a"],
  [35_000, 2, "b"],
  [60_000, 118, "a"],
  [65_000, 8, "b"],
  [70_000, 7, "c"],
  [90_000, 124, "a"],
  [95_000, 14, "b"],
];

/** Worked out by hand for the counters above, from T0 to T0 + 3 min: the sum of what each of them gives. */
export const counterAnswers: readonly [metric: string, hosts: readonly string[], column: number[]][] = [
  ["rate", [], [(12 + 8) / 60, (12 + 12) / 60, NONE]],
  ["rate", ["a"], [12 / 60, 12 / 60, NONE]],
  ["rate", ["b"], [8 / 60, 12 / 60, NONE]],
  ["derivative", [], [(12 - 48) / 60, (12 + 12) / 60, NONE]],
  ["derivative", ["b"], [-48 / 60, 12 / 60, NONE]],
];

export const hostileNames = [
  `it's "quoted"`,
  "back\\slash\\",
  "'; DROP TABLE blocks; --",
  `" or 1=1 --`,
  `\${process.exit(1)}`,
  "{{template}}",
  "line\nbreak\ttab",
  "naïve ☃ 🚀 名前",
  "a,b=c d",
  "$where",
  "dotted.name",
  "%_*?",
  "constructor",
];
