// One attempt to deliver an event, or a batch of them: bounded in time, and abandoned when the server stops.
import { tagsOfEventGroup } from "../core/anomaly/hook-options.ts";
import { deliverEvents } from "../hooks/index.ts";
import type { HookServices } from "../hooks/kind.ts";
import type { Outcome } from "../hooks/shared/outcome.ts";
import type { Clock } from "../runtime/clock.ts";
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
  const { promise: cutOff, resolve } = Promise.withResolvers<Outcome | undefined>();
  const controller = new AbortController();
  const end = (outcome: Outcome | undefined) => {
    resolve(outcome);
    controller.abort();
  };
  const onStop = () => end(undefined);
  const clearTimer = clock.setTimer(
    () => end({ retry: `no answer within ${DEADLINE_MS / 1000} s` }),
    DEADLINE_MS,
  );
  stopped.addEventListener("abort", onStop);
  if (stopped.aborted) onStop();
  const { signal } = controller;
  const { hook, isGlobal, kind: type, config, groupKey } = row;
  const key = rows.length > 1 ? `group/${row.batch}` : row.id;
  const hookContext = { ...services, hook, isGlobal, key, signal };
  const target = { type, config, ...(groupKey !== null && { tags: tagsOfEventGroup(groupKey) }) };
  const events = rows.map(({ event }) => event);
  const answer = deliver(events, target, hookContext).catch((error): Outcome => {
    if (!signal.aborted) onError(error, row);
    return { retry: "internal error; the log has the details" };
  });
  try {
    return await Promise.race([cutOff, answer]);
  } finally {
    clearTimer();
    stopped.removeEventListener("abort", onStop);
  }
}

/** Waits. @returns false where `signal` was aborted meanwhile */
export function pause(clock: Clock, delayMs: number, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimer();
      signal.removeEventListener("abort", end);
      resolve(!signal.aborted);
    };
    const clearTimer = clock.setTimer(end, delayMs);
    signal.addEventListener("abort", end);
    if (signal.aborted) end();
  });
}
