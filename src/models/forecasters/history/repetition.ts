// Whether a history of two cycles repeats itself rather than breaks, as two weeks with weekends do; pure.
import { meanOf } from "../../stats/mean.ts";

/** Numbers of a segment: its line, and its place among the values. */
const SEGMENT_NUMBERS = 3;
/** Pairs of values a cycle apart that tell. */
const MIN_PAIRS = 5;
/** Times at which a shorter cycle may begin, as a day does at midnight: that of a column is not known. */
const PHASES = 12;

/**
 * Compares a cycle that repeats, at a level that may change from one to the next, with the segments of a history, each as
 * likely as the values make it for the numbers that it takes (Schwarz 1978).
 * @param level the history without its shorter cycle; NaN = missing
 * @param length of the cycle, in intervals
 * @param shorter length of the cycle that is removed: the longer one has a level for each of them; 1 without
 * @param rest distances of the values from the segments; NaN where they are missing
 * @param segments number of these
 */
export function repeats(
  level: Float64Array,
  {
    length,
    shorter,
    rest,
    segments,
  }: {
    readonly length: number;
    readonly shorter: number;
    readonly rest: Float64Array;
    readonly segments: number;
  },
): boolean {
  const lag = Math.round(length);
  const changes = level.subarray(lag).map((value, i) => value - level[i]!);
  const present = changes.filter(Number.isFinite);
  const values = rest.filter(Number.isFinite);
  if (present.length < MIN_PAIRS) return false;
  const change = meanOf(present);
  // Around 0, for sums of squares lose digits far from it.
  const center = meanOf(level);
  const steady = level.map((value, i) => value - center - change * Math.floor(i / lag));
  const phases = Array.from({ length: Math.min(PHASES, shorter) }, (_, k) => (k * shorter) / PHASES);
  const ofCycle = Math.min(...phases.map((phase) => squaresOf(steady, { length, shorter, phase })));
  const ofSegments = values.reduce((sum, value) => sum + value ** 2, 0);
  const price = (squares: number, numbers: number) =>
    values.length * Math.log(Math.max(squares, Number.MIN_VALUE)) + numbers * Math.log(values.length);
  return price(ofCycle, length / shorter + 1) < price(ofSegments, SEGMENT_NUMBERS * segments);
}

/** Squared distances of values from the mean of their place in a cycle. */
function squaresOf(
  values: Float64Array,
  { length, shorter, phase }: { readonly length: number; readonly shorter: number; readonly phase: number },
): number {
  const places = Math.ceil(length / shorter);
  const [sums, squares, counts] = [0, 0, 0].map(() => new Float64Array(places)) as [
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    if (Number.isNaN(value)) continue;
    const place = Math.min(places - 1, Math.floor(((i + phase) % length) / shorter));
    sums[place]! += value;
    squares[place]! += value * value;
    counts[place]!++;
  }
  return squares.reduce(
    (total, own, k) => total + (counts[k]! > 0 ? own - sums[k]! ** 2 / counts[k]! : 0),
    0,
  );
}
