// Statement deadlines of a transaction; an abort cancels the statement on the server too.
import { startDeadline } from "../../runtime/deadline.ts";
import type { CancelableSession, Session } from "./session.ts";

/** Rejects when a statement exceeds its time or the signal is aborted. */
export function watchProgress(signal: AbortSignal, spanMs: number) {
  const deadline = startDeadline(spanMs, { signal });
  let stopped = false;
  const restart = () => {
    if (stopped) throw new Error("the transaction was abandoned");
    deadline.restart();
  };
  return {
    ended: deadline.reached,
    /** The session with the full timeout per statement. */
    follow(session: CancelableSession): Session {
      // The driver answers with the statement, whose rejection the event target would throw.
      deadline.signal.addEventListener("abort", () => void session.cancel(), { once: true });
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
      deadline.end();
    },
  };
}
