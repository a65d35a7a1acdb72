// Detections as the Azure AI Anomaly Detector answers them: of every point, of the last, and of change points.
import type { TObject } from "@sinclair/typebox";
import type { DetectionView } from "../../api/detection.ts";
import {
  type AzureChangePointsView,
  AzureEntireDetection,
  type AzureEntireView,
  AzureLastDetection,
  type AzureLastView,
} from "../../api/protocols/azure.ts";
import type { Shown } from "../../api/shown.ts";
import { invalid } from "../../core/errors.ts";
import { runDetection } from "../../jobs/handlers/series.ts";
import { scoreChanges } from "../../models/stateless/change-points.ts";
import { AzureDetectBody, MAX_INTERVALS, toChangePointBody, toDetectBody } from "./azure-request.ts";
import { type PlanDeps, planDetection } from "./plan.ts";

const DEFAULT_THRESHOLD = 0.9;

export class AzureDetections {
  constructor(private readonly deps: PlanDeps) {}

  /**
   * Detects anomalies in all points of the body.
   * @throws TorusError `invalid`, `canceled`
   */
  async detectEntire(body: unknown, signal: AbortSignal): Promise<AzureEntireView> {
    return pick(AzureEntireDetection, await this.#detect(body, "entire", signal));
  }

  /**
   * Detects whether the last point of the body is an anomaly.
   * @throws TorusError `invalid`, `canceled`
   */
  async detectLast(body: unknown, signal: AbortSignal): Promise<AzureLastView> {
    return pick(AzureLastDetection, await this.#detect(body, "last", signal));
  }

  /**
   * Finds points of the body with which level or slope change.
   * @throws TorusError `invalid`, `canceled`
   */
  async detectChangePoints(body: unknown, signal: AbortSignal): Promise<AzureChangePointsView> {
    const { detect, options } = toChangePointBody(body);
    const { places, period, week, column: values } = await this.#plan(detect, signal);
    const { stableTrendWindow: window, threshold = DEFAULT_THRESHOLD } = options;
    const half = Math.floor(values.length / 2);
    if (window !== undefined && window > half)
      throw invalid("stableTrendWindow", `must be at most ${half}, half of the ${values.length} intervals`);
    const column = Float64Array.from(values, (value) => value ?? Number.NaN);
    const scores = await scoreChanges({ column, period, week, window }, signal);
    const confidenceScores = places.map((place) => scores[place]!);
    return {
      period,
      isChangePoint: confidenceScores.map((score) => score > 1 - threshold),
      confidenceScores,
    };
  }

  async #detect(body: unknown, mode: "entire" | "last", signal: AbortSignal) {
    return runDetection(await this.#plan({ ...toDetectBody(AzureDetectBody, body), mode }, signal), signal);
  }

  #plan(body: object, signal: AbortSignal) {
    const { limits, clock } = this.deps;
    const pointsPerSeries = Math.min(MAX_INTERVALS, limits.pointsPerSeries);
    return planDetection(body, { clock, limits: { ...limits, pointsPerSeries } }, signal);
  }
}

/** The fields of a schema. */
function pick<S extends TObject>({ properties }: S, view: DetectionView): Shown<S> {
  const fields = Object.entries(view).filter(([key]) => Object.hasOwn(properties, key));
  return Object.fromEntries(fields) as Shown<S>;
}
