// API view of a job: fields that do not apply are absent; only `result` is always present.
import type { JobView } from "../api/job.ts";
import type { JobProgress } from "../core/job.ts";
import { formatDate } from "../core/time/time.ts";
import type { JobSummary } from "../store/jobs/rows.ts";
import type { Report } from "./queue/progress.ts";

interface ViewContext {
  readonly result: unknown;
  readonly report: Report | undefined;
  /** ms since the epoch. */
  readonly nowAt: number;
}

/** View of a row, with the progress that the queue reports. */
export function viewJob(row: JobSummary, { result, report, nowAt }: ViewContext): JobView {
  const startAt = row.startedAt ?? row.createdAt;
  const endAt = row.endedAt ?? (row.startedAt === null ? startAt : Math.max(nowAt, startAt));
  return {
    id: row.id,
    type: row.type,
    state: row.state,
    result: result ?? null,
    ...(row.resultBytes === 0 && { result_omitted: true as const }),
    ...(row.model !== null && { model: row.model }),
    ...((row.state === "failed" || row.errorCode !== null) && viewError(row)),
    ...(row.state === "running" && report && viewReport(report)),
    duration: (endAt - startAt) / 1000,
    start_date: formatDate(startAt),
    start_timestamp: startAt / 1000,
    ...(row.endedAt !== null && { end_date: formatDate(row.endedAt), end_timestamp: row.endedAt / 1000 }),
  };
}

function viewError({ errorCode, errorMessage }: JobSummary): { error: string; code: string } {
  const code = errorCode ?? "internal";
  return { error: errorMessage || code, code };
}

/** Fields of a report, as shown by models and jobs. */
export function viewReport({ progress, remainingMs }: Report): Pick<JobView, "progress" | "remaining_time"> {
  return {
    ...(Object.keys(progress).length > 0 && { progress: { ...progress, ...viewTrials(progress) } }),
    ...(remainingMs !== undefined && { remaining_time: remainingMs / 1000 }),
  };
}

/** Old clients count trials wherever there is progress: a part of a job without any counts its hundredths. */
function viewTrials({ eval: trial = 0, max_evals: trials, fraction = 0 }: JobProgress): JobProgress {
  if (trials !== undefined) return { eval: trial, max_evals: trials };
  return { eval: Math.floor(100 * fraction), max_evals: 100 };
}
