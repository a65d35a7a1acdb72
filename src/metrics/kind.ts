// The interface of metrics: a metric reduces the points of one interval to one number.

/** One measured value. */
export interface Sample {
  /** ms since the epoch. */
  readonly at: number;
  readonly value: number;
}

/** The points of one interval, at least one. The arrays are views: a reducer must neither change nor keep them. */
export interface IntervalPoints {
  /** ms since the epoch, ascending; may be empty unless the metric is `ordered`. */
  readonly times: Float64Array;
  /** As long as `times` if the metric is `ordered`. Finite; for metrics that count `any` value, NaN stands for text or a boolean. */
  readonly values: Float64Array;
  /** Last point of the nearest earlier interval with points; only for stateful metrics. */
  readonly previous: Sample | undefined;
}

/** Change of a series over an interval with points: from its last earlier point, or else from its first one within. */
export interface Change {
  /** ms since the epoch. */
  readonly fromAt: number;
  readonly from: number;
  /** Time of the interval's last point, ms since the epoch. */
  readonly toAt: number;
  readonly to: number;
  /** Sum of the counter increases from point to point, see change.ts. */
  readonly growth: number;
  /** False if there is no point before the interval. */
  readonly isFromBefore: boolean;
}

/** Two places in ascending order, from 0; equal for a single one. */
export type Places = readonly [lower: number, upper: number];

/** The places of an order statistic among `count` values. */
export type PlacesOf = (count: number) => Places;

/** Properties of a metric; the defaults are those of a plain function of the interval's numbers. */
export interface MetricTraits {
  readonly aliases: readonly string[];
  /** Value of an interval without points. */
  readonly empty: number;
  /** Values counted: numbers only, or any value that is not null. */
  readonly counts: "numbers" | "any";
  /** Whether the order in time matters, so that points must be sorted. */
  readonly ordered: boolean;
  /**
   * Computes the value from the change since the interval before. Such a metric is stateful and needs the history of
   * one series: of several, it is computed for each and added up.
   */
  readonly fromDelta: ((change: Change) => number) | undefined;
  /** Unit of the metric: that of the points, that per second, or another one. */
  readonly unit: "same" | "per second" | "other";
  /** The places whose values an order statistic averages. */
  readonly placesOf: PlacesOf | undefined;
}

export interface Metric extends MetricTraits {
  /** Canonical name, lower case. */
  readonly name: string;
  /** One line for the documentation. */
  readonly description: string;
  /** One number for the points of an interval; NaN if there are too few. */
  reduce(points: IntervalPoints): number;
  /** Whether the last point of the interval before is needed. */
  readonly isStateful: boolean;
}

const plain: MetricTraits = {
  aliases: [],
  empty: Number.NaN,
  counts: "numbers",
  ordered: false,
  fromDelta: undefined,
  unit: "same",
  placesOf: undefined,
};

/** Builds a metric; default traits: a plain function of numbers, NaN for an empty interval. */
export function defineMetric(
  about: Pick<Metric, "name" | "description">,
  reduce: Metric["reduce"],
  traits: Partial<MetricTraits> = {},
): Metric {
  return { ...plain, ...traits, ...about, reduce, isStateful: traits.fromDelta !== undefined };
}
