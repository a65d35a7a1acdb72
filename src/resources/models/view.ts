// Models and their versions as the API shows them.
import type { ModelStateView, ModelView, ThresholdsView, VersionView } from "../../api/model.ts";
import { bucketIntervalOf } from "../../core/model/bucket-interval.ts";
import { effectiveSettings } from "../../core/model/effective-settings.ts";
import { type ModelSettings, thresholdsOf } from "../../core/model/model.ts";
import type { Report } from "../../jobs/queue/progress.ts";
import { viewReport } from "../../jobs/view.ts";
import { thresholdsInForce } from "../../models/scoring/detect.ts";
import type { ModelRow } from "../../store/models.ts";
import type { ListedVersion, VersionRow } from "../../store/versions.ts";
import { type LiveView, viewLive, viewRun } from "../live/view.ts";

export interface ModelContext {
  readonly reportOf: (jobId: string) => Report | undefined;
  readonly live: LiveView | undefined;
  readonly nowAt: number;
}

/** While the model is live, `settings.run` says with what parameters; otherwise it is what an old client has sent. */
export function viewModel(row: ModelRow, { reportOf, live, nowAt }: ModelContext): ModelView {
  const { settings, version, training } = row;
  return {
    settings: live ? { ...settings, run: viewRun(live.row.options) } : settings,
    state: version ? viewTrained(version, settings) : { trained: false },
    ...(training && { training: viewTraining(training, reportOf(training.id)) }),
    ...(live && { live: viewLive(live, row.settings, nowAt) }),
  };
}

function viewTraining(
  { id, state }: NonNullable<ModelRow["training"]>,
  report: Report | undefined,
): NonNullable<ModelView["training"]> {
  const progress = report && state === "running" ? viewReport(report).progress : undefined;
  return { job_id: id, state, ...(progress && { progress }) };
}

/** What was learnt, over intervals of which length; seconds. */
function viewTrained(
  { summary, settings: trained }: Pick<VersionRow, "summary" | "settings">,
  current: ModelSettings,
): ModelStateView {
  const intervalMs = bucketIntervalOf(trained);
  const thresholds = viewThresholds(effectiveSettings(current, trained));
  return { ...summary, bucket_interval: intervalMs / 1000, thresholds, trained: true };
}

/** Automatic thresholds depend on the length of an interval: an hour has fewer chances of a false alarm than a week. */
function viewThresholds(settings: ModelSettings): ThresholdsView {
  const { max, min } = thresholdsInForce(settings);
  const given = thresholdsOf(settings);
  const count = Number(given?.max !== undefined) + Number(given?.min !== undefined);
  return { max, min, source: (["automatic", "mixed", "settings"] as const)[count]! };
}

/** A version as its model's list shows it. */
export function viewVersion({ settings, summary, name, active }: ListedVersion): VersionView {
  return {
    settings,
    state: viewTrained({ summary, settings }, settings),
    version: { name, active },
  };
}
