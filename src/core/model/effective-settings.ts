// Effective settings: those a version was trained with where they shape it, the current ones elsewhere.
import type { ModelSettings } from "./model.ts";

/** What the weights of a version depend on; the rest may change without another training. */
const shaping = ["bucket_interval", "span", "min_span", "max_span", "seasonality", "timezone"] as const;

/**
 * Settings to predict with: what shapes a version as it was trained, everything else as it is now.
 * A change of, say, the features counts from the next training on.
 */
export function effectiveSettings(current: ModelSettings, trained: ModelSettings): ModelSettings {
  const types = new Map(current.features.map(({ name, anomaly_type }) => [name, anomaly_type]));
  const features = trained.features.map((feature) => {
    const { anomaly_type, ...rest } = feature;
    const type = types.has(feature.name) ? types.get(feature.name) : anomaly_type;
    return { ...rest, ...(type !== undefined && { anomaly_type: type }) };
  });
  const now = Object.entries(current).filter(([key]) => !shaping.some((name) => name === key));
  const then = Object.entries(trained).filter(([key]) => shaping.some((name) => name === key));
  return { ...Object.fromEntries([...now, ...then]), features } as ModelSettings;
}

/** A model as it is stored: `settings` of its last change, and those of the version in use; null = not trained. */
interface StoredModel {
  readonly settings: ModelSettings;
  readonly version: { readonly settings: ModelSettings } | null;
}

/** Effective settings of a stored model; the current ones where it has no version. */
export function storedSettings({ settings, version }: StoredModel): ModelSettings {
  return version ? effectiveSettings(settings, version.settings) : settings;
}
