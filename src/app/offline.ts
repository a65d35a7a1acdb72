// Detections and forecasts of a series without a server; loaded only by commands that need it.
import { runDetection, runForecast } from "../jobs/handlers/series.ts";
import { planDetection, planForecast } from "../resources/detections/plan.ts";
import { defaultLimits } from "../resources/shared/range.ts";

/** Higher than for requests: the process serves one user. */
const limits = { ...defaultLimits, pointsPerSeries: 1_000_000 };
const deps = { limits, clock: { now: () => Date.now() } };

/** Takes and answers the bodies of `_detect` and `_predict`. @throws TorusError where a trained network is needed */
export function createAnalyst() {
  return {
    detect: async (body: unknown, signal: AbortSignal) =>
      runDetection(await planDetection(body, deps, signal), signal),
    forecast: async (body: unknown, signal: AbortSignal) =>
      runForecast(await planForecast(body, deps, signal), signal),
  };
}
