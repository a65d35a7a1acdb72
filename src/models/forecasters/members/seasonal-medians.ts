// Seasonal forecasts: weighted median of the same time of earlier cycles, shifted to the present level; pure.
import { Type } from "@sinclair/typebox";
import { pickEvenly } from "../../stats/indices.ts";
import { medianOf, WeightedSample } from "../../stats/median.ts";
import { oneOf, type Stored, share, strict } from "../../stored-schema.ts";

/** Past values a forecast is the median of: earlier weeks, earlier days, both, or the last values alone. */
const seasonNames = ["week", "day", "mixed", "none"] as const;
export type SeasonName = (typeof seasonNames)[number];

export const SeasonalMemberSchema = Type.Object(
  {
    season: oneOf(seasonNames),
    /** Share of a lasting deviation from the season that is expected to last, 0..1. */
    follow: share,
  },
  strict,
);
type SeasonalMember = Stored<typeof SeasonalMemberSchema>;

/** Lengths of the seasons and of the level span in intervals; see `season.ts`. */
export interface SeasonalScale {
  readonly day: number;
  readonly week: number;
  readonly levelSpan: number;
}

/** Most days of history. */
export const MAX_DAYS = 56;
/** Weight of other days of the week relative to the same one, in "mixed". */
const OTHER_WEEKDAY = 0.1;
/** Time constants of the weights, in days; weekly lags have equal weights. */
const DECAY_DAYS = { day: 7, mixed: 28 };
const MIN_WEIGHT = 0.02;
/** Neighbours in time: half an hour on either side, at most `MAX_NEIGHBOURS` of them. */
const NEIGHBOURS_OF_DAY = 48;
const MAX_NEIGHBOURS = 2;
const MIN_DAY_WITH_NEIGHBOURS = 12;
/** The fast deviation: that of the newest part of the span, followed closely and decaying within a day. */
const FAST_SHARE = 1 / 8;
const FAST_FOLLOW = 0.6;
const FAST_DECAY_PER_SPAN = 0.1;
/** Points sampled from the level span. */
const MAX_LEVEL_POINTS = 24;

/** A lag and the weight of the point there. */
interface Lag {
  readonly lag: number;
  readonly weight: number;
}

/**
 * Predicts the intervals `origin + lead` from the points before `origin`.
 * @param leads 0 = the interval at `origin`; negative where a clock is set back
 * @returns one value per lead; NaN without any point
 */
export function predictSeasonal(
  column: Float64Array,
  { origin, leads }: { readonly origin: number; readonly leads: ArrayLike<number> },
  { member, scale }: { readonly member: SeasonalMember; readonly scale: SeasonalScale },
): Float64Array {
  const profile = createProfile(column, member.season, scale);
  const own = member.season === "none" ? profile : createProfile(column, member.season, scale, unknown);
  const correction = measureDeviation(column, { origin, profile: own, span: scale.levelSpan });
  const slow = member.follow * correction.slow;
  const fast = FAST_FOLLOW * (correction.fast - slow);
  const cycle = member.season === "day" ? scale.day : scale.week;
  const known = new Map<number, number>();
  return Float64Array.from(leads, (lead) => {
    const place = Math.round(lead - cycle * Math.floor(lead / cycle));
    const center = known.get(place) ?? profile(origin, place);
    known.set(place, center);
    const kept = FAST_DECAY_PER_SPAN ** (lead / scale.levelSpan);
    return center + slow + fast * kept;
  });
}

type Profile = (origin: number, lead: number) => number;

const unknown: Profile = () => Number.NaN;

/** @param other of places without points; default: from weeks other weekdays, from days the last values */
function createProfile(
  column: Float64Array,
  season: SeasonName,
  scale: SeasonalScale,
  other?: Profile,
): Profile {
  if (season === "none") return createLevel(column, scale.levelSpan);
  const fallback = other ?? createProfile(column, season === "week" ? "mixed" : "none", scale);
  const lags = lagsOf(season, scale);
  const near = neighboursOf(scale.day);
  const sample = new WeightedSample(lags.length * near.length);
  return (origin, lead) => {
    sample.clear();
    const at = origin + lead;
    for (const { lag, weight } of lags) {
      if (at - lag >= origin) continue;
      for (const neighbour of near) {
        const i = at - lag + neighbour.lag;
        if (i >= 0 && i < origin) sample.add(column[i]!, weight * neighbour.weight);
      }
    }
    const median = sample.median();
    return Number.isNaN(median) ? fallback(origin, lead) : median;
  };
}

/** The median of the last `span` values, for every lead. */
function createLevel(column: Float64Array, span: number): Profile {
  let known = { origin: -1, level: Number.NaN };
  return (origin) => {
    if (origin !== known.origin) known = { origin, level: lastLevel(column, origin, span) };
    return known.level;
  };
}

/** Doubles the span until it holds a value. */
function lastLevel(column: Float64Array, origin: number, span: number): number {
  for (let width = span; ; width *= 2) {
    const level = medianOf(column.subarray(Math.max(0, origin - width), origin));
    if (!Number.isNaN(level) || width >= origin) return level;
  }
}

function lagsOf(season: Exclude<SeasonName, "none">, { day, week }: SeasonalScale): readonly Lag[] {
  if (season === "week") {
    const weeks = Math.floor((MAX_DAYS * day) / week);
    return Array.from({ length: weeks }, (_, k) => ({ lag: Math.round((k + 1) * week), weight: 1 }));
  }
  const lags = Array.from({ length: MAX_DAYS }, (_, k) => {
    const isSameWeekday = (k + 1) % 7 === 0;
    const match = season === "day" || isSameWeekday ? 1 : OTHER_WEEKDAY;
    return { lag: Math.round((k + 1) * day), weight: match * Math.exp(-(k + 1) / DECAY_DAYS[season]) };
  });
  return lags.filter(({ weight }) => weight >= MIN_WEIGHT);
}

function neighboursOf(day: number): readonly Lag[] {
  const reach = day < MIN_DAY_WITH_NEIGHBOURS ? 0 : Math.max(1, Math.round(day / NEIGHBOURS_OF_DAY));
  const count = Math.min(reach, MAX_NEIGHBOURS);
  return Array.from({ length: 2 * count + 1 }, (_, k) => {
    const step = k - count;
    const lag = count === 0 ? 0 : Math.round((step * reach) / count);
    return { lag, weight: 1 - Math.abs(step) / (count + 1) };
  });
}

interface Deviation {
  /** Deviation over the whole span, and over its newest part. */
  readonly slow: number;
  readonly fast: number;
}

/** Deviation of the last span from its own seasonal prediction; 0 if unknown. */
function measureDeviation(
  column: Float64Array,
  { origin, profile, span }: { readonly origin: number; readonly profile: Profile; readonly span: number },
): Deviation {
  const start = origin - span;
  if (start < 2) return { slow: 0, fast: 0 };
  const deviations = (length: number) =>
    medianOf(
      pickEvenly(length, MAX_LEVEL_POINTS).map((k) => {
        const lead = span - length + k;
        return column[start + lead]! - profile(start, lead);
      }),
    );
  const slow = deviations(span) || 0;
  return { slow, fast: deviations(Math.max(2, Math.round(span * FAST_SHARE))) || 0 };
}
