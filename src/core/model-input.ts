// What clients send as a model, brought into the one form that is checked and kept.
import { Feature, flattenFeatures, ModelSettings } from "./model.ts";
import { dropNulls } from "./schema.ts";

/** Legacy forms of `features` become one list, null for what may only be absent is left out; all else stays. */
export function tidyModel(body: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const settings = dropNulls(ModelSettings, body);
  if (!Object.hasOwn(settings, "features")) return settings;
  const features = flattenFeatures(settings.features);
  return { ...settings, features: Array.isArray(features) ? features.map(tidyFeature) : features };
}

function tidyFeature(feature: unknown): unknown {
  if (typeof feature !== "object" || feature === null || Array.isArray(feature)) return feature;
  return dropNulls(Feature, feature as Record<string, unknown>);
}
