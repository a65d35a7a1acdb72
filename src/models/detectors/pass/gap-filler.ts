// Gap filler: values that take the place of missing ones, from how long a deviation of the series lasts.
import { clip } from "../linear.ts";
import { readHistory } from "../neighbours/quanta.ts";
import { Seasonal } from "../seasons/seasonal.ts";
import type { Timeline } from "../timeline.ts";
import type { Ensemble } from "../types.ts";
import type { ImputedSeries } from "./imputed-series.ts";

/** Most that one deviation counts, in scales of the seasonal detector: a spike does not last. */
const CLIP = 10;
/** Share of the steps of a training, and their least number, that are larger than a usual one. */
const UNUSUAL_SHARE = 0.0005;
const UNUSUAL_STEPS = 3;

/** How deviations of a series from its usual values go on. */
interface Course {
  /** Share of a deviation that is left one interval later, 0..1. */
  readonly persistence: number;
  /** Largest usual step beside that, in units of the data. */
  readonly step: number;
}

interface GapFillerInput {
  readonly ensemble: Pick<Ensemble, "linear" | "seasonal" | "history">;
  readonly timeline: Timeline;
  /** NaN = missing. */
  readonly column: Float64Array;
  readonly imputed: ImputedSeries;
  /** Usual value of an interval, in units of the data. */
  readonly usual: (i: number) => number;
}

export class GapFiller {
  #course: Course | undefined;

  constructor(private readonly input: GapFillerInput) {}

  /** The value for a missing one: the usual one and what is left of the deviation before it; undefined without a past. */
  expect(i: number): number | undefined {
    const { ensemble, imputed, usual } = this.input;
    if (!ensemble.history || i === 0) return undefined;
    this.#course ??= courseOf(ensemble.history, this.input);
    return usual(i) + this.#course.persistence * (imputed.column[i - 1]! - usual(i - 1));
  }

  /**
   * Values of the gap before an observed point, oldest first, where the series has come further in it than in one
   * interval: those of an even course. Empty: what the gap was filled with stands.
   */
  bridge(i: number): readonly number[] {
    const { column, ensemble, imputed, usual } = this.input;
    // A model that is evaluated interval by interval sees no more of the past.
    const oldest = Math.max(0, i - ensemble.linear.window + 1);
    let last = i - 1;
    while (last >= oldest && Number.isNaN(column[last])) last--;
    const missing = i - 1 - last;
    if (missing === 0 || last < oldest) return [];
    const expected = this.expect(i);
    if (expected === undefined || Math.abs(column[i]! - expected) <= this.#course!.step) return [];
    const before = imputed.column[last]! - usual(last);
    const slope = (column[i]! - usual(i) - before) / (missing + 1);
    return Array.from({ length: missing }, (_, k) => usual(last + 1 + k) + before + slope * (k + 1));
  }
}

/** Of the end of a training. */
function courseOf(
  { values, endAt }: NonNullable<Ensemble["history"]>,
  { ensemble: { linear, seasonal }, timeline }: GapFillerInput,
): Course {
  const known = readHistory(values, linear);
  const startAt = endAt - known.length * timeline.intervalMs;
  const usual = new Seasonal(seasonal, { ...timeline, startAt });
  const most = CLIP * seasonal.scale;
  const off = known.map((value, i) => value - usual.expect(i));
  let [products, squares] = [0, 0];
  for (let i = 1; i < off.length; i++) {
    const before = clip(off[i - 1]!, most);
    products += before * clip(off[i]!, most);
    squares += before * before;
  }
  const persistence = squares > 0 ? Math.max(0, Math.min(1, products / squares)) : 0;
  const steps = off.map((own, i) => (i === 0 ? 0 : Math.abs(own - persistence * off[i - 1]!))).sort();
  const unusual = Math.max(UNUSUAL_STEPS, Math.round(UNUSUAL_SHARE * steps.length));
  return { persistence, step: steps[Math.max(0, steps.length - unusual)] ?? 0 };
}
