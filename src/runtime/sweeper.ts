// Hourly removal of old rows: in slices, with pauses in which requests are served.
import { HOUR_MS } from "../core/time/time.ts";
import type { Clock } from "./clock.ts";

const SWEEP_INTERVAL_MS = HOUR_MS;
/** Pause between two slices of a sweep. */
const PAUSE_MS = 20;

interface SweeperDeps {
  readonly clock: Pick<Clock, "setTimer">;
  /** Most rows of one slice. */
  readonly most: number;
  /** Removes a slice. @returns number of rows removed; below `most` the sweep ends */
  readonly removeSlice: () => Promise<number>;
  /** Called after the last slice of a sweep. */
  readonly onSwept?: () => Promise<unknown>;
  readonly onError: (error: unknown) => void;
}

/** Sweeps now and every hour. @returns a function that stops it */
export function startSweeper({ clock, most, removeSlice, onSwept, onError }: SweeperDeps): () => void {
  let stopped = false;
  let clearTimer = () => {};
  const sweepLater = (delayMs: number) => {
    if (!stopped) clearTimer = clock.setTimer(sweep, delayMs);
  };
  const report = (error: unknown) => {
    if (!stopped) onError(error);
  };
  const sweep = () => {
    removeSlice().then(
      (removed) => {
        if (removed === most) return sweepLater(PAUSE_MS);
        sweepLater(SWEEP_INTERVAL_MS);
        return onSwept?.().catch(report);
      },
      (error) => {
        report(error);
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
