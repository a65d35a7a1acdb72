// View of a series from an origin: its history at the present level, and the way back from it; pure.
import { beginOf, localTimeOf, type Series } from "../local-time.ts";
import {
  type Cycles,
  calendarCycles,
  cyclesOf,
  MIN_CYCLES,
  type SeasonSet,
  setsIn,
} from "../season/cycles.ts";
import { recentLength } from "../season/history-length.ts";
import { addTrend, type ForecastTrend, flattenTrend, measureTrend } from "../trend.ts";
import { type Decomposition, decompose, linesOf } from "./decompose.ts";
import { repeats } from "./repetition.ts";
import { lineAt, type Segment } from "./segments.ts";
import { replaceSpikes } from "./spikes.ts";

/** Values whose logarithms are followed grow by shares, and are above 0. */
export const scales = ["linear", "log"] as const;
export type Scale = (typeof scales)[number];

/** Newest values that levels are smoothed over. */
const SMOOTHED = 1500;
/** Least number of cycles of the seasons that are removed before breaks are looked for. */
const BREAK_CYCLES = 3;
/** Share of a year that looks like breaks where the year is not known. */
const YEAR_SHOWS = 0.75;

/** The history without some of its seasons. */
export interface Level {
  /** Newest values, at the present level where there were breaks; spikes replaced; NaN = missing. */
  readonly values: Float64Array;
  /** The same, spikes included. */
  readonly spiky: Float64Array;
  /** Indices in `values` of the first one of each segment. */
  readonly starts: readonly number[];
  /** The line of the last segment at the origin, 0 = its first interval, and its change per interval. */
  readonly line: number;
  /** Change per interval that is expected to go on. */
  readonly slope: number;
  /** Change that is not part of `values`: that of segments moved to the present level. */
  readonly drift: number;
  /** The value of a level at a lead, its season added. */
  readonly restore: (level: number, lead: number) => number;
}

/** Share of the squared errors of a single line below which breaks are plain. */
const PLAIN_REST = 0.25;

/** Most breaks that are plain: more of them are how the series goes. */
const PLAIN_BREAKS = 3;

/** Ratio of changes of level that are of one size. */
const ALIKE = 2;

interface Moved {
  readonly rest: number;
  readonly column: Float64Array;
  readonly slope: number;
  readonly breaks: readonly number[];
}

export class View {
  /** Values before the origin by local time, at the present level. */
  readonly column: Float64Array;
  /** Leads in local intervals: 0 = the first after `column`, negative where a clock is set back. */
  readonly leads: readonly number[];
  readonly intervalMs: number;
  readonly cycles: Cycles;
  /** Whether the history has a break, and is moved to the present level. */
  readonly isBroken: boolean;
  /** Whether `column` is without a trend: that of its last segment, or the given one. */
  readonly isFlat: boolean;
  /** First values of the segments after the first one, by local time. */
  readonly breaks: readonly number[];
  /** Whether anybody sees the breaks: little is left around the segments. */
  readonly isPlain: boolean;
  readonly #known: Float64Array;
  readonly #parts: Map<string, Decomposition>;
  readonly #levels = new Map<string, Level | undefined>();
  readonly #restore: (forecast: Float64Array) => Float64Array;

