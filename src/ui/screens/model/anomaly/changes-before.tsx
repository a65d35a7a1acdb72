// Changes that may have caused an anomaly, the likeliest first, and what followed those like them.
import type { AnomalyDetailView } from "../../../../api/anomaly.ts";
import { TELLING_CHANGES } from "../../../../core/changes/name.ts";
import { AfterChange } from "../../../parts/anomalies/after-change.tsx";
import { texts } from "../../../state/preferences.ts";

export function ChangesBefore({ anomaly: { changes } }: { anomaly: AnomalyDetailView }) {
  const { detail: own } = texts.value;
  if (changes.length === 0) return null;
  return (
    <>
      <h3>{own.changed}</h3>
      <ul class="attention">
        {changes.map((change) => (
          <li key={change.id}>
            <AfterChange change={change} />
            {change.history.of >= TELLING_CHANGES && (
              <small>{own.followed(change.history.followed, change.history.of)}</small>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}
