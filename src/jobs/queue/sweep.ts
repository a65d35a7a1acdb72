// Retention of jobs: removes old finished jobs and surplus results at start and hourly, in slices.
import { HOUR_MS } from "../../core/time/time.ts";
import type { Clock } from "../../runtime/clock.ts";
import type { Store } from "../../store/db/open.ts";
import { sweepJobs } from "../../store/jobs/recovery.ts";
import { trimResults } from "../../store/jobs/results.ts";
import type { ResultLimits } from "./result-text.ts";

const SWEEP_INTERVAL_MS = HOUR_MS;
/** Jobs removed in one transaction, and the pause before the next: requests are served in between. */
const SLICE_JOBS = 500;
const PAUSE_MS = 20;

export interface SweepDeps {
  readonly store: Store;
  readonly clock: Clock;
  /** Finished jobs are kept this long, and this many of them. */
  readonly retention: { readonly maxAgeMs: number; readonly maxCount: number };
  readonly results: Pick<ResultLimits, "inTotal">;
  readonly onError: (error: unknown, job: null) => void;
}

/** Starts sweeping. @returns a function that stops it */
export function startSweeping(deps: SweepDeps): () => void {
  const { store, clock, onError } = deps;
  let stopped = false;
  let clearTimer = () => {};
  const sweepLater = (delayMs: number) => {
    if (!stopped) clearTimer = clock.setTimer(sweep, delayMs);
  };
  const sweep = () => {
    sweepSlice(deps).then(
      (removed) => {
        if (removed === SLICE_JOBS) return sweepLater(PAUSE_MS);
        sweepLater(SWEEP_INTERVAL_MS);
        return trimResults(store, deps.results.inTotal).catch((error) => stopped || onError(error, null));
      },
      (error) => {
        onError(error, null);
        sweepLater(SWEEP_INTERVAL_MS);
      },
    );
  };
  sweep();
  return () => {
    stopped = true;
    clearTimer();
  };
}

function sweepSlice({ store, clock, retention }: SweepDeps): Promise<number> {
  const endedBefore = clock.now() - retention.maxAgeMs;
  return sweepJobs(store, { endedBefore, keep: retention.maxCount }, SLICE_JOBS);
}
