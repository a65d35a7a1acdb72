// State of a delivery: in words, with its attempts, the next one, and its error.
import type { DeliveryView } from "../../../api/hook.ts";
import { formatSpan } from "../../lib/format.ts";
import { serverNow } from "../../state/clock.ts";
import { texts } from "../../state/preferences.ts";

/** Shapes differ, for readers who see no colours. */
const marks = { waiting: "◔", sent: "●", rejected: "✕", expired: "✕" } as const;

interface DeliveryProps {
  readonly delivery: DeliveryView;
}

/** `● arrived` */
export function DeliveryMark({ delivery: { state, error } }: DeliveryProps) {
  const isBad = state === "rejected" || state === "expired" || error !== undefined;
  return (
    <span class={state === "sent" ? "good" : isBad ? "bad" : ""}>
      {marks[state]}{" "}
      {texts.value.hooksPage.states[state === "waiting" && error !== undefined ? "retrying" : state]}
    </span>
  );
}

export function DeliveryState({ delivery }: DeliveryProps) {
  const { state, attempts, error, code, next_attempt_timestamp: next } = delivery;
  const { hooksPage: own } = texts.value;
  const now = serverNow();
  return (
    <>
      <DeliveryMark delivery={delivery} />
      {attempts > 1 && `, ${own.attempts(attempts)}`}
      {state === "waiting" &&
        next !== undefined &&
        error &&
        `, ${own.next(formatSpan(Math.max(0, next - now) * 1000))}`}
      {error && <small class="bad">{own.problem(code ?? "", error)}</small>}
    </>
  );
}
