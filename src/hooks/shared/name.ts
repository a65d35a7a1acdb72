// Names of features, instants and durations in texts of events.
import type { FeatureSource, HookEvent } from "../../core/anomaly/event.ts";
import { formatLocalDate } from "../../core/time/time.ts";

/** Metrics that descriptions leave out. */
const plainMetrics = new Set(["avg", "mean", "average"]);

/** Tag values, measurement, metric and field, as in `web-1 cpu usage_user`; for queries the name of the feature. */
export function nameFeature(
  name: string,
  { metric, field, measurement, tags = {} }: FeatureSource,
  { series }: Pick<HookEvent, "series">,
): string {
  const what = [measurement, field && field !== "value" ? field : undefined].filter(Boolean).join(" ");
  const whole = metric && !plainMetrics.has(metric) && what ? `${metric} of ${what}` : what || name;
  return [...Object.values({ ...tags, ...series }), whole].filter((part) => part !== "").join(" ");
}

/** `2018-05-16 17:00:20+02:00`: to the second. */
export function formatMoment(at: number, timezone: string): string {
  return formatLocalDate(Math.floor(at / 1000) * 1000, timezone).replace(".000000", "");
}

/** Duration of the anomaly at the event, ms. */
export function lengthOf({ durationMs, at, startedAt }: HookEvent): number {
  return durationMs ?? Math.max(0, at - startedAt);
}
