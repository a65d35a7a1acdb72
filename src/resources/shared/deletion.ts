// Deletion of resources: into the bin, or for good where the server keeps none.
import type { Clock } from "../../runtime/clock.ts";
import type { Deletion } from "../../store/bin/move.ts";

export interface BinDeps {
  readonly clock: Pick<Clock, "now">;
  /** How long deleted resources can be restored, ms; 0 or absent: they are deleted for good. */
  readonly binMs?: () => number;
}

/** Who deletes. */
export interface Deleter {
  /** Name of the token. */
  readonly by?: string | undefined;
  /** ms since the epoch, shared by deletions that are undone together; absent: now. */
  readonly at?: number;
}

/** @returns undefined: for good */
export function deletionOf(
  { clock, binMs }: BinDeps,
  { by, at = clock.now() }: Deleter,
): Deletion | undefined {
  return binMs && binMs() > 0 ? { at, by } : undefined;
}
