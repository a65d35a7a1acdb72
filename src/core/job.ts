// Jobs: their types, the states they pass through and which moves are legal.
export const jobTypes = ["training", "forecast", "prediction", "read", "write", "backtest"] as const;
export type JobType = (typeof jobTypes)[number];

export const jobStates = ["waiting", "running", "done", "failed", "canceled"] as const;
export type JobState = (typeof jobStates)[number];

/** What may follow what. A running job that lost its server goes back to waiting, once. */
const moves: Readonly<Record<JobState, readonly JobState[]>> = {
  waiting: ["running", "failed", "canceled"],
  running: ["waiting", "done", "failed", "canceled"],
  done: [],
  failed: [],
  canceled: [],
};

/** A job starts at most this often: a job that takes the server down with it must not do so for ever. */
export const MAX_ATTEMPTS = 2;

/** Whether a job may go from one state to the other. */
export function canTransition(from: JobState, to: JobState): boolean {
  return moves[from].includes(to);
}

/** Final states are never left. */
export function isFinal(state: JobState): boolean {
  return moves[state].length === 0;
}

/** How far a running job is; a search counts trials (`eval` of `max_evals`), a trial counts epochs. */
export interface JobProgress {
  readonly eval?: number;
  readonly max_evals?: number;
  readonly epoch?: number;
  readonly epochs?: number;
  readonly loss?: number;
  /** 0..1 over the whole job, where it is known. */
  readonly fraction?: number;
}
