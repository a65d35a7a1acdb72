// Several metrics of the same intervals: order statistics share one copy of the values, and what was put in order of it.
import type { IntervalPoints, Metric } from "./kind.ts";
import { createMeans } from "./means.ts";

/** Puts the values of the metrics, in their order, in `row`. */
export type Reducer = (points: IntervalPoints, row: Float64Array) => void;

/** A reducer for intervals that are not empty, of metrics that do not look back. */
export function reduceTogether(metrics: readonly Metric[]): Reducer {
  const ordered = metrics.flatMap(({ placesOf }, i) => (placesOf ? [{ i, placesOf }] : []));
  const others = metrics.flatMap((metric, i) => (metric.placesOf ? [] : [{ i, metric }]));
  const meansOf = createMeans(ordered.map(({ placesOf }) => placesOf));
  return (points, row) => {
    for (let k = 0; k < others.length; k++) row[others[k]!.i] = others[k]!.metric.reduce(points);
    if (ordered.length === 0) return;
    const means = meansOf(points.values);
    for (let k = 0; k < ordered.length; k++) row[ordered[k]!.i] = means[k]!;
  };
}
