// Detail of the chosen anomaly: what was odd, how much and by which detectors, who was notified, judgement and mute.
import type { AnomalyDetailView } from "../../../../api/anomaly.ts";
import { nameOf } from "../../../lib/model-state.ts";
import { describeAnomaly, describeFleet, describeLength } from "../../../parts/anomalies/describe.ts";
import { SeverityMark } from "../../../parts/marks.tsx";
import { ProblemNote } from "../../../parts/notes.tsx";
import { useAnswer } from "../../../parts/use-answer.ts";
import { readAnomaly } from "../../../state/anomalies/anomaly.ts";
import { serverNow } from "../../../state/clock.ts";
import { moments, texts } from "../../../state/preferences.ts";
import { Alike } from "./alike.tsx";
import { ChangesBefore } from "./changes-before.tsx";
import { CopyLink } from "./copy-link.tsx";
import type { DetailProps } from "./detail.ts";
import { Judgement } from "./judgement.tsx";
import { MuteButtons } from "./mute-buttons.tsx";
import { Notified } from "./notified.tsx";
import { Together } from "./together.tsx";
import { Why } from "./why.tsx";

export function AnomalyDetail({ id, shown, ...rest }: DetailProps) {
  const { anomalyGone } = texts.value.detail;
  const { value, problem, again } = useAnswer(`${id} ${shown?.end}`, (signal) => readAnomaly(id, signal));
  const isOfOther = value !== undefined && value.model !== nameOf(rest.model);
  if (problem?.status === 404 || problem?.status === 400 || isOfOther)
    return (
      <p class="note" role="alert">
        {anomalyGone}
      </p>
    );
  if (problem) return <ProblemNote problem={problem} again={again} />;
  if (!value) return null;
  const feedback = shown?.feedback ?? value.feedback;
  return <Card anomaly={{ ...value, ...(feedback && { feedback }) }} {...rest} />;
}

interface CardProps extends Omit<DetailProps, "id" | "shown"> {
  readonly anomaly: AnomalyDetailView;
}

function Card({ model, anomaly, refresh, onJudge }: CardProps) {
  const { since } = texts.value;
  const { start, end, severity } = anomaly;
  const moment = moments.value.moment(start, serverNow());
  return (
    <section class="card detail" aria-labelledby="detail-title">
      <header class="card-head">
        <h2 id="detail-title">
          {[describeFleet(anomaly), describeAnomaly(anomaly)].filter(Boolean).join(": ")}
        </h2>
        <CopyLink anomaly={anomaly} />
      </header>
      <p>
        <SeverityMark severity={severity} /> {end === null ? since(moment) : moment},{" "}
        {describeLength(anomaly)}
      </p>
      <div class="columns">
        <div>
          <ChangesBefore anomaly={anomaly} />
          <Why anomaly={anomaly} />
          <Alike model={model} anomaly={anomaly} />
          <Together anomaly={anomaly} />
        </div>
        <div>
          <Judgement anomaly={anomaly} onJudge={onJudge} />
          <MuteButtons model={model} anomaly={anomaly} refresh={refresh} />
          <Notified anomaly={anomaly} />
        </div>
      </div>
    </section>
  );
}
