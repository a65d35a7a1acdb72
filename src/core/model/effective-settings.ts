// Effective settings: those a version was trained with where its weights depend on them, else the current ones.
import type { ModelSettings } from "./model.ts";

/** Settings that the weights of a version depend on; the others may change without a training. */
const trainedKeys = ["bucket_interval", "span", "min_span", "max_span", "seasonality", "timezone"] as const;

/** Settings for predictions: a change of the features, for example, takes effect with the next training. */
export function effectiveSettings(current: ModelSettings, trained: ModelSettings): ModelSettings {
  const types = new Map(current.features.map(({ name, anomaly_type }) => [name, anomaly_type]));
  const features = trained.features.map((feature) => {
    const { anomaly_type, ...rest } = feature;
    const type = types.has(feature.name) ? types.get(feature.name) : anomaly_type;
    return { ...rest, ...(type !== undefined && { anomaly_type: type }) };
  });
  const now = Object.entries(current).filter(([key]) => !trainedKeys.some((name) => name === key));
  const then = Object.entries(trained).filter(([key]) => trainedKeys.some((name) => name === key));
  return { ...Object.fromEntries([...now, ...then]), features } as ModelSettings;
}
