// Detections and forecasts of a series as clients see them.
import type { EntireView, LastView, SeriesForecastView } from "../../api/detection.ts";
import type { Detection } from "../../models/stateless/detection.ts";
import type { LastDetection } from "../../models/stateless/last.ts";
import type { SeriesForecast } from "../../models/stateless/predict.ts";

/** What every answer says of the series. */
type About = Pick<EntireView, "period" | "missing">;

/** @param places interval of each point */
export function viewEntire(detection: Detection, places: Int32Array, about: About): EntireView {
  const pick = <T>(value: (i: number) => T) => Array.from(places, value);
  const { expected, margin, direction, severity, score } = detection;
  const margins = pick((i) => margin[i]!);
  return {
    ...about,
    expectedValues: pick((i) => expected[i]!),
    upperMargins: margins,
    lowerMargins: margins,
    isAnomaly: pick((i) => direction[i] !== 0),
    isPositiveAnomaly: pick((i) => direction[i]! > 0),
    isNegativeAnomaly: pick((i) => direction[i]! < 0),
    severity: pick((i) => severity[i]!),
    scores: pick((i) => score[i]!),
  };
}

/** The view of a detection of the last point. */
export function viewLast(detection: LastDetection, about: About): LastView {
  const { expected, margin, direction, severity, score, suggestedWindow } = detection;
  return {
    ...about,
    suggestedWindow,
    expectedValue: expected,
    upperMargin: margin,
    lowerMargin: margin,
    isAnomaly: direction !== 0,
    isPositiveAnomaly: direction > 0,
    isNegativeAnomaly: direction < 0,
    severity,
    score,
  };
}

interface ForecastAbout extends About {
  /** Further levels, as shares: those of the bands after the first. */
  readonly levels: readonly number[];
  /** ms since the epoch. */
  readonly instants: readonly number[] | undefined;
}

/** The view of a forecast: levels in percent, timestamps in s. */
export function viewForecast(
  { predicted, bands, relativeError }: SeriesForecast,
  { levels, instants, ...about }: ForecastAbout,
): SeriesForecastView {
  const [band, ...further] = bands.map(({ lower, upper }) => ({
    lower: Array.from(lower),
    upper: Array.from(upper),
  }));
  const named = further.map((own, k) => [String(Math.round(levels[k]! * 1e6) / 1e4), own]);
  return {
    ...about,
    ...(instants && { timestamps: instants.map((at) => at / 1000) }),
    predicted: Array.from(predicted),
    ...band!,
    ...(named.length > 0 && { levels: Object.fromEntries(named) }),
    forecast_error: relativeError,
  };
}
