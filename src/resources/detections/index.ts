// Detections and forecasts of a posted series, without a stored model; long ones run as jobs.
import type { DetectionView, SeriesForecastView } from "../../api/detection.ts";
import { runDetection, runForecast } from "../../jobs/handlers/series.ts";
import type { Queue, Submission } from "../../jobs/queue/queue.ts";
import { type PlanDeps, planDetection, planForecast } from "./plan.ts";

/** Longer series run as jobs, whose number is limited. */
const MAX_INLINE_INTERVALS = 20_000;

interface DetectionDeps extends PlanDeps {
  readonly queue: Pick<Queue, "submit">;
}

/** The answer, or the job that computes it. */
export type AnswerOrJob<T> = { readonly answer: T } | { readonly jobId: string };

export interface DetectionOptions {
  /** Submits a job in any case. */
  readonly background?: boolean;
  readonly signal: AbortSignal;
}

export class Detections {
  constructor(private readonly deps: DetectionDeps) {}

  /**
   * Detects anomalies in the points of the body.
   * @throws TorusError `invalid`, `too_little_data`, `too_large`, `overloaded`, `canceled`
   */
  async detect(body: unknown, { background, signal }: DetectionOptions): Promise<AnswerOrJob<DetectionView>> {
    const input = await planDetection(body, this.deps, signal);
    if (background || input.detector === "ensemble" || input.column.length > MAX_INLINE_INTERVALS)
      return this.#submit({ type: "prediction", model: null, input, foreground: !background });
    return { answer: await runDetection(input, signal) };
  }

  /**
   * Forecasts the points that follow those of the body.
   * @throws TorusError `invalid`, `too_little_data`, `too_large`, `overloaded`, `canceled`
   */
  async predict(
    body: unknown,
    { background, signal }: DetectionOptions,
  ): Promise<AnswerOrJob<SeriesForecastView>> {
    const input = await planForecast(body, this.deps, signal);
    if (background || input.forecaster === "donut" || input.column.length > MAX_INLINE_INTERVALS)
      return this.#submit({ type: "forecast", model: null, input, foreground: !background });
    return { answer: await runForecast(input, signal) };
  }

  async #submit(submission: Submission): Promise<{ jobId: string }> {
    const [jobId] = await this.deps.queue.submit(submission);
    return { jobId: jobId! };
  }
}
