// When a column reaches a limit, by the trend of its envelope; pure.
import { type Envelope, findEnvelope } from "./envelope.ts";
import { withoutExcursions } from "./excursions.ts";
import { type Place, valueAt } from "./numbers.ts";
import { withoutSingleJumps } from "./single-jumps.ts";
import { findTrend, type Trend } from "./trend.ts";

/** Values of a column that are looked at: longer ones are averaged. */
const MAX_VALUES = 2000;

/** A trend is followed for this many times its own length. */
const MAX_REACH = 4;

/** Share of the lead by which a parabola is off where the growth is no parabola. */
const BENT_ERROR = 0.08;

/** A limit that values rise to (`high`), or fall to (`low`). */
export interface Limit {
  readonly type: "low" | "high";
  readonly value: number;
}

/** A column of equal intervals. */
export interface Series {
  /** NaN = missing. */
  readonly column: Float64Array;
  /** Intervals of a day. */
  readonly perDay: number;
}

/** The rise of a column, and when it reaches a limit; in intervals of the column. */
export interface Rise {
  /** Of the envelope at its newest place. */
  readonly slope: number;
  /** Index from which on the trend holds. */
  readonly from: number;
  /** Places of the envelope: indices of the column, and values. */
  readonly places: readonly Place[];
  /** Intervals from the end of the column until a value is reached; undefined: not within its length, or never. */
  readonly leadOf: (value: number) => Lead | undefined;
  /** Index at which the known places reach a value between one of them and the one before. */
  readonly reachedAt: (place: number, value: number) => number;
}

export interface Lead {
  readonly expected: number;
  /** Standard error. */
  readonly error: number;
  /** Distance of the places where the value may be reached. */
  readonly pitch: number;
}

/** A series without excursions, and as if each single jump had been before it. */
export function steady({ column, perDay }: Series, type: Limit["type"]): Series {
  const whole = withoutExcursions(column);
  const { values, size } = prepare(whole, type);
  const sign = type === "low" ? -1 : 1;
  const moved = withoutSingleJumps(values, perDay / size);
  const missing = column.length - values.length * size;
  return {
    perDay,
    column: whole.map((value, i) => {
      const k = Math.min(values.length - 1, Math.max(0, Math.floor((i - missing) / size)));
      return value + sign * (moved[k]! - values[k]!);
    }),
  };
}

/** @returns undefined where the column does not certainly rise (fall, towards a low limit) */
export function findRise({ column, perDay }: Series, type: Limit["type"]): Rise | undefined {
  const { values, size } = prepare(column, type);
  const envelope = findEnvelope(values, perDay / size);
  const trend = envelope && findTrend(envelope.places, envelope.noise);
  if (!envelope || !trend?.isRising) return undefined;
  const sign = type === "low" ? -1 : 1;
  const missing = column.length - values.length * size;
  const indexOf = (at: number) => Math.max(0, at * size + (size - 1) / 2 + missing);
  return {
    slope: (sign * trend.curve.slope) / size,
    from: indexOf(trend.fromAt),
    places: envelope.places.map(({ at, value }) => ({ at: indexOf(at), value: sign * value })),
    reachedAt: (place, value) => {
      const [before, after] = [envelope.places[place - 1]!, envelope.places[place]!];
      const below = after.value - sign * value;
      if (envelope.rise.height > 0 || envelope.isStepped)
        return indexOf(after.at - riseBefore(envelope, trend.curve.slope, below));
      return indexOf(after.at - ((after.at - before.at) * below) / (after.value - before.value));
    },
    leadOf: (value) => {
      const lead = findLead(envelope, trend, { value: sign * value, length: values.length });
      if (!lead) return undefined;
      const expected = Math.max(0, indexOf(lead.at) - column.length);
      return { expected, error: lead.error * size, pitch: lead.pitch * size };
    },
  };
}

/** Averages a long column, fills what is missing on the way between its neighbours, turns it where the limit is low. */
function prepare(column: Float64Array, type: Limit["type"]): { values: Float64Array; size: number } {
  const size = Math.ceil(column.length / MAX_VALUES);
  const count = Math.floor(column.length / size);
  const first = column.length - count * size;
  const sign = type === "low" ? -1 : 1;
  const values = Float64Array.from({ length: count }, (_, k) => {
    const from = first + k * size;
    const known = column.subarray(from, from + size).filter((value) => !Number.isNaN(value));
    return (sign * known.reduce((sum, one) => sum + one, 0)) / known.length;
  });
  return { values: filled(values), size };
}

/** Without what is missing: straight between two values, level after the last one; before the first there is nothing. */
function filled(values: Float64Array): Float64Array {
  const known = [...values.keys()].filter((i) => !Number.isNaN(values[i]!));
  const first = known[0] ?? values.length;
  const whole = values.slice(first);
  for (const [k, i] of known.entries()) {
    const next = known[k + 1] ?? values.length;
    const step = known[k + 1] === undefined ? 0 : (values[next]! - values[i]!) / (next - i);
    for (let at = i + 1; at < next; at++) whole[at - first] = values[i]! + step * (at - i);
  }
  return whole;
}

function findLead(
  envelope: Envelope,
  trend: Trend,
  { value, length }: { readonly value: number; readonly length: number },
): (Omit<Lead, "expected"> & { readonly at: number }) | undefined {
  const { pitch, rise, places, isStepped, peakAt } = envelope;
  const { curve } = trend;
  const newest = places.at(-1)!.at;
  const reach = Math.min(length, MAX_REACH * (length - trend.fromAt));
  const crossing = crossingOf(trend, value, { from: newest, to: length + reach });
  if (crossing === undefined) return undefined;
  const slope = Math.max(curve.slope / 4, curve.slope + 2 * curve.bend * (crossing - curve.origin));
  const unlike = curve.bend === 0 ? 0 : BENT_ERROR * (crossing - newest);
  const error = Math.hypot(trend.errorAt(crossing) / slope, unlike);
  if (rise.height === 0 && !isStepped) return { at: crossing, error, pitch: 0 };
  // Peaks and steps come one pitch after the other: the first at or beyond the value reaches it.
  const peak = peakAt + pitch * Math.max(0, Math.ceil((crossing - peakAt) / pitch - 1e-9));
  const early = riseBefore(envelope, slope, valueAt(curve, peak) - value);
  return { at: Math.max(peak - early, newest), error, pitch };
}

/** How long before its peak a cycle reaches a value that is so far below the peak. */
function riseBefore({ rise, pitch }: Envelope, slope: number, below: number): number {
  if (rise.height === 0) return 0;
  return rise.length * Math.min(1, Math.max(0, below) / (rise.height + slope * pitch));
}

/** First instant at which a trend reaches a value; undefined: not within the range. */
function crossingOf(
  { curve }: Trend,
  value: number,
  { from, to }: { readonly from: number; readonly to: number },
): number | undefined {
  const { origin, level, slope, bend } = curve;
  const missing = value - level;
  if (missing <= 0) return from;
  const root = slope * slope + 4 * bend * missing;
  if (root < 0) return undefined;
  const at = origin + (2 * missing) / (slope + Math.sqrt(root));
  return at <= to && at >= from ? at : at < from ? from : undefined;
}
