// Progress of a running job: the share done, and an estimate of the remaining time.
import type { JobProgress } from "../../core/job.ts";

/** Latest report of a running job. */
export interface Report {
  readonly progress: JobProgress;
  /** Absent if the share done is unknown. */
  readonly remainingMs?: number;
}

/** Share of the job that is done, 0..1; undefined if the report does not contain it. */
export function measureProgress(progress: JobProgress): number | undefined {
  if (progress.fraction !== undefined) return clamp(progress.fraction);
  const epochs = ratio(progress.epoch, progress.epochs);
  if (progress.eval === undefined || !progress.max_evals) return epochs;
  return clamp((progress.eval + (epochs ?? 0)) / progress.max_evals);
}

/** Adds the remaining time, extrapolated from the elapsed time. */
export function makeReport(progress: JobProgress, elapsedMs: number): Report {
  const done = measureProgress(progress);
  if (done === undefined || done <= 0) return { progress };
  return { progress, remainingMs: Math.round((elapsedMs * (1 - done)) / done) };
}

function ratio(part: number | undefined, whole: number | undefined): number | undefined {
  return part === undefined || !whole ? undefined : clamp(part / whole);
}

function clamp(value: number): number {
  return Math.min(1, Math.max(0, value));
}
