// Judgement of an anomaly with a note, and what it changes: the next training, and a start above it.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { AnomalyDetailView } from "../../../../api/anomaly.ts";
import { effectOf } from "../../../lib/anomalies/verdict-effect.ts";
import { buildRoute } from "../../../lib/route.ts";
import { useAction } from "../../../parts/action.ts";
import { Verdict } from "../../../parts/anomalies/verdict.tsx";
import { ProblemNote } from "../../../parts/notes.tsx";
import { useAnswer } from "../../../parts/use-answer.ts";
import { EFFECT_DAYS, readOthers } from "../../../state/anomalies/anomaly.ts";
import { texts } from "../../../state/preferences.ts";
import { may } from "../../../state/session.ts";
import type { DetailProps } from "./detail.ts";

interface JudgementProps extends Pick<DetailProps, "onJudge"> {
  readonly anomaly: AnomalyDetailView;
}

export function Judgement({ anomaly, onJudge }: JudgementProps) {
  const { detail: own } = texts.value;
  const { feedback, id } = anomaly;
  const note = useSignal(feedback?.note ?? "");
  const action = useAction();
  useEffect(() => {
    note.value = feedback?.note ?? "";
  }, [id, feedback?.note]);
  const give = (verdict: boolean) =>
    action.run(() => onJudge(anomaly, verdict, note.value.trim() || undefined));
  const isChanged = feedback !== undefined && note.value.trim() !== (feedback.note ?? "");
  return (
    <>
      <h3>{own.wasIt}</h3>
      <Verdict given={feedback?.anomaly} onJudge={(verdict) => void give(verdict)} />
      <p class="quiet">
        {feedback ? own.effects[feedback.anomaly ? "confirmed" : "dismissed"] : own.effects.open}
      </p>
      <Effect anomaly={anomaly} />
      {may.value("run") && (
        <div class="row">
          <input
            value={note.value}
            maxLength={4096}
            aria-label={own.note}
            placeholder={own.note}
            onInput={({ currentTarget }) => (note.value = currentTarget.value)}
          />
          {isChanged && (
            <button type="button" onClick={() => void give(feedback.anomaly)}>
              {own.saveNote}
            </button>
          )}
        </div>
      )}
      {action.problem.value && <ProblemNote problem={action.problem.value} />}
    </>
  );
}

/** What a start above this anomaly would have done to those of the last months. */
function Effect({ anomaly }: { anomaly: AnomalyDetailView }) {
  const { detail: own, modelTabs } = texts.value;
  const { model, series, id, feedback } = anomaly;
  const key = anomaly.origin === "live" ? `${id} ${feedback?.anomaly}` : undefined;
  const others = useAnswer(key, (signal) => readOthers(anomaly, signal));
  const effect = others.value && effectOf(others.value, anomaly);
  if (!effect || effect.total < 2) return null;
  return (
    <p class="quiet">
      {own.startAbove(effect.above.toFixed(0), EFFECT_DAYS, effect)}{" "}
      {!series && <a href={buildRoute(["models", model, "tune"])}>{modelTabs.names.tune}</a>}
    </p>
  );
}
