// View of a series from an origin: its history at the present level, and the way back from it; pure.
import { beginOf, localTimeOf, type Series } from "../local-time.ts";
import {
  type AddedCycle,
  type Cycles,
  calendarCycles,
  cyclesOf,
  type SeasonSet,
  setsIn,
  tellingSpan,
} from "../season/cycles.ts";
import { recentLength } from "../season/history-length.ts";
import { addTrend, type ForecastTrend, flattenTrend, measureTrend } from "../trend.ts";
import { isCurve } from "./bend.ts";
import { type Decomposition, decompose, linesOf, partUntil } from "./decompose.ts";
import { isLastingStep, isPlain, type Moved, moveToPresent } from "./present-level.ts";
import { repeats } from "./repetition.ts";
import { gainByShares, inScale, type Scale, toDataOf } from "./scale.ts";
import { lineAt, startsOf } from "./segments.ts";
import { replaceSpikes } from "./spikes.ts";

/** Newest values that levels are smoothed over. */
const SMOOTHED = 1500;
/** Least number of cycles of the seasons that are removed before breaks are looked for. */
const BREAK_CYCLES = 3;
/** Gain in likelihood, as a logarithm, from which a season is no sum, or no share, of the level. */
const MISFIT_GAIN = 1;
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

/** What views from one origin share; the gain is measured where a member or a break asks for it. */
interface Shared {
  readonly parts: Map<string, Decomposition>;
  /** Whether a longer cycle explains their segments. */
  readonly repeated: Map<Decomposition, boolean>;
  gain?: number;
}

