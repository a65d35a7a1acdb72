// Retention of jobs: removes old finished jobs, surplus results, and series of versions that are gone.
import type { Clock } from "../../runtime/clock.ts";
import { startSweeper } from "../../runtime/sweeper.ts";
import type { Store } from "../../store/db/open.ts";
import { removeUnusedFits } from "../../store/fleets/fit-sets.ts";
import { sweepJobs } from "../../store/jobs/recovery.ts";
import { trimResults } from "../../store/jobs/results.ts";
import type { ResultLimits } from "./result-text.ts";

/** Jobs removed in one transaction. */
const SLICE_JOBS = 500;

export interface SweepDeps {
  readonly store: Store;
  readonly clock: Clock;
  /** Finished jobs are kept this long, and this many of them. */
  readonly retention: { readonly maxAgeMs: number; readonly maxCount: number };
  readonly results: Pick<ResultLimits, "inTotal">;
  readonly onError: (error: unknown, job: null) => void;
}

/** Sweeps now and every hour. @returns a function that stops it */
export function startSweeping({ store, clock, onError, ...deps }: SweepDeps): () => void {
  const removeSlice = () => {
    const { maxAgeMs, maxCount: keep } = deps.retention;
    return sweepJobs(store, { endedBefore: clock.now() - maxAgeMs, keep }, SLICE_JOBS);
  };
  return startSweeper({
    clock,
    most: SLICE_JOBS,
    removeSlice,
    onSwept: async () => {
      await trimResults(store, deps.results.inTotal);
      await removeUnusedFits(store);
    },
    onError: (error) => onError(error, null),
  });
}
