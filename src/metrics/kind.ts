// What a metric is: a reducer that turns the points of one interval into one number.

/** One measured value. */
export interface Sample {
  /** ms since the epoch. */
  readonly at: number;
  readonly value: number;
}

/** The points of one interval that is not empty. The arrays are views: a reducer must not change or keep them. */
export interface IntervalPoints {
  /** ms since the epoch; ascending where the metric is `ordered`, and perhaps left out where it is not. */
  readonly times: Float64Array;
  /** As long as `times` where the metric is `ordered`. Finite, but for metrics that count `any` value: there NaN stands for a text or a boolean. */
  readonly values: Float64Array;
  /** Last point of the nearest interval before this one that has points; only where the metric `looksBack`. */
  readonly previous: Sample | undefined;
}

/** How a series changes within an interval that has points: from its last point before, or else from its first one within. */
export interface Change {
  /** ms since the epoch. */
  readonly fromAt: number;
  readonly from: number;
  /** Of the interval's last point, ms since the epoch. */
  readonly toAt: number;
  readonly to: number;
  /** Sum of what a counter grows from one point to the next, see change.ts. */
  readonly growth: number;
  /** False where there is no point before the interval. */
  readonly isFromBefore: boolean;
}

/** Places in ascending order, from 0; the same twice where it is one. */
export type Places = readonly [lower: number, upper: number];

/** What sets a metric apart from a plain function of the numbers of its interval. */
export interface MetricTraits {
  readonly aliases: readonly string[];
  /** Value of an interval without points. */
  readonly empty: number;
  /** Values that take part: numbers only, or any value that is not null. */
  readonly counts: "numbers" | "any";
  /** True where the order in time matters, so that points must be sorted. */
  readonly ordered: boolean;
  /**
   * The value by what has changed since the interval before, where that is all that matters. Such a metric looks back:
   * points of several series are no history, so it is computed of each of them and added up.
   */
  readonly fromDelta: ((change: Change) => number) | undefined;
  /** Of a metric that is the mean of the values at two places: these, of so many values. */
  readonly placesOf: ((count: number) => Places) | undefined;
}

export interface Metric extends MetricTraits {
  /** Canonical name, lower case. */
  readonly name: string;
  /** One line for the documentation. */
  readonly description: string;
  /** One number for the points of an interval; NaN where they do not suffice. */
  reduce(points: IntervalPoints): number;
  /** True where the last point of the interval before matters. */
  readonly isStateful: boolean;
}

const plain: MetricTraits = {
  aliases: [],
  empty: Number.NaN,
  counts: "numbers",
  ordered: false,
  fromDelta: undefined,
  placesOf: undefined,
};

/** Builds a metric; traits not given are those of a plain function of numbers, NaN when empty. */
export function defineMetric(
  about: Pick<Metric, "name" | "description">,
  reduce: Metric["reduce"],
  traits: Partial<MetricTraits> = {},
): Metric {
  return { ...plain, ...traits, ...about, reduce, isStateful: traits.fromDelta !== undefined };
}
