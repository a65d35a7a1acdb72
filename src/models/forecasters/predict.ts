// Forecast of one feature by the stored combination: members averaged, bands added, values bounded.
import { createYielder } from "../../runtime/steps.ts";
import type { Timeline } from "../detectors/timeline.ts";
import { boundsOf, clampTo, type Limits } from "./bounds.ts";
import { blend, type Weighing } from "./competition.ts";
import { edgesOf, scaleAt } from "./error-band.ts";
import { errorFactorAt } from "./error-by-value.ts";
import { acrossBreaks } from "./history/across-breaks.ts";
import { atCommonValue } from "./history/common-value.ts";
import { cleanHistory, type Departures, withoutDepartures } from "./history/departure.ts";
import { restOf } from "./history/rest.ts";
import { View } from "./history/view.ts";
import { type GroupBounds, groupsOf, leadGroups } from "./lead-groups.ts";
import { beginOf, type Series } from "./local-time.ts";
import { kindOf, lastLevelMember } from "./members/index.ts";
import type { ForecastParameters, WeighedMember } from "./parameters.ts";
import { historyLength } from "./season/history-length.ts";
import { specialEffects, usualSeries } from "./special-days.ts";
import { factorAt, measureTrend, slopeErrorAt } from "./trend.ts";

/** Recent forecasts that are compared with the observations, to adapt the bands to the present errors. */
const RECENT_FORECASTS = 7;
/** As many of a long history, whose forecasts compare many leads each. */
const LONG = { points: 5000, forecasts: 3 };
/** Least share of the history before a recent forecast: of less, it knows much less than the present one. */
const LEAST_KNOWN = 0.5;
/** Bounds of the ratio of recent errors to those of the backtest; bands scale with its root. */
const RECENT_RATIO = { min: 0.5, max: 4 };
/** Effective sample size of a backtest of which half of a narrowing counts: few small errors are rather chance. */
const RECENT_SAMPLE = 10;

interface PredictInput {
  /** History, which ends where the forecast starts. */
  readonly series: Series;
  /** Of the history; absent: no day is special. */
  readonly timeline?: Timeline | undefined;
  readonly horizon: number;
  /** Confidence levels of the bands, 0..1. */
  readonly levels: readonly number[];
  /** Of the feature's settings. */
  readonly limits?: Limits | undefined;
  /** Forecast of the network after a history without departures; required if it is a member. */
  readonly network?: ((column: Float64Array) => Float64Array | Promise<Float64Array>) | undefined;
}

/** Finite values, one per interval of the horizon, with `lower <= predicted <= upper`. */
export interface FeatureForecast {
  readonly predicted: Float64Array;
  /** One per level, in their order. */
  readonly bands: readonly { readonly lower: Float64Array; readonly upper: Float64Array }[];
}

/** Forecasts a feature; yields to the event loop. @throws TorusError `canceled` */
export async function predictFeature(
  parameters: ForecastParameters,
  input: PredictInput,
  signal: AbortSignal,
): Promise<FeatureForecast> {
  const { horizon, levels, limits = {}, timeline } = input;
  const { special } = parameters;
  const effects = special && timeline && specialEffects(special, input.series.column, { timeline, horizon });
  const known = usualSeries(input.series, effects && special, timeline);
  const target = { origin: known.column.length, leads: Array.from({ length: horizon }, (_, lead) => lead) };
  const { usual, whole, series, leftOut } = cleanHistory(known, (own) =>
    viewFrom({ breaks: false }, own, target),
  );
  const { fading = () => 0 } = leftOut;
  const bounds = boundsOf(parameters, limits, input.series.column);
  const { leads } = target;
  const pause = createYielder(signal);
  // Of the same history the seasons are known.
  const view = viewFrom(parameters, series, target, series === usual ? whole : undefined);
  // Of daily and longer intervals a year may tell when a rest ends.
  const rest = view.cycles.day && restOf(input.series.column, view.cycles.day);
  // Of a level younger than a forecast the errors across its break tell most.
  const isSettled = view.isBroken && view.start.shifts.at(-1)![0] > boundsOfGroups(parameters).far;
  const isSpoiled = isSettled ? acrossBreaks(series, view) : undefined;
  // The network runs in a worker meanwhile; it is awaited below for its errors, too.
  const network =
    isNew(view) && parameters.members.length > 1 ? undefined : networkAhead(input, { leftOut, effects });
  const [combined, factor] = await Promise.all([
    blendFrom(parameters, view, { leads, network }, pause),
    recentFactor(parameters, { view, series, isSpoiled }, pause),
    network,
  ]);
  const blended = combined.map(
    (value, lead) =>
      (Number.isFinite(value) ? value : parameters.center) + (effects?.[lead] ?? 0) + fading(lead),
  );
  const expected = atCommonValue(blended, input.series.column);
  const predicted = clampTo(bounds, rest === undefined ? expected : expected.fill(rest));
  const units = errorsAhead(parameters, { series, predicted, factor });
  const bands = levels.map((level) => {
    const { lower, upper } = edgesOf(parameters.band, level);
    const edgeAt = (edge: number) => predicted.map((value, lead) => value + edge * units[lead]!);
    return { lower: clampTo(bounds, edgeAt(lower)), upper: clampTo(bounds, edgeAt(upper)) };
  });
  return { predicted, bands };
}

/** Forecast of the network, which knows holidays itself. */
async function networkAhead(
  { series, network }: PredictInput,
  { leftOut, effects }: { readonly leftOut: Departures; readonly effects: Float64Array | undefined },
): Promise<Float64Array | undefined> {
  const forecast = await network?.(withoutDepartures(series, leftOut).column);
  return effects ? forecast?.map((value, lead) => value - effects[lead]!) : forecast;
}

