// Detections and forecasts without a stored model: points in, answer out; what takes long is a job.
import type { DetectionView, SeriesForecastView } from "../api/detection.ts";
import { runDetection, runForecast } from "../jobs/handlers/series.ts";
import type { Queue, Submission } from "../jobs/queue/queue.ts";
import { type PlanDeps, planDetection, planForecast } from "./detections/plan.ts";

/** Intervals that take a second or so; more are a job's work: few of them run side by side. */
const MAX_AT_ONCE = 20_000;

export interface DetectionDeps extends PlanDeps {
  readonly queue: Pick<Queue, "submit">;
}

/** The answer where it is there at once, or the job that works on it. */
export type Work<T> = { readonly answer: T } | { readonly jobId: string };

export interface Asker {
  /** A job is wanted, however little there is to do. */
  readonly background?: boolean;
  readonly signal: AbortSignal;
}

export class Detections {
  constructor(private readonly deps: DetectionDeps) {}

  /**
   * Looks for anomalies in the points of the body.
   * @throws TorusError `invalid`, `too_little_data`, `too_large`, `overloaded`; `canceled` where the signal is aborted
   */
  async detect(body: unknown, { background, signal }: Asker): Promise<Work<DetectionView>> {
    const input = await planDetection(body, this.deps, signal);
    if (background || input.detector === "ensemble" || input.column.length > MAX_AT_ONCE)
      return this.submit({ type: "prediction", model: null, input, foreground: !background });
    return { answer: await runDetection(input, signal) };
  }

  /**
   * Predicts what follows the points of the body.
   * @throws TorusError `invalid`, `too_little_data`, `too_large`, `overloaded`; `canceled` where the signal is aborted
   */
  async predict(body: unknown, { background, signal }: Asker): Promise<Work<SeriesForecastView>> {
    const input = await planForecast(body, this.deps, signal);
    if (background || input.forecaster === "donut" || input.column.length > MAX_AT_ONCE)
      return this.submit({ type: "forecast", model: null, input, foreground: !background });
    return { answer: await runForecast(input, signal) };
  }

  private async submit(submission: Submission): Promise<{ jobId: string }> {
    const [jobId] = await this.deps.queue.submit(submission);
    return { jobId: jobId! };
  }
}
