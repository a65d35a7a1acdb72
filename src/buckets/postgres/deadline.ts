// The time a transaction may take: each statement has all of it, and an abort ends the statement there too.
import type { CancelableSession, Session } from "./session.ts";

/** Ends a wait where a statement takes too long or the signal is aborted. */
export function watchProgress(signal: AbortSignal, spanMs: number) {
  const { promise: ended, reject } = Promise.withResolvers<never>();
  let over = false;
  const expire = () => {
    over = true;
    followed?.cancel();
    reject(new Error("too long"));
  };
  let followed: CancelableSession | undefined;
  const abort = () => {
    followed?.cancel();
    reject(signal.reason);
  };
  let timer = setTimeout(expire, spanMs);
  signal.addEventListener("abort", abort, { once: true });
  ended.catch(() => {});
  let stopped = false;
  const restart = () => {
    if (stopped) throw new Error("nobody waits for this transaction any more");
    clearTimeout(timer);
    timer = setTimeout(expire, spanMs);
  };
  return {
    ended,
    isOver: () => over,
    /** The same session; each statement has the whole time. */
    follow(session: CancelableSession): Session {
      followed = session;
      return {
        run: (statement, parameters) => {
          restart();
          return session.run(statement, parameters);
        },
        describe: (from) => {
          restart();
          return session.describe(from);
        },
      };
    },
    stop() {
      stopped = true;
      clearTimeout(timer);
      signal.removeEventListener("abort", abort);
    },
  };
}
