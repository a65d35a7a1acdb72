// Preview of tried rules: alarms a week, their curve, the scores, and added and removed anomalies.
import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import type { ScoredEpisode } from "../../../../core/anomaly/episode.ts";
import type { AnomalyRules } from "../../../../core/anomaly/state.ts";
import { formatSpan } from "../../../lib/format.ts";
import { frame, toParams } from "../../../lib/range.ts";
import { type ComparedEpisode, compare, judgeEpisodes, perWeek, replay } from "../../../lib/replay.ts";
import { buildRoute } from "../../../lib/route.ts";
import type { ScoreData } from "../../../state/anomalies/scores.ts";
import { serverNow } from "../../../state/clock.ts";
import { moments, numbers, texts } from "../../../state/preferences.ts";
import { AlarmCurve } from "./alarm-curve.tsx";
import { TriedScores } from "./tried-scores.tsx";

const MAX_LISTED = 100;

interface PreviewProps {
  readonly name: string;
  readonly data: ScoreData;
  /** Anomalies of the rules in force. */
  readonly before: readonly ScoredEpisode[];
  readonly current: AnomalyRules;
  readonly tried: AnomalyRules;
  /** Shown beside the rate. */
  readonly children: ComponentChildren;
}

export function Preview({ name, data, before, current, tried, children }: PreviewProps) {
  const own = texts.value.tune;
  const after = useMemo(() => replay(data.scores, tried), [data, tried]);
  const compared = compare(before, after);
  const count = (change: ComparedEpisode["change"]) => compared.filter((one) => one.change === change).length;
  const { precision, recall, missed } = judgeEpisodes(after, data.truth);
  const percent = (share: number) => `${Math.round(share * 100)} %`;
  return (
    <>
      <section class="card tried-rate">
        <p class="big" role="status">
          <strong>{numbers.value.fixed(perWeek(after.length, data.scores), 1)}</strong> {own.aWeek}
          <span class="quiet">{own.changes(count("new"), count("gone"))}</span>
        </p>
        <AlarmCurve scores={data.scores} current={current} tried={tried} />
        {(precision !== undefined || recall !== undefined) && (
          <p>
            {precision !== undefined && own.precision(percent(precision))}{" "}
            {recall !== undefined && own.recall(percent(recall), missed.length)}
          </p>
        )}
        {children}
      </section>
      <TriedScores data={data} tried={tried} episodes={after} />
      <section class="card" aria-labelledby="tried-title">
        <h2 id="tried-title">{own.list}</h2>
        {compared.length === 0 && <p>{own.none}</p>}
        <ul class="episodes">
          {compared.slice(-MAX_LISTED).map((one) => (
            <Episode key={`${one.change}${one.startAt}`} name={name} episode={one} />
          ))}
        </ul>
        <p class="quiet">{own.caveat}</p>
      </section>
    </>
  );
}

function Episode({ name, episode }: { name: string; episode: ComparedEpisode }) {
  const { changeNames } = texts.value.tune;
  const { peak, lasted, ongoing } = texts.value;
  const { change, startAt, endAt, peakScore } = episode;
  const now = serverNow();
  const start = startAt / 1000;
  const range = toParams(frame({ start, end: endAt === null ? null : endAt / 1000 }, now));
  return (
    <li class={change}>
      <a href={buildRoute(["models", name], { from: range.from!, to: range.to! })}>
        {moments.value.moment(start, now)}
      </a>
      <strong class={`tag ${change}`}>{changeNames[change]}</strong>
      <span class="quiet">
        {endAt === null ? ongoing : lasted(formatSpan(endAt - startAt))}, {peak(peakScore.toFixed(0))}
      </span>
    </li>
  );
}
