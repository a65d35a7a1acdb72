// Rules between model settings that the schema cannot express.
import { checkNotifyAfter } from "../anomaly/notify-after.ts";
import { checkGuard } from "../anomaly/start-guard.ts";
import { checkBudgets } from "../budget/budget.ts";
import { invalid } from "../errors.ts";
import { checkHolidays } from "../time/holidays.ts";
import { parseDuration } from "../time/time.ts";
import { checkTimezone } from "../time/timezone.ts";
import { checkBucketInterval } from "./bucket-interval.ts";
import { checkLimitFeatures, checkLimits } from "./feature.ts";
import { checkFleet } from "./fleet.ts";
import { type ModelSettings, thresholdsOf } from "./model.ts";
import { checkMute } from "./mute.ts";
import { checkRetrain } from "./retrain.ts";
import { AUTO_SILENCE } from "./silence.ts";
import { checkWatches } from "./watch-forecast.ts";

/** Field of saved output, so not the name of a feature. */
const SCORE = "score";

/**
 * Checks thresholds, notify_after, spans, feature sources, names, guards, limits and budgets, intervals, time zone, holidays, mute
 * windows, fleets and retrain.
 * @throws TorusError `invalid` with path, rule and remedy
 */
export function checkModelRules(settings: ModelSettings): void {
  const intervalMs = checkBucketInterval(settings);
  if (settings.interval !== undefined && parseDuration(settings.interval, "interval") <= 0)
    throw invalid("interval", "must be longer than 0");
  const { min, max } = thresholdsOf(settings) ?? {};
  if (min !== undefined && max !== undefined && min > max)
    throw invalid("min_threshold", `must not be above max_threshold (${max})`);
  checkNotifyAfter(settings);
  checkSpans(settings);
  checkFeatureSources(settings);
  checkFeatureNames(settings);
  for (const [index, feature] of settings.features.entries()) {
    checkGuard(feature, `features.${index}`);
    checkLimits(feature, `features.${index}.min`);
  }
  checkLimitFeatures(settings.features);
  checkBudgets(settings, intervalMs);
  if (settings.timezone !== undefined) checkTimezone(settings.timezone, "timezone");
  if (settings.holidays) checkHolidays(settings.holidays, "holidays");
  checkMute(settings.mute ?? [], settings.group_by);
  if (settings.silence !== AUTO_SILENCE && parseDuration(settings.silence ?? 1, "silence") <= 0)
    throw invalid("silence", "must be longer than 0");
  checkFleet(settings, intervalMs);
  checkWatches(settings, intervalMs);
  if (settings.retrain) checkRetrain(settings.name, settings.retrain, intervalMs);
}

function checkSpans({ span, min_span, max_span }: ModelSettings): void {
  if (min_span !== undefined && max_span !== undefined && min_span > max_span)
    throw invalid("min_span", `must not be above max_span (${max_span})`);
  if (typeof span !== "number") return;
  if (max_span !== undefined && span > max_span)
    throw invalid("span", `must not be above max_span (${max_span})`);
  if (min_span !== undefined && span < min_span)
    throw invalid("span", `must not be below min_span (${min_span})`);
}

function checkFeatureSources({ features }: ModelSettings): void {
  for (const [index, feature] of features.entries())
    for (const key of ["metric", "field"] as const)
      if (!feature.query && !feature.budget && feature[key] === undefined)
        throw invalid(`features.${index}.${key}`, "is required, or query in place of metric and field");
}

function checkFeatureNames({ features }: ModelSettings): void {
  const names = features.map(({ name }) => name);
  const taken = new Map(names.flatMap((name) => derivedNames(name).map((derived) => [derived, name])));
  for (const [index, name] of names.entries()) {
    const path = `features.${index}.name`;
    if (name === SCORE)
      throw invalid(path, `must not be ${SCORE}: saved output has this field; choose another name`);
    if (names.indexOf(name) < index) throw invalid(path, "must be unique: another feature has this name");
    if (taken.has(name))
      throw invalid(path, `is what results call a part of feature ${taken.get(name)}: choose another name`);
  }
}

/** Names derived from a feature in predictions and saved output. */
function derivedNames(name: string): string[] {
  return [`lower_${name}`, `upper_${name}`, `@${name}`];
}