/** What members of days and weeks forecast from. */
export type RecentHistory = Pick<View, "recent" | "leads" | "intervalMs" | "restore">;

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
  /** Where the history begins and ends, by local time. */
  readonly #range: { readonly from: number; readonly end: number };
  readonly #shared: Shared;
  readonly #later: View | undefined;
  readonly #levels = new Map<string, Level | undefined>();
  readonly #restore: (forecast: Float64Array) => Float64Array;

  /**
   * @param trend of members that do not follow one themselves; of a history with breaks that of its last segment is
   * @param seen another view: one from the origin shares its decompositions, one from a later origin its breaks so far
   */
  constructor(
    series: Series,
    { origin, leads, history }: { origin: number; leads: ArrayLike<number>; history: number },
    { trend, breaks }: { trend?: ForecastTrend | undefined; breaks: boolean },
    seen?: View,
  ) {
    const { column, startOf, placeOf } = localTimeOf(series);
    const end = startOf(origin);
    this.#later = seen && seen.#range.end > end ? seen : undefined;
    this.#shared = seen && !this.#later ? seen.#shared : { parts: new Map(), repeated: new Map() };
    // What lies before the first value is not part of a history: seasons would be taken for known that were never seen.
    const from = this.#later ? this.#later.#range.from : Math.max(beginOf(column), end - history);
    this.#range = { from, end };
    this.#known = column.subarray(from, end);
    this.leads = Array.from(leads, (lead) => placeOf(origin + lead) - end);
    this.intervalMs = series.intervalMs;
    this.cycles = series.cycles ?? calendarCycles(series.intervalMs);
    const moved = breaks ? this.#moveToPresent() : undefined;
    this.isBroken = moved !== undefined;
    this.breaks = moved?.breaks.map((at) => from + at) ?? [];
    this.isPlain = moved !== undefined && isPlain(moved, this.start.shifts);
    if (moved) {
      this.isFlat = true;
      this.column = moved.column;
      this.#restore = (forecast) =>
        forecast.map((value, k) => moved.goOn(value, Math.max(0, this.leads[k]!)));
      return;
    }
    const flat = { column: this.#known, intervalMs: series.intervalMs };
    const line = trend && measureTrend(trend, flat, flat.column.length);
    this.isFlat = line !== undefined;
    this.column = line ? flattenTrend(line, flat, flat.column.length).column : this.#known;
    this.#restore = (forecast) => (line ? addTrend(line, forecast, this.leads) : forecast);
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
    const [base, linear] = [this.#base(), this.#part(this.breakSet, "linear")];
    const scale = base && linear && isLastingStep(base, linear, this.length) ? this.#baseScale : "linear";
    return this.#part(this.breakSet, scale)?.level.map(toDataOf(scale));
  }

  /** Value of the history as it is, not moved; NaN = missing. */
  known(i: number): number {
    return this.#known[i] ?? Number.NaN;
  }

  /** The newest eight weeks of `column`: what days and weeks are compared in. */
  get recent(): Float64Array {
    return this.column.subarray(-recentLength(this.intervalMs));
  }

  /** The history without a season, which `restore` adds, too; undefined where it is too short for one. */
  without(season: AddedCycle): RecentHistory | undefined {
    const part = this.#part(season, "linear");
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
    const toData = toDataOf(this.#baseScale);
    const shifts = part.segments.slice(1).map((segment, k) => {
      const [to, from] = [segment, part.segments[k]!].map((own) => toData(lineAt(own, segment.from)));
      return [this.length - segment.from, to! - from!] as const;
    });
    const line = lineAt(last, this.length);
    const level = toData(line);
    return { level, slope: toData(line + part.slope) - level, shifts };
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
    if (!part || !last || this.#isMisfit(set, scale)) return undefined;
    const { length } = this.#known;
    const line = lineAt(last, length);
    const isBroken = this.isBroken && part.segments.length > 1;
    const from = Math.max(0, length - SMOOTHED);
    const lines = isBroken ? linesOf(part.segments, length) : undefined;
    const moved = lines ? part.level.map((value, i) => value - lines[i]! + line) : part.level;
    const toData = toDataOf(scale);
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

  /** Whether the season of a moved history is known to be followed in the other scale. */
  #isMisfit(set: SeasonSet, scale: Scale): boolean {
    const gain = scale === "log" ? -this.#gainByShares : this.#gainByShares;
    return this.isBroken && set !== "none" && gain > MISFIT_GAIN;
  }

  #part(set: SeasonSet, scale: Scale): Decomposition | undefined {
    const key = `${set} ${scale}`;
    const known = this.#shared.parts.get(key);
    if (known) return known;
    if (!setsIn(this.cycles, this.length).includes(set)) return undefined;
    if (scale === "log" && this.#known.some((value) => value <= 0)) return undefined;
    const [cycles, leastSpan] = [cyclesOf(this.cycles, set), tellingSpan(this.cycles, this.length)];
    const part = decompose(inScale(this.#known, scale), cycles, leastSpan);
    this.#shared.parts.set(key, part);
    return part;
  }

  /** The seasons that breaks are looked for without: one of two cycles would take a step for a part of itself. */
  get breakSet(): SeasonSet {
    return setsIn(this.cycles, this.#known.length, BREAK_CYCLES).at(-1)!;
  }

  #base(): Decomposition | undefined {
    if (!this.#later) return this.#part(this.breakSet, this.#baseScale);
    const later = this.#later.#base();
    return later && partUntil(later, this.length);
  }

  /** Of a season that is a share of a level with breaks, as a logarithm of likelihood; 0 of others. */
  get #gainByShares(): number {
    if (this.#later) return this.#later.#gainByShares;
    this.#shared.gain ??= this.#measureGain();
    return this.#shared.gain;
  }

  #measureGain(): number {
    const linear = this.#part(this.breakSet, "linear");
    if (!linear || linear.segments.length < 2 || this.breakSet === "none") return 0;
    if (this.#repeats(linear)) return 0;
    const log = this.#part(this.breakSet, "log");
    return log ? gainByShares(this.#known, linear, log) : 0;
  }

  /** In which breaks are looked for. */
  get #baseScale(): Scale {
    return this.#gainByShares > 0 ? "log" : "linear";
  }

  /** Whether a cycle that has come twice, too few times to be removed before, explains the segments. */
  #repeats(part: Decomposition): boolean {
    const { repeated } = this.#shared;
    if (!repeated.has(part)) repeated.set(part, this.#isRepeated(part));
    return repeated.get(part)!;
  }

  #isRepeated({ segments, level }: Decomposition): boolean {
    const { length } = this.#known;
    const seen = setsIn(this.cycles, length).at(-1)!;
    const cycle = seen === this.breakSet ? undefined : cyclesOf(this.cycles, seen).at(-1);
    if (!cycle) return false;
    const lines = linesOf(segments, length);
    return repeats(level, {
      length: cycle.length,
      shorter: cyclesOf(this.cycles, this.breakSet).at(-1)?.length ?? 1,
      rest: level.map((value, i) => value - lines[i]!),
      segments: segments.length,
    });
  }

  /** Undefined without breaks. */
  #moveToPresent(): Moved | undefined {
    const part = this.#base();
    if (!part || part.segments.length < 2 || this.#repeats(part) || isCurve(part.level)) return undefined;
    const lines = linesOf(part.segments, this.length);
    return moveToPresent(this.#known, part, { lines, scale: this.#baseScale });
  }
}
