// Models and their versions as the API shows them.
import type { Report } from "../jobs/progress.ts";
import { type JobView, viewReport } from "../jobs/view.ts";
import type { ModelRow } from "../store/models.ts";
import type { VersionRow } from "../store/versions.ts";

export interface ModelView {
  readonly settings: Readonly<Record<string, unknown>>;
  /** Of the version that answers; `loss` and the like only where there is one. */
  readonly state: { readonly trained: boolean; readonly [key: string]: number | string | boolean };
  /** The training submitted last. */
  readonly training?: {
    readonly job_id: string;
    readonly state: JobView["state"];
    readonly progress?: JobView["progress"];
  };
}

export interface VersionView extends Omit<ModelView, "training"> {
  readonly version: { readonly name: string; readonly active: boolean };
}

export function viewModel(row: ModelRow, reportOf: (jobId: string) => Report | undefined): ModelView {
  const { settings, version, training } = row;
  return {
    settings,
    state: { ...version?.summary, trained: version !== null },
    ...(training && { training: viewTraining(training, reportOf(training.id)) }),
  };
}

function viewTraining(
  { id, state }: NonNullable<ModelRow["training"]>,
  report: Report | undefined,
): NonNullable<ModelView["training"]> {
  const progress = report && state === "running" ? viewReport(report).progress : undefined;
  return { job_id: id, state, ...(progress && { progress }) };
}

/** @param active name of the version that answers */
export function viewVersion({ settings, summary, name }: VersionRow, active: string | null): VersionView {
  return { settings, state: { ...summary, trained: true }, version: { name, active: name === active } };
}
