// Watched forecasts: bounds whose forecast breach is announced ahead.
import { type Static, Type } from "@sinclair/typebox";
import { invalid } from "../errors.ts";
import { optional } from "../input/optional.ts";
import { durationSchema, intervalSchema } from "../time/duration-schema.ts";
import { parseDuration } from "../time/time.ts";

const DEFAULT_EVERY = "1h";
/** Longest forecast, in intervals. */
const MAX_INTERVALS = 50_000;

export const WatchForecast = Type.Object(
  {
    feature: Type.String({ maxLength: 256, description: "Name of the feature" }),
    above: optional.number("Bound that the forecast must not exceed"),
    below: optional.number("Bound that it must not fall below; one of both is needed"),
    within: durationSchema({ description: "How far ahead a breach is announced", examples: ["7d"] }),
    every: Type.Optional(
      intervalSchema({ description: "Time between two forecasts", default: DEFAULT_EVERY }),
    ),
  },
  {
    additionalProperties: false,
    rule: "must be {feature, above or below, within, every?}, as in {feature: used, above: 95, within: 7d}",
  },
);
export type WatchForecast = Static<typeof WatchForecast>;

/** The settings that watches need. */
interface Watching {
  readonly watch_forecast?: readonly WatchForecast[];
  readonly features: readonly { readonly name: string }[];
}

/** A watched forecast with its durations in ms. */
export interface ForecastWatch {
  /** Unique in the model. */
  readonly key: string;
  readonly feature: string;
  readonly type: "low" | "high";
  readonly threshold: number;
  readonly withinMs: number;
  readonly everyMs: number;
}

/** The checked watches of a model; those of features that its version does not have yet are left out. */
export function watchesOf({ watch_forecast = [], features }: Watching): readonly ForecastWatch[] {
  const known = watch_forecast.filter(({ feature }) => features.some(({ name }) => name === feature));
  return known.map(({ feature, above, below, within, every = DEFAULT_EVERY }) => {
    const type = above === undefined ? "low" : "high";
    const threshold = above ?? below!;
    return {
      key: `forecast ${feature} ${type} ${threshold}`,
      feature,
      type,
      threshold,
      withinMs: parseDuration(within, "within"),
      everyMs: parseDuration(every, "every"),
    };
  });
}

/** @param intervalMs length of an interval @throws TorusError `invalid` with path, rule and remedy */
export function checkWatches(settings: Watching, intervalMs: number): void {
  const { watch_forecast = [], features } = settings;
  for (const [index, { feature, above, below }] of watch_forecast.entries()) {
    const path = `watch_forecast.${index}`;
    if (!features.some(({ name }) => name === feature))
      throw invalid(
        `${path}.feature`,
        `must be a feature of the model: ${features.map(({ name }) => name).join(", ")}`,
      );
    if ((above === undefined) === (below === undefined))
      throw invalid(`${path}.above`, "or below is required, and not both");
  }
  const watches = watchesOf(settings);
  for (const [index, { key, withinMs, everyMs }] of watches.entries()) {
    const path = `watch_forecast.${index}`;
    if (withinMs < intervalMs || withinMs > MAX_INTERVALS * intervalMs)
      throw invalid(`${path}.within`, `must be from one to ${MAX_INTERVALS} intervals`);
    if (everyMs <= 0) throw invalid(`${path}.every`, "must be longer than 0");
    if (watches.findIndex((other) => other.key === key) < index)
      throw invalid(path, "repeats an earlier one: remove it");
  }
}
