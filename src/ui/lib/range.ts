// Ranges of a chart: named spans that end now, or two fixed instants; moved and zoomed; pure.

/** Spans that can be chosen, in seconds. */
export const spans = {
  "6h": 21_600,
  "1d": 86_400,
  "7d": 604_800,
  "30d": 2_592_000,
  "90d": 7_776_000,
  "365d": 31_536_000,
} as const;
export type SpanName = keyof typeof spans;

export interface Range {
  /** Seconds since the epoch. */
  readonly from: number;
  readonly to: number;
}

const DEFAULT: SpanName = "7d";
/** Shortest range, seconds. */
const MIN_SPAN = 60;
const ZOOM = 2;
/** Least distance of two fingers, pixels. */
const MIN_APART = 20;
/** Lengths of an anomaly that are shown around it. */
const AROUND = 4;

type Params = Readonly<Record<string, string>>;

/** The named span of an address; undefined where it holds instants. */
export function spanOf({ range, from }: Params): SpanName | undefined {
  if (range !== undefined && Object.hasOwn(spans, range)) return range as SpanName;
  return from === undefined ? DEFAULT : undefined;
}

const units: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 };

/** Seconds since the epoch, or relative as the API takes it: `now`, `now-3d`. NaN: neither */
function parseInstant(text: string | undefined, now: number): number {
  const relative = /^now(?:-(\d+)([smhdw]))?$/.exec(text ?? "");
  if (!relative) return text ? Number(text) : Number.NaN;
  const [, count = "0", unit = "s"] = relative;
  return now - Number(count) * units[unit]!;
}

/** The instants of an address; undefined where it has none, or no range of them. */
function instantsOf({ from, to = "now" }: Params, now: number): Range | undefined {
  if (from === undefined) return undefined;
  const range = { from: parseInstant(from, now), to: parseInstant(to, now) };
  return range.to - range.from >= MIN_SPAN ? range : undefined;
}

/** Whether an address says nothing of a range. */
export function isDefault({ range, from, to }: Params): boolean {
  return range === undefined && from === undefined && to === undefined;
}

/** What an address says of a range, where it is none; undefined where all is well. */
export function badRange(params: Params, now: number): string | undefined {
  const { range, from, to } = params;
  const isKnown =
    range === undefined ? isDefault(params) || instantsOf(params, now) : Object.hasOwn(spans, range);
  if (isKnown) return undefined;
  return range ?? `${from ?? ""} … ${to ?? "now"}`;
}

/** The range of an address. @param now seconds since the epoch @param fallback of an address without one */
export function readRange(params: Params, now: number, fallback?: Range): Range {
  const { range } = params;
  const named = range !== undefined && Object.hasOwn(spans, range) ? spans[range as SpanName] : undefined;
  const instants = instantsOf(params, now);
  if (instants || named === undefined) return instants ?? fallback ?? { from: now - spans[DEFAULT], to: now };
  return { from: now - named, to: now };
}

/** Parameters of an address for two instants. */
export function toParams({ from, to }: Range): Readonly<Record<string, string | undefined>> {
  return { range: undefined, from: String(Math.round(from)), to: String(Math.round(to)) };
}

/** `2026-11-26` of an instant. @param offset of the zone, seconds east of UTC at an instant */
export function dayOf(at: number, offset: (at: number) => number): string {
  return new Date((at + offset(at)) * 1000).toISOString().slice(0, 10);
}

/** Midnight, seconds since the epoch. @param day `2026-11-26` @param offset as of `dayOf` */
export function startOfDay(day: string, offset: (at: number) => number): number {
  const local = Date.parse(`${day}T00:00:00Z`) / 1000;
  return local - offset(local);
}

/** Moved by a share of its length, not beyond now. */
export function move(range: Range, share: number, now: number): Range {
  return endBy(shift(range, (range.to - range.from) * share), now);
}

/** Moved by seconds. */
export function shift({ from, to }: Range, seconds: number): Range {
  return { from: from + seconds, to: to + seconds };
}

/** Moved back so far that it ends by an instant. */
export function endBy(range: Range, end: number): Range {
  return range.to > end ? shift(range, end - range.to) : range;
}

/** Longer by a factor, around an instant that stays at its place. */
export function zoomAt({ from, to }: Range, at: number, factor: number): Range {
  const length = Math.max(MIN_SPAN, (to - from) * factor);
  const start = at - ((at - from) / (to - from)) * length;
  return { from: start, to: start + length };
}

/**
 * The range that has two instants at two places.
 * @param places pixels from the left edge
 * @param width of the whole range, pixels
 */
export function pinch(
  [first, second]: readonly [number, number],
  [left, right]: readonly [number, number],
  width: number,
): Range {
  // Fingers that meet would make it endless.
  const apart = Math.sign(right - left || 1) * Math.max(MIN_APART, Math.abs(right - left));
  const length = Math.max(MIN_SPAN, Math.abs((second - first) / apart) * width);
  const from = first - (left / width) * length;
  return { from, to: from + length };
}

/** Share of a stretch of data that is shown before its start, where the range is chosen by the data. */
const LEAD = 0.02;

/**
 * The range of the data there is: the last days, from the first value on where they begin later.
 * @param covered stretch with data, undefined: none
 */
export function rangeOfData(covered: Range | undefined, now: number): Range {
  const whole = { from: now - spans[DEFAULT], to: now };
  if (!covered || covered.to <= covered.from) return whole;
  // Data that ended long ago: its last days.
  const to = covered.to > whole.from ? now : covered.to;
  const first = covered.from - LEAD * (to - covered.from);
  return { from: Math.min(to - MIN_SPAN, Math.max(to - spans[DEFAULT], first)), to };
}

/** Half or twice as long around the middle, not beyond now. */
export function zoom({ from, to }: Range, direction: "in" | "out", now: number): Range {
  const factor = direction === "in" ? 1 / ZOOM : ZOOM;
  const half = Math.max(MIN_SPAN / 2, ((to - from) / 2) * factor);
  const middle = (from + to) / 2;
  const end = Math.min(now, middle + half);
  return { from: end - 2 * half, to: end };
}

/** A range around an anomaly; one in progress ends now. */
export function frame(
  { start, end }: { readonly start: number; readonly end: number | null },
  now: number,
): Range {
  const to = end ?? now;
  const length = Math.max(MIN_SPAN * 10, to - start);
  return { from: start - AROUND * length, to: Math.min(now, to + AROUND * length) };
}
