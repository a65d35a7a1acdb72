// History at its present level: earlier segments are moved to the last one; pure.
import type { Decomposition } from "./decompose.ts";
import type { Scale } from "./scale.ts";
import { lineAt } from "./segments.ts";

/** Share of the squared errors of a single line below which breaks are plain. */
const PLAIN_REST = 0.25;
/** Most breaks that are plain: more of them are how the series goes. */
const PLAIN_BREAKS = 3;
/** Ratio of changes of level that are of one size. */
const ALIKE = 2;
/** Share of a step that the level moves by after it at most, if it stays there. */
const REST_SHARE = 0.25;

/** A history whose earlier segments were moved to the last one. */
export interface Moved {
  /** Squared errors around the segments, as a share of those around a single line. */
  readonly rest: number;
  readonly column: Float64Array;
  /** Of a forecast of the column, what goes on between the origin and a lead. */
  readonly goOn: (value: number, lead: number) => number;
  readonly breaks: readonly number[];
}

/**
 * Moves earlier segments to the last one: by an amount, or of logarithms by a factor.
 * @param part at least two segments
 * @param lines of its segments at each value
 */
export function moveToPresent(
  known: Float64Array,
  { segments, rest, slope }: Decomposition,
  { lines, scale }: { readonly lines: Float64Array; readonly scale: Scale },
): Moved {
  const end = lineAt(segments.at(-1)!, known.length);
  const isLog = scale === "log";
  return {
    rest,
    column: known.map((value, i) => (isLog ? value * Math.exp(end - lines[i]!) : value - lines[i]! + end)),
    goOn: (value, lead) => (isLog ? value * growth(slope * lead) : value + slope * lead),
    breaks: segments.slice(1).map((segment) => segment.from),
  };
}

/** Factor of a change of the logarithm: a rise goes on as a line, and stays finite. */
function growth(change: number): number {
  return change > 0 ? 1 + change : Math.exp(change);
}

/** Changes of level, in intervals before the end. */
type Shifts = readonly (readonly [number, number])[];

/** Whether anybody sees the breaks. */
export function isPlain({ rest, breaks }: Moved, shifts: Shifts): boolean {
  return rest < PLAIN_REST && breaks.length <= PLAIN_BREAKS && !recurs(shifts);
}

/** Whether changes of level are of one kind, as those of clean-ups: such a history does not stay at its present level. */
function recurs(shifts: Shifts): boolean {
  if (shifts.length < 2) return false;
  const changes = shifts.map(([, change]) => change);
  const isAlike = changes.every((change) => change * changes[0]! > 0);
  const sizes = changes.map(Math.abs);
  return isAlike && Math.max(...sizes) < ALIKE * Math.min(...sizes);
}

/** Whether a step by shares, to a level that stays, explains what falls without them: it is no burst that fades. */
export function isLastingStep(base: Decomposition, linear: Decomposition, length: number): boolean {
  const [before, last] = base.segments.slice(-2);
  if (!before || !last || base.segments.length >= linear.segments.length) return false;
  const step = lineAt(last, last.from) - lineAt(before, last.from);
  return Math.abs(last.slope * (length - last.from)) < REST_SHARE * Math.abs(step);
}
