// Detections and forecasts of a series in this process: no server, no bucket; loaded only when one is asked for.
import { runDetection, runForecast } from "../jobs/handlers/series.ts";
import { planDetection, planForecast } from "../resources/detections/plan.ts";
import { defaultLimits } from "../resources/shared/range.ts";

/** This process has one user: more points than a request may bring. */
const limits = { ...defaultLimits, pointsPerSeries: 1_000_000 };
const deps = { limits, clock: { now: () => Date.now() } };

/** Bodies and answers are those of `_detect` and `_predict`; only what needs a trained network is refused. */
export function createAnalyst() {
  return {
    detect: async (body: unknown, signal: AbortSignal) =>
      runDetection(await planDetection(body, deps, signal), signal),
    forecast: async (body: unknown, signal: AbortSignal) =>
      runForecast(await planForecast(body, deps, signal), signal),
  };
}
