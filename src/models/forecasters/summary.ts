// Summary of the forecasts of a version for `state`: members, error in the backtest, seasons; pure.
import { leadGroups } from "./lead-groups.ts";
import type { ForecastParameters, WeighedMember } from "./parameters.ts";
import { seasonsOf } from "./season/season.ts";

interface ForecastSummary {
  /** Weights such as `seasonal 0.77, holt-winters 0.23`; by feature where they differ. */
  readonly forecaster: string;
  /** Mean absolute error relative to repeating the last season, averaged over the features. */
  readonly forecast_error: number;
  /** Forecasts of the backtest of a feature. */
  readonly forecast_origins?: number;
  /** Mean absolute errors in units of the data, as in `near 1.2, season 1.9`; by feature where there are several. */
  readonly forecast_errors?: string;
  /** Level without season at the end of the training range, and its change per interval, as in `412, +0.5`. */
  readonly forecast_start?: string;
  /** Changes of level that the history was moved by, as in `+12 30 intervals ago`; `none`. */
  readonly forecast_shifts?: string;
  /** Seasons covered by the training range: `day, week`, `day`, `week` or `none`. */
  readonly forecast_seasons: string;
}

interface FeatureForecast {
  readonly name: string;
  readonly forecast?: ForecastParameters | undefined;
}

/** @param points intervals of the training range */
export function summariseForecasts(
  features: readonly FeatureForecast[],
  { intervalMs, points }: { readonly intervalMs: number; readonly points: number },
): ForecastSummary {
  const chosen = features.flatMap(({ name, forecast }) => (forecast ? [{ name, ...forecast }] : []));
  const labels = chosen.map(({ members }) => labelOf(members));
  const isSame = labels.every((label) => label === labels[0]);
  const named = chosen.map(({ name }, i) => `${name}: ${labels[i]}`);
  const errors = chosen.map(({ error }) => error.mase);
  return {
    forecaster: isSame ? (labels[0] ?? "donut") : named.join("; "),
    forecast_error: errors.reduce((sum, error) => sum + error, 0) / Math.max(1, errors.length),
    ...summariseFacts(chosen),
    forecast_seasons: Object.keys(seasonsOf(intervalMs, points)).join(", ") || "none",
  };
}

type Facts = Pick<
  ForecastSummary,
  "forecast_origins" | "forecast_errors" | "forecast_start" | "forecast_shifts"
>;

/** Nothing of versions that kept no facts. */
function summariseFacts(features: readonly (ForecastParameters & { readonly name: string })[]): Facts {
  const known = features.flatMap(({ name, facts }) => (facts ? [{ name, facts }] : []));
  if (known.length === 0) return {};
  const join = (describe: (facts: NonNullable<ForecastParameters["facts"]>) => string) =>
    known.map(({ name, facts }) => (known.length === 1 ? "" : `${name}: `) + describe(facts)).join("; ");
  return {
    forecast_origins: Math.max(...known.map(({ facts }) => facts.origins)),
    forecast_errors: join(({ errors }) =>
      errors.flatMap((error, k) => (error === null ? [] : [`${leadGroups[k]} ${shorten(error)}`])).join(", "),
    ),
    forecast_start: join(({ level, slope }) => `${shorten(level)}, ${signed(slope)}`),
    forecast_shifts: join(
      ({ shifts }) =>
        shifts.map(([ago, change]) => `${signed(change)} ${ago} intervals ago`).join(", ") || "none",
    ),
  };
}

function signed(value: number): string {
  return `${value < 0 ? "" : "+"}${shorten(value)}`;
}

function shorten(value: number): string {
  return String(Number(value.toPrecision(4)));
}

function labelOf(members: readonly WeighedMember[]): string {
  const shares = [...Map.groupBy(members, nameOf)].map(([name, own]) => {
    const share = own.reduce((sum, { weight }) => sum + weight, 0);
    return { name, share };
  });
  if (shares.length === 1) return shares[0]!.name;
  return shares.map(({ name, share }) => `${name} ${share.toFixed(2)}`).join(", ");
}

function nameOf(member: WeighedMember): string {
  return member.method === "seasonal" && member.season === "none" ? "last values" : member.method;
}
