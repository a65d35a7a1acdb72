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
/** Lengths of an anomaly that are shown around it. */
const AROUND = 4;

/** The named span of an address; undefined where it holds instants. */
export function spanOf({ range, from }: Readonly<Record<string, string>>): SpanName | undefined {
  if (range !== undefined && Object.hasOwn(spans, range)) return range as SpanName;
  return from === undefined ? DEFAULT : undefined;
}

/** The range of an address. @param now seconds since the epoch */
export function readRange(params: Readonly<Record<string, string>>, now: number): Range {
  const [from, to] = [Number(params.from), Number(params.to)];
  if (params.from !== undefined && Number.isFinite(from) && Number.isFinite(to) && to - from >= MIN_SPAN)
    return { from, to };
  return { from: now - spans[spanOf(params) ?? DEFAULT], to: now };
}

/** Parameters of an address for two instants. */
export function toParams({ from, to }: Range): Readonly<Record<string, string | undefined>> {
  return { range: undefined, from: String(Math.round(from)), to: String(Math.round(to)) };
}

/** Moved by a share of its length, not beyond now. */
export function move({ from, to }: Range, share: number, now: number): Range {
  const step = Math.min((to - from) * share, now - to);
  return { from: from + step, to: to + step };
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