/** Whether the present level is younger than a day: the network, which saw only the one before, would return to that. */
function isNew({ isBroken, start: { shifts }, cycles: { day = 0 } }: View): boolean {
  return isBroken && shifts.at(-1)![0] < day;
}

/** Typical error at each lead: that of the members, which a multiplicative trend scales, and that of the slope. */
function errorsAhead(
  { band, trend }: ForecastParameters,
  { series, predicted, factor }: { series: Series; predicted: Float64Array; factor: number },
): Float64Array {
  const line = trend && measureTrend(trend, series, series.column.length);
  return predicted.map((value, lead) => {
    const error = factor * scaleAt(band, lead) * errorFactorAt(band.byValue, value);
    return line ? Math.hypot(error * factorAt(line, lead), slopeErrorAt(line, lead, value)) : error;
  });
}

/** Whether the network is a member. */
export function needsNetwork({ members }: ForecastParameters): boolean {
  return members.some(({ method }) => method === "donut");
}

function viewFrom(
  { trend, breaks = false }: Pick<ForecastParameters, "trend" | "breaks">,
  series: Series,
  target: { readonly origin: number; readonly leads: readonly number[] },
  seen?: View,
): View {
  return new View(series, { ...target, history: historyLength(series) }, { trend, breaks }, seen);
}

interface Target {
  readonly leads: readonly number[];
  /** Forecast of the network at the leads; absent: the others alone. */
  readonly network?: Promise<Float64Array | undefined> | undefined;
}

/** Weighted mean of the members from a view. */
async function blendFrom(
  parameters: ForecastParameters,
  view: View,
  { leads, network }: Target,
  pause: () => Promise<void> | undefined,
): Promise<Float64Array> {
  const { members } = parameters;
  const bounds = boundsOfGroups(parameters);
  const runs: (Weighing & { readonly forecast: Float64Array })[] = [];
  for (const member of members) {
    const forecast = member.method === "donut" ? await network : kindOf(member.method).forecast(member, view);
    if (forecast) runs.push({ ...weighingOf(member), forecast });
    await pause();
  }
  const combined = blend(runs, { leads, bounds });
  if (combined.every(Number.isFinite)) return combined;
  // Members of a group that all find nothing to follow leave its leads to those of the others.
  const shared = blend(runs.map(sharedByGroups), { leads, bounds });
  // Of a history that is too short for all members the last level is known.
  const level = kindOf("level").forecast(lastLevelMember, view);
  return combined.map((value, i) => [value, shared[i]!, level[i]!].find(Number.isFinite) ?? Number.NaN);
}

/** A member whose share is in each group that in all of them. */
function sharedByGroups<M extends Weighing>(member: M): M {
  const share = member.shares.reduce((sum, own) => sum + own, 0);
  return { ...member, shares: member.shares.map(() => share) };
}

function boundsOfGroups({ groups, band }: ForecastParameters): GroupBounds {
  return groups ?? groupsOf(band.leads.at(-1)! + 1);
}

const NO_BIASES = leadGroups.map(() => 0);

/** Versions trained before shares went by lead have one; of them the network fades beyond what was measured. */
function weighingOf({ method, weight, shares, biases }: WeighedMember): Weighing {
  if (shares) return { shares, biases: biases ?? NO_BIASES };
  const far = method === "donut" ? weight / 4 : weight;
  return { shares: [weight, weight, far], biases: NO_BIASES };
}

interface Past {
  /** Of all of it: without a break in it there is none in a part of it. */
  readonly view: View;
  readonly series: Series;
  readonly isSpoiled: ReturnType<typeof acrossBreaks>;
}

/** Factor on the width of the bands, by the errors of the recent forecasts. */
async function recentFactor(
  parameters: ForecastParameters,
  { view: present, series, isSpoiled }: Past,
  pause: () => Promise<void> | undefined,
): Promise<number> {
  const { band, reference, simpleError } = parameters;
  const usual = reference?.error ?? simpleError;
  if (usual === undefined) return 1;
  const members = reference ? [parameters.members[reference.member]!] : parameters.members;
  const reach = boundsOfGroups(parameters).far;
  const leads = band.leads.filter((lead) => lead < reach);
  const { length } = series.column;
  const least = length - LEAST_KNOWN * (length - beginOf(series.column));
  const most = length > LONG.points ? LONG.forecasts : RECENT_FORECASTS;
  let [sum, count, compared] = [0, 0, 0];
  for (let k = most; k > 0; k--) {
    const origin = length - k * reach;
    if (origin < least) continue;
    compared++;
    const view = viewFrom({ ...parameters, breaks: present.isBroken }, series, { origin, leads }, present);
    const forecast = await blendFrom({ ...parameters, members }, view, { leads }, pause);
    for (const [i, lead] of leads.entries()) {
      const error = Math.abs(series.column[origin + lead]! - forecast[i]!);
      if (!Number.isFinite(error) || isSpoiled?.(origin, lead)) continue;
      sum += error;
      count++;
    }
  }
  if (count === 0) return 1;
  const ratio = Math.min(RECENT_RATIO.max, Math.max(RECENT_RATIO.min, sum / count / usual));
  const trust = ratio >= 1 ? 1 : compared < most ? 0 : band.sample / (band.sample + RECENT_SAMPLE);
  return Math.sqrt(ratio) ** trust;
}
