// Jobs: types, states, and the legal transitions between states.
export const jobTypes = ["training", "forecast", "prediction", "read", "write", "backtest"] as const;
export type JobType = (typeof jobTypes)[number];

export const jobStates = ["waiting", "running", "done", "failed", "canceled"] as const;
export type JobState = (typeof jobStates)[number];

/** A running job whose server died goes back to waiting, once. */
const transitions: Readonly<Record<JobState, readonly JobState[]>> = {
  waiting: ["running", "failed", "canceled"],
  running: ["waiting", "done", "failed", "canceled"],
  done: [],
  failed: [],
  canceled: [],
};

/** Starts of one job: a job that crashes the server must not do so forever. */
export const MAX_ATTEMPTS = 2;

/** Whether a job may change from one state to the other. */
export function canTransition(from: JobState, to: JobState): boolean {
  return transitions[from].includes(to);
}

/** Whether a state has no transition to another one. */
export function isFinal(state: JobState): boolean {
  return transitions[state].length === 0;
}

/** What the training of a fleet does with its series; the search between them counts trials. */
export const fleetPhases = ["read", "calibrate", "fit"] as const;

/** Progress of a running job: a search counts trials (`eval` of `max_evals`), a trial counts epochs. */
export interface JobProgress {
  readonly phase?: (typeof fleetPhases)[number];
  /** Series that the phase is done with, of `max_series`. */
  readonly series?: number;
  readonly max_series?: number;
  readonly eval?: number;
  readonly max_evals?: number;
  readonly epoch?: number;
  readonly epochs?: number;
  readonly loss?: number;
  /** 0..1 of the whole job; absent if unknown. */
  readonly fraction?: number;
}

export type ReportProgress = (progress: JobProgress) => void;

/** Reports of a part of the work as those of the whole. @param part shares of the whole, 0..1 */
export function reportPart(
  report: ReportProgress,
  { from, to }: { readonly from: number; readonly to: number },
): ReportProgress {
  return ({ fraction, ...progress }) =>
    report({ ...progress, ...(fraction !== undefined && { fraction: from + (to - from) * fraction }) });
}
