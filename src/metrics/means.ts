// Means of the values at some places of an interval, if they were in ascending order: several share one selection.
import { copyValues } from "./copy.ts";
import type { Places } from "./kind.ts";
import { selectValues } from "./select.ts";

/** The places of so many values. */
export type PlacesOf = (count: number) => Places;

/** Numbers of points whose places are remembered. */
const MAX_COUNTS = 1000;

/** What to select of so many values. */
interface Selection {
  /** Ascending, none twice. */
  readonly places: readonly number[];
  /** Of each mean, where its places are among them. */
  readonly picks: readonly Places[];
}

/** @returns of values without NaN, at least one, the mean at each of the places; the answer holds until the next one */
export function createMeans(all: readonly PlacesOf[]): (values: Float64Array) => Float64Array {
  const selections = new Map<number, Selection>();
  const found = new Float64Array(2 * all.length);
  const means = new Float64Array(all.length);
  return (values) => {
    let selection = selections.get(values.length);
    if (!selection) {
      if (selections.size === MAX_COUNTS) selections.clear();
      selection = planSelection(all, values.length);
      selections.set(values.length, selection);
    }
    const { places, picks } = selection;
    // A copy, because the views are not ours.
    selectValues(copyValues(values), places, found);
    for (let i = 0; i < picks.length; i++) {
      const [lower, upper] = picks[i]!;
      means[i] = lower === upper ? found[lower]! : (found[lower]! + found[upper]!) / 2;
    }
    return means;
  };
}

function planSelection(all: readonly PlacesOf[], count: number): Selection {
  const wanted = all.map((placesOf) => placesOf(count));
  const places = [...new Set(wanted.flat())].sort((a, b) => a - b);
  const picks = wanted.map(([lower, upper]): Places => [places.indexOf(lower), places.indexOf(upper)]);
  return { places, picks };
}