  /**
   * @param trend of members that do not follow one themselves; of a history with breaks that of its last segment is
   * @param same another view from the origin, whose decompositions are shared
   */
  constructor(
    series: Series,
    { origin, leads, history }: { origin: number; leads: ArrayLike<number>; history: number },
    { trend, breaks }: { trend?: ForecastTrend | undefined; breaks: boolean },
    same?: View,
  ) {
    this.#parts = same ? same.#parts : new Map();
    const { column, startOf, placeOf } = localTimeOf(series);
    const end = startOf(origin);
    // What lies before the first value is not part of a history: seasons would be taken for known that were never seen.
    const from = Math.max(beginOf(column), end - history);
    this.#known = column.subarray(from, end);
    this.leads = Array.from(leads, (lead) => placeOf(origin + lead) - end);
    this.intervalMs = series.intervalMs;
    this.cycles = series.cycles ?? calendarCycles(series.intervalMs);
    const moved = breaks ? this.#moveToPresent() : undefined;
    this.isBroken = moved !== undefined;
    this.breaks = moved?.breaks.map((at) => from + at) ?? [];
    this.isPlain = moved !== undefined && this.#isPlain(moved);
    if (moved) {
      this.isFlat = true;
      this.column = moved.column;
      this.#restore = (forecast) =>
        forecast.map((value, k) => value + moved.slope * Math.max(0, this.leads[k]!));
      return;
    }
    const flat = { column: this.#known, intervalMs: series.intervalMs };
    const line = trend && measureTrend(trend, flat, flat.column.length);
    this.isFlat = line !== undefined;
    this.column = line ? flattenTrend(line, flat, flat.column.length).column : this.#known;
    this.#restore = (forecast) => (line ? addTrend(line, forecast, this.leads) : forecast);
  }

  #isPlain({ rest, breaks }: Moved): boolean {
    return rest < PLAIN_REST && breaks.length <= PLAIN_BREAKS && !recurs(this.start.shifts);
  }

  /** Adds what was removed from `column`. */
  restore(forecast: Float64Array): Float64Array {
    return this.#restore(forecast);
  }

  /** Undefined where the history is too short for the seasons, or has values that have no logarithm. */
  level(set: SeasonSet, scale: Scale): Level | undefined {
    const key = `${set} ${scale}`;
    if (!this.#levels.has(key)) this.#levels.set(key, this.#makeLevel(set, scale));
    return this.#levels.get(key);
  }

  /** The history as it is, not moved, less the seasons that breaks are looked for without; undefined of a short one. */
  get withoutSeasons(): Float64Array | undefined {
    return this.#base()?.level;
  }

  /** Value of the history as it is, not moved; NaN = missing. */
  known(i: number): number {
    return this.#known[i] ?? Number.NaN;
  }

  /** The newest eight weeks of `column`: what days and weeks are compared in. */
  get recent(): Float64Array {
    return this.column.subarray(-recentLength(this.intervalMs));
  }

  /** The history without its yearly season, which `restore` adds, too; undefined where it is too short for one. */
  get withoutYear(): Pick<View, "recent" | "leads" | "intervalMs" | "restore"> | undefined {
    const part = this.#part("year", "linear");
    if (!part) return undefined;
    const { leads, intervalMs, length, recent } = this;
    const from = length - recent.length;
    return {
      recent: recent.map((value, i) => value - part.seasonAt(from + i)),
      leads,
      intervalMs,
      restore: (forecast) =>
        this.restore(forecast.map((value, k) => value + part.seasonAt(length + leads[k]!))),
    };
  }

  /** Whether a part of the history may be a year that has not come often enough to be known. */
  get mayBeYearly(): boolean {
    const { year = Number.POSITIVE_INFINITY } = this.cycles;
    return this.length > YEAR_SHOWS * year && this.length < BREAK_CYCLES * year;
  }

  /** Where a forecast starts: level without season, its change per interval, and breaks, in intervals before the end. */
  get start(): {
    readonly level: number;
    readonly slope: number;
    readonly shifts: readonly (readonly [number, number])[];
  } {
    const part = this.#base();
    const last = part?.segments.at(-1);
    if (!part || !last) return { level: 0, slope: 0, shifts: [] };
    const shifts = part.segments.slice(1).map((segment, k) => {
      const change = lineAt(segment, segment.from) - lineAt(part.segments[k]!, segment.from);
      return [this.length - segment.from, change] as const;
    });
    return { level: lineAt(last, this.length), slope: part.slope, shifts };
  }

  /** The forecast of a member that the history is too short for: NaN at each lead. */
  get unknown(): Float64Array {
    return new Float64Array(this.leads.length).fill(Number.NaN);
  }

  get length(): number {
    return this.#known.length;
  }

  #makeLevel(set: SeasonSet, scale: Scale): Level | undefined {
    const part = this.#part(set, scale);
    const last = part?.segments.at(-1);
    if (!part || !last) return undefined;
    const { length } = this.#known;
    const line = lineAt(last, length);
    const isBroken = this.isBroken && part.segments.length > 1;
    const from = Math.max(0, length - SMOOTHED);
    const lines = isBroken ? linesOf(part.segments, length) : undefined;
    const moved = lines ? part.level.map((value, i) => value - lines[i]! + line) : part.level;
    const toData = scale === "log" ? Math.exp : (value: number) => value;
    const spiky = moved.subarray(from);
    return {
      values: replaceSpikes(spiky),
      spiky,
      starts: isBroken ? startsOf(part.segments, from) : [0],
      line,
      slope: part.slope,
      drift: isBroken ? part.slope : 0,
      restore: (level, lead) => toData(level + part.seasonAt(length + lead)),
    };
  }

