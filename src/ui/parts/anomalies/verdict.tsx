// Judgement of anomalies: two buttons, or the verdict with the other one to change it.
import { texts } from "../../state/preferences.ts";
import { may } from "../../state/session.ts";

interface VerdictProps {
  /** Absent: not judged. */
  readonly given: boolean | undefined;
  readonly onJudge: (verdict: boolean) => void;
  /** Whether Y and N do the same. */
  readonly hasKeys?: boolean;
}

export function Verdict({ given, onJudge, hasKeys = true }: VerdictProps) {
  const { confirmed, dismissed, verdicts } = texts.value;
  const { yes, no } = hasKeys ? texts.value : verdicts;
  const canJudge = may.value("run");
  const button = (verdict: boolean, label: string) => (
    <button type="button" aria-pressed={given === verdict} onClick={() => onJudge(verdict)}>
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
