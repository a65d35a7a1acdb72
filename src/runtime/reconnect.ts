// Sessions with a peer, one after the other: each end is followed by another attempt, after delays that grow.
import type { Clock } from "./clock.ts";
import { sleep } from "./deadline.ts";

const [MIN_DELAY_MS, MAX_DELAY_MS] = [500, 30_000];

interface ReconnectDeps {
  readonly clock: Clock;
  /** Ends the repetition; the session under way has to heed it itself. */
  readonly signal: AbortSignal;
  /** Called at each end, until the signal aborts. */
  readonly onDown: (error: unknown) => void;
}

/** @param session rejects or resolves at its end. A session of more than 30 s resets the delay. Never rejects */
export async function reconnect(
  session: () => Promise<void>,
  { clock, signal, onDown }: ReconnectDeps,
): Promise<void> {
  let delayMs = MIN_DELAY_MS;
  while (!signal.aborted) {
    const startedAt = clock.now();
    await session().catch((error: unknown) => {
      if (!signal.aborted) onDown(error);
    });
    if (clock.now() - startedAt > MAX_DELAY_MS) delayMs = MIN_DELAY_MS;
    // Peers that lost the same broker must not come back at the same instant.
    await sleep(delayMs * (0.75 + Math.random() / 2), signal, clock);
    delayMs = Math.min(MAX_DELAY_MS, delayMs * 2);
  }
}
