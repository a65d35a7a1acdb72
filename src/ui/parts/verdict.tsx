// Judgement of an anomaly: two buttons, or the verdict with the other one to change it.
import type { AnomalyView } from "../../api/anomaly.ts";
import { texts } from "../state/preferences.ts";
import { may } from "../state/session.ts";

interface VerdictProps {
  readonly anomaly: AnomalyView;
  readonly onJudge: (anomaly: AnomalyView, verdict: boolean) => void;
}

export function Verdict({ anomaly, onJudge }: VerdictProps) {
  const { confirmed, dismissed, yes, no } = texts.value;
  const given = anomaly.feedback?.anomaly;
  const canJudge = may.value("run");
  const button = (verdict: boolean, label: string) => (
    <button type="button" aria-pressed={given === verdict} onClick={() => onJudge(anomaly, verdict)}>
      {label}
    </button>
  );
  return (
    <span class="verdict">
      {given !== undefined && (
        <strong class={given ? "confirmed" : "dismissed"}>{given ? confirmed : dismissed}</strong>
      )}
      {canJudge && given !== true && button(true, yes)}
      {canJudge && given !== false && button(false, no)}
    </span>
  );
}
