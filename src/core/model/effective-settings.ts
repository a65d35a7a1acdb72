// Effective settings: those a version was trained with where its weights depend on them, else the current ones.
import type { Feature } from "./feature.ts";
import type { ModelSettings } from "./model.ts";
import type { VersionSummary } from "./version-summary.ts";

/** Settings that the weights of a version depend on; the others may change without a training. */
const trainedKeys = [
  "bucket_interval",
  "group_by",
  "span",
  "min_span",
  "max_span",
  "seasonality",
  "timezone",
] as const;

/** Settings of a feature that apply at once: detection and forecasts read them, the weights do not depend on them. */
const currentKeys = ["anomaly_type", "min", "max", "limit", "unit", "min_deviation", "only_if"] as const;

/** Settings of a fleet with what its training knows of it. */
export type EffectiveSettings = ModelSettings & {
  /** Series that share the false alarms of a fleet; absent: each has its own. Part of no request and no answer. */
  readonly sharing_series?: number;
};

/**
 * Adds the number of series that share `expected_false_alarms`.
 * @param summary of the active version
 */
export function withSharingSeries(settings: ModelSettings, summary: VersionSummary): EffectiveSettings {
  const { series_fitted: series } = summary;
  const isShared = settings.group_by && settings.expected_false_alarms_per !== "series";
  return isShared && typeof series === "number" && series > 1
    ? { ...settings, sharing_series: series }
    : settings;
}

/** Settings for predictions: another metric of a feature, for example, takes effect with the next training. */
export function effectiveSettings(current: ModelSettings, trained: ModelSettings): ModelSettings {
  const known = new Map(current.features.map((feature) => [feature.name, feature]));
  const features = trained.features.map((feature) => withCurrent(feature, known.get(feature.name)));
  const now = Object.entries(current).filter(([key]) => !trainedKeys.some((name) => name === key));
  const then = Object.entries(trained).filter(([key]) => trainedKeys.some((name) => name === key));
  return { ...Object.fromEntries([...now, ...then]), features } as ModelSettings;
}

/** @param current undefined where the feature was removed since the training */
function withCurrent(trained: Feature, current: Feature | undefined): Feature {
  if (!current) return trained;
  const isCurrent = (key: string) => currentKeys.some((name) => name === key);
  const then = Object.entries(trained).filter(([key]) => !isCurrent(key));
  const now = Object.entries(current).filter(([key]) => isCurrent(key));
  return Object.fromEntries([...then, ...now]) as Feature;
}

/** Settings that trainings alone read. */
const trainingKeys = ["max_evals", "forecaster"] as const;

/**
 * Changed settings that take effect with the next training.
 * @param before settings now
 * @param after the same with the changes
 * @returns their keys
 */
export function keysNeedingTraining(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): string[] {
  const isChanged = (key: string) => JSON.stringify(before[key]) !== JSON.stringify(after[key]);
  const keys: string[] = [...trainedKeys, ...trainingKeys].filter(isChanged);
  const trainedParts = ({ features = [] }: { features?: unknown }) =>
    JSON.stringify((features as readonly Feature[]).map(withoutCurrent));
  return trainedParts(before) === trainedParts(after) ? keys : ["features", ...keys];
}

function withoutCurrent(feature: Feature): object {
  const isCurrent = (key: string) => currentKeys.some((name) => name === key);
  return Object.fromEntries(Object.entries(feature).filter(([key]) => !isCurrent(key)));
}
