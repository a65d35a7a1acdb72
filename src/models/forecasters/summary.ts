// Summary of the forecasts of a version for `state`: members, error in the backtest, seasons, explanations; pure.
import { explainForecast, type ForecastExplanation, nameMember } from "./explain.ts";
import type { ForecastParameters, WeighedMember } from "./parameters.ts";
import { seasonsOf } from "./season/season.ts";

interface ForecastSummary {
  /** Weights such as `seasonal 0.77, holt-winters 0.23`; by feature where they differ. */
  readonly forecaster: string;
  /** Mean absolute error relative to repeating the last season, averaged over the features. */
  readonly forecast_error: number;
  /** How each feature is forecast, by its name; absent of versions that kept no facts. */
  readonly forecast?: Readonly<Record<string, ForecastExplanation>>;
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
    ...explainForecasts(chosen),
    forecast_seasons: Object.keys(seasonsOf(intervalMs, points)).join(", ") || "none",
  };
}

/** Nothing of versions that kept no facts. */
function explainForecasts(
  features: readonly (ForecastParameters & { readonly name: string })[],
): Pick<ForecastSummary, "forecast"> {
  const explained = features.flatMap(({ name, ...parameters }) => {
    const explanation = explainForecast(parameters);
    return explanation ? [[name, explanation] as const] : [];
  });
  return explained.length > 0 ? { forecast: Object.fromEntries(explained) } : {};
}

function labelOf(members: readonly WeighedMember[]): string {
  const shares = [...Map.groupBy(members, nameMember)].map(([name, own]) => {
    const share = own.reduce((sum, { weight }) => sum + weight, 0);
    return { name, share };
  });
  if (shares.length === 1) return shares[0]!.name;
  return shares.map(({ name, share }) => `${name} ${share.toFixed(2)}`).join(", ");
}
