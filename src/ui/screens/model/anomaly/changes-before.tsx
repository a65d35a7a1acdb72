// Changes that may have caused an anomaly, the likeliest first, and what followed those like them.
import type { AnomalyDetailView } from "../../../../api/anomaly.ts";
import { nameOfChange, TELLING_CHANGES } from "../../../../core/changes/name.ts";
import { formatSpan } from "../../../lib/format.ts";
import { texts } from "../../../state/preferences.ts";

/** Seconds; a delay below is not told. */
const MINUTE = 60;

export function ChangesBefore({ anomaly: { changes } }: { anomaly: AnomalyDetailView }) {
  const { detail: own } = texts.value;
  if (changes.length === 0) return null;
  return (
    <>
      <h3>{own.changed}</h3>
      <ul class="attention">
        {changes.map(({ id, url, delay, history, ...change }) => (
          <li key={id}>
            {delay < MINUTE ? own.justAfter : own.spanAfter(formatSpan(delay * 1000))}{" "}
            {url === undefined ? <b>{nameOfChange(change)}</b> : <a href={url}>{nameOfChange(change)}</a>}
            {history.of >= TELLING_CHANGES && <small>{own.followed(history.followed, history.of)}</small>}
          </li>
        ))}
      </ul>
    </>
  );
}
