// Retention of the bin: removes expired entries and their files, now and every hour.
import type { Ownership } from "../../core/ownership.ts";
import type { Clock } from "../../runtime/clock.ts";
import { startSweeper } from "../../runtime/sweeper.ts";
import { EXPIRED_ENTRIES, expireBin } from "../../store/bin/entries.ts";
import type { Store } from "../../store/db/open.ts";
import { removeUnusedFiles } from "./files.ts";

interface RetentionDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly ownership: Pick<Ownership, "leads">;
  readonly dataDir: string;
  /** How long entries are kept, ms. */
  readonly binMs: () => number;
  readonly onError: (error: unknown) => void;
}

/** @returns a function that stops it */
export function sweepBin({ store, clock, ownership, dataDir, binMs, onError }: RetentionDeps): () => void {
  return startSweeper({
    clock,
    most: EXPIRED_ENTRIES,
    removeSlice: async () => (ownership.leads ? expireBin(store, clock.now() - binMs()) : 0),
    onSwept: () => removeUnusedFiles(store, dataDir),
    onError,
  });
}
