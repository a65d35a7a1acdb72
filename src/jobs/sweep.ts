// Retention: removes old finished jobs now and every hour.
import type { Store } from "../store/open.ts";
import { sweepJobs } from "../store/recovery.ts";
import type { Clock } from "./clock.ts";

const EVERY_MS = 3600_000;

export interface SweepDeps {
  readonly store: Store;
  readonly clock: Clock;
  /** Finished jobs are kept this long, and this many of them. */
  readonly retention: { readonly maxAgeMs: number; readonly maxCount: number };
  readonly onError: (error: unknown, job: null) => void;
}

/** Sweeps until the function it returns is called. */
export function startSweeping(deps: SweepDeps): () => void {
  const { clock, onError } = deps;
  let clearTimer = () => {};
  const sweep = () => {
    clearTimer = clock.setTimer(sweep, EVERY_MS);
    sweepNow(deps).catch((error) => onError(error, null));
  };
  sweep();
  return () => clearTimer();
}

function sweepNow({ store, clock, retention }: SweepDeps): Promise<number> {
  const endedBefore = clock.now() - retention.maxAgeMs;
  return sweepJobs(store, { endedBefore, keep: retention.maxCount });
}
