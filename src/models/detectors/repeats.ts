// Repeats of a series: how often a value is followed by itself; the most frequent ones, as the 0 of counts, apart.
import { Type } from "@sinclair/typebox";
import { positiveShare, type Stored, strict } from "../stored-schema.ts";

/** Values that are known apart, and points of each at least. */
const MAX_VALUES = 8;
const MIN_POINTS = 20;
/** Most decades of one repeat: two values that are equal by chance are no run. */
const MOST_DECADES = 0.5;

export const RepeatsFitSchema = Type.Object(
  {
    /** Share of the values that the same one follows, of all but those below. */
    share: positiveShare,
    /** [value in units of the data, share of its points that it follows itself]. */
    values: Type.Array(Type.Tuple([Type.Number(), positiveShare]), { maxItems: MAX_VALUES }),
  },
  strict,
);
export type RepeatsFit = Stored<typeof RepeatsFitSchema>;

interface Counts {
  points: number;
  repeated: number;
}

/** @param column NaN = missing */
export function fitRepeats(column: Float64Array): RepeatsFit {
  const counts = new Map<number, Counts>();
  let previous = Number.NaN;
  for (const value of column) {
    if (Number.isNaN(value)) continue;
    const before = counts.get(previous);
    if (before) before.repeated += Number(value === previous);
    const own = counts.get(value) ?? { points: 0, repeated: 0 };
    own.points++;
    counts.set(value, own);
    previous = value;
  }
  const known = [...counts].filter(([, { points }]) => points >= MIN_POINTS);
  const most = known.sort(([, a], [, b]) => b.points - a.points).slice(0, MAX_VALUES);
  for (const [value] of most) counts.delete(value);
  const rest = { points: 0, repeated: 0 };
  for (const { points, repeated } of counts.values()) {
    rest.points += points;
    rest.repeated += repeated;
  }
  return { share: shareOf(rest), values: most.map(([value, own]) => [value, shareOf(own)]) };
}

/** One repeat more, and one value that another follows: of few points a share of 0 is not known. */
function shareOf({ points, repeated }: Counts): number {
  return Number(((repeated + 1) / (points + 2)).toPrecision(3));
}

/** How rare it is that a value is followed by itself, decades. */
export function repeatDecades({ share, values }: RepeatsFit, value: number): number {
  const own = values.find(([known]) => known === value)?.[1] ?? share;
  return Math.min(MOST_DECADES, -Math.log10(own));
}
