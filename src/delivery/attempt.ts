// One attempt to deliver an event, or a batch of them: bounded in time, and abandoned when the server stops.
import { tagsOfEventGroup } from "../core/anomaly/hook-options.ts";
import { deliverEvents } from "../hooks/index.ts";
import type { HookServices } from "../hooks/kind.ts";
import type { Outcome } from "../hooks/shared/outcome.ts";
import type { Clock } from "../runtime/clock.ts";
import { DeadlineError, withDeadline } from "../runtime/deadline.ts";
import type { OutboxRow } from "../store/db/schema.ts";

/** Longest attempt; the kinds of hooks have shorter deadlines of their own. */
const DEADLINE_MS = 60_000;

export interface AttemptDeps {
  readonly clock: Clock;
  readonly services: HookServices;
  /** Called for bugs, and for a database that cannot be used. */
  readonly onError: (error: unknown, row: OutboxRow | null) => void;
  /** Notifies a hook; default: by its kind. */
  readonly deliver?: typeof deliverEvents;
}

/** @param rows of one batch, or one @returns undefined where the server stops: the outcome is unknown */
export async function attemptDelivery(
  rows: readonly OutboxRow[],
  { services, clock, onError, stopped, deliver = deliverEvents }: AttemptDeps & { stopped: AbortSignal },
): Promise<Outcome | undefined> {
  const row = rows[0]!;
  const { hook, isGlobal, kind: type, config, groupKey } = row;
  const key = rows.length > 1 ? `group/${row.batch}` : row.id;
  const target = { type, config, ...(groupKey !== null && { tags: tagsOfEventGroup(groupKey) }) };
  const events = rows.map(({ event }) => event);
  const attempt = (signal: AbortSignal) =>
    deliver(events, target, { ...services, hook, isGlobal, key, signal }).catch((error): Outcome => {
      if (!signal.aborted) onError(error, row);
      return { retry: "internal error; the log has the details", code: "internal" };
    });
  try {
    return await withDeadline(DEADLINE_MS, attempt, { signal: stopped, clock });
  } catch (error) {
    if (!(error instanceof DeadlineError)) return undefined;
    return { retry: `no answer within ${DEADLINE_MS / 1000} s`, code: "deadline" };
  }
}
