// Attribution in words: `4 min after deploy web 1.9.2; an anomaly followed 3 of the last 5 like it`.
import { formatSpan } from "../formats/readable.ts";
import { MINUTE_MS } from "../time/time.ts";
import type { Attribution } from "./attribution.ts";
import { nameOfChange, TELLING_CHANGES } from "./name.ts";

/** What texts say of a change. */
type ToldChange = Pick<Attribution, "kind" | "title" | "delayMs" | "history">;

/** One line without a full stop; the history is left out where there is next to none. */
export function tellChange(change: ToldChange): string {
  const { delayMs, history } = change;
  const delay = delayMs < MINUTE_MS ? "just" : formatSpan(delayMs);
  const after = `${delay} after ${nameOfChange(change)}`;
  if (history.of < TELLING_CHANGES) return after;
  return `${after}; an anomaly followed ${history.followed || "none"} of the last ${history.of} like it`;
}
