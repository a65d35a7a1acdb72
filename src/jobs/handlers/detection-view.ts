// API views of detections in and forecasts of a posted series.
import type { EntireView, LastView, SeriesForecastView } from "../../api/detection.ts";
import type { Detection } from "../../models/stateless/detection.ts";
import type { LastDetection } from "../../models/stateless/last.ts";
import type { LongRun } from "../../models/stateless/long-runs.ts";
import type { SeriesForecast } from "../../models/stateless/predict.ts";
import { lowerBound } from "../../models/stats/indices.ts";
import { levelKey } from "./result.ts";

/** Fields of every answer about the series. */
type SeriesInfo = Pick<EntireView, "period" | "missing">;

/** View of a detection of all points. @param places interval of each point */
export function viewEntire(detection: Detection, places: Int32Array, info: SeriesInfo): EntireView {
  const pick = <T>(value: (i: number) => T) => Array.from(places, value);
  const { expected, margin, direction, severity, score, runs } = detection;
  const margins = pick((i) => margin[i]!);
  return {
    ...info,
    expectedValues: pick((i) => expected[i]!),
    upperMargins: margins,
    lowerMargins: margins,
    isAnomaly: pick((i) => direction[i] !== 0),
    isPositiveAnomaly: pick((i) => direction[i]! > 0),
    isNegativeAnomaly: pick((i) => direction[i]! < 0),
    severity: pick((i) => severity[i]!),
    scores: pick((i) => score[i]!),
    runs: runs.map((run) => viewRun(run, places)),
  };
}

function viewRun({ from, to, at, usual }: LongRun, places: Int32Array): EntireView["runs"][number] {
  return { first: lowerBound(places, from), last: lowerBound(places, to) - 1, at, usual };
}

/** View of a detection of the last point. @param places interval of each point */
export function viewLast(detection: LastDetection, places: Int32Array, info: SeriesInfo): LastView {
  const { expected, margin, direction, severity, score, suggestedWindow, run } = detection;
  return {
    ...info,
    suggestedWindow,
    expectedValue: expected,
    upperMargin: margin,
    lowerMargin: margin,
    isAnomaly: direction !== 0,
    isPositiveAnomaly: direction > 0,
    isNegativeAnomaly: direction < 0,
    severity,
    score,
    ...(run && { run: viewRun(run, places) }),
  };
}

interface ForecastInfo extends SeriesInfo {
  /** Levels of the bands after the first, as shares 0..1. */
  readonly levels: readonly number[];
  /** ms since the epoch. */
  readonly instants: readonly number[] | undefined;
  readonly explain: boolean;
}

/** View of a forecast: levels in percent, timestamps in seconds. */
export function viewForecast(
  { predicted, bands, relativeError, explanation }: SeriesForecast,
  { levels, instants, explain, ...info }: ForecastInfo,
): SeriesForecastView {
  const [band, ...further] = bands.map(({ lower, upper }) => ({
    lower: Array.from(lower),
    upper: Array.from(upper),
  }));
  const byLevel = further.map((own, k) => [levelKey(levels[k]!), own]);
  return {
    ...info,
    ...(instants && { timestamps: instants.map((at) => at / 1000) }),
    predicted: Array.from(predicted),
    ...band!,
    ...(byLevel.length > 0 && { levels: Object.fromEntries(byLevel) }),
    forecast_error: relativeError,
    ...(explain && explanation && { explanation }),
  };
}
