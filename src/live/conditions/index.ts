// Conditions of one evaluation: silence, drift and watched forecasts, followed to their events; pure.
import type { FeatureSource } from "../../core/anomaly/event.ts";
import type { ModelSettings } from "../../core/model/model.ts";
import { watchesOf } from "../../core/model/watch-forecast.ts";
import type { Drift } from "../../models/kind.ts";
import type { PlannedEvent } from "../../store/anomalies/outbox.ts";
import { type Conditions, endCondition, followConditions, type Observation } from "./condition.ts";
import { observeDrift } from "./drift.ts";
import { observeForecast } from "./forecast.ts";
import type { WatchedForecasts } from "./run-forecasts.ts";
import { followSilence, isSilent, type Quiet } from "./silence.ts";

/** Part of the live state. */
export interface ConditionState {
  readonly quiet?: Quiet;
  readonly forecasts?: WatchedForecasts;
  readonly conditions?: Conditions;
}

interface Findings {
  readonly settings: ModelSettings;
  readonly intervalMs: number;
  readonly windowAt: number;
  /** See `Sighting`. */
  readonly newestAt: number | undefined;
  /** Absent: nothing was scored, which shows no end of a drift. */
  readonly scored?: { readonly drift: Drift | undefined };
  readonly forecasts?: WatchedForecasts;
  readonly sources: Readonly<Record<string, FeatureSource>>;
}

type Context = Parameters<typeof followConditions>[2];

/** The conditions after an evaluation, and the events of those that begin or end. */
export function followAll(
  before: ConditionState,
  findings: Findings,
  context: Context,
): { readonly state: ConditionState; readonly events: readonly PlannedEvent[] } {
  const { settings, scored, forecasts = {}, sources } = findings;
  const known = before.conditions ?? {};
  const silence = followSilence(before.quiet, { ...findings, isSilent: isSilent(before) });
  const observations = [
    ...(silence.observation ? [silence.observation] : []),
    ...(scored ? [observeDrift(scored.drift, sources)] : []),
    ...watchesOf(settings).flatMap((watch) => {
      const forecast = forecasts[watch.key];
      if (!forecast) return [];
      return observeForecast(watch, forecast, { isActive: watch.key in known, sources }) ?? [];
    }),
    ...removedOf(known, settings),
  ];
  const { conditions, events } = followConditions(known, observations, context);
  const state = {
    quiet: silence.quiet,
    ...(Object.keys(forecasts).length > 0 && { forecasts }),
    ...(Object.keys(conditions).length > 0 && { conditions }),
  };
  return { state, events };
}

/** Ends of conditions that the settings no longer ask for. */
function removedOf(known: Conditions, settings: ModelSettings): Observation[] {
  const watched = new Set(watchesOf(settings).map(({ key }) => key));
  const isRemoved = (key: string, topic: Observation["topic"]) =>
    (topic === "forecast" && !watched.has(key)) || (topic === "silence" && !settings.silence);
  return Object.entries(known).flatMap(([key, { topic, startedAt, facts }]) =>
    isRemoved(key, topic)
      ? [{ key, topic, isActive: false, startedAt, facts, closedBy: "the settings of the model changed" }]
      : [],
  );
}

/** The end events of all conditions, where live detection ends. @param reason of the end */
export function endAll(
  { conditions = {} }: ConditionState,
  {
    reason,
    ...context
  }: Pick<Context, "model" | "series" | "at" | "mutedUntil"> & { readonly reason: string },
): PlannedEvent[] {
  return Object.values(conditions)
    .filter(({ announced }) => announced)
    .map((condition) => endCondition(condition, { closedBy: reason }, context));
}
