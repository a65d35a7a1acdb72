// Limits of features: set on the feature, watched, its greatest or least value, or the whole of a share; pure.
import { parseUnit } from "../formats/units/unit.ts";
import type { Feature } from "../model/feature.ts";
import type { WatchForecast } from "../model/watch-forecast.ts";

/** Where a limit comes from: the first of them counts. */
export const limitSources = ["limit", "watched", "max", "min", "unit"] as const;
export type LimitSource = (typeof limitSources)[number];

export interface FeatureLimit {
  readonly feature: string;
  /** `high`: values rise to it. */
  readonly type: "low" | "high";
  readonly source: LimitSource;
  /** In units of the data, or the name of the feature that has it. */
  readonly value: number | string;
}

interface Limited {
  /** With the units in force. */
  readonly features: readonly Feature[];
  readonly watch_forecast?: readonly WatchForecast[];
}

/** The whole, of a share. */
const wholes: ReadonlyMap<string, number> = new Map([
  ["%", 100],
  ["ratio", 1],
]);

/**
 * The limits of all features, at most one of each kind: `limit`, else the nearest bound of `watch_forecast`, else `max`
 * or `min`, else the whole of a share. A `min` of 0 counts for shares and bytes alone: counts and rates do not run out.
 */
export function limitsOf({ features, watch_forecast = [] }: Limited): FeatureLimit[] {
  return features.flatMap((feature) => {
    const { name, limit, max, min } = feature;
    const watched = watch_forecast.filter((watch) => watch.feature === name);
    const above = watched.flatMap((watch) => watch.above ?? []);
    const below = watched.flatMap((watch) => watch.below ?? []);
    const unit = parseUnit(feature.unit ?? "")?.text ?? "";
    const floor = min === 0 && !canRunOut(unit) ? undefined : min;
    const high: readonly Candidate[] = [
      ["limit", limit],
      ["watched", above.length > 0 ? Math.min(...above) : undefined],
      ["max", max],
      ["unit", wholes.get(unit)],
    ];
    const low: readonly Candidate[] = [
      ["watched", below.length > 0 ? Math.max(...below) : undefined],
      ["min", floor],
    ];
    return [...pick(name, "high", high), ...pick(name, "low", low)];
  });
}

type Candidate = readonly [source: LimitSource, value: number | string | undefined];

function pick(feature: string, type: FeatureLimit["type"], candidates: readonly Candidate[]): FeatureLimit[] {
  const found = candidates.find(([, value]) => value !== undefined);
  return found ? [{ feature, type, source: found[0], value: found[1]! }] : [];
}

/** Whether a unit is that of a share, or of an amount of bytes. */
function canRunOut(unit: string): boolean {
  return wholes.has(unit) || /^[kKMGTPE]?i?B$/.test(unit);
}
