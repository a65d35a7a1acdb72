// Drift as a condition: a series that differs from the training of the active version; pure.
import { type FeatureSource, tagsOf } from "../../core/anomaly/event.ts";
import type { Drift } from "../../models/kind.ts";
import type { Observation } from "./condition.ts";

/** Key of the condition. */
const DRIFT = "drift";

/** @param drift absent: the series looks as it did in training */
export function observeDrift(
  drift: Drift | undefined,
  sources: Readonly<Record<string, FeatureSource>>,
): Observation {
  const about = { key: DRIFT, topic: "drift" } as const;
  if (!drift) return { ...about, isActive: false, startedAt: 0, facts: {} };
  const { feature, share, sinceAt: startedAt } = drift;
  const facts = { drift: { feature, share }, tags: tagsOf(sources), severity: "info" as const };
  return { ...about, isActive: true, startedAt, facts };
}
