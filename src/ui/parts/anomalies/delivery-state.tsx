// State of a delivery: in words, with its attempts, the next one, and its error.
import type { DeliveryView } from "../../../api/hook.ts";
import { formatSpan } from "../../lib/format.ts";
import { serverNow } from "../../state/clock.ts";
import { texts } from "../../state/preferences.ts";

/** Shapes differ, for readers who see no colours. */
const marks = { waiting: "◔", sent: "●", rejected: "✕", expired: "✕" } as const;

export function DeliveryState({
  delivery: { state, attempts, error, code, next_attempt_timestamp: next },
}: {
  delivery: DeliveryView;
}) {
  const { hooksPage: own } = texts.value;
  const isBad = state === "rejected" || state === "expired" || error !== undefined;
  const now = serverNow();
  return (
    <>
      <span class={state === "sent" ? "good" : isBad ? "bad" : ""}>
        {marks[state]} {own.states[state === "waiting" && error !== undefined ? "retrying" : state]}
      </span>
      {attempts > 1 && `, ${own.attempts(attempts)}`}
      {state === "waiting" &&
        next !== undefined &&
        error &&
        `, ${own.next(formatSpan(Math.max(0, next - now) * 1000))}`}
      {error && <small class="bad">{own.problem(code ?? "", error)}</small>}
    </>
  );
}
