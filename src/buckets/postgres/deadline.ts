// Statement deadlines of a transaction; an abort cancels the statement on the server too.
import type { CancelableSession, Session } from "./session.ts";

/** Rejects when a statement exceeds its time or the signal is aborted. */
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
    if (stopped) throw new Error("the transaction was abandoned");
    clearTimeout(timer);
    timer = setTimeout(expire, spanMs);
  };
  return {
    ended,
    isOver: () => over,
    /** The session with the full timeout per statement. */
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
