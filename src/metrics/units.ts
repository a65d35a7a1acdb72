// Units of features: set on the feature, stated by the source of its points, or guessed by their name.
import { guessUnit } from "../core/formats/units/guess.ts";
import { perSecond, unitText } from "../core/formats/units/unit.ts";
import { type Feature, isPlain } from "../core/model/feature.ts";
import type { ModelSettings } from "../core/model/model.ts";
import { requireMetric } from "./index.ts";

/** Units of the points of features, by their names. */
export type StatedUnits = Readonly<Record<string, string>>;

/** Adds to each feature the unit in force, also where it is not set; features without one have none. */
export function withUnits<S extends Pick<ModelSettings, "features">>(settings: S, stated: StatedUnits): S {
  const features = settings.features.map(({ unit: own, ...feature }) => {
    const unit = own ? unitText(own) : unitOfMetric(feature, stated[feature.name]);
    return unit === undefined ? feature : { ...feature, unit };
  });
  return { ...settings, features };
}

/** Units in force by feature; `settings` as `withUnits` returns them. */
export function listUnits({ features }: Pick<ModelSettings, "features">): Record<string, string> {
  return Object.fromEntries(features.flatMap(({ name, unit }) => (unit ? [[name, unit]] : [])));
}

/** `units` of a view; nothing without any. */
export function viewUnits(settings: Pick<ModelSettings, "features">): { units?: Record<string, string> } {
  const units = listUnits(settings);
  return Object.keys(units).length > 0 ? { units } : {};
}

/** Of a query nothing is known. @param stated unit of the points */
function unitOfMetric(feature: Feature, stated: string | undefined): string | undefined {
  if (!isPlain(feature)) return undefined;
  const unit = stated ?? guessUnit(feature);
  const change = unit && requireMetric(feature.metric).unit;
  if (change === "per second") return perSecond(unit!);
  return change === "same" ? unit : undefined;
}
