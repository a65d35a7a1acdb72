// Fit of the forecast of a feature: candidates are backtested, then combined by their errors.
import { medianOf } from "../stats/median.ts";
import { compete, type FitInput, type Outcome } from "./backtest.ts";
import { learnUpperBound } from "./bounds.ts";
import { errorsOf, meanError } from "./candidate-errors.ts";
import { combined, type WeighedCandidate } from "./competition.ts";
import { type ErrorBand, fitBand } from "./error-band.ts";
import { levelsOf } from "./error-level.ts";
import { cleanHistory, type Departures } from "./history/departure.ts";
import { noiseOf } from "./history/noise.ts";
import { restOf } from "./history/rest.ts";
import { knownErrors } from "./known-errors.ts";
import { groupOf, groupsOf, leadGroups } from "./lead-groups.ts";
import { localTimeOf, type Series } from "./local-time.ts";
import type { ForecastParameters } from "./parameters.ts";
import { planBacktest } from "./plan.ts";
import { historyLength } from "./season/history-length.ts";
import { seasonsOf } from "./season/season.ts";
import { fitSpecialDays, usualSeries } from "./special-days.ts";
import { chooseTrend } from "./trend-fit.ts";

/** Index of the group of far leads. */
const FAR = leadGroups.indexOf("far");

/** @throws TorusError `canceled` */
export async function fitForecast(given: FitInput, signal: AbortSignal): Promise<ForecastParameters> {
  const { heldOutFrom, effort, asked, timeline } = given;
  const special = timeline && fitSpecialDays(given.series.column, timeline);
  const { usual, whole, series, leftOut } = cleanHistory(usualSeries(given.series, special, timeline));
  const { day } = whole.cycles;
  const input = { ...given, series };
  const { column, intervalMs } = usual;
  const plan = planBacktest({
    length: column.length,
    heldOutFrom,
    intervalMs,
    origins: effort?.origins,
    asked,
  });
  const bounds = groupsOf(plan.horizon);
  const trend = chooseTrend(series);
  const seen = series === usual ? whole : undefined;
  // Members are compared, and bands measured, without departures: these would be half of the errors of a short history.
  const outcome = await compete(
    input,
    { arena: { column: series.column, plan, bounds }, trend, seen },
    signal,
  );
  const { chosen, validated, breaks, arena } = outcome;
  const usualErrors = errorsOf(arena, validated);
  // Errors are those of the series as it was.
  const errors = errorsOf({ ...arena, column }, validated);
  const mae = meanError(errors);
  const center = medianOf(column);
  const upperBound = learnUpperBound(given.series.column);
  const error = Number.isFinite(mae) ? mae : meanDeviation(column, center);
  const isSimple = chosen.some(({ member }) => member.method !== "donut");
  const reference = referenceOf(outcome);
  return {
    members: chosen.map(({ member, shares, biases }) => ({
      ...member,
      weight: shares.reduce((sum, share) => sum + share, 0) / shares.length,
      shares: [...shares],
      ...(biases.some((bias) => bias !== 0) && { biases: [...biases] }),
    })),
    groups: bounds,
    breaks,
    ...(trend && { trend }),
    ...(special && { special }),
    band:
      fitBand(usualErrors, plan, {
        noise: noiseOf(column.filter(Number.isFinite)),
        levels: levelsOf(column, plan),
        known: knownErrors(outcome, { series, trend }),
        forecasts: validated,
      }) ?? bandOfValues(column, center),
    history: isSimple || trend ? historyLength(series) : 0,
    nonNegative: given.series.column.every((value) => !(value < 0)),
    ...(upperBound !== undefined && { upperBound }),
    center,
    ...(reference && { reference }),
    error: { mae: error, mase: error / naiveError(series) },
    facts: {
      ...factsOf(outcome, errors),
      ...leftOutOf(leftOut.runs, day ? restOf(given.series.column, day) : undefined),
    },
  };
}

/** The largest of the simple members up to the far leads; undefined without an error. */
function referenceOf({ chosen, arena }: Outcome): ForecastParameters["reference"] {
  const { leads } = arena.plan;
  const near = leads.filter((lead) => groupOf(arena.bounds, lead) < FAR).length;
  const shareOf = ({ shares, member }: WeighedCandidate) =>
    member.method === "donut" ? 0 : shares.slice(0, FAR).reduce((sum, share) => sum + share, 0);
  const largest = chosen.toSorted((a, b) => shareOf(b) - shareOf(a))[0];
  if (!largest || shareOf(largest) === 0) return undefined;
  const errors = errorsOf(arena, combined([largest], arena));
  const error = meanError(errors.map((row) => row.subarray(0, near)));
  return error > 0 && Number.isFinite(error) ? { member: chosen.indexOf(largest), error } : undefined;
}

type Facts = NonNullable<ForecastParameters["facts"]>;

/** What an explanation tells of the fit. */
function factsOf({ arena, breaks, last }: Outcome, errors: readonly Float64Array[]): Facts {
  const { origins, leads } = arena.plan;
  const byGroup = leadGroups.map((_, group) => {
    const own = errors.map((row) => row.filter((_error, i) => groupOf(arena.bounds, leads[i]!) === group));
    const mean = meanError(own);
    return Number.isFinite(mean) ? mean : null;
  });
  const { level, slope, shifts } = last.start;
  return { origins: origins.length, errors: byGroup, level, slope, shifts: breaks ? [...shifts] : [] };
}

/** What the forecast is made without, and the value that it stays at instead; absent where there is none. */
function leftOutOf(
  departures: Departures["runs"],
  rest: number | undefined,
): Pick<Facts, "departures" | "rest"> {
  return {
    ...(departures.length > 0 && { departures: [...departures] }),
    ...(rest !== undefined && { rest }),
  };
}

/** Band without a backtest: by the deviation of the values from their median. */
function bandOfValues(column: Float64Array, center: number): ErrorBand {
  const errors = Array.from(column, (value) => Float64Array.of(value - center));
  return fitBand(errors, { horizon: 1, leads: [0], origins: [0, column.length - 1] })!;
}

function meanDeviation(column: Float64Array, center: number): number {
  const present = column.filter(Number.isFinite);
  return present.reduce((sum, value) => sum + Math.abs(value - center), 0) / present.length;
}

/** Mean absolute error of repeating the shortest season, or the last value; never 0. */
function naiveError(series: Series): number {
  const { intervalMs } = series;
  const { column } = localTimeOf(series);
  const { day, week } = seasonsOf(intervalMs, column.length);
  const lag = Math.round(day ?? week ?? 1);
  const changes = column.subarray(lag).map((value, i) => Math.abs(value - column[i]!));
  const present = changes.filter(Number.isFinite);
  const mean = present.reduce((sum, value) => sum + value, 0) / present.length;
  return mean > 0 ? mean : 1;
}
