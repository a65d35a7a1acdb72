// Chart of the scores with the tried thresholds, and the anomalies they would raise.
import { useEffect, useRef } from "preact/hooks";
import type { ScoredEpisode } from "../../../../core/anomaly/episode.ts";
import type { AnomalyRules } from "../../../../core/anomaly/state.ts";
import { readChartColors } from "../../../charts/marks.ts";
import { drawScores } from "../../../charts/model-chart.ts";
import { foldGreatest } from "../../../lib/replay.ts";
import type { ScoreData } from "../../../state/anomalies/scores.ts";
import { language, moments, texts, theme } from "../../../state/preferences.ts";

const HEIGHT = 180;
/** More cells than pixels are not seen. */
const CELLS = 1200;

interface TriedScoresProps {
  readonly data: ScoreData;
  readonly tried: AnomalyRules;
  readonly episodes: readonly ScoredEpisode[];
}

export function TriedScores({ data: { scores }, tried, episodes }: TriedScoresProps) {
  const element = useRef<HTMLDivElement>(null);
  const { chart } = texts.value.tune;
  const label = `${chart}: ${texts.value.tune.found(episodes.length)}`;
  useEffect(() => {
    const target = element.current!;
    // From the first score on: the chosen days may reach back further than the scores.
    const first = Math.max(
      0,
      scores.values.findIndex((score) => !Number.isNaN(score)),
    );
    const size = Math.max(1, Math.ceil((scores.values.length - first) / CELLS));
    const folded = foldGreatest(scores.values.subarray(first), size);
    const data = {
      times: folded.map((_, i) => scores.from + (first + i * size) * scores.step),
      step: size * scores.step,
      score: folded.map((score) => (Number.isNaN(score) ? null : score)),
      thresholds: tried,
      anomalies: episodes.map(({ startAt, endAt }) => ({
        id: String(startAt),
        start: startAt / 1000,
        end: endAt === null ? null : endAt / 1000,
      })),
    };
    const chart = drawScores(
      target,
      { data, chosen: undefined },
      {
        height: HEIGHT,
        colors: readChartColors(target),
        formatTick: moments.value.tick,
        language: language.value,
        offset: moments.value.offset,
        onCursor: () => {},
      },
    );
    return chart.destroy;
  }, [scores, tried, episodes, theme.value, language.value, moments.value]);
  return (
    <section class="card">
      <figure>
        <div class="plot" ref={element} role="img" aria-label={label} />
      </figure>
    </section>
  );
}