  #part(set: SeasonSet, scale: Scale): Decomposition | undefined {
    const key = `${set} ${scale}`;
    const known = this.#parts.get(key);
    if (known) return known;
    const cycles = cyclesOf(this.cycles, set);
    if (cycles.some(({ length }) => MIN_CYCLES * length > this.#known.length)) return undefined;
    if (scale === "log" && this.#known.some((value) => value <= 0)) return undefined;
    const part = decompose(scale === "log" ? this.#known.map(Math.log) : this.#known, cycles);
    this.#parts.set(key, part);
    return part;
  }

  /** The seasons that breaks are looked for without: one of two cycles would take a step for a part of itself. */
  get breakSet(): SeasonSet {
    return setsIn(this.cycles, this.#known.length, BREAK_CYCLES).at(-1)!;
  }

  #base(): Decomposition | undefined {
    return this.#part(this.breakSet, "linear");
  }

  /** Whether a cycle that has come twice, too few times to be removed before, explains the segments. */
  #repeats({ segments, level }: Decomposition, lines: Float64Array): boolean {
    const { length } = this.#known;
    const seen = setsIn(this.cycles, length).at(-1)!;
    const cycle = seen === this.breakSet ? undefined : cyclesOf(this.cycles, seen).at(-1);
    if (!cycle) return false;
    const rest = level.map((value, i) => value - lines[i]!);
    return repeats(this.#known, { length: cycle.length, rest, segments: segments.length });
  }

  /** The history with earlier segments moved to the last one; undefined without breaks. */
  #moveToPresent(): Moved | undefined {
    const part = this.#base();
    if (!part || part.segments.length < 2) return undefined;
    const { length } = this.#known;
    const lines = linesOf(part.segments, length);
    if (this.#repeats(part, lines)) return undefined;
    const end = lineAt(part.segments.at(-1)!, length);
    const column = this.#known.map((value, i) => value - lines[i]! + end);
    return {
      rest: part.rest,
      column,
      slope: part.slope,
      breaks: part.segments.slice(1).map((segment) => segment.from),
    };
  }
}

/** First indices of the segments in a column from `from` on. */
function startsOf(segments: readonly Segment[], from: number): number[] {
  const later = segments.slice(1).map((segment) => segment.from - from);
  return [0, ...later.filter((start) => start > 0)];
}

/** Whether changes of level are of one kind, as those of clean-ups: such a history does not stay at its present level. */
function recurs(shifts: View["start"]["shifts"]): boolean {
  if (shifts.length < 2) return false;
  const changes = shifts.map(([, change]) => change);
  const isAlike = changes.every((change) => change * changes[0]! > 0);
  const sizes = changes.map(Math.abs);
  return isAlike && Math.max(...sizes) < ALIKE * Math.min(...sizes);
}
