// One attempt to deliver an event: bounded in time, and abandoned when the server stops.
import { deliverEvent } from "../hooks/index.ts";
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
  readonly deliver?: typeof deliverEvent;
}

/** @returns undefined where the server stops: the outcome is unknown */
export async function attemptDelivery(
  row: OutboxRow,
  { services, clock, onError, stopped, deliver = deliverEvent }: AttemptDeps & { stopped: AbortSignal },
): Promise<Outcome | undefined> {
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
  const { hook, isGlobal, id: key } = row;
  const hookContext = { ...services, hook, isGlobal, key, signal };
  const answer = deliver(row.event, { type: row.kind, config: row.config }, hookContext).catch(
    (error): Outcome => {
      if (!signal.aborted) onError(error, row);
      return { retry: "internal error; the log has the details" };
    },
  );
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
