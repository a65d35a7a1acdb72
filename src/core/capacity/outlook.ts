// Outlook of a series: when it reaches a limit, how certain that is, and how often the same rule was right before; pure.
import { quantile } from "./numbers.ts";
import { findRise, type Lead, type Limit, type Rise, type Series, steady } from "./reach.ts";

/** Half the width of a band of 90 % in standard deviations: bands of other levels are as much wider or narrower. */
const USUAL_WIDTH = 1.645;
/** Share of the lead that a date may be off by. */
const TOLERANCE = 0.2;
/** Earlier origins at most. */
const MAX_CASES = 16;
/** Fewest of them that tell something. */
const MIN_CASES = 3;
/** Share of them that must be right. */
const MIN_RIGHT = 0.3;
/** Part of the trend that is known at the first origin. */
const FIRST_ORIGIN = 0.5;
/** A newer trend is judged by this part of the column, too. */
const NEWEST = 0.5;
/** Leads of the cases, as shares of the one that is asked for, beside what is known of the trend. */
const LEADS = [0.5, 0.75, 1] as const;
/** Longest lead of a case, as a share of what is known of the trend. */
const MAX_LEAD = 0.5;
/** Share of the errors at earlier origins that the band holds: those know less, so that most are larger. */
const HELD = 0.4;
/** Share of the error of the trend, whose allowance for correlated residuals is generous. */
const ERROR_SHARE = 0.7;
/** Share of the distance of two peaks that a date may be off by, as the rhythm is not exact. */
const PITCH_SHARE = 0.4;

/** How often the rule was right at earlier origins. */
interface CapacityBacktest {
  readonly right: number;
  readonly of: number;
}

export interface Outlook {
  readonly backtest: CapacityBacktest;
  readonly isPredictable: boolean;
  /** Change of the peaks per interval. */
  readonly slope: number;
  /** Intervals from the end of the column until the limit is reached. */
  readonly expected: number;
  readonly earliest: number;
  /** Absent: not within the length of the column. */
  readonly latest?: number;
}

/**
 * Steps of the outlook, each of some milliseconds.
 * @param width half the width of the band in standard deviations
 * @returns undefined where the series does not certainly move towards the limit, or reaches it later than it is long
 */
export function* findOutlook(
  given: Series,
  limit: Limit,
  width = USUAL_WIDTH,
): Generator<void, Outlook | undefined> {
  const series = steady(given, limit.type);
  yield;
  const rise = findRise(series, limit.type);
  const lead = rise?.leadOf(limit.value);
  if (!rise || !lead) return undefined;
  const cases: Case[] = [];
  for (const one of planCases(series, rise, { ...limit, lead: lead.expected })) {
    yield;
    const found = findLeadAt(series, one, limit.type);
    if (found) cases.push({ ...one, found });
  }
  const right = cases.filter(isRight).length;
  return {
    backtest: { right, of: cases.length },
    isPredictable: cases.length >= MIN_CASES && right >= MIN_RIGHT * cases.length,
    slope: rise.slope,
    ...bandOf(lead, { cases, width, reach: series.column.length }),
  };
}

interface PlannedCase {
  /** Values that are known. */
  readonly origin: number;
  /** A level that was reached later. */
  readonly value: number;
  /** Intervals until it was. */
  readonly lead: number;
}

interface Case extends PlannedCase {
  readonly found: Lead;
}

/** Earlier origins since the trend began, each with a level between two places after it. */
function planCases(
  { column }: Series,
  rise: Rise,
  { type, lead: asked }: Limit & { readonly lead: number },
): PlannedCase[] {
  const { places } = rise;
  const from = Math.max(Math.min(rise.from, NEWEST * column.length), places[0]!.at);
  const sign = type === "low" ? -1 : 1;
  const first = from + FIRST_ORIGIN * (column.length - from);
  const share = Math.min(MAX_LEAD, asked / (column.length - from));
  const cases: PlannedCase[] = [];
  for (let k = 0; k < MAX_CASES; k++) {
    const origin = Math.round(first + (k / MAX_CASES) * (column.length - first));
    const lead = LEADS[k % LEADS.length]! * share * (origin - from);
    const target = places.findIndex(({ at }) => at >= origin + lead);
    if (target < 1) continue;
    const value = (places[target]!.value + places[target - 1]!.value) / 2;
    const reached = places.findIndex((place, i) => i > 0 && sign * place.value >= sign * value);
    const reachedAt = reached < 1 ? origin : rise.reachedAt(reached, value);
    if (reachedAt > origin + 1) cases.push({ origin, value, lead: reachedAt - origin });
  }
  return cases;
}

function findLeadAt(series: Series, { origin, value }: PlannedCase, type: Limit["type"]): Lead | undefined {
  return findRise({ ...series, column: series.column.subarray(0, origin) }, type)?.leadOf(value);
}

function isRight({ lead, found }: Case): boolean {
  return Math.abs(found.expected - lead) <= Math.max(1, TOLERANCE * lead);
}

interface Known {
  readonly cases: readonly Case[];
  readonly width: number;
  /** Intervals ahead that dates are named for. */
  readonly reach: number;
}

/** The band by the error of the trend, and by those at earlier origins. */
function bandOf({ expected, error, pitch }: Lead, { cases, width, reach }: Known) {
  const errors = cases.map(({ lead, found }) => Math.abs(found.expected / lead - 1));
  const shown = errors.length >= MIN_CASES ? quantile(errors, HELD) : 0;
  const usual = Math.hypot(USUAL_WIDTH * ERROR_SHARE * error, shown * expected) + PITCH_SHARE * pitch;
  const half = (usual * width) / USUAL_WIDTH;
  const latest = expected + half;
  return { expected, earliest: Math.max(0, expected - half), ...(latest <= reach && { latest }) };
}
