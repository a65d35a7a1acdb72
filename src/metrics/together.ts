// Several metrics of the same intervals: order statistics share one copy of the values, and what was put in order of it.
import { copyValues } from "./copy.ts";
import type { IntervalPoints, Metric, Places } from "./kind.ts";
import { selectValues } from "./select.ts";

/** Puts the values of the metrics, in their order, in `row`. */
export type Reducer = (points: IntervalPoints, row: Float64Array) => void;

/** Numbers of points whose places are remembered. */
const MAX_COUNTS = 1000;

/** What to select of so many values. */
interface Selection {
  /** Ascending, none twice. */
  readonly places: readonly number[];
  /** Of each metric, where its places are among them. */
  readonly picks: readonly Places[];
}

/** A reducer for intervals that are not empty, of metrics that do not look back. */
export function reduceTogether(metrics: readonly Metric[]): Reducer {
  const ordered = metrics.flatMap(({ placesOf }, i) => (placesOf ? [{ i, placesOf }] : []));
  if (ordered.length < 2) return (points, row) => reduceEach(metrics, points, row);
  const others = metrics.map((metric) => (metric.placesOf ? undefined : metric));
  const select = selectFor(ordered.map(({ placesOf }) => placesOf));
  return (points, row) => {
    reduceEach(others, points, row);
    const found = select(points.values);
    for (let i = 0; i < ordered.length; i++) row[ordered[i]!.i] = found[i]!;
  };
}

function reduceEach(
  metrics: readonly (Metric | undefined)[],
  points: IntervalPoints,
  row: Float64Array,
): void {
  for (let i = 0; i < metrics.length; i++) {
    const metric = metrics[i];
    if (metric) row[i] = metric.reduce(points);
  }
}

/** The means at the places of each; the answer holds until the next one. */
function selectFor(all: readonly ((count: number) => Places)[]): (values: Float64Array) => Float64Array {
  const selections = new Map<number, Selection>();
  const found = new Float64Array(2 * all.length);
  const means = new Float64Array(all.length);
  return (values) => {
    const { places, picks } = remember(selections, values.length, (count) => planSelection(all, count));
    selectValues(copyValues(values), places, found);
    for (let i = 0; i < picks.length; i++) {
      const [lower, upper] = picks[i]!;
      means[i] = lower === upper ? found[lower]! : (found[lower]! + found[upper]!) / 2;
    }
    return means;
  };
}

function planSelection(all: readonly ((count: number) => Places)[], count: number): Selection {
  const wanted = all.map((placesOf) => placesOf(count));
  const places = [...new Set(wanted.flat())].sort((a, b) => a - b);
  const picks = wanted.map(([lower, upper]): Places => [places.indexOf(lower), places.indexOf(upper)]);
  return { places, picks };
}

function remember<T>(known: Map<number, T>, key: number, make: (key: number) => T): T {
  let value = known.get(key);
  if (value === undefined) {
    if (known.size === MAX_COUNTS) known.clear();
    value = make(key);
    known.set(key, value);
  }
  return value;
}
