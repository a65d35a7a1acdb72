// API views of models and their versions.
import {
  type ModelStateView,
  type ModelView,
  NO_VALUE,
  type ThresholdsView,
  type VersionStateView,
  type VersionView,
} from "../../api/model.ts";
import { confidenceOf } from "../../core/anomaly/confidence.ts";
import type { Thresholds } from "../../core/anomaly/state.ts";
import { bucketIntervalOf } from "../../core/model/bucket-interval.ts";
import { withSharingSeries } from "../../core/model/effective-settings.ts";
import { fleetRulesOf } from "../../core/model/fleet.ts";
import { type ModelSettings, thresholdsOf } from "../../core/model/model.ts";
import type { Report } from "../../jobs/queue/progress.ts";
import { viewReport } from "../../jobs/view.ts";
import { confidenceNow, trainedPoints } from "../../live/learned.ts";
import { type StoredSettings, storedSettings } from "../../live/stored-settings.ts";
import { viewUnits } from "../../metrics/units.ts";
import { effectiveThresholds } from "../../models/scoring/detect.ts";
import type { ModelRow } from "../../store/models.ts";
import type { ListedVersion, VersionRow } from "../../store/versions.ts";
import { type LiveView, viewLive, viewRun } from "../live/view.ts";

interface ModelContext {
  readonly reportOf: (jobId: string) => Report | undefined;
  readonly live: LiveView | undefined;
  readonly nowAt: number;
}

/** `settings.run` of a live model holds the parameters of its start; otherwise the value an old client stored. */
export function viewModel(row: ModelRow, { reportOf, live, nowAt }: ModelContext): ModelView {
  const { settings, version, training } = row;
  return {
    settings: live ? { ...settings, run: viewRun(live.row.options) } : settings,
    state: {
      ...(version ? viewActive(version, storedSettings(row), live) : viewUntrained(live)),
      ...(live && viewSeries(live, storedSettings(row).settings)),
    },
    ...viewUnits(storedSettings(row).settings),
    ...(training && { training: viewTraining(training, reportOf(training.id)) }),
    ...(live && { live: viewLive(live, storedSettings(row), nowAt) }),
  };
}

/** Counts of a live fleet. */
function viewSeries({ state: { fleet } }: LiveView, settings: ModelSettings): Pick<ModelStateView, "series"> {
  const rules = fleetRulesOf(settings);
  if (!rules || !fleet) return {};
  const { maxSeries } = rules;
  const advice = `${fleet.unwatched} series are not watched: raise max_series above ${maxSeries}`;
  return { series: { ...fleet, ...(fleet.unwatched > 0 && { advice }) } };
}

function viewTraining(
  { id, state }: NonNullable<ModelRow["training"]>,
  report: Report | undefined,
): NonNullable<ModelView["training"]> {
  const progress = report && state === "running" ? viewReport(report).progress : undefined;
  return { job_id: id, state, ...(progress && { progress }) };
}

function viewUntrained(live: LiveView | undefined): ModelStateView {
  return { trained: false, ...(live?.state.learning && { confidence: "learning" }) };
}

/** State of the active version; its confidence grows while it is live. */
function viewActive(
  version: NonNullable<ModelRow["version"]>,
  settings: StoredSettings,
  live: LiveView | undefined,
): ModelStateView {
  const { intervalMs } = settings;
  const confidence = confidenceNow(live?.state.learned, { version, intervalMs });
  const falseAlarms = live?.falseAlarms;
  return {
    ...viewTrained(version, settings),
    confidence,
    ...(falseAlarms && { false_alarms: falseAlarms }),
  };
}

interface TrainedSettings extends Pick<StoredSettings, "settings" | "intervalMs"> {
  readonly rules: Thresholds;
}

/** Summary of the training, interval in seconds, effective thresholds. */
function viewTrained(
  version: Pick<VersionRow, "summary" | "fromAt" | "toAt">,
  { settings, intervalMs, rules }: TrainedSettings,
): ModelStateView {
  const thresholds = viewThresholds(settings, rules);
  const confidence = confidenceOf({ points: trainedPoints(version, intervalMs), intervalMs });
  const { summary } = version;
  return { ...summary, bucket_interval: intervalMs / 1000, thresholds, confidence, trained: true };
}

/** Effective thresholds, and whether they were set or are automatic. */
function viewThresholds(settings: ModelSettings, { max, min }: Thresholds): ThresholdsView {
  const given = thresholdsOf(settings);
  const count = Number(given?.max !== undefined) + Number(given?.min !== undefined);
  return { max, min, source: (["automatic", "mixed", "settings"] as const)[count]! };
}

/** The list of a model's versions; see `VersionView` for what their state shows. */
export function viewVersions(listed: readonly ListedVersion[]): VersionView[] {
  const states = listed.map(({ settings, ...version }) =>
    flatten(
      viewTrained(version, {
        settings,
        intervalMs: bucketIntervalOf(settings),
        rules: effectiveThresholds(withSharingSeries(settings, version.summary)),
      }),
    ),
  );
  const keys = [...new Set(states.flatMap(Object.keys))];
  return listed.map(({ settings, name, active, ...version }, i) => ({
    settings,
    state: Object.fromEntries(keys.map((key) => [key, states[i]![key] ?? NO_VALUE])) as VersionStateView,
    version: {
      name,
      active,
      created_timestamp: version.createdAt / 1000,
      from: version.fromAt / 1000,
      to: version.toAt / 1000,
    },
  }));
}

/** The scalars of a state, thresholds included. */
function flatten({ thresholds, ...state }: ModelStateView): Record<string, unknown> {
  const scalars = Object.entries(state).filter(([, value]) => typeof value !== "object");
  const { max: max_threshold, min: min_threshold, source: threshold_source } = thresholds!;
  return { ...Object.fromEntries(scalars), max_threshold, min_threshold, threshold_source };
}
