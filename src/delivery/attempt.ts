// One attempt to deliver an event: bounded in time, given up when the server stops, whatever the hook does.
import { deliverEvent } from "../hooks/index.ts";
import type { HookServices } from "../hooks/kind.ts";
import type { Outcome } from "../hooks/shared/outcome.ts";
import type { Clock } from "../runtime/clock.ts";
import type { OutboxRow } from "../store/db/schema.ts";

/** Longest attempt; the kinds give up sooner by themselves. */
const ATTEMPT_MS = 60_000;

export interface AttemptDeps {
  readonly clock: Clock;
  /** What is lent to hooks. */
  readonly services: HookServices;
  /** A bug, or a database that cannot be used. */
  readonly onError: (error: unknown, row: OutboxRow | null) => void;
  /** Tells a hook; default: by its kind. */
  readonly deliver?: typeof deliverEvent;
}

/** @returns undefined where the server stops: nothing is known of what came of it */
export async function attemptDelivery(
  row: OutboxRow,
  { services, clock, onError, stopped, deliver = deliverEvent }: AttemptDeps & { stopped: AbortSignal },
): Promise<Outcome | undefined> {
  const { promise: over, resolve } = Promise.withResolvers<Outcome | undefined>();
  const controller = new AbortController();
  const end = (outcome: Outcome | undefined) => {
    resolve(outcome);
    controller.abort();
  };
  const leave = () => end(undefined);
  const clearTimer = clock.setTimer(
    () => end({ retry: `no answer within ${ATTEMPT_MS / 1000} s` }),
    ATTEMPT_MS,
  );
  stopped.addEventListener("abort", leave);
  if (stopped.aborted) leave();
  const context = {
    ...services,
    hook: row.hook,
    isGlobal: row.isGlobal,
    key: row.id,
    signal: controller.signal,
  };
  const told = deliver(row.event, { type: row.kind, config: row.config }, context).catch((error): Outcome => {
    if (!controller.signal.aborted) onError(error, row);
    return { retry: "internal error; the log has the details" };
  });
  try {
    return await Promise.race([over, told]);
  } finally {
    clearTimer();
    stopped.removeEventListener("abort", leave);
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
