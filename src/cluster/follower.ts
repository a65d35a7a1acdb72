// Follows the changes that other nodes commit: each part of the memory of this node that they concern is read anew.
import { isFinal } from "../core/job.ts";
import type { Store } from "../store/db/open.ts";
import type { RemoteChange } from "../store/postgres/change-feed.ts";

/** Components that keep something of the database in memory. */
export interface Followers {
  /** Reads models in live detection again. */
  readonly models: (names: readonly string[]) => Promise<void>;
  /** Closes buckets, which are opened with their new settings. @param names absent: all */
  readonly buckets: (names?: readonly string[]) => Promise<void>;
  readonly tokens: () => Promise<void>;
  /** @param names absent: all */
  readonly scheduledJobs: (names?: readonly string[]) => Promise<void>;
  /** Jobs that have ended, however. */
  readonly endedJobs: (ids: readonly string[]) => void;
  /** Called when jobs wait. */
  readonly waitingJobs: () => void;
  /** Called when deliveries wait. */
  readonly deliveries: () => void;
  /** Called where changes may have been missed: everything is read anew. */
  readonly all: () => Promise<void>;
}

/** Passes changes on, to clients that follow events, too. */
export async function follow(
  found: readonly RemoteChange[],
  followers: Followers,
  { changes: feed, rowCache }: Pick<Store, "changes" | "rowCache">,
): Promise<void> {
  const changes = found.flatMap((one) => one.changes);
  const signals = found.flatMap((one) => one.signals);
  if (changes.some(({ type }) => type === "calendar")) rowCache.invalidate(["calendars"]);
  if (signals.some(({ topic }) => topic === "tokens")) await followers.tokens();
  const buckets = changes.flatMap((change) => (change.type === "bucket" ? [change.bucket] : []));
  if (buckets.length > 0) await followers.buckets([...new Set(buckets)]);
  const jobs = changes.filter((change) => change.type === "job");
  const ended = jobs.filter(({ state }) => isFinal(state));
  followers.endedJobs(ended.map(({ id }) => id));
  if (jobs.some(({ state }) => state === "waiting")) followers.waitingJobs();
  if (changes.some((change) => change.type === "delivery" && change.step === "created"))
    followers.deliveries();
  feed.publish(changes);
  const models = changes.flatMap((change) => (change.type === "model" ? [change.model] : []));
  if (models.length > 0) await followers.models([...new Set(models)]);
  const scheduled = signals.filter((one) => one.topic === "scheduled_jobs");
  if (scheduled.length === 0) return;
  const names = scheduled.map(({ name }) => name);
  await followers.scheduledJobs(names.includes(undefined) ? undefined : (names as string[]));
}
