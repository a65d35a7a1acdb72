// Points that the active version has learned from: those of its training, and those scored since; pure.
import { type Confidence, confidenceOf } from "../core/anomaly/confidence.ts";
import type { ModelRow } from "../store/models.ts";
import type { ScoredPoint } from "./episodes/episode-tracker.ts";
import type { Learned } from "./state.ts";

type Version = Pick<NonNullable<ModelRow["version"]>, "createdAt" | "fromAt" | "toAt" | "summary">;

/** Points of the training; of a version without their number, the intervals of its range. */
export function trainedPoints(
  { summary, fromAt, toAt }: Omit<Version, "createdAt">,
  intervalMs: number,
): number {
  const { points } = summary;
  return typeof points === "number" ? points : Math.max(0, Math.floor((toAt - fromAt) / intervalMs));
}

/** Adds the points that were scored; another version starts again with its training. */
export function learn(
  before: Learned | undefined,
  scored: readonly Pick<ScoredPoint, "score">[],
  { version, intervalMs }: { readonly version: Version; readonly intervalMs: number },
): Learned {
  const { createdAt } = version;
  const known = before?.version === createdAt ? before.points : trainedPoints(version, intervalMs);
  return { version: createdAt, points: known + scored.filter(({ score }) => score !== undefined).length };
}

/** Confidence of the scores of the active version. */
export function confidenceNow(
  learned: Learned | undefined,
  { version, intervalMs }: { readonly version: Version; readonly intervalMs: number },
): Confidence {
  const { points } = learn(learned, [], { version, intervalMs });
  return confidenceOf({ points, intervalMs });
}
