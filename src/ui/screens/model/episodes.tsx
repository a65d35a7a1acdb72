// Anomalies of the shown range: chosen by click, judged in place.
import type { AnomalyView } from "../../../api/anomaly.ts";
import { describeAnomaly, describeFleet, describeLength } from "../../parts/anomalies/describe.ts";
import { Verdict } from "../../parts/anomalies/verdict.tsx";
import { SeverityMark } from "../../parts/marks.tsx";
import { Empty } from "../../parts/notes.tsx";
import { serverNow } from "../../state/clock.ts";
import { moments, texts } from "../../state/preferences.ts";

interface EpisodesProps {
  /** Absent: that of a chart. */
  readonly title?: string;
  readonly anomalies: readonly AnomalyView[];
  readonly isLive: boolean;
  readonly chosen: string | undefined;
  readonly onChoose: (anomaly: AnomalyView) => void;
  readonly onJudge: (anomaly: AnomalyView, verdict: boolean) => void;
}

export function Episodes({ title, anomalies, isLive, chosen, onChoose, onJudge }: EpisodesProps) {
  const { episodes, noEpisodes, notLive, peak } = texts.value;
  const now = serverNow();
  return (
    <section class="card" aria-labelledby="episodes-title">
      <h2 id="episodes-title">{title ?? episodes}</h2>
      {anomalies.length === 0 && (
        <Empty>
          <p>{noEpisodes}</p>
          {!isLive && <p>{notLive}</p>}
        </Empty>
      )}
      <ul class="episodes">
        {anomalies.map((anomaly) => (
          <li key={anomaly.id} class={anomaly.id === chosen ? "chosen" : ""}>
            <button
              type="button"
              class="link"
              aria-current={anomaly.id === chosen}
              onClick={() => onChoose(anomaly)}
            >
              {moments.value.moment(anomaly.start, now)}
            </button>
            <SeverityMark severity={anomaly.severity} />
            <span>{[describeFleet(anomaly), describeAnomaly(anomaly)].filter(Boolean).join(": ")}</span>
            <span class="quiet">
              {describeLength(anomaly)}, {peak(anomaly.peak_score.toFixed(0))}
            </span>
            <Verdict given={anomaly.feedback?.anomaly} onJudge={(verdict) => onJudge(anomaly, verdict)} />
          </li>
        ))}
      </ul>
    </section>
  );
}
