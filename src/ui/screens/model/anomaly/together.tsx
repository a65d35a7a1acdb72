// Anomalies of other models and series around the start of this one, the earliest first.
import type { AnomalyDetailView } from "../../../../api/anomaly.ts";
import { addressOfAnomaly } from "../../../lib/fleet.ts";
import { formatSpan } from "../../../lib/format.ts";
import { describeAnomaly, describeSubject } from "../../../parts/anomalies/describe.ts";
import { useAnswer } from "../../../parts/use-answer.ts";
import { readTogether } from "../../../state/anomalies/anomaly.ts";
import { texts } from "../../../state/preferences.ts";

const SHOWN = 6;

export function Together({ anomaly }: { anomaly: AnomalyDetailView }) {
  const { detail: own, nowPage } = texts.value;
  const { value: others = [] } = useAnswer(anomaly.id, (signal) => readTogether(anomaly, signal));
  if (others.length === 0) return null;
  const when = (start: number) => {
    const seconds = Math.round(start - anomaly.start);
    if (seconds === 0) return own.atOnce;
    return (seconds < 0 ? own.before : own.after)(formatSpan(Math.abs(seconds) * 1000));
  };
  return (
    <>
      <h3>{own.together}</h3>
      <ul class="attention">
        {others.slice(0, SHOWN).map((other) => (
          <li key={other.id}>
            <a href={addressOfAnomaly(other)}>{other.model}</a>{" "}
            <span class="quiet">
              {describeSubject(other)} {when(other.start)}
            </span>
            <small>{describeAnomaly(other)}</small>
          </li>
        ))}
      </ul>
      {others.length > SHOWN && <p class="quiet">{nowPage.more(others.length - SHOWN)}</p>}
    </>
  );
}
