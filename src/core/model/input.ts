// Normalises the settings of a model as clients send them: legacy features, nulls, numbers as strings.
import { coerceStrings } from "../input/coerce.ts";
import { dropNulls } from "../input/schema.ts";
import { Feature } from "./feature.ts";
import { ModelSettings } from "./model.ts";

/**
 * Flattens legacy `features` to one list, drops null where a key may only be absent, coerces strings to integers and
 * booleans; everything else stays.
 */
export function tidyModel(body: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const settings = coerceStrings(ModelSettings, dropNulls(ModelSettings, body)) as Record<string, unknown>;
  if (!Object.hasOwn(settings, "features")) return settings;
  const features = flattenFeatures(settings.features);
  // A list that is too long is refused as it is.
  const isChecked =
    Array.isArray(features) && features.length <= (ModelSettings.properties.features.maxItems ?? 0);
  return { ...settings, features: isChecked ? features.map(tidyFeature) : features };
}

function tidyFeature(feature: unknown): unknown {
  if (typeof feature !== "object" || feature === null || Array.isArray(feature)) return feature;
  return dropNulls(Feature, feature as Record<string, unknown>);
}

/** Flattens the legacy forms `{"io": [...], "i": f, "o": f}` into one list of features. */
export function flattenFeatures(features: unknown): unknown {
  if (Array.isArray(features) || typeof features !== "object" || features === null) return features;
  const groups = features as Record<string, unknown>;
  if (!Object.keys(groups).every((key) => ["io", "i", "o"].includes(key))) return features;
  return Object.entries(groups).flatMap(([io, group]) =>
    (Array.isArray(group) ? group : [group]).map((feature) =>
      typeof feature === "object" && feature !== null ? { io, ...feature } : feature,
    ),
  );
}
